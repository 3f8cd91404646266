#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tools/openmp_symbols.py: what it makes links, and its check finds what is planted."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools/openmp_symbols.py"
sys.path.insert(0, str(TOOL.parent))

import openmp_symbols as tool  # noqa: E402

# The libraries that are built here lack most of the installed libgomp: the comparison with it is a test of its own.
LIST = """
[OMP_1.0] -
omp_one @@ 4.2 implemented one
omp_old @ 4.2 implemented one
[OMP_2.0] OMP_1.0
omp_old @@ 4.4 inert one nothing to do
omp_two @@ 4.4 refused a second one
[GOMP_1.0] -
GOMP_three @@ 4.2 implemented three
"""
SOURCE = """
#include <stdlib.h>
_Noreturn void teff_openmp_refuse(const char* name, const char* needs) { exit(name == needs ? 1 : 70); }
void omp_one(void) {}
__attribute__((symver("omp_old@OMP_1.0"))) void old_one(void) {}
__attribute__((symver("omp_old@@OMP_2.0"))) void new_one(void) {}
void GOMP_three(void) {}
"""


class Tool(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.list = self.write("list.txt", LIST)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def build(self, source=SOURCE, soname=tool.SONAME, map_text=None, options=()):
        """A library from the source, the refusing functions and the version script of the list."""
        nodes, symbols = tool.read_list(self.list)
        script = self.write("script.map", map_text or tool.version_script(nodes, symbols))
        files = [self.write("own.c", source), self.write("refusals.c", tool.refusals(symbols))]
        library = self.folder / "library.so"
        names = [f"-Wl,--version-script={script}", f"-Wl,-soname,{soname}"]
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, *files, *names, *options], check=True)
        return library

    def found_in(self, library):
        return tool.check_library(library, *tool.read_list(self.list))

    def test_a_right_library(self):
        self.assertEqual(self.found_in(self.build()), [])

    def test_a_missing_function(self):
        found = self.found_in(self.build(SOURCE.replace("void GOMP_three(void) {}", "")))
        self.assertEqual(len(found), 1)
        self.assertIn("does not show GOMP_three@@GOMP_1.0", found[0])

    def test_an_old_version_that_is_missing(self):
        found = self.found_in(self.build(SOURCE.replace('__attribute__((symver("omp_old@OMP_1.0"))) void old_one(void) {}', "")))
        self.assertEqual(["does not show omp_old@OMP_1.0" in each for each in found], [True])

    def test_a_function_too_many(self):
        script = tool.version_script(*tool.read_list(self.list)).replace("GOMP_three;", "GOMP_three; extra;")
        found = self.found_in(self.build(SOURCE + "void extra(void) {}\n", map_text=script))
        self.assertEqual(["shows extra@@GOMP_1.0, which is not listed" in each for each in found], [True])

    def test_a_node_that_inherits_from_none(self):
        script = tool.version_script(*tool.read_list(self.list)).replace("} OMP_1.0;", "};")
        found = self.found_in(self.build(map_text=script))
        self.assertTrue(any("version node OMP_2.0" in each for each in found), found)

    def test_another_soname_and_another_need(self):
        self.assertTrue(any("soname" in each for each in self.found_in(self.build(soname="libother.so"))))
        found = self.found_in(self.build(options=["-Wl,--no-as-needed", "-lstdc++"]))
        self.assertTrue(any("needs libstdc++.so.6" in each for each in found), found)

    def test_refusing_functions_end_the_program(self):
        library = self.build()
        program = self.write("program.c", "void omp_two(void);\nint main(void) { omp_two(); return 0; }\n")
        subprocess.run(["gcc", "-o", self.folder / "program", program, library, f"-Wl,-rpath,{self.folder}"], check=True)
        (self.folder / tool.SONAME).symlink_to(library)
        self.assertEqual(subprocess.run([self.folder / "program"], check=False).returncode, 70)

    def test_wrong_lists(self):
        for text, part in [
            ("omp_one @@ 4.2 implemented one\n", "before the first node"),
            ("[A_1] -\nomp_one = 4.2 implemented one\n", "'='; allowed: @, @@"),
            ("[A_1] -\nomp_one @@ 4.2 done one\n", "'done'; allowed: implemented"),
            ("[A_1] -\nomp_one @@ 4.2 inert one\n", "needs its reason"),
            ("[A_1] -\nomp_one @@\n", "not enough values"),
        ]:
            with self.subTest(text):
                words = [sys.executable, TOOL, "--list", self.write("wrong.txt", text)]
                done = subprocess.run(words, capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 2)
                self.assertIn(part, done.stderr)

    def test_the_page(self):
        page = self.folder / "page.md"
        words = [sys.executable, TOOL, "--list", self.list]
        subprocess.run([*words, "--page", page], check=True)
        self.assertIn("| `omp_two` | @@OMP_2.0 | 4.4 | refused | a second one |", page.read_text())
        self.assertEqual(subprocess.run([*words, "--check-page", page], check=False).returncode, 0)
        page.write_text(page.read_text() + "more\n")
        self.assertEqual(subprocess.run([*words, "--check-page", page], check=False, capture_output=True).returncode, 1)

    def test_the_list_has_all_of_the_installed_library(self):
        self.assertEqual(tool.check_stock(*tool.read_list(tool.LIST)), [])


if __name__ == "__main__":
    unittest.main()
