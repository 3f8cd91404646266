#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the arguments that gcc passes to the OpenMP drop-in's functions with the parameters that these read.

gcc leaves an argument out here and there; what the function would read then lies on the stack by chance. So this compiles
constructs of all kinds, with and without clauses, and looks at the calls in gcc's dumps. A parameter without a name is not read.

usage: openmp_arguments.py [--entries FOLDER] [--levels LIST] [--write TABLE] [FILE...]
       openmp_arguments.py [--entries FOLDER] --check TABLE
  --entries FOLDER  the drop-in's sources
  --levels LIST     of optimization (0,1,2,3)
  --write TABLE     also write how many arguments each function was passed
  --check TABLE     compile nothing: compare with what such a table says
  FILE...           compile these programs, too (.c, .cpp, .f90)
Exit code 0 if every call passes all that is read and nothing beyond the parameters, 1 if one does not, 2 for wrong usage or if
there is no gcc, or no call of a function that the constructs must lead to.
"""

import argparse
import itertools
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = ROOT / "src/compat/openmp"
COMPILERS = {".c": "gcc", ".cpp": "g++", ".f90": "gfortran"}
TYPES = {"bool", "char", "int", "long", "short", "signed", "unsigned", "void", "double", "float", "const"}
# A run that comes to fewer functions than these has looked at nothing.
EXPECTED = {"GOMP_parallel", "GOMP_parallel_loop_static", "GOMP_parallel_loop_nonmonotonic_dynamic", "GOMP_parallel_sections",
            "GOMP_loop_guided_start", "GOMP_loop_ull_guided_start", "GOMP_loop_ordered_static_start", "GOMP_loop_start",
            "GOMP_loop_end_cancel", "GOMP_sections_start", "GOMP_sections_end_cancel", "GOMP_single_copy_end", "GOMP_task",
            "GOMP_taskloop", "GOMP_taskloop_ull", "GOMP_teams_reg", "GOMP_cancel", "GOMP_target_ext", "GOMP_target_data_ext",
            "GOMP_target_update_ext", "GOMP_target_enter_exit_data", "GOMP_teams4"}  # fmt: skip

# ---- The constructs --------------------------------------------------------------------------------------------------------

KINDS = ("static", "dynamic", "guided", "auto", "runtime", "monotonic:static", "monotonic:dynamic", "monotonic:guided",
         "monotonic:runtime", "nonmonotonic:static", "nonmonotonic:guided", "nonmonotonic:runtime")
CHUNKS = ("", ", 4", ", chunk")
LOOPS = ("int", "long", "unsigned long long")
OPENERS = ("for", "for nowait", "parallel for", "parallel for num_threads(count) proc_bind(spread) if(count)")
OF_LOOPS = ("", "reduction(+ : sum)", "lastprivate(last)", "lastprivate(conditional : last)", "collapse(2)")

TASKS = ("", "if(count)", "final(count)", "untied", "mergeable", "priority(count)", "firstprivate(sum)", "depend(out : sum)",
         "if(0) depend(in : sum)", "detach(event)", "if(count) final(count) untied mergeable priority(3)",
         "in_reduction(+ : sum)")
TASKLOOPS = ("", "grainsize(count)", "num_tasks(4)", "grainsize(strict : 3)", "nogroup", "if(count) final(count)", "untied",
             "priority(2)", "collapse(2)", "reduction(+ : sum)", "lastprivate(last)", "num_tasks(strict : count) mergeable")
BLOCKS = ("parallel", "parallel num_threads(3)", "parallel if(count)", "parallel proc_bind(close) num_threads(count)",
          "parallel reduction(+ : sum)", "parallel reduction(task, + : sum)", "single", "single nowait",
          "single copyprivate(last)", "master", "critical", "critical(named)", "taskgroup", "taskgroup task_reduction(+ : sum)",
          "scope", "masked filter(count)", "scope reduction(task, + : sum)",
          "parallel private(last) allocate(omp_default_mem_alloc : last)",
          "parallel private(last) allocate(allocator(omp_high_bw_mem_alloc), align(64) : last)", "parallel sections",
          "parallel sections num_threads(count) proc_bind(master)", "sections", "sections nowait", "sections lastprivate(last)",
          "sections reduction(task, + : sum)", "ordered", "teams", "teams num_teams(2)", "teams num_teams(count) thread_limit(3)",
          "teams thread_limit(count)")
TARGETS = ("target", "target map(tofrom : sum)", "target if(count)", "target device(count)", "target nowait", "target thread_limit(3)",
           "target depend(inout : sum) nowait firstprivate(last) if(count) device(count) thread_limit(count)",
           "target defaultmap(none) map(alloc : last, sum)", "target in_reduction(+ : sum)", "target parallel num_threads(count)",
           "target teams", "target teams num_teams(3)", "target teams num_teams(70000) thread_limit(count)",
           "target teams num_teams(count : 7)", "target data map(to : sum)", "target data map(to : sum) if(count) device(count)")
DATA = ("enter data map(to : sum)", "exit data map(from : sum)", "update to(sum)")
OF_DATA = ("", "nowait", "depend(in : last)", "depend(out : last) nowait if(count) device(count)")
STATEMENTS = ("barrier", "taskwait", "taskyield", "taskwait depend(in : sum)", "flush")
HEAD = """#include <omp.h>
extern long sum, last;
extern int count, chunk;
extern long double large;
extern int values[1000];
extern void work(long);
"""


def loop_schedules():
    for kind, chunk in itertools.product(KINDS, CHUNKS):
        if not (chunk and ("auto" in kind or "runtime" in kind)):
            yield f"schedule({kind}{chunk})"
    yield ""


def loop_of(number, has_constant_bounds, down=False):
    end = "100" if has_constant_bounds else "count"
    if down and not number.startswith("unsigned"):
        return f"for ({number} i = {end}; i > 0; i -= 3)"
    return f"for ({number} i = 0; i < {end}; ++i)"


def loops():
    """(the directive, what follows it)"""
    for number, constant, schedule in itertools.product(LOOPS, (True, False), loop_schedules()):
        head = loop_of(number, constant)
        for opener in OPENERS:
            yield f"{opener} {schedule}", f"{head} work(i);"
        if not schedule.startswith("schedule(nonmonotonic"):
            for opener in OPENERS[1:3]:
                yield f"{opener.split(' nowait')[0]} ordered {schedule}", f"{head} {{\n#pragma omp ordered\n  work(i);\n}}"
        yield f"parallel for simd {schedule}", f"{head} values[i % 1000] += 1;"
    for number, clauses, opener in itertools.product(LOOPS, OF_LOOPS[1:], ("for", "parallel for")):
        for schedule in ("", "schedule(dynamic)", "schedule(auto)", "schedule(runtime)"):
            inner = "for (int j = 0; j < 10; ++j) " if "collapse" in clauses else ""
            yield f"{opener} {clauses} {schedule}", f"{loop_of(number, True, down=True)} {inner}{{ sum += i; last = i; }}"
    for schedule in ("schedule(static)", "schedule(static, 3)", "schedule(dynamic)", "schedule(runtime)", "schedule(auto)"):
        for number, opener in itertools.product(LOOPS, ("for", "parallel for")):
            yield f"{opener} reduction(task, + : sum) {schedule}", f"{loop_of(number, True)} sum += i;"
            if opener == "for":
                cancelled = f"{loop_of(number, True)} {{\n#pragma omp cancel for\n  work(i);\n}}"
                yield "parallel", f"{{\n#pragma omp cancel parallel\n#pragma omp for {schedule}\n{cancelled}\nwork(1);\n}}"
    for number in LOOPS:
        yield "teams distribute parallel for", f"{loop_of(number, False)} work(i);"
        yield "parallel loop", f"{loop_of(number, True)} work(i);"


def others():
    for clauses in TASKS:
        yield f"task {clauses}", "{ work(sum); }"
    for number, clauses in itertools.product(LOOPS, TASKLOOPS):
        inner = "for (int j = 0; j < 10; ++j) " if "collapse" in clauses else ""
        for constant in (True, False):
            yield f"taskloop {clauses}", f"{loop_of(number, constant, down=True)} {inner}{{ work(i); last = i; }}"
    for block in BLOCKS:
        sections = "#pragma omp section\n  { work(1); last = 1; }\n#pragma omp section\n  work(2);"
        yield block, f"{{\n{sections if 'sections' in block else '  last = sum; work(last);'}\n}}"
    for target in TARGETS:
        yield target, "{\n  last = sum; work(last);\n}"
    for number in LOOPS:
        for target in ("target teams distribute", "target parallel for schedule(dynamic)", "target teams loop"):
            yield target, f"{loop_of(number, False)} work(i);"
    for data, clauses in itertools.product(DATA, OF_DATA):
        yield f"target {data} {clauses}", ""
    for statement in STATEMENTS:
        yield statement, ""
    yield "atomic", "large += 1;"
    yield "parallel", "{\n#pragma omp cancel parallel if(count)\n  work(1);\n#pragma omp barrier\n  work(2);\n}"
    yield "taskgroup", "{\n#pragma omp task\n  {\n#pragma omp cancellation point taskgroup\n  work(1);\n  }\n}"
    yield "parallel", ("{\n#pragma omp cancel parallel\n#pragma omp sections\n  {\n#pragma omp section\n  {\n"
                       "#pragma omp cancel sections\n    work(1);\n  }\n#pragma omp section\n  work(2);\n  }\n  work(3);\n}")


def source_of_constructs():
    parts = [HEAD]
    for number, (directive, body) in enumerate(itertools.chain(loops(), others())):
        event = "  omp_event_handle_t event;\n" if "detach" in directive else ""
        copy = "  long last = 0;\n" if "copyprivate" in directive or "private(last) allocate" in directive else ""
        parts.append(f"void function_{number}(void) {{\n{event}{copy}#pragma omp {directive}\n{body}\n}}\n")
    return "".join(parts)


# ---- What is passed, and what is read --------------------------------------------------------------------------------------


def split_arguments(text):
    """Returns: what stands between the commas of TEXT, up to the parenthesis that closes it."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if depth < 0:
            return [each.strip() for each in parts if each.strip()]
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    raise ValueError(f"nothing closes '{text[:60]}'")


