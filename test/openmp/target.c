// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Target regions on the host: what is mapped, what is copied, which variables of OpenMP hold inside. Arguments: limited, for what
// is beside OMP_THREAD_LIMIT=5; counted, for two regions and nothing else.
#include "check.h"

#include <omp.h>
#include <stdint.h>
#include <string.h>

enum { size = 100 };

struct aligned {
  _Alignas(64) int words[24];
};

#pragma omp declare target
static int device_counter;
static int count_on_device(int more) { return device_counter += more; }
#pragma omp end declare target

/// What gcc cannot know, so that it leaves nothing out.
__attribute__((noinline)) static int hidden(int value) {
  __asm__ volatile("" : "+r"(value));
  return value;
}

/// Of its type gcc takes the alignment for granted.
__attribute__((noinline)) static int is_askew(const volatile void* at, uintptr_t alignment) {
  __asm__ volatile("" : "+r"(at));
  return (uintptr_t)at % alignment != 0;
}

static void mapped(void) {
  int x = 1, values[size], *const section = values;
  for (int i = 0; i < size; ++i) values[i] = i;
#pragma omp target map(tofrom : x)
  x += 2;
  check(x == 3, "a mapped variable is %d, not 3", x);
#pragma omp target map(tofrom : section[10 : 20])
  for (int i = 10; i < 30; ++i) section[i] += 1000;
  for (int i = 0; i < size; ++i) check(values[i] == i + (i >= 10 && i < 30 ? 1000 : 0), "values[%d] is %d", i, values[i]);
#pragma omp target defaultmap(tofrom : scalar)
  x = count_on_device(hidden(5));
  check(x == device_counter, "declare target: %d, not %d", x, device_counter);
}

/// What is firstprivate is a copy of its own, as aligned as the variable.
static void copied(int count) {
  int whole[count], wrong = 0;
  struct aligned large;
  char one = 'a';
  long double odd = 2.5L;
  memset(&large, 1, sizeof large);
  for (int i = 0; i < count; ++i) whole[i] = i;
#pragma omp target firstprivate(whole, large, one, odd) map(tofrom : wrong)
  {
    for (int i = 0; i < count; ++i) wrong += whole[i] != i;
    wrong += large.words[23] != 0x01010101 || one != 'a' || odd != 2.5L;
    wrong += is_askew(&large, 64) + is_askew(&odd, 16);
    for (int i = 0; i < count; ++i) whole[i] = -1;
    memset(&large, 2, sizeof large);
    one = 'b';
    odd = 3;
  }
  check(wrong == 0, "%d firstprivate values are wrong inside", wrong);
  for (int i = 0; i < count; ++i) check(whole[i] == i, "a firstprivate array has changed outside");
  check(large.words[23] == 0x01010101 && one == 'a' && odd == 2.5L, "a firstprivate variable has changed outside");
}

static void pointers(void) {
  int host = 1, *const at = &host, values[4] = {0};
  int* const on_device = omp_target_alloc(sizeof *on_device, omp_get_default_device());
  check(on_device != NULL, "there is no memory");
#pragma omp target is_device_ptr(on_device)
  *on_device = 41;
#pragma omp target data map(tofrom : host) use_device_ptr(at)
  *at += 1;
#pragma omp target data map(tofrom : values) use_device_addr(values)
  {
    int* const inside = values;
#pragma omp target is_device_ptr(inside)
    inside[3] = 7;
#pragma omp target update from(values)
  }
#pragma omp target enter data map(to : values)
#pragma omp target map(tofrom : values)
  values[2] = 6;
#pragma omp target exit data map(from : values)
  check(host == 2 && values[3] == 7 && values[2] == 6, "by a pointer comes %d, %d, %d", host, values[3], values[2]);
  int back = 0;
  check(omp_target_memcpy(&back, on_device, sizeof back, 0, 0, omp_get_initial_device(), omp_get_default_device()) == 0 &&
            back == 41,
        "memory of the device has %d", back);
  omp_target_free(on_device, omp_get_default_device());
}

