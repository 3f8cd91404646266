#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one plan of bench/plans and writes a page with the published figures beside ours. Called by ./dev bench plan NAME."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from statistics import mean

import plan_figures
import plan_page
import plan_programs
import plan_programs_page
import plan_scale
import plan_suite
import plan_sweep
import plan_sweep_page

ROOT = Path(__file__).resolve().parent.parent
PLANS = ROOT / "bench" / "plans"
OUTPUT = ROOT / "build" / "bench" / "plans"
TEFF = os.environ.get("TEFF", ROOT / "build" / "bench" / "cli" / "teff")
# All pools that Korch & Rauber (2002, Table 2) have in C. None of the project's own may come into their tables.
PUBLISHED_POOLS = ["sq1", "sq2", "sq3", "sq4", "dq1", "dq2", "dq3", "dq4", "dq5", "dq6", "dq7", "dq8", "sdq1",
                   "rq1", "rq2", "rq3"]
NOT_DRAWN = "not drawn: there is no matplotlib here (Debian: python3-matplotlib)"
COUNTERS = ("L1-dcache-load-misses", "LLC-load-misses")


class PlanError(Exception):
    """A sentence for the user, and the exit code: 2 for wrong words, 1 for a run that failed."""

    def __init__(self, sentence, code=2):
        super().__init__(sentence)
        self.code = code


def load_plans(folder=PLANS):
    """Returns: the plans by name. Errors: PlanError for a file that cannot be one."""
    plans = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            with open(path, "rb") as file:
                plans[path.stem] = tomllib.load(file)
            if plan_sweep.is_sweep(plans[path.stem]):
                plan_sweep.check(plans[path.stem])
            if plan_suite.is_suite(plans[path.stem]):
                plan_suite.check(plans[path.stem])
            if plan_programs.is_programs(plans[path.stem]):
                plan_programs.check(plans[path.stem])
            if plan_scale.is_scale(plans[path.stem]):
                plan_scale.check(plans[path.stem])
        except (tomllib.TOMLDecodeError, plan_sweep.SweepError, plan_suite.SuiteError, plan_programs.ProgramsError) as error:
            raise PlanError(f"{path.name}: {error}") from error
    return plans


def views_called(name, plans):
    """Returns: [(plan, view)] of the views that are called so; a view is also called 'plan/view'."""
    return [(plan, view["name"]) for plan, content in plans.items() for view in content["view"]
            if name in (view["name"], f"{plan}/{view['name']}")]


def find_plan(name, plans):
    """Returns: the plan that is called so, or has a view that is called so; and the name of that view, or None."""
    if name in plans:
        return name, None
    found = views_called(name, plans)
    if len(found) > 1:
        raise PlanError(f"'{name}' is in several plans; allowed: {', '.join('/'.join(each) for each in found)}")
    if not found:
        raise PlanError(f"unknown plan '{name}'; allowed: {', '.join(names_of(plans))}")
    return found[0]


def names_of(plans):
    """Returns: all names; a view that several plans have with its plan's name before it."""
    names = []
    for plan, content in plans.items():
        names += [plan, *(shortest_name(plan, view["name"], plans) for view in content["view"])]
    return names


def shortest_name(plan, view, plans):
    return view if len(views_called(view, plans)) == 1 else f"{plan}/{view}"


def chosen_size(measure, wish):
    """`wish` is standard, paper or a size of the workload."""
    return measure["size"].get(wish, wish) if "=" not in wish else wish


def chosen_workers(measure, usable):
    """Natively no more workers than processors: more of them would measure the operating system."""
    if measure["side"] == "simulated":
        return measure["workers"]
    return [each for each in measure["workers"] if each <= max(usable, 1)]


def usable_processors():
    """Returns: what the affinity mask and the quotas of cgroups leave."""
    return asked("doctor")["processors"]["usable"]["value"]


