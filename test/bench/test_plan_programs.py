#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of programs: what their files may say, what is computed from a comparison, and that programs run and come to a page."""

import argparse
import copy
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))

import plan  # noqa: E402
import plan_programs  # noqa: E402

TEFF = os.environ.get("TEFF", "build/release/cli/teff")

PLAN = {
    "title": "a title", "source": "a source", "note": "a note", "repeat": 2, "threads": [2], "pools": ["teff", "sq1"],
    "check": {"suite": {"words": ["-c"], "says": "right"}},
    "program": {"one": {"what": "its first", "command": ["{openmp}", "one"]},
                "two": {"what": "its second", "command": ["{bots}/bin/two"], "check": "suite"}},
    "view": [{"name": "a-view", "title": "its title", "programs": ["one", "two"]}, {"name": "own", "title": "own", "programs": []}],
}
SITES = {"regions": [{"at": "a.c:1", "account_ns": {"own_work": 600, "parked": 300, "put_get": 90, "waking": 10}},
                     {"at": "a.c:2", "account_ns": {"own_work": 0, "parked": 1000}}],
         "findings": [{"sentence": "is too fine"}, {"sentence": "is uneven"}]}


def record(runtime, *seconds, failure=None, same=True):
    return {"runtime": runtime, "threads": 2, "seconds": list(seconds), "failure": failure, "same_output": same,
            "statistics": {} if runtime == "libgomp" else {"tasks": "12 (3 at once)"},
            "sites": {"regions": [], "findings": []} if runtime == "libgomp" else SITES}


COMPARISON = {"records": [record("libgomp", 2.0, 4.0, 8.0), record("teff", 1.0, 1.0, 8.0), record("sq1", 2.0, 8.0, 12.0, same=False),
                          record("dq5", 1.0, failure="signal SEGV")]}


def changed(change):
    """Returns: what is wrong with the plan after the change; nothing if nothing is."""
    other = copy.deepcopy(PLAN)
    change(other)
    try:
        plan_programs.check(other)
    except plan_programs.ProgramsError as error:
        return str(error)
    return ""


class Files(unittest.TestCase):
    def test_what_is_wrong_is_said(self):
        self.assertEqual(changed(lambda of: None), "")
        for change, part in (
                (lambda of: of["program"]["one"].pop("what"), "program.one: key 'what' is missing"),
                (lambda of: of["program"]["one"].update(color=1), "program.one: unknown key 'color'"),
                (lambda of: of["program"]["one"].update(check="no"), "there is no check 'no'; allowed: suite"),
                (lambda of: of["check"]["suite"].pop("says"), "check.suite: key 'says' is missing"),
                (lambda of: of["view"][0].pop("title"), "view 'a-view': key 'title' is missing"),
                (lambda of: of["view"][0].update(programs=["three"]), "there is no program 'three'; allowed: one, two")):
            with self.subTest(part):
                self.assertIn(part, changed(change))

    def test_each_program_of_the_plan_is_in_one_view(self):
        content = plan.load_plans()["programs"]
        shown = [name for view in content["view"] for name in view["programs"]]
        self.assertEqual(sorted(shown), sorted(content["program"]))


class Computes(unittest.TestCase):
    def test_ratios_are_of_the_same_round(self):
        self.assertEqual(plan_programs.ratios(COMPARISON, "teff", 2), [0.5, 0.25, 1.0])
        self.assertEqual(plan_programs.ratios(COMPARISON, "dq5", 2), [])

    def test_cells(self):
        def cell(pool):
            return plan_programs.cell_of(COMPARISON, pool, 2, ["teff"])
        self.assertEqual(cell("teff"), "**0.50** (0.25–1.00)")
        self.assertEqual(cell("sq1"), "1.50 (1.00–2.00), another output")
        self.assertEqual((cell("dq5"), cell("q")), ("failed", "not run"))
        wishes = argparse.Namespace(pools=["teff", "sq4"])
        self.assertEqual(plan_programs.pools_for({"without": ["sq4", "q"]}, wishes), ["teff"])
        self.assertEqual(plan_programs.best_pools(COMPARISON, ["sq1", "dq5", "teff"], 2), ["teff"])
        self.assertEqual(plan_programs.best_pools(COMPARISON, ["dq5"], 2), [])
        near = {"records": [*COMPARISON["records"], record("ws", 1.0, 2.08, 8.0)]}
        self.assertEqual(plan_programs.best_pools(near, ["teff", "sq1", "ws"], 2), ["teff", "ws"])
        self.assertEqual(plan_programs.best_pools(near, ["teff", "ws"], 2), [])

    def test_what_is_said_of_a_run(self):
        self.assertEqual(plan_programs.said_of(record("teff", 1.0)), ("12", "65 % parked, 30 % own_work, 4 % put_get", "is too fine"))
        self.assertEqual(plan_programs.parts_in(record("libgomp", 1.0)), "-")

    def test_programs_of_the_user(self):
        own = plan_programs.with_own(PLAN, ["true 'a b'", "true"])
        self.assertEqual(own["program"]["true"]["command"], ["true", "a b"])
        self.assertEqual(own["view"][1]["programs"], ["true", "true'"])
        self.assertEqual(plan_programs.names_to_run(own, None, ["true"]), ["true"])
        self.assertEqual(plan_programs.names_to_run(own, "a-view", None), ["one", "two"])
        with self.assertRaisesRegex(plan_programs.ProgramsError, "no program that can be run"):
            plan_programs.with_own(PLAN, ["/no/such/program"])

    def test_a_program_that_does_not_say_that_it_is_right(self):
        with tempfile.TemporaryDirectory() as folder:
            fake = Path(folder) / "teff"
            fake.write_text('#!/bin/sh\ncase "$*" in *"--pool sq1"*) echo wrong ;; *) echo right ;; esac\n')
            fake.chmod(0o755)
            wishes = argparse.Namespace(threads=[1])
            plan_programs.verify(fake, ["two"], PLAN["check"]["suite"], ["teff"], wishes)
            with self.assertRaisesRegex(plan_programs.RunError, "sq1.*does not say 'right'"):
                plan_programs.verify(fake, ["two"], PLAN["check"]["suite"], ["teff", "sq1"], wishes)


