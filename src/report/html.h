// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "report/record.h"

#include <string>

namespace teff::report {

/// Returns: a page that needs no other file and no network: what was run and where, the advice, drawings, the matrices, every
/// record. It is well-formed XML too.
std::string html(const record_set& set);

}  // namespace teff::report
