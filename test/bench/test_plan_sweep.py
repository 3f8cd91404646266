#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sweeps: the runs that a plan file means, intervals, verdicts, what is kept, and what is refused."""

import copy
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))

import plan  # noqa: E402
import plan_figures  # noqa: E402
import plan_statistics as statistics  # noqa: E402
import plan_sweep as sweep  # noqa: E402
import plan_sweep_page as sweep_page  # noqa: E402

TEFF = os.environ.get("TEFF", "build/release/cli/teff")

PLAN = {
    "title": "t", "source": "s", "workload": "run_queues", "machine": "paper-1996", "workers": 8,
    "seeds": {"standard": 3, "paper": 9},
    "group": {"g": {
        "size": {"program": "lock", "load": 0.5, "vary": 0.1}, "set": {"access": 7}, "jobs": {"standard": 20, "paper": 200},
        "readings": ["held", "outside"],
        "curve": {"a": {"pool": "centralised"},
                  "b": {"pool": "hierarchical", "size": {"wait": "spin"}, "set": {"access": 8, "delay": 1}}},
    }},
    "view": [{
        "name": "v", "title": "V", "group": "g", "axis": "load", "along": "load", "values": [0.2, 0.1], "size": {"vary": 0.2},
        "point": [{"x": 1.2, "size": {"load": 1.2, "vary": 0.3}, "set": {"access": 9}, "curves": ["b"],
                   "jobs": {"standard": 50, "paper": 60}}],
        "statement": [{"section": "1", "text": "A is slower.", "claims": [{"ratio": ["a", "b"], "at": [0.1, 0.2], "least": 1}]}],
        "check": [{"section": "2", "text": "B serves little.",
                   "claims": [{"value": ["b at 1.2"], "metric": "useful_utilisation", "most": 0.5}]}],
    }],
}
VIEW = PLAN["view"][0]


def point(*responses, useful=0.4):
    """The record sets of a point, by seed; None is a seed that is saturated."""
    return [{"machine": {"name": "m"}, "commit": "c", "records": [{"metrics": {
        "saturated": float(each is None), "response_mean": each, "useful_utilisation": useful, "offered_load": 0.42,
        "waiting_tasks": 1.0}}]} for each in responses]


def measured(**points):
    """`points`: a1 is curve a at 0.1, a2 at 0.2, b12 curve b at 1.2; the same under both readings."""
    found = {}
    for name, sets in points.items():
        x = {"1": 0.1, "2": 0.2, "12": 1.2}[name[1:]]
        for reading in sweep.READINGS:
            found[sweep.Run("v", reading, name[0], x, ())] = sets
    return sweep.Measured(found)


