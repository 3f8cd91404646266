// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/knapsack/knapsack.h"

#include "apps/in_tasks.h"
#include "apps/random_stream.h"
#include "apps/search/best_so_far.h"
#include "apps/size_text.h"

#include <algorithm>

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::uint64_t items_at_most = 200, spread_at_most = 1'000;
constexpr std::uint32_t weight_at_least = 100, weight_at_most = 1'099;
/// Of a node: a multiplication, a comparison with what others found, and what is handed on.
constexpr std::uint64_t cycles_per_knapsack_node = 8;

class knapsack final : public in_tasks<knapsack> {
 public:
  static constexpr const char* name = "knapsack";
  static constexpr const char* compared = "the value of the knapsack";
  static constexpr bool tasks_vary = true;

  std::string choose_size(const std::string& text) override {
    std::string wrong = parse_size(text, knapsack_sizes(),
                                   {{{"n", &n_, 1, items_at_most, ""}, {"spread", &spread_, 0, spread_at_most, ""}},
                                    {{"cutoff", &cutoff_, {"none", "manual"}}}});
    put_until_ = cutoff_ == "none" ? items_at_most : items_of_tasks;
    return wrong;
  }

  std::string size() const override {
    return "n=" + std::to_string(n_) + ",spread=" + std::to_string(spread_) + ",cutoff=" + cutoff_;
  }

  std::vector<metric> metrics() const override {
    std::uint64_t nodes = 0;
    nodes_.for_each([&](std::uint64_t each) { nodes += each; });
    return {{"nodes", "nodes of the search that were visited", static_cast<double>(nodes), ""},
            {"value", "what the items in the knapsack are worth", static_cast<double>(best_.get()), ""}};
  }

  void make(std::uint64_t seed) {
    random_stream from(seed);
    items_.resize(n_);
    std::int64_t weight = 0;
    for (knapsack_item& each : items_) {
      each.weight = static_cast<std::int32_t>(weight_at_least + from.below(weight_at_most - weight_at_least + 1));
      const auto spread = static_cast<std::int32_t>(spread_);
      const auto difference = static_cast<std::int32_t>(from.below(static_cast<std::uint32_t>(2 * spread + 1))) - spread;
      each.value = std::max(1, each.weight + difference);
      weight += each.weight;
    }
    capacity_ = weight / 2;
    // What is worth most for its weight comes first, of those alike the heaviest.
    std::sort(items_.begin(), items_.end(), [](const knapsack_item& one, const knapsack_item& other) {
      const std::int64_t first = std::int64_t{one.value} * other.weight, second = std::int64_t{other.value} * one.weight;
      return first != second ? first > second : one.weight > other.weight;
    });
  }
  std::uint64_t expected() const {
    return static_cast<std::uint64_t>(knapsack_optimum({items_.begin(), items_.end()}, capacity_));
  }
  void touch_all() const { writes(items_.data(), items_.size()); }
  void clear(unsigned workers) {
    best_.clear(-1);
    nodes_.clear(workers);
  }
  std::uint64_t result() const { return static_cast<std::uint64_t>(best_.get()); }

  template <class Run>
  void solve(Run& run) {
    search(run, 0, capacity_, 0);
  }

 private:
  static constexpr std::size_t items_of_tasks = 24;  ///< with a cut-off

  /// Effect: looks what the items from `next` on add to a knapsack that has room for `room` more and is worth `value`.
  template <class Run>
  void search(Run& run, std::size_t next, std::int64_t room, std::int64_t value) {
    ++nodes_[run.worker()];
    run.work(cycles_per_knapsack_node);
    if (next == items_.size() || room == 0) return best_.raise_to(value);
    run.reads(&items_[next]);
    const knapsack_item item = items_[next];
    // Were the rest of the room filled with the best item that is left, would it be more than what is known?
    if (room * item.value <= (best_.get() - value) * item.weight) return;
    const auto with_it = [this, next, left = room - item.weight, worth = value + item.value](Run& task) {
      search(task, next + 1, left, worth);
    };
    const auto without_it = [this, next, room, value](Run& task) { search(task, next + 1, room, value); };
    if (item.weight > room) return without_it(run);
    if (next >= put_until_) {
      with_it(run);
      return without_it(run);
    }
    typename Run::group both;
    both.put_two(run, with_it, without_it);
    both.wait(run);
  }

  std::uint64_t n_ = 36, spread_ = 100;
  std::string cutoff_ = "none";
  std::size_t put_until_ = items_at_most;  ///< decisions about so many items are tasks
  declared_vector<knapsack_item> items_;
  std::int64_t capacity_ = 0;
  best_so_far best_;
  per_worker<std::uint64_t> nodes_;
};

}  // namespace

std::vector<named_size> knapsack_sizes() {
  return {{"tiny", "n=10,spread=100,cutoff=none"},
          {"small", "n=36,spread=100,cutoff=none"},
          {"medium", "n=64,spread=100,cutoff=none"},
          {"paper", "n=96,spread=100,cutoff=manual"}};
}

std::unique_ptr<workload> make_knapsack() { return std::make_unique<knapsack>(); }

std::int64_t knapsack_optimum(const std::vector<knapsack_item>& items, std::int64_t capacity) {
  std::vector<std::int64_t> best(static_cast<std::size_t>(capacity) + 1);  // by capacity
  for (const knapsack_item& each : items) {
    for (std::size_t room = best.size(); room-- > static_cast<std::size_t>(each.weight);)
      best[room] = std::max(best[room], best[room - static_cast<std::size_t>(each.weight)] + each.value);
  }
  return best.back();
}

}  // namespace TEFF_NAMESPACE::apps
