// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How loops are divided: one function for all of them, so that a loop costs its caller's compiler no more than its iterations.
#include "runtime/begun_part.h"
#include "runtime/dealing.h"
#include "runtime/run_whole.h"
#include "teff/parallel.hpp"
#include "teff/runtime.hpp"

#include <algorithm>

namespace TEFF_NAMESPACE::detail {

void refuse_grain() { throw usage_error("the grain of a loop or reduction cannot be 0; allowed: 1 and more, or none at all"); }
void refuse_begin() {
  throw usage_error("a loop or reduction begins below 0, but its indices have an unsigned type: give both ends one signed type");
}
void refuse_end() {
  throw usage_error("a loop counts down below 0, but its indices have an unsigned type: give both ends one signed type");
}
void refuse_step() { throw usage_error("the step of a loop cannot be 0; allowed: 1 and more, −1 and less"); }

void refuse_stop() { throw usage_error("a reduction has no value before it has ended: only loops can be stopped"); }

void refuse_dealing() {
  throw usage_error("a reduction is divided in halves, so that its result is the same each time: only loops can be dealt out");
}

namespace {

/// A loop that runs. Lies on the stack of who called it.
///
/// Idea: a worker that begins a part divides it in halves, keeps the left one and offers the right one, down to 1/64; what it
///   runs then it watches: when its youngest offer was taken, all older ones were (thieves take the oldest), and it offers half
///   of what is left, unless that is brief. What is taken is begun anew by who took it, and so divided as finely.
/// Space: a frame of in_halves for each division inside of another one; where half of the stack is used up, the rest goes on on
/// another
///   one.
/// Considered: a fixed number of parts per worker: too few for uneven iterations. One offer at a time, without the 64: pools of
///   blocks show no single task to thieves. A recursion for each body, in line: each loop cost its caller 9 KB of code and a
///   third of a second of compiling.
class loop : public loop_begin {
 public:
  loop(const loop_call& call, const loop_options& options)
      : call_(call), grain_(options.grain), stop_(options.stop.is_given() ? &options.stop : nullptr) {}

  /// Effect: runs a part that nobody has begun. `seem_brief` as of begun_part.
  void begin(context& here, std::uint64_t begin, std::uint64_t end, std::uint64_t seem_brief) const {
    begun_part own(*this, end - begin, grain_ ? *grain_ : at_least_one((end - begin) / first_parts), seem_brief);
    divide(here, begin, end, own, nullptr);
  }

 private:
  /// The right half of a division, for another worker.
  struct right_half : says_label {
    right_half(const begun_part& of, std::uint64_t begin, std::uint64_t end) : of(of), begin(begin), end(end) {}
    const loop& whole() const { return static_cast<const loop&>(of.loop); }
    const char* label() const { return whole().call_.label; }
    void operator()(context& own) const { whole().begin(own, begin, end, of.seem_brief()); }

    const begun_part& of;  ///< which is on the stack of who offers this half, and waits for it
    std::uint64_t begin, end;
  };

  /// Effect: runs some of a part that somebody has begun. `youngest` is the youngest forked task that who divides has offered:
  /// nullptr: none.
  [[gnu::always_inline]] void divide(context& here, std::uint64_t begin, std::uint64_t end, begun_part& of,
                                     const sync::forked_task* youngest) const {
    if (end - begin > of.whole) return in_halves(here, begin, end, of, youngest);
    std::uint64_t reached;
    if (stop_ != nullptr) [[unlikely]] {
      reached = run_stoppably(here, begin, end, youngest);
    } else if (grain_) {
      reached = run_unwatched(here, begin, end);
    } else {
      reached = run_watched(here, begin, end, of, youngest);
    }
    if (reached == end) return;
    // Others are hungry: who gets the right half of what is left divides it anew, and what stays here is watched.
    begun_part left(of, end - reached);
    in_halves(here, reached, end, left, youngest);
  }

  /// Effect: runs all of it, whoever is hungry. Returns: `end`.
  std::uint64_t run_unwatched(context& here, std::uint64_t begin, std::uint64_t end) const {
    const sync::forked_task never_begun;  // nobody is hungry for a piece of this
    return call_.run(call_, here, begin, end, end - begin, &never_begun);
  }

  /// Effect: runs it, up to where others are hungry and what is left pays for a division. Returns: where that is.
  [[gnu::always_inline]] std::uint64_t run_watched(context& here, std::uint64_t begin, std::uint64_t end, begun_part& of,
                                                   const sync::forked_task* youngest) const {
    if (of.is_to_be_timed) [[unlikely]]
      begin = run_timed(here, begin, end, of, youngest);
    else begin = call_.run(call_, here, begin, end, of.unwatched(end - begin), youngest);
    if (begin != end && end - begin <= of.seem_brief()) [[unlikely]]
      return run_briefly(here, begin, end, of);
    return begin;
  }

