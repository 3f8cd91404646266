// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// When a member that waits in a barrier leaves the tasks of others alone.
#pragma once

#include "platform/platform.h"
#include "platform/tuning.h"

#include <algorithm>
#include <cstdint>

namespace TEFF_NAMESPACE::openmp {

/// A member's thefts, and how far they are apart.
///
/// Idea: a theft holds up its victim, whose lines it takes, by more than tasks of some tens of nanoseconds take. So where what
///   one has brought was done sooner than another one costs, the next one comes later, twice as long as before, and by then there
///   is more to take at once; where it took longer, half as long. What is left alone its owner runs.
/// Threads: the member. Cost: a look at the clock when a theft begins, and one when all that it brought is done; while the member
///   holds off, one for each question.
class thefts {
 public:
  /// Returns: whether the member is to leave others alone for now. Pre: what the last theft brought is done.
  bool are_too_soon() {
    if (!measures_ && not_before_ == 0) return false;
    const std::uint64_t now = platform::now_ns();
    if (measures_) {
      measures_ = false;
      const std::uint64_t least = tuning::brief_theft_ns, most = tuning::thefts_apart_ns;
      apart_ = now - begun_ < least ? std::clamp(2 * apart_, least, most) : apart_ / 2;
      not_before_ = now + apart_;
    }
    if (now < not_before_) return true;
    not_before_ = 0;
    return false;
  }
  /// Effect: a theft has brought something, which the member does now.
  void one_begins() {
    measures_ = true;
    begun_ = platform::now_ns();
  }

 private:
  std::uint64_t begun_ = 0;       ///< when the last one did, in ns
  std::uint64_t apart_ = 0;       ///< how long the next one has to wait behind it, in ns
  std::uint64_t not_before_ = 0;  ///< until when it has to; 0: it need not
  bool measures_ = false;         ///< one has begun
};

}  // namespace TEFF_NAMESPACE::openmp