/// Memory of the device, by a variable that is there.
static void addresses(void) {
  int values[3] = {1, 2, 3}, one = 4;
#pragma omp target data map(tofrom : values, one) use_device_addr(values, one)
  {
#pragma omp target has_device_addr(values, one)
    {
      for (int i = 0; i < 3; ++i) values[i] *= 10;
      one += 1;
    }
  }
  check(values[0] == 10 && values[1] == 20 && values[2] == 30 && one == 5, "by has_device_addr comes %d, %d, %d, %d", values[0],
        values[1], values[2], one);
}

static void devices(void) {
  int ran = 0;
#pragma omp target map(tofrom : ran) if (hidden(0))
  ran += omp_is_initial_device();
#pragma omp target map(tofrom : ran) if (hidden(1)) device(hidden(omp_get_initial_device()))
  ran += omp_is_initial_device();
#pragma omp target map(tofrom : ran) device(hidden(omp_get_num_devices() + 3))
  ran += omp_is_initial_device();
  omp_set_default_device(2);
#pragma omp target map(tofrom : ran)
  ran += omp_is_initial_device() + 10 * omp_get_device_num();
  omp_set_default_device(0);
  check(ran == 4, "on the initial device ran %d of 4 regions", ran);
}

/// A target region is nested in nothing, and has the variables with which the process began.
static void variables(int threads_at_begin) {
  int threads = -1, level = -1, number = -1, members = -1, ancestor = 0, inner = -1, levels = -1, device = -1, final = -1;
  omp_set_num_threads(threads_at_begin + 3);
  omp_set_default_device(1);
#pragma omp parallel num_threads(2)
#pragma omp task final(1)
  {
    int own[9];
#pragma omp target map(from : own)
    {
      own[0] = omp_get_max_threads();
      own[1] = omp_get_level() + omp_in_parallel() + omp_get_active_level();
      own[2] = omp_get_thread_num();
      own[3] = omp_get_num_threads();
      own[4] = omp_get_ancestor_thread_num(1);
      own[6] = omp_get_max_active_levels();
      own[7] = omp_get_default_device();
      own[8] = omp_in_final();
      omp_set_num_threads(77);
#pragma omp parallel num_threads(2)
#pragma omp masked
      own[5] = omp_get_level() * 10 + omp_get_num_threads();
    }
#pragma omp critical
    {
      threads = own[0], level = own[1], number = own[2], members = own[3], ancestor = own[4], inner = own[5], levels = own[6];
      device = own[7], final = own[8];
    }
  }
  check(threads == threads_at_begin, "inside a region may have %d threads, not %d", threads, threads_at_begin);
  check(level == 0 && number == 0 && members == 1 && ancestor == -1, "inside: levels %d, thread %d of %d, ancestor %d", level,
        number, members, ancestor);
  check(inner == 12, "a region inside is at level %d, of %d", inner / 10, inner % 10);
  check(levels == 1 && device == 0 && final == 0, "inside: levels at most %d, default device %d, final %d", levels, device,
        final);
  check(omp_get_max_threads() == threads_at_begin + 3, "outside a region may have %d threads", omp_get_max_threads());
  check(omp_get_default_device() == 1, "outside the default device is %d", omp_get_default_device());
  omp_set_num_threads(threads_at_begin);
  omp_set_default_device(0);
}

static void limits(void) {
  int limit = 0, most = 0, outside = omp_get_thread_limit();
#pragma omp target thread_limit(3) map(from : limit) map(tofrom : most)
  {
    limit = omp_get_thread_limit();
#pragma omp parallel num_threads(8)
#pragma omp masked
    most = omp_get_num_threads();
  }
  check(limit == 3 && most <= 3, "thread_limit(3) is %d, and a region has %d threads", limit, most);
#pragma omp target thread_limit(hidden(70000)) map(from : limit)
  limit = omp_get_thread_limit();
  check(limit == 70000, "thread_limit(70000) is %d", limit);
  check(omp_get_thread_limit() == outside, "behind them the limit is %d", omp_get_thread_limit());
}

