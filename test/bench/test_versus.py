#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""./dev bench versus: what its tables compute from records, how it chooses sizes, and what it refuses."""

import subprocess
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))

import versus  # noqa: E402
import versus_tables as tables  # noqa: E402


def record(seconds, units=1, **other):
    return {"units": units, "runs": [{"seconds": each, "cpu_seconds": each} for each in seconds], "told": {},
            "peak_bytes": 5 * tables.MEGABYTE, "data_bytes": tables.MEGABYTE, "tasks_by_thread": [], **other}


def case(peer, threads, *seconds, form="form", workload="fib", units=1, **other):
    made = versus.Case(workload, peer, form, threads)
    made.size = "n=1"
    made.records = {number: record([each], units, **other) for number, each in enumerate(seconds)}
    return made


def refused(*words):
    done = subprocess.run([sys.executable, BENCH / "versus.py", *words], capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stderr.strip(), done.stdout


class Computes(unittest.TestCase):
    def test_ratios_are_those_of_the_same_round(self):
        teff, other = case("teff", 1, 1, 2, 4), case("rayon", 1, 3, 4, 4)
        self.assertEqual(tables.ratios(other, teff), [3, 2, 1])
        other.records[1] = None
        self.assertEqual(tables.ratios(other, teff), [3, 1])

    def test_times_are_per_unit_so_that_sizes_may_differ(self):
        self.assertEqual(tables.times_of(case("teff", 1, 2, units=4)), {0: 5e8})

    def test_spread_is_the_quartiles(self):
        self.assertEqual(tables.with_spread([1, 2, 3, 4, 5]), "3.00 (2.00–4.00)")
        self.assertEqual(tables.with_spread([12345.6]), "12,346")
        self.assertEqual(tables.with_spread([]), "–")

    def test_memory_leaves_out_the_data(self):
        self.assertEqual(tables.megabytes(case("teff", 1, 1)), 4)

    def test_the_reference_is_the_first_form_on_as_many_threads(self):
        cases = [case("teff", 1, 9), case("teff", 2, 1, form="a"), case("teff", 2, 2, form="b"), case("onetbb", 2, 3)]
        table = tables.table_of("fib", cases)
        self.assertRegex(table, r"onetbb +\| form +\| 2 +\| n=1 +\| 3,000,000,000 +\| 3\.00 ")

    def test_a_wrong_result_has_no_figure(self):
        wrong = case("onetbb", 1, 1)
        wrong.trouble = "wrong result: fib by onetbb: no"
        table = tables.table_of("fib", [case("teff", 1, 1), wrong])
        self.assertIn("wrong result", table)
        self.assertEqual(table.count("1,000,000,000"), 2)  # time and processor time of the other one

    def test_threads_that_ran_tasks(self):
        shown = case("teff", 2, 1)
        shown.evidence = record([], tasks_by_thread=[30, 10])
        self.assertEqual(tables.evidence_of(shown), "40 by 2 (75 + 25 %)")


class Bars(unittest.TestCase):
    def lines(self, cases):
        return {bar.line()[0]: bar.line()[-1] for bar in tables.bars_of_workload(cases[0].workload, cases)}

    def test_fib(self):
        lines = self.lines([case("teff", 1, 2), case("teff", 2, 1), case("serial", 1, 1), case("rayon", 1, 7),
                            case("rayon", 2, 2)])
        self.assertEqual(lines["fib, 1 threads: time / serial"], "met")
        self.assertEqual(lines["fib, 1 threads: time / rayon's"], "met")
        self.assertEqual(lines["fib, 2 threads: time / rayon's"], "missed")
        self.assertEqual(lines["fib, 1 threads: time / oneTBB's"], "unmet: no figures of onetbb")
        self.assertEqual(lines["fib: T1 / T2"], "met")

    def test_the_best_peer_is_the_bar(self):
        cases = [case("teff", 1, 1.04, workload="uts"), case("rayon", 1, 1, workload="uts"), case("libomp", 1, 9, workload="uts")]
        self.assertEqual(self.lines(cases)["uts, 1 threads: time / that of the best peer, rayon"], "met")

    def test_idle(self):
        teff = case("teff", 2, 1, workload="idle", idle={"cpu_share": 0.02, "switches": 1})
        self.assertEqual(tables.idle_bar([teff]).line()[-1], "missed")


class Chooses(unittest.TestCase):
    def chosen(self, nanoseconds, seconds=10):
        made = versus.Case("fib", "teff", "form", 1)
        made.run = lambda *words: record([versus.FIB[words[1]] * nanoseconds * 1e-9], versus.FIB[words[1]])
        versus.choose_size(made, SimpleNamespace(size="standard", seconds=seconds))
        return made.size

    def test_who_is_fast_gets_the_standard_size(self):
        self.assertEqual(self.chosen(2), "n=37")

    def test_who_is_slow_gets_a_smaller_one(self):
        self.assertEqual(self.chosen(400), "n=34")
        self.assertEqual(self.chosen(1e6), "n=25")

    def test_names_keep_their_order(self):
        self.assertEqual(versus.names_in("--peers", "rayon,teff", list(versus.PEERS)), ["teff", "rayon"])


class Refuses(unittest.TestCase):
    def check(self, sentence, *words):
        code, said, printed = refused(*words)
        self.assertEqual((code, printed), (2, ""))
        self.assertIn(sentence, said)

    def test_numbers(self):
        self.check("--threads cannot have '0'; allowed: numbers from 1 to 256, as 1,2", "--threads", "0")
        self.check("--rounds cannot be 'x'; allowed: 1 ... 1000", "--rounds", "x")
        self.check("--seconds cannot be '0'; allowed: 1 ... 3600", "--seconds", "0")

    def test_names(self):
        self.check("--workloads cannot name 'fob'; allowed: fib, ", "--workloads", "fib,fob")
        self.check("--peers cannot name 'cilk'; allowed: serial, teff, ", "--peers", "cilk")

    def test_files(self):
        self.check("--lace cannot be '/nonexistent': there is no include/lace.h in it", "--lace", "/nonexistent")
        self.check("--json cannot be '/nonexistent/x': No such file or directory", "--json", "/nonexistent/x")

    def test_unknown_options(self):
        self.check("unrecognized arguments: --round", "--round", "5")


if __name__ == "__main__":
    unittest.main()
