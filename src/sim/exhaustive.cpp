// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every schedule of a tiny program: at each choice the search's branch goes on.
///
/// Idea: a run follows the branches of the run before it up to the last one that had an alternative, takes the next alternative
/// there, and the first one everywhere behind. A choice is who does the next shared access: whoever was started or woken is first
/// brought before its access, in no particular order, because nobody sees what it does until then; and what touches nothing
/// shared is no choice either. So each interleaving of accesses is run once.
/// Differs: from a search with sleep sets or partial orders, which leaves out interleavings that differ in nothing: those are all
/// run here, so that their number can be checked by hand.
#include "sim/exhaustive.h"

#include "base/assert.h"
#include "sim/candidates.h"
#include "sim/report.h"

#include <algorithm>
#include <vector>

namespace TEFF_NAMESPACE::sim {

namespace {

class exhaustive final : public chooser {
 public:
  explicit exhaustive(const options& wanted) : search_(*wanted.search), preemptions_left_(wanted.preemptions_at_most) {}

  void add(processor_id which, std::uint64_t clock) override {
    of(which).before_access = false;
    waiting_.add(which, clock);
  }

  processor_id next_after(processor_id running, std::uint64_t clock) override {
    state& own = of(running);
    own.before_access = true;
    if (waiting_.empty() && !own.yielded) return last_ = running;  // most accesses: who is alone has no choice
    std::size_t index = first_before_none();
    if (index == waiting_.size()) {
      const processor_id chosen = choose(running);
      if (chosen == running) return running;
      index = index_of(chosen);
    }
    return waiting_.replace(index, running, clock);
  }

  processor_id next() override {
    if (waiting_.empty()) return nobody;
    const std::size_t index = first_before_none();
    return waiting_.take(index < waiting_.size() ? index : index_of(choose(nobody)));
  }

  std::uint64_t earliest() const override { return waiting_.earliest(); }

  /// It goes on when all others have paused, too, wait or have ended: so loops with pause end.
  void yielded(processor_id running) override { of(running).yielded = true; }

  std::uint32_t pick(std::uint32_t count) override { return search_.choose(count); }

  bool indifferent_to(operation what) const override {
    return what == operation::fence || what == operation::clock || what == operation::charge || what == operation::start ||
           what == operation::join || what == operation::fence_everywhere;
  }

 private:
  struct state {
    bool before_access = false;  ///< stands at a scheduling point: its access follows as soon as it is chosen
    bool yielded = false;
  };

  state& of(processor_id which) {
    if (states_.size() <= which) states_.resize(which + std::size_t{1});
    return states_[which];
  }

  /// Returns: the index of one that does not stand before an access; the number of those that wait if all do.
  std::size_t first_before_none() {
    std::size_t index = 0;
    while (index < waiting_.size() && of(waiting_[index].which).before_access) ++index;
    return index;
  }

  std::size_t index_of(processor_id which) const {
    std::size_t index = 0;
    while (waiting_[index].which != which) ++index;
    return index;
  }

  /// Returns: who does the next access. Pre: all stand before one; `running` is nobody, or able to go on.
  processor_id choose(processor_id running) {
    // Most choices of a run with few preemptions: there is no other way.
    if (preemptions_left_ == 0 && (running == last_ || is_waiting(last_)) && !of(last_).yielded) return last_;
    find_able(running);
    if (able_.empty()) {
      for (state& each : states_) each.yielded = false;
      find_able(running);
    }
    std::sort(able_.begin(), able_.end());
    // Who did the last access comes first, so that the first schedule has no preemption.
    const auto last = std::find(able_.begin(), able_.end(), last_);
    const bool last_is_able = last != able_.end();
    if (last_is_able) std::rotate(able_.begin(), last, last + 1);
    if (last_is_able && preemptions_left_ == 0) able_.resize(1);
    const std::uint32_t way = search_.choose(static_cast<std::uint32_t>(able_.size()));
    if (last_is_able && way > 0) --preemptions_left_;
    return last_ = able_[way];
  }

  bool is_waiting(processor_id which) const {
    std::size_t index = 0;
    while (index < waiting_.size() && waiting_[index].which != which) ++index;
    return index < waiting_.size();
  }

  void find_able(processor_id running) {
    able_.clear();
    if (running != nobody && !of(running).yielded) able_.push_back(running);
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      if (!of(waiting_[i].which).yielded) able_.push_back(waiting_[i].which);
    }
  }

  schedule_search& search_;
  std::uint32_t preemptions_left_;
  processor_id last_ = 0;  ///< who was chosen last: the body begins
  std::vector<state> states_;
  candidates waiting_;
  std::vector<processor_id> able_;  ///< choose()'s, kept as a list for each choice would be most of what a schedule allocates
};

}  // namespace

std::unique_ptr<chooser> make_exhaustive(const options& wanted) {
  TEFF_REQUIRE(wanted.search != nullptr, "ask for the strategy exhaustive through explore()");
  return std::make_unique<exhaustive>(wanted);
}

std::uint32_t schedule_search::choose(std::uint32_t count) {
  if (count == 1) return 0;
  if (position_ == branches_.size()) branches_.push_back({0, count});
  TEFF_REQUIRE(branches_[position_].of == count, "the body of explore() must do the same whenever it is scheduled the same");
  return branches_[position_++].taken;
}

bool schedule_search::advance() {
  position_ = 0;
  while (!branches_.empty() && branches_.back().taken + 1 == branches_.back().of) branches_.pop_back();
  if (branches_.empty()) return false;
  ++branches_.back().taken;
  return true;
}

exploration explore(options wanted, const std::function<void()>& body, const std::function<bool()>& good) {
  schedule_search search;
  wanted.strategy = strategy::exhaustive;
  wanted.search = &search;
  wanted.record = true;
  exploration found;
  while (found.schedules < wanted.schedules_at_most) {
    const outcome ended = simulate(wanted, body);
    ++found.schedules;
    if (!ended.ok()) found.failure = ended.report;
    else if (good && !good()) found.failure = "a schedule whose end is not good\n" + replay_line(wanted, ended);
    if (!found.failure.empty()) return found;
    found.complete = !search.advance();
    if (found.complete) return found;
  }
  return found;
}

}  // namespace TEFF_NAMESPACE::sim
