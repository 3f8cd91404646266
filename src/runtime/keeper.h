// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Natively only.
#pragma once

#include "teff/teff.hpp"

#include "runtime/entrance.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace TEFF_NAMESPACE::runtime {

/// The default team of one process. Never destroyed: who calls after the end of everything still finds it.
///
/// Threads: any. Its lock is held while the team is made, so that it is made once.
class keeper {
 public:
  /// Returns: that of this process; the child of fork() gets its own. Errors: std::bad_alloc.
  static keeper& of_this_process();

  /// A call that goes on; as long as there is one, the team does not end.
  class visit {
   public:
    explicit visit(keeper& of) : of_(of), entered_(of.enter()) {}
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    ~visit() { of_.leave(); }
    entrance& operator*() const { return entered_; }

   private:
    keeper& of_;
    entrance& entered_;
  };

  entrance& enter();
  void leave();
  /// Returns: nothing while a call is going on in this process; else how many have begun so far.
  static std::optional<std::uint64_t> visits_if_none_goes_on() noexcept;
  /// Returns: false if a call is going on, or the caller runs its tasks; else there is no team any more.
  bool end();
  /// Returns: what the team has counted; empty if there is none.
  statistics stats();

 private:
  std::unique_ptr<entrance> make();
  static void end_at_exit();

  const std::uint64_t made_in_ = platform::process_generation();
  [[maybe_unused]] keeper* const of_parent_process_;
  platform::lock lock_;
  std::unique_ptr<entrance> open_;  ///< under the lock
  unsigned visits_ = 0;             ///< under the lock
  std::uint64_t visits_begun_ = 0;  ///< under the lock
  bool says_stats_ = false;         ///< under the lock
  std::string memory_;              ///< under the lock: the team's manager, by name

  static platform::atomic<keeper*> newest_;

  explicit keeper(keeper* of_parent_process) : of_parent_process_(of_parent_process) {}
};

}  // namespace TEFF_NAMESPACE::runtime
