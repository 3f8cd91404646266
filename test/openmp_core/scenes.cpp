// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Constructs, each with what it promises.
#include "scenes.h"

#include "compat/openmp/member.h"
#include "compat/openmp/pin.h"
#include "compat/openmp/tasks.h"
#include "constructs.h"
#include "platform/tuning.h"
#include "scenes_of_calls.h"
#include "scenes_of_cancellation.h"
#include "scenes_of_dependences.h"
#include "scenes_of_events.h"
#include "scenes_of_locks.h"
#include "scenes_of_loops.h"
#include "scenes_of_priorities.h"
#include "scenes_of_reductions.h"
#include "scenes_of_refused_memory.h"
#include "scenes_of_target.h"

#include <array>
#include <vector>

namespace TEFF_NAMESPACE::testing_openmp {

namespace {

void barriers(unsigned members) {
  std::array<counter, 4> came{};
  parallel(members, [&] {
    for (counter& each : came) {
      add(each);
      GOMP_barrier();
      expect(read(each) == members, "a barrier let a member go before all had come");
    }
  });
}

/// Tasks put tasks while members wait in the barrier.
void tasks_at_a_barrier(unsigned members) {
  counter ran{0};
  parallel(members, [&] {
    for (unsigned round = 1; round <= 2; ++round) {
      for (unsigned each = 0; each < 2; ++each) {
        task([&ran] {
          add(ran);
          task([&ran] { add(ran); });
        });
      }
      GOMP_barrier();
      expect(read(ran) >= round * members * 4, "a barrier let a member go before all tasks had run");
      GOMP_barrier();
    }
  });
  expect(read(ran) == members * 8, "a task did not run once");
}

unsigned fib(unsigned n) {
  if (n < 2) return n;
  unsigned one = 0, two = 0;
  task([&one, n] { one = fib(n - 1); });
  task([&two, n] { two = fib(n - 2); });
  GOMP_taskwait();
  return one + two;
}

void a_tree_of_tasks(unsigned members) {
  unsigned result = 0;
  parallel(members, [&] { single([&] { result = fib(6); }); });
  expect(result == 8, "a taskwait let its task go before a child had ended");
}

unsigned branches(unsigned levels) {
  if (levels == 0) return 1;
  std::array<unsigned, 3> below{};
  for (unsigned& each : below) task([&each, levels] { each = branches(levels - 1); });
  GOMP_taskwait();
  return 1 + below[0] + below[1] + below[2];
}

/// Children that a member waits for lie among those of others, wherever a pool puts them.
void trees_among_others(unsigned members) {
  counter others{0};
  parallel(members, [&] {
    for (unsigned each = 0; each < 6; ++each) task([&others] { add(others); });
    expect(branches(2) == 13, "a taskwait let its task go before a child had ended");
  });
  expect(read(others) == 6 * members, "a task did not run once");
}

void taskgroups(unsigned members) {
  parallel(members, [&] {
    single_nowait([&] {
      counter ran{0};
      taskgroup([&] {
        for (unsigned each = 0; each < 3; ++each) {
          task([&ran] {
            task([&ran] {
              task([&ran] { add(ran); });
              add(ran);
            });
            add(ran);
          });
        }
        taskgroup([&] { task([&ran] { add(ran); }); });
        expect(read(ran) >= 1, "an inner taskgroup let its task go too early");
      });
      expect(read(ran) == 10, "a taskgroup let its task go before all descendants had ended");
    });
  });
}

void singles(unsigned members) {
  std::array<counter, 3> ran{};
  std::array<unsigned, 2> copied{};
  parallel(members, [&] {
    for (counter& each : ran) single_nowait([&] { add(each); });
    unsigned own = 0;
    if (auto* const from = static_cast<unsigned*>(GOMP_single_copy_start())) {
      own = *from;
    } else {
      own = 7;
      GOMP_single_copy_end(&own);
    }
    expect(own == 7, "copyprivate did not bring the value");
    if (number() < copied.size()) copied[number()] = own;
    GOMP_barrier();  // `own` of whoever ran it lives until all have read it
  });
  for (const counter& each : ran) expect(read(each) == 1, "a single did not run once");
}

/// Loops one behind the other, without barriers between them.
void loops(unsigned members) {
  constexpr long count = 7;
  constexpr schedule kinds[] = {dynamic, guided, fixed, fixed_by_2, dynamic};
  std::array<std::array<counter, count>, std::size(kinds)> ran{};
  parallel(members, [&] {
    for (std::size_t each = 0; each < std::size(kinds); ++each)
      loop_nowait(kinds[each], count, [&](long at) { add(ran[each][static_cast<std::size_t>(at)]); });
    GOMP_barrier();
    for (const auto& each : ran)
      for (const counter& times : each) expect(read(times) == 1, "an iteration did not run once");
  });
}

void ordered_loops(unsigned members) {
  constexpr long count = 6;
  for (const schedule& how : {ordered_dynamic, ordered_fixed}) {
    long next = 0;
    parallel(members, [&] {
      loop(how, count, [&](long at) {
        ordered([&] {
          expect(next == at, "an ordered part ran out of order");
          next = at + 1;
        });
      });
    });
    expect(next == count, "an ordered part did not run");
  }
}

void all_sections(unsigned members) {
  std::array<counter, 4> ran{};
  parallel(members, [&] {
    sections(ran.size(), [&](unsigned which) { add(ran[which]); });
    for (const counter& each : ran) expect(read(each) == 1, "a section did not run once");
  });
}

/// Regions inside of regions, opened by members and by tasks.
void nested_regions(unsigned members) {
  counter ran{0};
  parallel(members, [&] {
    parallel(2, [&] {
      task([&ran] { add(ran); });
      GOMP_barrier();
    });
    task([&ran] { parallel(2, [&ran] { add(ran); }); });
  });
  expect(read(ran) == members * 4, "a member or a task of a region inside did not run once");
}

/// Consecutive regions of one size have the same threads under the same numbers, also when others came between.
void regions_in_a_row(unsigned members) {
  std::vector<const void*> threads(members);
  parallel(members, [&] { threads[number()] = platform::this_thread(); });
  parallel(members, [&] { expect(threads[number()] == platform::this_thread(), "a number is another thread's"); });
  for (unsigned size = 1; size <= members; ++size) {
    counter came{0};
    parallel(size, [&] { add(came); });
    expect(read(came) == size, "a region had not all its members");
  }
  parallel(members, [&] { expect(threads[number()] == platform::this_thread(), "a number is another thread's"); });
}

void taskloops(unsigned members) {
  std::array<counter, 6> ran{};
  parallel(members, [&] {
    single_nowait([&] {
      taskloop(ran.size(), [&ran](long at) { add(ran[static_cast<std::size_t>(at)]); });
      for (const counter& each : ran) expect(read(each) == 1, "an iteration of a taskloop did not run once");
    });
  });
}

/// More than are kept: some run at once, and these have children and groups, too.
void more_tasks_than_wait(unsigned members) {
  constexpr unsigned count = 112;
  counter ran{0};
  parallel(members, [&] {
    single_nowait([&] {
      for (unsigned each = 0; each < count; ++each) {
        task([&ran, each] {
          if (each % 4 == 0) task([&ran] { add(ran); });
          if (each % 8 == 0) GOMP_taskwait();
          if (each % 16 == 0) taskgroup([&ran] { task([&ran] { add(ran); }); });
          add(ran);
        });
      }
    });
  });
  expect(read(ran) == count + count / 4 + count / 16, "a task did not run once");
}

/// Behind a region with more tasks than are kept, so that some run at once, the first ones of the next region do not: each waits
/// for the other.
void tasks_together_behind_many(unsigned members) {
  counter ran{0}, arrived{0};
  const unsigned count = members * tuning::live_tasks_per_member + 1;
  parallel(members, [&] {
    single_nowait([&] {
      for (unsigned each = 0; each < count; ++each) task([&ran] { add(ran); });
    });
  });
  expect(read(ran) == count, "a task did not run once");
  parallel(members, [&] {
    single_nowait([&] {
      for (unsigned each = 0; each < 2; ++each)
        task([&arrived] {
          add(arrived);
          await(arrived, 2);
        });
    });
  });
}

/// A chain: each task makes the next one as its last act.
void chain(counter& ran, unsigned left) {
  add(ran);
  if (left > 0) task([&ran, left] { chain(ran, left - 1); });
}
void a_chain_of_tasks(unsigned members) {
  counter ran{0};
  parallel(members, [&] { single_nowait([&] { chain(ran, 12); }); });
  expect(read(ran) == 13, "a task of a chain did not run once");
}

/// In a long one those that have ended are not kept, if each has ended when the next one begins.
struct long_chain {
  counter ran{0};
  unsigned in_a_row = 0;  ///< steps that began behind the end of the one before
};
void step_among_few(long_chain& of, unsigned left) {
  add(of.ran);
  openmp::member& own = openmp::self();
  unsigned above = 0;
  // A parent is on the heap if its child is; and implicit tasks have none.
  if (own.running->parent() != nullptr && !(own.running->flags & openmp::node::on_stack)) {
    for (const openmp::node* each = own.running->parent(); each->is_closed(); each = each->parent()) ++above;
  }
  // That so many begin just before the end of the one before, and look here just behind it, is possible; no schedule does it.
  of.in_a_row = above != 0 ? of.in_a_row + 1 : 0;
  expect(of.in_a_row < 24 || above <= tuning::long_row + own.in.size * tuning::closed_per_look + 4,
         "tasks that have ended stay because of one that descends from them");
  if (left > 0) task([&of, left] { step_among_few(of, left - 1); });
}
void a_long_chain_of_tasks(unsigned members) {
  constexpr unsigned steps = 60;
  long_chain one, other;
  parallel(members, [&] {
    single_nowait([&] {
      taskgroup([&] { step_among_few(one, steps); });
      expect(read(one.ran) == steps + 1, "a taskgroup let its task go before a chain in it had ended");
      for (unsigned each = 0; each < steps; ++each) task([] {});
      GOMP_taskwait();
      expect(!openmp::self().in.has_long_rows(), "who begins a task looks for a long row, and there is none any more");
      step_among_few(other, steps);
    });
  });
  expect(read(other.ran) == steps + 1, "a task of a long chain did not run once");
}

/// The same if each step goes on until another thread has begun the next one, or for a while: whose parent still runs then.
void step_that_goes_on(counter& ran, unsigned left) {
  add(ran);
  const unsigned before = read(ran);
  openmp::member& own = openmp::self();
  if (own.running->parent() != nullptr && !(own.running->flags & openmp::node::on_stack)) {
    const openmp::pin nodes_stay(own);
    unsigned above = 0;
    for (const openmp::node* each = own.running; each != nullptr; each = each->parent()) ++above;
    const unsigned shown_behind = tuning::long_row + own.in.size * tuning::closed_per_look;
    expect(above <= shown_behind + 2 * own.in.size * (tuning::closes_per_move + 2) + 8,
           "tasks that have ended stay because of one that descends from them");
  }
  if (left > 0) task([&ran, left] { step_that_goes_on(ran, left - 1); });
  for (unsigned rounds = 0; rounds < 20 && read(ran) == before; ++rounds) platform::pause();
}
void a_long_chain_that_goes_on(unsigned members) {
  constexpr unsigned steps = 60;
  counter ran{0};
  parallel(members, [&] {
    single_nowait([&] {
      taskgroup([&] { step_that_goes_on(ran, steps); });
      expect(read(ran) == steps + 1, "a taskgroup let its task go before a chain in it had ended");
      step_that_goes_on(ran, steps);
    });
  });
  expect(read(ran) == 2 * (steps + 1), "a task of a long chain did not run once");
}

/// The same, where others look up from tasks that wait, while those between end.
void lookers_beside_a_long_chain(unsigned members) {
  constexpr unsigned steps = 30;  // as many leaves
  counter ran{0};
  const auto make_leaf = [&ran] { task([&ran] { add(ran); }); };
  parallel(members, [&] {
    single_nowait([&] {
      taskgroup([&] { step_among_lookers(steps - 1, make_leaf); });
      expect(read(ran) == steps, "a taskgroup let its task go before a chain in it had ended");
      step_among_lookers(steps - 1, make_leaf);
    });
  });
  expect(read(ran) == 2 * steps, "a leaf of a long chain did not run once");
}

/// Returns: the oldest of as many nodes as are retired at once.
const openmp::node* retire_a_batch(openmp::member& own, openmp::retired_nodes& into) {
  const openmp::node* first = nullptr;
  for (unsigned each = 0; each < tuning::retired_at_once; ++each) {
    auto* const made = ::new (own.memory.take(0, sizeof(openmp::task_block))) openmp::task_block;
    made->begin(nullptr, 0, nullptr, own.id, 0);
    into.add(own, made);
    if (first == nullptr) first = made;
  }
  return first;
}

/// In simulation, where free blocks have a mark. AddressSanitizer knows that they are free.
[[maybe_unused, gnu::no_sanitize_address]] bool is_given_back(const openmp::node* gone) {
  return gone->size_class == openmp::block_sizes::freed_byte;
}

/// What is gone stays while somebody looks who began before, also if epochs end meanwhile, by others and by its own member.
void epochs_of_retired_nodes(unsigned members) {
  parallel(members, [&] {
    if (number() != 0) return;
    openmp::member& own = openmp::self();
    const openmp::node_epochs& epochs = own.in.of_nodes;
    auto &early = own.in[1].pinned, &late = own.in[2].pinned;  // these wait in the barrier, and look at nothing
    openmp::retired_nodes retired(own.memory), others(own.memory);
    early.store(epochs.now(), platform::relaxed);
    retire_a_batch(own, others);
    late.store(epochs.now(), platform::relaxed);
    const openmp::node* const gone = retire_a_batch(own, retired);
    early.store(0, platform::release);
    retire_a_batch(own, retired);
    if constexpr (!platform::has_forks)
      expect(!is_given_back(gone), "a node is given back while somebody may be on the way through it");
    late.store(0, platform::release);
    retire_a_batch(own, retired);
    if constexpr (!platform::has_forks) expect(is_given_back(gone), "a node is kept although nobody looks");
  });
}

/// What was retired in a region stays when its member enters that, late, and goes when it comes to the next one.
void retired_nodes_of_a_region(unsigned members) {
  parallel(members, [&] {
    if (number() != 0) return;
    openmp::member& own = openmp::self();
    const openmp::node_epochs& epochs = own.in.of_nodes;
    auto& other = own.in[1].pinned;  // it waits in the barrier, and looks at nothing
    openmp::retired_nodes retired(own.memory);
    other.store(epochs.now(), platform::relaxed);
    const openmp::node* const gone = retire_a_batch(own, retired);
    retired.come_to_region(epochs.region());
    if constexpr (!platform::has_forks) expect(!is_given_back(gone), "who enters a region gives back what others look at in it");
    other.store(0, platform::release);
    retired.come_to_region(epochs.region() + 1);
    if constexpr (!platform::has_forks) expect(is_given_back(gone), "a node is kept over regions");
  });
}

/// Its steps have other children, some wait for them, and some are in groups of their own.
void step_with_others(counter& ran, unsigned left) {
  for (unsigned leaf = 0; leaf < left % 3; ++leaf) {
    task([&ran, leaf] {
      if (leaf == 1) task([&ran] { add(ran); });
      add(ran);
    });
  }
  const unsigned before = read(ran);
  if (left % 8 == 7) taskgroup([&ran] { task([&ran] { task([&ran] { add(ran); }); }); });
  expect(left % 8 != 7 || read(ran) > before, "an inner taskgroup let its task go too early");
  if (left % 5 == 4) GOMP_taskwait();
  if (left > 0) task([&ran, left] { step_with_others(ran, left - 1); });
}
void a_long_chain_with_others(unsigned members) {
  counter ran{0};
  parallel(members, [&] {
    single_nowait([&] {
      taskgroup([&ran] { step_with_others(ran, 24); });
      expect(read(ran) == 35, "a taskgroup let its task go before a chain in it had ended");
      step_with_others(ran, 24);
    });
  });
  expect(read(ran) == 70, "a task of a long chain did not run once");
}

/// Whose children have ended may have descendants; it has other variables from then on, and these keep theirs.
void generation(counter& ran, unsigned left, int threads) {
  expect(omp_get_max_threads() == threads, "a task has variables that changed behind its creation");
  add(ran);
  if (left > 0) task([&ran, left, threads] { generation(ran, left - 1, threads); });
}
void variables_of_generations(unsigned members) {
  counter ran{0};
  parallel(members, [&] {
    single_nowait([&] {
      for (int each = 1; each <= 4; ++each) {
        omp_set_num_threads(each);
        task([&ran, each] { generation(ran, 9, each); });
        GOMP_taskwait();
      }
    });
  });
  expect(read(ran) == 40, "a task of a generation did not run once");
}

/// Each step of a chain makes leaves, which wait, and the next step: of those few lie on one stack.
struct spine {
  std::vector<unsigned> depth;  ///< of the steps on each member's stack
  counter leaves{0};
};
void step(spine& of, unsigned left) {
  unsigned& depth = of.depth[number()];
  expect(++depth <= tuning::nested_at_once_at_most + 1, "tasks that run at once lie too deep on one stack");
  for (unsigned leaf = 0; leaf < 3; ++leaf) task([&of] { add(of.leaves); });
  if (left > 0) task([&of, left] { step(of, left - 1); });
  --depth;
}
void a_spine_of_tasks(unsigned members) {
  spine one{.depth = std::vector<unsigned>(members)};
  parallel(members, [&] { single_nowait([&] { step(one, 14); }); });
  expect(read(one.leaves) == 45, "a leaf did not run once");
}

/// What a member has put before it does something else for long is seen by one that has none. A third one takes what is in view.
void kept_tasks_are_seen(unsigned members) {
  using contents = queue::lane::contents;
  counter begun{0}, put{0}, seen{0}, ran{0};
  constexpr unsigned others = 6;
  parallel(members, [&] {
    single_nowait([&] {
      task([] {});
      GOMP_taskwait();
      openmp::member& creator = openmp::self();
      if (creator.first_look == nullptr) return;  // what it keeps is not seen on such a pool
      const auto shows = [&creator](contents what) {
        for (unsigned each = 0; each < creator.in.size; ++each)
          if (creator.pool->lane(creator.in.members[each])->look() == what) return true;
        return false;
      };
      task([&] {
        openmp::member& own = openmp::self();
        expect(!openmp::others_keep_tasks(own), "somebody is said to keep tasks, and there are none");
        add(begun);
        while (read(put) == 0) platform::yield_processor();
        while (!openmp::others_keep_tasks(own) && !shows(contents::public_tasks)) platform::yield_processor();
        add(seen);
      });
      while (read(begun) == 0) platform::yield_processor();
      for (unsigned each = 0; each < others; ++each) {
        task([&] {
          add(ran);
          while (read(seen) == 0) platform::yield_processor();
        });
      }
      add(put);
      while (read(seen) == 0) platform::yield_processor();
    });
    GOMP_barrier();
    expect(read(ran) == read(begun) * others, "a task did not run once");
  });
}

/// Who yields may run tasks of its own; the others go on.
void yields(unsigned members) {
  counter ran{0};
  parallel(members, [&] {
    task([&ran] {
      task([&ran] { add(ran); });
      GOMP_taskyield();
      add(ran);
    });
    GOMP_taskyield();
  });
  expect(read(ran) == members * 2, "a task beside a taskyield did not run once");
}

void descend(counter& ran, unsigned generations) {
  if (generations == 0) return add(ran);
  task([&ran, generations] { descend(ran, generations - 1); });
}
/// Until one has run that is so many generations further down, where all between have ended, and which nobody else runs.
void yields_for_a_descendant(unsigned members) {
  counter ran{0}, seen{0};
  parallel(members, [&] {
    if (number() != 0) {
      while (read(seen) == 0) platform::yield_processor();
      return;
    }
    for (unsigned generations = 1; generations <= 3; ++generations) {
      descend(ran, generations);
      while (read(ran) != generations) GOMP_taskyield();
    }
    add(seen);
  });
}

/// Who has yielded in vain does so until one has run that another member's task puts, which nobody else can run.
void yields_for_one_of_another(unsigned) {
  counter ran{0}, begun{0}, yielded{0};
  parallel(2, [&] {
    if (number() != 0) return;
    task([&] {
      add(begun);
      while (read(yielded) == 0) platform::yield_processor();
      task([&] { add(ran); });
      task_at_once([] { GOMP_taskyield(); });  // is none of its tasks, and brings it into view
      while (read(ran) == 0) platform::yield_processor();
    });
    while (read(begun) == 0) platform::yield_processor();
    for (unsigned yields = 0; yields < 2; ++yields) GOMP_taskyield();
    add(yielded);
    while (read(ran) == 0) GOMP_taskyield();
  });
  expect(read(ran) == 1, "a task beside a taskyield did not run once");
}

/// Who has made many tasks, and makes one more each time, yields until the first one has run, which nobody else can run.
void yields_beside_many(unsigned members) {
  counter ran{0}, first{0};
  unsigned made = 8;
  parallel(members, [&] {
    task([&] { add(first); });
    for (unsigned each = 0; each < made; ++each) task([&] { add(ran); });
    for (; read(first) == 0; ++made) {
      GOMP_taskyield();
      if (made < 24) task([&] { add(ran); });
    }
    made = made < 24 ? made : 24;
  });
  expect(read(ran) == made, "a task beside a taskyield did not run once");
}

/// A tied task is suspended on its thread, and what begins on top of it descends from it.
struct on_a_stack {
  const on_a_stack* parent;
};
struct stack_of_tasks {
  std::array<const on_a_stack*, 32> at{};
  unsigned depth = 0;
};

void constrained(std::vector<stack_of_tasks>& stacks, const on_a_stack* parent, unsigned levels) {
  const on_a_stack me{parent};
  stack_of_tasks& own = stacks[number()];
  for (unsigned each = 0; each < own.depth; ++each) {
    const on_a_stack* above = &me;
    while (above != nullptr && above != own.at[each]) above = above->parent;
    expect(above != nullptr, "a thread began a task that is no descendant of one it had suspended");
  }
  own.at[own.depth++] = &me;
  for (unsigned child = 0; levels > 0 && child < 2; ++child)
    task([&stacks, &me, levels] { constrained(stacks, &me, levels - 1); });
  GOMP_taskwait();
  expect(&own == &stacks[number()] && own.at[--own.depth] == &me, "a task ended on another thread, or out of order");
}

void the_scheduling_constraint(unsigned members) {
  std::vector<stack_of_tasks> stacks(members);
  parallel(members, [&] {
    single([&] {
      for (unsigned tree = 0; tree < 2; ++tree) task([&stacks] { constrained(stacks, nullptr, 2); });
    });
  });
}

/// The next put looks whether there are too many.
void look_at_next_put() {
  openmp::member& own = openmp::self();
  own.check_at = own.bound_at = own.at_once = 0;
}

/// The running task has had so many children as it may count, all of which are gone, and its next put looks.
void pretend_many_children() {
  openmp::member& own = openmp::self();
  const std::uint64_t many = openmp::node::many_children - own.running->spawned;
  own.running->spawned += static_cast<std::uint32_t>(many);
  own.running->here += many * (openmp::node::one_ended + openmp::node::one_gone);
  look_at_next_put();
}

/// They are forgotten if all are gone; else further ones run at once, and who ends then waits for its own ones.
void more_children_than_are_counted(unsigned members) {
  counter ran{0};
  bool was_reached = false;
  parallel(members, [&] {
    single([&] {
      const openmp::node& mine = *openmp::self().running;
      pretend_many_children();
      for (unsigned child = 0; child < 3; ++child) task([&ran] { add(ran); });
      expect(mine.spawned < openmp::node::many_children, "children that are gone are not forgotten");
      GOMP_taskwait();
      expect(read(ran) == 3, "a task behind forgotten ones did not run once");

      counter goes_on{0};
      look_at_next_put();
      task([&ran, &goes_on] {
        while (read(goes_on) == 0) platform::pause();
        add(ran);
      });
      pretend_many_children();
      was_reached = mine.spawned >= openmp::node::many_children;
      for (unsigned child = 0; child < 3; ++child) {
        const unsigned before = read(ran);
        look_at_next_put();
        task([&ran] {
          look_at_next_put();
          task([&ran] { add(ran); });
          add(ran);
        });
        expect(read(ran) == before + 2, "a task ran later, or ended before its child, where no more can be counted");
      }
      add(goes_on);
      GOMP_taskwait();
      for (unsigned child = 0; child < 3; ++child) task([&ran] { add(ran); });
      GOMP_taskwait();
    });
  });
  expect(was_reached && read(ran) == 3 + 1 + 6 + 3, "a task around the bound on children did not run once");
}

constexpr scene own_scenes[] = {
    {"barriers", 3, barriers},
    {"barriers_of_two", 2, barriers},
    {"tasks_at_a_barrier", 3, tasks_at_a_barrier},
    {"a_tree_of_tasks", 3, a_tree_of_tasks},
    {"trees_among_others", 3, trees_among_others},
    {"taskgroups", 3, taskgroups},
    {"taskgroups_of_one", 1, taskgroups},  // nobody else could run what a group's end has to find
    {"singles", 3, singles},
    {"loops", 3, loops},
    {"ordered_loops", 3, ordered_loops},
    {"sections", 3, all_sections},
    {"nested_regions", 2, nested_regions},
    {"regions_in_a_row", 3, regions_in_a_row},
    {"taskloops", 3, taskloops},
    {"more_tasks_than_wait", 3, more_tasks_than_wait},
    {"tasks_together_behind_many", 2, tasks_together_behind_many, true},
    {"more_children_than_are_counted", 3, more_children_than_are_counted},
    {"a_chain_of_tasks", 2, a_chain_of_tasks},
    {"a_long_chain_of_tasks", 2, a_long_chain_of_tasks},
    {"a_long_chain_with_others", 3, a_long_chain_with_others},
    {"a_long_chain_that_goes_on", 2, a_long_chain_that_goes_on},
    {"lookers_beside_a_long_chain", 3, lookers_beside_a_long_chain},
    {"retired_nodes_of_a_region", 2, retired_nodes_of_a_region},
    {"epochs_of_retired_nodes", 3, epochs_of_retired_nodes},
    {"variables_of_generations", 2, variables_of_generations},
    {"a_spine_of_tasks", 2, a_spine_of_tasks},
    {"kept_tasks_are_seen", 3, kept_tasks_are_seen},
    {"yields", 3, yields},
    {"yields_for_a_descendant", 2, yields_for_a_descendant},
    {"yields_for_a_descendant_of_one", 1, yields_for_a_descendant},
    {"yields_beside_many", 1, yields_beside_many},
    {"yields_for_one_of_another", 2, yields_for_one_of_another, true},
    {"the_scheduling_constraint", 3, the_scheduling_constraint},
};

}  // namespace

std::span<const scene> scenes() {
  static const std::vector<scene> all = [] {
    std::vector<scene> made(std::begin(own_scenes), std::end(own_scenes));
    for (const auto& others :
         {scenes_of_locks(), scenes_of_calls(), scenes_of_loops(), scenes_of_cancellation(), scenes_of_events(),
          scenes_of_reductions(), scenes_of_dependences(), scenes_of_target(), scenes_of_priorities(), scenes_of_refused_memory()})
      made.insert(made.end(), others.begin(), others.end());
    return made;
  }();
  return all;
}

}  // namespace TEFF_NAMESPACE::testing_openmp
