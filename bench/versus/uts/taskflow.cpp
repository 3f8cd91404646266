// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/taskflow.h"
#include "uts.h"

namespace {

using versus::tree_count;
using versus::tree_node;
using versus::tree_shape;

template <bool Counted>
tree_count count_from(tf::Executor& executor, const tree_node& from, const tree_shape& shape) {
  versus::count_task<Counted>();
  const unsigned children = from.children(shape);
  tree_count sum = from.own_count(children);
  if (children == 0) return sum;
  tree_count parts[versus::uts_children_at_most];
  tf::TaskGroup all = executor.task_group();
  for (unsigned i = 0; i < children; ++i)
    all.silent_async(
        [&executor, &from, &shape, &part = parts[i], i] { part = count_from<Counted>(executor, from.child(i), shape); });
  all.corun();
  for (unsigned i = 0; i < children; ++i) sum += parts[i];
  return sum;
}

struct program : versus::taskflow_runtime {
  using problem = versus::uts;
  using taskflow_runtime::taskflow_runtime;

  template <bool Counted>
  void run(problem& of) {
    in_task([&] { of.result = count_from<Counted>(executor, of.root(), of.shape()); });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