def is_named(parameter):
    words = re.findall(r"[A-Za-z_][\w:]*", parameter)
    return "(*" in parameter or (len(words) > 1 and words[-1] not in TYPES and bool(re.search(r"\w$", parameter)))


def parameters_of_entries(folder):
    """{function: (how many parameters it has, how many of them up to the last that it reads)}"""
    found = {}
    for path in sorted(folder.glob("*.cpp")):
        text = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
        for match in re.finditer(r"TEFF_ENTRY\s[^;{()]*?\b(GOMP_\w+)\(", text):
            parameters = split_arguments(text[match.end():])
            named = [place + 1 for place, each in enumerate(parameters) if is_named(each)]
            found[match[1]] = len(parameters), max(named, default=0)
        found |= {name: found[same] for name, same in re.findall(r"TEFF_SAME\((GOMP_\w+), (GOMP_\w+)\)", text)}
    return found


def calls_of(source, level, folder):
    """Returns: {(function, number of arguments): a line of the dump}, of a program that gcc compiles at this level."""
    dump = folder / f"{source.stem}{source.suffix}.{level}.dump"
    command = [COMPILERS[source.suffix], "-w", "-fopenmp", f"-O{level}", "-I", str(source.parent), "-J", str(folder),
               f"-fdump-tree-optimized={dump}", "-S", "-o", "/dev/null", str(source)]
    if source.suffix != ".f90":
        del command[command.index("-J"):command.index("-J") + 2]
    subprocess.run(command, check=True, cwd=folder)
    calls = {}
    for line in dump.read_text(encoding="utf-8", errors="replace").splitlines():
        for match in re.finditer(r"\b(?:__builtin_)?(GOMP_\w+) \(", line):
            calls.setdefault((match[1], len(split_arguments(line[match.end():]))), line.strip())
    return calls


