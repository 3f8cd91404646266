// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Workloads whose serial version is the same algorithm with calls in place of tasks: it is written once, as
/// `template <class Run> void solve(Run& run)`, and `Run` says what a task is.
#pragma once

#include "apps/declared_memory.h"
#include "apps/per_worker.h"
#include "apps/simulated_work.h"
#include "apps/workload.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace TEFF_NAMESPACE::apps {

/// Everything runs at once, on the caller's stack.
class by_calls {
 public:
  /// `timed`: whether simulated time passes.
  explicit by_calls(bool timed) : timed_(timed) {}

  bool is_timed() const { return timed_; }
  /// Effect: takes so many cycles in simulation.
  void work(std::uint64_t cycles) const {
    if (timed_) simulated_work(cycles);
  }
  /// Effect: reads or writes so many elements: takes time where caches are simulated.
  template <class T>
  void reads(const T* from, std::size_t count = 1) const {
    if (timed_) apps::reads(from, count);
  }
  template <class T>
  void writes(const T* to, std::size_t count = 1) const {
    if (timed_) apps::writes(to, count);
  }
  unsigned worker() const { return 0; }
  /// Returns: calls that tasks would have been.
  std::uint64_t tasks() const { return tasks_; }

  /// Calls that would be waited for together.
  class group {
   public:
    template <class Function>
    void put(by_calls& run, Function function) {
      ++run.tasks_;
      function(run);
    }
    /// Effect: as two puts; the first function is what should run first.
    template <class First, class Second>
    void put_two(by_calls& run, First first, Second second) {
      put(run, std::move(first));
      put(run, std::move(second));
    }
    void wait(by_calls&) {}
  };

  /// Effect: body(run, i) for each i below `size`.
  template <class Body>
  void loop(std::size_t size, Body body) {
    for (std::size_t i = 0; i < size; ++i) body(*this, i);
  }

 private:
  bool timed_;
  std::uint64_t tasks_ = 0;
};

/// In a task, which puts others. Owns nothing.
class by_tasks {
 public:
  by_tasks(context& here, per_worker<std::uint64_t>& tasks) : here_(here), tasks_(tasks) {}

  bool is_timed() const { return true; }
  void work(std::uint64_t cycles) const { simulated_work(cycles); }
  template <class T>
  void reads(const T* from, std::size_t count = 1) const {
    apps::reads(from, count);
  }
  template <class T>
  void writes(const T* to, std::size_t count = 1) const {
    apps::writes(to, count);
  }
  /// Returns: who runs this now; after a wait it may be another one.
  unsigned worker() const { return here_.worker_id(); }

  class group {
   public:
    /// Effect: function(run) in a task of its own, which is counted. `run` is that of who puts.
    template <class Function>
    void put(by_tasks& run, Function function) {
      children_.put(run.here_, [&tasks = run.tasks_, function = std::move(function)](context& child) {
        ++tasks[child.worker_id()];
        by_tasks own(child, tasks);
        function(own);
      });
    }
    /// Effect: as two puts. Of pools that take the newest task first a worker takes the first one next.
    template <class First, class Second>
    void put_two(by_tasks& run, First first, Second second) {
      put(run, std::move(second));
      put(run, std::move(first));
    }
    void wait(by_tasks& run) { children_.wait(run.here_); }

   private:
    task_group children_;
  };

  /// Effect: as above, the iterations one by one in parallel; the tasks of the loop itself are not counted.
  template <class Body>
  void loop(std::size_t size, Body body) {
    parallel_for(here_, std::size_t{0}, size,
                 [&](context& child, std::size_t i) {
                   by_tasks own(child, tasks_);
                   body(own, i);
                 },
                 {.grain = 1});
  }

 private:
  context& here_;
  per_worker<std::uint64_t>& tasks_;
};

