// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use versus::synthetic::{compute, note, Synthetic};
use versus::{runtimes, Program, Wishes};

fn run_a(scope: &mut chili::Scope<'_>, i: i64, f: u64) {
    note(i);
    compute(100 * f);
    if i > 0 {
        compute(60 * f);
        scope.join(|own| run_a(own, i - 1, f), |own| run_a(own, i - 2, f));
    }
}

struct OnChili {
    pool: chili::ThreadPool,
}

impl Program for OnChili {
    type Of = Synthetic;
    const RUNTIME: &'static str = "chili";
    const FORMS: &'static [&'static str] = &["join"];

    fn start(how: &Wishes) -> Self {
        OnChili { pool: runtimes::chili_pool(how.threads) }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut Synthetic) {
        let mut scope = self.pool.scope();
        (0..of.k as i64).rev().for_each(|i| run_a(&mut scope, i, of.f));
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnChili>()
}
