// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "task/worker.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <numeric>

namespace TEFF_NAMESPACE::pool::parts {

/// An array with one element per worker, each built from the same arguments and in cache lines of its own.
template <class Element>
class per_worker {
 public:
  static_assert(alignof(Element) >= cache_line_bytes, "neighbours would disturb each other");

  template <class... Arguments>
  explicit per_worker(unsigned workers, Arguments&&... arguments)
      : elements_(static_cast<Element*>(::operator new(workers * sizeof(Element), std::align_val_t{alignof(Element)}))) {
    try {
      for (; count_ < workers; ++count_) ::new (elements_ + count_) Element(arguments...);
    } catch (...) {
      destroy();
      throw;
    }
  }
  per_worker(const per_worker&) = delete;
  per_worker& operator=(const per_worker&) = delete;
  ~per_worker() { destroy(); }

  Element& operator[](const worker& current) { return elements_[current.id]; }
  Element& operator[](unsigned id) { return elements_[id]; }

  unsigned size() const { return count_; }

  /// Returns: the sum of value(element) over all workers.
  template <class Value>
  std::uint64_t sum(Value value) const {
    return std::accumulate(elements_, elements_ + count_, std::uint64_t{0},
                           [&](std::uint64_t total, const Element& element) { return total + value(element); });
  }

  template <class Visitor>
  void for_each(Visitor visit) {
    std::for_each_n(elements_, count_, visit);
  }

 private:
  void destroy() {
    std::destroy_n(elements_, count_);
    ::operator delete(elements_, std::align_val_t{alignof(Element)});
  }

  Element* const elements_;
  unsigned count_ = 0;
};

}  // namespace TEFF_NAMESPACE::pool::parts
