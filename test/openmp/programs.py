# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each program of this folder is run with and must come to, and how to run it."""

import argparse
import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

POOLS = ("teff", "sq1", "sq4", "dq5", "dq8", "mts", "q")
SHEPHERDS = ("q", "l", "cq", "ws", "mts")
# Where an idle member finds a task that a busy one has put, or makes it share it. On the others a program that looks whether its
# task was begun looks in vain: so long, if it gives up, that it may seem to hang on a busy machine.
OPEN = ("teff", "sq1", "sq4", "dq5", "dq6")
OTHER_OPEN = ("sq3", "dq4", "rq1")
PRIVATE = ("dq8", "sdq1")
THREADS = (1, 2, 3, 8)
SECONDS = 60
REFUSED = 70  # exit code
ASKED = ("environment", "answers")  # programs that check nothing: other scripts ask them


@dataclass(frozen=True)
class Case:
    arguments: tuple = ()
    environment: dict = field(default_factory=dict)
    code: int = 0
    says: tuple = ()  # on standard error
    stock: bool = True  # whether gcc's library does this, too
    pools: tuple = POOLS  # that promise this
    each_on_all: bool = False  # each of the pools with each number of threads, also where others take turns


# With two domains by their numbers, too.
ON_SHEPHERDS = [Case(environment=each, stock=False, pools=SHEPHERDS, each_on_all=True)
                for each in ({}, {"TEFF_SET": "domains=2x4"})]  # fmt: skip
PLACES = {"OMP_PLACES": "threads", "OMP_PROC_BIND": "close"}
CANCELLATION = {"OMP_CANCELLATION": "true"}
PRIORITY = {"OMP_MAX_TASK_PRIORITY": "7"}
MANDATORY = {"OMP_TARGET_OFFLOAD": "mandatory"}
ENDS_FOR_DEVICE = {"code": 1, "says": ("OMP_TARGET_OFFLOAD is set to MANDATORY, but",), "pools": ("teff",)}
ON_DEVICE = ("target", "target_data", "update", "enter_data", "exit_data", "memory")
REFUSALS = {  # argument of `refused`: what the sentence must name
    "unmatched_reduction": "a task takes part in the reduction of a variable at",
    "openacc": "GOACC_wait",
    "openacc_memory": "acc_malloc",
    # Bits and numbers that no gcc up to 14 passes to a function that is there.
    "cancel_kind": "a cancel construct of the kind 0x3",
    "cancellation_point_kind": "a cancel construct of the kind 0x10",
    "parallel_flags": "GOMP_parallel with the flags 0x5",
    "task_flags": "GOMP_task with the flags 0x20",
    "taskloop_flags": "GOMP_taskloop with the flags 0x8000",
    "target_flags": "GOMP_target_enter_exit_data with the flags 0x4",
    "target_alignment": "asks for an alignment of 2^32 bytes; allowed: below 2^32",
    "doacross_numbers": "a doacross loop of 2 loops with more than 2^63 iterations",
    "teams_flags": "GOMP_teams_reg with the flags 0x1",
    "loop_schedule": "GOMP_loop_start with the schedule 0x5",
    "loop_schedule_bits": "GOMP_loop_ordered_start with the schedule 0x40000001",
    "loop_ull_schedule": "GOMP_loop_ull_start with the schedule 0x80000007",
    "loop_ull_schedule_bits": "GOMP_loop_ull_ordered_start with the schedule 0xffffffff80000001",
}

OMP_SCHEDULES = ("static", "static,2", "dynamic", "dynamic,3", "guided", "guided,2", "auto", "monotonic:dynamic,2",
                 "nonmonotonic:guided")  # fmt: skip

