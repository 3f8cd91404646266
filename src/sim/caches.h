// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The program's memory: blocks, the caches that hold them, and the memory in which they are at home. Only on machines that state
/// how large their caches are.
///
/// Idea: memory that a program declares is looked at in blocks of eight lines. A processor has a cache of its own, and the
/// processors of a domain may share one; each holds so many blocks, in sets of sixteen, of which the one that was used longest
/// ago makes room. What no cache holds comes from the memory in which the block is at home: that of the processor which touched
/// it first. A write leaves the writer's own cache and its domain's as the only holders.
/// Invariants: a block has a holder in its sets exactly if that cache has the block. Numbers of blocks follow the order of first
/// touch, never addresses; everything is forgotten between runs.
/// Cost: a look-up in a hash table for each block, and a look through sixteen numbers for each cache that it enters or leaves.
/// Considered: exact age over a whole cache: a list and a table for each, where real caches have sets, too. Single lines: arrays
/// of 100 MB have 1.6 million.
#pragma once

#include "sim/holder_sets.h"
#include "sim/line_origins.h"
#include "sim/lines.h"
#include "sim/machine_description.h"
#include "sim/model_memory.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::sim {

inline constexpr std::size_t bytes_of_block = 512;
using block_number = std::uint32_t;
inline constexpr block_number no_block = ~block_number{0};

/// One cache: which blocks it has, in sets.
class block_cache {
 public:
  static constexpr unsigned ways = 16;

  block_cache() = default;
  explicit block_cache(std::size_t bytes);

  /// Effect: the block is the last one that was used of its set. Pre: the cache has it.
  void use(block_number block);
  /// Effect: the cache has the block. Returns: the one that made room for it, or no_block. Pre: it has it not.
  block_number insert(block_number block);
  /// Effect: the cache has it no more. Pre: it has it.
  void remove(block_number block);

 private:
  block_number* set_of(block_number block);

  unsigned sets_ = 0, ways_ = 0;
  std::vector<block_number> blocks_;  ///< by set, the one that was used last in front; behind those that there are, no_block
};

class caches {
 public:
  /// Effect: forgets all blocks. `places`: processors of the machine that take part.
  void reset(const machine_description& machine, unsigned places);

  /// Returns: the number of the block in which that byte lies, given at the first touch.
  block_number touch(const void* byte);
  /// Effect: blocks of this memory are forgotten: what gets its address next begins anew.
  void forget(const void* memory, std::size_t bytes);

  /// Effect: an access, if the processor's own cache is all that it needs. Returns: whether it is.
  bool hit(block_number number, bool writes, const place& by);
  /// Effect: an access of so many lines of the block, one behind the other, that begins at `clock`; adds to `from` where they
  /// came from. Returns: when it is done.
  std::uint64_t serve(block_number number, bool writes, unsigned lines, const place& by, std::uint64_t clock, line_origins& from);

 private:
  struct block {
    holder_set own, domains;  ///< processors, and domains by their first processors, whose caches have it
    std::uint16_t home = nobody;
    bool modified = false;  ///< memory is out of date
  };

  block_cache& own_cache(unsigned place) { return own_[place]; }
  block_cache& domain_cache(unsigned first) { return shared_[first / domain_width_]; }
  /// The first processor of its domain.
  unsigned domain_of(const place& of) const { return of.number / domain_width_ * domain_width_; }
  bool shares() const { return machine_.domain_cache_kib != 0; }

  static constexpr std::size_t numbers_together = 64;
  using number_group = std::array<block_number, numbers_together>;

  number_group* group_of(std::uintptr_t key);
  const machine_level& level_of_nearest(const block& of, const place& to) const;
  const machine_level& level_of_farthest(const block& of, const place& to) const;
  const machine_level& level_of_home(const block& of, const place& to) const;
  bool is_taken_from_others(const block& of, const place& by) const;
  /// Returns: what a number of lines takes of which the first one takes `first`.
  std::uint64_t time_of(unsigned lines, unsigned first, bool in_domain) const;
  std::uint64_t fetch(block_number number, unsigned lines, const place& by, std::uint64_t clock, line_origins& from);
  std::uint64_t fetch_from_memory(const block& of, unsigned lines, const place& by, std::uint64_t clock, line_origins& from);
  void take_from_others(block_number number, const place& by);
  void keep(block_number number, const place& by);
  void written_back_if_nowhere(block& of);

  machine_description machine_;
  unsigned domain_width_ = 1, memory_width_ = 1;
  unsigned domain_level_ = 0;              ///< from which on two places are in one domain
  std::vector<block_cache> own_, shared_;  ///< by processor, and by domain
  std::vector<std::uint64_t> memory_busy_until_;
  std::vector<block, model_memory<block>> blocks_;
  holder_set::overflow overflow_;
  /// Numbers by address / bytes_of_block, so many together: a touch goes from block to block.
  std::unordered_map<std::uintptr_t, number_group, std::hash<std::uintptr_t>, std::equal_to<>,
                     model_memory<std::pair<const std::uintptr_t, number_group>>>
      groups_;
  number_group* last_group_ = nullptr;
  std::uintptr_t last_key_ = 0;  ///< of last_group_
};

}  // namespace TEFF_NAMESPACE::sim
