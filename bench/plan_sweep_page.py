# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of a sweep: tables of means with their intervals, and the verdict on each statement."""

import math

import plan_statistics
import plan_sweep
from plan_page import table

NOT_JUDGED = "–"
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
    """Returns: a mean and half of its interval, and on which side it is known no further."""
    if of is None:
        return "no mean"
    text = number(of.mean) if of.half == 0 else f"{number(of.mean)} ± {number(of.half)}"
    side = "*or more* or *less*" if of.more and of.less else "*or more*" if of.more else "*or less*" if of.less else ""
    return f"{text} {side}" if side else text


def cell(measured, reading, curve, x):
    """Returns: the response time at a point, or that it is saturated, and what was served; or that nothing was measured."""
    if (reading, curve, x) not in measured.metrics:
        return ""
    saturated, seeds = measured.seeds_saturated(reading, curve, x)
    missing = measured.seeds_not_measured(reading, curve, x)
    if missing > 0:
        return f"*not measured*{in_some(missing, seeds)}"
    served = shown(plan_statistics.interval(measured.values(reading, curve, x, "useful_utilisation")))
    if saturated == 0:
        response = measured.response(reading, curve, x)
        return shown(response) + (f"; serves {served}" if response is not None and response.more else "")
    return f"*saturated*{in_some(saturated, seeds)}; serves {served}"


def in_some(some, seeds):
    return f" in {some} of {seeds} seeds" if some < seeds else ""


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


def claim_cell(of, verdict):
    """Returns: what a claim is judged by: an interval, or the seeds one by one."""
    text = "all seeds" if of is None and verdict != "undecided" else shown(of)
    return text + ("" if verdict == "confirmed" else f" ({verdict})")


def claims_table(statements, measured, readings):
    """Returns: a table of what each statement is judged by."""
    rows = [("", "quantity", "at", "claimed", *readings)]
    for number_of, statement in enumerate(statements, 1):
        found = {reading: measured.statement(reading, statement)[1] for reading in plan_sweep.judged_under(statement, readings)}
        for index, claim in enumerate(statement["claims"]):
            for place, x in enumerate(plan_sweep.claim_places(claim)):
                cells = [claim_cell(*found[each][index][1][place][1:]) if each in found else NOT_JUDGED for each in readings]
                rows.append((number_of, quantity_text(claim), "" if x is None else f"{x:g}", bounds_text(claim), *cells))
    return table(rows)


def statements_text(kind, statements, measured, readings):
    """Returns: the verdicts on the statements, and what they rest on."""
    if not statements:
        return ""
    rows = [("", "source", kind, *readings)]
    for number_of, statement in enumerate(statements, 1):
        judged = plan_sweep.judged_under(statement, readings)
        verdicts = [f"**{measured.statement(each, statement)[0]}**" if each in judged else NOT_JUDGED for each in readings]
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
                if plan_sweep.judged_under(each, [reading]):
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
    text += (f"Machine {sets['machine']['name']}, commit {sets['commit']}, seeds 1 to {seeds}, "
             f"{sum(map(len, runs.values()))} points. "
             "Intervals are those of 95 % by Student's distribution over the seeds; what a claim compares has the same jobs "
             "in each seed, so that differences and ratios are of pairs. A statement is *confirmed* where the intervals of "
             "all its quantities lie within what is claimed, *refuted* where one lies beyond it, else *undecided*. A mean "
             "*or more* is of runs that were too short: less than 95 % of the offered load was served; it may decide only "
             "what stays so if it is more. A point is *saturated* where seeds are, and has no mean: the response times of "
             "these seeds count as infinite, and what is claimed of such a point is decided where all seeds agree, and are "
             "five.\n\n"
             f"First run: `teff {' '.join(first.words)} --seed 1`; the others by the plan file.\n\n")
    text += summary(plan, views, measured)
    for view in views:
        text += view_text(plan, view, measured[view["name"]], drawn if isinstance(drawn, str) else drawn[view["name"]])
    return text
