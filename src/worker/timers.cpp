// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/timers.h"

#include <limits>
#include <new>
#include <utility>

namespace TEFF_NAMESPACE::workers {

namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

bool is_later(const fibers::timer& a, const fibers::timer& b) { return a.deadline_ns > b.deadline_ns; }

}  // namespace

bool timers::add(fibers::timer& added) noexcept {
  bool nearest = false;
  try {
    platform::lock_guard guard(lock_);
    if (!thread_.started() && !thread_.start(&thread_main, this, places_)) return false;
    heap_.push_back(&added);
    added.place = heap_.size() - 1;
    rise(added);
    // seq_cst: a verdict reads it after the words of workers ([pending]).
    if (added.ends_waits) pending_.fetch_add(1, platform::seq_cst);
    nearest = heap_.front() == &added;
  } catch (const std::bad_alloc&) {
    return false;
  }
  if (nearest) nudge();
  return true;
}

void timers::cancel(fibers::timer& gone) noexcept {
  {
    platform::lock_guard guard(lock_);
    if (gone.place != fibers::timer::nowhere) {
      take_out(gone);
      // seq_cst: as in add.
      if (gone.ends_waits) pending_.fetch_sub(1, platform::seq_cst);
      return;
    }
  }
  platform::spin_until(firing_, [&](const fibers::timer* now) { return now != &gone; }, "a timer that is being called");
}

void timers::stop() {
  if (!thread_.started()) return;
  stop_.store(true, platform::release);  // release: watch sees it, at the latest after the nudge
  nudge();
  thread_.join();
}

void timers::nudge() {
  // release: the thread sees what has changed, or finds another number than it saw, and does not park.
  changes_.fetch_add(1, platform::release);
  platform::wake_all(changes_);
}

void timers::thread_main(void* self) { static_cast<timers*>(self)->watch(); }

// --- the heap: the parent of place n is at (n − 1) / 2 -------------------------------------------------------------------------

void timers::exchange(fibers::timer& one, fibers::timer& other) {
  std::swap(heap_[one.place], heap_[other.place]);
  std::swap(one.place, other.place);
}

void timers::rise(fibers::timer& moved) {
  while (moved.place != 0) {
    fibers::timer& parent = *heap_[(moved.place - 1) / 2];
    if (!is_later(parent, moved)) return;
    exchange(moved, parent);
  }
}

void timers::sink(fibers::timer& moved) {
  for (;;) {
    fibers::timer* nearest = &moved;
    for (std::size_t child = 2 * moved.place + 1; child <= 2 * moved.place + 2 && child < heap_.size(); ++child) {
      if (is_later(*nearest, *heap_[child])) nearest = heap_[child];
    }
    if (nearest == &moved) return;
    exchange(moved, *nearest);
  }
}

void timers::take_out(fibers::timer& gone) {
  fibers::timer& last = *heap_.back();
  exchange(gone, last);
  heap_.pop_back();
  gone.place = fibers::timer::nowhere;
  if (&last == &gone) return;
  rise(last);
  sink(last);
}

fibers::timer* timers::take_due(std::uint64_t now) {
  platform::lock_guard guard(lock_);
  if (heap_.empty() || heap_.front()->deadline_ns > now) return nullptr;
  fibers::timer* due = heap_.front();
  take_out(*due);
  // release: under the lock: who finds the timer in no heap sees that it is being called.
  firing_.store(due, platform::release);
  return due;
}

std::uint64_t timers::nearest_deadline() {
  platform::lock_guard guard(lock_);
  return heap_.empty() ? never : heap_.front()->deadline_ns;
}

void timers::watch() {
  const char* const what = "the timers' thread: the nearest deadline";
  for (;;) {
    // acquire: pairs with nudge.
    const std::uint32_t seen = changes_.load(platform::acquire);
    if (stop_.load(platform::acquire)) return;
    while (fibers::timer* due = take_due(platform::now_ns())) {
      const bool ended_wait = due->ends_waits;  // it may be gone afterwards
      due->fire(*due);
      // Before who cancels goes on: no worker that finds its team at rest behind that may find the timer pending, as nobody asks
      // again.
      if (ended_wait) pending_.fetch_sub(1, platform::seq_cst);
      firing_.store(nullptr, platform::release);  // release: who cancels sees that the call has ended
    }
    const std::uint64_t next = nearest_deadline();
    if (next == never) platform::park(changes_, seen, what);
    else platform::park_until(changes_, seen, next, what);
  }
}

}  // namespace TEFF_NAMESPACE::workers
