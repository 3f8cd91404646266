// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/cache_line.h"
#include "platform/platform.h"

#include <cstdint>

namespace TEFF_NAMESPACE::pool::parts {

/// A domain's, held by the one of its thieves that visits other domains (Olivier et al. 2012).
struct alignas(cache_line_bytes) gate {
  platform::atomic<std::uint32_t> held{0};
};

/// The right to visit other domains, asked for when it is needed. A thief that did not get it must not say that there is nothing.
/// `Alone`: one per domain has it; else everybody.
template <bool Alone>
struct crossing {
  gate& own;
  bool asked = false, granted = false;

  bool may_cross() {
    // acquire and release: the next one to cross sees the queues as this one left them; nothing rests on it.
    if (!asked) granted = !Alone || own.held.exchange(1, platform::acquire) == 0;
    asked = true;
    return granted;
  }
  ~crossing() {
    if (Alone && granted) own.held.store(0, platform::release);  // release: as above
  }
};

}  // namespace TEFF_NAMESPACE::pool::parts
