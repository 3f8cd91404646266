# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sweeps: plans whose views are curves over a parameter, each point run with several seeds, and statements about them. What their files
may say, the runs that they are, and these runs, of which none is done twice."""

import hashlib
import json
import math
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import plan_statistics

KEYS = {
    "plan": {"title", "source", "workload", "machine", "workers", "seeds", "group", "view", "note"},
    "group": {"size", "set", "jobs", "readings", "curve"},
    "curve": {"pool", "size", "set", "jobs"},
    "view": {"name", "title", "note", "group", "axis", "along", "values", "point", "curves", "readings", "size", "set", "jobs", "statement",
             "check"},
    "point": {"x", "size", "set", "jobs", "curves"},
    "statement": {"section", "text", "claims"},
    "claim": {*plan_statistics.QUANTITIES, "at", "times", "least", "most", "metric", "by"},
}
METRICS = ("response_mean", "useful_utilisation", "spin_share", "waiting_tasks", "saturated")
READINGS = ("held", "outside")


class SweepError(Exception):
    """A sentence about a plan file."""


class RunError(Exception):
    """A sentence about a run that failed, and its exit code."""

    def __init__(self, sentence, code):
        super().__init__(sentence)
        self.code = code


def is_sweep(plan):
    return "group" in plan


# ---- what a file may say --------------------------------------------------------------------------------------------------


def refuse_unless(right, sentence):
    if not right:
        raise SweepError(sentence)


def known_keys(what, part, where, needed=()):
    for key in part:
        refuse_unless(key in KEYS[what], f"{where}: unknown key '{key}'; allowed: {', '.join(sorted(KEYS[what]))}")
    for key in needed:
        refuse_unless(key in part, f"{where}: there is no key '{key}'")


def check(plan):
    """Errors: SweepError with a sentence that names the place, the value and what is allowed."""
    known_keys("plan", plan, "the plan", ("title", "source", "workload", "machine", "workers", "seeds", "group", "view"))
    for key in ("standard", "paper"):
        refuse_unless(plan["seeds"].get(key, 0) >= 2, f"seeds.{key} cannot be {plan['seeds'].get(key)}; allowed: 2 and more")
    for name, group in plan["group"].items():
        known_keys("group", group, f"group {name}", ("size", "jobs", "readings", "curve"))
        for curve, content in group["curve"].items():
            known_keys("curve", content, f"group {name}, curve '{curve}'", ("pool",))
    for view in plan["view"]:
        check_view(plan, view)


def check_view(plan, view):
    where = view.get("name", "a view without a name")
    known_keys("view", view, where, ("name", "title", "group", "axis"))
    refuse_unless(view["group"] in plan["group"],
                  f"{where}: group cannot be '{view['group']}'; allowed: {', '.join(plan['group'])}")
    refuse_unless(("values" in view) == ("along" in view),
                  f"{where}: 'along' names the size key that takes 'values': none is without the other")
    for point in view.get("point", []):
        known_keys("point", point, f"{where}, a point", ("x",))
    curves = plan["group"][view["group"]]["curve"]
    for part in (view, *view.get("point", [])):
        for curve in part.get("curves", []):
            refuse_unless(curve in curves, f"{where}: unknown curve '{curve}'; allowed: {', '.join(curves)}")
    for reading in readings_of(plan, view):
        refuse_unless(reading in READINGS, f"{where}: readings cannot have '{reading}'; allowed: {', '.join(READINGS)}")
    places = places_of(plan, view)
    refuse_unless(places, f"{where}: there is no point: neither 'values' nor 'point'")
    xs = [each["x"] for each in points_of(view)]
    refuse_unless(len(xs) == len(set(xs)), f"{where}: two points have the same place: {sorted(x for x in set(xs) if xs.count(x) > 1)}")
    for statement in view.get("statement", []) + view.get("check", []):
        known_keys("statement", statement, f"{where}, a statement", ("section", "text", "claims"))
        refuse_unless(statement["claims"], f"{where}, {statement['section']}: there are no claims")
        for claim in statement["claims"]:
            check_claim(claim, places, f"{where}, {statement['section']}")


def check_claim(claim, places, where):
    known_keys("claim", claim, where)
    kinds = [kind for kind in plan_statistics.QUANTITIES if kind in claim]
    refuse_unless(len(kinds) == 1, f"{where}: a claim is about one of {', '.join(plan_statistics.QUANTITIES)}, not {len(kinds)}")
    terms = claim[kinds[0]]
    wanted = plan_statistics.QUANTITIES[kinds[0]][0]
    refuse_unless(len(terms) == wanted, f"{where}: {kinds[0]} takes {wanted} terms, not {len(terms)}")
    refuse_unless(("times" in claim) == (kinds[0] == "differences"), f"{where}: 'times' belongs to 'differences', which need it")
    refuse_unless("least" in claim or "most" in claim, f"{where}: a claim needs 'least', 'most' or both")
    refuse_unless(claim.get("metric", METRICS[0]) in METRICS,
                  f"{where}: metric cannot be '{claim.get('metric')}'; allowed: {', '.join(METRICS)}")
    refuse_unless(claim.get("by", "interval") in ("interval", "mean"),
                  f"{where}: by cannot be '{claim.get('by')}'; allowed: interval, mean")
    for x in claim_places(claim):
        for term in terms:
            refuse_unless(None not in term_at(term, x), f"{where}: the term '{term}' has no place: neither 'at' in it nor in the claim")
            refuse_unless(term_at(term, x) in places, f"{where}: there is no point of '{term_at(term, x)[0]}' at {term_at(term, x)[1]}")


def term_at(term, x):
    """A term is a curve, or 'curve at X', whatever the place that the claim is looked at. Returns: the curve and its place."""
    found = re.fullmatch(r"(.*) at (-?[\d.]+)", term)
    return (found[1], float(found[2])) if found else (term, None if x is None else float(x))


def claim_places(claim):
    """Returns: where a claim is looked at; [None] if its terms say it."""
    return claim.get("at", [None])


# ---- the runs that it is ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """One point of one curve, under one reading: as many runs as there are seeds."""

    view: str
    reading: str
    curve: str
    x: float
    words: tuple  # of teff, but for the seed


def points_of(view):
    """Returns: the points, in the order of their places."""
    points = [{"x": float(value), "size": {view["along"]: value}} for value in view.get("values", [])]
    points += [{**each, "x": float(each["x"])} for each in view.get("point", [])]
    return sorted(points, key=lambda each: each["x"])


def curves_of(plan, view, point=None):
    """Returns: the names of the curves that a view has, or that it has at this point."""
    names = view.get("curves", list(plan["group"][view["group"]]["curve"]))
    return [each for each in names if each in point["curves"]] if point and "curves" in point else names


def readings_of(plan, view):
    return view.get("readings", plan["group"][view["group"]]["readings"])


def places_of(plan, view):
    """Returns: {(curve, x)} of all that is run."""
    return {(curve, point["x"]) for point in points_of(view) for curve in curves_of(plan, view, point)}


def size_named(wish):
    """`wish` is standard, paper, or pairs of size keys. Returns: which of the plan's sizes, and the pairs."""
    if "=" not in wish:
        return wish, {}
    return "standard", dict(pair.split("=", 1) for pair in wish.split(","))


