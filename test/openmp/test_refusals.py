#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls every function that src/compat/openmp/symbols.txt lists as refused: each says its name and what it would
need, once, and ends the program with exit code 70.

usage: test_refusals.py --programs FOLDER --library FOLDER
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import programs

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import openmp_symbols  # noqa: E402

# Arguments: the library, a function, its version. Buffered output must not get lost.
PROGRAM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char** words) {
  void* const library = count == 4 ? dlopen(words[1], RTLD_NOW) : NULL;
  void (*const function)(void) = library ? (void (*)(void))dlvsym(library, words[2], words[3]) : NULL;
  if (!function) return fprintf(stderr, "%s\\n", dlerror()), 1;
  fputs("before", stdout);
  function();
  fputs("behind", stdout);
  return 0;
}
"""


def build(folder):
    (folder / "calls.c").write_text(PROGRAM)
    subprocess.run(["gcc", "-O2", "-o", folder / "calls", folder / "calls.c"], check=True)
    return folder / "calls"


def wrong_with(program, library, symbol):
    """Returns: a sentence; "" if it refuses as it must."""
    done = subprocess.run([program, library, symbol.name, symbol.node], env=programs.clean_environment(), capture_output=True,
                          text=True, timeout=60, stdin=subprocess.DEVNULL)
    lines = done.stderr.splitlines()
    says = len(lines) == 1 and lines[0].startswith(f"teff: {symbol.name} ") and symbol.reason in lines[0]
    if done.returncode == programs.REFUSED and says and done.stdout == "before":
        return ""
    return f"{symbol.name}@{symbol.node}: exit code {done.returncode}, output '{done.stdout}', says '{done.stderr.strip()}'"


def main():
    words = programs.parser_of(__doc__, library_required=True).parse_args()
    _, symbols = openmp_symbols.read_list(openmp_symbols.LIST)
    refused = [each for each in symbols if each.state == "refused"]
    with tempfile.TemporaryDirectory() as name:
        program = build(Path(name))
        library = words.drop_in.resolve() / "libgomp.so.1"
        found = [wrong for each in refused if (wrong := wrong_with(program, library, each))]
    print("\n".join([*found, f"{len(refused)} functions, {len(found)} problems"]))
    return 1 if found or not refused else 0


if __name__ == "__main__":
    sys.exit(main())
