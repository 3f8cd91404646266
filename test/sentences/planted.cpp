// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Eight causes are planted, each in three programs: the sentence about them names the cause, and with the cause removed it does
/// not.
///
/// Idea: a subject is compared with a reference that does the same work. The cause is in the subject's pool, in what its tasks
/// do, or in the machine of both, where the reference has a way round it.
#include "base/cache_line.h"
#include "platform/platform.h"
#include "report/advice.h"
#include "sim/sim.h"
#include "teff/teff.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE {
namespace {

// ---- programs -------------------------------------------------------------------------------------------------------------

/// What tasks are there, and who puts them.
enum class program : std::uint8_t {
  flat,   ///< all are there at the begin
  trees,  ///< a few, each of which puts two, and so on
  waves,  ///< several runs, one after the other
};

constexpr unsigned tree_depth = 6, waves = 5;

/// What a program runs on, and what its tasks do.
struct setup {
  std::string pool = "teff", memory = "clf";
  std::vector<std::string> settings;
  sim::machine_description machine;
  unsigned workers = 8;
  std::uint64_t work = 3'000;
  unsigned flat = 480, of_wave = 96;                       ///< tasks
  bool has_chains = false;                                 ///< a task of a tree puts one, when it has done its work
  bool has_one_root = false;                               ///< one task puts the others, or has a tree below it with all of them
  std::function<std::uint64_t(unsigned root)> work_below;  ///< of a task, by the initial one that it descends from; else `work`
  std::function<void(context&, unsigned task)> also;       ///< besides its work
};

/// The tasks of one run of a program.
class tasks_of {
 public:
  explicit tasks_of(const setup& what) : what_(what) {}

  void init_flat(team& on, unsigned count) {
    if (what_.has_one_root) {
      on.init([this, count](context& here) {
        for (unsigned i = 0; i < count; ++i) here.put([this, i](context& below) { work(below, i); });
      });
      return;
    }
    for (unsigned i = 0; i < count; ++i) on.init([this, i](context& here) { work(here, i); });
  }

  void init_trees(team& on) {
    const unsigned roots = what_.has_one_root ? 1 : what_.workers;
    const unsigned depth = what_.has_one_root ? tree_depth + 3 : tree_depth;
    for (unsigned i = 0; i < roots; ++i) on.init([this, i, depth](context& here) { node(here, i, depth); });
  }

 private:
  void node(context& here, unsigned root, unsigned depth) {
    const auto put_one = [&] { here.put([this, root, depth](context& below) { node(below, root, depth - 1); }); };
    for (unsigned i = 0; i < 2 && depth > 1 && !what_.has_chains; ++i) put_one();
    work(here, root);
    if (depth > 1 && what_.has_chains) put_one();
  }

  void work(context& here, unsigned root) {
    const std::uint64_t units = what_.work_below ? what_.work_below(root) : what_.work;
    if (units != 0) this_task::charge(units);
    if (what_.also) what_.also(here, done_++);
  }

