// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
use versus::tally::count_task;
use versus::uts::{TreeCount, TreeNode, TreeShape, Uts};
use versus::{runtimes, Program, Wishes};

/// What is below the children from `begin` to `end` - 1.
fn below<const COUNTED: bool>(from: &TreeNode, begin: u32, end: u32, shape: &TreeShape) -> TreeCount {
    if end - begin == 1 {
        return count_from::<COUNTED>(&from.child(begin), shape);
    }
    let middle = begin + (end - begin) / 2;
    let (left, right) =
        rayon::join(|| below::<COUNTED>(from, begin, middle, shape), || below::<COUNTED>(from, middle, end, shape));
    left + right
}

fn count_from<const COUNTED: bool>(from: &TreeNode, shape: &TreeShape) -> TreeCount {
    count_task::<COUNTED>();
    let children = from.children(shape);
    let own_count = from.own_count(children);
    if children == 0 {
        return own_count;
    }
    own_count + below::<COUNTED>(from, 0, children, shape)
}

struct OnRayon {
    pool: rayon::ThreadPool,
}

impl Program for OnRayon {
    type Of = Uts;
    const RUNTIME: &'static str = "rayon";
    const FORMS: &'static [&'static str] = &["join"];

    fn start(how: &Wishes) -> Self {
        OnRayon { pool: runtimes::rayon_pool(how.threads) }
    }
    fn run<const COUNTED: bool>(&mut self, of: &mut Uts) {
        let (root, shape) = (of.root(), of.shape());
        of.result = self.pool.install(|| count_from::<COUNTED>(&root, &shape));
    }
}

fn main() -> std::process::ExitCode {
    versus::main_of::<OnRayon>()
}
