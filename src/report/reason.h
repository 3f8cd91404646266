// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Why one record takes longer than another on as many workers, in words.
#pragma once

#include "report/bounds.h"
#include "report/causes.h"

#include <string>

namespace teff::report {

/// Returns: the part that explains most of the difference, with its share, and what it rests on: what stands behind "takes 1.80
/// times as long as …: ".
std::string reason_for(const record& slow, const record& fast);

/// Returns: a word for the table: the part, "partly" it, or that there is no single one; and its share.
std::string short_reason_for(const record& slow, const record& fast);

}  // namespace teff::report
