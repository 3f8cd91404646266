// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use versus::parallel_for::{visit, ParallelFor, GRAIN};
use versus::tally::count_task;
use versus::{runtimes, Program, Wishes};

fn visit_all<const COUNTED: bool>(scope: &mut chili::Scope<'_>, data: &mut [u64]) {
    count_task::<COUNTED>();
    if data.len() <= GRAIN {
        return data.iter_mut().for_each(visit);
    }
    let (left, right) = data.split_at_mut(data.len() / 2);
    scope.join(|own| visit_all::<COUNTED>(own, left), |own| visit_all::<COUNTED>(own, right));
}

struct OnChili {
    pool: chili::ThreadPool,
}

impl Program for OnChili {
    type Of = ParallelFor;
    const RUNTIME: &'static str = "chili";
    const FORMS: &'static [&'static str] = &["join"];

    fn start(how: &Wishes) -> Self {
        OnChili { pool: runtimes::chili_pool(how.threads) }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut ParallelFor) {
        let mut scope = self.pool.scope();
        (0..of.sweeps).for_each(|_| visit_all::<COUNTED>(&mut scope, &mut of.data));
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnChili>()
}
