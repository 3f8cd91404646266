// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/parlaylib.h"
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
  parlay::parallel_for(
      0, children, [&](std::size_t i) { parts[i] = count_from<Counted>(from.child(static_cast<unsigned>(i)), shape); }, 1);
  for (unsigned i = 0; i < children; ++i) sum += parts[i];
  return sum;
}

struct program : versus::parlaylib_runtime {
  using problem = versus::uts;
  using parlaylib_runtime::parlaylib_runtime;

  static constexpr const char* forms[] = {"parallel_for"};

  template <bool Counted>
  void run(problem& of) {
    of.result = count_from<Counted>(of.root(), of.shape());
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
