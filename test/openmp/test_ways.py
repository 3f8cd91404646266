#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways in which the drop-in gets in front of gcc's library, and that it does nothing in processes that never call it.

usage: test_ways.py --programs FOLDER --library FOLDER
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import programs

PLACES = None  # the parsed words

# Says which library its calls go to, how many threads there are before the first call and after a region.
PROGRAM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
static int threads(void) {
  char line[200];
  int count = 0;
  FILE* file = fopen("/proc/self/status", "r");
  while (fgets(line, sizeof line, file)) sscanf(line, "Threads: %d", &count);
  fclose(file);
  return count;
}
int main(void) {
  const int before = threads();
  int members = 0;
#pragma omp parallel num_threads(3) reduction(+ : members)
  members += 1;
  Dl_info info;
  dladdr(dlsym(RTLD_DEFAULT, "GOMP_parallel"), &info);
  printf("%s %d %d\\n", info.dli_fname, before, members);
  return 0;
}
"""
# Never calls OpenMP, whatever it is preloaded with.
PLAIN = """
#include <dirent.h>
#include <stdio.h>
int main(void) {
  int files = 0;
  DIR* folder = opendir("/proc/self/task");
  while (readdir(folder)) ++files;
  printf("%d\\n", files - 2);
  return 0;
}
"""


class Ways(unittest.TestCase):
    def setUp(self):
        own = tempfile.TemporaryDirectory()
        self.addCleanup(own.cleanup)
        self.folder = Path(own.name)
        self.drop_in = PLACES.drop_in.resolve() / "libgomp.so.1"

    def build(self, text, *options):
        source = self.folder / "program.c"
        source.write_text(text)
        subprocess.run(["gcc", "-O2", "-o", self.folder / "program", source, *options], check=True)
        return self.folder / "program"

    def run_it(self, command, **more):
        environment = programs.clean_environment() | more
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60)

    def assert_in_charge(self, done):
        path, before, members = done.stdout.split()
        self.assertEqual(Path(path).resolve(), self.drop_in.resolve())
        self.assertEqual((before, members), ("1", "3"))

    def test_library_path(self):
        program = self.build(PROGRAM, "-fopenmp")
        self.assert_in_charge(self.run_it([program], LD_LIBRARY_PATH=str(self.drop_in.parent)))

    def test_preload(self):
        program = self.build(PROGRAM, "-fopenmp")
        self.assert_in_charge(self.run_it([program], LD_PRELOAD=str(self.drop_in)))
        self.assert_in_charge(self.run_it(["sh", "-c", str(program)], LD_PRELOAD=str(self.drop_in)))

    def test_linking(self):
        program = self.build(PROGRAM, "-fopenmp", self.drop_in, f"-Wl,-rpath,{self.drop_in.parent}")
        self.assert_in_charge(self.run_it([program]))

    def test_nothing_happens_before_the_first_call(self):
        program = self.build(PLAIN)
        done = self.run_it([program], LD_PRELOAD=str(self.drop_in), OMP_NUM_THREADS="abc", TEFF_POOL="none",
                           OMP_DISPLAY_ENV="true", TEFF_STATS="1")
        self.assertEqual((done.stdout, done.stderr), ("1\n", ""))
        done = self.run_it(["sh", "-c", "true; true"], LD_PRELOAD=str(self.drop_in), OMP_NUM_THREADS="-1", TEFF_STATS="1")
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    def test_it_needs_neither_the_cpp_library_nor_hwloc(self):
        done = subprocess.run(["readelf", "-W", "--dynamic", self.drop_in], capture_output=True, text=True, check=True)
        self.assertNotIn("libstdc++", done.stdout)
        self.assertNotIn("hwloc", done.stdout)


def main():
    global PLACES
    PLACES = programs.parser_of(__doc__, library_required=True).parse_args()
    unittest.main(argv=sys.argv[:1])


if __name__ == "__main__":
    main()
