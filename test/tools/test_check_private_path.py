#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles functions with the names of the private path, and expects exactly the planted instruction or call to be named."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_private_path.py"

SOURCE = """
namespace teff::native {
int elsewhere = 0;
[[gnu::noinline]] void unnamed() { asm volatile("nop"); }
namespace pool { struct private_public {}; struct threshold {}; struct split_deques {}; }
namespace workers {
struct team_base { [[gnu::noinline]] void execute(); };
void team_base::execute() { asm volatile("nop"); }
template <class Pool> struct team_of : team_base {
  [[gnu::noinline]] static void put(int* word) { PUT; *word = 1; }
  [[gnu::noinline]] void search(int* word) { __atomic_fetch_add(word, 1, __ATOMIC_SEQ_CST); }
  [[gnu::noinline]] void work(int* word) { put(word); WORK; execute(); if (*word == 2) search(word); }
};
template struct team_of<pool::private_public>;
template struct team_of<pool::threshold>;
template struct team_of<pool::split_deques>;
}
}
int main() { TEAMS }
"""
TEAMS = "".join(
    f"teff::native::workers::team_of<teff::native::pool::{pool}>().work(&teff::native::elsewhere);"
    for pool in ("private_public", "threshold", "split_deques")
)


def check(put="", work="", teams=TEAMS):
    """Exit code and output of the tool for a binary with these statements planted."""
    with tempfile.TemporaryDirectory() as folder:
        source, binary = Path(folder) / "planted.cpp", Path(folder) / "planted"
        text = SOURCE.replace("PUT", put).replace("WORK", work).replace("TEAMS", teams)
        source.write_text(text if teams else "int main() {}")
        subprocess.run([os.environ.get("CXX", "c++"), "-std=c++20", "-O2", "-o", binary, source], check=True)
        ran = subprocess.run([sys.executable, TOOL, binary], capture_output=True, text=True)
        return ran.returncode, ran.stdout + ran.stderr


class PrivatePath(unittest.TestCase):
    def test_plain_path_passes(self):
        code, output = check()
        self.assertEqual(code, 0, output)
        self.assertIn("dq8: 3 functions", output)

    def test_read_modify_write_is_named(self):
        code, output = check(put="__atomic_fetch_add(word, 1, __ATOMIC_RELAXED)")
        self.assertEqual(code, 1, output)
        self.assertIn("lock", output)
        self.assertIn("::put(int*)", output)

    def test_sequentially_consistent_store_is_named(self):
        code, output = check(work="__atomic_store_n(word, 3, __ATOMIC_SEQ_CST)")
        self.assertEqual(code, 1, output)
        self.assertIn("xchg", output)

    def test_unknown_callee_is_named(self):
        code, output = check(work="unnamed()")
        self.assertEqual(code, 1, output)
        self.assertIn("calls teff::native::unnamed()", output)

    def test_binary_without_the_functions_is_refused(self):
        code, output = check(teams="")
        self.assertEqual(code, 2, output)


if __name__ == "__main__":
    unittest.main()
