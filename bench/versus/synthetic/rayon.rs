// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use versus::synthetic::{compute, note, Synthetic};
use versus::{runtimes, Program, Wishes};

/// Spawned, and waited for by nobody but the scope's end.
fn run_a<'s>(scope: &rayon::Scope<'s>, i: i64, f: u64) {
    note(i);
    if i > 0 {
        compute(10 * f);
        scope.spawn(move |own| run_a(own, i - 2, f));
        compute(50 * f);
        scope.spawn(move |own| run_a(own, i - 1, f));
    }
    compute(100 * f);
}

fn run_a_joined(i: i64, f: u64) {
    note(i);
    compute(100 * f);
    if i > 0 {
        compute(60 * f);
        rayon::join(|| run_a_joined(i - 1, f), || run_a_joined(i - 2, f));
    }
}

struct OnRayon {
    pool: rayon::ThreadPool,
    form: String,
}

impl Program for OnRayon {
    type Of = Synthetic;
    const RUNTIME: &'static str = "rayon";
    const FORMS: &'static [&'static str] = &["scope", "join"];

    fn start(how: &Wishes) -> Self {
        OnRayon { pool: runtimes::rayon_pool(how.threads), form: how.form.clone() }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut Synthetic) {
        let (k, f) = (of.k as i64, of.f);
        if self.form == "join" {
            return self.pool.install(|| (0..k).rev().for_each(|i| run_a_joined(i, f)));
        }
        self.pool.scope(|all| (0..k).rev().for_each(|i| all.spawn(move |own| run_a(own, i, f))));
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnRayon>()
}
