# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sweeps: plans whose views are curves over a parameter, each point run with several seeds, and statements about them. What their
files may say, the runs that they are, and these runs, of which none is done twice."""

import hashlib
import json
import math
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path

import plan_statistics

METRICS = ("response_mean", "useful_utilisation", "spin_share", "waiting_tasks", "saturated")
READINGS = ("held", "outside")
SIZES = ("standard", "paper")
COUNTED_AT_LEAST = 2  # jobs of a run: what is served is measured between arrivals
SERVED_AT_LEAST = 0.95  # of what is offered, or a run was too short; seeds alone differ by up to 3 %


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


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def is_whole(value, least=1):
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def is_list_of(right, value):
    return isinstance(value, list) and len(value) > 0 and all(map(right, value))


def is_table_of(right, value):
    return isinstance(value, dict) and all(map(right, value.values()))


def is_text(value):
    return isinstance(value, str)


def is_table(value):
    return isinstance(value, dict)


# What a value may be: whether it is right, and what is said if it is not.
TEXT = (is_text, "a text")
LINE = (lambda value: is_text(value) and "\n" not in value, "a text without line breaks")
TEXTS = (lambda value: is_list_of(is_text, value), "a list of texts, not empty")
NUMBER = (is_number, "a number")
NUMBERS = (lambda value: is_list_of(is_number, value), "a list of numbers, not empty")
FACTOR = (lambda value: is_number(value) and value > 0, "a number greater than 0")
COUNT = (is_whole, "a whole number of 1 and more")
COUNTS = (lambda value: is_table_of(lambda each: is_whole(each, 2), value) and set(value) == set(SIZES),
          f"{' and '.join(SIZES)}, whole numbers of 2 and more")
SETTINGS = (lambda value: is_table_of(lambda each: is_text(each) or is_number(each), value), "a table of texts and numbers")
TABLES = (lambda value: is_table_of(is_table, value), "a table of tables")
LIST = (lambda value: is_list_of(is_table, value), "a list of tables, not empty")

OF_A_RUN = {"size": SETTINGS, "set": SETTINGS, "jobs": COUNTS}
KEYS = {
    "plan": {"title": LINE, "source": LINE, "workload": TEXT, "machine": TEXT, "workers": COUNT, "seeds": COUNTS, "group": TABLES,
             "view": LIST, "note": LINE},
    "group": {**OF_A_RUN, "readings": TEXTS, "curve": TABLES},
    "curve": {**OF_A_RUN, "pool": TEXT},
    "view": {**OF_A_RUN, "name": TEXT, "title": LINE, "note": LINE, "group": TEXT, "axis": LINE, "along": TEXT, "values": NUMBERS,
             "point": LIST, "curves": TEXTS, "readings": TEXTS, "statement": LIST, "check": LIST},
    "point": {**OF_A_RUN, "x": NUMBER, "curves": TEXTS},
    "statement": {"section": LINE, "text": LINE, "claims": LIST, "readings": TEXTS},
    "claim": {**dict.fromkeys(plan_statistics.QUANTITIES, TEXTS), "at": NUMBERS, "times": FACTOR, "least": NUMBER, "most": NUMBER,
              "metric": TEXT, "by": TEXT},
}
MUST_HAVE = {
    "plan": ("title", "source", "workload", "machine", "workers", "seeds", "group", "view"),
    "group": ("size", "jobs", "readings", "curve"), "curve": ("pool",), "view": ("name", "title", "group", "axis"),
    "point": ("x",), "statement": ("section", "text", "claims"), "claim": (),
}


def refuse_unless(right, sentence):
    if not right:
        raise SweepError(sentence)


def check_keys(what, part, where, keys=None, needed=None):
    """`keys`, `needed`: of another kind of plan, as KEYS and MUST_HAVE are."""
    may_have = (KEYS if keys is None else keys)[what]
    for key, value in part.items():
        refuse_unless(key in may_have, f"{where}: unknown key '{key}'; allowed: {', '.join(sorted(may_have))}")
        right, allowed = may_have[key]
        refuse_unless(right(value), f"{where}: {key} cannot be {value!r}; allowed: {allowed}")
    for key in (MUST_HAVE if needed is None else needed)[what]:
        refuse_unless(key in part, f"{where}: there is no key '{key}'")


def check_among(key, value, allowed, where):
    refuse_unless(value in allowed, f"{where}: {key} cannot be '{value}'; allowed: {', '.join(allowed)}")


def check_no_double(values, where):
    doubles = sorted({each for each in values if values.count(each) > 1})
    refuse_unless(not doubles, f"{where}: {doubles}")


def check(plan):
    """Errors: SweepError with a sentence that names the place, the value and what is allowed."""
    check_keys("plan", plan, "the plan")
    for name, group in plan["group"].items():
        check_keys("group", group, f"group {name}")
        for curve, content in group["curve"].items():
            check_keys("curve", content, f"group {name}, curve '{curve}'")
    for view in plan["view"]:
        check_view(plan, view)
    check_no_double([view["name"] for view in plan["view"]], "two views have the same name")


def check_view(plan, view):
    where = view.get("name", "a view without a name")
    check_keys("view", view, where)
    check_among("group", view["group"], plan["group"], where)
    refuse_unless(("values" in view) == ("along" in view),
                  f"{where}: 'along' names the size key that takes 'values': none is without the other")
    for point in view.get("point", []):
        check_keys("point", point, f"{where}, a point")
    for part in (view, *view.get("point", [])):
        for curve in part.get("curves", []):
            check_among("curves", curve, plan["group"][view["group"]]["curve"], where)
    for reading in readings_of(plan, view):
        check_among("readings", reading, READINGS, where)
    refuse_unless(places_of(plan, view), f"{where}: there is no point: neither 'values' nor 'point'")
    check_no_double([each["x"] for each in points_of(view)], f"{where}: two points have the same place")
    for statement in view.get("statement", []) + view.get("check", []):
        check_keys("statement", statement, f"{where}, a statement")
        there = f"{where}, {statement['section']}"
        for reading in statement.get("readings", []):
            check_among("readings", reading, readings_of(plan, view), there)
        for claim in statement["claims"]:
            check_claim(claim, places_of(plan, view), there)


def check_claim(claim, places, where):
    """`places`: {(curve, x): its jobs}."""
    check_keys("claim", claim, where)
    kinds = [kind for kind in plan_statistics.QUANTITIES if kind in claim]
    refuse_unless(len(kinds) == 1, f"{where}: a claim is about one of {', '.join(plan_statistics.QUANTITIES)}, not {len(kinds)}")
    terms = claim[kinds[0]]
    wanted = plan_statistics.QUANTITIES[kinds[0]][0]
    refuse_unless(len(terms) == wanted, f"{where}: {kinds[0]} takes {wanted} terms, not {len(terms)}")
    refuse_unless(("times" in claim) == (kinds[0] == "differences"), f"{where}: 'times' belongs to 'differences', which need it")
    refuse_unless("least" in claim or "most" in claim, f"{where}: a claim needs 'least', 'most' or both")
    check_among("metric", claim.get("metric", METRICS[0]), METRICS, where)
    check_among("by", claim.get("by", "interval"), ("interval", "mean"), where)
    for x in claim_places(claim):
        for term in terms:
            place = term_at(term, x)
            refuse_unless(place[1] is not None, f"{where}: the term '{term}' has no place: neither 'at' in it nor in the claim")
            refuse_unless(place in places, f"{where}: there is no point of '{place[0]}' at {place[1]}")
        for size in SIZES:  # only then has a seed the same jobs for all of them
            jobs = [places[term_at(term, x)][size] for term in terms]
            refuse_unless(len(set(jobs)) == 1, f"{where}: {kinds[0]} of {', '.join(terms)}: jobs cannot be {jobs} ({size}); "
                          "allowed: the same of all terms, so that they are pairs")


def term_at(term, x):
    """A term is a curve, or 'curve at X', whatever the place that the claim is looked at. Returns: the curve and its place."""
    found = re.fullmatch(r"(.*) at (-?\d+(?:\.\d+)?)", term)
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


def judged_under(statement, readings):
    """Returns: those of a view's readings that a statement is about."""
    return [each for each in readings if each in statement.get("readings", readings)]


