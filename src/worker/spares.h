// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"

#include <memory>
#include <span>
#include <vector>

namespace TEFF_NAMESPACE::workers {

struct member;
class team_base;

/// A thread that carries a worker whose own thread is busy with a call that may block.
class spare {
 public:
  explicit spare(team_base& team) : team_(team) {}

  [[nodiscard]] bool start(std::span<const unsigned> places) { return thread_.start(&thread_main, this, places); }
  /// Effect: the thread carries this worker until the run ends or the worker is given away again. Pre: it was taken from spares.
  void carry(member& taken);
  void stop();
  /// Effect: waits for the thread's end. Pre: it is about to end.
  void join() { thread_.join(); }
  bool is_this_thread() const { return thread_.is_current(); }

 private:
  static void thread_main(void* self);
  bool wait_for_call();

  enum : std::uint32_t { idle, called, stopping };

  team_base& team_;
  member* taken_ = nullptr;  ///< ordered by word_
  platform::atomic<std::uint32_t> word_{idle};
  platform::thread thread_;
};

/// The spare threads of a team: as many as there were calls outside at once, and no more than these and the workers. One that
/// nobody needed for `kept_ns` ends; the one that was used last is used first, so that the others have a chance to. Threads: any.
class spares {
 public:
  spares() = default;
  spares(const spares&) = delete;
  spares& operator=(const spares&) = delete;

  /// Effect: threads run at these places of the machine; none: where who starts them may. Borrows them. Pre: nobody takes one
  /// yet.
  void confine(std::span<const unsigned> places) { places_ = places; }
  /// Returns: an idle one, the caller's until carry; nullptr if there is none and the system refuses another thread.
  spare* take(team_base& team) noexcept;
  void put_back(spare& idle);
  /// Effect: the calling thread's spare is no more, if it is idle: the thread ends. Returns: whether it is so.
  bool retire(spare& idle);
  /// Returns: how many threads there are.
  std::size_t count();
  static constexpr std::uint64_t kept_ns = 5'000'000'000;
  /// Whether the caller is one of them.
  bool own_this_thread();
  /// Effect: ends the threads. Pre: all are idle, or about to be.
  void stop();

 private:
  std::span<const unsigned> places_;
  platform::lock lock_;
  std::vector<std::unique_ptr<spare>> all_;  ///< under the lock
  std::unique_ptr<spare> retired_;           ///< under the lock; its thread has ended, or is about to
  bool stopping_ = false;                    ///< under the lock
  std::vector<spare*> idle_;                 ///< under the lock; has room for all
};

}  // namespace TEFF_NAMESPACE::workers
