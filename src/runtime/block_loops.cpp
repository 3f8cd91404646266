// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How loops in two and three dimensions are divided: as loops.cpp divides others, but in the longest dimension.
#include "runtime/begun_part.h"
#include "runtime/dealing.h"
#include "runtime/run_whole.h"
#include "teff/parallel.hpp"

#include <algorithm>

namespace TEFF_NAMESPACE::detail {

namespace {

constexpr std::uint64_t all_there_are = ~std::uint64_t{0};

/// Returns: how many points it has; all_there_are, if that is too many to count.
std::uint64_t points_of(const block& of) {
  std::uint64_t points = 1;
  for (int side = 0; side < 3; ++side) {
    if (__builtin_mul_overflow(points, of.end[side] - of.begin[side], &points)) return all_there_are;
  }
  return points;
}

bool is_empty(const block& of) {
  return std::ranges::any_of(std::initializer_list{0, 1, 2}, [&](int side) { return of.end[side] <= of.begin[side]; });
}

/// Returns: the point of a block with that number, if the last index runs fastest.
block point_of(const block& all, std::uint64_t number) {
  block point = all;
  for (int side = 2; side >= 0; --side) {
    const std::uint64_t length = all.end[side] - all.begin[side];
    point.begin[side] += number % length;
    point.end[side] = point.begin[side] + 1;
    number /= length;
  }
  return point;
}

int longest_side(const block& of) {
  int longest = 0;
  for (int side = 1; side < 3; ++side) {
    if (of.end[side] - of.begin[side] > of.end[longest] - of.begin[longest]) longest = side;
  }
  return longest;
}

/// Effect: makes `left` the left half of itself, in its longest dimension. Returns: the right one.
block cut_off(block& left) {
  const int longest = longest_side(left);
  block right = left;
  left.end[longest] = right.begin[longest] = left.begin[longest] + (left.end[longest] - left.begin[longest]) / 2;
  return right;
}

/// A loop over blocks that runs. Lies on the stack of who called it.
///
/// Idea: as of loops.cpp's. A part that is not divided at first is cut further, without offers, down to what is run between two
/// looks;
///   whenever others are hungry then, one half of what is cut is offered. Space: as there.
class block_loop : public loop_begin {
 public:
  block_loop(const block_call& call, const loop_options& options)
      : call_(call), grain_(options.grain), stop_(options.stop.is_given() ? &options.stop : nullptr) {}

  /// Effect: runs a part that nobody has begun. `seem_brief` as of begun_part.
  void begin(context& here, const block& part, std::uint64_t seem_brief) const {
    const std::uint64_t points = points_of(part);
    begun_part own(*this, points, grain_ ? *grain_ : at_least_one(points / first_parts), seem_brief);
    divide(here, part, own, nullptr);
  }

 private:
  /// The right half of a division, for another worker.
  struct right_half : says_label {
    right_half(const begun_part& of, const block& part) : of(of), part(part) {}
    const block_loop& whole() const { return static_cast<const block_loop&>(of.loop); }
    const char* label() const { return whole().call_.label; }
    void operator()(context& own) const { whole().begin(own, part, of.seem_brief()); }

    const begun_part& of;  ///< which is on the stack of who offers this half, and waits for it
    const block& part;
  };

  bool is_stopped() const { return stop_ != nullptr && stop_->requested(); }

  /// Points that are run between two looks.
  std::uint64_t unwatched_of(std::uint64_t points, const begun_part& of) const {
    if (stop_ != nullptr && call_.by_points) return 1;
    return grain_ ? *grain_ : of.unwatched(points);
  }

  void divide(context& here, const block& part, begun_part& of, const sync::forked_task* youngest) const {
    const std::uint64_t points = points_of(part);
    if (points > of.whole) in_halves(here, part, of, youngest);
    else run_watched(here, part, unwatched_of(points, of), of, youngest);
  }

