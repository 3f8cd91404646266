// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The library's side of include/teff/detail/layout.hpp.
#include "teff/detail/layout.hpp"

#include "platform/line.h"
#include "platform/platform.h"
#include "teff/detail/fork.hpp"
#include "teff/graph.hpp"
#include "teff/group.hpp"
#include "teff/sync.hpp"
#include "teff/task.hpp"

#include <string>

namespace TEFF_NAMESPACE::detail {

namespace {

constexpr int exit_other_layout = 2;

struct library_layout {
  const char* name;
  std::uint32_t number;
};

/// By layout_part.
constexpr library_layout own[] = {{"tasks", task_layout},
                                  {"task groups", group_layout},
                                  {"joins", forked_task_layout},
                                  {"mutexes and their like", sync_layout},
                                  {"task graphs", graph_layout}};

}  // namespace

bool require_layout(layout_part part, std::uint32_t of_program) noexcept {
  const auto number = static_cast<std::size_t>(part);
  const bool known = number < std::size(own);
  if (known && own[number].number == of_program) return true;
  const char* const name = known ? own[number].name : "something newer";
  platform::say(
      std::string("teff: this program was compiled with the headers of another version of Teff than the library that it "
                  "has found (they lay out ") +
      name + " differently): compile it again, or have it find its own library (LD_LIBRARY_PATH, RPATH)\n");
  platform::end_process_at_once(exit_other_layout);
}

}  // namespace TEFF_NAMESPACE::detail
