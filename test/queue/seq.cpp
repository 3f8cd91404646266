// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One thread: every queue does what its model does, call by call; and what happens when memory is refused.
#include "queue/private_blocks.h"
#include "subjects.h"
#include "test/support/sides.h"

#include <algorithm>
#include <deque>

namespace TEFF_NAMESPACE::queue {
namespace {

using testing_support::memory_runs_out;
using testing_support::on_this_side;

constexpr std::uint64_t seeds = 40;
constexpr int calls = 300;

/// Alone, a queue tells the first task from the others, whatever it promises among several threads.
struct stack_alone : model<discipline::lifo, true> {};
struct line_alone : model<discipline::fifo, true> {};
template <class Subject>
struct oracle {
  using type = stack_alone;
};
template <>
struct oracle<fifo> {
  using type = line_alone;
};
template <>
struct oracle<injected> {
  using type = injected::model;
};

template <class Subject>
class queue_seq : public ::testing::Test {
 protected:
  /// A drawn call; what is taken by name often is there, what is pushed is new. Longer queues are emptied, shorter ones filled.
  call drawn(platform::random& draw, std::size_t length) {
    const bool fills = draw.below(40) >= 10 + length;
    if (fills) return {push, ++last_number_};
    const auto choices = Subject::operations();
    const operation what = choices[1 + draw.below(static_cast<std::uint32_t>(choices.size() - 1))];
    return {what, std::max(1, last_number_ - static_cast<int>(draw.below(30)))};
  }

  void compare(std::uint64_t seed) {
    platform::random draw(seed);
    last_number_ = 0;
    surroundings around(2);
    Subject tested(around, seed % 2 == 0 ? platform::lock_kind::mutex : platform::lock_kind::spin);
    typename oracle<Subject>::type expected;
    for (int i = 0; i < calls; ++i) {
      call made = drawn(draw, expected.tasks.size());
      made.result = tested.make(draw.below(2), made);
      ASSERT_TRUE(expected.apply(made)) << "seed " << seed << ", call " << i << ": " << made;
      if constexpr (requires { tested.length(); }) {
        ASSERT_EQ(tested.length(), expected.tasks.size()) << "seed " << seed;
      }
    }
    while (!expected.tasks.empty()) {
      call made{pop};
      made.result = tested.make(0, made);
      ASSERT_TRUE(expected.apply(made)) << "seed " << seed << ", at the end: " << made;
    }
  }

