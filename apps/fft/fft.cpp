// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/fft/fft.h"

#include "apps/in_tasks.h"
#include "apps/random_stream.h"
#include "apps/size_text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::uint64_t fft_numbers_at_most = std::uint64_t{1} << 28;
/// Of four numbers that are combined, and of a number and a level in a part that one task transforms.
constexpr std::uint64_t cycles_per_four = 24, cycles_per_level = 4;

/// As std::complex, but its product asks for no NaN.
struct complex_number {
  double real, imaginary;

  complex_number operator+(complex_number other) const { return {real + other.real, imaginary + other.imaginary}; }
  complex_number operator-(complex_number other) const { return {real - other.real, imaginary - other.imaginary}; }
  complex_number operator*(complex_number other) const {
    return {real * other.real - imaginary * other.imaginary, real * other.imaginary + imaginary * other.real};
  }
  /// Returns: it times −i.
  complex_number turned() const { return {imaginary, -real}; }
};

/// A transform that runs: of every stride-th input, into adjoining numbers.
struct transform_part {
  const complex_number* input;
  std::size_t stride;
  complex_number* output;
  std::size_t size;
};

/// Whether `output` is the transform of `input`, but for rounding: of all outputs, each turned by half a root of one more than
/// the output before, the sum is compared with what the definition makes of it. Cost: O(n).
bool is_transform(const declared_vector<complex_number>& input, const declared_vector<complex_number>& output) {
  const double n = static_cast<double>(input.size());
  complex_number expected{}, found{};
  for (std::size_t i = 0; i < input.size(); ++i) {
    const double at = static_cast<double>(i), angle = std::numbers::pi * at / n;
    found = found + output[i] * complex_number{std::cos(angle), std::sin(angle)};
    // The sum over k of e^(πik/n) · e^(−2πijk/n) is a geometric one of −1 in all: 2/(1 − e^(πi(1 − 2j)/n)).
    // That is 1 + i · cot(π(1 − 2j)/(2n)), whose angle is taken from the nearer pole: from the other one its last bits count.
    const double odd = at <= n / 2 ? 1 - 2 * at : 1 + 2 * (n - at);
    expected = expected + input[i] * complex_number{1, 1 / std::tan(std::numbers::pi * odd / (2 * n))};
  }
  const complex_number difference = found - expected;
  return std::hypot(difference.real, difference.imaginary) <= 1e-11 * n;
}

/// The transform of `size` numbers. Idea: the transforms of every fourth number, then four of them are combined at a time; what
/// is left where the size is no power of four is two numbers.
class transformer {
 public:
  void choose(std::size_t size, std::size_t threshold) {
    threshold_ = threshold;
    if (roots_.size() == size) return;
    roots_.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      const double angle = -2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size);
      roots_[i] = {std::cos(angle), std::sin(angle)};
    }
  }

  void touch_roots() const { writes(roots_.data(), roots_.size()); }

  template <class Run>
  void transform(Run& run, const transform_part& all) const {
    if (all.size <= std::max<std::size_t>(threshold_, 2)) {
      touch_transformed(run, all);
      transform_at_once(all);
      run.work(all.size * static_cast<std::uint64_t>(std::bit_width(all.size) - 1) * cycles_per_level);
      return;
    }
    typename Run::group quarters;
    for (std::size_t i = 0; i < 4; ++i) quarters.put(run, [this, own = quarter(all, i)](Run& task) { transform(task, own); });
    quarters.wait(run);
    combine(run, all, 0, all.size / 4);
  }

  void transform_at_once(const transform_part& all) const {
    if (all.size == 1) {
      all.output[0] = all.input[0];
    } else if (all.size == 2) {
      const complex_number first = all.input[0], second = all.input[all.stride];
      all.output[0] = first + second;
      all.output[1] = first - second;
    } else if (all.size == 4) {
      const complex_number* const input = all.input;
      put_sums(all.output, 1, input[0], input[all.stride], input[2 * all.stride], input[3 * all.stride]);
    } else {
      for (std::size_t i = 0; i < 4; ++i) transform_at_once(quarter(all, i));
      combine_at_once(all, 0, all.size / 4);
    }
  }

 private:
  static transform_part quarter(const transform_part& of, std::size_t i) {
    return {of.input + i * of.stride, 4 * of.stride, of.output + i * (of.size / 4), of.size / 4};
  }

  /// Effect: combines the numbers of the quarters from `begin` on, by halves.
  template <class Run>
  void combine(Run& run, const transform_part& all, std::size_t begin, std::size_t end) const {
    if (end - begin <= threshold_) {
      touch_combined(run, all, begin, end);
      combine_at_once(all, begin, end);
      run.work((end - begin) * cycles_per_four);
      return;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    typename Run::group halves;
    halves.put(run, [this, &all, begin, middle](Run& task) { combine(task, all, begin, middle); });
    halves.put(run, [this, &all, middle, end](Run& task) { combine(task, all, middle, end); });
    halves.wait(run);
  }

  /// Effect: declares what transform_at_once, or combine_at_once, reads and writes.
  template <class Run>
  [[gnu::noinline]] static void touch_transformed(Run& run, const transform_part& all) {
    if constexpr (!declares_memory) return;
    for (std::size_t i = 0; i < all.size; ++i) run.reads(all.input + i * all.stride);
    run.writes(all.output, all.size);
  }
  template <class Run>
  [[gnu::noinline]] void touch_combined(Run& run, const transform_part& all, std::size_t begin, std::size_t end) const {
    if constexpr (!declares_memory) return;
    const std::size_t quarter = all.size / 4, step = roots_.size() / all.size;
    for (std::size_t turns = 1; turns < 4; ++turns) {
      for (std::size_t i = begin; i < end; ++i) run.reads(&roots_[turns * i * step]);
    }
    for (std::size_t i = 0; i < 4; ++i) run.writes(all.output + i * quarter + begin, end - begin);
  }

  void combine_at_once(const transform_part& all, std::size_t begin, std::size_t end) const {
    const std::size_t quarter = all.size / 4, step = roots_.size() / all.size;
    complex_number *const first = all.output, *const second = first + quarter, *const third = second + quarter,
                          *const fourth = third + quarter;
    for (std::size_t i = begin; i < end; ++i) {
      put_sums(first + i, quarter, first[i], second[i] * roots_[i * step], third[i] * roots_[2 * i * step],
               fourth[i] * roots_[3 * i * step]);
    }
  }

  /// Effect: writes the transform of four numbers, so far apart.
  static void put_sums(complex_number* output, std::size_t apart, complex_number a, complex_number b, complex_number c,
                       complex_number d) {
    const complex_number even = a + c, even_difference = a - c, odd = b + d, odd_difference = (b - d).turned();
    output[0] = even + odd;
    output[apart] = even_difference + odd_difference;
    output[2 * apart] = even - odd;
    output[3 * apart] = even_difference - odd_difference;
  }

  std::size_t threshold_ = 1;
  declared_vector<complex_number> roots_;
};

