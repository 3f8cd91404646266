#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the program's own work, as the time account finds it natively, with the time of the serial program.

usage: own_work.py TEFF [--rounds N] [--sizes SIZE ...] [--pools NAME ...]

Runs the workload synthetic, whose tasks charge and touch little memory, N times for each case, in turn, and prints the median
(and the middle half) of own work / serial time, each of the same run. In the short sizes what a process's first run costs, as the
first use of code and of stacks, is 3 % of own work: --sizes k=16,f=60 k=14,f=300 has sixteen and thirty-two times as many tasks.
docs/investigations/2026-11-24-time-account.md has what came of it.
"""
import argparse
import json
import statistics
import subprocess
import sys


def run(teff, pool, workers, size):
    words = [teff, "run", "synthetic", "--size", size, "--pool", pool, "--workers", str(workers), "--json", "-"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr.strip() or f"'{' '.join(words)}' ended with {done.returncode}")
    return json.loads(done.stdout)["records"][0]


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("teff")
    words.add_argument("--rounds", type=int, default=41)
    words.add_argument("--sizes", nargs="+", default=["k=11,f=60", "k=9,f=300"])
    words.add_argument("--pools", nargs="+", default=["teff", "sq1", "dq5", "dq8"])
    words.add_argument("--workers", nargs="+", type=int, default=[1, 2])
    given = words.parse_args()
    cases = [(size, workers, pool) for size in given.sizes for workers in given.workers for pool in given.pools]
    records = {case: [] for case in cases}
    for _ in range(given.rounds):
        for size, workers, pool in cases:
            records[size, workers, pool].append(run(given.teff, pool, workers, size))
    print("| size | workers | pool | serial, ns/task | own work / serial | put_get, ns/task |\n|---|---|---|---|---|---|")
    for (size, workers, pool), seen in records.items():
        ratios = sorted(sum(each["account"]["own_work"]) * 1e-9 / each["serial_seconds"] for each in seen)
        tasks = seen[0]["tasks"]
        serial = statistics.median(each["serial_seconds"] for each in seen) * 1e9 / tasks
        put_get = statistics.median(sum(each["account"]["put_get"]) for each in seen) / tasks
        quarter = len(ratios) // 4
        print(f"| {size} | {workers} | {pool} | {serial:.0f} | {statistics.median(ratios):.3f} "
              f"({ratios[quarter]:.3f}–{ratios[-1 - quarter]:.3f}) | {put_get:.0f} |")


if __name__ == "__main__":
    main()
