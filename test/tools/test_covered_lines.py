#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sums of lines that ran, with the compiler's tools made up."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "covered_lines.py"


def counted(line, column, count):
    return [line, column, count, True, True, False]


def goes_on(line, column, count):
    return [line, column, count, True, False, False]


def gap(line, column, count):
    return [line, column, count, True, False, True]


def ends(line, column):
    return [line, column, 0, False, False, False]


class CoveredLines(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        self.build = self.folder / "build"
        self.source = self.folder / "src"
        (self.build / "profiles").mkdir(parents=True)
        (self.source / "pool").mkdir(parents=True)
        (self.source / "pool" / "a.h").write_text("one\ntwo\nthree\n  }  \n")
        (self.source / "b.cpp").write_text("first\nsecond\n")
        self.command("llvm-profdata-19", "exit 0")
        # The third word from the end is the profile, the last but one the program: each tells what stands in a file beside it.
        self.command("llvm-cov-19", 'while [ $# -gt 2 ]; do shift; done; cat "$1.json"')

    def command(self, name, text):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def program(self, name, told, content=b"\x7fELF...__llvm_covfun..."):
        """`told`: by file, its segments: line, column, count, whether it is counted, begins a region, is a gap."""
        path = self.build / name
        path.write_bytes(content)
        path.chmod(0o755)
        files = [{"filename": str(file), "segments": segments} for file, segments in told.items()]
        (self.build / f"{name}.json").write_text(json.dumps({"data": [{"files": files}]}))

    def run_tool(self):
        return subprocess.run([sys.executable, TOOL, self.build, self.source], text=True, capture_output=True, check=False,
                              env={**os.environ, "PATH": f"{self.folder}:/usr/bin:/bin"})

    def test_a_line_ran_if_one_program_ran_it(self):
        (self.build / "profiles" / "1.profraw").touch()
        header, other = self.source / "pool" / "a.h", self.folder / "test" / "c.cpp"
        self.program("native", {header: [counted(1, 1, 7), counted(2, 1, 0), ends(4, 4)], other: [counted(1, 1, 0), ends(1, 9)]})
        self.program("simulated", {header: [counted(2, 1, 1), counted(3, 1, 0), ends(3, 6)],
                                   self.source / "b.cpp": [counted(2, 1, 4), ends(2, 7)]})
        self.program("script", {header: [counted(3, 1, 1), ends(3, 6)]}, b"#!/bin/sh\n__llvm_covfun")
        done = self.run_tool()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line.split() for line in done.stdout.splitlines()[1:-1]],
                         [["src", "1", "1", "0", "100.00"], ["src/pool", "3", "2", "1", "66.67"], ["all", "4", "3", "1", "75.00"]])
        self.assertEqual((self.build / "uncovered.txt").read_text(), "src/pool/a.h:3: three\n")

    def uncovered(self, text, segments):
        """Returns: the numbers of the lines of such a file that were not run."""
        (self.build / "profiles" / "1.profraw").touch()
        file = self.source / "b.cpp"
        file.write_text(text)
        self.program("native", {file: segments})
        done = self.run_tool()
        self.assertEqual(done.returncode, 0, done.stderr)
        return [int(line.split(":")[1]) for line in (self.build / "uncovered.txt").read_text().splitlines()]

    def test_a_line_behind_a_block_with_a_return_is_counted_though_nothing_begins_on_it(self):
        text = "void f() {\n  {\n    if (x) return;\n  }\n  g();\n}\n"
        behind = [counted(1, 10, 5), counted(2, 3, 5), counted(3, 12, 2), goes_on(3, 18, 5), gap(4, 4, 0)]
        self.assertEqual(self.uncovered(text, [*behind, goes_on(5, 3, 3), ends(6, 2)]), [])
        self.assertEqual(self.uncovered(text, [*behind, goes_on(5, 3, 0), ends(6, 2)]), [5])

    def test_a_difference_below_0_is_no_run(self):
        text = "void f() {\n  a();\n  b();\n  return c ? d : e;\n}\n"
        below, part_below = counted(3, 3, 2**63 - 1), counted(4, 18, 2**63 - 1)
        self.assertEqual(self.uncovered(text, [counted(1, 10, 5), below, counted(4, 3, 5), part_below, ends(5, 2)]), [3])

    def test_of_a_line_that_begins_a_block_the_brace_is_counted(self):
        text = "void f() {\n  if (a) {\n    b();\n  } else {\n    c();\n  }\n}\nvoid g() {\n  d();\n}\n"
        segments = [counted(1, 10, 5), gap(2, 9, 5), counted(2, 10, 5), gap(4, 4, 5), counted(4, 10, 0), goes_on(6, 4, 5), ends(7, 2),
                    counted(8, 10, 0), ends(10, 2)]
        self.assertEqual(self.uncovered(text, segments), [4, 5, 8, 9])

    def test_says_so_if_no_program_was_run(self):
        done = self.run_tool()
        self.assertEqual(done.returncode, 2)
        self.assertIn("no program of", done.stderr)


if __name__ == "__main__":
    unittest.main()