 private:
  int last_number_ = 0;
};

using subjects = ::testing::Types<locked_stack, locked_deque, locked_loose, noted<100'000>, locked_array, task_locked, fifo, injected, blocks>;
TYPED_TEST_SUITE(queue_seq, subjects);

TYPED_TEST(queue_seq, agrees_with_its_oracle) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    on_this_side([&] { this->compare(seed); });
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(queue_seq, stays_as_it_was_when_memory_is_refused) {
  on_this_side([] {
    surroundings around(1);
    TypeParam tested(around, platform::lock_kind::mutex);
    int granted = 2;
    if constexpr (requires { TypeParam::blocks_for_two; }) granted = TypeParam::blocks_for_two;
    const memory_runs_out planted(granted);
    EXPECT_NE(tested.make(0, {push, 1}), refused);
    EXPECT_NE(tested.make(0, {push, 2}), refused);
    EXPECT_EQ(tested.make(0, {push, 3}), refused);
    EXPECT_EQ(tested.make(0, {take, 3}), none);
    std::vector<int> left{tested.make(0, {pop}), tested.make(0, {pop})};
    std::sort(left.begin(), left.end());
    EXPECT_EQ(left, (std::vector<int>{1, 2}));
    EXPECT_EQ(tested.make(0, {pop}), none);
  });
}

TEST(queue_seq, statistics_tell_the_longest_a_queue_was) {
  on_this_side([] {
    surroundings around(1);
    locked_stack stack(around, platform::lock_kind::mutex);
    fifo line(around, platform::lock_kind::mutex);
    const auto expect_peak = [&](std::uint64_t peak) {
      EXPECT_EQ(stack.tested().peak(), peak);
      EXPECT_EQ(line.tested().peak(), peak);
    };
    for (const operation what : {push, push, push, pop, push, pop, pop}) {
      stack.make(0, {what, 1});
      line.make(0, {what, 1});
    }
    expect_peak(3);
    stack.tested().reset_statistics();
    line.tested().reset_statistics();
    expect_peak(1);
    stack.make(0, {pop});
    line.make(0, {pop});
  });
}

/// Effect: one queue holds 1 … 5, the newest last; another one 9. Moves so many. Returns: what the receiver then gives, in order.
template <class Subject, end From>
std::vector<int> moved(std::size_t count, std::size_t expected) {
  std::vector<int> given;
  on_this_side([&] {
    surroundings around(1);
    Subject victim(around, platform::lock_kind::mutex), receiver(around, platform::lock_kind::mutex);
    for (int i = 1; i <= 5; ++i) victim.make(0, {push, i});
    receiver.make(0, {push, 9});
    EXPECT_EQ((victim.tested().template move_to<From>(around.staff[0], receiver.tested(), count)), expected);
    EXPECT_EQ(victim.length(), 5 - expected);
    EXPECT_EQ(receiver.length(), 1 + expected);
    for (int next = receiver.make(0, {pop}); next != none; next = receiver.make(0, {pop})) given.push_back(next);
    while (victim.make(0, {pop}) != none) {
    }
  });
  return given;
}

TEST(queue_seq, tasks_that_move_together_come_in_the_order_of_single_steals) {
  EXPECT_EQ((moved<locked_stack, end::working>(2, 2)), (std::vector<int>{5, 4, 9}));
  EXPECT_EQ((moved<locked_deque, end::working>(3, 3)), (std::vector<int>{5, 4, 3, 9}));
  EXPECT_EQ((moved<locked_deque, end::opposite>(3, 3)), (std::vector<int>{1, 2, 3, 9}));
  EXPECT_EQ((moved<locked_deque, end::opposite>(8, 5)), (std::vector<int>{1, 2, 3, 4, 5, 9}));
  EXPECT_EQ((moved<locked_stack, end::working>(0, 0)), (std::vector<int>{9}));
  EXPECT_EQ((moved<locked_array, end::working>(2, 2)), (std::vector<int>{5, 4, 9}));
  EXPECT_EQ((moved<task_locked, end::opposite>(8, 5)), (std::vector<int>{5, 4, 3, 2, 1, 9}));
}

/// What private_blocks is: full blocks, the newest last, and the current one.
struct blocks_model {
  std::deque<std::vector<int>> full;
  std::vector<int> current;

  void push(int number, std::size_t block_size) {
    if (current.size() == block_size) full.push_back(std::exchange(current, {}));
    current.push_back(number);
  }

  int pop() {
    if (current.empty() && !full.empty()) {
      current = full.back();
      full.pop_back();
    }
    if (current.empty()) return none;
    const int number = current.back();
    current.pop_back();
    return number;
  }

  int take(int number) {
    if (std::erase(current, number) > 0) return number;
    for (auto block = full.begin(); block != full.end(); ++block) {
      if (std::erase(*block, number) == 0) continue;
      if (block->empty()) full.erase(block);
      return number;
    }
    return none;
  }
};

/// private_blocks beside its model; the two ends of publishing are calls, too.
class blocks_pair {
 public:
  blocks_pair(std::uint32_t block_size, std::uint64_t seed)
      : block_size_(block_size), draw_(seed), around_(1), tested_(around_.memory, block_size) {}

  void step() {
    const std::uint32_t drawn = draw_.below(100);
    if (drawn < 45) push();
    else if (drawn < 75) pop_both();
    else if (drawn < 90) take(std::max(1, last_number_ - static_cast<int>(draw_.below(20))));
    else if (drawn < 95) publish();
    else take_public_one_back();
    ASSERT_EQ(tested_.full_blocks(), expected_.full.size());
  }

  void finish() {
    while (!published_.empty()) take_public_one_back();
    for (int number = expected_.pop(); number != none; number = expected_.pop()) ASSERT_EQ(pop(), number);
    ASSERT_EQ(pop(), none);
    tested_.close(around_.staff[0]);
  }

