// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mem/memory.h"
#include "platform/thread_safety.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace TEFF_NAMESPACE::mem::wrap {

/// The blocks of one manager: which are out, and what was done wrong. Owned by the test; outlives the manager. Threads: any.
class block_book {
 public:
  struct numbers {
    std::uint64_t allocated = 0, refused = 0, released = 0;
    std::uint64_t leaked = 0;         ///< blocks that were still out when the manager was destroyed
    std::uint64_t double_frees = 0;   ///< of blocks that were given back already
    std::uint64_t foreign_frees = 0;  ///< of addresses that the manager never gave
    std::uint64_t wrong_kinds = 0;    ///< releases as another kind than was allocated
    std::uint64_t given_twice = 0;    ///< blocks that the manager gave although they were out
  };

  numbers now() const {
    platform::lock_guard guard(lock_);
    return numbers_;
  }
  std::uint64_t blocks_out() const {
    platform::lock_guard guard(lock_);
    return out_.size();
  }

  /// Returns: an empty text if nothing was wrong, else a sentence.
  std::string problem() const {
    const numbers seen = now();
    std::string text;
    const auto add = [&](std::uint64_t count, const char* what) {
      if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + what;
    };
    add(seen.leaked, " blocks were not given back");
    add(seen.double_frees, " blocks were given back twice");
    add(seen.foreign_frees, " blocks were given back that the manager never gave");
    add(seen.wrong_kinds, " blocks were given back as another kind");
    add(seen.given_twice, " blocks were given to two owners at once");
    return text;
  }

 private:
  friend class counting_manager;

  void note_allocation(const void* block, block_kind kind) {
    platform::lock_guard guard(lock_);
    if (block == nullptr) {
      ++numbers_.refused;
      return;
    }
    ++numbers_.allocated;
    gone_.erase(block);
    if (!out_.emplace(block, kind).second) ++numbers_.given_twice;
  }

  /// Effect: strikes the block out. Returns: false if it must not go back to the manager. Post: `kind` is what it was allocated
  /// as.
  bool note_release(const void* block, block_kind& kind) {
    platform::lock_guard guard(lock_);
    const auto found = out_.find(block);
    if (found == out_.end()) {
      ++(gone_.contains(block) ? numbers_.double_frees : numbers_.foreign_frees);
      return false;
    }
    ++numbers_.released;
    if (found->second != kind) ++numbers_.wrong_kinds;
    kind = found->second;
    out_.erase(found);
    gone_.insert(block);
    return true;
  }

  void note_end() {
    platform::lock_guard guard(lock_);
    numbers_.leaked += out_.size();
    out_.clear();
    gone_.clear();
  }

  mutable platform::lock lock_;
  std::unordered_map<const void*, block_kind> out_ TEFF_GUARDED_BY(lock_);
  std::unordered_set<const void*> gone_ TEFF_GUARDED_BY(lock_);
  numbers numbers_ TEFF_GUARDED_BY(lock_);
};

/// Writes every block of the manager below into a book; a block that was not out, or is out as another kind, does it no harm.
///
/// Cost: one lock for all workers per operation.
class counting_manager {
 public:
  counting_manager(memory&& inner, block_book& book) : inner_(std::move(inner)), book_(book) {}
  counting_manager(const counting_manager&) = delete;
  counting_manager& operator=(const counting_manager&) = delete;
  ~counting_manager() { book_.note_end(); }

  void* allocate(worker& current, block_kind kind) {
    void* const block = inner_.allocate(current, kind);
    book_.note_allocation(block, kind);
    return block;
  }
  /// The book comes first: afterwards the block may be another worker's.
  void release(worker& current, block_kind kind, void* block) {
    if (book_.note_release(block, kind)) inner_.release(current, kind, block);
  }
  std::uint64_t peak_bytes() const { return inner_.peak_bytes(); }

 private:
  memory inner_;
  block_book& book_;
};

/// Returns: `inner` with a book around it.
inline memory counted(memory&& inner, block_book& book) {
  static constexpr operations table{
      [](void* self, worker& current, block_kind kind) { return static_cast<counting_manager*>(self)->allocate(current, kind); },
      [](void* self, worker& current, block_kind kind, void* block) {
        static_cast<counting_manager*>(self)->release(current, kind, block);
      },
      [](const void* self) { return static_cast<const counting_manager*>(self)->peak_bytes(); },
      [](void* self) { delete static_cast<counting_manager*>(self); },
  };
  return memory(new counting_manager(std::move(inner), book), table);
}

}  // namespace TEFF_NAMESPACE::mem::wrap
