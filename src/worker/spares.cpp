// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/spares.h"

#include "worker/team.h"

#include <algorithm>
#include <new>

namespace teff::inline TEFF_PLATFORM::workers {

void spare::carry(member& taken) {
  taken_ = &taken;
  // [spare] release: the thread sees whom it carries, and all that the worker did before.
  word_.store(called, platform::release);
  platform::wake_one(word_);
}

void spare::stop() {
  word_.store(stopping, platform::release);
  platform::wake_one(word_);
  thread_.join();
}

void spare::thread_main(void* pointer) {
  auto& self = *static_cast<spare*>(pointer);
  platform::signal_stack signals;
  signals.lend();
  for (;;) {
    std::uint32_t word;
    while ((word = self.word_.load(platform::acquire)) == idle) platform::park(self.word_, idle, "a spare thread: a worker to carry");
    if (word == stopping) return signals.take_back();
    self.word_.store(idle, platform::relaxed);
    self.team_.carry_again(*self.taken_);
    self.team_.spares_.put_back(self);
  }
}

spare* spares::take(team_base& team) noexcept try {
  platform::lock_guard guard(lock_);
  if (!idle_.empty()) {
    spare* const taken = idle_.back();
    idle_.pop_back();
    return taken;
  }
  idle_.reserve(all_.size() + 1);
  all_.push_back(std::make_unique<spare>(team));
  if (all_.back()->start()) return all_.back().get();
  all_.pop_back();
  return nullptr;
} catch (const std::bad_alloc&) {
  return nullptr;
}

bool spares::own_this_thread() {
  platform::lock_guard guard(lock_);
  return std::any_of(all_.begin(), all_.end(), [](const auto& each) { return each->is_this_thread(); });
}

void spares::put_back(spare& idle) {
  platform::lock_guard guard(lock_);
  idle_.push_back(&idle);
}

void spares::stop() {
  for (const auto& each : all_) each->stop();
}

}  // namespace teff::inline TEFF_PLATFORM::workers
