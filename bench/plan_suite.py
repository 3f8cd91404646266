# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Suites: plans with several workloads on simulated machines, tables of what their runs count, and statements about them."""

import json
import math
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

from plan_page import table
from plan_sweep import RunError, exit_code_of

SIZES = ("standard", "paper")
RUN_KEYS = {"workload", "machine", "size", "pools", "workers"}, {"settings", "costs"}
VIEW_KEYS = {"name", "title", "shows", "runs"}, {"note", "statement"}
STATEMENT_KEYS = {"section", "text"}, {"ratio", "value", "least", "most", "not_modelled"}
DERIVED = {
    "speedup": lambda record: record["serial_seconds"] / median(record["seconds"]),
    "seconds": lambda record: median(record["seconds"]),
    "tasks_per_steal": lambda record: record["counters"]["tasks_stolen"] / max(steals(record), 1),
    "failed_steals": lambda record: record["counters"]["victim_locks"] - record["counters"]["steals_got"],
    "lines_beyond_domain": lambda record: record["counters"]["lines_from_others"] + record["counters"]["lines_from_memory"],
    "lines_over_links": lambda record: record["counters"]["lines_from_others"] + record["counters"]["lines_from_far_memory"],
}


class SuiteError(Exception):
    """A sentence about a plan file."""


def steals(record):
    return record["counters"]["steals_got"]


def is_suite(plan):
    return "run" in plan


def check(plan):
    """Errors: SuiteError for a plan that cannot be run, or whose statements are about what it does not run."""
    for name, run in plan["run"].items():
        check_keys(f"run.{name}", run, *RUN_KEYS)
        if set(run["size"]) != set(SIZES):
            raise SuiteError(f"run.{name}: size has to have {' and '.join(SIZES)}")
    for view in plan["view"]:
        check_keys(f"view '{view.get('name')}'", view, *VIEW_KEYS)
        for name in view["runs"]:
            if name not in plan["run"]:
                raise SuiteError(f"view '{view['name']}': there is no run '{name}'; allowed: {', '.join(plan['run'])}")
        for statement in view.get("statement", []):
            check_statement(plan, view, statement)


def check_keys(where, part, needed, allowed):
    for key in sorted(needed - set(part)):
        raise SuiteError(f"{where}: key '{key}' is missing")
    for key in sorted(set(part) - needed - allowed):
        raise SuiteError(f"{where}: unknown key '{key}'; allowed: {', '.join(sorted(needed | allowed))}")


def check_statement(plan, view, statement):
    where = f"view '{view['name']}', statement '{statement.get('text', '')[:40]}'"
    check_keys(where, statement, *STATEMENT_KEYS)
    quantities = [key for key in ("value", "ratio", "not_modelled") if key in statement]
    if len(quantities) != 1:
        raise SuiteError(f"{where}: one of value, ratio and not_modelled has to be there")
    if "not_modelled" in statement:
        return
    if not {"least", "most"} & set(statement):
        raise SuiteError(f"{where}: least or most has to be there")
    for term in terms_of(statement):
        words = term.split()
        if len(words) not in (3, 4) or words[0] not in plan["run"]:
            raise SuiteError(f"{where}: '{term}' is no term; allowed: RUN POOL [WORKERS] QUANTITY")
        run = plan["run"][words[0]]
        if words[1] not in run["pools"] or workers_in(words, run) not in run["workers"]:
            raise SuiteError(f"{where}: '{term}': run.{words[0]} has no such pool or number of workers")


def terms_of(statement):
    return statement["ratio"] if "ratio" in statement else [statement["value"]]


def workers_in(words, run):
    """The most, if a term names none."""
    return int(words[2]) if len(words) == 4 and words[2].isdigit() else max(run["workers"]) if len(words) == 3 else None


def command_of(run, size, repeat):
    words = ["simulate", run["workload"], "--size", run["size"].get(size, size), "--pools", ",".join(run["pools"]),
             "--workers", ",".join(map(str, run["workers"])), "--repeat", str(repeat)]
    for setting in run.get("settings", []):
        words += ["--set", setting]
    for word in (run["machine"], *run.get("costs", [])):
        words += ["--machine", word]
    return words


