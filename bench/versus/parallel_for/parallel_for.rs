// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A loop over an array of 40 MB, several times: parallel_for.h.

use crate::kernels::mixed;
use crate::{Number, Problem};

/// Elements that are not divided any more, where a runtime has to be told.
pub const GRAIN: usize = 4096;

pub struct ParallelFor {
    n: u64,
    pub sweeps: u64,
    pub data: Vec<u64>,
}

impl Default for ParallelFor {
    fn default() -> Self {
        ParallelFor { n: 5_000_000, sweeps: 10, data: Vec::new() }
    }
}

#[inline]
pub fn visit(element: &mut u64) {
    *element = mixed(*element);
}

impl Problem for ParallelFor {
    const NAME: &'static str = "parallel_for";
    const UNIT: &'static str = "element";

    fn numbers(&mut self) -> Vec<Number<'_>> {
        vec![
            Number { name: "n", value: &mut self.n, least: 0, most: 1_000_000_000 },
            Number { name: "sweeps", value: &mut self.sweeps, least: 1, most: 1_000_000 },
        ]
    }
    fn make_small(&mut self) {
        self.n = 100_000;
    }
    fn prepare(&mut self) {
        self.data.resize(self.n as usize, 0);
        self.data.iter_mut().enumerate().for_each(|(i, each)| *each = i as u64);
    }
    fn units(&self) -> u64 {
        self.n * self.sweeps
    }
    fn data_bytes(&self) -> u64 {
        self.n * 8
    }
    fn verify(&self) -> Result<(), String> {
        for (i, each) in self.data.iter().enumerate() {
            let right = (0..self.sweeps).fold(i as u64, |value, _| mixed(value));
            if *each != right {
                return Err(format!("element {i} is {each} instead of {right}"));
            }
        }
        Ok(())
    }
}
