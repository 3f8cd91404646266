// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/openmp.h"
#include "uts.h"

namespace {

using versus::tree_count;
using versus::tree_node;
using versus::tree_shape;

template <bool Counted>
tree_count count_from(const tree_node& from, const tree_shape& shape) {
  versus::count_task<Counted>();
  const unsigned children = from.children(shape);
  tree_count sum = from.own_count(children);
  if (children == 0) return sum;
  tree_count parts[versus::uts_children_at_most];
  for (unsigned i = 0; i < children; ++i) {
#pragma omp task shared(from, shape, parts) firstprivate(i)
    parts[i] = count_from<Counted>(from.child(i), shape);
  }
#pragma omp taskwait
  for (unsigned i = 0; i < children; ++i) sum += parts[i];
  return sum;
}

struct program : versus::openmp_runtime {
  using problem = versus::uts;
  using openmp_runtime::openmp_runtime;

  template <bool Counted>
  void run(problem& of) {
    versus::in_team([&] { of.result = count_from<Counted>(of.root(), of.shape()); });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
