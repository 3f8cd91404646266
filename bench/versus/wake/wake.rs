// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Wake-up latency: wake.h.

use crate::kernels::rest;
use crate::{Number, Problem};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread::ThreadId;
use std::time::Instant;

const GIVEN_UP_NS: u64 = 50_000_000;

pub struct Wake {
    trials: u64,
    offered: Instant,
    offered_by: ThreadId,
    /// Nanoseconds from then on, and 1; 0: not yet.
    begun: AtomicU64,
    times_begun: AtomicU64,
}

fn own_id() -> ThreadId {
    std::thread::current().id()
}

impl Default for Wake {
    fn default() -> Self {
        Wake {
            trials: 200,
            offered: Instant::now(),
            offered_by: own_id(),
            begun: AtomicU64::new(0),
            times_begun: AtomicU64::new(0),
        }
    }
}

impl Wake {
    /// Called by the task that offers, before it does.
    pub fn offer(&mut self) {
        self.offered_by = own_id();
        self.offered = Instant::now();
    }
    /// Called by the task that is offered.
    pub fn begin(&self) {
        let after_ns = self.offered.elapsed().as_nanos() as u64 + 1;
        self.begun.store(if own_id() == self.offered_by { GIVEN_UP_NS } else { after_ns }, Relaxed);
        self.times_begun.fetch_add(1, Relaxed);
    }
    /// Called by the task that has offered, when it has: it computes until the other one has begun.
    pub fn compute_meanwhile(&self) {
        while self.begun.load(Relaxed) == 0 && (self.offered.elapsed().as_nanos() as u64) < GIVEN_UP_NS {}
    }
}

impl Problem for Wake {
    const NAME: &'static str = "wake";
    const UNIT: &'static str = "wake-up";

    fn numbers(&mut self) -> Vec<Number<'_>> {
        vec![Number { name: "trials", value: &mut self.trials, least: 1, most: 100_000 }]
    }
    fn make_small(&mut self) {}
    fn prepare(&mut self) {
        rest(5_000_000);
        self.begun.store(0, Relaxed);
        self.times_begun.store(0, Relaxed);
    }
    fn units(&self) -> u64 {
        1
    }
    fn verify(&self) -> Result<(), String> {
        let times = self.times_begun.load(Relaxed);
        (times == 1).then_some(()).ok_or_else(|| format!("the task ran {times} times instead of once"))
    }
    fn seconds(&self) -> Option<f64> {
        Some(self.begun.load(Relaxed).min(GIVEN_UP_NS) as f64 * 1e-9)
    }
    fn repeats(&self) -> u64 {
        self.trials
    }
}
