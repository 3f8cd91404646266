# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of programs: unmodified OpenMP programs on gcc's library and on several pools, in alternating rounds, and what the accounts of
their threads' time say."""

import contextlib
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import openmp
from plan_suite import check_keys
from plan_sweep import RunError, failed, identity_of, said_by

PROGRAM_KEYS = {"what", "command"}, {"check", "without"}
VIEW_KEYS = {"name", "title", "programs"}, {"note"}
CHECK_KEYS = {"words", "says"}, set()
SECONDS_OF_A_CHECK = 300
SECONDS_OF_A_PROGRAM = 1800  # of all its runs, where the user says nothing
SECONDS_AT_MOST = 86400
ROUNDS_AT_MOST = 1000
THREADS_AT_MOST = 256
PLACES = ("openmp", "bots")  # that a plan's commands may name
DROP_IN = ("../lib/gomp/libgomp.so.1", "../lib/*/teff/gomp/libgomp.so.1", "../lib/teff/gomp/libgomp.so.1")  # beside the command, as it looks
HOW_BOTS_COMES = ("fetch bsc-pm/bots, run './configure --compiler gcc' in it and 'make' in its folders omp-tasks, omp-tasks/concom and "
                  "omp-tasks/knapsack, and name it with --bots")


class ProgramsError(Exception):
    """A sentence about a plan file, or about what the user asked for."""


class NotCompared(RunError):
    """A program has no comparison; the others may have one."""


def is_programs(plan):
    return "program" in plan


def check(plan):
    """Errors: ProgramsError for a plan that cannot be run."""
    try:
        check_number("repeat", plan.get("repeat"), ROUNDS_AT_MOST)
        for each in plan.get("threads") or [None]:
            check_number("threads", each, THREADS_AT_MOST)
        for name, program in plan["program"].items():
            check_keys(f"program.{name}", program, *PROGRAM_KEYS)
            for place in re.findall(r"\{(\w+)\}", " ".join(program["command"])):
                if place not in PLACES:
                    raise ProgramsError(f"program.{name}: there is no place '{{{place}}}'; allowed: "
                                        + ", ".join(f"{{{each}}}" for each in PLACES))
            if program.get("check", None) not in (None, *plan.get("check", {})):
                raise ProgramsError(f"program.{name}: there is no check '{program['check']}'; allowed: {', '.join(plan['check'])}")
        for name, each in plan.get("check", {}).items():
            check_keys(f"check.{name}", each, *CHECK_KEYS)
        for view in plan["view"]:
            check_keys(f"view '{view.get('name')}'", view, *VIEW_KEYS)
            for name in view["programs"]:
                if name not in plan["program"]:
                    raise ProgramsError(f"view '{view['name']}': there is no program '{name}'; allowed: {', '.join(plan['program'])}")
    except ProgramsError:
        raise
    except Exception as error:  # a sentence of check_keys
        raise ProgramsError(str(error)) from error


def check_number(key, value, most):
    """Errors: ProgramsError."""
    if not isinstance(value, int) or not 1 <= value <= most:
        raise ProgramsError(f"{key} cannot be '{value}'; allowed: 1 ... {most}")


def check_pools(plan, wishes, known):
    """Errors: ProgramsError for a pool that there is not, in the user's words or in the plan."""
    named = [("--pools", wishes.pools), *((f"program.{name}: without", each.get("without", [])) for name, each in plan["program"].items())]
    for where, pools in named:
        for pool in pools:
            if pool not in known:
                raise ProgramsError(f"{where} cannot be '{pool}'; allowed: {', '.join(known)}")


# ---- what is to be run ------------------------------------------------------------------------------------------------------


