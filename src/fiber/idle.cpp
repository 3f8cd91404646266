// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fiber/idle.h"

#include "fiber/fiber.h"

#include <utility>

namespace TEFF_NAMESPACE::fibers {

fiber* idle_fibers::take() noexcept {
  // relaxed: who sees too little makes a fiber of its own; what the fiber is comes with the lock.
  if (first_.load(platform::relaxed) == nullptr) return nullptr;
  platform::lock_guard guard(lock_);
  fiber* const taken = first_.load(platform::relaxed);
  if (taken == nullptr) return nullptr;
  first_.store(taken->next, platform::relaxed);
  --count_;
  return taken;
}

bool idle_fibers::keep(fiber& idle) noexcept {
  platform::lock_guard guard(lock_);
  if (count_ == at_most_) return false;
  ++count_;
  // relaxed, both: under the lock; a look without it goes by whether there is one.
  idle.next = first_.load(platform::relaxed);
  first_.store(&idle, platform::relaxed);
  return true;
}

kept_fibers::~kept_fibers() {
  while (first_ != nullptr) destroy(*std::exchange(first_, first_->next));
}

bool kept_fibers::get_one(host& home, worker& own) {
  first_ = home.left_over.take();
  if (first_ == nullptr) first_ = make(home, own, home.stack_bytes);
  if (first_ == nullptr) return false;
  first_->next = nullptr;
  count_ = 1;
  return true;
}

fiber& kept_fibers::take() noexcept {
  --count_;
  return *std::exchange(first_, first_->next);
}

void kept_fibers::keep(fiber& idle) noexcept {
  if (count_ == at_most) {
    while (count_ > at_most / 2) {
      fiber& one_more = take();
      if (!one_more.home.left_over.keep(one_more)) destroy(one_more);
    }
  }
  idle.next = first_;
  first_ = &idle;
  ++count_;
}

}  // namespace TEFF_NAMESPACE::fibers
