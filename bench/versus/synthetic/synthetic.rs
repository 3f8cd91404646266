// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The synthetic algorithm P(k): synthetic.h.

use crate::tally;
use crate::{Number, Problem};

pub use crate::kernels::compute;

const FACTOR: u64 = 0x9E3779B97F4A7C15;

fn mark_of(i: i64) -> u64 {
    let argument = (i + 2) as u64;
    (argument * argument).wrapping_mul(FACTOR).wrapping_add(1)
}

/// Says that A(i) has run. Always counted: it is how the result is verified. At the beginning of a task.
#[inline]
pub fn note(i: i64) {
    tally::own().add(1, mark_of(i));
}

pub struct Synthetic {
    pub k: u64,
    pub f: u64,
}

impl Default for Synthetic {
    fn default() -> Self {
        Synthetic { k: 30, f: 0 }
    }
}

impl Synthetic {
    /// Tasks and checksum of P(k), by the recurrence of A(i): of what A(i - 1) and A(i - 2) leave.
    fn expected(&self) -> (u64, u64) {
        let (mut two_before, mut one_before) = ((1u64, mark_of(-1)), (1u64, mark_of(0)));
        let mut sum = one_before;
        for i in 1..self.k as i64 {
            let own = (1 + one_before.0 + two_before.0, mark_of(i).wrapping_add(one_before.1).wrapping_add(two_before.1));
            sum = (sum.0 + own.0, sum.1.wrapping_add(own.1));
            (two_before, one_before) = (one_before, own);
        }
        sum
    }
}

impl Problem for Synthetic {
    const NAME: &'static str = "synthetic";
    const UNIT: &'static str = "task";

    fn numbers(&mut self) -> Vec<Number<'_>> {
        vec![
            Number { name: "k", value: &mut self.k, least: 1, most: 45 },
            Number { name: "f", value: &mut self.f, least: 0, most: 1_000_000 },
        ]
    }
    fn make_small(&mut self) {
        self.k = 18;
    }
    fn prepare(&mut self) {}
    fn units(&self) -> u64 {
        self.expected().0
    }
    fn verify(&self) -> Result<(), String> {
        let (right, ran) = (self.expected(), tally::sum());
        if ran.0 != right.0 {
            return Err(format!("{} tasks ran instead of {}", ran.0, right.0));
        }
        (ran == right).then_some(()).ok_or_else(|| "the right number of tasks ran, but not the right tasks".into())
    }
}
