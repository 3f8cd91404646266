#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the same workloads on Teff and on other runtimes, in interleaved rounds. Called by ./dev bench versus."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import versus_tables as tables

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("VERSUS_BUILD", ROOT / "build" / "versus"))
PROGRAMS = BUILD / "bench" / "versus"
FLAGS = "-O2 -DNDEBUG"
SECONDS_PER_PROGRAM = 300
THREADS_AT_MOST = 256

# Where the runtimes come from.
PEERS = {
    "serial": "the compiler",
    "teff": "this tree",
    "onetbb": "Debian's libtbb-dev",
    "libgomp": "g++",
    "libomp": "Debian's clang-19 and libomp-19-dev",
    "rayon": "cargo and its crates",
    "chili": "cargo and its crates",
    "forkjoin": "a JDK (Debian's default-jdk-headless)",
    "lace": "--lace PATH",
    "parlaylib": "--parlaylib PATH",
    "libfork": "--libfork PATH",
    "taskflow": "--taskflow PATH",
}
# Those with an option of their own are given as the folders into which they were installed, which hold that header.
INSTALLED = {"lace": "lace.h", "parlaylib": "parlay/parallel.h", "libfork": "libfork.hpp", "taskflow": "taskflow/taskflow.hpp"}

FIB = {"n=25": 242_785, "n=30": 2_692_537, "n=34": 18_454_929, "n=37": 78_176_337}
NQUEENS = {"n=9": 8_394, "n=11": 166_926, "n=12": 856_189}
# Workload: the program, and its sizes from small to standard, with what they have of the unit that times are divided by. A case
# runs the largest one that takes it less than --seconds.
TIMED = {
    "fib": ("fib", FIB),
    "synthetic": ("synthetic", {"k=22,f=0": 150_024, "k=26,f=0": 1_028_428, "k=30,f=0": 7_049_122}),
    "synthetic5": ("synthetic", {"k=18,f=5": 21_870, "k=22,f=5": 150_024, "k=26,f=5": 1_028_428}),
    "nqueens": ("nqueens", NQUEENS),
    "uts": ("uts", {"d=7": 63_914, "d=9": 1_031_269, "d=10": 4_130_071}),
    "quicksort": ("quicksort", {"n=300000": 300_000, "n=10000000": 10_000_000}),
    "parallel_for": ("parallel_for", {"n=5000000,sweeps=1": 5_000_000, "n=5000000,sweeps=10": 50_000_000}),
    "reduce": ("reduce", {"n=5000000,sweeps=1": 5_000_000, "n=5000000,sweeps=20": 100_000_000}),
    "oversubscribed": ("nqueens", NQUEENS),
}
IDLE = {"idle": ("fib", {"n=25": 242_785})}
WAKE = {"wake": ("wake", {"trials=20": 20, "trials=200": 200})}
WORKLOADS = {**TIMED, **IDLE, **WAKE}


class VersusError(Exception):
    """A sentence for the user, and the exit code: 2 for wrong words, 1 for a run that failed."""

    def __init__(self, sentence, code=2):
        super().__init__(sentence)
        self.code = code


def say(text):
    print(f"versus: {text}", file=sys.stderr, flush=True)


# ---- the command line -------------------------------------------------------------------------------------------------------


def names_in(option, text, allowed):
    """Returns: the names of a list 'a,b', in the order of `allowed`."""
    wanted = text.split(",")
    for name in wanted:
        if name not in allowed:
            raise VersusError(f"{option} cannot name '{name}'; allowed: {', '.join(allowed)}")
    return [name for name in allowed if name in wanted]


def numbers_in(option, text, most):
    """Returns: the numbers of a list '1,2'."""
    for number in text.split(","):
        if not number.isdecimal() or not 1 <= int(number) <= most:
            raise VersusError(f"{option} cannot have '{number}'; allowed: numbers from 1 to {most}, as 1,2")
    return sorted({int(number) for number in text.split(",")})


def usable_processors():
    return len(os.sched_getaffinity(0))


def standard_threads():
    """1, 2, and what else the machine has, up to 16."""
    return [1, 2, *(each for each in (4, 8, 16) if each <= usable_processors())]


def folder_of(peer, text):
    """Returns: the folder into which a peer was installed, as an absolute path."""
    folder = Path(text).resolve()
    header = INSTALLED[peer]
    if not any(folder.glob(f"include/{header}")) and not any(folder.glob(f"include/{peer}-*/{header}")):
        raise VersusError(f"--{peer} cannot be '{text}': there is no include/{header} in it; "
                          f"allowed: the folder into which {peer} was installed")
    return folder


