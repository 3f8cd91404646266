// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// All interleavings of two simulated processors with two calls each, and of three with one each, on every shared queue: whatever
/// they see is explained by one order of the calls.
#include "subjects.h"

#include "sim/exhaustive.h"

namespace TEFF_NAMESPACE::queue {
namespace {

template <class Subject>
using scripts_of = typename experiment<Subject>::scripts;

/// Effect: runs the scripts under all schedules with so many preemptions.
template <class Subject>
void check_all(const scripts_of<Subject>& scripts, platform::lock_kind kind, int tasks_before, unsigned preemptions) {
  sim::options wanted;
  wanted.preemptions_at_most = preemptions;
  bool explained = true;
  std::string seen;
  const auto body = [&] {
    experiment<Subject> tried(static_cast<unsigned>(scripts.size()), kind, tasks_before);
    tried.run(scripts);
    explained = tried.is_explained();
    if (!explained) seen = text_of(tried.history());
  };
  const sim::exploration found = sim::explore(wanted, body, [&] { return explained; });
  EXPECT_EQ(found.failure, "") << seen;
  EXPECT_TRUE(found.complete);
}

/// Each call pushes a number of its own; what is taken by name is one that may be there.
call with_argument(operation what, int& next_number) { return {what, what == push ? next_number++ : what == take ? 1 : 0}; }

/// Effect: calls visit(scripts) for all ways to give `threads` processors `calls` calls each, equal ones up to their order once.
template <class Subject, class Visitor>
void for_each_script(unsigned threads, unsigned calls, Visitor visit) {
  const auto choices = Subject::operations();
  unsigned per_thread = 1;
  for (unsigned i = 0; i < calls; ++i) per_thread *= static_cast<unsigned>(choices.size());
  std::vector<unsigned> chosen(threads, 0);
  while (true) {
    scripts_of<Subject> scripts(threads);
    int next_number = 11;
    for (unsigned id = 0; id < threads; ++id) {
      for (unsigned i = 0, rest = chosen[id]; i < calls; ++i, rest /= static_cast<unsigned>(choices.size())) {
        scripts[id].push_back(with_argument(choices[rest % choices.size()], next_number));
      }
    }
    visit(scripts);
    unsigned at = threads;
    while (at > 0 && chosen[at - 1] + 1 == per_thread) --at;
    if (at == 0) return;
    const unsigned next = chosen[at - 1] + 1;
    for (unsigned id = at - 1; id < threads; ++id) chosen[id] = next;
  }
}

template <class Subject>
class queue_model : public ::testing::Test {};

using subjects = ::testing::Types<locked_stack, locked_deque, locked_loose, noted<64>, locked_array, task_locked, fifo, injected, blocks>;
TYPED_TEST_SUITE(queue_model, subjects);

TYPED_TEST(queue_model, two_processors_with_two_calls_each) {
  for (const int before : {0, 1, 2}) {
    for_each_script<TypeParam>(2, 2, [&](const scripts_of<TypeParam>& scripts) {
      if (!this->HasFailure()) check_all<TypeParam>(scripts, platform::lock_kind::mutex, before, 4);
    });
  }
}

TYPED_TEST(queue_model, two_processors_with_one_call_each_without_a_bound) {
  for (const auto kind : {platform::lock_kind::mutex, platform::lock_kind::spin}) {
    for (const int before : {0, 1, 2}) {
      for_each_script<TypeParam>(2, 1, [&](const scripts_of<TypeParam>& scripts) {
        if (!this->HasFailure()) check_all<TypeParam>(scripts, kind, before, ~0u);
      });
    }
  }
}

TYPED_TEST(queue_model, three_processors_with_one_call_each) {
  for (const int before : {0, 1, 2}) {
    for_each_script<TypeParam>(3, 1, [&](const scripts_of<TypeParam>& scripts) {
      if (!this->HasFailure()) check_all<TypeParam>(scripts, platform::lock_kind::mutex, before, 3);
    });
  }
}

/// A stack whose lock is left out: its test must fail.
class unlocked_stack {
 public:
  using model = queue::model<discipline::lifo, false>;
  static std::vector<operation> operations() { return {push, pop}; }
  unlocked_stack(surroundings&, platform::lock_kind) {}

  int make(unsigned, const call& wanted) {
    const std::uint32_t length = length_.load(platform::relaxed);
    if (wanted.what == pop && length == 0) return none;
    if (wanted.what == push) tasks_[length].store(wanted.argument, platform::relaxed);
    const int result = wanted.what == push ? done : tasks_[length - 1].load(platform::relaxed);
    length_.store(wanted.what == push ? length + 1 : length - 1, platform::relaxed);
    return result;
  }

 private:
  platform::atomic<std::uint32_t> length_{0};
  platform::atomic<int> tasks_[8];
};

TEST(queue_model, finds_that_a_lock_is_left_out) {
  for (const auto& [mine, others] : {std::pair{push, push}, std::pair{pop, pop}, std::pair{push, pop}}) {
    bool explained = true;
    const experiment<unlocked_stack>::scripts scripts{{{mine, 11}}, {{others, 12}}};
    const auto body = [&] {
      experiment<unlocked_stack> tried(2, platform::lock_kind::mutex, 1);
      tried.run(scripts);
      explained = tried.is_explained();
    };
    EXPECT_NE(sim::explore({}, body, [&] { return explained; }).failure, "");
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::queue
