// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/assert.h"
#include "base/built_in_place.h"
#include "mem/memory.h"
#include "platform/tuning.h"
#include "pool/pool.h"
#include "worker/guest.h"
#include "worker/rules.h"
#include "worker/team.h"

#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace TEFF_NAMESPACE::workers {

/// A team on a pool of a given type: the worker loop.
///
/// Idea: get a task and run it; else search; else announce, look again, and sleep; else stop. Who announces last checks whether
///   all is done.
template <pool::task_pool Pool, class Rules = rules>
class team_of final : public team_base {
 public:
  /// `make_memory(workers, task_block_bytes)` and `make_pool(environment)` are called once the real number of workers is known.
  team_of(const team_shape& shape, const pool::settings& set,
          const std::function<mem::memory(unsigned workers, std::size_t task_block_bytes)>& make_memory,
          const std::function<Pool(const pool::environment&)>& make_pool)
      : team_base(shape, Pool::traits.workers_come_by_need),
        set_(set),
        operations_{&put,       &offer,       &end_push,          &run_borrowed,     &take_child,
                    &take_back, &execute_now, &allocate_argument, &release_argument, shape.argument_bytes,
                    &run_child, &run_moved} {
    try {
      start(operations_);
      places_.emplace(workers(), set_.domains);
      memory_.emplace(make_memory(workers(), Pool::traits.block_bytes(set_)));
      pool::environment around{workers(), *memory_, set_, *places_, shape_.seed, &idle_->sleeping()};
      around.end_of_active = taking_part_.end_of_active();
      pool_.emplace(built_in_place{[&] { return make_pool(around); }});
      for (const auto& each : members_) {
        mem::counted_list* const own = memory().list_of(*each, mem::block_kind::argument);
        if (own != nullptr && shape.argument_bytes >= quick_argument_bytes) each->arguments = own;
        if constexpr (in_line) each->tasks = &pool().lane(*each);
      }
      tracks_started = pool::tracks_started<Pool>;
    } catch (...) {
      stop_threads();
      throw;
    }
  }

  ~team_of() override {
    stop_threads();
    task unrun;
    for (const auto& each : members_) {
      while (look_with_slot(*each, unrun)) {
        if constexpr (in_line) {
          if (pool().lane(*each).is_in_slot(unrun)) continue;
        }
        discard(*each, unrun);
      }
    }
    if constexpr (pool::closes<Pool>) pool().close(*members_[0]);
  }

  Pool& pool() { return made(pool_); }

 private:
  const Pool& pool() const { return made(pool_); }
  mem::memory& memory() { return made(memory_); }
  const mem::memory& memory() const { return made(memory_); }

  /// Returns: what the constructor makes once the number of workers is known.
  template <class Part>
  static auto& made(Part& part) {
    TEFF_ASSERT(part.has_value(), "a team's parts may be asked for only when they are made");
    return *part;
  }

  /// Whether tasks put and join by the pool's private path themselves. Not those of mutants, who would go around their faults.
  static constexpr bool in_line = pool::has_lane<Pool> && std::is_same_v<Rules, rules>;

  // --- what a running task may ask for ---------------------------------------------------------------------------------

  static team_of& team_behind(member& self) { return static_cast<team_of&>(self.team); }

  static void put(worker& current, task ready) {
    current.created.add_alone(1, platform::relaxed);  // [created], before it can be taken
    offer(current, ready);
  }

  static void offer(worker& current, task ready) {
    auto& self = static_cast<member&>(current);
    team_of& team = team_behind(self);
    const platform::account_mark here(account_part::put_get);
    platform::charge_put();
    if constexpr (!in_line) return team.put_in_pool(self, ready);
    else if (const auto found = team.pool().lane(self).push(ready); found != queue::pushed::kept) [[unlikely]]
      team.end_put(self, ready, found);
  }

  static void end_push(worker& current, task ready, [[maybe_unused]] std::uint8_t pushed) {
    const platform::account_mark here(account_part::put_get);
    auto& self = static_cast<member&>(current);
    if constexpr (in_line) team_behind(self).end_put(self, ready, static_cast<queue::pushed>(pushed));
    else team_behind(self).put_in_pool(self, ready);
  }

  static void run_borrowed(worker& current, borrowed_closure& borrowed);
  static bool take_child(worker& current, const void* group, task& taken, bool can_suspend);
  static bool take_back(worker& current, task wanted, bool can_suspend);
  static void execute_now(worker& current, task taken);
  static void* allocate_argument(worker& current);
  static void release_argument(worker& current, void* argument);

  // operations.h
  void tell_end(member& now);
  bool forked(member& self, task ready);
  void put_in_pool(member& self, task ready);
  [[gnu::noinline]] void end_put(member& self, task ready, queue::pushed found)
    requires in_line;
  [[gnu::noinline]] void follow_put(pool::advice advised, member& self, task ready);
  template <class Predicate>
  static bool take_own(worker& current, Predicate is_wanted, task& taken, bool can_suspend);
  template <class Predicate>
  bool take(worker& current, Predicate is_wanted, task& taken, pool::reach how);

  // --- the loop ----------------------------------------------------------------------------------------------------------

