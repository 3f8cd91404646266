// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "fiber/fiber.h"
#include "sync/event.h"
#include "task/worker.h"

#include <cstdint>
#include <exception>

namespace TEFF_NAMESPACE::sync {

/// Children that somebody waits for: the state behind task_group and future.
///
/// Idea: one word counts the children that have not finished and those that nobody has begun, and says whether the waiter sleeps.
///   Whoever finishes the last child touches the group again only if the waiter sleeps, since else it may be gone.
/// Invariants: unstarted ≤ unfinished. At most one task or thread waits. `waiter_sleeps` is set only while children are
/// unfinished, and it
///   is taken off in the same step as the last of them, by the waiter itself, or by the end of its team, where it was stuck: so
///   each sleep is ended once, although others may spawn and end children meanwhile. A thread that is no worker waits at an event
///   on its stack: its waiter_ is null, and who ends the last child sets the event, as it would make a fiber ready; the thread
///   goes on only after that, so the event is there.
/// Cells: a word that several workers change is a line that goes to and fro between them. If they meet at it often, the group
/// gets
///   cells in lines of their own, and each child is counted in that of the worker that puts it, also by who ends it; the word
///   then counts the cells that are not 0, beside the children that came before. It is 0 only if every child has ended: who puts
///   the first child of a cell counts the cell before that child can be taken, and is a child of the group itself, which has not
///   ended, or the owner, which does not wait. Who ends the last child of a cell touches nothing but the word afterwards, and
///   nobody else touches that cell again, unless the group is alive.
/// Cost: spawn, begin and end of a child: one read-modify-write each (end: a compare-and-swap), of a line that other workers
///   seldom change; with cells none to begin it. A wait runs the unstarted children on its own stack, the one that it finds
///   first, and suspends when none is left that it may take.
class group final : public fibers::awaited {
 public:
  group() { platform::name_line(&word_, "line of a group"); }
  group(const group&) = delete;
  group& operator=(const group&) = delete;
  ~group() {
    if (has_cells()) [[unlikely]]
      release_cells();
  }

  // --- a child -------------------------------------------------------------------------------------------------------------
  // relaxed: who waits did this itself, or waits for a child that did, and ends later; the child gets it by the put.
  void add() {
    const platform::account_mark here(account_part::put_get);
    word_.fetch_add(one_unfinished + one_unstarted, platform::relaxed);
  }
  /// The same on behalf of a worker. Returns: the cell in which the child is counted; 0: it is the word.
  [[gnu::always_inline]] unsigned add(worker& current) {
    if (has_cells()) [[unlikely]]
      return add_to_cell(current);
    add();
    return 0;
  }
  // relaxed: how many nobody has begun is a hint.
  [[gnu::always_inline]] void begin() {
    const platform::account_mark here(account_part::put_get);
    word_.fetch_sub(one_unstarted, platform::relaxed);
  }
  /// The same by a worker, of a child that is counted in that cell.
  [[gnu::always_inline]] void begin(worker& current, unsigned in) {
    if (in == 0) return begin();
    const platform::account_mark here(account_part::put_get);
    begin_from_cell(current);
  }
  /// Effect: the group may be gone afterwards.
  void end(unsigned in = 0);
  void keep_exception() noexcept;

  // --- the owner -----------------------------------------------------------------------------------------------------------
  /// Effect: returns when every child has finished. Pre: called by a task; nobody else waits.
  void wait(worker& current);
  /// The same for a thread that is no worker, which parks: it runs no children. With `made`, it asks that from time to time, and
  /// says whether it has waited for two seconds and more: 0 says that something goes on that may make children, or is one; else a
  /// number that is the same if nothing has since. Returns: false if all that are unfinished are nobody's here: then the
  /// group is empty.
  bool wait_as_thread(std::uint64_t (*made)(bool for_long) = nullptr);
  bool finished() const { return unfinished(word_.load(platform::acquire)) == 0; }
  // acquire: pairs with the end of each child: what they did is visible.
  void cancel() { cancelled_.store(true, platform::release); }
  bool cancelled() const { return cancelled_.load(platform::relaxed); }  // a hint: who sees it late runs
  /// Returns: the first exception of the children that have finished, once, and how many there were since the last call. Pre:
  /// finished.
  std::exception_ptr take_exception();
  std::uint64_t take_exception_count();
  /// Effect: children run again. Pre: finished.
  void reset() { cancelled_.store(false, platform::relaxed); }  // relaxed: no child is left

  const char* kind() const noexcept override { return "its children"; }
  bool has_unbegun() const noexcept override;
  bool take_unbegun(worker& current, task& taken) const override;
  bool only_tasks_end_it() const noexcept override { return true; }
  bool any_team_has_children() const noexcept override { return true; }
  void forget(const fibers::host& ending) const noexcept override;

