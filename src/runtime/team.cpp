// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The public API of teams (include/teff/runtime.hpp, stats.hpp, task.hpp) on the internal ones.
#include "teff/teff.hpp"

#include "base/nearest_name.h"
#include "runtime/environment.h"
#include "runtime/make_team.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

namespace teff::inline TEFF_PLATFORM {

namespace detail {

context& this_context() {
  auto* current = static_cast<worker*>(platform::current());
  if (current == nullptr || current->here == nullptr) {
    throw usage_error("this belongs into a task of a team: tasks are put, waited for and set aside by tasks only");
  }
  return *current->here;
}

void refuse_outside() {
  throw usage_error(
      "the function that blocking calls is no task: it cannot put tasks, wait or be pinned, not by the context of its caller "
      "either");
}

}  // namespace detail

pin::pin(context& here) : here_(here) {
  if (here.current().carrier == nullptr) detail::refuse_outside();
  here_.pin();
}

namespace detail {

namespace {

/// What a context stands for while its task is in a call outside: a worker that can do nothing. Its argument blocks are so large
/// that each put and spawn asks for one first.
worker& nobody() {
  static constexpr worker_operations refusals{[](worker&, task) { refuse_outside(); },
                                              [](worker&, task) { refuse_outside(); },
                                              [](worker&, task, std::uint8_t) { refuse_outside(); },
                                              [](worker&, lent_closure&) { refuse_outside(); },
                                              [](worker&, const void*, task&, bool) -> bool { refuse_outside(); },
                                              [](worker&, task, bool) -> bool { refuse_outside(); },
                                              [](worker&, task) { refuse_outside(); },
                                              [](worker&) -> void* { refuse_outside(); },
                                              [](worker&, void*) {},
                                              std::numeric_limits<std::size_t>::max()};
  struct without_team : worker {
    queue::lane no_tasks;
    mem::counted_list no_arguments;
    context own{*this};
    without_team() : worker(refusals, 0, 0, 0) {
      tasks = &no_tasks;
      arguments = &no_arguments;
      own.continue_on(*this);
      here = &own;
    }
  };
  static without_team none;
  return none;
}

}  // namespace

void call_outside(context& here, void (*call)(void*), void* argument) {
  struct outside {
    context& here;
    void (*call)(void*);
    void* argument;
  } made{here, call, argument};
  const auto without_worker = [](void* pointer) {
    const outside& self = *static_cast<outside*>(pointer);
    // If there was no thread that could carry the worker, it is here, waiting with its task. Else who goes on with the task tells
    // the context.
    if (platform::current() == nullptr) self.here.continue_on(nobody());
    self.call(self.argument);
  };
  worker& current = here.current();
  static_cast<workers::member&>(current).team.call_outside(current, without_worker, &made);
}

void refuse_empty_future() {
  throw usage_error("this future has no task: it was made empty, moved away, or its result was fetched");
}

void* allocate_large(std::size_t bytes) noexcept { return platform::system_allocate(bytes); }
void release_large(void* block, std::size_t bytes) noexcept { platform::system_release(block, bytes); }

}  // namespace detail

void this_task::set_name(const char* literal) { detail::this_context().frame->show(literal); }

#ifdef TEFF_SIMULATED
void this_task::charge(std::uint64_t units) { platform::charge(units); }
#endif

namespace {

std::unique_ptr<workers::team_base> make(const team_options& options) {
  runtime::team_plan plan;
  if (std::string wrong = runtime::understand(options, plan); !wrong.empty()) throw usage_error(wrong);
  auto made = runtime::make_team(options, plan);
  runtime::tell_refused_threads(*made, plan);
  return made;
}

}  // namespace

team::team(team_options options) : options_(std::move(options)), team_(make(options_)) {}

team::~team() { runtime::end_or_abandon(std::move(team_)); }

workers::team_base& team::team_of_this_process() {
  if (!team_->is_of_this_process()) {
    auto own = make(options_);
    runtime::end_or_abandon(std::exchange(team_, std::move(own)));
  }
  return *team_;
}

void team::init_task(task initial) {
  workers::team_base& own = team_of_this_process();
  const bool running = own.running();
  if (running || !own.init(initial)) {
    own.dispose(initial);
    if (running) throw usage_error("init was called during a run: use an injector, or put from a task");
    throw std::bad_alloc();
  }
}

void team::run() {
  workers::team_base& own = team_of_this_process();
  switch (own.run()) {
    case workers::run_result::finished:
      break;
    case workers::run_result::nested:
      throw usage_error("run was called from a task of this team, or while another thread runs it: one run at a time");
    case workers::run_result::stuck:
      throw deadlock_error(own.explanation() + "(pool " + options_.pool + ")");
  }
  if (std::exception_ptr first = own.take_exception()) std::rethrow_exception(first);
}

unsigned team::workers() const { return team_->workers(); }

statistics team::stats() const { return detail::statistics_of(*team_); }

statistics detail::statistics_of(const workers::team_base& of) {
  const workers::team_totals totals = of.totals();
  statistics stats;
  for (unsigned which = 0; which < trace::counter_count; ++which) {
    const auto& description = trace::counter_descriptions[which];
    stats.counters.push_back({description.name, description.what, totals.counters[which]});
  }
  stats.tasks_by_worker = totals.tasks_by_worker;
  stats.peak_live_tasks = totals.peak_live_tasks;
  stats.peak_bytes = totals.peak_bytes;
  stats.peak_fibers = totals.peak_fibers;
  return stats;
}

void team::reset_stats() { team_of_this_process().reset_totals(); }

std::uint64_t statistics::value(const char* name) const {
  for (const counter_value& each : counters) {
    if (std::strcmp(each.name, name) == 0) return each.value;
  }
  std::vector<std::string> names;
  for (const counter_value& each : counters) names.emplace_back(each.name);
  throw usage_error(unknown_name("counter", name, names));
}

injector::injector(team& target) : team_(target.team_of_this_process()) { team_.open_source(); }
injector::~injector() { team_.close_source(); }

void injector::put_task(task ready) {
  if (team_.inject(ready)) return;
  team_.dispose(ready);
  throw std::bad_alloc();
}

std::vector<pool_line> list_pools() {
  std::vector<pool_line> lines;
  pool::for_each_pool([&]<class Pool>(const pool::entry& each) {
    lines.push_back({{each.name, each.what, each.source}, each.waiting_task_bytes});
  });
  return lines;
}

std::vector<catalogue_line> list_managers() {
  std::vector<catalogue_line> lines;
  mem::for_each_manager(
      [&]<mem::spec Spec>(const char* name, const char* what, const char* source) { lines.push_back({name, what, source}); });
  return lines;
}

namespace {

std::vector<setting_line> lines_of(const std::vector<const char*>& names) {
  std::vector<setting_line> lines;
  for (const char* name : names) {
    for (const pool::setting& each : pool::all_settings()) {
      if (std::strcmp(name, each.name) == 0) lines.push_back({each.name, each.values, each.standard, each.what});
    }
  }
  return lines;
}

}  // namespace

std::vector<setting_line> list_settings(const std::string& pool) {
  const auto uses = runtime::settings_of_pool(pool);
  if (uses.empty()) throw usage_error(unknown_name("pool", pool, runtime::pool_names()));
  return lines_of(uses);
}

std::vector<setting_line> list_manager_settings(const std::string& memory) {
  const auto managers = runtime::manager_names();
  if (std::find(managers.begin(), managers.end(), memory) == managers.end()) {
    throw usage_error(unknown_name("memory manager", memory, managers));
  }
  return lines_of(runtime::settings_of_manager(memory));
}

std::vector<variable_line> list_variables() {
  std::vector<variable_line> lines;
  for (const runtime::variable& each : runtime::known_variables()) lines.push_back({each.name, each.what});
  return lines;
}

std::string wrong_variable(const std::string& name, const std::string& value) {
  std::vector<std::string> complaints;
  runtime::understand_environment({{name, value}}, complaints);
  return complaints.empty() ? "" : complaints[0];
}

unsigned usable_processors() { return platform::machine().usable_processors; }

std::string unknown_name(const char* kind, const std::string& name, const std::vector<std::string>& allowed) {
  return unknown_name_sentence(kind, name, allowed);
}

}  // namespace teff::inline TEFF_PLATFORM
