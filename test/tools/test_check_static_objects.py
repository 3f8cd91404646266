#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles static objects of several kinds and expects exactly those to be named whose making takes a lock."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_static_objects.py"

HARMLESS = """
#include <string>
struct constant { constexpr constant() = default; int value = 1; };
int in_function() { static constinit constant kept; return ++kept.value; }
inline const std::string of_header = std::to_string(in_function());
int length() { return int(of_header.size()); }
"""
PLANTED = """
#include <string>
namespace planted { int length() { static std::string kept = std::to_string(7); return int(kept.size()); } }
"""


class StaticObjects(unittest.TestCase):
    def check(self, *sources):
        with tempfile.TemporaryDirectory() as folder:
            objects = []
            for number, source in enumerate(sources):
                text, made = Path(folder, f"{number}.cpp"), Path(folder, f"{number}.o")
                text.write_text(source)
                subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-c", text, "-o", made], check=True)
                objects.append(made)
            archive = Path(folder, "tried.a")
            subprocess.run(["ar", "rc", archive, *objects], check=True)
            return subprocess.run([sys.executable, TOOL, archive], capture_output=True, text=True)

    def test_finds_what_is_planted_and_nothing_else(self):
        result = self.check(HARMLESS, PLANTED)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("1.o: a lock is held", result.stdout)
        self.assertIn("planted::length()::kept", result.stdout)
        self.assertNotIn("0.o", result.stdout)

    def test_is_content_without_such_objects(self):
        result = self.check(HARMLESS)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("1 archives, 0 parts", result.stdout)

    def test_says_that_there_is_nothing_to_look_at(self):
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([sys.executable, TOOL, "--build", folder], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("build first", result.stderr)


if __name__ == "__main__":
    unittest.main()