class Intervals(unittest.TestCase):
    def test_student_is_that_of_the_tables(self):
        for freedom, value in ((1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (9, 2.262), (10, 2.228), (29, 2.045),
                               (30, 2.042), (100, 1.984), (999, 1.962)):
            self.assertAlmostEqual(statistics.student(freedom), value, 3)
        self.assertAlmostEqual(statistics.student(4, 0.99), 4.604, 3)
        self.assertRaises(ValueError, statistics.student, 0)

    def test_of_a_mean(self):
        of = statistics.interval([1, 2, 3, 4, 5])  # deviation √2.5; 2.776 × √(2.5 / 5)
        self.assertEqual(of.mean, 3)
        self.assertAlmostEqual(of.half, 1.963, 3)
        self.assertAlmostEqual(of.low, 1.037, 3)
        self.assertAlmostEqual(of.high, 4.963, 3)
        self.assertEqual(statistics.interval([7, 7, 7]), statistics.Interval(7, 0))
        self.assertEqual(statistics.interval([7]), statistics.Interval(7, math.inf))

    def test_of_what_has_no_mean(self):
        self.assertIsNone(statistics.interval([1, None]))
        self.assertIsNone(statistics.interval([math.nan, math.nan]))
        self.assertIsNone(statistics.interval([math.inf, 1]))
        self.assertEqual(statistics.interval([math.inf, math.inf]), statistics.Interval(math.inf, 0))

    def test_quantities(self):
        terms = [[8, 9], [2, 3], [5, 4], [1, 2]]
        self.assertEqual(statistics.quantity("value", terms[:1]), [8, 9])
        self.assertEqual(statistics.quantity("difference", terms[:2]), [6, 6])
        self.assertEqual(statistics.quantity("ratio", terms[:2]), [4, 3])
        self.assertEqual(statistics.quantity("differences", terms, 2), [-2, 2])
        self.assertEqual(statistics.quantity("ratios", terms), [0.8, 1.5])
        self.assertEqual(statistics.quantity("difference", [[1, None], [2, 2]]), [-1, None])


class Verdicts(unittest.TestCase):
    def test_by_the_interval(self):
        for of, least, most, expected in (
                ((5, 1), 4, 6, "confirmed"), ((5, 1), 4.1, 6, "undecided"), ((5, 1), 4, 5.9, "undecided"),
                ((5, 1), 6.1, math.inf, "refuted"), ((5, 1), -math.inf, 3.9, "refuted"), ((5, 1), 6, math.inf, "undecided"),
                ((5, math.inf), 0, math.inf, "undecided"),
                ((5, 1, True), 4, math.inf, "confirmed"), ((5, 1, True), 4, 6, "undecided"),
                ((5, 1, True), 6.1, math.inf, "undecided"),
                ((5, 1, True), -math.inf, 3.9, "refuted"), ((5, 1, False, True), -math.inf, 6, "confirmed"),
                ((5, 1, False, True), 6.1, math.inf, "refuted"), ((5, 1, False, True), 4, math.inf, "undecided"),
                ((5, 1, True, True), 4, math.inf, "undecided")):
            self.assertEqual(statistics.verdict(statistics.Interval(*of), least, most), expected, (of, least, most))
        self.assertEqual(statistics.verdict(None, -math.inf, math.inf), "undecided")

    def test_by_the_seeds(self):
        for values, expected in (([math.inf, 3, 2, 2, 2], "confirmed"), ([math.inf, 3, 2, 2], "undecided"),
                                 ([math.inf, 3, 2, 2, 0], "undecided"), ([-math.inf, 0, 0, 0, 0], "refuted"),
                                 ([math.nan, 3, 2, 2, 2], "undecided"), ([None, 3, 2, 2, 2], "undecided"),
                                 ([math.nan] * 5, "undecided")):
            self.assertEqual(statistics.verdict_by_seeds(values, 1, math.inf), expected, values)
        points = {"a1": point(4, None, 5, 6, 7), "b1": point(1, 2, 3, 4, 5), "b2": point(1, 2, 3, 4, 8)}
        for curve, expected in (("b at 0.1", "confirmed"), ("b at 0.2", "undecided")):
            self.assertEqual(self.judge([{"difference": ["a at 0.1", curve], "least": 0}], **points), expected)

    def test_of_bounds_by_the_seeds(self):
        values = [math.inf, 3, 2, 2, 2]
        self.assertEqual(statistics.verdict_by_seeds(values, 1, math.inf, more=True), "confirmed")
        self.assertEqual(statistics.verdict_by_seeds(values, 1, math.inf, less=True), "undecided")
        self.assertEqual(statistics.verdict_by_seeds([-each for each in values], 1, math.inf, less=True), "refuted")
        self.assertEqual(statistics.verdict_by_seeds([-each for each in values], 1, math.inf, more=True), "undecided")

    def test_what_bounds_make_of_a_quantity(self):
        for bounds, expected in (([True], (True, False)), ([False, True], (False, True)), ([True, True], (True, True)),
                                 ([False, True, False, False], (False, True)), ([False, False, True, False], (False, True)),
                                 ([False, False, False, True], (True, False)), ([False] * 4, (False, False))):
            self.assertEqual(statistics.bounded(bounds), expected, bounds)

    def test_of_runs_that_were_too_short(self):
        # b serves 0.398 of 0.42: what it takes is a lower bound.
        points = {"a1": point(4, 4.1, 4), "b1": point(2, 2.1, 2, useful=0.398),
                  "b2": point(6, 6.1, 6, useful=0.398), "a2": point(4, 4.1, 4)}
        for claim, expected in (({"ratio": ["a", "b"], "at": [0.1], "least": 1}, "undecided"),  # with more jobs b may be slower
                                ({"ratio": ["a", "b"], "at": [0.2], "least": 1}, "refuted"),
                                ({"ratio": ["a", "b"], "at": [0.2], "most": 1}, "confirmed"),
                                ({"difference": ["b", "a"], "at": [0.2], "least": 0}, "confirmed"),
                                ({"difference": ["b", "a"], "at": [0.2], "least": 0, "most": 3}, "undecided"),
                                ({"difference": ["b at 0.2", "b at 0.1"], "least": 0}, "undecided"),
                                ({"differences": ["a at 0.1", "a at 0.2", "b at 0.2", "a at 0.2"], "times": 1, "most": 0},
                                 "confirmed"),
                                ({"value": ["b at 0.1"], "most": 3, "by": "mean"}, "undecided"),
                                ({"value": ["b at 0.1"], "metric": "useful_utilisation", "most": 0.4}, "confirmed")):
            self.assertEqual(self.judge([claim], **points), expected, claim)

    def test_a_quantity_over_nothing_decides_nothing(self):
        points = {"a1": point(1, 1, 1), "b1": point(1, 1, 1)}
        claim = {"ratio": ["a", "b"], "at": [0.1], "metric": "saturated", "least": 0}
        self.assertEqual(self.judge([claim], **points), "undecided")

    def test_of_several(self):
        self.assertEqual(statistics.all_of(["confirmed", "confirmed"]), "confirmed")
        self.assertEqual(statistics.all_of(["confirmed", "undecided"]), "undecided")
        self.assertEqual(statistics.all_of(["undecided", "refuted", "confirmed"]), "refuted")

    def judge(self, claims, **points):
        return measured(**points).statement("held", {"claims": claims})[0]

    def test_planted_figures(self):
        b = {"b1": point(10, 20, 30), "b2": point(10, 20, 30)}
        slower = [{"ratio": ["a", "b"], "at": [0.1, 0.2], "least": 1}]
        self.assertEqual(self.judge(slower, a1=point(11, 22.2, 33), a2=point(12, 24.2, 36), **b), "confirmed")
        self.assertEqual(self.judge(slower, a1=point(11, 22.2, 33), a2=point(9, 18.2, 27), **b), "refuted")
        self.assertEqual(self.judge(slower, a1=point(11, 22.2, 33), a2=point(12, 22, 29), **b), "undecided")

    def test_seeds_are_paired(self):
        # Seeds differ by much more than the curves do; only pairs show it.
        points = {"a1": point(10.1, 20.12, 30.1), "b1": point(10, 20, 30)}
        self.assertEqual(self.judge([{"difference": ["a at 0.1", "b at 0.1"], "least": 0, "most": 0.4}], **points), "confirmed")
        points["a1"] = point(30.1, 10.1, 20.12)
        self.assertEqual(self.judge([{"difference": ["a at 0.1", "b at 0.1"], "least": 0, "most": 0.4}], **points), "undecided")

    def test_a_term_that_names_its_place_is_looked_at_there(self):
        points = {"a1": point(10, 20, 30), "a2": point(1, 2, 3), "b2": point(2, 4, 6)}
        self.assertEqual(self.judge([{"ratio": ["a at 0.1", "b"], "at": [0.2], "least": 5, "most": 5}], **points), "confirmed")

    def test_a_step_beside_another(self):
        claim = [{"differences": ["b at 1.2", "b at 0.2", "b at 0.2", "b at 0.1"], "times": 2, "least": 0}]
        points = {"b1": point(1, 2, 3), "b2": point(2, 3, 4)}
        self.assertEqual(self.judge(claim, b12=point(4.1, 5.12, 6.1), **points), "confirmed")
        self.assertEqual(self.judge(claim, b12=point(3.9, 4.88, 5.9), **points), "refuted")

    def test_by_the_mean_alone(self):
        points = {"a1": point(9, 10, 11)}
        claim = {"value": ["a at 0.1"], "least": 9.9, "most": 10.1}
        self.assertEqual(self.judge([claim], **points), "undecided")
        self.assertEqual(self.judge([{**claim, "by": "mean"}], **points), "confirmed")
        self.assertEqual(self.judge([{**claim, "by": "mean", "least": 10.05}], **points), "refuted")


class Saturated(unittest.TestCase):
    FULL = point(None, None, 5, useful=0.5)

    def test_has_no_mean(self):
        points = measured(a1=self.FULL, a2=point(4, None, 5), b1=point(1, 2, 3))
        self.assertEqual(points.values("held", "a", 0.1), [math.inf, math.inf, 5])
        self.assertEqual(points.values("held", "a", 0.2), [4, math.inf, 5])
        self.assertEqual(points.values("held", "b", 0.1), [1, 2, 3])
        self.assertEqual(sweep_page.cell(points, "held", "a", 0.1), "*saturated* in 2 of 3 seeds; serves 0.500")
        self.assertEqual(sweep_page.cell(points, "held", "a", 0.2), "*saturated* in 1 of 3 seeds; serves 0.400")
        self.assertEqual(sweep_page.cell(measured(a1=point(None, None)), "held", "a", 0.1), "*saturated*; serves 0.400")
        self.assertNotIn("a", plan_figures.sweep_curves(points, "held"))

    def test_is_not_known_of_a_run_that_was_too_short(self):
        points = measured(a1=point(4, 4, useful=0.398), a2=point(4, 4, useful=0.4))
        self.assertEqual(sweep_page.cell(points, "held", "a", 0.1), "4.00 *or more*; serves 0.398")
        self.assertEqual(sweep_page.cell(points, "held", "a", 0.2), "4.00")
        # A seed that is saturated is no part of it; the others are.
        points = measured(a1=[*point(4, 4, useful=0.4), *point(None, useful=0.1)],
                          a2=[*point(4, useful=0.3), *point(None, useful=0.42)])
        self.assertFalse(points.is_lower_bound("held", "a", 0.1))
        self.assertTrue(points.is_lower_bound("held", "a", 0.2))

    def test_is_slower_than_what_is_not(self):
        full = point(*[None] * 5, useful=0.5)
        points = measured(a1=full, b1=point(1, 2, 3, 2, 1), b2=full, a2=full, b12=point(4, None, 5, 4, 5))
        for claim, expected in (({"difference": ["a", "b"], "at": [0.1], "least": 0}, "confirmed"),
                                ({"difference": ["b", "a"], "at": [0.1], "least": 0}, "refuted"),
                                ({"ratio": ["b", "a"], "at": [0.1], "most": 1}, "confirmed"),
                                ({"ratio": ["a", "b"], "at": [0.2], "least": 1}, "undecided"),
                                ({"difference": ["b at 1.2", "b at 0.1"], "least": 0}, "confirmed"),
                                ({"difference": ["b at 1.2", "b at 0.1"], "least": 3}, "undecided"),
                                ({"value": ["a at 0.1"], "metric": "useful_utilisation", "most": 0.51}, "confirmed")):
            self.assertEqual(points.statement("held", {"claims": [claim]})[0], expected, claim)

    def judge(self, claim, **points):
        return measured(**points).statement("held", {"claims": [claim]})[0]

    def test_seeds_that_are_not_saturated_keep_what_they_say(self):
        # Three of five are; two refute it.
        claim = {"difference": ["a at 0.1", "b at 0.1"], "least": 0}
        points = {"a1": point(None, None, None, 1, 1), "b1": point(2, 2, 2, 2, 2)}
        self.assertEqual(self.judge(claim, **points), "undecided")
        self.assertIsNone(measured(**points).claim("held", claim)[0][1])

    def test_fewer_than_five_that_are_saturated_decide_nothing(self):
        for seeds in (1, 2, 4):
            points = {"a1": point(*[None] * seeds), "b1": point(*[2] * seeds)}
            for claim in ({"value": ["a at 0.1"], "least": 1}, {"value": ["a at 0.1"], "most": 1, "by": "mean"},
                          {"ratio": ["b at 0.1", "a at 0.1"], "most": 1}):  # ... which is 0 in each
                self.assertEqual(self.judge(claim, **points), "undecided", (seeds, claim))

    def test_what_an_infinite_divisor_makes_0_is_no_value(self):
        # As an interval 0, 0, 0, 0 and 0.9 would be 0.18 ± 0.50.
        points = {"a1": point(None, None, None, None, 10), "b1": point(9, 9, 9, 9, 9)}
        self.assertEqual(self.judge({"ratio": ["b at 0.1", "a at 0.1"], "most": 0.95}, **points), "confirmed")
        self.assertEqual(self.judge({"ratio": ["b at 0.1", "a at 0.1"], "most": 0.8}, **points), "undecided")


class NotMeasured(unittest.TestCase):
    """As where the system gave the front end no thread, or one job alone counts."""

    @staticmethod
    def nothing(*keys):
        [sets] = point(3)
        sets["records"][0]["metrics"].update(dict.fromkeys(keys))
        return sets

    def test_has_a_cell_of_its_own(self):
        everything = ("saturated", "response_mean", "useful_utilisation", "waiting_tasks")
        found = measured(a1=[self.nothing(*everything)] * 2, a2=[self.nothing(*everything), *point(3)],
                         b1=[self.nothing("useful_utilisation")] * 2, b2=point(2, 2))
        self.assertEqual(sweep_page.cell(found, "held", "a", 0.1), "*not measured*")
        self.assertEqual(sweep_page.cell(found, "held", "a", 0.2), "*not measured* in 1 of 2 seeds")
        self.assertEqual(sweep_page.cell(found, "held", "b", 0.1), "*not measured*")
        self.assertEqual(sweep_page.counters_cell(found, "held", "a", 0.1), "–; –; –")
        self.assertEqual(list(plan_figures.sweep_curves(found, "held")["b"]), [(0.1, 3, 0), (0.2, 2, 0)])
        self.assertNotIn("a", plan_figures.sweep_curves(found, "held"))
        self.assertEqual(found.statement("held", VIEW["statement"][0])[0], "undecided")
        runs = {"v": sweep.runs_of(PLAN, VIEW, "standard")}
        view = {key: value for key, value in VIEW.items() if key != "check"}
        self.assertIn("| 0.1 | *not measured* |", sweep_page.page(PLAN, [view], runs, {"v": found}, "not drawn: x", 2))


class Expands(unittest.TestCase):
    def test_every_curve_at_every_point_under_every_reading(self):
        runs = sweep.runs_of(PLAN, VIEW, "standard")
        self.assertEqual([(run.reading, run.x, run.curve) for run in runs],
                         [(reading, x, curve) for reading in ("held", "outside")
                          for x, curves in ((0.1, "ab"), (0.2, "ab"), (1.2, "b")) for curve in curves])

    def test_the_words_of_a_run(self):
        runs = sweep.runs_of(PLAN, VIEW, "standard")
        self.assertEqual(" ".join(runs[0].words),
                         "simulate run_queues --machine paper-1996 --workers 8 --pools centralised "
                         "--size program=lock,load=0.1,vary=0.2,jobs=20,warmup=2 --set access=7 --set reading=held")
        # The point before the view, the view before the curve, the curve before the group.
        self.assertEqual(" ".join(runs[-1].words),
                         "simulate run_queues --machine paper-1996 --workers 8 --pools hierarchical "
                         "--size program=lock,load=1.2,vary=0.3,wait=spin,jobs=50,warmup=5 "
                         "--set access=9 --set delay=1 --set reading=outside")

    def test_sizes(self):
        def size_of(wish):
            words = sweep.runs_of(PLAN, VIEW, wish)[0].words
            return words[words.index("--size") + 1]
        self.assertIn("jobs=200,warmup=20", size_of("paper"))
        self.assertIn("load=0.1,vary=0.5,jobs=4,warmup=1", size_of("jobs=4,warmup=1,vary=0.5"))
        self.assertIn("jobs=30,warmup=3", size_of("jobs=30"))

    def wish_refused(self, wish):
        with self.assertRaises(sweep.SweepError) as caught:
            sweep.check_wish(PLAN, VIEW, wish)
        return str(caught.exception)

    def test_a_wish_leaves_what_points_and_curves_differ_by(self):
        self.assertIn("--size cannot have 'load' for v", self.wish_refused("load=0.3"))  # along
        self.assertIn("--size cannot have 'vary'", self.wish_refused("jobs=20,vary=0.3"))  # a point's
        self.assertIn("--size cannot have 'wait' for v, of which points or curves differ by it; "
                      "allowed: size keys but load, vary, wait", self.wish_refused("wait=block"))  # a curve's
        for wish in ("standard", "paper", "jobs=20,program=barrier", "jobs=x"):
            sweep.check_wish(PLAN, VIEW, wish)

    def test_a_wish_leaves_something_to_measure(self):
        for wish, named in (("jobs=1", "jobs=1;"), ("jobs=0", "jobs=0;"), ("jobs=10,warmup=9", "jobs=10,warmup=9;")):
            self.assertIn(named, self.wish_refused(wish))
            self.assertIn("allowed: at least 2 jobs more", self.wish_refused(wish))
        for wish in ("jobs=2", "jobs=3,warmup=1", "warmup=5"):
            sweep.check_wish(PLAN, VIEW, wish)

    def test_a_curve_may_have_its_own_number_of_jobs(self):
        other = copy.deepcopy(PLAN)
        other["view"][0]["statement"][0]["claims"] = [{"value": ["a"], "at": [0.1], "least": 1}]  # of pairs it cannot
        other["group"]["g"]["curve"]["b"]["jobs"] = {"standard": 30, "paper": 300}
        sweep.check(other)
        jobs = [next(pair for pair in run.words[9].split(",") if "jobs" in pair)
                for run in sweep.runs_of(other, other["view"][0], "standard")[:5]]
        self.assertEqual(jobs, ["jobs=20", "jobs=30", "jobs=20", "jobs=30", "jobs=50"])


class TheFile(unittest.TestCase):
    def refused(self, change):
        other = copy.deepcopy(PLAN)
        change(other, other["view"][0], other["group"]["g"])
        with self.assertRaises(sweep.SweepError) as caught:
            sweep.check(other)
        return str(caught.exception)

    def claim(self, **content):
        return self.refused(lambda _, view, group: view["statement"][0].update(claims=[content]))

    def test_is_right(self):
        sweep.check(PLAN)

    def test_unknown_and_missing(self):
        self.assertIn("unknown key 'axes'; allowed: ", self.refused(lambda _, view, group: view.update(axes="x")))
        self.assertIn("the plan: there is no key 'machine'", self.refused(lambda whole, view, group: whole.pop("machine")))
        self.assertIn("there is no key 'pool'", self.refused(lambda _, view, group: group["curve"]["a"].pop("pool")))
        self.assertIn("group cannot be 'h'; allowed: g", self.refused(lambda _, view, group: view.update(group="h")))
        self.assertIn("curves cannot be 'c'; allowed: a, b",
                      self.refused(lambda _, view, group: view["point"][0].update(curves=["c"])))
        self.assertIn("readings cannot be 'both'; allowed: held, outside",
                      self.refused(lambda _, view, group: view.update(readings=["both"])))
        self.assertIn("the plan: seeds cannot be {'standard': 1, 'paper': 9}; allowed: standard and paper, whole numbers of 2",
                      self.refused(lambda whole, view, group: whole["seeds"].update(standard=1)))

    def test_points(self):
        self.assertIn("two points have the same place: [0.1", self.refused(lambda _, view, group: view["point"][0].update(x=0.1)))
        self.assertIn("'along'", self.refused(lambda _, view, group: view.pop("along")))

        def none(_, view, group):
            for key in ("along", "values", "point"):
                view.pop(key)
        self.assertIn("there is no point", self.refused(none))

    def test_claims(self):
        self.assertIn("about one of value,", self.claim(at=[0.1], least=1))
        self.assertIn("not 2", self.claim(value=["a"], ratio=["a", "b"], at=[0.1], least=1))
        self.assertIn("ratio takes 2 terms, not 1", self.claim(ratio=["a"], at=[0.1], least=1))
        self.assertIn("no point of 'c' at 0.1", self.claim(value=["c"], at=[0.1], least=1))
        self.assertIn("no point of 'a' at 1.2", self.claim(value=["a at 1.2"], least=1))
        self.assertIn("'a' has no place", self.claim(value=["a"], least=1))
        self.assertIn("'least', 'most'", self.claim(value=["a"], at=[0.1]))
        self.assertIn("'times'", self.claim(differences=["a", "b", "a", "b"], at=[0.1], least=1))
        self.assertIn("metric cannot be 'response'; allowed: response_mean",
                      self.claim(value=["a"], at=[0.1], least=1, metric="response"))
        self.assertIn("by cannot be 'median'", self.claim(value=["a"], at=[0.1], least=1, by="median"))
        self.assertIn("claims cannot be []; allowed: a list of tables, not empty",
                      self.refused(lambda _, view, group: view["statement"][0].update(claims=[])))

    def test_what_is_compared_has_the_same_jobs(self):
        def of_curve(_, view, group):
            group["curve"]["b"]["jobs"] = {"standard": 30, "paper": 200}

        def of_point(_, view, group):
            view["statement"][0]["claims"] = [{"difference": ["b at 1.2", "b at 0.1"], "least": 0}]
        self.assertIn("v, 1: ratio of a, b: jobs cannot be [20, 30] (standard); allowed: the same", self.refused(of_curve))
        self.assertIn("jobs cannot be [50, 20] (standard)", self.refused(of_point))

        def of_paper(_, view, group):
            group["curve"]["b"]["jobs"] = {"standard": 20, "paper": 300}
        self.assertIn("jobs cannot be [200, 300] (paper)", self.refused(of_paper))

    def test_a_statement_may_be_of_one_reading(self):
        self.assertIn("v, 1: readings cannot be 'both'; allowed: held, outside",
                      self.refused(lambda _, view, group: view["statement"][0].update(readings=["both"])))
        self.assertIn("readings cannot be 'outside'; allowed: held", self.refused(
            lambda _, view, group: (view.update(readings=["held"]), view["statement"][0].update(readings=["outside"]))))

    def test_values_of_another_kind(self):
        """Each of them used to end in a traceback, some of them only when the view was run."""
        def claim(**content):
            return lambda _, view, group: view["statement"][0]["claims"][0].update(content)

        def view_is(**content):
            return lambda _, view, group: view.update(content)
        for change, part in (
                (lambda _, view, group: group["jobs"].pop("paper"),
                 "group g: jobs cannot be {'standard': 20}; allowed: standard and paper"),
                (lambda _, view, group: group.update(jobs=5), "group g: jobs cannot be 5; allowed: standard and paper"),
                (lambda _, view, group: group["jobs"].update(standard=1), "jobs cannot be"),
                (lambda _, view, group: group["curve"]["a"].update(jobs={"standard": 20}), "curve 'a': jobs cannot be"),
                (lambda _, view, group: view["point"][0]["jobs"].update(paper="9"), "v, a point: jobs cannot be"),
                (lambda whole, view, group: whole["seeds"].update(standard="5"), "the plan: seeds cannot be"),
                (lambda whole, view, group: whole["seeds"].update(standard=True), "the plan: seeds cannot be"),
                (lambda whole, view, group: whole.update(seeds=5), "the plan: seeds cannot be 5"),
                (lambda whole, view, group: whole.update(workers="8"), "the plan: workers cannot be '8'; allowed: a whole"),
                (lambda whole, view, group: whole.update(view=[]), "the plan: view cannot be []"),
                (lambda whole, view, group: whole.update(group=[1]), "the plan: group cannot be [1]"),
                (lambda whole, view, group: whole.update(note="a\nb"),
                 "the plan: note cannot be 'a\\nb'; allowed: a text without line"),
                (lambda whole, view, group: whole.update(view=[view, view]), "two views have the same name: ['v']"),
                (lambda _, view, group: group.update(curve={"a": 1}), "group g: curve cannot be {'a': 1}"),
                (lambda _, view, group: group.update(readings=[]), "group g: readings cannot be []"),
                (lambda _, view, group: group.update(set={"access": [1]}), "group g: set cannot be"),
                (lambda _, view, group: view["point"][0].update(x="a"), "v, a point: x cannot be 'a'; allowed: a number"),
                (view_is(values=["a"]), "v: values cannot be ['a']; allowed: a list of numbers"),
                (view_is(values=0.1), "v: values"),
                (view_is(along=1), "v: along cannot be 1"), (view_is(curves="ab"), "v: curves cannot be 'ab'"),
                (view_is(size=1), "v: size cannot be 1"), (view_is(statement={}), "v: statement cannot be {}"),
                (claim(at=0.1), "v, 1: at cannot be 0.1; allowed: a list of numbers"), (claim(at=["0.1"]), "v, 1: at cannot be"),
                (claim(least="1"), "v, 1: least cannot be '1'"), (claim(least=math.nan), "v, 1: least cannot be nan"),
                (claim(ratio="ab"), "v, 1: ratio cannot be 'ab'; allowed: a list of texts"),
                (claim(times=0), "v, 1: times cannot be 0"),
                (claim(ratio=["a at 0.1.2", "b"]), "no point of 'a at 0.1.2'"),
                (lambda _, view, group: view["statement"][0].update(text=5), "v, a statement: text cannot be 5")):
            self.assertIn(part, self.refused(change))

    def test_that_is_wrong_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            for text, part in (("title = ", "x.toml: "),
                               ("title = 't'\n[group]\n", "x.toml: the plan: there is no key 'source'")):
                Path(folder, "x.toml").write_text(text)
                with self.assertRaises(plan.PlanError) as caught:
                    plan.load_plans(Path(folder))
                self.assertIn(part, str(caught.exception))
                self.assertEqual(caught.exception.code, 2)


FAKE = """#!/bin/sh
if [ "$1" = --version ]; then echo "teff 1 ($(cat {folder}/commit))"; exit; fi
echo "$@" >> {folder}/calls
case "$*" in *"--seed 3"*) if [ -e {folder}/broken ]; then echo "no such pool" >&2; exit 2; fi ;; esac
while [ "$1" != --json ]; do shift; done
cat > "$2" <<'END'
{{"machine": {{"name": "m"}}, "commit": "c",
 "records": [{{"metrics": {{"saturated": 0, "response_mean": 1.5, "useful_utilisation": 0.4}}}}]}}
END
"""


class Keeps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.fake = self.folder / "teff"
        self.fake.write_text(FAKE.format(folder=self.folder))
        self.fake.chmod(0o755)
        self.runs = sweep.runs_of(PLAN, VIEW, "standard")

    def calls_of(self, commit, seeds=3):
        """Returns: how many runs it takes."""
        (self.folder / "commit").write_text(commit)
        (self.folder / "calls").write_text("")
        runner = sweep.Runner(self.fake, self.folder / "records", 2)
        found = runner.all_of(self.runs, seeds)
        self.assertEqual([len(sets) for sets in found.values()], [seeds] * 10)
        self.assertEqual(runner.kept(self.runs, seeds), 10 * seeds)
        return len((self.folder / "calls").read_text().splitlines())

    def test_what_was_run_with_the_same_commit(self):
        self.assertEqual(self.calls_of("abc"), 30)
        self.assertEqual(self.calls_of("abc"), 0)
        self.assertEqual(self.calls_of("abc", 4), 10)
        self.assertEqual(self.calls_of("abd"), 30)
        self.assertEqual(self.calls_of("abc", 4), 0)

    def test_of_modified_sources_nothing_but_of_the_same_program(self):
        self.assertEqual(self.calls_of("abc-modified"), 30)
        self.assertEqual(self.calls_of("abc-modified"), 0)
        self.fake.write_text(self.fake.read_text() + "# changed\n")
        self.assertEqual(self.calls_of("abc-modified"), 30)
        self.assertEqual(self.calls_of("unknown"), 30)
        self.fake.write_text(self.fake.read_text() + "# changed again\n")
        self.assertEqual(self.calls_of("unknown"), 30)

    def test_says_how_far_it_is(self):
        (self.folder / "commit").write_text("abc")
        told = []
        sweep.Runner(self.fake, self.folder / "records", 2).all_of(self.runs[:3], 2, lambda done, of: told.append((done, of)))
        self.assertEqual(told, [(each, 6) for each in range(1, 7)])

    def test_an_error_is_seen_before_earlier_runs_have_ended(self):
        (self.folder / "commit").write_text("abc")
        cancelled, begun = threading.Event(), []

        class Threads(ThreadPoolExecutor):
            def shutdown(self, wait=True, *, cancel_futures=False):
                super().shutdown(wait=False, cancel_futures=cancel_futures)
                cancelled.set()
                super().shutdown(wait=wait)

        class Runs(sweep.Runner):
            def record_of(self, words):
                begun.append(words)
                if len(begun) == 2:
                    raise sweep.RunError("the second fails", 1)
                cancelled.wait(20)  # only where the error is not seen
        with unittest.mock.patch.object(sweep, "ThreadPoolExecutor", Threads), self.assertRaises(sweep.RunError):
            Runs(self.fake, self.folder / "records", 2).all_of(self.runs, 3)
        self.assertLessEqual(len(begun), 3)

    def test_what_ended_before_another_failed(self):
        (self.folder / "broken").touch()
        with self.assertRaises(sweep.RunError) as caught:
            self.calls_of("abc")
        self.assertIn("ended with 2: no such pool", str(caught.exception))
        self.assertEqual(caught.exception.code, 2)
        kept = list((self.folder / "records").iterdir())
        self.assertTrue(kept)
        for each in kept:
            json.loads(each.read_text())
        (self.folder / "broken").unlink()
        self.assertEqual(self.calls_of("abc"), 30 - len(kept))


class Writes(unittest.TestCase):
    def test_the_page_has_verdicts_under_each_reading(self):
        found = measured(a1=point(2, 3, 4), a2=point(2, 3, 4), b1=point(1, 2, 3), b2=point(4, 5, 6),
                         b12=point(None, None, None, useful=0.45))
        runs = {"v": sweep.runs_of(PLAN, VIEW, "standard")}
        text = sweep_page.page(PLAN, [VIEW], runs, {"v": found}, "not drawn: x", 3)
        self.assertIn("| statements of the paper | held | 0 | 1 | 0 |", text)
        self.assertIn("| checks | outside | 1 | 0 | 0 |", text)
        self.assertIn("| 1 | 1 | A is slower. | **refuted** | **refuted** |", text)
        self.assertIn("| 0.1 | 3.00 ± 2.48 | 2.00 ± 2.48 |", text)
        self.assertIn("| 1.2 |  | *saturated*; serves 0.450 |", text)
        self.assertIn("| 1 | useful utilisation: b at 1.2 |  | ≤ 0.5 | 0.450 | 0.450 |", text)
        self.assertIn("not drawn: x.", text)
        self.assertIn("| 0.2 | 0.000 | 0.000 |", text)  # outside less held

    def test_what_is_of_one_reading_is_not_judged_under_the_other(self):
        found = measured(a1=point(2, 3, 4), a2=point(2, 3, 4), b1=point(1, 2, 3), b2=point(4, 5, 6),
                         b12=point(2, 2, 2, useful=0.45))
        view = {**VIEW, "check": [{**VIEW["check"][0], "readings": ["held"]}]}
        text = sweep_page.page(PLAN, [view], {"v": sweep.runs_of(PLAN, view, "standard")}, {"v": found}, "not drawn: x", 3)
        self.assertIn("| checks | held | 1 | 0 | 0 |", text)
        self.assertNotIn("| checks | outside |", text)
        self.assertIn("| 1 | 2 | B serves little. | **confirmed** | – |", text)
        self.assertIn("| ≤ 0.5 | 0.450 | – |", text)

    def test_what_a_claim_rests_on(self):
        for of, verdict, text in ((statistics.Interval(2, 1, more=True), "confirmed", "2.00 ± 1.00 *or more*"),
                                  (statistics.Interval(2, 1, less=True), "refuted", "2.00 ± 1.00 *or less* (refuted)"),
                                  (statistics.Interval(2, 1, True, True), "undecided",
                                   "2.00 ± 1.00 *or more* or *less* (undecided)"),
                                  (None, "confirmed", "all seeds"), (None, "undecided", "no mean (undecided)")):
            self.assertEqual(sweep_page.claim_cell(of, verdict), text)

    def test_what_the_other_reading_changes(self):
        found = measured(a1=point(2, 3, 4))
        found.metrics["outside", "a", 0.1] = measured(a1=point(3, 4, 5)).metrics["outside", "a", 0.1]
        self.assertEqual(sweep_page.difference_cell(found, "a", 0.1), "1.00")
        self.assertEqual(sweep_page.difference_cell(found, "b", 0.1), "")

    def test_curves_have_intervals(self):
        found = measured(a1=point(2, 3, 4), a2=point(1, 1, 1))
        self.assertEqual(plan_figures.sweep_curves(found, "held")["a"][1], (0.2, 1, 0))
        self.assertAlmostEqual(plan_figures.sweep_curves(found, "held")["a"][0][2], 2.484, 3)


class Ends(unittest.TestCase):
    """What a user sees whose words, or whose teff, are wrong: a sentence, no traceback."""

    def run_it(self, *words, **environment):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, BENCH / "plan.py", *words, "--output", folder], capture_output=True,
                                  text=True, check=False, timeout=300, env={**os.environ, "TEFF": TEFF, **environment})
            self.assertNotIn("Traceback", done.stderr)
            return done.returncode, done.stderr

    def test_sizes_that_the_page_would_be_wrong_with(self):
        for size, part in (("jobs=1", "jobs=1; allowed: at least 2"), ("load=0.3", "cannot have 'load'"),
                           ("wait=spin", "cannot have 'wait'")):
            code, said = self.run_it("run-queues/figure-7", "--size", size, "--repeat", "1")
            self.assertEqual(code, 2, said)
            self.assertIn(part, said)

    def test_a_teff_that_is_none(self):
        with tempfile.TemporaryDirectory() as folder:
            killed = Path(folder, "killed")
            killed.write_text("#!/bin/sh\n[ $1 = --version ] && exit 0\n[ $1 = simulate ] && kill -9 $$\n"
                              "[ $1 = compare ] && kill -9 $$\n"
                              "echo '{\"processors\": {\"usable\": {\"value\": 1}}}'\n")
            killed.chmod(0o755)
            for teff, code, part in (("/bin/false", 1, "'/bin/false doctor --json' ended with 1"),
                                     ("/bin/true", 1, "'/bin/true doctor --json' answers no JSON"),
                                     (str(killed), 137, "ended with -9")):
                self.assertEqual(self.run_it("figure-15", TEFF=teff)[0], code)
                self.assertIn(part, self.run_it("figure-15", TEFF=teff)[1])
            self.assertEqual(self.run_it("figure-15", "--processes", "1", TEFF="/bin/false")[0], 1)  # asks for the version first
            self.assertEqual(self.run_it("table-5", "--size", "k=3,f=0", TEFF=str(killed))[0], 137)