/// Effect: function(run), in a task of the group, or here at once.
template <class Run, class Function>
void put_or_call(Run& run, typename Run::group& children, bool in_task, Function function) {
  if (in_task) children.put(run, std::move(function));
  else function(run);
}

/// Returns: a number that is hardly ever the same for other bytes.
inline std::uint64_t fingerprint(const void* bytes, std::size_t count, std::uint64_t from = 0) {
  std::uint64_t sum = from ^ (count * 0x9E3779B97F4A7C15u);
  const auto* next = static_cast<const unsigned char*>(bytes);
  for (std::uint64_t word; count != 0;) {
    const std::size_t taken = count < sizeof word ? count : sizeof word;
    word = 0;
    std::memcpy(&word, next, taken);
    next += taken;
    count -= taken;
    sum = (sum ^ word) * 0xD6E8FEB86659FD93u;
    sum ^= sum >> 32;
  }
  return sum;
}

/// The workload. `Own` has: `name`; `compared`, what of the result is compared; `tasks_vary`, whether the number of tasks
/// depends on the schedule; make(seed), which makes the input; clear(workers), after which solve may be called; solve(run);
/// result(), a number that says what came of it.
/// The oracle is the serial version, run once for each input, unless Own hides expected(). Since that is the same code, Own may
/// hide defect(), too, which computes otherwise whether the serial version's result is right.
/// What the tasks touch they say by run.reads and run.writes, what make and clear wrote Own says in touch_all().
template <class Own>
class in_tasks : public workload {
  // Nobody can derive from another one's by mistake.
  in_tasks() = default;
  friend Own;

 public:
  void prepare(std::uint64_t seed, unsigned workers) final {
    const std::string wanted = size() + ",seed=" + std::to_string(seed);
    if (prepared_for_ != wanted) {
      prepared_for_.clear();
      own().make(seed);
      own().clear(1);
      expected_ = own().expected();
      prepared_for_ = wanted;
    }
    own().clear(workers);
    tasks_.clear(workers);
    tasks_run_ = 0;
  }

  void touch_input() final {
    if constexpr (declares_memory) own().touch_all();
  }

  void serial() final {
    by_calls run(true);
    own().solve(run);
    tasks_run_ = run.tasks();
  }

  void tasks(team& workers) final {
    workers.init([this](context& here) {
      by_tasks run(here, tasks_);
      own().solve(run);
    });
    workers.run();
    tasks_.for_each([&](std::uint64_t each) { tasks_run_ += each; });
  }

  std::string verify() const final {
    std::string sentence = Own::name;
    sentence.append(1, ' ').append(size());
    if (!defect_.empty()) return sentence.append(": ").append(defect_);
    if (own().result() != expected_)
      return sentence.append(": ").append(Own::compared).append(" is not that of the serial version");
    if (Own::tasks_vary || tasks_run_ == expected_tasks_) return {};
    sentence.append(" ran ").append(std::to_string(tasks_run_)).append(" tasks, the serial version ");
    return sentence.append(std::to_string(expected_tasks_));
  }

  std::uint64_t tasks_run() const final { return tasks_run_; }

 protected:
  /// Effect: the next prepare makes everything anew.
  void forget_input() { prepared_for_.clear(); }

 private:
  friend Own;

  Own& own() { return static_cast<Own&>(*this); }
  const Own& own() const { return static_cast<const Own&>(*this); }

  /// Effect: declares what make() and clear() wrote.
  void touch_all() const {}

  /// Returns: why what the last run left is not the result of the input; empty if nothing is known against it.
  std::string defect() const { return {}; }

  std::uint64_t expected() {
    by_calls run(false);
    own().solve(run);
    expected_tasks_ = run.tasks();
    defect_ = own().defect();
    return own().result();
  }

  std::string prepared_for_, defect_;
  per_worker<std::uint64_t> tasks_;
  std::uint64_t expected_ = 0, expected_tasks_ = 0, tasks_run_ = 0;
};

}  // namespace TEFF_NAMESPACE::apps
