// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Quicksort of random integers: quicksort.h.

use crate::kernels::mixed;
use crate::{Number, Problem};

pub use crate::kernels::{partition, sort};

pub struct Quicksort {
    n: u64,
    pub threshold: u64,
    pub data: Vec<i64>,
    checksum: u64,
}

impl Default for Quicksort {
    fn default() -> Self {
        Quicksort { n: 10_000_000, threshold: 1_000, data: Vec::new(), checksum: 0 }
    }
}

impl Quicksort {
    /// The same for the same integers in any order.
    fn sum_of_mixed(&self) -> u64 {
        self.data.iter().fold(0, |sum, each| sum.wrapping_add(mixed(*each as u64)))
    }
}

impl Problem for Quicksort {
    const NAME: &'static str = "quicksort";
    const UNIT: &'static str = "integer";

    fn numbers(&mut self) -> Vec<Number<'_>> {
        vec![
            Number { name: "n", value: &mut self.n, least: 0, most: 1_000_000_000 },
            Number { name: "threshold", value: &mut self.threshold, least: 1, most: 1_000_000_000 },
        ]
    }
    fn make_small(&mut self) {
        self.n = 100_000;
    }
    fn prepare(&mut self) {
        self.data.resize(self.n as usize, 0);
        self.data.iter_mut().enumerate().for_each(|(i, each)| *each = mixed(i as u64) as i64);
        self.checksum = self.sum_of_mixed();
    }
    fn units(&self) -> u64 {
        self.n
    }
    fn data_bytes(&self) -> u64 {
        self.n * 8
    }
    fn verify(&self) -> Result<(), String> {
        if !self.data.is_sorted() {
            return Err("the integers are not sorted".into());
        }
        (self.sum_of_mixed() == self.checksum).then_some(()).ok_or_else(|| "the integers are sorted, but they are others".into())
    }
}
