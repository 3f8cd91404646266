// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Machines that are described: what their files may say, and that what they say is what accesses cost.
#include "helpers.h"

#include "sim/lines.h"
#include "sim/machine_costs.h"
#include "sim/machines.h"

#include <string>
#include <utility>

namespace TEFF_NAMESPACE::sim {
namespace {

using platform::level;

/// Core complexes of 2 in sockets of 4 on a board of 8, each distance with a transfer that no sum of others gives.
std::string three_levels() {
  std::string text = "title = 'a board'\ncycles_per_ns = [2, 'a']\ncycles_per_charge_unit = [1.5, 'b']\n";
  for (const whole_cost& each : whole_costs) text += std::string(each.name) + " = [7, 'estimated']\n";
  text += "[[level]]\nname = 'complex'\nshares = 'cache'\nwidth = [2, 'c']\ntransfer = [31, 'd']\n";
  text += "[[level]]\nname = 'socket'\nshares = 'package'\nwidth = [4, 'e']\ntransfer = [101, 'f']\n";
  text += "[[level]]\nname = 'board'\nwidth = [8, 'g']\ntransfer = [503, 'h']\n";
  return text;
}

described_machine described(const std::string& text) {
  described_machine made;
  EXPECT_EQ(read_machine(text, "a.toml", made), "");
  return made;
}

/// Returns: what is wrong with the board, after the first `from` in its description was made `to`.
std::string wrong_with(const std::string& from, const std::string& to) {
  std::string text = three_levels();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  described_machine untouched;
  untouched.name = "as before";
  std::string wrong = read_machine(text, "a.toml", untouched);
  EXPECT_EQ(untouched.name, wrong.empty() ? "a.toml" : "as before");
  return wrong;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(machines, that_are_embedded_can_be_read_and_say_where_their_numbers_are_from) {
  for (const embedded_machine& each : embedded_machines()) {
    described_machine made;
    ASSERT_EQ(choose_machine(each.name, made), "");
    EXPECT_EQ(made.name, each.name);
    for (const machine_number& number : numbers_of(made)) EXPECT_EQ(number.source.empty(), number.name == jitter_cost.name);
    for (unsigned i = 0; i < made.costs.levels; ++i) EXPECT_TRUE(made.sources.contains(made.level_names[i] + "_size"));
  }
}

TEST(machines, that_nobody_names_are_generic) {
  EXPECT_STREQ(embedded_machines().front().name, "generic");
  EXPECT_EQ(generic_machine().costs, machine_description{});
}

TEST(machines, files_are_told_from_names_and_costs) {
  for (const char* const word : {"a.toml", "./a", "/a", "a/b=c.toml", "a=b.toml"}) EXPECT_TRUE(is_machine_file(word)) << word;
  for (const char* const word : {"a", "pause=3", "pause=3/4", ""}) EXPECT_FALSE(is_machine_file(word)) << word;
}

TEST(machines, are_as_their_files_say) {
  const described_machine board = described(three_levels());
  EXPECT_EQ(board.name, "a.toml");
  EXPECT_EQ(board.title, "a board");
  EXPECT_EQ(levels_of(board), "complex 2: 31, socket 4: 101, board 8: 503");
  EXPECT_EQ(board.costs.processors(), 8u);
  EXPECT_EQ(board.costs.cycles_per_ns, 2.0);
  for (const whole_cost& each : whole_costs) EXPECT_EQ(board.costs.*each.member, 7u) << each.name;
  EXPECT_EQ(board.sources.at("same_socket_transfer"), "f");
  EXPECT_EQ(board.sources.at("remote_transfer"), "h");
}

/// Whoever reads a line that was written at place 0, and whoever takes it from several holders.
TEST(machines, cost_what_the_innermost_common_level_says) {
  const machine_description machine = described(three_levels()).costs;
  lines model;
  model.reset(machine);
  std::uint64_t clock = 0;
  const auto serve = [&](padded<int>& word, operation what, unsigned by) {
    clock += 10'000;
    return model.serve(model.touch(&word), what, place_in(machine, by, 8), clock) - clock;
  };
  const unsigned expected[] = {7, 31, 101, 101, 503, 503, 503, 503};
  for (unsigned reader = 0; reader < 8; ++reader) {
    padded<int> word;
    EXPECT_EQ(serve(word, operation::store, 0), 7u);
    EXPECT_EQ(serve(word, operation::load, reader), expected[reader]) << reader;
    EXPECT_EQ(serve(word, operation::read_modify_write, reader), expected[reader] + 7) << "taken from 0 by " << reader;
    EXPECT_EQ(serve(word, operation::store, 0), expected[reader]) << "and back";
    model.reset(machine);
  }
  padded<int> word;
  serve(word, operation::store, 7);
  EXPECT_EQ(serve(word, operation::load, 2), 503u);
  EXPECT_EQ(serve(word, operation::load, 1), 101u) << "2 has a copy: the nearest counts";
  EXPECT_EQ(serve(word, operation::load, 0), 31u) << "1 has one";
  EXPECT_EQ(serve(word, operation::store, 0), 503u) << "7 has one still: the farthest counts";
}

/// As above with more holders than a line has room for.
TEST(machines, cost_the_same_where_many_hold_a_line) {
  machine_description machine = described(three_levels()).costs;
  machine.level[0].width = 64;
  machine.level[1].width = 256;
  machine.level[2].width = 1024;
  lines model;
  model.reset(machine);
  padded<int> word;
  const line_number line = model.touch(&word);
  const auto serve = [&](operation what, unsigned by) {
    return model.serve(line, what, place_in(machine, by, 1024), 1'000'000) - 1'000'000;
  };
  for (unsigned holder = 0; holder < 64; holder += 2)
    static_cast<void>(model.serve(line, operation::load, place_in(machine, holder, 1024), 0));
  EXPECT_EQ(serve(operation::load, 1), 31u);
  EXPECT_EQ(serve(operation::store, 255), 7u + 101u) << "after the copy before it";
  for (unsigned holder = 192; holder < 256; holder += 2)
    static_cast<void>(model.serve(line, operation::load, place_in(machine, holder, 1024), 0));
  EXPECT_EQ(model.serve(line, operation::load, place_in(machine, 300, 1024), 9'000'000), 9'000'503u);
  EXPECT_EQ(model.serve(line, operation::store, place_in(machine, 255, 1024), 9'900'000), 9'900'503u);
}

TEST(machines, give_the_platform_their_tree) {
  options wanted;
  wanted.processors_at_most = 7;
  wanted.machine = described(three_levels()).costs;
  simulate(wanted, [] {
    const auto& places = platform::machine().places;
    ASSERT_EQ(places.size(), 7u);
    EXPECT_EQ(platform::machine().count(level::core), 7u);
    EXPECT_EQ(platform::machine().count(level::cache), 4u);
    EXPECT_EQ(platform::machine().count(level::package), 2u);
    EXPECT_EQ(nearest_common(places[0], places[1]), level::cache);
    EXPECT_EQ(nearest_common(places[1], places[2]), level::package);
    EXPECT_EQ(nearest_common(places[3], places[4]), level::machine);
  });
}

TEST(machines, whose_processors_share_no_cache_have_a_part_for_each) {
  machine_description machine;
  machine.levels = 1;
  machine.level[0] = {16, 50};
  EXPECT_EQ(machine.width_of(level::cache), 1u);
  EXPECT_EQ(machine.width_of(level::package), 16u);
  machine.level[0].shares = sharing(level::core);
  EXPECT_EQ(machine.width_of(level::cache), 16u) << "threads of one core share its caches";
}

TEST(machines, whose_packages_have_one_cache_each_say_so) {
  std::string text = three_levels();
  text.replace(text.find("shares = 'cache'"), 16, "shares = []");
  text.replace(text.find("'package'"), 9, "['package', 'cache']");
  const machine_description machine = described(text).costs;
  EXPECT_EQ(machine.width_of(level::cache), 4u);
  EXPECT_EQ(machine.width_of(level::package), 4u);
}

TEST(machines, charge_as_many_cycles_for_a_unit_as_they_say) {
  options wanted;
  wanted.processors_at_most = 1;
  wanted.machine = described(three_levels()).costs;
  EXPECT_EQ(simulate(wanted, [] { platform::charge(3'000'000); }).time_ns, 2'250'000u);  // 1.5 cycles each, at 2 GHz
  wanted.machine.cycles_per_ns = 1;
  wanted.machine.cycles_per_charge_unit = 0.001;
  EXPECT_EQ(simulate(wanted, [] { platform::charge(400); }).time_ns, 0u);
  EXPECT_EQ(simulate(wanted, [] { platform::charge(3'600); }).time_ns, 4u);
}

TEST(machines, in_domains_have_two_levels_with_the_costs_of_the_cache_and_of_the_farthest) {
  machine_description machine = described(three_levels()).costs;
  machine_description made = in_domains_of(machine, 3);
  EXPECT_EQ(made.levels, 2u);
  EXPECT_EQ(made.level[0], (machine_level{3, 31, sharing(level::cache)}));
  EXPECT_EQ(made.level[1], (machine_level{1024, 503}));
  std::swap(machine.level[0].shares, machine.level[1].shares);
  EXPECT_EQ(in_domains_of(machine, 3).level[0].transfer, 101u);
  made = in_domains_of(machine_description{}, 8);
  EXPECT_EQ(made, machine_description{});
}

TEST(machine_files, are_written_as_they_are_read) {
  for (const embedded_machine& each : embedded_machines()) {
    SCOPED_TRACE(each.name);
    described_machine read, again;
    ASSERT_EQ(choose_machine(each.name, read), "");
    ASSERT_EQ(read_machine(machine_text(read), "again.toml", again), "");
    EXPECT_EQ(again.costs, read.costs);
    EXPECT_EQ(again.level_names, read.level_names);
    EXPECT_EQ(again.sources, read.sources);
    EXPECT_EQ(again.title, read.title);
  }
  described_machine odd = generic_machine(), again;
  odd.title = R"(a \ and a " in "it")";
  odd.sources["park"] = R"(\)";
  odd.costs.cycles_per_charge_unit = 100'000;
  ASSERT_EQ(read_machine(machine_text(odd), "odd.toml", again), "");
  EXPECT_EQ(again.title, odd.title);
  EXPECT_EQ(again.sources, odd.sources);
  EXPECT_EQ(again.costs, odd.costs);
}

TEST(machine_files, with_a_number_that_cannot_be_are_refused_with_line_and_key) {
  EXPECT_EQ(wrong_with("park = [7", "park = [-3"),
            "machine file a.toml:12: key 'park' cannot be '-3'; allowed: whole numbers 0 ... 1000000000");
  EXPECT_EQ(wrong_with("transfer = [101", "transfer = [1e9"),
            "machine file a.toml:29: key 'transfer' cannot be '1e+09'; allowed: whole numbers 0 ... 10000");
  for (const char* const value : {"0", "-1", "nan", "inf", "1001", "'x'", "true"})
    EXPECT_TRUE(contains(wrong_with("cycles_per_ns = [2", std::string("cycles_per_ns = [") + value), ":2: key 'cycles_per_ns'"))
        << value;
  EXPECT_TRUE(contains(wrong_with("pause = [7", "pause = [0"), "key 'pause' cannot be '0'; allowed: whole numbers 1"));
  EXPECT_TRUE(contains(wrong_with("wake = [7", "wake = [99999999999999999999"), "a.toml:13: "));
  EXPECT_TRUE(
      contains(wrong_with("width = [8", "width = [2048"), "key 'width' cannot be '2048'; allowed: whole numbers 1 ... 1024"));
}

/// The board, with all that is stated of caches.
std::string board_with_caches() {
  std::string text = three_levels();
  const auto behind = [&text](const std::string& part, const std::string& added) {
    text.insert(text.find(part) + part.size(), added);
  };
  behind("title = 'a board'\n",
         "own_cache_kib = [256, 'a']\ndomain_cache_kib = [2048, 'b']\ndomain_hit = [30, 'c']\n"
         "domain_next_line = [3, 'd']\nmemory_next_line = [12, 'e']\nmemory_occupancy = [4, 'f']\n");
  behind("transfer = [31, 'd']\n", "memory = [150, 'g']\n");
  behind("transfer = [101, 'f']\n", "memory = [150, 'h']\n");
  behind("transfer = [503, 'h']\n", "memory = [600, 'i']\n");
  return text;
}

TEST(machine_files, may_state_what_caches_hold) {
  const described_machine board = described(board_with_caches());
  EXPECT_TRUE(board.costs.states_capacities());
  EXPECT_EQ(board.costs.own_cache_kib, 256u);
  EXPECT_EQ(board.costs.domain_cache_kib, 2048u);
  EXPECT_EQ(board.costs.domain_hit, 30u);
  EXPECT_EQ(board.costs.domain_next_line, 3u);
  EXPECT_EQ(board.costs.memory_next_line, 12u);
  EXPECT_EQ(board.costs.memory_occupancy, 4u);
  EXPECT_EQ(board.costs.level[1].memory, 150u);
  EXPECT_EQ(board.costs.level[2].memory, 600u);
  EXPECT_EQ(board.sources.at("same_socket_memory"), "h");
  EXPECT_EQ(board.sources.at("remote_memory"), "i");
  EXPECT_FALSE(generic_machine().costs.states_capacities());
  for (const char* const name : {"nehalem-ex-4x8", "magny-cours-2x2x4", "altix-3700"}) {
    described_machine made;
    ASSERT_EQ(choose_machine(name, made), "");
    EXPECT_TRUE(made.costs.states_capacities()) << name;
  }
}

TEST(machine_files, that_state_half_of_what_caches_hold_are_refused_with_line_and_key) {
  const auto wrong_without = [](const std::string& from, const std::string& to) {
    std::string text = board_with_caches();
    text.replace(text.find(from), from.size(), to);
    described_machine made;
    return read_machine(text, "a.toml", made);
  };
  EXPECT_EQ(wrong_without("domain_hit = [30, 'c']\n", ""),
            "machine file a.toml:1: key 'domain_hit' is missing, and 'own_cache_kib' is there: what is known of caches is stated "
            "as a whole or not at all");
  EXPECT_TRUE(contains(wrong_without("own_cache_kib = [256, 'a']\n", ""), "'own_cache_kib' is missing, and 'domain_cache_kib'"));
  EXPECT_TRUE(contains(wrong_without("memory = [150, 'h']\n", ""), "a.toml:32: key 'memory' is missing"));
  std::string text = three_levels();
  text += "memory = [600, 'i']\n";
  described_machine made;
  EXPECT_TRUE(contains(read_machine(text, "a.toml", made), "key 'own_cache_kib' is missing, and 'memory' is there"));
  EXPECT_TRUE(contains(wrong_without("own_cache_kib = [256", "own_cache_kib = [-1"),
                       "a.toml:2: key 'own_cache_kib' cannot be '-1'; allowed: whole numbers 1"));
  EXPECT_TRUE(contains(wrong_without("own_cache_kib = [256, 'a']", "own_cache_kib = 256"), "a number and where it is from"));
  EXPECT_TRUE(contains(wrong_without("memory = [600", "memory = [149"),
                       ":42: key 'memory' cannot be '149': nearer memory, that of level 'socket', costs 150"));
  EXPECT_TRUE(contains(wrong_without("memory = [150, 'g']", "memory = [29, 'g']"),
                       ":31: key 'memory' cannot be '29': a line from the domain's cache costs 30"));
  EXPECT_TRUE(contains(wrong_without("domain_cache_kib = [2048", "domain_cache_kib = [255"),
                       ":3: key 'domain_cache_kib' cannot be '255': a processor's own cache has 256"));
  EXPECT_TRUE(contains(wrong_without("domain_hit = [30", "domain_hit = [6"), ":4: key 'domain_hit' cannot be '6'"));
  EXPECT_TRUE(
      contains(wrong_without("domain_next_line = [3", "domain_next_line = [31"), ":5: key 'domain_next_line' cannot be '31'"));
  EXPECT_TRUE(contains(wrong_without("shares = 'cache'", "shares = []"),
                       ":3: key 'domain_cache_kib' is there, and no level shares a cache"));
}

TEST(machines, change_what_they_state_of_caches_and_nothing_that_they_do_not) {
  described_machine board = described(board_with_caches());
  EXPECT_EQ(set_number(board, "own_cache_kib", "512"), "");
  EXPECT_EQ(set_number(board, "same_socket_memory", "170"), "");
  EXPECT_EQ(board.costs.own_cache_kib, 512u);
  EXPECT_EQ(board.costs.level[1].memory, 170u);
  EXPECT_TRUE(contains(set_number(board, "remote_memory", "0"), "allowed: whole numbers 1"));
  described_machine plain = generic_machine();
  EXPECT_TRUE(contains(set_number(plain, "own_cache_kib", "512"), "unknown machine setting"));
  const machine_description made = in_domains_of(board.costs, 4);
  EXPECT_EQ(made.level[0].memory, 150u);
  EXPECT_EQ(made.level[1].memory, 600u);
  EXPECT_EQ(made.domain_cache_kib, 2048u);
}

TEST(machine_files, without_a_source_for_a_number_are_refused) {
  for (const char* const value : {"7", "[7]", "[7, '']", "[7, 8]", "['x', 7]", "{}", "[7, \"a\\nb\"]", "[7, \"\\u001b[31m\"]"}) {
    const std::string wrong = wrong_with("fence = [7, 'estimated']", std::string("fence = ") + value);
    EXPECT_TRUE(contains(wrong, "key 'fence' cannot be ") && contains(wrong, "a number and where it is from")) << wrong;
  }
}

TEST(machine_files, have_a_title_in_one_line) {
  for (const char* const value : {"''", "3", "[]", "\"a\\tb\"", "\"\"\"a\nb\"\"\""})
    EXPECT_TRUE(contains(wrong_with("'a board'", value), "a.toml:1: key 'title' cannot be ")) << value;
}

TEST(machine_files, with_a_key_that_is_missing_unknown_or_there_twice_are_refused) {
  EXPECT_EQ(wrong_with("park = [7, 'estimated']\n", ""), "machine file a.toml:1: key 'park' is missing");
  EXPECT_EQ(wrong_with("transfer = [101, 'f']\n", ""), "machine file a.toml:25: key 'transfer' is missing");
  EXPECT_TRUE(contains(wrong_with("park =", "prak ="), "a.toml:12: unknown key 'prak'; did you mean 'park'?"));
  EXPECT_TRUE(contains(wrong_with("title =", "color = 1\ntitle ="), "a.toml:1: unknown key 'color'"));
  EXPECT_TRUE(contains(wrong_with("title =", "\"\\u001b[m\" = 1\ntitle ="), "a.toml:1: unknown key '?[m'"));
  EXPECT_TRUE(contains(wrong_with("width = [4", "depth = 1\nwidth = [4"), ":28: unknown key 'depth'"));
  EXPECT_TRUE(contains(wrong_with("park =", "pause = [8, 'x']\npark ="), "a.toml:12: "));
}

TEST(machine_files, with_levels_that_contradict_one_another_are_refused) {
  EXPECT_TRUE(contains(wrong_with("width = [4", "width = [3"), "a.toml:28: key 'width' cannot be '3': levels nest"));
  EXPECT_TRUE(contains(wrong_with("width = [4", "width = [2"), "levels nest")) << "no wider than the one within";
  EXPECT_TRUE(contains(wrong_with("width = [8", "width = [6"), "key 'width' cannot be '6'")) << "the last one, too";
  EXPECT_TRUE(contains(wrong_with("transfer = [101", "transfer = [30"), ":29: key 'transfer' cannot be '30': nearer processors"));
  EXPECT_TRUE(contains(wrong_with("transfer = [31", "transfer = [6"), "own_line_hit"));
  EXPECT_TRUE(contains(wrong_with("'socket'", "'complex'"), ":26: key 'name' cannot be 'complex': another level"));
  EXPECT_TRUE(contains(wrong_with("shares = 'package'", "shares = 'core'"), ":27: key 'shares' is no wider part"));
  EXPECT_TRUE(contains(wrong_with("shares = 'package'", "shares = ['package', 'cache']"), ":27: key 'shares' is no wider part"));
  EXPECT_TRUE(contains(wrong_with("shares = 'cache'", "shares = ['cache', 'package']"), ":27: key 'shares' is no wider part"));
  EXPECT_TRUE(contains(wrong_with("shares = 'package'", "shares = 'room'"), "allowed: core, cache, package"));
  EXPECT_TRUE(contains(wrong_with("shares = 'package'", "shares = ['package', 3]"), "key 'shares' cannot be '3'"));
  EXPECT_TRUE(contains(wrong_with("'socket'", "'a socket'"), "key 'name' cannot be 'a socket'"));
}

TEST(machine_files, that_are_no_toml_or_have_no_levels_are_refused) {
  described_machine made;
  EXPECT_TRUE(contains(read_machine("title = ", "b.toml", made), "machine file b.toml:1: "));
  EXPECT_TRUE(contains(read_machine("", "b.toml", made), "machine file b.toml:1: key 'title' is missing"));
  std::string text = three_levels();
  text.resize(text.find("[[level]]"));
  EXPECT_TRUE(contains(read_machine(text, "b.toml", made), "key 'level' is missing"));
  EXPECT_TRUE(contains(read_machine("level = []\n" + text, "b.toml", made), "1 to 6 levels"));
  EXPECT_TRUE(contains(read_machine("level = 3\n" + text, "b.toml", made), "1 to 6 levels"));
  for (unsigned i = 1; i <= 7; ++i)
    text +=
        "[[level]]\nname = 'l" + std::to_string(i) + "'\nwidth = [" + std::to_string(1 << i) + ", 'x']\ntransfer = [9, 'x']\n";
  EXPECT_TRUE(contains(read_machine(text, "b.toml", made), "1 to 6 levels"));
}

TEST(machine_numbers, change_one_by_one) {
  described_machine board = described(three_levels());
  EXPECT_EQ(set_number(board, "same_socket_transfer", "99"), "");
  EXPECT_EQ(board.costs.level[1].transfer, 99u);
  EXPECT_EQ(set_number(board, "remote_transfer", "0"), "");
  EXPECT_EQ(board.costs.level[2].transfer, 0u);
  EXPECT_EQ(set_number(board, "cycles_per_charge_unit", "0.25"), "");
  EXPECT_EQ(board.costs.cycles_per_charge_unit, 0.25);
  EXPECT_EQ(board.sources.at("remote_transfer"), "changed by --machine");
  EXPECT_EQ(set_number(board, "complex_size", "1"), "");
  EXPECT_EQ(set_number(board, "complex_size", "3"),
            "machine setting complex_size cannot be '3'; allowed: divisors of 4, because levels nest");
  EXPECT_EQ(set_number(board, "complex_size", "2"), "");
  EXPECT_EQ(set_number(board, "socket_size", "5"),
            "machine setting socket_size cannot be '5'; allowed: multiples of 2, because levels nest");
  EXPECT_EQ(set_number(board, "socket_size", "6"), "") << "the last socket is cut off by the end of the machine";
  EXPECT_EQ(set_number(board, "socket_size", "9"), "machine setting socket_size cannot be '9'; allowed: whole numbers 2 ... 8");
  EXPECT_TRUE(contains(set_number(board, "same_soket_transfer", "9"), "did you mean 'same_socket_transfer'?"));
  EXPECT_TRUE(contains(set_number(board, "board_size", "9"), "unknown machine setting 'board_size'"));
}

}  // namespace
}  // namespace TEFF_NAMESPACE::sim
