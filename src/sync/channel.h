// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sync/waiting.h"

#include <cstddef>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::sync {

/// A queue of values with an end: who sends waits while it is full, who receives while it is empty.
///
/// Invariants: receivers wait only if it is empty and open, senders only if it is full and open; never both. No wake-up is lost:
///   a value that is sent goes to the receiver that has waited longest; room that is made goes to the sender that has waited
///   longest, with its value; closing lets all go. All that under the lock under which the waiters looked.
/// Order: first in, first out. Fair: first come, first served, on both sides. Cost: the object's lock, which is two
/// read-modify-writes. Space: capacity values, allocated when it is made. Pre: moving a T does not throw.
template <class T, class Rules = rules>
class basic_channel : public object {
  static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>,
                "moving the value must not throw");

 public:
  /// Pre: capacity > 0. Errors: std::bad_alloc.
  explicit basic_channel(std::size_t capacity, wait_policy policy = default_policy())
      : object(policy), ring_(room_for(capacity)) {}

  /// Effect: sends the value; waits while the channel is full. Returns: false if it is closed, also while this waits: the value
  /// is dropped. Threads: tasks and foreign threads. Blocks: the fiber.
  bool send(T value) { return send(value, no_deadline); }
  /// Returns: false if it is full or closed; the value is left as it is. Blocks: never.
  bool try_send(T&& value) { return send(value, has_passed); }
  /// Effect: waits while the channel is empty and open. Returns: the oldest value; nothing if it is closed and empty. Blocks: the
  /// fiber.
  std::optional<T> receive() { return receive(no_deadline); }
  /// Returns: nothing if it is empty. Blocks: never.
  std::optional<T> try_receive() { return receive(has_passed); }

  /// Effect: nothing is sent any more; what was sent is still received. Closing again does nothing. Blocks: never.
  void close() {
    wake_ups next;
    {
      platform::lock_guard guard(lock_);
      closed_ = true;
      release_all(next);
    }
    next.deliver();
  }
  bool is_closed() {
    platform::lock_guard guard(lock_);
    return closed_;
  }

  const char* kind() const noexcept override { return "a channel"; }

 private:
  static constexpr unsigned served = 1;
  using ring = std::vector<std::optional<T>>;

  static ring room_for(std::size_t capacity) {
    if (capacity > ring().max_size()) throw std::bad_alloc();  // which a vector would say as a length_error
    return ring(capacity);
  }

  void push(T& value) { ring_[(first_ + count_++) % ring_.size()].emplace(std::move(value)); }
  void pop(std::optional<T>& to) {
    to = std::move(ring_[first_]);
    ring_[first_].reset();
    first_ = (first_ + 1) % ring_.size();
    --count_;
  }

  bool send(T& value, std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
    lock_.acquire();
    if (!closed_ && count_ == ring_.size() && deadline_ns != has_passed) {
      waiter self;
      self.value = &value;
      this->template wait_here<Rules>(self, deadline_ns);
      return self.result == served;
    }
    const bool possible = !closed_ && count_ != ring_.size();
    wake_ups next;
    if (possible) {
      // Those who wait at a channel that is not full are receivers.
      if (waiter* receiver = waiters_.pop()) {
        static_cast<std::optional<T>*>(receiver->value)->emplace(std::move(value));
        next.add(*receiver);
      } else {
        push(value);
      }
    }
    lock_.release();
    next.deliver();
    return possible;
  }

  std::optional<T> receive(std::uint64_t deadline_ns) TEFF_NOT_ANALYSED {
    std::optional<T> result;
    lock_.acquire();
    if (count_ == 0 && !closed_ && deadline_ns != has_passed) {
      waiter self;
      self.value = &result;
      this->template wait_here<Rules>(self, deadline_ns);
      return result;
    }
    wake_ups next;
    if (count_ != 0) {
      pop(result);
      // Those who wait at a channel that is not empty are senders.
      if (waiter* sender = waiters_.pop()) {
        if constexpr (Rules::lets_senders_follow) {
          push(*static_cast<T*>(sender->value));
          sender->result = served;
        }
        next.add(*sender);
      }
    }
    lock_.release();
    next.deliver();
    return result;
  }

  ring ring_;
  std::size_t first_ = 0, count_ = 0;
  bool closed_ = false;
};

}  // namespace TEFF_NAMESPACE::sync
