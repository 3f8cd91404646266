// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/floorplan/floorplan.h"

#include "apps/floorplan/floor.h"
#include "apps/in_tasks.h"
#include "apps/search/best_so_far.h"
#include "apps/size_text.h"

namespace TEFF_NAMESPACE::apps {

namespace {

/// Of a node and of a comparison with a cell that stands.
constexpr std::uint64_t cycles_per_floor = 40, cycles_per_cell_beside = 5;

class floorplan final : public in_tasks<floorplan> {
 public:
  static constexpr const char* name = "floorplan";
  static constexpr const char* compared = "the area of the floor";
  static constexpr bool tasks_vary = true;

  std::string choose_size(const std::string& text) override {
    std::string wrong =
        parse_size(text, floorplan_sizes(), {{{"n", &n_, 1, cells_at_most, ""}}, {{"cutoff", &cutoff_, {"none", "manual"}}}});
    put_until_ = cutoff_ == "none" ? cells_at_most : cells_of_tasks;
    return wrong;
  }

  std::string size() const override { return "n=" + std::to_string(n_) + ",cutoff=" + cutoff_; }

  std::vector<metric> metrics() const override {
    std::uint64_t nodes = 0;
    nodes_.for_each([&](std::uint64_t each) { nodes += each; });
    return {{"nodes", "nodes of the search that were visited", static_cast<double>(nodes), ""},
            {"area", "the least area of the floor", static_cast<double>(result()), ""}};
  }

  void make(std::uint64_t seed) {
    const std::vector<floor_cell> made = make_cells(n_, seed);
    cells_.assign(made.begin(), made.end());
  }
  void touch_all() const { writes(cells_.data(), cells_.size()); }
  void clear(unsigned workers) {
    best_.clear(-(std::int64_t{1} << 40));
    nodes_.clear(workers);
  }
  std::uint64_t result() const { return static_cast<std::uint64_t>(-best_.get()); }

  template <class Run>
  void solve(Run& run) {
    search(run, {});
  }

 private:
  static constexpr std::size_t cells_of_tasks = 5;  ///< with a cut-off

  bool is_smaller(const floor_plan& than_known) const { return -static_cast<std::int64_t>(than_known.area()) > best_.get(); }

  template <class Run>
  void search(Run& run, const floor_plan& floor) {
    ++nodes_[run.worker()];
    const std::size_t next = floor.cells();
    if (next == n_) return best_.raise_to(-static_cast<std::int64_t>(floor.area()));
    const bool in_tasks_below = next < put_until_;
    run.reads(&cells_[next]);
    std::uint64_t tried = 0;
    typename Run::group below;
    for (const cell_shape& shape : cells_[next].shapes) {
      for (std::size_t place = 0; place < places_of(next); ++place, ++tried) {
        const auto more = floor.with(cells_[next], shape, place);
        if (!more || !is_smaller(*more)) continue;
        put_or_call(run, below, in_tasks_below, [this, own = *more](Run& task) {
          if (is_smaller(own)) search(task, own);
        });
      }
    }
    run.work(cycles_per_floor + tried * next * cycles_per_cell_beside);
    below.wait(run);
  }

  std::uint64_t n_ = 10;
  std::string cutoff_ = "none";
  std::size_t put_until_ = cells_at_most;  ///< floors with at most so many cells are tasks
  declared_vector<floor_cell> cells_;
  best_so_far best_;
  per_worker<std::uint64_t> nodes_;
};

}  // namespace

std::vector<named_size> floorplan_sizes() {
  return {{"tiny", "n=3,cutoff=none"},
          {"small", "n=10,cutoff=none"},
          {"medium", "n=16,cutoff=none"},
          {"paper", "n=19,cutoff=manual"}};
}

std::unique_ptr<workload> make_floorplan() { return std::make_unique<floorplan>(); }

}  // namespace TEFF_NAMESPACE::apps
