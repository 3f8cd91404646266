// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/line.h"
#include "platform/native/departures.h"

#include <cstdlib>
#include <pthread.h>

extern "C" {
// Of the C library, which declares them for nobody.
[[gnu::weak]] void _pthread_cleanup_push(_pthread_cleanup_buffer* record, void (*function)(void*), void* argument);
[[gnu::weak]] void _pthread_cleanup_pop(_pthread_cleanup_buffer* record, int execute);
}

namespace TEFF_NAMESPACE::platform {

no_jump_across::no_jump_across(const char* sentence) noexcept {
  static_assert(sizeof(record) == sizeof(_pthread_cleanup_buffer) && alignof(record) == alignof(_pthread_cleanup_buffer));
  const auto end = [](void* pointer) {
    say(static_cast<const char*>(pointer));
    std::abort();
  };
  if (_pthread_cleanup_push != nullptr && _pthread_cleanup_pop != nullptr)
    _pthread_cleanup_push(reinterpret_cast<_pthread_cleanup_buffer*>(&record_), end, const_cast<char*>(sentence));
}

no_jump_across::~no_jump_across() {
  if (_pthread_cleanup_push != nullptr && _pthread_cleanup_pop != nullptr)
    _pthread_cleanup_pop(reinterpret_cast<_pthread_cleanup_buffer*>(&record_), 0);
}

}  // namespace TEFF_NAMESPACE::platform
