// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a program has in line of the library is compiled into it: types whose sizes and places both have to agree on. A program
/// that finds a library with another layout ends with a sentence when it is loaded, before it can destroy anything.
///
/// Each public header that has such types in line says so by one constant, which follows from them, and one variable, whose
/// initialisation compares. The variable is hidden: else a plug-in that has it could not be unloaded. Cost: a comparison for each
/// of these headers, once in a program.
#pragma once

#include "base/namespace.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace TEFF_NAMESPACE::detail {

/// Changes by hand if code in line does something else with a layout that is as before.
inline constexpr std::uint32_t layout_version = 9;

/// Returns: a number that differs, but for one case in 2^32, if a size, an alignment or a number does.
template <class... Types>
constexpr std::uint32_t layout_of(std::initializer_list<std::size_t> numbers = {}) {
  std::uint32_t mixed = 2166136261u ^ layout_version;  // FNV-1a, by number in place of byte
  const auto add = [&mixed](std::size_t number) { mixed = (mixed ^ static_cast<std::uint32_t>(number)) * 16777619u; };
  (add(sizeof(Types)), ...);
  (add(alignof(Types)), ...);
  for (const std::size_t each : numbers) add(each);
  return mixed;
}

/// The headers that compare.
enum class layout_part : std::uint8_t { tasks, groups, forked_tasks, sync_objects, graphs };

/// Effect: ends the program with a sentence and exit code 2 if the library has another layout. Returns: true.
bool require_layout(layout_part part, std::uint32_t of_program) noexcept;

}  // namespace TEFF_NAMESPACE::detail
