#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which lines of src/ the programs ran that were built by the preset `coverage`.

A line that is compiled into several programs, on both sides of the seam or for several pools, was run if one of them ran it. What no
program compiles (a template that nobody asks for) has no lines, nor have comments and braces by themselves. What the compiler works out
itself (constexpr) is not run. Prints a line for each folder, and writes build/coverage/uncovered.txt,
in which each line that was not run stands with its text.

usage: covered_lines.py BUILD [FOLDER]
BUILD is the folder of the build; lines are counted in FOLDER, src of this tree if it is left out.
Exit code 0, or 2 if no program was run, or a tool is missing.
"""

import json
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from os import cpu_count
from pathlib import Path

TREE = Path(__file__).resolve().parents[1]
PROFDATA, COV = "llvm-profdata-19", "llvm-cov-19"
MAPPED = b"__llvm_covfun"
BELOW_NOTHING = 1 << 62  # the tool has no signs
WITHOUT_CODE = re.compile(r"\s*(//.*|#.*|[{}();,\s]*)$")


def programs(build):
    """Returns: what was linked with a map of its lines."""
    found = []
    for path in sorted(build.rglob("*")):
        if "CMakeFiles" in path.parts or path.is_symlink() or not path.is_file() or not path.stat().st_mode & 0o111:
            continue
        content = path.read_bytes()
        if content.startswith(b"\x7fELF") and MAPPED in content:
            found.append(path)
    return found


def segments_of(program, profile, folder):
    """Returns: by file of the folder, where in its text another count begins, as the tool tells it."""
    told = subprocess.run([COV, "export", "--skip-functions", "--skip-expansions", f"--instr-profile={profile}", program, folder],
                          check=False, text=True, capture_output=True)
    if told.returncode != 0:
        print(f"covered_lines.py: {COV} of {program}: {told.stderr.strip()}", file=sys.stderr)
        sys.exit(2)
    # Of a program without a file there the tool tells all files.
    return {Path(file["filename"]): file["segments"] for file in json.loads(told.stdout)["data"][0]["files"]
            if Path(file["filename"]).is_relative_to(folder)}


def lines_of(segments, text):
    """Returns: by number of each line with code, whether some of its text was run.

    The tool's own sum for a line goes by what begins on it, and so takes none for one that goes on behind a block with a return.
    What is counted as a difference may have come out below 0, when threads or processes counted at once, and does not say so.
    """
    ran, braces = {}, {}
    for (line, column, count, counted, _, is_gap), following in pairwise([*segments, [len(text) + 1, 1, 0, False, False, False]]):
        if not counted or is_gap:
            continue
        was_run = 0 < count < BELOW_NOTHING
        for number in range(line, min(following[0], len(text)) + 1):
            begin = column - 1 if number == line else 0
            end = following[1] - 1 if number == following[0] else None
            part = text[number - 1].encode()[begin:end].decode(errors="replace")
            if not WITHOUT_CODE.match(part):
                ran[number] = ran.get(number, False) or was_run
            elif part.strip():
                braces[number] = was_run
    # Of a line such as `void f() {` the brace alone is counted.
    return {number: was_run for number, was_run in (braces | ran).items() if not WITHOUT_CODE.match(text[number - 1])}


def count(build, folder):
    """Returns: as lines_of, of all programs together."""
    profiles = sorted((build / "profiles").glob("*.profraw"))
    if not profiles:
        print(f"covered_lines.py: no program of {build} was run", file=sys.stderr)
        sys.exit(2)
    profile = build / "profiles" / "all.profdata"
    # A process that was killed while its file was made has left one that is not valid.
    subprocess.run([PROFDATA, "merge", "--sparse", "--failure-mode=all", "-o", profile, *profiles], check=True)
    together = defaultdict(dict)
    with ThreadPoolExecutor(cpu_count()) as threads:
        for told in threads.map(lambda program: segments_of(program, profile, folder), programs(build)):
            for file, segments in told.items():
                for number, was_run in lines_of(segments, text_of(file)).items():
                    together[file][number] = together[file].get(number, False) or was_run
    return together


@cache
def text_of(file):
    return file.read_text(encoding="utf-8").splitlines()


def put_uncovered(together, folder, path):
    with open(path, "w", encoding="utf-8") as out:
        for file in sorted(together):
            text = text_of(file)
            for number, was_run in sorted(together[file].items()):
                if not was_run:
                    out.write(f"{file.relative_to(folder.parent)}:{number}: {text[number - 1]}\n")


def put_sums(together, folder):
    sums = defaultdict(lambda: [0, 0])
    for file, lines in together.items():
        for of in (sums[str(file.parent.relative_to(folder.parent))], sums["all"]):
            of[0] += sum(lines.values())
            of[1] += len(lines)
    print(f"{'folder':30}{'lines':>8}{'run':>8}{'not run':>9}{'per cent':>10}")
    for name in sorted(sums, key=lambda name: (name == "all", name)):
        run, lines = sums[name]
        print(f"{name:30}{lines:8}{run:8}{lines - run:9}{100 * run / lines:10.2f}")


def main():
    build = Path(sys.argv[1]).resolve()
    folder = Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else TREE / "src"
    for tool in (PROFDATA, COV):
        if shutil.which(tool) is None:
            print(f"covered_lines.py: {tool} is missing (Debian: llvm-19)", file=sys.stderr)
            sys.exit(2)
    together = count(build, folder)
    uncovered = build / "uncovered.txt"
    put_uncovered(together, folder, uncovered)
    put_sums(together, folder)
    print(f"the lines that were not run: {uncovered}")


if __name__ == "__main__":
    main()
