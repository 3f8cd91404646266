// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where members outnumber processors, a new task runs at once beside fewer others of its creator's than elsewhere; but if gcc's
/// library would put it, it is put: tasks here wait for what their creator does behind them.
#include "scenes_of_enough_tasks.h"

#include "compat/openmp/member.h"
#include "compat/openmp/team.h"
#include "constructs.h"
#include "depend_clauses.h"
#include "platform/tuning.h"

#include <algorithm>
#include <array>
#include <vector>

namespace TEFF_NAMESPACE::testing_openmp {

namespace {

bool is_set(unsigned now) { return now != 0; }

/// As many tasks as gcc's library has wait, each of them put beside fewer.
unsigned waiting_elsewhere(unsigned members) { return tuning::enough_tasks_per_member * members + 1; }

/// The creator of a region's tasks, and what it shares with them.
struct creator {
  counter ran{0}, may_end{0};
  unsigned made = 0;

  void make(unsigned count) {
    for (unsigned each = 0; each < count; ++each) task([this] { add(ran); });
    made += count;
  }
  /// Effect: makes so many that wait for the creator's end, with so many bytes to copy.
  template <unsigned Bytes = 1>
  void make_waiting(unsigned count) {
    const std::array<char, Bytes> copied{};
    for (unsigned each = 0; each < count; ++each)
      task([this, copied] {
        static_cast<void>(copied);
        platform::spin_until(may_end, is_set, "what its creator does behind it");
      });
  }
};

/// All members have as many tasks as are enough for them, so that the creator's last one runs at once. Then the others end
/// theirs. `behind`: what the creator does then.
template <class Behind>
void enough_in_all_queues(unsigned members, Behind behind) {
  creator first;
  counter full{0}, looked{0}, empty{0}, ran{0};
  const auto are_others = [members](unsigned now) { return now == members - 1; };
  parallel(members, [&] {
    if (number() == 0) {
      platform::spin_until(full, are_others, "tasks of all others");
      first.make(openmp::self().fewest_enough + 1);
      expect(openmp::self().lane == nullptr || read(first.ran) == 1, "a task beside enough others did not run at once");
      add(looked);
      platform::spin_until(empty, are_others, "the others to have run theirs");
      behind(first);
      add(first.may_end);
      return;
    }
    for (unsigned each = 0; each < tuning::enough_tasks_per_member; ++each) task([&ran] { add(ran); });
    add(full);
    platform::spin_until(looked, is_set, "the creator");
    GOMP_taskwait();
    add(empty);
    platform::spin_until(first.may_end, is_set, "the creator's end");
  });
}

void as_many_wait_as_elsewhere(unsigned members) {
  enough_in_all_queues(members, [members](creator& first) {
    first.make(tuning::runs_between_looks);
    const unsigned waiting = first.made - read(first.ran), most = waiting_elsewhere(members);
    if (waiting < most) first.make_waiting(most - waiting);  // where members do not outnumber processors there are as many
  });
}
void as_many_wait_behind_a_taskwait(unsigned members) {
  enough_in_all_queues(members, [members](creator& first) {
    GOMP_taskwait();
    first.make_waiting(waiting_elsewhere(members));
  });
}
void as_many_wait_behind_undeferred_tasks(unsigned members) {
  enough_in_all_queues(members, [members](creator& first) {
    GOMP_taskwait();
    first.make_waiting(1);
    for (unsigned each = 0; each < tuning::runs_between_looks; ++each) task_at_once([] {});
    first.make_waiting(waiting_elsewhere(members) - 1);
  });
}
/// Those that are behind others do not count.
void as_many_wait_beside_dependences(unsigned members) {
  enough_in_all_queues(members, [members](creator& first) {
    GOMP_taskwait();
    const unsigned x = 0;
    counter& may_end = first.may_end;
    task_on({{how::out, &x}}, [&may_end] { platform::spin_until(may_end, is_set, "what its creator does behind it"); });
    for (unsigned each = 0; each < waiting_elsewhere(members); ++each) task_on({{how::in, &x}}, [] {});
    first.make_waiting(waiting_elsewhere(members) - 1);
  });
}
/// Large ones count as one.
void as_many_large_ones_wait_as_elsewhere(unsigned members) {
  enough_in_all_queues(members, [members](creator& first) {
    GOMP_taskwait();
    first.make_waiting<4096>(waiting_elsewhere(members));
  });
}

/// What was enough in a region is not in the next one, where its creator gets many ready tasks without having made any. On a pool
/// without lanes none runs at once, and some others keep to themselves what a member has made that does not wait.
void ready_tasks_of_the_next_region(unsigned members) {
  bool has_lane = false;
  unsigned ready = 0, x = 0;
  enough_in_all_queues(members, [&](creator&) {
    has_lane = openmp::self().lane != nullptr;
    ready = std::min(openmp::self().fewest_enough + 2, waiting_elsewhere(members) - 2);
  });
  if (!has_lane) return;
  counter made{0}, ended{0};
  std::vector<counter> inside(members);  // those tasks that a member is in
  parallel(members, [&] {
    const auto are_made = [](unsigned now) { return now == 2; };
    if (number() == 0) {
      add(made);
      platform::spin_until(made, are_made, "tasks of another member's");
      return;
    }
    if (number() == 1) {
      platform::spin_until(made, is_set, "the first member");
      task_on({{how::out, &x}}, [] {});
      for (unsigned each = 0; each < ready; ++each)
        task_on({{how::in, &x}}, [&] {
          counter& here = inside[number()];
          add(here);
          task([&inside] { expect(read(inside[number()]) == 0, "a task ran at once beside few others"); });
          here.store(0, platform::relaxed);  // relaxed: its own
          add(ended);
        });
      add(made);
    }
    platform::spin_until(made, are_made, "the tasks");
    platform::spin_until(ended, [ready](unsigned now) { return now == ready; }, "the tasks of the first member");
  });
}

constexpr scene all_of_enough_tasks[] = {
    {"as_many_wait_as_elsewhere", 6, as_many_wait_as_elsewhere},
    {"as_many_wait_behind_a_taskwait", 6, as_many_wait_behind_a_taskwait},
    {"as_many_wait_behind_undeferred_tasks", 6, as_many_wait_behind_undeferred_tasks},
    {"as_many_wait_beside_dependences", 6, as_many_wait_beside_dependences},
    {"as_many_large_ones_wait_as_elsewhere", 6, as_many_large_ones_wait_as_elsewhere},
    {"ready_tasks_of_the_next_region", 6, ready_tasks_of_the_next_region},
};

}  // namespace

std::span<const scene> scenes_of_enough_tasks() { return all_of_enough_tasks; }

}  // namespace TEFF_NAMESPACE::testing_openmp
