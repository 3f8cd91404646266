#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A loop stays cheap to compile: what 40 loops add to a program is bounded, as functions and as bytes of code.

usage: cheap_loops.py COMPILER NM TREE    The time of a compiler is no test; what it makes is, and both grow together: each function that
is instantiated for every body, as one that divides a loop, shows here.
"""
import subprocess
import sys
import tempfile
from pathlib import Path

FORMS = (
    "teff::parallel_for(std::size_t{{0}}, n, [=](std::size_t i) {{ to[i] = {0}.5 * from[i]; }});",
    "teff::parallel_for(to, to + n, [](double& each) {{ each += {0}.5; }});",
    "teff::parallel_for(std::size_t{{0}}, n, std::size_t{{3}}, [=](std::size_t i) {{ to[i] = {0}.5 * from[i]; }});",
    "teff::parallel_for(teff::blocked_range({{n, n}}), [=](std::size_t i, std::size_t j) {{ to[i] = {0}.5 * from[j]; }});",
)
LOOPS = 40
FUNCTIONS_PER_LOOP = 4  # the one that holds it, its body for a part, and what the compiler does not put in line
BYTES_PER_LOOP = 1024


def source():
    bodies = (FORMS[i % len(FORMS)].format(i) for i in range(LOOPS))
    loops = (f"void loop_{i}(double* to, const double* from, std::size_t n) {{ {body} }}" for i, body in enumerate(bodies))
    return '#include "teff/parallel.hpp"\n#include <cstddef>\n' + "\n".join(loops) + "\n"


def main():
    compiler, nm, tree = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        code = Path(folder) / "loops.cpp"
        code.write_text(source(), encoding="utf-8")
        made = Path(folder) / "loops.o"
        subprocess.run([compiler, "-std=c++20", "-O2", "-DNDEBUG", "-DTEFF_PLATFORM=native", f"-I{tree}/include", f"-I{tree}/src",
                        "-c", code, "-o", made], check=True)
        listed = subprocess.run([nm, "-S", "--defined-only", made], check=True, capture_output=True, text=True).stdout
    sizes = [int(fields[1], 16) for fields in map(str.split, listed.splitlines()) if len(fields) == 4 and fields[2] in "tTwW"]
    print(f"{LOOPS} loops: {len(sizes)} functions of {sum(sizes)} bytes; "
          f"allowed are {FUNCTIONS_PER_LOOP * LOOPS} of {BYTES_PER_LOOP * LOOPS}")
    return 0 if LOOPS <= len(sizes) <= FUNCTIONS_PER_LOOP * LOOPS and sum(sizes) <= BYTES_PER_LOOP * LOOPS else 1


if __name__ == "__main__":
    sys.exit(main())
