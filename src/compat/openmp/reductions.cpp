// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/reductions.h"

#include "compat/openmp/groups.h"
#include "compat/openmp/pin.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace TEFF_NAMESPACE::openmp {

namespace {

using words_of = reduction_words;

void* pointer(std::uintptr_t word) { return reinterpret_cast<void*>(word); }
std::uintptr_t word(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// Where a variable was found: its copy of the member's, and itself.
struct copy_found {
  std::uintptr_t copy = 0, original = 0;
};

/// Returns: the number of the variable of whose copy this is a byte. gcc lays the copies out one behind the other.
std::uintptr_t variable_at(const std::uintptr_t* words, std::uintptr_t offset) {
  std::uintptr_t found = 0, begin = 0;
  for (std::uintptr_t each = 0; each < words[words_of::count]; ++each) {
    const std::uintptr_t its_begin = words[words_of::variable(each) + 1];
    if (its_begin > offset || its_begin < begin) continue;
    begin = its_begin;
    found = each;
  }
  return found;
}

/// Returns: whether the address is that of one of these variables, or lies in somebody's copies. `next`: the variable that is
/// looked at first: as programs name them in one order, mostly it is that.
bool find_in(const std::uintptr_t* words, std::uintptr_t address, unsigned member, std::uintptr_t& next, copy_found& found) {
  const std::uintptr_t first = words[words_of::copies], stride = words[words_of::stride], count = words[words_of::count];
  const std::uintptr_t own = first + stride * member;
  if (address >= first && address < words[words_of::end]) {
    const std::uintptr_t offset = (address - first) % stride;
    const std::uintptr_t* const variable = words + words_of::variable(variable_at(words, offset));
    found = {own + offset, variable[0] + (offset - variable[1])};
    return true;
  }
  for (std::uintptr_t looked = 0; looked < count; ++looked, ++next) {
    if (next >= count) next = 0;
    const std::uintptr_t* const variable = words + words_of::variable(next);
    if (variable[0] != address) continue;
    ++next;
    found = {own + variable[1], address};
    return true;
  }
  return false;
}

/// Returns: the nearest taskgroup from this node outwards that has reductions; nullptr if there is none.
/// Cost: a step for each node up to the first task that takes part in one.
const group_block* reducing_group(const node* at) {
  for (; at != nullptr; at = at->parent()) {
    if (at->has_around()) return static_cast<const task_block*>(at)->around;
    // Written before the group had a child.
    if (at->is_group() && static_cast<const group_block*>(at)->reductions != nullptr) return static_cast<const group_block*>(at);
  }
  return nullptr;
}

copy_found find_copy(const member& current, const group_block* at, std::uintptr_t address, std::uintptr_t& next) {
  copy_found found;
  for (; at != nullptr; at = reducing_group(at->parent())) {
    const std::uintptr_t* words = at->reductions;
    for (; words != nullptr; words = static_cast<const std::uintptr_t*>(pointer(words[words_of::others]))) {
      if (find_in(words, address, current.id, next, found)) return found;
    }
  }
  refuse("a task takes part in the reduction of a variable at %#zx, of which no taskgroup around it is a reduction",
         static_cast<std::size_t>(address));
}

[[noreturn]] void fail_for(std::size_t bytes) { fail("no memory for the copies of a reduction, of %zu bytes", bytes); }

}  // namespace

/// Small copies are blocks as those of tasks, in lines of their own.
void make_copies(member& current, std::uintptr_t* words, unsigned members) {
  const std::size_t bytes = words[words_of::stride] * members, alignment = words[words_of::alignment];
  const bool is_small = bytes <= block_sizes::sizes[block_sizes::classes - 1] && alignment <= block_sizes::sizes[0];
  const std::uint8_t size_class = is_small ? block_sizes::class_of(bytes) : std::uint8_t{block_sizes::from_system};
  void* const memory = is_small ? current.memory.take(size_class, bytes) : platform::system_allocate(bytes, alignment);
  if (memory == nullptr) fail_for(bytes);
  std::memset(memory, 0, bytes);
  words[words_of::copies] = word(memory);
  words[words_of::end] = word(memory) + bytes;
  words[words_of::source] = size_class;
  words[words_of::others] = 0;
}

void begin_reductions(member& current, std::uintptr_t* words) {
  if (!current.running->is_group()) refuse("the reduction of a taskgroup is said outside of it");
  auto& group = static_cast<group_block&>(*current.running);
  make_copies(current, words, current.in.size);
  words[words_of::others] = word(group.reductions);
  group.reductions = words;
}

void drop_copies(member& current, const std::uintptr_t* words) {
  const auto size_class = static_cast<std::uint8_t>(words[words_of::source]);
  void* const memory = pointer(words[words_of::copies]);
  if (size_class != block_sizes::from_system) current.memory.give(size_class, memory);
  else platform::system_release(memory, 0);
}

shared_copies* shared_copies::make(const std::uintptr_t* words, unsigned members) {
  const std::size_t length = words_of::length(words[words_of::count]) * sizeof(std::uintptr_t);
  const std::size_t alignment = std::max<std::size_t>(words[words_of::alignment], alignof(shared_copies));
  const std::size_t head = (sizeof(shared_copies) + length + alignment - 1) / alignment * alignment;
  const std::size_t bytes = words[words_of::stride] * members;
  auto* const memory = static_cast<char*>(platform::system_allocate(head + bytes, alignment));
  if (memory == nullptr) fail_for(bytes);
  std::memset(memory + head, 0, bytes);
  auto* const made = ::new (memory) shared_copies{{1}};
  std::memcpy(made->words(), words, length);
  made->words()[words_of::copies] = word(memory + head);
  made->words()[words_of::end] = word(memory + head) + bytes;
  made->words()[words_of::others] = 0;
  return made;
}

void shared_copies::leave() {
  if (users.fetch_sub(1, platform::acq_rel) == 1) platform::system_release(this, 0);  // [left]
}

/// Nobody frees the copies before, as the workshare is not free as long as the member is at it.
void join_reductions(member& current, std::uintptr_t* words) {
  shared_copies& all = *current.shared.at->copies;
  all.users.fetch_add(1, platform::relaxed);  // relaxed: only the number goes by it
  words[words_of::copies] = all.words()[words_of::copies];
  words[words_of::end] = all.words()[words_of::end];
  group_block& group = begin_group(current);
  group.reductions = all.words();
  group.copies = &all;
}

bool is_in_reduction(const member& current) {
  const pin nodes_stay(current);
  return reducing_group(current.running) != nullptr;
}

void find_copies(const member& current, std::size_t count, std::size_t originals, void** addresses) {
  const pin nodes_stay(current);
  const group_block* const nearest = reducing_group(current.running);
  node* const task = current.running;
  // Not when others may look, or of an implicit task, which has no room.
  if (task->parent() != nullptr && !(task->flags & node::scope) && task->spawned == 0 && !task->has_around())
    static_cast<task_block*>(task)->keep_around(nearest);
  std::uintptr_t next = 0;
  for (std::size_t each = 0; each < count; ++each) {
    const copy_found found = find_copy(current, nearest, word(addresses[each]), next);
    addresses[each] = pointer(found.copy);
    if (each < originals) addresses[count + each] = pointer(found.original);
  }
}

}  // namespace TEFF_NAMESPACE::openmp
