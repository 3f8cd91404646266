/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the tasks of the workloads compute. It is compiled once, and called by every C++ and Rust program, the serial ones
 * included, so that two runtimes differ in the tasks alone. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Effect: takes so many iterations of an empty loop. */
void versus_charge(uint64_t units);

/* Effect: writes where a queen may stand in `row` of a board of n x n, whose rows above are taken. Returns: how many places that
 * are. */
unsigned versus_queens_places(const signed char* rows, unsigned row, unsigned n, signed char* places);

/* The random numbers of an unbalanced tree: SHA-1 of the parent's 20 bytes and the index of the child. */
void versus_uts_root(uint32_t seed, unsigned char* state);
void versus_uts_child(const unsigned char* parent, uint32_t index, unsigned char* state);
/* Returns: how many children a node of that depth has, in a geometric tree of fixed shape. */
unsigned versus_uts_children(const unsigned char* state, unsigned depth, unsigned branching, unsigned depth_limit);

/* Effect: moves what is smaller than a pivot to the front and what is greater to the back. Pre: not empty. */
void versus_partition(int64_t* begin, int64_t* end, int64_t** smaller_end, int64_t** greater_begin);
void versus_sort(int64_t* begin, int64_t* end);

#ifdef __cplusplus
}
#endif
