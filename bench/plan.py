#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one plan of bench/plans and writes a page with the published figures beside ours. Called by ./dev bench plan NAME."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from statistics import mean

import plan_figures
import plan_page

ROOT = Path(__file__).resolve().parent.parent
PLANS = ROOT / "bench" / "plans"
OUTPUT = ROOT / "build" / "bench" / "plans"
TEFF = os.environ.get("TEFF", ROOT / "build" / "bench" / "cli" / "teff")
# All pools that Korch & Rauber (2002, Table 2) have in C. None of the project's own may come into their tables.
PUBLISHED_POOLS = ["sq1", "sq2", "sq3", "sq4", "dq1", "dq2", "dq3", "dq4", "dq5", "dq6", "dq7", "dq8", "sdq1", "rq1", "rq2", "rq3"]
COUNTERS = ("L1-dcache-load-misses", "LLC-load-misses")


class PlanError(Exception):
    """A sentence for the user, and the exit code: 2 for wrong words, 1 for a run that failed."""

    def __init__(self, sentence, code=2):
        super().__init__(sentence)
        self.code = code


def load_plans(folder=PLANS):
    """Returns: the plans by name."""
    plans = {}
    for path in sorted(folder.glob("*.toml")):
        with open(path, "rb") as file:
            plans[path.stem] = tomllib.load(file)
    return plans


def find_plan(name, plans):
    """Returns: the name of the plan that is called so or that has a view that is called so."""
    for plan, content in plans.items():
        if name == plan or any(view["name"] == name for view in content["view"]):
            return plan
    raise PlanError(f"unknown plan '{name}'; allowed: {', '.join(names_of(plans))}")


def names_of(plans):
    return [name for plan, content in plans.items() for name in (plan, *(view["name"] for view in content["view"]))]


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
    facts = subprocess.run([TEFF, "doctor", "--json"], stdout=subprocess.PIPE, check=True).stdout
    return json.loads(facts)["processors"]["usable"]["value"]


def pools_of(part):
    """The pools of a measure or of a view: those of the paper, or a list."""
    return PUBLISHED_POOLS if part["pools"] == "published" else part["pools"]


def managers_of(view):
    """The memory managers over which a view of cache misses averages: all that there are, or those that it names."""
    if view["memories"] != "all":
        return view["memories"].split(",")
    listed = subprocess.run([TEFF, "list", "managers", "--json"], stdout=subprocess.PIPE, check=True).stdout
    return [each["name"] for each in json.loads(listed)]


def draw_figures(name, plan, measured, folder):
    """Effect: a drawing of each figure and measure lies in the folder. Returns: {(view, measure): file name}, or a sentence that says
    why there is none."""
    drawn = {}
    try:
        for view in plan["view"]:
            for measure in view.get("measures", []) if view["name"].startswith("figure") else []:
                file = f"{name}-{view['name']}-{measure}.svg"
                plan_figures.draw(view, measured[measure], folder / file)
                drawn[view["name"], measure] = file
    except ImportError:
        return "not drawn: there is no matplotlib here (Debian: python3-matplotlib)"
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
            raise PlanError(f"'teff {' '.join(words)}' ended with {done.returncode}", done.returncode)
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


def parse(words, plans):
    parser = argparse.ArgumentParser(prog="./dev bench plan", description=__doc__.splitlines()[0],
                                     epilog="plans: " + ", ".join(names_of(plans)))
    parser.add_argument("name", nargs="?", help="a plan, or a table or figure that it reproduces; without it: a list of them")
    parser.add_argument("--size", default="standard", help="standard (ends within 30 minutes), paper, or a size as k=20,f=40")
    parser.add_argument("--repeat", type=int, help="runs of each case; in simulation: seeds (as the plan says)")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for the page and the records (build/bench/plans)")
    wishes = parser.parse_args(words)
    if wishes.size not in ("standard", "paper") and "=" not in wishes.size:
        raise PlanError(f"--size cannot be '{wishes.size}'; allowed: standard, paper, or key=value,...")
    if wishes.repeat is not None and not 1 <= wishes.repeat <= 1000:
        raise PlanError(f"--repeat cannot be '{wishes.repeat}'; allowed: 1 ... 1000")
    return wishes


def main(words):
    try:
        plans = load_plans()
        wishes = parse(words, plans)
        if wishes.name is None:
            for name, content in plans.items():
                print(f"{name}: {content['title']}: {', '.join(view['name'] for view in content['view'])}")
            return 0
        name = find_plan(wishes.name, plans)
        print(run_plan(name, plans[name], wishes))
        return 0
    except PlanError as error:
        print(f"plan: {error}", file=sys.stderr)
        return error.code
    except OSError as error:
        print(f"plan: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("plan: interrupted; no page was written", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
