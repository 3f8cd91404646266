// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/workload.h"

#include "apps/fib/fib.h"
#include "apps/nqueens/nqueens.h"
#include "apps/quicksort/quicksort.h"
#include "apps/run_queues/run_queues.h"
#include "apps/synthetic/synthetic.h"
#include "apps/uts/uts.h"

namespace TEFF_NAMESPACE::apps {

std::string workload::read_input(const std::string&, const std::string&) {
  return "this workload reads no input file; allowed for: quicksort";
}

std::string workload::write_result(sink&, const std::string&, const std::string&) const {
  return "this workload has no result to write; allowed for: quicksort";
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
  if (name == "run_queues") return run_queues_sizes();
  return {};
}

std::unique_ptr<workload> make_workload(const std::string& name) {
  if (name == "synthetic") return make_synthetic();
  if (name == "quicksort") return make_quicksort();
  if (name == "fib") return make_fib();
  if (name == "nqueens") return make_nqueens();
  if (name == "uts") return make_uts();
  if (name == "run_queues") return make_run_queues();
  return nullptr;
}

}  // namespace TEFF_NAMESPACE::apps
