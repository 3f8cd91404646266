// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What calibration asks of a machine, be it the one at hand or a described one: how long something small takes there. Plain
/// data, as in engine.h, because both sides of the seam are behind it.
#pragma once

#include "cli/engine.h"

#include <cstdint>
#include <optional>
#include <string>

namespace teff::engine {

/// The cases whose times depend on few numbers of a machine. Written once, in cases.cpp, and compiled for both sides.
enum class trial : std::uint8_t {
  cycle,             ///< natively one of a chain of additions, each of which waits for the one before; in the simulator a cycle
  charge,            ///< a unit of charged work
  hit,               ///< a load or store of an atomic in a line that the processor holds; none waits for another
  add,               ///< an atomic addition in such a line
  fence,             ///< a full fence
  pause,             ///< a round of a waiting loop
  clock,             ///< reading the clock
  fence_everywhere,  ///< the same, while another thread spins
  ping_pong,         ///< a line goes from one thread to the other
  contended_add,     ///< two threads add to one line: the time for one addition
  lock,              ///< two threads take one lock: the time for one section
  fifo_lock,         ///< the same with a lock that is handed over in turn
  park,              ///< a park that finds its word changed
  wake,              ///< waking somebody who sleeps, for the waker
  answer,            ///< from then until the waker sees that the woken one runs
  round_trip,        ///< two threads park and wake one another: the time from one wake-up to the next
  thread_start,      ///< a thread is started, until it is seen to run
  start_and_join,    ///< until it is joined
  allocation,        ///< memory from the system
  release,           ///< giving it back
  page_touch,        ///< the first write to a page
};

/// The parts of a machine's tree in which two processors may be nearest to one another.
enum class part_kind : std::uint8_t { core, cache, package, machine };
inline constexpr unsigned part_kinds = 4;

struct machine_part {
  bool is_there;           ///< whether two processors have this, and nothing nearer, in common
  unsigned width;          ///< processors in the largest part
  unsigned first, second;  ///< indices of places of such a pair, if there is one
};

struct machine_parts {
  unsigned processors;          ///< that may be used at the same time
  machine_part of[part_kinds];  ///< by part_kind
};

/// The synthetic workload of the papers: on which pool, how many workers, and of what size.
struct tasks_request {
  const char* pool;
  unsigned workers;
  std::uint64_t k, f;
};

/// A machine on which cases are timed.
class laboratory {
 public:
  laboratory(const laboratory&) = delete;
  laboratory& operator=(const laboratory&) = delete;
  virtual ~laboratory();

  virtual void parts(machine_parts& found, problem& wrong) = 0;
  /// Returns: nanoseconds for one operation; nothing if the system does not have it. The places are those of a pair.
  virtual std::optional<double> time(trial which, unsigned first, unsigned second, problem& wrong) = 0;
  /// Returns: elapsed nanoseconds for one task. Errors: no_end, wrong_result as well.
  virtual double time_tasks(const tasks_request& wanted, problem& wrong) = 0;

 protected:
  laboratory();
};

/// A level of a described machine; its transfer is set as a number.
struct level_request {
  const char* name;
  unsigned width;
  const char* width_source;
  bool core, cache, package;  ///< what its processors share
};

/// A laboratory in the simulator, whose machine is changed until its times are those of another one.
class model : public laboratory {
 public:
  /// Effect: the machine is `generic`, and each number says so.
  virtual void begin(const char* title, problem& wrong) = 0;
  virtual unsigned processors_at_most() const = 0;
  /// Effect: the machine has no level, until some are added, from near to far.
  virtual void clear_levels() = 0;
  virtual void add_level(const level_request& wanted) = 0;
  /// Returns: between which values a number may be.
  virtual void bounds(const char* number, double& least, double& most, problem& wrong) const = 0;
  virtual void set(const char* number, double value, const char* source, problem& wrong) = 0;
  /// Effect: the machine becomes one that --machine may name.
  virtual void choose(const char* name_or_file, problem& wrong) = 0;
  /// Returns: the machine as a file, that --machine can read.
  virtual std::string text() const = 0;
  /// Returns: the file of machine `this`; nothing if the environment does not say where the user's files are.
  virtual std::string file_of_this() const = 0;

 protected:
  model();
};

/// Returns: a new one; the caller owns it.
laboratory* make_native_laboratory();
model* make_model();

}  // namespace teff::engine