def jobs_of(plan, view, point, curve):
    """Returns: how many a point has, by the name of the size: what the point says goes before its view, this before the curve."""
    group = plan["group"][view["group"]]
    return next(each["jobs"] for each in (point, view, group["curve"][curve], group) if "jobs" in each)


def places_of(plan, view):
    """Returns: {(curve, x): its jobs by the name of the size} of all that is run."""
    return {(curve, point["x"]): jobs_of(plan, view, point, curve)
            for point in points_of(view) for curve in curves_of(plan, view, point)}


def size_named(wish):
    """`wish` is standard, paper, or pairs of size keys. Returns: which of the plan's sizes, and the pairs."""
    if "=" not in wish:
        return wish, {}
    return "standard", dict(pair.split("=", 1) for pair in wish.split(","))


def check_wish(plan, view, wish):
    """Errors: SweepError if the wish takes away what points or curves of the view differ by, or leaves nothing to measure."""
    _, pairs = size_named(wish)
    curves = [plan["group"][view["group"]]["curve"][each] for each in curves_of(plan, view)]
    differ = {key for part in (*points_of(view), *curves) for key in part.get("size", {})}
    for key in pairs:
        refuse_unless(key not in differ, f"--size cannot have '{key}' for {view['name']}, of which points or curves differ by it;"
                      f" allowed: size keys but {', '.join(sorted(differ))}")
    jobs, warmup = pairs.get("jobs", ""), pairs.get("warmup", "")
    if jobs.isdecimal():
        counted = int(jobs) - (int(warmup) if warmup.isdecimal() else int(jobs) // 10)
        refuse_unless(counted >= COUNTED_AT_LEAST, f"--size cannot have jobs={jobs}{f',warmup={warmup}' if warmup else ''}; "
                      f"allowed: at least {COUNTED_AT_LEAST} jobs more than those that do not count")


def runs_of(plan, view, wish):
    """Returns: all runs of a view."""
    group = plan["group"][view["group"]]
    named, pairs = size_named(wish)
    runs = []
    for reading in readings_of(plan, view):
        for point in points_of(view):
            for curve in curves_of(plan, view, point):
                parts = (group, group["curve"][curve], view, point)
                jobs = jobs_of(plan, view, point, curve)[named]
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


def exit_code_of(returncode):
    """Returns: what this process ends with if one that it started did so: 128 and its number for a signal, as shells have it."""
    return returncode if returncode >= 0 else 128 - returncode


def said_by(words):
    """Returns: what a short command writes. Errors: RunError."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise failed(words, done)
    return done.stdout


def failed(words, done):
    """Returns: the error of a run that ended with another code than 0."""
    said = done.stderr.strip()[-1000:]
    sentence = f"'{' '.join(map(str, words))}' ended with {done.returncode}" + (f": {said}" if said else "")
    return RunError(sentence, exit_code_of(done.returncode))


def identity_of(teff):
    """Returns: what says whether a record is of this `teff`: its commit, and of modified sources what was built of them."""
    version = said_by([teff, "--version"]).strip()
    commit = version[version.rfind("(") + 1:].rstrip(")")
    if commit == "unknown" or commit.endswith("-modified"):
        return f"{commit} {hashlib.sha256(Path(teff).read_bytes()).hexdigest()}"
    return commit


class Runner:
    """Runs `teff`, several processes at a time. What was run is kept in a folder, a file for each run, and is not run again as
    long as the commit and the command are the same: so whoever interrupts a sweep loses what was under way."""

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
            done = subprocess.run([self.teff, *words, "--json", file], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True, check=False)
            if done.returncode != 0:
                raise failed(("teff", *words), done)
            content = json.loads(file.read_text())
            file.replace(path)  # complete, or not there
        return content

    def records_of(self, commands, progress=lambda done, of: None):
        """`commands`: words by name. Returns: {name: record set}. `progress` is told, after each run, how many have ended, of how
        many."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(self.processes) as threads:
            under_way = {name: threads.submit(self.record_of, words) for name, words in commands.items()}
            try:
                for done, each in enumerate(as_completed(under_way.values()), 1):
                    each.result()  # the first that fails ends it, whichever it is
                    progress(done, len(commands))
            except BaseException:
                threads.shutdown(cancel_futures=True)
                raise
        return {name: each.result() for name, each in under_way.items()}

    def all_of(self, runs, seeds, progress=lambda done, of: None):
        """Returns: {run: its record sets by seed}. `progress` as above."""
        found = {}
        commands = {(run, seed): (*run.words, "--seed", str(seed)) for run in runs for seed in range(1, seeds + 1)}
        for (run, _), records in self.records_of(commands, progress).items():
            found.setdefault(run, []).append(records)
        return found

    def kept(self, runs, seeds):
        """Returns: how many of them there are already."""
        return sum(self.path_of((*run.words, "--seed", str(seed))).exists() for run in runs for seed in range(1, seeds + 1))


# ---- what came of them ------------------------------------------------------------------------------------------------------


class Measured:
    """The metrics of a view's points."""

    def __init__(self, found):
        self.sets = next(iter(found.values()))[0]  # one of them: they differ in nothing but records, size and settings
        self.metrics = {}
        for run, sets in found.items():
            self.metrics[run.reading, run.curve, run.x] = [each["records"][0]["metrics"] for each in sets]

    def seeds_saturated(self, reading, curve, x):
        """Returns: in how many seeds the point was saturated, and of how many."""
        seeds = self.metrics[reading, curve, x]
        return sum(each["saturated"] == 1 for each in seeds), len(seeds)

    def seeds_not_measured(self, reading, curve, x):
        """Returns: in how many seeds nothing is known of the point, as where the front end had no thread."""
        return sum(each["saturated"] is None or each["useful_utilisation"] is None for each in self.metrics[reading, curve, x])

    def values(self, reading, curve, x, metric=METRICS[0]):
        """Returns: by seed, the metric; a response time is infinite in a seed that is saturated."""
        seeds = self.metrics[reading, curve, x]
        return [math.inf if metric == METRICS[0] and each["saturated"] == 1 else each.get(metric) for each in seeds]

    def is_lower_bound(self, reading, curve, x):
        """Returns: whether response times are of runs that were too short: where they are not saturated, they serve less than
        what was offered, and tasks would have waited for longer had they gone on."""
        seeds = [each for each in self.metrics[reading, curve, x]
                 if each["saturated"] == 0 and each["useful_utilisation"] is not None]
        return sum(each["useful_utilisation"] for each in seeds) < SERVED_AT_LEAST * sum(each["offered_load"] for each in seeds)

    def response(self, reading, curve, x):
        """Returns: the interval of the response time, or None without a mean."""
        return plan_statistics.interval(self.values(reading, curve, x), more=self.is_lower_bound(reading, curve, x))

    def claim(self, reading, claim):
        """Returns: [(place, interval or None, verdict)] of a claim."""
        return [(x, *self.claim_at(reading, claim, x)) for x in claim_places(claim)]

    def claim_at(self, reading, claim, x):
        """Returns: the interval of what is claimed, or None, and the verdict."""
        kind = next(each for each in plan_statistics.QUANTITIES if each in claim)
        metric = claim.get("metric", METRICS[0])
        places = [term_at(term, x) for term in claim[kind]]
        terms = [self.values(reading, *place, metric) for place in places]
        more, less = plan_statistics.bounded([metric == METRICS[0] and self.is_lower_bound(reading, *place) for place in places])
        values = plan_statistics.quantity(kind, terms, claim.get("times"))
        bounds = claim.get("least", -math.inf), claim.get("most", math.inf)
        of = plan_statistics.interval(values, more, less)
        if any(each is not None and math.isinf(each) for term in terms for each in term):
            # No interval: also where an infinite divisor makes 0 of it, which is no measured value.
            shown = of if len(set(values)) == 1 else None
            return shown, plan_statistics.verdict_by_seeds(values, *bounds, more, less)
        alone = claim.get("by") == "mean" and of is not None
        return of, plan_statistics.verdict(replace(of, half=0.0) if alone else of, *bounds)

    def statement(self, reading, statement):
        """Returns: the verdict, and [(claim, what claim() returns of it)]."""
        parts = [(claim, self.claim(reading, claim)) for claim in statement["claims"]]
        return plan_statistics.all_of([verdict for _, found in parts for _, _, verdict in found]), parts
