// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The program's own work, as the time account finds it natively, over the time of the serial program.
/// usage: own_work [ROUNDS [SIZE ...]]    prints medians and middle halves; rounds 201, sizes k=11,f=60 k=9,f=300
///
/// The workload is synthetic, whose tasks charge and touch little memory. Processors change their speed, and two that both
/// compute slow each other on some machines; so a run on n workers is compared with one serial program, and with n of them at
/// once, each the mean of runs right before it and right behind it. Every case runs once in each round on a team that is kept,
/// and once on a new one, whose threads touch their stacks and queues for the first time.
#include "apps/workload.h"
#include "teff/teff.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace TEFF_NAMESPACE {
namespace {

constexpr std::array<const char*, 4> pools{"teff", "sq1", "dq5", "dq8"};
constexpr unsigned workers_at_most = 2;

/// One size of the program, and its serial times.
class serial_program {
 public:
  explicit serial_program(const std::string& size) : program_(apps::make_workload("synthetic")) {
    if (const std::string wrong = program_->choose_size(size); !wrong.empty()) throw std::invalid_argument(wrong);
  }

  apps::workload& prepared() {
    program_->prepare(0, workers_at_most);
    return *program_;
  }

  void verify() const {
    if (const std::string wrong = program_->verify(); !wrong.empty()) throw std::runtime_error(wrong);
  }

  /// Returns: seconds. Pre: prepared. The caller verifies.
  double time() {
    const auto begin = std::chrono::steady_clock::now();
    program_->serial();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  double run() {
    prepared();
    const double seconds = time();
    verify();
    return seconds;
  }

 private:
  std::unique_ptr<apps::workload> program_;
};

/// Seconds of the serial program.
struct serial_times {
  double alone = 0, at_once = 0;
};

/// Returns: the mean of two that begin at the same time.
double run_both(serial_program& one, serial_program& other) {
  one.prepared();
  other.prepared();
  std::atomic<unsigned> ready{0};
  const auto begin = [&](serial_program& some) {
    for (ready.fetch_add(1); ready.load() != 2;) {
    }
    return some.time();
  };
  double others_seconds = 0;
  std::thread beside([&] { others_seconds = begin(other); });
  const double seconds = begin(one);
  beside.join();
  one.verify();
  other.verify();
  return (seconds + others_seconds) / 2;
}

/// Own work over a serial time, each of one run.
struct ratios {
  std::vector<double> to_alone, to_at_once;
};

struct measured_case {
  team_options options;
  std::unique_ptr<team> kept;
  ratios on_kept, on_new;
};

/// All cases of one size.
class measurement {
 public:
  explicit measurement(const std::string& size) : one_(size), other_(size), size_(size) {
    for (unsigned workers = 1; workers <= workers_at_most; ++workers) {
      for (const char* const pool : pools) {
        const team_options options{.pool = pool, .workers = workers};
        cases_.push_back({options, std::make_unique<team>(options), {}, {}});
      }
    }
  }

  void run(unsigned rounds) {
    for (unsigned round = 0; round < rounds; ++round) {
      for (measured_case& each : cases_) {
        serial_times before = run_serial(each.options.workers);
        add_run(*each.kept, before, each.on_kept);
        team fresh(each.options);
        add_run(fresh, before, each.on_new);
      }
    }
  }

  void print() const;

 private:
  serial_times run_serial(unsigned programs) {
    const double alone = one_.run();
    return {alone, programs == 1 ? alone : run_both(one_, other_)};
  }

  /// `before`: the serial times right before it. Effect: then those right behind it.
  void add_run(team& on, serial_times& before, ratios& to) {
    apps::workload& program = one_.prepared();
    on.reset_stats();
    program.tasks(on);
    one_.verify();
    const double own = static_cast<double>(on.stats().spent("own_work")) * 1e-9;
    const serial_times behind = run_serial(on.workers());
    to.to_alone.push_back(2 * own / (before.alone + behind.alone));
    to.to_at_once.push_back(2 * own / (before.at_once + behind.at_once));
    before = behind;
  }

  serial_program one_, other_;
  std::string size_;
  std::vector<measured_case> cases_;
};

/// Returns: median and middle half.
std::string spread(std::vector<double> all) {
  std::sort(all.begin(), all.end());
  const auto at = [&](double share) { return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))]; };
  char text[64];
  std::snprintf(text, sizeof text, "%.3f (%.3f–%.3f)", at(0.5), at(0.25), at(0.75));
  return text;
}

void measurement::print() const {
  for (const measured_case& each : cases_) {
    std::printf("| %s | %u | %s |", size_.c_str(), each.options.workers, each.options.pool.c_str());
    for (const ratios* some : {&each.on_kept, &each.on_new})
      std::printf(" %s | %s |", spread(some->to_alone).c_str(), spread(some->to_at_once).c_str());
    std::puts("");
  }
  std::fflush(stdout);
}

}  // namespace
}  // namespace TEFF_NAMESPACE

int main(int count, char** words) {
  char* end = nullptr;
  const long rounds = count > 1 ? std::strtol(words[1], &end, 10) : 201;
  std::vector<std::string> sizes(words + std::min(count, 2), words + count);
  if (sizes.empty()) sizes = {"k=11,f=60", "k=9,f=300"};
  if (rounds < 1 || (end != nullptr && *end != 0)) {
    std::fprintf(stderr, "own_work: rounds cannot be '%s'; allowed: 1 and more\n", words[1]);
    return 2;
  }
  std::puts(
      "Own work over one serial program's time, and over that of as many at once as there are workers:\n\n"
      "| size | workers | pool | kept team / one | / as many | new team / one | / as many |\n|---|---|---|---|---|---|---|");
  try {
    for (const std::string& size : sizes) {
      teff::measurement all(size);
      all.run(static_cast<unsigned>(rounds));
      all.print();
    }
  } catch (const std::invalid_argument& wrong) {
    std::fprintf(stderr, "own_work: %s\n", wrong.what());
    return 2;
  } catch (const std::runtime_error& wrong) {
    std::fprintf(stderr, "own_work: %s\n", wrong.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
