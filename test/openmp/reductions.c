// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions that tasks take part in: on taskgroups, taskloops, regions, loops, sections and scopes. Arguments: cancelled, with
// OMP_CANCELLATION=true: what a cancelled construct leaves behind it is whole; constructs: what is no taskgroup; chains: long
// ones, and memory; regions: also those inside of tasks.
#include "memory.h"

#include <omp.h>
#include <string.h>

enum { count = 200, members_at_most = 8 };

/// Effect: adds the numbers up, by a task for each node of a tree; each adds to the copy of who runs it.
static void visit(int from, int to, long* sum) {
  if (to - from > 1) {
    const int middle = from + (to - from) / 2;
#pragma omp task in_reduction(+ : sum[0])
    visit(from, middle, sum);
#pragma omp task in_reduction(+ : sum[0])
    visit(middle, to, sum);
    return;
  }
  *sum += from;
}

static void trees(void) {
  long sum = 1;
#pragma omp parallel
#pragma omp single
  {
    long* const whole = &sum;
#pragma omp taskgroup task_reduction(+ : whole[0])
    visit(0, count, whole);
  }
  check(sum == 1 + count * (count - 1L) / 2, "a tree of tasks comes to %ld", sum);
}

/// Effect: adds one by each task of a row, of which each is the child of the one before.
static void chain(int left, long* sum) {
#pragma omp task in_reduction(+ : sum[0])
  {
    *sum += 1;
    if (left > 1) chain(left - 1, sum);
  }
}

/// So long that who walks up to the taskgroup from each task does not come to the end; the groups are two, in turn, so that what a
/// task of the one keeps is not taken for the other's where its memory is used again.
static void chains(void) {
  enum { length = 100000 };
  long sums[2] = {0, 0};
#pragma omp parallel
  for (int round = 0; round < 4; ++round) {
    long* const sum = &sums[round % 2];
    // The barrier behind it runs any task; who waits for a taskgroup would walk up from each.
#pragma omp for reduction(task, + : sum[0 : 1])
    for (int once = 0; once < 1; ++once) chain(length, sum);
  }
  check(sums[0] == 2 * length && sums[1] == 2 * length, "chains of tasks come to %ld and %ld", sums[0], sums[1]);
}

/// Each member has one copy, and no two have the same.
static void copies(void) {
  int sum = 5;
  const int* of[members_at_most] = {NULL};
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < count; ++i) {
#pragma omp task in_reduction(+ : sum) shared(of)
    {
      const int** const mine = &of[omp_get_thread_num()];
      check(*mine == NULL || *mine == &sum, "a member has two copies");
      *mine = &sum;
      sum += i;
    }
  }
  for (int one = 0; one < members_at_most; ++one)
    for (int other = 0; other < one; ++other)
      check(of[one] == NULL || of[one] != of[other], "members %d and %d have the same copy", one, other);
  check(sum == 5 + count * (count - 1) / 2, "tasks of a taskgroup come to %d", sum);
}

/// All operations; those that begin with something else than zeros, too.
static void operations(void) {
  int sum = 3, most = -1, least = count;
  unsigned long product = 1;
  unsigned all = 0xffu, any = 0, odd = 0;
  _Bool both = 1, either = 0;
  double fraction = 0.5;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum, fraction) task_reduction(max : most) task_reduction(min : least) \
    task_reduction(* : product) task_reduction(& : all) task_reduction(| : any) task_reduction(^ : odd) \
    task_reduction(&& : both) task_reduction(|| : either)
  for (int i = 0; i < 20; ++i) {
    // In another order than above, and not all of them.
#pragma omp task in_reduction(|| : either) in_reduction(^ : odd) in_reduction(* : product) in_reduction(+ : fraction, sum)
    {
      sum += i;
      fraction += 0.25;
      product *= i % 2 + 1;
      odd ^= 1u << i;
      either = either || i == 7;
    }
#pragma omp task in_reduction(max : most) in_reduction(min : least) in_reduction(& : all) in_reduction(| : any) \
    in_reduction(&& : both) if (i % 3)
    {
      if (i > most) most = i;
      if (i < least) least = i;
      all &= ~(i == 3 ? 4u : 0u);
      any |= 1u << i;
      both = both && i != 11;
    }
  }
  check(sum == 193 && fraction == 5.5 && product == 1024, "sums: %d, %g, %lu", sum, fraction, product);
  check(most == 19 && least == 0, "extremes: %d, %d", most, least);
  check(all == 0xfb && any == 0xfffff && odd == 0xfffff && !both && either, "bits: %x, %x, %x, %d, %d", all, any, odd, both,
        either);
}

