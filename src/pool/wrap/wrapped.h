// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pool/pool.h"

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace teff::inline TEFF_PLATFORM::pool::wrap {

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

/// The operations of a pool, for those who name them.
enum class operation : std::uint8_t { init, put, inject, get, take_back, get_if, close };
inline constexpr unsigned operation_count = 7;
inline constexpr const char* operation_names[operation_count] = {"init", "put", "inject", "get", "take_back", "get_if", "close"};

inline const char* name_of(operation which) { return operation_names[static_cast<unsigned>(which)]; }

/// What pools answer, by one number for all operations.
enum class answer : std::uint8_t {
  refused,
  wake_none,
  wake_if_every,
  wake_one,
  wake_all,
  got,
  got_and_wake_one,
  empty,
  retry,
  no,
  yes,
};
inline constexpr unsigned answer_count = 11;
inline constexpr const char* answer_names[answer_count] = {
    "refused", "wake_none", "wake_if_every", "wake_one", "wake_all", "got", "got_and_wake_one", "empty", "retry", "no", "yes"};

inline const char* name_of(answer which) { return answer_names[static_cast<unsigned>(which)]; }

inline answer as_answer(advice advised) { return static_cast<answer>(advised); }
inline answer as_answer(get_result result) {
  return static_cast<answer>(static_cast<unsigned>(answer::got) + static_cast<unsigned>(result));
}
inline answer as_answer(bool success) { return success ? answer::yes : answer::no; }

static_assert(static_cast<unsigned>(advice::wake_all) == static_cast<unsigned>(answer::wake_all));
static_assert(static_cast<unsigned>(get_result::retry) + static_cast<unsigned>(answer::got) ==
              static_cast<unsigned>(answer::retry));

/// Whether a pool has the operations for workers that are about to sleep, or cannot set their task aside. Decorators count them as get
/// and get_if.
template <class Pool>
concept forces = requires(Pool& pool, worker& current, task& taken) {
  pool.get_by_force(current, taken);
  pool.get_if_by_force(current, detail::any_task{}, taken);
};

inline bool has_task(get_result result) { return result == get_result::got || result == get_result::got_and_wake_one; }

/// The list of settings, if the pool below has one.
template <class Pool>
struct forwarded_uses {};
template <class Pool>
  requires requires { Pool::uses; }
struct forwarded_uses<Pool> {
  static constexpr auto& uses = Pool::uses;
};

/// What decorators have in common: the pool below, which may be a decorator itself.
template <task_pool Pool>
class wrapped : public forwarded_uses<Pool> {
 public:
  wrapped(const environment& from, const instruments& with) : inner_(build(from, with)) {}
  wrapped(const wrapped&) = delete;
  wrapped& operator=(const wrapped&) = delete;

  static constexpr bool waiters_suspend_at_once = pool::waiters_suspend_at_once<Pool>;

  static std::size_t task_block_bytes(const settings& set) { return Pool::task_block_bytes(set); }

  std::uint64_t peak_live_tasks() const { return inner_.peak_live_tasks(); }
  std::uint64_t lock_waits() const { return inner_.lock_waits(); }
  void reset_statistics() { inner_.reset_statistics(); }

  std::size_t array_bytes() const
    requires requires(const Pool& asked) { asked.array_bytes(); }
  {
    return inner_.array_bytes();
  }
  std::uint64_t overflows() const
    requires requires(const Pool& asked) { asked.overflows(); }
  {
    return inner_.overflows();
  }

  bool is_full(worker& current)
    requires requires(Pool& asked) { asked.is_full(current); }
  {
    return inner_.is_full(current);
  }
  std::uint64_t live_tasks_at_most() const
    requires requires(const Pool& asked) { asked.live_tasks_at_most(); }
  {
    return inner_.live_tasks_at_most();
  }

  bool owes_wake_up(worker& current)
    requires requires(Pool& asked) { asked.owes_wake_up(current); }
  {
    return inner_.owes_wake_up(current);
  }

  /// No task comes in or goes out by it.
  advice share(worker& current)
    requires requires(Pool& asked) { asked.share(current); }
  {
    return inner_.share(current);
  }

  void close(worker& last)
    requires requires(Pool& closed) { closed.close(last); }
  {
    inner_.close(last);
  }

 protected:
  Pool inner_;

 private:
  static Pool build(const environment& from, const instruments& with) {
    if constexpr (std::constructible_from<Pool, const environment&, const instruments&>) return Pool(from, with);
    else return Pool(from);
  }
};

}  // namespace teff::inline TEFF_PLATFORM::pool::wrap