  const setup& what_;
  unsigned done_ = 0;  // in simulation one task at a time goes on
};

void run(program which, const setup& what, team& on) {
  tasks_of tasks(what);
  for (unsigned wave = 0; wave < (which == program::waves ? waves : 1); ++wave) {
    if (which == program::trees) tasks.init_trees(on);
    else tasks.init_flat(on, which == program::waves ? what.of_wave : what.flat);
    on.run();
  }
}

// ---- records --------------------------------------------------------------------------------------------------------------

void copy_account(const statistics& from, report::record& to) {
  to.account.clear();
  to.resources.clear();
  to.account_ns = from.account_ns;
  for (const time_part& each : from.account) to.account.push_back({each.name, each.what, each.ns_by_worker});
  for (const resource_use& each : from.resources)
    to.resources.push_back({each.name, each.is_line ? report::resource::kind::line : report::resource::kind::lock, each.busy_ns,
                            each.uses, each.waited_ns});
}

/// Returns: a record of three runs on machines that differ a little, with the account of the last.
report::record measured(const std::string& name, program which, const setup& what) {
  report::record made;
  made.pool = name;
  made.memory = what.memory;
  made.workers = made.workers_asked = what.workers;
  made.simulated = true;
  for (const std::uint64_t variation : {1, 2, 3}) {
    sim::options options;
    options.processors_at_most = what.workers;
    options.machine = what.machine;
    options.variation = variation;
    const sim::outcome ended = sim::simulate(options, [&] {
      team_options of;
      of.pool = what.pool;
      of.memory = what.memory;
      of.workers = what.workers;
      of.settings = what.settings;
      of.seed = variation;
      team here(of);
      here.reset_stats();
      const std::uint64_t since = platform::now_ns();
      run(which, what, here);
      made.seconds.push_back(static_cast<double>(platform::now_ns() - since) * 1e-9);
      const statistics counted = here.stats();
      made.tasks = counted.value("tasks_run");
      copy_account(counted, made);
    });
    EXPECT_TRUE(ended.ok()) << ended.report;
  }
  // What the tasks charge, one after the other.
  made.serial_seconds = {static_cast<double>(made.tasks * what.work) / what.machine.cycles_per_ns * 1e-9};
  return made;
}

// ---- causes ---------------------------------------------------------------------------------------------------------------

struct comparison {
  setup subject, reference;
};

struct planted_cause {
  const char* name;
  const char* sentence;     ///< what it has to have
  const char* not_a_trace;  ///< what it may not have if the cause is not there, "partly" included
  comparison (*make)(bool is_there);
};

void PrintTo(const planted_cause& of, std::ostream* to) { *to << of.name; }

comparison slow_lock(bool is_there) {
  comparison made;
  made.subject.work = made.reference.work = 20'000;
  made.subject.pool = is_there ? "centralised" : "distributed";
  if (is_there) made.subject.settings = {"access=5000"};
  return made;
}

/// Tasks that ask the system for a block and give it back; those of the reference have one.
comparison slow_system_memory(bool is_there) {
  comparison made;
  made.subject.machine.system_allocation = made.subject.machine.system_release = is_there ? 5'000 : 0;
  made.reference.machine = made.subject.machine;
  made.subject.also = [](context&, unsigned) { platform::system_release(platform::system_allocate(200), 200); };
  return made;
}

/// As many tasks for each worker, one after the other, but those of one take longer.
comparison unequal_tasks(bool is_there) {
  comparison made;
  for (setup* each : {&made.subject, &made.reference}) {
    each->flat = each->of_wave = each->workers;
    each->has_chains = true;
    each->work = 30'000;
  }
  made.subject.pool = "dq1";
  if (is_there) made.subject.work_below = [](unsigned root) -> std::uint64_t { return root == 0 ? 170'000 : 10'000; };
  return made;
}

comparison late_wake_ups(bool is_there) {
  comparison made;
  made.subject.settings = made.reference.settings = {"wait=park"};
  made.subject.pool = made.reference.pool = "dq1";  // no lock, at which one sleeps, too
  made.subject.machine.wake_latency = is_there ? 60'000 : 0;
  made.reference.machine.wake_latency = 0;
  return made;
}

/// A count for each worker: in a line of its own, or all in one.
struct counts {
  struct alignas(cache_line_bytes) one_line {
    std::array<platform::atomic<std::uint32_t>, 8> words{};
  };
  std::array<one_line, 8> lines{};
};

comparison false_sharing(bool is_there) {
  const auto kept = std::make_shared<counts>();
  const auto counting = [kept](bool in_one_line) {
    return [kept, in_one_line](context& here, unsigned) {
      const unsigned me = here.worker_id();
      platform::atomic<std::uint32_t>& mine = kept->lines[in_one_line ? 0 : me].words[me];
      for (int i = 0; i < 20; ++i) mine.fetch_add(1, platform::relaxed);
    };
  };
  comparison made;
  made.subject.also = counting(is_there);
  made.reference.also = counting(false);
  return made;
}

/// A block of memory for each worker, which it writes; or it and another one, far away, in turn.
comparison remote_memory(bool is_there) {
  constexpr unsigned workers = 16, bytes = 32 * cache_line_bytes;
  const auto writing = [](bool far) {
    const auto blocks = std::make_shared<void*>(nullptr);
    return [far, blocks](context& here, unsigned task) {
      // The memory of one run is not that of the next.
      if (task == 0) *blocks = platform::system_allocate(workers * bytes, cache_line_bytes);
      const unsigned whose = (here.worker_id() + (far && task % 2 == 1 ? workers / 2 : 0)) % workers;
      platform::touch(static_cast<char*>(*blocks) + whose * bytes, bytes, platform::to_write);
    };
  };
  comparison made;
  made.subject.workers = made.reference.workers = workers;
  made.subject.also = writing(is_there);
  made.reference.also = writing(false);
  return made;
}

comparison fine_tasks(bool is_there) {
  comparison made;
  made.subject.work = made.reference.work = is_there ? 20 : 20'000;
  return made;
}

/// Tasks that stay with who put them, while the others look for some.
comparison hiding_pool(bool is_there) {
  comparison made;
  made.subject.pool = is_there ? "dq1" : "dq2";
  made.reference.pool = "dq5";
  made.subject.has_one_root = made.reference.has_one_root = true;
  made.subject.settings = made.reference.settings = {"wait=spin"};
  return made;
}

const planted_cause causes[] = {
    {"slow_lock", "waiting for locks explains", "waiting for locks", slow_lock},
    {"slow_system_memory", "memory from the system explains", "memory from the system", slow_system_memory},
    {"unequal_tasks", "an unequal distribution of the program's own work explains", "unequal distribution", unequal_tasks},
    {"late_wake_ups", "the time from a wake-up until the worker runs explains", "from a wake-up", late_wake_ups},
    {"false_sharing", "most of it for the program's line", "the program's line", false_sharing},
    {"remote_memory", "the program's accesses to its memory explains", "the program's accesses", remote_memory},
    {"fine_tasks", "Its tasks are too fine", "too fine", fine_tasks},
    {"hiding_pool", "idle time beside tasks that the pool did not hand out explains",
     "did not hand out", hiding_pool},
};

std::string said_of(const planted_cause& cause, program which, bool is_there) {
  const comparison compared = cause.make(is_there);
  report::record_set set;
  set.records = {measured("subject", which, compared.subject), measured("reference", which, compared.reference)};
  std::string text;
  for (const report::record& each : set.records) {
    text += each.pool + ":";
    for (const double some : each.seconds) text += " " + std::to_string(some * 1e6) + " us";
    text += "\n";
  }
  // What the reference is slower by is nothing of the subject's.
  for (const std::string& each : report::advice(set)) text += each.starts_with("  reference") ? "" : each + "\n";
  return text;
}

class planted : public testing::TestWithParam<planted_cause> {};

TEST_P(planted, is_named_and_once_it_is_removed_it_is_not) {
  for (const program which : {program::flat, program::trees, program::waves}) {
    SCOPED_TRACE(which == program::flat ? "flat" : which == program::trees ? "trees" : "waves");
    const std::string with = said_of(GetParam(), which, true), without = said_of(GetParam(), which, false);
    EXPECT_NE(with.find(GetParam().sentence), std::string::npos) << with;
    EXPECT_EQ(with.find("partly"), std::string::npos) << with;
    EXPECT_EQ(without.find(GetParam().not_a_trace), std::string::npos) << without;
  }
}

INSTANTIATE_TEST_SUITE_P(each, planted, testing::ValuesIn(causes), [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace TEFF_NAMESPACE