def asked(*words):
    """Returns: what `teff` answers in JSON. Errors: PlanError."""
    command = [TEFF, *words, "--json"]
    try:
        return json.loads(plan_sweep.said_by(command))
    except plan_sweep.RunError as error:
        raise PlanError(str(error), error.code) from error
    except json.JSONDecodeError as error:
        raise PlanError(f"'{' '.join(map(str, command))}' answers no JSON", 1) from error


def pools_of(part):
    """The pools of a measure or of a view: those of the paper, or a list."""
    return PUBLISHED_POOLS if part["pools"] == "published" else part["pools"]


def managers_of(view):
    """The memory managers over which a view of cache misses averages: all that there are, or those that it names."""
    if view["memories"] != "all":
        return view["memories"].split(",")
    return [each["name"] for each in asked("list", "managers")]


def draw_figures(name, plan, measured, folder):
    """Effect: a drawing of each figure and measure lies in the folder. Returns: {(view, measure): file name}, or a sentence that
    says why there is none."""
    drawn = {}
    try:
        for view in plan["view"]:
            for measure in view.get("measures", []) if view["name"].startswith("figure") else []:
                file = f"{name}-{view['name']}-{measure}.svg"
                plan_figures.draw(view, measured[measure], folder / file)
                drawn[view["name"], measure] = file
    except ImportError:
        return NOT_DRAWN
    return drawn


def command_of(plan, measure, size, workers, seed, repeat):
    words = ["simulate" if measure["side"] == "simulated" else "compare", plan["workload"], "--size", size]
    words += ["--pools", ",".join(pools_of(measure)), "--memories", measure["memories"], "--workers", ",".join(map(str, workers))]
    for setting in plan.get("settings", []):
        words += ["--set", setting]
    words += ["--seed", str(seed)]
    if measure["side"] != "simulated":
        return words + ["--repeat", str(repeat)]
    # Seeds are to move something: without it they give one time as often as there are seeds.
    machine = [measure.get("machine", "generic"), *measure.get("costs", []), "access_jitter=1"]
    return words + [word for each in machine for word in ("--machine", each)]


