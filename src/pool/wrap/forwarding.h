// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/pool.h"

#include <cstddef>
#include <cstdint>

namespace teff::inline TEFF_PLATFORM::pool::wrap {

/// A pool that passes every operation on to another one: what the decorators inherit, and hide in part.
template <task_pool Inner>
class forwarding {
 public:
  static constexpr const auto& uses = Inner::uses;

  explicit forwarding(const environment& from) : inner_(from) {}
  /// What the pool inside needs beyond its environment follows it.
  template <class... More>
  explicit forwarding(const environment& from, More&... more) : inner_(from, more...) {}

  static std::size_t task_block_bytes(const settings& set) { return Inner::task_block_bytes(set); }

  advice init(worker& first, task ready) { return inner_.init(first, ready); }
  advice put(worker& current, task ready) { return inner_.put(current, ready); }
  advice inject(task ready) { return inner_.inject(ready); }
  get_result get(worker& current, task& next) { return inner_.get(current, next); }
  bool take_back(worker& current, task wanted) { return inner_.take_back(current, wanted); }
  template <class Predicate>
  bool get_if(worker& current, Predicate wanted, task& taken) {
    return inner_.get_if(current, wanted, taken);
  }
  void close(worker& last) {
    if constexpr (requires { inner_.close(last); }) inner_.close(last);
  }

  std::uint64_t peak_live_tasks() const { return inner_.peak_live_tasks(); }
  std::uint64_t lock_waits() const { return inner_.lock_waits(); }
  void reset_statistics() { inner_.reset_statistics(); }

  Inner& inner() { return inner_; }

 protected:
  Inner inner_;
};

inline bool brought_a_task(get_result found) { return found == get_result::got || found == get_result::got_and_wake_one; }

}  // namespace teff::inline TEFF_PLATFORM::pool::wrap
