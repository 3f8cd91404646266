// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "platform/platform.h"

#include <cstddef>

namespace TEFF_NAMESPACE::mem {

/// What links free blocks: it lies inside the freed block, or is the base of a separate item.
struct link {
  link* next;
};

/// A separate link item (Korch & Rauber 2002, §4.4): the freed block itself is not touched.
struct item : link {
  void* block;

  /// Effect: links that block.
  void link_to(void* freed) {
    platform::touch_pointer(block, platform::to_write);
    block = freed;
  }
  void* linked() const {
    platform::touch_pointer(block, platform::to_read);
    return block;
  }
};

/// A last-in-first-out list of free blocks or of items that point to them, which knows how many more it has room for if it is
/// `Counted`. Not synchronised: whoever owns the list, or holds its lock, calls. Cost: a few loads and stores.
template <bool Counted>
class list_of_free {
 public:
  /// Pushes also where there is no room.
  void push(link* freed) {
    platform::touch(freed, sizeof(link), platform::to_write);
    freed->next = top_;
    top_ = freed;
    if constexpr (Counted) --room_;
  }

  bool is_empty() const { return top_ == nullptr; }

  /// Returns: nullptr if the list is empty.
  link* pop() {
    link* taken = top_;
    if (taken == nullptr) return nullptr;
    platform::touch(taken, sizeof(link), platform::to_read);
    top_ = taken->next;
    if constexpr (Counted) ++room_;
    return taken;
  }

  /// Effect: there is room for `count` elements; before the call for none. Pre: the list is empty.
  void limit_to(std::size_t count)
    requires Counted
  {
    room_ = static_cast<std::ptrdiff_t>(count);
  }
  bool push_if_room(link* freed)
    requires Counted
  {
    if (room_ <= 0) [[unlikely]]
      return false;
    push(freed);
    return true;
  }

 private:
  link* top_ = nullptr;
  std::ptrdiff_t room_ = 0;
};

using free_list = list_of_free<false>;
using counted_list = list_of_free<true>;

/// Moves up to `count` elements from one list to another. Cost: O(count).
template <bool FromCounted, bool ToCounted>
void move_some(list_of_free<FromCounted>& from, list_of_free<ToCounted>& to, std::size_t count) {
  for (; count > 0; --count) {
    link* moved = from.pop();
    if (moved == nullptr) return;
    to.push(moved);
  }
}

}  // namespace TEFF_NAMESPACE::mem
