#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs of this folder on pools x threads of the drop-in, or on gcc's own library.

usage: run.py --programs FOLDER [--library FOLDER] [--all] [PROGRAM...]
  --programs FOLDER  the compiled programs
  --library FOLDER   the drop-in's libgomp.so.1; without it gcc's library runs all that it can run
  --all              each pool with each number of threads, and not only each of both once
Without PROGRAM all in FOLDER are run. Exit code 0 if every run ended as it must.
"""

import itertools
import sys

import programs


def names_in(folder):
    return sorted(each.name for each in folder.iterdir()
                  if each.is_file() and not each.suffix and each.name not in programs.ASKED)


def pairs_of(pools, everything):
    """Returns: pools with numbers of threads. Unless it is everything: the first pool with each number, each other one with one,
    in turn, and never with a single thread, which shares nothing."""
    if everything:
        return list(itertools.product(pools, programs.THREADS))
    others = itertools.cycle(programs.THREADS[1:])
    return [(pools[0], threads) for threads in programs.THREADS] + list(zip(pools[1:], others)) if pools else []


def runs_of(names, with_drop_in, everything):
    for name in names:
        for case in programs.cases_of(name):
            if with_drop_in:
                yield from ((name, case, threads, pool) for pool, threads in pairs_of(case.pools, everything or case.each_on_all))
            elif case.stock:
                # That the programs are right is seen on two threads as on eight.
                yield from ((name, case, threads, "") for threads in (programs.THREADS if everything else (2,)))


def main():
    parser = programs.parser_of(__doc__)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("names", nargs="*")
    words = parser.parse_args()
    runner = programs.Runner(words.programs, words.drop_in)
    count = wrong = 0
    names = words.names or names_in(words.programs)
    for name, case, threads, pool in runs_of(names, words.drop_in is not None, words.all):
        problem = runner.run(name, case, threads, pool)
        count += 1
        if problem:
            wrong += 1
            where = f"pool {pool}" if pool else "gcc's library"
            print(f"{' '.join([name, *case.arguments])}, {where}, {threads} threads: {problem}", flush=True)
    print(f"{count} runs, {wrong} wrong")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
