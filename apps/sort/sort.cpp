// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "apps/sort/sort.h"

#include "apps/in_tasks.h"
#include "apps/random_stream.h"
#include "apps/size_text.h"
#include "apps/sort/merging.h"

#include <algorithm>
#include <bit>

namespace TEFF_NAMESPACE::apps {

namespace {

constexpr std::uint64_t integers_at_most = 1'000'000'000;
/// Quicksort leaves parts of so many integers to insertion.
constexpr std::ptrdiff_t inserted_at_most = 20;
/// In which an integer is merged from memory (from a cache it takes 9); and in which it passes a level of quicksort.
constexpr std::uint64_t cycles_per_merged = 13, cycles_per_sorted = 7;

void sort_by_insertion(std::int64_t* begin, std::int64_t* end) {
  for (std::int64_t* next = begin; next < end; ++next) {
    const std::int64_t own = *next;
    std::int64_t* hole = next;
    for (; hole != begin && own < hole[-1]; --hole) *hole = hole[-1];
    *hole = own;
  }
}

/// Effect: sorts by quicksort; what is bad for it, by heap sort from `depth` partitions on.
void sort_serially(std::int64_t* begin, std::int64_t* end, unsigned depth) {
  while (end - begin > inserted_at_most) {
    if (depth-- == 0) {
      std::make_heap(begin, end);
      std::sort_heap(begin, end);
      return;
    }
    const std::int64_t first = *begin, middle = begin[(end - begin) / 2], last = end[-1];
    const std::int64_t pivot = std::max(std::min(first, middle), std::min(std::max(first, middle), last));
    std::int64_t *low = begin, *high = end - 1;
    while (true) {
      while (*low < pivot) ++low;
      while (pivot < *high) --high;
      if (low >= high) break;
      std::swap(*low++, *high--);
    }
    // What is below `low` is not greater than the pivot, what is from it on not less.
    if (low - begin < end - low) {
      sort_serially(begin, low, depth);
      begin = low;
    } else {
      sort_serially(low, end, depth);
      end = low;
    }
  }
  sort_by_insertion(begin, end);
}

class merge_sort final : public in_tasks<merge_sort> {
 public:
  static constexpr const char* name = "sort";
  static constexpr const char* compared = "the order of the integers";
  static constexpr bool tasks_vary = false;

  std::string choose_size(const std::string& text) override {
    return parse_size(text, sort_sizes(),
                      {{{"n", &n_, 0, integers_at_most, " (8 bytes each, three times)"},
                        {"threshold", &threshold_, 4, integers_at_most, " (a part is cut in four)"}},
                       {}});
  }

  std::string size() const override { return "n=" + std::to_string(n_) + ",threshold=" + std::to_string(threshold_); }

  void make(std::uint64_t seed) {
    input_.resize(n_);
    data_.resize(n_);
    other_.resize(n_);
    random_stream from(seed);
    std::generate(input_.begin(), input_.end(), [&] { return static_cast<std::int64_t>(from.next()); });
  }
  void clear(unsigned) {
    std::copy(input_.begin(), input_.end(), data_.begin());
    std::fill(other_.begin(), other_.end(), 0);
  }
  void touch_all() const {
    writes(data_.data(), n_);
    writes(other_.data(), n_);
  }
  /// Returns: what std::sort makes of it; the serial version counts the tasks.
  std::uint64_t expected() {
    in_tasks::expected();
    std::copy(input_.begin(), input_.end(), data_.begin());
    std::sort(data_.begin(), data_.end());
    return result();
  }
  std::uint64_t result() const { return fingerprint(data_.data(), data_.size() * sizeof data_[0]); }

  template <class Run>
  void solve(Run& run) {
    sort(run, data_.data(), other_.data(), n_);
  }

 private:
  /// Effect: sorts `size` integers at `data`; `room` is as large.
  template <class Run>
  void sort(Run& run, std::int64_t* data, std::int64_t* room, std::size_t size) {
    if (size <= threshold_) {
      const auto levels = static_cast<unsigned>(std::bit_width(size | 1)) - 1;
      touch_sorted(run, data, size);
      sort_serially(data, data + size, 2 * levels + 2);
      run.work(size * levels * cycles_per_sorted);
      return;
    }
    const std::size_t quarter = size / 4;
    const std::size_t at[5] = {0, quarter, 2 * quarter, 3 * quarter, size};
    typename Run::group quarters, halves;
    for (unsigned i = 0; i < 4; ++i) {
      quarters.put(run, [this, from = data + at[i], beside = room + at[i], count = at[i + 1] - at[i]](Run& task) {
        sort(task, from, beside, count);
      });
    }
    quarters.wait(run);
    const auto part = [&at](const std::int64_t* in, unsigned from, unsigned to) {
      return sorted_part{in + at[from], in + at[to]};
    };
    const merge_of_two both[2] = {{part(data, 0, 1), part(data, 1, 2), room}, {part(data, 2, 3), part(data, 3, 4), room + at[2]}};
    for (const merge_of_two& each : both) halves.put(run, [this, &each](Run& task) { merge(task, each); });
    halves.wait(run);
    merge(run, {part(room, 0, 2), part(room, 2, 4), data});
  }

  template <class Run>
  void merge(Run& run, const merge_of_two& all) {
    if (all.size() <= threshold_) {
      touch_merged(run, all);
      merge_serially(all);
      run.work(all.size() * cycles_per_merged);
      return;
    }
    const two_merges parts = divide_merge(all);
    touch_searched(run, all);
    typename Run::group both;
    both.put(run, [this, &parts](Run& task) { merge(task, parts.low); });
    both.put(run, [this, &parts](Run& task) { merge(task, parts.high); });
    both.wait(run);
  }

  template <class Run>
  [[gnu::noinline]] static void touch_sorted(Run& run, const std::int64_t* data, std::size_t size) {
    run.writes(data, size);
  }
  template <class Run>
  [[gnu::noinline]] static void touch_merged(Run& run, const merge_of_two& all) {
    run.reads(all.one.begin, all.one.size());
    run.reads(all.other.begin, all.other.size());
    run.writes(all.to, all.size());
  }
  /// Effect: declares what divide_merge looked at.
  template <class Run>
  [[gnu::noinline]] static void touch_searched(Run& run, const merge_of_two& all) {
    if constexpr (!declares_memory) return;
    const bool first_is_greater = all.one.size() >= all.other.size();
    const sorted_part &greater = first_is_greater ? all.one : all.other, &lesser = first_is_greater ? all.other : all.one;
    const std::int64_t* const middle = greater.begin + greater.size() / 2;
    run.reads(middle);
    const auto is_less = [&run](const std::int64_t& one, const std::int64_t& other) {
      run.reads(&one);
      return one < other;
    };
    static_cast<void>(std::lower_bound(lesser.begin, lesser.end, *middle, is_less));
  }

  std::uint64_t n_ = 1'000'000, threshold_ = 2'048;
  std::vector<std::int64_t> input_;
  declared_vector<std::int64_t> data_, other_;
};

}  // namespace

std::vector<named_size> sort_sizes() {
  return {{"tiny", "n=2000,threshold=100"},
          {"small", "n=1000000,threshold=2048"},
          {"medium", "n=16777216,threshold=2048"},
          {"paper", "n=134217728,threshold=32768"}};
}

std::unique_ptr<workload> make_sort() { return std::make_unique<merge_sort>(); }

}  // namespace TEFF_NAMESPACE::apps
