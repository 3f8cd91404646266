#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs of this folder on pools x threads of the drop-in, or on gcc's own library.

usage: run.py --programs FOLDER [--library FOLDER] [PROGRAM...]
  --programs FOLDER  the compiled programs
  --library FOLDER   the drop-in's libgomp.so.1; without it gcc's library runs all that it can run
Without PROGRAM all in FOLDER are run. Exit code 0 if every run ended as it must.
"""

import sys

import programs


def names_in(folder):
    return sorted(each.name for each in folder.iterdir() if each.is_file() and not each.suffix and each.name not in programs.ASKED)


def runs_of(names, with_drop_in):
    for name in names:
        for case in programs.cases_of(name):
            if with_drop_in:
                yield from ((name, case, threads, pool) for pool in case.pools for threads in programs.THREADS)
            elif case.stock:
                yield from ((name, case, threads, "") for threads in programs.THREADS)


def main():
    parser = programs.parser_of(__doc__)
    parser.add_argument("names", nargs="*")
    words = parser.parse_args()
    runner = programs.Runner(words.programs, words.drop_in)
    count = wrong = 0
    for name, case, threads, pool in runs_of(words.names or names_in(words.programs), words.drop_in is not None):
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
