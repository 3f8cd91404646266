// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "mem/accounts.h"
#include "mem/chunk_source.h"
#include "mem/free_list.h"
#include "mem/spec.h"
#include "mem/stock_hint.h"
#include "task/worker.h"

#include <cstdint>
#include <memory>

namespace TEFF_NAMESPACE::mem {

/// A memory manager composed from a row of Table 1.
///
/// Source: Korch & Rauber 2002, §4.4, §6.2, Table 1. Differs: the paper gives no amounts and no rule for what a worker's list
///   hands to the central one; here a list past `local_limit` hands over half, and an empty one takes as many back. In `clf` a
///   hint (stock_hint.h) says that a central list is empty.
/// Idea: blocks of one kind wait in a free list: one for all workers under a lock, one per worker, or one per worker and a
///   central one for balance. When no list has a block, a fresh one comes from the system, alone or from a chunk of many.
/// Invariants: a free block is in one list; a worker's lists are touched by that worker alone, central ones under their lock.
/// Cost: hit in the worker's own list: a few loads and stores; central list: one lock, in `clf` a load if it is empty; with
/// items, the same again for the item. Space: the most blocks that were live at once, a further chunk per list, and an item (16
/// bytes) a block where items link them.
///   Lists of the workers' own grow without bound if one allocates what another releases, unless all kinds have central ones.
/// Threads: each call names the calling worker. Good for: blocks of one size that come and go. Bad for: memory that others need.
template <spec Spec>
class manager {
 public:
  manager(unsigned workers, const amounts& sizes)
      : sizes_(sizes), workers_(workers), homes_(Spec.distributed() ? new home[workers] : nullptr) {
    for (platform::lock& each : locks_) each.name(lock_label::of(guarded::free_list));
    if constexpr (Spec.distributed() && Spec.central()) {
      for (unsigned id = 0; id < workers; ++id) {
        for (auto& list : homes_[id].lists) list.limit_to(sizes.local_limit);
      }
    }
    if constexpr (Spec.allocates == allocation::whole_lists) prepare();
  }

  ~manager() {
    if constexpr (Spec.allocates == allocation::elements && Spec.lists != free_lists::none) {
      for (unsigned id = 0; id < (Spec.distributed() ? workers_ : 0); ++id) release_elements(homes_[id]);
      release_elements(central_);
    }
  }

  /// Returns: the worker's own list, for code that has allocate and release in line and counts its visits.
  auto& list_of(worker& current, block_kind kind) { return home_of(current).lists[at(kind)]; }

  /// Returns: a block of that kind, owned by the caller; nullptr if the system refuses memory.
  void* allocate(worker& current, block_kind kind) {
    if constexpr (Spec.distributed()) {
      current.count(trace::counter::list_visits);
      if (link* found = home_of(current).lists[at(kind)].pop()) [[likely]]
        return block_behind(current, kind, found);
    }
    return allocate_slow(current, kind);
  }

  /// Pre: `block` came from allocate of the same kind; any worker may give it back, once.
  void release(worker& current, block_kind kind, void* block) {
    if constexpr (Spec.lists == free_lists::none) {
      release_element(current, kind, block);
    } else if constexpr (Spec.linked_by == links::inside) {
      insert(current, kind, static_cast<link*>(block));
    } else {
      if (kind == block_kind::item) return insert(current, kind, static_cast<link*>(block));
      auto* linking = static_cast<item*>(allocate(current, block_kind::item));
      // Without an item the block cannot be listed: an element goes back to the system, a part of a chunk rests until its end.
      if (linking == nullptr) {
        if constexpr (Spec.allocates == allocation::elements) release_element(current, kind, block);
        return;
      }
      linking->link_to(block);
      insert(current, kind, linking);
    }
  }

  /// Most bytes held from the system at once. Sampled for `bs` with several workers, else exact as long as no memory is refused.
  std::uint64_t peak_bytes() const { return Spec.lists == free_lists::none ? accounts_.sampled_peak() : accounts_.held(); }

 private:
  struct alignas(cache_line_bytes) home {
    list_of_free<Spec.central()> lists[block_kind_count];
    chunk_source chunks[block_kind_count];
  };

  /// Allocates the whole lists at initialisation. Whoever finds a list missing, because memory was refused, asks again.
  void prepare() {
    constexpr bool lists_all = Spec.handling == block_handling::after_allocation;
    for (unsigned id = 0; id < (Spec.distributed() ? workers_ : 1); ++id) {
      home& owner = Spec.distributed() ? homes_[id] : central_;
      for (std::size_t kind = 0; kind < block_kind_count; ++kind) {
        // Tasks and arguments that are listed need an item each.
        const std::size_t lists = lists_all && kind == at(block_kind::item) ? 2 : 1;
        accounts_.add(id, owner.chunks[kind].refill(sizes_.block_bytes[kind], lists * sizes_.elements_per_list));
      }
      if constexpr (lists_all) list_all(owner);
    }
  }

  /// Lists all tasks and arguments of the arrays. One without an item, because memory was refused, rests until the end.
  void list_all(home& owner) {
    static_assert(Spec.linked_by == links::items, "the only such manager of Table 1, dbko, links by items");
    for (const block_kind kind : {block_kind::task, block_kind::argument}) {
      while (void* block = owner.chunks[at(kind)].take()) {
        auto* linking = static_cast<item*>(owner.chunks[at(block_kind::item)].take());
        if (linking == nullptr) break;
        linking->link_to(block);
        owner.lists[at(kind)].push(linking);
      }
    }
  }

  static constexpr std::size_t at(block_kind kind) { return static_cast<std::size_t>(kind); }

