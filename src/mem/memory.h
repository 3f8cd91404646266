// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What pools see of a memory manager.
#pragma once

#include "mem/catalogue.h"
#include "mem/manager.h"
#include "task/worker.h"

#include <cstdint>

namespace TEFF_NAMESPACE::mem {

/// The operations of one manager, as a table: a pool is compiled once, not once per manager.
struct operations {
  void* (*allocate)(void* self, worker& current, block_kind kind);
  void (*release)(void* self, worker& current, block_kind kind, void* block);
  std::uint64_t (*peak_bytes)(const void* self);
  void (*destroy)(void* self);
};

/// A memory manager by name. The standard one is inlined, all others are reached through their table.
/// Owns: the manager. Threads: as the manager (each call names its worker).
class memory {
 public:
  /// Takes over a manager that is none of the catalogue's (decorators).
  memory(void* self, const operations& table) : self_(self), table_(&table) {}
  explicit memory(manager<standard>* inlined) : inlined_(inlined), self_(inlined), table_(&table_of<standard>) {}
  template <spec Spec>
  explicit memory(manager<Spec>* self) : self_(self), table_(&table_of<Spec>) {}
  memory(memory&& other) noexcept : inlined_(other.inlined_), self_(other.self_), table_(other.table_) {
    other.self_ = nullptr;
  }
  memory& operator=(memory&&) = delete;
  ~memory() {
    if (self_ != nullptr) table_->destroy(self_);
  }

  /// Returns: a block of that kind, owned by the caller, or nullptr if the system refuses memory.
  void* allocate(worker& current, block_kind kind) {
    if (inlined_ != nullptr) [[likely]]
      return inlined_->allocate(current, kind);
    return table_->allocate(self_, current, kind);
  }

  /// Pre: `block` came from allocate of the same kind; any worker may give it back, once.
  void release(worker& current, block_kind kind, void* block) {
    if (inlined_ != nullptr) [[likely]]
      return inlined_->release(current, kind, block);
    table_->release(self_, current, kind, block);
  }

  /// Returns: the standard manager's own list of the worker (manager::list_of); nullptr if the manager is another one.
  counted_list* list_of(worker& current, block_kind kind) {
    return inlined_ != nullptr ? &inlined_->list_of(current, kind) : nullptr;
  }

  /// Most bytes held from the system at once, as the manager says it.
  std::uint64_t peak_bytes() const { return table_->peak_bytes(self_); }

 private:
  template <spec Spec>
  static constexpr operations table_of{
      [](void* self, worker& current, block_kind kind) { return static_cast<manager<Spec>*>(self)->allocate(current, kind); },
      [](void* self, worker& current, block_kind kind, void* block) {
        static_cast<manager<Spec>*>(self)->release(current, kind, block);
      },
      [](const void* self) { return static_cast<const manager<Spec>*>(self)->peak_bytes(); },
      [](void* self) { delete static_cast<manager<Spec>*>(self); },
  };

  manager<standard>* inlined_ = nullptr;
  void* self_;
  const operations* table_;
};

}  // namespace TEFF_NAMESPACE::mem
