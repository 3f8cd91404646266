// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! How many ways there are to put n queens on a board of n x n: nqueens.h.

use crate::kernels::{queens_places, QUEENS_AT_MOST};
use crate::{Number, Problem};

/// Where the queens of the first rows stand.
#[derive(Clone, Copy, Default)]
pub struct Board {
    rows: [i8; QUEENS_AT_MOST],
}

/// The boards with one more queen.
pub struct NextBoards<'a> {
    from: &'a Board,
    row: u32,
    places: [i8; QUEENS_AT_MOST],
    count: u32,
}

impl<'a> NextBoards<'a> {
    pub fn new(from: &'a Board, row: u32, n: u32) -> Self {
        let mut places = [0; QUEENS_AT_MOST];
        let count = queens_places(&from.rows, row, n, &mut places);
        NextBoards { from, row, places, count }
    }
    pub fn len(&self) -> u32 {
        self.count
    }
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    pub fn board(&self, i: u32) -> Board {
        let mut with = *self.from;
        with.rows[self.row as usize] = self.places[i as usize];
        with
    }
}

pub struct Nqueens {
    pub n: u64,
    pub result: u64,
}

impl Default for Nqueens {
    fn default() -> Self {
        Nqueens { n: 12, result: 0 }
    }
}

impl Problem for Nqueens {
    const NAME: &'static str = "nqueens";
    const UNIT: &'static str = "board";

    fn numbers(&mut self) -> Vec<Number<'_>> {
        vec![Number { name: "n", value: &mut self.n, least: 1, most: 14 }]
    }
    fn make_small(&mut self) {
        self.n = 8;
    }
    fn prepare(&mut self) {
        self.result = 0;
    }
    fn units(&self) -> u64 {
        [1, 2, 3, 6, 17, 54, 153, 552, 2057, 8394, 35539, 166926, 856189, 4674890, 27358553][self.n as usize]
    }
    fn verify(&self) -> Result<(), String> {
        let right = [1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596][self.n as usize];
        (self.result == right)
            .then_some(())
            .ok_or_else(|| format!("n={} gave {} solutions instead of {right}", self.n, self.result))
    }
}
