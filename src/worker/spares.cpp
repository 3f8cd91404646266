// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/spares.h"

#include "worker/team.h"

#include <algorithm>
#include <new>
#include <utility>

namespace TEFF_NAMESPACE::workers {

void spare::carry(member& taken) {
  taken_ = &taken;
  // [spare] release: the thread sees whom it carries, and all that the worker did before.
  word_.store(called, platform::release);
  platform::wake_one(word_);
}

void spare::stop() {
  word_.store(stopping, platform::release);  // [spare]
  platform::wake_one(word_);
  thread_.join();
}

void spare::thread_main(void* pointer) {
  auto& self = *static_cast<spare*>(pointer);
  platform::signal_stack signals;
  signals.lend();
  while (self.wait_for_call()) {
    const bool ended_call = self.team_.carry_again(*self.taken_);
    self.team_.come_back(self, ended_call);
  }
  signals.take_back();
}

/// Returns: false if the thread has to end.
bool spare::wait_for_call() {
  for (;;) {
    const std::uint32_t word = word_.load(platform::acquire);  // [spare]
    if (word == stopping) return false;
    if (word == called) {
      word_.store(idle, platform::relaxed);
      return true;
    }
    const std::uint64_t end_ns = platform::now_ns() + spares::kept_ns;
    if (!platform::park_until(word_, idle, end_ns, "a spare thread: a worker to carry") && team_.retire(*this)) {
      return false;
    }
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
  if (all_.back()->start(places_)) return all_.back().get();
  all_.pop_back();
  return nullptr;
} catch (const std::bad_alloc&) {
  return nullptr;
}

bool spares::own_this_thread() {
  platform::lock_guard guard(lock_);
  if (retired_ != nullptr && retired_->is_this_thread()) return true;
  return std::any_of(all_.begin(), all_.end(), [](const auto& each) { return each->is_this_thread(); });
}

void spares::put_back(spare& idle) {
  platform::lock_guard guard(lock_);
  idle_.push_back(&idle);
}

/// What ends may run destructors of the program's thread-local objects: it is waited for without the lock, by who retires next.
bool spares::retire(spare& idle) {
  std::unique_ptr<spare> earlier;
  {
    platform::lock_guard guard(lock_);
    const auto found = std::find(idle_.begin(), idle_.end(), &idle);
    if (found == idle_.end() || stopping_) return false;  // somebody has just taken it, or stops them all
    idle_.erase(found);
    const auto own = std::find_if(all_.begin(), all_.end(), [&idle](const auto& each) { return each.get() == &idle; });
    earlier = std::exchange(retired_, std::move(*own));
    all_.erase(own);
  }
  if (earlier != nullptr) earlier->join();
  return true;
}

std::size_t spares::count() {
  platform::lock_guard guard(lock_);
  return all_.size();
}

void spares::stop() {
  std::unique_ptr<spare> last;
  {
    platform::lock_guard guard(lock_);
    stopping_ = true;
    last = std::move(retired_);
  }
  if (last != nullptr) last->join();
  for (const auto& each : all_) each->stop();
}

}  // namespace TEFF_NAMESPACE::workers
