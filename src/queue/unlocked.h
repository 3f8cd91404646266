// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "queue/storage.h"

#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::queue {

/// A list or array queue that one worker alone uses.
///
/// Invariants: touched by its owner only, or by the one thread that calls init. Cost: no atomic operation. Order: the storage's.
template <class Storage>
class alignas(cache_line_bytes) unlocked {
 public:
  static constexpr auto uses = Storage::uses;
  static constexpr std::size_t block_bytes() { return Storage::block_bytes(); }

  explicit unlocked(const options& from) : storage_(from) {}

  /// Returns: false if memory is refused; nothing changed.
  bool push(worker& current, task added) {
    auto prepared = storage_.prepare(current, added);
    if (!prepared || !storage_.insert(prepared)) return false;
    if (++length_ > peak_.value()) peak_.set(length_);
    return true;
  }

  bool pop(worker& current, task& taken) { return finish(current, storage_.template remove<end::working>(), taken); }

  template <class Predicate>
  bool take_if(worker& current, Predicate wanted, task& taken) {
    return finish(current, storage_.remove_if(wanted), taken);
  }

  std::uint64_t peak() const { return peak_.value(); }
  void reset_statistics() { peak_.set(length_); }
  std::size_t array_bytes() const { return storage_.array_bytes(); }
  std::uint64_t overflows() const { return storage_.overflows(); }

 private:
  bool finish(worker& current, const typename Storage::ticket& removed, task& taken) {
    if (!removed) return false;
    storage_.consume(current, removed, taken);
    --length_;
    return true;
  }

  Storage storage_;
  std::uint64_t length_ = 0;
  platform::statistic peak_;
};

}  // namespace TEFF_NAMESPACE::queue
