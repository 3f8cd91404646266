// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "pool/parts/per_worker.h"
#include "pool/wrap/wrapped.h"

#include <cstdint>
#include <string>
#include <vector>

namespace TEFF_NAMESPACE::pool::wrap {

/// A fault to plant: which, and at every how many operations of the kind that it strikes.
struct fault {
  enum class kind : std::uint8_t {
    // Legal: the contract allows each of them at any time, and the worker loop has to live with it.
    refuses,         ///< a put finds no memory
    retries,         ///< a get answers retry without having looked; every = 1 would never look
    wakes_too_much,  ///< an insertion advises to wake all, a get to wake one more
    // Illegal: a test that does not notice them is worth nothing.
    loses,            ///< an inserted task is thrown away
    doubles,          ///< an inserted task is inserted twice
    reorders,         ///< a get gives the task after the next one; the next one comes after that
    forgets_to_wake,  ///< an insertion or a get advises to wake nobody
  };

  kind what = kind::refuses;
  std::uint32_t every = 0;  ///< 0: never
};

inline constexpr const char* fault_names[] = {"refuses", "retries",  "wakes_too_much", "loses",
                                              "doubles", "reorders", "forgets_to_wake"};
inline const char* name_of(fault::kind which) { return fault_names[static_cast<unsigned>(which)]; }
inline constexpr bool is_legal(fault::kind which) { return which < fault::kind::loses; }

/// A pool with a planted fault.
///
/// Invariants: a task that `reorders` holds back is seen by its worker alone, which finds it before all others.
/// Cost: an atomic addition per operation that the fault may strike.
template <task_pool Pool>
class faulty : public wrapped<Pool> {
 public:
  explicit faulty(const environment& from, const instruments& with = {})
      : wrapped<Pool>(from, with), planted_(with.planted != nullptr ? *with.planted : fault{}), held_back_(from.workers) {}

  advice init(worker& first, task ready) {
    return insert(ready, [&](task inserted) { return this->inner_.init(first, inserted); });
  }
  advice put(worker& current, task ready, put_step step = put_step::whole) {
    if (strikes(fault::kind::refuses)) return advice::refused;
    return insert(ready, [&](task inserted) { return this->put_below(current, inserted, step); });
  }
  advice inject(std::span<const task> ready) {
    if (ready.size() == 1)
      return insert(ready.front(), [&](task inserted) { return this->inner_.inject(std::span<const task>(&inserted, 1)); });
    if (ready.empty()) return this->inner_.inject(ready);  // there is none that a fault could strike
    // They stay together, and a fault strikes one of them.
    std::vector<task> struck(ready.begin(), ready.end());
    if (strikes(fault::kind::loses)) struck.pop_back();
    if (strikes(fault::kind::doubles)) struck.push_back(struck.front());
    const advice advised = this->inner_.inject(struck);
    if (advised == advice::refused) return advised;
    if (strikes(fault::kind::wakes_too_much)) return advice::wake_all;
    return strikes(fault::kind::forgets_to_wake) ? advice(advice::wake_none) : advised;
  }

  get_result get(worker& current, task& next, reach how) {
    // What a fault may strike goes by a whole look.
    if (how != reach::whole)
      return planted_.every == 0 || how == reach::force ? this->inner_.get(current, next, how) : get_result::empty;
    if (strikes(fault::kind::retries)) return get_result::retry;
    if (take_held_back(current, [](const task&) { return true; }, next)) return get_result::got;
    get_result found = this->inner_.get(current, next, how);
    if (found.has_task() && strikes(fault::kind::reorders)) hold_back(current, next);
    if (found.has_task() && strikes(fault::kind::wakes_too_much)) found.advised = advice::wake_one;
    if (found.advised != advice::wake_none && strikes(fault::kind::forgets_to_wake)) found.advised = advice::wake_none;
    return found;
  }

  template <class Predicate>
  get_result take(worker& current, Predicate wanted, task& taken, reach how) {
    if (take_held_back(current, wanted, taken)) return get_result::got;
    return this->inner_.take(current, wanted, taken, how);
  }

 private:
  struct alignas(cache_line_bytes) place {
    task held;
    bool holds = false;
  };

  /// Returns: whether the planted fault is this one and its turn has come.
  bool strikes(fault::kind which) {
    if (planted_.every == 0 || planted_.what != which) return false;
    return (operations_.fetch_add(1, platform::relaxed) + 1) % planted_.every == 0;  // own: the counter orders nothing
  }

  template <class Insertion>
  advice insert(task ready, Insertion insertion) {
    if (strikes(fault::kind::loses)) return advice::wake_none;
    const advice advised = insertion(ready);
    if (advised == advice::refused) return advised;
    if (strikes(fault::kind::doubles)) insertion(ready);
    if (strikes(fault::kind::wakes_too_much)) return advice::wake_all;
    if (strikes(fault::kind::forgets_to_wake)) return advice::wake_none;
    return advised;
  }

  /// Effect: if there is another task, keeps `next` and gives that one instead. Pre: nothing is held back.
  void hold_back(worker& current, task& next) {
    task after;
    if (!this->inner_.get(current, after, reach::whole).has_task()) return;
    held_back_[current] = {next, true};
    next = after;
  }

  template <class Predicate>
  bool take_held_back(worker& current, Predicate wanted, task& taken) {
    place& own = held_back_[current];
    if (!own.holds || !wanted(own.held)) return false;
    own.holds = false;
    taken = own.held;
    return true;
  }

  const fault planted_;
  parts::per_worker<place> held_back_;
  alignas(cache_line_bytes) platform::atomic<std::uint64_t> operations_{0};
};

}  // namespace TEFF_NAMESPACE::pool::wrap
