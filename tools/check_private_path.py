#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows by disassembly that the private path of a pool has no lock, no atomic read-modify-write and no fence.

The private path is what a task passes that its own worker puts and takes: the memory of its argument, the insertion, the
loop's look and the execution. Its functions may hold no such instruction, and may call only each other and the slow paths
named below, which are left alone: they are reached at a block's edge, when the queue is empty, when memory runs out, or for
the one event in some that the time account measures.

usage: check_private_path.py BINARY   (an optimised build without sanitizers)
Exit code 0 if it holds, 1 if not, 2 if the functions are not there.
"""

import re
import subprocess
import sys

POOLS = {"dq8": "private_public", "sdq1": "threshold", "teff": "split_deques"}
# Functions of the loop, by the pool's type; the template's other arguments do not matter.
OF_THE_LOOP = ("put", "offer", "work", "look", "allocate_argument", "release_argument", "execute")
OF_THE_TEAM = ("execute",)
OF_THE_MEMORY = ("allocate", "release")  # of the standard manager, where the compiler did not put them in line
SLOW = ("put_slow", "end_put", "get_slow", "pop_slow", "search", "follow", "wake_one", "allocate_slow", "hand_over",
        "sampled_event::begin", "sampled_event::end",
        "keep_exception", "__cxa_", "_Unwind", "__stack_chk_fail", "__clang_call_terminate")
LOCKED = re.compile(r"\block\b|\bxchg\b.*\(|\b[lsm]fence\b")
NAMED_CALL = re.compile(r"\b(?:call|jmp)\s+[0-9a-f]+ <([^+>].*?)(?:\+0x[0-9a-f]+)?>$")


def functions(binary):
    """Name and instructions of each function of the runtime."""
    listing = subprocess.run(["objdump", "-dC", "--no-show-raw-insn", binary], check=True, capture_output=True, text=True)
    name, lines = None, []
    for line in listing.stdout.splitlines():
        start = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        if start:
            if name is not None:
                yield name, lines
            name, lines = start[1], []
        elif line.startswith(" "):
            lines.append(line)
    if name is not None:
        yield name, lines


def is_cold(name):
    return name.endswith("[clone .cold]")


def is_private(name, pool_type):
    if is_cold(name):
        return False
    loop = re.search(rf"native::workers::team_of<teff::native::pool::{pool_type}\b.*>::(\w+)\(", name)
    team = re.search(r"native::workers::team_base::(\w+)\(", name)
    memory = re.search(r"native::mem::memory::(\w+)\(", name)
    return bool(loop and loop[1] in OF_THE_LOOP or team and team[1] in OF_THE_TEAM or memory and memory[1] in OF_THE_MEMORY)


def complaints_about(name, lines, private):
    for line in lines:
        if LOCKED.search(line):
            yield f"{name}: {line.strip()}"
        call = NAMED_CALL.search(line)
        if call and call[1] != name and call[1] not in private and not is_cold(call[1]):
            if not any(slow in call[1] for slow in SLOW):
                yield f"{name}: calls {call[1]}, which is no named slow path"


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    every = dict(functions(sys.argv[1]))
    found = []
    for pool, pool_type in POOLS.items():
        private = {name for name in every if is_private(name, pool_type)}
        missing = [part for part in ("::put(", "::work(") if not any("team_of<" in name and part in name for name in private)]
        if missing:
            print(f"{sys.argv[1]} has no {' and no '.join(missing)}...) of the pool {pool}", file=sys.stderr)
            return 2
        for name in sorted(private):
            found += complaints_about(name, every[name], private)
        print(f"{pool}: {len(private)} functions, {sum(len(every[name]) for name in private)} instructions")
    for complaint in dict.fromkeys(found):
        print(complaint)
    print("no lock, atomic read-modify-write or fence on the private path" if not found else f"{len(set(found))} found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
