// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// OpenMP's locks. They lie in the program's memory, all zeros when they are free.
///
/// Each function exists twice, as OpenMP 3.0 made the owner of a nested lock a task, where it had been a thread: programs that
/// were linked before ask for the version OMP_1.0.
#include "compat/openmp/entry.h"
#include "compat/openmp/refuse.h"
#include "compat/openmp/tasks.h"
#include "platform/foreign.h"

#include <new>

namespace TEFF_NAMESPACE::openmp {

namespace {

[[gnu::always_inline]] inline void set(lock_word& lock) {
  expect_locks();
  lock.acquire_for_program(wait_kind::lock);
}

/// Returns: whether it got the lock. Effect: if not, shares what the caller keeps to itself, as it may ask again until it does.
bool test(lock_word& lock) {
  expect_locks();
  if (lock.try_acquire()) return true;
  forget_lock();
  share_tasks();
  return false;
}

[[gnu::always_inline]] inline void unset(lock_word& lock) {
  forget_lock();
  lock.release();
}

struct nest_lock {
  lock_word word;
  int count;
  const node* owner;

  /// Returns: who runs. A task that lies on the stack moves first: its address is its name.
  static const node* who() { return settle(self())->task(); }

  [[gnu::always_inline]] int acquire(bool waits) {
    const node* const me = who();
    if (__atomic_load_n(&owner, __ATOMIC_RELAXED) != me) {  // it is equal only if this task wrote it
      if (waits) set(word);
      else if (!test(word)) return 0;
      __atomic_store_n(&owner, me, __ATOMIC_RELAXED);
    }
    return ++count;
  }
  void release() {
    if (--count > 0) return;
    __atomic_store_n(&owner, nullptr, __ATOMIC_RELAXED);
    unset(word);
  }
  void reset() { ::new (this) nest_lock{}; }
};
static_assert(sizeof(nest_lock) == 16);

/// Of OpenMP 2.5: the owner's number in the system, and how often it has the lock.
struct old_nest_lock {
  static constexpr std::uint32_t once = 1, counts = (1 << 10) - 1;
  lock_word word;
  std::uint32_t holder;

  [[gnu::always_inline]] int acquire(bool waits) {
    const auto me = static_cast<std::uint32_t>(platform::thread_number()) << 10;
    if ((__atomic_load_n(&holder, __ATOMIC_RELAXED) & ~counts) != me) {
      if (waits) set(word);
      else if (!test(word)) return 0;
      __atomic_store_n(&holder, me, __ATOMIC_RELAXED);
    }
    if ((holder & counts) == counts) fail("a nested lock is set more than %u times", counts);
    __atomic_store_n(&holder, holder + once, __ATOMIC_RELAXED);
    return static_cast<int>(holder & counts);
  }
  void release() {
    const std::uint32_t left = holder - once;
    __atomic_store_n(&holder, (left & counts) != 0 ? left : 0, __ATOMIC_RELAXED);
    if ((left & counts) == 0) unset(word);
  }
  void reset() { ::new (this) old_nest_lock{}; }
};
static_assert(sizeof(old_nest_lock) == 8);

nest_lock* made_nest_lock() {
  auto* const made = new (std::nothrow) nest_lock{};
  if (made == nullptr) fail("no memory for a nested lock");
  return made;
}

}  // namespace

extern "C" {
[[gnu::visibility("default")]] void teff_init_lock(lock_word* lock) { lock->reset(); }
[[gnu::visibility("default")]] void teff_destroy_lock(lock_word*) {}
[[gnu::visibility("default")]] void teff_set_lock(lock_word* lock) { set(*lock); }
[[gnu::visibility("default")]] void teff_unset_lock(lock_word* lock) { unset(*lock); }
[[gnu::visibility("default")]] int teff_test_lock(lock_word* lock) { return test(*lock); }

[[gnu::visibility("default")]] void teff_init_nest_lock(nest_lock* lock) { lock->reset(); }
[[gnu::visibility("default")]] void teff_destroy_nest_lock(nest_lock*) {}
[[gnu::visibility("default")]] void teff_set_nest_lock(nest_lock* lock) { lock->acquire(true); }
[[gnu::visibility("default")]] void teff_unset_nest_lock(nest_lock* lock) { lock->release(); }
[[gnu::visibility("default")]] int teff_test_nest_lock(nest_lock* lock) { return lock->acquire(false); }

[[gnu::visibility("default")]] void teff_init_old_nest_lock(old_nest_lock* lock) { lock->reset(); }
[[gnu::visibility("default")]] void teff_set_old_nest_lock(old_nest_lock* lock) { lock->acquire(true); }
[[gnu::visibility("default")]] void teff_unset_old_nest_lock(old_nest_lock* lock) { lock->release(); }
[[gnu::visibility("default")]] int teff_test_old_nest_lock(old_nest_lock* lock) { return lock->acquire(false); }

// Fortran has eight bytes for a nested lock: an address.
[[gnu::visibility("default")]] void teff_init_nest_lock_(nest_lock** lock) { *lock = made_nest_lock(); }
[[gnu::visibility("default")]] void teff_destroy_nest_lock_(nest_lock** lock) {
  delete *lock;
  *lock = nullptr;
}
[[gnu::visibility("default")]] void teff_set_nest_lock_(nest_lock** lock) { (*lock)->acquire(true); }
[[gnu::visibility("default")]] void teff_unset_nest_lock_(nest_lock** lock) { (*lock)->release(); }
[[gnu::visibility("default")]] int teff_test_nest_lock_(nest_lock** lock) { return (*lock)->acquire(false); }
}

}  // namespace TEFF_NAMESPACE::openmp

