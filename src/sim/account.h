// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a run tells of its locks and of tasks that wait, and which lines have names: the part of the time account
/// (src/trace/README.md) that belongs to no worker. By virtual time only.
#pragma once

#include "base/lock_label.h"
#include "base/shared_resource.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace TEFF_NAMESPACE::sim {

class account {
 public:
  /// Effect: forgets everything.
  void reset() { *this = {}; }
  /// Effect: what was counted is forgotten; names stay, and who holds a lock holds it since `clock`.
  void begin_again(std::uint64_t clock);

  void took(const void* lock, lock_label label, std::uint64_t clock);
  void freed(const void* lock, std::uint64_t clock);
  void waited(const void* lock, lock_label label, std::uint64_t cycles);
  void name_line(const void* word, const char* name, unsigned number);
  /// Returns: the name of the line that begins at that multiple of a line; nullptr if it has none.
  const std::string* name_of_line(std::uintptr_t key) const;

  /// Effect: so many tasks more wait to be begun, or fewer.
  void tasks_wait(std::int64_t more, std::uint64_t clock);
  /// Returns: for how long of the time up to `clock` some task has waited. Never falls.
  std::uint64_t time_with_waiting(std::uint64_t clock);
  bool some_wait() const { return waiting_ > 0; }

  /// In cycles.
  std::vector<shared_resource> locks(std::uint64_t clock) const;

 private:
  struct one_lock {
    lock_label label;
    bool is_held = false;
    std::uint64_t since = 0, held = 0, uses = 0, waited = 0;
  };

  std::unordered_map<const void*, one_lock> locks_;
  std::unordered_map<std::uintptr_t, std::string> line_names_;
  std::int64_t waiting_ = 0;
  std::uint64_t waited_until_ = 0, with_waiting_ = 0;
};

}  // namespace TEFF_NAMESPACE::sim
