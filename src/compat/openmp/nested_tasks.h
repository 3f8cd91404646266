// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/tuning.h"

#include <bit>
#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

/// The tasks on a thread's stack that run at once, or before another one is made; and how many of them began beside enough others
/// since the thread last looked at its team (README.md, *Enough*). In one word, as who begins such a one changes both, and who is
/// about to asks for both: a begin and an end are an addition each, and the question is one test.
///
/// The lower half counts those on the stack. If 65,536 lie on one another, which no look allows, the carry makes the next look
/// come early, and some more may begin. The upper half counts begins, until its top bit says that it is time to look: then none
/// is counted.
class nested_tasks {
 public:
  void begin() { word_ += one; }
  /// Effect: as begin, of one that counts. Pre: may_begin() is true.
  void begin_beside_enough() { word_ += one + begun; }
  void end() { word_ -= one; }

  bool any() const { return (word_ & on_stack) != 0; }
  bool are_too_deep() const { return (word_ & too_deep()) != 0; }
  /// Whether another one may begin without a look.
  bool may_begin() const { return (word_ & (too_deep() | is_time)) == 0; }

  bool is_time_to_look() const { return (word_ & is_time) != 0; }
  void look_next_time() { word_ |= is_time; }
  /// Effect: it is time to look when so many have begun. Pre: at most `begins_at_most`.
  void look_after(std::uint32_t begins) { word_ = (word_ & on_stack) | (is_time - begins * begun); }
  /// Effect: one that has another way to begin counts.
  void count() {
    if (!is_time_to_look()) word_ += begun;
  }

  static constexpr std::uint32_t begins_at_most = 0x8000;

 private:
  static constexpr std::uint32_t one = 1, begun = 0x1'0000, on_stack = begun - 1, is_time = begins_at_most * begun;
  /// Returns: bits of which one is set if that many are on the stack, which is a power of two, or more.
  static std::uint32_t too_deep() { return on_stack & ~(tuning::nested_at_once_at_most - 1u); }
  static_assert(std::has_single_bit(tuning::nested_at_once_at_most.standard) &&
                std::has_single_bit(tuning::nested_at_once_at_most.tested));

  std::uint32_t word_ = is_time;
};

}  // namespace TEFF_NAMESPACE::openmp
