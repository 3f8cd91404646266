#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plans: what they compute from records, that each of them runs, and what they refuse."""

import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))

import plan  # noqa: E402
import plan_figures  # noqa: E402
import plan_page  # noqa: E402
import plan_programs  # noqa: E402
import plan_scale  # noqa: E402
import plan_suite  # noqa: E402
import plan_sweep  # noqa: E402

TEFF = os.environ.get("TEFF", "build/release/cli/teff")


def record(pool, memory, workers, *seconds):
    return {"pool": pool, "memory": memory, "workers_asked": workers, "seconds": list(seconds), "serial_seconds": 10.0}


RECORDS = [record("a", "x", 1, 4, 5, 9), record("a", "y", 1, 3, 4, 8), record("b", "x", 1, 7), record("b", "y", 1, 8),
           record("a", "x", 2, 1)]


def measured_plans():
    """Returns: the plans that are neither sweeps, suites, of programs nor of scale, which have tests of their own."""
    return {name: content for name, content in plan.load_plans().items()
            if not plan_sweep.is_sweep(content) and not plan_suite.is_suite(content)
            and not plan_programs.is_programs(content) and not plan_scale.is_scale(content)}


def run(*words, **environment):
    return subprocess.run([sys.executable, BENCH / "plan.py", *words], capture_output=True, text=True, check=False, timeout=300,
                          env={**os.environ, "TEFF": TEFF, **environment})


