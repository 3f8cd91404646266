// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use versus::wake::Wake;
use versus::{runtimes, Program, Wishes};

struct OnChili {
    pool: chili::ThreadPool,
}

impl Program for OnChili {
    type Of = Wake;
    const RUNTIME: &'static str = "chili";
    const FORMS: &'static [&'static str] = &["join"];

    fn start(how: &Wishes) -> Self {
        OnChili { pool: runtimes::chili_pool(how.threads) }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut Wake) {
        let mut scope = self.pool.scope();
        of.offer();
        // Of the two, chili offers the first one.
        scope.join(|_| of.begin(), |_| of.compute_meanwhile());
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnChili>()
}
