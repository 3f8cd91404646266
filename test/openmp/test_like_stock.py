#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what the drop-in and gcc's own library answer to the program `answers`, under many settings of the environment.

usage: test_like_stock.py --programs FOLDER --library FOLDER

The specification leaves open what is compared here; programs have got used to gcc's answers. Not compared, as the drop-in means
it so: how many threads OMP_DYNAMIC=true gives (gcc's library looks at the machine's load), GOMP_CPU_AFFINITY, the number of teams
that nobody names, regions of more than 256 threads, numbers that are cut to 32 bits without a word (OMP_NUM_THREADS=1000000000000,
OMP_SCHEDULE=dynamic,-1), 0 and 1 as truth values, and fields of affinity formats that are none, at which gcc's library ends the
program.
"""

import difflib
import subprocess
import sys

import programs


def each(name, *values):
    return [{name: value} for value in values]


TOGETHER = [
    {"OMP_PROC_BIND": "false", "OMP_PLACES": "threads"}, {"OMP_PROC_BIND": "close,spread", "OMP_NUM_THREADS": "2,2"},
    {"OMP_PROC_BIND": "spread,close", "OMP_NUM_THREADS": "2", "OMP_MAX_ACTIVE_LEVELS": "4"},
    {"OMP_NUM_THREADS": "2,3", "OMP_MAX_ACTIVE_LEVELS": "1"}, {"OMP_NUM_THREADS": "2,3", "OMP_NESTED": "false"},
    {"OMP_NUM_THREADS": "2", "OMP_NESTED": "true"}, {"OMP_NESTED": "true", "OMP_MAX_ACTIVE_LEVELS": "1"},
    {"OMP_NESTED": "true", "OMP_MAX_ACTIVE_LEVELS": "0"}, {"OMP_NESTED": "false", "OMP_MAX_ACTIVE_LEVELS": "3"},
    {"OMP_NUM_THREADS": "4", "OMP_THREAD_LIMIT": "2"}, {"OMP_THREAD_LIMIT": "3", "OMP_NUM_THREADS": "2,2"},
]  # fmt: skip
PLACES = ("threads", "cores", "sockets", "ll_caches", "numa_domains", "{0}", "{0,1}", "{0},{1}", "{1},{0}", "{0:2}", "{0}:2",
          "{0}:2:1", "threads(1)", "cores( 1 )", "{7}", "{0", "{0},{0}", "{0},{1},!{0}", "{0},{0},!{0}", "!{0},{1}", "{0},!{1}",
          "THREADS", "0", "1,0", "0:2", "0:2:1", "{0},1", "0:2,!1", "-1", "")
VARIABLES = [
    {},
    *each("OMP_SCHEDULE", "static", "static,0", "static,4", "dynamic", "dynamic,0", "dynamic,7", "guided", "guided,0", "guided,3",
          "auto", "auto,0", "auto,3", "monotonic:static", "monotonic:dynamic,2", "monotonic:guided", "monotonic:auto",
          "nonmonotonic:static", "nonmonotonic:static,5", "nonmonotonic:dynamic", "nonmonotonic:guided,9", "nonmonotonic:auto",
          "STATIC", " dynamic , 3 ", "runtime", "dynamic,2147483647", "dynamic,2147483648", "dynamic,3x", "", "dynamic 3"),
    *each("OMP_NUM_THREADS", "1", "3", "3,2", "2,3,4", "2,", "0", "-1", "abc", "+3", " 3 ", "0x3", "2 , 3", "2,0", "2,,3", ""),
    *each("OMP_DYNAMIC", "FALSE", "yes", "tru"),
    *each("OMP_NESTED", "true", "false", "TRUE"),
    *each("OMP_MAX_ACTIVE_LEVELS", "0", "1", "3", "255", "256", "300", "2147483647", "99999999999", "-1", "abc", " 2 ", ""),
    *each("OMP_THREAD_LIMIT", "1", "2", "3", "0", "-1", "2147483647", "2147483648", "4294967295", "99999999999", "abc"),
    *each("OMP_PROC_BIND", "true", "false", "close", "spread", "master", "primary", "TRUE", "close,spread", "true,close",
          "close,bogus", "CLOSE , SPREAD", "spread,primary,close"),
    *each("OMP_PLACES", *PLACES),
    *[{"OMP_PROC_BIND": "true"} | places for places in each("OMP_PLACES", *PLACES)],
    *each("OMP_CANCELLATION", "false", "bogus"),
    *each("OMP_MAX_TASK_PRIORITY", "5", "0", "-1", "2147483647", "2147483648"),
    *each("OMP_DEFAULT_DEVICE", "1", "0", "-1", "7"),
    *each("OMP_TARGET_OFFLOAD", "default", "disabled", "DISABLED", "must", ""),
    *each("OMP_NUM_TEAMS", "2", "0", "-1", "5"),
    *each("OMP_TEAMS_THREAD_LIMIT", "2", "0", "5"),
    *each("OMP_ALLOCATOR", "omp_default_mem_alloc", "omp_thread_mem_alloc", "OMP_CONST_MEM_ALLOC", " omp_low_lat_mem_alloc ", "3",
          "bogus", "omp_null_allocator", "omp_default_mem_space"),
    *each("OMP_AFFINITY_FORMAT", "x%nx", ""),
    *TOGETHER,
]
BINDINGS = [{}, *each("OMP_PROC_BIND", "true", "spread", "close,spread"), {"OMP_PROC_BIND": "true", "OMP_PLACES": "{0}"}]
QUESTIONS = {
    "variables": VARIABLES,
    "settings": [{}],
    "regions": BINDINGS,
    "formats": BINDINGS,
    "allocators": [{}],
    "display": [{}, *each("OMP_SCHEDULE", "static,3", "guided"), *each("OMP_TARGET_OFFLOAD", "mandatory", "disabled"),
                *each("OMP_MAX_TASK_PRIORITY", "4"), *each("OMP_THREAD_LIMIT", "5"), *each("OMP_CANCELLATION", "false"),
                *each("OMP_ALLOCATOR", "omp_const_mem_alloc"), *each("OMP_NUM_TEAMS", "3"), *each("OMP_STACKSIZE", "3M"),
                {"OMP_NUM_THREADS": "2,3", "OMP_PROC_BIND": "spread,close"}],
    "teams": [{}, *each("OMP_TEAMS_THREAD_LIMIT", "1", "2"), *each("OMP_THREAD_LIMIT", "2", "4")],
}


def answers(words, question, settings, library):
    """What the program says, line by line; whether there are complaints; its exit code."""
    environment = programs.clean_environment() | {"OMP_NUM_THREADS": "3"} | settings
    if library:
        environment["LD_LIBRARY_PATH"] = str(library.resolve())
    done = subprocess.run([words.programs / "answers", question], env=environment, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=programs.SECONDS)
    return [*done.stdout.splitlines(), f"complaints: {'some' if done.stderr else 'none'}", f"exit code {done.returncode}"]


def main():
    words = programs.parser_of(__doc__, library_required=True).parse_args()
    count = wrong = 0
    for question, all_settings in QUESTIONS.items():
        for settings in all_settings:
            stock, own = (answers(words, question, settings, library) for library in (None, words.drop_in))
            count += 1
            if stock == own:
                continue
            wrong += 1
            print(f"{question} {settings}: gcc's library (-) and the drop-in (+) differ:")
            print("\n".join(list(difflib.unified_diff(stock, own, lineterm="", n=0))[2:12]))
    print(f"{count} comparisons, {wrong} wrong")
    return 1 if wrong or len(stock) < 3 else 0


if __name__ == "__main__":
    sys.exit(main())
