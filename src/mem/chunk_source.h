// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"

#include <cstddef>

namespace TEFF_NAMESPACE::mem {

/// Elements of one size cut from chunks of many, which live as long as the source. Not synchronised: its owner, or the holder
/// of its lock, calls. Owns: the chunks.
class chunk_source {
 public:
  chunk_source() = default;
  chunk_source(const chunk_source&) = delete;
  chunk_source& operator=(const chunk_source&) = delete;
  ~chunk_source() {
    while (chunks_ != nullptr) {
      chunk* gone = chunks_;
      chunks_ = gone->next;
      platform::system_release(gone, gone->bytes);
    }
  }

  /// Returns: the next element of the last chunk, or nullptr when it is used up.
  void* take() {
    if (next_ == end_) return nullptr;
    void* taken = next_;
    next_ += element_bytes_;
    return taken;
  }

  /// Effect: asks the system for a chunk of that many elements. Pre: take returned nullptr. Returns: its bytes, or 0 if refused.
  std::size_t refill(std::size_t element_bytes, std::size_t elements) {
    const std::size_t bytes = sizeof(chunk) + element_bytes * elements;
    auto* added = static_cast<chunk*>(platform::system_allocate(bytes, alignof(chunk)));
    if (added == nullptr) return 0;
    platform::touch(added, sizeof(chunk), platform::to_write);
    added->next = chunks_;
    added->bytes = bytes;
    chunks_ = added;
    element_bytes_ = element_bytes;
    next_ = reinterpret_cast<char*>(added + 1);
    end_ = next_ + element_bytes * elements;
    return bytes;
  }

 private:
  struct alignas(cache_line_bytes) chunk {
    chunk* next;
    std::size_t bytes;
  };

  chunk* chunks_ = nullptr;
  char* next_ = nullptr;
  char* end_ = nullptr;
  std::size_t element_bytes_ = 0;
};

}  // namespace TEFF_NAMESPACE::mem
