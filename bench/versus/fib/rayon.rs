// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use versus::fib::Fib;
use versus::tally::count_task;
use versus::{runtimes, Program, Wishes};

fn fib_of<const COUNTED: bool>(n: u64) -> u64 {
    count_task::<COUNTED>();
    if n < 2 {
        return n;
    }
    let (one_before, two_before) = rayon::join(|| fib_of::<COUNTED>(n - 1), || fib_of::<COUNTED>(n - 2));
    one_before + two_before
}

struct OnRayon {
    pool: rayon::ThreadPool,
}

impl Program for OnRayon {
    type Of = Fib;
    const RUNTIME: &'static str = "rayon";
    const FORMS: &'static [&'static str] = &["join"];

    fn start(how: &Wishes) -> Self {
        OnRayon { pool: runtimes::rayon_pool(how.threads) }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut Fib) {
        of.result = self.pool.install(|| fib_of::<COUNTED>(of.n));
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnRayon>()
}
