// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/order.h"
#include "sim/access.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace TEFF_NAMESPACE::platform {

/// A plain value: all virtual processors run on one thread. Every access is a scheduling point, then happens at once, whatever
/// its order: simulated memory is sequentially consistent.
template <class T>
class atomic {
 public:
  constexpr atomic(T initial = T{}) noexcept : value_(initial) {
    if (!std::is_constant_evaluated()) sim::constructed(this);
  }
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(order) const noexcept {
    sim::access(this, sim::operation::load);
    return value_;
  }

  void store(T desired, order) noexcept {
    const bool watched = sim::access(this, sim::operation::store);
    value_ = desired;
    sim::written(watched);
  }

  T exchange(T desired, order) noexcept {
    return modify([desired](T) { return desired; });
  }

  /// Strong. On failure `expected` holds the value that was found; the line was fetched for writing all the same.
  bool compare_exchange(T& expected, T desired, order) noexcept {
    const bool watched = sim::access(this, sim::operation::read_modify_write);
    if (!are_same(value_, expected)) {
      expected = value_;
      return false;
    }
    value_ = desired;
    sim::written(watched);
    return true;
  }

  T fetch_add(T operand, order) noexcept {
    return modify([operand](T old) { return static_cast<T>(bits(old) + bits(operand)); });
  }
  T fetch_sub(T operand, order) noexcept {
    return modify([operand](T old) { return static_cast<T>(bits(old) - bits(operand)); });
  }
  /// As a load and a store.
  // Any order does: in simulation all accesses are in one.
  void add_alone(T operand, order o) noexcept { store(static_cast<T>(bits(load(order::relaxed)) + bits(operand)), o); }
  T fetch_or(T operand, order) noexcept {
    return modify([operand](T old) { return static_cast<T>(old | operand); });
  }

  // As natively: loads that are compared.
  bool holds(T value) const noexcept { return load(order::relaxed) == value; }
  bool lower_half_is_at_most(std::uint64_t minuend) const noexcept {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(minuend) - static_cast<std::uint32_t>(load(order::relaxed))) >= 0;
  }
  const void* if_lower_half_is_at_most(std::uint64_t minuend, const void* chosen, const void* other) const noexcept {
    return lower_half_is_at_most(minuend) ? chosen : other;
  }

  /// Whether that is its value now. No access: for who is about to wait for another one.
  bool is_still(T value) const noexcept { return are_same(value_, value); }
  /// What park and wake know the word by.
  void* address() const noexcept { return static_cast<void*>(const_cast<T*>(&value_)); }

  static_assert(std::is_trivially_copyable_v<T> && std::atomic<T>::is_always_lock_free);  // as natively

 private:
  /// Unsigned, because atomic arithmetic wraps around; wide, because narrow numbers would be promoted to int.
  static std::uint64_t bits(T value) noexcept { return static_cast<std::uint64_t>(value); }

  static bool are_same(const T& left, const T& right) noexcept {
    if constexpr (std::is_pointer_v<T>) return left == right;
    else return std::memcmp(&left, &right, sizeof(T)) == 0;
  }

  template <class Change>
  T modify(Change change) noexcept {
    const bool watched = sim::access(this, sim::operation::read_modify_write);
    const T old = value_;
    value_ = change(old);
    sim::written(watched);
    return old;
  }

  T value_;
};

/// A number that one thread writes and any thread may read for information. A plain variable: no scheduling point.
class statistic {
 public:
  void add(std::uint64_t amount) noexcept { value_ += amount; }
  void set(std::uint64_t value) noexcept { value_ = value; }
  void clear() noexcept { value_ = 0; }
  std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 0;
};

void fence(order) noexcept;
inline void fence_of_compiler() noexcept {}
bool fence_everywhere() noexcept;

}  // namespace TEFF_NAMESPACE::platform
