#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows that the rules of waits, and of tasks that run at once, are needed, and tested: without each of them a test hangs or finds what is wrong.

The drop-in has no switch for a wrong rule. A mutant is its source with one place changed; the files that this concerns
are compiled again as the build has compiled them, and linked with the other objects of the build.
To begin with, the tests pass on a drop-in that is made in the same way and has no change.
usage: mutants.py --programs FOLDER --build FOLDER [MUTANT...]
  --build FOLDER  the build, with compile_commands.json and the objects of the drop-in
Exit code 0 if a test fails with each mutant.
"""

import argparse
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import programs

SOURCES = Path(__file__).resolve().parents[2] / "src"
DROP_IN = "compat/openmp"
SECONDS = 10  # a program that hangs has failed
THREADS = (2, 3, 8)


@dataclass(frozen=True)
class Mutant:
    name: str
    file: str  # in the drop-in's folder
    text: str  # that is there once
    instead: str
    compiled: tuple  # the sources that see it
    tests: tuple  # pairs of a test, which must fail, and a pool


def on(pool, *tests):
    return tuple((test, pool) for test in tests)


MUTANTS = (
    # A thread then begins, on top of a task that holds a lock, one that wants it.
    Mutant("a_wait_runs_any_task", "node.h", "bool needed = true, from_scope = false;",
           "return true;\n    bool needed = true, from_scope = false;",
           ("barrier.cpp", "engine.cpp"), on("teff", "lock_over_taskwait", "task_scheduling")),
    # The same with a grandchild for which nobody waits.
    Mutant("a_taskwait_runs_all_descendants", "node.h", "return all || needed;", "return true;",
           ("barrier.cpp", "engine.cpp"), on("teff", "lock_and_grandchildren")),
    # A grandchild, for which its parent waits without a taskwait, has nobody to run it.
    Mutant("a_taskgroup_runs_what_a_taskwait_would", "node.h", "return all || needed;", "return needed;",
           ("barrier.cpp", "engine.cpp"), on("teff", "taskgroup")),
    # A child that was stolen together with other tasks is not found, and its thief waits for the lock.
    Mutant("a_last_look_keeps_off_the_middle", "engine.cpp", "pool_.take(current, any, taken, pool::reach::whole);\n",
           "pool_.take(current, any, taken, pool::reach::passing);\n    return found;\n", ("engine.cpp",),
           on("teff", "lock_and_stolen")),
    # Children of who holds the lock lie among the private tasks of a thief that wants it.
    Mutant("who_waits_for_a_lock_keeps_its_tasks", "lock_word.cpp", "share_tasks();", "", ("lock_word.cpp",),
           on("dq8", "lock_and_grandchildren", "private_tasks_shared")),
    Mutant("who_asks_for_a_lock_keeps_its_tasks", "locks.cpp", "  share_tasks();\n  return false;", "  return false;",
           ("locks.cpp",), on("dq8", "private_tasks_shared")),
    Mutant("who_waits_for_its_turn_keeps_its_tasks", "workshare.cpp", "share_tasks();", "", ("workshare.cpp",),
           on("dq8", "private_tasks_shared")),
    Mutant("who_opens_a_region_keeps_its_tasks", "team.cpp", "else share_tasks(opener);", "", ("team.cpp",),
           on("dq8", "private_tasks_shared")),
    Mutant("who_waits_for_children_keeps_other_tasks", "barrier.cpp", "if (for_tasks) share_tasks(current);", "",
           ("barrier.cpp",), on("dq8", "private_tasks_shared")),
    Mutant("who_yields_keeps_its_tasks", "entry_tasks.cpp", "share_tasks(*current);", "", ("entry_tasks.cpp",),
           on("dq8", "private_tasks_shared")),
    # Who holds the lock sleeps beside a task that it waits for, and the others have begun those that came before.
    Mutant("only_the_first_of_a_queue_calls", "team.cpp", "advised == pool::advice::wake_none) return;",
           "advised != pool::advice::wake_one) return;", ("team.cpp",), on("sq4", "lock_and_sleeper")),
    # A child that wants a lock runs on top of who holds it, or on top of one whom the holder waits for.
    Mutant("tasks_run_at_once_beside_locks", "tasks.h", "current->in.takes_locks.store(true, platform::relaxed);", "",
           ("locks.cpp", "entry_regions.cpp"), on("teff", "enough_tasks")),
    # A chain of tasks, each of which makes the next one, overruns a stack.
    Mutant("tasks_nest_without_end", "tasks.h", "current.nested < tuning::nested_at_once_at_most", "true",
           ("put_or_run.cpp", "entry_tasks.cpp", "taskloop.cpp"), on("teff", "enough_tasks")),
    # Who sleeps until its turn is not told of it.
    Mutant("turns_come_in_silence", "workshare.cpp", "platform::wake_all(bell.rings);", "", ("workshare.cpp",),
           on("teff", "ordered")),
    # Who is held up behind its arrival takes the number of the next barrier, and sleeps through the end of its own.
    Mutant("a_barrier_is_numbered_after_arrival", "barrier.cpp", "  wait_at_barrier(current, epoch);\n}",
           "  wait_at_barrier(current, all.epoch.load(platform::relaxed));\n}", ("barrier.cpp",), on("teff", "stepped_barrier")),
)  # fmt: skip


UNCHANGED = Mutant("no_change", "node.h", "return all || needed;", "return all || needed;", ("barrier.cpp", "engine.cpp"),
                   tuple(sorted({run for each in MUTANTS for run in each.tests})))


class WrongMutant(Exception):
    pass


def changed_sources(mutant, folder):
    """Effect: a copy of the drop-in's sources with the mutant's change lies in the folder."""
    shutil.copytree(SOURCES / DROP_IN, folder / DROP_IN)
    path = folder / DROP_IN / mutant.file
    text = path.read_text(encoding="utf-8")
    if text.count(mutant.text) != 1:
        raise WrongMutant(f"{mutant.name}: {mutant.file} has '{mutant.text}' {text.count(mutant.text)} times, not once")
    path.write_text(text.replace(mutant.text, mutant.instead), encoding="utf-8")


def compile_again(command, source, folder):
    """Returns: the object. Headers of the changed folder come first."""
    made = folder / (source + ".o")
    words = shlex.split(command["command"])
    words[words.index("-c") + 1] = str(folder / DROP_IN / source)
    words[words.index("-o") + 1] = str(made)
    first = next(place for place, word in enumerate(words) if word.startswith("-"))
    words[first:first] = [f"-I{folder}", "-w"]
    subprocess.run(words, cwd=command["directory"], check=True)
    return made


def link(build, objects, folder):
    """Effect: the folder has a libgomp.so.1 of these objects, linked as the drop-in's CMakeLists.txt says."""
    exports = build / "src" / DROP_IN / "gomp.map"
    options = [f"-Wl,--version-script={exports}", "-Wl,-Bsymbolic-functions", "-Wl,-soname,libgomp.so.1", "-Wl,-z,nodelete"]
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8").splitlines()
    compiler = next(line.partition("=")[2] for line in cache if line.startswith("CMAKE_CXX_COMPILER:"))
    subprocess.run([compiler, "-shared", "-static-libstdc++", "-static-libgcc", *options, "-o",
                    folder / "libgomp.so.1", *objects], check=True)


