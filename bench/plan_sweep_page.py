# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of a sweep: tables of means with their intervals, and the verdict on each statement."""

import math

import plan_statistics
import plan_sweep
from plan_page import table

SERVED_AT_LEAST = 0.95  # of what is offered; seeds alone differ by up to 3 %

PATTERNS = {
    "value": "{}",
    "difference": "{} − {}",
    "ratio": "{} : {}",
    "differences": "({} − {}) − {times} × ({} − {})",
    "ratios": "({} : {}) : ({} : {})",
}


def number(value):
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:.3f}" if abs(value) < 1 else f"{value:.2f}" if abs(value) < 100 else f"{value:.0f}"
    return text.replace("-", "−")


def shown(of):
    """Returns: a mean and half of its interval."""
    if of is None:
        return "no mean"
    return number(of.mean) if of.half == 0 else f"{number(of.mean)} ± {number(of.half)}"


def cell(measured, reading, curve, x):
    """Returns: the response time at a point, or that it is saturated, and what was served. A run that serves much less than was offered,
    but is not saturated, was too short: its response time is a lower bound."""
    if (reading, curve, x) not in measured.metrics:
        return ""
    saturated, seeds = measured.seeds_saturated(reading, curve, x)
    served_mean = plan_statistics.interval(measured.values(reading, curve, x, "useful_utilisation"))
    served = shown(served_mean)
    if saturated == 0:
        offered = plan_statistics.interval(measured.values(reading, curve, x, "offered_load"))
        short = served_mean.mean < SERVED_AT_LEAST * offered.mean
        return shown(plan_statistics.interval(measured.values(reading, curve, x))) + (f" *or more*; serves {served}" if short else "")
    return f"*saturated*{f' in {saturated} of {seeds} seeds' if saturated < seeds else ''}; serves {served}"


def by_place(view, measured, curves, one_cell):
    """Returns: a table with a row for each place and a column for each curve; `one_cell(curve, x)` is its text."""
    rows = [(view["axis"], *curves)]
    rows += [(f"{x:g}", *(one_cell(curve, x) for curve in curves)) for x in sorted({x for _, _, x in measured.metrics})]
    return table(rows)


def counters_cell(measured, reading, curve, x):
    """Returns: what explains a response time: useful utilisation, time spun, tasks that wait."""
    if (reading, curve, x) not in measured.metrics:
        return ""
    parts = []
    for metric in ("useful_utilisation", "spin_share", "waiting_tasks"):
        of = plan_statistics.interval(measured.values(reading, curve, x, metric))
        parts.append("–" if of is None else number(of.mean))
    return "; ".join(parts)


def difference_cell(measured, curve, x):
    """Returns: what the reading *outside* takes longer, of the same seeds."""
    if ("held", curve, x) not in measured.metrics:
        return ""
    terms = [measured.values(reading, curve, x) for reading in ("outside", "held")]
    of = plan_statistics.interval(plan_statistics.quantity("difference", terms))
    return "" if of is None else shown(of)


def quantity_text(claim):
    kind = next(each for each in plan_statistics.QUANTITIES if each in claim)
    text = PATTERNS[kind].format(*claim[kind], times=claim.get("times"))
    metric = claim.get("metric", plan_sweep.METRICS[0])
    return text if metric == plan_sweep.METRICS[0] else f"{metric.replace('_', ' ')}: {text}"


def bounds_text(claim):
    least, most = claim.get("least"), claim.get("most")
    text = f"≥ {least:g}" if most is None else f"≤ {most:g}" if least is None else f"{least:g} … {most:g}"
    return text + (" (means)" if claim.get("by") == "mean" else "")


def claims_table(statements, measured, readings):
    """Returns: a table of what each statement is judged by."""
    rows = [("", "quantity", "at", "claimed", *readings)]
    for number_of, statement in enumerate(statements, 1):
        found = {reading: measured.statement(reading, statement)[1] for reading in readings}
        for index, claim in enumerate(statement["claims"]):
            for place, x in enumerate(plan_sweep.claim_places(claim)):
                cells = []
                for reading in readings:
                    _, of, verdict = found[reading][index][1][place]
                    cells.append(shown(of) + ("" if verdict == "confirmed" else f" ({verdict})"))
                rows.append((number_of, quantity_text(claim), "" if x is None else f"{x:g}", bounds_text(claim), *cells))
    return table(rows)


