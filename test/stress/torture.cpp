// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Many workers on two processors, for a while: round after round, a team of random parts runs random trees of tasks while
/// other threads inject more of them and some throw; each task has to run exactly once.
/// usage: stress_torture SECONDS [WORKERS [FIRST_SEED]]      64 workers and seed 1 if not given
#include "teff/teff.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr unsigned seconds_per_round_at_most = 300;
constexpr int processors = 2;

/// What runs now, for the last words of a program that hangs.
std::array<char, 400> description;

void give_up(int) {
  static_cast<void>(!write(STDOUT_FILENO, description.data(), std::char_traits<char>::length(description.data())));
  static_cast<void>(!write(STDOUT_FILENO, "HANGS\n", 6));
  std::abort();
}

/// What the tasks of a round do to be counted.
struct round_counts {
  std::atomic<std::uint64_t> made{0}, ran{0}, thrown{0}, alive{0};
};

/// A value that lives as long as its closure.
class held {
 public:
  explicit held(round_counts& counts) : counts_(&counts) { ++counts_->alive; }
  held(const held& other) : held(*other.counts_) {}
  held& operator=(const held&) = delete;
  ~held() { --counts_->alive; }

 private:
  round_counts* counts_;
};

/// A task of a random tree: its number decides what it does.
struct node {
  round_counts* counts;
  std::uint64_t number;
  int levels;
  held witness;

