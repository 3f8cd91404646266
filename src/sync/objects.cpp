// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The objects whose type is fixed, compiled once for each side of the seam.
#include "sync/barrier.h"
#include "sync/condition.h"
#include "sync/event.h"
#include "sync/mutex.h"
#include "sync/once.h"
#include "sync/semaphore.h"
#include "sync/shared_mutex.h"

namespace TEFF_NAMESPACE::sync {

template class basic_barrier<rules>;
template class basic_condition<rules>;
template class basic_event<rules>;
template class basic_latch<rules>;
template class basic_mutex<rules>;
template class basic_once<rules>;
template class basic_recursive_mutex<rules>;
template class basic_semaphore<rules>;
template class basic_shared_mutex<rules>;

}  // namespace TEFF_NAMESPACE::sync
