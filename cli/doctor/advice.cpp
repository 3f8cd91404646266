// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/doctor/advice.h"

#include "cli/doctor/words.h"
#include "platform/tuning.h"
#include "report/text.h"
#include "teff/teff.hpp"

#include <algorithm>

namespace teff::cli {

namespace {

using report::counted;
using report::format;
using sentences = std::vector<std::string>;

constexpr double quiet_load_per_processor = 0.5;
constexpr double stolen_time_that_shows = 0.01;
constexpr double slow_clock_ns = 200;                 // ten times what a clock costs that needs no call of the kernel
constexpr std::int64_t usual_mappings = 65'530;       // the kernel's default
constexpr std::uint64_t threads_beside_workers = 16;  // the program's own, the shell that started it, …
constexpr std::uint64_t small_stack_bytes = 1 << 20;
constexpr std::int64_t counters_for_own_programs = 2;  // perf_event_paranoid up to which a user may count in his own processes
constexpr std::int64_t strict_overcommit = 2;

void advise_on_build(const build_facts& of, sentences& to) {
  sentences found;
  if (!of.optimised) found.emplace_back("without optimisation");
  if (of.assertions) found.emplace_back("with assertions");
  if (!of.sanitizers.empty()) found.emplace_back("with sanitizers");
  if (found.empty()) return;
  to.push_back("this teff was built " + report::joined(found) +
               ", so its times mean little; to measure, build it with 'cmake --preset release'");
}

void advise_on_quota(const platform::cgroup_limit& quota, const facts& of, sentences& to) {
  const std::size_t wanted = of.machine.mask.size();
  const unsigned usable = of.machine.usable.usable_processors;
  const double left = quota.amount - usable;
  std::string text = format(
      "a cgroup quota of {:.4g} of {} processors ({}) holds programs up as soon as more run than it allows; "
      "ask for {} (docker run --cpus={}, Kubernetes limits.cpu)",
      quota.amount, wanted, quota.file, wanted, wanted);
  if (left > 0) text += format("; {:.4g} of a processor is never used, as workers are whole", left);
  if (left < 0) text += "; the one worker that there is will be held up too";
  to.push_back(text);
}

void advise_on_processors(const facts& of, sentences& to) {
  const std::size_t mask = of.machine.mask.size();
  if (of.machine.quota && of.limited_by_quota()) advise_on_quota(*of.machine.quota, of, to);
  if (mask < of.processors()) {
    to.push_back(
        format("the affinity mask has {} of {} processors; to use the others, start without taskset or numactl, or with a "
               "larger cpuset of the container or batch job",
               mask, of.processors()));
  }
  if (of.machine.usable.usable_processors == 1) {
    to.emplace_back("with 1 usable processor nothing runs in parallel; 'teff simulate' compares pools on more, in virtual time");
  }
  if (of.machine.usable.usable_processors > tuning::workers_at_most)
    to.push_back(format("a team has at most {} workers: {} processors stay without one", tuning::workers_at_most,
                        of.machine.usable.usable_processors - tuning::workers_at_most));
}

void advise_on_files(const kernel_facts& of, sentences& to) {
  if (!of.proc) to.emplace_back("there is no /proc, so a processor quota goes unseen; mount it: mount -t proc proc /proc");
  if (!of.sys) to.emplace_back("there is no /sys, so caches and memory nodes may go unseen; mount it: mount -t sysfs sysfs /sys");
}

void advise_on_noise(const facts& of, sentences& to) {
  const kernel_facts& kernel = of.kernel;
  if (kernel.load && *kernel.load > quiet_load_per_processor * of.processors())
    to.push_back(format("the load average is {:.2f} on {}: what else runs disturbs measurements; wait for it or stop it",
                        *kernel.load, counted(of.processors(), "processor")));
  if (kernel.stolen && *kernel.stolen > stolen_time_that_shows)
    to.push_back(
        format("the hypervisor gave {:.1f} % of this machine's time to others since the start: repeat measurements and "
               "look at their spread, or use a machine of your own",
               *kernel.stolen * 100));
  if (std::find(kernel.governors.begin(), kernel.governors.end(), "powersave") != kernel.governors.end())
    to.emplace_back(
        "the frequency governor is powersave, so the clock rate may stay low; to measure: "
        "cpupower frequency-set -g performance");
  if (of.clock_read_ns > slow_clock_ns)
    to.push_back(
        format("one look at the clock takes {}, so times of short runs are too long; better clock sources, if there are any, "
               "stand in /sys/devices/system/clocksource/clocksource0/available_clocksource",
               report::duration(of.clock_read_ns * 1e-9)));
}

/// Returns: what to do, so that the event can be counted.
std::string remedy(os::counting answer, const kernel_facts& kernel) {
  switch (answer) {
    case os::counting::forbidden:
      if (kernel.counters_paranoid.value_or(0) > counters_for_own_programs)
        return format("as root: sysctl kernel.perf_event_paranoid={}", counters_for_own_programs);
      return "a container or sandbox forbids it: allow it there (docker run --cap-add=PERFMON)";
    case os::counting::no_counter:
      return kernel.hypervisor.value_or(false) ? "use a host whose hypervisor passes its counters on, or one of your own"
                                               : "use a machine that has one";
    case os::counting::no_support:
      return "use a kernel that has perf_event_open";
    case os::counting::busy:
      return "end what else counts: another profiler, or the kernel's watchdog (sysctl kernel.nmi_watchdog=0)";
    default:
      return "see what 'perf stat true' says";
  }
}

void advise_on_counters(const facts& of, sentences& to) {
  const auto advise = [&](const char* what, os::counting answer) {
    if (answer == os::counting::works) return;
    to.push_back(format("{} {}; {}", what, counting_text(answer), remedy(answer, of.kernel)));
  };
  if (of.cycles == of.cache_misses) return advise("cycles and cache misses", of.cycles);
  advise("cycles", of.cycles);
  advise("cache misses", of.cache_misses);
}

void advise_on_limits(const facts& of, sentences& to) {
  const std::optional<limit> threads = of.threads();
  if (threads && threads->amount < of.default_workers() + threads_beside_workers)
    to.push_back(format("no more than {} may run ({}), which may not do for {}: raise it", counted(threads->amount, "thread"),
                        threads->source, counted(of.default_workers(), "worker")));
  if (of.stack_bytes && *of.stack_bytes < small_stack_bytes)
    to.push_back(format("stacks end at {}: programs that call deeply overflow; 'ulimit -s 8192' gives 8 MiB",
                        bytes_text(*of.stack_bytes)));
  if (of.kernel.mappings && *of.kernel.mappings < usual_mappings)
    to.push_back(
        format("a process may have only {} mappings of memory, and each stack takes two; as root: sysctl "
               "vm.max_map_count={}",
               *of.kernel.mappings, usual_mappings));
  if (of.kernel.overcommit == strict_overcommit)
    to.emplace_back(
        "memory that is only reserved counts (vm.overcommit_memory is 2), so many stacks are refused early; as root: sysctl "
        "vm.overcommit_memory=0");
}

void advise_on_environment(const facts& of, sentences& to) {
  for (const auto& [name, value] : of.teff_variables) {
    std::string wrong = wrong_variable(printable(name), printable(value));
    if (!wrong.empty()) to.push_back(std::move(wrong));
  }
}

}  // namespace

std::vector<std::string> advice(const facts& of) {
  sentences found;
  advise_on_build(of.build, found);
  advise_on_processors(of, found);
  advise_on_files(of.kernel, found);
  advise_on_noise(of, found);
  advise_on_counters(of, found);
  advise_on_limits(of, found);
  advise_on_environment(of, found);
  return found;
}

}  // namespace teff::cli
