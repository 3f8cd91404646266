// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Loops in which members take several chunks at once: each is run once, in its own loop, and none waits beside a member that has
/// nothing to do. And doacross loops: an iteration runs when those it depends on have said so, and then it does.
#include "scenes_of_loops.h"

#include "constructs.h"
#include "platform/faults.h"

#include <array>

extern "C" {
using region_of_a_loop = void(outlined*, void* data, unsigned threads, long start, long end, long step, long chunk,
                              unsigned flags);
region_of_a_loop GOMP_parallel_loop_static, GOMP_parallel_loop_dynamic, GOMP_parallel_loop_guided,
    GOMP_parallel_loop_nonmonotonic_guided;
void GOMP_parallel_loop_runtime(outlined*, void* data, unsigned threads, long start, long end, long step, unsigned flags);
bool GOMP_loop_runtime_next(long* from, long* to);
using long_number = unsigned long long;
using begin_of_a_long_loop = bool(bool up, long_number start, long_number end, long_number step, long_number chunk,
                                  long_number* from, long_number* to);
begin_of_a_long_loop GOMP_loop_ull_static_start, GOMP_loop_ull_dynamic_start, GOMP_loop_ull_guided_start,
    GOMP_loop_ull_ordered_static_start, GOMP_loop_ull_ordered_dynamic_start, GOMP_loop_ull_ordered_guided_start;
bool GOMP_loop_ull_static_next(long_number* from, long_number* to);
bool GOMP_loop_ull_dynamic_next(long_number* from, long_number* to);
bool GOMP_loop_ull_guided_next(long_number* from, long_number* to);
bool GOMP_loop_ull_ordered_static_next(long_number* from, long_number* to);
bool GOMP_loop_ull_ordered_dynamic_next(long_number* from, long_number* to);
bool GOMP_loop_ull_ordered_guided_next(long_number* from, long_number* to);
}

namespace TEFF_NAMESPACE::testing_openmp {

namespace {

template <std::size_t Count>
using counts = std::array<counter, Count>;

template <std::size_t Count>
void expect_each_once(const counts<Count>& ran) {
  for (const counter& times : ran) expect(read(times) == 1, "an iteration of a loop in batches did not run once");
}

template <std::size_t Count>
auto counted_in(counts<Count>& ran) {
  return [&ran](long at) { add(ran[static_cast<std::size_t>(at)]); };
}

void one_loop(unsigned members) {
  counts<9> ran{};
  parallel(members, [&] {
    loop(any_order, ran.size(), counted_in(ran));
    expect_each_once(ran);
  });
}

/// One behind the other without a barrier, chunks of one and of three (the last one has two); one is used again, as all have left
/// the first before some come to the last; the last member comes late.
void loops_in_a_row(unsigned members) {
  std::array<counts<14>, 4> ran{};
  parallel(members, [&] {
    if (number() + 1 == members) platform::spin_until(ran[1][4], [](unsigned times) { return times != 0; }, "the others");
    for (std::size_t each = 0; each < ran.size(); ++each) {
      schedule how = any_order;
      how.chunk = each == 2 ? 3 : 1;
      loop_nowait(how, ran[each].size(), counted_in(ran[each]));
    }
    GOMP_barrier();
    for (const auto& one : ran) expect_each_once(one);
  });
}

/// A region that is a loop, and then the same again: the first one of a region is described by who opens it.
void loops_that_are_regions(unsigned members) {
  for (unsigned region = 0; region < 2; ++region) {
    counts<13> ran{};
    const auto part = [](void* data) {
      long from = 0, to = 0;
      while (any_order.next(&from, &to)) {
        for (long at = from; at < to; ++at) counted_in (*static_cast<counts<13>*>(data))(at);
      }
      GOMP_loop_end_nowait();
    };
    GOMP_parallel_loop_nonmonotonic_dynamic(part, &ran, members, 0, static_cast<long>(ran.size()), 1, 1, 0);
    expect_each_once(ran);
  }
}

/// One such region: `next` goes on in it.
struct loop_region {
  bool (*next)(long*, long*);
  counts<13> ran{};

