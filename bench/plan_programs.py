# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of programs: unmodified OpenMP programs on gcc's library and on several pools, in alternating rounds, and what the accounts of
their threads' time say."""

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from statistics import median, quantiles

import openmp
from plan_page import table
from plan_suite import check_keys
from plan_sweep import RunError, failed, identity_of

STOCK = "libgomp"
PROGRAM_KEYS = {"what", "command"}, {"check", "without"}
VIEW_KEYS = {"name", "title", "programs"}, {"note"}
CHECK_KEYS = {"words", "says"}, set()
NEAR = 1.05
PARTS_SHOWN = 3  # of an account
SECONDS_OF_A_CHECK = 300
HOW_BOTS_COMES = ("fetch bsc-pm/bots, run './configure --compiler gcc' in it and 'make' in its folders omp-tasks, omp-tasks/concom and "
                  "omp-tasks/knapsack, and name it with --bots")


class ProgramsError(Exception):
    """A sentence about a plan file, or about what the user asked for."""


def is_programs(plan):
    return "program" in plan


def check(plan):
    """Errors: ProgramsError for a plan that cannot be run."""
    try:
        for name, program in plan["program"].items():
            check_keys(f"program.{name}", program, *PROGRAM_KEYS)
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


# ---- what is to be run ------------------------------------------------------------------------------------------------------


def with_own(plan, own):
    """Returns: the plan with the user's programs, each a command in one text, in a view of their own."""
    if not own:
        return plan
    programs, names = dict(plan["program"]), []
    for text in own:
        words = shlex.split(text)
        if not words or shutil.which(words[0]) is None:
            raise ProgramsError(f"--program cannot be '{text}': its first word is no program that can be run")
        name = Path(words[0]).name
        while name in programs:
            name += "'"
        programs[name] = {"what": f"`{text}`", "command": words}
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
    return bots is None and any("{bots}" in word for word in program["command"])


def command_of(program, places):
    """Returns: its words, with the places of what was built in them. Errors: ProgramsError if there is no such program."""
    words = [re.sub(r"\{(\w+)\}", lambda found: str(places[found[1]]), word) for word in program["command"]]
    if shutil.which(words[0]) is None:
        raise ProgramsError(f"there is no program '{words[0]}': {HOW_BOTS_COMES}" if "{bots}" in program["command"][0] else
                            f"there is no program '{words[0]}'")
    return words


def pools_for(program, wishes):
    """Returns: the pools that are wanted, without those on which this program does not end in reasonable time."""
    return [each for each in wishes.pools if each not in program.get("without", [])]


def comparison_of(pools, wishes, words):
    return ["compare", "--pools", ",".join(pools), "--threads", ",".join(map(str, wishes.threads)),
            "--repeat", str(wishes.repeat), "--json", "{json}", "--", *words]


# ---- running it -------------------------------------------------------------------------------------------------------------


def verify(teff, words, how, pools, wishes):
    """Effect: the program runs once for each pool and number of threads, and has to say that its result is right. Errors: RunError."""
    for threads in wishes.threads:
        for pool in pools:
            command = [teff, "run", "--pool", pool, "--workers", str(threads), "--", *words, *how["words"]]
            try:
                done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS_OF_A_CHECK)
            except subprocess.TimeoutExpired as late:
                raise RunError(f"'{' '.join(map(str, command))}' did not end within {SECONDS_OF_A_CHECK} s", 1) from late
            if done.returncode != 0:
                raise failed(command, done)
            if not re.search(how["says"], done.stdout + done.stderr):
                raise RunError(f"'{' '.join(map(str, command))}' does not say '{how['says']}'", 1)