def with_own(plan, own):
    """Returns: the plan with the user's programs, each a command in one text, in a view of their own."""
    if not own:
        return plan
    programs, names = dict(plan["program"]), []
    for text in own:
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise ProgramsError(f"--program cannot be '{text}': {error}; allowed: a program and its arguments, quoted as for a shell") from error
        if not words or shutil.which(words[0]) is None:
            raise ProgramsError(f"--program cannot be '{text}': its first word is no program that can be run; allowed: a program and its arguments")
        name = Path(words[0]).name
        while name in programs:
            name += "'"
        programs[name] = {"what": f"`{text}`", "command": words, "own": True}
        names.append(name)
    views = [{**view, "programs": [*view["programs"], *names]} if view["name"] == "own" else view for view in plan["view"]]
    return {**plan, "program": programs, "view": views}


def names_to_run(plan, view, only):
    """Returns: the programs of that view, or of all; those that `only` names, if it names some."""
    names = [name for each in plan["view"] if view in (None, each["name"]) for name in each["programs"]]
    for name in only or []:
        if name not in names:
            raise ProgramsError(f"--only cannot be '{name}'; allowed: {', '.join(names) or 'nothing, without --program'}")
    return [name for name in names if not only or name in only]


def is_absent(program, bots):
    """Whether it is one of the task suite's, which is not there."""
    return bots is None and not program.get("own") and any("{bots}" in word for word in program["command"])


def command_of(program, places):
    """Returns: its words, with the places of what was built in them. Errors: ProgramsError if there is no such program."""
    if program.get("own"):
        return program["command"]
    words = [re.sub(r"\{(\w+)\}", lambda found: str(places[found[1]]), word) for word in program["command"]]
    if shutil.which(words[0]) is None:
        raise ProgramsError(f"there is no program '{words[0]}': {HOW_BOTS_COMES}" if "{bots}" in program["command"][0] else
                            f"there is no program '{words[0]}'")
    return words


def pools_for(program, wishes):
    """Returns: the pools that are wanted, without those on which this program does not end in reasonable time."""
    return [each for each in wishes.pools if each not in program.get("without", [])]


def comparison_of(pools, wishes, words, file):
    return ["compare", "--pools", ",".join(pools), "--threads", ",".join(map(str, wishes.threads)),
            "--repeat", str(wishes.repeat), "--json", str(file), "--", *words]


# ---- running it -------------------------------------------------------------------------------------------------------------


def run_within(words, seconds, **to):
    """Returns: what subprocess.run does. Effect: what still runs then ends, with all that it has started.
    Errors: NotCompared if that is so."""
    with subprocess.Popen(words, text=True, start_new_session=True, **to) as process:
        try:
            said, complained = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired as late:
            end_all_of(process)
            raise NotCompared(f"'{' '.join(map(str, words))}' did not end within {seconds} s; another limit for it: --limit, allowed: "
                              f"1 ... {SECONDS_AT_MOST} s", 2) from late
        except BaseException:
            end_all_of(process)
            raise
    return subprocess.CompletedProcess(words, process.returncode, said, complained)


def end_all_of(process):
    with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def drop_in_of(teff):
    """Returns: the library on which `teff` runs programs. Errors: RunError if there is none."""
    folder = Path(shutil.which(str(teff)) or teff).resolve().parent
    for pattern in DROP_IN:
        for found in sorted(folder.glob(pattern)):
            return found
    raise RunError(f"there is no libgomp.so.1 beside '{teff}'; build the target teff_gomp, too", 1)


def pools_known_by(teff):
    return [line.split()[0] for line in said_by([teff, "list", "pools"]).splitlines()[1:] if line.strip()]


def verify(teff, words, how, pools, wishes):
    """Effect: the program runs once for each pool and number of threads, and has to say that its result is right. Errors: RunError."""
    for threads in wishes.threads:
        for pool in pools:
            command = [teff, "run", "--pool", pool, "--workers", str(threads), "--", *words, *how["words"]]
            done = run_within(command, min(SECONDS_OF_A_CHECK, wishes.limit), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)
            if done.returncode != 0:
                raise failed(command, done)
            if not re.search(how["says"], done.stdout + done.stderr):
                raise RunError(f"'{' '.join(map(str, command))}' does not say '{how['says']}'", 1)


