// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/account.h"

#include "helpers.h"
#include "report/html.h"
#include "report/json.h"
#include "report/plot.h"
#include "report/text.h"

#include <gtest/gtest.h>

namespace teff::report {
namespace {

/// Two workers, 1 ms: one works and waits for a lock, the other one is mostly parked.
record with_account() {
  record made = make_record("sq1", 2, {0.001});
  made.account_ns = 1'000'000;
  made.account = {{"own_work", "work", {600'000, 100'000}},
                  {"lock_wait", "locks", {399'900, 0}},
                  {"parked", "asleep", {100, 900'000}},
                  {"waking", "others", {0, 0}}};
  made.resources = {{"lock of the central queue", resource::kind::lock, 940'000, 470, 399'900},
                    {"line of the count of sleepers", resource::kind::line, 20'000, 10, 5'000}};
  return made;
}

TEST(account, shares_are_of_workers_times_elapsed) {
  const record some = with_account();
  EXPECT_DOUBLE_EQ(some.share("own_work").value(), 0.35);
  EXPECT_DOUBLE_EQ(some.share("waking").value(), 0);
  EXPECT_FALSE(some.share("no such part"));
  EXPECT_FALSE(make_record("sq1", 2, {0.001}).share("own_work"));
}

TEST(account, the_table_has_a_line_for_each_record_and_a_dash_without_account) {
  const std::string text = account_table(make_set({with_account(), make_record("dq8", 2, {0.002})}));
  EXPECT_TRUE(contains(text, "own work  lock wait  parked  waking")) << text;
  EXPECT_TRUE(contains(text, "35.0       20.0    45.0     0.0")) << text;
  EXPECT_TRUE(contains(text, "dq8   dlf           2         -          -       -       -")) << text;
  EXPECT_TRUE(
      contains(text,
               "sq1 with dlf, 2 workers: the lock of the central queue was held 94 % of the time: that bounds it to 1,063,830 "
               "tasks per second"))
      << text;
  EXPECT_FALSE(contains(text, "sleepers")) << text;
  EXPECT_TRUE(contains(text, "put_get and fibers, which are estimated")) << text;
  EXPECT_EQ(account_table(make_set({make_record("dq8", 2, {0.002})})), "");
}

TEST(account, what_bounds_is_what_bounds_in_sentences) {
  record some = with_account();
  some.resources[1].busy_ns = 700'000;  // on its way for 70 %, as many lines are that bound nothing
  EXPECT_EQ(critical_resources(some).size(), 1u);
  some.resources[0].busy_ns = 9'400'000;  // by a sample that stands for too much
  EXPECT_TRUE(critical_resources(some).empty());
  EXPECT_TRUE(contains(account_of(some), "lock of the central queue           -   470")) << account_of(some);
  some.resources[0].busy_ns = 1'100'000;
  EXPECT_TRUE(contains(account_of(some), "lock of the central queue       100.0   470")) << account_of(some);
}

TEST(account, of_a_sweep_has_the_cost_in_each_line) {
  record some = with_account();
  some.swept = 250;
  record_set set = make_set({some});
  set.sweep = "park";
  const std::string text = account_table(set);
  EXPECT_TRUE(contains(text, "pool  memory  workers  park  own work")) << text;
  EXPECT_TRUE(contains(text, "sq1   dlf           2   250      35.0")) << text;
  EXPECT_TRUE(contains(text, "sq1 with dlf, 2 workers, park = 250: the lock of the central queue was held")) << text;
}

TEST(account, of_one_record_goes_by_worker_and_names_what_is_shared) {
  const std::string text = account_of(with_account());
  EXPECT_TRUE(contains(text, "own_work           35.0        60.0        10.0  work")) << text;
  EXPECT_TRUE(contains(text, "parked             45.0        <0.1        90.0  asleep")) << text;
  EXPECT_TRUE(contains(text, "lock of the central queue        94.0   470     2000               400 us")) << text;
  EXPECT_TRUE(contains(text, "put_get and fibers, which are estimated")) << text;
  EXPECT_EQ(account_of(make_record("dq8", 2, {0.002})), "");
}

TEST(account, the_page_has_a_bar_for_each_worker_whose_pieces_have_its_length) {
  const std::string page = html(make_set({with_account()}));
  EXPECT_TRUE(contains(page, "Where the time went"));
  EXPECT_EQ(count_of(page, "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"account-"), 1u);
  // 640 units are the whole: 60 % and 39.99 %; a piece of 0.01 % is left out.
  EXPECT_TRUE(contains(page, "class=\"part p-own_work\" data-value=\"600000\" x=\"84.00\" y=\"10.00\" width=\"384.00\"")) << page;
  EXPECT_TRUE(contains(page, "class=\"part p-lock_wait\" data-value=\"399900\" x=\"468.00\"")) << page;
  EXPECT_TRUE(contains(page, "class=\"part p-parked\" data-value=\"900000\" x=\"148.00\"")) << page;
  EXPECT_FALSE(contains(page, "p-waking\" data-value"));
  EXPECT_FALSE(contains(html(make_set({make_record("dq8", 2, {0.002})})), "Where the time went"));
}

TEST(account, no_text_of_the_legend_reaches_the_next_one) {
  record some = with_account();
  some.account = {{"searching_beside_tasks", "searching", {500'000, 500'000}},
                  {"without_processor", "elsewhere", {300'000, 300'000}},
                  {"put_get", "puts", {100'000, 100'000}},
                  {"fibers", "fibers", {100'000, 100'000}}};
  const std::string page = html(make_set({some}));
  const double column = 20 + text_width("searching beside tasks 50.0 %") + 16;
  for (std::size_t i = 0; i < some.account.size(); ++i) {
    const double x = 84 + static_cast<double>(i % 3) * column;
    const std::string swatch = format(R"(<rect class="part p-{}" x="{:.2f}")", some.account[i].name, x);
    EXPECT_TRUE(contains(page, swatch)) << swatch << '\n' << page;
  }
  EXPECT_TRUE(contains(page, format(R"(id="account-1" viewBox="0 0 {0:.0f} )", 84 + 3 * column)));
}

TEST(account, is_in_the_json_object) {
  const std::string text = json(make_set({with_account()}));
  EXPECT_TRUE(contains(text, "\"account_ns\": 1000000")) << text;
  EXPECT_TRUE(contains(text, "\"kind\": \"lock\"")) << text;
  EXPECT_TRUE(contains(text, "\"busy_ns\": 940000")) << text;
}

}  // namespace
}  // namespace teff::report
