// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The team of those who made none (include/teff/default_team.hpp).
#include "teff/teff.hpp"

#include "platform/ends.h"
#include "runtime/entrance.h"
#include "runtime/environment.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace teff::inline TEFF_PLATFORM {

namespace detail {

context* context_here() {
  auto* current = static_cast<worker*>(platform::current());
  if (current == nullptr || current->here == nullptr) return nullptr;
  return static_cast<workers::member*>(current)->team.is_of_this_process() ? current->here : nullptr;
}

namespace {

/// A task that forked is a foreign thread in the child, while it waits there: its team is not in this process.
class foreign_after_fork {
 public:
  foreign_after_fork() {
    if (context_here() == nullptr) platform::set_current(nullptr);
  }
  foreign_after_fork(const foreign_after_fork&) = delete;
  foreign_after_fork& operator=(const foreign_after_fork&) = delete;
  ~foreign_after_fork() {
    if (was_ != nullptr && platform::current() == nullptr) platform::set_current(was_);
  }

 private:
  void* const was_ = platform::current();
};

/// Whether the group's children stayed in the parent process: by its own word, or, for those that tasks put, because no team of this
/// process could have any. Pre: not called by a task.
bool is_left_behind(const sync::group& of) {
  if (of.is_left_behind()) return true;
  return platform::current() == nullptr && !of.finished() && !of.has_children_from_outside() &&
         !workers::team_base::any_is_of_this_process();
}

}  // namespace

void wait_anywhere(sync::group& of) {
  if (context* const here = context_here(); here != nullptr) return of.wait(here->current());
  if (is_left_behind(of)) {
    of.forget_children();
    throw usage_error("the tasks that this waits for are in the parent process: fork() copies the calling thread alone");
  }
  // Children of a parent's task never end here: that ends the process, as the wait of a task would.
  if (!of.has_children_from_outside()) return of.wait_as_thread();
  const foreign_after_fork alone;
  of.wait_as_thread();
}

bool finish_anywhere(sync::group& of, const void* owner) noexcept {
  if (is_left_behind(of)) {
    of.forget_children();
    return true;
  }
  // A task calls exit, perhaps a child: the process ends around what has not finished.
  if (context_here() != nullptr && platform::is_static(owner)) return false;
  wait_anywhere(of);
  return true;
}

void refuse_second_team() {
  throw usage_error(
      "a worker_local belongs to one team, and is used by tasks of a second one: make one for each, or clear it in between");
}

}  // namespace detail

#ifdef TEFF_SIMULATED

namespace {

[[noreturn]] void refuse() { throw usage_error("in simulation there is no default team: call this from a task of a team"); }

}  // namespace

void detail::call_in_default_team(void (*)(context&, void*), void*) { refuse(); }
unsigned default_team::workers() { refuse(); }
statistics default_team::stats() { refuse(); }
void default_team::end() { refuse(); }
detail::visit_of_default_team::visit_of_default_team() { refuse(); }
void detail::visit_of_default_team::leave() noexcept {}
void detail::inject_child(sync::group&, task) { refuse(); }

#else

namespace {

/// The default team of one process. Never destroyed: who calls after the end of everything still finds it.
///
/// Threads: any. Its lock is held while the team is made, so that it is made once.
class keeper {
 public:
  /// Returns: that of this process; the child of fork() gets its own. Errors: std::bad_alloc.
  static keeper& of_this_process();

  /// A call that goes on; as long as there is one, the team does not end.
  class visit {
   public:
    explicit visit(keeper& of) : of_(of), entered_(of.enter()) {}
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    ~visit() { of_.leave(); }
    runtime::entrance& operator*() const { return entered_; }

   private:
    keeper& of_;
    runtime::entrance& entered_;
  };

  runtime::entrance& enter();
  void leave();
  /// Returns: false if a call is going on, or the caller runs its tasks; else there is no team any more.
  bool end();
  /// Returns: what the team has counted; empty if there is none.
  statistics stats();

 private:
  std::unique_ptr<runtime::entrance> make();
  static void end_at_exit();

  const std::uint64_t made_in_ = platform::process_generation();
  [[maybe_unused]] keeper* const of_parent_process_;
  platform::lock lock_;
  std::unique_ptr<runtime::entrance> open_;  ///< under the lock
  unsigned visits_ = 0;                      ///< under the lock
  bool says_stats_ = false;                  ///< under the lock

  static platform::atomic<keeper*> newest_;

