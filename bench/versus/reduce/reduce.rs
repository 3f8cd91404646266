// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The sum of an array of 40 MB, several times: reduce.h.

use crate::{Number, Problem};

/// Elements that are not divided any more, where a runtime has to be told.
pub const GRAIN: usize = 4096;

pub struct Reduce {
    n: u64,
    sweeps: u64,
    pub data: Vec<f64>,
    /// Of each sweep.
    pub sums: Vec<f64>,
}

impl Default for Reduce {
    fn default() -> Self {
        Reduce { n: 5_000_000, sweeps: 20, data: Vec::new(), sums: Vec::new() }
    }
}

pub fn sum_serially(data: &[f64]) -> f64 {
    data.iter().sum()
}

impl Problem for Reduce {
    const NAME: &'static str = "reduce";
    const UNIT: &'static str = "element";

    fn numbers(&mut self) -> Vec<Number<'_>> {
        vec![
            Number { name: "n", value: &mut self.n, least: 0, most: 100_000_000 },
            Number { name: "sweeps", value: &mut self.sweeps, least: 1, most: 1_000_000 },
        ]
    }
    fn make_small(&mut self) {
        self.n = 100_000;
    }
    fn prepare(&mut self) {
        self.sums = vec![-1.0; self.sweeps as usize];
        if self.data.len() != self.n as usize {
            self.data = (0..self.n).map(|i| (i % 1009) as f64).collect();
        }
    }
    fn units(&self) -> u64 {
        self.n * self.sweeps
    }
    fn data_bytes(&self) -> u64 {
        self.n * 8
    }
    fn verify(&self) -> Result<(), String> {
        let right = sum_serially(&self.data);
        match self.sums.iter().find(|sum| **sum != right) {
            Some(wrong) => Err(format!("a sum is {wrong} instead of {right}")),
            None => Ok(()),
        }
    }
}
