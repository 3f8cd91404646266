// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "task/context.h"

namespace teff::inline TEFF_PLATFORM::runtime {

/// For a scope, C code has a handle on the worker of its task, which therefore stays there if it has put too many tasks.
class kept_handle {
 public:
  explicit kept_handle(context& here) : here_(here) { ++here_.kept_handles; }
  ~kept_handle() { --here_.kept_handles; }
  kept_handle(const kept_handle&) = delete;
  kept_handle& operator=(const kept_handle&) = delete;

 private:
  context& here_;
};

}  // namespace teff::inline TEFF_PLATFORM::runtime
