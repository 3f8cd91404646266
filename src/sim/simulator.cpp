// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sim/simulator.h"

#include "base/assert.h"
#include "platform/sanitizers.h"
#include "sim/access.h"
#include "sim/instance.h"
#include "sim/report.h"
#include "sim/variation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

namespace TEFF_NAMESPACE::sim {

constinit simulator* active = nullptr;
constinit simulator* timed = nullptr;
constinit void* current_pointer = nullptr;
constinit void* current_ledger = nullptr;

simulator& instance() {
  // Never freed: objects with static lifetime may still release memory to it.
  static simulator* kept = nullptr;
  if (kept == nullptr) kept = new simulator();
  return *kept;
}

outcome simulate(const options& wanted, const std::function<void()>& body) { return instance().run(wanted, body); }

simulator::simulator() { describe_machine(); }

outcome simulator::run(const options& wanted, const std::function<void()>& body) {
  TEFF_REQUIRE(active == nullptr, "start one simulation after the other has ended, not inside it");
  const platform::sanitizers::leaks_allowed abandoned(wanted.expects_failure);
  reset(wanted);
  body_ = &body;
  const platform::faults planted = faults_;
  processor* const first = unused_processor();
  if (first == nullptr || !prepare(*first, nullptr, nullptr, 0)) throw std::bad_alloc();
  void* const programs_current = std::exchange(current_pointer, nullptr);
  current_ledger = nullptr;
  active = this;
  timed = is_by_virtual_time(wanted) ? this : nullptr;
  running_ = first;
  host_.switch_to(first->context);
  active = timed = nullptr;
  faults_ = planted;
  current_pointer = programs_current;
  current_ledger = nullptr;
  if (std::exchange(out_of_memory_, false)) throw std::bad_alloc();
  if (escaped_) std::rethrow_exception(std::exchange(escaped_, nullptr));
  return finished_outcome();
}

void simulator::reset(const options& wanted) {
  const machine_description& machine = wanted.machine;
  TEFF_REQUIRE(wanted.processors_at_most >= 1 && wanted.processors_at_most <= places_at_most, "ask for 1 to 1024 processors");
  TEFF_REQUIRE(machine.levels >= 1 && machine.levels <= levels_at_most && machine.own_line_hit >= 1 && machine.cycles_per_ns > 0,
               "give the machine 1 to 6 levels, at least 1 cycle per access and a positive clock rate");
  TEFF_REQUIRE(wanted.processors_at_most <= machine.processors(), "ask for at most as many processors as the machine has");
  const bool other_machine = wanted.processors_at_most != options_.processors_at_most ||
                             machine.levels != options_.machine.levels || machine.level != options_.machine.level;
  options_ = wanted;
  if (is_by_virtual_time(wanted)) options_.machine = varied(machine, wanted.variation);
  else options_.variation = as_described;
  if (other_machine) describe_machine();
  lines_.reset(options_.machine);
  caches_.reset(options_.machine, options_.processors_at_most);
  known_lines_ = 0;
  arena_.reset();
  account_.reset();
  chooser_ = make_chooser(wanted);
  timers_.reset();
  jitter_ = platform::random(~wanted.seed);
  variation_ = platform::random(~wanted.variation);
  for (const auto& old : processors_) old->doing = processor::state::unused;
  outcome_ = {};
  if (wanted.record) outcome_.choices.reserve(choices_before_);
  if (wanted.record && is_by_virtual_time(wanted)) outcome_.choices.push_back(by_virtual_time);
  steps_without_progress_ = 0;
  steps_allowed_ = wanted.steps_without_progress_at_most;
}

void simulator::describe_machine() {
  topology_ = {};
  topology_.usable_processors = options_.processors_at_most;
  topology_.limited_by = "simulated machine";
  using platform::level;
  const machine_description& machine = options_.machine;
  const std::array widths = {machine.width_of(level::core), machine.width_of(level::cache), machine.width_of(level::package)};
  for (unsigned i = 0; i < options_.processors_at_most; ++i) {
    topology_.places.push_back({i, {i / widths[0], i / widths[1], i / widths[2]}});
    topology_.memory_nodes.push_back(i / widths[2]);  // a package has memory of its own
  }
}

processor* simulator::unused_processor() try {
  for (const auto& one : processors_) {
    if (one->doing == processor::state::unused) return one.get();
  }
  if (processors_.size() == processors_at_once) return nullptr;
  processors_.push_back(std::make_unique<processor>());
  processors_.back()->id = static_cast<processor_id>(processors_.size() - 1);
  return processors_.back().get();
} catch (const std::bad_alloc&) {
  return nullptr;
}

/// Effect: so many threads may take as many steps without progress as the options say of them.
void simulator::allow_steps_of(std::uint64_t threads) {
  constexpr std::uint64_t as_few = 100, most = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t limit = options_.steps_without_progress_at_most;
  if (threads <= as_few) return;
  const std::uint64_t grown = limit > most / (threads * threads) ? most : limit * (threads * threads) / (as_few * as_few);
  steps_allowed_ = std::max(steps_allowed_, grown);
}

bool simulator::prepare(processor& made, processor::entry_function entry, void* argument, unsigned place_number) {
  if (made.stack.bytes() < options_.stack_bytes) made.stack = platform::stack::map(options_.stack_bytes);
  if (!made.stack) return false;
  made.doing = processor::state::runnable;
  made.at = place_in(options_.machine, place_number % options_.processors_at_most, options_.processors_at_most);
  made.clock = 0;
  made.current = nullptr;
  made.ledger = nullptr;
  made.joined_by = nobody;
  made.detached = false;
  made.finish = nullptr;
  made.entry = entry;
  made.argument = argument;
  made.context.make(made.stack, processor_main, &made);
  return true;
}

void simulator::processor_main(void* pointer) {
  processor& self = *static_cast<processor*>(pointer);
  if (self.entry == nullptr) active->run_body();
  else active->run_thread(self);
}

void simulator::run_body() {
  try {
    (*body_)();
    if (running_->finish != nullptr) running_->finish(running_->finish_argument);
    join_detached();
  } catch (...) {
    escaped_ = std::current_exception();
  }
  const bool alone = std::all_of(processors_.begin() + 1, processors_.end(),
                                 [](const auto& other) { return other->doing == processor::state::unused; });
  stop(alone ? outcome::end::finished : outcome::end::unjoined);
}

void simulator::join_detached() {
  for (std::size_t number = 1; number < processors_.size(); ++number) {
    processor& other = *processors_[number];
    if (!std::exchange(other.detached, false) || other.doing == processor::state::unused) continue;
    join(other.id);  // which it may end before: then it is `finished`, as it is detached no more
    number = 0;      // it may have started another one, in a place that was free when it was looked at
  }
}

void simulator::run_thread(processor& self) {
  [&self]() noexcept {
    self.entry(self.argument);
    if (self.finish != nullptr) self.finish(self.finish_argument);
  }();
  // Its stack is in use until it has left it, which is before anybody else runs.
  self.doing = self.detached ? processor::state::unused : processor::state::finished;
  if (self.joined_by != nobody) make_runnable(*processors_[self.joined_by], self.clock + costs().wake_latency);
  processor& next = next_processor();
  become(next);
  self.context.leave_to(next.context);
}

void simulator::stop(outcome::end how) {
  outcome_.how = how;
  running_->context.leave_to(host_);
}

void end_for_want_of_memory() {
  if (active == nullptr) return;
  active->out_of_memory_ = true;
  active->stop(outcome::end::unjoined);
}

outcome simulator::finished_outcome() {
  std::uint64_t latest = 0;
  for (const auto& one : processors_) {
    if (one->doing != processor::state::unused) latest = std::max(latest, one->clock);
  }
  outcome_.time_ns = ns_of(latest);
  outcome_.leftover_blocks = arena_.blocks();
  outcome_.diverged = chooser_->diverged();
  if (!outcome_.ok()) outcome_.report = report(outcome_, options_, processors_, *running_);
  choices_before_ = outcome_.choices.size();
  return std::move(outcome_);
}

std::uint64_t simulator::cycles_of(std::uint64_t ns) const {
  constexpr std::uint64_t as_good_as_never = std::uint64_t{1} << 50;
  if (ns >= as_good_as_never) return chooser::never;
  const auto cycles = static_cast<std::uint64_t>(static_cast<double>(ns) * costs().cycles_per_ns);
  return ns_of(cycles) < ns ? cycles + 1 : cycles;  // now_ns() after the deadline must not be before it
}

std::uint64_t simulator::cycles_of_charge(std::uint64_t units) {
  const double each = costs().cycles_per_charge_unit;
  return moved(each == 1 ? units : static_cast<std::uint64_t>(std::llround(static_cast<double>(units) * each)));
}

/// Returns: so many cycles, or up to a hundredth more or less where runs vary.
std::uint64_t simulator::moved(std::uint64_t cycles) {
  constexpr std::uint64_t room = std::numeric_limits<std::uint32_t>::max() / 2 - 1;
  const std::uint64_t most = std::min(cycles / variation_parts, room);
  if (options_.variation == as_described || most == 0) return cycles;
  return cycles - most + variation_.below(static_cast<std::uint32_t>(2 * most + 1));
}

std::uint64_t simulator::ns_of(std::uint64_t cycles) const {
  return static_cast<std::uint64_t>(static_cast<double>(cycles) / costs().cycles_per_ns);
}

}  // namespace TEFF_NAMESPACE::sim
