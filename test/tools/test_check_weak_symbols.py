#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles one small source against both sides and expects exactly the wrongly shared symbols to be named."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "check_weak_symbols.py"

HARMLESS = """
#include <functional>
#include <map>
#include <new>
#include <string>
#include <vector>
namespace teff::inline TEFF_PLATFORM {
struct task { virtual ~task() = default; int size = sizeof(TEFF_NAME); };
template <class T> int weigh(const T& of) { return of.size; }
inline int instances() { static std::string kept = TEFF_NAME; return int(kept.size()); }
}
int TEFF_PLATFORM() {
  std::vector<teff::task> tasks(3);
  std::map<std::string, int> sizes{{"a", 1}};
  std::function<int(int)> next = [](int x) { return x + 1; };
  alignas(int) char place[sizeof(int)];
  return teff::weigh(tasks[0]) + teff::instances() + sizes["a"] + next(1) + *new (place) int(1);
}
"""

# What is planted, and a part of the line that must name it.
PLANTED = {
    "an inline function of teff outside the side's namespace": (
        "namespace teff { inline int shared() { return sizeof(TEFF_NAME); } }",
        "teff::shared()",
        "teff::shared()",
    ),
    "a standard template over a type of teff outside the side's namespace": (
        "#include <vector>\nnamespace teff { struct outside { int x = sizeof(TEFF_NAME); }; }\n"
        "inline int grow() { std::vector<teff::outside> v; v.emplace_back(); return int(v.size()); }",
        "grow()",
        "std::vector<teff::outside",
    ),
    "an application outside of teff": (
        "namespace quicksort { template <class T> T sort(T of) { return of + sizeof(TEFF_NAME); } }",
        "int(quicksort::sort(1))",
        "quicksort::sort<int>(int)",
    ),
    "a global operator": (
        "struct pair_of { int a; };\ninline int operator+(pair_of x, pair_of y) { return x.a + y.a; }",
        "(pair_of{1} + pair_of{2})",
        "operator+(pair_of, pair_of)",
    ),
    "a virtual table": (
        "namespace app { struct shape { virtual ~shape() = default; }; inline shape* make() { return new shape; } }",
        "(app::make() != nullptr)",
        "vtable for app::shape",
    ),
}


class WeakSymbols(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def build(self, source):
        """Makes libplanted_native.a and libplanted_simulated.a in the folder."""
        (self.folder / "planted.cpp").write_text(source, encoding="utf-8")
        for side in ("native", "simulated"):
            compiled = self.folder / f"{side}.o"
            flags = ["-std=c++20", "-O0", f"-DTEFF_PLATFORM={side}", f'-DTEFF_NAME="{side}"']
            subprocess.run([os.environ.get("CXX", "c++"), *flags, "-c", self.folder / "planted.cpp", "-o", compiled], check=True)
            subprocess.run(["ar", "rcs", self.folder / f"libplanted_{side}.a", compiled], check=True)

    def check(self, *arguments):
        return subprocess.run([sys.executable, TOOL, *arguments], capture_output=True, text=True)

    def test_names_that_carry_the_side_or_are_foreign_pass(self):
        self.build(HARMLESS)
        result = self.check("--build", self.folder)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("1 native and 1 simulated archives, 0 wrongly shared", result.stdout)

    def test_planted_symbols_are_named(self):
        for what, (declaration, use, expected) in PLANTED.items():
            with self.subTest(what):
                self.build(f"{declaration}\nint TEFF_PLATFORM() {{ return {use}; }}\n")
                result = self.check("--native", self.folder / "libplanted_native.a", "--simulated",
                                    self.folder / "libplanted_simulated.a")
                self.assertEqual(result.returncode, 1, result.stdout)
                self.assertIn(expected, result.stdout)

    def test_nothing_to_compare_is_no_success(self):
        result = self.check("--build", self.folder)
        self.assertEqual(result.returncode, 2)
        self.assertIn("no archives of both sides", result.stderr)


if __name__ == "__main__":
    unittest.main()
