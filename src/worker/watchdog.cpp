// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/watchdog.h"

#include "platform/line.h"
#include "worker/team.h"

#include <algorithm>
#include <new>
#include <vector>

namespace TEFF_NAMESPACE::workers {

namespace {

/// How long all workers sleep before a reader of standard error wants to know. Long against what a thread outside usually takes.
constexpr std::uint64_t quiet_ns = 1'000'000'000;
/// The watchdog looks so often in its time.
constexpr std::uint64_t looks = 4;

std::string tasks(std::int64_t count) { return std::to_string(count) + (count == 1 ? " task" : " tasks"); }

std::string seconds(std::uint64_t ns) {
  if (ns < 100'000'000) return std::to_string(ns / 1'000'000) + " ms";
  const std::uint64_t tenths = ns / 100'000'000;
  return std::to_string(tenths / 10) + (tenths % 10 != 0 ? "." + std::to_string(tenths % 10) : "") + " s";
}

std::int64_t waiting(const fibers::situation& seen) { return static_cast<std::int64_t>(seen.tasks.size()); }

/// Returns: what `make` makes, kept in `text`, or a shorter sentence if there is no memory for that; a literal, which needs none.
template <class Make>
std::string_view made_or(std::string& text, const char* otherwise, Make make) noexcept {
  try {
    text = make();
    return text;
  } catch (const std::bad_alloc&) {
    return otherwise;
  }
}

/// Writing takes time, in which others go on: in simulation, too.
void say(std::string_view text) {
  platform::pause();
  platform::say({"teff: ", text});
}

}  // namespace

watchdog::watchdog(team_base& team, std::uint64_t watchdog_ns)
    : team_(team),
      watchdog_ns_(watchdog_ns),
      quiet_(*this, [](fibers::timer& due) { static_cast<alarm&>(due).of.look_whether_quiet(); }),
      watchdog_(*this, [](fibers::timer& due) { static_cast<alarm&>(due).of.look_for_progress(); }) {}

void watchdog::set(alarm& which, std::uint64_t delay_ns) {
  which.deadline_ns = platform::now_ns() + delay_ns;
  which.armed = team_.add_timer(which);
  which.to_cancel |= which.armed;
}

void watchdog::begin_run() {
  // Without the lock: no alarm is set, and what sets one is a run.
  active_ = true;
  outsider_told_ = false;
  if (watchdog_ns_ == 0) return;
  last_progress_ = team_.progress();
  since_ns_ = platform::now_ns();
  told_ = false;
  platform::lock_guard guard(lock_);
  set(watchdog_, watchdog_ns_ / looks);
}

void watchdog::end_run() {
  bool quiet, watched;
  {
    platform::lock_guard guard(lock_);
    active_ = false;  // from here on no alarm is set again
    quiet = std::exchange(quiet_.to_cancel, false);
    watched = std::exchange(watchdog_.to_cancel, false);
  }
  // Also one that fires just now, which is no longer armed but may have something to say.
  if (quiet) team_.cancel_timer(quiet_);
  if (watched) team_.cancel_timer(watchdog_);
  platform::lock_guard guard(lock_);
  quiet_.armed = watchdog_.armed = false;  // what was cancelled does not say so
}

// --- only somebody outside could go on ---------------------------------------------------------------------------------------

void watchdog::expect_outsider() {
  platform::lock_guard guard(lock_);
  if (!active_ || outsider_told_ || quiet_.armed) return;
  wakes_ = team_.wake_count();
  set(quiet_, quiet_ns);
  if (quiet_.armed) return;
  outsider_told_ = true;
  platform::say(
      "teff: no task can go on, unless a thread outside of the team helps (no thread or memory was left to see which waits for what)\n");
}

void watchdog::look_whether_quiet() {
  std::string made;
  const std::string_view text = made_or(
      made, "no task can go on, unless a thread outside of the team helps (no memory was left to see which waits for what)\n",
      [this] { return text_if_quiet(); });
  if (!text.empty()) say(text);
}

std::string watchdog::text_if_quiet() {
  platform::lock_guard outside(team_.outside_lock());
  platform::lock_guard guard(lock_);
  quiet_.armed = false;
  if (!active_ || !team_.is_quiet()) return {};
  const std::uint32_t wakes = team_.wake_count();
  if (wakes != wakes_) {
    wakes_ = wakes;
    set(quiet_, quiet_ns);
    return {};
  }
  fibers::situation seen;
  seen.now_ns = platform::recent_ns();
  team_.all.for_each([&](const fibers::fiber& each) { seen.add(each); });
  // Whoever ends such a wait wakes a worker: then the next look is due. So does who has just made a fiber ready.
  const auto is_held_outside = [](const auto& each) { return each.held_outside; };
  if (seen.ready != 0 || std::any_of(seen.fibers.begin(), seen.fibers.end(), is_held_outside)) return {};
  outsider_told_ = true;
  seen.running.clear();
  return "nothing has run for " + seconds(quiet_ns) + ": " + tasks(std::max(tasks_left(), waiting(seen))) +
         " cannot go on, unless a thread outside of the team helps" +
         (children_may_be_elsewhere() ? ", or another team, which may have children that are waited for:\n" : ":\n") +
         explain(seen);
}

// --- the watchdog ------------------------------------------------------------------------------------------------------------

std::int64_t watchdog::tasks_left() const { return static_cast<std::int64_t>(team_.live()); }

void watchdog::look_for_progress() {
  const std::uint64_t now = platform::now_ns(), reached = team_.progress();
  if (reached != last_progress_) {
    last_progress_ = reached;
    since_ns_ = now;
    told_ = false;
  } else if (!told_ && now - since_ns_ >= watchdog_ns_ && tasks_left() > 0) {
    told_ = true;
    std::string text;
    say(made_or(text, "no progress, and no memory to say why\n", [this] { return text_without_progress(); }));
  }
  platform::lock_guard guard(lock_);
  watchdog_.armed = false;
  if (active_) set(watchdog_, watchdog_ns_ / looks);
}

std::string watchdog::text_without_progress() const {
  fibers::situation seen;
  seen.now_ns = platform::recent_ns();
  const bool held_still = team_.inspect([&](const fibers::fiber& each) { seen.add(each); });
  const std::int64_t left = tasks_left() + static_cast<std::int64_t>(seen.joined);
  return "no task has finished, waited or gone on for " + seconds(watchdog_ns_) + " (TEFF_WATCHDOG); " + tasks(left) +
         (held_still ? " left:\n" : " left (this kernel has no membarrier, which a closer look needs)\n") + explain(seen);
}

// --- certainty ----------------------------------------------------------------------------------------------------------------

/// Where tasks are left that the pool has lost the run cannot end, whoever has the others. Workers that their tasks keep may
/// leave some in it that are not lost; but where what is waited for has not begun, nobody else may begin it.
bool watchdog::children_may_be_elsewhere() const try {
  const auto each_blocked = [this](auto visit) {
    team_.all.for_each([&](const fibers::fiber& each) {
      // acquire: pairs with fiber::become: waits_for is visible.
      if (each.now.load(platform::acquire) == fibers::fiber::state::blocked) visit(each);
    });
  };
  fibers::waited_children waited;
  each_blocked([&](const fibers::fiber& each) { waited.add_wait(each); });
  waited.sort();
  each_blocked([&](const fibers::fiber& each) { waited.add_tasks(each); });
  if (!waited.may_be_elsewhere()) return false;
  if (tasks_left() <= static_cast<std::int64_t>(waited.tasks())) return true;
  bool some_have_not_begun = false;
  each_blocked([&](const fibers::fiber& each) { some_have_not_begun |= each.waits_for->has_unbegun(); });
  return waited.keep_workers() && !some_have_not_begun;
} catch (const std::bad_alloc&) {
  return false;
}

/// A fiber is ready before who made it so has the lock. It stays so, so that without one at the end all that was looked at before
/// has been as it is.
bool watchdog::nobody_can_help() const {
  // acquire: pairs with fiber::become.
  const auto is_ready = [](const fibers::fiber& each) { return each.now.load(platform::acquire) == fibers::fiber::state::ready; };
  return all_waits_are_for_own_tasks() && !team_.all.any(is_ready);
}

bool watchdog::all_waits_are_for_own_tasks() const try {
  using state = fibers::fiber::state;
  const bool hope = team_.all.any([](const fibers::fiber& each) {
    // acquire: pairs with fiber::become: waits_for is visible.
    return each.now.load(platform::acquire) == state::blocked && !each.waits_for->only_tasks_end_it();
  });
  if (hope || children_may_be_elsewhere()) return false;
  // Where memory has run out, as it may have where stacks were refused, this much can be told without.
  const bool any_is_held = team_.all.any([](const fibers::fiber& each) {
    // acquire: likewise.
    return each.now.load(platform::acquire) == state::blocked && each.waits_for->holder() != nullptr;
  });
  if (!any_is_held) return true;
  // Tasks all right, but whose?
  fibers::stacks_of_team own;
  std::vector<const task_frame*> holders;
  team_.all.for_each([&](const fibers::fiber& each) {
    own.add(each);
    if (each.now.load(platform::acquire) != state::blocked) return;  // acquire: likewise
    const task_frame* const holder = each.waits_for->holder();
    if (holder != nullptr && (holders.empty() || holders.back() != holder)) holders.push_back(holder);
  });
  own.sort();
  return std::all_of(holders.begin(), holders.end(), [&](const task_frame* holder) { return own.hold(holder); });
} catch (const std::bad_alloc&) {
  return false;
}

// --- the end -----------------------------------------------------------------------------------------------------------------

std::string_view watchdog::explain_end(std::string& kept) const noexcept {
  return made_or(kept, "the run cannot end, and there is no memory to say why\n", [this] {
    fibers::situation seen;
    seen.now_ns = platform::recent_ns();
    team_.all.for_each([&](const fibers::fiber& each) { seen.add(each); });
    seen.running.clear();
    const std::int64_t left = tasks_left() + static_cast<std::int64_t>(seen.joined), lost = left - std::min(left, waiting(seen));
    std::string text = "the run cannot end: ";
    if (!seen.fibers.empty())
      text += "every task that is left waits (" + tasks(left < 0 ? waiting(seen) : left - lost) + "):\n" + explain(seen);
    if (left < 0 && !seen.fibers.empty()) text += "  and ";
    if (left < 0) return text + "more tasks have finished than were created (" + tasks(-left) + "): the pool gave some twice\n";
    if (lost == 0) return text;
    if (!seen.fibers.empty()) text += "  and ";
    text += "tasks are left that no worker can get (" + tasks(lost) + ")\n";
    return text;
  });
}

}  // namespace TEFF_NAMESPACE::workers
