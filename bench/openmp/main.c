// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs of OpenMP constructs on whatever runtime is loaded. usage: benchmarks NAME; prints one JSON object, or ends with exit
// code 1 and a sentence if a result is wrong.
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
  for (unsigned i = 0; i < sizeof all / sizeof *all && argument_count == 2; ++i) {
    double seconds = 0;
    if (strcmp(arguments[1], all[i].name) != 0) continue;
    verify(omp_get_max_threads() <= members_at_most, "more than 256 threads");
    const uint64_t units = all[i].run(&seconds);
    print(all[i].name, units, seconds);
    return 0;
  }
  fprintf(stderr,
          "usage: benchmarks region|barrier|chunk|critical|single|ordered|fib|nqueens|producer|synthetic|chain|wavefront|graph|"
          "tiles_of_8|tiles_of_64|lu_of_8|lu_of_64|idle|taskloop|reduction\n");
  return 2;
}