def run_teff(words):
    """Returns: the record set. Progress goes to the terminal."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "records.json"
        done = subprocess.run([TEFF, *words, "--json", file], stdout=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            raise PlanError(f"'teff {' '.join(words)}' ended with {done.returncode}", plan_sweep.exit_code_of(done.returncode))
        return json.loads(file.read_text())


def merged(sets):
    """Record sets of several seeds as one: every case has the seconds of all."""
    result = sets[0]
    for other in sets[1:]:
        for into, record in zip(result["records"], other["records"], strict=True):
            into["seconds"] += record["seconds"]
    return result


def run_measure(plan, measure, wishes):
    """Returns: the measure with its size, workers, command and records."""
    size = chosen_size(measure, wishes.size)
    workers = chosen_workers(measure, usable_processors())
    repeat = wishes.repeat or measure.get("repeat", 1)
    seeds = range(1, (repeat if measure["side"] == "simulated" else 1) + 1)
    commands = [command_of(plan, measure, size, workers, seed, repeat) for seed in seeds]
    print(f"plan: teff {' '.join(commands[0])}" + (f" ({len(commands)} seeds)" if len(commands) > 1 else ""), flush=True)
    records = merged([run_teff(command) for command in commands])
    return {**measure, "size": size, "workers": workers, "command": commands[0], "seeds": len(commands), "set": records}


def count_cache_misses(plan, view, wishes):
    """Returns: {(pool, workers): [mean over the managers of the count of each of COUNTERS]}, or a sentence that says why there is
    none. The paper averages over the managers, too."""
    def perf(words):
        try:
            return subprocess.run(["perf", "stat", "-x", ",", "-e", ",".join(COUNTERS), *map(str, words)], check=False,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        except FileNotFoundError:
            return None
    tried = perf(["true"])
    if tried is None:
        return "not counted: there is no command 'perf' here (Debian: linux-perf)"
    if counts_in(tried.stderr) is None:
        return ("not counted: the kernel gives this process no hardware cache counters ('perf stat -e " + ",".join(COUNTERS)
                + " true')")
    counted = {}
    size = chosen_size(view, wishes.size)
    for workers in chosen_workers(view, usable_processors()):
        for pool in pools_of(view):
            counts = []
            for manager in managers_of(view):
                words = [TEFF, "run", plan["workload"], "--size", size, "--pool", pool, "--memory", manager, "--workers", workers]
                for setting in plan.get("settings", []):
                    words += ["--set", setting]
                done = perf(words)
                if done.returncode != 0:
                    raise PlanError(f"'{' '.join(map(str, words))}' ended with {done.returncode}", 1)
                counts.append(counts_in(done.stderr))
            counted[pool, workers] = [round(mean(each)) for each in zip(*counts, strict=True)]
    return counted


def counts_in(text):
    """Returns: the count of each of COUNTERS in what perf stat wrote, or None if one was not counted."""
    found = {}
    for line in text.splitlines():
        fields = line.split(",")
        if len(fields) > 2 and fields[0].isdigit():
            found[fields[2].split(":")[0]] = int(fields[0])
    return [found[each] for each in COUNTERS] if all(each in found for each in COUNTERS) else None


def write_whole(path, text):
    """The file has its name only once it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def run_plan(name, plan, wishes):
    """Returns: the page that was written."""
    wishes.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=wishes.output):
        pass  # before anything is measured: the page can be written
    measured = {each["name"]: run_measure(plan, each, wishes) for each in plan["measure"]}
    misses = {view["name"]: count_cache_misses(plan, view, wishes) for view in plan["view"] if view["kind"] == "cache misses"}
    for each in measured.values():
        write_whole(wishes.output / f"{name}-{each['name']}.json", json.dumps(each["set"], indent=1))
    drawn = draw_figures(name, plan, measured, wishes.output)
    page = wishes.output / f"{name}.md"
    write_whole(page, plan_page.page(plan, measured, misses, COUNTERS, drawn))
    return page


def draw_sweep(name, plan, views, measured, folder):
    """Effect: a drawing of each view and reading lies in the folder. Returns: {view: {reading: file name}}, or a sentence that
    says why there is none."""
    drawn = {}
    try:
        for view in views:
            for reading in plan_sweep.readings_of(plan, view):
                file = f"{name}-{view['name']}-{reading}.svg"
                plan_figures.draw_sweep(view, measured[view["name"]], reading, folder / file)
                drawn.setdefault(view["name"], {})[reading] = file
    except ImportError:
        return NOT_DRAWN
    return drawn


def told_at_times():
    """Returns: what says how far a sweep is, at most twice a minute."""
    last = time.monotonic()

    def tell(done, of):
        nonlocal last
        if time.monotonic() - last > 30:
            last = time.monotonic()
            print(f"plan: {done} of {of} runs have ended", flush=True)
    return tell


def run_sweep(name, plan, only, wishes):
    """Runs all views of a sweep, or the one that is wanted. Returns: the page that was written."""
    views = [view for view in plan["view"] if only in (None, view["name"])]
    try:
        for view in views:
            plan_sweep.check_wish(plan, view, wishes.size)
    except plan_sweep.SweepError as error:
        raise PlanError(str(error)) from error
    seeds = wishes.repeat or plan["seeds"][plan_sweep.size_named(wishes.size)[0]]
    wishes.output.mkdir(parents=True, exist_ok=True)
    runs = {view["name"]: plan_sweep.runs_of(plan, view, wishes.size) for view in views}
    measured = {}
    try:
        runner = plan_sweep.Runner(TEFF, wishes.output / "records", wishes.processes or max(usable_processors(), 1))
        for view in views:
            of = runs[view["name"]]
            print(f"plan: {view['name']}: {len(of)} points, {seeds} seeds each; {runner.kept(of, seeds)} runs are there already",
                  flush=True)
            measured[view["name"]] = plan_sweep.Measured(runner.all_of(of, seeds, told_at_times()))
    except plan_sweep.RunError as error:
        raise PlanError(str(error), error.code) from error
    drawn = draw_sweep(name, plan, views, measured, wishes.output)
    page = wishes.output / (f"{name}.md" if only is None else f"{name}-{only}.md")
    write_whole(page, plan_sweep_page.page(plan, views, runs, measured, drawn, seeds))
    return page


