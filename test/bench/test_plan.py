#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plans: what they compute from records, that each of them runs, and what they refuse."""

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
import plan_page  # noqa: E402

TEFF = os.environ.get("TEFF", "build/release/cli/teff")


def record(pool, memory, workers, *seconds):
    return {"pool": pool, "memory": memory, "workers_asked": workers, "seconds": list(seconds), "serial_seconds": 10.0}


RECORDS = [record("a", "x", 1, 4, 5, 9), record("a", "y", 1, 3, 4, 8), record("b", "x", 1, 7), record("b", "y", 1, 8),
           record("a", "x", 2, 1)]


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
        for name, content in plan.load_plans().items():
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
        self.assertEqual(words[words.index("--machine") + 1].split("=")[0], "access_jitter")
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
        for name, content in plan.load_plans().items():
            done = run(name, "--size", "k=5,f=0", "--repeat", "2", "--output", str(self.folder))
            self.assertEqual(done.returncode, 0, done.stderr)
            page = (self.folder / f"{name}.md").read_text()
            for view in content["view"]:
                self.assertIn(f"## {view['title']}", page)
            for each in content["measure"]:
                records = json.loads((self.folder / f"{name}-{each['name']}.json").read_text())["records"]
                self.assertTrue(all(len(one["seconds"]) == 2 for one in records))

    def test_all_published_names_are_in_the_page(self):
        done = run("table-8", "--size", "k=5,f=0", "--repeat", "1", "--output", str(self.folder))
        self.assertEqual(done.returncode, 0, done.stderr)
        page = (self.folder / "linux-pc.md").read_text()
        self.assertEqual(len(re.findall(r"\| \+\d+\.\d %? ?\|$", page, re.M)), 2 * 19 + 2 * 16)

    def test_cache_misses_where_perf_counts(self):
        fake = self.folder / "perf"
        fake.write_text('#!/bin/sh\necho "7,,L1-dcache-load-misses,1,100,," >&2\necho "1234,,LLC-load-misses,1,100,," >&2\n')
        fake.chmod(0o755)
        done = run("table-6", "--size", "k=5,f=0", "--output", str(self.folder), PATH=f"{self.folder}:{os.environ['PATH']}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| dq8 | 1 | 7 | 1,234 |", (self.folder / "linux-pc.md").read_text())


class Refuses(unittest.TestCase):
    def test_wrong_words(self):
        for words, part in ((["table-99"], "allowed: "), (["table-5", "--size", "huge"], "standard, paper"),
                            (["table-5", "--repeat", "0"], "1 ... 1000"), (["--nonsense"], "nonsense")):
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
