#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that share a process: programs are made up that fail, end and hang where they should not."""

import importlib.util
import os
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

TREE = Path(__file__).resolve().parents[2]
RUN_TESTS = TREE / "test" / "support" / "run_tests.py"

# Speaks as GoogleTest does. What its tests do is said by a word each.
PROGRAM = """#!{python}
import fnmatch, os, sys, time
TESTS = {tests!r}
options = {{"gtest_filter": "*"}} | dict(word.lstrip("-").split("=", 1) for word in sys.argv[1:] if "=" in word)
def fits(name):
    return any(fnmatch.fnmatch(name, one) for one in options["gtest_filter"].split(":"))

if "--gtest_list_tests" in sys.argv:
    print("Running main() from somewhere/gtest_main.cc")
    suite = ""
    for name in TESTS:
        if TESTS[name] == "is listed behind words": print("some words")
        if name.split(".")[0] != suite:
            suite = name.split(".")[0]
            print(suite + ".  # TypeParam = int")
        if fits(name): print("  " + name.split(".")[1] + "  # GetParam() = 4 bytes")
    sys.exit(0)
open({asked!r}, "a").write(options["gtest_filter"] + "\\n")
failed = False
for name in options["gtest_filter"].split(":"):
    what = TESTS[name]
    if what == "is left out":
        continue
    if what == "ends before": os._exit(3)
    print(f"[ RUN      ] {{name}}", flush=True)
    if what == "exits": os._exit(0)
    if what == "marks another": print("[ RUN      ] other.test\\n[       OK ] other.test (1 ms)")
    if what == "wants no variables" and "SECONDS_PER_TEST" in os.environ: os.abort()
    if what == "crashes": os.abort()
    if what == "hangs": time.sleep(600)
    if what == "leaves a child":
        if os.fork() == 0:
            time.sleep(40)
    if what == "fails": print("it is 2 and should be 1")
    failed = failed or what == "fails"
    word = {{"fails": "[  FAILED  ]", "is skipped": "[  SKIPPED ]"}}.get(what, "[       OK ]")
    tail = ", where GetParam() = 4 (7 ms)" if what == "fails" else " (7 ms)"
    print("no end of line" * (what == "talks") + word + " " + name + tail, flush=True)
    if what == "crashes behind": os.abort()
print("[  FAILED  ] some test" if failed else "[  PASSED  ] all", flush=True)
if "leaks" in TESTS.values(): sys.exit(23)
sys.exit(1 if failed else 0)
"""


class RunTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_tests(self, tests, *options, seconds=600, **variables):
        """Returns: the verdicts by name, the exit code, and what was printed. Each process leaves its filter in self.asked."""
        program, asked = self.folder / "program", self.folder / "asked"
        program.write_text(PROGRAM.format(python=sys.executable, tests=tests, asked=str(asked)), encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        environment = {**os.environ, "TESTS_COUNTED_IN": str(self.folder), "SECONDS_PER_TEST": str(seconds), **variables}
        done = subprocess.run([sys.executable, RUN_TESTS, "--name", "counted", "--prefix", "p.", *options, program], text=True,
                              capture_output=True, env=environment, timeout=60, check=False)
        self.assertEqual(done.stderr, "")
        *lines, last = [line.split() for line in (self.folder / "counted").read_text(encoding="utf-8").splitlines()]
        self.assertEqual(last, ["end"])
        self.asked = asked.read_text(encoding="utf-8").splitlines()
        verdicts = {name: verdict for verdict, _, name in lines}
        self.assertEqual(len(verdicts), len(lines), "a test has two verdicts")
        return verdicts, done.returncode, done.stdout

    def test_all_that_pass_share_one_process(self):
        tests = {f"suite.test_{number}": "passes" for number in range(20)}
        verdicts, code, _ = self.run_tests(tests)
        self.assertEqual(verdicts, {f"p.{name}": "passed" for name in tests})
        self.assertEqual(code, 0)
        self.assertEqual(len(self.asked), 1)

    def test_a_failure_is_named_and_stops_nothing(self):
        verdicts, code, printed = self.run_tests({"a.b/1": "passes", "a.c/1": "fails", "d.e": "is skipped"})
        self.assertEqual(verdicts, {"p.a.b/1": "passed", "p.a.c/1": "failed", "p.d.e": "skipped"})
        self.assertEqual(code, 1)
        self.assertEqual(len(self.asked), 1)
        self.assertIn("it is 2 and should be 1", printed)
        self.assertIn("FAILED: p.a.c/1\n", printed)
        self.assertIn("1 passed, 1 failed, 1 skipped\n", printed)

    def test_those_behind_a_crash_get_a_new_process(self):
        for what, said in ("crashes", "was ended by signal 6"), ("exits", "ended with 0"):
            (self.folder / "asked").unlink(missing_ok=True)
            verdicts, code, printed = self.run_tests({"a.first": "passes", "a.bad": what, "a.second": "passes", "a.third": "fails"})
            self.assertEqual(verdicts, {"p.a.first": "passed", "p.a.bad": "failed", "p.a.second": "passed", "p.a.third": "failed"})
            self.assertEqual(code, 1)
            self.assertEqual(self.asked, ["a.first:a.bad:a.second:a.third", "a.second:a.third"])
            self.assertIn(f"The process {said}.", printed)

    def test_a_hang_ends_and_is_one_failure(self):
        verdicts, code, printed = self.run_tests({"a.first": "passes", "a.bad": "hangs", "a.second": "passes"}, seconds=1)
        self.assertEqual(verdicts, {"p.a.first": "passed", "p.a.bad": "failed", "p.a.second": "passed"})
        self.assertEqual(code, 1)
        self.assertIn("did not get on for 1", printed)

    def test_a_process_may_not_fail_beside_its_tests(self):
        beside = "p.program.between_its_tests"
        self.assertEqual(self.run_tests({"a.first": "leaks", "a.second": "passes"})[:2],
                         ({"p.a.first": "passed", "p.a.second": "passed", beside: "failed"}, 1))
        self.assertEqual(self.run_tests({"a.first": "crashes behind", "a.second": "passes"})[:2],
                         ({"p.a.first": "passed", "p.a.second": "passed", beside: "failed"}, 1))

    def test_what_was_not_run_has_failed(self):
        verdicts, code, _ = self.run_tests({"a.first": "is left out", "a.second": "is left out", "b.third": "passes"})
        self.assertEqual(verdicts, {"p.a.first": "failed", "p.a.second": "failed", "p.b.third": "passed",
                                    "p.program.between_its_tests": "failed", "p.program.between_its_tests_2": "failed"})
        self.assertEqual(code, 1)

    def test_those_behind_a_suite_that_does_not_begin_get_a_new_process(self):
        verdicts, _, _ = self.run_tests({"a.first": "passes", "b.second": "ends before", "b.third": "passes", "c.fourth": "passes"})
        self.assertEqual(verdicts, {"p.a.first": "passed", "p.b.second": "failed", "p.b.third": "failed", "p.c.fourth": "passed",
                                    "p.program.between_its_tests": "failed", "p.program.between_its_tests_2": "failed"})

    def test_marks_of_others_are_none(self):
        self.assertEqual(self.run_tests({"a.first": "marks another", "a.second": "passes"})[0],
                         {"p.a.first": "passed", "p.a.second": "passed"})

    def test_some_get_a_process_each(self):
        tests = {"a.first": "passes", "b.second": "passes", "b.third": "passes", "a.fourth": "passes"}
        verdicts, code, _ = self.run_tests(tests, "--alone", "b.*")
        self.assertEqual((set(verdicts.values()), code), ({"passed"}, 0))
        self.assertEqual(self.asked, ["a.first:a.fourth", "b.second", "b.third"])

    def test_variables_of_other_programs_choose_no_tests_and_its_own_reach_none(self):
        tests = {"a.first": "passes", "a.second": "wants no variables"}
        self.assertEqual(self.run_tests(tests, GTEST_FILTER="a.first")[:2], ({"p.a.first": "passed", "p.a.second": "passed"}, 0))

    def test_a_list_that_it_does_not_understand_is_an_error(self):
        with self.assertRaises(AssertionError) as error:
            self.run_tests({"a.first": "is listed behind words"})
        self.assertIn("neither a suite nor a test: 'some words'", str(error.exception))

    def test_a_report_of_a_sanitizer_beside_a_failure_is_told(self):
        self.assertEqual(self.run_tests({"a.first": "fails", "a.second": "leaks"})[0],
                         {"p.a.first": "failed", "p.a.second": "passed", "p.program.between_its_tests": "failed"})

    def test_a_verdict_is_found_behind_other_words(self):
        self.assertEqual(self.run_tests({"a.first": "talks"})[:2], ({"p.a.first": "passed"}, 0))

    def test_a_child_that_is_left_is_a_failure_and_ends(self):
        begun = time.monotonic()
        verdicts, code, printed = self.run_tests({"a.first": "leaves a child", "a.second": "passes"})
        self.assertEqual(verdicts, {"p.a.first": "passed", "p.a.second": "passed", "p.program.between_its_tests": "failed"})
        self.assertEqual(code, 1)
        self.assertIn("left a child behind", printed)
        self.assertLess(time.monotonic() - begun, 30)

    def test_processes_that_end_while_it_looks_for_members_are_none(self):
        spec = importlib.util.spec_from_file_location("run_tests", RUN_TESTS)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        with mock.patch("os.stat", side_effect=ProcessLookupError):
            self.assertIn(os.getpid(), module.members_of(os.getpgrp()))

    def test_shards_share_the_tests_and_the_disabled_are_in_none(self):
        tests = {f"s{number // 3}.t{number}": "passes" for number in range(10)} | {"s9.DISABLED_t": "fails", "DISABLED_s.t": "fails"}
        shares = [set(self.run_tests(tests, "--shard", f"{shard}/3")[0]) for shard in range(3)]
        self.assertEqual(sorted(name for share in shares for name in share), sorted(f"p.s{n // 3}.t{n}" for n in range(10)))

    def test_long_lists_are_cut(self):
        tests = {f"a.{'long' * 40}_{number}": "passes" for number in range(1000)}
        self.assertEqual(len(self.run_tests(tests)[0]), 1000)
        self.assertEqual(len(self.asked), 2)


if __name__ == "__main__":
    unittest.main()
