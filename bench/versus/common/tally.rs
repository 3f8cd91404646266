// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What each thread has run: evidence that tasks were run, and by whom.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::Mutex;

/// Written by its thread alone.
#[repr(align(64))]
#[derive(Default)]
pub struct Tally {
    tasks: AtomicU64,
    checksum: AtomicU64,
}

impl Tally {
    /// A load and a store: nobody else writes.
    pub fn add(&self, tasks: u64, checksum: u64) {
        self.tasks.store(self.tasks.load(Relaxed).wrapping_add(tasks), Relaxed);
        self.checksum.store(self.checksum.load(Relaxed).wrapping_add(checksum), Relaxed);
    }
}

static ALL: Mutex<Vec<&'static Tally>> = Mutex::new(Vec::new());

thread_local! {
    static MINE: Cell<Option<&'static Tally>> = const { Cell::new(None) };
}

#[cold]
#[inline(never)]
fn add_tally() -> &'static Tally {
    let made: &'static Tally = Box::leak(Box::default());
    ALL.lock().unwrap().push(made);
    MINE.with(|mine| mine.set(Some(made)));
    made
}

#[inline]
pub fn own() -> &'static Tally {
    MINE.with(|mine| mine.get()).unwrap_or_else(add_tally)
}

/// Counts the calling task, in runs that are not timed.
#[inline]
pub fn count_task<const COUNTED: bool>() {
    if COUNTED {
        own().add(1, 0);
    }
}

/// Before: no task runs.
pub fn clear() {
    for each in ALL.lock().unwrap().iter() {
        each.tasks.store(0, Relaxed);
        each.checksum.store(0, Relaxed);
    }
}

/// Tasks and checksum of all threads.
pub fn sum() -> (u64, u64) {
    let all = ALL.lock().unwrap();
    all.iter().fold((0, 0), |sum, each| (sum.0 + each.tasks.load(Relaxed), sum.1.wrapping_add(each.checksum.load(Relaxed))))
}

/// Tasks of each thread that ran any.
pub fn tasks_by_thread() -> Vec<u64> {
    ALL.lock().unwrap().iter().map(|each| each.tasks.load(Relaxed)).filter(|tasks| *tasks != 0).collect()
}
