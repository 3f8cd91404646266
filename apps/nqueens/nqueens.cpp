// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/nqueens/nqueens.h"

#include "apps/per_worker.h"
#include "apps/simulated_work.h"
#include "apps/size_text.h"

#include <array>
#include <functional>

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr unsigned n_at_most = 15;
/// With a cut-off: queens in these rows are tasks.
constexpr unsigned rows_of_tasks = 3;
/// Cycles in which a square is compared with the queens above it.
constexpr std::uint64_t cycles_per_square = 10;

/// Solutions (sequence A000170 of the OEIS) and placements (counted by a program with bit masks, as in the tests), by n from 0
/// on.
constexpr nqueens_facts known[n_at_most + 1] = {{1, 1},
                                                {1, 2},
                                                {0, 3},
                                                {0, 6},
                                                {2, 17},
                                                {10, 54},
                                                {4, 153},
                                                {40, 552},
                                                {92, 2057},
                                                {352, 8394},
                                                {724, 35539},
                                                {2680, 166926},
                                                {14200, 856189},
                                                {73712, 4674890},
                                                {365596, 27358553},
                                                {2279184, 171129072}};

/// Queens in the first rows: the column of each. Small enough to be copied into each task.
class board {
 public:
  unsigned rows() const { return rows_; }
  /// Whether a queen in this column of the next row is threatened by none.
  bool is_free(unsigned column) const {
    for (unsigned row = 0; row < rows_; ++row) {
      const unsigned other = columns_[row], distance = rows_ - row;
      if (other == column || other + distance == column || other == column + distance) return false;
    }
    return true;
  }
  board with(unsigned column) const {
    board more = *this;
    more.columns_[more.rows_++] = static_cast<std::uint8_t>(column);
    return more;
  }

 private:
  std::array<std::uint8_t, n_at_most> columns_{};
  std::uint8_t rows_ = 0;
};

/// Returns: how many solutions begin so. Effect: adds the placements from this one on to `placements`.
std::uint64_t solve(const board& of, unsigned n, std::uint64_t& placements) {
  ++placements;
  simulated_work(cycles_per_square * n);
  if (of.rows() == n) return 1;
  std::uint64_t solutions = 0;
  for (unsigned column = 0; column < n; ++column) {
    if (of.is_free(column)) solutions += solve(of.with(column), n, placements);
  }
  return solutions;
}

/// Returns: placements in the first rows, which are tasks with a cut-off, and the empty board.
std::uint64_t placements_in(const board& of, unsigned n) {
  std::uint64_t placements = 1;
  if (of.rows() == n || of.rows() == rows_of_tasks) return placements;
  for (unsigned column = 0; column < n; ++column) {
    if (of.is_free(column)) placements += placements_in(of.with(column), n);
  }
  return placements;
}

class nqueens final : public workload {
 public:
  std::string choose_size(const std::string& text) override {
    std::string wrong = parse_size(text, nqueens_sizes(),
                                   {{{"n", &n_, 1, n_at_most, " (n=15 already has 171 million tasks)"}},
                                    {{"by", &by_, {"group", "reduce"}}, {"cutoff", &cutoff_, {"none", "manual"}}}});
    rows_put_ = cutoff_ == "none" ? n_at_most : rows_of_tasks;
    return wrong;
  }

  std::string size() const override { return "n=" + std::to_string(n_) + ",by=" + by_ + ",cutoff=" + cutoff_; }

  void prepare(std::uint64_t, unsigned workers) override {
    counts_.clear(workers);
    solutions_ = placements_ = tasks_ = 0;
  }

  void serial() override {
    solutions_ = solve(board(), n(), placements_);
    tasks_ = expected_tasks();
  }

  void tasks(team& workers) override {
    workers.init(
        [this](context& here) { solutions_ = by_ == "group" ? by_groups(here, board()) : by_reductions(here, board()); });
    workers.run();
    counts_.for_each([&](const counts& each) {
      placements_ += each.placements;
      tasks_ += each.tasks;
    });
  }

