// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The catalogue of managers as lists: for tests that are typed, or that go by number.
#pragma once

#include "mem/catalogue.h"

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace TEFF_NAMESPACE::mem::every {

inline constexpr std::size_t count = [] {
  std::size_t counted = 0;
  for_each_manager([&]<spec Spec>(const char*, const char*, const char*) { ++counted; });
  return counted;
}();
static_assert(count == 19, "Korch & Rauber 2002, Table 1, has 19 managers");

inline constexpr std::array<spec, count> specs = [] {
  std::array<spec, count> all{};
  std::size_t place = 0;
  for_each_manager([&]<spec Spec>(const char*, const char*, const char*) { all[place++] = Spec; });
  return all;
}();

inline constexpr std::array<const char*, count> names = [] {
  std::array<const char*, count> all{};
  std::size_t place = 0;
  for_each_manager([&]<spec Spec>(const char* name, const char*, const char*) { all[place++] = name; });
  return all;
}();

/// A manager as a type.
template <spec Spec>
struct row {
  static constexpr spec value = Spec;
};

template <std::size_t... Places>
::testing::Types<row<specs[Places]>...> rows_at(std::index_sequence<Places...>);
using rows = decltype(rows_at(std::make_index_sequence<count>()));

/// Names the typed tests: `rows` has the order of `names`.
struct row_names {
  template <class Row>
  static std::string GetName(int place) {
    return names[static_cast<std::size_t>(place)];
  }
};

}  // namespace TEFF_NAMESPACE::mem::every