def problems_of(calls, entries):
    for (function, passed), line in sorted(calls.items()):
        if function not in entries:
            continue
        count, read = entries[function]
        if passed < read:
            yield f"{function} reads {read} arguments; gcc passes {passed}: {line}"
        elif passed > count:
            yield f"{function} has {count} parameters; gcc passes {passed}: {line}"


def write_table(path, calls, levels):
    version = subprocess.run(["gcc", "-dumpfullversion"], check=True, capture_output=True, text=True).stdout.strip()
    lines = ["# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",
             f"# How many arguments gcc {version} passes at -O{', -O'.join(levels)}. Made by tools/openmp_arguments.py --write."]
    numbers = {}
    for function, passed in sorted(calls):
        numbers.setdefault(function, []).append(str(passed))
    lines += [f"{function} {' '.join(passed)}" for function, passed in numbers.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_table(path):
    """{(function, number of arguments): where it stands}"""
    calls = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            function, *passed = line.split()
            calls |= {(function, int(each)): f"{path.name}:{number}" for each in passed}
    return calls


def calls_of_all(sources, levels, folder):
    work = list(itertools.product(sources, levels))
    calls = {}
    with ThreadPoolExecutor(2) as workers:
        for (_, level), found in zip(work, workers.map(lambda each: calls_of(*each, folder), work)):
            for call, line in found.items():
                calls.setdefault(call, f"-O{level}: {line}")
    return calls


def compiled_calls(parser, words):
    levels = words.levels.split(",")
    if wrong := [each for each in levels if each not in ("0", "1", "2", "3")]:
        parser.error(f"a level is '{wrong[0]}'; allowed: 0, 1, 2, 3, with commas between them")
    if wrong := [each for each in words.files if each.suffix not in COMPILERS or not each.exists()]:
        parser.error(f"'{wrong[0]}' is no program; allowed: files that end in {', '.join(COMPILERS)}")
    if missing := sorted({COMPILERS[each.suffix] for each in [Path("a.c"), *words.files]
                          if not shutil.which(COMPILERS[each.suffix])}):
        parser.error(f"there is no {missing[0]} here")
    with tempfile.TemporaryDirectory() as name:
        constructs = Path(name) / "constructs.c"
        constructs.write_text(source_of_constructs(), encoding="utf-8")
        calls = calls_of_all([constructs, *(each.resolve() for each in words.files)], levels, Path(name))
    if words.write:
        write_table(words.write, calls, levels)
    return calls


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=Path, default=ENTRIES)
    parser.add_argument("--levels", default="0,1,2,3")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--check", type=Path)
    parser.add_argument("files", nargs="*", type=Path)
    words = parser.parse_args()
    if words.check and (words.write or words.files):
        parser.error("--check compiles nothing: it takes neither --write nor programs")
    try:
        entries = parameters_of_entries(words.entries)
        calls = read_table(words.check) if words.check else compiled_calls(parser, words)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    except subprocess.CalledProcessError as error:
        parser.error(f"'{' '.join(error.cmd)}' ended with exit code {error.returncode}")
    seen = {function for function, _ in calls}
    if missing := sorted(EXPECTED - (seen & entries.keys())):
        print(f"openmp_arguments: no call or no definition of {missing[0]} was found", file=sys.stderr)
        return 2
    found = list(problems_of(calls, entries))
    print("\n".join([*found, f"{len(seen & entries.keys())} functions, {len(found)} problems"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