 private:
  void push() {
    const task added = numbered(static_cast<std::uintptr_t>(++last_number_));
    ASSERT_TRUE(tested_.try_push(added) || tested_.push_slow(around_.staff[0], added));
    expected_.push(last_number_, block_size_);
  }

  void pop_both() { ASSERT_EQ(pop(), expected_.pop()); }

  int pop() {
    task taken;
    const bool found = tested_.try_pop(taken) || tested_.pop_slow(around_.staff[0], taken);
    return found ? static_cast<int>(number_of(taken)) : none;
  }

  void take(int number) {
    task taken;
    const bool found = tested_.take_if(around_.staff[0], is_number(number), taken);
    ASSERT_EQ(found ? static_cast<int>(number_of(taken)) : none, expected_.take(number));
  }

  void publish() {
    task_block* oldest = tested_.remove_oldest_full();
    ASSERT_EQ(oldest != nullptr, !expected_.full.empty());
    if (oldest == nullptr) return;
    ASSERT_EQ(oldest->count, expected_.full.front().size());
    published_.emplace_back(oldest, expected_.full.front());
    expected_.full.pop_front();
  }

  void take_public_one_back() {
    if (published_.empty()) return;
    tested_.insert_full(published_.back().first);
    expected_.full.push_back(published_.back().second);
    published_.pop_back();
  }

  const std::uint32_t block_size_;
  platform::random draw_;
  surroundings around_;
  private_blocks tested_;
  blocks_model expected_;
  std::vector<std::pair<task_block*, std::vector<int>>> published_;
  int last_number_ = 0;
};

TEST(private_blocks_seq, agree_with_their_oracle) {
  for (std::uint32_t block_size = 1; block_size <= 2; ++block_size) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      on_this_side([&] {
        blocks_pair both(block_size, seed);
        for (int i = 0; i < calls && !::testing::Test::HasFatalFailure(); ++i) both.step();
        both.finish();
      });
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "block size " << block_size << ", seed " << seed;
    }
  }
}

TEST(private_blocks_seq, refuse_a_task_and_stay_as_they_were) {
  on_this_side([] {
    surroundings around(1);
    private_blocks tested(around.memory, 2);
    const memory_runs_out planted(1);
    const auto push = [&](std::uintptr_t number) {
      return tested.try_push(numbered(number)) || tested.push_slow(around.staff[0], numbered(number));
    };
    EXPECT_TRUE(push(1) && push(2));
    EXPECT_FALSE(push(3));
    EXPECT_FALSE(push(4));
    EXPECT_EQ(tested.full_blocks(), 0u);
    task taken;
    EXPECT_TRUE(tested.try_pop(taken));
    EXPECT_EQ(number_of(taken), 2u);
    EXPECT_TRUE(push(5));
    EXPECT_TRUE(tested.try_pop(taken));
    EXPECT_EQ(number_of(taken), 5u);
    EXPECT_TRUE(tested.try_pop(taken));
    EXPECT_EQ(number_of(taken), 1u);
    EXPECT_FALSE(tested.try_pop(taken) || tested.pop_slow(around.staff[0], taken));
    tested.close(around.staff[0]);
  });
}

TEST(private_blocks_seq, going_to_and_fro_over_an_edge_asks_for_no_memory) {
  on_this_side([] {
    surroundings around(1);
    private_blocks tested(around.memory, 2);
    task taken;
    const auto up = [&] { return tested.try_push(numbered(1)) || tested.push_slow(around.staff[0], numbered(1)); };
    const auto down = [&] { return tested.try_pop(taken) || tested.pop_slow(around.staff[0], taken); };
    EXPECT_TRUE(up() && up() && up());
    const auto visits = around.staff.sum(trace::counter::list_visits);
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(down() && down() && up() && up());
    EXPECT_EQ(around.staff.sum(trace::counter::list_visits), visits);
    EXPECT_TRUE(down() && down() && down());
    EXPECT_FALSE(down());
    tested.close(around.staff[0]);
  });
}

