// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use rayon::prelude::*;
use versus::reduce::Reduce;
use versus::tally::count_task;
use versus::{runtimes, Program, Wishes};

struct OnRayon {
    pool: rayon::ThreadPool,
}

impl Program for OnRayon {
    type Of = Reduce;
    const RUNTIME: &'static str = "rayon";
    const FORMS: &'static [&'static str] = &["par_iter"];

    fn start(how: &Wishes) -> Self {
        OnRayon { pool: runtimes::rayon_pool(how.threads) }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut Reduce) {
        let data = &of.data;
        let sums = &mut of.sums;
        self.pool.install(|| {
            for sum in sums {
                let values = data.par_iter().map(|element| {
                    count_task::<COUNTED>();
                    *element
                });
                *sum = values.sum();
            }
        });
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnRayon>()
}
