// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// engine.h on one side of the seam: compiled twice.
#include "apps/workload.h"
#include "cli/backend.h"
#include "cli/engine.h"
#include "platform/platform.h"
#include "teff/teff.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace TEFF_NAMESPACE::cli {

namespace {

using engine::problem;

constexpr const char* no_memory_for_size = "there is not enough memory for this size; choose a smaller one";

team_options options_of(const engine::team_request& wanted) {
  team_options options;
  options.pool = wanted.pool;
  options.memory = wanted.memory;
  options.workers = wanted.workers;
  options.settings = *wanted.settings;
  options.seed = wanted.seed;
  return options;
}

double seconds_since(std::uint64_t start_ns) { return static_cast<double>(platform::now_ns() - start_ns) * 1e-9; }

void copy_statistics(const statistics& from, engine::run_result& to) {
  for (const counter_value& each : from.counters) {
    to.counter_names.emplace_back(each.name);
    to.counter_texts.emplace_back(each.what);
    to.counter_values.push_back(each.value);
  }
  to.tasks_by_worker = from.tasks_by_worker;
  to.peak_live_tasks = from.peak_live_tasks;
  to.peak_bytes = from.peak_bytes;
  to.peak_fibers = from.peak_fibers;
  to.account_ns = from.account_ns;
  for (const time_part& each : from.account) {
    to.part_names.emplace_back(each.name);
    to.part_texts.emplace_back(each.what);
    to.part_values.push_back(each.ns_by_worker);
  }
  for (const resource_use& each : from.resources) {
    to.resource_names.push_back(each.name);
    for (const std::uint64_t value : {std::uint64_t{each.is_line}, each.busy_ns, each.uses, each.waited_ns})
      to.resource_values.push_back(value);
  }
}

/// Hands the bytes of a workload on to the command line.
class bridge final : public apps::sink {
 public:
  explicit bridge(engine::byte_sink& to) : to_(to) {}
  bool write(const char* bytes, std::size_t count) override { return to_.write(bytes, count); }

 private:
  engine::byte_sink& to_;
};

class open_program final : public engine::program {
 public:
  open_program(std::unique_ptr<apps::workload> own, std::uint64_t seed, const backend& where)
      : workload_(std::move(own)), seed_(seed), backend_(where) {}

  std::string size() const override { return workload_->size(); }

  void check(const engine::team_request& wanted, problem& wrong) override {
    if (const std::string sentence = workload_->refuses(wanted.workers); !sentence.empty())
      return wrong.set(problem::kind::usage, sentence);
    // One worker: whether there are threads for more is found out when they are needed; but whether there are places.
    team_options options = options_of(wanted);
    const auto names_places = [](const std::string& text) { return text.starts_with("domains="); };
    if (std::none_of(options.settings.begin(), options.settings.end(), names_places)) options.workers = 1;
    guarded(wrong, no_memory_for_size,
            [&] { backend_.simulate(wanted.workers, {wanted.seed, 0}, options.settings, [&] { team made(options); }); });
  }

  void run(const engine::team_request& wanted, engine::run_result& result, problem& wrong) override {
    guarded(wrong, no_memory_for_size, [&] {
      workload_->prepare(seed_, wanted.workers);
      backend_.simulate(wanted.workers, {wanted.seed, wanted.variation}, *wanted.settings, [&] {
        workload_->touch_input();
        team made(options_of(wanted));
        made.reset_stats();  // what making the team took belongs to no run
        const std::uint64_t start = platform::now_ns();
        workload_->tasks(made);
        result.seconds = seconds_since(start);
        result.workers = made.workers();
        copy_statistics(made.stats(), result);
      });
      verify(result);
    });
  }

  void run_serial(std::uint64_t variation, engine::run_result& result, problem& wrong) override {
    guarded(wrong, no_memory_for_size, [&] {
      workload_->prepare(seed_, 1);
      backend_.simulate_serial({seed_, variation}, [&] {
        workload_->touch_input();
        const std::uint64_t start = platform::now_ns();
        workload_->serial();
        result.seconds = seconds_since(start);
      });
      result.workers = 1;
      verify(result);
    });
  }

  bool has_result() const override { return workload_->has_result(); }

  void write_result(engine::byte_sink& to, const char* path, const char* format, problem& wrong) override {
    guarded(wrong, no_memory_for_size, [&] {
      bridge bytes(to);
      const std::string sentence = workload_->write_result(bytes, path, format);
      if (!sentence.empty()) wrong.set(problem::kind::usage, sentence);
    });
  }

 private:
  void verify(engine::run_result& result) const {
    result.tasks = workload_->tasks_run();
    result.wrong = workload_->verify();
    result.verified = result.wrong.empty();
    if (!result.verified) return;
    for (const apps::metric& each : workload_->metrics()) result.add_metric(each.name, each.what, each.value, each.instead);
  }