def build_mutant(mutant, build, folder):
    changed_sources(mutant, folder)
    own = build / "src" / DROP_IN / "CMakeFiles/teff_gomp.dir"
    objects = [each for each in own.rglob("*.o") if each.name.removesuffix(".o") not in mutant.compiled]
    commands = {command["file"]: command for command in json.loads((build / "compile_commands.json").read_text())
                if str(own.relative_to(build)) in command["command"]}
    for source in mutant.compiled:
        objects.append(compile_again(commands[str(SOURCES / DROP_IN / source)], source, folder))
    link(build, objects, folder)


def survives(runner, test, pool):
    """Returns: whether the test passes, however many threads it has."""
    return not any(runner.run(test, case, threads, pool) for threads in THREADS for case in programs.cases_of(test))


def problems_with(mutant, words):
    """Returns: what is wrong with a mutant; of the unchanged drop-in, which tests fail."""
    with tempfile.TemporaryDirectory() as name:
        try:
            build_mutant(mutant, words.build.resolve(), Path(name))
        except WrongMutant as wrong:
            return [str(wrong)]
        runner = programs.Runner(words.programs, Path(name), seconds=SECONDS)
        wrong, word = (False, "fails") if mutant is UNCHANGED else (True, "passes")
        return [f"{mutant.name}: the test {test} on {pool} {word}" for test, pool in mutant.tests
                if survives(runner, test, pool) == wrong]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("names", nargs="*")
    words = parser.parse_args()
    chosen = [each for each in MUTANTS if not words.names or each.name in words.names]
    found = [problem for mutant in [UNCHANGED, *chosen] for problem in problems_with(mutant, words)]
    print("\n".join([*found, f"{len(chosen)} mutants, {len(found)} problems"]))
    return 1 if found or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
