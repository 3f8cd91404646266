// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use versus::reduce::{sum_serially, Reduce, GRAIN};
use versus::tally::count_task;
use versus::{runtimes, Program, Wishes};

fn sum_of<const COUNTED: bool>(scope: &mut chili::Scope<'_>, data: &[f64]) -> f64 {
    count_task::<COUNTED>();
    if data.len() <= GRAIN {
        return sum_serially(data);
    }
    let (left, right) = data.split_at(data.len() / 2);
    let (left, right) = scope.join(|own| sum_of::<COUNTED>(own, left), |own| sum_of::<COUNTED>(own, right));
    left + right
}

struct OnChili {
    pool: chili::ThreadPool,
}

impl Program for OnChili {
    type Of = Reduce;
    const RUNTIME: &'static str = "chili";
    const FORMS: &'static [&'static str] = &["join"];

    fn start(how: &Wishes) -> Self {
        OnChili { pool: runtimes::chili_pool(how.threads) }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut Reduce) {
        let mut scope = self.pool.scope();
        for sum in &mut of.sums {
            *sum = sum_of::<COUNTED>(&mut scope, &of.data);
        }
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnChili>()
}
