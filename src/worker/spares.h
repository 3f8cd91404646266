// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"

#include <memory>
#include <vector>

namespace teff::inline TEFF_PLATFORM::workers {

struct member;
class team_base;

/// A thread that carries a worker whose own thread is busy with a call that may block.
class spare {
 public:
  explicit spare(team_base& team) : team_(team) {}

  [[nodiscard]] bool start() { return thread_.start(&thread_main, this, -1); }
  /// Effect: the thread carries this worker until the run ends or the worker is given away again. Pre: it was taken from spares.
  void carry(member& taken);
  void stop();
  bool is_this_thread() const { return thread_.is_current(); }

 private:
  static void thread_main(void* self);

  enum : std::uint32_t { idle, called, stopping };

  team_base& team_;
  member* taken_ = nullptr;  ///< ordered by word_
  platform::atomic<std::uint32_t> word_{idle};
  platform::thread thread_;
};

/// The spare threads of a team: as many as there were calls outside at once. Threads: any.
class spares {
 public:
  spares() = default;
  spares(const spares&) = delete;
  spares& operator=(const spares&) = delete;

  /// Returns: an idle one, the caller's until carry; nullptr if there is none and the system refuses another thread.
  spare* take(team_base& team) noexcept;
  void put_back(spare& idle);
  /// Whether the caller is one of them.
  bool own_this_thread();
  /// Effect: ends the threads. Pre: all are idle, or about to be.
  void stop();

 private:
  platform::lock lock_;
  std::vector<std::unique_ptr<spare>> all_;  ///< under the lock
  std::vector<spare*> idle_;                 ///< under the lock; has room for all
};

}  // namespace teff::inline TEFF_PLATFORM::workers
