// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The choices that another run recorded; when they end, or do not fit, the earliest clock goes on.
#include "sim/candidates.h"

#include <optional>
#include <vector>

namespace TEFF_NAMESPACE::sim {

namespace {

class replay final : public chooser {
 public:
  explicit replay(const options& wanted)
      : choices_(wanted.replay), position_(is_by_virtual_time(wanted) && !wanted.replay.empty() ? 1 : 0) {}

  void add(processor_id which, std::uint64_t clock) override { waiting_.add(which, clock); }

  processor_id next_after(processor_id running, std::uint64_t clock) override {
    const std::optional<std::uint32_t> recorded = next_recorded();
    if (recorded == running || waiting_.empty()) return running;
    if (recorded) {
      if (const auto index = index_of(*recorded)) return waiting_.replace(*index, running, clock);
      diverged_ = true;
    }
    const std::size_t first = earliest_index();
    const bool keep = clock < waiting_[first].clock || (clock == waiting_[first].clock && running < waiting_[first].which);
    return keep ? running : waiting_.replace(first, running, clock);
  }

  processor_id next() override {
    if (waiting_.empty()) return nobody;
    if (const std::optional<std::uint32_t> recorded = next_recorded()) {
      if (const auto index = index_of(*recorded)) return waiting_.take(*index);
      diverged_ = true;
    }
    return waiting_.take(earliest_index());
  }

  std::uint64_t earliest() const override { return waiting_.earliest(); }

  std::uint32_t pick(std::uint32_t count) override {
    const std::uint32_t recorded = next_recorded().value_or(0);
    if (recorded < count) return recorded;
    diverged_ = true;
    return 0;
  }

  bool spurious_wakeup() override { return next_recorded().value_or(0) != 0; }
  bool diverged() const override { return diverged_; }

 private:
  std::optional<std::uint32_t> next_recorded() {
    if (position_ == choices_.size()) return std::nullopt;
    return choices_[position_++];
  }

  std::optional<std::size_t> index_of(std::uint32_t which) const {
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      if (waiting_[i].which == which) return i;
    }
    return std::nullopt;
  }

  std::size_t earliest_index() const {
    return waiting_.best([](const auto& a, const auto& b) { return a.clock != b.clock ? a.clock < b.clock : a.which < b.which; });
  }

  std::vector<std::uint32_t> choices_;
  std::size_t position_;
  bool diverged_ = false;
  candidates waiting_;
};

}  // namespace

std::unique_ptr<chooser> make_replay(const options& wanted) { return std::make_unique<replay>(wanted); }

}  // namespace TEFF_NAMESPACE::sim
