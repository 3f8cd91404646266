# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of scale: families of workloads, each on more and more simulated workers, beside what is aimed at: that twice as many make
nothing slower, that none is slower than the serial program, and that enough work has an efficiency. Whoever misses it is told with
its account."""

from dataclasses import dataclass
from statistics import median

from plan_page import table
from plan_suite import short
from plan_sweep import (COUNT, FACTOR, LINE, LIST, SIZES, TABLES, TEXT, TEXTS, Runner, check_keys, check_no_double, is_list_of,
                        is_number, is_table, is_table_of, is_text, is_whole, refuse_unless)

PARTS_TOLD = 3  # of an account

COUNTS = (lambda value: is_list_of(is_whole, value), "a list of whole numbers of 1 and more")
DOUBLING = (lambda value: is_list_of(is_whole, value) and all(b == 2 * a for a, b in zip(value, value[1:])),
            "a list of whole numbers, each twice the one before")
PATTERN = (lambda value: is_text(value) and "{}" in value, "a text with {} where the value comes")
BY_WORKERS = (lambda value: is_table_of(lambda each: is_number(each) and each > 0, value) and all(key.isdecimal() for key in value),
              "a table of numbers greater than 0 by numbers of workers")
TABLE = (is_table, "a table")
KEYS = {
    "plan": {"title": LINE, "source": LINE, "note": LINE, "pools": TEXTS, "seeds": TABLE, "aim": TABLE, "family": TABLES,
             "view": LIST},
    "seeds": dict.fromkeys(("few", "many", "tasks", "beside"), COUNT),
    "aim": {**dict.fromkeys(("step", "serial", "serial_ns", "efficiency_ns", "parallelism", "missed"), FACTOR),
            "efficiency": BY_WORKERS},
    "family": {"workload": TEXT, "size": PATTERN, **dict.fromkeys(SIZES, COUNTS), "path": COUNT},
    "view": {"name": TEXT, "title": LINE, "note": LINE, "machine": TEXT, "workers": DOUBLING},
}
MUST_HAVE = {what: tuple(key for key in keys if key not in ("note", "path")) for what, keys in KEYS.items()}


def is_scale(plan):
    return "family" in plan


# ---- what a file may say ----------------------------------------------------------------------------------------------------


def check(plan):
    """Errors: SweepError for a plan that cannot be run."""
    def keys(what, part, where):
        check_keys(what, part, where, KEYS, MUST_HAVE)
    keys("plan", plan, "the plan")
    keys("seeds", plan["seeds"], "seeds")
    keys("aim", plan["aim"], "aim")
    refuse_unless(plan["family"], "the plan: there is no family")
    for name, family in plan["family"].items():
        keys("family", family, f"family {name}")
    for view in plan["view"]:
        keys("view", view, f"view '{view.get('name')}'")
    check_no_double([view["name"] for view in plan["view"]], "several views have one name")


# ---- what is run ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Point:
    """A family's value: one size of a workload."""

    family: str
    value: int
    workload: str
    size: str


def points_of(plan, size):
    return [Point(name, value, family["workload"], family["size"].replace("{}", str(value)))
            for name, family in plan["family"].items() for value in family[size]]


def command_of(point, pool, machine, workers, seeds):
    """Costs differ by one in a hundred from seed to seed: without it they would give one time as often as there are seeds."""
    return ["simulate", point.workload, "--size", point.size, "--pools", pool, "--workers", str(workers), "--repeat", str(seeds),
            "--machine", machine, "--machine", "access_jitter=1"]


def seeds_of(plan, tasks, judged, repeat):
    """How many seeds a point with so many tasks has. `repeat`: what the user wishes, or None."""
    seeds = plan["seeds"]
    if repeat is not None:
        return repeat
    many = seeds["many"] if tasks <= seeds["tasks"] else seeds["few"]
    return many if judged else min(many, seeds["beside"])


def measure(teff, plan, view, size, repeat, processes, folder, progress=lambda done, of: None):
    """Returns: {(point, pool, workers): record}. What was run is kept in the folder. Errors: RunError."""
    runner = Runner(teff, folder, processes)

    def records_of(commands):
        return {each: records["records"][0] for each, records in runner.records_of(commands, progress).items()}
    first, points = view["workers"][0], points_of(plan, size)
    asked = {each: command_of(each, plan["pools"][0], view["machine"], first, plan["seeds"]["few"]) for each in points}
    tasks = {each: record["tasks"] for each, record in records_of(asked).items()}
    commands = {(each, pool, workers): command_of(each, pool, view["machine"], workers,
                                                  seeds_of(plan, tasks[each], pool == plan["pools"][0], repeat))
                for each in points for pool in plan["pools"] for workers in view["workers"]}
    return records_of(commands)


# ---- what came of it --------------------------------------------------------------------------------------------------------


def seconds(record):
    return median(record["seconds"])


@dataclass(frozen=True)
class Miss:
    """What an aim asks for, and what was found instead."""

    aim: str
    point: Point
    workers: int
    found: float
    account: str


def shares(parts, whole):
    """Returns: the parts of an account that have most of a time, with their shares of it."""
    largest = sorted(parts.items(), key=lambda each: -each[1])[:PARTS_TOLD]
    return ", ".join(f"{name.replace('_', ' ')} {100 * time / whole:.0f} %" for name, time in largest if time > 0)


def totals(record):
    return {name: sum(each) for name, each in record["account"].items()}


def grown(before, after):
    """Returns: which parts of all workers' time have grown most, as shares of what all of it grew by."""
    old, new = totals(before), totals(after)
    more = {name: new[name] - old[name] for name in new}
    return shares(more, max(sum(new.values()) - sum(old.values()), 1))


