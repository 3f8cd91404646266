// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"

namespace TEFF_NAMESPACE::queue {

/// Where a worker that put a task keeps the node in which that lies, so that it finds the task again without a walk.
///
/// It holds the node from before anybody else can find that until somebody takes the task out of it, who empties the note first.
/// [note] release by who empties it, for whom that is the last access to it; acquire by the worker, which then may end it.
class note {
 public:
  /// Threads: the worker, before the node is in a queue.
  void fill(void* with) { node_.store(with, platform::relaxed); }  // relaxed: visible with the node itself
  /// Threads: who takes the task, before others see that it is gone.
  void empty() { node_.store(nullptr, platform::release); }  // [note]
  /// Threads: who has the right to move tasks from node to node: the task lies in this one now.
  void follow(void* now) { node_.store(now, platform::relaxed); }  // relaxed: under the lock under which it is read
  bool is_empty() const { return node_.load(platform::acquire) == nullptr; }  // [note]
  /// Returns: nullptr if it is empty. Pre: whoever empties it next does not end the node before the caller is done with that.
  void* node() const { return node_.load(platform::relaxed); }  // relaxed: ordered by that: a lock, or [lookers]

 private:
  platform::atomic<void*> node_{nullptr};
};

}  // namespace TEFF_NAMESPACE::queue
