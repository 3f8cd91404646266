// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The second part of include/teff/teff.h, on include/teff/parallel.hpp. Natively only.
#include "teff/teff.h"

#include "runtime/c_answer.h"
#include "teff/teff.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace {

using teff::runtime::answered;

teff_worker* handle(teff::context& here) { return reinterpret_cast<teff_worker*>(&here.current()); }

teff::loop_options options_of(size_t grain) {
  if (grain == TEFF_ANY_GRAIN) return {};
  return {.grain = grain};
}

/// A loop, whose body takes whole parts.
struct c_loop : teff::detail::loop_call {
  c_loop(std::size_t first, std::uint64_t size, teff_loop_body body, void* data)
      : loop_call{&run_part, size, teff::label_of<teff_loop_body>()}, first(first), body(body), data(data) {}

  static std::uint64_t run_part(const loop_call& call, teff::context&, std::uint64_t begin, std::uint64_t end,
                                std::uint64_t unwatched, const teff::sync::forked_task* youngest) {
    const auto& self = static_cast<const c_loop&>(call);
    return teff::detail::run_watched(begin, end, unwatched, youngest, [&](std::uint64_t from, std::uint64_t to) {
      self.body(self.first + from, self.first + to, self.data);
    });
  }

  std::size_t first;
  teff_loop_body body;
  void* data;
};

/// Some bytes that are copied, as a value of a reduction: few of them in place.
class bytes {
 public:
  explicit bytes(std::size_t count) : count_(count) {
    if (count > sizeof small_) large_ = std::make_unique<line[]>((count + sizeof(line) - 1) / sizeof(line));
  }
  bytes(const bytes& other) : bytes(other.count_) { copy_from(other.data()); }
  bytes(bytes&& other) noexcept : count_(other.count_), small_(other.small_), large_(std::move(other.large_)) {}
  bytes& operator=(bytes&& other) noexcept {
    small_ = other.small_;
    large_ = std::move(other.large_);
    return *this;
  }

  void* data() { return large_ != nullptr ? large_.get() : &small_; }
  const void* data() const { return large_ != nullptr ? large_.get() : &small_; }
  void copy_from(const void* other) { std::memcpy(data(), other, count_); }
  void copy_to(void* other) const { std::memcpy(other, data(), count_); }

 private:
  /// Vectors of the widest kind may lie in it.
  struct alignas(64) line {
    std::byte bytes[64];
  };

  std::size_t count_;
  line small_;
  std::unique_ptr<line[]> large_;
};

}  // namespace

extern "C" {

teff_worker* teff_self(void) {
  teff::context* const here = teff::detail::context_here();
  return here != nullptr ? handle(*here) : nullptr;
}

teff_status teff_join(teff_function first, void* first_argument, teff_function second, void* second_argument) {
  if (first == nullptr || second == nullptr) return TEFF_NULL_POINTER;
  return answered([&] {
    teff::join([&](teff::context& here) { first(handle(here), first_argument); },
               [&](teff::context& here) { second(handle(here), second_argument); });
  });
}

teff_status teff_parallel_for(size_t first, size_t last, size_t grain, teff_loop_body body, void* data) {
  if (body == nullptr) return TEFF_NULL_POINTER;
  if (grain == 0) return TEFF_BAD_GRAIN;
  const c_loop loop(first, last > first ? last - first : 0, body, data);
  return answered([&] { teff::detail::run_loop(nullptr, loop, options_of(grain)); });
}

// A program in C may pass any number, which as a value of the enumeration nothing but this is to look at.
__attribute__((no_sanitize("undefined"))) teff_status teff_parallel_for_by(size_t first, size_t last, teff_loop_by by,
                                                                           size_t grain, teff_loop_body body, void* data) {
  if (body == nullptr) return TEFF_NULL_POINTER;
  const auto way = static_cast<unsigned>(by);
  if (way > TEFF_BY_QUEUE) return TEFF_BAD_DEALING;
  if (grain == 0 || (way == TEFF_BY_EVEN && grain != TEFF_ANY_GRAIN)) return TEFF_BAD_GRAIN;
  const c_loop loop(first, last > first ? last - first : 0, body, data);
  teff::loop_options options = options_of(grain);
  options.by = static_cast<teff::loop_by>(way);
  return answered([&] { teff::detail::run_loop(nullptr, loop, options); });
}

teff_status teff_parallel_reduce(size_t first, size_t last, size_t grain, void* value, size_t count, teff_reduce_body body,
                                 teff_combine combine, void* data) {
  if (value == nullptr || body == nullptr || combine == nullptr) return TEFF_NULL_POINTER;
  if (grain == 0) return TEFF_BAD_GRAIN;
  const std::uint64_t size = last > first ? last - first : 0;
  return answered([&] {
    bytes identity(count);
    identity.copy_from(value);
    const bytes result = teff::detail::in_task([&](teff::context& here) {
      const auto fold = [&](teff::context&, std::uint64_t begin, std::uint64_t end) {
        bytes part = identity;
        body(first + begin, first + end, part.data(), data);
        return part;
      };
      auto combined = [&](bytes left, const bytes& right) {
        combine(left.data(), right.data(), data);
        return left;
      };
      return teff::detail::reduce_parts<teff_reduce_body>(here, size, identity, fold, combined, teff::reduction_grain(size),
                                                          options_of(grain));
    });
    result.copy_to(value);
  });
}

int teff_default_workers(void) {
  int workers = 0;
  answered([&] { workers = static_cast<int>(teff::default_team::workers()); });
  return workers;
}

teff_status teff_default_end(void) {
  try {
    teff::default_team::end();
    return TEFF_OK;
  } catch (const std::bad_alloc&) {
    return TEFF_NO_MEMORY;
  } catch (const teff::usage_error&) {
    return TEFF_NOT_NOW;
  } catch (...) {
    return TEFF_EXCEPTION;
  }
}

}  // extern "C"
