// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use versus::quicksort::{partition, sort, Quicksort};
use versus::tally::count_task;
use versus::{runtimes, Program, Wishes};

fn sort_by_tasks<const COUNTED: bool>(some: &mut [i64], threshold: usize) {
    count_task::<COUNTED>();
    if some.len() <= threshold {
        return sort(some);
    }
    let (low, high) = partition(some);
    rayon::join(|| sort_by_tasks::<COUNTED>(low, threshold), || sort_by_tasks::<COUNTED>(high, threshold));
}

struct OnRayon {
    pool: rayon::ThreadPool,
}

impl Program for OnRayon {
    type Of = Quicksort;
    const RUNTIME: &'static str = "rayon";
    const FORMS: &'static [&'static str] = &["join"];

    fn start(how: &Wishes) -> Self {
        OnRayon { pool: runtimes::rayon_pool(how.threads) }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut Quicksort) {
        let threshold = of.threshold as usize;
        self.pool.install(|| sort_by_tasks::<COUNTED>(&mut of.data, threshold));
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnRayon>()
}
