// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The strategies by themselves, beside models of what they promise.
#include "helpers.h"

#include "platform/random.h"
#include "sim/chooser.h"
#include "sim/exhaustive.h"

#include <set>
#include <utility>

namespace TEFF_NAMESPACE::sim {
namespace {

void expect_the_earliest(unsigned processors) {
  constexpr unsigned choices = 2'000;
  platform::random draw(1);
  const auto tested = make_virtual_time(options{});
  std::set<std::pair<std::uint64_t, processor_id>> waiting;
  const auto add = [&](processor_id which, std::uint64_t clock) {
    tested->add(which, clock);
    waiting.emplace(clock, which);
  };
  for (processor_id each = 1; each < processors; ++each) add(each, draw.below(100));
  std::pair<std::uint64_t, processor_id> running{0, 0};
  for (unsigned choice = 0; choice < choices; ++choice) {
    ASSERT_EQ(tested->earliest(), waiting.begin()->first) << "choice " << choice;
    running.first += draw.below(100);
    processor_id chosen;
    if (draw.below(8) == 0) {  // it sleeps, and is woken at some other one's time
      chosen = tested->next();
    } else {
      waiting.insert(running);
      chosen = tested->next_after(running.second, running.first);
    }
    ASSERT_EQ(chosen, waiting.begin()->second) << "choice " << choice;
    const auto stopped = std::exchange(running, *waiting.begin());
    waiting.erase(waiting.begin());
    if (stopped.second != chosen && !waiting.contains(stopped)) add(stopped.second, running.first + draw.below(100));
  }
}

TEST(choosers, virtual_time_always_goes_on_with_the_earliest) {
  for (const unsigned processors : {2u, 3u, 4u, 5u, 36u, 37u, 38u}) {
    SCOPED_TRACE(processors);
    ASSERT_NO_FATAL_FAILURE(expect_the_earliest(processors));
  }
}

TEST(choosers, pct_counts_the_steps_of_each_that_runs_very_long_for_itself) {
  options wanted = with(strategy::pct, 1);
  wanted.pct_depth = 1;  // priorities do not change by themselves
  const auto tested = make_pct(wanted);
  tested->add(1, 0);
  processor_id running = 0;
  const auto steps_until_switch = [&] {
    unsigned steps = 0;
    for (const processor_id before = running; running == before && steps < 100'000; ++steps) {
      running = tested->next_after(running, 0);
    }
    return steps;
  };
  steps_until_switch();  // from whoever began
  const unsigned first = steps_until_switch(), second = steps_until_switch(), third = steps_until_switch();
  EXPECT_GT(first, 1'000u);
  EXPECT_EQ(second, first) << "each runs as long before it falls below the others";
  EXPECT_EQ(third, first);
}

TEST(choosers, an_exhaustive_search_counts_no_preemption_where_the_last_one_has_ended) {
  options wanted;
  wanted.preemptions_at_most = 0;
  const exploration found = explore(wanted, [] {
    padded<std::uint32_t> word;
    run_on_each(3, [&](unsigned) {
      for (int i = 0; i < 2; ++i) word.word.fetch_add(1, platform::relaxed);
    });
  });
  EXPECT_TRUE(found.complete) << found.failure;
  EXPECT_EQ(found.schedules, 2u) << "the body to its end, then the two others in either order";
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
