// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sim/processor.h"

#include <memory>
#include <vector>

namespace TEFF_NAMESPACE::sim {

using processor_table = std::vector<std::unique_ptr<processor>>;

inline void append(wait_list& list, processor& added, const processor_table& all) {
  added.next_waiting = nobody;
  (list.empty() ? list.first : all[list.last]->next_waiting) = added.id;
  list.last = added.id;
}

/// Pre: it is in the list. Cost: O(waiters before it).
inline void remove(wait_list& list, processor& gone, const processor_table& all) {
  processor_id before = nobody;
  for (processor_id i = list.first; i != gone.id; i = all[i]->next_waiting) before = i;
  (before == nobody ? list.first : all[before]->next_waiting) = gone.next_waiting;
  if (list.last == gone.id) list.last = before;
  gone.next_waiting = nobody;
}

}  // namespace TEFF_NAMESPACE::sim