def overhead(record):
    """Returns: what beside the program's own work has most of the workers' time."""
    parts = totals(record)
    return shares({name: time for name, time in parts.items() if name != "own_work"}, max(sum(parts.values()), 1))


def task_ns(record):
    return 1e9 * record["serial_seconds"] / max(record["tasks"], 1)


def enough_work(plan, point, record, workers):
    """Whether the time of all tasks is `parallelism` times what those of the longest path take on each worker. A family that does not
    say how long its paths are has no efficiency to reach."""
    path = plan["family"][point.family].get("path")
    return path is not None and record["tasks"] / (path * point.value) >= plan["aim"]["parallelism"] * workers


def judged(plan, view, measured, pool):
    """Returns: {aim: how many points it is about}, and the list of those that miss one."""
    aim, counts, misses = plan["aim"], {"step": 0, "serial": 0, "efficiency": 0}, []

    def judge(name, point, workers, found, right, account):
        counts[name] += 1
        if not right:
            misses.append(Miss(name, point, workers, found, account()))

    for point in dict.fromkeys(each for each, _, _ in measured):
        records = {workers: measured[point, pool, workers] for workers in view["workers"]}
        for workers, record in records.items():
            time, serial = seconds(record), record["serial_seconds"]
            if workers // 2 in records:
                before = records[workers // 2]
                judge("step", point, workers, time / seconds(before), time <= aim["step"] * seconds(before),
                      lambda a=before, b=record: grown(a, b))
            if task_ns(record) >= aim["serial_ns"]:
                judge("serial", point, workers, time / serial, time <= aim["serial"] * serial, lambda of=record: overhead(of))
            least = aim["efficiency"].get(str(workers))
            if least is not None and task_ns(record) >= aim["efficiency_ns"] and enough_work(plan, point, record, workers):
                efficiency = serial / time / workers
                judge("efficiency", point, workers, efficiency, efficiency >= least, lambda of=record: overhead(of))
    return counts, misses


WHAT_AIMS_ASK = {"step": "twice as many workers take at most {step} of the time",
                 "serial": "at most {serial} of the serial program's time, tasks of {serial_ns} ns and more",
                 "efficiency": "efficiency at least {efficiency}, tasks of {efficiency_ns} ns and more, {parallelism} times as much work "
                               "for each worker as on the longest path"}


def aim_text(plan, name):
    aim = plan["aim"]
    efficiency = ", ".join(f"{least} on {workers}" for workers, least in aim["efficiency"].items())
    return WHAT_AIMS_ASK[name].format(**{**aim, "efficiency": efficiency})


def share_of(counts, misses):
    return len(misses) / max(sum(counts.values()), 1)


def summary(plan, view, measured):
    """Returns: how many points of each aim each pool misses."""
    rows = [["aim", *plan["pools"]]]
    found = {pool: judged(plan, view, measured, pool) for pool in plan["pools"]}
    for name in WHAT_AIMS_ASK:
        rows.append([aim_text(plan, name), *(f"{sum(each.aim == name for each in misses)} of {counts[name]} missed"
                                             for counts, misses in found.values())])
    rows.append(["all of them", *(f"{len(misses)} of {sum(counts.values())} missed ({100 * share_of(counts, misses):.1f} %)"
                                  for counts, misses in found.values())])
    counts, misses = found[plan["pools"][0]]
    share = share_of(counts, misses)
    verdict = "reached" if share <= plan["aim"]["missed"] else "missed"
    return table(rows), f"At most {100 * plan['aim']['missed']:g} % may be missed: **{verdict}** by {plan['pools'][0]}.\n", misses


def misses_table(misses):
    rows = [["aim", "workload", "workers", "found", "account"]]
    for each in sorted(misses, key=lambda miss: (miss.aim, -abs(miss.found - 1))):
        rows.append([each.aim, f"{each.point.workload} {each.point.size}", each.workers, f"{each.found:.2f}", each.account])
    return table(rows)


def times_table(plan, view, measured):
    """Returns: the times; bold is what takes longer than half as many workers by more than the aim allows."""
    rows = [["workload", "size", "pool", "serial", *view["workers"]]]
    for point in dict.fromkeys(each for each, _, _ in measured):
        for pool in plan["pools"]:
            records = [measured[point, pool, workers] for workers in view["workers"]]
            times = [seconds(each) for each in records]
            cells = [short(1e6 * times[0])]
            for before, after in zip(times, times[1:]):
                cells.append(f"**{short(1e6 * after)}**" if after > plan["aim"]["step"] * before else short(1e6 * after))
            rows.append([point.workload, point.size, pool, short(1e6 * records[0]["serial_seconds"]), *cells])
    return table(rows)


def page(plan, views, measured, size):
    """Returns: the page. `measured`: {view's name: what measure() returned}."""
    parts = [f"# {plan['title']}\n\nSource: {plan['source']}. Simulated; size {size}.\n"]
    if "note" in plan:
        parts.append(plan["note"].strip() + "\n")
    for view in views:
        found = measured[view["name"]]
        counted, verdict, misses = summary(plan, view, found)
        parts += [f"## {view['name']}: {view['title']}\n"] + ([view["note"].strip() + "\n"] if "note" in view else [])
        parts += [counted, verdict, f"### What {plan['pools'][0]} misses\n", misses_table(misses)] if misses else [counted, verdict]
        parts += ["### Times in µs, medians\n", times_table(plan, view, found)]
    first = points_of(plan, size)[0]
    example = command_of(first, plan["pools"][0], views[0]["machine"], views[0]["workers"][-1], plan["seeds"]["many"])
    parts.append(f"Such runs are `teff {' '.join(example)}`.\n")
    return "\n".join(parts)
