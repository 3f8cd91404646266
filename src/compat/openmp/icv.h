// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// OpenMP's internal control variables.
#pragma once

#include "platform/platform.h"
#include "pool/settings.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::openmp {

/// The kinds of schedule, by the numbers that omp_sched_t and gcc's calls give them.
enum class schedule : std::uint32_t { runtime = 0, fixed = 1, dynamic = 2, guided = 3, automatic = 4 };

/// Returns: the chunk of a loop that names none; 0, of a static one: one piece for each member.
constexpr int usual_chunk(schedule kind) { return kind == schedule::fixed ? 0 : 1; }

/// The kinds of bind-var, by the numbers of omp_proc_bind_t and gcc's calls.
enum : std::uint8_t { bind_false, bind_true, bind_primary, bind_close, bind_spread };

/// Regions within one another that may have more than one thread.
inline constexpr unsigned levels_at_most = 255;

/// Some places, one behind the other.
struct stretch {
  unsigned first = 0, count = 0;
  bool has(unsigned place) const { return place >= first && place - first < count; }
};

/// The variables of one data environment (OpenMP 5.2, section 2.3). Never changed while another task may read them.
struct icvs {
  unsigned threads = 1;        ///< nthreads-var, its first number
  unsigned list_position = 0;  ///< of that number in OMP_NUM_THREADS and OMP_PROC_BIND
  bool dynamic = false;        ///< dyn-var
  bool monotonic = false;      ///< of run_schedule
  std::uint8_t bind = 0;       ///< bind-var
  schedule run_schedule = schedule::dynamic;
  int run_chunk = 1;           ///< 0: as the kind of schedule has it
  unsigned active_levels = 1;  ///< max-active-levels-var
  unsigned thread_limit = 0;   ///< of the contention group; 0: none was set
  int device = 0;
  std::uintptr_t allocator = 1;

  bool operator==(const icvs&) const = default;
};

/// Variables that a task has changed. Under a lock of the team's.
struct changed_icvs : icvs {
  explicit changed_icvs(const icvs& of) : icvs(of) {}
  bool shared = false;  ///< another task, which has changed its own to the same, may have these
};

/// What the process has once.
struct process_icvs {
  icvs initial;
  std::vector<unsigned> thread_list;           ///< OMP_NUM_THREADS, one for each level
  std::vector<std::uint8_t> bind_list;         ///< OMP_PROC_BIND, one for each level
  std::vector<std::vector<unsigned>> places;   ///< the processors of each place; empty: threads are not bound
  std::size_t stack_bytes = 0;                 ///< 0: the system's limit
  int wait_policy = -1;                        ///< −1: balanced; 0: passive; 1: active
  std::int64_t spin_rounds = -1;               ///< −1: by the policy
  std::uint64_t watchdog_ns = 10'000'000'000;  ///< TEFF_WATCHDOG: so long a region stands still before its open events are told
  int max_task_priority = 0;
  bool cancellation = false;  ///< cancel-var
  enum class offload : std::uint8_t { usual, mandatory, disabled };
  offload target_offload = offload::usual;  ///< target-offload-var
  unsigned teams = 0;                       ///< nteams-var
  unsigned teams_thread_limit = 0;
  bool display_affinity = false;
  bool stats = false;                                                 ///< TEFF_STATS
  bool counts_regions = false;                                        ///< for the above, or for who started the process
  std::vector<platform::atomic<std::uint64_t>*> regions_of_starters;  ///< of each `teff run` or `compare` around the process
  bool threads_by_variable = false;                                   ///< OMP_NUM_THREADS was understood
  std::string affinity_format = "level %L thread %i affinity %A";
  std::string pool = "teff";
  pool::settings set;                       ///< the pool's
  std::vector<std::string> asked_settings;  ///< by TEFF_SET, as they were written
};

/// Effect: reads the environment at the first call, which says what it cannot understand. Threads: any.
process_icvs& process();

/// Returns: how many processors threads may really use that the calling thread starts now: no more than the process could when it
/// began, and, unless OpenMP places threads, than the thread's mask has, which the program may have changed. Cost: a call of the
/// system.
unsigned processors();

/// Returns: the rounds that a member of a team spins before it sleeps. `crowded`: more threads are in regions than there are
/// processors.
unsigned spin_rounds(bool crowded);

}  // namespace TEFF_NAMESPACE::openmp