TEST(task_block_seq, keeps_the_order_of_those_that_stay) {
  std::vector<std::max_align_t> memory(task_block::bytes(4) / sizeof(std::max_align_t) + 1);
  auto* block = ::new (static_cast<void*>(memory.data())) task_block;
  for (std::uintptr_t number = 1; number <= 4; ++number) block->slots()[block->count++] = numbered(number);
  task taken;
  EXPECT_FALSE(block->take_if(is_number(5), taken));
  EXPECT_TRUE(block->take_if(is_number(2), taken));
  EXPECT_EQ(number_of(taken), 2u);
  ASSERT_EQ(block->count, 3u);
  EXPECT_EQ(number_of(block->slots()[0]), 1u);
  EXPECT_EQ(number_of(block->slots()[1]), 3u);
  EXPECT_EQ(number_of(block->newest()), 4u);
  // Of several that are wanted, the newest.
  EXPECT_TRUE(block->take_if([](const task&) { return true; }, taken));
  EXPECT_EQ(number_of(taken), 4u);
}

/// A list that is not behind a lock: drawn insertions and removals beside a deque.
template <class List>
void compare_list(std::uint64_t seed) {
  platform::random draw(seed);
  std::deque<typename List::node> nodes(64);
  std::deque<std::uintptr_t> expected;
  List tested;
  for (std::size_t made = 0; made < nodes.size();) {
    typename List::node* removed = nullptr;
    std::uintptr_t wanted = 0;
    const std::uint32_t drawn = draw.below(6);
    if (drawn < 3) {
      nodes[made].held = numbered(made + 1);
      tested.insert(&nodes[made]);
      expected.push_back(++made);
      continue;
    }
    if (drawn == 3 && !expected.empty()) {
      wanted = expected[draw.below(static_cast<std::uint32_t>(expected.size()))];
      removed = tested.remove_if(is_number(static_cast<int>(wanted)));
    } else if (drawn == 4 && List::has_opposite_end && !expected.empty()) {
      wanted = expected.front();
      if constexpr (List::has_opposite_end) removed = tested.template remove<end::opposite>();
    } else {
      wanted = expected.empty() ? 0 : expected.back();
      removed = tested.remove();
    }
    ASSERT_EQ(removed == nullptr ? 0 : number_of(removed->held), wanted) << "seed " << seed;
    std::erase(expected, wanted);
    ASSERT_EQ(tested.empty(), expected.empty());
  }
}

TEST(lists_seq, agree_with_a_deque) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    compare_list<lifo_list>(seed);
    compare_list<deque_list>(seed);
    compare_list<loose_list>(seed);
  }
}

/// Drawn chunks go from one list to another one, as a thief brings them: both lists keep their order, seen from either end.
TEST(lists_seq, chunks_that_move_keep_their_order) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    platform::random draw(seed);
    std::deque<loose_list::node> nodes(40);
    std::deque<std::uintptr_t> expected[2];
    loose_list tested[2];
    for (std::size_t made = 0; made < nodes.size();) {
      const unsigned from = draw.below(2), to = 1 - from;
      if (draw.below(3) != 0) {
        nodes[made].held = numbered(made + 1);
        tested[from].insert(&nodes[made]);
        expected[from].push_back(++made);
        continue;
      }
      loose_list chunk;
      const std::size_t wanted = draw.below(5), count = std::min(wanted, expected[from].size());
      ASSERT_EQ(tested[from].move_oldest(chunk, wanted), count) << "seed " << seed;
      for (std::size_t each = 0; each < count; ++each) {
        expected[to].push_back(expected[from].front());
        expected[from].pop_front();
      }
      tested[to].append(chunk);
      ASSERT_TRUE(chunk.empty());
    }
    for (unsigned which = 0; which < 2; ++which) {
      while (!expected[which].empty()) {
        const bool oldest = draw.below(2) == 0;
        loose_list::node* const removed = oldest ? tested[which].remove<end::opposite>() : tested[which].remove();
        ASSERT_NE(removed, nullptr) << "seed " << seed;
        ASSERT_EQ(number_of(removed->held), oldest ? expected[which].front() : expected[which].back()) << "seed " << seed;
        oldest ? expected[which].pop_front() : expected[which].pop_back();
      }
      ASSERT_TRUE(tested[which].empty());
    }
  }
}

}  // namespace
}  // namespace TEFF_NAMESPACE::queue
