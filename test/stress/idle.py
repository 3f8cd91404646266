#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An idle team uses no processor time and makes no system calls. usage: idle.py STRESS_IDLE

Each case runs plainly for 10 s (processor time and context switches), then, where strace is there and allowed, for 3 s under it.
"""

import itertools
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS, SECONDS_TRACED = 10, 3
CASES = list(itertools.product(("park", "spin-then-park"), ("after-run", "open-run")))


def may_trace():
    return shutil.which("strace") is not None and subprocess.run(
        ["strace", "-o", "/dev/null", "true"], capture_output=True, check=False).returncode == 0


def calls_between_marks(log):
    """The lines of other threads than the main one between the marks that the program sets."""
    lines = log.read_text(encoding="utf-8").splitlines()
    begins = next(i for i, line in enumerate(lines) if "/idle-begins" in line)
    ends = next(i for i, line in enumerate(lines) if "/idle-ends" in line)
    main_thread = lines[begins].split()[0]
    return [line for line in lines[begins:ends] if line.split()[0] != main_thread]


def passes_traced(program, case):
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        command = ["strace", "-f", "-qq", "-o", log, program, *case, str(SECONDS_TRACED)]
        # Only the calls count: under strace, what the threads do before they sleep is slow.
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        calls = calls_between_marks(log)
    print(f"wait={case[0]}, {case[1]}: {len(calls)} system calls in {SECONDS_TRACED} s under strace")
    for line in calls[:20]:
        print("   ", line)
    return not calls


def main(arguments):
    if len(arguments) != 1 or not Path(arguments[0]).is_file():
        print(f"idle.py: '{' '.join(arguments)}' is not one program; usage: idle.py STRESS_IDLE", file=sys.stderr)
        return 2
    program = arguments[0]
    good = all([subprocess.run([program, *case, str(SECONDS)], check=False).returncode == 0 for case in CASES])
    if may_trace():
        good = all([passes_traced(program, case) for case in CASES]) and good
    else:
        print("strace is missing or not allowed: system calls are judged by context switches alone")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
