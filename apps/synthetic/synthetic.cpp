// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/synthetic/synthetic.h"

#include "apps/per_worker.h"
#include "apps/size_text.h"

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::uint64_t k_at_most = 45;
constexpr std::uint64_t f_at_most = 1'000'000;

/// What a set of tasks leaves behind, in whatever order they ran: how many, and the sum over their arguments.
struct trace_of_tasks {
  std::uint64_t tasks = 0;
  std::uint64_t checksum = 0;

  void add(std::int32_t i) {
    const std::uint64_t argument = static_cast<std::uint64_t>(static_cast<std::int64_t>(i) + 2);
    ++tasks;
    // A square, so that A(1) and A(3) do not pass for two times A(2); odd, so that no bit is lost.
    checksum += argument * argument * 0x9E3779B97F4A7C15u + 1;
  }
  trace_of_tasks& operator+=(const trace_of_tasks& other) {
    tasks += other.tasks;
    checksum += other.checksum;
    return *this;
  }
  bool operator==(const trace_of_tasks&) const = default;
};

/// {units} of the productions; with f = 0 nothing is called, so that empty tasks measure the pool alone.
inline void compute(std::uint64_t units) {
  if (units != 0) this_task::charge(units);
}

/// What all tasks of a run share.
struct shared_run {
  std::uint64_t f = 0;
  per_worker<trace_of_tasks> traces;
};

/// The task A(i).
struct task_a {
  shared_run* run;
  std::int32_t i;

  void operator()(context& here) const {
    run->traces[here.worker_id()].add(i);
    const std::uint64_t f = run->f;
    if (i > 0) {
      compute(10 * f);
      here.put(task_a{run, i - 2});
      compute(50 * f);
      here.put(task_a{run, i - 1});
    }
    compute(100 * f);
  }
};

void serial_a(trace_of_tasks& trace, std::uint64_t f, std::int32_t i) {
  trace.add(i);
  if (i > 0) {
    compute(10 * f);
    serial_a(trace, f, i - 2);
    compute(50 * f);
    serial_a(trace, f, i - 1);
  }
  compute(100 * f);
}

/// The trace of P(k), without running it: of the tasks below A(i) from those below A(i−1) and A(i−2).
trace_of_tasks expected_trace(std::uint64_t k) {
  trace_of_tasks two_before, one_before, sum;  // below A(i−2), A(i−1); of A(0) … A(i)
  two_before.add(-1);
  one_before.add(0);
  sum = one_before;
  for (std::int32_t i = 1; i < static_cast<std::int32_t>(k); ++i) {
    trace_of_tasks own;
    own.add(i);
    own += one_before;
    own += two_before;
    two_before = one_before;
    one_before = own;
    sum += own;
  }
  return sum;
}

class synthetic final : public workload {
 public:
  std::string choose_size(const std::string& text) override {
    return parse_size(text, synthetic_sizes(),
                      {{{"k", &k_, 1, k_at_most, " (k=45 already has 9.6 thousand million tasks)"},
                        {"f", &f_, 0, f_at_most, " (a factor of 1000000 is about a tenth of a second per task)"}},
                       {}});
  }

  std::string size() const override { return "k=" + std::to_string(k_) + ",f=" + std::to_string(f_); }

  void prepare(std::uint64_t, unsigned workers) override {
    run_.f = f_;
    run_.traces.clear(workers);
    result_ = {};
  }

  void serial() override {
    trace_of_tasks trace;
    for (auto i = static_cast<std::int32_t>(k_) - 1; i >= 0; --i) serial_a(trace, f_, i);
    result_ = trace;
  }

  void tasks(team& workers) override {
    for (auto i = static_cast<std::int32_t>(k_) - 1; i >= 0; --i) workers.init(task_a{&run_, i});
    workers.run();
    run_.traces.for_each([&](const trace_of_tasks& each) { result_ += each; });
  }

  std::string verify() const override {
    const trace_of_tasks expected = expected_trace(k_);
    if (result_.tasks != expected.tasks)
      return "synthetic " + size() + " ran " + std::to_string(result_.tasks) + " tasks instead of " +
             std::to_string(expected.tasks);
    if (result_ != expected) return "synthetic " + size() + " ran the right number of tasks, but not the right tasks";
    return {};
  }

  std::uint64_t tasks_run() const override { return result_.tasks; }

 private:
  std::uint64_t k_ = 22, f_ = 5;
  shared_run run_;
  trace_of_tasks result_;
};

}  // namespace

std::vector<named_size> synthetic_sizes() {
  return {{"tiny", "k=12,f=5"}, {"small", "k=22,f=5"}, {"medium", "k=26,f=40"}, {"paper", "k=32,f=40"}};
}

std::unique_ptr<workload> make_synthetic() { return std::make_unique<synthetic>(); }

std::uint64_t synthetic_task_count(std::uint64_t k) { return expected_trace(k).tasks; }

}  // namespace TEFF_NAMESPACE::apps