class Runner:
    """Compares programs. What was compared is kept in a folder, and is not run again as long as the commit, the drop-in library, the
    command, the program and its check are the same."""

    def __init__(self, teff, folder):
        self.teff, self.folder, self.identity = teff, folder, identity_of(teff)
        folder.mkdir(parents=True, exist_ok=True)

    def path_of(self, words, program, how):
        files = (shutil.which(program), drop_in_of(self.teff))
        contents = (hashlib.sha256(Path(each).read_bytes()).hexdigest() for each in files)
        key = "\n".join((self.identity, *contents, json.dumps(how, sort_keys=True), *words))
        return self.folder / (hashlib.sha256(key.encode()).hexdigest()[:24] + ".json")

    def compared(self, command, how, pools, wishes):
        """Returns: the comparison of a program. A pool that fails is in it as one. Errors: NotCompared; RunError for a wrong result."""
        path = self.path_of(comparison_of(pools, wishes, command, "-"), command[0], how)
        if path.exists():
            return json.loads(path.read_text())
        if how is not None:
            verify(self.teff, command, how, pools, wishes)
        with tempfile.TemporaryDirectory(dir=self.folder) as beside:
            file = Path(beside) / "records.json"
            done = run_within([self.teff, *comparison_of(pools, wishes, command, file)], wishes.limit, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if done.returncode not in (0, 1) or not file.exists():
                error = failed(("teff", *comparison_of(pools, wishes, command, "-")), done)
                raise NotCompared(str(error), error.code)
            content = json.loads(file.read_text())
            file.replace(path)
        return content


def run(plan, view, wishes, teff, records):
    """Effect: runs what that view has, or all views. Returns: {program: its comparison}, {program: why it was not run}, and the errors
    of those that have no comparison because they failed."""
    names = names_to_run(plan, view, wishes.only)
    check_pools(plan, wishes, pools_known_by(teff))
    places = {"openmp": openmp.build(records.parent / "openmp"), "bots": wishes.bots}
    runner = Runner(teff, records)
    found, absent, errors = {}, {}, []
    for name in names:
        program = plan["program"][name]
        pools = pools_for(program, wishes)
        if is_absent(program, wishes.bots):
            absent[name] = HOW_BOTS_COMES
        elif not pools:
            absent[name] = f"it does not end in reasonable time on {', '.join(wishes.pools)}"
        else:
            print(f"plan: {name}", flush=True)
            words = command_of(program, places)
            try:
                found[name] = runner.compared(words, plan.get("check", {}).get(program.get("check")), pools, wishes)
            except NotCompared as error:
                absent[name] = str(error)
                errors.append(error)
    return found, absent, errors


def parsed(wishes, plan):
    """Effect: the wishes have what the plan says where the user said nothing. Errors: ProgramsError."""
    for name, text in (("threads", wishes.threads), ("pools", wishes.pools), ("only", wishes.only)):
        words = list(dict.fromkeys(text.split(","))) if text is not None else plan.get(name)
        setattr(wishes, name, words)
    if not all(re.fullmatch("[0-9]{1,3}", str(each)) and 1 <= int(each) <= THREADS_AT_MOST for each in wishes.threads):
        raise ProgramsError(f"--threads cannot be '{','.join(map(str, wishes.threads))}'; allowed: numbers 1 ... {THREADS_AT_MOST}, "
                            "separated by commas")
    wishes.threads = list(dict.fromkeys(int(each) for each in wishes.threads))
    wishes.repeat = plan["repeat"] if wishes.repeat is None else wishes.repeat
    wishes.limit = SECONDS_OF_A_PROGRAM if wishes.limit is None else wishes.limit
    check_number("--repeat", wishes.repeat, ROUNDS_AT_MOST)
    check_number("--limit", wishes.limit, SECONDS_AT_MOST)
    if wishes.bots is not None:
        if not (wishes.bots / "bin").is_dir():
            raise ProgramsError(f"--bots cannot be '{wishes.bots}': there is no folder 'bin' in it; {HOW_BOTS_COMES}")
        wishes.bots = wishes.bots.resolve()
