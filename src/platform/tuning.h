// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Every constant that was chosen rather than derived: value, unit, reason. Tests and simulation use the small values, so that
/// the rare paths (parking, growth, overflow) are common there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace teff::inline TEFF_PLATFORM::tuning {

#if defined(TEFF_SIMULATED)
/// Which values hold: the small ones, as tests want them, until who predicts a real run says otherwise, before it makes a team.
inline bool small = true;
#elif defined(TEFF_SMALL_CONSTANTS)
inline constexpr bool small = true;
#else
inline constexpr bool small = false;
#endif

/// A number (of rounds, if nothing else is said) with its value in use and its value under test.
struct rounds {
  unsigned standard, tested;
  operator unsigned() const { return small ? tested : standard; }
};

/// Rounds (each about 40 cycles) that a lock spins before it parks. The critical sections of queues are 20–100 cycles long, a
/// park and a wake cost about 10,000: spinning for longer than a few sections only helps while the holder is running.
inline constexpr rounds lock_spin_rounds{60, 2};

/// How long a thread naps that spun in vain for a brief lock: a small part of the time slice that the holder waits for, and many
/// times what going to sleep costs.
inline constexpr rounds lock_nap_ns{50'000, 1'000};

/// Rounds of searching all queues before an idle worker announces that it sleeps. A round over a few empty queues takes about
/// 50–100 ns, so this is roughly the cost of one park and wake (5–10 µs).
inline constexpr rounds idle_search_rounds{64, 1};

/// Rounds that an announced worker spins on its own word before it parks ('spin then park').
inline constexpr rounds idle_spin_rounds{400, 2};

/// Rounds that an announced worker gives others to answer its request before it serves itself by force: about what that costs.
inline constexpr rounds idle_request_rounds{200, 2};

/// Slots of a deque from the start: a page of them; doubled when they are full.
inline constexpr rounds deque_slots{256, 4};

/// Tasks that one worker's deque holds before a task that puts another one has to let that run first. Many enough for thieves, and
/// a few hundred KiB with their arguments.
inline constexpr rounds live_tasks_per_worker{4096, 128};

/// Tasks that a thief takes in one step: what it copies before its compare-and-swap is in vain if another thief is faster.
inline constexpr rounds stolen_at_most{32, 2};

/// Rounds that a waiter of policy 'spin then block' spins: about the time in which a fiber is set aside and continued.
inline constexpr rounds wait_spin_rounds{20, 2};

/// Workers of one team, and processors, at the most. 64-bit sets and 16-bit counts bound it; the simulator goes further.
inline constexpr unsigned workers_at_most = 256;
inline constexpr unsigned simulated_workers_at_most = 1024;

}  // namespace teff::inline TEFF_PLATFORM::tuning
