// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Nodes of tasks that are gone, and that others may still come by on their way up: epoch-based reclamation, README.md, *Tasks
/// that ended before their children*.
#pragma once

#include "platform/platform.h"
#include "platform/tuning.h"

#include <cstdint>
#include <utility>

namespace TEFF_NAMESPACE::openmp {

class blocks;
struct member;
struct node;

/// A team's epochs: who looks up the tree says in which one it began. An epoch ends when nobody looks any more who began in the one
/// before.
class node_epochs {
 public:
  /// Returns: the epoch; never 0.
  std::uint32_t now() const { return now_.load(platform::acquire); }  // [retired] it sees that looks of earlier ones are over
  /// Effect: an epoch ends, unless another member has ended it. Pre: nobody looks who began in an earlier one.
  void end(std::uint32_t epoch) { now_.compare_exchange(epoch, epoch + 2, platform::acq_rel); }  // [retired]

  /// Returns: whether closed tasks may become children of others in this region. Effect: from the first call on what is gone is
  /// retired. False where the system has no fence for all threads.
  bool let_move();
  /// Returns: whether some may have. Threads: who has counted off the last child of a task, and so sees who moved one away.
  bool have_moved() const { return moves_.load(platform::relaxed) == yes; }
  /// Returns: how many regions have begun. relaxed, as the next line: who asks has been sent in, or has a task of the region.
  std::uint32_t region() const { return region_.load(platform::relaxed); }
  /// Pre: nobody is at work in the team.
  void begin_region() {
    region_.store(region() + 1, platform::relaxed);
    moves_.store(unknown, platform::relaxed);
  }

 private:
  enum : std::uint8_t { unknown, yes, no };
  platform::atomic<std::uint32_t> now_{1};  ///< odd
  platform::atomic<std::uint32_t> region_{0};
  platform::atomic<std::uint8_t> moves_{unknown};
};

/// What a member has retired. Space: four batches at most, and more as long as somebody's look goes on.
///
/// Threads: the member's.
class retired_nodes {
 public:
  explicit retired_nodes(blocks& memory) : memory_(memory) { begin_batch(); }
  retired_nodes(const retired_nodes&) = delete;
  retired_nodes& operator=(const retired_nodes&) = delete;
  /// Pre: nobody looks.
  ~retired_nodes() { give_back_all(); }

  /// Effect: the node's memory is given back when nobody can be on the way through it. Pre: it is closed, all below it is gone,
  /// and nobody who begins to look can come to it. Cost: a fence of all threads for so many.
  void add(member& current, node* gone);
  /// Returns: whether there is any.
  bool any() const { return growing_.first != nullptr || waiting_.first != nullptr; }
  /// Effect: what is of earlier regions is given back: their tasks have ended, and all looks lie in tasks or in waits for them. A
  /// member that is late leaves its last barrier in the midst of the next region, and may have run tasks of that before it enters
  /// it.
  void come_to_region(std::uint32_t number) {
    if (std::exchange(region_, number) != number) give_back_all();
  }

 private:
  /// Pre: nobody is on the way through any of it.
  void give_back_all() {
    give_back(growing_);
    give_back(waiting_);
    begin_batch();
  }

  struct batch {
    node* first = nullptr;
    std::uint32_t epoch = 0;  ///< in which it was complete
  };
  void begin_batch() {
    weight_ = 0;
    full_at_ = tuning::retired_at_once;
  }
  void end_batch(member& current);
  void give_back(batch& all);

  blocks& memory_;
  std::uint32_t region_ = 0;  ///< of which all is that it has
  batch growing_, waiting_;
  std::uint64_t weight_ = 0, full_at_;  ///< of the one that grows; when it is complete, or that is tried again
};

}  // namespace TEFF_NAMESPACE::openmp
