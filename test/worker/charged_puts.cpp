// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the instructions of puts and gets take by virtual time: once for each, whatever the pool, and whatever it is wrapped in.
#include "pool/catalogue.h"
#include "pool/wrap/checking.h"
#include "pool/wrap/counting.h"
#include "runtime/make_team.h"
#include "script.h"
#include "sim/sim.h"
#include "teff/group.hpp"
#include "worker/loop.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <type_traits>

namespace TEFF_NAMESPACE::conformance {
namespace {

struct same_rules : workers::rules {};

/// Returns: how many puts and gets are charged while one worker runs this.
template <class Pool, class Rules = workers::rules>
std::uint64_t charges(const std::function<void(context&)>& body) {
  constexpr unsigned price = 1'000'000;  // more than all else together
  const auto time = [&](unsigned put_or_get) {
    sim::options options;
    options.processors_at_most = 1;
    options.machine.cycles_per_ns = 1;
    options.machine.put_or_get = put_or_get;
    const sim::outcome ended = sim::simulate(options, [&] {
      pool::wrap::tally numbers;
      pool::wrap::violations found;
      const pool::wrap::instruments with{.numbers = &numbers, .found = &found};
      const workers::team_shape shape{
          .workers = 1, .seed = 1, .pin = {}, .argument_bytes = 64, .wake = {}, .wait = pool::wait_policy::park};
      workers::team_of<Pool, Rules> on(
          shape, pool::settings{},
          [](unsigned workers, std::size_t bytes) { return runtime::make_memory("dlf", workers, bytes, 64); },
          [&](const pool::environment& from) {
            if constexpr (std::is_constructible_v<Pool, const pool::environment&, const pool::wrap::instruments&>)
              return Pool(from, with);
            else return Pool(from);
          });
      script tasks;
      on.init(tasks.add([&](worker& current) { body(*head(current).here); }).as_task());
      EXPECT_EQ(on.run(), workers::run_result::finished);
    });
    EXPECT_TRUE(ended.ok()) << ended.report;
    return ended.time_ns;
  };
  return (time(price) - time(0) + price / 2) / price;
}

void put_ten(context& here) {
  task_group group;
  for (unsigned each = 0; each < 10; ++each) group.put(here, [] {});
  group.wait(here);
}

template <class Rules = workers::rules>
void expect_charges(const std::function<void(context&)>& body, std::uint64_t count) {
  using dressed = pool::wrap::checking<pool::wrap::counting<pool::split_deques<>>>;
  EXPECT_EQ((charges<pool::split_deques<>, Rules>(body)), count);
  EXPECT_EQ((charges<dressed, Rules>(body)), count) << "wrapped";
  EXPECT_EQ((charges<pool::sq1, Rules>(body)), count) << "a list";
  EXPECT_EQ((charges<pool::dq8, Rules>(body)), count) << "private blocks";
}

TEST(charged, is_each_put_and_each_get_once) {
  expect_charges([](context&) {}, 2);  // of the first task
  expect_charges(put_ten, 2 + 20);
}

TEST(charged, is_no_more_where_the_loop_has_other_rules) { expect_charges<same_rules>(put_ten, 2 + 20); }

}  // namespace
}  // namespace TEFF_NAMESPACE::conformance
