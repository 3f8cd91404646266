// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "base/namespace.h"

namespace TEFF_NAMESPACE::sim {

/// What the simulated machine costs, in cycles of one processor. The defaults are of the size that is published for x86-64
/// servers around 2009–2020; they describe no particular machine.
struct machine_description {
  /// Processors that share a last-level cache. Nehalem has 4, EPYC Rome 4, Milan 8.
  unsigned domain_size = 8;

  /// Cycles in a nanosecond: the clock rate of a server, rounded.
  double cycles_per_ns = 3.0;

  /// Access to a line that the processor already holds. Published: 4 (first-level cache of Nehalem and of EPYC Rome).
  unsigned own_line_hit = 4;

  /// A line comes from, or is taken away from, a processor in the same domain. Published: about 75 (Nehalem, line modified in
  /// another core of the package).
  unsigned same_domain_transfer = 75;

  /// Likewise from another domain. Published: 100–300 (Nehalem, last-level cache of the other package).
  unsigned remote_transfer = 300;

  /// What a read-modify-write takes beyond a write. Published: about 20 (locked instructions on x86-64).
  unsigned read_modify_write_extra = 20;

  /// How long a line that several processors hold unmodified is busy with handing out one more copy, while the reader waits
  /// for a whole transfer: caches pipeline such reads. Assumed: a few cycles of one cache bank.
  unsigned shared_read_occupancy = 10;

  /// A standalone full fence. Published: 33 (mfence on Skylake).
  unsigned fence = 33;

  /// Having every processor pass a fence, for who asks. Assumed: 10 µs, a system call and interrupts; what these take from the
  /// other processors is left out.
  unsigned fence_everywhere = 30'000;

  /// One round of a waiting loop, which ends with a pause. Published: 10–140 by model; 40 is what tuning.h counts with.
  unsigned pause = 40;

  /// Reading the clock. Published: about 25 (rdtsc).
  unsigned clock_read = 25;

  /// Going to sleep in the kernel, waking somebody, and the time until the woken one runs. Assumed: together the 10,000
  /// cycles that tuning.h counts with for a park and a wake.
  unsigned park = 2'000;
  unsigned wake = 3'000;
  unsigned wake_latency = 5'000;

  /// Each access to a shared line takes up to that many more, drawn from the seed: gives virtual time many schedules, as no two
  /// runs of a real machine are alike. 0: the same run whatever the seed.
  unsigned access_jitter = 0;

  /// Creating a thread. Assumed: 5 µs.
  unsigned thread_start = 15'000;
};

}  // namespace TEFF_NAMESPACE::sim
