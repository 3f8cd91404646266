// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fiber/fiber.h"

#include "fiber/carrier.h"
#include "fiber/task_name.h"
#include "platform/sanitizers.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace TEFF_NAMESPACE::fibers {

namespace {

/// What the lowest words of a stack without a guard page hold until somebody overruns it.
constexpr std::uint64_t canary = 0x7465666663616e61;
constexpr std::size_t canary_words = 8;

/// Whether this process has been told that there are not enough stacks.
platform::atomic<bool> refusal_told{false};

platform::atomic<bool> some_team_was_stuck{false};

std::uint64_t* canary_of(const platform::stack_piece& memory) { return static_cast<std::uint64_t*>(memory.bottom); }

}  // namespace

void registry::add(fiber& made, unsigned number) {
  alive_.fetch_add(1, platform::relaxed);  // relaxed: a number that is told
  registry_part& in = parts_[number % part_count];
  made.listed_in = &in;
  platform::lock_guard guard(in.lock);
  made.registry_next = in.first;
  if (in.first != nullptr) in.first->registry_before = &made;
  in.first = &made;
}

void registry::remove(fiber& gone) {
  // relaxed, all: numbers that are told.
  const std::size_t alive = alive_.fetch_sub(1, platform::relaxed);
  std::size_t peak = peak_.load(platform::relaxed);
  while (alive > peak && !peak_.compare_exchange(peak, alive, platform::relaxed)) {
  }
  registry_part& in = *gone.listed_in;
  platform::lock_guard guard(in.lock);
  (gone.registry_before != nullptr ? gone.registry_before->registry_next : in.first) = gone.registry_next;
  if (gone.registry_next != nullptr) gone.registry_next->registry_before = gone.registry_before;
}

void registry::destroy_all() {
  for (registry_part& part : parts_) {
    while (part.first != nullptr) {
      // A task that waits for ever keeps its closure, unless that lies in memory which the manager has given back as a whole.
      // relaxed: no fiber runs.
      const bool waits = part.first->now.load(platform::relaxed) != fiber::state::idle;
      for (task_frame* each = waits ? part.first->here.frame : nullptr; each != nullptr; each = each->below()) {
        if (const full_frame* const full = each->full()) platform::sanitizers::expect_leak(full->what.argument);
      }
      destroy(*part.first);
    }
  }
}

// relaxed: who destroys what a stuck run left does so after that run.
bool host::any_was_stuck() noexcept { return some_team_was_stuck.load(platform::relaxed); }

void host::set_stuck(bool stuck) noexcept {
  stuck_.store(stuck, platform::release);  // [stuck]
  // relaxed: who asks does so after the run that it speaks of.
  if (stuck) some_team_was_stuck.store(true, platform::relaxed);
}

void host::forget_waits() {
  all.for_each([&](const fiber& each) {
    // acquire: pairs with fiber::become: waits_for is visible.
    if (each.now.load(platform::acquire) == fiber::state::blocked) each.waits_for->forget(*this);
  });
}

fiber* make(host& home, worker& first, std::size_t bytes, platform::atomic<fiber*>* base) noexcept {
  const platform::account_scope making(account_part::fibers);
  const platform::stack_piece memory = platform::stack_supply::take(bytes);
  if (!memory) return nullptr;
  if (!memory.guarded) std::fill_n(canary_of(memory), canary_words, canary);
  static_assert(sizeof(fiber) <= 1024, "too much of a tiny stack");
  void* place = memory.top() - (sizeof(fiber) + 63) / 64 * 64;
  auto* made = ::new (place) fiber(home, first, memory, base);
  platform::name_line(&made->now, "line of a fiber");
  home.all.add(*made, first.id);
  return made;
}

void destroy(fiber& gone) noexcept {
  gone.home.all.remove(gone);
  const platform::stack_piece memory = gone.memory;
  gone.~fiber();
  platform::stack_supply::give_back(memory);
}

void tell_refusal() noexcept {
  // relaxed: it is said once, and nothing goes by it.
  if (refusal_told.load(platform::relaxed) || refusal_told.exchange(true, platform::relaxed)) return;
  std::fprintf(
      stderr,
      "teff: the system refused a stack: a task that waits now keeps its worker waiting, too, apart from its own children, which "
      "it runs (said once; fewer tasks that wait, or the setting stack with a smaller size, avoid it)\n");
}

namespace {

void add_who_used_up(platform::line& to, const fiber& on) noexcept {
  const task_frame* const top = on.here.frame;
  // A loop that is about to go on with another fiber has lost the name of the task before.
  const full_frame* const full = top != nullptr ? top->full() : nullptr;
  const bool known = full != nullptr ? full->what.entry != nullptr && full->what.entry != &resume_entry : top != nullptr;
  to.add(known ? "teff: task " : "teff: a task");
  if (known) add_task_name(to, *top);
  to.add(" used more than the ");
  to.add(on.memory.bytes);
  to.add(" bytes of its stack");
}

void add_advice(platform::line& to, const fiber& on) noexcept {
  to.add(": ask for more with the setting stack=");
  to.add(4 * on.memory.bytes);
  to.add("\n");
}

}  // namespace

bool describe_overflow(const void* touched, platform::line& to) noexcept {
  const auto* const here = static_cast<const worker*>(platform::current());
  const fiber* const on = here != nullptr && here->carrier != nullptr ? here->carrier->running() : nullptr;
  if (on == nullptr || !on->memory.guarded) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(touched), bottom = reinterpret_cast<std::uintptr_t>(on->memory.bottom);
  if (address >= bottom || address < bottom - platform::stack_supply::guard_bytes) return false;
  add_who_used_up(to, *on);
  add_advice(to, *on);
  return true;
}

void check_canary(const fiber& left) noexcept {
  if (left.memory.guarded) return;
  const std::uint64_t* lowest = canary_of(left.memory);
  if (std::all_of(lowest, lowest + canary_words, [](std::uint64_t word) { return word == canary; })) return;
  platform::line sentence;
  add_who_used_up(sentence, left);
  sentence.add(", and may have damaged other memory");
  add_advice(sentence, left);
  platform::say(sentence.text());
  std::abort();
}

}  // namespace TEFF_NAMESPACE::fibers
