// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/platform.h"

#include "base/assert.h"
#include "sim/instance.h"
#include "sim/simulator.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace TEFF_NAMESPACE::platform {

namespace {

using sim::active;
using sim::operation;

/// Counts a planted refusal down. Returns: whether this request is one to refuse.
bool refused(std::int64_t& remaining) noexcept {
  if (remaining < 0) return false;
  if (remaining == 0) return true;
  --remaining;
  return false;
}

bool park_for(atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t deadline, const char* what) noexcept {
  TEFF_REQUIRE(active != nullptr, "park inside simulate() only: outside it there is nobody who could wake");
  active->advance(operation::park, active->costs().park);
  // Between this look and going to sleep no other processor runs: as in the kernel, a wake in between is not lost.
  if (word.load(acquire) != expected) return true;  // any order does: in simulation all accesses are in one
  return active->park(word.address(), deadline, what);
}

void wake(const atomic<std::uint32_t>& word, bool all) noexcept {
  if (active != nullptr) active->wake(word.address(), all);
}

}  // namespace

void pause() noexcept {
  if (active != nullptr) active->advance(operation::pause, active->costs().pause);
}

void fence(order) noexcept {
  if (active != nullptr) active->advance(operation::fence, active->costs().fence);
}

bool fence_everywhere() noexcept {
  if (active != nullptr) active->advance(operation::fence_everywhere, active->costs().fence_everywhere);
  return !planted_faults().no_fence_everywhere;
}

void park(atomic<std::uint32_t>& word, std::uint32_t expected, const char* what) noexcept {
  park_for(word, expected, detail::no_deadline, what);
}

bool park_until(atomic<std::uint32_t>& word, std::uint32_t expected, std::uint64_t deadline_ns, const char* what) noexcept {
  TEFF_REQUIRE(active != nullptr, "park inside simulate() only: outside it there is nobody who could wake");
  return park_for(word, expected, active->cycles_of(deadline_ns), what);
}

void wake_one(atomic<std::uint32_t>& word) noexcept { wake(word, false); }
void wake_all(atomic<std::uint32_t>& word) noexcept { wake(word, true); }

bool detail::watch(const void* word, std::uint64_t deadline, const char* what) noexcept {
  if (active != nullptr) return active->watch(word, deadline, what);
  TEFF_REQUIRE(deadline != no_deadline, "spin inside simulate() only: outside it nobody else could change the word");
  return false;
}

std::uint64_t detail::clock_after_rounds(unsigned rounds) noexcept {
  if (active == nullptr) return 0;
  return active->clock() + std::uint64_t{rounds} * active->costs().pause;
}

std::uint64_t now_ns() noexcept {
  static constinit std::uint64_t outside = 0;  // moves on, so that a loop that waits for a moment ends
  if (active == nullptr) return ++outside;
  active->advance(operation::clock, active->costs().clock_read);
  return active->ns_of(active->clock());
}

std::uint64_t recent_ns() noexcept { return active == nullptr ? 0 : active->ns_of(active->clock()); }

std::uint64_t time_of_rounds_ns(unsigned rounds) noexcept {
  return active == nullptr ? rounds : active->ns_of(std::uint64_t{rounds} * active->costs().pause);
}

const void* this_thread() noexcept {
  static constinit std::uint64_t outside = 0;
  return active != nullptr ? active->running() : &outside;
}

bool thread::start(entry_function entry, void* argument, std::span<const unsigned> places) noexcept {
  TEFF_REQUIRE(active != nullptr, "start threads inside simulate() only");
  TEFF_REQUIRE(!started_, "join a thread before starting it again");
  if (refused(planted_faults().threads_until_refusal)) return false;
  number_ = active->start(entry, argument, places.size() == 1 ? static_cast<int>(places.front()) : -1);
  started_ = number_ != sim::nobody;
  return started_;
}

void thread::join() noexcept {
  if (started_) active->join(number_);
  started_ = false;
}

void thread::detach() noexcept {
  active->detach(number_);
  started_ = false;
}

bool thread::is_current() const noexcept { return started_ && active != nullptr && active->is_running(number_); }

unsigned processor_here() noexcept { return active == nullptr ? 0 : active->place_here(); }

const topology& machine() { return sim::instance().topology(); }
unsigned usable_processors() { return machine().usable_processors; }

std::vector<unsigned> places_of_caller() {
  std::vector<unsigned> all(machine().places.size());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

void* system_allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (refused(planted_faults().allocations_until_refusal)) return nullptr;
  const account_scope scope(account_part::system_memory);
  if (sim::timed != nullptr) sim::timed->spend(sim::timed->costs().system_allocation);
  if (active != nullptr) {
    void* const block = active->arena().allocate(bytes, alignment);
    if (sim::timed != nullptr && block != nullptr) sim::timed->account().name_block(block, bytes);
    return block;
  }
  if (alignment <= alignof(std::max_align_t)) return std::malloc(bytes);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void system_release(void* block, std::size_t bytes) noexcept {
  if (block == nullptr) return;
  const account_scope scope(account_part::system_memory);
  if (sim::timed != nullptr) sim::timed->spend(sim::timed->costs().system_release);
  if (!sim::instance().arena().owns(block)) std::free(block);
  else if (active != nullptr) active->arena().release(block, bytes);
  // else it belongs to a run that has ended: the next one begins with empty memory anyway
}

void charge(std::uint64_t units) noexcept {
  if (active == nullptr) return;
  // Only what the program charges is its own work: a pool may charge, too.
  const ledger* const own = ledger_here();
  const bool by_program = own != nullptr && own->going_on() == account_part::own_memory;
  const account_scope scope(by_program || own == nullptr ? account_part::own_work : own->going_on());
  active->advance(operation::charge, active->cycles_of_charge(units));
}

void progress() noexcept {
  if (active != nullptr) active->progress();
}

std::uint64_t process_generation() noexcept { return 0; }
void end_process_at_once(int code) noexcept { std::_Exit(code); }

faults& planted_faults() noexcept { return sim::instance().faults(); }

}  // namespace TEFF_NAMESPACE::platform
