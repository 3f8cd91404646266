// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/tuning.h"
#include "queue/note.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

namespace TEFF_NAMESPACE::pool::parts {

/// What a worker has put with others, the newest last, and where each lies; and how far its looks in passing go.
///
/// For tasks that cannot be set aside while they wait. Idea: a worker runs, on top of a task that waits, nothing but descendants of
///   that one. So of what it has put the waiting task's children are the newest, and are found without a look at what others have
///   put into the same queues. Looks in passing go through a few of the newest, here and in each queue, and through twice as many
///   after each one in vain: so what lies deeper is found, too, before somebody looks at all.
/// Invariants: an entry stays where it is while its note is full. Its worker alone adds entries, and removes empty ones, at either
///   end. What is put while the oldest and the newest that are left are `tuning::notes_at_most` apart has none, as if somebody else
///   had put it.
/// Cost: O(1) for each put, as each entry is removed once. Space: 16 bytes for each of `tuning::notes_at_most`.
class noted_puts {
 public:
  /// `any`: else nothing is noted. Errors: std::bad_alloc.
  explicit noted_puts(bool any) : room_(any ? tuning::notes_at_most : 0U), entries_(room_ != 0 ? allocate(room_) : nullptr) {}

  /// Returns: a note for a task that is about to be put into that queue; nullptr if there is no room.
  queue::note* add(unsigned into) {
    while (first_ != end_ && at(first_).where.is_empty()) ++first_;
    drop_newest_empty();
    if (end_ - first_ == room_) return nullptr;
    return &(::new (&at(end_++)) entry{.where = {}, .into = into})->where;
  }

  /// Effect: calls look(queue, note) for the newest ones until it returns true. Returns: whether it did.
  template <class Look>
  bool find(Look look) {
    drop_newest_empty();
    const std::uint32_t most = tuning::notes_per_look << in_vain_;
    for (std::uint32_t each = end_; each != first_ && end_ - each < most;) {
      const entry& next = at(--each);
      if (next.where.is_empty() || !look(next.into, next.where)) continue;
      in_vain_ = 0;
      return true;
    }
    return false;
  }

  /// How many of the newest tasks of each queue a look in passing goes through.
  std::size_t newest() const { return tuning::newest_per_look << in_vain_; }
  /// Effect: the next look goes further.
  void looked_in_vain() { in_vain_ = std::min(in_vain_ + 1, doublings); }

 private:
  struct alignas(16) entry {
    queue::note where;
    unsigned into;
  };

  static_assert(std::has_single_bit(tuning::notes_at_most.standard) && std::has_single_bit(tuning::notes_at_most.tested));
  static constexpr std::uint32_t doublings = 12;  ///< then a look goes through some ten thousand tasks

  /// In lines of their own, and not written before they are used.
  static entry* allocate(std::size_t count) {
    return static_cast<entry*>(::operator new(count * sizeof(entry), std::align_val_t{cache_line_bytes}));
  }
  struct frees {
    void operator()(entry* allocated) const { ::operator delete(allocated, std::align_val_t{cache_line_bytes}); }
  };

  entry& at(std::uint32_t number) { return entries_.get()[number % room_]; }
  void drop_newest_empty() {
    while (end_ != first_ && at(end_ - 1).where.is_empty()) --end_;
  }

  const std::uint32_t room_;  ///< a power of two: numbers of entries may run over
  const std::unique_ptr<entry, frees> entries_;
  std::uint32_t first_ = 0, end_ = 0;
  std::uint32_t in_vain_ = 0;  ///< looks that found nothing since one found something here
};

}  // namespace TEFF_NAMESPACE::pool::parts
