// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sim/caches.h"

#include <algorithm>

namespace TEFF_NAMESPACE::sim {

namespace {

constexpr std::size_t bytes_in_kib = 1024;

}  // namespace

block_cache::block_cache(std::size_t bytes) {
  const auto blocks = static_cast<unsigned>(bytes / bytes_of_block);
  ways_ = std::min(blocks, ways);
  sets_ = blocks / ways_;
  blocks_.assign(std::size_t{sets_} * ways_, no_block);
}

block_number* block_cache::set_of(block_number block) {
  // As pages lie anywhere in memory: numbers that are as far apart as the rows of a matrix do not meet in a few sets.
  const std::uint32_t mixed = block * 0x9e3779b1u;
  return &blocks_[(std::uint64_t{mixed} * sets_ >> 32) * ways_];
}

void block_cache::use(block_number block) {
  block_number* const set = set_of(block);
  std::rotate(set, std::find(set, set + ways_, block), std::find(set, set + ways_, block) + 1);
}

block_number block_cache::insert(block_number block) {
  block_number* const set = set_of(block);
  const block_number oldest = set[ways_ - 1];
  std::copy_backward(set, set + ways_ - 1, set + ways_);
  set[0] = block;
  return oldest;
}

void block_cache::remove(block_number block) {
  block_number* const set = set_of(block);
  block_number* const end = set + ways_;
  block_number* const at = std::find(set, end, block);
  std::copy(at + 1, end, at);
  end[-1] = no_block;
}

void caches::reset(const machine_description& machine, unsigned places) {
  blocks_.clear();
  overflow_.clear();
  groups_.clear();
  last_group_ = nullptr;
  own_.clear();
  shared_.clear();
  memory_busy_until_.clear();
  machine_ = machine;
  if (!machine.states_capacities()) return;
  domain_width_ = machine.width_of(platform::level::cache);
  domain_level_ = 0;
  while (domain_level_ + 1 < machine.levels && machine.level[domain_level_].width < domain_width_) ++domain_level_;
  memory_width_ = 1;
  // The memory of a place is that of all to which it is equally near.
  for (unsigned i = 0; i < machine.levels && machine.level[i].memory == machine.level[0].memory; ++i)
    memory_width_ = machine.level[i].width;
  own_.assign(places, block_cache(machine.own_cache_kib * bytes_in_kib));
  if (shares()) shared_.assign((places - 1) / domain_width_ + 1, block_cache(machine.domain_cache_kib * bytes_in_kib));
  memory_busy_until_.assign((places - 1) / memory_width_ + 1, 0);
}

/// Returns: the numbers of all blocks around it; nullptr if none of them was touched.
caches::number_group* caches::group_of(std::uintptr_t key) {
  if (last_group_ != nullptr && last_key_ == key) return last_group_;
  const auto found = groups_.find(key);
  if (found == groups_.end()) return nullptr;
  last_key_ = key;
  return last_group_ = &found->second;
}

block_number caches::touch(const void* byte) {
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(byte) / bytes_of_block, key = at / numbers_together;
  number_group* group = group_of(key);
  if (group == nullptr) {
    group = &groups_[key];
    group->fill(no_block);
    last_key_ = key;
    last_group_ = group;
  }
  block_number& number = (*group)[at % numbers_together];
  if (number == no_block) {
    number = static_cast<block_number>(blocks_.size());
    blocks_.emplace_back();
  }
  return number;
}

void caches::forget(const void* memory, std::size_t bytes) {
  if (bytes == 0) return;
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(memory), end = begin + bytes;
  for (std::uintptr_t at = begin / bytes_of_block; at * bytes_of_block < end; ++at) {
    if (number_group* const group = group_of(at / numbers_together); group != nullptr) (*group)[at % numbers_together] = no_block;
  }
}

/// Whether a write has to take the block from caches of others.
bool caches::is_taken_from_others(const block& of, const place& by) const {
  const bool is_in_other_domain = !of.domains.empty() && !of.domains.is_only(domain_of(by));
  return is_in_other_domain || !(of.own.empty() || of.own.is_only(by.number));
}

bool caches::hit(block_number number, bool writes, const place& by) {
  block& touched = blocks_[number];
  if (!touched.own.contains(by.number, overflow_) || (writes && is_taken_from_others(touched, by))) return false;
  own_cache(by.number).use(number);
  touched.modified |= writes;
  return true;
}

const machine_level& caches::level_of_nearest(const block& of, const place& to) const {
  unsigned at = 0;
  const auto has = [&](const holder_set& holders) { return holders.count_in(to.within[at], overflow_) != 0; };
  while (at + 1 < machine_.levels && !has(of.own) && (at < domain_level_ || !has(of.domains))) ++at;
  return machine_.level[at];
}

const machine_level& caches::level_of_farthest(const block& of, const place& to) const {
  unsigned at = 0;
  const auto has_outside = [&](const holder_set& holders, unsigned level) {
    return holders.count_outside(to.within[level], overflow_) != 0;
  };
  while (at + 1 < machine_.levels && (has_outside(of.own, at) || has_outside(of.domains, std::max(at, domain_level_)))) ++at;
  return machine_.level[at];
}

const machine_level& caches::level_of_home(const block& of, const place& to) const {
  unsigned at = 0;
  while (at + 1 < machine_.levels && !to.within[at].contains(of.home)) ++at;
  return machine_.level[at];
}

std::uint64_t caches::time_of(unsigned lines, unsigned first, bool in_domain) const {
  return first + std::uint64_t{lines - 1} * (in_domain ? machine_.domain_next_line : machine_.memory_next_line);
}

std::uint64_t caches::fetch_from_memory(const block& of, unsigned lines, const place& by, std::uint64_t clock,
                                        line_origins& from) {
  std::uint64_t& busy_until = memory_busy_until_[of.home / memory_width_];
  const std::uint64_t begin = std::max(clock, busy_until);
  busy_until = begin + std::uint64_t{lines} * machine_.memory_occupancy;
  from.memory += lines;
  if (of.home / memory_width_ != by.number / memory_width_) from.far_memory += lines;
  return begin + time_of(lines, level_of_home(of, by).memory, false);
}

/// Effect: the lines are there, from wherever they are soonest. Pre: the own cache has them not.
std::uint64_t caches::fetch(block_number number, unsigned lines, const place& by, std::uint64_t clock, line_origins& from) {
  block& of = blocks_[number];
  if (of.home == nobody) of.home = static_cast<std::uint16_t>(by.number);
  const unsigned domain = domain_of(by);
  // What a processor has written is nowhere else, until another one fetches it or its own cache makes room.
  const bool is_in_its_writers = of.modified && !of.own.empty();
  if (shares() && of.domains.contains(domain, overflow_)) {
    domain_cache(domain).use(number);
    if (!is_in_its_writers) {
      from.domain += lines;
      return clock + time_of(lines, machine_.domain_hit, true);
    }
  }
  if (of.own.empty() && of.domains.empty()) return fetch_from_memory(of, lines, by, clock, from);
  const unsigned transfer = level_of_nearest(of, by).transfer;
  const bool in_domain = of.own.count_in({domain, domain + domain_width_}, overflow_) != 0;
  if (!of.modified && !in_domain && transfer > level_of_home(of, by).memory) return fetch_from_memory(of, lines, by, clock, from);
  of.modified = false;
  (in_domain ? from.domain : from.others) += lines;
  return clock + time_of(lines, transfer, in_domain);
}

/// Effect: no other cache has the block.
void caches::take_from_others(block_number number, const place& by) {
  block& of = blocks_[number];
  const unsigned domain = domain_of(by);
  const bool own = of.own.contains(by.number, overflow_), shared = of.domains.contains(domain, overflow_);
  of.own.for_each(overflow_, [&](unsigned each) {
    if (each != by.number) own_cache(each).remove(number);
  });
  of.domains.for_each(overflow_, [&](unsigned each) {
    if (each != domain) domain_cache(each).remove(number);
  });
  of.own.clear();
  of.domains.clear();
  if (own) of.own.become_only(by.number);
  if (shared) of.domains.become_only(domain);
}

void caches::written_back_if_nowhere(block& of) {
  if (of.own.empty() && of.domains.empty()) of.modified = false;
}

/// Effect: the own cache has the block, and the domain's. Pre: the own one had it not.
void caches::keep(block_number number, const place& by) {
  const block_number made_room = own_cache(by.number).insert(number);
  if (made_room != no_block) {
    blocks_[made_room].own.remove(by.number, overflow_);
    written_back_if_nowhere(blocks_[made_room]);
  }
  blocks_[number].own.add(by.number, overflow_);
  const unsigned domain = domain_of(by);
  if (!shares() || blocks_[number].domains.contains(domain, overflow_)) return;
  const block_number left = domain_cache(domain).insert(number);
  if (left != no_block) {
    blocks_[left].domains.remove(domain, overflow_);
    written_back_if_nowhere(blocks_[left]);
  }
  blocks_[number].domains.add(domain, overflow_);
}

std::uint64_t caches::serve(block_number number, bool writes, unsigned lines, const place& by, std::uint64_t clock,
                            line_origins& from) {
  const bool held = blocks_[number].own.contains(by.number, overflow_);
  const bool taken = writes && is_taken_from_others(blocks_[number], by);
  // Copies are taken away while the lines are on their way.
  std::uint64_t done = clock;
  if (taken) {
    const machine_level& level = level_of_farthest(blocks_[number], by);
    done += time_of(lines, level.transfer, level.width <= domain_width_);
  }
  if (held) {
    own_cache(by.number).use(number);
    from.own += lines;
    done = std::max(done, clock + std::uint64_t{lines} * machine_.plain_hit);
  } else {
    done = std::max(done, fetch(number, lines, by, clock, from));
  }
  if (taken) take_from_others(number, by);
  if (!held) keep(number, by);
  blocks_[number].modified |= writes;
  return done;
}

}  // namespace TEFF_NAMESPACE::sim
