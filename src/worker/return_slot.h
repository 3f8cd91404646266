// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fiber/fiber.h"
#include "platform/platform.h"

#include <cstdint>

namespace TEFF_NAMESPACE::workers {

/// Where a worker that looks for work is handed a fiber that waited on it.
///
/// Idea: one word: closed, open, or the fiber. The worker opens it when it begins to look and closes it before it does anything
///   else; so whoever hands a fiber in knows that this worker will see it, and who finds the slot closed keeps the fiber.
/// Exactly once: a fiber comes in by a compare-and-swap from `open`, and goes out by the exchange that closes the slot, which
///   only the worker does.
/// Threads: the worker; offer: any. Cost: to open: a store; to close, or to hand a fiber in: one read-modify-write.
class return_slot {
 public:
  // --- the worker ----------------------------------------------------------------------------------------------------------
  /// Effect: opens it, if it is closed.
  void open() {
    // relaxed: nobody else changes a closed one, and to open it hands nothing over.
    if (word_.load(platform::relaxed) == is_closed) word_.store(is_open, platform::relaxed);
  }
  /// Effect: closes it, if it is not closed. Returns: the fiber that came in; nullptr: none.
  fibers::fiber* close() {
    // relaxed: nobody else changes a closed one.
    if (word_.load(platform::relaxed) == is_closed) return nullptr;
    // [return] acquire: what was done before the fiber came in.
    const std::uintptr_t found = word_.exchange(is_closed, platform::acq_rel);
    return found == is_open ? nullptr : reinterpret_cast<fibers::fiber*>(found);
  }
  bool holds_one() const { return word_.load(platform::relaxed) > is_open; }

  // --- anybody -------------------------------------------------------------------------------------------------------------
  /// Effect: hands the fiber in. Returns: false if the slot is closed, or taken.
  bool offer(fibers::fiber& ready) {
    std::uintptr_t expected = is_open;
    // [return] release.
    return word_.load(platform::relaxed) == is_open &&
           word_.compare_exchange(expected, reinterpret_cast<std::uintptr_t>(&ready), platform::acq_rel);
  }

 private:
  static constexpr std::uintptr_t is_closed = 0, is_open = 1;

  platform::atomic<std::uintptr_t> word_{is_closed};
};

}  // namespace TEFF_NAMESPACE::workers
