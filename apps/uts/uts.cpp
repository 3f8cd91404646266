// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/uts/uts.h"

#include "apps/per_worker.h"
#include "apps/simulated_work.h"
#include "apps/size_text.h"
#include "apps/uts/sha1.h"

#include <algorithm>
#include <cmath>

namespace TEFF_NAMESPACE::apps {

namespace {

/// Cycles in which a node's state is computed, in simulation: as it was measured with a SHA-1 that took twice today's time.
constexpr std::uint64_t cycles_per_node = 500;
/// No node but a binomial tree's root has more children.
constexpr std::uint32_t children_at_most = 100;

/// A shape from the publication's samples. Geometric with a fixed branching factor: expected children down to a depth, and none
/// below. Binomial: a number of children of the root; every other node has `children` with a probability, else none.
struct tree_shape {
  const char* name;
  std::uint32_t seed;
  std::uint32_t at_root;   ///< children: on average (geometric), exactly (binomial)
  std::uint32_t depth;     ///< of a geometric tree; 0: binomial
  double probability;      ///< of a binomial tree
  std::uint32_t children;  ///< likewise
  uts_counts published;
};

constexpr tree_shape shapes[] = {
    {"T1", 19, 4, 10, 0, 0, {4'130'071, 3'305'118, 10}},
    {"T1L", 29, 4, 13, 0, 0, {102'181'082, 81'746'377, 13}},
    {"T3", 42, 2'000, 0, 0.124875, 8, {4'112'897, 3'599'034, 1'572}},
};

const tree_shape* shape_of(const std::string& name) {
  const auto* const found =
      std::find_if(std::begin(shapes), std::end(shapes), [&](const tree_shape& each) { return name == each.name; });
  return found != std::end(shapes) ? found : nullptr;
}

void put_word(std::uint8_t* to, std::uint32_t word) {
  for (unsigned i = 0; i < 4; ++i) to[i] = static_cast<std::uint8_t>(word >> (24 - 8 * i));
}

/// A node: its place in the stream of random numbers, which says everything about what is below it.
struct node {
  sha1_digest state;
  std::uint32_t depth;

  static node root(std::uint32_t seed) {
    sha1_digest begin{};
    put_word(begin.data() + 16, seed);
    return {sha1(begin), 0};
  }
  node child(std::uint32_t number) const {
    std::array<std::uint8_t, 24> message;
    std::copy(state.begin(), state.end(), message.begin());
    put_word(message.data() + 20, number);
    return {sha1(message), depth + 1};
  }
  /// Returns: 31 bits of the state, as a number from 0 to below 1.
  double draw() const {
    const std::uint32_t bits =
        std::uint32_t{state[16]} << 24 | std::uint32_t{state[17]} << 16 | std::uint32_t{state[18]} << 8 | state[19];
    return static_cast<double>(bits & 0x7fffffff) / 2147483648.0;
  }
};

std::uint32_t geometric_children(const node& of, const tree_shape& in, std::uint32_t depth) {
  if (of.depth >= depth) return 0;
  const double p = 1.0 / (1.0 + in.at_root);
  return std::min(children_at_most, static_cast<std::uint32_t>(std::floor(std::log(1 - of.draw()) / std::log(1 - p))));
}

std::uint32_t binomial_children(const node& of, const tree_shape& in) {
  if (of.depth == 0) return in.at_root;
  return of.draw() < in.probability ? in.children : 0;
}

/// What tasks of one worker saw.
void add_node(uts_counts& to, const node& seen, std::uint32_t children) {
  ++to.nodes;
  to.leaves += children == 0;
  to.depth = std::max<std::uint64_t>(to.depth, seen.depth);
}

class uts final : public workload {
 public:
  std::string choose_size(const std::string& text) override {
    std::string wrong = parse_size(
        text, uts_sizes(),
        {{{"depth", &depth_, 0, 20, ""}}, {{"tree", &tree_, {"T1", "T1L", "T3"}}, {"by", &by_, {"put", "group", "loop"}}}});
    if (!wrong.empty()) return wrong;
    shape_ = shape_of(tree_);
    if (depth_ != 0 && shape_->depth == 0)
      return "size key depth cannot be '" + std::to_string(depth_) + "' for tree " + tree_ + ", which is binomial; allowed: 0";
    return {};
  }