struct place {
  double value;
  int at;
};
static struct place larger(struct place one, struct place other) { return one.value < other.value ? other : one; }
#pragma omp declare reduction(largest : struct place : omp_out = larger(omp_out, omp_in)) \
    initializer(omp_priv = (struct place){-1e9, -7})
// With the variable itself in its initializer: gcc asks where that is.
#pragma omp declare reduction(after : long : omp_out += omp_in - 100) initializer(omp_priv = omp_orig * 0 + 100)

static double value_of(int i) { return i == 57 ? 1e6 : (double)(i * 37 % 101); }

static void own_operations(void) {
  struct place best = {-1e8, -1};
  long sum = 4;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(largest : best) task_reduction(after : sum)
  for (int i = 0; i < count; ++i) {
#pragma omp task in_reduction(after : sum) in_reduction(largest : best)
    {
      best = larger(best, (struct place){value_of(i), i});
      sum += i;
#pragma omp task in_reduction(after : sum)
      sum += 1;
    }
  }
  check(best.at == 57 && best.value == 1e6, "the largest is %g at %d", best.value, best.at);
  check(sum == 4 + count * (count - 1L) / 2 + count, "with an own operation tasks come to %ld", sum);
}

/// Sections of an array, of what a pointer points to, and an array whose length is not known before.
static void arrays(int length) {
  int whole[40] = {0}, varying[length];
  long* const far = malloc(sizeof(long) * 100);
  for (int i = 0; i < length; ++i) varying[i] = i;
  for (int i = 0; i < 100; ++i) far[i] = -i;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : whole[3 : 30], far[10 : length], varying)
  for (int i = 0; i < count; ++i) {
#pragma omp task in_reduction(+ : whole[3 : 30], far[10 : length], varying)
    {
      whole[3 + i % 30] += i;
      far[10 + i % length] += i;
#pragma omp task in_reduction(+ : varying) in_reduction(+ : far[10 : length])
      {
        varying[i % length] += 1;
        far[10 + i % length] += 1;
      }
    }
  }
  for (int i = 0; i < 40; ++i) {
    int expected = 0;
    for (int each = i - 3; i >= 3 && i < 33 && each < count; each += 30) expected += each;
    check(whole[i] == expected, "element %d of an array is %d, not %d", i, whole[i], expected);
  }
  for (int i = 0; i < 100; ++i) {
    long expected = -i;
    for (int each = i - 10; i >= 10 && i < 10 + length && each < count; each += length) expected += each + 1;
    check(far[i] == expected, "element %d behind a pointer is %ld, not %ld", i, far[i], expected);
  }
  for (int i = 0; i < length; ++i) {
    int expected = i;
    for (int each = i; each < count; each += length) ++expected;
    check(varying[i] == expected, "element %d of an array of %d is %d, not %d", i, length, varying[i], expected);
  }
  free(far);
}

/// A group in a group: what an inner one does not have is looked for further out; what it has again is its own.
static void nested_groups(void) {
  int outer = 0, inner = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : outer)
  for (int i = 0; i < 10; ++i) {
#pragma omp task in_reduction(+ : outer) shared(inner)
    {
      outer += 1;
      int mine = 0;
#pragma omp taskgroup task_reduction(+ : mine)
      for (int j = 0; j < 10; ++j) {
#pragma omp task in_reduction(+ : mine, outer)
        {
          mine += j;
#pragma omp taskgroup
          {
#pragma omp task in_reduction(+ : outer, mine)
            {
              outer += 10;
              mine += 1;
            }
          }
        }
      }
      check(mine == 55, "an inner taskgroup comes to %d", mine);
      // The copy of the outer group is the variable of the inner one.
#pragma omp taskgroup task_reduction(+ : outer)
      {
#pragma omp task in_reduction(+ : outer)
        outer += 1000;
      }
      __atomic_fetch_add(&inner, mine, __ATOMIC_RELAXED);
    }
  }
  check(inner == 550 && outer == 10 * 1101, "taskgroups in taskgroups come to %d and %d", inner, outer);
}

