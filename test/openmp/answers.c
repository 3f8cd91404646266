// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what a runtime answers where the specification leaves it open; test_like_stock.py compares two runtimes' answers.
// Argument: variables, for what the environment came to; settings, regions, formats, allocators, teams or display.
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

static void print_schedule(const char* when) {
  omp_sched_t kind = 0;
  int chunk = -77;
  omp_get_schedule(&kind, &chunk);
  printf("%s: schedule %#x, chunk %d\n", when, (unsigned)kind, chunk);
}

static void of_level(void) {
  printf("level %d, active %d: %d threads, next %d, ", omp_get_level(), omp_get_active_level(), omp_get_num_threads(),
         omp_get_max_threads());
  printf("bind %d, at a place %d, levels %d, nested %d, parallel %d\n", (int)omp_get_proc_bind(), omp_get_place_num() >= 0,
         omp_get_max_active_levels(), omp_get_nested() != 0, omp_in_parallel() != 0);
  int numbers[64] = {-9};
  const int places = omp_get_partition_num_places();
  if (places <= COUNT(numbers)) omp_get_partition_place_nums(numbers);
  printf("%d places, the first is %d\n", places, numbers[0]);
}

static void variables(void) {
  print_schedule("at first");
  printf("dynamic %d, limit %d, places %d, partition %d, cancellation %d, priority %d\n", omp_get_dynamic(),
         omp_get_thread_limit(), omp_get_num_places(), omp_get_partition_num_places(), omp_get_cancellation(),
         omp_get_max_task_priority());
  printf("device %d of %d, teams %d, their limit %d, allocator %d\n", omp_get_default_device(), omp_get_num_devices(),
         omp_get_max_teams(), omp_get_teams_thread_limit(), (int)omp_get_default_allocator());
  for (int place = -1; place < omp_get_num_places() + 1; ++place) {
    int ids[64] = {-9};
    omp_get_place_proc_ids(place, ids);
    printf("place %d: %d processors, the first is %d\n", place, omp_get_place_num_procs(place), ids[0]);
  }
  char text[200];
  printf("format of %zu: %s\n", omp_get_affinity_format(text, sizeof text), text);
  of_level();
#pragma omp parallel
#pragma omp master
  {
    of_level();
#pragma omp parallel
#pragma omp master
    of_level();
  }
}

static void settings(void) {
  static const int numbers[] = {-2147483647 - 1, -5, -1, 0, 1, 2, 3, 7, 255, 256, 300, 2147483647};
  static const unsigned kinds[] = {0, 1, 2, 3, 4, 5, 7, 0x80000000, 0x80000001, 0x80000002, 0x80000003, 0x80000004, 0x80000005};
  for (int i = 0; i < COUNT(numbers); ++i) {
    const int n = numbers[i];
    omp_set_num_threads(n);
    omp_set_max_active_levels(n);
    omp_set_dynamic(n);
    printf("%d: threads %d, levels %d, nested %d, dynamic %d", n, omp_get_max_threads(), omp_get_max_active_levels(),
           omp_get_nested() != 0, omp_get_dynamic());
    omp_set_nested(n);
    printf(", then nested %d, levels %d", omp_get_nested() != 0, omp_get_max_active_levels());
    omp_set_default_device(n);
    omp_set_num_teams(n);
    omp_set_teams_thread_limit(n);
    printf(", device %d, teams %d, their limit %d\n", omp_get_default_device(), omp_get_max_teams(),
           omp_get_teams_thread_limit());
    printf("ancestor %d, team size %d\n", omp_get_ancestor_thread_num(n), omp_get_team_size(n));
    for (int j = 0; j < COUNT(kinds); ++j) {
      char when[60];
      omp_set_schedule(omp_sched_dynamic, 9);
      omp_set_schedule((omp_sched_t)kinds[j], n);
      sprintf(when, "omp_set_schedule(%#x, %d)", kinds[j], n);
      print_schedule(when);
    }
  }
  omp_set_default_allocator(omp_null_allocator);
  printf("no default allocator: %d\n", (int)omp_get_default_allocator());
  printf("supported levels %d\n", omp_get_supported_active_levels());
}

static void regions(void) {
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2) proc_bind(spread)
#pragma omp master
  {
    of_level();
#pragma omp parallel num_threads(2)
#pragma omp master
    of_level();
#pragma omp parallel num_threads(2) proc_bind(master)
#pragma omp master
    {
      of_level();
#pragma omp parallel num_threads(2)
#pragma omp master
      of_level();
    }
  }
#pragma omp parallel num_threads(1) proc_bind(close)
  of_level();
#pragma omp parallel if (0)
  of_level();
#pragma omp parallel num_threads(3)
#pragma omp master
  for (int level = -1; level < 3; ++level)
    printf("ancestor %d, team size %d\n", omp_get_ancestor_thread_num(level), omp_get_team_size(level));
#pragma omp parallel for num_threads(2) schedule(auto) proc_bind(close)
  for (int i = 0; i < 2; ++i)
    if (i == 0) of_level();
  of_level();
}