  home& home_of(worker& current) { return Spec.distributed() ? homes_[current.id] : central_; }

  /// Whether free blocks of this kind are balanced through, or kept in, a central list.
  static constexpr bool listed_centrally(block_kind kind) {
    if constexpr (Spec.lists == free_lists::central) return true;
    return Spec.central() && (kind != block_kind::item || Spec.linked_by == links::items_with_central_list);
  }

  void* block_behind(worker& current, block_kind kind, link* found) {
    if (Spec.linked_by == links::inside || kind == block_kind::item) return found;
    void* block = static_cast<item*>(found)->linked();
    release(current, block_kind::item, found);
    return block;
  }

  void insert(worker& current, block_kind kind, link* freed) {
    if constexpr (Spec.distributed()) {
      auto& own = home_of(current).lists[at(kind)];
      if (!listed_centrally(kind)) return own.push(freed);
      if constexpr (Spec.central()) {
        if (!own.push_if_room(freed)) [[unlikely]]
          hand_over(current, kind, own, freed);
      }
    } else {
      current.count(trace::counter::central_locks);
      platform::lock_guard guard(locks_[at(kind)]);
      central_.lists[at(kind)].push(freed);
    }
  }

  /// Out of line: what a release passes that only pushes holds no lock.
  [[gnu::noinline]] void hand_over(worker& current, block_kind kind, auto& own, link* freed) {
    own.push(freed);
    current.count(trace::counter::central_locks);
    platform::lock_guard guard(locks_[at(kind)]);
    move_some(own, central_.lists[at(kind)], sizes_.local_limit / 2);
    if (Spec.hints()) stocked_[at(kind)].tell(!central_.lists[at(kind)].is_empty());
  }

  /// No block in the worker's own list: the rest of the chunk, the central list, or the system, in the order of the spec.
  [[gnu::noinline]] void* allocate_slow(worker& current, block_kind kind) {
    if constexpr (Spec.distributed() && Spec.handling == block_handling::when_needed_before_central) {
      if (void* rest = home_of(current).chunks[at(kind)].take()) return rest;
    }
    if (listed_centrally(kind)) {
      if (link* found = take_from_central(current, kind)) return block_behind(current, kind, found);
    }
    if constexpr (Spec.allocates == allocation::elements) {
      return fresh_element(current, kind);
    } else if constexpr (Spec.lists == free_lists::central) {
      current.count(trace::counter::central_locks);
      platform::lock_guard guard(locks_[at(kind)]);
      return fresh_from_chunk(current, kind);
    } else {
      return fresh_from_chunk(current, kind);
    }
  }

  link* take_from_central(worker& current, block_kind kind) {
    if (Spec.hints() && stocked_[at(kind)].says_empty()) return nullptr;
    current.count(trace::counter::central_locks);
    current.count(trace::counter::list_visits);
    platform::lock_guard guard(locks_[at(kind)]);
    auto& central = central_.lists[at(kind)];
    link* found = central.pop();
    if constexpr (Spec.distributed()) move_some(central, home_of(current).lists[at(kind)], sizes_.local_limit / 2);
    if (Spec.hints()) stocked_[at(kind)].tell(!central_.lists[at(kind)].is_empty());
    return found;
  }

  /// Pre: the caller owns the chunks, or holds their lock.
  void* fresh_from_chunk(worker& current, block_kind kind) {
    chunk_source& chunks = home_of(current).chunks[at(kind)];
    void* first = chunks.take();
    if (first == nullptr) {
      const std::size_t elements = Spec.allocates == allocation::blocks ? sizes_.elements_per_block : sizes_.elements_per_list;
      const std::size_t bytes = chunks.refill(sizes_.block_bytes[at(kind)], elements);
      if (bytes == 0) return nullptr;
      account_for(current, bytes);
      first = chunks.take();
    }
    if constexpr (Spec.handling == block_handling::after_allocation) {
      while (void* further = chunks.take()) release(current, kind, further);
    }
    return first;
  }

  void* fresh_element(worker& current, block_kind kind) {
    const std::size_t bytes = sizes_.block_bytes[at(kind)];
    void* block = platform::system_allocate(bytes);
    if (block == nullptr) return nullptr;
    account_for(current, bytes);
    if constexpr (Spec.lists == free_lists::none) accounts_.sample(current.id);
    return block;
  }

  void account_for(worker& current, std::size_t bytes) {
    current.count(trace::counter::system_allocations);
    current.count(trace::counter::system_bytes, bytes);
    accounts_.add(current.id, bytes);
  }

  void release_element(worker& current, block_kind kind, void* block) {
    const std::size_t bytes = sizes_.block_bytes[at(kind)];
    accounts_.subtract(current.id, bytes);
    platform::system_release(block, bytes);
  }

  /// Pre: no worker uses the manager, and everything was given back. Frees what single allocations left in the lists.
  void release_elements(home& emptied) {
    for (std::size_t kind = 0; kind < block_kind_count; ++kind) {
      const bool by_item = Spec.linked_by != links::inside && kind != at(block_kind::item);
      while (link* found = emptied.lists[kind].pop()) {
        if (by_item) platform::system_release(static_cast<item*>(found)->linked(), sizes_.block_bytes[kind]);
        platform::system_release(found, sizes_.block_bytes[by_item ? at(block_kind::item) : kind]);
      }
    }
  }

  const amounts sizes_;
  const unsigned workers_;
  std::unique_ptr<home[]> homes_;
  accounts accounts_{workers_};
  home central_;
  platform::lock locks_[block_kind_count];
  stock_hint stocked_[Spec.hints() ? block_kind_count : 1];  ///< of the central lists
};

}  // namespace TEFF_NAMESPACE::mem