  /// Effect: runs it, up to where others are hungry, and learns from it. Returns: where that is.
  [[gnu::noinline]] std::uint64_t run_timed(context& here, std::uint64_t begin, std::uint64_t end, begun_part& of,
                                            const sync::forked_task* youngest) const {
    const std::uint64_t since_ns = platform::now_ns();
    const std::uint64_t reached = call_.run(call_, here, begin, end, of.unwatched(end - begin), youngest);
    if (reached != begin) of.learn(reached - begin, since_ns);
    return reached;
  }

  /// Effect: runs what seems to be brief though others are hungry, up to where it no longer does. Returns: where that is.
  /// It is timed, in steps, since iterations behind short ones may be long. No step has more iterations than are run between two
  /// looks anyway, and the first has one.
  [[gnu::noinline]] std::uint64_t run_briefly(context& here, std::uint64_t begin, std::uint64_t end, begun_part& of) const {
    const std::uint64_t unwatched = of.unwatched(end - begin);
    std::uint64_t since_ns = platform::now_ns(), reached = begin;
    for (std::uint64_t step = 1; reached != end && end - reached <= of.seem_brief(); step = std::min(4 * step, unwatched)) {
      const std::uint64_t next = reached + std::min(step, end - reached);
      run_unwatched(here, reached, next);
      since_ns = of.learn(next - reached, since_ns);
      reached = next;
    }
    return reached;
  }

  /// Effect: as loop_call::run, with a look before each iteration; all are run, or left out, if a stop was requested.
  [[gnu::cold, gnu::noinline]] std::uint64_t run_stoppably(context& here, std::uint64_t begin, std::uint64_t end,
                                                           const sync::forked_task* youngest) const {
    for (; begin != end && !stop_->requested(); ++begin) {
      if (!grain_ && end - begin > 1 && is_wanted(youngest)) return begin;
      call_.run(call_, here, begin, begin + 1, 1, nullptr);
    }
    return end;
  }

  /// Effect: offers the right half, runs the left one, and then the right one, if it is still there.
  [[gnu::noinline]] void in_halves(context& here, std::uint64_t begin, std::uint64_t end, begun_part& of,
                                   const sync::forked_task* youngest) const {
    if (stop_ != nullptr && stop_->requested()) [[unlikely]]
      return;
    if (!here.has_room()) [[unlikely]]
      return in_halves_elsewhere(here, begin, end, of, youngest);
    const std::uint64_t middle = begin + (end - begin) / 2;
    const right_half right(of, middle, end);
    forked_task_of<const right_half> offered(right);
    fork(here, offered);
    call_beside(here, offered, [&]() __attribute__((always_inline)) { divide(here, begin, middle, of, &offered); });
    settle_by(here, offered, [&]() __attribute__((always_inline)) { divide(here, middle, end, of, youngest); });
  }

  [[gnu::cold, gnu::noinline]] void in_halves_elsewhere(context& here, std::uint64_t begin, std::uint64_t end, begun_part& of,
                                                        const sync::forked_task* youngest) const {
    auto again = labelled_call(call_.label, [&](context& own) { in_halves(own, begin, end, of, youngest); });
    call_elsewhere(here, again);
  }

  const loop_call& call_;
  const std::optional<std::uint64_t> grain_;
  const stop_condition* const stop_;  ///< nullptr: none
};

/// A loop over indices that is dealt out.
struct dealt_indices : dealt_loop {
  dealt_indices(const loop_call& call, const loop_options& options)
      : dealt_loop{&run_part, call.size, options.grain.value_or(1), call.label, options.stop}, call(call) {}

  static void run_part(const dealt_loop& all, context& here, std::uint64_t begin, std::uint64_t end) {
    const auto& self = static_cast<const dealt_indices&>(all);
    const sync::forked_task never_begun;  // nobody is hungry for a piece of this
    if (!self.stop.is_given()) {
      self.call.run(self.call, here, begin, end, end - begin, &never_begun);
      return;
    }
    for (; begin != end && !self.stop.requested(); ++begin) self.call.run(self.call, here, begin, begin + 1, 1, &never_begun);
  }

  const loop_call& call;
};

[[gnu::cold, gnu::noinline]] void run_dealt(context* given, const loop_call& call, const loop_options& options) {
  check_dealing(options);
  if (call.size == 0) return;
  const dealt_indices dealt(call, options);
  run_whole(given, call.label, [&](context& own) { deal_out(own, dealt, options.by); });
}

}  // namespace

void run_loop(context* given, const loop_call& call, const loop_options& options) {
  if (options.grain == 0) refuse_grain();
  if (options.by != loop_by::halves) [[unlikely]]
    return run_dealt(given, call, options);
  if (call.size == 0) return;
  const loop running(call, options);
  run_whole(given, call.label, [&](context& own) { running.begin(own, 0, call.size, 0); });
}

}  // namespace TEFF_NAMESPACE::detail