  static constexpr long first = -5, step = 3, end = first + step * 13 - 1;  // the last iteration is two before the end
  static void part(void* itself) {
    auto& own = *static_cast<loop_region*>(itself);
    long from = 0, to = 0;
    while (own.next(&from, &to)) {
      for (long at = from; at < to; at += step) counted_in(own.ran)((at - first) / step);
    }
    GOMP_loop_end_nowait();
  }
};

/// Those of each kind, with chunks and without, the next one in the place of the one before.
void loops_that_are_regions_of_each_kind(unsigned members) {
  struct kind {
    region_of_a_loop* run;
    bool (*next)(long*, long*);
    long chunk;
  };
  constexpr kind kinds[] = {{GOMP_parallel_loop_static, GOMP_loop_static_next, 0},
                            {GOMP_parallel_loop_static, GOMP_loop_static_next, 5},
                            {GOMP_parallel_loop_dynamic, GOMP_loop_dynamic_next, 1},
                            {GOMP_parallel_loop_dynamic, GOMP_loop_dynamic_next, 4},
                            {GOMP_parallel_loop_guided, GOMP_loop_guided_next, 2},
                            {GOMP_parallel_loop_nonmonotonic_guided, GOMP_loop_guided_next, 1}};
  for (const kind& each : kinds) {
    loop_region one{each.next};
    each.run(loop_region::part, &one, members, loop_region::first, loop_region::end, loop_region::step, each.chunk, 0);
    expect_each_once(one.ran);
  }
  loop_region one{GOMP_loop_runtime_next};
  GOMP_parallel_loop_runtime(loop_region::part, &one, members, loop_region::first, loop_region::end, loop_region::step, 0);
  expect_each_once(one.ran);
}

/// One iteration ends when all others have run: nobody may keep some to itself meanwhile.
void a_long_iteration(unsigned members) {
  for (const long which : {0L, 5L, 11L}) {
    counts<16> ran{};
    counter others{0};
    parallel(members, [&] {
      loop(any_order, ran.size(), [&](long at) {
        counted_in(ran)(at);
        if (at != which) return add(others);
        platform::spin_until(others, [&](unsigned now) { return now + 1 == ran.size(); }, "all other iterations");
      });
      expect_each_once(ran);
    });
  }
}

/// Who has got the last iteration gets no other one: gcc goes by that when it writes lastprivate back.
void the_last_iteration(unsigned members) {
  constexpr std::size_t count = 26;
  counts<count> ran{};
  std::array<bool, 8> has_last{};
  parallel(members, [&] {
    loop(any_order, count, [&](long at) {
      expect(!has_last[number()], "a member got another iteration after the last one");
      has_last[number()] = at + 1 == count;
      if (at > 8 && number() == 0) platform::charge(20'000);
      counted_in(ran)(at);
    });
    expect_each_once(ran);
  });
}

/// Chunks that are short at first, then long, then short: members take more, one and more again.
void loops_of_changing_chunks(unsigned members) {
  counts<24> ran{};
  parallel(members, [&] {
    loop(any_order, ran.size(), [&](long at) {
      if (at / 6 % 2 == 1) platform::charge(4'000);
      counted_in(ran)(at);
    });
    expect_each_once(ran);
  });
}

/// A system without fence_everywhere leaves chunks to who has taken them: each is run all the same.
void a_loop_without_fences(unsigned members) {
  bool& no_fence = platform::planted_faults().no_fence_everywhere;
  __atomic_store_n(&no_fence, true, __ATOMIC_RELAXED);
  counts<26> ran{};
  parallel(members, [&] {
    loop_nowait(any_order, ran.size(), [&](long at) {
      if (at % 6 == 5) platform::charge(20'000);
      counted_in(ran)(at);
    });
    GOMP_barrier();
    expect_each_once(ran);
  });
  __atomic_store_n(&no_fence, false, __ATOMIC_RELAXED);
}

/// Over unsigned long long, downwards, up to the end of the type; in chunks of two.
void loops_of_long_numbers(unsigned members) {
  constexpr unsigned long long most = ~0ull;
  counts<15> ran{};
  parallel(members, [&] {
    unsigned long long from = 0, to = 0;
    for (bool more = GOMP_loop_ull_nonmonotonic_dynamic_start(false, most, most - ran.size() * 3, -3ull, 2, &from, &to); more;
         more = GOMP_loop_ull_nonmonotonic_dynamic_next(&from, &to)) {
      for (; from != to; from -= 3) add(ran[(most - from) / 3]);
    }
    GOMP_loop_end();
    expect_each_once(ran);
  });
}

/// Over unsigned long long, in both directions over the middle of the type, where a signed number would change its sign.
void loops_over_the_middle_of_long_numbers(unsigned members) {
  struct kind {
    begin_of_a_long_loop* begin;
    bool (*next)(long_number*, long_number*);
    long_number chunk;
    bool is_ordered;
  };
  constexpr kind kinds[] = {{GOMP_loop_ull_static_start, GOMP_loop_ull_static_next, 0, false},
                            {GOMP_loop_ull_static_start, GOMP_loop_ull_static_next, 2, false},
                            {GOMP_loop_ull_dynamic_start, GOMP_loop_ull_dynamic_next, 2, false},
                            {GOMP_loop_ull_guided_start, GOMP_loop_ull_guided_next, 1, false},
                            {GOMP_loop_ull_ordered_static_start, GOMP_loop_ull_ordered_static_next, 0, true},
                            {GOMP_loop_ull_ordered_dynamic_start, GOMP_loop_ull_ordered_dynamic_next, 2, true},
                            {GOMP_loop_ull_ordered_guided_start, GOMP_loop_ull_ordered_guided_next, 1, true}};
  constexpr long_number count = 9, middle = long_number{1} << 63, width = 3 * count - 1;
  for (const bool up : {true, false}) {
    const long_number first = up ? middle - 10 : middle + 10, step = up ? 3 : -3ull, end = up ? first + width : first - width;
    for (const kind& each : kinds) {
      counts<count> ran{};
      long_number turn = 0;  // plain, for ThreadSanitizer
      parallel(members, [&] {
        long_number from = 0, to = 0;
        for (bool more = each.begin(up, first, end, step, each.chunk, &from, &to); more; more = each.next(&from, &to)) {
          for (long_number at = from; up ? at < to : at > to; at += step) {
            const long_number number_of = (up ? at - first : first - at) / 3;
            counted_in(ran)(static_cast<long>(number_of));
            if (each.is_ordered)
              ordered([&] { expect(turn++ == number_of, "an iteration of an ordered loop came out of its turn"); });
          }
        }
        GOMP_loop_end();
        expect_each_once(ran);
      });
    }
  }
}

/// Where the program asks for the order, each member's iterations go up.
void loops_in_order(unsigned members) {
  constexpr long count = 16;
  std::array<long, 8> last{};
  last.fill(-1);
  parallel(members, [&] {
    loop(dynamic, count, [&](long at) {
      expect(at > last[number()], "a member's iterations of a monotonic loop go back");
      last[number()] = at;
      if (at == 5) platform::charge(20'000);
    });
  });
}

/// Each iteration after the one before it; one loop after another without a barrier, by each schedule.
void doacross_chains(unsigned members) {
  constexpr long count = 11;
  std::array<std::array<long, count>, 4> values{};
  constexpr doacross_schedule kinds[] = {doacross_dynamic, doacross_fixed_by_2, doacross_guided, doacross_fixed};
  parallel(members, [&] {
    for (std::size_t each = 0; each < std::size(kinds); ++each) {
      auto& chain = values[each];
      doacross_nowait(kinds[each], {count}, [&](long at) {
        if (at > 0) GOMP_doacross_wait(at - 1);
        const auto place = static_cast<std::size_t>(at);
        chain[place] = at > 0 ? chain[place - 1] + at : 1;
        GOMP_doacross_post(&at);
      });
    }
  });
  for (const auto& chain : values) expect(chain[count - 1] == 1 + count * (count - 1) / 2, "an iteration ran before its sink");
}

/// Who is alone has one workshare for all: nothing of a loop is left in the next one, of another kind.
void loops_of_one(unsigned members) {
  constexpr long count = 6;
  parallel(members, [&] {
    for (const schedule& how : {guided, ordered_dynamic, guided, any_order, fixed}) {
      doacross_nowait(doacross_dynamic, {count}, [&](long at) {
        if (at > 0) GOMP_doacross_wait(at - 1);
        GOMP_doacross_post(&at);
      });
      counts<count> ran{};
      loop_nowait(how, count, [&](long at) { ordered([&] { counted_in(ran)(at); }); });
      expect_each_once(ran);
    }
  });
}

void a_wavefront(unsigned members) {
  constexpr long rows = 7, columns = 4;
  std::array<std::array<long, columns>, rows> grid{};
  parallel(members, [&] {
    doacross_nowait(doacross_dynamic, {rows, columns}, [&](long row) {
      for (long column = 0; column < columns; ++column) {
        if (row > 0) GOMP_doacross_wait(row - 1, column);
        const auto y = static_cast<std::size_t>(row), x = static_cast<std::size_t>(column);
        grid[y][x] = (row > 0 ? grid[y - 1][x] : 1) + (column > 0 ? grid[y][x - 1] : 0);
        long iteration[] = {row, column};
        GOMP_doacross_post(iteration);
      }
    });
  });
  expect(grid[rows - 1][columns - 1] == 120, "an iteration of a wavefront ran before its sink");
}

/// Every second iteration waits for none, so that members come to later ones beside earlier ones that are not done.
void doacross_pairs(unsigned members) {
  constexpr long count = 18;
  std::array<long, count> done{};
  parallel(members, [&] {
    doacross_nowait(doacross_dynamic, {count}, [&](long at) {
      const auto place = static_cast<std::size_t>(at);
      if (at % 2 == 1) {
        GOMP_doacross_wait(at - 1);
        expect(done[place - 1] == 1, "an iteration ran before its sink");
      } else if (at % 6 == 0) {
        platform::charge(3'000);
      }
      done[place] = 1;
      GOMP_doacross_post(&at);
    });
  });
}

/// A source lets others go on at once: one member does not go on itself until they have.
void a_source_in_time(unsigned members) {
  counter third{0};
  parallel(members, [&] {
    doacross_nowait(doacross_fixed_by_2, {4}, [&](long at) {
      if (at >= 2) GOMP_doacross_wait(at - 2);
      if (at == 2) add(third);
      GOMP_doacross_post(&at);
      if (at == 1) platform::spin_until(third, [](unsigned now) { return now != 0; }, "an iteration that may run");
    });
  });
}

/// A guided piece of more units than have slots begins beside the one before it.
void guided_pieces_side_by_side(unsigned members) {
  counter second{0};
  parallel(members, [&] {
    doacross_nowait(doacross_guided, {16}, [&](long at) {
      if (at == 8) add(second);
      if (at == 0) platform::spin_until(second, [](unsigned now) { return now != 0; }, "the next piece");
      if (at == 12) GOMP_doacross_wait(at - 5);
      GOMP_doacross_post(&at);
    });
  });
}

/// Iterations without a source are left behind with their piece.
void without_sources(unsigned members) {
  counter ran{0};
  parallel(members, [&] {
    for (const doacross_schedule& how : {doacross_dynamic, doacross_guided}) {
      doacross_nowait(how, {9}, [&](long at) {
        if (at >= 2) GOMP_doacross_wait(at - 2);
        add(ran);
        if (at % 3 == 0) GOMP_doacross_post(&at);
      });
    }
  });
  expect(read(ran) == 18, "an iteration of a doacross loop did not run once");
}

constexpr scene all_loops[] = {
    {"a_loop_in_batches", 3, one_loop},
    {"loops_in_a_row", 3, loops_in_a_row},
    {"loops_that_are_regions", 3, loops_that_are_regions},
    {"a_long_iteration", 3, a_long_iteration},
    {"the_last_iteration", 3, the_last_iteration},
    {"a_loop_without_fences", 3, a_loop_without_fences},
    {"loops_of_changing_chunks", 3, loops_of_changing_chunks},
    {"loops_of_long_numbers", 3, loops_of_long_numbers},
    {"loops_that_are_regions_of_each_kind", 3, loops_that_are_regions_of_each_kind},
    {"loops_over_the_middle_of_long_numbers", 3, loops_over_the_middle_of_long_numbers},
    {"loops_in_order", 3, loops_in_order},
    {"loops_of_one", 1, loops_of_one},
    {"doacross_chains", 3, doacross_chains},
    {"a_wavefront", 3, a_wavefront},
    {"doacross_pairs", 3, doacross_pairs},
    {"a_source_in_time", 2, a_source_in_time},
    {"guided_pieces_side_by_side", 2, guided_pieces_side_by_side},
    {"without_sources", 3, without_sources},
};

}  // namespace

std::span<const scene> scenes_of_loops() { return all_loops; }

}  // namespace TEFF_NAMESPACE::testing_openmp
