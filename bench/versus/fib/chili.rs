// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use versus::fib::Fib;
use versus::tally::count_task;
use versus::{runtimes, Program, Wishes};

fn fib_of<const COUNTED: bool>(scope: &mut chili::Scope<'_>, n: u64) -> u64 {
    count_task::<COUNTED>();
    if n < 2 {
        return n;
    }
    let (one_before, two_before) = scope.join(|own| fib_of::<COUNTED>(own, n - 1), |own| fib_of::<COUNTED>(own, n - 2));
    one_before + two_before
}

struct OnChili {
    pool: chili::ThreadPool,
}

impl Program for OnChili {
    type Of = Fib;
    const RUNTIME: &'static str = "chili";
    const FORMS: &'static [&'static str] = &["join"];

    fn start(how: &Wishes) -> Self {
        OnChili { pool: runtimes::chili_pool(how.threads) }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut Fib) {
        of.result = fib_of::<COUNTED>(&mut self.pool.scope(), of.n);
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnChili>()
}