  std::string verify() const override {
    const nqueens_facts expected = nqueens_known(n_);
    if (solutions_ != expected.solutions) {
      return "nqueens " + size() + " found " + std::to_string(solutions_) + " solutions instead of " +
             std::to_string(expected.solutions);
    }
    if (placements_ != expected.placements) {
      return "nqueens " + size() + " saw " + std::to_string(placements_) + " placements instead of " +
             std::to_string(expected.placements);
    }
    if (const std::uint64_t tasks = expected_tasks(); tasks_ != tasks)
      return "nqueens " + size() + " ran " + std::to_string(tasks_) + " tasks instead of " + std::to_string(tasks);
    return {};
  }

  std::uint64_t tasks_run() const override { return tasks_; }

 private:
  struct counts {
    std::uint64_t placements = 0, tasks = 0;
  };

  unsigned n() const { return static_cast<unsigned>(n_); }
  std::uint64_t expected_tasks() const { return cutoff_ == "none" ? nqueens_known(n_).placements : placements_in(board(), n()); }

  void begin_task(context& here) {
    counts& own = counts_[here.worker_id()];
    ++own.placements;
    ++own.tasks;
    simulated_work(cycles_per_square * n_);
  }

  /// Whether the next queen has no tasks for those below it.
  bool is_cut_off(const board& of) const { return of.rows() >= rows_put_; }
  /// Returns: solutions that begin so. Effect: counts the placements below this one.
  std::uint64_t solve_below(context& here, const board& of) {
    std::uint64_t placements = 0, solutions = 0;
    for (unsigned column = 0; column < n_; ++column) {
      if (of.is_free(column)) solutions += solve(of.with(column), n(), placements);
    }
    counts_[here.worker_id()].placements += placements;
    return solutions;
  }

  std::uint64_t by_groups(context& here, board of) {
    begin_task(here);
    if (of.rows() == n_) return 1;
    if (is_cut_off(of)) return solve_below(here, of);
    std::array<std::uint64_t, n_at_most> solutions{};
    task_group below;
    for (unsigned column = 0; column < n_; ++column) {
      if (!of.is_free(column)) continue;
      below.put(here, [this, next = of.with(column), &own = solutions[column]](context& child) { own = by_groups(child, next); });
    }
    below.wait(here);
    std::uint64_t sum = 0;
    for (const std::uint64_t each : solutions) sum += each;
    return sum;
  }

  std::uint64_t by_reductions(context& here, const board& of) {
    begin_task(here);
    if (of.rows() == n_) return 1;
    if (is_cut_off(of)) return solve_below(here, of);
    const auto below = [&](context& own, unsigned column) {
      return of.is_free(column) ? by_reductions(own, of.with(column)) : std::uint64_t{0};
    };
    return parallel_reduce(here, 0u, n(), std::uint64_t{0}, below, std::plus<>(), {.grain = 1});
  }

  std::uint64_t n_ = 8;
  std::string by_ = "group", cutoff_ = "none";
  unsigned rows_put_ = n_at_most;  ///< queens in so many rows are tasks
  per_worker<counts> counts_;
  std::uint64_t solutions_ = 0, placements_ = 0, tasks_ = 0;
};

}  // namespace

nqueens_facts nqueens_known(std::uint64_t n) { return known[n]; }

std::vector<named_size> nqueens_sizes() {
  return {{"tiny", "n=5,by=group,cutoff=none"},
          {"small", "n=9,by=group,cutoff=none"},
          {"medium", "n=12,by=group,cutoff=none"},
          {"paper", "n=14,by=group,cutoff=manual"}};
}

std::unique_ptr<workload> make_nqueens() { return std::make_unique<nqueens>(); }

}  // namespace TEFF_NAMESPACE::apps
