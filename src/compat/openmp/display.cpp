// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compat/openmp/environment.h"

#include <algorithm>
#include <cstdio>

namespace TEFF_NAMESPACE::openmp {

namespace {

const char* name_of(bool value) { return value ? "TRUE" : "FALSE"; }

const char* name_of(schedule kind) {
  constexpr const char* names[] = {"RUNTIME", "STATIC", "DYNAMIC", "GUIDED", "AUTO"};
  return names[static_cast<unsigned>(kind)];
}

const char* name_of(process_icvs::offload where) {
  constexpr const char* names[] = {"DEFAULT", "MANDATORY", "DISABLED"};
  return names[static_cast<unsigned>(where)];
}

std::string name_of_bind(std::uint8_t bind) {
  constexpr const char* names[] = {"FALSE", "TRUE", "PRIMARY", "CLOSE", "SPREAD"};
  return names[bind];
}

template <class List, class Write>
std::string joined(const List& list, Write write) {
  std::string text;
  for (const auto& each : list) text += (text.empty() ? "" : ",") + write(each);
  return text;
}

std::string text_of(const std::vector<unsigned>& place) {
  return "{" + joined(place, [](unsigned processor) { return std::to_string(processor); }) + "}";
}

std::string schedule_of(const icvs& initial) {
  const bool usual = initial.monotonic == (initial.run_schedule == schedule::fixed);
  std::string text = usual ? "" : initial.monotonic ? "MONOTONIC:" : "NONMONOTONIC:";
  text += name_of(initial.run_schedule);
  if (initial.run_schedule == schedule::automatic) return text;
  return initial.run_chunk == usual_chunk(initial.run_schedule) ? text : text + "," + std::to_string(initial.run_chunk);
}

void line(const char* name, const std::string& value) { std::fprintf(stderr, "  %s = '%s'\n", name, value.c_str()); }

}  // namespace

void display_environment(const process_icvs& all, bool verbose) {
  const icvs& initial = all.initial;
  const auto number = [](auto value) { return std::to_string(value); };
  std::fprintf(stderr, "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n");
  line("OMP_DYNAMIC", name_of(initial.dynamic));
  line("OMP_NESTED", name_of(initial.active_levels > 1));
  line("OMP_NUM_THREADS", all.thread_list.empty() ? number(initial.threads) : joined(all.thread_list, number));
  line("OMP_SCHEDULE", schedule_of(initial));
  line("OMP_PROC_BIND", all.bind_list.empty() ? name_of_bind(initial.bind) : joined(all.bind_list, name_of_bind));
  line("OMP_PLACES", joined(all.places, text_of));
  line("OMP_STACKSIZE", number(all.stack_bytes));
  line("OMP_WAIT_POLICY", all.wait_policy > 0 ? "ACTIVE" : "PASSIVE");
  line("OMP_THREAD_LIMIT", number(initial.thread_limit == 0 ? 0xffffffffu : initial.thread_limit));
  line("OMP_MAX_ACTIVE_LEVELS", number(initial.active_levels));
  line("OMP_NUM_TEAMS", number(all.teams));
  line("OMP_TEAMS_THREAD_LIMIT", number(all.teams_thread_limit));
  line("OMP_CANCELLATION", name_of(all.cancellation));
  line("OMP_DEFAULT_DEVICE", number(std::max(0, initial.device)));  // of none gcc's library says 0: OMP_TARGET_OFFLOAD says more
  line("OMP_MAX_TASK_PRIORITY", number(all.max_task_priority));
  line("OMP_DISPLAY_AFFINITY", name_of(all.display_affinity));
  line("OMP_AFFINITY_FORMAT", all.affinity_format);
  line("OMP_ALLOCATOR", allocator_names[initial.allocator - 1]);
  line("OMP_TARGET_OFFLOAD", name_of(all.target_offload));
  if (verbose) {
    line("GOMP_CPU_AFFINITY", "");  // is ignored, and said
    line("GOMP_STACKSIZE", number(all.stack_bytes));
    line("GOMP_SPINCOUNT", all.spin_rounds < 0 ? "by the wait policy" : number(all.spin_rounds));
    line("TEFF_POOL", all.pool);
  }
  std::fprintf(stderr, "OPENMP DISPLAY ENVIRONMENT END\n");
}

}  // namespace TEFF_NAMESPACE::openmp
