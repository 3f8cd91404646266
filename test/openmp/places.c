// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places and the display of affinity.
#define _GNU_SOURCE
#include "captured.h"
#include "check.h"
#include "with_environment.h"

#include <omp.h>
#include <sched.h>

static void places(void) {
  cpu_set_t allowed;
  const int count = omp_get_num_places();
  int all = 0;
  sched_getaffinity(0, sizeof allowed, &allowed);
  check(count > 0, "with OMP_PLACES=threads there are no places");
  check(omp_get_partition_num_places() > 0, "the partition has no places");
  int* numbers = calloc((size_t)count + 1, sizeof *numbers);
  for (int i = 0; i < count; ++i) numbers[i] = -7;
  omp_get_partition_place_nums(numbers);
  check(numbers[0] >= 0 && numbers[0] < count, "the first place of the partition is %d", numbers[0]);
  for (int place = 0; place < count; ++place) {
    const int processors = omp_get_place_num_procs(place);
    int* ids = calloc((size_t)processors + 1, sizeof *ids);
    check(processors == 1, "place %d has %d processors, not 1", place, processors);
    ids[0] = -7;
    omp_get_place_proc_ids(place, ids);
    check(ids[0] >= 0, "place %d has no processor", place);
    all += processors;
    free(ids);
  }
  check(all == count, "the places have %d processors, not %d", all, count);
  check(omp_get_place_num_procs(-1) == 0 && omp_get_place_num_procs(count) == 0, "places that are not there have processors");
  check(omp_get_proc_bind() == omp_proc_bind_close, "OMP_PROC_BIND=close gives %d", (int)omp_get_proc_bind());
  free(numbers);
}

static void own_places(int n) {
  const int count = omp_get_num_places();
  int sum = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
  {
    check(omp_get_place_num() >= 0 && omp_get_place_num() < count, "member %d has place %d of %d", omp_get_thread_num(),
          omp_get_place_num(), count);
    sum += omp_get_place_num();
  }
  if (count > 1 && n > 1) check(sum > 0, "all %d members are at place 0", n);
}

static void show(void) { omp_display_affinity("seen %n of %N"); }
static void show_default(void) { omp_display_affinity(NULL); }

static void formats(void) {
  char text[200], long_text[2000];
  omp_set_affinity_format("member %n of %N at level %L");
  check(omp_get_affinity_format(text, sizeof text) == strlen("member %n of %N at level %L"), "the length of the format is wrong");
  check(strcmp(text, "member %n of %N at level %L") == 0, "the affinity format is '%s'", text);
  check(omp_get_affinity_format(text, 7) == strlen("member %n of %N at level %L") && strcmp(text, "member") == 0,
        "the shortened affinity format is '%s'", text);
  const size_t length = omp_capture_affinity(text, sizeof text, NULL);
  check(length == strlen(text) && strcmp(text, "member 0 of 1 at level 0") == 0, "the captured affinity is '%s'", text);
  omp_capture_affinity(text, sizeof text, "%0.4n|%3N|%{thread_num}|%%");
  check(strcmp(text, "0000|1  |0|%") == 0, "fields of the affinity format give '%s'", text);
  capture_errors(show, long_text, sizeof long_text);
  check(strcmp(long_text, "seen 0 of 1\n") == 0, "omp_display_affinity shows '%s'", long_text);
  capture_errors(show_default, long_text, sizeof long_text);
  check(strcmp(long_text, "member 0 of 1 at level 0\n") == 0, "omp_display_affinity(NULL) shows '%s'", long_text);
}

int main(int argument_count, char** arguments) {
  (void)argument_count;
  with_environment(arguments, (const char* const[]){"OMP_PLACES", "threads", "OMP_PROC_BIND", "close", NULL});
  places();
  own_places(omp_get_max_threads());
  formats();
  return 0;
}
