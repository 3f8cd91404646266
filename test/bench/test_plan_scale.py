#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of scale: what their files may say, who misses an aim, and that one runs and writes its page."""

import copy
import os
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))

import plan  # noqa: E402
import plan_scale  # noqa: E402
import plan_sweep  # noqa: E402

TEFF = os.environ.get("TEFF", "build/release/cli/teff")

PLAN = {
    "title": "a title", "source": "a source", "pools": ["teff", "dq8"], "seeds": {"many": 5, "few": 2, "tasks": 100, "beside": 3},
    "aim": {"step": 1.05, "serial": 1.05, "serial_ns": 200, "efficiency": {"4": 0.9}, "efficiency_ns": 1000, "parallelism": 10,
            "missed": 0.05},
    "family": {"one": {"workload": "synthetic", "size": "k={},f=40", "path": 1, "standard": [4], "paper": [4, 5]}},
    "view": [{"name": "a-view", "title": "its title", "machine": "generic", "workers": [1, 2, 4]}],
}
POINT = plan_scale.points_of(PLAN, "standard")[0]


def record(seconds, serial=1.0, tasks=1000, **account):
    return {"seconds": [seconds], "serial_seconds": serial, "tasks": tasks,
            "account": {"own_work": [600], "searching_alone": [300], "waking": [100], **account}}


def measured(times, **keys):
    """The records of both pools, which take the same times on 1, 2 and 4 workers."""
    return {(POINT, pool, workers): record(time, **keys) for pool in PLAN["pools"] for workers, time in zip((1, 2, 4), times)}


def missed(times, wanted=None, **keys):
    """Returns: (aim, workers) of what is missed, and how many points each aim is about."""
    counts, misses = plan_scale.judged(wanted or PLAN, PLAN["view"][0], measured(times, **keys), "teff")
    return [(each.aim, each.workers) for each in misses], counts


class Files(unittest.TestCase):
    def test_what_is_wrong_is_said(self):
        for change, part in (
                (lambda of: None, ""),
                (lambda of: of.pop("pools"), "the plan: there is no key 'pools'"),
                (lambda of: of.update(pools=[]), "the plan: pools cannot be []; allowed: a list of texts, not empty"),
                (lambda of: of.update(seeds=3), "the plan: seeds cannot be 3; allowed: a table"),
                (lambda of: of.update(family=3), "the plan: family cannot be 3; allowed: a table of tables"),
                (lambda of: of.update(family={"one": 3}), "allowed: a table of tables"),
                (lambda of: of.update(family={}), "the plan: there is no family"),
                (lambda of: of.update(view=[]), "the plan: view cannot be []"),
                (lambda of: of.update(title=3), "the plan: title cannot be 3"),
                (lambda of: of["seeds"].update(few=0), "seeds: few cannot be 0; allowed: a whole number of 1 and more"),
                (lambda of: of["seeds"].update(few=2.5), "seeds: few cannot be 2.5"),
                (lambda of: of["aim"].update(step="much"), "aim: step cannot be 'much'; allowed: a number greater than 0"),
                (lambda of: of["aim"].update(efficiency=0.9), "aim: efficiency cannot be 0.9; allowed: a table of numbers"),
                (lambda of: of["aim"].update(efficiency={"65x": 0.9}), "aim: efficiency cannot be {'65x': 0.9}"),
                (lambda of: of["aim"].update(efficiency={"64": "x"}), "aim: efficiency cannot be {'64': 'x'}"),
                (lambda of: of["aim"].update(color=1), "aim: unknown key 'color'"),
                (lambda of: of["family"]["one"].update(size="k=4"), "family one: size cannot be 'k=4'; allowed: a text with {}"),
                (lambda of: of["family"]["one"].update(size=5), "family one: size cannot be 5"),
                (lambda of: of["family"]["one"].update(path=0), "family one: path cannot be 0"),
                (lambda of: of["family"]["one"].update(paper=[]), "family one: paper cannot be []; allowed: a list of whole numbers"),
                (lambda of: of["family"]["one"].pop("standard"), "family one: there is no key 'standard'"),
                (lambda of: of["view"][0].update(workers=[1, 2, 6]), "workers cannot be [1, 2, 6]; allowed: a list of whole numbers, each"),
                (lambda of: of["view"][0].update(workers=[0]), "view 'a-view': workers cannot be [0]"),
                (lambda of: of["view"][0].pop("machine"), "view 'a-view': there is no key 'machine'"),
                (lambda of: of["view"].append(of["view"][0]), "several views have one name: ['a-view']")):
            other = copy.deepcopy(PLAN)
            change(other)
            if part == "":
                plan_scale.check(other)
                continue
            with self.assertRaises(plan_sweep.SweepError) as told:
                plan_scale.check(other)
            self.assertIn(part, str(told.exception))

    def test_the_one_that_there_is_has_what_its_aims_are_about(self):
        plans = {name: each for name, each in plan.load_plans().items() if plan_scale.is_scale(each)}
        self.assertEqual(list(plans), ["scale"])
        for family in plans["scale"]["family"].values():
            self.assertLessEqual(set(family["standard"]), set(family["paper"]))
        self.assertEqual({str(max(view["workers"])) for view in plans["scale"]["view"]}, set(plans["scale"]["aim"]["efficiency"]))


