#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures OpenMP constructs and task programs on gcc's own runtime and on Teff's drop-in, one after the other in each round.

usage: openmp.py --library FOLDER [--rounds N] [--threads LIST] [--only LIST] [--pool NAME] [--processors LIST] [--json FILE]
  --library FOLDER  the drop-in's libgomp.so.1
  --only LIST       some of them, or groups: synchronisation, schedules, arrays, tasks (these four as an EPCC table has them), programs,
                    dependences
  --processors LIST the programs run on these alone, as `taskset -c` says: with more threads they stand in each other's way
The same binary, built by gcc -O2 -fopenmp, runs on both; only LD_LIBRARY_PATH differs. Each line shows medians in nanoseconds per
unit (the programs in bench/openmp say what a unit is), and the median over the rounds of Teff's time over gcc's: below 1 Teff is
faster. MB is the most memory that a run had. `idle` is the processor time that is used while nothing runs: 10,000 ns (per ms) are
1 %. Exit code 1 if a result is wrong.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
GROUPS = {
    "synchronisation": ["region", "for", "parallel_for", "barrier", "single", "single_wait", "critical", "lock", "ordered", "atomic", "sum"],
    "schedules": ["static", "static_1", "static_8", "static_64", "chunk", "dynamic_8", "dynamic_64", "guided_1", "guided_8", "guided_64"],
    "arrays": ["private", "firstprivate", "copyprivate", "threadprivate", "copyin"],
    "tasks": ["parallel_task", "master_task", "busy", "conditional", "taskwait", "task_barrier", "taskyield", "nested_task", "nested_master",
              "branch_tree", "leaf_tree", "behind_brief"],
    "programs": ["fib", "nqueens", "producer", "synthetic", "taskloop", "reduction", "idle"],
    "dependences": ["chain", "wavefront", "graph", "tiles_of_8", "tiles_of_64", "lu_of_8", "lu_of_64"],
}
NAMES = [name for names in GROUPS.values() for name in names]
WITH_MEMBERS = {*GROUPS["tasks"], *GROUPS["schedules"], *GROUPS["dependences"], "fib", "nqueens", "producer", "synthetic"}
SECONDS = 120


class Wrong(Exception):
    pass


class Refused(Wrong):
    """A word of the caller's that only the library knows to be wrong."""


def build(folder):
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "benchmarks"
    sources = sorted(HERE.glob("openmp/*.c"))
    if not program.exists() or any(each.stat().st_mtime > program.stat().st_mtime for each in HERE.glob("openmp/*")):
        subprocess.run(["gcc", "-O2", "-g", "-Wall", "-Wextra", "-fopenmp", "-o", program, *sources], check=True)
    return program


def environment(library, threads, pool):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_", "TEFF_", "LD_"))}
    clean["OMP_NUM_THREADS"] = str(threads)
    if library:
        clean |= {"LD_LIBRARY_PATH": str(library)} | ({"TEFF_POOL": pool} if pool else {})
    return clean


