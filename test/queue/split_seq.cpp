// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One thread: the split deque does what its model does, call by call, with its parts where they should be.
#include "split_subject.h"
#include "test/support/sides.h"

#include <deque>

namespace TEFF_NAMESPACE::queue {
namespace {

using testing_support::memory_runs_out;
using testing_support::on_this_side;

constexpr std::uint64_t seeds = 60;
constexpr int calls = 400;

/// A split deque beside two lists: what is public and what is private.
class split_pair {
 public:
  split_pair(std::uint64_t seed, bool shared)
      : draw_(seed),
        shared_(shared),
        tested_(shared, requests_, 2, 1'000, first_of(seed)),
        thiefs_(true, requests_, 4, 1'000, first_of(seed + 1)) {}

  void step() {
    requests_.store(draw_.below(8) == 0 ? 1 : 0, platform::relaxed);
    if (requests_.load(platform::relaxed) != 0) {
      tested_.ask();
      was_asked_ = true;
    }
    // Grows to some ten tasks, shrinks to none, and so on.
    const bool grows = turn_++ / 30 % 2 == 0;
    const std::uint32_t drawn = draw_.below(100);
    if (drawn < (grows ? 50u : 20u)) push();
    else if (drawn < 70) pop();
    else if (drawn < 78) steal();
    else if (drawn < 83) force();
    else if (drawn < 88) publish();
    else if (drawn < 92) take(private_, true);
    else if (drawn < 94) take_end();
    else if (drawn < 96) take_oldest();
    else take(public_, false);
    compare();
  }

  void finish() {
    while (!public_.empty() || !private_.empty()) pop();
    pop();
  }

 private:
  using list = std::deque<int>;

  /// Some begin where their numbers soon pass 2^32 or 2^31.
  static std::uint32_t first_of(std::uint64_t seed) {
    constexpr std::uint32_t begins[] = {0, ~std::uint32_t{0} - 20, (~std::uint32_t{0} >> 1) - 20,
                                        ~std::uint32_t{0} - (1u << 30) - 20};
    return begins[seed % 4];
  }

  void push() {
    const task added = numbered(static_cast<std::uintptr_t>(++last_));
    pushed how = tested_.push(added);
    if (how == pushed::full) how = tested_.push_slow(added);
    ASSERT_NE(how, pushed::full);
    private_.push_back(last_);
    const bool wanted = requests_.load(platform::relaxed) != 0 || (shared_ && public_.empty());
    // Once nothing is wanted no push is told so, until somebody asks.
    ASSERT_TRUE(how == pushed::asked || !wanted);
    ASSERT_TRUE(how == pushed::asked || !was_asked_);
    if (how == pushed::asked) {
      ASSERT_EQ(tested_.is_still_wanted(), wanted);
    }
    was_asked_ = wanted;
    if (wanted) publish();
  }

  void pop() {
    task taken;
    std::uint32_t reclaimed = 0;
    const bool got = tested_.pop(taken) || tested_.pop_slow(taken, reclaimed);
    ASSERT_EQ(got, !private_.empty() || !public_.empty());
    if (!got) return;
    if (private_.empty()) {
      ASSERT_EQ(reclaimed, public_.size());
      private_.swap(public_);
    }
    ASSERT_EQ(number_of(taken), static_cast<std::uintptr_t>(private_.back()));
    private_.pop_back();
  }

  void move_half() {
    if (!shared_) return;
    for (std::size_t count = (private_.size() + 1) / 2; count > 0; --count) {
      public_.push_back(private_.front());
      private_.pop_front();
    }
  }

  void publish() {
    const std::size_t expected = shared_ ? (private_.size() + 1) / 2 : 0;
    ASSERT_EQ(tested_.publish(false), expected);
    move_half();
  }

  void force() {
    if (!shared_) return;
    ASSERT_EQ(tested_.force(), (private_.size() + 1) / 2);
    move_half();
  }

  void steal() {
    if (!shared_) return;
    task first, other;
    std::uint32_t count = 1 + draw_.below(4);
    const std::size_t expected = std::min<std::size_t>(count, (public_.size() + 1) / 2);
    ASSERT_EQ(tested_.steal(thiefs_, first, count), public_.empty() ? steal_result::empty : steal_result::got);
    if (public_.empty()) return;
    ASSERT_EQ(count, expected);
    ASSERT_EQ(number_of(first), static_cast<std::uintptr_t>(public_.front()));
    for (std::size_t at = count - 1; at > 0; --at) {
      ASSERT_TRUE(thiefs_.pop(other));
      ASSERT_EQ(number_of(other), static_cast<std::uintptr_t>(public_[at]));
    }
    public_.erase(public_.begin(), public_.begin() + count);
  }

  void take(list& from, bool privately) {
    const int number = from.empty() || draw_.below(4) == 0 ? -1 : from[draw_.below(static_cast<std::uint32_t>(from.size()))];
    task taken;
    const bool got =
        privately ? tested_.take_private_if(is_number(number), taken) : tested_.take_public_if(is_number(number), taken);
    ASSERT_EQ(got, std::erase(from, number) > 0);
  }

  /// The oldest and the newest public task are the ones that can be taken so; the oldest one is looked at first.
  void take_end() {
    const int last = public_.empty() ? -1 : public_[draw_.below(static_cast<std::uint32_t>(public_.size()))];
    const auto wanted = [&](const task& candidate) { return number_of(candidate) >= static_cast<std::uintptr_t>(last); };
    task taken;
    const bool oldest = !public_.empty() && public_.front() >= last;
    const bool found = !public_.empty() && (oldest || public_.back() >= last);
    ASSERT_EQ(tested_.take_public_end_if(wanted, taken), found);
    if (!found) return;
    ASSERT_EQ(number_of(taken), static_cast<std::uintptr_t>(oldest ? public_.front() : public_.back()));
    public_.erase(oldest ? public_.begin() : public_.end() - 1);
  }

  /// The oldest one of all; if nothing is public, half of the private ones are made so first.
  void take_oldest() {
    if (public_.empty()) move_half();
    list& from = shared_ ? public_ : private_;
    task taken;
    ASSERT_EQ(tested_.take_oldest(taken), !from.empty());
    if (from.empty()) return;
    ASSERT_EQ(number_of(taken), static_cast<std::uintptr_t>(from.front()));
    from.pop_front();
  }

  void compare() {
    if (shared_) {
      ASSERT_EQ(tested_.public_estimate(), public_.size());
    }
    ASSERT_GE(tested_.peak(), public_.size() + private_.size());
  }

  platform::random draw_;
  const bool shared_;
  platform::atomic<std::uint32_t> requests_{0};
  split_deque<> tested_, thiefs_;
  list public_, private_;
  int last_ = 0, turn_ = 0;
  bool was_asked_ = shared_;  ///< the last push was told so, and answered that something is wanted, or somebody asked since
};

TEST(split_seq, agrees_with_its_oracle) {
  for (const bool shared : {true, false}) {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      on_this_side([&] {
        split_pair both(seed, shared);
        for (int i = 0; i < calls && !::testing::Test::HasFatalFailure(); ++i) both.step();
        both.finish();
      });
      ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "seed " << seed << (shared ? "" : ", alone");
    }
  }
}

/// What follows looks at one deque whose owner pushes 1, 2, ….
struct deque_of_one {
  explicit deque_of_one(bool shared = true) : tested(shared, requests, 2) {}
  bool push(int number) {
    const task added = numbered(static_cast<std::uintptr_t>(number));
    pushed how = tested.push(added);
    if (how == pushed::full) how = tested.push_slow(added);
    if (how == pushed::asked && tested.is_still_wanted()) tested.publish(false);
    return how != pushed::full;
  }
  int pop() {
    task taken;
    std::uint32_t reclaimed = 0;
    return tested.pop(taken) || tested.pop_slow(taken, reclaimed) ? static_cast<int>(number_of(taken)) : none;
  }
  platform::atomic<std::uint32_t> requests{0};
  split_deque<> tested;
};

TEST(split_seq, a_push_that_finds_the_public_part_empty_publishes) {
  on_this_side([] {
    deque_of_one one;
    for (int i = 1; i <= 20; ++i) {
      one.push(i);
      EXPECT_EQ(one.tested.public_estimate(), 1u);  // the first one alone, as nobody takes it
    }
    deque_of_one thief;
    task stolen;
    std::uint32_t count = 8;
    EXPECT_EQ(one.tested.steal(thief.tested, stolen, count), steal_result::got);
    EXPECT_EQ(one.tested.public_estimate(), 0u);
    one.push(21);
    EXPECT_EQ(one.tested.public_estimate(), 10u);  // half of what was private
  });
}

TEST(split_seq, a_push_that_finds_a_request_publishes_half_of_what_is_private) {
  on_this_side([] {
    deque_of_one one;
    for (int i = 1; i <= 9; ++i) one.push(i);
    one.requests.store(1, platform::relaxed);
    one.tested.ask();
    one.push(10);
    EXPECT_EQ(one.tested.public_estimate(), 1u + 5);
    one.push(11);
    EXPECT_EQ(one.tested.public_estimate(), 6u + 3);
  });
}

TEST(split_seq, alone_nothing_is_public) {
  on_this_side([] {
    deque_of_one one(false);
    one.requests.store(1, platform::relaxed);
    for (int i = 1; i <= 20; ++i) one.push(i);
    EXPECT_EQ(one.tested.publish(true), 0u);
    for (int i = 20; i >= 1; --i) EXPECT_EQ(one.pop(), i);
    EXPECT_EQ(one.pop(), none);
  });
}

TEST(split_seq, stays_as_it_was_when_memory_is_refused) {
  on_this_side([] {
    deque_of_one one;
    const memory_runs_out planted(1);
    int pushed_ones = 0;
    while (one.push(pushed_ones + 1)) ++pushed_ones;
    EXPECT_EQ(pushed_ones, 4);
    EXPECT_EQ(one.tested.overflows(), 1u);
    EXPECT_FALSE(one.push(99));
    for (int i = pushed_ones; i >= 1; --i) EXPECT_EQ(one.pop(), i);
    EXPECT_EQ(one.pop(), none);
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::queue
