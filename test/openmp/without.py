#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows that the tests test: each implemented function in turn does nothing, and its test must fail.

A tiny library with that one function, under its version, goes in front of the runtime by LD_PRELOAD; it returns 0.
usage: without.py --programs FOLDER [--library FOLDER] [--jobs N] [FUNCTION...]
  --library FOLDER  the drop-in's libgomp.so.1; without it gcc's library, asked for those of the functions that its version has
Exit code 0 if every test failed without its function and passes with it.
"""

import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import programs

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import openmp_symbols  # noqa: E402

SECONDS = 5  # a program that hangs without the function has failed
THREADS = 3

ASSEMBLY = """.text
.globl nothing
.type nothing, @function
nothing:
  xorl %eax, %eax
  xorps %xmm0, %xmm0
  ret
.size nothing, .-nothing
.symver nothing, {name}{mark}{node}
.section .note.GNU-stack,"",@progbits
"""


def build_nothing(folder, symbol):
    """A library that shows the function alone, doing nothing."""
    stem = folder / f"{symbol.name}-{symbol.node}"
    source, script, library = (stem.with_name(stem.name + end) for end in (".s", ".map", ".so"))
    source.write_text(ASSEMBLY.format(name=symbol.name, mark=symbol.mark, node=symbol.node))
    script.write_text(f"{symbol.node} {{ global: {symbol.name}; local: *; }};\n")
    subprocess.run(["gcc", "-shared", "-nostdlib", f"-Wl,--version-script={script}", "-o", library, source], check=True)
    return library


def in_gcc(symbols):
    """Those of the functions that the installed gcc's library has."""
    stock = openmp_symbols.installed_libgomp()
    shown = openmp_symbols.shown_symbols(stock) if stock else set()
    return [each for each in symbols if f"{each.name}{each.mark}{each.node}" in shown]


def has_case(symbol, with_drop_in):
    return any(with_drop_in or case.stock for case in programs.cases_of(symbol.test))


def survives(runner, symbol, folder):
    """Returns: a sentence if the test does not fail without the function."""
    without = replace(runner, preload=build_nothing(folder, symbol), seconds=SECONDS)
    for case in programs.cases_of(symbol.test):
        if (runner.drop_in or case.stock) and without.run(symbol.test, case, THREADS):
            return ""
    return f"{symbol.name}{symbol.mark}{symbol.node}: the test {symbol.test} does not fail without it"


def passes(runner, test):
    problems = [runner.run(test, case, THREADS) for case in programs.cases_of(test) if runner.drop_in or case.stock]
    return "".join(f"{test} fails with everything in place: {each}" for each in problems if each)


def main():
    parser = programs.parser_of(__doc__)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("names", nargs="*")
    words = parser.parse_args()
    runner = programs.Runner(words.programs, words.drop_in)
    _, symbols = openmp_symbols.read_list(openmp_symbols.LIST)
    if not runner.drop_in:
        symbols = in_gcc(symbols)
    chosen = [each for each in symbols if each.state == "implemented" and has_case(each, runner.drop_in)
              and (not words.names or each.name in words.names)]
    missing = {each.test for each in chosen if not (words.programs / each.test).exists()}
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(words.jobs) as workers:
        found = [f"there is no program {each}" for each in sorted(missing)]
        found += workers.map(lambda test: passes(runner, test), sorted({each.test for each in chosen} - missing))
        testable = [each for each in chosen if each.test not in missing]
        found += workers.map(lambda each: survives(runner, each, Path(name)), testable)
    found = [each for each in found if each]
    print("\n".join(found + [f"{len(chosen)} functions, {len(found)} problems"]))
    return 1 if found or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
