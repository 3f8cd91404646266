// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// When a member that waits in a barrier leaves the tasks of others alone.
#pragma once

#include "platform/platform.h"
#include "platform/tuning.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace TEFF_NAMESPACE::openmp {

/// A member's thefts, and how far they are apart.
///
/// Idea: a theft holds up its victim, whose lines it takes, by more than tasks of some tens of nanoseconds take. So where what
///   one has brought was done sooner than another one costs, the next one comes later, twice as long as before, and by then there
///   is more to take at once; where it took longer, half as long. What is left alone its owner runs. Looks by force for what
///   others keep cost a fence of all threads besides, so these are apart by themselves.
/// Threads: the member. Cost: a look at the clock when a theft begins, and one when all that it brought is done; while the member
///   holds off, one for each question.
class thefts {
 public:
  /// Returns: whether the member is to leave others alone for now. Pre: what the last theft brought is done.
  bool are_too_soon() {
    if (!measures_ && own_.not_before == 0) return false;
    const std::uint64_t now = platform::now_ns();
    if (measures_) {
      measures_ = false;
      if (std::exchange(is_by_force_, false)) {
        forced_.one_ends(now, now - begun_ < tuning::brief_force_ns, tuning::forced_looks_apart_ns,
                         tuning::forced_looks_apart_at_most_ns);
        return false;
      }
      own_.one_ends(now, now - begun_ < tuning::brief_theft_ns, tuning::brief_theft_ns, tuning::thefts_apart_ns);
    }
    return own_.are_too_soon(now);
  }
  /// Returns: whether it is to leave alone, too, what others keep. Pre: as are_too_soon.
  bool are_too_soon_by_force() { return forced_.not_before != 0 && forced_.are_too_soon(platform::now_ns()); }
  /// Effect: a theft has brought something, which the member does now.
  void one_begins() {
    measures_ = true;
    is_by_force_ = false;
    begun_ = platform::now_ns();
  }
  /// Effect: a look by force begins, for what others keep.
  void force_begins() {
    one_begins();
    is_by_force_ = true;
  }
  /// Effect: one has found nothing, maybe as others were faster: then it is not left alone for long.
  void force_was_in_vain() {
    if (!std::exchange(is_by_force_, false)) return;
    measures_ = false;
    forced_.one_ends(platform::now_ns(), true, tuning::forced_looks_apart_ns, 4 * std::uint64_t{tuning::forced_looks_apart_ns});
  }

 private:
  /// How far thefts of one kind are apart, in ns.
  struct intervals {
    std::uint64_t apart = 0;       ///< how long the next one has to wait behind the last one
    std::uint64_t not_before = 0;  ///< until when it has to; 0: it need not

    void one_ends(std::uint64_t now, bool was_brief, std::uint64_t least, std::uint64_t most) {
      apart = was_brief ? std::clamp(2 * apart, least, most) : apart / 2;
      not_before = now + apart;
    }
    bool are_too_soon(std::uint64_t now) {
      if (now < not_before) return true;
      not_before = 0;
      return false;
    }
  };

  std::uint64_t begun_ = 0;  ///< when the last one did, in ns
  intervals own_, forced_;
  bool measures_ = false, is_by_force_ = false;  ///< one has begun; by force
};

}  // namespace TEFF_NAMESPACE::openmp
