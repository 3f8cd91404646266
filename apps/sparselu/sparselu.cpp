// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/sparselu/sparselu.h"

#include "apps/in_tasks.h"
#include "apps/input_file.h"
#include "apps/matrix_file.h"
#include "apps/size_text.h"
#include "apps/sparselu/blocks.h"

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::uint64_t blocks_at_most = 400, numbers_at_most = 1'000;
/// When all blocks have come into being, so many rows are 6.4 thousand million bytes, and there are two matrices.
constexpr std::uint64_t made_rows_at_most = 40'000;
/// Multiplications with their subtraction in a cycle: four numbers to a register, as on any x86-64, two of which are multiplied
/// and subtracted in a cycle, half of the time for loads.
constexpr std::uint64_t lu_products_per_cycle = 4;

class sparselu final : public in_tasks<sparselu> {
 public:
  static constexpr const char* name = "sparselu";
  static constexpr const char* compared = "the factorised matrix, bit for bit,";
  static constexpr bool tasks_vary = false;

  std::string choose_size(const std::string& text) override {
    names_n_ = names_size_key(text, "n");
    const std::uint64_t n = n_, m = m_;
    if (std::string wrong = parse_size(
            text, sparselu_sizes(),
            {{{"n", &n_, 1, blocks_at_most, ""}, {"m", &m_, 1, numbers_at_most, ""}}, {{"by", &by_, {"single", "for"}}}});
        !wrong.empty())
      return wrong;
    if (n_ * m_ <= made_rows_at_most) return {};
    const std::string values = std::to_string(std::exchange(n_, n)) + "' and '" + std::to_string(std::exchange(m_, m));
    return "size keys n and m cannot be '" + values + "' together, which are too many rows; allowed: n times m is 1 ... " +
           std::to_string(made_rows_at_most);
  }

  bool reads_input() const override { return true; }
  std::string read_input(const std::string& path, const std::string& format) override {
    if (!format.empty() && format != "matrix-market") return unknown_name("format", format, {"matrix-market"});
    if (names_n_) return "'n=' is for input that is made, and '" + path + "' is read; beside it, --size takes m= and by=";
    std::string bytes;
    if (std::string wrong = read_bytes(path, bytes); !wrong.empty()) return wrong;
    if (std::string wrong = parse_matrix(bytes, entries_); !wrong.empty()) return "'" + path + "': " + wrong;
    n_ = (entries_.rows + m_ - 1) / m_;
    if (n_ > blocks_at_most)
      return "size key m cannot be '" + std::to_string(m_) + "' for the " + std::to_string(entries_.rows) + " rows of '" + path +
             "'; allowed: " + std::to_string((entries_.rows - 1) / blocks_at_most + 1) + " ... " +
             std::to_string(numbers_at_most);
    forget_input();
    return {};
  }

  std::string size() const override { return "n=" + std::to_string(n_) + ",m=" + std::to_string(m_) + ",by=" + by_; }

  void make(std::uint64_t seed) {
    input_ = entries_.rows == 0 ? make_sparse_matrix(n_, m_, seed) : blocks_of_entries(entries_, m_);
  }
  void clear(unsigned) { matrix_.copy_from(input_); }
  std::uint64_t result() const { return matrix_.contents(); }
  void touch_all() const {
    matrix_.for_each([this](const float* block) { writes(block, m_ * m_); });
  }
  std::string defect() const { return wrong_factors(input_, matrix_); }

  template <class Run>
  void solve(Run& run) {
    for (std::size_t k = 0; k < n_; ++k) {
      run.writes(matrix_.block(k, k), m_ * m_);
      factorise(matrix_.block(k, k), m_);
      run.work(cycles(3));
      solve_beside(run, k);
      eliminate(run, k);
    }
  }

 private:
  /// Of a step that takes m³ / `of` products.
  std::uint64_t cycles(std::uint64_t of) const { return m_ * m_ * m_ / (of * lu_products_per_cycle) + 1; }

  /// Effect: declares that one block is read and another one changed.
  template <class Run>
  void touch_two(Run& run, const float* read, const float* changed) const {
    run.reads(read, m_ * m_);
    run.writes(changed, m_ * m_);
  }

  /// Effect: body(run, i) for k < i < n: in turn, or as a parallel loop.
  template <class Run, class Body>
  void for_rest(Run& run, std::size_t k, Body body) {
    if (by_ == "for") {
      run.loop(n_ - k - 1, [k, &body](Run& own, std::size_t i) { body(own, k + 1 + i); });
    } else {
      for (std::size_t i = k + 1; i < n_; ++i) body(run, i);
    }
  }

  /// Effect: solves the blocks to the right of the diagonal one and below it.
  template <class Run>
  void solve_beside(Run& run, std::size_t k) {
    typename Run::group blocks;
    for_rest(run, k, [&, this](Run& own, std::size_t j) {
      if (!matrix_.has(k, j)) return;
      blocks.put(own, [this, k, j](Run& task) {
        touch_two(task, matrix_.block(k, k), matrix_.block(k, j));
        solve_lower(matrix_.block(k, k), matrix_.block(k, j), m_);
        task.work(cycles(2));
      });
    });
    for_rest(run, k, [&, this](Run& own, std::size_t i) {
      if (!matrix_.has(i, k)) return;
      blocks.put(own, [this, k, i](Run& task) {
        touch_two(task, matrix_.block(k, k), matrix_.block(i, k));
        solve_upper(matrix_.block(k, k), matrix_.block(i, k), m_);
        task.work(cycles(2));
      });
    });
    blocks.wait(run);
  }

  /// Effect: takes from each block what the two beside the diagonal make of it; blocks come into being.
  template <class Run>
  void eliminate(Run& run, std::size_t k) {
    typename Run::group blocks;
    for_rest(run, k, [&, this](Run& own, std::size_t i) {
      if (!matrix_.has(i, k)) return;
      for (std::size_t j = k + 1; j < n_; ++j) {
        if (!matrix_.has(k, j)) continue;
        blocks.put(own, [this, k, i, j](Run& task) {
          float* const block = matrix_.make_block(i, j);
          task.reads(matrix_.block(i, k), m_ * m_);
          touch_two(task, matrix_.block(k, j), block);
          subtract_product(matrix_.block(i, k), matrix_.block(k, j), block, m_);
          task.work(cycles(1));
        });
      }
    });
    blocks.wait(run);
  }

  std::uint64_t n_ = 20, m_ = 20;
  std::string by_ = "single";
  bool names_n_ = false;
  matrix_entries entries_;  ///< of the input file; empty: there is none
  block_matrix input_, matrix_;
};

}  // namespace

std::vector<named_size> sparselu_sizes() {
  return {{"tiny", "n=8,m=5,by=single"},
          {"small", "n=20,m=20,by=single"},
          {"medium", "n=50,m=80,by=single"},
          {"paper", "n=100,m=100,by=single"}};
}

std::unique_ptr<workload> make_sparselu() { return std::make_unique<sparselu>(); }

}  // namespace TEFF_NAMESPACE::apps