static void taskloops(void) {
  long sum = 1, nested = 0, undivided = 0;
  unsigned long long large = 0;
  double exact = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop reduction(+ : sum) grainsize(3)
    for (int i = 0; i < count; ++i) sum += i;
#pragma omp taskloop reduction(+ : large) num_tasks(7)
    for (unsigned long long i = 0; i < count; ++i) large += i;
#pragma omp taskloop reduction(+ : exact) collapse(2)
    for (int i = 0; i < 20; ++i)
      for (int j = 0; j < 10; ++j) exact += 0.5;
#pragma omp taskloop reduction(+ : undivided) if (0)
    for (int i = 0; i < count; ++i) undivided += i;
#pragma omp taskloop reduction(+ : sum)
    for (int i = 0; i < (int)(sum < 0); ++i) sum += i;
#pragma omp taskgroup task_reduction(+ : nested)
    {
#pragma omp taskloop in_reduction(+ : nested)
      for (int i = 0; i < count; ++i) nested += i;
#pragma omp taskloop in_reduction(+ : nested) nogroup grainsize(1)
      for (int i = 0; i < count; ++i) {
#pragma omp task in_reduction(+ : nested)
        nested += i;
      }
    }
  }
  const long expected = count * (count - 1L) / 2;
  check(sum == 1 + expected && large == (unsigned long long)expected && exact == 100 && undivided == expected,
        "taskloops come to %ld, %llu, %g, %ld", sum, large, exact, undivided);
  check(nested == 2 * expected, "taskloops in a taskgroup come to %ld", nested);
}

/// Tasks that are not deferred, final, untied, merged.
static void kinds_of_tasks(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
  {
#pragma omp task in_reduction(+ : sum) if (0)
    {
      sum += 1;
#pragma omp task in_reduction(+ : sum)
      sum += 10;
    }
#pragma omp task in_reduction(+ : sum) final(1)
    {
      sum += 100;
#pragma omp task in_reduction(+ : sum) mergeable
      sum += 1000;
#pragma omp taskgroup
      {
#pragma omp task in_reduction(+ : sum)
        sum += 10000;
      }
    }
#pragma omp task in_reduction(+ : sum) untied
    {
      sum += 100000;
#pragma omp taskyield
#pragma omp task in_reduction(+ : sum) untied
      sum += 1000000;
    }
  }
  check(sum == 1111111, "tasks of all kinds come to %d", sum);
}

static void outside_of_regions(void) {
  int sum = 1;
#pragma omp taskgroup task_reduction(+ : sum)
  {
#pragma omp task in_reduction(+ : sum)
    sum += 2;
  }
#pragma omp taskloop reduction(+ : sum)
  for (int i = 0; i < 10; ++i) sum += i;
  check(sum == 48, "outside of regions tasks come to %d", sum);
}

/// Tasks add to the copies of implicit ones; so do regions inside of tasks, to their own.
static void regions(void) {
  long sum = 1;
  int members = 0;
#pragma omp parallel reduction(task, + : sum) reduction(+ : members)
  {
    sum += 1;
    members += 1;
    for (int i = 0; i < 10; ++i) {
#pragma omp task in_reduction(+ : sum)
      {
        long inside = 0;
#pragma omp parallel reduction(task, + : inside) num_threads(2)
        {
#pragma omp task in_reduction(+ : inside)
          inside += 1;
#pragma omp barrier
#pragma omp single
          {
#pragma omp task in_reduction(+ : inside)
            inside += 100;
          }
        }
        sum += inside;
      }
    }
#pragma omp taskgroup
    {
#pragma omp task in_reduction(+ : sum)
      sum += 5;
    }
  }
  // A region inside has one member or two.
  check((sum - 1 - 6 * members) % (10 * members) == 0, "a region comes to %ld with %d members", sum, members);
  const long inside = (sum - 1 - 6 * members) / (10 * members);
  check(inside == 101 || inside == 102, "regions inside of tasks come to %ld", inside);
}

