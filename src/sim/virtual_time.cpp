// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The processor with the earliest clock goes on; of equal ones that with the lowest number.
///
/// Idea: a binary heap of clock and number in one word. A switch replaces the top, so it sifts once.
/// Cost: O(log processors) per switch; one comparison if the running one is still the earliest.
#include "sim/chooser.h"
#include "sim/model_memory.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::sim {

namespace {

class virtual_time final : public chooser {
 public:
  void add(processor_id which, std::uint64_t clock) override {
    heap_.push_back(key(which, clock));
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  processor_id next_after(processor_id running, std::uint64_t clock) override {
    const std::uint64_t mine = key(running, clock);
    if (heap_.empty() || mine < heap_.front()) return running;
    const processor_id chosen = number(heap_.front());
    replace_top(mine);
    return chosen;
  }

  processor_id next() override {
    if (heap_.empty()) return nobody;
    const processor_id chosen = number(heap_.front());
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
    return chosen;
  }

  std::uint64_t earliest() const override { return heap_.empty() ? never : heap_.front() / processors_at_once; }

 private:
  static std::uint64_t key(processor_id which, std::uint64_t clock) { return clock * processors_at_once + which; }
  static processor_id number(std::uint64_t key) { return static_cast<processor_id>(key % processors_at_once); }

  void replace_top(std::uint64_t added) {
    std::size_t hole = 0;
    for (std::size_t child = 1; child < heap_.size(); child = 2 * hole + 1) {
      if (child + 1 < heap_.size() && heap_[child + 1] < heap_[child]) ++child;
      if (added < heap_[child]) break;
      heap_[hole] = heap_[child];
      hole = child;
    }
    heap_[hole] = added;
  }

  std::vector<std::uint64_t, model_memory<std::uint64_t>> heap_;
};

}  // namespace

std::unique_ptr<chooser> make_virtual_time(const options&) { return std::make_unique<virtual_time>(); }

}  // namespace TEFF_NAMESPACE::sim
