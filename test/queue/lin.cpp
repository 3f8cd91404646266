// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Real threads on queues of a few tasks: whatever they see is explained by one order of their calls. And the checker itself.
#include "subjects.h"

namespace TEFF_NAMESPACE::queue {
namespace {

using stack = model<discipline::lifo, true>;
using line = model<discipline::fifo, false>;
using testing_support::is_linearizable;

TEST(linearizability, accepts_what_one_order_explains) {
  EXPECT_TRUE(is_linearizable<stack>({}));
  // Two pushes overlap; the pop behind both may see either as the newest, and who was first must agree.
  EXPECT_TRUE(is_linearizable<stack>({{push, 1, first_in, 0, 3}, {push, 2, done, 1, 2}, {pop, 0, 2, 4, 5}, {pop, 0, 1, 6, 7}}));
  EXPECT_TRUE(is_linearizable<stack>({{push, 1, done, 0, 3}, {push, 2, first_in, 1, 2}, {pop, 0, 1, 4, 5}}));
  // The pop overlaps the push: it may see it, or nothing.
  EXPECT_TRUE(is_linearizable<stack>({{push, 1, first_in, 0, 3}, {pop, 0, 1, 1, 2}}));
  EXPECT_TRUE(is_linearizable<stack>({{push, 1, first_in, 0, 3}, {pop, 0, none, 1, 2}}));
  EXPECT_TRUE(is_linearizable<line>({{push, 1, done, 0, 1}, {push, 2, done, 2, 3}, {pop, 0, 1, 4, 7}, {pop, 0, 2, 5, 6}}));
}

TEST(linearizability, rejects_what_no_order_explains) {
  // The push had ended before the pop began, which saw nothing.
  EXPECT_FALSE(is_linearizable<stack>({{push, 1, first_in, 0, 1}, {pop, 0, none, 2, 3}}));
  // A task that was never there, or twice.
  EXPECT_FALSE(is_linearizable<stack>({{pop, 0, 7, 0, 1}}));
  EXPECT_FALSE(is_linearizable<stack>({{push, 1, first_in, 0, 1}, {pop, 0, 1, 2, 5}, {pop, 0, 1, 3, 4}}));
  // The older one of two overtakes the newer one of a stack, the newer one the older one of a line.
  EXPECT_FALSE(is_linearizable<stack>({{push, 1, first_in, 0, 1}, {push, 2, done, 2, 3}, {pop, 0, 1, 4, 5}, {pop, 0, 2, 6, 7}}));
  EXPECT_FALSE(is_linearizable<line>({{push, 1, done, 0, 1}, {push, 2, done, 2, 3}, {pop, 0, 2, 4, 5}, {pop, 0, 1, 6, 7}}));
  // Both overlapping pushes say that they were the first.
  EXPECT_FALSE(is_linearizable<stack>({{push, 1, first_in, 0, 3}, {push, 2, first_in, 1, 2}, {pop, 0, 1, 4, 5}}));
  // Each pop alone is possible, both together are not: the first one saw that 2 had been pushed, the later one that it had not.
  EXPECT_FALSE(is_linearizable<line>(
      {{push, 1, done, 0, 1}, {push, 2, done, 2, 9}, {pop, 0, 1, 3, 4}, {pop, 0, 2, 5, 6}, {pop, 0, 2, 7, 8}}));
}

/// Drawn scripts of up to four calls for each of two threads.
template <class Subject>
typename experiment<Subject>::scripts drawn_scripts(platform::random& draw) {
  const auto choices = Subject::operations();
  typename experiment<Subject>::scripts scripts(2);
  int next_number = 11;
  for (auto& script : scripts) {
    const unsigned calls = 1 + draw.below(4);
    for (unsigned i = 0; i < calls; ++i) {
      const operation what = choices[draw.below(static_cast<std::uint32_t>(choices.size()))];
      const int number = what == push ? next_number++ : 11 + static_cast<int>(draw.below(4));
      script.push_back({what, number});
    }
  }
  return scripts;
}

template <class Subject>
class queue_lin : public ::testing::Test {};

using subjects = ::testing::Types<locked_stack, locked_deque, locked_loose, noted<64>, locked_array, task_locked, fifo, injected, blocks>;
TYPED_TEST_SUITE(queue_lin, subjects);

TYPED_TEST(queue_lin, histories_of_real_threads_are_explained_by_one_order) {
  for (std::uint64_t seed = 1; seed <= 1'500; ++seed) {
    platform::random draw(seed);
    const auto kind = seed % 2 == 0 ? platform::lock_kind::mutex : platform::lock_kind::spin;
    experiment<TypeParam> tried(2, kind, static_cast<int>(draw.below(3)));
    tried.run(drawn_scripts<TypeParam>(draw));
    ASSERT_TRUE(tried.is_explained()) << "seed " << seed << '\n' << text_of(tried.history());
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::queue
