// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The bare switch, for tests: tasks that are set aside without any object at which they wait.
#pragma once

#include "teff/teff.hpp"

#include "fiber/carrier.h"
#include "platform/platform.h"
#include "task/worker.h"

#include <cstddef>
#include <vector>

namespace TEFF_NAMESPACE::testing_fiber {

/// What a task waits for that is set aside by hand.
struct by_hand final : fibers::awaited {
  const char* kind() const noexcept override { return "a test"; }
};

/// Effect: the calling task is set aside and ready again at once; whoever takes it goes on with it. Returns: false if there was
/// no stack on which its worker could go on meanwhile.
inline bool step_aside(context& here) {
  fibers::carrier& own = *here.current().carrier;
  const by_hand why;
  const auto ready_again = [](void* pointer) {
    auto& left = *static_cast<fibers::fiber*>(pointer);
    left.home.make_ready(left);
  };
  const bool has_stack = own.keep_one();
  own.suspend(why, ready_again, own.running());
  return has_stack;
}

/// A place where tasks stay until a certain number of them has come; the last one lets them go on in any order.
class gathering {
 public:
  explicit gathering(std::size_t expected, std::uint64_t seed = 1) : expected_(expected), random_(seed) {
    here_.reserve(expected);
  }

  /// Effect: returns when all have come.
  void join(context& here) {
    struct arrival {
      gathering& at;
      fibers::fiber& who;
    } arriving{*this, *here.current().carrier->running()};
    const by_hand why;
    const auto arrive = [](void* pointer) {
      const arrival copy = *static_cast<arrival*>(pointer);  // it lies on the stack of who may go on
      copy.at.add(copy.who);
    };
    here.current().carrier->suspend(why, arrive, &arriving);
  }

 private:
  void add(fibers::fiber& come) {
    std::vector<fibers::fiber*> all;
    {
      platform::lock_guard guard(lock_);
      here_.push_back(&come);
      if (here_.size() < expected_) return;
      all.swap(here_);
    }
    for (std::size_t left = all.size(); left > 1; --left) std::swap(all[left - 1], all[random_.next() % left]);
    for (fibers::fiber* each : all) each->home.make_ready(*each);
  }

  const std::size_t expected_;
  platform::lock lock_;
  platform::random random_;  ///< of the last to come
  std::vector<fibers::fiber*> here_;
};

}  // namespace TEFF_NAMESPACE::testing_fiber
