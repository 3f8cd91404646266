// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sync/waiting.h"

namespace TEFF_NAMESPACE::sync {

/// One writer, or any number of readers.
///
/// Fair: first come, first served; readers that stand next to one another in the list go together. So nobody starves; a reader
///   that comes while a writer waits does not overtake it, and one that holds the mutex must not lock it again: a writer may
///   stand between.
/// Invariants: the first in the list cannot enter now. `admit` restores that after each change that could let it in. No wake-up
///   is lost: what could let the first in is an unlock, or that one before it gives up at its deadline; both admit. Who gives up
///   does so after it has left the list; until then those behind it wait for somebody who is on its way.
/// Cost: each operation: the object's lock, which is two read-modify-writes. Many short reads on many workers meet there.
/// Considered: counters per worker for readers: cheap reads, but a writer has to visit all of them, and the order of arrival is
/// lost.
template <class Rules = rules>
class basic_shared_mutex : public object {
 public:
  explicit basic_shared_mutex(wait_policy policy = default_policy()) : object(policy) {}
  /// Pre: nobody holds it, but for tasks of a run that could not end, or at the end of the process: else the program ends with a
  /// sentence.
  ~basic_shared_mutex() override {
    // relaxed: nobody else uses it any more.
    const bool writer_is_gone = !writing_ || may_be_left(writer_.load(platform::relaxed));
    const bool readers_are_gone = readers_now() == 0 || fibers::host::any_was_stuck();
    TEFF_REQUIRE((writer_is_gone && readers_are_gone) || platform::is_static(this),
                 "a shared mutex must not be destroyed while it is held: unlock it first");
  }

  /// Effect: returns when the caller holds it alone, or with other readers. Threads: tasks and foreign threads. Blocks: the
  /// fiber.
  void lock() { enter(as_writer, no_deadline); }
  void lock_shared() { enter(as_reader, no_deadline); }
  [[nodiscard]] bool try_lock() { return enter(as_writer, has_passed); }
  [[nodiscard]] bool try_lock_shared() { return enter(as_reader, has_passed); }
  /// Returns: false if the deadline (of platform::now_ns) passed first.
  [[nodiscard]] bool try_lock_until(std::uint64_t deadline_ns) { return enter(as_writer, deadline_ns); }
  [[nodiscard]] bool try_lock_shared_until(std::uint64_t deadline_ns) { return enter(as_reader, deadline_ns); }
  /// Pre: the caller holds it in that way: else the program ends with a sentence (a reader is known only by there being some).
  void unlock() {
    // [owner]
    TEFF_REQUIRE(writer_.load(platform::relaxed) == this_identity(),
                 "a shared mutex is unlocked by the task or thread that locked it, once");
    writer_.store(nullptr, platform::relaxed);  // [owner]
    leave([&] { writing_ = false; });
  }
  void unlock_shared() {
    leave([&] {
      TEFF_REQUIRE(readers_now() != 0, "unlock_shared was called although nobody holds the mutex shared");
      readers_.store(readers_now() - 1, platform::relaxed);  // under the lock
    });
  }

  /// Who reads is not noted, only how many do.
  const char* kind() const noexcept override {
    // relaxed: a hint for reports.
    return readers_.load(platform::relaxed) != 0 ? "a shared mutex that readers hold" : "a shared mutex";
  }
  const task_frame* holder() const noexcept override { return task_of(writer_.load(platform::relaxed)); }  // [owner]
  bool held_outside() const noexcept override { return is_foreign(writer_.load(platform::relaxed)); }  // [owner]

 private:
  enum : unsigned { as_writer, as_reader };

  std::uint64_t readers_now() const { return readers_.load(platform::relaxed); }  // under the lock
  bool may_enter(unsigned as) const { return !writing_ && (as == as_reader || readers_now() == 0); }
  void admit(unsigned as) {
    // relaxed: under the lock.
    if (as == as_reader) readers_.store(readers_now() + 1, platform::relaxed);
    else writing_ = true;
  }

  bool enter(unsigned as, std::uint64_t deadline_ns) {
    if (!entered(as, deadline_ns)) return false;
    if (as == as_writer) writer_.store(this_identity(), platform::relaxed);  // [owner]
    return true;
  }

  bool entered(unsigned as, std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
    lock_.acquire();
    const bool now = waiters_.empty() && may_enter(as);
    if (now) admit(as);
    if (now || deadline_ns == has_passed) {
      lock_.release();
      return now;
    }
    waiter self;
    self.tag = as;
    if (wait_here<Rules>(self, deadline_ns)) return true;
    if (Rules::admits_those_behind) leave([] {});
    return false;
  }

  template <class Change>
  void leave(Change change) {
    wake_ups next;
    {
      platform::lock_guard guard(lock_);
      change();
      for (waiter* first; (first = waiters_.first()) != nullptr && may_enter(first->tag);) {
        admit(first->tag);
        next.add(*waiters_.pop());
      }
    }
    next.deliver();
  }

  bool writing_ = false;
  platform::atomic<std::uint64_t> readers_{0};  ///< under the lock; read without it by reports
  platform::atomic<identity> writer_{nullptr};  ///< written by the writer; nobody while the mutex is on its way to one
};

extern template class basic_shared_mutex<rules>;
using shared_mutex = basic_shared_mutex<>;

}  // namespace TEFF_NAMESPACE::sync