def runs_of(plan, view, wish):
    """Returns: all runs of a view."""
    group = plan["group"][view["group"]]
    named, pairs = size_named(wish)
    runs = []
    for reading in readings_of(plan, view):
        for point in points_of(view):
            for curve in curves_of(plan, view, point):
                parts = (group, group["curve"][curve], view, point)
                jobs = next(each["jobs"] for each in reversed(parts) if "jobs" in each)[named]
                size = {key: value for each in parts for key, value in each.get("size", {}).items()}
                wanted = pairs.get("jobs", str(jobs))
                size = {**size, "jobs": jobs, "warmup": int(wanted) // 10 if wanted.isdecimal() else 0, **pairs}
                settings = {key: value for each in parts for key, value in each.get("set", {}).items()}
                words = words_of(plan, group["curve"][curve]["pool"], size, {**settings, "reading": reading})
                runs.append(Run(view["name"], reading, curve, point["x"], words))
    return runs


def words_of(plan, pool, size, settings):
    words = ["simulate", plan["workload"], "--machine", plan["machine"], "--workers", str(plan["workers"]), "--pools", pool]
    words += ["--size", ",".join(f"{key}={value}" for key, value in size.items())]
    return tuple(words + [word for key, value in settings.items() for word in ("--set", f"{key}={value}")])


# ---- running, and keeping --------------------------------------------------------------------------------------------------


def identity_of(teff):
    """Returns: what says whether a record is of this `teff`: its commit, and of modified sources what was built of them."""
    version = subprocess.run([teff, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    commit = version[version.rfind("(") + 1:].rstrip(")")
    if commit == "unknown" or commit.endswith("-modified"):
        return f"{commit} {hashlib.sha256(Path(teff).read_bytes()).hexdigest()}"
    return commit


class Runner:
    """Runs `teff`, several processes at a time. What was run is kept in a folder, a file for each run, and is not run again as long
    as the commit and the command are the same: so whoever interrupts a sweep loses what was under way."""

    def __init__(self, teff, folder, processes):
        self.teff, self.folder, self.processes = teff, folder, processes
        self.identity = identity_of(teff)

    def path_of(self, words):
        return self.folder / (hashlib.sha256("\n".join((self.identity, *words)).encode()).hexdigest()[:24] + ".json")

    def record_of(self, words):
        """Returns: what is kept of the run, or what it gives now. Errors: RunError."""
        path = self.path_of(words)
        if path.exists():
            return json.loads(path.read_text())
        with tempfile.TemporaryDirectory(dir=self.folder) as beside:
            file = Path(beside) / "records.json"
            done = subprocess.run([self.teff, *words, "--json", file], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                  check=False)
            if done.returncode != 0:
                raise RunError(f"'teff {' '.join(words)}' ended with {done.returncode}: {done.stderr.strip()[-1000:]}", done.returncode)
            content = json.loads(file.read_text())
            file.replace(path)  # complete, or not there
        return content

    def all_of(self, runs, seeds):
        """Returns: {run: its record sets by seed}."""
        self.folder.mkdir(parents=True, exist_ok=True)
        wanted = [(run, seed) for run in runs for seed in range(1, seeds + 1)]
        with ThreadPoolExecutor(self.processes) as threads:
            under_way = [threads.submit(self.record_of, (*run.words, "--seed", str(seed))) for run, seed in wanted]
            try:
                sets = [each.result() for each in under_way]
            except BaseException:
                threads.shutdown(cancel_futures=True)
                raise
        found = {}
        for (run, _), each in zip(wanted, sets, strict=True):
            found.setdefault(run, []).append(each)
        return found

    def kept(self, runs, seeds):
        """Returns: how many of them there are already."""
        return sum(self.path_of((*run.words, "--seed", str(seed))).exists() for run in runs for seed in range(1, seeds + 1))


# ---- what came of them ------------------------------------------------------------------------------------------------------


def verdict_on(claim, values):
    """`values`: those of the claim's quantity, by seed."""
    bounds = claim.get("least", -math.inf), claim.get("most", math.inf)
    of = plan_statistics.interval(values)
    if of is None:
        return plan_statistics.verdict_by_seeds(values, *bounds)
    return plan_statistics.verdict(plan_statistics.Interval(of.mean, 0) if claim.get("by") == "mean" else of, *bounds)


class Measured:
    """The metrics of a view's points."""

    def __init__(self, view, found):
        self.view = view
        self.sets = next(iter(found.values()))[0]  # one of them: they differ in nothing but records, size and settings
        self.metrics = {}
        for run, sets in found.items():
            self.metrics[run.reading, run.curve, run.x] = [each["records"][0]["metrics"] for each in sets]

    def seeds_saturated(self, reading, curve, x):
        """Returns: in how many seeds the point was saturated, and of how many."""
        seeds = self.metrics[reading, curve, x]
        return sum(each["saturated"] == 1 for each in seeds), len(seeds)

    def values(self, reading, curve, x, metric=METRICS[0]):
        """Returns: by seed, the metric; a response time is infinite in a seed that is saturated, and in all where most are."""
        seeds = self.metrics[reading, curve, x]
        if metric != METRICS[0]:
            return [each.get(metric) for each in seeds]
        saturated, count = self.seeds_saturated(reading, curve, x)
        most = 2 * saturated > count
        return [math.inf if most or each["saturated"] == 1 else each[metric] for each in seeds]

    def claim(self, reading, claim):
        """Returns: [(place, interval or None, verdict)] of a claim."""
        kind = next(each for each in plan_statistics.QUANTITIES if each in claim)
        found = []
        for x in claim_places(claim):
            terms = [self.values(reading, *term_at(term, x), claim.get("metric", METRICS[0])) for term in claim[kind]]
            values = plan_statistics.quantity(kind, terms, claim.get("times"))
            found.append((x, plan_statistics.interval(values), verdict_on(claim, values)))
        return found

    def statement(self, reading, statement):
        """Returns: the verdict, and [(claim, what claim() returns of it)]."""
        parts = [(claim, self.claim(reading, claim)) for claim in statement["claims"]]
        return plan_statistics.all_of([verdict for _, found in parts for _, _, verdict in found]), parts
