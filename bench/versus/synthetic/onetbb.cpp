// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The synthetic algorithm P(k) (Korch & Rauber 2002, §7.2) with f = 0 on oneTBB's task_group: the peer of `teff run synthetic`.
/// Prints nanoseconds per task, if the number of tasks is right.
#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct alignas(64) counter {
  unsigned long tasks = 0;
};

std::vector<counter> counters;
tbb::task_group group;

void run(int i) {
  ++counters[static_cast<unsigned>(tbb::this_task_arena::current_thread_index())].tasks;
  if (i <= 0) return;
  group.run([i] { run(i - 2); });
  group.run([i] { run(i - 1); });
}

/// Tasks of A(i), A(i − 1) and their like by the recurrence of the algorithm.
unsigned long tasks_of(int k) {
  unsigned long before = 1, now = 1, total = 0;  // A(−1), A(0)
  for (int i = 0; i < k; ++i) {
    total += now;
    const unsigned long next = 1 + now + before;
    before = now;
    now = next;
  }
  return total;
}

}  // namespace

int main(int argc, char** argv) {
  const int k = argc > 1 ? std::atoi(argv[1]) : 0;
  const int threads = argc > 2 ? std::atoi(argv[2]) : 0;
  if (argc != 3 || k < 1 || k > 45 || threads < 1 || threads > 256) {
    std::fprintf(stderr, "usage: versus_synthetic_onetbb K THREADS, with K from 1 to 45 and THREADS from 1 to 256\n");
    return 2;
  }
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<unsigned>(threads));
  tbb::task_arena arena(threads);
  counters.resize(static_cast<unsigned>(threads));
  const auto start = std::chrono::steady_clock::now();
  arena.execute([&] {
    for (int i = k - 1; i >= 0; --i) group.run([i] { run(i); });
    group.wait();
  });
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  unsigned long tasks = 0;
  for (const counter& each : counters) tasks += each.tasks;
  if (tasks != tasks_of(k)) {
    std::fprintf(stderr, "wrong: %lu tasks instead of %lu\n", tasks, tasks_of(k));
    return 1;
  }
  std::printf("onetbb task_group k=%d threads=%d: %lu tasks, %.1f ns per task\n", k, threads, tasks,
              elapsed.count() * 1e9 / static_cast<double>(tasks));
  return 0;
}
