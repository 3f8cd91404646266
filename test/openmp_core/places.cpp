// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which place each member of a region gets: more of them than this machine may have.
#include "compat/openmp/environment.h"
#include "compat/openmp/member.h"
#include "constructs.h"
#include "scenes.h"

#ifdef TEFF_SIMULATED
#include "sim/sim.h"
#endif

#include <gtest/gtest.h>

#include <vector>

namespace TEFF_NAMESPACE::testing_openmp {
namespace {

using openmp::bind_close;
using openmp::bind_primary;
using openmp::bind_spread;

std::vector<unsigned> of_region(std::uint8_t bind, unsigned members, unsigned first, unsigned places) {
  std::vector<unsigned> found;
  for (unsigned number = 0; number < members; ++number)
    found.push_back(openmp::place_of_member(bind, number, members, first, places));
  return found;
}

using row = std::vector<unsigned>;

/// Stretches of three places are {0}, {1, 2}, or one each; of five {0}, {1, 2}, {3, 4}; of eight {0, 1}, {2, 3, 4}, {5, 6, 7}.
/// The opener stays where it is, and its stretch is nobody else's.
TEST(places, of_spread_members_are_the_first_of_stretches) {
  EXPECT_EQ(of_region(bind_spread, 2, 0, 3), (row{0, 1}));
  EXPECT_EQ(of_region(bind_spread, 2, 1, 3), (row{1, 0}));
  EXPECT_EQ(of_region(bind_spread, 2, 2, 3), (row{2, 0}));
  EXPECT_EQ(of_region(bind_spread, 3, 2, 3), (row{2, 0, 1}));
  EXPECT_EQ(of_region(bind_spread, 3, 0, 5), (row{0, 1, 3}));
  EXPECT_EQ(of_region(bind_spread, 3, 1, 5), (row{1, 3, 0}));
  EXPECT_EQ(of_region(bind_spread, 3, 2, 5), (row{2, 3, 0}));
  EXPECT_EQ(of_region(bind_spread, 3, 4, 5), (row{4, 0, 1}));
  EXPECT_EQ(of_region(bind_spread, 3, 1, 8), (row{1, 2, 5}));
  EXPECT_EQ(of_region(bind_spread, 3, 4, 8), (row{4, 5, 0}));
  EXPECT_EQ(of_region(bind_spread, 3, 5, 8), (row{5, 0, 2}));
}

/// The stretches are as large as each other, or one place larger, whatever their numbers: an oracle that counts places.
TEST(places, of_spread_members_divide_all_places_evenly) {
  for (unsigned places = 1; places <= 17; ++places) {
    for (unsigned members = 1; members <= places; ++members) {
      std::vector<unsigned> stretch_of, begin_of;
      for (unsigned place = 0, stretch = 0; place < places; ++place) {
        // A stretch begins where so many parts of all places, each a `members`th, have begun.
        if (stretch < members && place >= stretch * places / members) {
          begin_of.push_back(place);
          ++stretch;
        }
        stretch_of.push_back(stretch - 1);
      }
      ASSERT_EQ(begin_of.size(), members);
      for (unsigned first = 0; first < places; ++first) {
        const row found = of_region(bind_spread, members, first, places);
        EXPECT_EQ(found[0], first);
        for (unsigned number = 1; number < members; ++number)
          EXPECT_EQ(found[number], begin_of[(stretch_of[first] + number) % members])
              << "member " << number << " of " << members << ", " << places << " places, the first at " << first;
      }
    }
  }
}

/// What each member has for its own regions: the stretches are all places, its own one is in its stretch, and so on inside.
TEST(places, of_members_of_spread_regions_are_stretches) {
  for (unsigned places = 1; places <= 9; ++places) {
    const openmp::stretch all{3, places};
    for (unsigned members = 1; members <= 2 * places; ++members) {
      row owners(all.first + places);
      for (unsigned number = 0; number < members; ++number) {
        const unsigned opener = all.first + places / 2;
        const openmp::stretch own = openmp::places_of_member(bind_spread, number, members, opener, all);
        const unsigned place = openmp::place_of_member(bind_spread, number, members, opener, all);
        EXPECT_TRUE(own.has(place)) << "member " << number << " of " << members << " at " << place;
        EXPECT_TRUE(members <= places || own.count == 1);
        for (unsigned at = own.first; at < own.first + own.count; ++at) ++owners[at];
        const openmp::stretch inside = openmp::places_of_member(bind_spread, 1, 2, place, own);
        EXPECT_TRUE(inside.count != 0 && own.has(inside.first) && own.has(inside.first + inside.count - 1));
      }
      for (unsigned at = all.first; at < all.first + places && members <= places; ++at) EXPECT_EQ(owners[at], 1u);
    }
  }
  const openmp::stretch all{0, 8}, half{4, 4};
  EXPECT_EQ(openmp::places_of_member(bind_close, 1, 2, 0, all).count, 8u);
  EXPECT_EQ(openmp::places_of_member(bind_spread, 1, 2, 0, all).first, 4u);
  EXPECT_EQ(openmp::place_of_member(bind_close, 1, 2, 7, half), 4u);
}

TEST(places, of_close_members_are_next_to_each_other) {
  EXPECT_EQ(of_region(bind_close, 3, 3, 5), (row{3, 4, 0}));
  EXPECT_EQ(of_region(bind_primary, 3, 3, 5), (row{3, 3, 3}));
}

/// More members than places: neighbours share one, each place has as many or one more.
TEST(places, are_shared_by_neighbours) {
  EXPECT_EQ(of_region(bind_close, 5, 1, 3), (row{1, 1, 2, 2, 0}));
  EXPECT_EQ(of_region(bind_spread, 7, 2, 3), (row{2, 2, 2, 0, 0, 1, 1}));
  for (unsigned places = 1; places <= 9; ++places) {
    for (unsigned members = places + 1; members <= 3 * places; ++members) {
      row count(places);
      for (const unsigned each : of_region(bind_close, members, places / 2, places)) ++count[each];
      for (const unsigned each : count) EXPECT_TRUE(each == members / places || each == members / places + 1);
    }
  }
}

#ifdef TEFF_SIMULATED

/// What two members of a region counted on a machine of two domains with two processors each.
struct counted {
  std::uint64_t remote, on_chip;
  bool operator==(const counted&) const = default;
};

/// Effect: one member puts a task and waits until the other one, which has none, has run it. `places`: of the members, by the
/// number of a processor; empty: they are not bound.
counted steal_at(const std::vector<std::vector<unsigned>>& places, pool::domain_grid domains = {}) {
  openmp::process_icvs& all = openmp::process();
  const auto pool_before = all.pool;
  const auto rounds_before = all.spin_rounds;
  const auto threads_before = all.initial.threads;
  const auto bind_before = all.initial.bind;
  const auto places_before = all.places;
  const auto domains_before = all.set.domains;
  all.pool = "ws";
  all.spin_rounds = -1;
  all.initial.threads = 2;
  all.initial.bind = places.empty() ? openmp::bind_false : openmp::bind_close;
  all.places = places;
  all.set.domains = domains;
  counter remote{0}, on_chip{0};
  sim::options options;
  options.processors_at_most = 4;
  options.machine.level[0].width = 2;
  const sim::outcome ended = sim::simulate(options, [&] {
    parallel(2, [&] {
      single([] {
        static counter done;
        done.store(0, platform::relaxed);
        task([] { done.store(1, platform::release); });
        platform::spin_until(done, [](unsigned is) { return is != 0; }, "the task");
      });
      const worker& own = openmp::self();
      remote.fetch_add(static_cast<unsigned>(own.stats.value(trace::counter::steals_remote)), platform::relaxed);
      on_chip.fetch_add(static_cast<unsigned>(own.stats.value(trace::counter::steals_on_chip)), platform::relaxed);
    });
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  all.pool = pool_before;
  all.spin_rounds = rounds_before;
  all.initial.threads = threads_before;
  all.initial.bind = bind_before;
  all.places = places_before;
  all.set.domains = domains_before;
  return {read(remote), read(on_chip)};
}

TEST(places, are_where_a_bound_member_sits_whatever_its_number) {
  EXPECT_EQ(steal_at({{0}, {2}}), (counted{1, 0}));
  EXPECT_EQ(steal_at({{2}, {3}}), (counted{0, 1}));
  EXPECT_EQ(steal_at({{3}, {0}}), (counted{1, 0}));
  EXPECT_EQ(steal_at({}), (counted{0, 1})) << "not bound: by their numbers";
  EXPECT_EQ(steal_at({{0}, {2}}, {1, 2}), (counted{0, 1})) << "domains that have numbers come before places";
  EXPECT_EQ(steal_at({{2}, {3}}, {2, 1}), (counted{1, 0}));
}

#endif

}  // namespace
}  // namespace TEFF_NAMESPACE::testing_openmp
