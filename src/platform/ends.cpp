// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/ends.h"

#include "platform/line.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unwind.h>
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

namespace {

/// By its name, too: in a program that is not position-independent, its address is that of the program's own jump to it.
bool is_exit(void* function) {
  Dl_info found;
  return function == reinterpret_cast<void*>(&std::exit) ||
         (dladdr(function, &found) != 0 && found.dli_saddr == function && std::strcmp(found.dli_sname, "exit") == 0);
}

_Unwind_Reason_Code look_at_frame(_Unwind_Context* frame, void* found) {
  int is_at_next = 0;
  const std::uintptr_t next = _Unwind_GetIPInfo(frame, &is_at_next);
  const std::uintptr_t inside = next - (is_at_next != 0 ? 0 : 1);
  void* const function = _Unwind_FindEnclosingFunction(reinterpret_cast<void*>(inside));
  if (function == nullptr || !is_exit(function)) return _URC_NO_REASON;
  *static_cast<bool*>(found) = true;
  return _URC_END_OF_STACK;
}

}  // namespace

bool is_in_exit() noexcept {
  bool found = false;
  _Unwind_Backtrace(&look_at_frame, &found);
  return found;
}

}  // namespace TEFF_NAMESPACE::platform
