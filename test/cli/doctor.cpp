// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What `teff doctor` says about machines that are made up.
#include "cli/doctor/advice.h"
#include "cli/doctor/listing.h"
#include "cli/doctor/words.h"
#include "report/json.h"
#include "test/support/fake_tree.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace teff::cli {
namespace {

using os::counting;

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A machine of four processors on which there is nothing to complain of.
facts healthy() {
  facts of;
  of.build = {"1.2.3", "abc123", "g++ 12.2.0", "Release", true, false, "", {{"hwloc", "2.9.0"}, {"fmt", "9.1.0"}}};
  of.machine.mask = {0, 1, 2, 3};
  of.machine.usable.usable_processors = 4;
  of.machine.usable.places = {{0}, {1}, {2}, {3}};
  of.machine.shape = {1, 1, 2, 4, {{1, 48 << 10, 2, 2}, {3, 32 << 20, 4, 1}}};
  of.kernel.proc = of.kernel.sys = true;
  of.kernel.processor = "Some CPU";
  of.kernel.online = 4;
  of.kernel.hypervisor = false;
  of.kernel.clock_source = "tsc";
  of.kernel.huge_pages = "madvise";
  of.kernel.governors = {"performance"};
  of.kernel.nodes = {{0, {10}}};
  of.kernel.load = 0.1;
  of.kernel.stolen = 0;
  of.kernel.counters_paranoid = 2;
  of.kernel.mappings = 65530;
  of.kernel.overcommit = 0;
  of.kernel.threads = 100'000;
  of.kernel.process_numbers = 4'194'304;
  of.kernel_release = "6.1.0";
  of.clock_read_ns = 20;
  of.stack_bytes = 8 << 20;
  return of;
}

/// Returns: the only advice for the healthy machine after the change.
std::string advice_after(const std::function<void(facts&)>& change) {
  facts of = healthy();
  change(of);
  const auto found = advice(of);
  EXPECT_EQ(found.size(), 1U) << ::testing::PrintToString(found);
  return found.empty() ? "" : found.front();
}

void set_quota(facts& of, double amount, const std::string& text) {
  of.machine.quota = platform::cgroup_limit{amount, "/sys/fs/cgroup/a/cpu.max", text};
  of.machine.usable.usable_processors =
      std::min(of.machine.usable.usable_processors, platform::whole_processors(*of.machine.quota));
}

std::string line_of(const facts& of, const std::string& name) {
  const std::string text = text_of(listing(of));
  const std::size_t begin = text.find("  " + name + " ");
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

TEST(doctor, has_nothing_to_say_about_a_good_machine) { EXPECT_TRUE(advice(healthy()).empty()); }

TEST(doctor, shows_one_line_for_each_fact) {
  const std::string expected =
      "teff         version        1.2.3 (abc123)\n"
      "             compiler       g++ 12.2.0\n"
      "             build type     Release: optimised, without assertions, without sanitizers\n"
      "             libraries      fmt 9.1.0, hwloc 2.9.0\n"
      "processors   name           Some CPU  [/proc/cpuinfo]\n"
      "             online         4  [/sys/devices/system/cpu/online]\n"
      "             affinity mask  4 (numbers 0-3)  [sched_getaffinity]\n"
      "             quota          none  [cgroups]\n"
      "             usable         4, so 4 workers by default  [all that are online]\n"
      "             cores          2 with 4 hardware threads, 1 package, 1 memory node  [hwloc]\n"
      "             caches         L1 48 KiB for 2 processors, L3 32 MiB for 4 processors  [hwloc]\n"
      "             distances      node 0: 10  [/sys/devices/system/node]\n"
      "             team           workers of each domain, by cache: 4; by socket: 4  [setting domains]\n"
      "             virtual        no  [hypervisor flag of /proc/cpuinfo]\n"
      "system       kernel         6.1.0  [uname]\n"
      "             clock source   tsc, 20.0 ns to read it  [/sys/devices/system/clocksource]\n"
      "             huge pages     madvise  [/sys/kernel/mm/transparent_hugepage/enabled]\n"
      "             frequency      performance  [cpufreq/scaling_governor]\n"
      "             load           0.10 in the last minute  [/proc/loadavg]\n"
      "             stolen         0.0 % of the time since the start  [/proc/stat]\n"
      "counters     cycles         can be counted  [perf_event_open, kernel.perf_event_paranoid 2]\n"
      "             cache misses   can be counted  [perf_event_open, kernel.perf_event_paranoid 2]\n"
      "limits       threads        100,000  [kernel.threads-max]\n"
      "             stack          8 MiB  [ulimit -s]\n"
      "             mappings       65,530: for about 32,765 stacks with a guard page  [vm.max_map_count]\n"
      "             overcommit     0: by estimate  [vm.overcommit_memory]\n"
      "environment  variables      none set; known: TEFF_DISPLAY, TEFF_MEMORY, TEFF_NUM_THREADS, TEFF_POOL, TEFF_SEED, TEFF_SET, "
      "TEFF_STATS, TEFF_WAIT, TEFF_WATCHDOG\n";
  EXPECT_EQ(text_of(listing(healthy())), expected);
}

TEST(doctor, says_what_limits_the_number_of_workers) {
  facts of = healthy();
  of.machine.mask = {1, 3};
  of.machine.usable.usable_processors = 2;
  EXPECT_TRUE(contains(line_of(of, "usable"), "2, so 2 workers by default  [by the affinity mask]")) << line_of(of, "usable");
  EXPECT_TRUE(contains(line_of(of, "affinity mask"), "2 (numbers 1,3)"));
  set_quota(of, 1.5, "150000 100000");
  EXPECT_TRUE(contains(line_of(of, "usable"), "1, so 1 worker by default  [by the cgroup quota]")) << line_of(of, "usable");
  EXPECT_TRUE(contains(line_of(of, "quota"), "1.5  [cgroup quota /sys/fs/cgroup/a/cpu.max 150000 100000]"))
      << line_of(of, "quota");
}

TEST(doctor, says_how_far_nodes_are_and_which_domains_a_team_gets) {
  facts of = healthy();
  of.machine.usable.places = {{0, {0, 0, 0}}, {1, {1, 0, 0}}, {2, {2, 1, 0}}, {3, {3, 2, 1}}};
  of.machine.usable.memory_nodes = {0, 0, 0, 1};
  of.kernel.nodes = {{0, {10, 21}}, {3, {21, 10}}};
  EXPECT_TRUE(contains(line_of(of, "distances"), "node 0: 10, 21; node 3: 21, 10")) << line_of(of, "distances");
  EXPECT_TRUE(contains(line_of(of, "team"), "by cache: 2, 1, 1; by socket: 3, 1; by node: 3, 1  [")) << line_of(of, "team");
  of.machine.usable.names_packages = false;
  of.machine.usable.memory_nodes.clear();
  of.machine.usable.usable_processors = 3;
  EXPECT_TRUE(contains(line_of(of, "team"), "by cache: 2, 1  ["))
      << "as many workers as there are by default: " << line_of(of, "team");
  of.kernel.nodes = {{0, {}}};
  EXPECT_TRUE(contains(line_of(of, "distances"), "node 0: unknown"));
}

TEST(doctor, a_wide_quota_limits_nothing) {
  facts of = healthy();
  set_quota(of, 4, "400000 100000");
  EXPECT_TRUE(contains(line_of(of, "usable"), "[all that are online]"));
  EXPECT_TRUE(advice(of).empty());
}

TEST(doctor, says_unknown_where_nothing_is_known) {
  const testing_support::fake_tree empty;
  const facts of = gather_facts(empty.root());
  for (const char* name : {"name", "online", "quota", "virtual", "clock source", "huge pages", "frequency", "load", "stolen",
                           "mappings", "overcommit", "distances"}) {
    EXPECT_TRUE(contains(line_of(of, name), " unknown")) << line_of(of, name);
  }
  EXPECT_GE(of.default_workers(), 1U);
  const std::string sentences = ::testing::PrintToString(advice(of));
  EXPECT_TRUE(contains(sentences, "mount -t proc")) << sentences;
  EXPECT_TRUE(contains(sentences, "mount -t sysfs")) << sentences;
}

TEST(doctor, speaks_of_facts_that_nobody_filled_in) {
  EXPECT_FALSE(text_of(listing(facts())).empty());
  EXPECT_FALSE(advice(facts()).empty());
}

TEST(doctor, reads_a_quota_from_the_files) {
  testing_support::fake_tree tree;
  tree.file("/proc/self/cgroup", "0::/\n").file("/proc/self/mountinfo", "30 23 0:26 / /g rw - cgroup2 cgroup2 rw\n");
  tree.file("/g/cpu.max", "50000 100000\n").file("/g/pids.max", "12\n");
  const facts of = gather_facts(tree.root());
  EXPECT_EQ(of.default_workers(), 1U);
  EXPECT_TRUE(contains(line_of(of, "quota"), "0.5  [cgroup quota /g/cpu.max 50000 100000]")) << line_of(of, "quota");
  EXPECT_TRUE(contains(line_of(of, "threads"), "12  [/g/pids.max]")) << line_of(of, "threads");
}

TEST(doctor, advises_on_builds_that_are_slow) {
  const std::string debug = advice_after([](facts& of) { of.build.optimised = false; });
  EXPECT_TRUE(contains(debug, "built without optimisation, so")) << debug;
  const std::string checked = advice_after([](facts& of) {
    of.build.assertions = true;
    of.build.sanitizers = "address,undefined";
  });
  EXPECT_TRUE(contains(checked, "built with assertions, with sanitizers, so")) << checked;
  EXPECT_TRUE(contains(checked, "cmake --preset release")) << checked;
}

TEST(doctor, advises_on_quotas) {
  const std::string below = advice_after([](facts& of) { set_quota(of, 2.5, "250000 100000"); });
  EXPECT_TRUE(contains(below, "2.5 of 4 processors (/sys/fs/cgroup/a/cpu.max)")) << below;
  EXPECT_TRUE(contains(below, "0.5 of a processor is never used")) << below;
  const std::string whole = advice_after([](facts& of) { set_quota(of, 2, "200000 100000"); });
  EXPECT_FALSE(contains(whole, "never used")) << whole;
  facts of = healthy();
  set_quota(of, 0.5, "50000 100000");
  const auto tiny = advice(of);
  ASSERT_EQ(tiny.size(), 2U);
  EXPECT_TRUE(contains(tiny[0], "the one worker that there is will be held up too")) << tiny[0];
  EXPECT_TRUE(contains(tiny[1], "1 usable processor")) << tiny[1];
}

TEST(doctor, advises_on_masks_and_single_processors) {
  const std::string masked = advice_after([](facts& of) {
    of.machine.mask = {0, 1};
    of.machine.usable.usable_processors = 2;
  });
  EXPECT_TRUE(contains(masked, "2 of 4 processors")) << masked;
  const std::string single = advice_after([](facts& of) {
    of.machine.mask = {0};
    of.kernel.online = 1;
    of.machine.usable.usable_processors = 1;
  });
  EXPECT_TRUE(contains(single, "with 1 usable processor nothing runs in parallel")) << single;
  const std::string many = advice_after([](facts& of) {
    of.machine.mask.assign(300, 0);
    of.kernel.online = 300;
    of.machine.usable.usable_processors = 300;
  });
  EXPECT_TRUE(contains(many, "at most 256 workers: 44 processors")) << many;
}

TEST(doctor, advises_on_noise) {
  const std::string busy = advice_after([](facts& of) { of.kernel.load = 2.1; });
  EXPECT_TRUE(contains(busy, "load average is 2.10 on 4 processors")) << busy;
  facts quiet = healthy();
  quiet.kernel.load = 1.9;
  EXPECT_TRUE(advice(quiet).empty());
  const std::string stolen = advice_after([](facts& of) { of.kernel.stolen = 0.034; });
  EXPECT_TRUE(contains(stolen, "3.4 %")) << stolen;
  const std::string slow = advice_after([](facts& of) { of.kernel.governors = {"performance", "powersave"}; });
  EXPECT_TRUE(contains(slow, "cpupower frequency-set -g performance")) << slow;
  const std::string clock = advice_after([](facts& of) { of.clock_read_ns = 1200; });
  EXPECT_TRUE(contains(clock, "takes 1.20 us")) << clock;
}

TEST(doctor, says_why_events_cannot_be_counted_and_what_to_do) {
  const auto with = [](counting answer, std::int64_t paranoid, bool guest) {
    return advice_after([=](facts& of) {
      of.cycles = of.cache_misses = answer;
      of.kernel.counters_paranoid = paranoid;
      of.kernel.hypervisor = guest;
    });
  };
  EXPECT_TRUE(contains(with(counting::forbidden, 4, false), "not permitted; as root: sysctl kernel.perf_event_paranoid=2"));
  EXPECT_TRUE(contains(with(counting::forbidden, 2, false), "docker run --cap-add=PERFMON"));
  EXPECT_TRUE(contains(with(counting::no_counter, 2, true), "no such counter here; use a host whose hypervisor"));
  EXPECT_TRUE(contains(with(counting::no_counter, 2, false), "use a machine that has one"));
  EXPECT_TRUE(contains(with(counting::no_support, 2, false), "not in this kernel"));
  EXPECT_TRUE(contains(with(counting::busy, 2, false), "nmi_watchdog=0"));
  EXPECT_TRUE(contains(with(counting::failed, 2, false), "perf stat true"));
  const std::string one = advice_after([](facts& of) { of.cache_misses = counting::busy; });
  EXPECT_TRUE(one.starts_with("cache misses cannot be counted")) << one;
}

TEST(doctor, advises_on_limits) {
  const std::string threads = advice_after([](facts& of) { of.user_threads = 10; });
  EXPECT_TRUE(contains(threads, "no more than 10 threads may run (ulimit -u)")) << threads;
  const std::string stack = advice_after([](facts& of) { of.stack_bytes = 64 << 10; });
  EXPECT_TRUE(contains(stack, "stacks end at 64 KiB")) << stack;
  const std::string mappings = advice_after([](facts& of) { of.kernel.mappings = 1000; });
  EXPECT_TRUE(contains(mappings, "vm.max_map_count=65530")) << mappings;
  const std::string strict = advice_after([](facts& of) { of.kernel.overcommit = 2; });
  EXPECT_TRUE(contains(strict, "vm.overcommit_memory=0")) << strict;
}

TEST(doctor, no_limit_is_no_trouble) {
  facts of = healthy();
  of.stack_bytes.reset();
  of.kernel.threads.reset();
  of.kernel.process_numbers.reset();
  EXPECT_TRUE(advice(of).empty());
  EXPECT_TRUE(contains(line_of(of, "stack"), "unlimited"));
  EXPECT_TRUE(contains(line_of(of, "threads"), "no limit known"));
}

TEST(doctor, knows_its_variables) {
  const std::string misspelt = advice_after([](facts& of) { of.teff_variables = {{"TEFF_DISPLYA", "1"}}; });
  EXPECT_TRUE(contains(misspelt, "unknown environment variable 'TEFF_DISPLYA'; did you mean 'TEFF_DISPLAY'?")) << misspelt;
  const std::string value = advice_after([](facts& of) { of.teff_variables = {{"TEFF_DISPLAY", "yes\n"}}; });
  EXPECT_TRUE(contains(value, "TEFF_DISPLAY cannot be 'yes?'")) << value;
  EXPECT_TRUE(contains(value, "allowed: 0, 1")) << value;
  const std::string seconds = advice_after([](facts& of) { of.teff_variables = {{"TEFF_WATCHDOG", "soon"}}; });
  EXPECT_TRUE(contains(seconds, "TEFF_WATCHDOG cannot be 'soon'; allowed: seconds from")) << seconds;
  const std::string pool = advice_after([](facts& of) { of.teff_variables = {{"TEFF_POOL", "dq88"}}; });
  EXPECT_TRUE(contains(pool, "TEFF_POOL asks for an unknown pool 'dq88'; did you mean 'dq8'?")) << pool;
  facts of = healthy();
  of.teff_variables = {{"TEFF_DISPLAY", "1"}, {"TEFF_WATCHDOG", "0.5"}, {"TEFF_NUM_THREADS", "2"}, {"TEFF_WAIT", "power"}};
  EXPECT_TRUE(advice(of).empty());
  EXPECT_TRUE(contains(line_of(of, "variables"), "TEFF_DISPLAY=1"));
}

TEST(doctor, json_has_values_sources_and_nulls) {
  facts of = healthy();
  of.kernel.load.reset();
  const std::string json = report::json(listing(of), {"first", "second"});
  EXPECT_TRUE(contains(json, "\"optimised\": {\n      \"value\": true\n    }")) << json;
  EXPECT_TRUE(contains(json, "\"load\": {\n      \"value\": null,\n      \"source\": \"/proc/loadavg\"\n    }")) << json;
  EXPECT_TRUE(contains(json, "\"bytes\": 33554432")) << json;
  EXPECT_TRUE(contains(json, "\"advice\": [\n    \"first\",\n    \"second\"\n  ]")) << json;
}

TEST(doctor, words) {
  EXPECT_EQ(bytes_text(48 << 10), "48 KiB");
  EXPECT_EQ(bytes_text(1536), "1536 bytes");
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(std::uint64_t{1} << 52), "4096 TiB");
  EXPECT_EQ(ranges_text({}), "");
  EXPECT_EQ(ranges_text({5}), "5");
  EXPECT_EQ(ranges_text({0, 1, 2, 4, 6, 7}), "0-2,4,6-7");
  EXPECT_EQ(printable("a\x1b[0m\n"), "a?[0m?");
}

}  // namespace
}  // namespace teff::cli
