// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use rayon::prelude::*;
use versus::parallel_for::{visit, ParallelFor};
use versus::tally::count_task;
use versus::{runtimes, Program, Wishes};

struct OnRayon {
    pool: rayon::ThreadPool,
}

impl Program for OnRayon {
    type Of = ParallelFor;
    const RUNTIME: &'static str = "rayon";
    const FORMS: &'static [&'static str] = &["par_iter"];

    fn start(how: &Wishes) -> Self {
        OnRayon { pool: runtimes::rayon_pool(how.threads) }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut ParallelFor) {
        self.pool.install(|| {
            for _ in 0..of.sweeps {
                of.data.par_iter_mut().for_each(|element| {
                    count_task::<COUNTED>();
                    visit(element);
                });
            }
        });
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnRayon>()
}
