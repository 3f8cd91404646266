// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// All rows of Korch & Rauber 2002, Table 1, as the parts of mem/spec.h say them.
#pragma once

#include "mem/catalogue.h"

#include <gtest/gtest.h>
#include <string>

namespace teff::inline TEFF_PLATFORM::mem::rows {

using enum free_lists;
using enum links;
using enum allocation;
using enum block_handling;

inline constexpr free_lists both = central_and_distributed;

inline constexpr spec l{central, items, elements, when_needed};
inline constexpr spec bk{central, items, whole_lists, when_needed};
inline constexpr spec dl{distributed, items, elements, when_needed};
inline constexpr spec dbk{distributed, items, whole_lists, when_needed};
inline constexpr spec dbko{distributed, items, whole_lists, after_allocation};
inline constexpr spec dgbk{distributed, items, blocks, when_needed};
inline constexpr spec dgbko{distributed, items, blocks, after_allocation};
inline constexpr spec cl{both, items, elements, when_needed};
inline constexpr spec clf{both, inside, elements, when_needed};
inline constexpr spec clb{both, items_with_central_list, elements, when_needed};
inline constexpr spec cgbk{both, items, blocks, when_needed};
inline constexpr spec cgbkb{both, items_with_central_list, blocks, when_needed};
inline constexpr spec cgbko{both, items, blocks, after_allocation};
inline constexpr spec cgbkob{both, items_with_central_list, blocks, after_allocation};
inline constexpr spec cgbk1{both, items, blocks, when_needed_before_central};
inline constexpr spec cgbk1b{both, items_with_central_list, blocks, when_needed_before_central};

template <spec Spec>
struct row {
  static constexpr spec value = Spec;
};

using all =
    ::testing::Types<row<bs>, row<l>, row<bk>, row<dl>, row<dlf>, row<dbk>, row<dbko>, row<dgbk>, row<dgbko>, row<dgbkof>,
                     row<cl>, row<clf>, row<clb>, row<cgbk>, row<cgbkb>, row<cgbko>, row<cgbkob>, row<cgbk1>, row<cgbk1b>>;

/// In the order of `all`.
struct names {
  static constexpr const char* list[] = {"bs", "l",   "bk",  "dl",   "dlf",   "dbk",   "dbko",   "dgbk",  "dgbko", "dgbkof",
                                         "cl", "clf", "clb", "cgbk", "cgbkb", "cgbko", "cgbkob", "cgbk1", "cgbk1b"};
  template <class Row>
  static std::string GetName(int index) {
    return list[index];
  }
};
static_assert(std::size(names::list) == 19);

}  // namespace teff::inline TEFF_PLATFORM::mem::rows