def check_size_of_several(size):
    """Errors: PlanError for a size of one workload, if a plan has several."""
    if size not in plan_suite.SIZES:
        raise PlanError(f"--size cannot be '{size}' for several workloads; allowed: {', '.join(plan_suite.SIZES)}")


def run_scale(name, plan, only, wishes):
    """Runs all views of a plan of scale, or the one that is wanted. Returns: the page that was written."""
    check_size_of_several(wishes.size)
    views = [view for view in plan["view"] if only in (None, view["name"])]
    wishes.output.mkdir(parents=True, exist_ok=True)
    measured = {}
    try:
        for view in views:
            print(f"plan: {view['name']}: machine {view['machine']}", flush=True)
            measured[view["name"]] = plan_scale.measure(TEFF, plan, view, wishes.size, wishes.repeat,
                                                        wishes.processes or max(usable_processors(), 1),
                                                        wishes.output / "records", told_at_times())
    except plan_sweep.RunError as error:
        raise PlanError(str(error), error.code) from error
    path = wishes.output / (f"{name}.md" if only is None else f"{name}-{only}.md")
    write_whole(path, plan_scale.page(plan, views, measured, wishes.size))
    return path


def run_suite(name, plan, only, wishes):
    """Runs what all views of a suite need, or the one that is wanted. Returns: the page that was written."""
    check_size_of_several(wishes.size)
    views = [view for view in plan["view"] if only in (None, view["name"])]
    repeat = wishes.repeat or plan["repeat"]
    wishes.output.mkdir(parents=True, exist_ok=True)
    names = list(dict.fromkeys(each for view in views for each in view["runs"]))
    try:
        usable = max(usable_processors(), 1)
        plan = plan_suite.within(plan, usable)
        measured = plan_suite.measure_all(TEFF, plan, names, wishes.size, repeat, wishes.processes or usable,
                                          wishes.output / "records")
        page = plan_suite.page(plan, views, measured, wishes.size, repeat)
    except plan_sweep.RunError as error:
        raise PlanError(str(error), error.code) from error
    except plan_suite.SuiteError as error:
        raise PlanError(str(error)) from error
    for run, records in measured.items():
        write_whole(wishes.output / f"{name}-{run}.json", json.dumps(records, indent=1))
    path = wishes.output / (f"{name}.md" if only is None else f"{name}-{only}.md")
    write_whole(path, page)
    return path


def run_programs(name, plan, only, wishes):
    """Runs the programs of all views, or of the one that is wanted. Returns: the page that was written, and the errors of programs that
    are not in its tables."""
    try:
        plan = plan_programs.with_own(plan, wishes.program)
        plan_programs.parsed(wishes, plan)
        wishes.output.mkdir(parents=True, exist_ok=True)
        found, absent, errors = plan_programs.run(plan, only, wishes, TEFF, wishes.output / "records")
        page = plan_programs_page.page(plan, only, found, absent, wishes)
    except plan_sweep.RunError as error:
        raise PlanError(str(error), error.code) from error
    except plan_programs.ProgramsError as error:
        raise PlanError(str(error)) from error
    except (subprocess.CalledProcessError, FileNotFoundError) as error:
        raise PlanError(f"the programs of bench/openmp cannot be built: {error}", 1) from error
    path = wishes.output / (f"{name}.md" if only is None else f"{name}-{only}.md")
    write_whole(path.with_suffix(".json"), json.dumps(found, indent=1))
    write_whole(path, page)
    return path, errors


