// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// SHA-1, as FIPS 180-4 describes it: here a generator of random numbers that anybody can repeat, not a protection.
#pragma once

#include "base/namespace.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace TEFF_NAMESPACE::apps {

using sha1_digest = std::array<std::uint8_t, 20>;

/// Returns: the digest of the message. Cost: some 80 ns for up to 55 bytes, and the same again for each further 64.
sha1_digest sha1(std::span<const std::uint8_t> message);

}  // namespace TEFF_NAMESPACE::apps
