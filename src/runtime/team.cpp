// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The public API of teams (include/teff/runtime.hpp, stats.hpp, task.hpp) on the internal ones.
#include "teff/teff.hpp"

#include "platform/process_wide.h"
#include "runtime/make_team.h"
#include "runtime/task_cost.h"

#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace TEFF_NAMESPACE {

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
                                              [](worker&, borrowed_closure&) { refuse_outside(); },
                                              [](worker&, const void*, task&, bool) -> bool { refuse_outside(); },
                                              [](worker&, task, bool) -> bool { refuse_outside(); },
                                              [](worker&, task) { refuse_outside(); },
                                              [](worker&) -> void* { refuse_outside(); },
                                              [](worker&, void*) {},
                                              std::numeric_limits<std::size_t>::max(),
                                              &run_child,
                                              &run_moved};
  struct without_team : worker {
    queue::lane no_tasks;
    mem::counted_list no_arguments;
    context own{*this};
    without_team() : worker(refusals, 0, 0) {
      tasks = &no_tasks;
      arguments = &no_arguments;
      own.continue_on(*this);
      here = &own;
    }
  };
  return platform::process_wide<without_team>();
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

void go_on_elsewhere(worker& current) {
  auto& self = static_cast<workers::member&>(current);
  self.team.go_on_elsewhere(self);
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

void this_task::touch(const void* memory, std::size_t bytes, access how) {
  using trace::counter;
  const platform::touched what = how == access::write ? platform::to_write : platform::to_read;
  const auto from = platform::touch_program(memory, bytes, what);
  auto* const own = static_cast<worker*>(platform::current());
  if (own == nullptr) return;
  const std::pair<counter, std::uint64_t> counted[] = {{counter::lines_from_own, from.own},
                                                       {counter::lines_from_domain, from.domain},
                                                       {counter::lines_from_others, from.others},
                                                       {counter::lines_from_memory, from.memory},
                                                       {counter::lines_from_far_memory, from.far_memory}};
  for (const auto& [which, lines] : counted) own->count(which, lines);
}

void this_task::forget(const void* memory, std::size_t bytes) { platform::forget_program(memory, bytes); }
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
      throw deadlock_error(std::string(own.explanation()) + "(pool " + options_.pool + ")");
  }
  if (std::exception_ptr first = own.take_exception()) std::rethrow_exception(first);
}

unsigned team::workers() const { return team_->workers(); }

statistics team::stats() const {
  const std::uint64_t now = platform::account_now();  // what a first look has to measure is not the team's time
  team_->expect_costs(runtime::costs_of_tasks(options_.memory));
  return detail::statistics_of(*team_, now);
}

statistics detail::statistics_of(const workers::team_base& of, std::uint64_t now) {
  const workers::team_totals totals = of.totals(now);
  statistics stats;
  for (unsigned which = 0; which < trace::counter_count; ++which) {
    const auto& description = trace::counter_descriptions[which];
    stats.counters.push_back({description.name, description.what, totals.counters[which]});
  }
  stats.tasks_by_worker = totals.tasks_by_worker;
  stats.peak_live_tasks = totals.peak_live_tasks;
  stats.peak_bytes = totals.peak_bytes;
  stats.peak_fibers = totals.peak_fibers;
  for (unsigned which = 0; which < account_part_count; ++which) {
    const auto& description = account_part_descriptions[which];
    stats.account.push_back({description.name, description.what, {}});
    for (const auto& parts : totals.account) stats.account.back().ns_by_worker.push_back(parts[which]);
  }
  stats.account_ns = totals.account_ns;
  for (const shared_resource& each : totals.resources)
    stats.resources.push_back({each.name, each.is_line, each.busy, each.uses, each.waited});
  return stats;
}

void team::reset_stats() { team_of_this_process().reset_totals(); }

std::uint64_t statistics::spent(const char* part) const {
  std::vector<std::string> names;
  for (const time_part& each : account) {
    if (std::strcmp(each.name, part) == 0)
      return std::accumulate(each.ns_by_worker.begin(), each.ns_by_worker.end(), std::uint64_t{0});
    names.emplace_back(each.name);
  }
  throw usage_error(unknown_name("part of the time account", part, names));
}

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

void injector::put_task(task ready) { put_tasks({&ready, 1}); }

void injector::put_tasks(std::span<const task> ready) {
  if (ready.empty() || team_.inject(ready)) return;
  drop(ready);
  throw std::bad_alloc();
}

void injector::drop(std::span<const task> made) {
  for (const task& each : made) team_.dispose(each);
}

}  // namespace TEFF_NAMESPACE