def parse(words, plans):
    parser = argparse.ArgumentParser(prog="./dev bench plan", description=__doc__.splitlines()[0],
                                     epilog="plans: " + ", ".join(names_of(plans)))
    parser.add_argument("name", nargs="?", help="a plan, or a table or figure that it reproduces, as figure-4 or "
                        "run-queues/figure-7; without it: a list of them")
    parser.add_argument("--size", default="standard", help="standard (ends within 30 minutes), paper, or a size as k=20,f=40")
    parser.add_argument("--repeat", type=int, help="runs of each case; in simulation: seeds (as the plan says)")
    parser.add_argument("--processes", type=int, help="of a sweep, suite or plan of scale, simulated runs at a time (as many as there are processors)")
    of_programs = parser.add_argument_group("of a plan of programs")
    of_programs.add_argument("--bots", type=Path, help="folder of the Barcelona OpenMP Tasks Suite, built (bsc-pm/bots)")
    of_programs.add_argument("--program", action="append", default=[], metavar="COMMAND",
                             help="a program of your own with its arguments, in one text; may be repeated")
    of_programs.add_argument("--only", help="these programs alone, separated by commas")
    of_programs.add_argument("--pools", help="these pools (as the plan says)")
    of_programs.add_argument("--threads", help="these numbers of threads (as the plan says)")
    of_programs.add_argument("--limit", type=int, metavar="SECONDS",
                             help=f"for all runs of one program, which is given up then ({plan_programs.SECONDS_OF_A_PROGRAM})")
    parser.add_argument("--check", action="store_true", help="run nothing; see whether name and options are right")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for the page and the records (build/bench/plans)")
    wishes = parser.parse_args(words)
    if wishes.size not in ("standard", "paper") and not all("=" in pair for pair in wishes.size.split(",")):
        raise PlanError(f"--size cannot be '{wishes.size}'; allowed: standard, paper, or key=value,...")
    if wishes.repeat is not None and not 1 <= wishes.repeat <= 1000:
        raise PlanError(f"--repeat cannot be '{wishes.repeat}'; allowed: 1 ... 1000")
    if wishes.limit is not None and not 1 <= wishes.limit <= plan_programs.SECONDS_AT_MOST:
        raise PlanError(f"--limit cannot be '{wishes.limit}'; allowed: 1 ... {plan_programs.SECONDS_AT_MOST} s")
    if wishes.processes is not None and not 1 <= wishes.processes <= 1024:
        raise PlanError(f"--processes cannot be '{wishes.processes}'; allowed: 1 ... 1024")
    return wishes


def main(words):
    try:
        plans = load_plans()
        wishes = parse(words, plans)
        if wishes.name is None:
            for name, content in plans.items():
                views = (shortest_name(name, view["name"], plans) for view in content["view"])
                print(f"{name}: {content['title']}: {', '.join(views)}")
            return 0
        name, view = find_plan(wishes.name, plans)
        if wishes.check:
            return 0
        if plan_programs.is_programs(plans[name]):
            path, errors = run_programs(name, plans[name], view, wishes)
            print(path, flush=True)
            if errors:
                raise PlanError("; ".join(map(str, errors)), max(each.code for each in errors))
        elif plan_scale.is_scale(plans[name]):
            print(run_scale(name, plans[name], view, wishes))
        elif plan_suite.is_suite(plans[name]):
            print(run_suite(name, plans[name], view, wishes))
        elif plan_sweep.is_sweep(plans[name]):
            print(run_sweep(name, plans[name], view, wishes))
        else:
            print(run_plan(name, plans[name], wishes))
        return 0
    except PlanError as error:
        print(f"plan: {error}", file=sys.stderr)
        return error.code
    except OSError as error:
        print(f"plan: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("plan: interrupted; no page was written (what a sweep, suite or plan of scale has run is kept)", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
