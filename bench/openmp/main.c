// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs of OpenMP constructs on whatever runtime is loaded. usage: benchmarks NAME [verified]; prints one JSON object, or ends with
// exit code 1 and a sentence if a result is wrong. With `verified` it prints what is the same in each run.
#include "measure.h"

#include <string.h>

struct padded_count counts[members_at_most];

static const struct {
  const char* name;
  benchmark* run;
} all[] = {
    {"region", measure_region},
    {"barrier", measure_barrier},
    {"chunk", measure_chunk},
    {"critical", measure_critical},
    {"single", measure_single},
    {"ordered", measure_ordered},
    {"fib", measure_fib},
    {"nqueens", measure_nqueens},
    {"producer", measure_producer},
    {"synthetic", measure_synthetic},
    {"chain", measure_chain},
    {"wavefront", measure_wavefront},
    {"graph", measure_graph},
    {"tiles_of_8", measure_tiles_of_8},
    {"tiles_of_64", measure_tiles_of_64},
    {"lu_of_8", measure_lu_of_8},
    {"lu_of_64", measure_lu_of_64},
    {"idle", measure_idle},
    {"taskloop", measure_taskloop},
    {"reduction", measure_reduction},
    {"for", measure_for},
    {"parallel_for", measure_parallel_for},
    {"single_wait", measure_single_wait},
    {"lock", measure_lock},
    {"atomic", measure_atomic},
    {"sum", measure_sum},
    {"static", measure_static},
    {"static_1", measure_static_1},
    {"static_8", measure_static_8},
    {"static_64", measure_static_64},
    {"dynamic_8", measure_dynamic_8},
    {"dynamic_64", measure_dynamic_64},
    {"guided_1", measure_guided_1},
    {"guided_8", measure_guided_8},
    {"guided_64", measure_guided_64},
    {"private", measure_private},
    {"firstprivate", measure_firstprivate},
    {"copyprivate", measure_copyprivate},
    {"threadprivate", measure_threadprivate},
    {"copyin", measure_copyin},
    {"parallel_task", measure_parallel_task},
    {"master_task", measure_master_task},
    {"busy", measure_busy},
    {"conditional", measure_conditional},
    {"taskwait", measure_taskwait},
    {"task_barrier", measure_task_barrier},
    {"taskyield", measure_taskyield},
    {"nested_task", measure_nested_task},
    {"nested_master", measure_nested_master},
    {"branch_tree", measure_branch_tree},
    {"leaf_tree", measure_leaf_tree},
    {"behind_brief", measure_behind_brief},
};

void verify(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "wrong result: %s\n", what);
  exit(1);
}

/// Returns: the most memory that this process had, in KiB.
static long peak_memory(void) {
  char line[200];
  long kibibytes = 0;
  FILE* file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "VmHWM: %ld", &kibibytes) == 1) break;
  }
  if (file != NULL) fclose(file);
  return kibibytes;
}

static void print(const char* name, uint64_t units, double seconds) {
  const int members = omp_get_max_threads();
  printf(
      "{\"name\": \"%s\", \"threads\": %d, \"units\": %llu, \"seconds\": %.9f, \"ns\": %.3f, \"peak_kib\": %ld, \"by_member\": [",
      name, members, (unsigned long long)units, seconds, seconds * 1e9 / (double)units, peak_memory());
  for (int i = 0; i < members; ++i) printf("%s%llu", i == 0 ? "" : ", ", (unsigned long long)counts[i].of);
  printf("]}\n");
}

int main(int argument_count, char** arguments) {
  const int is_verified = argument_count == 3 && strcmp(arguments[2], "verified") == 0;
  for (unsigned i = 0; i < sizeof all / sizeof *all && (argument_count == 2 || is_verified); ++i) {
    double seconds = 0;
    if (strcmp(arguments[1], all[i].name) != 0) continue;
    verify(omp_get_max_threads() <= members_at_most, "more than 256 threads");
    const uint64_t units = all[i].run(&seconds);
    if (is_verified) printf("%s: %llu units, verified\n", all[i].name, (unsigned long long)units);
    else print(all[i].name, units, seconds);
    return 0;
  }
  fprintf(stderr, "usage: benchmarks NAME [verified]; allowed:");
  for (unsigned i = 0; i < sizeof all / sizeof *all; ++i) fprintf(stderr, " %s", all[i].name);
  fprintf(stderr, "\n");
  return 2;
}
