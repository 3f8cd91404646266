// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The Fibonacci numbers by their definition, without a cut-off: fib.h.

use crate::{Number, Problem};

pub struct Fib {
    pub n: u64,
    pub result: u64,
}

impl Default for Fib {
    fn default() -> Self {
        Fib { n: 37, result: 0 }
    }
}

fn by_recurrence(n: u64) -> u64 {
    (0..n).fold((1, 0), |(before, now), _| (now, now + before)).1
}

impl Problem for Fib {
    const NAME: &'static str = "fib";
    const UNIT: &'static str = "call";

    fn numbers(&mut self) -> Vec<Number<'_>> {
        vec![Number { name: "n", value: &mut self.n, least: 0, most: 45 }]
    }
    fn make_small(&mut self) {
        self.n = 22;
    }
    fn prepare(&mut self) {
        self.result = 0;
    }
    fn units(&self) -> u64 {
        2 * by_recurrence(self.n + 1) - 1
    }
    fn verify(&self) -> Result<(), String> {
        let right = by_recurrence(self.n);
        (self.result == right).then_some(()).ok_or_else(|| format!("fib({}) gave {} instead of {right}", self.n, self.result))
    }
}
