// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Each setting changes what it says; wrong ones are answered by a sentence.
#include "trial.h"

#include "base/decimal.h"
#include "sim/sim.h"
#include "test/support/sides.h"

#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

namespace TEFF_NAMESPACE::pool {
namespace {

using testing_support::on_this_side;
using numbers = std::vector<int>;
using trace::counter;

/// Returns: how many tasks worker 0 publishes while it puts so many.
template <class Pool>
std::uint64_t publications(const std::vector<std::string>& texts, unsigned tasks) {
  std::uint64_t published = 0;
  on_this_side([&] {
    trial<Pool> tried(with(texts));
    tried.put_up_to(0, tasks);
    published = tried.count(counter::publications);
  });
  return published;
}

TEST(settings, strategy_says_whether_full_blocks_stay_private_while_there_are_public_ones) {
  // Seven tasks are three full blocks of two and one more. Greedy: only the first one while nobody steals.
  EXPECT_EQ(publications<dq8>({"block=2", "strategy=greedy"}, 7), 2u);
  EXPECT_EQ(publications<dq8>({"block=2", "strategy=generous"}, 7), 6u);
}

TEST(settings, a_greedy_owner_publishes_again_when_its_public_queue_was_emptied) {
  on_this_side([] {
    trial<dq8> tried(with({"block=2", "strategy=greedy"}));
    tried.put_up_to(0, 7);
    EXPECT_EQ(tried.get(1), 2);
    EXPECT_EQ(tried.get(0), 7);
    // At the edge of its block it goes on with (5, 6) and publishes (3, 4).
    EXPECT_EQ(tried.get(0), 6);
    EXPECT_EQ(tried.last(), got_and_wake_one);
    EXPECT_EQ(tried.get_all(1), (numbers{1, 4, 3}));
  });
}

TEST(settings, block_is_how_many_tasks_a_thief_gets_at_once) {
  for (const unsigned block : {1u, 2u, 3u, 7u}) {
    on_this_side([&] {
      trial<dq8> tried(with({"block=" + std::to_string(block)}));
      tried.put_up_to(0, block);
      EXPECT_EQ(tried.get(1), 0);
      tried.put(0, 100);
      EXPECT_EQ(tried.get_all(1).size(), block);
      EXPECT_EQ(tried.count(counter::tasks_stolen), block);
    });
  }
}

/// Returns: how many tasks worker 0 can put until something is published.
template <class Pool>
unsigned kept_before_publication(const std::vector<std::string>& texts) {
  unsigned kept = 0;
  on_this_side([&] {
    trial<Pool> tried(with(texts));
    while (tried.count(counter::publications) == 0) tried.put(0, ++kept);
  });
  return kept - 1;
}

TEST(settings, threshold_is_how_many_tasks_a_worker_keeps_besides_its_block) {
  EXPECT_EQ(kept_before_publication<sdq1>({"block=2", "threshold=0"}), 2u);
  EXPECT_EQ(kept_before_publication<sdq1>({"block=2", "threshold=1"}), 2u);
  EXPECT_EQ(kept_before_publication<sdq1>({"block=2", "threshold=2"}), 4u);
  EXPECT_EQ(kept_before_publication<sdq1>({"block=2", "threshold=6"}), 8u);
  EXPECT_EQ(kept_before_publication<sdq1>({"block=4", "threshold=6"}), 8u);
}

/// Worker 0 of four has so many tasks. Returns: how many worker 1 has after its first get, that one included.
template <class Pool>
std::uint64_t stolen_at_once(const std::vector<std::string>& texts, unsigned tasks) {
  std::uint64_t stolen = 0;
  on_this_side([&] {
    trial<Pool> tried(with(texts), 4);
    tried.put_up_to(0, tasks);
    EXPECT_NE(tried.get(1), 0);
    stolen = tried.count(counter::tasks_stolen);
  });
  return stolen;
}

template <class Pool>
class steal_setting : public ::testing::Test {};
using stealing_by_task = ::testing::Types<dq2, dq5>;
TYPED_TEST_SUITE(steal_setting, stealing_by_task);

TYPED_TEST(steal_setting, is_how_many_tasks_a_thief_takes) {
  EXPECT_EQ((stolen_at_once<TypeParam>({}, 6)), 1u);
  EXPECT_EQ((stolen_at_once<TypeParam>({"steal=3"}, 6)), 3u);
  EXPECT_EQ((stolen_at_once<TypeParam>({"steal=9"}, 6)), 6u);
  EXPECT_EQ((stolen_at_once<TypeParam>({"steal=1/2"}, 6)), 3u);
  EXPECT_EQ((stolen_at_once<TypeParam>({"steal=1/3"}, 7)), 2u);
  EXPECT_EQ((stolen_at_once<TypeParam>({"steal=1/2"}, 1)), 1u);
  EXPECT_EQ((stolen_at_once<TypeParam>({"steal=workers"}, 6)), 4u);
}

TEST(settings, steal_counts_blocks_where_blocks_are_stolen) {
  EXPECT_EQ((stolen_at_once<dq8>({"block=2", "strategy=generous"}, 13)), 2u);
  EXPECT_EQ((stolen_at_once<dq8>({"block=2", "strategy=generous", "steal=2"}, 13)), 4u);
  EXPECT_EQ((stolen_at_once<dq8>({"block=2", "strategy=generous", "steal=1/2"}, 13)), 6u);
  EXPECT_EQ((stolen_at_once<dq8>({"block=2", "strategy=generous", "steal=workers"}, 13)), 8u);
}

TEST(settings, steal_is_how_many_blocks_come_from_the_centre) {
  for (const std::size_t steal : {1u, 2u, 3u}) {
    on_this_side([&] {
      trial<sdq1> tried(with({"block=2", "threshold=0", "steal=" + std::to_string(steal)}), 3);
      tried.put_up_to(0, 7);  // three blocks of two in the centre
      EXPECT_NE(tried.get(1), 0);
      EXPECT_EQ(tried.get_all(2).size(), 6 - 2 * steal);
    });
  }
}

/// Four workers in two domains of two; each has one task, of its own number plus one. Returns: in which order a thief gets the
/// others' after its own.
template <class Pool>
numbers victims_of(unsigned thief, const char* order, std::uint64_t seed = 1) {
  numbers visited;
  sim::options wanted;
  wanted.processors_at_most = 4;
  wanted.machine.level[0].width = 2;
  const sim::outcome ended = sim::simulate(wanted, [&] {
    trial<Pool> tried(with({std::string("victims=") + order}), {0, 0, 1, 1}, seed);
    for (unsigned id = 0; id < 4; ++id) tried.put(id, id + 1);
    visited = tried.get_all(thief);
  });
  EXPECT_TRUE(ended.ok()) << ended.report;
  EXPECT_EQ(visited.empty() ? 0 : visited.front(), static_cast<int>(thief) + 1);
  visited.erase(visited.begin());
  for (int& each : visited) --each;
  return visited;
}

TEST(settings, victims_are_visited_by_number_or_the_own_domain_first) {
  EXPECT_EQ(victims_of<dq2>(1, "linear"), (numbers{2, 3, 0}));
  EXPECT_EQ(victims_of<dq2>(3, "linear"), (numbers{0, 1, 2}));
  EXPECT_EQ(victims_of<dq2>(1, "nearest"), (numbers{0, 2, 3}));
  EXPECT_EQ(victims_of<dq2>(2, "nearest"), (numbers{3, 0, 1}));
  EXPECT_EQ(victims_of<dq5>(2, "nearest"), (numbers{3, 0, 1}));
}

TEST(settings, random_victims_begin_with_each_of_the_others) {
  std::map<int, int> first;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const numbers visited = victims_of<dq2>(1, "random", seed * 97);
    ASSERT_EQ(visited.size(), 3u);
    ++first[visited.front()];
  }
  // A start at any of four places, of which one is the thief's own: the next one after it comes first twice as often.
  for (const int victim : {0, 2, 3}) EXPECT_GT(first[victim], 30) << "victim " << victim;
}

// --- sentences ---------------------------------------------------------------------------------------------------------

std::string sentence(const std::string& text, const std::vector<const char*>& uses = {"block", "steal", "victims"}) {
  settings set;
  const std::string text_list[] = {text};
  return apply(set, text_list, uses, "pool dq8");
}

TEST(settings, stack_is_a_number_of_bytes_in_any_unit) {
  const std::pair<const char*, std::uint32_t> texts[] = {
      {"8192", 8192}, {"8K", 8192}, {"100000", 100'000}, {"3M", 3u << 20}, {"1G", 1u << 30}};
  for (const auto& [text, bytes] : texts) {
    settings set;
    const std::string text_list[] = {"stack=" + std::string(text)};
    EXPECT_EQ(apply(set, text_list, std::vector<const char*>{"stack"}, "dq8"), "");
    EXPECT_EQ(set.stack, bytes) << text;
  }
}

TEST(settings, wrong_values_are_named_with_the_allowed_ones) {
  EXPECT_EQ(sentence("block=0"), "setting block cannot be '0'; allowed: 1 … 1024");
  EXPECT_EQ(sentence("block=1025"), "setting block cannot be '1025'; allowed: 1 … 1024");
  EXPECT_EQ(sentence("block=4x"), "setting block cannot be '4x'; allowed: 1 … 1024");
  EXPECT_EQ(sentence("block=-1"), "setting block cannot be '-1'; allowed: 1 … 1024");
  EXPECT_EQ(sentence("block="), "setting block cannot be ''; allowed: 1 … 1024");
  EXPECT_EQ(sentence("block=99999999999"), "setting block cannot be '99999999999'; allowed: 1 … 1024");
  EXPECT_EQ(sentence("block"), "setting 'block' has no value: write name=value");
  for (const char* wrong : {"", "0", "8191", "7K", "64k", "K", "2G", "1025M", "-64K", "1.5M", "64KB", "9999999999", "4194305K"}) {
    EXPECT_EQ(sentence("stack=" + std::string(wrong), {"stack"}),
              "setting stack cannot be '" + std::string(wrong) + "'; allowed: 8K … 1G (bytes, K, M or G behind the number)");
  }
  EXPECT_EQ(sentence("victims=all"), "setting victims cannot be 'all'; allowed: linear, random, nearest");
  for (const char* wrong : {"steal=0", "steal=1/1", "steal=1/0", "steal=2/3", "steal=worker", "steal=1/", "steal=1000001"}) {
    EXPECT_EQ(sentence(wrong), "setting steal cannot be '" + std::string(wrong).substr(6) +
                                   "'; allowed: a number from 1 to 1000000, a fraction as 1/2, or workers");
  }
}

TEST(settings, a_transfer_factor_is_a_number_with_decimals) {
  const std::pair<const char*, double> texts[] = {{"1", 1}, {"0.25", 0.25}, {"2.5", 2.5}, {"1000", 1000}, {"0.001", 0.001}};
  for (const auto& [text, factor] : texts) {
    settings set;
    const std::string text_list[] = {"transfer=" + std::string(text)};
    EXPECT_EQ(apply(set, text_list, std::vector<const char*>{"transfer"}, "hierarchical"), "");
    EXPECT_EQ(set.transfer, factor) << text;
  }
  for (const char* wrong : {"", "0", "-1", "1/4", "0,5", "1e3", "nan", "inf", "1000.5", "2x", " 1"}) {
    EXPECT_EQ(sentence("transfer=" + std::string(wrong), {"transfer"}),
              "setting transfer cannot be '" + std::string(wrong) + "'; allowed: 0.001 … 1000");
  }
  EXPECT_EQ(sentence("branching=1", {"branching"}), "setting branching cannot be '1'; allowed: 2 … 1024");
}

/// What the language's own library makes of it.
std::optional<double> from_chars_of(std::string_view text) {
  double number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  return error == std::errc() && stopped == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

TEST(settings, decimals_are_the_nearest_numbers) {
  for (const char* right : {"0", "7", "0.1", "5.", ".5", "-2.75", "1000000", "123456789012345", "0.00000000012345"})
    EXPECT_EQ(parse_decimal(right), from_chars_of(right).value()) << right;
  for (const char* wrong : {"", ".", "-", "-.", "--1", "1e", "1e3", "1.2.3", "+1", "1 ", " 1", "nan", "inf", "0x1"})
    EXPECT_EQ(parse_decimal(wrong), std::nullopt) << wrong;
}

TEST(settings, decimals_may_have_any_number_of_digits) {
  EXPECT_DOUBLE_EQ(parse_decimal("12345678901234567890123").value(), 12345678901234567890123.0);
  EXPECT_DOUBLE_EQ(parse_decimal("12345678901234567890.5").value(), 12345678901234567890.0);
  EXPECT_DOUBLE_EQ(parse_decimal("0.33333333333333333333333333").value(), 1.0 / 3);
  EXPECT_EQ(parse_decimal("0." + std::string(400, '0')), 0.0);
  EXPECT_EQ(parse_decimal(std::string(400, '9')), std::numeric_limits<double>::infinity()) << "above every bound";
}

TEST(settings, each_is_given_once) {
  settings set;
  const std::string texts[] = {"block=2", "victims=linear", "block=3"};
  EXPECT_EQ(apply(set, texts, std::vector<const char*>{"block", "victims"}, "dq8"), "setting block is given twice");
}

TEST(settings, unknown_names_are_answered_by_those_that_the_pool_has) {
  EXPECT_EQ(sentence("blok=3"), "unknown setting of pool dq8 'blok'; did you mean 'block'? allowed: block, steal, victims");
  // The name of another pool's setting is none of this one's.
  EXPECT_NE(sentence("threshold=3").find("unknown setting of pool dq8 'threshold'"), std::string::npos);
  EXPECT_EQ(sentence("=3").find("unknown setting of pool dq8 ''"), 0u);
}

TEST(settings, every_standard_value_is_allowed_and_is_the_default) {
  const settings standard;
  for (const setting& each : all_settings()) {
    settings set;
    EXPECT_TRUE(each.parse(set, each.standard)) << each.name;
    EXPECT_EQ(set.block, standard.block);
    EXPECT_EQ(set.threshold, standard.threshold);
    EXPECT_EQ(set.capacity, standard.capacity);
    EXPECT_EQ(set.queues, standard.queues);
    EXPECT_EQ(set.steal.by, standard.steal.by);
    EXPECT_EQ(set.steal.value, standard.steal.value);
    EXPECT_EQ(set.victims.order, standard.victims.order);
    EXPECT_EQ(set.strategy, standard.strategy);
    EXPECT_EQ(set.branching, standard.branching);
    EXPECT_EQ(set.transfer, standard.transfer);
    EXPECT_EQ(set.blocking, standard.blocking);
    EXPECT_EQ(set.entry, standard.entry);
    EXPECT_EQ(set.assign, standard.assign);
    EXPECT_EQ(set.per_batch, standard.per_batch);
    EXPECT_EQ(set.climb, standard.climb);
    EXPECT_EQ(set.access, standard.access);
    EXPECT_EQ(set.delay, standard.delay);
    EXPECT_EQ(set.reading, standard.reading);
    EXPECT_EQ(set.lock, standard.lock);
    EXPECT_EQ(set.wake, standard.wake);
    EXPECT_EQ(set.wait, standard.wait);
    EXPECT_EQ(set.memory.elements_per_block, standard.memory.elements_per_block);
    EXPECT_EQ(set.memory.elements_per_list, standard.memory.elements_per_list);
    EXPECT_EQ(set.memory.local_limit, standard.memory.local_limit);
    EXPECT_FALSE(each.parse(set, "no such value")) << each.name;
  }
}

/// Returns: of "least … greatest" these two.
std::pair<std::string, std::string> ends_of(const std::string& values) {
  return {values.substr(0, values.find(' ')), values.substr(values.rfind(' ') + 1)};
}

TEST(settings, every_row_takes_what_it_says_and_nothing_beside) {
  for (const setting& each : all_settings()) {
    const std::string values = each.values, name = each.name;
    settings set;
    if (values.find(" … ") != values.npos && name != "stack") {
      const auto [least, most] = ends_of(values);
      EXPECT_TRUE(each.parse(set, least)) << name;
      EXPECT_TRUE(each.parse(set, most)) << name;
      EXPECT_FALSE(each.parse(set, std::to_string(std::stoll(most) + 1))) << name;
      EXPECT_FALSE(each.parse(set, "-" + least)) << name;
    } else if (name != "stack" && name != "steal" && name != "domains") {
      for (std::string left = values; !left.empty(); left.erase(0, std::min(left.size(), left.find(", ") + 2))) {
        if (left.find(", ") == left.npos) left += ", ";
        EXPECT_TRUE(each.parse(set, left.substr(0, left.find(", ")))) << name << " " << left;
      }
      EXPECT_FALSE(each.parse(set, "")) << name;
      EXPECT_FALSE(each.parse(set, values)) << name;
    }
  }
}

template <class Member>
void expect_named(const char* name, Member settings::* member, const std::vector<std::pair<const char*, Member>>& rows) {
  for (const auto& [text, value] : rows) {
    const settings set = with({name + ("=" + std::string(text))});
    EXPECT_EQ(set.*member, value) << name << "=" << text;
  }
}

TEST(settings, every_name_is_the_value_that_it_says) {
  for (const auto& [text, order] :
       {std::pair("linear", victim_order::linear), {"random", victim_order::random}, {"nearest", victim_order::nearest}}) {
    const victim_choice victims = with({"victims=" + std::string(text)}).victims;
    EXPECT_EQ(victims.order, order) << text;
    EXPECT_TRUE(victims.is_set) << text;
  }
  expect_named("strategy", &settings::strategy, {{"greedy", sharing::greedy}, {"generous", sharing::generous}});
  expect_named("blocking", &settings::blocking, {{"static", blocking_policy::at_leaf}, {"dynamic", blocking_policy::dynamic}});
  expect_named("entry", &settings::entry, {{"root", entry_queue::root}, {"leaf", entry_queue::leaf}});
  expect_named("assign", &settings::assign,
               {{"turn", assignment::turn}, {"random", assignment::random}, {"shortest", assignment::shortest}});
  expect_named("per_batch", &settings::per_batch, {{"no", false}, {"yes", true}});
  expect_named("climb", &settings::climb, {{"free", climb_cost::free}, {"charged", climb_cost::charged}});
  expect_named("reading", &settings::reading, {{"held", access_reading::held}, {"outside", access_reading::outside}});
  expect_named("lock", &settings::lock, {{"mutex", platform::lock_kind::mutex}, {"spin", platform::lock_kind::spin}});
  expect_named("wake", &settings::wake, {{"every-put", wake_policy::every_put}, {"empty-queue", wake_policy::empty_queue}});
  expect_named("wait", &settings::wait,
               {{"spin", wait_policy::spin}, {"park", wait_policy::park}, {"spin-then-park", wait_policy::spin_then_park}});
}

TEST(settings, those_that_pools_and_managers_use_are_those_that_exist) {
  std::set<std::string> used, existing;
  used.insert(std::begin(team_settings), std::end(team_settings));
  for_each_pool([&]<class Pool>(const entry&) { used.insert(Pool::traits.uses.begin(), Pool::traits.uses.end()); });
  mem::for_each_manager([&]<mem::spec Spec>(const char*, const char*, const char*) {
    used.insert(mem::uses<Spec>.begin(), mem::uses<Spec>.end());
  });
  for (const setting& each : all_settings()) existing.insert(each.name);
  EXPECT_EQ(used, existing);
}

}  // namespace
}  // namespace TEFF_NAMESPACE::pool
