// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sim/report.h"

#include <sstream>

namespace TEFF_NAMESPACE::sim {

namespace {

const char* headline(outcome::end how) {
  switch (how) {
    case outcome::end::finished:
      return "finished";
    case outcome::end::deadlock:
      return "deadlock: no processor can run";
    case outcome::end::livelock:
      return "livelock: processors run, but nothing reports progress";
    case outcome::end::unjoined:
      return "unjoined: the body returned before it joined all threads";
  }
  return "";
}

const char* name(strategy used) {
  switch (used) {
    case strategy::virtual_time:
      return "virtual_time";
    case strategy::random:
      return "random";
    case strategy::pct:
      return "pct";
    case strategy::replay:
      return "replay";
    case strategy::exhaustive:
      return "exhaustive";
  }
  return "";
}

std::string in_ns(std::uint64_t cycles, const options& used) {
  std::ostringstream text;
  text << static_cast<std::uint64_t>(static_cast<double>(cycles) / used.machine.cycles_per_ns) << " ns";
  return text.str();
}

/// Who ends a joining processor's wait.
processor_id joined_by(const processor& waiter, const processor_table& processors) {
  for (const auto& other : processors) {
    if (other->doing != processor::state::unused && other->joined_by == waiter.id) return other->id;
  }
  return nobody;
}

void describe_wait(std::ostream& text, const processor& waiter, const char* how, const options& used) {
  text << how << " for '" << waiter.waits_for << "' on line " << waiter.waits_on << " since " << in_ns(waiter.waits_since, used);
}

void describe(std::ostream& text, const processor& one, const processor_table& processors, const processor& last,
              const options& used) {
  text << "  processor " << one.id << ' ';
  switch (one.doing) {
    case processor::state::unused:
      break;
    case processor::state::runnable:
      text << (&one == &last ? "is running" : "can run") << " at " << in_ns(one.clock, used);
      break;
    case processor::state::watching:
      describe_wait(text, one, "spins", used);
      break;
    case processor::state::parked:
      describe_wait(text, one, "is parked", used);
      break;
    case processor::state::joining:
      text << "joins processor " << joined_by(one, processors) << " since " << in_ns(one.waits_since, used);
      break;
    case processor::state::finished:
      text << "ended at " << in_ns(one.clock, used) << " and was not joined";
      break;
  }
  text << '\n';
}

/// What an exhaustive search did last, or a replay was told to do, is given by its choices alone.
void describe_choices(std::ostream& text, const options& used, const std::vector<std::uint32_t>& choices) {
  text << "replay: strategy=replay processors=" << used.processors_at_most << " choices=";
  for (std::size_t i = 0; i < choices.size(); ++i) text << (i == 0 ? "" : ",") << choices[i];
  text << '\n';
}

/// The options that decide a run, those at their default left out.
void describe_replay(std::ostream& text, const options& used, const outcome& ended) {
  if (used.strategy == strategy::replay) return describe_choices(text, used, used.replay);
  if (used.strategy == strategy::exhaustive) return describe_choices(text, used, ended.choices);
  const options standard;
  text << "replay: strategy=" << name(used.strategy) << " seed=" << used.seed << " processors=" << used.processors_at_most;
  if (used.variation != standard.variation) text << " variation=" << used.variation;
  else if (used.machine.access_jitter != standard.machine.access_jitter) text << " access_jitter=" << used.machine.access_jitter;
  if (used.strategy == strategy::random && used.random_switch_period != standard.random_switch_period) {
    text << " period=" << used.random_switch_period;
  }
  if (used.strategy == strategy::pct) text << " depth=" << used.pct_depth << " length=" << used.pct_length;
  if (used.spurious_wakeup_period != standard.spurious_wakeup_period) text << " spurious=" << used.spurious_wakeup_period;
  text << '\n';
}

}  // namespace

std::string report(const outcome& ended, const options& used, const processor_table& processors, const processor& last) {
  std::ostringstream text;
  text << headline(ended.how) << " (at " << ended.time_ns << " ns, after " << ended.events << " events)\n";
  for (const auto& one : processors) {
    if (one->doing != processor::state::unused) describe(text, *one, processors, last, used);
  }
  describe_replay(text, used, ended);
  return text.str();
}

std::string replay_line(const options& used, const outcome& ended) {
  std::ostringstream text;
  describe_replay(text, used, ended);
  return text.str();
}

}  // namespace TEFF_NAMESPACE::sim
