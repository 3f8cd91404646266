// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What tasks are called in reports.
#pragma once

#include "platform/line.h"
#include "task/frame.h"

#include <string_view>

namespace TEFF_NAMESPACE::fibers {

/// Returns: the readable part of what task_frame::show was given: a user's name as it is, of label_of the type.
std::string_view readable(const char* label) noexcept;

/// Effect: adds the task's name: as a user gave it; else the type of its closure; else where its code lies. Allowed in signal
/// handlers, in the last case with what platform::add_code says. `label`, `name` and `code` are as in task_frame; `entry` is the
/// task's.
void add_task_name(platform::line& to, const char* name, const char* label, const void* code, entry_function entry) noexcept;
void add_task_name(platform::line& to, const task_frame& frame) noexcept;

}  // namespace TEFF_NAMESPACE::fibers
