#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tools/openmp_arguments.py: it finds a function that reads what gcc leaves out."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/openmp_arguments.py"
sys.path.insert(0, str(TOOL.parent))

import openmp_arguments as tool  # noqa: E402

ENTRY = """
TEFF_ENTRY void GOMP_parallel_loop_static(task_function function, void* data, unsigned threads, long first, long end, long step,
                                          long chunk{flags}) {{
  run(function);
}}
TEFF_ENTRY bool GOMP_task(task_function function, void (*copy)(void*, void*), bool deferred, void**, int, handle) {{
  return true;
}}
TEFF_SAME(GOMP_old_task, GOMP_task);
"""
AUTOMATIC = """
void work(long);
void loop(void) {
#pragma omp parallel for schedule(auto)
  for (long i = 0; i < 100; ++i) work(i);
}
"""


class Tool(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def entries(self, flags):
        (self.folder / "entry.cpp").write_text(ENTRY.format(flags=flags), encoding="utf-8")
        return tool.parameters_of_entries(self.folder)

    def test_parameters_without_names_are_not_read(self):
        entries = self.entries(", unsigned")
        self.assertEqual(entries, {"GOMP_parallel_loop_static": (8, 7), "GOMP_task": (6, 3), "GOMP_old_task": (6, 3)})
        self.assertEqual(self.entries(", unsigned flags")["GOMP_parallel_loop_static"], (8, 8))

    def test_what_gcc_leaves_out_is_found(self):
        program = self.folder / "automatic.c"
        program.write_text(AUTOMATIC, encoding="utf-8")
        for level in "0", "2":
            calls = tool.calls_of(program, level, self.folder)
            self.assertIn(("GOMP_parallel_loop_static", 7), calls)
            found = list(tool.problems_of(calls, self.entries(", unsigned flags")))
            self.assertEqual(len(found), 1)
            self.assertIn("GOMP_parallel_loop_static reads 8 arguments; gcc passes 7", found[0])
            self.assertEqual(list(tool.problems_of(calls, self.entries(", unsigned"))), [])

    def test_what_nobody_takes_is_found(self):
        found = list(tool.problems_of({("GOMP_task", 7): "a line"}, self.entries("")))
        self.assertEqual(found, ["GOMP_task has 6 parameters; gcc passes 7: a line"])

    def test_a_table_says_what_was_compiled(self):
        table = self.folder / "table.txt"
        tool.write_table(table, {("GOMP_task", 10): "", ("GOMP_task", 8): "", ("GOMP_barrier", 0): ""}, ["0", "3"])
        self.assertEqual(set(tool.read_table(table)), {("GOMP_task", 8), ("GOMP_task", 10), ("GOMP_barrier", 0)})

    def test_wrong_usage(self):
        empty = self.folder / "empty.txt"
        empty.write_text("", encoding="utf-8")
        for words, says in ((["--levels", "7"], "'7'; allowed: 0, 1, 2, 3"), (["nowhere.c"], "'nowhere.c'"),
                            (["--check", "nowhere.txt"], "nowhere.txt"), (["--check", str(empty)], "no call")):
            done = subprocess.run([sys.executable, TOOL, *words], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(says, done.stderr)


if __name__ == "__main__":
    unittest.main()
