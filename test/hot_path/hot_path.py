#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions of a spawn, a join, a put and the way of a task through the loop, and the cache lines that they touch.

usage: hot_path.py PROGRAM FIGURES COMPILER [--accept]

PROGRAM (hot_path.cpp) runs under valgrind's lackey, which names each instruction and each access to memory, so that the
counts are exact and the same in every run. They are compared with those that FIGURES keeps for COMPILER: more than 3 % more
instructions, or one cache line more, fail. --accept writes what was counted into FIGURES: whoever does so says in the commit
why it is worth it.

Ends with 77, which ctest shows as skipped, if FIGURES keeps nothing for COMPILER: another compiler makes other code.
"""
import json
import pathlib
import shlex
import subprocess
import sys

GROWTH = 1.03
LINE_BYTES = 64
NOT_KEPT = 77
# The program does everything a hundred times; this one is counted, when all is warm.
COUNTED_ROUND = 80
# A part: what is executed from the return of the first function to the entry of the second one.
PARTS = {
    "join": {
        "spawn": [("hot_path_begins", "hot_path_first")],
        "join": [("hot_path_first", "hot_path_second"), ("hot_path_second", "hot_path_ends")],
    },
    "put": {
        "put": [("hot_path_begins", "hot_path_ends")],
        "loop": [("hot_path_ends", "hot_path_second")],
    },
}


class Wrong(Exception):
    """A sentence for whoever called."""


def marks_of(program):
    """The first and the last address of each function that PARTS names. The program is not position-independent."""
    listed = subprocess.run(["nm", "--print-size", program], capture_output=True, text=True, check=True).stdout
    wanted = {name for parts in PARTS.values() for windows in parts.values() for window in windows for name in window}
    found = {}
    for words in map(str.split, listed.splitlines()):
        if len(words) == 4 and words[3] in wanted:
            begin = int(words[0], 16)
            found[words[3]] = (begin, begin + int(words[1], 16))
    if missing := wanted - found.keys():
        raise Wrong(f"{program} has no function {', '.join(sorted(missing))}")
    return found


def trace(program, workload, first):
    """Yields ('I' | 'L' | 'S' | 'M', address, bytes) for each instruction and each access, in their order, behind that at `first`.

    Whoever has seen enough closes it, which ends the run: what the program does behind its rounds is four fifths of it all."""
    command = ["valgrind", "--tool=lackey", "--trace-mem=yes", "--log-fd=1", program, workload]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        try:
            begin = f"I  {first:08x},"
            for line in run.stdout:
                if line.startswith(begin):
                    break
            for line in run.stdout:
                if line[:2] in ("I ", " L", " S", " M"):
                    address, _, size = line[3:].partition(",")
                    yield line[:2].strip(), int(address, 16), int(size)
        except GeneratorExit:
            run.kill()
            raise
    if run.returncode != 0:
        raise Wrong(f"'{' '.join(command)}' ended with {run.returncode}")


def windows_of(steps, marks):
    """Yields (mark before, mark behind, instructions, lines) for what is executed between two functions of `marks`."""
    inside = before = None
    instructions, lines = 0, set()
    lowest, highest = min(begin for begin, _ in marks.values()), max(end for _, end in marks.values())
    for kind, address, size in steps:
        if kind == "I":
            now = None
            if lowest <= address < highest:
                now = next((name for name, (begin, end) in marks.items() if begin <= address < end), None)
            if now is not None and inside is None:
                yield before, now, instructions, lines
            if now is None:
                if inside is not None:
                    before, instructions, lines = inside, 0, set()
                instructions += 1
            inside = now
        elif inside is None:
            lines.update(range(address // LINE_BYTES, (address + size - 1) // LINE_BYTES + 1))


def count(program):
    """Returns: {part: {"instructions": n, "lines": n}}, for each part and for all parts of a workload together."""
    marks = marks_of(program)
    counted = {}
    for workload, parts in PARTS.items():
        # Whether it does its work right is seen without valgrind.
        subprocess.run([program, workload], check=True)
        first = marks["hot_path_begins"][0]
        wanted = {window for windows in parts.values() for window in windows}
        rounds, instructions_of, lines_of = {}, dict.fromkeys(parts, 0), {part: set() for part in parts}
        steps = trace(program, workload, first)
        for before, behind, instructions, lines in windows_of(steps, marks):
            window = (before, behind)
            if window not in wanted:
                continue
            rounds[window] = rounds.get(window, 0) + 1
            if rounds[window] != COUNTED_ROUND:
                continue
            for part, windows in parts.items():
                if window in windows:
                    instructions_of[part] += instructions
                    lines_of[part] |= lines
            if all(rounds.get(each, 0) >= COUNTED_ROUND for each in wanted):
                break
        steps.close()
        if unseen := [part for part in parts if instructions_of[part] == 0]:
            raise Wrong(f"the trace of {program} {workload} shows nothing of: {', '.join(unseen)}")
        for part in parts:
            counted[part] = {"instructions": instructions_of[part], "lines": len(lines_of[part])}
        all_lines = set().union(*lines_of.values())
        counted[" + ".join(parts)] = {"instructions": sum(instructions_of.values()), "lines": len(all_lines)}
    return counted


def grown(kept, now):
    """Returns: a sentence for each figure that has grown."""
    sentences = []
    for part, figures in now.items():
        if part not in kept:
            sentences.append(f"{part}: nothing is kept to compare it with")
            continue
        before = kept[part]
        if figures["instructions"] > GROWTH * before["instructions"]:
            sentences.append(f"{part}: {figures['instructions']} instructions; {before['instructions']} are kept")
        if figures["lines"] > before["lines"]:
            sentences.append(f"{part}: {figures['lines']} cache lines; {before['lines']} are kept")
    return sentences


def main(arguments):
    words = [each for each in arguments if each != "--accept"]
    if len(words) != 3 or len(arguments) - len(words) > 1:
        raise Wrong("hot_path.py takes PROGRAM FIGURES COMPILER, and --accept or nothing")
    program, figures, compiler = words[0], pathlib.Path(words[1]), words[2]
    now = count(program)
    for part, each in now.items():
        print(f"{part}: {each['instructions']} instructions, {each['lines']} cache lines")
    kept = json.loads(figures.read_text(encoding="utf-8")) if figures.exists() else {}
    if "--accept" in arguments:
        figures.write_text(json.dumps(kept | {compiler: now}, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        return 0
    if compiler not in kept:
        print(f"{figures.name} keeps nothing for {compiler}: nothing is compared")
        return NOT_KEPT
    if sentences := grown(kept[compiler], now):
        print("The hot path has grown:\n  " + "\n  ".join(sentences))
        print(f"If that is worth it: {shlex.join([sys.argv[0], *words])} --accept, and say why in the commit.")
        return 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (Wrong, OSError, subprocess.CalledProcessError) as problem:
        sys.exit(f"hot_path.py: {problem}")
