#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Suites of plans: what their files may say, what they compute, and that one runs and writes its page."""

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
import plan_suite  # noqa: E402

TEFF = os.environ.get("TEFF", "build/release/cli/teff")

PLAN = {
    "title": "a title", "source": "a source", "repeat": 2,
    "run": {"one": {"workload": "sort", "machine": "nehalem-ex-4x8", "size": {"standard": "tiny", "paper": "small"},
                    "pools": ["ws", "mts"], "workers": [2, 4], "settings": ["wait=spin"]}},
    "view": [{"name": "a-view", "title": "its title", "shows": ["speedup", "tasks_stolen"], "runs": ["one"],
              "statement": [{"section": "4", "text": "twice", "ratio": ["one ws speedup", "one mts 2 speedup"], "least": 2},
                            {"section": "5", "text": "no", "not_modelled": "because"}]}],
}


def record(pool, workers, seconds, **counters):
    return {"pool": pool, "workers_asked": workers, "seconds": seconds, "serial_seconds": 12.0,
            "counters": {"steals_got": 4, "victim_locks": 7, "tasks_stolen": 10, "lines_from_others": 3, "lines_from_memory": 5,
                         "lines_from_far_memory": 2, **counters}}


MEASURED = {"one": {"records": [record("ws", 2, [6.0]), record("ws", 4, [3.0, 2.0, 9.0]), record("mts", 2, [6.0]),
                                record("mts", 4, [4.0], steals_got=0, tasks_stolen=0)]}}


def changed(change):
    """Returns: what is wrong with the plan after the change; nothing if nothing is."""
    other = copy.deepcopy(PLAN)
    change(other)
    try:
        plan_suite.check(other)
    except plan_suite.SuiteError as error:
        return str(error)
    return ""


class Files(unittest.TestCase):
    def test_what_is_wrong_is_said(self):
        def statement(**keys):
            return lambda of: of["view"][0]["statement"].append({"section": "1", "text": "t", **keys})
        self.assertEqual(changed(lambda of: None), "")
        for change, part in (
                (lambda of: of["run"]["one"].pop("pools"), "run.one: key 'pools' is missing"),
                (lambda of: of["run"]["one"].pop("machine"), "run.one: either a machine has to be there, or side"),
                (lambda of: of["run"]["one"].update(side="native"), "run.one: either a machine has to be there, or side"),
                (lambda of: of["run"]["one"].pop("machine") and of["run"]["one"].update(side="simulated"), "or side = \"native\""),
                (lambda of: of["run"]["one"].pop("machine") and of["run"]["one"].update(side="native", costs=["park=0"]),
                 "run.one: costs are a machine's"),
                (lambda of: of["run"]["one"].update(color=1), "run.one: unknown key 'color'"),
                (lambda of: of["run"]["one"]["size"].pop("paper"), "size has to have standard and paper"),
                (lambda of: of["view"][0].update(runs=["two"]), "there is no run 'two'; allowed: one"),
                (statement(value="one ws speedup"), "least or most"),
                (statement(least=1), "one of value, ratio and not_modelled"),
                (statement(value="one ws speedup", not_modelled="why", least=1), "one of value, ratio and not_modelled"),
                (statement(value="two ws speedup", least=1), "'two ws speedup' is no term"),
                (statement(value="one ws", least=1), "is no term"),
                (statement(value="one q speedup", least=1), "no such pool or number of workers"),
                (statement(value="one ws 3 speedup", least=1), "no such pool or number of workers"),
                (statement(value="one ws four speedup", least=1), "no such pool or number of workers")):
            self.assertIn(part, changed(change))

    def test_those_that_there_are_are_right(self):
        suites = {name: each for name, each in plan.load_plans().items() if plan_suite.is_suite(each)}
        self.assertEqual(list(suites), ["shepherds"])
        for content in suites.values():
            shown = {name for view in content["view"] for name in view["runs"]}
            self.assertEqual(shown, set(content["run"]), "every run is shown somewhere")


