// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/loop/loop.h"

#include "apps/declared_memory.h"
#include "apps/size_text.h"

#include <functional>

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::uint64_t n_at_most = 100'000'000, work_at_most = 1'000'000, sweeps_at_most = 1'000'000;

/// What iteration i adds in each sweep: odd, so that no number of sweeps but 0 makes it vanish.
constexpr std::uint64_t value_of(std::uint64_t i) { return (2 * i + 1) * 0x9E3779B97F4A7C15u; }

/// Of all iterations: (2i + 1) from 0 to n − 1 add up to n².
constexpr std::uint64_t sum_of_values(std::uint64_t n) { return n * n * 0x9E3779B97F4A7C15u; }

class loop final : public workload {
 public:
  std::string choose_size(const std::string& text) override {
    return parse_size(
        text, loop_sizes(),
        {{{"n", &n_, 0, n_at_most, ""}, {"work", &work_, 0, work_at_most, ""}, {"sweeps", &sweeps_, 1, sweeps_at_most, ""}},
         {{"shape", &shape_, {"even", "ramp"}}, {"by", &by_, {"for", "reduce"}}}});
  }

  std::string size() const override {
    return "n=" + std::to_string(n_) + ",work=" + std::to_string(work_) + ",shape=" + shape_ +
           ",sweeps=" + std::to_string(sweeps_) + ",by=" + by_;
  }

  void prepare(std::uint64_t, unsigned) override {
    elements_.assign(has_array() ? n_ : 0, 0);
    sum_ = swept_ = 0;
  }

  void touch_input() override { writes(elements_.data(), elements_.size()); }

  void serial() override {
    for (; swept_ < sweeps_; ++swept_) {
      for (std::uint64_t i = 0; i < n_; ++i) {
        if (has_array()) visit(i);
        else sum_ += mapped(i);
      }
    }
  }

  void tasks(team& workers) override {
    workers.init([this](context& here) {
      for (; swept_ < sweeps_; ++swept_) {
        if (has_array()) parallel_for(here, std::uint64_t{0}, n_, [this](std::uint64_t i) { visit(i); });
        else
          sum_ += parallel_reduce(
              here, std::uint64_t{0}, n_, std::uint64_t{0}, [this](std::uint64_t i) { return mapped(i); }, std::plus<>());
      }
    });
    workers.run();
  }

  std::string verify() const override {
    if (swept_ != sweeps_) return "loop " + size() + " ended after " + std::to_string(swept_) + " sweeps";
    if (!has_array() && sum_ != sweeps_ * sum_of_values(n_))
      return "loop " + size() + " gave " + std::to_string(sum_) + " instead of " + std::to_string(sweeps_ * sum_of_values(n_));
    for (std::uint64_t i = 0; i < elements_.size(); ++i) {
      if (elements_[i] == sweeps_ * value_of(i)) continue;
      return "loop " + size() + " did not visit iteration " + std::to_string(i) + " once in each sweep";
    }
    return {};
  }

  std::uint64_t tasks_run() const override { return n_ * swept_; }

 private:
  bool has_array() const { return by_ == "for"; }

  /// Effect: takes the time of iteration i. With no work nothing is called.
  void work(std::uint64_t i) const {
    if (work_ != 0) this_task::charge(shape_ == "even" ? work_ : 2 * work_ * i / n_);
  }
  void visit(std::uint64_t i) {
    work(i);
    elements_[i] += value_of(i);
    writes(&elements_[i]);
  }
  std::uint64_t mapped(std::uint64_t i) const {
    work(i);
    return value_of(i);
  }

  std::uint64_t n_ = 100'000, work_ = 100, sweeps_ = 1;
  std::string shape_ = "even", by_ = "for";
  declared_vector<std::uint64_t> elements_;
  std::uint64_t sum_ = 0, swept_ = 0;
};

}  // namespace

std::vector<named_size> loop_sizes() {
  return {{"tiny", "n=1000,work=20,shape=even,sweeps=2,by=for"},
          {"small", "n=100000,work=100,shape=even,sweeps=1,by=for"},
          {"medium", "n=1000000,work=100,shape=even,sweeps=1,by=for"},
          {"paper", "n=10000000,work=100,shape=even,sweeps=10,by=for"}};
}

std::unique_ptr<workload> make_loop() { return std::make_unique<loop>(); }

}  // namespace TEFF_NAMESPACE::apps
