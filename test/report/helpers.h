// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "report/record.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace teff::report {

inline record make_record(const std::string& pool, unsigned workers, std::vector<double> seconds,
                          std::vector<counter> counters = {}) {
  record made;
  made.pool = pool;
  made.memory = "dlf";
  made.workers = made.workers_asked = workers;
  made.tasks = 1'000;
  made.seconds = std::move(seconds);
  made.serial_seconds = {0.1};
  made.counters = std::move(counters);
  made.tasks_by_worker.assign(workers, 1'000 / workers);
  return made;
}

/// Returns: the record with an account of these parts, in milliseconds by worker. Pre: the parts of each worker add up to the
/// same.
inline record with_account(record some, const std::vector<std::pair<std::string, std::vector<double>>>& parts) {
  double elapsed = 0;
  for (const auto& [name, by_worker] : parts) {
    account_part made{name, name, {}};
    for (const double each : by_worker) made.ns_by_worker.push_back(static_cast<std::uint64_t>(each * 1e6));
    elapsed += by_worker[0];
    some.account.push_back(std::move(made));
  }
  some.account_ns = static_cast<std::uint64_t>(elapsed * 1e6);
  return some;
}

inline resource make_resource(resource::kind what, const std::string& name, double busy_ms, double waited_ms,
                              std::uint64_t uses = 1000) {
  return {name, what, static_cast<std::uint64_t>(busy_ms * 1e6), uses, static_cast<std::uint64_t>(waited_ms * 1e6)};
}

inline record made_with(const std::string& memory, record some) {
  some.memory = memory;
  return some;
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

inline record_set make_set(std::vector<record> records) {
  return {"synthetic", "k=11,f=1", {"a processor", 2, {}}, "unknown", std::move(records)};
}

}  // namespace teff::report
