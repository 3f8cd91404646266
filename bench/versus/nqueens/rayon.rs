// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use versus::nqueens::{Board, NextBoards, Nqueens};
use versus::tally::count_task;
use versus::{runtimes, Program, Wishes};

/// Solutions below the boards from `begin` to `end` - 1.
fn below<const COUNTED: bool>(next: &NextBoards<'_>, begin: u32, end: u32, row: u32, n: u32) -> u64 {
    if end - begin == 1 {
        return solutions::<COUNTED>(&next.board(begin), row, n);
    }
    let middle = begin + (end - begin) / 2;
    let (left, right) =
        rayon::join(|| below::<COUNTED>(next, begin, middle, row, n), || below::<COUNTED>(next, middle, end, row, n));
    left + right
}

fn solutions<const COUNTED: bool>(from: &Board, row: u32, n: u32) -> u64 {
    count_task::<COUNTED>();
    if row == n {
        return 1;
    }
    let next = NextBoards::new(from, row, n);
    if next.is_empty() {
        return 0;
    }
    below::<COUNTED>(&next, 0, next.len(), row + 1, n)
}

struct OnRayon {
    pool: rayon::ThreadPool,
}

impl Program for OnRayon {
    type Of = Nqueens;
    const RUNTIME: &'static str = "rayon";
    const FORMS: &'static [&'static str] = &["join"];

    fn start(how: &Wishes) -> Self {
        OnRayon { pool: runtimes::rayon_pool(how.threads) }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut Nqueens) {
        let n = of.n as u32;
        of.result = self.pool.install(|| solutions::<COUNTED>(&Board::default(), 0, n));
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnRayon>()
}
