// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/health/country.h"

#include "apps/in_tasks.h"

#include <algorithm>
#include <limits>

namespace TEFF_NAMESPACE::apps {

namespace {

// The numbers of the suite's inputs.
constexpr double falls_ill = 0.002, needs_treatment = 0.1, is_sent_up = 0.15;
constexpr std::uint16_t steps_of_examination = 2, steps_of_treatment = 12;
constexpr std::uint32_t people_for_each_of_staff = 10;

constexpr std::uint32_t nobody = list_of_people::nobody;

}  // namespace

std::uint64_t villages_of(std::uint64_t levels, std::uint64_t cities, std::uint64_t at_most) {
  std::uint64_t all = 0, in_level = 1;
  for (; levels > 0 && all < at_most; --levels) {
    all += in_level;
    in_level *= cities;
  }
  return std::min(all, at_most);
}

country::country(std::uint32_t levels, std::uint32_t cities, std::uint64_t seed) {
  random_stream seeds(seed);
  villages_.reserve(villages_of(levels, cities, std::numeric_limits<std::uint32_t>::max()));
  villages_.push_back({levels, 0, 0, 0, random_stream(seeds.next()), {}, {}, {}, {}, {}});
  for (std::uint32_t number = 0; number < villages_.size(); ++number) {
    const std::uint32_t level = villages_[number].level;
    villages_[number].free_staff = std::uint32_t{1} << level;
    villages_[number].first_child = static_cast<std::uint32_t>(villages_.size());
    villages_[number].children = level > 1 ? cities : 0;
    for (std::uint32_t i = 0; i < villages_[number].children; ++i)
      villages_.push_back({level - 1, 0, 0, 0, random_stream(seeds.next()), {}, {}, {}, {}, {}});
  }
  std::size_t count = 0;
  for (const village& each : villages_) count += std::size_t{each.free_staff} * people_for_each_of_staff;
  people_.reserve(count);
  for (std::uint32_t number = 0; number < villages_.size(); ++number) {
    for (std::uint32_t i = villages_[number].free_staff * people_for_each_of_staff; i > 0; --i) {
      people_.push_back({nobody, nobody, number});
      append(villages_[number].healthy, static_cast<std::uint32_t>(people_.size() - 1));
    }
  }
}

void country::append(list_of_people& to, std::uint32_t who) {
  declare_write(people_[who]);
  if (to.last != nobody) declare_write(people_[to.last]);
  people_[who].previous = to.last;
  people_[who].next = nobody;
  if (to.last == nobody) to.first = who;
  else people_[to.last].next = who;
  to.last = who;
}

void country::remove(list_of_people& from, std::uint32_t who) {
  const std::uint32_t previous = people_[who].previous, next = people_[who].next;
  for (const std::uint32_t beside : {previous, next}) {
    if (beside != nobody) declare_write(people_[beside]);
  }
  if (previous == nobody) from.first = next;
  else people_[previous].next = next;
  if (next == nobody) from.last = previous;
  else people_[next].previous = previous;
}

void country::move_all(list_of_people& from, list_of_people& to) {
  if (from.first == nobody) return;
  if (to.last == nobody) {
    to = from;
  } else {
    declare_write(people_[to.last]);
    declare_write(people_[from.first]);
    people_[to.last].next = from.first;
    people_[from.first].previous = to.last;
    to.last = from.last;
  }
  from = {};
}

/// Effect: visitor(who) for all of a list, who may leave it. Returns: how many there were.
template <class Visitor>
std::uint64_t country::visit(const list_of_people& all, Visitor visitor) {
  std::uint64_t visited = 0;
  for (std::uint32_t who = all.first, next; who != nobody; who = next, ++visited) {
    declare_read(people_[who]);
    next = people_[who].next;
    visitor(who);
  }
  return visited;
}

void country::send_home(std::uint32_t who) {
  list_of_people& there = villages_[people_[who].home].healthy;
  declare_write(there);
  append(there, who);
}

/// Effect: after an examination: goes home, stays for treatment, or waits for the hospital of the next level.
void country::decide_about(village& here, std::uint32_t who, bool is_top) {
  remove(here.examined, who);
  if (here.fate.unit() >= needs_treatment) {
    ++here.free_staff;
    send_home(who);
  } else if (!is_top && here.fate.unit() < is_sent_up) {
    ++here.free_staff;
    append(here.sent_up, who);
  } else {
    people_[who].steps_left = steps_of_treatment;
    append(here.treated, who);
  }
}

std::uint64_t country::advance(std::uint32_t number) {
  village& here = villages_[number];
  declare_write(here);
  std::uint64_t seen = 0;
  for (std::uint32_t child = here.first_child; child < here.first_child + here.children; ++child) {
    if (villages_[child].sent_up.first == nobody) declare_read(villages_[child].sent_up);
    else declare_write(villages_[child].sent_up);
    move_all(villages_[child].sent_up, here.waiting);
  }
  seen += visit(here.treated, [&](std::uint32_t who) {
    declare_write(people_[who]);
    if (--people_[who].steps_left != 0) return;
    remove(here.treated, who);
    ++here.free_staff;
    send_home(who);
  });
  seen += visit(here.examined, [&](std::uint32_t who) {
    declare_write(people_[who]);
    if (--people_[who].steps_left == 0) decide_about(here, who, number == 0);
  });
  seen += visit(here.waiting, [&](std::uint32_t who) {
    declare_write(people_[who]);
    if (here.free_staff == 0) {
      ++people_[who].steps_waiting;
      return;
    }
    --here.free_staff;
    remove(here.waiting, who);
    people_[who].steps_left = steps_of_examination;
    ++people_[who].hospitals;
    append(here.examined, who);
  });
  seen += visit(here.healthy, [&](std::uint32_t who) {
    if (here.fate.unit() >= falls_ill) return;
    remove(here.healthy, who);
    append(here.waiting, who);
  });
  return seen;
}

std::uint64_t fingerprint_of_country(std::span<const village> villages, std::span<const inhabitant> people) {
  std::uint64_t sum = fingerprint(people.data(), people.size() * sizeof people[0]);
  for (const village& each : villages) {
    random_stream fate = each.fate;
    const std::uint64_t own[] = {each.free_staff, fate.next()};
    sum = fingerprint(own, sizeof own, sum);
    for (const list_of_people* list : {&each.healthy, &each.waiting, &each.examined, &each.treated, &each.sent_up}) {
      const std::uint32_t ends[] = {list->first, list->last};
      sum = fingerprint(ends, sizeof ends, sum);
    }
  }
  return sum;
}

std::uint64_t country::count(const list_of_people& in) const {
  std::uint64_t found = 0;
  for (std::uint32_t who = in.first; who != nobody; who = people_[who].next) ++found;
  return found;
}

std::uint64_t country::people_in_lists() const {
  std::uint64_t found = 0;
  for (const village& each : villages_) {
    for (const list_of_people* list : {&each.healthy, &each.waiting, &each.examined, &each.treated, &each.sent_up})
      found += count(*list);
  }
  return found;
}

}  // namespace TEFF_NAMESPACE::apps
