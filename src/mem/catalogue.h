// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The memory managers by name.
#pragma once

#include "mem/spec.h"

namespace teff::inline TEFF_PLATFORM::mem {

inline constexpr spec bs{free_lists::none, links::inside, allocation::elements, block_handling::when_needed};
inline constexpr spec dlf{free_lists::distributed, links::inside, allocation::elements, block_handling::when_needed};
inline constexpr spec dgbkof{free_lists::distributed, links::inside, allocation::blocks, block_handling::after_allocation};

/// Effect: calls visit.operator()<spec>(name, what, source) for every manager; the one list of their names.
template <class Visitor>
constexpr void for_each_manager(Visitor&& visit) {
  visit.template operator()<bs>("bs", "malloc and free for every block", "Korch & Rauber 2002, Table 1");
  visit.template operator()<dlf>("dlf", "a free list per worker, linked inside the freed blocks", "Korch & Rauber 2002, Table 1");
  visit.template operator()<dgbkof>("dgbkof", "a free list per worker, filled by blocks of many elements, linked inside them",
                                    "Korch & Rauber 2002, Table 1");
}

}  // namespace teff::inline TEFF_PLATFORM::mem
