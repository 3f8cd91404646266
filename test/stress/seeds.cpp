// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Teams under tens of thousands of schedules: what a team must do, with everything that a seed can choose chosen by it.
/// usage: stress_seeds COUNT                 seeds 1 … COUNT of each strategy on each pool
///        stress_seeds POOL STRATEGY SEED    one of them again
#include "teff/teff.hpp"

#include "platform/platform.h"
#include "sim/sim.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE {
namespace {

struct named_strategy {
  const char* name;
  sim::strategy is;
};
constexpr named_strategy strategies[] = {
    {"random", sim::strategy::random}, {"pct", sim::strategy::pct}, {"virtual_time", sim::strategy::virtual_time}};

/// What one seed makes of a team and its work.
struct scenario {
  std::string pool;
  std::string memory;
  unsigned workers;
  std::vector<std::string> settings;
  unsigned depth;     ///< of a binary tree of tasks
  unsigned injected;  ///< tasks from another thread
  unsigned throwing;  ///< initial tasks that throw
};

/// Returns: those of the words that are settings of the pool.
std::vector<std::string> usable(const std::string& pool, const std::vector<std::string>& words) {
  std::vector<std::string> found;
  for (const std::string& word : words) {
    for (const setting_line& each : list_settings(pool)) {
      if (word.starts_with(std::string(each.name) + "=")) found.push_back(word);
    }
  }
  return found;
}

scenario drawn(const std::string& pool, std::uint64_t seed) {
  platform::random dice(seed * 0x9E3779B97F4A7C15 + 1);
  const auto one_of = [&](std::vector<std::string> words) { return words[dice.below(static_cast<std::uint32_t>(words.size()))]; };
  scenario made;
  made.pool = pool;
  made.memory = one_of({"dlf", "dlf", "bs", "dgbkof"});
  made.workers = 1 + dice.below(dice.below(4) == 0 ? 8 : 3);
  made.settings =
      usable(pool, {one_of({"wait=park", "wait=spin-then-park", "wait=spin"}), one_of({"wake=empty-queue", "wake=every-put"}),
                    one_of({"lock=mutex", "lock=spin"}), one_of({"block=1", "block=2", "block=4"}),
                    one_of({"steal=1", "steal=1/2", "steal=workers"}), one_of({"strategy=greedy", "strategy=generous"}),
                    one_of({"threshold=0", "threshold=4"}), one_of({"victims=linear", "victims=random", "victims=nearest"})});
  made.depth = dice.below(6);
  made.injected = dice.below(2) * dice.below(8);
  made.throwing = dice.below(2) * dice.below(4);
  return made;
}

/// What is wrong, in a sentence; the first is kept.
class verdict {
 public:
  void expect(bool holds, const std::string& what) {
    if (!holds && wrong_.empty()) wrong_ = what;
  }
  const std::string& wrong() const { return wrong_; }

 private:
  std::string wrong_;
};

class program {
 public:
  program(const scenario& drawn, verdict& found) : drawn_(drawn), found_(found), runs_(std::size_t{1} << drawn.depth) {}

  void run() {
    team on({.pool = drawn_.pool, .memory = drawn_.memory, .workers = drawn_.workers, .settings = drawn_.settings});
    for (int time = 1; time <= 2; ++time) run_once(on, time);
    const std::uint64_t tasks = 2 * (runs_.size() - 1 + drawn_.injected + drawn_.throwing);
    const statistics stats = on.stats();
    found_.expect(stats.value("tasks_run") == tasks, "tasks_run is not the number of tasks");
    found_.expect(stats.value("puts") + stats.value("inits") + stats.value("injections") == tasks,
                  "puts, inits and injections are not the number of tasks");
    found_.expect(stats.value("exceptions") == 2 * drawn_.throwing, "exceptions are not counted right");
  }

 private:
  void node(context& here, std::size_t id) {
    runs_[id].fetch_add(1, platform::relaxed);
    if (2 * id >= runs_.size()) return;
    here.put([this, id](context& child) { node(child, 2 * id); });
    here.put([this, id](context& child) { node(child, 2 * id + 1); });
  }