  explicit keeper(keeper* of_parent_process) : of_parent_process_(of_parent_process) {}
};

constinit platform::atomic<keeper*> keeper::newest_{nullptr};

keeper& keeper::of_this_process() {
  for (;;) {
    keeper* seen = newest_.load(platform::acquire);
    if (seen != nullptr && seen->made_in_ == platform::process_generation()) return *seen;
    // One of the parent process stays reachable: it is no leak. Its lock may be held for ever, so nothing of it is touched.
    std::unique_ptr<keeper> made(new keeper(seen));
    if (newest_.compare_exchange(seen, made.get(), platform::acq_rel)) return *made.release();
  }
}

runtime::entrance& keeper::enter() {
  const platform::uncancelled while_it_is_made;
  platform::lock_guard guard(lock_);
  if (open_ == nullptr) open_ = make();
  ++visits_;
  return *open_;
}

void keeper::leave() {
  platform::lock_guard guard(lock_);
  --visits_;
}

std::unique_ptr<runtime::entrance> keeper::make() {
  std::vector<std::string> complaints;
  variables given = teff_variables();
  // Each team reads these itself, and says the same.
  std::erase_if(given, [](const auto& each) { return each.first == "TEFF_DISPLAY" || each.first == "TEFF_WATCHDOG"; });
  const runtime::wishes wanted = runtime::understand_environment(given, complaints);
  for (const std::string& each : complaints) platform::say("teff: " + each + "\n");
  runtime::team_plan plan;
  if (std::string wrong = runtime::understand(wanted.team, plan); !wrong.empty()) throw usage_error(wrong);
  auto team = runtime::make_team(wanted.team, plan);
  runtime::tell_refused_threads(*team, plan);
  auto made = std::make_unique<runtime::entrance>(std::move(team));
  says_stats_ = wanted.stats;
  std::atexit(
      &end_at_exit);  // before the destructors of static objects that are older than this call, and when the library is closed
  return made;
}

std::string text_of(const statistics& counted) {
  std::string text = "teff: the default team, " + std::to_string(counted.tasks_by_worker.size()) + " workers:";
  for (const counter_value& each : counted.counters) {
    if (each.value != 0) text += " " + std::string(each.name) + " " + std::to_string(each.value) + ",";
  }
  return text + " peak_fibers " + std::to_string(counted.peak_fibers) + "\n";
}

bool keeper::end() {
  std::unique_ptr<runtime::entrance> ended;
  std::string text;
  {
    platform::lock_guard guard(lock_);
    if (visits_ != 0 || (open_ != nullptr && open_->owns_this_thread())) return false;
    if (open_ == nullptr) return true;
    // No call goes on, so the counts are exact. Where memory is refused for them, nothing has happened.
    if (says_stats_) text = text_of(detail::statistics_of(open_->team()));
    ended = std::move(open_);
  }
  ended.reset();
  platform::say(text);
  return true;
}

statistics keeper::stats() {
  platform::lock_guard guard(lock_);
  return open_ != nullptr ? detail::statistics_of(open_->team()) : statistics{};
}

/// Calls that are going on belong to threads that the process will end, or to a task that calls exit: their team is left to the
/// system.
void keeper::end_at_exit() {
  keeper* const last = newest_.load(platform::acquire);
  if (last->made_in_ != platform::process_generation()) return;
  try {
    last->end();
  } catch (const std::bad_alloc&) {  // nothing has happened: the team is left to the system
  }
}

}  // namespace

void detail::call_in_default_team(void (*call)(context&, void*), void* argument) {
  const platform::uncancelled while_it_waits;
  const keeper::visit now(keeper::of_this_process());
  auto* const current = static_cast<workers::member*>(platform::current());
  // A task of the default team itself stays where it is.
  if (context* here = context_here(); here != nullptr && &current->team == &(*now).team()) return call(*here, argument);
  const detail::foreign_after_fork alone;
  (*now).call(call, argument);
}

detail::visit_of_default_team::visit_of_default_team() : keeper_(&keeper::of_this_process()) {
  static_cast<keeper*>(keeper_)->enter();
}

void detail::visit_of_default_team::leave() noexcept { static_cast<keeper*>(keeper_)->leave(); }

void detail::inject_child(sync::group& of, task child) {
  const keeper::visit now(keeper::of_this_process());  // the child's own ends with it, perhaps before put returns
  const detail::foreign_after_fork alone;
  of.add_outside();
  if ((*now).put(child)) return;
  (*now).team().dispose(child);  // before the group hears of it: who waits may destroy what the closure refers to
  of.begin();
  of.end();
  throw std::bad_alloc();
}

unsigned default_team::workers() {
  const keeper::visit now(keeper::of_this_process());
  return (*now).team().workers();
}

statistics default_team::stats() { return keeper::of_this_process().stats(); }

void default_team::end() {
  const platform::uncancelled while_it_waits;
  if (!keeper::of_this_process().end())
    throw usage_error("the default team cannot end while a call is going on in it: let all calls return first");
}

#endif

}  // namespace teff::inline TEFF_PLATFORM
