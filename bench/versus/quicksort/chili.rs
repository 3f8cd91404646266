// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use versus::quicksort::{partition, sort, Quicksort};
use versus::tally::count_task;
use versus::{runtimes, Program, Wishes};

fn sort_by_tasks<const COUNTED: bool>(scope: &mut chili::Scope<'_>, some: &mut [i64], threshold: usize) {
    count_task::<COUNTED>();
    if some.len() <= threshold {
        return sort(some);
    }
    let (low, high) = partition(some);
    scope.join(|own| sort_by_tasks::<COUNTED>(own, low, threshold), |own| sort_by_tasks::<COUNTED>(own, high, threshold));
}

struct OnChili {
    pool: chili::ThreadPool,
}

impl Program for OnChili {
    type Of = Quicksort;
    const RUNTIME: &'static str = "chili";
    const FORMS: &'static [&'static str] = &["join"];

    fn start(how: &Wishes) -> Self {
        OnChili { pool: runtimes::chili_pool(how.threads) }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut Quicksort) {
        let threshold = of.threshold as usize;
        sort_by_tasks::<COUNTED>(&mut self.pool.scope(), &mut of.data, threshold);
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnChili>()
}
