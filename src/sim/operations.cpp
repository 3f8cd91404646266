// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/cache_line.h"
#include "platform/simulated/ledger.h"
#include "sim/access.h"
#include "sim/simulator.h"
#include "sim/variation.h"

#include <algorithm>

namespace TEFF_NAMESPACE::sim {

bool access_simulated(const void* word, operation what) noexcept { return active->access(word, what); }
void written_simulated() noexcept { active->written(); }

void touch_simulated(const void* memory, std::size_t bytes, bool writes) noexcept { timed->touch(memory, bytes, writes); }
line_origins touch_program_simulated(const void* memory, std::size_t bytes, bool writes) noexcept {
  return timed->touch_program(memory, bytes, writes);
}
void forget_program_simulated(const void* memory, std::size_t bytes) noexcept { timed->forget_program(memory, bytes); }
void put_or_get_simulated(int tasks) noexcept {
  const platform::account_scope scope(account_part::put_get);
  timed->spend(timed->costs().put_or_get);
  timed->account().tasks_wait(tasks, timed->clock());
}

void constructed_simulated(const void* word) noexcept {
  // Blocks of the arena keep their lines: the same blocks are used again in every run, and whose cache an old one lies in is
  // what memory managers differ in.
  if (!active->arena().owns(word)) active->lines().forget(word);
}

bool simulator::access(const void* word, operation what) {
  scheduling_point();
  processor& self = *running_;
  accessed_ = line_of(word);
  serve(accessed_, what);
  if (costs().access_jitter != 0) self.clock += jitter_.below(costs().access_jitter + 1);
  note(what, accessed_);
  return !lines_[accessed_].watchers.empty();
}

/// Effect: the first access to a page of the arena takes time. Pre: the line of the word is a new one.
void simulator::begin_line(line_number number, const void* word) {
  known_lines_ = number + 1;
  if (timed == nullptr || costs().page_touch == 0 || !arena_.is_first_touch(word)) return;
  const platform::account_scope scope(account_part::system_memory);
  spend(costs().page_touch);
}

/// What only the running processor can tell, a hit, is no scheduling point: its clock may go ahead of others', as no other one's
/// access depends on it. A transfer is one: whoever comes first in time gets the line first.
void simulator::touch(const void* memory, std::size_t bytes, bool writes) {
  if (costs().plain_hit == 0) return;
  // Which lines it shares elsewhere is the host's matter: as many as its bytes need at least.
  if (!arena_.owns(memory)) return spend((bytes + cache_line_bytes - 1) / cache_line_bytes * costs().plain_hit);
  const operation what = writes ? operation::store : operation::load;
  const char* at = static_cast<const char*>(memory);
  const char* const end = at + bytes;
  for (; at < end; at += cache_line_bytes - reinterpret_cast<std::uintptr_t>(at) % cache_line_bytes) {
    const line_number number = line_of(at);
    if (lines_.hit(number, what, running_->at)) {
      spend(costs().plain_hit);
    } else {
      scheduling_point();
      serve(number, what);
    }
  }
}

/// As above: what the own cache has is no scheduling point, and one block behind the other is, so that blocks and the memories go
/// to who comes first in time.
line_origins simulator::touch_program(const void* memory, std::size_t bytes, bool writes) {
  line_origins from;
  if (!costs().states_capacities()) return from;
  progress();  // a long piece of memory is no livelock
  const auto begin = reinterpret_cast<std::uintptr_t>(memory), end = begin + bytes;
  for (std::uintptr_t at = begin, next; at < end; at = next) {
    next = std::min(end, (at / bytes_of_block + 1) * bytes_of_block);
    const auto lines = static_cast<unsigned>((next - 1) / cache_line_bytes - at / cache_line_bytes + 1);
    const block_number number = caches_.touch(reinterpret_cast<const void*>(at));
    if (caches_.hit(number, writes, running_->at)) {
      from.own += lines;
      spend(std::uint64_t{lines} * costs().plain_hit);
    } else {
      scheduling_point();
      running_->clock = caches_.serve(number, writes, lines, running_->at, running_->clock, from);
    }
  }
  return from;
}

/// Effect: the running processor accesses the line.
void simulator::serve(line_number number, operation what) {
  line& served = lines_[number];
  const std::uint32_t before = served.moves;
  running_->clock = lines_.serve(number, what, running_->at, running_->clock);
  const platform::ledger* const own = platform::ledger_here();
  if (own != nullptr && own->going_on() == account_part::own_memory) served.program_moves += served.moves - before;
}

void simulator::written() {
  wait_list& watchers = lines_[accessed_].watchers;
  processor_id next = watchers.first;
  watchers = {};
  while (next != nobody) {
    processor& woken = *processors_[next];
    next = woken.next_waiting;
    make_runnable(woken, running_->clock);
  }
}

void simulator::advance(operation what, std::uint64_t cycles) {
  if (what == operation::pause) chooser_->yielded(running_->id);
  if (chooser_->indifferent_to(what)) recorded(running_->id);
  else scheduling_point();
  running_->clock += cycles;
  note(what, no_line);
}

bool simulator::watch(const void* word, std::uint64_t deadline, const char* what) {
  processor& self = *running_;
  if (deadline <= self.clock) return false;
  self.waits_on = lines_.touch(word);
  self.waits_on_word = word;
  append(lines_[self.waits_on].watchers, self, processors_);
  wait(processor::state::watching, what, deadline);
  return !self.timed_out;
}

bool simulator::park(const void* word, std::uint64_t deadline, const char* what) {
  processor& self = *running_;
  if (deadline <= self.clock) return false;
  if (recorded(chooser_->spurious_wakeup() ? 1 : 0) != 0) return true;
  self.waits_on = lines_.touch(word);
  self.waits_on_word = word;
  append(lines_[self.waits_on].parked, self, processors_);
  wait(processor::state::parked, what, deadline);
  return !self.timed_out;
}

void simulator::wake(const void* word, bool all) {
  advance(operation::wake, costs().wake);
  const line_number number = lines_.find(word);
  if (number == no_line) return;
  std::uint32_t waiters = parked_on(number, word);
  if (all) {
    for (; waiters != 0; --waiters) wake_one_of(number, word, 0);
  } else if (waiters != 0) {
    wake_one_of(number, word, waiters == 1 ? 0 : recorded(chooser_->pick(waiters)));
  }
}

std::uint32_t simulator::parked_on(line_number number, const void* word) {
  std::uint32_t found = 0;
  for (processor_id i = lines_[number].parked.first; i != nobody; i = processors_[i]->next_waiting) {
    found += processors_[i]->waits_on_word == word ? 1 : 0;
  }
  return found;
}

/// Effect: wakes the waiter of that index among those parked on the word. Pre: there is one.
void simulator::wake_one_of(line_number number, const void* word, std::uint32_t index) {
  wait_list& parked = lines_[number].parked;
  processor_id i = parked.first;
  for (;; i = processors_[i]->next_waiting) {
    if (processors_[i]->waits_on_word == word && index-- == 0) break;
  }
  remove(parked, *processors_[i], processors_);
  make_runnable(*processors_[i], running_->clock + moved(costs().wake_latency));
}

processor_id simulator::start(processor::entry_function entry, void* argument, int wanted_place) {
  advance(operation::start, costs().thread_start);
  processor* const made = unused_processor();
  if (made == nullptr) return nobody;
  const unsigned number = wanted_place >= 0 ? static_cast<unsigned>(wanted_place) : made->id;
  if (!prepare(*made, entry, argument, number)) return nobody;
  allow_steps_of(std::uint64_t{made->id} + 1);  // those before it are in use
  // A processor that is free at once would be a rare one: threads begin up to a wake-up late.
  const bool varies = options_.variation != as_described && costs().wake_latency != 0;
  const std::uint64_t late = varies ? variation_.next() % costs().wake_latency : 0;
  make_runnable(*made, running_->clock + late);
  return made->id;
}

void simulator::detach(processor_id started) { processors_[started]->detached = true; }

void simulator::at_end(processor::entry_function finish, void* argument) {
  running_->finish = finish;
  running_->finish_argument = argument;
}

void simulator::join(processor_id other) {
  advance(operation::join, costs().own_line_hit);
  processor& self = *running_;
  processor& joined = *processors_[other];
  if (joined.doing != processor::state::finished) {
    joined.joined_by = self.id;
    wait(processor::state::joining, "the end of a thread", chooser::never);
  }
  self.clock = std::max(self.clock, joined.clock);
  joined.doing = processor::state::unused;
}

}  // namespace TEFF_NAMESPACE::sim
