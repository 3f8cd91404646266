// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/lace.h"
#include "uts.h"

namespace {

using versus::tree_count;
using versus::tree_node;
using versus::tree_shape;

#define VERSUS_UTS(NAME, COUNTED)                                              \
  TASK_2(tree_count, NAME, const tree_node*, from, const tree_shape*, shape) { \
    versus::count_task<COUNTED>();                                             \
    const unsigned children = from->children(*shape);                          \
    tree_count sum = from->own_count(children);                                \
    tree_node nodes[versus::uts_children_at_most];                             \
    for (unsigned i = 0; i < children; ++i) {                                  \
      nodes[i] = from->child(i);                                               \
      SPAWN(NAME, &nodes[i], shape);                                           \
    }                                                                          \
    for (unsigned i = 0; i < children; ++i) sum += SYNC(NAME);                 \
    return sum;                                                                \
  }
VERSUS_UTS(uts_timed, false)
VERSUS_UTS(uts_counted, true)

struct program : versus::lace_runtime {
  using problem = versus::uts;
  using lace_runtime::lace_runtime;

  template <bool Counted>
  void run(problem& of) {
    const tree_node root = of.root();
    const tree_shape shape = of.shape();
    of.result = Counted ? RUN(uts_counted, &root, &shape) : RUN(uts_timed, &root, &shape);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
