#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions of a spawn, a join, a put and a run of a task on the default pool, and the cache lines that they touch.

usage: hot_path.py PROGRAM FIGURES COMPILER [--accept]

PROGRAM (hot_path.cpp) runs under valgrind's lackey, which names each instruction and each access, so the counts are exact and the same on
each run. They are compared with those that FIGURES keeps for COMPILER: more than 3 % more instructions, or one more line, fail. --accept
writes what was counted into FIGURES; who does so says in the commit why it is worth it.

Ends with 77 if FIGURES has nothing for COMPILER: other compilers make other code.
"""
import json
import pathlib
import subprocess
import sys

GROWTH = 1.03
LINE_BYTES = 64
NOT_KEPT = 77
MARKS = ("hot_path_begins", "hot_path_first", "hot_path_second", "hot_path_ends")
# A part of the program, as (from the return of a mark, to the next entry into another).
PARTS = {
    "join": {
        "spawn": [("hot_path_begins", "hot_path_first")],
        "join": [("hot_path_first", "hot_path_second"), ("hot_path_second", "hot_path_ends")],
    },
    "put": {
        "put": [("hot_path_begins", "hot_path_ends")],
        "run": [("hot_path_ends", "hot_path_second")],
    },
}
# Of the program's hundred rounds, the one that is shown, when all is warm.
ROUND = 80


class Wrong(Exception):
    """A sentence for whoever called."""


def marks_of(program):
    """The address of each mark, and what the program's addresses are shifted by at most when it is loaded."""
    listed = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in listed.splitlines():
        words = line.split()
        if len(words) == 3 and words[2] in MARKS:
            found[int(words[0], 16) & 0xFFF] = words[2]
    if sorted(found.values()) != sorted(MARKS):
        raise Wrong(f"{program} has not the functions {', '.join(MARKS)} at four different places in a page")
    return {name: place for place, name in found.items()}


def load_shift(program, marks):
    """Where the kernel of valgrind loads position-independent programs: the shift of all addresses."""
    header = subprocess.run(["readelf", "-h", program], capture_output=True, text=True, check=True).stdout
    return None if "EXEC" not in header else 0


def trace(program, workload):
    command = ["valgrind", "--tool=lackey", "--trace-mem=yes", "--log-fd=1", program, workload]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        yield from run.stdout
    if run.returncode != 0:
        raise Wrong(f"'{' '.join(command)}' ended with {run.returncode}")