def measure(teff, words):
    """Returns: the record set of a run. Errors: RunError."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "records.json"
        done = subprocess.run([teff, *words, "--json", file], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RunError(f"'teff {' '.join(words)}' ended with {done.returncode}: {done.stderr.strip()}",
                           exit_code_of(done.returncode))
        return json.loads(file.read_text())


def measure_all(teff, plan, names, size, repeat, processes):
    """Returns: {run: record set}, of the runs with these names."""
    commands = {name: command_of(plan["run"][name], size, repeat) for name in names}
    with ThreadPoolExecutor(processes) as runners:
        return dict(zip(commands, runners.map(lambda words: measure(teff, words), commands.values()), strict=True))


# ---- what is said of them --------------------------------------------------------------------------------------------------


def record_of(records, pool, workers):
    return next(each for each in records["records"] if each["pool"] == pool and each["workers_asked"] == workers)


def quantity(record, name):
    """Returns: a number of a record: one that is derived, or a counter. Errors: SuiteError."""
    if name in DERIVED:
        return DERIVED[name](record)
    if name in record["counters"]:
        return record["counters"][name]
    raise SuiteError(f"there is no quantity '{name}'; allowed: {', '.join((*DERIVED, *record['counters']))}")


def value_of(plan, measured, statement):
    def of(term):
        words = term.split()
        return quantity(record_of(measured[words[0]], words[1], workers_in(words, plan["run"][words[0]])), words[-1])
    values = [of(term) for term in terms_of(statement)]
    if len(values) == 1:
        return values[0]
    return values[0] / values[1] if values[1] != 0 else math.inf if values[0] != 0 else math.nan


def verdict(plan, measured, statement):
    """Returns: the verdict, and what was found or why nothing was."""
    if "not_modelled" in statement:
        return "not modelled", statement["not_modelled"]
    value = value_of(plan, measured, statement)
    within = statement.get("least", -math.inf) <= value <= statement.get("most", math.inf)
    bounds = " and ".join(f"at {name} {statement[name]:g}" for name in ("least", "most") if name in statement)
    return "confirmed" if within else "refuted", f"{short(value)} ({bounds})"


def short(value):
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def table_of(plan, measured, view):
    rows = [["run", "pool", "workers", *view["shows"]]]
    for name in view["runs"]:
        run = plan["run"][name]
        for pool in run["pools"]:
            for workers in run["workers"]:
                record = record_of(measured[name], pool, workers)
                rows.append([name, pool, workers, *(short(quantity(record, each)) for each in view["shows"])])
    return table(rows)


def page(plan, views, measured, size, repeat):
    """Returns: the page of these views, in Markdown."""
    parts = [f"# {plan['title']}\n\nSource: {plan['source']}. Simulated; size {size}, {repeat} samples of each case.\n"]
    if "note" in plan:
        parts.append(plan["note"].strip() + "\n")
    counts = {}
    for view in views:
        parts.append(f"## {view['name']}: {view['title']}\n")
        if "note" in view:
            parts.append(view["note"].strip() + "\n")
        if view["runs"]:
            parts.append(table_of(plan, measured, view))
        rows = [["section", "the paper states", "verdict", "found"]]
        for statement in view.get("statement", []):
            said, found = verdict(plan, measured, statement)
            counts[said] = counts.get(said, 0) + 1
            rows.append([statement["section"], statement["text"], said, found])
        if len(rows) > 1:
            parts.append(table(rows))
    parts.append("Statements: " + ", ".join(f"{count} {said}" for said, count in sorted(counts.items())) + ".\n")
    parts.append("## Runs\n\n" + "".join(f"- {name}: `teff {' '.join(command_of(plan['run'][name], size, repeat))}`\n"
                                          for name in measured))
    return "\n".join(parts)
