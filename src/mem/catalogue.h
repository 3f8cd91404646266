// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The memory managers by name: the rows of Table 1 of Korch & Rauber (2002).
#pragma once

#include "mem/spec.h"

namespace TEFF_NAMESPACE::mem {

// clang-format off
inline constexpr spec bs{free_lists::none, links::inside, allocation::elements, block_handling::when_needed};
inline constexpr spec l{free_lists::central, links::items, allocation::elements, block_handling::when_needed};
inline constexpr spec bk{free_lists::central, links::items, allocation::whole_lists, block_handling::when_needed};
inline constexpr spec dl{free_lists::distributed, links::items, allocation::elements, block_handling::when_needed};
inline constexpr spec dlf{free_lists::distributed, links::inside, allocation::elements, block_handling::when_needed};
inline constexpr spec dbk{free_lists::distributed, links::items, allocation::whole_lists, block_handling::when_needed};
inline constexpr spec dbko{free_lists::distributed, links::items, allocation::whole_lists, block_handling::after_allocation};
inline constexpr spec dgbk{free_lists::distributed, links::items, allocation::blocks, block_handling::when_needed};
inline constexpr spec dgbko{free_lists::distributed, links::items, allocation::blocks, block_handling::after_allocation};
inline constexpr spec dgbkof{free_lists::distributed, links::inside, allocation::blocks, block_handling::after_allocation};
inline constexpr spec cl{free_lists::central_and_distributed, links::items, allocation::elements, block_handling::when_needed};
inline constexpr spec clf{free_lists::central_and_distributed, links::inside, allocation::elements, block_handling::when_needed};
inline constexpr spec clb{free_lists::central_and_distributed, links::items_with_central_list,
    allocation::elements, block_handling::when_needed};
inline constexpr spec cgbk{free_lists::central_and_distributed, links::items, allocation::blocks, block_handling::when_needed};
inline constexpr spec cgbkb{free_lists::central_and_distributed, links::items_with_central_list,
    allocation::blocks, block_handling::when_needed};
inline constexpr spec cgbko{free_lists::central_and_distributed, links::items,
    allocation::blocks, block_handling::after_allocation};
inline constexpr spec cgbkob{free_lists::central_and_distributed, links::items_with_central_list,
    allocation::blocks, block_handling::after_allocation};
inline constexpr spec cgbk1{free_lists::central_and_distributed, links::items,
    allocation::blocks, block_handling::when_needed_before_central};
inline constexpr spec cgbk1b{free_lists::central_and_distributed, links::items_with_central_list,
    allocation::blocks, block_handling::when_needed_before_central};
// clang-format on

/// What is taken if nothing else is said: the quickest of those whose lists stay bounded when one worker allocates what another one
/// releases, as in a loop that puts tasks which a thief runs.
inline constexpr spec standard = clf;

/// Effect: calls visit.operator()<spec>(name, what, source) for every manager; the one list of their names.
template <class Visitor>
constexpr void for_each_manager(Visitor&& visit) {
  constexpr const char* table = "Korch & Rauber 2002, Table 1";
  visit.template operator()<bs>("bs", "malloc and free for every block", table);
  visit.template operator()<l>("l", "a central free list linked by items", table);
  visit.template operator()<bk>("bk", "a central free list linked by items, fed from one array allocated at initialisation",
                                table);
  visit.template operator()<dl>("dl", "a free list per worker, linked by items", table);
  visit.template operator()<dlf>("dlf", "a free list per worker, linked inside the freed blocks", table);
  visit.template operator()<dbk>(
      "dbk", "a free list per worker linked by items, fed from an array per worker allocated at initialisation", table);
  visit.template operator()<dbko>("dbko", "as dbk, but all of an array is listed when it is allocated", table);
  visit.template operator()<dgbk>("dgbk", "a free list per worker linked by items, fed from blocks of some elements", table);
  visit.template operator()<dgbko>("dgbko", "as dgbk, but all of a block is listed when it is allocated", table);
  visit.template operator()<dgbkof>("dgbkof", "as dgbko, linked inside the freed blocks", table);
  visit.template operator()<cl>("cl", "a free list per worker linked by items, balanced by a central one", table);
  visit.template operator()<clf>("clf", "as cl, linked inside the freed blocks", table);
  visit.template operator()<clb>("clb", "as cl, with a central list for the items too", table);
  visit.template operator()<cgbk>("cgbk", "as cl, fed from blocks of some elements when the central list is empty", table);
  visit.template operator()<cgbkb>("cgbkb", "as cgbk, with a central list for the items too", table);
  visit.template operator()<cgbko>("cgbko", "as cgbk, but all of a block is listed when it is allocated", table);
  visit.template operator()<cgbkob>("cgbkob", "as cgbko, with a central list for the items too", table);
  visit.template operator()<cgbk1>("cgbk1", "as cgbk, but the rest of the block is used before the central list is looked at",
                                   table);
  visit.template operator()<cgbk1b>("cgbk1b", "as cgbk1, with a central list for the items too", table);
}

}  // namespace TEFF_NAMESPACE::mem
