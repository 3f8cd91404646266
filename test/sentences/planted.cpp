// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Eight causes are planted, each in three programs: the sentence about them names the cause, and with the cause removed it does
/// not. Where the machine has a cost that the cause is made of, taking it away bears the sentence out.
///
/// Idea: a subject is compared with a reference that does nearly the same work: a tenth less, and half of it where the cause is
/// removed, so that there is something to explain without the cause, too. The cause is in a setting of the subject's pool, in
/// what its tasks do, or in the machine, where the reference has a way round it. Removed, the subject is the same program on the
/// same pool without it.
#include "base/cache_line.h"
#include "platform/platform.h"
#include "report/advice.h"
#include "report/causes.h"
#include "report/why.h"
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
  unsigned finer = 1;                 ///< tasks of a tree, or that one puts, for the work of one: a power of two
  unsigned flat = 480, of_wave = 96;  ///< tasks
  bool has_chains = false;            ///< a task of a tree puts one, when it has done its work
  bool has_one_root = false;          ///< one task puts the others, or has a tree below it with all of them
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
    for (unsigned i = 0; i < count; ++i) on.init([this, i](context& here) { split(here, i); });
  }

  void init_trees(team& on) {
    const unsigned roots = what_.has_one_root ? 1 : what_.workers;
    unsigned depth = what_.has_one_root ? tree_depth + 3 : tree_depth;
    for (unsigned finer = what_.finer; finer > 1; finer /= 2) ++depth;
    for (unsigned i = 0; i < roots; ++i) on.init([this, i, depth](context& here) { node(here, i, depth); });
  }

 private:
  void node(context& here, unsigned root, unsigned depth) {
    const auto put_one = [&] { here.put([this, root, depth](context& below) { node(below, root, depth - 1); }); };
    for (unsigned i = 0; i < 2 && depth > 1 && !what_.has_chains; ++i) put_one();
    work(here, root);
    if (depth > 1 && what_.has_chains) put_one();
  }

  void split(context& here, unsigned root) {
    if (what_.finer == 1) return work(here, root);
    for (unsigned i = 0; i < what_.finer; ++i) here.put([this, root](context& below) { work(below, root); });
  }

  void work(context& here, unsigned root) {
    const std::uint64_t units = what_.work_below ? what_.work_below(root) : what_.work;
    if (units != 0) this_task::charge(units / what_.finer);
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
  // What tasks charge one after the other, if all charge the same.
  made.serial_seconds = {static_cast<double>(made.tasks * what.work / what.finer) / what.machine.cycles_per_ns * 1e-9};
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
  const char* part;                                 ///< of the time account, for the costs that it is made of
  void (*take_away)(sim::machine_description& of);  ///< these costs; nullptr: the machine has none that is the cause alone
};

void PrintTo(const planted_cause& of, std::ostream* to) { *to << of.name; }

comparison slow_lock(bool is_there) {
  comparison made;
  made.subject.work = made.reference.work = 1'000'000;
  made.subject.pool = "centralised";
  if (is_there) made.subject.settings = {"access=250000"};
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
    each->work = 300'000;  // many times what the threads' start takes, 24 or 30 us
  }
  made.subject.pool = "dq1";
  if (is_there) made.subject.work_below = [](unsigned root) -> std::uint64_t { return root == 0 ? 1'700'000 : 100'000; };
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
  made.subject.pool = made.reference.pool = "dq5";  // all workers take part, and have memory far away
  made.subject.workers = made.reference.workers = workers;
  made.subject.work = made.reference.work = 10'000;
  made.subject.also = writing(is_there);
  made.reference.also = writing(false);
  return made;
}

/// The same work in 32 times as many tasks.
comparison fine_tasks(bool is_there) {
  comparison made;
  made.subject.pool = made.reference.pool = "dq5";
  if (is_there) made.subject.finer = 32;
  return made;
}

/// Tasks that stay with who put them, while the others look for some: removed, each worker has some from the begin.
comparison hiding_pool(bool is_there) {
  comparison made;
  made.subject.pool = "dq1";
  made.reference.pool = "dq5";
  made.subject.has_one_root = made.reference.has_one_root = is_there;
  made.subject.settings = made.reference.settings = {"wait=spin"};
  return made;
}

void no_system_calls(sim::machine_description& of) { of.system_allocation = of.system_release = 0; }
void no_latency(sim::machine_description& of) { of.wake_latency = 0; }
void no_transfers(sim::machine_description& of) {
  for (unsigned i = 0; i < of.levels; ++i) of.level[i].transfer = 0;
}