  void operator()(teff::context& here) const {
    ++counts->ran;
    std::mt19937_64 dice(number);
    teff::this_task::charge(dice() % 8 == 0 ? dice() % 20'000 : dice() % 200);
    const std::uint64_t children = levels == 0 ? 0 : dice() % 5;
    for (std::uint64_t child = 0; child < children; ++child) {
      ++counts->made;
      node below{counts, dice(), levels - 1, held(*counts)};
      if (dice() % 16 != 0) here.put(std::move(below));
      else here.put([below, ballast = std::array<char, 300>{}](teff::context& c) { below(c), static_cast<void>(ballast); });
    }
    if (dice() % 64 != 0) return;
    ++counts->thrown;
    throw std::runtime_error("planted");
  }
};

teff::team_options drawn(std::mt19937_64& dice, unsigned workers) {
  const auto one_of = [&](std::vector<std::string> words) { return words[dice() % words.size()]; };
  teff::team_options options;
  const auto pools = teff::list_pools();
  const auto managers = teff::list_managers();
  options.pool = pools[dice() % pools.size()].name;
  options.memory = managers[dice() % managers.size()].name;
  options.workers = workers;
  options.seed = dice();
  options.pin = dice() % 4 == 0;
  // Waiting and locks that only spin are left out: 64 spinning workers on two processors pass their time slices, and whoever
  // could end it waits for its own.
  const std::vector<std::string> words{one_of({"wait=park", "wait=spin-then-park"}),
                                       one_of({"wake=empty-queue", "wake=every-put"}),
                                       one_of({"block=1", "block=2", "block=4", "block=32"}),
                                       one_of({"steal=1", "steal=3", "steal=1/2", "steal=workers"}),
                                       one_of({"strategy=greedy", "strategy=generous"}),
                                       one_of({"threshold=0", "threshold=4", "threshold=100"}),
                                       one_of({"victims=linear", "victims=random", "victims=nearest"})};
  for (const auto& each : teff::list_settings(options.pool)) {
    for (const std::string& word : words) {
      if (word.starts_with(std::string(each.name) + "=")) options.settings.push_back(word);
    }
  }
  return options;
}

void describe(const teff::team_options& options, std::uint64_t seed) {
  std::string text = "seed " + std::to_string(seed) + ": pool " + options.pool + ", memory " + options.memory + ", " +
                     std::to_string(options.workers) + " workers, settings";
  for (const std::string& each : options.settings) text += " " + each;
  text += "\n";
  text.copy(description.data(), description.size() - 1);
  description[std::min(text.size(), description.size() - 1)] = '\0';
}

/// Effect: one run, with so many threads that inject. Returns: whether an exception came out.
bool run_once(teff::team& on, std::mt19937_64& dice, round_counts& counts, unsigned injecting) {
  const std::uint64_t initial = dice() % 20;
  for (std::uint64_t i = 0; i < initial; ++i) {
    ++counts.made;
    on.init(node{&counts, dice(), 7, held(counts)});
  }
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < injecting; ++i) {
    auto source = std::make_unique<teff::injector>(on);
    threads.emplace_back([&counts, seed = dice(), source = std::move(source)]() mutable {
      std::mt19937_64 own(seed);
      for (int put = 0; put < 100; ++put) {
        ++counts.made;
        source->put(node{&counts, own(), 3, held(counts)});
        if (own() % 8 == 0) std::this_thread::yield();
      }
      source.reset();
    });
  }
  bool thrown = false;
  try {
    on.run();
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  const bool all_ran = counts.made == counts.ran;
  for (std::thread& each : threads) each.join();
  if (!all_ran) throw std::logic_error("run returned before every task had run");
  return thrown;
}

/// Returns: tasks. Errors: std::logic_error if something is wrong.
std::uint64_t round(std::uint64_t seed, unsigned workers) {
  std::mt19937_64 dice(seed);
  const teff::team_options options = drawn(dice, workers);
  describe(options, seed);
  round_counts counts;
  {
    teff::team on(options);
    for (int run = 0; run < 3; ++run) {
      const std::uint64_t thrown_before = counts.thrown;
      const bool thrown = run_once(on, dice, counts, static_cast<unsigned>(dice() % 4));
      if (thrown != (counts.thrown > thrown_before)) throw std::logic_error("run threw although no task did, or the other way");
    }
    const teff::statistics stats = on.stats();
    if (stats.value("tasks_run") != counts.made) throw std::logic_error("tasks_run is not the number of tasks");
    if (stats.value("exceptions") != counts.thrown) throw std::logic_error("exceptions are not counted right");
  }
  if (counts.alive != 0) throw std::logic_error("closures were not destroyed");
  return counts.made;
}

void use_few_processors() {
  cpu_set_t all, few;
  CPU_ZERO(&few);
  if (sched_getaffinity(0, sizeof all, &all) != 0) return;
  for (int processor = 0; processor < CPU_SETSIZE && CPU_COUNT(&few) < processors; ++processor) {
    if (CPU_ISSET(processor, &all)) CPU_SET(processor, &few);
  }
  sched_setaffinity(0, sizeof few, &few);
}

}  // namespace

int main(int count, char** words) {
  const long seconds = count > 1 ? std::atol(words[1]) : 0;
  const long workers = count > 2 ? std::atol(words[2]) : 64;
  std::uint64_t seed = count > 3 ? std::strtoull(words[3], nullptr, 10) : 1;
  if (seconds < 1 || workers < 1 || workers > 256) {
    std::fputs("usage: stress_torture SECONDS [WORKERS [FIRST_SEED]]; at least 1 second, 1 … 256 workers\n", stderr);
    return 2;
  }
  use_few_processors();
  std::signal(SIGALRM, give_up);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  std::uint64_t rounds = 0, tasks = 0;
  try {
    for (; std::chrono::steady_clock::now() < end; ++rounds, ++seed) {
      alarm(seconds_per_round_at_most);
      tasks += round(seed, static_cast<unsigned>(workers));
    }
  } catch (const std::exception& wrong) {
    std::printf("%sFAILED: %s\nagain: stress_torture 1 %ld %llu\n", description.data(), wrong.what(), workers,
                static_cast<unsigned long long>(seed));
    return 1;
  }
  std::printf("%llu rounds of 3 runs, %llu tasks, all exactly once\n", static_cast<unsigned long long>(rounds),
              static_cast<unsigned long long>(tasks));
  return 0;
}
