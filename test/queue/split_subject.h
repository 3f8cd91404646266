// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The split deque behind the face of subjects.h: thread 0 is its owner, the others are thieves.
#pragma once

#include "queue/split_deque.h"
#include "subjects.h"

#include <memory>

namespace TEFF_NAMESPACE::queue {

/// The owner pushes, pops, takes by name and takes the oldest; thieves steal, steal by force, and take by name.
enum split_operation : int { own_push = push, own_pop = pop, own_take, own_oldest, steal_some, steal_by_force, others_take };

/// What a split deque is, one call at a time: its tasks, the newest last. A thief, and who takes the oldest, may find nothing at
/// any time.
struct split_model {
  std::vector<int> tasks;

  bool apply(const call& made) {
    switch (made.what) {
      case own_push:
        tasks.push_back(made.argument);
        return made.result == done;
      case own_pop:
        return made.result == newest();
      case own_take:
      case others_take:
        if (made.result == none)
          return made.what == others_take || std::find(tasks.begin(), tasks.end(), made.argument) == tasks.end();
        return made.result == made.argument && std::erase(tasks, made.argument) > 0;
      case own_oldest:
      case steal_some:
      case steal_by_force:
        for (int left = made.result; left != none; left /= 100) {
          if (tasks.empty() || tasks.front() != left % 100) return false;
          tasks.erase(tasks.begin());
        }
        return true;
    }
    return false;
  }

  friend auto operator<=>(const split_model&, const split_model&) = default;

 private:
  int newest() {
    if (tasks.empty()) return none;
    const int number = tasks.back();
    tasks.pop_back();
    return number;
  }
};

/// Rings of two slots, and numbers that soon pass 2^32.
template <class Rules = split_rules>
class split_subject {
 public:
  using model = split_model;
  using deque = split_deque<Rules>;
  static constexpr std::uint32_t slots = 2, bound = 1'000, first_index = ~std::uint32_t{0} - 2;

  split_subject(surroundings& around, platform::lock_kind) {
    for (unsigned id = 0; id < around.staff.size(); ++id) {
      deques_.push_back(std::make_unique<deque>(true, requests_, slots, bound, first_index + id));
    }
  }

  int make(unsigned id, const call& wanted) {
    switch (wanted.what) {
      case own_push:
        return push_own(wanted.argument);
      case own_pop:
        return pop_own();
      case own_take:
        return take_own(wanted.argument);
      case own_oldest:
        return owners().take_oldest(taken_[id]) ? static_cast<int>(number_of(taken_[id])) : none;
      case steal_by_force:
        owners().force();
        [[fallthrough]];
      case steal_some:
        return steal(*deques_[id]);
      default:
        return owners().take_public_if(is_number(wanted.argument), taken_[id]) ? wanted.argument : none;
    }
  }

  deque& owners() { return *deques_[0]; }

 private:
  int push_own(int number) {
    const task added = numbered(static_cast<std::uintptr_t>(number));
    pushed how = owners().push(added);
    if (how == pushed::full) how = owners().push_slow(added);
    if (how == pushed::full) return refused;
    if (how == pushed::asked && owners().is_still_wanted()) owners().publish(false);
    return done;
  }

  int pop_own() {
    task taken;
    std::uint32_t reclaimed = 0;
    if (!owners().pop(taken) && !owners().pop_slow(taken, reclaimed)) return none;
    if (reclaimed > 1) owners().publish(false);
    return static_cast<int>(number_of(taken));
  }

  int take_own(int number) {
    if (owners().pop_if_newest(numbered(static_cast<std::uintptr_t>(number)).argument)) return number;
    const auto wanted = is_number(number);
    task taken;
    if (owners().pop(taken)) {
      if (wanted(taken)) return number;
      if (owners().put_back()) owners().publish(false);
    }
    return owners().take_private_if(wanted, taken) || owners().take_public_if(wanted, taken) ? number : none;
  }

  /// Returns: the numbers of what was stolen, each a hundred times the one before: the oldest last.
  int steal(deque& receiver) {
    task first, other;
    std::uint32_t count = 2;
    if (owners().steal(receiver, first, count) != steal_result::got) return none;
    int numbers = 0;
    for (std::uint32_t i = 1; i < count; ++i) {
      EXPECT_TRUE(receiver.pop(other));
      numbers = 100 * (numbers + static_cast<int>(number_of(other)));
    }
    return numbers + static_cast<int>(number_of(first));
  }

  platform::atomic<std::uint32_t> requests_{0};
  std::vector<std::unique_ptr<deque>> deques_;
  task taken_[8];
};

}  // namespace TEFF_NAMESPACE::queue