  // --- children that a thread outside puts into the default team -----------------------------------------------------------
  /// Effect: notes that there are children of another team than the waiter's, perhaps, and of which process.
  void add_outside() {
    if (is_left_behind()) forget_children();
    // relaxed: only a number goes by it; that who waits for the child comes after its put is the program's own order.
    outside_in_.store(platform::process_generation() + 1, platform::relaxed);
    add();
  }
  /// Whether a thread of this process made some.
  bool has_children_from_outside() const {
    // relaxed: see add_outside.
    return outside_in_.load(platform::relaxed) == platform::process_generation() + 1;
  }
  /// Whether children that a thread put stayed in the parent process of a fork().
  bool is_left_behind() const {
    const std::uint64_t made_in = outside_in_.load(platform::relaxed);  // relaxed: see add_outside
    return made_in != 0 && made_in != platform::process_generation() + 1 && !finished();
  }
  /// Effect: there are no children. Pre: all of them stayed in the parent process. The word does not tell these from children of
  /// this process: where is_left_behind says that some stayed, it rests on the callers, who forget those before the first thread
  /// here puts or waits, that no task of this process has put any into the group before that.
  void forget_children() {
    word_.store(0, platform::relaxed);  // relaxed: nobody else has them. Cells are of their process
    forget_results();
  }

 private:
  static constexpr std::uint64_t one_unfinished = 1, waiter_sleeps = std::uint64_t{1} << 31,
                                 one_unstarted = std::uint64_t{1} << 32;
  static constexpr std::uint64_t unfinished(std::uint64_t word) { return word & (waiter_sleeps - 1); }
  static constexpr std::uint64_t unstarted(std::uint64_t word) { return word >> 32; }

  /// A cell's word does not count down what is begun: that is counted by who begins it, without a read-modify-write.
  struct alignas(cache_line_bytes) cell {
    platform::atomic<std::uint64_t> word{0};
    platform::atomic<std::uint64_t> begun{0};  ///< children of any cell; written by the cell's own worker alone
  };
  /// Workers share them if there are more, by their numbers.
  static constexpr unsigned cells_at_most = 32;
  struct cells {
    explicit cells(const worker_operations* of) : team(of) {}
    cell each[cells_at_most];
    platform::atomic<std::uint64_t> begun_by_others{0};  ///< by workers without a cell of their own
    const worker_operations* const team;                 ///< whose workers have the cells; nullptr: nobody's
    const std::uint64_t made_in = platform::process_generation();
  };

  bool has_cells() const { return cells_.load(platform::relaxed) != nullptr; }  // relaxed: a hint
  platform::atomic<std::uint64_t>& counted_in(unsigned cell) {
    // relaxed: [cells] came with the child.
    return cell == 0 ? word_ : cells_.load(platform::relaxed)->each[cell - 1].word;
  }
  unsigned add_to_cell(worker& current);
  void begin_from_cell(worker& current) {
    cells& made = *cells_.load(platform::relaxed);  // relaxed: [cells] came with the child
    // [begun] release: who sees it sees that the child was put.
    if (current.operations != made.team || current.id >= cells_at_most) made.begun_by_others.fetch_add(1, platform::release);
    else made.each[current.id].begun.add_alone(1, platform::release);
  }
  void make_cells();
  void release_cells();
  bool any_unstarted() const;
  bool run_one_in_place(worker& current);
  void end_wait();
  void refuse_wait(worker& nobody);
  /// A task on its way to sleep; lies on its own stack.
  struct sleeper {
    group& at;
    fibers::fiber* who;  ///< nullptr: a child, which waits for its own end; nobody wakes it, and the hang report says why
  };
  static void fall_asleep(void* sleeper);
  bool stay_awake();
  bool forget_if_nobodys(std::uint64_t (*made)(bool for_long), bool for_long = false);
  /// Effect: the group is as a new one, but for its children.
  void forget_results() {
    reset();
    static_cast<void>(take_exception());
    static_cast<void>(take_exception_count());
  }
  /// Whether the waiter that this word says sleeps does so in the parent process of a fork(). Pre: it was read by acquire.
  bool sleeps_elsewhere(std::uint64_t word) const {
    return (word & waiter_sleeps) != 0 && waits_in_ != platform::process_generation();
  }
  static bool stay_awake(void* sleeper);

  /// [group] end: release, the waiter: acquire: it sees what the children did.
  mutable platform::atomic<std::uint64_t> word_{0};
  fibers::fiber* waiter_ = nullptr;                ///< ordered by waiter_sleeps in the word
  event* waiting_thread_ = nullptr;                ///< likewise: of a waiter that is no task; it lies on its stack
  std::uint64_t waits_in_ = 0;                     ///< likewise: the waiter's process
  platform::atomic<std::uint64_t> outside_in_{0};  ///< 1 + the process in which a thread outside made children; 0: none has
  /// [cells] release by who makes them, acquire by who puts a child: then who runs it has them, too.
  platform::atomic<cells*> cells_{nullptr};
  platform::atomic<std::uint32_t> met_{0};  ///< how often workers met at the word
  platform::atomic<bool> cancelled_{false};
  platform::atomic<std::uint64_t> exceptions_{0};
  std::exception_ptr first_exception_;  ///< written by who made exceptions_ 1; read by the owner when all have finished
};

}  // namespace TEFF_NAMESPACE::sync
