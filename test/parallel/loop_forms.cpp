// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// parallel_for in its further forms: iterator pairs, steps, blocks, and loops that are stopped; and on the smallest stacks.
#include "scene.h"

#include "platform/sanitizers.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::testing_parallel {
namespace {

/// Returns: what a loop with a step calls its body with, in order.
template <class First, class Last, class Step>
auto stepped(context& here, First first, Last last, Step step) {
  std::vector<std::common_type_t<First, Last>> seen;
  teff::mutex guard;
  parallel_for(here, first, last, step, [&](std::common_type_t<First, Last> i) {
    guard.lock();
    seen.push_back(i);
    guard.unlock();
  });
  std::sort(seen.begin(), seen.end());
  if (step < 0) std::reverse(seen.begin(), seen.end());
  return seen;
}

/// The same, by numbers that never overflow.
template <class First, class Last, class Step>
auto stepped_alone(First first, Last last, Step step) {
  std::vector<std::common_type_t<First, Last>> seen;
  __extension__ using wide = __int128;
  for (wide i = first; step > 0 ? i < wide(last) : i > wide(last); i += step) {
    seen.push_back(static_cast<std::common_type_t<First, Last>>(i));
  }
  return seen;
}

template <class Index>
void expect_steps(context& here) {
  using limits = std::numeric_limits<Index>;
  using signed_type = std::make_signed_t<Index>;
  const Index least = limits::min(), most = limits::max();
  const Index near = static_cast<Index>(most - 7), low = static_cast<Index>(least + 7);
  for (const auto& [first, last] : {std::pair<Index, Index>{0, 10}, {10, 0}, {5, 5}, {near, most}, {most, near}, {least, low},
                                    {low, least}, {least, most}, {most, least}}) {
    for (const int wanted : {1, 2, 3, 7, 100, 127, -1, -2, -3, -7, -100, -128}) {
      const auto step = static_cast<signed_type>(wanted);
      const auto begin = static_cast<std::uint64_t>(std::min(first, last));
      const auto end = static_cast<std::uint64_t>(std::max(first, last));
      const bool few = end - begin <= 300;
      if (!few) continue;
      EXPECT_EQ(stepped(here, first, last, step), stepped_alone(first, last, step)) << +first << " " << +last << " " << wanted;
    }
    const signed_type widest = std::numeric_limits<signed_type>::max(), lowest = std::numeric_limits<signed_type>::min();
    EXPECT_EQ(stepped(here, first, last, widest), stepped_alone(first, last, widest)) << +first << " " << +last;
    EXPECT_EQ(stepped(here, first, last, lowest), stepped_alone(first, last, lowest)) << +first << " " << +last;
  }
}

TEST(loop_forms, with_steps_reach_what_serial_loops_reach) {
  in_a_task({.pool = "dq5", .workers = 2}, 1, [](context& here) {
    expect_steps<std::int8_t>(here);
    expect_steps<std::uint8_t>(here);
    expect_steps<int>(here);
    expect_steps<unsigned>(here);
    expect_steps<std::int64_t>(here);
    expect_steps<std::uint64_t>(here);
    EXPECT_EQ(stepped(here, 9u, -1, -3), (std::vector<unsigned>{9, 6, 3, 0}));
    EXPECT_EQ(sentence_of([&] { stepped(here, 9u, -2, -1); }),
              "a loop counts down below 0, but its indices have an unsigned type: give both ends one signed type");
    EXPECT_EQ(sentence_of([&] { stepped(here, 0, 9, 0); }), "the step of a loop cannot be 0; allowed: 1 and more, −1 and less");
  });
}

/// Whether loops count in that type.
template <class Index>
constexpr bool may_count_in = requires(Index index, void (*body)(Index)) { parallel_for(index, index, body); };
static_assert(may_count_in<char> && may_count_in<wchar_t> && may_count_in<char32_t> && may_count_in<long long>);
static_assert(!may_count_in<bool> && !may_count_in<double>);

TEST(loop_forms, count_in_characters) {
  in_a_task({.pool = "dq5", .workers = 1}, 1, [](context& here) {
    std::string letters;
    parallel_for(here, 'a', 'f', [&](char letter) { letters += letter; });
    parallel_for('x', 'z', [&](char letter) { letters += letter; });
    parallel_for(here, 'z', 'a', -12, [&](char letter) { letters += letter; });
    EXPECT_EQ(letters, "abcdexyznb");
    std::u32string wide;
    parallel_for(here, U'α', U'ε', [&](char32_t letter) { wide += letter; });
    EXPECT_TRUE(wide == U"αβγδ");
    std::string pairs;
    parallel_for(here, blocked_range({'a', 'x'}, {'c', 'z'}), [&](char i, char j) { pairs += {i, j, ' '}; });
    EXPECT_EQ(pairs, "ax ay bx by ");
    EXPECT_EQ(parallel_reduce(here, 'a', 'd', 0, [](char letter) { return letter - 'a'; }, std::plus<>()), 3);
  });
}

TEST(loop_forms, with_iterators_reach_each_element) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    std::deque<int> numbers(70, 1);
    parallel_for(here, numbers.begin() + 1, numbers.end(), [](int& each) { ++each; });
    parallel_for(numbers.begin(), numbers.end(), [](context&, int& each) { ++each; }, {.grain = 7});
    const int sum = parallel_reduce(here, numbers.cbegin(), numbers.cend(), 0, [](int each) { return each; }, std::plus<>());
    EXPECT_EQ(sum, 3 * 70 - 1);
    int array[3] = {};
    parallel_for(here, array + 2, array, [](int& each) { each = 1; });
    EXPECT_EQ(array[0] + array[1] + array[2], 0) << "an end in front of the beginning";
  });
}

