#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A task that stays with the member that put it costs no lock and no atomic read-modify-write: counted, instruction by
instruction, in a run of fib by valgrind.

usage: test_private_path.py --programs FOLDER --library FOLDER
Exit code 77 without valgrind, or without membarrier: every task is visible to others then.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import programs

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_private_path  # noqa: E402

N, ANSWER, TASKS = 20, 6765, 21890  # the tasks that fib(N) puts
SKIPPED = 77
# What a task passes, but for the waits: who looks for tasks of others does lock.
PATH = ("GOMP_task", "make_child", "put_child", "put_slowly", "end_push", "publish", "pop_slow", "child_elsewhere", "close",
        "dispose", "blocks::", "run_at_once", "execute")
PROGRAM = f"""
#include "fib.h"
#include "membarrier.h"
int main(void) {{
  int answer = 0;
  if (!has_membarrier()) return {SKIPPED};
#pragma omp parallel
#pragma omp single
  answer = fib({N});
  return answer != {ANSWER};
}}
"""


def build(folder, drop_in):
    """A program, and the drop-in without what valgrind cannot read of some compilers."""
    (folder / "program.c").write_text(PROGRAM)
    here = Path(__file__).resolve().parent
    subprocess.run(["gcc", "-O2", "-fopenmp", f"-I{here}", "-o", folder / "program", folder / "program.c"], check=True)
    subprocess.run(["objcopy", "--strip-debug", drop_in / "libgomp.so.1", folder / "libgomp.so.1"], check=True)
    return folder / "program", folder / "libgomp.so.1"


def locked_instructions(library):
    """{address: name of its function, instruction}"""
    found = {}
    for name, lines in check_private_path.functions(library):
        for line in lines:
            address, _, instruction = line.partition("<")[0].partition(":")
            if check_private_path.LOCKED.search(instruction):
                found[int(address, 16)] = f"{name}: {' '.join(instruction.split())}"
    return found


def executed(program, library, threads):
    """How often each instruction of the library ran, by address."""
    costs = program.with_name("costs")
    environment = programs.clean_environment() | {"LD_LIBRARY_PATH": str(library.parent), "OMP_NUM_THREADS": str(threads)}
    subprocess.run(["valgrind", "--tool=callgrind", "--dump-instr=yes", "--dump-line=no", "--compress-pos=no",
                    "--compress-strings=no", f"--callgrind-out-file={costs}", program],
                   env=environment, check=True, capture_output=True, timeout=300)
    counts, ours, of_a_call = Counter(), False, False
    for line in costs.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("ob="):
            ours = Path(line[3:]).name == library.name
        elif line.startswith("calls="):
            of_a_call = True  # the next line has what the callee cost
        elif match := re.fullmatch(r"(0x[0-9a-f]+) (\d+)", line):
            if ours and not of_a_call:
                counts[int(match[1], 16)] += int(match[2])
            of_a_call = False
    return counts


def problems(program, library, threads):
    locked, counts = locked_instructions(library), executed(program, library, threads)
    if sum(counts.values()) < 20 * TASKS:
        yield f"{threads} threads: only {sum(counts.values())} instructions of the library were counted"
    ran = {place: counts[place] for place, where in locked.items()
           if counts[place] and (threads == 1 or any(part in where for part in PATH))}
    if 100 * sum(ran.values()) > TASKS:
        most = sorted(ran, key=ran.get, reverse=True)[:5]
        where = "".join(f"\n  {ran[place]} times {locked[place]}" for place in most)
        yield f"{threads} threads: {sum(ran.values())} locked instructions for {TASKS} tasks; allowed: 1 in 100{where}"


def main():
    words = programs.parser_of(__doc__, library_required=True).parse_args()
    if not shutil.which("valgrind") or not shutil.which("objcopy"):
        print("there is no valgrind here: skipped")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        program, library = build(Path(name).resolve(), words.drop_in.resolve())
        if subprocess.run([program], check=False).returncode == SKIPPED:
            print("there is no membarrier here: skipped")
            return SKIPPED
        found = [problem for threads in (1, 2) for problem in problems(program, library, threads)]
    print("\n".join([*found, f"{len(found)} problems"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
