// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

#include <cstdint>

namespace TEFF_NAMESPACE::queue {

/// Steps that tests leave out to show that they are needed.
struct split_rules {
  /// A push that finds the public part empty says so.
  static constexpr bool notices_an_empty_public_part = true;
  /// A push that was asked looks at the requests.
  static constexpr bool notices_requests = true;
  /// Who takes the last public task asks for more.
  static constexpr bool asks_for_what_it_emptied = true;
  /// Who forces asks for what is put behind its look.
  static constexpr bool asks_where_it_forces = true;
  /// An owner that is no longer asked looks once more whether nothing is wanted.
  static constexpr bool looks_when_it_is_not_asked = true;
  /// It stays asked while the word is closed.
  static constexpr bool stays_asked_beside_a_closer = true;
  /// A push stores the bottom before it looks whether it is asked.
  static constexpr bool pushes_before_it_looks = true;
  /// A pop takes the bottom down before it looks at the split.
  static constexpr bool pops_before_it_looks = true;
  /// Thieves take by compare-and-swap, and the owner its public part back, to where no number was used before.
  static constexpr bool steals_by_comparison = true;
  static constexpr bool takes_back_by_comparison = true;
  static constexpr bool takes_back_upwards = true;
  /// No number is a top in two laps.
  static constexpr bool numbers_laps_apart = true;
  /// Who is not the owner, and sees no tasks, looks whether the word is still the same.
  static constexpr bool looks_again_where_it_saw_nothing = true;
  /// The split of a closed word is beyond all bottoms, so that its owner's pops fail, too.
  static constexpr bool stops_the_owner = true;
  /// Who forces looks at the bottom when the owner can no longer miss that the word is closed.
  static constexpr bool looks_when_closed = true;
};

/// Whether somebody wants an owner's private tasks.
enum class demand : std::uint8_t { none, unknown, some };

/// What a push found.
enum class pushed : std::uint8_t {
  kept,
  asked,  ///< pushed; the owner is to publish if is_still_wanted: if the public part is empty, or a request stands
  full,   ///< not pushed: push_slow
};

}  // namespace TEFF_NAMESPACE::queue