static void formats(void) {
  static const char* const all[] = {
      "%0.7a", "%.7a", "%7a|", "%0.7n", "%.7n", "%7n|", "%0.1a", "%0.2a", "%0.3a", "%0.20L", "%0.9{ancestor_tnum}", "%0.40H",
      "%.40H", "%40H|", "%0.30A", "%.30A", "%30A|", "%{thread_affinity}", "%t%T%L%n%N%a", "%%",
      "a%nb%%c%{team_num}%{num_teams}%{nesting_level}", "%{thread_num}%{num_threads}", "%0.5t", "%0.5T", "%0.5N",
  };
  for (int i = 0; i < COUNT(all); ++i) {
    char text[200];
    const size_t length = omp_capture_affinity(text, sizeof text, all[i]);
    printf("%s gives %zu: %s\n", all[i], length, text);
    for (size_t size = 0; size < 5; ++size) {
      memset(text, 'x', sizeof text);
      const size_t cut = omp_capture_affinity(text, size, all[i]);
      printf("  cut to %zu: %zu: %.5s\n", size, cut, text);
    }
  }
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    char text[200];
    omp_capture_affinity(text, sizeof text, "%0.4a %.4n %N %L");
    puts(text);
  }
}

/// Which sizes an empty pool, and one that holds a block, gives and lets grow.
static void pools(omp_alloctrait_value_t fallback) {
  for (uintptr_t room = 100; room < 5000; room += 333) {
    const omp_alloctrait_t traits[] = {{omp_atk_pool_size, room}, {omp_atk_fallback, fallback}};
    const omp_allocator_handle_t mine = omp_init_allocator(omp_default_mem_space, 2, traits);
    printf("pool of %ju:", (uintmax_t)room);
    for (size_t bytes = 1; bytes < 5000; bytes += 61) {
      char* memory = omp_alloc(bytes, mine);
      char* more = omp_realloc(memory, bytes + 40, mine, mine);
      char* less = more != NULL ? omp_realloc(more, bytes / 2 + 1, omp_null_allocator, mine) : NULL;
      char* other = omp_calloc(1, bytes / 2 + 1, mine);
      printf("%d", (memory != NULL) + 2 * (more != NULL) + 4 * (less != NULL) + 8 * (other != NULL));
      omp_free(other, mine);
      omp_free(less != NULL ? less : more != NULL ? more : memory, mine);
    }
    puts("");
    omp_destroy_allocator(mine);
  }
}

static void allocators(void) {
  static const uintptr_t values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 64, 100, 4096};
  for (int key = 1; key <= 8; ++key) {
    printf("trait %d:", key);
    for (int i = 0; i < COUNT(values) + 1; ++i) {
      const omp_alloctrait_t trait = {(omp_alloctrait_key_t)key, i < COUNT(values) ? values[i] : (uintptr_t)omp_atv_default};
      const omp_allocator_handle_t made = omp_init_allocator(omp_default_mem_space, 1, &trait);
      printf("%d", made != omp_null_allocator);
      omp_destroy_allocator(made);
    }
    puts("");
  }
  for (int space = 0; space <= 4; ++space) {
    if (space == 3) continue;  // gcc's library has no memory of high bandwidth; the drop-in gives any
    const omp_allocator_handle_t made = omp_init_allocator((omp_memspace_handle_t)space, 0, NULL);
    printf("space %d: %d\n", space, made != omp_null_allocator);
    omp_destroy_allocator(made);
  }
  pools(omp_atv_null_fb);
  pools(omp_atv_default_mem_fb);
  void* const memory = omp_alloc(10, omp_default_mem_alloc);
  printf("of no bytes: %d %d %d\n", omp_alloc(0, omp_default_mem_alloc) != NULL, omp_calloc(0, 5, omp_default_mem_alloc) != NULL,
         omp_realloc(memory, 0, omp_default_mem_alloc, omp_default_mem_alloc) != NULL);
  volatile size_t many = SIZE_MAX;
  printf("too many bytes: %d %d\n", omp_alloc(many - 10, omp_default_mem_alloc) != NULL,
         omp_calloc(many / 2, 4, omp_default_mem_alloc) != NULL);
}

__attribute__((noinline)) static void print_team(void) {
  printf("team %d of %d, limit %d, next %d\n", omp_get_team_num(), omp_get_num_teams(), omp_get_thread_limit(),
         omp_get_max_threads());
#pragma omp parallel
#pragma omp master
  printf("%d threads\n", omp_get_num_threads());
}

static void teams(void) {
#pragma omp teams num_teams(2)
  print_team();
#pragma omp teams num_teams(3) thread_limit(2)
  print_team();
  print_team();
}

static void display(void) {
  fflush(stdout);
  dup2(1, 2);
  omp_display_env(0);
}

int main(int argument_count, char** arguments) {
  static const struct {
    const char* name;
    void (*print)(void);
  } all[] = {{"variables", variables}, {"settings", settings},     {"regions", regions},
             {"formats", formats},     {"allocators", allocators}, {"teams", teams},
             {"display", display}};
  for (int i = 0; i < COUNT(all); ++i)
    if (argument_count > 1 && strcmp(arguments[1], all[i].name) == 0) return all[i].print(), 0;
  return 2;
}