PROGRAM = """
#include <stdio.h>
#include <string.h>
int main(int count, char** words) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; ++i) {
#pragma omp task shared(sum)
#pragma omp atomic
    sum += i;
  }
  if (strcmp(words[count - 2], "-o") == 0 && words[count - 1][0] == '1') printf("Verification        = successful\\n");
  return sum != 4950;
}
"""


class Runs(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_plan(self, *words):
        return subprocess.run([sys.executable, BENCH / "plan.py", *words, "--output", str(self.folder)], capture_output=True, text=True,
                              check=False, timeout=300, env={**os.environ, "TEFF": TEFF})

    def build_suite(self, text=PROGRAM):
        (self.folder / "bin").mkdir()
        (self.folder / "program.c").write_text(text)
        subprocess.run(["gcc", "-fopenmp", "-o", self.folder / "bin/fib.gcc.omp-tasks-tied", self.folder / "program.c"], check=True)

    def test_own_programs_those_of_the_suite_and_the_users(self):
        self.build_suite()
        words = ("programs", "--only", "graph,bots-fib,fib.gcc.omp-tasks-tied", "--repeat", "2", "--pools", "teff,sq1", "--threads", "1,2",
                 "--bots", str(self.folder), "--program", f"{self.folder}/bin/fib.gcc.omp-tasks-tied of mine")
        done = self.run_plan(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        page = (self.folder / "programs.md").read_text()
        for view in ("dependences", "bots", "own"):
            self.assertIn(f"## {view}: ", page)
        self.assertEqual(page.count("| graph | 200,000 tasks"), 2)
        self.assertRegex(page, r"\| graph \| (any|`\w+`) \| 200000 \| \d+ % \w+, \d+ % \w+, \d+ % \w+ \|")
        self.assertRegex(page, r"\| bots-fib \| 27, no cut-off \| \d+ ms \|( (\*\*)?\d+\.\d\d(\*\*)? \(\d+\.\d\d–\d+\.\d\d\) \|){2}")
        self.assertNotIn("another output", page)
        # What was compared is kept.
        stamp = {each: each.stat().st_mtime_ns for each in (self.folder / "records").iterdir()}
        self.assertEqual((self.run_plan(*words).returncode, len(stamp)), (0, 3))
        self.assertEqual({each: each.stat().st_mtime_ns for each in (self.folder / "records").iterdir()}, stamp)

    def test_a_wrong_result_ends_it(self):
        self.build_suite(PROGRAM.replace("successful", "not successful"))
        done = self.run_plan("programs", "--only", "bots-fib", "--pools", "teff", "--threads", "1", "--bots", str(self.folder))
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not say 'Verification", done.stderr)
        self.assertFalse((self.folder / "programs.md").exists())

    def test_refused(self):
        for words, part in ((["--bots", "/no/such/folder"], "--bots cannot be '/no/such/folder'"), (["--only", "fbi"], "--only cannot be 'fbi'"),
                            (["--threads", "0"], "--threads cannot be '0'"), (["--program", "/no/such"], "--program cannot be '/no/such'")):
            with self.subTest(part):
                done = self.run_plan("programs", *words)
                self.assertEqual(done.returncode, 2)
                self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()