def statements_text(kind, statements, measured, readings):
    """Returns: the verdicts on the statements, and what they rest on."""
    if not statements:
        return ""
    rows = [("", "source", kind, *readings)]
    for number_of, statement in enumerate(statements, 1):
        verdicts = [f"**{measured.statement(reading, statement)[0]}**" for reading in readings]
        rows.append((number_of, statement["section"], statement["text"], *verdicts))
    return f"\n{table(rows)}\n{claims_table(statements, measured, readings)}"


def view_text(plan, view, measured, drawn):
    """`drawn`: {reading: file}, or a sentence that says why there is none."""
    readings = plan_sweep.readings_of(plan, view)
    curves = [each for each in plan["group"][view["group"]]["curve"] if each in {curve for _, curve, _ in measured.metrics}]
    text = f"\n## {view['title']}\n\n" + (view["note"] + "\n\n" if "note" in view else "")
    if isinstance(drawn, str):
        text += f"{drawn}.\n\n"
    for reading in readings:
        text += f"Response time, reading *{reading}*:\n\n" if len(readings) > 1 else "Response time:\n\n"
        if not isinstance(drawn, str):
            text += f"![{view['title']}]({drawn[reading]})\n\n"
        text += by_place(view, measured, curves, lambda curve, x: cell(measured, reading, curve, x)) + "\n"
        text += "Part of the processors' time that is useful; that is spun (with *spin*); tasks that wait:\n\n"
        text += by_place(view, measured, curves, lambda curve, x: counters_cell(measured, reading, curve, x)) + "\n"
    if len(readings) > 1:
        text += "*outside* less *held*, of the same seeds:\n\n"
        text += by_place(view, measured, curves, lambda curve, x: difference_cell(measured, curve, x))
    text += statements_text("statement", view.get("statement", []), measured, readings)
    return text + statements_text("check", view.get("check", []), measured, readings)


def counted(plan, views, measured, kind):
    """Returns: {reading: {verdict: how many}} of statements or checks."""
    counts = {}
    for view in views:
        for reading in plan_sweep.readings_of(plan, view):
            of = counts.setdefault(reading, {"confirmed": 0, "refuted": 0, "undecided": 0})
            for each in view.get(kind, []):
                of[measured[view["name"]].statement(reading, each)[0]] += 1
    return counts


def summary(plan, views, measured):
    rows = [("", "reading", "confirmed", "refuted", "undecided")]
    for kind, what in (("statement", "statements of the paper"), ("check", "checks")):
        for reading, counts in counted(plan, views, measured, kind).items():
            if sum(counts.values()) > 0:
                rows.append((what, reading, counts["confirmed"], counts["refuted"], counts["undecided"]))
    return table(rows) if len(rows) > 1 else ""


def page(plan, views, runs, measured, drawn, seeds):
    """Returns: the page. `runs`, `measured` and `drawn` by name of the view; `seeds`: how many."""
    first = next(iter(runs.values()))[0]
    sets = next(iter(measured.values())).sets
    text = f"# {plan['title']}\n\nSource: {plan['source']}. {plan.get('note', '')}\n\n"
    text += (f"Machine {sets['machine']['name']}, commit {sets['commit']}, seeds 1 to {seeds}, {sum(map(len, runs.values()))} points. "
             "Intervals are those of 95 % by Student's distribution over the seeds; a seed has the same jobs on all curves, so that "
             "differences and ratios are of pairs. A statement is *confirmed* where the intervals of all its quantities lie within what "
             "is claimed, *refuted* where one lies beyond it, else *undecided*. A mean *or more* is of runs that were too short: less "
             "than 95 % of the offered load was served. A point is *saturated* where seeds are, and has no mean; where most of them "
             "are, its response time counts as infinite; where fewer are, all seeds have to agree, and be five, to decide anything.\n\n"
             f"First run: `teff {' '.join(first.words)} --seed 1`; the others are in bench/plans.\n\n")
    text += summary(plan, views, measured)
    for view in views:
        text += view_text(plan, view, measured[view["name"]], drawn if isinstance(drawn, str) else drawn[view["name"]])
    return text
