// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use versus::tally::count_task;
use versus::uts::{TreeCount, TreeNode, TreeShape, Uts};
use versus::{runtimes, Program, Wishes};

/// What is below the children from `begin` to `end` - 1.
fn below<const COUNTED: bool>(
    scope: &mut chili::Scope<'_>,
    from: &TreeNode,
    begin: u32,
    end: u32,
    shape: &TreeShape,
) -> TreeCount {
    if end - begin == 1 {
        return count_from::<COUNTED>(scope, &from.child(begin), shape);
    }
    let middle = begin + (end - begin) / 2;
    let (left, right) = scope
        .join(|own| below::<COUNTED>(own, from, begin, middle, shape), |own| below::<COUNTED>(own, from, middle, end, shape));
    left + right
}

fn count_from<const COUNTED: bool>(scope: &mut chili::Scope<'_>, from: &TreeNode, shape: &TreeShape) -> TreeCount {
    count_task::<COUNTED>();
    let children = from.children(shape);
    let own_count = from.own_count(children);
    if children == 0 {
        return own_count;
    }
    own_count + below::<COUNTED>(scope, from, 0, children, shape)
}

struct OnChili {
    pool: chili::ThreadPool,
}

impl Program for OnChili {
    type Of = Uts;
    const RUNTIME: &'static str = "chili";
    const FORMS: &'static [&'static str] = &["join"];

    fn start(how: &Wishes) -> Self {
        OnChili { pool: runtimes::chili_pool(how.threads) }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut Uts) {
        let (root, shape) = (of.root(), of.shape());
        of.result = count_from::<COUNTED>(&mut self.pool.scope(), &root, &shape);
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnChili>()
}
