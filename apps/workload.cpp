// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/workload.h"

#include "apps/alignment/alignment.h"
#include "apps/fft/fft.h"
#include "apps/fib/fib.h"
#include "apps/floorplan/floorplan.h"
#include "apps/health/health.h"
#include "apps/knapsack/knapsack.h"
#include "apps/loop/loop.h"
#include "apps/nqueens/nqueens.h"
#include "apps/quicksort/quicksort.h"
#include "apps/run_queues/run_queues.h"
#include "apps/sort/sort.h"
#include "apps/sparselu/sparselu.h"
#include "apps/strassen/strassen.h"
#include "apps/synthetic/synthetic.h"
#include "apps/uts/uts.h"

namespace TEFF_NAMESPACE::apps {

std::string refuse_input(const std::string& name) {
  std::string readers;
  for (const workload_line& each : list_workloads()) {
    if (make_workload(each.name)->reads_input()) readers += (readers.empty() ? "" : ", ") + std::string(each.name);
  }
  return "workload '" + name + "' reads no input file; allowed for: " + readers;
}

std::vector<workload_line> list_workloads() {
  return {
      {"synthetic", "a tree of tasks that grows as the Fibonacci numbers and computes nothing, for a set time",
       "Korch & Rauber 2002, section 7.2", synthetic_keys},
      {"quicksort", "sorts integers; every part above the threshold is a task", "Hoffmann & Rauber 2008, section 4.2",
       quicksort_keys},
      {"fib", "Fibonacci numbers by tasks that wait for two tasks each: overhead only", "Olivier et al. 2012, section 4 (BOTS)",
       fib_keys},
      {"nqueens", "queens on a board, a task for each that stands: short tasks in an irregular tree",
       "Olivier et al. 2012, section 4 (BOTS)", nqueens_keys},
      {"uts", "counts the nodes of a tree whose shape nobody knows before", "Olivier et al. 2007 (UTS)", uts_keys},
      {"alignment", "aligns proteins in pairs, a task for each pair: long tasks that know nothing of each other",
       "Olivier et al. 2012, section 4 (BOTS)", alignment_keys},
      {"health", "villages and their hospitals, step by step, a task for each: short tasks that walk lists",
       "Olivier et al. 2012, section 4 (BOTS)", health_keys},
      {"sort", "merge sort whose merges are parallel, too: limited by memory", "Olivier et al. 2012, section 4 (BOTS)",
       sort_keys},
      {"sparselu", "LU factorisation of a sparse matrix of blocks, a task for each that is there",
       "Olivier et al. 2012, section 4 (BOTS)", sparselu_keys},
      {"strassen", "product of matrices by Strassen's recursion: large tasks with large data",
       "Olivier et al. 2012, section 4 (BOTS)", strassen_keys},
      {"fft", "the Fourier transform by recursion: many short tasks over common data", "Duran et al. 2009 (BOTS)", fft_keys},
      {"floorplan", "cells on a floor of the least area: branch and bound, a task for each that stands",
       "Duran et al. 2009 (BOTS)", floorplan_keys},
      {"knapsack", "what is worth most in a knapsack: branch and bound, tasks with and without each item",
       "Duran et al. 2009 (BOTS)", knapsack_keys},
      {"loop", "parallel loops and reductions, one behind the other: what a loop costs beside its iterations", "Teff", loop_keys},
      {"run_queues",
       "jobs of several tasks that arrive from outside, with a lock or barrier each: who waits where, and for how long",
       "Dandamudi & Cheng 1996, sections 3, 6, 7", run_queues_keys},
  };
}

std::vector<named_size> list_sizes(const std::string& name) {
  if (name == "synthetic") return synthetic_sizes();
  if (name == "quicksort") return quicksort_sizes();
  if (name == "fib") return fib_sizes();
  if (name == "nqueens") return nqueens_sizes();
  if (name == "uts") return uts_sizes();
  if (name == "alignment") return alignment_sizes();
  if (name == "health") return health_sizes();
  if (name == "sort") return sort_sizes();
  if (name == "sparselu") return sparselu_sizes();
  if (name == "strassen") return strassen_sizes();
  if (name == "fft") return fft_sizes();
  if (name == "floorplan") return floorplan_sizes();
  if (name == "knapsack") return knapsack_sizes();
  if (name == "loop") return loop_sizes();
  if (name == "run_queues") return run_queues_sizes();
  return {};
}

std::unique_ptr<workload> make_workload(const std::string& name) {
  if (name == "synthetic") return make_synthetic();
  if (name == "quicksort") return make_quicksort();
  if (name == "fib") return make_fib();
  if (name == "nqueens") return make_nqueens();
  if (name == "uts") return make_uts();
  if (name == "alignment") return make_alignment();
  if (name == "health") return make_health();
  if (name == "sort") return make_sort();
  if (name == "sparselu") return make_sparselu();
  if (name == "strassen") return make_strassen();
  if (name == "fft") return make_fft();
  if (name == "floorplan") return make_floorplan();
  if (name == "knapsack") return make_knapsack();
  if (name == "loop") return make_loop();
  if (name == "run_queues") return make_run_queues();
  return nullptr;
}

}  // namespace TEFF_NAMESPACE::apps