class Judges(unittest.TestCase):
    def test_steps(self):
        fine = {"serial": 1e-4}  # tasks of 100 ns: neither the serial program nor efficiency is looked at
        self.assertEqual(missed((8, 4, 2), **fine), ([], {"step": 2, "serial": 0, "efficiency": 0}))
        self.assertEqual(missed((8, 8.4, 8.82), **fine)[0], [])
        self.assertEqual(missed((8, 8.41, 4), **fine)[0], [("step", 2)])
        self.assertEqual(missed((8, 4, 4.21), **fine)[0], [("step", 4)])

    def test_the_serial_program(self):
        tasks = {"serial": 2e-4, "tasks": 999}  # 200.2 ns each
        self.assertEqual(missed((2.1e-4, 1e-4, 1e-4), **tasks), ([], {"step": 2, "serial": 3, "efficiency": 0}))
        self.assertEqual(missed((2.2e-4, 1e-4, 1e-4), **tasks)[0], [("serial", 1)])
        self.assertEqual(missed((2.2e-4, 1e-4, 1e-4), serial=2e-4, tasks=1001)[0], [])

    def test_efficiency_where_there_is_enough_work(self):
        self.assertEqual(missed((1, 0.5, 0.26)), ([], {"step": 2, "serial": 3, "efficiency": 1}))
        self.assertEqual(missed((1, 0.5, 0.28))[0], [("efficiency", 4)])
        self.assertEqual(missed((1, 0.5, 0.28), tasks=159)[1]["efficiency"], 0)  # 40 for each of the four tasks of the longest path
        self.assertEqual(missed((1, 0.5, 0.28), tasks=160)[1]["efficiency"], 1)
        self.assertEqual(missed((1, 0.5, 0.28), serial=1e-3, tasks=1001)[1]["efficiency"], 0)  # below a microsecond
        pathless = copy.deepcopy(PLAN)
        pathless["family"]["one"].pop("path")
        self.assertEqual(missed((1, 0.5, 0.28), wanted=pathless)[1]["efficiency"], 0)

    def test_accounts_of_misses(self):
        self.assertEqual(plan_scale.overhead(record(1)), "searching alone 30 %, waking 10 %")
        before, after = record(1), record(2, own_work=[500, 170], searching_alone=[600, 500], waking=[100, 30])
        self.assertEqual(plan_scale.grown(before, after), "searching alone 89 %, own work 8 %, waking 3 %")

    def test_seeds(self):
        self.assertEqual([plan_scale.seeds_of(PLAN, 100, True, None), plan_scale.seeds_of(PLAN, 101, True, None)], [5, 2])
        self.assertEqual([plan_scale.seeds_of(PLAN, 100, False, None), plan_scale.seeds_of(PLAN, 101, False, None)], [3, 2])
        self.assertEqual(plan_scale.seeds_of(PLAN, 100, False, 7), 7)

    def test_the_page_has_counts_verdict_misses_and_times(self):
        def page(times):
            return plan_scale.page(PLAN, PLAN["view"], {"a-view": measured(times)}, "standard")
        wrong = page((0.8, 0.9, 0.2))
        self.assertIn("| twice as many workers take at most 1.05 of the time | 1 of 2 missed | 1 of 2 missed |", wrong)
        self.assertIn("| all of them | 1 of 6 missed (16.7 %) | 1 of 6 missed (16.7 %) |", wrong)
        self.assertIn("At most 5 % may be missed: **missed** by teff.", wrong)
        self.assertIn("| step | synthetic k=4,f=40 | 2 | 1.12 |", wrong)
        self.assertIn("| synthetic | k=4,f=40 | dq8 | 1,000,000 | 800,000 | **900,000** | 200,000 |", wrong)
        right = page((0.8, 0.4, 0.2))
        self.assertIn("**reached** by teff.", right)
        self.assertNotIn("What teff misses", right)


class Runs(unittest.TestCase):
    def test_a_plan_is_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            found = plan_scale.measure(TEFF, PLAN, PLAN["view"][0], "paper", None, 2, Path(folder) / "records")
            self.assertEqual(len(found), 2 * 2 * 3)
            self.assertEqual({len(each["seconds"]) for (_, pool, _), each in found.items() if pool == "teff"}, {5})
            self.assertEqual({len(each["seconds"]) for (_, pool, _), each in found.items() if pool == "dq8"}, {3})
            self.assertIn("### Times", plan_scale.page(PLAN, PLAN["view"], {"a-view": found}, "paper"))

    def test_sizes_of_one_workload_are_refused(self):
        with self.assertRaisesRegex(plan.PlanError, "--size cannot be 'k=3' for several workloads; allowed: standard, paper"):
            plan.run_scale("scale", PLAN, None, plan.parse(["scale", "--size", "k=3"], {}))


if __name__ == "__main__":
    unittest.main()
