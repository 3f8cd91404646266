// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/ends.h"

#include "platform/line.h"

#include <cstdlib>
#include <dlfcn.h>
#include <utility>

namespace TEFF_NAMESPACE::platform {

std::exception_ptr caught_exception() noexcept {
  std::exception_ptr caught = std::current_exception();
  // What unwinds a thread that ends is no exception of C++.
  if (caught != nullptr) [[likely]]
    return caught;
  say("teff: a thread ended inside of a task, by pthread_exit or because the task let it be cancelled: it carries a worker, "
      "which others need. Return from the task, or end the process by exit\n");
  std::abort();
}

bool is_static(const void* object) noexcept {
  Dl_info found;
  return dladdr(object, &found) != 0;
}

}  // namespace TEFF_NAMESPACE::platform
