// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The parts from which Korch & Rauber's memory managers are put together (2002, Table 1).
#pragma once

#include "base/namespace.h"

#include <array>
#include <cstddef>

namespace TEFF_NAMESPACE::mem {

/// The three kinds of block that a manager serves; each has its own lists.
enum class block_kind : unsigned { task, argument, item };
inline constexpr std::size_t block_kind_count = 3;

enum class free_lists { none, central, distributed, central_and_distributed };
enum class links { inside, items, items_with_central_list };  ///< the last is the suffix 'b'
enum class allocation { elements, blocks, whole_lists };      ///< single elements; blocks for some; one at initialisation
enum class block_handling {
  when_needed,                 ///< elements leave the block when they are asked for
  when_needed_before_central,  ///< … and the rest of the block is used before the central list is looked at (suffix '1')
  after_allocation,            ///< all elements go into the free list at once (suffix 'o')
};

/// One row of Table 1.
struct spec {
  free_lists lists;
  links linked_by;
  allocation allocates;
  block_handling handling;

  constexpr bool distributed() const { return lists == free_lists::distributed || lists == free_lists::central_and_distributed; }
  constexpr bool central() const { return lists == free_lists::central || lists == free_lists::central_and_distributed; }
  /// Whether who finds its own list empty sees without a lock that the central one is, too. Of `clf` alone, which programs get if
  /// they ask for nothing: the others lock, as they were published.
  constexpr bool hints() const { return lists == free_lists::central_and_distributed && linked_by == links::inside; }
};

/// Amounts, which the paper does not give. All but the sizes are settings of the managers that read them.
struct amounts {
  std::size_t block_bytes[block_kind_count] = {32, 64, sizeof(void*) * 2};  ///< size of a block of each kind
  std::size_t elements_per_block = 64;                                      ///< `chunk`: allocation::blocks
  std::size_t elements_per_list = 16'384;  ///< `list`: allocation::whole_lists; a used up one is followed by another
  std::size_t local_limit = 128;           ///< `local`: a worker's list longer than this hands half to the central list
};

/// The names of the settings that a manager of this row has.
template <spec Spec>
inline constexpr auto uses = [] {
  constexpr bool chunk = Spec.allocates == allocation::blocks, list = Spec.allocates == allocation::whole_lists;
  constexpr bool local = Spec.lists == free_lists::central_and_distributed;
  std::array<const char*, chunk + list + local> names{};
  auto end = names.begin();
  if constexpr (chunk) *end++ = "chunk";
  if constexpr (list) *end++ = "list";
  if constexpr (local) *end++ = "local";
  return names;
}();

}  // namespace TEFF_NAMESPACE::mem
