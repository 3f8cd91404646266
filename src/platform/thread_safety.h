// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Clang's thread-safety annotations: lock order and preconditions as data. They are nothing under other compilers.
#pragma once

#if defined(__clang__)
#define TEFF_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define TEFF_THREAD_ANNOTATION(x)
#endif

#define TEFF_CAPABILITY(name) TEFF_THREAD_ANNOTATION(capability(name))
#define TEFF_SCOPED_CAPABILITY TEFF_THREAD_ANNOTATION(scoped_lockable)
#define TEFF_GUARDED_BY(lock) TEFF_THREAD_ANNOTATION(guarded_by(lock))
#define TEFF_REQUIRES(...) TEFF_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define TEFF_EXCLUDES(...) TEFF_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define TEFF_ACQUIRE(...) TEFF_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define TEFF_TRY_ACQUIRE(...) TEFF_THREAD_ANNOTATION(try_acquire_capability(__VA_ARGS__))
#define TEFF_RELEASE(...) TEFF_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define TEFF_NOT_ANALYSED TEFF_THREAD_ANNOTATION(no_thread_safety_analysis)
