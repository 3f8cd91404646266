// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A team that stands still beside open events: it may be that nobody will fulfil them, and that is said. Somebody may: so the
/// wait goes on.
#include "compat/openmp/events.h"
#include "compat/openmp/member.h"
#include "compat/openmp/refuse.h"
#include "platform/foreign.h"
#include "platform/line.h"

#include <cstddef>

namespace TEFF_NAMESPACE::openmp {

namespace {

using workers::sleepers;

/// In the time of the watchdog a sleeper looks so often.
constexpr unsigned looks = 4;
constexpr std::size_t named_at_most = 8;

/// Returns: a number that changes when a task begins or ends, or an event happens.
std::uint64_t progress(const team& all) {
  std::uint64_t sum = 0;
  for (unsigned number = 0; number < all.size; ++number) {
    const member& each = all.members[number];
    // relaxed: a hint: who looks again later sees it.
    sum += each.created.load(platform::relaxed) + each.finished.load(platform::relaxed);
  }
  return sum;
}

/// Effect: adds the events of the team that were not told before, as far as there is room for them in a sentence.
std::size_t add_untold(platform::line& to, const team& all) {
  const platform::unsignalled no_handler;  // which might fulfil one, and want the table's lock
  std::size_t found = 0;
  open_events().for_each([&](event& open) {
    if (open.of != &all || open.is_told) return;
    open.is_told = true;
    if (found++ >= named_at_most) return;
    to.add(found == 1 ? " event 0x" : ", event 0x");
    to.add(open.number, 16);
    to.add(" of the task ");
    platform::add_code(to, reinterpret_cast<const void*>(open.task));
  });
  return found;
}

/// As the watchdog of Teff's own teams says it.
void add_time(platform::line& to, std::uint64_t milliseconds) {
  const bool is_short = milliseconds < 100;
  to.add(is_short ? milliseconds : milliseconds / 1'000);
  if (const std::uint64_t tenths = milliseconds / 100 % 10; !is_short && tenths != 0) {
    to.add(".");
    to.add(tenths);
  }
  to.add(is_short ? " ms" : " s");
}

void tell(const team& all) {
  platform::line events;
  const std::size_t found = add_untold(events, all);
  if (found == 0) return;
  if (found > named_at_most) {
    events.add(" and ");
    events.add(found - named_at_most);
    events.add(" more");
  }
  platform::line begin;
  begin.add("nothing has run in a team of ");
  begin.add(all.size);
  begin.add(all.size == 1 ? " thread for " : " threads for ");
  add_time(begin, process().watchdog_ns / 1'000'000);
  begin.add(": it waits for omp_fulfill_event, which another thread may still call, for");
  say_with(begin.text(), events.text());
}

/// Effect: sleeps until woken, or until it has told.
void watch(member& current, const char* what) {
  const team& all = current.in;
  const std::uint64_t period = process().watchdog_ns / looks;
  std::uint64_t before = progress(all);
  for (unsigned quiet = 0; quiet < looks;) {
    const std::uint64_t deadline = platform::now_ns() + period;
    // [wake] acquire: as in park.
    while (current.word.load(platform::acquire) == sleepers::sleepy) {
      if (!platform::park_until(current.word, sleepers::sleepy, deadline, what)) break;
    }
    if (current.word.load(platform::acquire) != sleepers::sleepy) return;  // [wake]
    const std::uint64_t now = progress(all);
    // relaxed: a hint. Who is awake may make tasks, or fulfil events.
    quiet = now == before && all.sleepers.count().load(platform::relaxed) == all.size ? quiet + 1 : 0;
    before = now;
  }
  tell(all);
}

}  // namespace

void sleep_beside_events(member& current, const char* what) {
  // relaxed: who has made one sees it, and sleeps itself before the region ends.
  if (current.in.has_events.load(platform::relaxed)) [[unlikely]]
    watch(current, what);
  sleepers::park(current.word, what);
}

}  // namespace TEFF_NAMESPACE::openmp
