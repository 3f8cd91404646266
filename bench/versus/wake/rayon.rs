// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use versus::wake::Wake;
use versus::{runtimes, Program, Wishes};

struct OnRayon {
    pool: rayon::ThreadPool,
}

impl Program for OnRayon {
    type Of = Wake;
    const RUNTIME: &'static str = "rayon";
    const FORMS: &'static [&'static str] = &["join"];

    fn start(how: &Wishes) -> Self {
        OnRayon { pool: runtimes::rayon_pool(how.threads) }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut Wake) {
        self.pool.install(|| {
            of.offer();
            rayon::join(|| of.compute_meanwhile(), || of.begin());
        });
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnRayon>()
}
