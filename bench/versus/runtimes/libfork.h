// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../common/harness.h"

#include <libfork.hpp>

namespace versus {

struct libfork_runtime {
  static constexpr const char* runtime = "libfork";
  /// Its two pools: idle workers sleep, or look for work all the time.
  static constexpr const char* forms[] = {"lazy", "busy"};

  explicit libfork_runtime(const wishes& how) {
    if (how.form == "busy") busy.emplace(how.threads);
    else lazy.emplace(how.threads);
  }

  /// Returns: what the task returned.
  template <class Task, class... Arguments>
  auto wait_for(Task task, Arguments&&... arguments) {
    if (busy) return lf::sync_wait(*busy, task, std::forward<Arguments>(arguments)...);
    return lf::sync_wait(*lazy, task, std::forward<Arguments>(arguments)...);
  }

  std::optional<lf::busy_pool> busy;
  std::optional<lf::lazy_pool> lazy;
};

}  // namespace versus
