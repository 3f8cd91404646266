// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Each row of the catalogue, the default pool too, with each of the faults that a pool or the idle protocol may have: all are found.
/// Simulated only. The faults are switched on at run time, so that a row is one type.
#include "schedules.h"

#include "pool/catalogue.h"
#include "pool/wrap/faulty.h"

#include <gtest/gtest.h>

namespace TEFF_NAMESPACE::conformance {
namespace {

using fault = pool::wrap::fault;

/// What is planted now.
struct planted : workers::rules {
  static inline bool confirms_after_announcing = true;
  static inline bool counts_before_stopping = true;
  static inline fault in_pool{};

  static void nothing() {
    confirms_after_announcing = counts_before_stopping = true;
    in_pool = {};
  }
};

template <class Pool>
class with_planted : public pool::wrap::faulty<Pool> {
 public:
  explicit with_planted(const pool::environment& from) : pool::wrap::faulty<Pool>(from, {.planted = &planted::in_pool}) {}
};

constexpr std::uint64_t schedules_of_a_fault = 100'000, schedules_without = 200;

template <class Scenario, class Pool>
void expect_found(const char* pool, const char* what) {
  EXPECT_GT((first_finding<Scenario, with_planted<Pool>, planted>(schedules_of_a_fault)).schedule, 0u) << pool << ", " << what;
  planted::nothing();
}

/// Whether another worker gets a task whose creator keeps its worker waiting for it: not in pools without exchange, or with tasks that
/// only their owners see.
template <class Pool>
bool exchanges_each_task() {
  return first_finding<dependence, with_planted<Pool>, planted>(schedules_without).schedule == 0;
}

TEST(every_row, is_found_with_each_fault_and_has_none) {
  pool::for_each_pool([]<class Pool>(const pool::entry& row) {
    planted::nothing();
    EXPECT_EQ((first_finding<injection, with_planted<Pool>, planted>(schedules_without)).what, "") << row.name;
    planted::in_pool = {fault::kind::loses, 2};
    expect_found<injection, Pool>(row.name, "a lost task");
    planted::in_pool = {fault::kind::doubles, 2};
    expect_found<injection, Pool>(row.name, "a doubled task");
    const bool exchanges = exchanges_each_task<Pool>();
    planted::confirms_after_announcing = false;
    if (exchanges) expect_found<dependence, Pool>(row.name, "a lost wake-up");
    else expect_found<injection, Pool>(row.name, "a lost wake-up");
    planted::counts_before_stopping = false;
    expect_found<injection, Pool>(row.name, "an early end");
  });
}

}  // namespace
}  // namespace TEFF_NAMESPACE::conformance
