#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of programs: what their files may say, what is computed from a comparison, and that programs run and come to a page."""

import argparse
import copy
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))

import plan  # noqa: E402
import plan_programs  # noqa: E402
import plan_programs_page as programs_page  # noqa: E402

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
                (lambda of: of["program"]["one"].update(command=["{opnmp}"]), "there is no place '{opnmp}'; allowed: {openmp}, {bots}"),
                (lambda of: of.update(repeat=0), "repeat cannot be '0'; allowed: 1 ... 1000"),
                (lambda of: of.update(threads=[1, 300]), "threads cannot be '300'; allowed: 1 ... 256"),
                (lambda of: of["view"][0].pop("title"), "view 'a-view': key 'title' is missing"),
                (lambda of: of["view"][0].update(programs=["three"]), "there is no program 'three'; allowed: one, two")):
            with self.subTest(part):
                self.assertIn(part, changed(change))

    def test_each_program_of_the_plan_is_in_one_view(self):
        content = plan.load_plans()["programs"]
        plan_programs.check_pools(content, argparse.Namespace(pools=content["pools"]), plan_programs.pools_known_by(TEFF))
        shown = [name for view in content["view"] for name in view["programs"]]
        self.assertEqual(sorted(shown), sorted(content["program"]))


class Computes(unittest.TestCase):
    def test_ratios_are_of_the_same_round(self):
        self.assertEqual(programs_page.ratios(COMPARISON, "teff", 2), [0.5, 0.25, 1.0])
        self.assertEqual(programs_page.ratios(COMPARISON, "dq5", 2), [])

    def test_the_middle_half_of_two_lies_between_them(self):
        self.assertEqual(programs_page.middle_half([1.0, 5.0]), (2.0, 4.0))

    def test_cells(self):
        def cell(pool):
            return programs_page.cell_of(COMPARISON, pool, 2, ["teff"])
        self.assertEqual(cell("teff"), "**0.50** (0.38–0.75)")
        self.assertEqual(cell("sq1"), "1.50 (1.25–1.75), another output")
        self.assertEqual((cell("dq5"), cell("q")), ("failed", "not run"))
        wishes = argparse.Namespace(pools=["teff", "sq4"])
        self.assertEqual(plan_programs.pools_for({"without": ["sq4", "q"]}, wishes), ["teff"])

    def test_what_ties_with_the_best_pool(self):
        of = {"records": [record("libgomp", *[1.0] * 5), record("teff", 0.50, 0.50, 0.51, 0.52, 0.52), record("near", *[0.58] * 5),
                          record("wide", 0.51, 0.51, 0.70, 0.9, 0.9), record("far", *[0.60] * 5), record("dq5", 1.0, failure="signal SEGV")]}
        self.assertEqual(programs_page.best_pools(of, ["far", "wide", "near", "dq5", "teff"], 2), ["wide", "near", "teff"])
        self.assertEqual(programs_page.best_pools(of, ["wide", "near", "teff"], 2), [])
        self.assertEqual(programs_page.best_pools(of, ["near", "far"], 2), [])
        self.assertEqual(programs_page.best_pools(of, ["teff"], 2), [])
        self.assertEqual(programs_page.best_text(of, ["far", "teff"], 2), "`teff`")
        self.assertEqual(programs_page.best_text(of, ["near", "teff"], 2), "any")
        self.assertEqual(programs_page.best_text(of, ["dq5"], 2), "-")
        for each in of["records"]:
            each["statistics"] = {"tasks": "0"}
        self.assertEqual(programs_page.best_pools(of, ["far", "teff"], 2), [])
        self.assertEqual(programs_page.best_text(of, ["far", "teff"], 2), "no task")

    def test_an_output_that_varies_is_said(self):
        def times(same):
            of = {"records": [record("libgomp", 2.0, same=same), record("teff", 1.0, same=same)]}
            return programs_page.times_table(PLAN, ["one"], {"one": of}, ["teff"], 2)
        self.assertIn("| 2.00 s, output varies | 0.50 (0.50–0.50) |", times(None))
        self.assertIn("| 2.00 s | 0.50 (0.50–0.50) |", times(True))

    def test_a_pool_that_was_not_run_has_no_account(self):
        wishes = argparse.Namespace(pools=["q", "teff"], threads=[2], repeat=3)
        page = programs_page.page({**PLAN, "view": PLAN["view"][:1]}, None, {"one": COMPARISON}, {"two": "a reason", "x": "another"}, wishes)
        self.assertIn("| one | - | not run | - | - |", page)
        self.assertIn("Not run: two: a reason.\n", page)
        self.assertIn("Not run: x: another.\n", page)

    def test_what_is_said_of_a_run(self):
        self.assertEqual(programs_page.said_of(record("teff", 1.0)), ("12", "65 % parked, 30 % own_work, 4 % put_get", "is too fine"))
        self.assertEqual(programs_page.parts_in(record("libgomp", 1.0)), "-")

    def test_programs_of_the_user(self):
        own = plan_programs.with_own(PLAN, ["true 'a b'", "true"])
        self.assertEqual(own["program"]["true"]["command"], ["true", "a b"])
        self.assertEqual(own["view"][1]["programs"], ["true", "true'"])
        self.assertEqual(plan_programs.names_to_run(own, None, ["true"]), ["true"])
        self.assertEqual(plan_programs.names_to_run(own, "a-view", None), ["one", "two"])
        with self.assertRaisesRegex(plan_programs.ProgramsError, "no program that can be run"):
            plan_programs.with_own(PLAN, ["/no/such/program"])
        with self.assertRaisesRegex(plan_programs.ProgramsError, "--program cannot be 'it's': No closing quotation; allowed: "):
            plan_programs.with_own(PLAN, ["it's"])
        words = plan_programs.with_own(PLAN, ["awk '{print}' {bots} {json}"])["program"]["awk"]
        self.assertFalse(plan_programs.is_absent(words, None))
        self.assertEqual(plan_programs.command_of(words, {}), ["awk", "{print}", "{bots}", "{json}"])

    def test_a_program_that_does_not_say_that_it_is_right(self):
        with tempfile.TemporaryDirectory() as folder:
            fake = Path(folder) / "teff"
            fake.write_text('#!/bin/sh\ncase "$*" in *"--pool sq1"*) echo wrong ;; *) echo right ;; esac\n')
            fake.chmod(0o755)
            wishes = argparse.Namespace(threads=[1], limit=60)
            plan_programs.verify(fake, ["two"], PLAN["check"]["suite"], ["teff"], wishes)
            with self.assertRaisesRegex(plan_programs.RunError, "sq1.*does not say 'right'"):
                plan_programs.verify(fake, ["two"], PLAN["check"]["suite"], ["teff", "sq1"], wishes)

    def test_what_is_kept_is_of_the_library_and_the_check(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "cli").mkdir()
            (folder / "lib/gomp").mkdir(parents=True)
            fake, library = folder / "cli/teff", folder / "lib/gomp/libgomp.so.1"
            fake.write_text("#!/bin/sh\necho 'teff 1 (abc)'\n")
            fake.chmod(0o755)
            runner = plan_programs.Runner(fake, folder / "records")
            with self.assertRaisesRegex(plan_programs.RunError, "there is no libgomp.so.1 beside"):
                runner.path_of(["a"], "true", None)
            library.write_text("one")
            path = runner.path_of(["a"], "true", {"words": [], "says": "right"})
            self.assertEqual(path, runner.path_of(["a"], "true", {"says": "right", "words": []}))
            self.assertNotEqual(path, runner.path_of(["a"], "true", {"words": [], "says": "all right"}))
            self.assertNotEqual(path, runner.path_of(["a"], "true", None))
            library.write_text("another")
            self.assertNotEqual(path, runner.path_of(["a"], "true", {"words": [], "says": "right"}))

    def test_what_does_not_end_ends_with_all_that_it_started(self):
        with tempfile.TemporaryDirectory() as name:
            note = Path(name) / "number"
            with self.assertRaisesRegex(plan_programs.NotCompared, "did not end within 1 s; another limit for it: --limit, allowed: 1 "):
                plan_programs.run_within(["sh", "-c", f"sleep 100 & echo $! > {note}; wait"], 1, stdout=subprocess.PIPE)
            for _ in range(100):
                state = Path(f"/proc/{note.read_text().strip()}/stat")
                if not state.exists() or " Z " in state.read_text():
                    return
                time.sleep(0.05)
            self.fail("what it had started still runs")


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

    def test_a_pool_that_is_misspelt_in_a_plan(self):
        wishes = argparse.Namespace(pools=["teff"])
        other = copy.deepcopy(PLAN)
        other["program"]["one"]["without"] = ["sq44"]
        with self.assertRaisesRegex(plan_programs.ProgramsError, "program.one: without cannot be 'sq44'; allowed: teff, sq4"):
            plan_programs.check_pools(other, wishes, ["teff", "sq4"])

    def test_a_program_that_fails_or_has_no_pool_does_not_take_the_page_with_it(self):
        self.build_suite()
        (self.folder / "bin/knapsack.gcc.omp-tasks-tied").symlink_to("/bin/true")
        done = self.run_plan("programs", "--only", "dynamic,bots-knapsack,sleep,true", "--pools", "sq4", "--threads", "1", "--repeat", "1",
                             "--bots", str(self.folder), "--program", "sleep 100", "--program", "true", "--limit", "2")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("did not end within 2 s; another limit for it: --limit, allowed: 1 ... 86400 s", done.stderr)
        page = (self.folder / "programs.md").read_text()
        self.assertIn("| dynamic | no task", page)
        self.assertIn("Not run: bots-knapsack: it does not end in reasonable time on sq4.\n", page)
        self.assertRegex(page, "Not run: sleep: .*did not end within 2 s")
        self.assertRegex(page, "Not run: true: .*OpenMP")

    def test_refused(self):
        for words, part in ((["--bots", "/no/such/folder"], "--bots cannot be '/no/such/folder'"), (["--only", "fbi"], "--only cannot be 'fbi'"),
                            (["--threads", "0"], "--threads cannot be '0'; allowed: "), (["--threads", "1,²"], "--threads cannot be '1,²'"),
                            (["--repeat", "0"], "--repeat cannot be '0'; allowed: 1 ... 1000"),
                            (["--limit", "0"], "--limit cannot be '0'; allowed: 1 ... 86400"),
                            (["--pools", "teff,dq88"], "--pools cannot be 'dq88'; allowed: sq1, "), (["--pools", ""], "--pools cannot be ''"),
                            (["--program", "it's"], "--program cannot be 'it's'"), (["--program", "/no/such"], "--program cannot be '/no/such'")):
            with self.subTest(part):
                done = self.run_plan("programs", *words)
                self.assertEqual(done.returncode, 2)
                self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()
