// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/fib/fib.h"

#include "apps/per_worker.h"
#include "apps/size_text.h"

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::uint64_t n_at_most = 45;
/// What a call computes beside its tasks: a comparison and an addition.
[[maybe_unused]] constexpr std::uint64_t units_per_call = 2;

/// Simulated time passes for a call; natively the call itself takes it.
inline void charge_call() {
#ifdef TEFF_SIMULATED
  this_task::charge(units_per_call);
#endif
}

[[gnu::noinline]] std::uint64_t fib_serial(std::uint64_t n) {
  charge_call();
  return n < 2 ? n : fib_serial(n - 1) + fib_serial(n - 2);
}

std::uint64_t fib_by_recurrence(std::uint64_t n) {
  std::uint64_t one_before = 1, current = 0;
  for (; n > 0; --n) one_before = std::exchange(current, current + one_before);
  return current;
}

/// fib(n) takes that many calls, each of them a task.
std::uint64_t calls(std::uint64_t n) { return 2 * fib_by_recurrence(n + 1) - 1; }

class fib final : public workload {
 public:
  std::string choose_size(const std::string& text) override {
    return parse_size(text, fib_sizes(),
                      {{{"n", &n_, 0, n_at_most, " (n=45 already has 3.7 thousand million tasks)"}},
                       {{"by", &by_, {"group", "future", "join"}}}});
  }

  std::string size() const override { return "n=" + std::to_string(n_) + ",by=" + by_; }

  void prepare(std::uint64_t, unsigned workers) override {
    counts_.clear(workers);
    result_ = tasks_ = 0;
  }

  void serial() override {
    result_ = fib_serial(n_);
    tasks_ = calls(n_);
  }

  void tasks(team& workers) override {
    workers.init([this](context& here) {
      if (by_ == "group") result_ = by_groups(here, n_);
      else if (by_ == "future") result_ = by_futures(here, n_);
      else result_ = by_joins(here, n_);
    });
    workers.run();
    counts_.for_each([&](std::uint64_t each) { tasks_ += each; });
  }

  std::string verify() const override {
    const std::uint64_t expected = fib_by_recurrence(n_);
    if (result_ != expected)
      return "fib " + size() + " gave " + std::to_string(result_) + " instead of " + std::to_string(expected);
    if (tasks_ != calls(n_))
      return "fib " + size() + " ran " + std::to_string(tasks_) + " tasks instead of " + std::to_string(calls(n_));
    return {};
  }

  std::uint64_t tasks_run() const override { return tasks_; }

 private:
  void begin_call(context& here) {
    ++counts_[here.worker_id()];
    charge_call();
  }

  std::uint64_t by_groups(context& here, std::uint64_t n) {
    begin_call(here);
    if (n < 2) return n;
    std::uint64_t two_before = 0, one_before = 0;
    task_group both;
    both.put(here, [this, n, &one_before](context& child) { one_before = by_groups(child, n - 1); });
    both.put(here, [this, n, &two_before](context& child) { two_before = by_groups(child, n - 2); });
    both.wait(here);
    return one_before + two_before;
  }

  std::uint64_t by_futures(context& here, std::uint64_t n) {
    begin_call(here);
    if (n < 2) return n;
    auto one_before = async(here, [this, n](context& child) { return by_futures(child, n - 1); });
    auto two_before = async(here, [this, n](context& child) { return by_futures(child, n - 2); });
    const std::uint64_t last = two_before.get(here);
    return one_before.get(here) + last;
  }

  std::uint64_t by_joins(context& here, std::uint64_t n) {
    begin_call(here);
    if (n < 2) return n;
    const auto [one_before, two_before] = join(
        here, [this, n](context& own) { return by_joins(own, n - 1); }, [this, n](context& own) { return by_joins(own, n - 2); });
    return one_before + two_before;
  }

  std::uint64_t n_ = 22;
  std::string by_ = "group";
  per_worker<std::uint64_t> counts_;
  std::uint64_t result_ = 0, tasks_ = 0;
};

}  // namespace

std::vector<named_size> fib_sizes() {
  return {{"tiny", "n=12,by=group"}, {"small", "n=22,by=group"}, {"medium", "n=27,by=group"}, {"paper", "n=35,by=group"}};
}

std::unique_ptr<workload> make_fib() { return std::make_unique<fib>(); }

}  // namespace TEFF_NAMESPACE::apps
