// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"

#include <cstdint>
#include <memory>

namespace TEFF_NAMESPACE::mem {

/// The bytes that the workers of a manager hold from the system. Threads: each worker writes its own account, anybody reads.
class accounts {
 public:
  explicit accounts(unsigned workers) : workers_(workers), all_(new account[workers]) {}

  void add(unsigned id, std::uint64_t bytes) { all_[id].held.add(bytes); }
  void subtract(unsigned id, std::uint64_t bytes) { all_[id].held.add(0 - bytes); }
  /// Cost: a load for each worker.
  std::uint64_t held() const {
    std::uint64_t bytes = 0;
    for (unsigned id = 0; id < workers_; ++id) bytes += all_[id].held.value();
    return bytes;
  }

  /// For who gives memory back, so that its peak is not its sum: looks every time if there is one worker, else now and then.
  void sample(unsigned id) {
    if (all_[id].until_sample-- > 0) return;
    all_[id].until_sample = workers_ == 1 ? 0 : 63;
    const std::uint64_t now = held();
    if (static_cast<std::int64_t>(now) > 0 && now > sampled_peak_.value()) sampled_peak_.set(now);
  }
  std::uint64_t sampled_peak() const { return sampled_peak_.value(); }

 private:
  struct alignas(cache_line_bytes) account {
    platform::statistic held;  ///< bytes requested minus bytes given back by this worker (modulo 2^64)
    unsigned until_sample = 0;
  };

  const unsigned workers_;
  std::unique_ptr<account[]> all_;
  platform::statistic sampled_peak_;
};

}  // namespace TEFF_NAMESPACE::mem