TEST(loop_forms, in_two_and_three_dimensions_reach_each_point) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    for (const auto grain : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(1), std::optional<std::uint64_t>(9)}) {
      std::vector<platform::atomic<int>> counts(5 * 30), cube(3 * 4 * 5);
      const auto count = [&](int i, int j) { counts[static_cast<unsigned>(30 * i + j)].fetch_add(1, platform::relaxed); };
      parallel_for(here, blocked_range({5, 30}), count, {.grain = grain});
      parallel_for(here, blocked_range({1, 2, 3}, {4u, 6u, 8u}),
                   [&](context&, unsigned i, unsigned j, unsigned k) {
                     cube[((i - 1) * 4 + j - 2) * 5 + k - 3].fetch_add(1, platform::relaxed);
                   },
                   {.grain = grain});
      parallel_for(here, blocked_range({5, 30}),
                   [&](const blocked_range<int, 2>& part) {
                     EXPECT_LE(part.size(0) * part.size(1), grain.value_or(150));
                     for (int i = part.first(0); i < part.last(0); ++i) {
                       for (int j = part.first(1); j < part.last(1); ++j) count(i, j);
                     }
                   },
                   {.grain = grain});
      EXPECT_TRUE(std::all_of(counts.begin(), counts.end(), [](auto& each) { return each.load(platform::relaxed) == 2; }));
      EXPECT_TRUE(std::all_of(cube.begin(), cube.end(), [](auto& each) { return each.load(platform::relaxed) == 1; }));
    }
    parallel_for(here, blocked_range({0, 7}), [](int, int) { ADD_FAILURE(); });
    parallel_for(here, blocked_range({4, 0}, {3, 7}), [](int, int) { ADD_FAILURE(); });
  });
}

TEST(loop_forms, divide_blocks_in_their_longest_dimension) {
  in_a_task({.pool = "dq5", .workers = 1}, 1, [](context& here) {
    parallel_for(here, blocked_range({4, 64}),
                 [&](const blocked_range<int, 2>& part) {
                   EXPECT_EQ(part.size(0), 4u);
                   EXPECT_EQ(part.size(1), 4u);
                 },
                 {.grain = 16});
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    EXPECT_THROW(parallel_for(here, blocked_range({most, most, most}), [](auto, auto, auto) { throw 1; }), int)
        << "too many to count";
  });
}

/// What tells a loop to stop.
struct stop_flag {
  platform::atomic<bool> set{false};
  bool stop_requested() const { return set.load(platform::relaxed); }
};

