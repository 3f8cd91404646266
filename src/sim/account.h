// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a run tells of its locks and of tasks that wait, and which lines have names: the part of the time account
/// (src/trace/README.md) that belongs to no worker. By virtual time only.
#pragma once

#include "base/lock_label.h"
#include "base/shared_resource.h"
#include "sim/model_memory.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::sim {

class account {
 public:
  /// Effect: forgets everything.
  void reset() { *this = {}; }
  /// Effect: what was counted is forgotten; names stay, and who holds a lock holds it since `clock`.
  void begin_again(std::uint64_t clock);

  /// Effect: a lock begins at that address. What was known of one that was there before stays.
  void made(const void* lock);
  void took(const void* lock, lock_label label, std::uint64_t clock);
  /// Effect: its holder is about to release it, and has.
  void freed(const void* lock, std::uint64_t clock);
  void left(const void* lock, std::uint64_t clock);
  /// Effect: somebody begins to wait for it, and has it.
  void comes_in_line(const void* lock, lock_label label);
  void leaves_line(const void* lock);
  void waited(const void* lock, lock_label label, std::uint64_t cycles);
  void name_line(const void* word, const char* name, unsigned number);
  /// Effect: lines of a block that the runtime has from the system are called by its size, those with names of their own apart.
  void name_block(const void* block, std::size_t bytes) { blocks_[reinterpret_cast<std::uintptr_t>(block)] = bytes; }
  /// Returns: the name of the line that begins at that multiple of a line; empty if it has none.
  std::string name_of_line(std::uintptr_t key) const;

  /// Effect: so many tasks more wait to be begun, or fewer.
  void tasks_wait(std::int64_t more, std::uint64_t clock);
  /// Returns: for how long of the time up to `clock` some task has waited. Never falls.
  std::uint64_t time_with_waiting(std::uint64_t clock);
  bool some_wait() const { return waiting_ > 0; }

  /// In cycles.
  std::vector<shared_resource> locks(std::uint64_t clock) const;

 private:
  /// A lock is busy from when it is taken until its release is done and, if somebody waits for it then, until that one has it: no
  /// worker could have used it meanwhile.
  struct one_lock {
    lock_label label;
    enum class state : std::uint8_t { free, held, handed_on } now = state::free;
    std::uint64_t since = 0, busy = 0, uses = 0, waited = 0;
    std::uint32_t in_line = 0;
    void goes_on(std::uint64_t clock);
  };
  /// Locks of one label: the busiest, and how many there are.
  struct several_locks {
    one_lock busiest;
    unsigned count = 0;
    void add(const one_lock& each);
  };

  template <class Key, class Value>
  using memory_of = model_memory<std::pair<const Key, Value>>;

  std::unordered_map<const void*, one_lock, std::hash<const void*>, std::equal_to<>, memory_of<const void*, one_lock>> locks_;
  using locks_by_label = std::map<std::uint16_t, several_locks, std::less<>, memory_of<std::uint16_t, several_locks>>;
  locks_by_label gone_;  ///< by label
  std::unordered_map<std::uintptr_t, std::string> line_names_;
  std::map<std::uintptr_t, std::size_t, std::less<>, memory_of<std::uintptr_t, std::size_t>>
      blocks_;  ///< address and bytes; of those that were given back, too
  std::int64_t waiting_ = 0;
  std::uint64_t waited_until_ = 0, with_waiting_ = 0;
};

}  // namespace TEFF_NAMESPACE::sim
