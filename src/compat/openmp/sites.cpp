// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/sites.h"

#include "base/region_count.h"
#include "compat/openmp/clock.h"
#include "compat/openmp/team.h"
#include "platform/foreign.h"

#include <bit>
#include <cstdarg>
#include <cstdio>
#include <initializer_list>
#include <iterator>

namespace TEFF_NAMESPACE::openmp {

namespace {

/// Of teams that are gone; and of all, when it is written.
constinit process_sites gone, written;
/// What is written is put together here: it may happen in the handler of a signal.
constinit char text[512 * 1024];
constexpr std::size_t longest_part = 64;  ///< a name and a number
constinit std::size_t length = 0;
/// Files of who started this process. What the list is cut to is more than ten of them.
constinit char starters[512];

/// Effect: adds a line. One that has no room is left out.
[[gnu::format(printf, 1, 2)]] void write(const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  const int wanted = std::vsnprintf(text + length, sizeof text - length, format, values);
  va_end(values);
  if (wanted > 0 && static_cast<std::size_t>(wanted) < sizeof text - length) length += static_cast<std::size_t>(wanted);
}

void write_number(const char* prefix, const char* name, std::uint64_t value) {
  if (value != 0) write(" %s%s=%llu", prefix, name, static_cast<unsigned long long>(value));
}

/// Effect: writes the parts of the account, without the looks at the clock, and with all time without a processor as one part.
void write_account(const site<region_numbers>& of) {
  using numbers = region_numbers;
  std::uint64_t parts[account_part_count], measuring = 0, lost_idle = 0;
  for (unsigned which = 0; which < account_part_count; ++which) parts[which] = of.numbers[numbers::parts + which].value();
  const auto take = [&](std::uint64_t ns, std::uint64_t& from_it, std::initializer_list<account_part> from) {
    for (const account_part which : from) {
      std::uint64_t& left = parts[static_cast<unsigned>(which)];
      const std::uint64_t taken = std::min(left, ns);
      left -= taken;
      ns -= taken;
      from_it += taken;
    }
  };
  using part = account_part;
  take(of[numbers::lost_idle], lost_idle, {part::searching_alone, part::searching_beside_tasks, part::stealing, part::waking});
  parts[static_cast<unsigned>(part::without_processor)] += lost_idle;
  take(of[numbers::own_looks] * look_ns(), measuring, {part::own_work});
  take(of[numbers::other_looks] * look_ns(), measuring, {part::put_get});
  for (unsigned which = 0; which < static_cast<unsigned>(part::outside_runs); ++which)
    write_number("part_", account_part_descriptions[which].name, parts[which]);
  write_number("part_", "inner_regions", of[numbers::inner]);
  write_number("part_", "measuring", measuring);
  write_number("", "idle_without_processor_ns", lost_idle);
}

/// Looks at the clock are taken off the time in which they were.
void write_numbers(const site<region_numbers>& measured) {
  using numbers = region_numbers;
  site<numbers> all;
  estimate(all, measured);
  const site<numbers>& of = all;
  const auto without = [](std::uint64_t ns, std::uint64_t looks) { return ns - std::min(ns, looks * look_ns()); };
  const std::uint64_t inner = of[numbers::inner], own = inner + without(of[numbers::own] - inner, of[numbers::own_looks]);
  const double kept = of[numbers::own] > 0 ? static_cast<double>(own) / static_cast<double>(of[numbers::own]) : 1;
  for (unsigned number = 0; number < std::size(numbers::names); ++number) {
    std::uint64_t value = of.numbers[number].value();
    if (number == numbers::own) value = own;
    if (number == numbers::overhead) value = without(value, of[numbers::overhead_looks]);
    if (number == numbers::longest_own) value = static_cast<std::uint64_t>(kept * static_cast<double>(value));
    write_number("", numbers::names[number], value);
  }
  write_number("", "own_outside_tasks_ns", without(of[numbers::implicit], of[numbers::implicit_looks]));
  write_number("", "longest_task_ns", of[numbers::longest_task]);
  if (of[numbers::longest_code] != 0) write(" longest_at=%llx", static_cast<unsigned long long>(of[numbers::longest_code]));
  write_number("", "longest_chain_ns", of[numbers::longest_chain]);
  if (of[numbers::chain_code] != 0) write(" chain_at=%llx", static_cast<unsigned long long>(of[numbers::chain_code]));
  write_account(of);
}

/// Those that were measured stand for all.
void write_numbers(const site<task_numbers>& of) {
  using numbers = task_numbers;
  const double tasks = static_cast<double>(of[numbers::tasks]), weight = static_cast<double>(of[numbers::weight]);
  const double each = weight > 0 ? tasks / weight : 0;
  const auto of_all = [&](numbers::which number) {
    return static_cast<std::uint64_t>(each * static_cast<double>(of[number]) + 0.5);
  };
  write_number("", "tasks", of[numbers::tasks]);
  write_number("", "measured", of[numbers::measured]);
  write_number("", "time_ns", of_all(numbers::time));
  write_number("", "short_tasks", of_all(numbers::short_tasks));
  write_number("", "short_time_ns", of_all(numbers::short_time));
  write_number("", "iterations", of[numbers::iterations]);
  write_number("", "longest_ns", of[numbers::longest]);
  write(" squares_ns2=%.0f", each * std::bit_cast<double>(of[numbers::squares]));
}

void write_numbers(const site<wait_numbers>& of) {
  for (unsigned number = 0; number < std::size(wait_numbers::names); ++number)
    write_number("", wait_numbers::names[number], of.numbers[number].value());
}

/// Effect: writes a line, if there is room for it. `code`: nullptr, of all places that have no line of their own.
template <class Numbers>
void write_site(const char* kind, const site<Numbers>& of, const void* code) {
  const std::size_t before = length;
  write("%s %llx %llx", kind, static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(code)),
        static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(of.region)));
  write_numbers(of);
  if (sizeof text - length > longest_part) write("\n");
  else length = before;
}