def parse(words):
    parser = argparse.ArgumentParser(prog="./dev bench versus", description=__doc__.splitlines()[0], allow_abbrev=False,
                                     epilog="docs/howto/compare-with-other-runtimes.md explains the tables")
    parser.add_argument("--threads", help="numbers of threads, as 1,2 (1, 2, and 4, 8, 16 where there are so many processors)")
    parser.add_argument("--workloads", default=",".join(WORKLOADS), help=f"of {', '.join(WORKLOADS)} (all)")
    parser.add_argument("--peers", default=",".join(PEERS), help=f"of {', '.join(PEERS)}; teff always takes part (all)")
    parser.add_argument("--rounds", default="5", help="how often each case is run (5)")
    parser.add_argument("--seconds", default="10", help="how long one run may take: who is slower gets a smaller problem (10)")
    parser.add_argument("--size", default="standard", choices=("standard", "small"), help="small: to try it out (standard)")
    for peer in INSTALLED:
        parser.add_argument(f"--{peer}", metavar="PATH", help=f"the folder into which {peer} was installed")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all that was measured into this file, too")
    wishes = parser.parse_args(words)
    wishes.threads = numbers_in("--threads", wishes.threads, THREADS_AT_MOST) if wishes.threads else standard_threads()
    wishes.workloads = names_in("--workloads", wishes.workloads, list(WORKLOADS))
    wishes.peers = names_in("--peers", wishes.peers + ",teff", list(PEERS))
    wishes.rounds = one_number("--rounds", wishes.rounds, 1000)
    wishes.seconds = one_number("--seconds", wishes.seconds, 3600)
    wishes.folders = {peer: folder_of(peer, getattr(wishes, peer)) for peer in INSTALLED if getattr(wishes, peer) is not None}
    if wishes.json is not None:
        check_writable(wishes.json)
    return wishes


def one_number(option, text, most):
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise VersusError(f"{option} cannot be '{text}'; allowed: 1 ... {most}")
    return int(text)


def check_writable(path):
    """Before hours of measuring, not after."""
    try:
        with tempfile.TemporaryFile(dir=path.resolve().parent):
            pass
    except OSError as error:
        raise VersusError(f"--json cannot be '{path}': {error.strerror}") from error
    if path.is_dir():
        raise VersusError(f"--json cannot be '{path}': that is a folder")


# ---- building ---------------------------------------------------------------------------------------------------------------


def run_quietly(words, log):
    """Returns: whether it succeeded. What it says goes into a file."""
    with open(log, "w", encoding="utf-8") as file:
        return subprocess.run([str(word) for word in words], stdout=file, stderr=subprocess.STDOUT, check=False).returncode == 0


def configure(wishes):
    """Returns: the runtimes that can be built."""
    BUILD.mkdir(parents=True, exist_ok=True)
    log = BUILD / "configure.log"
    options = [f"-DVERSUS_{peer.upper()}={wishes.folders.get(peer, '')}" for peer in INSTALLED]
    # What was found in another folder is not kept.
    forget = ["-UVERSUS_*_INCLUDE", "-UVERSUS_*_LIBRARY"]
    base = ["cmake", "-G", "Ninja", "-S", ROOT, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_FLAGS_RELEASE={FLAGS}",
            f"-DCMAKE_C_FLAGS_RELEASE={FLAGS}", "-DTEFF_BUILD_TESTS=OFF", "-DTEFF_BUILD_VERSUS=ON"]
    if not run_quietly([*base, *forget, *options], log):
        raise VersusError(f"the configuration failed: {log} says why", 1)
    return (PROGRAMS / "runtimes").read_text(encoding="utf-8").split()


def targets_of(peer, programs):
    """Returns: what is to be built so that a peer has these programs. There is no serial waking up."""
    if peer in ("rayon", "chili"):
        return ["versus_rust"]
    return ["versus_java"] if peer == "forkjoin" else [
        f"versus_{program}_{peer}" for program in programs if (program, peer) != ("wake", "serial")]


def build(wishes):
    """Returns: the peers that can be run, and {peer: why it cannot}."""
    missing = {}
    can = configure(wishes)
    programs = sorted({WORKLOADS[workload][0] for workload in wishes.workloads})
    for peer in wishes.peers:
        if peer not in can:
            missing[peer] = f"not installed; it comes by {PEERS[peer]}"
            continue
        say(f"building the programs on {peer}")
        log = BUILD / f"{peer}.log"
        command = ["cmake", "--build", BUILD, "--parallel", usable_processors(), "--target", *targets_of(peer, programs)]
        if not run_quietly(command, log):
            missing[peer] = f"its programs could not be built: {log} says why"
    if "teff" in missing:
        raise VersusError(f"teff: {missing['teff']}", 1)
    return [peer for peer in wishes.peers if peer not in missing], missing


# ---- running ----------------------------------------------------------------------------------------------------------------


