// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The suite must find every fault that is planted in a pool, and nothing where the contract allows what happens.
#include "suite.h"

#include "sync/group.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace TEFF_NAMESPACE::conformance {
namespace {

using fault = pool::wrap::fault;
using kind = fault::kind;

/// Effect: calls visit.operator()<Pool>(entry) for a LIFO and a FIFO queue, a stealing pool, and one with private blocks.
template <class Visitor>
void for_some_pools(Visitor visit) {
  pool::for_each_pool([&]<class Pool>(const pool::entry& each) {
    if constexpr (std::is_same_v<Pool, pool::sq4> || std::is_same_v<Pool, pool::dq5> || std::is_same_v<Pool, pool::dq8>) {
      visit.template operator()<Pool>(each);
    }
  });
}

template <class Pool, dressing Dressing>
std::string problem_with(fault planted, unsigned workers, const pool::entry& of) {
  return run_suite(trial_of<pool::wrap::faulty<Pool>, Dressing>, {.workers = workers,
                                                        .alone = of.alone,
                                                        .planted = planted,
                                                        .seeds = 4,
                                                        .expects_failure = !pool::wrap::is_legal(planted.what)});
}

std::string place(fault planted, unsigned workers, const pool::entry& of) {
  return std::string(of.name) + ", " + std::to_string(workers) + " workers, " + name_of(planted.what) + " at every " +
         std::to_string(planted.every);
}

/// Expects a problem with the fault and none without, both of the suite alone and with the contract checked.
void expect_found(kind which, const std::vector<std::uint32_t>& periods, const std::vector<unsigned>& team_sizes) {
  for_some_pools([&]<class Pool>(const pool::entry& each) {
    for (const unsigned workers : team_sizes) {
      for (const std::uint32_t every : periods) {
        const fault planted{which, every};
        EXPECT_NE((problem_with<Pool, dressing::bare>(planted, workers, each)), "") << place(planted, workers, each);
        EXPECT_NE((problem_with<Pool, dressing::checked>(planted, workers, each)), "") << place(planted, workers, each);
      }
      const fault none{which, 0};
      EXPECT_EQ((problem_with<Pool, dressing::bare>(none, workers, each)), "") << place(none, workers, each);
      EXPECT_EQ((problem_with<Pool, dressing::checked>(none, workers, each)), "") << place(none, workers, each);
    }
  });
}

void expect_survived(kind which, const std::vector<std::uint32_t>& periods) {
  for_some_pools([&]<class Pool>(const pool::entry& each) {
    for (const unsigned workers : {1u, 2u, 4u}) {
      for (const std::uint32_t every : periods) {
        const fault planted{which, every};
        EXPECT_EQ((problem_with<Pool, dressing::bare>(planted, workers, each)), "") << place(planted, workers, each);
        EXPECT_EQ((problem_with<Pool, dressing::checked>(planted, workers, each)), "") << place(planted, workers, each);
      }
    }
  });
}

TEST(mutants, a_pool_that_loses_tasks_is_found) { expect_found(kind::loses, {1, 40}, {1, 2, 4}); }
TEST(mutants, a_pool_that_doubles_tasks_is_found) { expect_found(kind::doubles, {5, 40}, {1, 2, 4}); }
TEST(mutants, a_pool_that_doubles_tasks_is_called_so) {
  plan how;
  how.planted = {kind::doubles, 1};
  const std::string problem = on_this_side(how, [&](findings& found) {
    subject tried(trial_of<pool::wrap::faulty<pool::sq1>, dressing::bare>, how, found);
    const auto nothing = [](worker&, void*) {};
    for (unsigned i = 0; i < 3; ++i) tried.team().init(task{nothing, nullptr});
    found.expect(tried.team().run() == workers::run_result::stuck, "the run ended");
    const std::string expected =
        "the run cannot end: more tasks have finished than were created (3 tasks): the pool gave some twice\n";
    found.expect(tried.team().explanation() == expected, std::string(tried.team().explanation()));
  });
  EXPECT_EQ(problem, "");
}

// Who waits for it might wait for another team's.
TEST(mutants, a_child_that_a_pool_loses_is_called_so) {
  plan how;
  how.planted = {kind::loses, 2};
  const std::string problem = on_this_side(how, [&](findings& found) {
    subject tried(trial_of<pool::wrap::faulty<pool::sq1>, dressing::bare>, how, found);
    tried.team().init(task{[](worker& current, void*) {
                             sync::group children;
                             children.add();
                             current.operations->put(current, {[](worker&, void*) {}, nullptr});
                             children.wait(current);
                           },
                           nullptr});
    found.expect(tried.team().run() == workers::run_result::stuck, "the run ended");
    const std::string_view said = tried.team().explanation();
    for (const char* part : {"waits for its children (0x", "\n  and tasks are left that no worker can get (1 task)\n"})
      found.expect(said.find(part) != said.npos, std::string(said));
  });
  EXPECT_EQ(problem, "");
}

TEST(mutants, a_pool_that_reorders_tasks_is_found) { expect_found(kind::reorders, {1, 50}, {1}); }

#ifdef TEFF_SIMULATED
// Natively the suite would wait for ever.
TEST(mutants, a_pool_that_forgets_to_wake_is_found) { expect_found(kind::forgets_to_wake, {1}, {2, 4}); }
#endif

TEST(legal_faults, refused_memory_is_survived) { expect_survived(kind::refuses, {1, 3}); }
TEST(legal_faults, spurious_retries_are_survived) { expect_survived(kind::retries, {2, 3}); }
TEST(legal_faults, too_many_wake_ups_are_survived) { expect_survived(kind::wakes_too_much, {1, 3}); }

}  // namespace
}  // namespace TEFF_NAMESPACE::conformance
