#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs tests of a GoogleTest program in one process, and answers for each of them as if it had had one of its own.

The test in which the process ends, or does not get on for TEFF_SECONDS_PER_TEST (600), has failed; those behind it get a new
process. A test of which nothing is said has failed, too. What failed tests wrote is printed. With TEFF_TESTS_COUNTED, a folder, a file
NAME is left there, with a line for each test: passed, failed or skipped, milliseconds, its name. Without such a file this script did
not come to its end.

usage: run_tests.py [--name NAME] [--prefix PREFIX] [--filter FILTER] [--shard I/N] PROGRAM
Every N-th of the tests of this filter, from the I-th one on. Before their names stands the prefix.
"""

import argparse
import os
import re
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LONGEST_FILTER = 100_000  # bytes; Linux takes an argument of 131,071
LOOKS_EVERY = 2  # seconds
NAME = rb"([\w/]+\.[\w/]+)"
MARK = re.compile(rb"\[ RUN      \] " + NAME + rb"|\[( {7}OK|  FAILED |  SKIPPED|  FAILED) \] " + NAME + rb"[^\n]*?\((\d+) ms\)")
VERDICTS = {b"OK": "passed", b"FAILED": "failed", b"SKIPPED": "skipped"}


def listed(program, wanted):
    """Returns: the names of the program's tests of this filter, without those that are disabled, in their order."""
    command = [program, "--gtest_list_tests", *([f"--gtest_filter={wanted}"] if wanted else [])]
    names, suite = [], ""
    for line in subprocess.run(command, text=True, stdout=subprocess.PIPE, check=True).stdout.splitlines():
        word = line.split("#")[0].rstrip()
        if not line.startswith(" "):
            suite = word if word.endswith(".") and " " not in word else ""
        elif suite and "DISABLED_" not in suite + word:
            names.append(suite + word.strip())
    return names


def fitting(names):
    """Returns: as many of the first names as one argument may hold."""
    length = 0
    for count, name in enumerate(names):
        length += len(name) + 1
        if length > LONGEST_FILTER:
            return names[:count]
    return names


class Output:
    """What a process wrote to a file, and what it says of tests."""

    def __init__(self, file):
        self.file = file
        self.text = b""
        self.scanned = 0
        self.begins = 0  # of what the running test wrote
        self.running = None
        self.results = {}  # by name: a verdict, milliseconds, text

    def read(self, to_the_end=False):
        """Returns: whether a test began or ended since."""
        self.text += os.pread(self.file.fileno(), os.fstat(self.file.fileno()).st_size - len(self.text), len(self.text))
        end = len(self.text) if to_the_end else self.text.rfind(b"\n") + 1
        marks = list(MARK.finditer(self.text, self.scanned, end))
        for mark in marks:
            self.note(mark)
        self.scanned = max(end, self.scanned)
        return bool(marks)

    def note(self, mark):
        begun, verdict, ended, milliseconds = mark.groups()
        if begun and self.running is None:
            self.running, self.begins = begun.decode(), mark.start()
        elif ended and ended.decode() == self.running:
            text = self.text[self.begins:mark.end()]
            self.results[self.running] = (VERDICTS[verdict.strip()], int(milliseconds), text)
            self.running, self.begins = None, mark.end()

    def rest(self):
        return self.text[self.begins:]


def run(program, names, seconds):
    """Runs these tests in one process. Returns: its output, and how it failed beyond what its tests say, or None."""
    with tempfile.TemporaryFile() as file:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GTEST_")}
        # Who expects a death starts the program anew: other tests' threads would be in a forked child's memory, and not in it.
        process = subprocess.Popen([program, "--gtest_filter=" + ":".join(names), "--gtest_death_test_style=threadsafe"],
                                   env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)
        output, failure = Output(file), None
        handle, moved = os.pidfd_open(process.pid), time.monotonic()
        # Not until the file is closed: a child that is left over may go on to write.
        while not select.select([handle], [], [], LOOKS_EVERY)[0]:
            if output.read():
                moved = time.monotonic()
            elif time.monotonic() - moved > seconds:
                failure = f"did not get on for {seconds} seconds"
                process.kill()
                break
        os.close(handle)
        code = process.wait()
        output.read(to_the_end=True)
        said = any(verdict == "failed" for verdict, _, _ in output.results.values())
        if not failure and (output.running or code != (1 if said else 0)):
            failure = f"ended with {code}" if code >= 0 else f"was ended by signal {-code}"
        return output, failure


def run_all(program, names, seconds, report):
    """Calls report(name, verdict, milliseconds, text) for each test, and once more for a process that fails between them."""
    while names:
        part = fitting(names)
        begun = time.monotonic()
        output, failure = run(program, part, seconds)
        for name in part:
            if name in output.results:
                report(name, *output.results[name])
        if output.running:
            milliseconds = round(1000 * (time.monotonic() - begun))
            report(output.running, "failed", milliseconds, output.rest() + f"\nThe process {failure}.\n".encode())
        left = [name for name in part if name not in output.results and name != output.running]
        if not output.running and (failure or left):
            report(f"{Path(program).name}.between_its_tests", "failed", 0,
                   output.rest() + f"\nThe process {failure or 'left tests out'}.\n".encode())
            if not output.results:
                for name in names:
                    report(name, "failed", 0, b"was not run\n")
                return
        names = left + names[len(part):]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--name", default="")
    parser.add_argument("--prefix", default="")
    parser.add_argument("--filter", default="")
    parser.add_argument("--shard", default="0/1")
    parser.add_argument("program")
    asked = parser.parse_args()
    first, step = map(int, asked.shard.split("/"))
    lines, counts = [], {"passed": 0, "failed": 0, "skipped": 0}

    def report(name, verdict, milliseconds, text):
        counts[verdict] += 1
        lines.append(f"{verdict} {milliseconds} {asked.prefix}{name}\n")
        if verdict == "failed":
            sys.stdout.write(text.decode(errors="replace") + f"FAILED: {asked.prefix}{name}\n\n")
            sys.stdout.flush()

    names = listed(asked.program, asked.filter)[first::step]
    run_all(asked.program, names, float(os.environ.get("TEFF_SECONDS_PER_TEST", "600")), report)
    if sum(counts.values()) == 0:
        sys.exit("no test has a name like that")
    counted = os.environ.get("TEFF_TESTS_COUNTED")
    if counted and asked.name:
        Path(counted, asked.name).write_text("".join(lines), encoding="utf-8")
    print(", ".join(f"{number} {verdict}" for verdict, number in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