const planted_cause causes[] = {
    {"slow_lock", "waiting for locks explains", "waiting for locks", slow_lock, "lock_wait", nullptr},
    {"slow_system_memory", "memory from the system explains", "memory from the system", slow_system_memory, "system_memory",
     no_system_calls},
    {"unequal_tasks", "an unequal distribution of the program's own work explains", "unequal distribution", unequal_tasks,
     report::imbalance, nullptr},
    {"late_wake_ups", "the time from a wake-up until the worker runs explains", "from a wake-up", late_wake_ups, "being_woken",
     no_latency},
    {"false_sharing", "most of it for the program's line", "the program's line", false_sharing, "own_memory", no_transfers},
    {"remote_memory", "the program's accesses to its memory explains", "the program's accesses", remote_memory, "own_memory",
     no_transfers},
    {"fine_tasks", "putting and getting tasks explains", "putting and getting", fine_tasks, "put_get", nullptr},
    {"hiding_pool", "idle time beside tasks that the pool did not hand out explains", "did not hand out", hiding_pool,
     report::beside_tasks, nullptr},
};

comparison compared_with(const planted_cause& cause, bool is_there) {
  comparison made = cause.make(is_there);
  made.reference.work -= made.reference.work / (is_there ? 10 : 2);
  return made;
}

report::record_set measured(const comparison& compared, program which) {
  report::record_set set;
  set.records = {measured("subject", which, compared.subject), measured("reference", which, compared.reference)};
  return set;
}

std::string said_of(const report::record_set& set) {
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

constexpr program programs[] = {program::flat, program::trees, program::waves};
const char* name_of(program which) { return which == program::flat ? "flat" : which == program::trees ? "trees" : "waves"; }

TEST_P(planted, is_named_and_once_it_is_removed_it_is_not) {
  for (const program which : programs) {
    SCOPED_TRACE(name_of(which));
    const std::string with = said_of(measured(compared_with(GetParam(), true), which)),
                      without = said_of(measured(compared_with(GetParam(), false), which));
    EXPECT_NE(without.find("  subject with clf takes "), std::string::npos) << "there is nothing to explain: " << without;
    EXPECT_NE(with.find(GetParam().sentence), std::string::npos) << with;
    EXPECT_EQ(with.find("partly"), std::string::npos) << with;
    EXPECT_EQ(without.find(GetParam().not_a_trace), std::string::npos) << without;
  }
}

TEST_P(planted, is_borne_out_by_its_own_cost_and_by_no_other) {
  if (GetParam().take_away == nullptr) return;
  for (const program which : programs) {
    SCOPED_TRACE(name_of(which));
    const comparison compared = compared_with(GetParam(), true);
    report::record_set set = measured(compared, which);
    comparison without = compared;
    for (setup* each : {&without.subject, &without.reference}) GetParam().take_away(each->machine);
    set.knock_outs.push_back({"its cost", "cost = 0", {GetParam().part}, measured(without, which).records});
    // One that the gap does not change without.
    set.knock_outs.push_back({"another cost", "other = 0", {"stealing"}, set.records});
    ASSERT_EQ(report::why_sentences(set).size(), 1u);
    EXPECT_NE(report::why_sentences(set)[0].find("without its cost (cost = 0) the gap"), std::string::npos)
        << report::why_sentences(set)[0];
    EXPECT_NE(report::why_sentences(set)[0].find(std::string("bears out ") + GetParam().part), std::string::npos)
        << report::why_sentences(set)[0];
    set.knock_outs.erase(set.knock_outs.begin());
    set.knock_outs[0].parts = {GetParam().part};
    EXPECT_NE(report::why_sentences(set)[0].find("is not borne out"), std::string::npos) << report::why_sentences(set)[0];
  }
}

TEST(sentences, tasks_that_are_too_fine_beside_the_serial_program_are_called_so) {
  for (const program which : programs) {
    SCOPED_TRACE(name_of(which));
    for (const bool is_there : {true, false}) {
      comparison compared;
      compared.subject.work = compared.reference.work = is_there ? 20 : 20'000;
      const std::string said = said_of(measured(compared, which));
      EXPECT_EQ(said.find("Its tasks are too fine") != std::string::npos, is_there) << said;
      EXPECT_EQ(said.find("partly"), std::string::npos) << said;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(each, planted, testing::ValuesIn(causes), [](const auto& of) { return of.param.name; });

}  // namespace
}  // namespace TEFF_NAMESPACE