class Case:
    """A form of a runtime on so many threads, and what its runs gave."""

    def __init__(self, workload, peer, form, threads):
        self.workload, self.peer, self.form, self.threads = workload, peer, form, threads
        self.size = None
        self.records = {}  # round: record
        self.evidence = None
        self.trouble = None

    def name(self):
        return f"{self.workload} on {self.peer} ({self.form}), {self.threads} threads"

    def run(self, *words):
        """Returns: the record that the program printed, or None, and then `trouble` says why."""
        program = PROGRAMS / WORKLOADS[self.workload][0] / self.peer
        command = [str(program), "--threads", str(self.threads), "--form", self.form, *words]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS_PER_PROGRAM)
        except subprocess.TimeoutExpired:
            self.trouble = f"did not end within {SECONDS_PER_PROGRAM} s"
            return None
        if done.returncode != 0:
            said = done.stderr.strip().splitlines()
            self.trouble = said[-1] if said else f"ended with {done.returncode}"
            say(f"{self.name()}: {self.trouble}")
            return None
        return json.loads(done.stdout)


def forms_of(workload, peer):
    done = subprocess.run([PROGRAMS / WORKLOADS[workload][0] / peer, "--forms"], capture_output=True, text=True, check=True)
    return done.stdout.split()


def thread_counts(workload, wishes):
    """The threads that a workload is run on."""
    if workload == "oversubscribed":
        return [usable_processors(), 4 * usable_processors()]
    if workload == "wake":
        return [max(2, *wishes.threads)]
    return [max(wishes.threads)] if workload == "idle" else wishes.threads


def cases_of(workload, peers, wishes):
    cases = []
    for peer in peers:
        if workload in ("idle", "wake") and peer == "serial":
            continue
        if workload == "synthetic5" and peer == "forkjoin":
            continue  # Java has no empty loop that its compiler keeps
        threads = [1] if peer == "serial" else thread_counts(workload, wishes)
        forms = forms_of(workload, peer)
        cases += [Case(workload, peer, form, each) for form in forms for each in threads]
    return cases


def choose_size(case, wishes):
    """Effect: the case gets the largest size that it is likely to finish in time, by a run of the smallest one."""
    units = WORKLOADS[case.workload][1]
    sizes = list(units)
    case.size = sizes[0]
    if wishes.size == "small" or case.workload in (*IDLE, *WAKE):
        case.size = sizes[0] if wishes.size == "small" else sizes[-1]
        return
    for larger in sizes[1:]:
        before = time.monotonic()
        record = case.run("--size", case.size)
        if record is None:
            return
        one_run = record["runs"][0]["seconds"]
        growth = units[larger] / units[case.size]
        if one_run * growth > wishes.seconds or time.monotonic() - before > wishes.seconds:
            return
        case.size = larger


def collect_evidence(case):
    """Effect: a run that is not timed counts the tasks, and on which threads they ran."""
    if case.trouble is None and case.peer != "serial" and case.workload not in (*IDLE, *WAKE):
        case.evidence = case.run("--size", case.size, "--counted")


def run_workload(workload, peers, wishes):
    """Returns: the cases, run in rounds: each case once a round, and each round begins with another one."""
    cases = cases_of(workload, peers, wishes)
    for case in cases:
        choose_size(case, wishes)
        collect_evidence(case)
    for number in range(wishes.rounds):
        say(f"{workload}, round {number + 1} of {wishes.rounds}")
        first = number * 7 % max(len(cases), 1)
        for case in cases[first:] + cases[:first]:
            if case.trouble is None:
                case.records[number] = case.run("--size", case.size, *(["--idle"] if workload == "idle" else []))
    return cases


def machine():
    """What the figures depend on."""
    models = [line.split(":", 1)[1].strip() for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
              if line.startswith("model name")]
    asked = ["git", "-C", ROOT, "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() if shutil.which("git") else ""
    return {"processor": models[0] if models else "unknown", "usable_processors": usable_processors(),
            "kernel": os.uname().release, "commit": commit or "unknown", "load": os.getloadavg()[0],
            "time": time.strftime("%Y-%m-%d %H:%M:%S %z")}


def as_json(about, cases, missing):
    return json.dumps({"machine": about, "missing": missing, "cases": [
        {"workload": case.workload, "runtime": case.peer, "form": case.form, "threads": case.threads, "size": case.size,
         "trouble": case.trouble, "evidence": case.evidence, "rounds": case.records} for case in cases]}, indent=1)


def compare(wishes):
    """Returns: the exit code."""
    peers, missing = build(wishes)
    about = machine()
    print(tables.heading(about, wishes))
    cases = []
    for workload in wishes.workloads:
        ran = run_workload(workload, peers, wishes)
        cases += ran
        print(tables.table_of(workload, ran), flush=True)
    print(tables.bars_of(cases))
    for peer, why in missing.items():
        print(f"missing: {peer}: {why}")
    if wishes.json is not None:
        beside = wishes.json.with_name(wishes.json.name + ".part")
        beside.write_text(as_json(about, cases, missing) + "\n", encoding="utf-8")
        beside.replace(wishes.json)
    return 1 if any(case.trouble is not None for case in cases) else 0


def main(words):
    try:
        return compare(parse(words))
    except VersusError as error:
        print(f"versus: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print("versus: interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