template <class Numbers, unsigned Slots>
void write_table(const char* kind, const site_table<Numbers, Slots>& of) {
  of.each([&](const site<Numbers>& one) { write_site(kind, one, one.key().code); });
  if (of.rest().numbers[0].value() != 0) write_site(kind, of.rest(), nullptr);
}

/// Whether something was counted at an address of that piece of a file.
bool is_used(const platform::mapping& piece) {
  const auto lies_in = [&](const void* code) {
    const auto address = reinterpret_cast<std::uintptr_t>(code);
    return address >= piece.begin && address < piece.end;
  };
  bool used = false;
  const auto look = [&](const auto& one) { used = used || lies_in(one.key().code); };
  written.regions.each(look);
  written.tasks.each(look);
  written.locks.each(look);
  written.barriers.each(look);
  return used;
}

void write_mapping(const platform::mapping& piece) {
  if (is_used(piece))
    write("map %llx %llx %llx %s\n", static_cast<unsigned long long>(piece.begin), static_cast<unsigned long long>(piece.end),
          static_cast<unsigned long long>(piece.offset), piece.path);
}

template <class Visit>
void each_starter(Visit visit) {
  for (std::string_view left = starters; !left.empty();) {
    const std::size_t end = std::min(left.find(':'), left.size());
    const std::string_view named = left.substr(0, end);
    char path[sizeof starters] = {};
    named.copy(path, std::min(named.find(','), named.size()));
    visit(path);
    left.remove_prefix(std::min(end + 1, left.size()));
  }
}

void add(process_sites& to, const activity_clock& from) {
  to.add(from.sites);
  if (from.regions != nullptr) to.regions.add(*from.regions);
}

void clear(activity_clock& of) {
  of.begin_anew();
  of.sites.clear();
  if (of.regions != nullptr) of.regions->clear();
}

}  // namespace

void name_starters(std::string_view files) {
  if (files.size() >= sizeof starters) files = files.substr(0, files.rfind(':', sizeof starters - 1));
  files.copy(starters, sizeof starters - 1);
}

void keep_sites(const team& measured) {
  for (unsigned number = 0; number < measured.size; ++number)
    if (measured.members[number].clock != nullptr) add(gone, *measured.members[number].clock);
}

void forget_sites(team* first) {
  gone.clear();
  for (team* each = first; each != nullptr; each = each->next_measured) {
    for (unsigned number = 0; number < each->size; ++number)
      if (each->members[number].clock != nullptr) clear(*each->members[number].clock);
  }
}

void leave_sites(const team* first) {
  if (starters[0] == 0) return;
  written.clear();
  written.add(gone);
  written.regions.add(gone.regions);
  for (const team* each = first; each != nullptr; each = each->next_measured) {
    for (unsigned number = 0; number < each->size; ++number)
      if (each->members[number].clock != nullptr) add(written, *each->members[number].clock);
  }
  length = 0;
  write("process %ld\n", platform::process_number());
  platform::each_mapping(write_mapping);
  write_table("region", written.regions);
  write_table("task", written.tasks);
  write_table("lock", written.locks);
  write_table("barrier", written.barriers);
  each_starter([](const char* path) { platform::append_to_file(path, region_count_mark, text, length); });
}

}  // namespace TEFF_NAMESPACE::openmp
