# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of scale: families of workloads, each on more and more simulated workers, beside what is aimed at: that twice as many make
nothing slower, that none is slower than the serial program, and that enough work has an efficiency. Whoever misses it is told with
its account."""

from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from statistics import median

from plan_page import table
from plan_suite import check_keys, short
from plan_sweep import Runner, is_list_of, is_number, is_whole

SIZES = ("standard", "paper")
PLAN_KEYS = {"title", "source", "pools", "seeds", "aim", "family", "view"}, {"note"}
SEED_KEYS = {"few", "many", "tasks", "beside"}, set()
AIM_KEYS = {"step", "serial", "serial_ns", "efficiency", "efficiency_ns", "parallelism", "missed"}, set()
FAMILY_KEYS = {"workload", "size", *SIZES}, {"path"}
VIEW_KEYS = {"name", "title", "machine", "workers"}, {"note"}
PARTS_TOLD = 3  # of an account


class ScaleError(Exception):
    """A sentence about a plan file."""


def is_scale(plan):
    return "family" in plan


# ---- what a file may say ----------------------------------------------------------------------------------------------------


def check(plan):
    """Errors: ScaleError for a plan that cannot be run."""
    def keys(where, part, allowed):
        check_keys(where, part, *allowed, error=ScaleError)
    keys("the plan", plan, PLAN_KEYS)
    keys("seeds", plan["seeds"], SEED_KEYS)
    keys("aim", plan["aim"], AIM_KEYS)
    if not is_list_of(lambda each: isinstance(each, str), plan["pools"]):
        raise ScaleError("pools: a list of names, of which the first is judged, has to be there")
    for name, number in (*plan["seeds"].items(), *((key, value) for key, value in plan["aim"].items() if key != "efficiency")):
        if not is_number(number) or number <= 0:
            raise ScaleError(f"{name} cannot be {number!r}; allowed: numbers above 0")
    for name, family in plan["family"].items():
        keys(f"family.{name}", family, FAMILY_KEYS)
        if "{}" not in family["size"]:
            raise ScaleError(f"family.{name}: size has to have {{}} where the value comes")
        for size in SIZES:
            if not is_list_of(is_whole, family[size]):
                raise ScaleError(f"family.{name}: {size} has to be a list of whole numbers")
    for view in plan["view"]:
        keys(f"view '{view.get('name')}'", view, VIEW_KEYS)
        if not is_list_of(is_whole, view["workers"]) or any(b != 2 * a for a, b in zip(view["workers"], view["workers"][1:])):
            raise ScaleError(f"view '{view['name']}': each number of workers has to be twice the one before")


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


def run_all(runner, commands, progress):
    """Returns: the record of each command. Errors: RunError."""
    with ThreadPoolExecutor(runner.processes) as threads:
        under_way = {each: threads.submit(runner.record_of, command) for each, command in commands.items()}
        try:
            for done, each in enumerate(as_completed(under_way.values()), 1):
                each.result()
                progress(done, len(commands))
        except BaseException:
            threads.shutdown(cancel_futures=True)
            raise
    return {each: future.result()["records"][0] for each, future in under_way.items()}


def seeds_of(plan, tasks, judged, repeat):
    """How many seeds a point with so many tasks has. `repeat`: what the user wishes, or None."""
    seeds = plan["seeds"]
    if repeat is not None:
        return repeat
    many = seeds["many"] if tasks <= seeds["tasks"] else seeds["few"]
    return many if judged else min(many, seeds["beside"])


def measure(teff, plan, view, size, repeat, processes, folder, progress=lambda done, of: None):
    """Returns: {(point, pool, workers): record}. What was run is kept in the folder. Errors: RunError."""
    folder.mkdir(parents=True, exist_ok=True)
    runner = Runner(teff, folder, processes)
    first, points = view["workers"][0], points_of(plan, size)
    asked = {each: command_of(each, plan["pools"][0], view["machine"], first, plan["seeds"]["few"]) for each in points}
    tasks = {each: record["tasks"] for each, record in run_all(runner, asked, progress).items()}
    commands = {(each, pool, workers): command_of(each, pool, view["machine"], workers,
                                                  seeds_of(plan, tasks[each], pool == plan["pools"][0], repeat))
                for each in points for pool in plan["pools"] for workers in view["workers"]}
    return run_all(runner, commands, progress)


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


def summary(plan, view, measured):
    """Returns: how many points of each aim each pool misses."""
    rows = [["aim", *plan["pools"]]]
    found = {pool: judged(plan, view, measured, pool) for pool in plan["pools"]}
    for name in WHAT_AIMS_ASK:
        rows.append([aim_text(plan, name), *(f"{sum(each.aim == name for each in misses)} of {counts[name]} missed"
                                             for counts, misses in found.values())])
    rows.append(["all of them", *(f"{len(misses)} of {sum(counts.values())} missed ({100 * len(misses) / sum(counts.values()):.1f} %)"
                                  for counts, misses in found.values())])
    counts, misses = found[plan["pools"][0]]
    share = len(misses) / sum(counts.values())
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