CASES = {
    "affinity_of_others": [Case(pools=("teff",)),
                           Case(environment={"OMP_PLACES": "threads", "OMP_PROC_BIND": "close"}, pools=("teff",)),
                           Case(environment={"OMP_WAIT_POLICY": "passive"}, pools=("teff",))],
    # gcc's library looks for the other allocator for ever.
    "allocators": [Case(), Case(("without_another",), stock=False)],
    # gcc's library reads the argument that is left out.
    "auto_loops": [Case(stock=False)],
    # What gcc 12's library does not have.
    "allocations": [Case(stock=False, pools=("teff",))],
    # gcc's library crashes on all but the first.
    "bad_input": [Case(), Case(("priorities",), stock=False), Case(("priorities",), PRIORITY, stock=False),
                  Case(("cancel",), CANCELLATION, stock=False, pools=("teff",)), Case(("ends",), stock=False, pools=("teff",))],
    # With an argument: the tasks of a shared `teff` do need the fence, and the program sees it.
    "beside_threads": [Case(), Case(("tasks",), stock=False, pools=("teff",), each_on_all=True)],
    "batches": [Case(pools=("teff",))],
    "cancel": [Case(environment=CANCELLATION), Case(("dropped",), CANCELLATION, stock=False)],
    "cancel_objects": [Case(environment=CANCELLATION)],
    "fortran_cancel": [Case(environment=CANCELLATION)],
    # In its taskgroup each step lies on the one before.
    "deep_stacks": [Case(pools=("teff",)), Case(("taskgroup",), stock=False, pools=("teff",))],
    # In its taskwait a thread of gcc's library runs children alone.
    "deep_waits": [Case(stock=False, pools=OPEN)],
    # gcc's library runs all of them on one stack, and on top of who holds a lock.
    "enough_tasks": [Case(), Case(("flat",), stock=False, pools=("teff",)), Case(("locks",), stock=False, pools=OPEN),
                     Case(("many",), pools=("teff",)), Case(("tree",), pools=("teff",))],
    # On `q` each step goes to another thread.
    "long_chains": [Case(pools=POOLS[:-1]), Case(("leaves",), stock=False, pools=POOLS[:-1])],
    "variables_of_tasks": [Case(pools=("teff",))],
    # OpenMP promises no order; what gcc's library and the default pool have goes on.
    "older_tasks": [Case(pools=("teff",))],
    # What gcc 12 does not pass; and its library waits for an event of a task outside of all regions where that is made.
    "depend": [Case(), Case(("later",), stock=False)],
    "depend_wrong": [Case(code=REFUSED, says=("a depend object says 0xffffffffffffffff",), stock=False, pools=("teff",))],
    "descriptors": [Case(stock=False, pools=("teff",))],
    "detach": [Case(), Case(("outside",), stock=False)],
    # gcc's library says nothing of events that nobody fulfils, and reads what a fulfilled one was.
    "detach_wrong": [Case(("twice", between), code=REFUSED, says=("which was fulfilled before",), stock=False, pools=("teff",))
                     for between in ("nothing", "outside", "a_wait", "others", "then_outside")]
    + [Case(("none", number), code=REFUSED, says=("which is no event",), stock=False, pools=("teff",)) for number in ("0", "0x1234")]
    + [Case(("told", wait), {"TEFF_WATCHDOG": "0.05"}, stock=False, pools=("teff", "dq8"))
       for wait in ("taskwait", "taskgroup", "many", "at_once", "depend", "behind", "barrier", "end", "no_region")]
    + [Case(("told", "taskwait"), {"TEFF_WATCHDOG": "0.2"}, stock=False, pools=("teff",))]
    + [Case(("work", "beside"), {"TEFF_WATCHDOG": "0.05"}, stock=False, pools=("teff",))],
    "doacross": [Case(), Case(("beyond",), stock=False)],
    "device_memory_later": [Case(stock=False), Case(("cancelled",), CANCELLATION, stock=False)],
    "error_directive": [Case(), Case(("message",), code=1, says=("error directive encountered", "a pipe broke")),
                        Case(("long",), code=1, says=("error directive encountered", " to the end\n")),
                        Case(("none",), code=1, says=("error directive encountered",))],
    "exit_inside": [Case((which,), code=5) for which in ("main", "member", "task", "quick")]
    + [Case((which,), {"TEFF_STATS": "1"}, code=5, says=("teff: peak memory: ",), stock=False) for which in ("member", "task")],
    # gcc's library hangs in a child that opens a region after its parent did, and dies when a library with regions is unloaded.
    # gcc's library multiplies steps with chunks, and its sums leave 64 bits.
    "generated_loops": [Case(("small_steps",), pools=()), Case(stock=False, pools=("teff",))]
    + [Case(("variable",), {"OMP_SCHEDULE": each}, stock=False, pools=("teff",)) for each in OMP_SCHEDULES],
    "generated_loops_cpp": [Case(("small_steps",), pools=()), Case(stock=False, pools=("teff",))],
    "generated_loops_f90": [Case(pools=("teff",))],
    "interop": [Case(stock=False)],
    "keys": [Case(stock=False)],
    "leaving": [Case((which,), code=5, says=("ends inside a parallel region",), stock=False)
                for which in ("opener", "used", "task", "inner", "member", "both")]
    + [Case((which,), code=5, says=("ends inside a parallel region",), stock=False, pools=("teff",))
       for which in ("left", "long", "signals", "handler", "child")]
    + [Case(("alone",), code=5, stock=False)],
    "forking": [Case(stock=False)],
    "forking_inside": [Case(stock=False)]
    + [Case((how,), says=("a child of fork() came back to a parallel region",), stock=False)
       for how in ("task", "last task", "opener", "member", "loop", "put", "last task by _Fork", "opener by _Fork", "member by _Fork")],
    "forking_at_locks": [Case(says=("a child of fork() came back to a parallel region",), stock=False, pools=("sq1",)),
                         Case(("own regions",), stock=False, pools=("teff",)),
                         # Beside a setting that is wrong the other one holds.
                         Case(environment={"TEFF_SET": "nothing,domains=1x1"}, stock=False, pools=("sq1",),
                              says=("'nothing' has no value", "domains with places for 1 thread"))],
    "forking_counts": [Case(environment={"TEFF_STATS": "1"}, stock=False)],
    "no_memory": [Case(environment=PRIORITY, stock=False)],
    "plugin_host": [Case(("libplugin.so",), stock=False)],
    "fortran_places": [Case(environment=PLACES)],
    "fortran_queries": [Case(environment=PRIORITY)],
    # Loops have nothing to do with pools.
    "lastprivate": [Case(pools=("teff",))],
    "fortran_lastprivate": [Case(pools=("teff",))],
    # Of gcc's library all threads may sleep then.
    "lock_and_grandchildren": [Case(pools=OPEN + OTHER_OPEN + PRIVATE)],
    "lock_and_sleeper": [Case(stock=False, pools=OPEN + OTHER_OPEN)],
    "lock_and_stolen": [Case(pools=OPEN + OTHER_OPEN)],
    "lock_over_taskwait": [Case(pools=OPEN + OTHER_OPEN)],
    "new_queries": [Case(stock=False)],
    "own_names": [Case(), Case(environment={"TEFF_STATS": "1", "OMP_SCHEDULE": "nothing"}, says=("OMP_SCHEDULE", "teff: tasks: "),
                               stock=False)],  # fmt: skip
    "pause": [Case(pools=("teff",)), Case(("own",), stock=False, pools=("teff", "dq8")),
              Case(("own",), {"OMP_THREAD_LIMIT": "4"}, stock=False, pools=("teff",))],
    "places": [Case(environment=PLACES)],
    "places_of_regions": [Case(environment={"OMP_PLACES": "{0},{1}", "OMP_PROC_BIND": "true"})],
    "priorities": [Case(environment={"OMP_MAX_TASK_PRIORITY": each}) for each in ("0", "7", "20")]
    + [Case(("own",), PRIORITY, stock=False)],
    "private_tasks_shared": [Case(pools=OPEN + OTHER_OPEN + PRIVATE)],
    "private_tasks": [Case(environment={"TEFF_STATS": "1"}, stock=False, pools=("teff",))],
    "pthreads": [Case(), Case(("end",))],
    "queries": [Case(environment=PRIORITY)],
    # Behind loops with such reductions, if there are many of two threads, if they are cancelled, or if tasks have regions inside,
    # threads may wait for one another for ever in gcc's library.
    "reductions": [Case(), Case(("constructs",)), Case(("chains",), stock=False), Case(("regions",), stock=False),
                   Case(("cancelled",), CANCELLATION, stock=False)],
    "refused": [Case((which,), CANCELLATION, code=REFUSED, says=(name,), stock=False) for which, name in REFUSALS.items()],
    "refused_beside_reader": [Case(code=REFUSED, says=("GOACC_wait",), stock=False)],
    "sharing": [Case(environment=each, pools=OPEN)
                for each in ({}, {"OMP_WAIT_POLICY": "active"}, {"GOMP_SPINCOUNT": "infinite"})],
    # It counts how often the drop-in gives the processor away.
    "slices": [Case(stock=False, pools=("teff",)), Case(environment={"OMP_WAIT_POLICY": "active"}, stock=False, pools=("teff",)),
               Case(("for_ever",), {"GOMP_SPINCOUNT": "infinite"}, pools=OPEN)],
    # That no default device is the host then is of OpenMP 5.2: gcc 12's library runs such a region.
    "target_offload": [Case(environment=each, pools=("teff",)) for each in ({}, {"OMP_TARGET_OFFLOAD": "disabled"})]
    + [Case(("target", "3"), {"OMP_TARGET_OFFLOAD": each}, pools=("teff",)) for each in ("default", "DISABLED")]
    + [Case((which, "3"), MANDATORY, **ENDS_FOR_DEVICE) for which in ON_DEVICE]
    + [Case((which, "0"), MANDATORY, pools=("teff",)) for which in (*ON_DEVICE, "target_by_if")]
    + [Case(("target_on_default",), MANDATORY | {"OMP_DEFAULT_DEVICE": "0"}, pools=("teff",)),
       Case(("target_on_default",), MANDATORY | {"OMP_DEFAULT_DEVICE": "2"}, **ENDS_FOR_DEVICE),
       *[Case((which,), MANDATORY, **ENDS_FOR_DEVICE, stock=False) for which in ("target_on_default", "restore")],
       *[Case((which, "-4"), environment=each, code=1, says=("omp_invalid_device (-4) is no device; allowed: 0, the host",), stock=False,
              pools=("teff",)) for each in ({}, {"OMP_TARGET_OFFLOAD": "disabled"}) for which in ON_DEVICE]],
    "target": [Case(), Case(("limited",), {"OMP_THREAD_LIMIT": "5"}),
               Case(("counted",), {"TEFF_STATS": "1"}, says=("teff: regions: 2\n",), stock=False, pools=("teff",))],
    # With a limit that is not known yet, gcc 12's library has none, whatever OMP_THREAD_LIMIT says.
    "target_old": [Case(), Case(("offload",)), Case(("limits",), {"OMP_THREAD_LIMIT": "50"}, stock=False, pools=("teff",)),
                   *[Case((which,), MANDATORY, **ENDS_FOR_DEVICE) for which in ("target", "data", "update")]],
    # gcc's library runs target tasks that are not deferred in any case.
    "target_tasks": [Case(), Case(("cancelled",), CANCELLATION), Case(("cancelled_in_final",), CANCELLATION, stock=False)],
    "target_teams": [Case(), Case(("variables",), stock=False)],
    "task_scheduling": [Case(), *ON_SHEPHERDS],
    "taskgroup": [Case(), Case(("grandchildren",), stock=False, pools=OPEN), *ON_SHEPHERDS],
    "taskloop": [Case(), *ON_SHEPHERDS],
    # They hold a member at each instruction: which pool there is makes no difference to that.
    "stepped_barrier": [Case(pools=("teff",))],
    "stepped_worksharing": [Case(pools=("teff",))],
    "tasks": [Case(), Case(("together",), pools=OPEN), *ON_SHEPHERDS],
    "teams_variables": [Case(stock=False)],
    "thread_limit": [Case(environment={"OMP_THREAD_LIMIT": "6"}),
                     Case(("fork",), environment={"OMP_THREAD_LIMIT": "6"}, stock=False)],
    "throwing": [Case(code=-6, says=("terminate called", "nobody catches this"))]
    + [Case((how,), code=-6, says=("teff: a task lets an exception escape", "nobody catches this"), stock=False)
       for how in ("put", "at_once")]
    + [Case(("leaves",), code=-6, says=("teff: a task", "ends its thread"), stock=False)],
}