class Runner:
    """Compares programs. What was compared is kept in a folder, and is not run again as long as the commit, the command and the
    program are the same."""

    def __init__(self, teff, folder):
        self.teff, self.folder, self.identity = teff, folder, identity_of(teff)
        folder.mkdir(parents=True, exist_ok=True)

    def path_of(self, words, program):
        content = hashlib.sha256(Path(shutil.which(program)).read_bytes()).hexdigest()
        return self.folder / (hashlib.sha256("\n".join((self.identity, content, *words)).encode()).hexdigest()[:24] + ".json")

    def compared(self, command, how, pools, wishes):
        """Returns: the comparison of a program. A pool that fails is in it as one. Errors: RunError."""
        words = comparison_of(pools, wishes, command)
        path = self.path_of(words, command[0])
        if path.exists():
            return json.loads(path.read_text())
        if how is not None:
            verify(self.teff, command, how, pools, wishes)
        with tempfile.TemporaryDirectory(dir=self.folder) as beside:
            file = Path(beside) / "records.json"
            done = subprocess.run([self.teff, *(str(file) if word == "{json}" else word for word in words)], text=True, check=False,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if done.returncode not in (0, 1) or not file.exists():
                raise failed(("teff", *words), done)
            content = json.loads(file.read_text())
            file.replace(path)
        return content


def run(plan, view, wishes, teff, records):
    """Effect: runs what that view has, or all views. Returns: {program: its comparison}, and what is absent, with the reason."""
    names = names_to_run(plan, view, wishes.only)
    places = {"openmp": openmp.build(records.parent / "openmp"), "bots": wishes.bots}
    runner = Runner(teff, records)
    found, absent = {}, {}
    for name in names:
        program = plan["program"][name]
        if is_absent(program, wishes.bots):
            absent[name] = HOW_BOTS_COMES
            continue
        words = command_of(program, places)
        print(f"plan: {name}", flush=True)
        found[name] = runner.compared(words, plan.get("check", {}).get(program.get("check")), pools_for(program, wishes), wishes)
    return found, absent


def parsed(wishes, plan):
    """Effect: the wishes have what the plan says where the user said nothing. Errors: ProgramsError."""
    for name, text in (("threads", wishes.threads), ("pools", wishes.pools), ("only", wishes.only)):
        words = text.split(",") if text else plan.get(name)
        setattr(wishes, name, words)
    if not all(str(each).isdigit() and 1 <= int(each) <= 256 for each in wishes.threads):
        raise ProgramsError(f"--threads cannot be '{','.join(map(str, wishes.threads))}'; allowed: numbers 1 ... 256, separated by commas")
    wishes.threads = [int(each) for each in wishes.threads]
    wishes.repeat = wishes.repeat or plan["repeat"]
    if wishes.bots is not None:
        if not (wishes.bots / "bin").is_dir():
            raise ProgramsError(f"--bots cannot be '{wishes.bots}': there is no folder 'bin' in it; {HOW_BOTS_COMES}")
        wishes.bots = wishes.bots.resolve()


# ---- what is said of it -----------------------------------------------------------------------------------------------------


def record_of(comparison, runtime, threads):
    """Returns: the record; None if the program was not run on that."""
    return next((each for each in comparison["records"] if each["runtime"] == runtime and each["threads"] == threads), None)


def ratios(comparison, runtime, threads):
    """Returns: by round, the runtime's time over the stock library's; nothing if one of them failed."""
    stock, other = (record_of(comparison, each, threads) for each in (STOCK, runtime))
    if other is None or stock["failure"] or other["failure"]:
        return []
    return [mine / theirs for mine, theirs in zip(other["seconds"], stock["seconds"], strict=True)]


def middle_half(values):
    low, _, high = quantiles(values, n=4) if len(values) > 1 else [values[0]] * 3
    return low, high


def cell_of(comparison, runtime, threads, best):
    record = record_of(comparison, runtime, threads)
    if record is None:
        return "not run"
    if record["failure"]:
        return "failed"
    values = ratios(comparison, runtime, threads)
    if not values:
        return "-"
    low, high = middle_half(values)
    text = f"{median(values):.2f}"
    return ((f"**{text}**" if runtime in best else text) + f" ({low:.2f}–{high:.2f})"
            + ("" if record["same_output"] is not False else ", another output"))


def best_pools(comparison, pools, threads):
    """Returns: those that come within 5 % of the fastest one; none if all do."""
    medians = {pool: median(values) for pool in pools if (values := ratios(comparison, pool, threads))}
    near = [pool for pool, value in medians.items() if value <= NEAR * min(medians.values())]
    return near if len(near) < len(medians) or len(pools) == 1 else []


def duration(seconds):
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.0f} ms"


def parts_in(record):
    """Returns: the largest parts of the account of all regions, of the time of their members."""
    sums = {}
    for region in record["sites"]["regions"]:
        for part, ns in region.get("account_ns", {}).items():
            sums[part] = sums.get(part, 0) + ns
    whole = sum(sums.values())
    shares = sorted(((ns / whole, part) for part, ns in sums.items()), reverse=True)[:PARTS_SHOWN] if whole else []
    return ", ".join(f"{100 * share:.0f} % {part}" for share, part in shares) or "-"


def said_of(record):
    """Returns: how many tasks there were, the account, and the first sentence on what holds the program back."""
    tasks = record["statistics"].get("tasks", "-").split(" ")[0]
    findings = record["sites"]["findings"]
    return tasks, parts_in(record), findings[0]["sentence"] if findings else "-"


def times_table(plan, names, found, pools, threads):
    rows = [["program", "what", "stock", *(f"`{pool}`" for pool in pools)]]
    for name in names:
        comparison = found[name]
        stock = record_of(comparison, STOCK, threads)
        best = best_pools(comparison, pools, threads)
        rows.append([name, plan["program"][name]["what"], "failed" if stock["failure"] else duration(median(stock["seconds"])),
                     *(cell_of(comparison, pool, threads, best) for pool in pools)])
    return table(rows)


def account_table(names, found, pools, threads):
    rows = [["program", "best", "tasks", f"account of `{pools[0]}`", "what it says"]]
    for name in names:
        best = best_pools(found[name], pools, threads)
        rows.append([name, ", ".join(f"`{each}`" for each in best) or "any", *said_of(record_of(found[name], pools[0], threads))])
    return table(rows)


def page(plan, view, found, absent, wishes):
    """Returns: the page, in Markdown."""
    parts = [f"# {plan['title']}\n\nSource: {plan['source']}. {wishes.repeat} alternating rounds; `{os.cpu_count()}` processors.\n",
             plan["note"].strip() + "\n",
             "Each cell: the pool's time over the stock library's in the same round, the median and in brackets the middle half; below 1 the "
             "pool is faster. What comes within 5 % of the best pool is bold, unless all do. *Stock* is the median time on the stock library.\n"]
    for each in plan["view"]:
        names = [name for name in each["programs"] if name in found]
        if view not in (None, each["name"]) or not names:
            continue
        parts.append(f"## {each['name']}: {each['title']}\n")
        if "note" in each:
            parts.append(each["note"].strip() + "\n")
        for threads in wishes.threads:
            parts.append(f"### {threads} thread{'' if threads == 1 else 's'}\n")
            parts.append(times_table(plan, names, found, wishes.pools, threads))
            parts.append(account_table(names, found, wishes.pools, threads))
    if absent:
        parts.append("Not run: " + ", ".join(absent) + ": " + next(iter(absent.values())) + ".\n")
    return "\n".join(parts)