def run(command, name, library, threads, pool):
    where = f"{name}, {threads} threads, {'Teff' if library else 'gcc'}"
    try:
        done = subprocess.run([*command, name], env=environment(library, threads, pool), capture_output=True, text=True,
                              timeout=SECONDS, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired as late:
        raise Wrong(f"{where}: still running after {SECONDS} s") from late
    if done.returncode != 0:
        raise Wrong(f"{where}: exit code {done.returncode}: {done.stderr.strip()}")
    if "TEFF_POOL" in done.stderr:  # the library goes on with another one
        raise Refused(f"--pool cannot be '{pool}': {done.stderr.strip()}")
    return json.loads(done.stdout)


def measure(program, words, pairs):
    """Adds to {(name, threads): [(gcc's run, Teff's run), ...]}; the order within a pair alternates."""
    cases = list(pairs)
    command = ["taskset", "-c", words.processors, program] if words.processors else [program]
    for number in range(words.rounds):
        for name, threads in cases:
            pair = {}
            for library in (None, words.drop_in) if number % 2 == 0 else (words.drop_in, None):
                pair[library] = run(command, name, library, threads, words.pool)
            pairs[name, threads].append((pair[None], pair[words.drop_in]))
        print(f"round {number + 1} of {words.rounds}", file=sys.stderr)


def peak_mb(pairs, side):
    return max(pair[side]["peak_kib"] for pair in pairs) * 1024 / 1e6


def summary(case, pairs):
    gcc, teff = ([pair[side]["ns"] for pair in pairs] for side in (0, 1))
    ratios = [mine / stock for stock, mine in zip(gcc, teff)]
    quartiles = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else [ratios[0]] * 3
    return {
        "name": case[0], "threads": case[1], "gcc_ns": statistics.median(gcc), "teff_ns": statistics.median(teff),
        "ratio": statistics.median(ratios), "ratio_quartiles": [quartiles[0], quartiles[2]],
        "gcc_mb": peak_mb(pairs, 0), "teff_mb": peak_mb(pairs, 1),
        "by_member": pairs[-1][1]["by_member"],
    }  # fmt: skip


def show(rows):
    print(f"{'benchmark':13} {'threads':>7} {'gcc ns':>10} {'teff ns':>10} {'ratio':>6} {'middle half':>13} {'gcc MB':>7} "
          f"{'teff MB':>7}  by member (teff)")
    for row in rows:
        low, high = row["ratio_quartiles"]
        shares = ", ".join(str(each) for each in row["by_member"]) if row["name"] in WITH_MEMBERS else ""
        print(f"{row['name']:13} {row['threads']:7} {row['gcc_ns']:10.1f} {row['teff_ns']:10.1f} {row['ratio']:6.2f} "
              f"{f'{low:.2f}-{high:.2f}':>13} {row['gcc_mb']:7.1f} {row['teff_mb']:7.1f}  {shares}".rstrip())


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", dest="drop_in", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--only", default=",".join(NAMES))
    parser.add_argument("--pool", default="")
    parser.add_argument("--processors", default="")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--build", type=Path, default=HERE.parent / "build/bench-openmp")
    words = parser.parse_args(arguments)
    words.only = ",".join(name for each in words.only.split(",") for name in GROUPS.get(each, [each]))
    unknown = [each for each in words.only.split(",") if each not in NAMES]
    if unknown:
        parser.error(f"unknown benchmark '{unknown[0]}'; allowed: {', '.join(GROUPS)}, or {', '.join(NAMES)}")
    if not all(each.isdigit() and 1 <= int(each) <= 256 for each in words.threads.split(",")):
        parser.error(f"--threads cannot be '{words.threads}'; allowed: numbers 1 ... 256, separated by commas")
    if words.processors and subprocess.run(["taskset", "-c", words.processors, "true"], capture_output=True,
                                           check=False).returncode:
        parser.error(f"--processors cannot be '{words.processors}'; allowed: numbers of processors that this process may use, "
                     f"such as 0,1 or 0-1")
    if words.rounds < 1:
        parser.error(f"--rounds cannot be '{words.rounds}'; allowed: 1 and more")
    if not (words.drop_in / "libgomp.so.1").exists():
        parser.error(f"--library cannot be '{words.drop_in}': there is no libgomp.so.1 in it")
    if words.json and (words.json.is_dir() or not os.access(words.json if words.json.exists() else words.json.parent, os.W_OK)):
        parser.error(f"--json cannot be '{words.json}': there no file can be written")
    return words


def main():
    words = parse(sys.argv[1:])
    pairs = {(name, int(threads)): [] for name in words.only.split(",") for threads in words.threads.split(",")}
    code, ends = 0, ""
    try:
        measure(build(words.build), words, pairs)
    except Refused as refused:
        code, ends = 2, str(refused)
    except Wrong as wrong:
        code, ends = 1, str(wrong)
    except KeyboardInterrupt:
        code, ends = 130, "interrupted"
    rows = [summary(case, pairs[case]) for case in pairs if pairs[case]]
    if ends:
        print(f"openmp.py: {ends}" + ("; what was measured until then follows" if rows else ""), file=sys.stderr)
        if not rows:
            return code
    show(rows)
    if words.json:
        words.json.write_text(json.dumps(rows, indent=2) + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
