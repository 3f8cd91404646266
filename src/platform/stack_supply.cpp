// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/stack_supply.h"

#include "platform/platform.h"
#include "platform/sanitizers.h"
#include "platform/stack.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <new>
#include <pthread.h>
#include <span>
#include <sys/mman.h>
#include <unordered_map>
#include <utility>
#include <vector>

namespace TEFF_NAMESPACE::platform::stack_supply {

namespace {

constexpr std::size_t stacks_per_slab = 64;
/// Guarded stacks are mapped some at once: as many as there are already, between these, and in no more than so many bytes. Behind
/// a loop over more data than caches hold it takes the system 25 µs to map one, and 12 for its first page, but for the next ones
/// a fraction of that (docs/investigations/2026-11-26-ends-of-calls-and-loops.md). Considered: one more page; no page: both are
/// slower.
constexpr std::size_t guarded_at_once_least = 4, guarded_at_once_most = 16, bytes_at_once = 1u << 20;
/// Guarded stacks that are kept for reuse; more go back to the system, because each holds two mappings.
constexpr std::size_t kept_at_most = 1'024;
constexpr std::size_t page = 4'096;

/// Stacks of one size. `kept` has room for all that exist, so that giving back needs no memory.
struct shelf {
  std::vector<stack_piece> kept;
  std::size_t alive = 0;
};

struct supply {
  std::mutex lock;
  std::unordered_map<std::size_t, shelf> guarded, plain;  ///< by bytes
  census alive{};
  std::int64_t requests_until_refusal = -1;
  std::size_t guarded_at_most = stack_supply::guarded_at_most;
  bool keeps = true;  ///< until the library is closed, or the process ends
};

alignas(supply) std::byte supply_storage[sizeof(supply)];
supply* made = nullptr;  ///< the one in that storage, from the first use on
/// Reached by calls alone.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool holds_for_fork = false;

/// Before and behind the copy of fork(), so that in a child nobody holds the lock. A child may have told fork() twice.
void hold_for_fork() {
  if (!std::exchange(holds_for_fork, true)) made->lock.lock();
}
void give_back_behind_fork() {
  if (std::exchange(holds_for_fork, false)) made->lock.unlock();
}

/// Never destroyed: threads may give stacks back while the process ends.
supply& the_supply() {
  static constinit once_in_process is_made;
  is_made.run([] {
    made = ::new (supply_storage) supply;
    pthread_atfork(&hold_for_fork, &give_back_behind_fork, &give_back_behind_fork);
  });
  return *made;
}

bool refused(supply& from) {
  if (from.requests_until_refusal == 0) return true;
  if (from.requests_until_refusal > 0) --from.requests_until_refusal;
  return false;
}

stack_piece take_kept(shelf& from) {
  if (from.kept.empty()) return {};
  const stack_piece taken = from.kept.back();
  from.kept.pop_back();
  return taken;
}

/// Effect: room for so many more. Errors: std::bad_alloc.
void make_room(shelf& at, std::size_t more) {
  if (at.kept.capacity() < at.alive + more) at.kept.reserve(2 * (at.alive + more));
}

stack_piece take_guarded(supply& from, std::size_t bytes) {
  shelf& own = from.guarded[bytes];
  if (const stack_piece kept = take_kept(own)) return kept;
  if (from.alive.guarded >= from.guarded_at_most) return {};
  const std::size_t doubled = std::clamp(own.alive, guarded_at_once_least, guarded_at_once_most);
  const std::size_t most = std::min({doubled, bytes_at_once / bytes, from.guarded_at_most - from.alive.guarded});
  std::array<stack_piece, guarded_at_once_most> made;
  const std::span wanted = std::span(made).first(std::max<std::size_t>(most, 1));
  make_room(own, wanted.size());
  std::size_t count = stack::map_side_by_side(bytes, wanted);
  if (count == 0 && wanted.size() > 1) count = stack::map_side_by_side(bytes, wanted.first(1));
  for (const stack_piece& each : wanted.first(count)) {
    *(each.top() - 1) = 0;  // its first page is there when it is needed
    own.kept.push_back(each);
  }
  own.alive += count;
  from.alive.guarded += count;
  return take_kept(own);
}

stack_piece take_plain(supply& from, std::size_t bytes) {
  shelf& own = from.plain[bytes];
  if (const stack_piece kept = take_kept(own)) return kept;
  make_room(own, stacks_per_slab);
  void* slab = mmap(nullptr, bytes * stacks_per_slab, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (slab == MAP_FAILED) return {};
  own.alive += stacks_per_slab;
  from.alive.plain += stacks_per_slab;
  for (std::size_t at = stacks_per_slab; at-- > 0;) {
    own.kept.push_back(stack::announced({static_cast<char*>(slab) + at * bytes, bytes, false, 0}));
  }
  return take_kept(own);
}

void unmap(const stack_piece& unused) {
  if (unused.guarded) stack::adopt(unused);  // and unmaps it
  else munmap(unused.bottom, unused.bytes);
}

/// When the library that this lies in is closed, nobody is left who would use what is kept; teams that end only now give back
/// more.
[[gnu::destructor]] void unmap_kept() noexcept {
  if (made == nullptr) return;
  std::lock_guard guard(made->lock);
  made->keeps = false;
  for (const bool guarded : {true, false}) {
    for (auto& [bytes, own] : guarded ? made->guarded : made->plain) {
      own.alive -= own.kept.size();
      (guarded ? made->alive.guarded : made->alive.plain) -= own.kept.size();
      for (const stack_piece& each : own.kept) unmap(each);
      own.kept.clear();
    }
  }
}

}  // namespace

stack_piece take(std::size_t bytes) noexcept try {
  const std::size_t usable = (bytes + page - 1) / page * page;
  supply& from = the_supply();
  std::lock_guard guard(from.lock);
  if (refused(from)) return {};
  if (usable >= least_guarded_bytes) {
    if (const stack_piece guarded = take_guarded(from, usable)) return guarded;
  }
  return take_plain(from, usable);
} catch (const std::bad_alloc&) {
  return {};
}

void give_back(stack_piece piece) noexcept {
  sanitizers::mark_usable(piece.bottom, piece.bytes);
  supply& into = the_supply();
  {
    std::lock_guard guard(into.lock);
    shelf& own = (piece.guarded ? into.guarded : into.plain).find(piece.bytes)->second;
    if (into.keeps && (!piece.guarded || own.kept.size() < kept_at_most)) return own.kept.push_back(piece);
    --own.alive;
    --(piece.guarded ? into.alive.guarded : into.alive.plain);
  }
  unmap(piece);
}

census count() noexcept {
  std::lock_guard guard(the_supply().lock);
  return the_supply().alive;
}

void plan_refusal(std::int64_t requests_until_refusal) noexcept {
  std::lock_guard guard(the_supply().lock);
  the_supply().requests_until_refusal = requests_until_refusal;
}

void plan_guarded_at_most(std::size_t stacks) noexcept {
  std::lock_guard guard(the_supply().lock);
  the_supply().guarded_at_most = stacks;
}

}  // namespace TEFF_NAMESPACE::platform::stack_supply
