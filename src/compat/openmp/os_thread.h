// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "compat/openmp/crowd.h"
#include "compat/openmp/team.h"

#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::openmp {

/// A thread of the system, and what it keeps for the regions that it opens: threads that it has started, and teams.
///
/// Invariants: the threads that a thread started are used in their order, by nested regions behind those of the outer ones:
/// consecutive
///   regions of one size have the same threads under the same numbers, which is what threadprivate data count on.
/// Threads: the thread itself; `send` and `dismiss`: who started it.
class alignas(cache_line_bytes) os_thread {
 public:
  os_thread() = default;
  os_thread(const os_thread&) = delete;
  os_thread& operator=(const os_thread&) = delete;
  /// Effect: ends the threads that it started, and waits until each has left the memory of its team. Pre: they are idle.
  ~os_thread();

  /// Effect: makes the calling thread, which is none of a team, a member of a team of its own.
  static member& adopt();

  /// Effect: forgets the threads and teams of a parent, in a child of fork. Returns: whether there was something to forget.
  bool abandon_if_forked();

  /// Returns: a team of at most `size` members, for whose other members there are threads: less if the system refuses threads.
  /// Pre: the thread has abandoned what is another process'.
  team& engage(unsigned size);
  /// Effect: gives such a team back.
  void disengage(team& idle);

  /// Effect: at its end: children that its task made outside of regions are on their own.
  void forget_children();

  /// Effect: gives back what it keeps for later regions: teams, and if not even threadprivate variables are to last, the threads
  /// with them. Pre: none is engaged.
  void give_back(bool threads_too);

  /// Whether threads that it started are in a region.
  bool is_engaged() const { return engaged_ != 0 && generation_ == platform::process_generation(); }

  openers::own opens;  ///< regions outside of others

  /// Whether Teff did not start it.
  bool is_of_program() const { return own_team_ != nullptr; }

  /// Returns: the place of a region's opener, among those that it has. Pre: there are places.
  static unsigned first_place_of(const team& region);

  /// Returns: the number of the place that the thread is bound to, −1 if it is to none.
  int place() const { return place_; }

  /// Effect: says where the calling thread runs, in a region with others, if it has not said the same of the last such region of
  /// that level. For OMP_DISPLAY_AFFINITY.
  void show_affinity(const member& self);

  /// Effect: the other members' threads take their places in it, run the region, and come back. Pre: the team was engaged last.
  void send_all(team& engaged);

 private:
  enum : std::uint32_t { idle, asleep, sent, dismissed, gone };

  static void work(void* itself);
  void send(member& self);
  /// Effect: waits for a region; spins so many rounds before it sleeps. Returns: nullptr if the thread is dismissed.
  member* await(unsigned rounds);
  /// Effect: the thread is told to end. Pre: it is idle.
  void dismiss();
  /// Effect: waits until it has ended; spins so many rounds before it gives its processor away. Pre: it was dismissed.
  void await_end(unsigned rounds);
  /// Effect: ends the threads that it started. Pre: they are idle.
  void end_crew();
  void go_to(unsigned place);
  void give_places(team& engaged) const;
  /// Effect: sees to it that there are so many threads behind those that are engaged. Returns: how many there are, at most that.
  unsigned hire(unsigned wanted);
  team& team_of(unsigned size);

  /// [send] release by who sends, acquire by the thread: it sees the member and what the team says.
  platform::atomic<std::uint32_t> word_{idle};
  member* member_ = nullptr;
  std::vector<std::unique_ptr<os_thread>> crew_;
  unsigned engaged_ = 0;
  int place_ = -1;
  std::uint64_t shown_[4] = {};  ///< what show_affinity has said last of a level, in numbers; levels that are 4 apart share one
  std::vector<std::unique_ptr<team>> idle_teams_;
  std::unique_ptr<team> own_team_;  ///< of a thread that Teff did not start: its one member runs what is outside of all regions
  std::uint64_t generation_ = platform::process_generation();
};

}  // namespace TEFF_NAMESPACE::openmp
