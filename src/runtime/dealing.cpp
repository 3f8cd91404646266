// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/dealing.h"

#include "platform/platform.h"
#include "teff/runtime.hpp"
#include "worker/team.h"

#include <algorithm>

namespace TEFF_NAMESPACE::detail {

namespace {

/// Units that nobody has taken yet, for takers who help themselves (guided self-scheduling, Polychronopoulos & Kuck 1987: each
/// takes its share of what is left, so that the last parts are small).
class units_left {
 public:
  units_left(std::uint64_t units, std::uint64_t least, std::uint64_t takers) : units_(units), least_(least), takers_(takers) {}

  /// Returns: false if there are none left; else the units from `begin` to `end` are the caller's.
  bool take(std::uint64_t& begin, std::uint64_t& end) {
    begin = taken_.load(platform::relaxed);  // [taken]
    do {
      const std::uint64_t left = units_ - begin;
      if (left == 0) return false;
      const std::uint64_t share = (left - 1) / takers_ + 1;
      end = begin + std::min(left, std::max(least_, share));
    } while (!taken_.compare_exchange(begin, end, platform::relaxed));  // [taken]
    return true;
  }

 private:
  const std::uint64_t units_, least_, takers_;
  /// [taken] relaxed: who changes it has the units, and what these leave behind the group's wait makes visible.
  platform::atomic<std::uint64_t> taken_{0};
};

/// A loop that is dealt out. Lies on the stack of who called it, who waits for its tasks.
class dealer {
 public:
  explicit dealer(const dealt_loop& all) : all_(all) {}

  void each(context& here) {
    for (std::uint64_t begin = 0; begin < all_.units && !tasks_.is_cancelled() && !all_.stop.requested();) {
      const std::uint64_t end = begin + std::min(all_.grain, all_.units - begin);
      put(here, [this, begin, end](context& own) { all_.run(all_, own, begin, end); });
      begin = end;
    }
  }

  void even(context& here, std::uint64_t parts) {
    const std::uint64_t least = all_.units / parts, longer = all_.units % parts;
    for (std::uint64_t part = 0, begin = 0; part < parts; ++part) {
      const std::uint64_t end = begin + least + (part < longer ? 1 : 0);
      put(here, [this, begin, end](context& own) { all_.run(all_, own, begin, end); });
      begin = end;
    }
  }

  void queue(context& here, units_left& left, std::uint64_t takers) {
    for (; takers > 0; --takers) {
      put(here, [this, &left](context& own) {
        for (std::uint64_t begin, end; !tasks_.is_cancelled() && left.take(begin, end);) all_.run(all_, own, begin, end);
      });
    }
  }

  void wait(context& here) { tasks_.wait(here); }

 private:
  template <class Function>
  void put(context& here, Function function) {
    tasks_.put(here, [this, function](context& own) {
      own.frame->show(all_.label);
      try {
        function(own);
      } catch (...) {
        tasks_.cancel();
        throw;
      }
    });
  }

  const dealt_loop& all_;
  task_group tasks_;
};

}  // namespace

void check_dealing(const loop_options& options) {
  if (options.by > loop_by::queue)
    throw usage_error("a loop cannot be dealt out by '" + std::to_string(static_cast<unsigned>(options.by)) +
                      "'; allowed: halves, each, even, queue");
  if (options.by == loop_by::even && options.grain)
    throw usage_error("a loop by even parts cannot have the grain " + std::to_string(*options.grain) +
                      ": its parts are as many as there are workers; allowed: none, or another way to deal it out");
}

void deal_out(context& here, const dealt_loop& all, loop_by by) {
  const std::uint64_t workers = static_cast<workers::member&>(here.current()).team.workers();
  const std::uint64_t parts = std::min(workers, all.units);
  units_left left(all.units, all.grain, parts);
  dealer dealing(all);
  if (by == loop_by::each) dealing.each(here);
  else if (by == loop_by::even) dealing.even(here, parts);
  else dealing.queue(here, left, parts);
  dealing.wait(here);
}

}  // namespace TEFF_NAMESPACE::detail
