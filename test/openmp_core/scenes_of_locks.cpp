// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Tasks that hold locks while they wait, and members that wait for what tasks of theirs bring about: none may stand in another's
/// way.
#include "scenes_of_locks.h"

#include "constructs.h"
#include "guarded.h"

#include <array>

namespace TEFF_NAMESPACE::testing_openmp {

namespace {

void locks_and_critical(unsigned members) {
  guarded one;
  unsigned inside = 0, entries = 0;
  parallel(members, [&] {
    for (unsigned each = 0; each < 2; ++each) {
      one.pass();
      critical([&] {
        expect(inside++ == 0, "two members are in one critical section");
        ++entries;
        --inside;
      });
    }
  });
  expect(one.entries == members * 2 && entries == members * 2, "an entry got lost");
}

void tree(counter& leaves, unsigned levels) {
  if (levels == 0) return add(leaves);
  for (unsigned each = 0; each < 2; ++each) task([&leaves, levels] { tree(leaves, levels - 1); });
  GOMP_taskwait();
}

/// Whoever waits with a lock begins no task that wants it.
void a_lock_over_a_taskwait(unsigned members) {
  guarded one;
  counter leaves{0};
  parallel(members, [&] {
    single_nowait([&] {
      for (unsigned each = 0; each < 3; ++each) {
        task([&] {
          one.enter();
          tree(leaves, 2);
          one.leave();
        });
      }
    });
  });
  expect(read(leaves) == 12 && one.entries == 3, "a task below a lock did not run once");
}

/// The only child of who holds the lock runs on another member, and there is nothing to do for the holder but what a third one
/// has put.
void a_lock_beside_others(unsigned members) {
  guarded one;
  counter child_in{0}, others_are_there{0};
  parallel(members, [&] {
    if (number() == 0) {
      task([&] {
        one.enter();
        task([&] {
          raise(child_in);
          await(others_are_there);
        });
        await(child_in);
        await(others_are_there);
        GOMP_taskwait();
        one.leave();
      });
    } else if (number() == 2) {
      await(child_in);
      for (unsigned each = 0; each < 2; ++each) task([&] { one.pass(); });
      raise(others_are_there);
    }
  });
  expect(one.entries == 3, "a task that wants the lock did not run once");
}

/// Its grandchildren, for which it does not wait, want the lock. Another member waits for all of them.
void a_lock_and_grandchildren(unsigned members) {
  guarded one;
  const auto hold = [&one] {
    one.enter();
    for (unsigned child = 0; child < 2; ++child) {
      task([&one] {
        for (unsigned each = 0; each < 2; ++each) task([&one] { one.pass(); });
      });
    }
    GOMP_taskwait();
    one.leave();
  };
  parallel(members, [&] {
    single_nowait([&] {
      taskgroup([&] { task(hold); });
      task(hold);
    });
  });
  expect(one.entries == 10, "a grandchild did not run once");
}

/// The holder's child is stolen together with tasks that want the lock, and lies below what the thief puts.
void a_lock_and_stolen_children(unsigned members) {
  guarded one;
  counter thief_in{0}, thief_may_go{0}, wanted{0}, children{0}, others{0};
  parallel(members, [&] {
    if (number() != 0) return;
    task([&] {
      raise(thief_in);
      await(thief_may_go);
    });
    // One: two, and the first task, would be all members, and the holder waits for the first.
    task([&] {
      for (unsigned other = 0; other < 2; ++other) task([&] { add(others); });
      raise(wanted);
      one.pass();
    });
    task([&] {
      one.enter();
      for (unsigned child = 0; child < 3; ++child) task([&] { add(children); });
      await(thief_in);
      task([&] { add(children); });
      raise(thief_may_go);
      await(wanted);
      GOMP_taskwait();
      one.leave();
    });
  });
  expect(read(children) == 4 && read(others) == 2 && one.entries == 2, "a task beside a lock did not run once");
}

/// The holder sleeps at the end of a taskgroup; then a descendant of it comes into a queue behind tasks that want the lock.
void a_lock_and_a_sleeper(unsigned members) {
  guarded one;
  counter second_in{0}, others_put{0}, last_put{0}, descendants{0};
  const auto second = [&] {
    raise(second_in);
    await(others_put);
    task([&] { add(descendants); });
    raise(last_put);
  };
  const auto first = [&] { task([&second] { second(); }); };
  parallel(members, [&] {
    if (number() != 0) return;
    task([&] {
      one.enter();
      taskgroup([&] {
        task([&first] { first(); });
        await(second_in);
      });
      one.leave();
    });
    await(second_in);
    for (unsigned each = 1; each < members; ++each) task([&] { one.pass(); });
    raise(others_put);
    await(last_put);
  });
  expect(read(descendants) == 1 && one.entries == members, "a task beside a lock did not run once");
}

// Members wait for what their own newest tasks bring about, and do not run them meanwhile. One member is free to run them.

constexpr unsigned needed = 3;
void put_needed(counter& ran) {
  for (unsigned each = 0; each < needed; ++each) task([&ran] { add(ran); });
}

/// Member 2 goes on to the barrier.
void behind_a_lock(unsigned members, bool only_asks) {
  guarded one;
  counter ran{0}, held{0};
  parallel(members, [&] {
    if (number() == 0) {
      one.enter();
      raise(held);
      await(ran, needed);
      one.leave();
    } else if (number() == 1) {
      await(held);
      put_needed(ran);
      if (only_asks) {
        while (!omp_test_lock(&one.lock)) platform::pause();
        omp_unset_lock(&one.lock);
      } else {
        one.pass();
      }
    }
  });
  expect(read(ran) == needed, "a task that a lock's holder needs did not run");
}
void tasks_behind_a_lock(unsigned members) { behind_a_lock(members, false); }
void tasks_behind_who_asks_for_a_lock(unsigned members) { behind_a_lock(members, true); }

void tasks_behind_a_turn(unsigned members) {
  counter ran{0};
  parallel(members, [&] {
    loop(ordered_fixed, 2, [&](long at) {
      if (at == 0) await(ran, needed);
      else put_needed(ran);
      ordered([] {});
    });
  });
}

void tasks_behind_a_region(unsigned members) {
  counter ran{0};
  parallel(members, [&] {
    if (number() != 1) return;
    put_needed(ran);
    parallel(1, [&] { await(ran, needed); });
  });
}

/// Grandchildren are none of the tasks that a taskwait waits for, or may run.
void tasks_behind_a_taskwait(unsigned members) {
  counter ran{0}, held{0};
  parallel(members, [&] {
    if (number() != 1) return;
    task([&] {
      raise(held);
      await(ran, needed);
    });
    parallel(1, [&] { await(held); });
    task_at_once([&] { put_needed(ran); });
    GOMP_taskwait();
  });
}

/// The wait ends by the last child, while a task that is none of its own is the newest. Who waited looks at its tasks no more.
void a_task_behind_a_taskwait_that_ends(unsigned members) {
  counter ran{0}, child_in{0}, child_may_end{0};
  parallel(members, [&] {
    if (number() != 1) return;
    task([&] {
      raise(child_in);
      await(child_may_end);
    });
    parallel(1, [&] { await(child_in); });
    task_at_once([&] {
      for (unsigned each = 0; each < 2; ++each) task([&ran] { add(ran); });  // one for all to see, one that the member keeps
    });
    raise(child_may_end);
    GOMP_taskwait();
    await(ran, 2);
  });
  expect(read(ran) == 2, "a task did not run once");
}

/// The tasks are none of the yielding one's own.
void tasks_behind_a_taskyield(unsigned members) {
  counter ran{0};
  parallel(members, [&] {
    if (number() != 1) return;
    put_needed(ran);
    task_at_once([&] {
      while (ran.load(platform::acquire) < needed) {
        GOMP_taskyield();
        platform::pause();
      }
    });
  });
}

/// Many tasks wait, so that some may run at once; but one that wants a lock does not begin on top of who holds it, or of one for
/// whom the holder waits.
void many_tasks_and_a_lock(unsigned members) {
  guarded one;
  counter ran{0};
  parallel(members, [&] {
    single_nowait([&] {
      for (unsigned each = 0; each < 8 * members; ++each) task([&] { add(ran); });
      for (unsigned each = 0; each < 2; ++each) {
        task([&] {
          one.enter();
          for (unsigned child = 0; child < 2; ++child) {
            task([&] {
              for (unsigned filler = 0; filler < 8; ++filler) task([&] { add(ran); });
              task([&] { one.pass(); });
            });
          }
          GOMP_taskwait();
          one.leave();
        });
      }
    });
  });
  expect(read(ran) == 8 * members + 32 && one.entries == 6, "a task beside a lock did not run once");
}

/// Two members wait for their groups, and the others are in these. Who is called for a task that it may not run calls the other
/// one.
void a_call_for_another(unsigned members) {
  counter first_in{0}, second_in{0}, done{0};
  parallel(members, [&] {
    if (number() == 0) {
      taskgroup([&] {
        task([&] {
          raise(first_in);
          await(done);
        });
        await(first_in);
      });
    } else if (number() == 1) {
      taskgroup([&] {
        task([&] {
          raise(second_in);
          await(first_in);
          task([&] { raise(done); });
          await(done);
        });
        await(second_in);
      });
    }
  });
}

/// Nearly all members are busy; of those that sleep one is called for a task that waits for the next one, for which another is
/// called.
void calls_beside_many(unsigned members) {
  counter first_in{0}, done{0};
  parallel(members, [&] {
    if (number() == 0) {
      task([&] {
        raise(first_in);
        await(done);
      });
      await(first_in);
      task([&] { raise(done); });
      await(done);
    } else if (number() < members - 2) {
      await(done);
    }
  });
}

/// A nested lock, as long as the program's.
struct nested {
  alignas(8) std::array<char, 16> lock;
  unsigned inside = 0, entries = 0;

