// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/strassen/strassen.h"

#include "apps/in_tasks.h"
#include "apps/input_file.h"
#include "apps/matrix_file.h"
#include "apps/random_stream.h"
#include "apps/size_text.h"
#include "apps/strassen/matrix_parts.h"

#include <bit>

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::uint64_t rows_at_most = 16'384;
/// Products with their addition in a cycle, and numbers that the additions of a level take in a cycle: two to a register, as on
/// any x86-64, two of which are multiplied and added in a cycle, half of the time for loads.
constexpr std::uint64_t strassen_products_per_cycle = 2, sums_per_cycle = 2, additions = 15;

class strassen final : public in_tasks<strassen> {
 public:
  static constexpr const char* name = "strassen";
  static constexpr const char* compared = "the product, bit for bit,";
  static constexpr bool tasks_vary = false;

  std::string choose_size(const std::string& text) override {
    const std::uint64_t before = n_;
    names_n_ = names_size_key(text, "n");
    std::string wrong =
        parse_size(text, strassen_sizes(),
                   {{{"n", &n_, 1, rows_at_most, " that are a power of two"}, {"base", &base_, 1, rows_at_most, ""}},
                    {{"cutoff", &cutoff_, {"none", "manual"}}}});
    levels_put_ = cutoff_ == "none" ? ~0u : task_levels;
    if (!wrong.empty()) return wrong;
    if (std::has_single_bit(n_)) return {};
    const std::string value = std::to_string(std::exchange(n_, before));
    return "size key n cannot be '" + value + "', which is no power of two; allowed: 1, 2, 4 ... " + std::to_string(rows_at_most);
  }

  bool reads_input() const override { return true; }
  std::string read_input(const std::string& path, const std::string& format) override {
    if (!format.empty() && format != "matrix-market") return unknown_name("format", format, {"matrix-market"});
    if (names_n_) return "'n=' is for input that is made, and '" + path + "' is read; beside it, --size takes base= and cutoff=";
    std::string bytes;
    if (std::string wrong = read_bytes(path, bytes); !wrong.empty()) return wrong;
    matrix_entries read;
    if (std::string wrong = parse_matrix(bytes, read); !wrong.empty()) return "'" + path + "': " + wrong;
    if (!std::has_single_bit(read.rows) || read.rows > rows_at_most)
      return "'" + path + "' has " + std::to_string(read.rows) + " rows; allowed: 1, 2, 4 ... " + std::to_string(rows_at_most);
    entries_ = std::move(read);
    n_ = entries_.rows;
    forget_input();
    return {};
  }

  std::string size() const override {
    return "n=" + std::to_string(n_) + ",base=" + std::to_string(base_) + ",cutoff=" + cutoff_;
  }

  void make(std::uint64_t seed) {
    random_stream from(seed);
    for (auto* matrix : {&a_, &b_}) {
      *matrix = zeros<double>(n_ * n_);
      if (entries_.rows != 0) {
        for (const auto& [row, column, value] : entries_.all) (*matrix)[row * n_ + column] = value;
      } else {
        for (std::size_t i = 0; i < n_ * n_; ++i) (*matrix)[i] = from.unit() - 0.5;
      }
    }
    c_ = declared_array<double>(n_ * n_);
  }
  void clear(unsigned) { std::fill_n(c_.get(), n_ * n_, 0.0); }
  void touch_all() const {
    for (const auto* matrix : {&a_, &b_, &c_}) writes(matrix->get(), n_ * n_);
  }
  std::uint64_t result() const { return fingerprint(c_.get(), n_ * n_ * sizeof(double)); }

  std::string defect() const {
    return is_product(c_.get(), a_.get(), b_.get(), n_) ? "" : "C times a vector is not A times B times it";
  }

  template <class Run>
  void solve(Run& run) {
    multiply(run, {{c_.get(), n_}, {a_.get(), n_}, {b_.get(), n_}}, n_, 1);
  }

 private:
  static constexpr unsigned task_levels = 3;  ///< with a cut-off: the root's is the first, and those above the last one put

  /// to = left · right
  struct product {
    matrix_part to, left, right;
  };

