#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""./dev bench openmp: what its lines are computed from, what it refuses, and that it tells a wrong result."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH))

import openmp  # noqa: E402


def pair(gcc, teff):
    return {"ns": gcc, "by_member": [1], "peak_kib": 2000}, {"ns": teff, "by_member": [3, 4], "peak_kib": 1953.125}


def refused(*words):
    done = subprocess.run([sys.executable, BENCH / "openmp.py", *words], capture_output=True, text=True, check=False)
    return done.returncode == 2 and done.stderr


class Tables(unittest.TestCase):
    def test_the_ratio_is_the_median_of_pairs(self):
        row = openmp.summary(("fib", 2), [pair(100, 50), pair(10, 20), pair(1000, 600)])
        self.assertEqual((row["gcc_ns"], row["teff_ns"], row["ratio"]), (100, 50, 0.6))
        self.assertEqual((row["by_member"], row["teff_mb"]), ([3, 4], 2))

    def test_one_round_has_quartiles_too(self):
        self.assertEqual(openmp.summary(("fib", 1), [pair(10, 20)])["ratio_quartiles"], [2, 2])


class Words(unittest.TestCase):
    def test_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "libgomp.so.1").touch()
            for words, part in [
                (["--only", "fbi"], "'fbi'"),
                (["--threads", "0"], "'0'"),
                (["--threads", "two"], "'two'"),
                (["--rounds", "0"], "'0'"),
                (["--json", folder], "no file can be written"),
                (["--json", f"{folder}/no/x"], "no file can be written"),
            ]:
                with self.subTest(words):
                    self.assertIn(part, refused("--library", folder, *words))
        self.assertIn("there is no libgomp.so.1", refused("--library", "/no/such/folder"))


class Names(unittest.TestCase):
    def test_a_group_is_its_benchmarks(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "libgomp.so.1").touch()
            words = openmp.parse(["--library", folder, "--only", "arrays,fib"])
        self.assertEqual(words.only, "private,firstprivate,copyprivate,threadprivate,copyin,fib")

    def test_the_program_has_each_of_them(self):
        text = (BENCH / "openmp/main.c").read_text()
        self.assertEqual(sorted(re.findall(r'\{"(\w+)", measure_\w+\}', text)), sorted(openmp.NAMES))

    def test_the_new_ones_run_on_gccs_library(self):
        with tempfile.TemporaryDirectory() as folder:
            program = openmp.build(Path(folder))
            for name in ("lock", "atomic", "static_8", "conditional", "leaf_tree"):
                self.assertGreater(openmp.run([program], name, None, 1, "")["ns"], 0)


class Runs(unittest.TestCase):
    def test_a_word_that_the_library_does_not_know(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program"
            program.write_text("#!/bin/sh\necho 'TEFF_POOL cannot be nope' >&2\necho '{}'\n")
            program.chmod(0o755)
            with self.assertRaisesRegex(openmp.Refused, "--pool cannot be 'nope'"):
                openmp.run([program], "fib", Path(folder), 1, "nope")

    def ended_by(self, raised, pairs_until_then):
        """Returns: the exit code, and what then stands in the file, which was "before"."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "libgomp.so.1").touch()
            record = Path(folder) / "x.json"
            record.write_text('"before"')

            def measure(program, words, pairs):
                pairs["fib", 1].extend(pairs_until_then)
                raise raised

            words = ["openmp.py", "--library", folder, "--only", "fib,barrier", "--threads", "1", "--json", str(record)]
            with unittest.mock.patch.multiple(openmp, measure=measure, build=lambda folder: None), \
                    unittest.mock.patch.object(sys, "argv", words):
                return openmp.main(), json.loads(record.read_text())

    def test_what_was_measured_until_something_went_wrong_is_told(self):
        for raised, code in ((KeyboardInterrupt(), 130), (openmp.Wrong("exit code 1"), 1)):
            found, rows = self.ended_by(raised, [pair(10, 20)])
            self.assertEqual((found, [(row["name"], row["ratio"]) for row in rows]), (code, [("fib", 2)]))
            self.assertEqual(self.ended_by(raised, []), (code, "before"))

    def test_an_iteration_in_the_place_of_another(self):
        with tempfile.TemporaryDirectory() as folder:
            for each in (BENCH / "openmp").iterdir():
                text = each.read_text()
                (Path(folder) / each.name).write_text(text.replace("work_in_iteration(i)", "work_in_iteration(i | 1)"))
            program = Path(folder) / "program"
            subprocess.run(["gcc", "-O2", "-fopenmp", "-o", program, *sorted(Path(folder).glob("*.c"))], check=True)
            for name in ("static", "static_8", "dynamic_8", "guided_8"):
                with self.assertRaisesRegex(openmp.Wrong, "an iteration ran in the place of another"):
                    openmp.run([program], name, None, 2, "")

    def test_a_program_that_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program"
            program.write_text("#!/bin/sh\necho wrong result: fib >&2\nexit 1\n")
            program.chmod(0o755)
            with self.assertRaisesRegex(openmp.Wrong, "fib, 2 threads, gcc: exit code 1: wrong result: fib"):
                openmp.run([program], "fib", None, 2, "")


if __name__ == "__main__":
    unittest.main()