static void loops_and_sections(void) {
  long fixed = 1, dynamic = 1, guided = 1, runtime = 1, ordered = 0, parts = 0, scope = 0, joined = 0;
  unsigned long long large = 0;
  int members = 0;
#pragma omp parallel reduction(+ : members)
  {
    members += 1;
#pragma omp for reduction(task, + : fixed) schedule(static)
    for (int i = 0; i < count; ++i) {
#pragma omp task in_reduction(+ : fixed)
      fixed += i;
      fixed += 1;
    }
#pragma omp for reduction(task, + : dynamic) schedule(dynamic, 3)
    for (int i = 0; i < count; ++i) {
#pragma omp task in_reduction(+ : dynamic)
      dynamic += i;
      dynamic += 1;
    }
#pragma omp for reduction(task, + : guided) schedule(guided)
    for (long i = count - 1; i >= 0; --i) {
#pragma omp task in_reduction(+ : guided)
      guided += i;
      guided += 1;
    }
#pragma omp for reduction(task, + : runtime) schedule(runtime)
    for (int i = 0; i < count; ++i) {
#pragma omp task in_reduction(+ : runtime)
      runtime += i;
      runtime += 1;
    }
#pragma omp for reduction(task, + : large) schedule(dynamic)
    for (unsigned long long i = 0; i < count; ++i) {
#pragma omp task in_reduction(+ : large)
      large += i;
      large += 1;
    }
#pragma omp sections reduction(task, + : parts)
    {
#pragma omp section
      {
#pragma omp task in_reduction(+ : parts)
        parts += 1;
        parts += 10;
      }
#pragma omp section
      parts += 100;
    }
    // Loops inside of the scope come and go while it has its copies.
#pragma omp scope reduction(task, + : scope)
    {
      scope += 1;
      for (int round = 0; round < 3; ++round) {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 4; ++i) {
#pragma omp task in_reduction(+ : scope)
          scope += 100;
        }
      }
    }
#pragma omp for ordered reduction(task, + : ordered) schedule(dynamic)
    for (int i = 0; i < 20; ++i) {
#pragma omp ordered
      ordered += i;
#pragma omp task in_reduction(+ : ordered)
      ordered += 1;
    }
  }
#pragma omp parallel for reduction(task, + : joined) schedule(dynamic)
  for (int i = 0; i < count; ++i) {
#pragma omp task in_reduction(+ : joined)
    joined += i;
    joined += 1;
  }
  const long expected = count * (count - 1L) / 2 + count;
  check(fixed == 1 + expected && dynamic == 1 + expected && guided == 1 + expected && runtime == 1 + expected,
        "loops come to %ld, %ld, %ld, %ld", fixed, dynamic, guided, runtime);
  check(large == (unsigned long long)expected && joined == expected && ordered == 210, "loops come to %llu, %ld, %ld", large, joined,
        ordered);
  check(parts == 111, "sections come to %ld", parts);
  check(scope == members + 1200, "a scope of %d members comes to %ld", members, scope);
}

/// Sums up to each iteration.
static void scans(void) {
  long with[count], without[count], sum = 0, before = 0;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < count; ++i) {
    sum += i;
#pragma omp scan inclusive(sum)
    with[i] = sum;
  }
#pragma omp parallel for reduction(inscan, + : before)
  for (int i = 0; i < count; ++i) {
    without[i] = before;
#pragma omp scan exclusive(before)
    before += i;
  }
  for (int i = 0; i < count; ++i)
    check(with[i] == i * (i + 1L) / 2 && without[i] == i * (i - 1L) / 2, "up to iteration %d a scan comes to %ld, %ld", i, with[i],
          without[i]);
  check(sum == with[count - 1] && before == sum, "scans come to %ld, %ld", sum, before);
}

/// Many variables, so many bytes that they are no small block, and an alignment of their own.
static void many_variables(void) {
  static int a[500], b[700];
  static struct {
    _Alignas(128) long value;
  } apart;
#pragma omp declare reduction(add : __typeof__(apart) : omp_out.value += omp_in.value) initializer(omp_priv = {0})
  long c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : a, b, c, d, e, f, g, h) task_reduction(add : apart)
  for (int i = 0; i < 50; ++i) {
#pragma omp task in_reduction(+ : h, g, f, e, d, c, b, a) in_reduction(add : apart)
    {
      check((unsigned long)&apart % 128 == 0, "a copy is not aligned");
      a[i * 10] += 1, b[i * 14 + 13] += 1, c += 1, d += 2, e += 3, f += 4, g += 5, h += 6;
      apart.value += i;
    }
  }
  check(c == 50 && d == 100 && e == 150 && f == 200 && g == 250 && h == 300 && apart.value == 1225,
        "many variables come to %ld, %ld, %ld, %ld, %ld, %ld, %ld", c, d, e, f, g, h, apart.value);
  for (int i = 0; i < 50; ++i) check(a[i * 10] == 1 && b[i * 14 + 13] == 1, "element %d of a large array was not added once", i);
  memset(a, 0, sizeof a);
  memset(b, 0, sizeof b);
  apart.value = 0;
}

