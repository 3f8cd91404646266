// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The page as a text. That it is well-formed, and that its numbers are the records', test/cli/test_html.py finds out.
#include "report/html.h"

#include "helpers.h"
#include "report/html_style.h"
#include "report/markup.h"

#include <gtest/gtest.h>

namespace teff::report {
namespace {

/// Pools × managers × numbers of workers.
record_set large_set(int pools, int managers, const std::vector<unsigned>& workers) {
  record_set set = make_set({});
  for (int pool = 0; pool < pools; ++pool) {
    for (int manager = 0; manager < managers; ++manager) {
      for (const unsigned count : workers) {
        const double seconds = (1 + pool + 0.1 * manager) / count;
        set.records.push_back(made_with("manager" + std::to_string(manager),
                                        make_record("pool" + std::to_string(pool), count, {seconds, seconds * 1.1})));
      }
    }
  }
  return set;
}

TEST(markup, reserved_characters) { EXPECT_EQ(escaped("a<b>&\"'c"), "a&lt;b&gt;&amp;&quot;&#39;c"); }

TEST(markup, keeps_what_is_utf8) {
  const std::string text = "\u00e4 \u2605 \U0001F600 \t\n";
  EXPECT_EQ(escaped(text), text);
}

TEST(markup, replaces_what_no_document_may_hold) {
  const std::string shown = "\uFFFD";
  for (const char* each : {"\x01", "\x1b", "\x7f", "\xff", "\x80", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                           "\xef\xbf\xbf", "\xc2\x85", "\xe2\x98"}) {
    const std::string made = escaped(std::string("a") + each + "b");
    EXPECT_TRUE(made.starts_with("a" + shown) && made.ends_with(shown + "b")) << made;
  }
  EXPECT_EQ(escaped(std::string_view("\0", 1)), shown);
}

TEST(html, what_the_workload_measured_has_a_table) {
  record some = make_record("dq8", 1, {0.1});
  EXPECT_FALSE(contains(html(make_set({some})), "What the workload measured"));
  some.metrics = {{"response_mean", "how <long>", 2.7293, "saturated"},
                  {"share", "how much", std::nullopt, "more came than went"}};
  const std::string page = html(make_set({some}));
  EXPECT_TRUE(contains(page, "What the workload measured"));
  EXPECT_TRUE(contains(page, "<td data-value=\"2.7293\">2.729</td><td>more came than went</td>"));
  EXPECT_TRUE(contains(page, "response_mean: how &lt;long&gt;"));
}

TEST(html, texts_from_outside_are_escaped) {
  record bad = make_record("<script>alert(1)</script>", 1, {0.1});
  bad.memory = "\"><img src=x>";
  bad.settings = {"a=<b>"};
  record other = make_record("other", 2, {0.2});
  record_set set = make_set({bad, other, made_with("dlf", bad), made_with(bad.memory, other)});
  set.workload = "<i>work</i>";
  set.size = "n=1&lt;";
  set.machine.processor = "</dd><b>\xff";
  set.commit = "'\"<";
  const std::string page = html(set);
  for (const char* raw : {"<script>alert", "<img", "<i>", "<b>", "a=<b"}) EXPECT_FALSE(contains(page, raw)) << raw;
  EXPECT_TRUE(contains(page, "n=1&amp;lt;"));
}

TEST(html, holds_every_record) {
  const std::string page = html(large_set(3, 2, {1, 2}));
  EXPECT_EQ(count_of(page, "<tr><td class=\"name\">"), 12u);
  EXPECT_EQ(count_of(page, "<caption>"), 2u);  // a heat map for each number of workers
  EXPECT_EQ(count_of(page, " champion\""), 2u);
}

TEST(html, needs_no_other_file) {
  const std::string page = html(large_set(2, 2, {1, 2}));
  for (const char* part : {"src=", "href=", "url(", "@import", "<link", "https:"}) EXPECT_FALSE(contains(page, part)) << part;
  EXPECT_TRUE(contains(page, "default-src 'none'"));
}

TEST(html, style_and_script_hold_nothing_that_xml_reserves) {
  for (const std::string text : {page_style, page_script}) {
    EXPECT_EQ(text.find_first_of("<&"), std::string::npos);
    EXPECT_FALSE(contains(text, "]]>"));
  }
}

TEST(html, wrong_results_are_shown_as_wrong_and_not_drawn) {
  record_set set = make_set({make_record("good", 1, {0.1}), make_record("good", 2, {0.06}), make_record("bad", 1, {0.1}),
                             make_record("bad", 2, {0.06})});
  set.records[2].verified = set.records[3].verified = false;
  const std::string page = html(set);
  EXPECT_TRUE(contains(page, "The result of 2 of 4 records"));
  EXPECT_EQ(count_of(page, ">wrong result</td>"), 2u);
  EXPECT_FALSE(contains(page, "data-line=\"bad"));
  EXPECT_TRUE(contains(page, "data-line=\"good"));
}

TEST(html, records_that_did_not_end_are_not_called_wrong) {
  record_set set = make_set({make_record("good", 1, {0.1}), made_with("other", make_record("good", 1, {0.1})),
                             make_record("stuck", 1, {}), made_with("other", make_record("stuck", 1, {0.1}))});
  set.records[2].verified = set.records[2].ended = false;
  std::string page = html(set);
  EXPECT_TRUE(contains(page, "1 of 4 records did not end, and was given up: the tables say so"));
  EXPECT_FALSE(contains(page, "was wrong"));
  EXPECT_EQ(count_of(page, ">did not end</td>"), 2u);  // in the heat map, and in the table
  set.records[3].verified = false;
  page = html(set);
  EXPECT_TRUE(contains(page, "The result of 1 of 4 records"));
  EXPECT_TRUE(contains(page, "1 of 4 records did not end"));
}

TEST(html, nothing_but_wrong_results) {
  record_set set = large_set(2, 2, {1, 2});
  for (record& each : set.records) {
    each.verified = false;
    each.seconds.clear();
    each.serial_seconds.clear();
  }
  const std::string page = html(set);
  EXPECT_FALSE(contains(page, "<svg "));
  EXPECT_EQ(count_of(page, "<td class=\"wrong\">wrong</td>"), 8u);
}

TEST(html, one_number_of_workers_has_dots_instead_of_curves) {
  const std::string page = html(make_set({make_record("a", 2, {0.1, 0.2, 0.3}), make_record("b", 2, {0.3, 0.4, 0.5})}));
  EXPECT_FALSE(contains(page, "id=\"speedup-1\""));
  EXPECT_TRUE(contains(page, "id=\"times\""));
  EXPECT_TRUE(contains(page, "median time in ms"));
}

TEST(html, times_of_zero_have_no_speed_up) {
  const std::string page = html(make_set({make_record("a", 1, {0}), make_record("a", 2, {0.1})}));
  EXPECT_TRUE(contains(page, "1 of 2 records took no time that could be measured"));
  EXPECT_EQ(count_of(page, "data-workers=\""), 1u);
  EXPECT_FALSE(contains(page, "nan"));
}

TEST(html, simulated_times_are_called_virtual_and_the_machine_is_described) {
  record some = make_record("a", 1, {0.1});
  some.simulated = true;
  record_set set = make_set({some});
  set.machine = {"simulated", 1024, {{"fence", 20}, {"cycles_per_ns", 2.5}}, "a-board"};
  const std::string page = html(set);
  EXPECT_TRUE(contains(page, "<h1>Simulated task pools on synthetic</h1>"));
  EXPECT_TRUE(contains(page, "all times are virtual"));
  EXPECT_TRUE(contains(page, "a-board"));
  EXPECT_TRUE(contains(page, "fence=20, cycles_per_ns=2.5"));
  EXPECT_TRUE(contains(page, "median virtual time in ms"));
}

TEST(html, of_nothing_is_a_page) { EXPECT_TRUE(html(make_set({})).ends_with("</html>\n")); }

TEST(html, sixteen_pools_nineteen_managers_eight_numbers_of_workers) {
  const std::string page = html(large_set(16, 19, {1, 2, 3, 4, 8, 16, 32, 64}));
  EXPECT_EQ(count_of(page, "<tr><td class=\"name\">"), 16u * 19u * 8u);
  EXPECT_EQ(count_of(page, "<caption>"), 8u);
  EXPECT_EQ(count_of(page, "data-workers=\""), 16u * 8u);
  EXPECT_LT(page.size(), 4'000'000u);
}

}  // namespace
}  // namespace teff::report
