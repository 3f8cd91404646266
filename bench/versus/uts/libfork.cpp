// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/libfork.h"
#include "uts.h"

namespace {

using versus::tree_count;
using versus::tree_node;
using versus::tree_shape;

struct child {
  tree_node node;
  tree_count count;
};

template <bool Counted>
constexpr auto count_from = [](auto self, const tree_node& from, const tree_shape& shape) LF_STATIC_CALL -> lf::task<tree_count> {
  versus::count_task<Counted>();
  const unsigned children = from.children(shape);
  tree_count sum = from.own_count(children);
  if (children == 0) co_return sum;
  auto [all] = co_await lf::co_new<child>(children);
  for (unsigned i = 0; i < children; ++i) {
    all[i].node = from.child(i);
    co_await lf::fork(&all[i].count, self)(all[i].node, shape);
  }
  co_await lf::join;
  for (const child& each : all) sum += each.count;
  co_return sum;
};

struct program : versus::libfork_runtime {
  using problem = versus::uts;
  using libfork_runtime::libfork_runtime;

  template <bool Counted>
  void run(problem& of) {
    const tree_node root = of.root();
    const tree_shape shape = of.shape();
    of.result = wait_for(count_from<Counted>, root, shape);
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
