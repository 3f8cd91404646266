// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Real threads on a split deque of two slots: whatever they see is explained by one order of their calls; and in long runs each
/// task comes out once.
#include "split_subject.h"

namespace TEFF_NAMESPACE::queue {
namespace {

using scripts = experiment<split_subject<>>::scripts;

scripts drawn_scripts(platform::random& draw) {
  constexpr int of_owner[] = {own_push, own_push, own_push, own_pop, own_pop, own_take, own_oldest},
                of_thief[] = {steal_some, steal_some, steal_by_force, others_take};
  scripts drawn(2 + draw.below(2));
  int next_number = 11;
  for (std::size_t id = 0; id < drawn.size(); ++id) {
    for (unsigned calls = 1 + draw.below(4); calls > 0; --calls) {
      const int what = id == 0 ? of_owner[draw.below(std::size(of_owner))] : of_thief[draw.below(std::size(of_thief))];
      drawn[id].push_back({what, what == own_push ? next_number++ : 1 + static_cast<int>(draw.below(4))});
    }
  }
  return drawn;
}

TEST(split_lin, histories_of_real_threads_are_explained_by_one_order) {
  for (std::uint64_t seed = 1; seed <= 1'000; ++seed) {
    platform::random draw(seed);
    experiment<split_subject<>> tried(3, platform::lock_kind::mutex, static_cast<int>(draw.below(5)));
    tried.run(drawn_scripts(draw));
    ASSERT_TRUE(tried.is_explained()) << "seed " << seed << '\n' << text_of(tried.history());
  }
}

/// Tasks 1 … count, and how often each came out.
class tally {
 public:
  explicit tally(std::uint32_t count) : left_(static_cast<std::int32_t>(count)), seen_(count + 1) {}

  void note(const task& taken) {
    seen_[number_of(taken)].fetch_add(1, std::memory_order_relaxed);
    left_.fetch_sub(1, platform::relaxed);
  }
  /// Below 0 if some came out twice.
  bool some_are_left() const { return left_.load(platform::relaxed) > 0; }
  void expect_each_once() const {
    for (std::size_t number = 1; number < seen_.size(); ++number) ASSERT_EQ(seen_[number].load(), 1) << "task " << number;
  }

 private:
  platform::atomic<std::int32_t> left_;
  std::vector<std::atomic<std::uint8_t>> seen_;
};

/// One owner, which is 0, and thieves.
std::vector<std::unique_ptr<split_deque<>>> deques_of(unsigned workers, const platform::atomic<std::uint32_t>& requests) {
  std::vector<std::unique_ptr<split_deque<>>> made;
  for (unsigned id = 0; id < workers; ++id) {
    made.push_back(std::make_unique<split_deque<>>(true, requests, 2, 1u << 20, ~std::uint32_t{0} - 30'000));
  }
  return made;
}

void push_and_publish(split_deque<>& mine, std::uintptr_t number, bool all) {
  pushed how = mine.push(numbered(number));
  if (how == pushed::full) how = mine.push_slow(numbered(number));
  if (all || (how == pushed::asked && mine.is_still_wanted())) mine.publish(all);
}

/// One owner and three thieves, the last of which forces and takes by name. Every number comes out once.
TEST(split_lin, each_task_comes_out_once) {
  constexpr unsigned thieves = 3;
  constexpr std::uint32_t tasks = 60'000;
  platform::atomic<std::uint32_t> requests{0};
  tally out(tasks);
  const auto deques = deques_of(thieves + 1, requests);
  const auto own = [&](platform::random& draw) {
    split_deque<>& mine = *deques[0];
    task taken;
    std::uint32_t reclaimed = 0;
    for (std::uintptr_t number = 1; number <= tasks;) {
      for (std::uint32_t burst = 1 + draw.below(12); burst > 0 && number <= tasks; --burst, ++number) {
        push_and_publish(mine, number, false);
      }
      for (std::uint32_t burst = draw.below(12); burst > 0 && (mine.pop(taken) || mine.pop_slow(taken, reclaimed)); --burst)
        out.note(taken);
      if (draw.below(2) == 0 && mine.take_oldest(taken)) out.note(taken);
      if (mine.take_private_if(is_number(static_cast<int>(number) - 3), taken)) out.note(taken);
    }
    while (mine.pop(taken) || mine.pop_slow(taken, reclaimed)) out.note(taken);
  };
  run_on_each(thieves + 1, [&](unsigned me) {
    platform::random draw(me + 1);
    if (me == 0) return own(draw);
    task taken;
    while (out.some_are_left()) {
      if (me == thieves) {
        requests.store(draw.below(2), platform::relaxed);
        deques[0]->force();
        const auto odd = [](const task& candidate) { return number_of(candidate) % 2 == 1; };
        if (draw.below(2) == 0 && deques[0]->take_public_if(odd, taken)) out.note(taken);
        if (deques[0]->take_public_end_if(odd, taken)) out.note(taken);
      }
      std::uint32_t count = 1 + draw.below(8);
      if (deques[0]->steal(*deques[me], taken, count) == steal_result::got) {
        out.note(taken);
        while (deques[me]->pop(taken)) out.note(taken);
      }
    }
  });
  out.expect_each_once();
}

/// The owner shows two tasks and takes the oldest until there are none; two thieves take the oldest, too.
TEST(split_lin, the_oldest_is_taken_by_the_owner_or_by_a_thief) {
  constexpr unsigned thieves = 2;
  constexpr std::uint32_t tasks = 1'000'000;
  platform::atomic<std::uint32_t> requests{0};
  tally out(tasks);
  const auto deques = deques_of(thieves + 1, requests);
  run_on_each(thieves + 1, [&](unsigned me) {
    split_deque<>& owners = *deques[0];
    task taken;
    if (me == 0) {
      for (std::uintptr_t number = 1; number < tasks; number += 2) {
        push_and_publish(owners, number, false);
        push_and_publish(owners, number + 1, true);
        while (owners.length() != 0 && out.some_are_left()) {
          if (owners.take_oldest(taken)) out.note(taken);
        }
      }
      return;
    }
    while (out.some_are_left()) {
      std::uint32_t count = 1;
      if (owners.steal(*deques[me], taken, count) == steal_result::got) out.note(taken);
    }
  });
  out.expect_each_once();
}

}  // namespace
}  // namespace TEFF_NAMESPACE::queue