class Computes(unittest.TestCase):
    def test_pools_at_their_best_manager(self):
        best = plan_page.best_over_managers(RECORDS, 1)
        self.assertEqual({pool: each["memory"] for pool, each in best.items()}, {"a": "y", "b": "x"})

    def test_managers_averaged_over_pools(self):
        self.assertEqual(plan_page.average_over_pools(RECORDS, 1), {"x": 6, "y": 6})
        self.assertEqual(plan_page.average_over_pools(RECORDS, 1, "a"), {"x": 5, "y": 4})

    def test_agreement_tells_same_near_and_reversed(self):
        ours = {"a": 1.0, "b": 1.02, "c": 3.0, "d": 2.0}
        published = {"a": 10, "b": 20, "c": 30, "d": 40, "absent": 50}
        same, ties, wrong = plan_page.agreement(ours, published, 0.05)
        self.assertEqual((same, ties, wrong), (4, 1, [("c", "d")]))

    def test_what_the_paper_does_not_separate_has_no_order(self):
        self.assertEqual(plan_page.agreement({"a": 1, "b": 9}, {"a": 1.0, "b": 1.005}, 0.01), (0, 0, []))

    def test_only_pools_of_the_paper_come_into_its_tables(self):
        self.assertEqual(len(plan.PUBLISHED_POOLS), 16)
        for name, content in measured_plans().items():
            for part in content["measure"] + [view for view in content["view"] if "pools" in view]:
                self.assertLessEqual(set(plan.pools_of(part)), set(plan.PUBLISHED_POOLS), name)

    def test_seeds_are_merged(self):
        sets = [{"records": [record("a", "x", 1, each)]} for each in (1, 2, 3)]
        self.assertEqual(plan.merged(sets)["records"][0]["seconds"], [1, 2, 3])

    def test_natively_no_more_workers_than_processors(self):
        self.assertEqual(plan.chosen_workers({"side": "native", "workers": [1, 2, 4, 8]}, 2), [1, 2])
        self.assertEqual(plan.chosen_workers({"side": "simulated", "workers": [1, 22]}, 2), [1, 22])

    def test_seeds_of_simulated_measures_move_something(self):
        measure = {"side": "simulated", "pools": ["teff"], "memories": "clf"}
        words = plan.command_of({"workload": "fib"}, measure, "tiny", [1, 2], 3, 5)
        self.assertEqual(words[words.index("--seed") + 1], "3")
        self.assertEqual(words[-4:], ["--machine", "generic", "--machine", "access_jitter=1"])
        words = plan.command_of({"workload": "fib"}, {**measure, "machine": "a.toml", "costs": ["park=0"]}, "tiny", [1, 2], 3, 5)
        self.assertEqual(words[-6:], ["--machine", "a.toml", "--machine", "park=0", "--machine", "access_jitter=1"])
        self.assertNotIn("--machine", plan.command_of({"workload": "fib"}, {**measure, "side": "native"}, "tiny", [1, 2], 3, 5))

    def test_what_perf_writes(self):
        text = "# started\n\n1234,,L1-dcache-load-misses:u,99,100.00,,\n56,,LLC-load-misses,99,100.00,,\n"
        self.assertEqual(plan.counts_in(text), [1234, 56])
        self.assertIsNone(plan.counts_in(text.replace("56", "<not supported>")))


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_every_plan_writes_its_page(self):
        for name, content in measured_plans().items():
            repeat = "1" if name == "sun-fire" else "2"  # thousands of runs, each as often
            done = run(name, "--size", "k=5,f=0", "--repeat", repeat, "--output", str(self.folder))
            self.assertEqual(done.returncode, 0, done.stderr)
            page = (self.folder / f"{name}.md").read_text()
            for view in content["view"]:
                self.assertIn(f"## {view['title']}", page)
            for each in content["measure"]:
                records = json.loads((self.folder / f"{name}-{each['name']}.json").read_text())["records"]
                self.assertTrue(all(len(one["seconds"]) == int(repeat) for one in records))
        # All published names are there.
        page = (self.folder / "linux-pc.md").read_text()
        self.assertEqual(len(re.findall(r"\| \+\d+\.\d %? ?\|$", page, re.M)), 2 * 19 + 2 * 16)

    def test_cache_misses_where_perf_counts(self):
        fake = self.folder / "perf"
        # One of nineteen managers has as many more as there are managers.
        fake.write_text('#!/bin/sh\nn=6\ncase "$*" in *"--memory bs "*) n=25 ;; esac\n'
                        'echo "$n,,L1-dcache-load-misses,1,100,," >&2\necho "1234,,LLC-load-misses,1,100,," >&2\n')
        fake.chmod(0o755)
        for table, plan_name in (("table-6", "linux-pc"), ("table-9", "e420r")):
            done = run(table, "--size", "k=5,f=0", "--repeat", "1", "--output", str(self.folder),
                       PATH=f"{self.folder}:{os.environ['PATH']}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("| dq8 | 1 | 7 | 1,234 |", (self.folder / f"{plan_name}.md").read_text())


class Draws(unittest.TestCase):
    MEASURED = {"workers": [1, 2], "set": {"records": [*RECORDS, record("b", "y", 2, 2)]}}

    def test_curves_of_pools_are_of_their_best_managers(self):
        self.assertEqual(plan_figures.pool_curves(self.MEASURED), {"a": [(1, 1.0), (2, 4.0)], "b": [(1, 4 / 7), (2, 2.0)]})

    def test_curves_of_managers(self):
        view = {"name": "figure-1", "kind": "managers", "pool": "b"}
        self.assertEqual(plan_figures.manager_curves(view, self.MEASURED), {"x": [(1, 7)], "y": [(1, 8), (2, 2)]})

    def test_only_speed_ups_of_the_paper_are_among_speed_ups(self):
        view = {"kind": "pools", "published": {"4": {"a": 3.5, "b": 2.5}}}
        self.assertEqual(plan_figures.published_points(view), [(4, 3.5), (4, 2.5)])
        self.assertEqual(plan_figures.published_points({**view, "published_unit": "over the best"}), [])

    def test_each_figure_is_drawn_or_the_page_says_why_not(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "matplotlib.py").write_text("raise ImportError('hidden')\n")
            words = ("e420r/figure-7", "--size", "k=5,f=0", "--repeat", "1", "--output", name)
            self.assertEqual(run(*words, PYTHONPATH=name).returncode, 0)
            self.assertEqual((folder / "e420r.md").read_text().count("not drawn: there is no matplotlib"), 4)
            if importlib.util.find_spec("matplotlib") is None:
                return  # nothing could draw; the sentence was tested
            self.assertEqual(run(*words).returncode, 0)
            drawn = re.findall(r"!\[.*\]\((.*)\)", (folder / "e420r.md").read_text())
            self.assertEqual(sorted(drawn), [f"e420r-figure-{figure}-{side}.svg"
                                             for figure in (7, 8) for side in ("native", "simulated")])
            self.assertTrue(all("</svg>" in (folder / each).read_text() for each in drawn))


class Refuses(unittest.TestCase):
    def test_wrong_words(self):
        for words, part in ((["table-99"], "allowed: "), (["table-5", "--size", "huge"], "standard, paper"),
                            (["table-5", "--repeat", "0"], "1 ... 1000"), (["figure-7"], "e420r/figure-7, run-queues/figure-7"),
                            (["figure-12", "--processes", "0"], "1 ... 1024"),
                             (["figure-12", "--size", "jobs=3,huge"], "standard, paper"),
                            (["sun-fire/figure-7"], "allowed: "), (["--nonsense"], "nonsense")):
            done = run(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(part, done.stderr)

    def test_a_run_that_fails_writes_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("table-5", "--size", "k=0", "--output", folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn("k", done.stderr)
            self.assertEqual(list(Path(folder).iterdir()), [])


if __name__ == "__main__":
    unittest.main()
