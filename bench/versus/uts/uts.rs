// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Unbalanced tree search: uts.h.

use crate::kernels::{uts_child, uts_children, uts_root, State};
use crate::{Number, Problem};

/// What was found below a node, itself included.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct TreeCount {
    pub nodes: u64,
    pub leaves: u64,
    pub depth: u64,
}

impl std::ops::Add for TreeCount {
    type Output = TreeCount;
    fn add(self, other: TreeCount) -> TreeCount {
        TreeCount { nodes: self.nodes + other.nodes, leaves: self.leaves + other.leaves, depth: self.depth.max(other.depth) }
    }
}

#[derive(Clone, Copy)]
pub struct TreeShape {
    branching: u32,
    depth_limit: u32,
}

pub struct TreeNode {
    state: State,
    depth: u32,
}

impl TreeNode {
    pub fn children(&self, shape: &TreeShape) -> u32 {
        uts_children(&self.state, self.depth, shape.branching, shape.depth_limit)
    }
    pub fn child(&self, index: u32) -> TreeNode {
        TreeNode { state: uts_child(&self.state, index), depth: self.depth + 1 }
    }
    /// What the node itself adds.
    pub fn own_count(&self, children: u32) -> TreeCount {
        TreeCount { nodes: 1, leaves: (children == 0) as u64, depth: self.depth as u64 }
    }
}

fn count_serially(from: &TreeNode, shape: &TreeShape) -> TreeCount {
    let children = from.children(shape);
    (0..children).fold(from.own_count(children), |sum, i| sum + count_serially(&from.child(i), shape))
}

pub struct Uts {
    branching: u64,
    depth: u64,
    seed: u64,
    pub result: TreeCount,
}

impl Default for Uts {
    fn default() -> Self {
        Uts { branching: 4, depth: 10, seed: 19, result: TreeCount::default() }
    }
}

impl Uts {
    pub fn shape(&self) -> TreeShape {
        TreeShape { branching: self.branching as u32, depth_limit: self.depth as u32 }
    }
    pub fn root(&self) -> TreeNode {
        TreeNode { state: uts_root(self.seed as u32), depth: 0 }
    }
}

impl Problem for Uts {
    const NAME: &'static str = "uts";
    const UNIT: &'static str = "node";

    fn numbers(&mut self) -> Vec<Number<'_>> {
        vec![
            Number { name: "b", value: &mut self.branching, least: 1, most: 20 },
            Number { name: "d", value: &mut self.depth, least: 0, most: 20 },
            Number { name: "r", value: &mut self.seed, least: 0, most: 0xFFFFFFFF },
        ]
    }
    fn make_small(&mut self) {
        self.depth = 6;
    }
    fn prepare(&mut self) {
        self.result = TreeCount::default();
    }
    fn units(&self) -> u64 {
        self.result.nodes
    }
    fn verify(&self) -> Result<(), String> {
        let is_t1 = (self.branching, self.depth, self.seed) == (4, 10, 19);
        let published = TreeCount { nodes: 4_130_071, leaves: 3_305_118, depth: 10 };
        let right = if is_t1 { published } else { count_serially(&self.root(), &self.shape()) };
        let text = |of: &TreeCount| format!("{} nodes, {} leaves, depth {}", of.nodes, of.leaves, of.depth);
        (self.result == right).then_some(()).ok_or_else(|| format!("{} instead of {}", text(&self.result), text(&right)))
    }
}