  /// A level of the recursion: the seven products, and memory for what is neither in the factors nor in the result.
  struct level {
    level(const product& whole, std::size_t size) : memory(11 * size * size) {
      matrix_part parts[11];
      for (std::size_t i = 0; i < 11; ++i) parts[i] = {memory.get() + i * size * size, size};
      sums = {{parts[0], parts[1], parts[2], parts[3]}, {parts[4], parts[5], parts[6], parts[7]}};
      const auto [c, a, b] = whole;
      const auto of = [size](matrix_part some, std::size_t lower, std::size_t right) { return some.quarter(lower, right, size); };
      products[0] = {parts[8], of(a, 0, 0), of(b, 0, 0)};
      products[1] = {of(c, 0, 0), of(a, 0, 1), of(b, 1, 0)};
      products[2] = {of(c, 0, 1), sums.s[3], of(b, 1, 1)};
      products[3] = {of(c, 1, 0), of(a, 1, 1), sums.t[3]};
      products[4] = {of(c, 1, 1), sums.s[0], sums.t[0]};
      products[5] = {parts[9], sums.s[1], sums.t[1]};
      products[6] = {parts[10], sums.s[2], sums.t[2]};
    }

    declared_array<double> memory;
    strassen_sums sums;
    product products[7];
  };

  template <class Run>
  static void read_part(Run& run, matrix_part part, std::size_t rows) {
    if constexpr (declares_memory)
      touch_rows(part, rows, [&run](const double* from, std::size_t count) { run.reads(from, count); });
  }
  template <class Run>
  static void write_part(Run& run, matrix_part part, std::size_t rows) {
    if constexpr (declares_memory) touch_rows(part, rows, [&run](const double* to, std::size_t count) { run.writes(to, count); });
  }

  template <class Run>
  [[gnu::noinline]] static void touch_product(Run& run, const product& whole, std::size_t rows) {
    read_part(run, whole.left, rows);
    read_part(run, whole.right, rows);
    write_part(run, whole.to, rows);
  }
  template <class Run>
  [[gnu::noinline]] static void touch_sums(Run& run, const product& whole, const level& own, std::size_t rows) {
    read_part(run, whole.left, rows);
    read_part(run, whole.right, rows);
    run.writes(own.memory.get(), 8 * (rows / 2) * (rows / 2));
  }
  /// The first, sixth and seventh product have memory of their own.
  template <class Run>
  [[gnu::noinline]] static void touch_combined(Run& run, const product& whole, const level& own, std::size_t rows) {
    const std::size_t part = (rows / 2) * (rows / 2);
    run.reads(own.memory.get() + 8 * part, 3 * part);
    write_part(run, whole.to, rows);
  }

  template <class Run>
  void multiply(Run& run, const product& whole, std::size_t rows, unsigned depth) {
    if (rows <= base_) {
      touch_product(run, whole, rows);
      multiply_directly(whole.to, whole.left, whole.right, rows);
      run.work(rows * rows * rows / strassen_products_per_cycle + rows * rows);
      return;
    }
    const std::size_t size = rows / 2;
    const level own(whole, size);
    touch_sums(run, whole, own, rows);
    add_quarters(own.sums, whole.left, whole.right, size);
    const bool in_tasks_below = depth < levels_put_;
    typename Run::group below;
    for (const product& each : own.products)
      put_or_call(run, below, in_tasks_below, [this, &each, size, depth](Run& task) { multiply(task, each, size, depth + 1); });
    below.wait(run);
    touch_combined(run, whole, own, rows);
    combine_products(whole.to, own.products[0].to, own.products[5].to, own.products[6].to, size);
    run.work(additions * size * size / sums_per_cycle);
  }

  std::uint64_t n_ = 256, base_ = 64;
  std::string cutoff_ = "none";
  unsigned levels_put_ = ~0u;  ///< products in so many levels are tasks, but for the first one's
  bool names_n_ = false;
  matrix_entries entries_;  ///< of the input file; without rows: there is none
  declared_array<double> a_, b_, c_;
};

}  // namespace

std::vector<named_size> strassen_sizes() {
  return {{"tiny", "n=16,base=4,cutoff=none"},
          {"small", "n=256,base=64,cutoff=none"},
          {"medium", "n=2048,base=64,cutoff=none"},
          {"paper", "n=8192,base=64,cutoff=none"},
          {"paper-shared", "n=8192,base=128,cutoff=none"}};
}

std::unique_ptr<workload> make_strassen() { return std::make_unique<strassen>(); }

}  // namespace TEFF_NAMESPACE::apps
