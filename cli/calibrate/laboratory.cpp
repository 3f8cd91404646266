// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The members of laboratory.h that both sides share: compiled once.
#include "cli/calibrate/laboratory.h"

namespace teff::engine {

laboratory::laboratory() = default;
laboratory::~laboratory() = default;
model::model() = default;

}  // namespace teff::engine
