#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sums of lines that ran, with the compiler's tools made up."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "covered_lines.py"


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
        self.command("llvm-cov-19", 'while [ $# -gt 2 ]; do shift; done; cat "$1.lcov"')

    def command(self, name, text):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def program(self, name, told, content=b"\x7fELF...__llvm_covfun..."):
        path = self.build / name
        path.write_bytes(content)
        path.chmod(0o755)
        (self.build / f"{name}.lcov").write_text(told)

    def run_tool(self):
        return subprocess.run([sys.executable, TOOL, self.build, self.source], text=True, capture_output=True, check=False,
                              env={**os.environ, "PATH": f"{self.folder}:/usr/bin:/bin"})

    def test_a_line_ran_if_one_program_ran_it(self):
        (self.build / "profiles" / "1.profraw").touch()
        header, other = self.source / "pool" / "a.h", self.folder / "test" / "c.cpp"
        self.program("native", f"SF:{header}\nDA:1,7\nDA:2,0\nDA:3,0\nDA:4,0\nend_of_record\nSF:{other}\nDA:1,0\nend_of_record\n")
        self.program("simulated", f"SF:{header}\nDA:2,1\nDA:3,0\nend_of_record\nSF:{self.source / 'b.cpp'}\nDA:2,4\nend_of_record\n")
        self.program("script", f"SF:{header}\nDA:3,1\n", b"#!/bin/sh\n__llvm_covfun")
        done = self.run_tool()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line.split() for line in done.stdout.splitlines()[1:-1]],
                         [["src", "1", "1", "0", "100.00"], ["src/pool", "3", "2", "1", "66.67"], ["all", "4", "3", "1", "75.00"]])
        self.assertEqual((self.build / "uncovered.txt").read_text(), "src/pool/a.h:3: three\n")

    def test_says_so_if_no_program_was_run(self):
        done = self.run_tool()
        self.assertEqual(done.returncode, 2)
        self.assertIn("no program of", done.stderr)


if __name__ == "__main__":
    unittest.main()
