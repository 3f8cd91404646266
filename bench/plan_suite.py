# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Suites: plans with several workloads on simulated machines, or on this one, tables of what their runs count, and statements about
them."""

import math
from concurrent.futures import ThreadPoolExecutor
from statistics import median, stdev

from plan_page import table
from plan_sweep import Runner

SIZES = ("standard", "paper")
RUN_KEYS = {"workload", "size", "pools", "workers"}, {"machine", "side", "settings", "costs"}
VIEW_KEYS = {"name", "title", "shows", "runs"}, {"note", "statement"}
STATEMENT_KEYS = {"section", "text"}, {"ratio", "value", "least", "most", "not_modelled"}
DERIVED = {
    "speedup": lambda record: record["serial_seconds"] / median(record["seconds"]),
    "seconds": lambda record: median(record["seconds"]),
    "serial_seconds": lambda record: record["serial_seconds"],
    "deviation": lambda record: stdev(record["seconds"]) if len(record["seconds"]) > 1 else 0.0,
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
        if ("machine" in run) == ("side" in run) or run.get("side", "native") != "native":
            raise SuiteError(f"run.{name}: either a machine has to be there, or side = \"native\"")
        if is_native(run) and "costs" in run:
            raise SuiteError(f"run.{name}: costs are a machine's")
    for view in plan["view"]:
        check_keys(f"view '{view.get('name')}'", view, *VIEW_KEYS)
        for name in view["runs"]:
            if name not in plan["run"]:
                raise SuiteError(f"view '{view['name']}': there is no run '{name}'; allowed: {', '.join(plan['run'])}")
        for statement in view.get("statement", []):
            check_statement(plan, view, statement)


def is_native(run):
    return "side" in run


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
    words = ["compare" if is_native(run) else "simulate", run["workload"], "--size", run["size"].get(size, size),
             "--pools", ",".join(run["pools"]), "--workers", ",".join(map(str, run["workers"])), "--repeat", str(repeat)]
    for setting in run.get("settings", []):
        words += ["--set", setting]
    for word in () if is_native(run) else (run["machine"], *run.get("costs", [])):
        words += ["--machine", word]
    return words


def within(plan, usable):
    """Returns: the plan without native cases of more workers than processors: they would measure the operating system."""
    runs = {name: {**run, "workers": [each for each in run["workers"] if each <= max(usable, 1)] or [1]} if is_native(run) else run
            for name, run in plan["run"].items()}
    return {**plan, "run": runs}


def measure_all(teff, plan, names, size, repeat, processes, folder):
    """Returns: {run: record set}, of the runs with these names: simulated ones so many at a time, then native ones, one after the
    other. What was run is kept in the folder. Errors: RunError."""
    folder.mkdir(parents=True, exist_ok=True)
    runner = Runner(teff, folder, processes)
    commands = {name: command_of(plan["run"][name], size, repeat) for name in names}
    simulated = [name for name in names if not is_native(plan["run"][name])]
    with ThreadPoolExecutor(processes) as threads:
        found = dict(zip(simulated, threads.map(runner.record_of, (commands[name] for name in simulated)), strict=True))
    found.update({name: runner.record_of(commands[name]) for name in names if name not in found})
    return {name: found[name] for name in names}


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


def processors_of(plan, measured):
    """Returns: what processors native runs were on; nothing if there are none."""
    machines = [records["machine"] for name, records in measured.items() if is_native(plan["run"][name])]
    return list(dict.fromkeys(f"{each['usable_processors']} processors, {each['processor']}" for each in machines))


def page(plan, views, measured, size, repeat):
    """Returns: the page of these views, in Markdown."""
    sides = {is_native(plan["run"][name]) for name in measured}
    side = {frozenset({True}): "Native", frozenset({True, False}): "Simulated and native"}.get(frozenset(sides), "Simulated")
    parts = [f"# {plan['title']}\n\nSource: {plan['source']}. {side}; size {size}, {repeat} samples of each case.\n"]
    parts += [f"Here: {here}.\n" for here in processors_of(plan, measured)]
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
    if counts:
        parts.append("Statements: " + ", ".join(f"{count} {said}" for said, count in sorted(counts.items())) + ".\n")
    parts.append("## Runs\n\n" + "".join(f"- {name}: `teff {' '.join(command_of(plan['run'][name], size, repeat))}`\n"
                                          for name in measured))
    return "\n".join(parts)
