// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "mem/spec.h"
#include "test/support/workers.h"

#include <cstring>
#include <map>
#include <set>
#include <vector>

namespace TEFF_NAMESPACE::mem {

/// Sizes and amounts small enough that every rare path is common.
inline amounts small_amounts() {
  return {.block_bytes = {48, 80, 16}, .elements_per_block = 4, .elements_per_list = 16, .local_limit = 4};
}

inline std::size_t bytes_of(block_kind kind) { return small_amounts().block_bytes[static_cast<std::size_t>(kind)]; }

/// Blocks that are held, each full of a byte of its own: two that overlap, or that are too short, disturb each other.
class ledger {
 public:
  struct block {
    unsigned char* begin;
    block_kind kind;
    unsigned char content;
  };

  void add(void* memory, block_kind kind) {
    auto* begin = static_cast<unsigned char*>(memory);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(begin) % alignof(std::max_align_t), 0u);
    held_.push_back({begin, kind, ++last_content_});
    std::memset(begin, last_content_, bytes_of(kind));
    seen_[static_cast<std::size_t>(kind)].insert(begin);
  }

  /// Effect: looks whether the block is as it was, and forgets it.
  block remove(std::size_t index) {
    const block gone = held_[index];
    for (std::size_t i = 0; i < bytes_of(gone.kind); ++i) EXPECT_EQ(gone.begin[i], gone.content) << "byte " << i;
    held_[index] = held_.back();
    held_.pop_back();
    return gone;
  }

  std::size_t size() const { return held_.size(); }
  std::size_t bytes() const {
    std::size_t total = 0;
    for (const block& each : held_) total += bytes_of(each.kind);
    return total;
  }

  /// Whether no address was ever given for two kinds.
  bool kinds_are_apart() const {
    std::set<const void*> all;
    std::size_t total = 0;
    for (const auto& of_one : seen_) {
      all.insert(of_one.begin(), of_one.end());
      total += of_one.size();
    }
    return all.size() == total;
  }

 private:
  std::vector<block> held_;
  std::set<const void*> seen_[block_kind_count];
  unsigned char last_content_ = 0;
};

}  // namespace TEFF_NAMESPACE::mem