def cases_of(program):
    return CASES.get(program, [Case()])


def folder_of_programs(text):
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"'{text}' is no folder; allowed: one that has the built test programs")
    return Path(text)


def folder_of_drop_in(text):
    """Without the library in it gcc's would run, and nobody would say so."""
    if not (Path(text) / "libgomp.so.1").exists():
        raise argparse.ArgumentTypeError(f"'{text}' has no libgomp.so.1; allowed: a folder that has the drop-in's")
    return Path(text).resolve()


def parser_of(script, library_required=False):
    """Returns: a parser of what all scripts of this folder are told; SCRIPT is the text at the script's beginning."""
    parser = argparse.ArgumentParser(description=script, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=folder_of_programs, required=True)
    parser.add_argument("--library", dest="drop_in", type=folder_of_drop_in, required=library_required)
    return parser


def clean_environment():
    """Returns: the environment without what this user has set for a runtime."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_", "TEFF_", "LD_"))}


@dataclass(frozen=True)
class Runner:
    folder: Path  # with the compiled programs
    drop_in: Path | None  # folder of the drop-in's libgomp.so.1; None: gcc's library
    preload: Path | None = None
    seconds: float = SECONDS

    def environment(self, case, threads, pool):
        clean = clean_environment() | case.environment | {"OMP_NUM_THREADS": str(threads)}
        if self.drop_in:
            clean |= {"LD_LIBRARY_PATH": str(self.drop_in), "TEFF_POOL": pool}
        if self.preload:
            clean["LD_PRELOAD"] = str(self.preload)
        return clean

    def run(self, program, case, threads, pool="teff"):
        """Returns: what is wrong with the run, in a sentence; "" if nothing is."""
        folder = self.folder.resolve()
        command = [str(folder / program), *(str(folder / word) if word.endswith(".so") else word for word in case.arguments)]
        with tempfile.TemporaryDirectory() as own:  # for files that a program writes and, if it is stopped, leaves
            try:
                done = subprocess.run(command, cwd=own, env=self.environment(case, threads, pool), capture_output=True, text=True,
                                      errors="replace", timeout=self.seconds, stdin=subprocess.DEVNULL)
            except subprocess.TimeoutExpired:
                return f"still running after {self.seconds:g} s"
        if done.returncode != case.code:
            return f"exit code {done.returncode}, not {case.code}: {(done.stdout + done.stderr).strip()[:500]}"
        if "the program went on" in done.stdout:
            return "the program went on"
        missing = [each for each in case.says if each not in done.stderr]
        return f"standard error does not say '{missing[0]}': {done.stderr.strip()[:500]}" if missing else ""
