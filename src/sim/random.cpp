// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Any processor goes on, drawn from the seed; the running one keeps running for a drawn while.
///
/// Idea: bugs differ in whether they need many switches or long undisturbed stretches, so the mean stretch (1, 2, 4, 8 or 16
/// scheduling points) is drawn for each run.
/// Differs: from a uniform choice at every point, which is the period of 1.
#include "platform/random.h"
#include "sim/candidates.h"

namespace TEFF_NAMESPACE::sim {

namespace {

class random_choice final : public chooser {
 public:
  explicit random_choice(const options& wanted)
      : draw_(wanted.seed), period_(wanted.random_switch_period), spurious_period_(wanted.spurious_wakeup_period) {
    if (period_ == 0) period_ = 1u << draw_.below(5);
  }

  void add(processor_id which, std::uint64_t clock) override { waiting_.add(which, clock); }

  processor_id next_after(processor_id running, std::uint64_t clock) override {
    if (waiting_.empty() || (period_ > 1 && draw_.below(period_) != 0)) return running;
    const std::uint32_t drawn = draw_.below(waiting_.size() + 1);
    return drawn == waiting_.size() ? running : waiting_.replace(drawn, running, clock);
  }

  processor_id next() override { return waiting_.empty() ? nobody : waiting_.take(draw_.below(waiting_.size())); }
  std::uint64_t earliest() const override { return waiting_.earliest(); }
  std::uint32_t pick(std::uint32_t count) override { return draw_.below(count); }
  bool spurious_wakeup() override { return spurious_period_ != 0 && draw_.below(spurious_period_) == 0; }

 private:
  platform::random draw_;
  std::uint32_t period_;
  std::uint32_t spurious_period_;
  candidates waiting_;
};

}  // namespace

std::unique_ptr<chooser> make_random(const options& wanted) { return std::make_unique<random_choice>(wanted); }

}  // namespace TEFF_NAMESPACE::sim
