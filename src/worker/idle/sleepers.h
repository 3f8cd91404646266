// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"

#include <cstdint>

namespace TEFF_NAMESPACE::workers {

/// Words on which threads sleep, and how many of them do: the part of the protocol that makes sure that no wake-up is lost
/// (README.md beside this file, *No wake-up is lost*). The workers of a team (`idle`) and the members of an OpenMP region share
/// it.
///
/// States of a word: awake → sleepy by its thread, and → asleep, if it uses `sleep`, before it calls the system, or →
/// asleep_elsewhere, if it waits at another word for the system (idle.cpp); each of these → notified, or a higher one of the
/// user's, by who wakes it; that → awake by its thread. The user may have further ones that
/// are not counted. Threads: announce, take_back, park and sleep: the word's; wake and any: anybody.
class sleepers {
 public:
  using word = platform::atomic<std::uint32_t>;
  enum : std::uint32_t { awake, sleepy, asleep, asleep_elsewhere, notified, users_first };
  /// Whether the thread of such a word waits to be woken.
  static bool sleeps(std::uint32_t seen) { return seen >= sleepy && seen <= asleep_elsewhere; }

  /// Effect: says that the thread will sleep unless its next look finds something; a fence passes before that look.
  void announce(word& own) {
    count_.fetch_add(1, platform::acq_rel);  // before the word, so that the count is never too small
    own.store(sleepy, platform::relaxed);    // ordered by the fence
    // [sleep] Either this fence comes before the one in `any`, and the waker sees the announcement; or after it, and the look
    // that follows sees what the waker made visible.
    platform::fence(platform::seq_cst);
  }

  /// Effect: the word is awake again, if nobody has changed it since announce. Returns: whether it was so.
  bool take_back(word& own) {
    std::uint32_t expected = sleepy;
    // acq_rel: who has changed it instead made something ready, which is visible.
    if (!own.compare_exchange(expected, awake, platform::acq_rel)) return false;
    count_.fetch_sub(1, platform::acq_rel);  // after the word, as in announce
    return true;
  }

  /// Effect: the thread sleeps as long as its word is sleepy. `what`: what it waits for, for reports.
  static void park(word& own, const char* what) {
    // [wake] acquire: pairs with the waker's release; what it made ready is visible.
    while (own.load(platform::acquire) == sleepy) platform::park(own, sleepy, what);
  }

  /// Effect: likewise, and until its word is another one; who wakes it is told that the system has to be called for that. A
  /// thread that still spins is spared, and spares its waker, that call.
  static void sleep(word& own, const char* what) {
    std::uint32_t expected = sleepy;
    // [wake] acquire, as in park. Nobody but a waker changes it from here on.
    if (!own.compare_exchange(expected, asleep, platform::acq_rel)) return;
    while (own.load(platform::acquire) == asleep) platform::park(own, asleep, what);  // [wake] acquire, as above
  }

  /// Whether some word may be sleepy. Pre: what the caller would wake somebody for is visible. Cost: a fence and a load.
  bool any() const {
    platform::fence(platform::seq_cst);          // [sleep]
    return count_.load(platform::relaxed) != 0;  // ordered by the fence
  }

  /// Effect: a word that sleeps says `why` from now on. Returns: what it was; awake if it did not sleep, and
  /// nothing was done. The caller wakes who sleeps on it: by the system, unless that thread uses `sleep` and the word was sleepy.
  /// Pre: a fence since what it is woken for became visible (`any`).
  std::uint32_t wake(word& other, std::uint32_t why = notified) {
    std::uint32_t seen = sleepy;
    // [wake] release, both. A word that was asleep still is, or another waker has had it since. Its thread may even sleep again
    // by now: then its second announcement came after that wake-up, and so after this caller's fence; its look sees what is new.
    if (!other.compare_exchange(seen, why, platform::acq_rel) &&
        (seen < asleep || seen > asleep_elsewhere || !other.compare_exchange(seen, why, platform::acq_rel)))
      return awake;
    count_.fetch_sub(1, platform::acq_rel);  // after the word
    return seen;
  }

  /// Effect: a word that was asleep is awake, as the caller's from now on: who sleeps on it is not woken. Returns: whether it
  /// was.
  bool take_over(word& other) {
    std::uint32_t expected = asleep;
    if (!other.compare_exchange(expected, awake, platform::acq_rel)) return false;  // acq_rel: as wake, and as who is woken
    count_.fetch_sub(1, platform::acq_rel);                                         // after the word, as in wake
    return true;
  }

  /// A hint, never too small: words that are sleepy.
  const platform::atomic<std::uint32_t>& count() const { return count_; }

 private:
  alignas(cache_line_bytes) platform::atomic<std::uint32_t> count_{0};  ///< in a line of its own: pools may look in every put
};

}  // namespace TEFF_NAMESPACE::workers