class fft final : public in_tasks<fft> {
 public:
  static constexpr const char* name = "fft";
  static constexpr const char* compared = "the transform, bit for bit,";
  static constexpr bool tasks_vary = false;

  std::string choose_size(const std::string& text) override {
    const std::uint64_t before = n_;
    if (std::string wrong = parse_size(text, fft_sizes(),
                                       {{{"n", &n_, 1, fft_numbers_at_most, " that are a power of two"},
                                         {"threshold", &threshold_, 1, fft_numbers_at_most, ""}},
                                        {}});
        !wrong.empty())
      return wrong;
    if (std::has_single_bit(n_)) return {};
    const std::string value = std::to_string(std::exchange(n_, before));
    return "size key n cannot be '" + value + "', which is no power of two; allowed: 1, 2, 4 ... " +
           std::to_string(fft_numbers_at_most);
  }

  std::string size() const override { return "n=" + std::to_string(n_) + ",threshold=" + std::to_string(threshold_); }

  void make(std::uint64_t seed) {
    random_stream from(seed);
    input_.resize(n_);
    for (complex_number& each : input_) each = {from.unit() - 0.5, from.unit() - 0.5};
    output_.resize(n_);
    transformer_.choose(n_, threshold_);
  }
  void clear(unsigned) { std::fill(output_.begin(), output_.end(), complex_number{}); }
  void touch_all() const {
    transformer_.touch_roots();
    for (const auto* numbers : {&input_, &output_}) writes(numbers->data(), n_);
  }
  std::uint64_t result() const { return fingerprint(output_.data(), output_.size() * sizeof output_[0]); }

  std::string defect() const {
    return is_transform(input_, output_) ? "" : "a sum of the results is not what the definition says of it";
  }

  template <class Run>
  void solve(Run& run) {
    transformer_.transform(run, {input_.data(), 1, output_.data(), n_});
  }

 private:
  std::uint64_t n_ = 65'536, threshold_ = 32;
  declared_vector<complex_number> input_, output_;
  transformer transformer_;
};

}  // namespace

std::vector<named_size> fft_sizes() {
  return {{"tiny", "n=256,threshold=16"},
          {"small", "n=65536,threshold=32"},
          {"medium", "n=4194304,threshold=32"},
          {"paper", "n=33554432,threshold=32"}};
}

std::unique_ptr<workload> make_fft() { return std::make_unique<fft>(); }

std::vector<std::complex<double>> fourier_transform(const std::vector<std::complex<double>>& input) {
  std::vector<complex_number> from(input.size()), to(input.size());
  for (std::size_t i = 0; i < input.size(); ++i) from[i] = {input[i].real(), input[i].imag()};
  transformer own;
  own.choose(input.size(), input.size());
  own.transform_at_once({from.data(), 1, to.data(), to.size()});
  std::vector<std::complex<double>> result;
  for (const complex_number& each : to) result.emplace_back(each.real, each.imaginary);
  return result;
}

}  // namespace TEFF_NAMESPACE::apps