/// A target region begins a contention group: its limit counts no threads outside, nor does the limit there count its own.
static void groups(void) {
  int most[4] = {0}, behind = 0, inherited = 0, plain = 0;
#pragma omp parallel num_threads(4)
  {
    int own = 0;
#pragma omp target thread_limit(3) map(from : own)
#pragma omp parallel num_threads(6)
#pragma omp masked
    own = omp_get_num_threads();
    most[omp_get_thread_num()] = own;
#pragma omp barrier
  }
#pragma omp parallel num_threads(6)
#pragma omp masked
  behind = omp_get_num_threads();
#pragma omp target map(from : inherited) map(tofrom : plain)
  {
    inherited = omp_get_thread_limit();
#pragma omp parallel num_threads(8)
#pragma omp masked
    plain = omp_get_num_threads();
  }
  check(inherited == 5 && plain == 5, "without a limit of its own a target region has %d, and %d threads", inherited, plain);
  for (int i = 0; i < 4; ++i) check(most[i] == 3, "with thread_limit(3) a region has %d threads, beside four others", most[i]);
  check(behind == 5, "behind target regions OMP_THREAD_LIMIT=5 gives %d threads", behind);
}

/// Regions, loops and tasks inside.
static void work_inside(void) {
  int hits[size] = {0}, sum = 0;
#pragma omp target parallel for map(tofrom : hits) num_threads(3)
  for (int i = 0; i < size; ++i) add(&hits[i], 1);
  expect_each_once("target parallel for", hits, size);
#pragma omp target map(tofrom : hits)
  {
#pragma omp taskgroup
    for (int i = 0; i < size; ++i) {
#pragma omp task shared(hits)
      add(&hits[i], 1);
    }
  }
  expect_each_once("tasks in target", hits, size);
#pragma omp target map(tofrom : hits)
  for (int i = 0; i < size; ++i) {
#pragma omp task firstprivate(i) shared(hits)
    add(&hits[i], 1);
  }
  expect_each_once("tasks at the end of target", hits, size);
#pragma omp target parallel map(tofrom : hits, sum) reduction(+ : sum)
#pragma omp single
  for (int i = 0; i < size; ++i) {
    sum += i;
#pragma omp task
    add(&hits[i], 1);
  }
  expect_each_once("tasks in target parallel", hits, size);
  check(sum == size * (size - 1) / 2, "a reduction of target parallel is %d", sum);
#pragma omp target simd map(tofrom : hits)
  for (int i = 0; i < size; ++i) hits[i] += 1;
  expect_each_once("target simd", hits, size);
#pragma omp target parallel loop map(tofrom : hits)
  for (int i = 0; i < size; ++i) add(&hits[i], 1);
  expect_each_once("target parallel loop", hits, size);
}

/// From all members of a region at once, each a region inside.
static void from_members(void) {
  int total = 0, regions = 0;
#pragma omp parallel num_threads(4)
  for (int round = 0; round < 10; ++round) {
    int own = 0;
#pragma omp target map(tofrom : own, regions)
    {
      add(&regions, 1);
#pragma omp parallel num_threads(2) reduction(+ : own)
      own += 1;
    }
    add(&total, own);
  }
  check(regions == 4 * 10, "%d target regions ran, not 40", regions);
  check(total >= regions && total <= 2 * regions, "in %d target regions %d members ran", regions, total);
}

int main(int argument_count, char** arguments) {
  if (argument_count > 1 && strcmp(arguments[1], "limited") == 0) {
    groups();
    return 0;
  }
  if (argument_count > 1 && strcmp(arguments[1], "counted") == 0) {
    int x = 0;
#pragma omp target map(tofrom : x)
    x = 1;
#pragma omp target map(tofrom : x)
    x += 1;
    return x == 2 ? 0 : 1;
  }
  variables(omp_get_max_threads());
  mapped();
  copied(hidden(17));
  pointers();
  addresses();
  devices();
  limits();
  work_inside();
  from_members();
  return 0;
}