  [[gnu::aligned(cache_line_bytes)]] void work(member& first, bool begins_with_task) override {
    member* self = &first;
    full_frame& frame = first.own_carrier.running()->frame;
    first.here->frame = &frame;
    task& next = frame.what;
    bool has_task = begins_with_task;  // of one that is new it depends whether others are called
    if (!has_task && first.is_new && !(has_task = search(first, frame))) return;
    while (has_task || look(*self, next) || search(*self, frame)) {
      if constexpr (pool::forks<Pool>) {
        if (begins_with_task) self->here->own = std::exchange(self->begun, {});
        begins_with_task = false;
      }
      has_task = false;
      member& now = execute(*self, next);
      tell_end(now);
      if constexpr (Rules::rereads_worker) self = &now;  // the task may have moved this thread of control to another worker
    }
  }

  fibers::fiber* work_without_stack(member& self) override;  // other_loops.h
  bool is_for_others(member& self, task& next);
  void work_for_call(member& first, bool has_task) override;

  bool take_at_once(worker& current, task& next) override;  // operations.h

  /// Effect: one look at everything that `self` may run. In line in the loop.
  [[gnu::always_inline]] bool look(member& self, task& next) {
    if (self.mailbox.pop(next)) [[unlikely]]
      return true;
    if constexpr (in_line) {
      auto& own = *static_cast<queue::lane*>(self.tasks);
      if (!own.pop(next)) return get_slow(self, next);
      if (own.is_asked()) [[unlikely]]
        end_push(self, {}, static_cast<std::uint8_t>(queue::pushed::asked));  // who only takes shows the rest, too
      return true;
    }
    return get(self, next, pool::reach::whole);
  }

  [[gnu::noinline]] bool get_slow(member& self, task& next);

  [[gnu::always_inline]] pool::get_result get_from_pool(member& self, task& next, pool::reach how) {
    if constexpr (in_line) return pool().get(self, next, how);
    platform::sampled_event timed(self.account, self.account.gets);
    const pool::get_result found = pool().get(self, next, how);
    if (!found.has_task()) timed.came_to_nothing();
    return found;
  }

  [[gnu::always_inline]] pool::get_result::kind get_once(member& self, task& next, pool::reach how) {
    const pool::get_result found = get_from_pool(self, next, how);
    if (found.advised.what != pool::advice::wake_none) [[unlikely]]
      follow(found.advised, &self);
    if (found.what == pool::get_result::retry) self.account.saw_tasks_in_vain();
    return found.what;
  }

  [[gnu::always_inline]] bool get(member& self, task& next, pool::reach how) {
    for (;;) {
      const pool::get_result::kind found = get_once(self, next, how);
      if (found != pool::get_result::retry) return found == pool::get_result::got;
      platform::pause();
    }
  }

  // search.h
  [[gnu::noinline]] bool search(member& self, full_frame& frame);
  void open_return_slot(member& self);
  pool::get_result::kind look_once(member& self, task& next);
  bool look_with_slot(member& self, task& next);
  bool look_by_force(member& self, task& next);
  static bool leaves_asleep(member& self);
  static bool is_call_over(const member& self) { return self.carried_by != nullptr && self.carried_by->is_over(); }
  bool search_rounds(member& self, task& next);
  bool sleep(member& self, task& next);

  // --- what the team asks of the pool --------------------------------------------------------------------------------------

  void share([[maybe_unused]] member& self) override {
    if constexpr (pool::shares<Pool>) pool().share(self);
  }
  bool look_for(member& self, bool (*wanted)(const task&), task& taken, found_by whom) override;  // operations.h

  bool put_again(member& waker, task again) override;       // operations.h
  bool init_in_pool(member& first, task initial) override;  // operations.h
  pool::advice inject_into_pool(std::span<const task> ready) override { return pool().inject(ready); }
  pool::advice inject_again([[maybe_unused]] task again) override {
    if constexpr (pool::tracks_started<Pool>) return pool().unblocked(nullptr, word_of(again), again);
    else return pool().inject(std::span<const task>(&again, 1));
  }
  void left([[maybe_unused]] worker& current, [[maybe_unused]] fibers::fiber& waiting) override {
    if constexpr (pool::follows_waits<Pool>) pool().blocked(current, waiting.here.own);
  }
  void goes_on_without_pool([[maybe_unused]] fibers::fiber& woken) override {
    if constexpr (pool::tracks_started<Pool>) pool().unblocked(nullptr, woken.here.own, {});
  }
  bool is_over_quota([[maybe_unused]] member& self, [[maybe_unused]] std::ptrdiff_t bytes) override {
    if constexpr (pool::has_quota<Pool>) return pool().allocated(self, self.here->own, bytes);
    else return false;
  }
  static started& word_of(const task& again) { return static_cast<fibers::fiber*>(again.argument)->here.own; }

  void add_pool_totals(team_totals& totals) const override;  // operations.h
  void reset_pool_totals() override { pool().reset_statistics(); }

  const pool::settings set_;
  const worker_operations operations_;
  std::optional<pool::worker_places> places_;
  std::optional<mem::memory> memory_;
  std::optional<Pool> pool_;
};

}  // namespace TEFF_NAMESPACE::workers

#include "worker/operations.h"
#include "worker/other_loops.h"
#include "worker/search.h"
