// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One side of the seam, native or simulated, as the command line sees it: plain data in, plain data out.
///
/// Both sides are linked into one binary, so nothing here may become a weak symbol that both define (a template of a type of
/// Teff, an inline function): every member is defined once, in engine.cpp; standard-library types of standard-library types are
/// fine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace teff::engine {

/// Why something could not be done. ok() if nothing was wrong.
struct problem {
  problem();
  ~problem();

  /// no_end: everybody waits for everybody, or runs without getting on.
  enum class kind { none, usage, wrong_result, no_end };
  bool ok() const;
  void set(kind why, const std::string& text);

  kind why = kind::none;
  std::string sentence;
};

/// What to run. Borrows the texts until the call returns.
struct program_request {
  const char* workload;
  const char* size;    ///< a name or "key=value,…"
  const char* input;   ///< a file, or empty: the workload makes its input
  const char* format;  ///< of the files, or empty: by their names
  std::uint64_t seed;
};

/// On what to run it. Borrows the texts until the call returns.
struct team_request {
  const char* pool;
  const char* memory;
  unsigned workers;
  const std::vector<std::string>* settings;
  std::uint64_t seed;
  /// Simulated: draws how this run differs from the machine as it is described; 0: in nothing.
  std::uint64_t variation;
};

/// A number that a workload measured beside its time.
struct metric {
  metric(std::string name, std::string what, std::optional<double> value, std::string instead);
  metric(const metric& other);
  metric& operator=(const metric& other);
  ~metric();

  std::string name, what;
  std::optional<double> value;
  std::string instead;  ///< of a value that there is not: why
};

/// What came out of one run.
struct run_result {
  run_result();
  ~run_result();
  void add_metric(const char* name, const char* what, std::optional<double> value, const char* instead);

  double seconds = 0;
  std::uint64_t tasks = 0;
  unsigned workers = 0;  ///< that there really were
  bool verified = false;
  std::string wrong;  ///< what was not right, if not verified
  std::vector<std::string> counter_names;
  std::vector<std::string> counter_texts;
  std::vector<std::uint64_t> counter_values;
  std::vector<std::uint64_t> tasks_by_worker;
  std::uint64_t peak_live_tasks = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t peak_fibers = 0;
  // The time account: by part what each worker spent so, in ns; by lock or line what came together of it.
  std::uint64_t account_ns = 0;
  std::vector<std::string> part_names, part_texts;
  std::vector<std::vector<std::uint64_t>> part_values;
  std::vector<std::string> resource_names;
  std::vector<std::uint64_t> resource_values;  ///< of each four: whether it is a line, busy, uses, waited
  std::vector<metric> metrics;                 ///< of the workload's own
};

/// A table of texts, row by row.
struct text_table {
  text_table();
  ~text_table();

  std::vector<std::string> columns;
  std::vector<std::string> cells;  ///< rows × columns
};

/// Takes the bytes of a result. Returns: false if they could not be kept.
class byte_sink {
 public:
  virtual ~byte_sink();
  virtual bool write(const char* bytes, std::size_t count) = 0;

 protected:
  byte_sink();
};

/// A workload of a size, with its input.
class program {
 public:
  program(const program&) = delete;
  program& operator=(const program&) = delete;
  virtual ~program();

  /// Returns: every key and value of the size.
  virtual std::string size() const = 0;
  /// Effect: finds out whether such a team can be made, without running anything.
  virtual void check(const team_request& team, problem& wrong) = 0;
  /// Effect: makes a fresh team (not timed), runs the workload on it (timed), verifies.
  virtual void run(const team_request& team, run_result& result, problem& wrong) = 0;
  /// Effect: runs the serial version; result has seconds, tasks, verified. `variation` as that of a team.
  virtual void run_serial(std::uint64_t variation, run_result& result, problem& wrong) = 0;
  virtual bool has_result() const = 0;
  /// Effect: hands over the result of the last run. `path` and `format` choose the format. Pre: has_result.
  virtual void write_result(byte_sink& to, const char* path, const char* format, problem& wrong) = 0;

 protected:
  program();
};

enum class list_kind {
  pools,
  managers,
  workloads,
  sizes,
  settings,
  manager_settings,
  program_settings,
  variables,
  machine,
  machines
};

class side {
 public:
  side(const side&) = delete;
  side& operator=(const side&) = delete;
  virtual ~side();

  virtual bool simulated() const = 0;
  /// Simulated, this is how many processors the machine has.
  virtual unsigned workers_at_most() const = 0;
  /// Returns: the name of the simulated machine; natively nothing.
  virtual std::string machine_name() const = 0;
  virtual unsigned usable_processors() const = 0;
  /// `of` is the workload whose sizes, or the pool or manager whose settings are asked for. program_settings: those that an
  /// OpenMP program has on that pool.
  virtual void list(list_kind what, const char* of, text_table& table, problem& wrong) const = 0;
  /// Returns: an empty text, or a sentence that says which of an OpenMP program's settings is wrong. `threads`: of a team; 0: not
  /// known. Pre: there is a pool of that name.
  virtual std::string wrong_program_settings(const std::string& pool, const std::vector<std::string>& settings,
                                             unsigned threads) const = 0;
  /// Effect: chooses the simulated machine if the first word is a name or a file, and sets costs of it, "name=value" each.
  /// Natively there is nothing to choose.
  virtual void describe_machine(const std::vector<std::string>& settings, problem& wrong) = 0;
  /// Returns: nullptr if something is wrong; else the caller owns it.
  virtual program* open(const program_request& wanted, problem& wrong) = 0;
  /// Returns: a sentence that names the unknown name, what is near it and what is allowed.
  virtual std::string unknown_name(const char* kind, const std::string& name, const std::vector<std::string>& allowed) const = 0;

 protected:
  side();
};

/// Returns: a new one; the caller owns it.
side* make_native_side();
side* make_simulated_side();

}  // namespace teff::engine
