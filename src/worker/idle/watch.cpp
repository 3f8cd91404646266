// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Of a run into which workers come by need: the one that looks whether it wants more.
#include "platform/tuning.h"
#include "worker/idle/participants.h"
#include "worker/totals.h"

#include <algorithm>
#include <utility>

namespace TEFF_NAMESPACE::workers {

/// Effect: somebody watches, unless all were called.
void participants::see_to_watch() {
  // relaxed: who has just given it up looks again.
  if (all_are_called() || somebody_watches_.load(platform::relaxed)) return;
  if (somebody_watches_.exchange(true, platform::acq_rel)) return;
  if (!call_next(purpose::to_watch)) somebody_watches_.store(false, platform::release);
}

/// Returns: false if the worker has come meanwhile, and does not know of the watch.
bool participants::give_watch(member& absentee) {
  absentee.watches.store(true, platform::relaxed);  // relaxed: ordered by the fence
  // [watch] Either this fence is before the one of who comes, which sees the watch when it finds a task or announces itself; or
  // behind it, and the word is seen to be another one.
  platform::fence(platform::seq_cst);
  if (absentee.word.load(platform::relaxed) == absent) return true;
  return !absentee.watches.exchange(false, platform::acq_rel);  // the one of both that has it back
}

void participants::give_up_watch(member& self) {
  // acq_rel: who saw that somebody watches, and left it at that, is seen.
  if (self.watches.exchange(false, platform::acq_rel)) somebody_watches_.exchange(false, platform::acq_rel);
}

/// Whether some worker that takes part has announced itself: puts wake it, so nobody else need come.
bool participants::somebody_sleeps() const {
  for (std::uint32_t id = 0; id < end(); ++id) {
    // acquire: behind what the caller has acquired, it sees that words have changed.
    if (sleepers::sleeps(members_[id]->word.load(platform::acquire))) return true;
  }
  return false;
}

/// Effect: sleeps until the run that goes on wants more workers, or needs no watch, or none goes on.
participants::nap_end participants::nap(member& self) {
  std::uint64_t due = 0, begun = 0, slept_since = 0;
  look seen;
  for (bool was_over = false;;) {
    // acquire: [run]
    if (self.calls.load(platform::acquire) != self.calls_seen) return nap_end::called;
    const std::uint64_t now = platform::now_ns();
    // relaxed: of a run before, it looks too early or too late.
    const std::uint64_t last_begun = std::exchange(begun, begun_ns_.load(platform::relaxed));
    if (begun != last_begun) {
      if (next_.load(platform::relaxed) <= self.id && self.id >= first_far_) {
        // It outlived its run, and another one goes on, into which nearer ones come first: one of these watches.
        give_up_watch(self);
        see_to_watch();
        return nap_end::given_up;
      }
      seen = {};
      was_over = false;
      due = std::max<std::uint64_t>(due, begun + tuning::first_watch_ns);
    }
    if (now >= due) {
      const bool over = is_over();
      if (over && was_over && stops_watching(self)) return nap_end::given_up;
      if (over || !somebody_sleeps()) slept_since = 0;
      else if (slept_since == 0) slept_since = now;
      // Where at each look somebody sleeps, for long, it sleeps as they do, and needs no clock.
      const bool sleeps_better = slept_since != 0 && (now - slept_since) / 8 >= tuning::longest_watch_ns;
      if (!over && (sleeps_better || wants_more(self, seen, now))) return nap_end::time_to_come;
      was_over = over;
      due = now + (over ? std::uint64_t{tuning::first_watch_ns}
                        : std::clamp<std::uint64_t>((now - begun) / 8, tuning::watch_interval_ns, tuning::longest_watch_ns));
    }
    platform::park_until(self.calls, self.calls_seen, due, "a worker thread: a run that wants more workers");
  }
}

/// Effect: the worker gives its watch up, unless a run goes on again in which nobody else watches. Returns: whether it does.
bool participants::stops_watching(member& self) {
  give_up_watch(self);
  platform::fence(platform::seq_cst);  // [call]
  if (is_over() || somebody_watches_.exchange(true, platform::acq_rel)) return true;
  self.watches.store(true, platform::relaxed);  // relaxed: it takes no part
  return false;
}

/// Whether nearly all of those that were called have work, and what it costs to call more is little beside the run, or beside a
/// task; for those of another package, whether there is plenty of it. Post: then twice as many are wanted, but first all of a
/// package.
bool participants::wants_more(const member& self, look& before, std::uint64_t now_ns) {
  // relaxed, all: a sample.
  const std::uint32_t next = next_.load(platform::relaxed), end = this->end();
  std::uint32_t called = 0, at_work = 0;
  std::uint64_t searches_begun = 0;
  for (std::uint32_t id = 0; id < end; ++id) {
    const member& each = *members_[id];
    const std::uint32_t word = each.word.load(platform::relaxed);  // relaxed: of a sample, as are all here
    if (&each == &self || (word == absent && id >= next)) continue;
    ++called;
    searches_begun += each.stats.value(trace::counter::searches);
    at_work += word == sleepers::awake && !each.searches.load(platform::relaxed);
  }
  // With one more worker since the last look tasks seem to be short, once.
  const look now{now_ns, progress_->progress(end), searches_begun};
  const look last = std::exchange(before, now);
  if (at_work < called - called / 8 || last.at_ns == 0) return false;
  const std::uint64_t ended = now.progress - last.progress, spent_ns = (now.at_ns - last.at_ns) * at_work;
  // relaxed, both: an estimate, and how many about are called for it.
  const std::uint64_t lasted_ns = now_ns - std::min(now_ns, begun_ns_.load(platform::relaxed));
  const bool tasks_are_long = spent_ns >= ended * tuning::long_task_ns;
  const bool goes_far = called >= first_far_;
  // Long tasks call as if workers were one level nearer. Far ones are worth it at once if nobody has begun to search since the
  // last look. While some do, what is left will soon be too little for those that there are.
  const unsigned levels = (goes_far ? 2 : 1) - (tasks_are_long ? 1 : 0);
  const bool there_is_plenty = tasks_are_long && now.searches_begun == last.searches_begun;
  if (!there_is_plenty && lasted_ns < levels * std::uint64_t{tuning::long_run_ns} * called / first_group_) return false;
  // Not beyond the package by the rules of those within it.
  wanted_.store(goes_far ? 2 * called : std::min(2 * called, first_far_), platform::relaxed);
  return true;
}

}  // namespace TEFF_NAMESPACE::workers