  /// Effect: runs a part, and offers halves of it whenever others are hungry and it pays for that.
  void run_watched(context& here, const block& part, std::uint64_t unwatched, begun_part& of,
                   const sync::forked_task* youngest) const {
    const std::uint64_t points = points_of(part);
    if (is_stopped()) return;
    const bool hungry = !grain_ && is_wanted(youngest);
    if (hungry && points > at_least_one(of.seem_brief())) {
      begun_part left(of, points);
      return in_halves(here, part, left, youngest);
    }
    if (points <= unwatched) {
      // As in loops.cpp: the first ones, and what is kept though others are hungry; nothing with a grain, or if it may be
      // stopped.
      const bool is_timed = !grain_ && stop_ == nullptr && (of.is_to_be_timed || (hungry && of.seem_brief() != 0));
      return run_timed(here, part, points, is_timed, of);
    }
    if (!here.has_room()) [[unlikely]]
      return elsewhere(here, [&](context& own) { run_watched(own, part, unwatched, of, youngest); });
    block left = part;
    const block right = cut_off(left);
    run_watched(here, left, unwatched, of, youngest);
    run_watched(here, right, unwatched, of, youngest);
  }

  void run_timed(context& here, const block& part, std::uint64_t points, bool is_timed, begun_part& of) const {
    const std::uint64_t since_ns = is_timed ? platform::now_ns() : 0;
    call_.run(call_, here, part);
    if (is_timed) of.learn(points, since_ns);
  }

  /// Effect: offers the right half, runs the left one, and then the right one, if it is still there.
  void in_halves(context& here, const block& part, begun_part& of, const sync::forked_task* youngest) const {
    if (is_stopped()) return;
    if (!here.has_room()) [[unlikely]]
      return elsewhere(here, [&](context& own) { in_halves(own, part, of, youngest); });
    block left = part;
    const block right = cut_off(left);
    const right_half offer(of, right);
    forked_task_of<const right_half> offered(offer);
    fork(here, offered);
    call_beside(here, offered, [&] { divide(here, left, of, &offered); });
    settle_by(here, offered, [&] { divide(here, right, of, youngest); });
  }

  template <class Function>
  [[gnu::cold, gnu::noinline]] void elsewhere(context& here, Function function) const {
    labelled_call whole(call_.label, function);
    call_elsewhere(here, whole);
  }

  const block_call& call_;
  const std::optional<std::uint64_t> grain_;
  const stop_condition* const stop_;  ///< nullptr: none
};

/// A loop over blocks that is dealt out: by points, the last index running fastest, or by slices across the longest side.
struct dealt_blocks : dealt_loop {
  dealt_blocks(const block_call& call, const loop_options& options)
      : dealt_loop{options.by == loop_by::each ? &run_points : &run_slices, 0, options.grain.value_or(1), call.label,
                   options.stop},
        call(call),
        side(longest_side(call.all)) {
    const std::uint64_t points = points_of(call.all), slices = call.all.end[side] - call.all.begin[side];
    units = options.by == loop_by::each ? points : slices;
    if (options.by != loop_by::each) grain = at_least_one(grain / at_least_one(points / slices));
  }

  static void run_points(const dealt_loop& all, context& here, std::uint64_t begin, std::uint64_t end) {
    const auto& self = static_cast<const dealt_blocks&>(all);
    self.run_until_stopped(here, self.call.all, begin, end);
  }

  static void run_slices(const dealt_loop& all, context& here, std::uint64_t begin, std::uint64_t end) {
    const auto& self = static_cast<const dealt_blocks&>(all);
    block part = self.call.all;
    part.end[self.side] = part.begin[self.side] + end;
    part.begin[self.side] += begin;
    if (self.stop.is_given() && self.call.by_points) self.run_until_stopped(here, part, 0, points_of(part));
    else if (!self.stop.requested()) self.call.run(self.call, here, part);
  }

  /// Effect: runs the points of a block with these numbers.
  void run_until_stopped(context& here, const block& of, std::uint64_t begin, std::uint64_t end) const {
    for (; begin != end && !stop.requested(); ++begin) call.run(call, here, point_of(of, begin));
  }

  const block_call& call;
  const int side;
};

[[gnu::cold, gnu::noinline]] void run_dealt_blocks(context* given, const block_call& call, const loop_options& options) {
  check_dealing(options);
  if (is_empty(call.all)) return;
  const dealt_blocks dealt(call, options);
  run_whole(given, call.label, [&](context& own) { deal_out(own, dealt, options.by); });
}

}  // namespace

void run_blocks(context* given, const block_call& call, const loop_options& options) {
  if (options.grain == 0) refuse_grain();
  if (options.by != loop_by::halves) [[unlikely]]
    return run_dealt_blocks(given, call, options);
  if (is_empty(call.all)) return;
  const block_loop running(call, options);
  run_whole(given, call.label, [&](context& own) { running.begin(own, call.all, 0); });
}

}  // namespace TEFF_NAMESPACE::detail
