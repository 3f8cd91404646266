// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../runtimes/teff.h"
#include "uts.h"

namespace {

using versus::tree_count;
using versus::tree_node;
using versus::tree_shape;

template <bool Counted>
tree_count by_context(teff::context& here, const tree_node& from, const tree_shape& shape);

/// What is below the children from `begin` to `end` - 1.
template <bool Counted>
tree_count below_by_context(teff::context& here, const tree_node& from, unsigned begin, unsigned end, const tree_shape& shape) {
  if (end - begin == 1) return by_context<Counted>(here, from.child(begin), shape);
  const unsigned middle = begin + (end - begin) / 2;
  auto [left, right] = teff::join(
      here, [&](teff::context& own) { return below_by_context<Counted>(own, from, begin, middle, shape); },
      [&](teff::context& own) { return below_by_context<Counted>(own, from, middle, end, shape); });
  return left += right;
}

template <bool Counted>
tree_count by_context(teff::context& here, const tree_node& from, const tree_shape& shape) {
  versus::count_task<Counted>();
  const unsigned children = from.children(shape);
  tree_count sum = from.own_count(children);
  return children == 0 ? sum : sum += below_by_context<Counted>(here, from, 0, children, shape);
}

template <bool Counted>
tree_count by_join(const tree_node& from, const tree_shape& shape);

template <bool Counted>
tree_count below_by_join(const tree_node& from, unsigned begin, unsigned end, const tree_shape& shape) {
  if (end - begin == 1) return by_join<Counted>(from.child(begin), shape);
  const unsigned middle = begin + (end - begin) / 2;
  auto [left, right] = teff::join([&] { return below_by_join<Counted>(from, begin, middle, shape); },
                                  [&] { return below_by_join<Counted>(from, middle, end, shape); });
  return left += right;
}

template <bool Counted>
tree_count by_join(const tree_node& from, const tree_shape& shape) {
  versus::count_task<Counted>();
  const unsigned children = from.children(shape);
  tree_count sum = from.own_count(children);
  return children == 0 ? sum : sum += below_by_join<Counted>(from, 0, children, shape);
}

template <bool Counted>
tree_count by_group(teff::context& here, const tree_node& from, const tree_shape& shape) {
  versus::count_task<Counted>();
  const unsigned children = from.children(shape);
  tree_count sum = from.own_count(children);
  if (children == 0) return sum;
  tree_count parts[versus::uts_children_at_most];
  teff::task_group all;
  for (unsigned i = 0; i < children; ++i)
    all.put(here,
              [&from, &shape, &part = parts[i], i](teff::context& own) { part = by_group<Counted>(own, from.child(i), shape); });
  all.wait(here);
  for (unsigned i = 0; i < children; ++i) sum += parts[i];
  return sum;
}

struct program : versus::teff_runtime {
  using problem = versus::uts;
  using teff_runtime::teff_runtime;

  template <bool Counted>
  void run(problem& of) {
    of.result = teff::default_team::call([&](teff::context& here) {
      if (form == "context") return by_context<Counted>(here, of.root(), of.shape());
      return form == "join" ? by_join<Counted>(of.root(), of.shape()) : by_group<Counted>(here, of.root(), of.shape());
    });
  }
};

}  // namespace

int main(int argc, char** argv) { return versus::main_of<program>(argc, argv); }
