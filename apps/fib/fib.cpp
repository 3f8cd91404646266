// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/fib/fib.h"

#include "apps/per_worker.h"
#include "apps/size_text.h"

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::uint64_t n_at_most = 50;
/// With a cut-off: the root's depth is 0, and calls below this one are no tasks.
constexpr unsigned depth_of_tasks = 10;
/// What a call computes beside its tasks: a comparison and an addition.
[[maybe_unused]] constexpr std::uint64_t units_per_call = 2;

/// Simulated time passes for a call; natively the call itself takes it.
inline void charge_call() {
#ifdef TEFF_SIMULATED
  this_task::charge(units_per_call);
#endif
}

std::uint64_t fib_serial(std::uint64_t n) {
  charge_call();
  return n < 2 ? n : fib_serial(n - 1) + fib_serial(n - 2);
}

std::uint64_t fib_by_recurrence(std::uint64_t n) {
  std::uint64_t one_before = 1, current = 0;
  for (; n > 0; --n) one_before = std::exchange(current, current + one_before);
  return current;
}

/// fib(n) takes that many calls.
std::uint64_t calls(std::uint64_t n) { return 2 * fib_by_recurrence(n + 1) - 1; }
/// Of which that many have at most this depth.
std::uint64_t calls(std::uint64_t n, unsigned depth) {
  return n < 2 || depth == 0 ? 1 : 1 + calls(n - 1, depth - 1) + calls(n - 2, depth - 1);
}

class fib final : public workload {
 public:
  std::string choose_size(const std::string& text) override {
    return parse_size(text, fib_sizes(),
                      {{{"n", &n_, 0, n_at_most, " (n=45 already has 3.7 thousand million calls)"}},
                       {{"by", &by_, {"group", "future", "join"}}, {"cutoff", &cutoff_, {"none", "manual"}}}});
  }

  std::string size() const override { return "n=" + std::to_string(n_) + ",by=" + by_ + ",cutoff=" + cutoff_; }

  void prepare(std::uint64_t, unsigned workers) override {
    counts_.clear(workers);
    result_ = tasks_ = 0;
  }

  void serial() override {
    result_ = fib_serial(n_);
    tasks_ = expected_tasks();
  }

  void tasks(team& workers) override {
    workers.init([this](context& here) {
      const unsigned tasks_below = cutoff_ == "none" ? ~0u : depth_of_tasks;
      if (by_ == "group") result_ = by_groups(here, n_, tasks_below);
      else if (by_ == "future") result_ = by_futures(here, n_, tasks_below);
      else result_ = by_joins(here, n_, tasks_below);
    });
    workers.run();
    counts_.for_each([&](std::uint64_t each) { tasks_ += each; });
  }

  std::string verify() const override {
    const std::uint64_t expected = fib_by_recurrence(n_);
    if (result_ != expected)
      return "fib " + size() + " gave " + std::to_string(result_) + " instead of " + std::to_string(expected);
    if (tasks_ != expected_tasks())
      return "fib " + size() + " ran " + std::to_string(tasks_) + " tasks instead of " + std::to_string(expected_tasks());
    return {};
  }

  std::uint64_t tasks_run() const override { return tasks_; }

 private:
  std::uint64_t expected_tasks() const { return cutoff_ == "none" ? calls(n_) : calls(n_, depth_of_tasks); }

  void begin_call(context& here) {
    ++counts_[here.worker_id()];
    charge_call();
  }

  // `tasks_below`: levels of calls below this one that are tasks.

  std::uint64_t by_groups(context& here, std::uint64_t n, unsigned tasks_below) {
    begin_call(here);
    if (n < 2) return n;
    if (tasks_below == 0) return fib_serial(n - 1) + fib_serial(n - 2);
    std::uint64_t two_before = 0, one_before = 0;
    task_group both;
    both.put(here, [=, this, &one_before](context& child) { one_before = by_groups(child, n - 1, tasks_below - 1); });
    both.put(here, [=, this, &two_before](context& child) { two_before = by_groups(child, n - 2, tasks_below - 1); });
    both.wait(here);
    return one_before + two_before;
  }

  std::uint64_t by_futures(context& here, std::uint64_t n, unsigned tasks_below) {
    begin_call(here);
    if (n < 2) return n;
    if (tasks_below == 0) return fib_serial(n - 1) + fib_serial(n - 2);
    auto one_before = async(here, [=, this](context& child) { return by_futures(child, n - 1, tasks_below - 1); });
    auto two_before = async(here, [=, this](context& child) { return by_futures(child, n - 2, tasks_below - 1); });
    const std::uint64_t last = two_before.get(here);
    return one_before.get(here) + last;
  }

  std::uint64_t by_joins(context& here, std::uint64_t n, unsigned tasks_below) {
    begin_call(here);
    if (n < 2) return n;
    if (tasks_below == 0) return fib_serial(n - 1) + fib_serial(n - 2);
    const auto [one_before, two_before] = join(
        here, [=, this](context& own) { return by_joins(own, n - 1, tasks_below - 1); },
        [=, this](context& own) { return by_joins(own, n - 2, tasks_below - 1); });
    return one_before + two_before;
  }

  std::uint64_t n_ = 22;
  std::string by_ = "group", cutoff_ = "none";
  per_worker<std::uint64_t> counts_;
  std::uint64_t result_ = 0, tasks_ = 0;
};

}  // namespace

std::vector<named_size> fib_sizes() {
  return {{"tiny", "n=12,by=group,cutoff=none"},
          {"small", "n=22,by=group,cutoff=none"},
          {"medium", "n=27,by=group,cutoff=none"},
          {"paper", "n=50,by=group,cutoff=manual"}};
}

std::unique_ptr<workload> make_fib() { return std::make_unique<fib>(); }

}  // namespace TEFF_NAMESPACE::apps