  std::unique_ptr<apps::workload> workload_;
  std::uint64_t seed_;
  const backend& backend_;
};

void add_row(engine::text_table& table, std::initializer_list<const char*> cells) {
  table.cells.insert(table.cells.end(), cells.begin(), cells.end());
}

void add_managers(engine::text_table& table) {
  table.columns = {"name", "what", "source"};
  for (const catalogue_line& each : list_managers()) add_row(table, {each.name, each.what, each.source});
}

void add_pools(engine::text_table& table) {
  table.columns = {"name", "what", "waiting_task_bytes", "source"};
  for (const pool_line& each : list_pools()) {
    add_row(table, {each.name, each.what, std::to_string(each.waiting_task_bytes).c_str(), each.source});
  }
}

void add_workloads(engine::text_table& table) {
  table.columns = {"name", "what", "source", "keys"};
  for (const apps::workload_line& each : apps::list_workloads()) add_row(table, {each.name, each.what, each.source, each.keys});
}

void add_sizes(engine::text_table& table, const char* workload) {
  table.columns = {"name", "size"};
  for (const apps::named_size& each : apps::list_sizes(workload)) add_row(table, {each.name, each.text});
}

void add_settings(engine::text_table& table, const std::vector<setting_line>& lines) {
  table.columns = {"name", "values", "standard", "what"};
  for (const setting_line& each : lines) add_row(table, {each.name, each.values, each.standard.c_str(), each.what});
}

void add_variables(engine::text_table& table) {
  table.columns = {"name", "what"};
  for (const variable_line& each : list_variables()) add_row(table, {each.name, each.what});
}

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const apps::workload_line& each : apps::list_workloads()) names.emplace_back(each.name);
  return names;
}

class this_side final : public engine::side {
 public:
  bool simulated() const override { return backend::simulated; }

  unsigned workers_at_most() const override { return backend_.processors(); }
  std::string machine_name() const override { return backend_.machine_name(); }

  unsigned usable_processors() const override { return teff::TEFF_PLATFORM::usable_processors(); }

  void list(engine::list_kind what, const char* of, engine::text_table& table, problem& wrong) const override {
    guarded(wrong, no_memory_for_size, [&] {
      switch (what) {
        case engine::list_kind::pools:
          return add_pools(table);
        case engine::list_kind::managers:
          return add_managers(table);
        case engine::list_kind::workloads:
          return add_workloads(table);
        case engine::list_kind::sizes:
          return add_sizes(table, of);
        case engine::list_kind::settings:
          return add_settings(table, list_settings(of));
        case engine::list_kind::manager_settings:
          return add_settings(table, list_manager_settings(of));
        case engine::list_kind::program_settings:
          return add_settings(table, list_program_settings(of));
        case engine::list_kind::variables:
          return add_variables(table);
        case engine::list_kind::machine:
          return backend_.list_costs(table);
        case engine::list_kind::machines:
          return backend_.list_machines(table);
      }
    });
  }

  std::string wrong_program_settings(const std::string& pool, const std::vector<std::string>& settings,
                                     unsigned threads) const override {
    return teff::TEFF_PLATFORM::wrong_program_settings(pool, settings, threads);
  }

  void describe_machine(const std::vector<std::string>& settings, problem& wrong) override {
    const std::string sentence = backend_.describe(settings);
    if (!sentence.empty()) wrong.set(problem::kind::usage, sentence);
  }

  engine::program* open(const engine::program_request& wanted, problem& wrong) override {
    engine::program* opened = nullptr;
    guarded(wrong, no_memory_for_size, [&] { opened = open_or_throw(wanted); });
    return opened;
  }

  std::string unknown_name(const char* kind, const std::string& name, const std::vector<std::string>& allowed) const override {
    return teff::TEFF_PLATFORM::unknown_name(kind, name, allowed);
  }

 private:
  engine::program* open_or_throw(const engine::program_request& wanted) const {
    auto made = apps::make_workload(wanted.workload);
    if (made == nullptr) throw usage_error(teff::TEFF_PLATFORM::unknown_name("workload", wanted.workload, workload_names()));
    std::string sentence = made->choose_size(wanted.size);
    if (sentence.empty() && wanted.input[0] != '\0')
      sentence = made->reads_input() ? made->read_input(wanted.input, wanted.format) : apps::refuse_input(wanted.workload);
    if (!sentence.empty()) throw usage_error(sentence);
    return new open_program(std::move(made), wanted.seed, backend_);
  }

  backend backend_;
};

}  // namespace

engine::side* make_side() { return new this_side; }

}  // namespace TEFF_NAMESPACE::cli

#ifdef TEFF_SIMULATED
teff::engine::side* teff::engine::make_simulated_side() { return cli::make_side(); }
#else
teff::engine::side* teff::engine::make_native_side() { return cli::make_side(); }
#endif