// One function for all versions and languages in which the lock is the same.
#ifdef TEFF_LINKED_IN  // a program has no versions: the newest
#define TEFF_VERSION(function, name) asm(".globl " name "\n.set " name "," #function)
#define TEFF_PLAIN(function, name) \
  TEFF_VERSION(function, name);    \
  TEFF_VERSION(function, name "_")
#define TEFF_NESTED(function, name) \
  TEFF_VERSION(function, name);     \
  TEFF_VERSION(function##_, name "_")
#define TEFF_OLD_NESTED(function, name) static_assert(true)
#else
#define TEFF_VERSION(function, name) asm(".symver " #function "," name)
#define TEFF_PLAIN(function, name)           \
  TEFF_VERSION(function, name "@@OMP_3.0");  \
  TEFF_VERSION(function, name "@OMP_1.0");   \
  TEFF_VERSION(function, name "_@@OMP_3.0"); \
  TEFF_VERSION(function, name "_@OMP_1.0")
#define TEFF_NESTED(function, name)         \
  TEFF_VERSION(function, name "@@OMP_3.0"); \
  TEFF_VERSION(function##_, name "_@@OMP_3.0")
#define TEFF_OLD_NESTED(function, name)    \
  TEFF_VERSION(function, name "@OMP_1.0"); \
  TEFF_VERSION(function, name "_@OMP_1.0")
#endif

TEFF_PLAIN(teff_init_lock, "omp_init_lock");
TEFF_PLAIN(teff_destroy_lock, "omp_destroy_lock");
TEFF_PLAIN(teff_set_lock, "omp_set_lock");
TEFF_PLAIN(teff_unset_lock, "omp_unset_lock");
TEFF_PLAIN(teff_test_lock, "omp_test_lock");
TEFF_NESTED(teff_init_nest_lock, "omp_init_nest_lock");
TEFF_NESTED(teff_destroy_nest_lock, "omp_destroy_nest_lock");
TEFF_NESTED(teff_set_nest_lock, "omp_set_nest_lock");
TEFF_NESTED(teff_unset_nest_lock, "omp_unset_nest_lock");
TEFF_NESTED(teff_test_nest_lock, "omp_test_nest_lock");
TEFF_OLD_NESTED(teff_init_old_nest_lock, "omp_init_nest_lock");
TEFF_OLD_NESTED(teff_destroy_lock, "omp_destroy_nest_lock");
TEFF_OLD_NESTED(teff_set_old_nest_lock, "omp_set_nest_lock");
TEFF_OLD_NESTED(teff_unset_old_nest_lock, "omp_unset_nest_lock");
TEFF_OLD_NESTED(teff_test_old_nest_lock, "omp_test_nest_lock");