  nested() { omp_init_nest_lock(&lock); }
  ~nested() { omp_destroy_nest_lock(&lock); }
  nested(const nested&) = delete;
  nested& operator=(const nested&) = delete;

  /// Effect: has it as often as no other task has it meanwhile.
  void pass(unsigned depth) {
    omp_set_nest_lock(&lock);
    expect(inside++ == 0, "two tasks hold one nested lock");
    for (unsigned each = 2; each <= depth; ++each)
      expect(omp_test_nest_lock(&lock) == static_cast<int>(each), "a task is refused its own nested lock, or it is miscounted");
    for (unsigned each = 1; each < depth; ++each) {
      omp_unset_nest_lock(&lock);
      expect(inside == 1, "a nested lock is free before its task has unset it as often as it has set it");
    }
    ++entries;
    --inside;
    omp_unset_nest_lock(&lock);
  }
};

/// The owner is the task: members and their tasks keep each other out.
void nested_locks(unsigned members) {
  nested one;
  parallel(members, [&] {
    for (unsigned depth = 1; depth < 4; ++depth) one.pass(depth);
    task([&one] { one.pass(2); });
    one.pass(2);
  });
  expect(one.entries == members * 5, "an entry got lost");
}

/// A task keeps its nested lock over waits and children, and they are refused it, on its own thread, too.
void nested_locks_over_waits(unsigned members) {
  nested one;
  counter ran{0};
  const auto body = [&one, &ran] {
    omp_set_nest_lock(&one.lock);
    task_at_once([&one] { expect(omp_test_nest_lock(&one.lock) == 0, "a child has its parent's nested lock"); });
    for (unsigned each = 0; each < 2; ++each) {
      task([&one, &ran] {
        expect(omp_test_nest_lock(&one.lock) == 0, "a child has its parent's nested lock");
        add(ran);
      });
    }
    taskgroup([&one] { expect(omp_test_nest_lock(&one.lock) == 2, "in a taskgroup a task is refused its own nested lock"); });
    GOMP_taskwait();
    expect(omp_test_nest_lock(&one.lock) == 3, "behind a wait a task is refused its own nested lock");
    for (unsigned each = 0; each < 3; ++each) omp_unset_nest_lock(&one.lock);
  };
  parallel(members, [&] {
    body();
    task(body);
    task_at_once(body);
  });
  expect(read(ran) == members * 6, "a task is lost");
  one.pass(1);
}

constexpr scene all[] = {
    {"locks_and_critical", 3, locks_and_critical},
    {"a_lock_over_a_taskwait", 3, a_lock_over_a_taskwait},
    {"a_lock_beside_others", 3, a_lock_beside_others, true},
    {"a_lock_and_grandchildren", 3, a_lock_and_grandchildren},
    {"a_lock_and_stolen_children", 3, a_lock_and_stolen_children, true},
    {"a_lock_and_a_sleeper", 3, a_lock_and_a_sleeper, true},
    {"tasks_behind_a_lock", 3, tasks_behind_a_lock},
    {"tasks_behind_who_asks_for_a_lock", 3, tasks_behind_who_asks_for_a_lock},
    {"tasks_behind_a_turn", 3, tasks_behind_a_turn},
    {"tasks_behind_a_region", 3, tasks_behind_a_region},
    {"tasks_behind_a_taskwait", 3, tasks_behind_a_taskwait},
    {"a_task_behind_a_taskwait_that_ends", 2, a_task_behind_a_taskwait_that_ends, true},
    {"tasks_behind_a_taskyield", 3, tasks_behind_a_taskyield},
    {"a_call_for_another", 4, a_call_for_another, true},
    {"calls_beside_many", 12, calls_beside_many, true},
    {"many_tasks_and_a_lock", 3, many_tasks_and_a_lock},
    {"nested_locks", 3, nested_locks},
    {"nested_locks_over_waits", 3, nested_locks_over_waits},
};

}  // namespace

std::span<const scene> scenes_of_locks() { return all; }

}  // namespace TEFF_NAMESPACE::testing_openmp
