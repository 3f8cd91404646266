// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/quicksort/quicksort.h"

#include "apps/per_worker.h"
#include "apps/quicksort/integers.h"
#include "apps/quicksort/sorting.h"
#include "apps/random_stream.h"
#include "apps/size_text.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <new>

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::uint64_t n_at_most = 1'000'000'000;

/// What distinguishes integers in input and checksum.
std::uint64_t mixed(std::uint64_t x) { return random_stream::mixed(x + 0x9E3779B97F4A7C15u); }

/// The same for the same integers in any order; different, but for a chance of 2⁻⁶⁴, if they differ.
std::uint64_t checksum_of(const std::vector<std::int64_t>& integers) {
  std::uint64_t sum = 0;
  for (const std::int64_t each : integers) sum += mixed(static_cast<std::uint64_t>(each));
  return sum;
}

/// Bytes that new memory may take before the machine has none left; the largest number if that is not known.
std::uint64_t available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  for (std::uint64_t kibibytes = 0; file >> name >> kibibytes; std::getline(file, unit)) {
    if (name == "MemAvailable:") return kibibytes * 1024;
  }
  return std::numeric_limits<std::uint64_t>::max();
}

/// What all tasks of a run share.
struct shared_run {
  std::size_t threshold = 1;
  per_worker<std::uint64_t> tasks;
};

/// The task that sorts a part.
struct sort_task {
  shared_run* run;
  part own;

  void operator()(context& here) const {
    ++run->tasks[here.worker_id()];
    if (!is_to_be_cut(own, run->threshold)) {
      sort_rest(own);
      return;
    }
    const two_parts parts = partition(own);
    sort_or_put(here, parts.low);
    sort_or_put(here, parts.high);
  }

  void sort_or_put(context& here, const part& some) const {
    if (is_to_be_cut(some, run->threshold)) here.put(sort_task{run, some});
    else sort_rest(some);
  }
};

/// Returns: how many calls would be tasks.
std::uint64_t sort_serially(const part& own, std::size_t threshold) {
  if (!is_to_be_cut(own, threshold)) {
    sort_rest(own);
    return 0;
  }
  const two_parts parts = partition(own);
  return 1 + sort_serially(parts.low, threshold) + sort_serially(parts.high, threshold);
}

class quicksort final : public workload {
 public:
  std::string choose_size(const std::string& text) override {
    for (const char* key : {"n=", "kind="}) {
      if (text.starts_with(key) || text.find(std::string(",") + key) != std::string::npos) made_only_ = key;
    }
    return parse_size(text, quicksort_sizes(),
                      {{{"n", &n_, 0, n_at_most, " (input and result lie in memory, 8 bytes each)"},
                        {"threshold", &threshold_, 1, n_at_most, ""}},
                       {{"kind", &kind_, {"random", "sorted", "reversed", "equal"}}}});
  }

  std::string size() const override {
    const std::string amounts = "n=" + std::to_string(n_) + ",threshold=" + std::to_string(threshold_);
    return from_file_ ? amounts : amounts + ",kind=" + kind_;
  }

  bool reads_input() const override { return true; }
  std::string read_input(const std::string& path, const std::string& format) override {
    if (!made_only_.empty())
      return "'" + made_only_ + "' is for input that is made, and '" + path + "' is read; beside it, --size takes threshold=";
    integer_format chosen;
    if (std::string wrong = choose_format(chosen, path, format); !wrong.empty()) return wrong;
    if (std::string wrong = read_integers(path, chosen, input_); !wrong.empty()) return wrong;
    n_ = input_.size();
    from_file_ = true;
    take_input();
    return {};
  }

  void prepare(std::uint64_t seed, unsigned workers) override {
    if (!has_input_) make_input(seed);
    data_ = input_;
    run_.threshold = threshold_;
    run_.tasks.clear(workers);
    tasks_run_ = 0;
  }

  void serial() override {
    // The first part is a task even if it is not cut.
    tasks_run_ = std::max<std::uint64_t>(1, sort_serially(whole(data_.data(), data_.size()), threshold_));
    tasks_expected_ = tasks_run_;
  }

  void tasks(team& workers) override {
    workers.init(sort_task{&run_, whole(data_.data(), data_.size())});
    workers.run();
    run_.tasks.for_each([&](std::uint64_t each) { tasks_run_ += each; });
  }

  std::string verify() const override {
    if (data_.size() != input_.size()) return "quicksort lost or invented integers";
    const auto wrong = std::is_sorted_until(data_.begin(), data_.end());
    if (wrong != data_.end())
      return "quicksort " + size() + ": integer " + std::to_string(wrong - data_.begin()) + " is smaller than the one before it";
    if (checksum_of(data_) != checksum_) return "quicksort " + size() + ": the result is sorted, but holds other integers";
    if (tasks_expected_ != 0 && tasks_run_ != tasks_expected_)
      return "quicksort " + size() + " ran " + std::to_string(tasks_run_) + " tasks, the serial version " +
             std::to_string(tasks_expected_);
    return {};
  }

  std::uint64_t tasks_run() const override { return tasks_run_; }

  bool has_result() const override { return true; }

  std::string write_result(sink& to, const std::string& path, const std::string& format) const override {
    integer_format chosen;
    if (std::string wrong = choose_format(chosen, path, format); !wrong.empty()) return wrong;
    write_integers(to, chosen, data_.data(), data_.size());
    return {};
  }

 private:
  void make_input(std::uint64_t seed) {
    if (n_ > available_bytes() / (2 * sizeof(std::int64_t))) throw std::bad_alloc();
    input_.resize(n_);
    for (std::uint64_t i = 0; i < n_; ++i) input_[i] = made(seed, i);
    take_input();
  }

  std::int64_t made(std::uint64_t seed, std::uint64_t i) const {
    if (kind_ == "random") return static_cast<std::int64_t>(mixed(mixed(seed) + i));
    if (kind_ == "equal") return 7;
    return static_cast<std::int64_t>(kind_ == "sorted" ? i : n_ - i);
  }

  void take_input() {
    checksum_ = checksum_of(input_);
    has_input_ = true;
  }

  std::uint64_t n_ = 1'000'000, threshold_ = 1'000;
  std::string kind_ = "random";
  bool from_file_ = false, has_input_ = false;
  std::string made_only_;  ///< a key of --size that makes no sense beside an input file
  std::vector<std::int64_t> input_, data_;
  std::uint64_t checksum_ = 0;
  std::uint64_t tasks_run_ = 0;
  std::uint64_t tasks_expected_ = 0;  ///< by the serial version; 0: it has not run
  shared_run run_;
};

}  // namespace

std::vector<named_size> quicksort_sizes() {
  return {{"tiny", "n=20000,threshold=500,kind=random"},
          {"small", "n=1000000,threshold=1000,kind=random"},
          {"medium", "n=10000000,threshold=2000,kind=random"},
          {"paper", "n=100000000,threshold=10000,kind=random"}};
}

std::unique_ptr<workload> make_quicksort() { return std::make_unique<quicksort>(); }

}  // namespace TEFF_NAMESPACE::apps