class Names(unittest.TestCase):
    PLANS = {"p": {"view": [{"name": "one"}, {"name": "two"}]}, "q": {"view": [{"name": "two"}]}}

    def test_a_view_of_several_plans_needs_its_plan(self):
        self.assertEqual(plan.names_of(self.PLANS), ["p", "one", "p/two", "q", "q/two"])
        self.assertEqual(plan.find_plan("p", self.PLANS), ("p", None))
        self.assertEqual(plan.find_plan("one", self.PLANS), ("p", "one"))
        self.assertEqual(plan.find_plan("p/one", self.PLANS), ("p", "one"))
        self.assertEqual(plan.find_plan("q/two", self.PLANS), ("q", "two"))
        with self.assertRaisesRegex(plan.PlanError, "'two' is in several plans; allowed: p/two, q/two"):
            plan.find_plan("two", self.PLANS)
        with self.assertRaisesRegex(plan.PlanError, "unknown plan 'q/one'; allowed: p, one, p/two, q, q/two"):
            plan.find_plan("q/one", self.PLANS)


class TheStudy(unittest.TestCase):
    """bench/plans/run-queues.toml"""

    PLAN = plan.load_plans()["run-queues"]

    def test_has_the_figures_and_statements(self):
        names = {view["name"] for view in self.PLAN["view"]}
        self.assertLessEqual({f"figure-{each}" for each in (3, 4, 7, 8, 9, 10, 11, 12, 13, 14, 15)}, names)
        self.assertGreaterEqual(sum(len(view.get("statement", [])) for view in self.PLAN["view"]), 25)

    def test_every_curve_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            runner = sweep.Runner(TEFF, Path(folder), 1)
            first = {}
            for view in self.PLAN["view"]:
                for run in sweep.runs_of(self.PLAN, view, "jobs=3,warmup=1"):
                    first.setdefault((view["group"], run.curve), run)
            self.assertEqual(len(first), sum(len(group["curve"]) for group in self.PLAN["group"].values()))
            for run in first.values():
                metrics = runner.record_of((*run.words, "--seed", "1"))["records"][0]["metrics"]
                self.assertGreater(metrics["response_mean"], 0, run)

    def test_a_figure_writes_its_page(self):
        with tempfile.TemporaryDirectory() as folder:
            words = ["figure-15", "--size", "jobs=3,warmup=1", "--repeat", "2", "--output", folder]
            wishes = plan.parse(words, {"run-queues": self.PLAN})
            text = plan.run_sweep("run-queues", self.PLAN, "figure-15", wishes).read_text()
            self.assertIn("## Figure 15", text)
            self.assertNotIn("## Figure 14", text)
            self.assertIn("seeds 1 to 2, 24 points", text)
            drawn = list(Path(folder).glob("run-queues-figure-15-*.svg"))
            self.assertEqual(len(drawn), 0 if plan.NOT_DRAWN in text else 2)


if __name__ == "__main__":
    unittest.main()
