#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs the build, moves the tree, and builds projects that know nothing else of Teff."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ["TEFF_BUILD"])
HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
PRINTS = re.compile(r"^65536 leaves on \d+ workers?$", re.M)
LOOPS = re.compile(r"^sum 666666166\.459, fib\(20\) 6765, \d+ workers$")
# Every name that libteff.so shows belongs to one of these.
SHOWN = re.compile(
    r"^(teff_\w+|(typeinfo (name )?for|vtable for) teff::native::((usage|deadlock)_error|sync::.*|fibers::awaited)"
    r"|teff::native::(default_team|team|injector|statistics|task_graph|detail|pin|this_task|sync)::.*"
    r"|teff::native::platform::"
    r"(about_to_wait_for_lock|caught_exception|is_static|lock_(wait|watch)::.*|now_ns|park|process_generation|park_until|wake_one|wake_all|fence_slow)\(.*"
    r"|teff::native::fibers::host::any_was_stuck\(.*"
    r"|teff::native::(list_\w+|unknown_name|usable_processors|wrong_variable)\(.*)$")

# Says which library its regions are in, and how many members one has.
OPENMP = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
int main(void) {
  Dl_info info;
  int members = 0;
#pragma omp parallel reduction(+ : members)
  members += 1;
  dladdr(dlsym(RTLD_DEFAULT, "GOMP_parallel"), &info);
  printf("%s %d\\n", info.dli_fname, members);
  return 0;
}
"""


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True, check=False, timeout=300, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def has_debug_information(file):
    return ".debug_info" in run("readelf", "--section-headers", "--wide", file)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        run("cmake", "--install", BUILD, "--prefix", cls.folder / "first")
        cls.tree = cls.folder / "moved"
        (cls.folder / "first").rename(cls.tree)
        cls.libraries = next(cls.tree.glob("**/libteff.so")).parent
        cls.package = {"PKG_CONFIG_PATH": str(cls.libraries / "pkgconfig"), "LD_LIBRARY_PATH": str(cls.libraries)}

    def environment(self):
        return {**os.environ, **self.package}

    def build_outside(self, libraries, languages, build_type="Release"):
        """Returns: a folder with a folder of programs for each library, compiled as the first of them asks for."""
        build = Path(tempfile.mkdtemp(dir=self.folder))
        run("cmake", "-S", HERE / "outside", "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.tree}",
            f"-DLIBRARIES={';'.join(f'teff::{each}' for each in libraries)}", f"-DEXAMPLES={EXAMPLES}",
            f"-DWITH={';'.join(languages)}", f"-DCMAKE_BUILD_TYPE={build_type}")
        run("cmake", "--build", build)
        return build

    def test_a_c_project_without_cxx(self):
        for library in ("teff", "static"):
            programs = self.build_outside([library], []) / library
            self.assertRegex(run(programs / "in_c"), PRINTS)
            self.assertRegex(run(programs / "loops_in_c"), LOOPS)

    def test_every_language(self):
        languages = ["CXX"] + (["Fortran"] if shutil.which("gfortran") else [])
        # What is compiled in line is called by the library or by the program, depending on the compiler's wishes.
        for libraries, build_type in ((("teff", "static"), "Release"), (("static", "teff"), "Debug")):
            build = self.build_outside(libraries, languages, build_type)
            for library in libraries:
                self.check_programs(build / library, library, languages)

    def check_programs(self, programs, library, languages):
        for program in ("in_c", "in_cxx") + (("in_fortran",) if "Fortran" in languages else ()):
            self.assertRegex(run(programs / program), PRINTS)
        for program in ("loops_in_c", "loops_in_cxx"):
            self.assertRegex(run(programs / program), LOOPS)
        self.assertRegex(run(programs / "in_both"), r"(?s)unknown pool 'dq55'.*\n2 workers by C, \d\d pools by C\+\+\n$")
        self.assertEqual(run(programs / "waiting"), "fib 55, objects 42, order 12, 30 in place\n")
        needed = run("readelf", "-d", programs / "in_c")
        self.assertEqual("libteff.so.0.1" in needed, library == "teff")

    def test_pkg_config(self):
        compiler, program = os.environ.get("CC", "cc"), self.folder / "by_pkg_config"
        for more, link in (((), ()), (("--static",), ("-static-libstdc++",))):
            flags = run("pkg-config", *more, "--cflags", "--libs", "teff", env=self.environment()).split()
            self.assertIn(str(self.tree.resolve()), str(Path(flags[0][2:]).resolve()))
            run(compiler, EXAMPLES / "first.c", *flags, *link, "-o", program)
            # As the howto says it: nobody tells the program where the library is.
            self.assertRegex(run(program), PRINTS)
        self.assertEqual(run("pkg-config", "--modversion", "teff", env=self.environment()).strip(), "0.1.0")

    def test_every_public_header_stands_alone(self):
        compiler = os.environ.get("CXX", "c++")
        headers = sorted((self.tree / "include" / "teff").glob("*.h*"))
        self.assertGreater(len(headers), 5)
        for header in headers:
            run(compiler, "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-x", "c++",
                "-include", header, "-DTEFF_PLATFORM=native", f"-I{self.tree / 'include'}", "/dev/null")

    def test_a_program_with_another_layout_says_so(self):
        """It ends when it is loaded, whichever part differs; one with the library's own headers runs."""
        program = self.folder / "layout"
        changes = ((None, None), ("internal/task/worker_head.h", "  context* here;"), ("internal/sync/group.h", " private:\n"),
                   ("internal/sync/forked_task.h", " private:\n"), ("detail/layout.hpp", "layout_version = 9"))
        for place, (file, text) in enumerate(changes):
            headers = self.folder / f"headers_{place}"
            shutil.copytree(self.tree / "include", headers)
            if file is not None:
                changed = headers / "teff" / file
                before = changed.read_text(encoding="utf-8")
                self.assertIn(text, before)
                instead = "layout_version = 8" if file.startswith("detail") else text + "  void* newer = nullptr;\n"
                changed.write_text(before.replace(text, instead, 1), encoding="utf-8")
            run(os.environ.get("CXX", "c++"), "-std=c++20", f"-I{headers}", EXAMPLES / "loops.cpp", f"-L{self.libraries}", "-lteff",
                "-o", program)
            done = subprocess.run([program], env=self.environment(), text=True, capture_output=True, check=False, timeout=300)
            if file is None:
                self.assertEqual(done.returncode, 0, done.stderr)
            else:
                self.assertEqual((done.returncode, done.stdout), (2, ""), file)
                self.assertIn("headers of another version of Teff", done.stderr)

    def test_only_the_interface_is_visible(self):
        listed = run("nm", "-DC", "--defined-only", self.libraries / "libteff.so")
        names = [line.split(maxsplit=2)[2] for line in listed.splitlines()]
        self.assertIn("teff_create", names)
        self.assertEqual([name for name in names if not SHOWN.match(name)], [])
        declared = re.findall(r"TEFF_API [^(]*?(teff_\w+)\(", (EXAMPLES.parent / "include/teff/teff.h").read_text())
        of_c = sorted(name for name in names if name.startswith("teff_") and name != "teff_native_current")
        self.assertEqual(of_c, sorted(declared))

    def test_the_list_of_names_spells_no_type_of_the_standard_library(self):
        exports = EXAMPLES.parent / "cmake/exports.map"
        self.assertNotIn("std::", exports.read_text(encoding="utf-8"))

    def test_the_command_runs(self):
        self.assertRegex(run(self.tree / "bin" / "teff", "--version"), r"^teff 0\.1\.0 ")

    def test_openmp_programs(self):
        """The drop-in lies in a folder of its own, under gcc's name, and the command finds it there."""
        if not (BUILD / "lib/gomp/libgomp.so.1").exists() or not shutil.which("gcc"):
            self.skipTest("there is no drop-in in this build, or no gcc for a program")
        found = list(self.tree.glob("**/teff/gomp/*"))
        self.assertEqual([each.name for each in found], ["libgomp.so.1"])
        source, program = self.folder / "openmp.c", self.folder / "openmp"
        source.write_text(OPENMP)
        run("gcc", "-O2", "-fopenmp", "-o", program, source)
        in_charge = f"{found[0].resolve()} 3\n"
        self.assertEqual(run(self.tree / "bin" / "teff", "run", "--workers", "3", "--", program), in_charge)
        by_path = {**os.environ, "LD_LIBRARY_PATH": str(found[0].resolve().parent), "OMP_NUM_THREADS": "3"}
        self.assertEqual(run(program, env=by_path), in_charge)

    def test_nothing_installed_carries_debug_information(self):
        for file in (self.tree / "bin/teff", self.libraries / "libteff.so", self.libraries / "libteff.a",
                     *self.tree.glob("**/libgomp.so.1")):
            self.assertFalse(has_debug_information(file), file)

    def test_manual_pages(self):
        command = (self.tree / "share/man/man1/teff.1").read_text().replace("\\-", "-")
        for each in ("list", "run", "compare", "simulate", "calibrate", "doctor"):
            options = re.findall(r"^  (?:-\w,)?(--[a-z]+)", run(self.tree / "bin/teff", each, "--help"), re.M)
            self.assertGreater(len(options), 1, each)
            section = command.split(f"\n.SH TEFF {each.upper()}\n")[1].split("\n.SH ")[0]
            for option in options:
                self.assertRegex(section, rf"(?m)^\.B (-\w,)?{option}( |$)")
        for each in json.loads(run(self.tree / "bin/teff", "list", "variables", "--json")):
            self.assertIn(f"\n.TP\n.B {each['name']}\n{each['what']}\n", command)
        library = (self.tree / "share/man/man3/libteff.3").read_text()
        for name in re.findall(r"TEFF_API [^(]*?(teff_\w+)\(", (EXAMPLES.parent / "include/teff/teff.h").read_text()):
            self.assertRegex(library, rf"(?m)^\\fB.*\b{name}\(")
        self.assertIn("\n.SS Calls, loops and reductions in parallel\n", library)

    def test_documentation_and_examples(self):
        folder = self.tree / "share/doc/teff"
        for page in folder.glob("**/*.md"):
            text = re.sub(r"`[^`]*`|(?s:^```.*?^```)", "", page.read_text(), flags=re.M)
            for link in re.findall(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)", text):
                self.assertTrue("://" in link or (page.parent / link).exists(), f"{page.relative_to(folder)} links to {link}")
        self.assertTrue((folder / "docs/howto/build.md").is_file())
        self.assertEqual({each.name for each in (folder / "examples").iterdir()},
                         {each.name for each in EXAMPLES.iterdir()} - {"CMakeLists.txt"})

    def test_below_a_destdir(self):
        run("cmake", "--install", BUILD, "--prefix", "/usr", env={**os.environ, "DESTDIR": str(self.folder / "package")})
        self.assertTrue((self.folder / "package/usr/include/teff/teff.h").is_file())
        self.assertFalse(has_debug_information(self.folder / "package/usr/bin/teff"))


if __name__ == "__main__":
    unittest.main()
