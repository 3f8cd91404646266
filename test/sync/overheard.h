// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What is written to standard error, heard while it is written. Natively.
#pragma once

#include "base/namespace.h"

#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>

namespace TEFF_NAMESPACE::testing_sync {

/// Hears standard error from its making until stop.
class listener {
 public:
  listener() : before_(dup(STDERR_FILENO)) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    from_ = ends[0];
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    thread_ = std::thread([this] { listen(); });
  }
  ~listener() { stop(); }

  bool has(const std::string& text) {
    const std::lock_guard guard(lock_);
    return heard_.find(text) != std::string::npos;
  }
  /// Effect: returns when the text has been written.
  void await(const std::string& text) {
    std::unique_lock guard(lock_);
    more_.wait(guard, [&] { return heard_.find(text) != std::string::npos; });
  }
  std::string stop() {
    if (thread_.joinable()) {
      dup2(before_, STDERR_FILENO);  // and closes the pipe's only writing end
      close(before_);
      thread_.join();
      close(from_);
    }
    return heard_;
  }

 private:
  void listen() {
    char text[4096];
    for (ssize_t bytes; (bytes = read(from_, text, sizeof text)) > 0;) {
      const std::lock_guard guard(lock_);
      heard_.append(text, static_cast<std::size_t>(bytes));
      more_.notify_all();
    }
  }

  const int before_;
  int from_;
  std::mutex lock_;
  std::condition_variable more_;
  std::string heard_;
  std::thread thread_;
};

}  // namespace TEFF_NAMESPACE::testing_sync
