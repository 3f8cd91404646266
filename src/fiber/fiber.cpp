// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fiber/fiber.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace teff::inline TEFF_PLATFORM::fibers {

namespace {

/// What the lowest words of a stack without a guard page hold until somebody overruns it.
constexpr std::uint64_t canary = 0x7465666663616e61;
constexpr std::size_t canary_words = 8;

/// As much as threads have by default; only touched pages cost memory.
constexpr std::size_t base_bytes = 8u << 20;

/// Whether this process has been told that there are not enough stacks.
platform::atomic<bool> refusal_told{false};

std::uint64_t* canary_of(const platform::stack_piece& memory) { return static_cast<std::uint64_t*>(memory.bottom); }

}  // namespace

void registry::add(fiber& made) {
  platform::lock_guard guard(lock_);
  made.registry_next = first_;
  if (first_ != nullptr) first_->registry_before = &made;
  first_ = &made;
  alive_.store(alive() + 1, platform::relaxed);
  if (alive() > peak()) peak_.store(alive(), platform::relaxed);
}

void registry::remove(fiber& gone) {
  platform::lock_guard guard(lock_);
  (gone.registry_before != nullptr ? gone.registry_before->registry_next : first_) = gone.registry_next;
  if (gone.registry_next != nullptr) gone.registry_next->registry_before = gone.registry_before;
  alive_.store(alive() - 1, platform::relaxed);
}

void registry::destroy_all() {
  while (first_ != nullptr) destroy(*first_);
}

fiber* host::take_base(worker& first) noexcept {
  {
    platform::lock_guard guard(bases_lock_);
    if (fiber* kept = bases_; kept != nullptr) {
      bases_ = kept->next;
      return kept;
    }
  }
  return make(*this, first, base_bytes, true);
}

bool host::keep_base(fiber& idle) noexcept {
  if (!idle.base) return false;
  platform::lock_guard guard(bases_lock_);
  idle.next = bases_;
  bases_ = &idle;
  return true;
}

fiber* make(host& home, worker& first, std::size_t bytes, bool base) noexcept {
  const platform::stack_piece memory = platform::stack_supply::take(bytes);
  if (!memory) return nullptr;
  if (!memory.guarded) std::fill_n(canary_of(memory), canary_words, canary);
  static_assert(sizeof(fiber) <= 1024, "too much of a tiny stack");
  void* place = memory.top() - (sizeof(fiber) + 63) / 64 * 64;
  auto* made = ::new (place) fiber(home, first, memory, base);
  home.all.add(*made);
  return made;
}

void destroy(fiber& gone) noexcept {
  gone.home.all.remove(gone);
  const platform::stack_piece memory = gone.memory;
  gone.~fiber();
  platform::stack_supply::give_back(memory);
}

void tell_refusal() noexcept {
  if (refusal_told.load(platform::relaxed) || refusal_told.exchange(true, platform::relaxed)) return;
  std::fprintf(stderr,
               "teff: the system refused a stack: a task that waits now keeps its worker waiting, too, apart from its own children, which "
               "it runs (said once; fewer tasks that wait, or the setting stack with a smaller size, avoid it)\n");
}

void check_canary(const fiber& left) noexcept {
  if (left.memory.guarded) return;
  const std::uint64_t* lowest = canary_of(left.memory);
  if (std::all_of(lowest, lowest + canary_words, [](std::uint64_t word) { return word == canary; })) return;
  std::fprintf(stderr,
               "teff: a task used more than the %zu bytes of its stack, and may have damaged other memory: ask for more with the "
               "setting stack=%zu\n",
               left.memory.bytes, 4 * left.memory.bytes);
  std::abort();
}

}  // namespace teff::inline TEFF_PLATFORM::fibers
