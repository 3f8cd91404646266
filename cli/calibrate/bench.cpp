// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// laboratory.h on one side of the seam: compiled twice.
#include "cli/backend.h"
#include "cli/calibrate/cases.h"
#include "cli/calibrate/laboratory.h"

#include <functional>

namespace TEFF_NAMESPACE::cli {

namespace {

using engine::problem;

constexpr const char* no_memory_to_calibrate = "there is not enough memory to calibrate";

/// What both kinds of laboratory have.
template <class Interface>
class bench : public Interface {
 public:
  void parts(engine::machine_parts& found, problem& wrong) override {
    // In the simulator, the places are there once something ran on them.
    guarded(wrong, no_memory_to_calibrate, [&] { run_all([&] { found = parts_of(platform::machine()); }); });
  }

  std::optional<double> time(engine::trial which, unsigned first, unsigned second, problem& wrong) override {
    std::optional<double> found;
    guarded(wrong, no_memory_to_calibrate, [&] {
      if (which == engine::trial::cycle) found = cycle_ns();
      else run_all([&] { found = run_case(which, first, second); });
    });
    return found;
  }

  double time_tasks(const engine::tasks_request& wanted, problem& wrong) override {
    double found = 0;
    guarded(wrong, no_memory_to_calibrate,
            [&] { backend_.simulate(wanted.workers, {1, 0}, {}, [&] { found = run_tasks(wanted); }); });
    return found;
  }

 protected:
  virtual double cycle_ns() const = 0;

  backend backend_;

 private:
  void run_all(const std::function<void()>& body) { backend_.simulate(backend_.processors(), {1, 0}, {}, body); }
};

#ifdef TEFF_SIMULATED

constexpr const char* of_generic = "as generic";

class simulated_bench final : public bench<engine::model> {
 public:
  void begin(const char* title, problem& wrong) override {
    choose("generic", wrong);
    machine().title = title;
    for (auto& [name, source] : machine().sources) source = of_generic;
  }

  void choose(const char* name_or_file, problem& wrong) override {
    const std::string sentence = backend_.describe({name_or_file});
    if (!sentence.empty()) wrong.set(problem::kind::usage, sentence);
  }

  unsigned processors_at_most() const override { return sim::places_at_most; }

  void clear_levels() override {
    machine().costs.levels = 0;
    machine().level_names.clear();
  }

  void add_level(const engine::level_request& wanted) override {
    using platform::level;
    const sim::machine_description generic;
    const unsigned at = machine().costs.levels++;
    sim::machine_level& made = machine().costs.level[at];
    made = generic.level[at == 0 ? 0 : generic.levels - 1];
    made.width = wanted.width;
    made.shares = (wanted.core ? sim::sharing(level::core) : 0) | (wanted.cache ? sim::sharing(level::cache) : 0) |
                  (wanted.package ? sim::sharing(level::package) : 0);
    const std::string name = wanted.name;
    machine().level_names.push_back(name);
    machine().sources[name + "_size"] = wanted.width_source;
    machine().sources["same_" + name + "_transfer"] = machine().sources["remote_transfer"] = of_generic;
  }

  void bounds(const char* number, double& least, double& most, problem& wrong) const override {
    for (const sim::machine_number& each : sim::numbers_of(backend_.machine())) {
      if (each.name != number) continue;
      least = each.least;
      most = each.most;
      return;
    }
    wrong.set(problem::kind::wrong_result, std::string("a machine has no number ") + number);
  }

  void set(const char* number, double value, const char* source, problem& wrong) override {
    const std::string sentence = sim::set_number(machine(), number, sim::text_of_number(value));
    if (!sentence.empty()) return wrong.set(problem::kind::wrong_result, sentence);
    machine().sources[number] = source;
  }

  std::string text() const override { return sim::machine_text(backend_.machine()); }
  std::string file_of_this() const override { return sim::file_of_this(); }

 protected:
  double cycle_ns() const override { return 1 / backend_.machine().costs.cycles_per_ns; }

 private:
  sim::described_machine& machine() { return backend_.machine(); }
};

#else

class native_bench final : public bench<engine::laboratory> {
 protected:
  double cycle_ns() const override {
    constexpr std::uint64_t rounds = 100'000;
    std::uint64_t sum = 0, operand = 1;
    asm volatile("" : "+r"(operand));  // no constant: an addition cannot become a shorter one
    const auto next = [&] {
      sum += operand;
      asm volatile("" : "+r"(sum));
    };
    const std::uint64_t begin = platform::now_ns();
    for (std::uint64_t i = 0; i < rounds; ++i) {
      // The loop's own instructions are done beside them.
      next(), next(), next(), next(), next(), next(), next(), next();
      next(), next(), next(), next(), next(), next(), next(), next();
    }
    return static_cast<double>(platform::now_ns() - begin) / static_cast<double>(rounds * 16);
  }
};

#endif

}  // namespace

#ifdef TEFF_SIMULATED
engine::model* make_bench() { return new simulated_bench; }
#else
engine::laboratory* make_bench() { return new native_bench; }
#endif

}  // namespace TEFF_NAMESPACE::cli

#ifdef TEFF_SIMULATED
teff::engine::model* teff::engine::make_model() { return cli::make_bench(); }
#else
teff::engine::laboratory* teff::engine::make_native_laboratory() { return cli::make_bench(); }
#endif
