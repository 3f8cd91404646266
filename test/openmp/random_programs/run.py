#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes programs of OpenMP constructs at random, in C, C++ and Fortran by turns, and runs each on 1, 2, 3 and 8 threads: on the
drop-in, with its default pool and another one, and on 2 threads of gcc's library. Each has to come to what its tree says.

usage: run.py --library FOLDER [--count N] [--first SEED] [--jobs N] [--keep FOLDER]
  --library FOLDER  the drop-in's libgomp.so.1
  --count N         programs; 30 if it is not given
  --first SEED      the first program's: the same seed gives the same program
  --jobs N          programs at a time; one for each processor if it is not given
  --keep FOLDER     a program that fails is made smaller as long as it fails, and left here; else it is shown
Exit code 1 if the drop-in fails on a program. What gcc's library fails on is counted alone: it is no part of this project.
"""

import argparse
import copy
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]
import emit
import programs
import tree

COMPILERS = {"c": "gcc", "cpp": "g++", "f90": "gfortran"}
THREADS = (1, 2, 3, 8)
POOLS = ("sq1", "sq4", "dq5", "dq8", "sdq1", "ws", "mts")
SECONDS, SECONDS_OF_STOCK = 60, 5
TRIES_TO_SHRINK = 60


class Failure(Exception):
    pass


def positive(text):
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of them; allowed: 1 and more")
    return int(text)


def compile_into(folder, whole, suffix):
    source = Path(folder) / f"program.{suffix}"
    source.write_text(emit.source(whole, suffix))
    done = subprocess.run([COMPILERS[suffix], "-w", "-O1", "-fopenmp", "-o", "program", source.name], cwd=folder,
                          capture_output=True, text=True, check=False)  # fmt: skip
    if done.returncode != 0:
        raise Failure(f"the compiler refuses it: {done.stderr[:500]}")


def run_once(folder, whole, threads, extra, seconds):
    """Errors: Failure says what is wrong."""
    own = {"OMP_NUM_THREADS": str(threads), "OMP_MAX_ACTIVE_LEVELS": "8", "OMP_MAX_TASK_PRIORITY": "1"}
    environment = programs.clean_environment() | own | extra
    try:
        done = subprocess.run([f"{folder}/program"], env=environment, capture_output=True, text=True, timeout=seconds,
                              check=False)  # fmt: skip
    except subprocess.TimeoutExpired as late:
        raise Failure(f"no end after {seconds} s: {(late.stderr or b'')[-500:]!r}") from None
    expected = " ".join(str(each) for each in tree.sums(whole, threads))
    if done.returncode != 0 or done.stdout.split() != expected.split():
        raise Failure(f"exit code {done.returncode}, '{done.stdout.strip()}' in place of '{expected}'; {done.stderr[-500:]}")


def ways_of(seed, drop_in):
    """Yields: threads, and what is in the environment."""
    for number, threads in enumerate(THREADS):
        yield threads, {"LD_LIBRARY_PATH": str(drop_in)}
        yield threads, {"LD_LIBRARY_PATH": str(drop_in), "TEFF_POOL": POOLS[(seed + number) % len(POOLS)]}


def failure_of(whole, suffix, ways, seconds=SECONDS):
    """Returns: what is wrong and how it was run; nothing if it is right."""
    with tempfile.TemporaryDirectory() as folder:
        compile_into(folder, whole, suffix)
        for threads, extra in ways:
            try:
                run_once(folder, whole, threads, extra, seconds)
            except Failure as wrong:
                return f"{threads} threads, {extra.get('TEFF_POOL', 'the default pool')}: {wrong}", [(threads, extra)]
    return None


def smaller(whole):
    """Yields: the tree without one of its constructs, or with what is in it in its place."""
    for place in range(sum(len(each.body) for each in whole.every())):
        for kept in (False, True):
            made = copy.deepcopy(whole)
            parents = [(parent, number) for parent in made.every() for number in range(len(parent.body))]
            parent, number = parents[place]
            inside = parent.body[number].body if kept and parent.kind == parent.body[number].kind else []
            parent.body[number : number + 1] = inside
            yield made


def shrunk(whole, suffix, ways):
    tries = 0
    again = True
    while again:
        again = False
        for candidate in smaller(whole):
            tries += 1
            if tries > TRIES_TO_SHRINK:
                return whole
            if sum(1 for _ in candidate.every()) < sum(1 for _ in whole.every()) and failure_of(candidate, suffix, ways):
                whole, again = candidate, True
                break
    return whole


def check(seed, drop_in, keep):
    """Returns: what the drop-in fails on, or nothing; and whether gcc's library fails."""
    suffix = list(COMPILERS)[seed % len(COMPILERS)]
    whole = tree.program(random.Random(seed))
    found = failure_of(whole, suffix, ways_of(seed, drop_in))
    stock_fails = failure_of(whole, suffix, [(2, {})], SECONDS_OF_STOCK) is not None
    if found is None:
        return None, stock_fails
    what, ways = found
    least = emit.source(shrunk(whole, suffix, ways), suffix)
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        (keep / f"seed{seed}.{suffix}").write_text(least)
        return f"seed {seed}, {keep}/seed{seed}.{suffix}: {what}", stock_fails
    return f"seed {seed}: {what}\n{least}", stock_fails


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
    parser.add_argument("--library", dest="drop_in", type=programs.folder_of_drop_in, required=True)
    parser.add_argument("--count", type=positive, default=30)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=positive, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    failures = stock = 0
    with ThreadPoolExecutor(given.jobs) as workers:
        seeds = range(given.first, given.first + given.count)
        for wrong, stock_fails in workers.map(lambda seed: check(seed, given.drop_in, given.keep), seeds):
            stock += stock_fails
            if wrong is not None:
                failures += 1
                print(wrong, flush=True)
    print(f"{given.count} programs, {failures} failed; gcc's library failed on {stock}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