/// Copies are given back: of groups, and of regions and loops of so many threads, by a thousand times 100 KiB. With two threads
/// gcc's library may hang.
static void memory_of_copies(int threads) {
  static char large[100000];
  long before = 0;
  for (int round = 0; round < 1000; ++round) {
    if (round == 20) before = memory_bytes(0);  // the threads are there
#pragma omp taskgroup task_reduction(+ : large)
    {
#pragma omp task in_reduction(+ : large)
      large[round] = 1;
    }
#pragma omp parallel for reduction(task, + : large) num_threads(threads)
    for (int i = 0; i < 2; ++i) large[i] += 1;
#pragma omp parallel num_threads(threads)
#pragma omp sections reduction(task, + : large)
    {
#pragma omp section
      large[0] += 1;
    }
  }
  const long growth = (memory_bytes(0) - before) / 1024;
  check(growth < 10000, "the memory of reductions grew by %ld KiB", growth);
  memset(large, 0, sizeof large);
}

/// Whatever it comes to, no task that has ended is added twice, and what follows is whole.
static void cancelled(void) {
  int in_group = 0, in_loop = 0, in_region = 0, ran = 0, ran_in_loop = 0, ran_in_region = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : in_group)
  for (int i = 0; i < count; ++i) {
#pragma omp task in_reduction(+ : in_group) shared(ran)
    {
      in_group += 1;
      add(&ran, 1);
      if (i == 20) {
#pragma omp cancel taskgroup
      }
    }
  }
  check(in_group == ran, "of a cancelled taskgroup %d tasks ran, and %d are added", ran, in_group);
#pragma omp parallel
  {
#pragma omp for reduction(task, + : in_loop) schedule(dynamic)
    for (int i = 0; i < count; ++i) {
#pragma omp task in_reduction(+ : in_loop) shared(ran_in_loop)
      {
        in_loop += 1;
        add(&ran_in_loop, 1);
      }
      if (i == 20) {
#pragma omp cancel for
      }
    }
    check(load(&in_loop) == load(&ran_in_loop), "of a cancelled loop %d tasks ran, and %d are added", ran_in_loop, in_loop);
  }
#pragma omp parallel reduction(task, + : in_region)
  {
    for (int i = 0; i < count; ++i) {
#pragma omp task in_reduction(+ : in_region) shared(ran_in_region)
      {
        in_region += 1;
        add(&ran_in_region, 1);
      }
      if (i == 20) {
#pragma omp cancel parallel
      }
#pragma omp cancellation point parallel
    }
  }
  check(in_region == ran_in_region, "of a cancelled region %d tasks ran, and %d are added", ran_in_region, in_region);
}

/// Who leaves a cancelled region from inside of a scope leaves its copies, too: a thousand times 100 KiB for each member.
static void memory_of_cancelled_regions(void) {
  static char large[100000];
  long before = 0;
  for (int round = 0; round < 1000; ++round) {
    if (round == 20) before = memory_bytes(0);  // the threads are there
#pragma omp parallel num_threads(2)
    {
      if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
      }
#pragma omp scope reduction(task, + : large)
      {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 4; ++i) {
#pragma omp task in_reduction(+ : large)
          large[i] += 1;
        }
      }
    }
  }
  const long growth = (memory_bytes(0) - before) / 1024;
  check(growth < 10000, "the memory of reductions in cancelled regions grew by %ld KiB", growth);
  memset(large, 0, sizeof large);
}

/// What gcc's library does, too. Behind the others its regions mostly do not end.
static void run_groups(void) {
  trees();
  copies();
  operations();
  own_operations();
  arrays(5);
  arrays(17);
  nested_groups();
  taskloops();
  kinds_of_tasks();
  outside_of_regions();
}

static void run_constructs(void) {
  loops_and_sections();
  scans();
  many_variables();
}

int main(int argument_count, char** arguments) {
  const char* const which = argument_count > 1 ? arguments[1] : "groups";
  if (strcmp(which, "groups") == 0) {
    run_groups();
  } else if (strcmp(which, "constructs") == 0) {
    run_constructs();
    memory_of_copies(1);
  } else if (strcmp(which, "chains") == 0) {
    chains();
    memory_of_copies(2);
  } else if (strcmp(which, "regions") == 0) {
    run_groups();
    regions();
    run_constructs();
    memory_of_copies(2);
  } else {
    for (int round = 0; round < 3; ++round) {
      cancelled();
      run_groups();
      run_constructs();
      memory_of_cancelled_regions();
    }
  }
  return 0;
}