  void run_once(team& on, int time) {
    if (runs_.size() > 1) on.init([this](context& here) { node(here, 1); });
    for (unsigned i = 0; i < drawn_.throwing; ++i) on.init([](context&) { throw std::runtime_error("planted"); });
    source_ = std::make_unique<injector>(on);
    platform::thread outside;
    const bool started = outside.start([](void* self) { static_cast<program*>(self)->inject(); }, this, {});
    found_.expect(started, "no thread for the injector");
    bool thrown = false;
    try {
      on.run();
    } catch (const std::runtime_error&) {
      thrown = true;
    }
    found_.expect(thrown == (drawn_.throwing > 0), "run threw although no task did, or the other way round");
    for (std::size_t id = 1; id < runs_.size(); ++id)
      found_.expect(runs_[id].load(platform::relaxed) == time, "a task did not run exactly once when run returned");
    found_.expect(injected_.load(platform::relaxed) == static_cast<int>(drawn_.injected) * time,
                  "an injected task did not run exactly once when run returned");
    outside.join();
  }

  void inject() {
    for (unsigned i = 0; i < drawn_.injected; ++i) source_->put([this](context&) { injected_.fetch_add(1, platform::relaxed); });
    source_.reset();
  }

  const scenario& drawn_;
  verdict& found_;
  std::vector<platform::atomic<int>> runs_;
  platform::atomic<int> injected_{0};
  std::unique_ptr<injector> source_;
};

sim::options options_of(sim::strategy used, std::uint64_t seed, unsigned workers) {
  sim::options options;
  options.strategy = used;
  options.seed = seed;
  options.processors_at_most = workers + 1;
  if (used == sim::strategy::virtual_time) options.machine.access_jitter = 200;
  return options;
}

void tell(const scenario& drawn, const named_strategy& used, std::uint64_t seed, const std::string& what) {
  std::printf("FAILED: %s\n  pool %s, memory %s, %u workers, settings:", what.c_str(), drawn.pool.c_str(), drawn.memory.c_str(),
              drawn.workers);
  for (const std::string& each : drawn.settings) std::printf(" %s", each.c_str());
  std::printf("; tree of depth %u, %u injected, %u throwing\n  again: stress_seeds %s %s %llu\n", drawn.depth, drawn.injected,
              drawn.throwing, drawn.pool.c_str(), used.name, static_cast<unsigned long long>(seed));
}

/// Returns: whether the run of this seed is right.
bool passes(const std::string& pool, const named_strategy& used, std::uint64_t seed) {
  const scenario chosen = drawn(pool, seed);
  verdict found;
  sim::outcome ended;
  try {
    ended = sim::simulate(options_of(used.is, seed, chosen.workers), [&] { program(chosen, found).run(); });
  } catch (const std::logic_error& thrown) {
    found.expect(false, thrown.what());
  }
  if (!ended.ok()) tell(chosen, used, seed, ended.report);
  else if (!found.wrong().empty()) tell(chosen, used, seed, found.wrong());
  else if (ended.leftover_blocks != 0) tell(chosen, used, seed, "memory was not given back");
  else return true;
  return false;
}

bool all_pass(std::uint64_t count) {
  for (const catalogue_line& pool : list_pools()) {
    for (const named_strategy& each : strategies) {
      for (std::uint64_t seed = 1; seed <= count; ++seed) {
        if (!passes(pool.name, each, seed)) return false;
      }
    }
    std::printf("%s: %llu seeds of each strategy\n", pool.name, static_cast<unsigned long long>(count));
    std::fflush(stdout);
  }
  return true;
}

int main_of(int count, char** words) {
  if (count == 2 && std::atoll(words[1]) > 0) return all_pass(static_cast<std::uint64_t>(std::atoll(words[1]))) ? 0 : 1;
  if (count == 4) {
    for (const named_strategy& each : strategies) {
      if (std::strcmp(words[2], each.name) == 0)
        return passes(words[1], each, static_cast<std::uint64_t>(std::atoll(words[3]))) ? 0 : 1;
    }
  }
  std::fputs("usage: stress_seeds COUNT | stress_seeds POOL random|pct|virtual_time SEED\n", stderr);
  return 2;
}

}  // namespace
}  // namespace TEFF_NAMESPACE

int main(int count, char** words) {
  try {
    return teff::main_of(count, words);
  } catch (const std::exception& thrown) {
    std::fprintf(stderr, "stress_seeds: %s\n", thrown.what());
    return 2;
  }
}
