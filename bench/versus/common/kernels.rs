// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What common/kernels.h and common/process.h declare: the same machine code as in the C++ programs.

mod linked {
    extern "C" {
        pub fn versus_charge(units: u64);
        pub fn versus_queens_places(rows: *const i8, row: u32, n: u32, places: *mut i8) -> u32;
        pub fn versus_uts_root(seed: u32, state: *mut u8);
        pub fn versus_uts_child(parent: *const u8, index: u32, state: *mut u8);
        pub fn versus_uts_children(state: *const u8, depth: u32, branching: u32, depth_limit: u32) -> u32;
        pub fn versus_partition(begin: *mut i64, end: *mut i64, smaller_end: *mut *mut i64, greater_begin: *mut *mut i64);
        pub fn versus_sort(begin: *mut i64, end: *mut i64);
        pub fn versus_cpu_seconds() -> f64;
        pub fn versus_context_switches() -> u64;
        pub fn versus_peak_bytes() -> u64;
        pub fn versus_rest(nanoseconds: u64);
    }
}
use linked::*;

pub const QUEENS_AT_MOST: usize = 16;
pub type State = [u8; 20];

#[inline]
pub fn compute(units: u64) {
    if units != 0 {
        // SAFETY: touches no memory.
        unsafe { versus_charge(units) }
    }
}

/// The number of places, which are written.
pub fn queens_places(rows: &[i8; QUEENS_AT_MOST], row: u32, n: u32, places: &mut [i8; QUEENS_AT_MOST]) -> u32 {
    assert!(row < n && n as usize <= QUEENS_AT_MOST);
    // SAFETY: it reads `row` rows and writes at most n places.
    unsafe { versus_queens_places(rows.as_ptr(), row, n, places.as_mut_ptr()) }
}

pub fn uts_root(seed: u32) -> State {
    let mut state = State::default();
    // SAFETY: it writes 20 bytes.
    unsafe { versus_uts_root(seed, state.as_mut_ptr()) };
    state
}

pub fn uts_child(parent: &State, index: u32) -> State {
    let mut state = State::default();
    // SAFETY: it reads and writes 20 bytes.
    unsafe { versus_uts_child(parent.as_ptr(), index, state.as_mut_ptr()) };
    state
}

pub fn uts_children(state: &State, depth: u32, branching: u32, depth_limit: u32) -> u32 {
    // SAFETY: it reads 20 bytes.
    unsafe { versus_uts_children(state.as_ptr(), depth, branching, depth_limit) }
}

/// What is smaller than a pivot, and what is greater. Before: not empty.
pub fn partition(data: &mut [i64]) -> (&mut [i64], &mut [i64]) {
    assert!(!data.is_empty());
    let range = data.as_mut_ptr_range();
    let (mut smaller_end, mut greater_begin) = (range.start, range.start);
    // SAFETY: it moves elements within the range, and gives two places of it, in their order.
    let (smaller, greater) = unsafe {
        versus_partition(range.start, range.end, &mut smaller_end, &mut greater_begin);
        (smaller_end.offset_from(range.start) as usize, greater_begin.offset_from(range.start) as usize)
    };
    let (rest, high) = data.split_at_mut(greater);
    (&mut rest[..smaller], high)
}

pub fn sort(data: &mut [i64]) {
    let range = data.as_mut_ptr_range();
    // SAFETY: it moves elements within the range.
    unsafe { versus_sort(range.start, range.end) }
}

// SAFETY, of all that follow: they touch no memory of ours.
pub fn cpu_seconds() -> f64 {
    unsafe { versus_cpu_seconds() }
}
pub fn context_switches() -> u64 {
    unsafe { versus_context_switches() }
}
pub fn peak_bytes() -> u64 {
    unsafe { versus_peak_bytes() }
}
pub fn rest(nanoseconds: u64) {
    unsafe { versus_rest(nanoseconds) }
}

/// A number that looks random for every one: the one of common/mixed.h.
#[inline]
pub fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E3779B97F4A7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58476D1CE4E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D049BB133111EB);
    x ^ (x >> 31)
}
