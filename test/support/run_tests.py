#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs tests of a GoogleTest program in one process, and answers for each of them as if it had had one of its own.

The test in which the process ends, or does not get on for SECONDS_PER_TEST (600), has failed; those behind it get a new process. A
test of which nothing is said has failed, too, and so has a process that leaves children behind. What failed tests wrote is printed.
With TESTS_COUNTED_IN, a folder, a file NAME grows there, a line for each test: passed, failed or skipped, milliseconds, its name.
The last line is `end`: without it this script did not come to its end. (Teff itself complains of unknown variables that begin with
its name, so these do not.)

usage: run_tests.py [--name NAME] [--prefix PREFIX] [--filter FILTER] [--alone FILTER] [--shard I/N] PROGRAM
Every N-th of the tests of this filter, from the I-th one on. Those of --alone, which change the process for others, get one each.
Before their names stands the prefix.
"""

import argparse
import os
import re
import signal
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
DISABLED = re.compile(r"(^|[./])DISABLED_")
OWN = ("TESTS_COUNTED_IN", "SECONDS_PER_TEST")
LEFT_OVER = 10  # seconds that a program's children may outlive it
SANITIZERS = 99  # the exit code of a program of which AddressSanitizer has told something: 1 is that of a failed test


def environment():
    """Returns: that of the program. What the caller wants of other programs by GoogleTest's variables is not meant here."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GTEST_") and key not in OWN}
    kept["ASAN_OPTIONS"] = ":".join(filter(None, [f"exitcode={SANITIZERS}", kept.get("ASAN_OPTIONS")]))
    return kept


def listed(program, wanted):
    """Returns: the names of the program's tests of this filter, without those that are disabled, in their order."""
    command = [program, "--gtest_list_tests", *([f"--gtest_filter={wanted}"] if wanted else [])]
    names, suite = [], ""
    told = subprocess.run(command, env=environment(), text=True, stdout=subprocess.PIPE, check=True).stdout
    for line in told.splitlines():
        word = line.split("#")[0].strip()
        if line.startswith("  ") and suite and word:
            if not DISABLED.search(suite + word):
                names.append(suite + word)
        elif word.endswith(".") and " " not in word:
            suite = word
        elif line and not line.startswith("Running main() from "):
            sys.exit(f"{program}: a line of its list is neither a suite nor a test: '{line}'")
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

    def __init__(self, file, names):
        self.file = file
        self.names = frozenset(name.encode() for name in names)  # marks of others are not GoogleTest's
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
        if begun in self.names and self.running is None:
            self.running, self.begins = begun.decode(), mark.start()
        elif ended and ended.decode() == self.running:
            text = self.text[self.begins:mark.end()]
            self.results[self.running] = (VERDICTS[verdict.strip()], int(milliseconds), text)
            self.running, self.begins = None, mark.end()

    def rest(self):
        return self.text[self.begins:]


def members_of(group):
    """Returns: the processes of the group that have not ended; nothing where there is no /proc."""
    found = []
    try:
        names = os.listdir("/proc")
    except OSError:
        return found
    for name in names:
        if not name.isdigit():
            continue
        try:
            state, _, its_group = Path("/proc", name, "stat").read_text(errors="replace").rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue  # it has just ended
        if int(its_group) == group and state not in "ZX":
            found.append(int(name))
    return found


def end_group(group):
    """Effect: its processes end. Returns: whether some went on after a while."""
    until = time.monotonic() + LEFT_OVER
    while members_of(group):
        if time.monotonic() > until:
            kill_group(group)
            return True
        time.sleep(0.05)
    return False


def kill_group(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def wait_for(process, output, seconds):
    """Returns: how it failed beyond its exit code, or None."""
    moved = time.monotonic()
    # Not until the file is closed: a child that is left over may go on to write.
    while True:
        try:
            process.wait(LOOKS_EVERY)
            return None
        except subprocess.TimeoutExpired:
            if output.read():
                moved = time.monotonic()
            elif time.monotonic() - moved > seconds:
                kill_group(process.pid)
                process.wait()
                return f"did not get on for {seconds:g} seconds"


def run(program, names, seconds):
    """Runs these tests in one process. Returns: its output, and how it failed beyond what its tests say, or None."""
    with tempfile.TemporaryFile() as file:
        # Who expects a death starts the program anew: other tests' threads would be in a forked child's memory, and not in it.
        process = subprocess.Popen([program, "--gtest_filter=" + ":".join(names), "--gtest_death_test_style=threadsafe"],
                                   env=environment(), stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        output = Output(file, names)
        try:
            failure = wait_for(process, output, seconds)
        except BaseException:  # Ctrl-C, or somebody ends this script
            kill_group(process.pid)
            raise
        output.read(to_the_end=True)
        said = any(verdict == "failed" for verdict, _, _ in output.results.values())
        code = process.returncode
        if not failure and (output.running or code != (1 if said else 0)):
            failure = f"ended with {code}" if code >= 0 else f"was ended by signal {-code}"
        if end_group(process.pid) and not failure:
            failure = "left a child behind that did not end"
        return output, failure


def run_all(program, names, seconds, report):
    """Calls report(name, verdict, milliseconds, text) for each test, and once more for a process that fails between them."""
    failures = 0
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
            failures += 1
            report(f"{Path(program).name}.between_its_tests" + (f"_{failures}" if failures > 1 else ""), "failed", 0,
                   output.rest() + f"\nThe process {failure or 'left tests out'}.\n".encode())
            if not output.results and left:  # it does not come to its first test, or not through its suite's begin
                suite = left[0].split(".")[0] + "."
                for name in left:
                    if name.startswith(suite):
                        report(name, "failed", 0, b"was not run\n")
                left = [name for name in left if not name.startswith(suite)]
        names = left + names[len(part):]


def put(text):
    """Effect: prints bytes as they are, whatever the terminal's encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text)
    sys.stdout.flush()


class Reports:
    """Counts, and tells, what became of tests."""

    def __init__(self, prefix, file):
        self.prefix = prefix
        self.file = file
        self.counts = {"passed": 0, "failed": 0, "skipped": 0}

    def note(self, line):
        if self.file:
            self.file.write(line + "\n")
            self.file.flush()

    def report(self, name, verdict, milliseconds, text):
        self.counts[verdict] += 1
        self.note(f"{verdict} {milliseconds} {self.prefix}{name}")
        if verdict == "failed":
            put(text + f"FAILED: {self.prefix}{name}\n\n".encode())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--name", default="")
    parser.add_argument("--prefix", default="")
    parser.add_argument("--filter", default="")
    parser.add_argument("--alone", default="")
    parser.add_argument("--shard", default="0/1")
    parser.add_argument("program")
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by a signal"))
    first, step = map(int, asked.shard.split("/"))
    folder = os.environ.get("TESTS_COUNTED_IN")
    file = open(Path(folder, asked.name), "w", encoding="utf-8") if folder and asked.name else None
    reports = Reports(asked.prefix, file)
    seconds = float(os.environ.get("SECONDS_PER_TEST", "600"))

    alone = set(listed(asked.program, asked.alone)) if asked.alone else set()
    names = listed(asked.program, asked.filter)[first::step]
    run_all(asked.program, [name for name in names if name not in alone], seconds, reports.report)
    for name in names:
        if name in alone:
            run_all(asked.program, [name], seconds, reports.report)
    if sum(reports.counts.values()) == 0:
        sys.exit("no test has a name like that")
    reports.note("end")
    print(", ".join(f"{number} {verdict}" for verdict, number in reports.counts.items()))
    return 1 if reports.counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
