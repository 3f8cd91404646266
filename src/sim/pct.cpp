// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Probabilistic concurrency testing: the processor of highest priority goes on; priorities are random and change d − 1 times.
///
/// Source: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler with probabilistic guarantees of finding bugs",
/// ASPLOS 2010, section 3. A bug that needs d ordering constraints among n processors and k steps is found with a
/// probability of at least 1 / (n · k^(d−1)).
/// Differs: a processor that waits in a loop (pause), or runs very long undisturbed, falls below all others, because the
/// original starves those that it waits for.
#include "platform/random.h"
#include "sim/candidates.h"

#include <algorithm>
#include <vector>

namespace TEFF_NAMESPACE::sim {

namespace {

/// Steps without a switch after which the running processor counts as one that waits in a loop.
constexpr std::uint64_t undisturbed_steps_at_most = 10'000;

class pct final : public chooser {
 public:
  explicit pct(const options& wanted)
      : draw_(wanted.seed), depth_(std::max(1u, wanted.pct_depth)), spurious_period_(wanted.spurious_wakeup_period) {
    const std::uint64_t length = std::clamp<std::uint64_t>(wanted.pct_length, 1, std::uint64_t{1} << 31);
    for (unsigned i = 1; i < depth_; ++i) changes_.push_back({1 + draw_.below(static_cast<std::uint32_t>(length)), i});
    std::sort(changes_.begin(), changes_.end(), [](const change& a, const change& b) { return a.step < b.step; });
  }

  void add(processor_id which, std::uint64_t clock) override {
    priority_of(which);
    waiting_.add(which, clock);
  }

  processor_id next_after(processor_id running, std::uint64_t clock) override {
    ++step_;
    for (; done_ < changes_.size() && changes_[done_].step <= step_; ++done_) priority_of(running) = changes_[done_].priority;
    if (waiting_.empty()) return running;
    if (++undisturbed_ > undisturbed_steps_at_most) yielded(running);
    const std::size_t best = highest();
    if (priorities_[waiting_[best].which] < priority_of(running)) return running;
    undisturbed_ = 0;
    return waiting_.replace(best, running, clock);
  }

  processor_id next() override {
    undisturbed_ = 0;
    return waiting_.empty() ? nobody : waiting_.take(highest());
  }

  std::uint64_t earliest() const override { return waiting_.earliest(); }
  void yielded(processor_id running) override { priority_of(running) = --lowest_; }
  std::uint32_t pick(std::uint32_t count) override { return draw_.below(count); }
  bool spurious_wakeup() override { return spurious_period_ != 0 && draw_.below(spurious_period_) == 0; }

 private:
  std::size_t highest() const {
    return waiting_.best([this](const auto& a, const auto& b) { return priorities_[a.which] > priorities_[b.which]; });
  }

  /// Drawn at the first question; the number makes drawn ones differ. They lie above those of changes (1 … d − 1), and those
  /// of waiting loops (negative) below.
  std::int64_t& priority_of(processor_id which) {
    while (priorities_.size() <= which) {
      const auto drawn = std::int64_t{1} + draw_.below(1u << 31);
      priorities_.push_back((depth_ + drawn) * processors_at_once + static_cast<std::int64_t>(priorities_.size()));
    }
    return priorities_[which];
  }

  /// The running processor gets a priority below all that were drawn.
  struct change {
    std::uint64_t step;
    std::int64_t priority;  ///< 1 … d − 1, independent of the order of the steps
  };

  platform::random draw_;
  unsigned depth_;
  std::uint32_t spurious_period_;
  std::vector<change> changes_;  ///< by step
  std::size_t done_ = 0;         ///< changes that have happened
  std::uint64_t step_ = 0;
  std::uint64_t undisturbed_ = 0;
  std::int64_t lowest_ = 0;
  std::vector<std::int64_t, model_memory<std::int64_t>> priorities_;
  candidates waiting_;
};

}  // namespace

std::unique_ptr<chooser> make_pct(const options& wanted) { return std::make_unique<pct>(wanted); }

}  // namespace TEFF_NAMESPACE::sim