class Computes(unittest.TestCase):
    def value(self, **statement):
        return plan_suite.value_of(PLAN, MEASURED, statement)

    def test_quantities(self):
        self.assertEqual(self.value(value="one ws 2 speedup"), 2.0)
        self.assertEqual(self.value(value="one ws speedup"), 4.0)  # the most workers, the median
        self.assertEqual(self.value(value="one ws serial_seconds"), 12.0)
        self.assertAlmostEqual(self.value(value="one ws deviation"), 43 ** 0.5 / 3 ** 0.5)  # of 3, 2 and 9
        self.assertEqual(self.value(value="one ws 2 deviation"), 0)
        self.assertEqual(self.value(value="one ws tasks_per_steal"), 2.5)
        self.assertEqual(self.value(value="one mts 4 tasks_per_steal"), 0)
        self.assertEqual(self.value(value="one ws failed_steals"), 3)
        self.assertEqual(self.value(value="one ws lines_beyond_domain"), 8)
        self.assertEqual(self.value(value="one ws lines_over_links"), 5)
        self.assertEqual(self.value(ratio=["one ws tasks_stolen", "one mts 4 tasks_stolen"]), float("inf"))
        with self.assertRaisesRegex(plan_suite.SuiteError, "there is no quantity 'colour'; allowed: speedup"):
            self.value(value="one ws colour")

    def test_verdicts(self):
        def verdict(**statement):
            return plan_suite.verdict(PLAN, MEASURED, statement)
        self.assertEqual(verdict(value="one ws speedup", least=4.0, most=4.0), ("confirmed", "4 (at least 4 and at most 4)"))
        self.assertEqual(verdict(value="one ws speedup", least=4.1), ("refuted", "4 (at least 4.1)"))
        self.assertEqual(verdict(value="one ws speedup", most=3.9)[0], "refuted")
        self.assertEqual(verdict(not_modelled="why"), ("not modelled", "why"))
        nothing = {"ratio": ["one mts 4 tasks_stolen", "one mts 4 tasks_stolen"], "most": 1}
        self.assertEqual(verdict(**nothing)[0], "refuted", "nothing to nothing confirms nothing")

    def test_the_page_has_tables_verdicts_and_commands(self):
        page = plan_suite.page(PLAN, PLAN["view"], MEASURED, "standard", 2)
        self.assertIn("| one | ws | 4 | 4 | 10 |", page)
        self.assertIn("| 4 | twice | confirmed | 2 (at least 2) |", page)
        self.assertIn("| 5 | no | not modelled | because |", page)
        self.assertIn("Statements: 1 confirmed, 1 not modelled.", page)
        self.assertIn("- one: `teff simulate sort --size tiny --pools ws,mts --workers 2,4 --repeat 2 --set wait=spin "
                      "--machine nehalem-ex-4x8`", page)


    def test_a_native_run_is_a_comparison_with_no_more_workers_than_processors(self):
        native = copy.deepcopy(PLAN)
        native["run"]["one"].pop("machine")
        native["run"]["one"].update(side="native", workers=[1, 2, 4])
        limited = plan_suite.within(native, 2)
        self.assertEqual(limited["run"]["one"]["workers"], [1, 2])
        self.assertEqual(plan_suite.within(PLAN, 1)["run"], PLAN["run"], "a described machine has its own processors")
        self.assertEqual(plan_suite.command_of(limited["run"]["one"], "standard", 3),
                         ["compare", "sort", "--size", "tiny", "--pools", "ws,mts", "--workers", "1,2", "--repeat", "3", "--set", "wait=spin"])
        measured = {"one": {"machine": {"processor": "a processor", "usable_processors": 2}, "records":
                            [record(pool, workers, [6.0]) for pool in ("ws", "mts") for workers in (1, 2)]}}
        page = plan_suite.page(limited, [{**PLAN["view"][0], "statement": []}], measured, "standard", 3)
        self.assertIn("Native; size standard, 3 samples of each case.", page)
        self.assertIn("Here: 2 processors, a processor.", page)


class Runs(unittest.TestCase):
    def run_it(self, *words):
        return subprocess.run([sys.executable, BENCH / "plan.py", *words], capture_output=True, text=True, check=False,
                              timeout=300, env={**os.environ, "TEFF": TEFF})

    def test_a_run_is_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            measured = plan_suite.measure_all(TEFF, PLAN, ["one"], "standard", 2, 1, Path(folder))
            (kept,) = Path(folder).glob("*.json")
            kept.write_text(kept.read_text().replace('"workers_asked": 4', '"workers_asked": 5'))
            again = plan_suite.measure_all(TEFF, PLAN, ["one"], "standard", 2, 1, Path(folder))
            self.assertEqual([each["workers_asked"] for each in again["one"]["records"]].count(5), 2, "nothing is run twice")
        self.assertEqual(len(measured["one"]["records"]), 4)
        self.assertGreater(plan_suite.value_of(PLAN, measured, {"value": "one ws lines_from_own"}), 0)
        self.assertEqual(len(measured["one"]["records"][0]["seconds"]), 2)

    def test_a_view_without_runs_writes_its_page(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_it("shepherds/variability", "--output", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("not modelled", (Path(folder) / "shepherds-variability.md").read_text())

    def test_sizes_of_one_workload_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.run_it("shepherds", "--size", "n=3", "--output", folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--size cannot be 'n=3' for several workloads; allowed: standard, paper", done.stderr)
            self.assertEqual(list(Path(folder).iterdir()), [])


if __name__ == "__main__":
    unittest.main()