TEST(loop_forms, begin_nothing_more_when_they_are_stopped) {
  in_a_task_on_every_pool(few_seeds, [](context& here) {
    for (const auto grain : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(4)}) {
      stop_flag stop;
      platform::atomic<int> begun{0}, ended{0}, begun_late{0};
      parallel_for(here, 0, 1'000'000,
                   [&](int) {
                     if (stop.set.load(platform::relaxed)) begun_late.fetch_add(1, platform::relaxed);
                     if (begun.fetch_add(1, platform::relaxed) == 20) stop.set.store(true, platform::relaxed);
                     ended.fetch_add(1, platform::relaxed);
                   },
                   {.grain = grain, .stop = stop});
      EXPECT_EQ(begun.load(platform::relaxed), ended.load(platform::relaxed));
      EXPECT_GE(begun.load(platform::relaxed), 21);
      EXPECT_LE(begun_late.load(platform::relaxed), 8) << "each worker at most the one that it had asked for";
      parallel_for(here, 0, 100, [](int) { ADD_FAILURE(); }, {.grain = grain, .stop = stop});
      parallel_for(here, blocked_range({10, 10}), [](int, int) { ADD_FAILURE(); }, {.grain = grain, .stop = stop});
    }
    const stop_flag never;
    platform::atomic<int> runs{0};
    parallel_for(here, 0, 60, [&](int) { runs.fetch_add(1, platform::relaxed); }, {.stop = never});
    parallel_for(here, blocked_range({6, 10}), [&](int, int) { runs.fetch_add(1, platform::relaxed); }, {.stop = never});
    EXPECT_EQ(runs.load(platform::relaxed), 120);
    EXPECT_EQ(sentence_of([&] { parallel_reduce(here, 0, 9, 0, [](int i) { return i; }, std::plus<>(), {.stop = never}); }),
              "a reduction has no value before it has ended: only loops can be stopped");
  });
}

#if defined(TEFF_ADDRESS_SANITIZER) || defined(TEFF_THREAD_SANITIZER)
constexpr std::size_t small_stack = 32 * 1024;
#else
constexpr std::size_t small_stack = 16 * 1024;  // half of it is left to who throws: 4 KiB are just too few
#endif

/// Where the innermost call of two loops was.
enum class reached { nowhere, outermost_stack, further_stack };

/// Effect: calls `loop` with a function that calls it again, with one that throws, on a stack of this size: a worker's first task
/// has its thread's. Returns: where that one was called. A stack that was used up would end the process.
reached reached_by(const std::function<void(context&, const std::function<void()>&)>& loop) {
  reached where = reached::nowhere;
  in_a_task({.pool = "dq5", .workers = 1, .settings = {"stack=" + std::to_string(small_stack)}}, 1, [&](context& here) {
    latch done(1);
    task_group other;
    other.put(here, [&](context& own) {
      const auto fails = [&] {
        where = detail::context_here() == &own ? reached::outermost_stack : reached::further_stack;
        throw std::runtime_error("planted");
      };
      EXPECT_THROW(loop(own, [&] { loop(*detail::context_here(), fails); }), std::runtime_error);
      done.count_down();
    });
    done.wait();
    other.wait(here);
  });
  return where;
}

// Each division is a frame: twice 62 of them do not fit.
TEST(loop_forms, go_on_on_further_stacks_when_one_is_used_up) {
  static constexpr std::uint64_t size = std::uint64_t{1} << 62, side = std::uint64_t{1} << 30;
  const reached all[] = {
      reached_by([](context& here, const std::function<void()>& fails) {
        parallel_for(here, std::uint64_t{0}, size, [&](std::uint64_t) { fails(); }, {.grain = 1});
      }),
      reached_by([](context& here, const std::function<void()>& fails) {
        const auto once = [&](std::uint64_t) -> std::uint64_t { return fails(), 0; };
        parallel_reduce(here, std::uint64_t{0}, size, std::uint64_t{0}, once, std::plus<>(), {.grain = 1});
      }),
      reached_by([](context& here, const std::function<void()>& fails) {
        parallel_for(here, blocked_range({side, side}), [&](auto, auto) { fails(); }, {.grain = 1});
      }),
      reached_by([](context& here, const std::function<void()>& fails) {
        parallel_for(here, blocked_range({side, side}), [&](auto, auto) { fails(); });  // whose pieces are cut in place
      }),
  };
#if !defined(TEFF_ADDRESS_SANITIZER) && !defined(TEFF_THREAD_SANITIZER)  // which change how large frames are
  for (const reached each : all) EXPECT_EQ(each, reached::further_stack);
#else
  for (const reached each : all) EXPECT_NE(each, reached::nowhere);
#endif
}

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_parallel