  std::string size() const override { return "tree=" + tree_ + ",depth=" + std::to_string(depth_) + ",by=" + by_; }

  void prepare(std::uint64_t, unsigned workers) override {
    seen_.clear(workers);
    counts_ = {};
    if (known_size_ == size_of_tree()) return;
    known_ = {};
    if (is_as_published()) known_ = shape_->published;
    else count(node::root(shape_->seed), known_, 0);
    known_size_ = size_of_tree();
  }

  void serial() override { count(node::root(shape_->seed), counts_, cycles_per_node); }

  void tasks(team& workers) override {
    workers.init([this](context& here) {
      const node root = node::root(shape_->seed);
      if (by_ == "put") by_puts(here, root);
      else if (by_ == "group") by_groups(here, root);
      else by_loops(here, root);
    });
    workers.run();
    seen_.for_each([&](const uts_counts& each) {
      counts_.nodes += each.nodes;
      counts_.leaves += each.leaves;
      counts_.depth = std::max(counts_.depth, each.depth);
    });
  }

  std::string verify() const override {
    if (counts_ == known_) return {};
    const auto text = [](const uts_counts& of) {
      return std::to_string(of.nodes) + " nodes, " + std::to_string(of.leaves) + " leaves, depth " + std::to_string(of.depth);
    };
    return "uts " + size() + " saw " + text(counts_) + " instead of " + text(known_);
  }

  std::uint64_t tasks_run() const override { return counts_.nodes; }

 private:
  bool is_as_published() const { return depth_ == 0; }
  std::string size_of_tree() const { return tree_ + std::to_string(depth_); }

  std::uint32_t children_of(const node& of) const {
    if (shape_->depth == 0) return binomial_children(of, *shape_);
    return geometric_children(of, *shape_, is_as_published() ? shape_->depth : static_cast<std::uint32_t>(depth_));
  }

  /// Effect: adds the nodes from this one on; simulated time passes for each.
  void count(const node& from, uts_counts& to, std::uint64_t cycles) const {
    if (cycles != 0) simulated_work(cycles);
    const std::uint32_t children = children_of(from);
    add_node(to, from, children);
    for (std::uint32_t number = 0; number < children; ++number) count(from.child(number), to, cycles);
  }

  std::uint32_t begin_task(context& here, const node& own) {
    simulated_work(cycles_per_node);
    const std::uint32_t children = children_of(own);
    add_node(seen_[here.worker_id()], own, children);
    return children;
  }

  void by_puts(context& here, const node& own) {
    const std::uint32_t children = begin_task(here, own);
    for (std::uint32_t number = 0; number < children; ++number) {
      here.put([this, child = own.child(number)](context& next) { by_puts(next, child); });
    }
  }

  void by_groups(context& here, const node& own) {
    const std::uint32_t children = begin_task(here, own);
    if (children == 0) return;
    task_group below;
    for (std::uint32_t number = 0; number < children; ++number) {
      below.put(here, [this, child = own.child(number)](context& next) { by_groups(next, child); });
    }
    below.wait(here);
  }

  void by_loops(context& here, const node& own) {
    const std::uint32_t children = begin_task(here, own);
    parallel_for(here, 0u, children, [&](context& next, std::uint32_t number) { by_loops(next, own.child(number)); },
                 {.grain = 1});
  }

  std::string tree_ = "T1", by_ = "group", known_size_;
  std::uint64_t depth_ = 6;
  const tree_shape* shape_ = &shapes[0];
  per_worker<uts_counts> seen_;
  uts_counts counts_, known_;
};

}  // namespace

uts_counts uts_published(const std::string& tree) {
  const tree_shape* const found = shape_of(tree);
  return found != nullptr ? found->published : uts_counts{};
}

std::vector<named_size> uts_sizes() {
  return {{"tiny", "tree=T1,depth=3,by=group"},
          {"small", "tree=T1,depth=6,by=group"},
          {"medium", "tree=T1,depth=0,by=group"},
          {"paper", "tree=T1L,depth=0,by=group"}};
}

std::unique_ptr<workload> make_uts() { return std::make_unique<uts>(); }

}  // namespace TEFF_NAMESPACE::apps
