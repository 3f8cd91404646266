// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use versus::nqueens::{Board, NextBoards, Nqueens};
use versus::tally::count_task;
use versus::{runtimes, Program, Wishes};

/// Solutions below the boards from `begin` to `end` - 1.
fn below<const COUNTED: bool>(
    scope: &mut chili::Scope<'_>,
    next: &NextBoards<'_>,
    begin: u32,
    end: u32,
    row: u32,
    n: u32,
) -> u64 {
    if end - begin == 1 {
        return solutions::<COUNTED>(scope, &next.board(begin), row, n);
    }
    let middle = begin + (end - begin) / 2;
    let (left, right) = scope
        .join(|own| below::<COUNTED>(own, next, begin, middle, row, n), |own| below::<COUNTED>(own, next, middle, end, row, n));
    left + right
}

fn solutions<const COUNTED: bool>(scope: &mut chili::Scope<'_>, from: &Board, row: u32, n: u32) -> u64 {
    count_task::<COUNTED>();
    if row == n {
        return 1;
    }
    let next = NextBoards::new(from, row, n);
    if next.is_empty() {
        return 0;
    }
    below::<COUNTED>(scope, &next, 0, next.len(), row + 1, n)
}

struct OnChili {
    pool: chili::ThreadPool,
}

impl Program for OnChili {
    type Of = Nqueens;
    const RUNTIME: &'static str = "chili";
    const FORMS: &'static [&'static str] = &["join"];

    fn start(how: &Wishes) -> Self {
        OnChili { pool: runtimes::chili_pool(how.threads) }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut Nqueens) {
        let n = of.n as u32;
        of.result = solutions::<COUNTED>(&mut self.pool.scope(), &Board::default(), 0, n);
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnChili>()
}
