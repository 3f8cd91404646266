// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/pool.h"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace TEFF_NAMESPACE::pool::wrap {

class tally;
class event_log;
class violations;
struct fault;

/// Where decorators write what they find, and what they are to do. Borrowed: it outlives the pool.
struct instruments {
  tally* numbers = nullptr;        ///< counting
  event_log* events = nullptr;     ///< tracing
  violations* found = nullptr;     ///< checking
  const fault* planted = nullptr;  ///< faulty
};

/// The operations of a pool by which tasks come and go, for those who name them.
enum class operation : std::uint8_t { init, put, inject, get, take, unblocked, close };
inline constexpr unsigned operation_count = 7;
inline constexpr const char* operation_names[operation_count] = {"init", "put", "inject", "get", "take", "unblocked", "close"};

inline const char* name_of(operation which) { return operation_names[static_cast<unsigned>(which)]; }

/// What pools answer, by one number for all operations.
enum class answer : std::uint8_t { refused, full, wake_none, wake_if_every, wake_one, wake_all, got, empty, retry };
inline constexpr unsigned answer_count = 9;
inline constexpr const char* answer_names[answer_count] = {"refused",  "full", "wake_none", "wake_if_every", "wake_one",
                                                           "wake_all", "got",  "empty",     "retry"};

inline const char* name_of(answer which) { return answer_names[static_cast<unsigned>(which)]; }

inline answer as_answer(advice advised) { return static_cast<answer>(advised.what); }
inline answer as_answer(get_result result) {
  return static_cast<answer>(static_cast<unsigned>(answer::got) + static_cast<unsigned>(result.what));
}

static_assert(static_cast<unsigned>(advice::wake_all) == static_cast<unsigned>(answer::wake_all));
static_assert(static_cast<unsigned>(get_result::retry) + static_cast<unsigned>(answer::got) ==
              static_cast<unsigned>(answer::retry));

/// What decorators have in common: the pool below, which may be a decorator itself.
///
/// All of the contract is forwarded (is_forwarded_by checks it), but for the lane: what goes by it in the pool alone comes by
/// put, get and take here, and finds the same.
template <task_pool Pool>
class wrapped {
 public:
  wrapped(const environment& from, const instruments& with) : inner_(build(from, with)) {}
  wrapped(const wrapped&) = delete;
  wrapped& operator=(const wrapped&) = delete;

  static constexpr const pool_traits& traits = Pool::traits;

  pool_statistics statistics() const { return inner_.statistics(); }
  void reset_statistics() { inner_.reset_statistics(); }

  /// No task comes in or goes out by it.
  advice share(worker& current)
    requires shares<Pool>
  {
    return inner_.share(current);
  }
  void close(worker& last)
    requires closes<Pool>
  {
    inner_.close(last);
  }

  void fork(worker& current, started& parent, started& child)
    requires forks<Pool>
  {
    inner_.fork(current, parent, child);
  }
  void blocked(worker& current, started& who)
    requires follows_waits<Pool>
  {
    inner_.blocked(current, who);
  }
  advice unblocked(worker* current, started& who, task again)
    requires tracks_started<Pool>
  {
    return inner_.unblocked(current, who, again);
  }
  void finished(worker& current, started& who)
    requires follows_ends<Pool>
  {
    inner_.finished(current, who);
  }
  bool allocated(worker& current, started& who, std::ptrdiff_t bytes)
    requires has_quota<Pool>
  {
    return inner_.allocated(current, who, bytes);
  }

 protected:
  /// Effect: puts into the pool below, by the step if that knows steps.
  advice put_below(worker& current, const task& ready, put_step step) {
    if constexpr (has_bound<Pool>) return inner_.put(current, ready, step);
    else return inner_.put(current, ready);
  }

  Pool inner_;

 private:
  static Pool build(const environment& from, const instruments& with) {
    if constexpr (std::constructible_from<Pool, const environment&, const instruments&>) return Pool(from, with);
    else return Pool(from);
  }
};

/// Whether a decorated pool has what the pool has, name by name.
template <class Decorated, class Pool>
inline constexpr bool is_forwarded_by =
    task_pool<Decorated> && &Decorated::traits == &Pool::traits && shares<Decorated> == shares<Pool> &&
    forks<Decorated> == forks<Pool> && follows_waits<Decorated> == follows_waits<Pool> &&
    tracks_started<Decorated> == tracks_started<Pool> && follows_ends<Decorated> == follows_ends<Pool> &&
    has_quota<Decorated> == has_quota<Pool> && (closes<Decorated> || !closes<Pool>);

}  // namespace TEFF_NAMESPACE::pool::wrap
