#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of ./dev bench versus: what was measured in, text out.

A case has workload, peer, form, threads, size, records ({round: record or None}), evidence and trouble (versus.py). The reference
is Teff in its first form on as many threads; ratios are those of two runs of the same round, and a table shows the median of them,
with the quartiles.
"""

import statistics

TITLES = {
    "fib": "fib: the Fibonacci numbers without a cut-off, ns per call",
    "synthetic": "synthetic, f = 0: empty tasks that nobody waits for, ns per task",
    "synthetic5": "synthetic, f = 5: tasks of 500 to 800 iterations of an empty loop that nobody waits for, ns per task",
    "nqueens": "nqueens without a cut-off, ns per board",
    "uts": "uts: geometric tree T1, ns per node",
    "quicksort": "quicksort down to 1,000 integers, ns per integer",
    "parallel_for": "parallel_for over 40 MB, ns per element",
    "reduce": "sum of 40 MB, ns per element",
    "oversubscribed": "oversubscribed: nqueens with 4 workers per processor, ns per board",
    "idle": "idle: what the process costs in the second that begins one second after the last task",
    "wake": "wake-up: from the offer of a task until another thread, idle before, begins it, while the one that offers computes",
}
MEGABYTE = 1024 * 1024
GIVEN_UP = 0.05  # seconds: versus/wake/wake.h


# ---- numbers of a case ------------------------------------------------------------------------------------------------------


def time_in(record):
    """Returns: nanoseconds per unit of one run."""
    return record["runs"][0]["seconds"] * 1e9 / record["units"]


def times_of(case):
    """Returns: {round: nanoseconds per unit}."""
    return {number: time_in(record) for number, record in case.records.items() if record}


def ratios(case, reference):
    """Returns: the case's times divided by those of the reference in the same round."""
    ours, theirs = times_of(case), times_of(reference)
    return [ours[number] / theirs[number] for number in ours if number in theirs]


def quartiles(values):
    """Returns: first quartile, median, third quartile."""
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def with_spread(values, digits=3):
    if not values:
        return "–"
    texts = [f"{each:,.0f}" if each >= 1000 else f"{each:#.{digits}g}".rstrip(".") for each in quartiles(list(values))]
    low, middle, high = texts
    return f"{middle} ({low}–{high})" if len(values) > 1 else middle


def find(cases, peer, threads, form=None):
    """Returns: the case, or None; without a form the first one of that runtime."""
    return next((case for case in cases if case.peer == peer and case.threads == threads and form in (None, case.form)), None)


def megabytes(case):
    """Returns: the most memory that was resident, without the data of the workload."""
    found = [(record["peak_bytes"] - record["data_bytes"]) / MEGABYTE for record in case.records.values() if record]
    return statistics.median(found) if found else None


def last_record(case):
    return next((record for record in reversed(case.records.values()) if record), None)


# ---- tables -----------------------------------------------------------------------------------------------------------------


def aligned(rows):
    """Returns: rows of texts as a table; the first one is its head."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]

    def line(row):
        return "| " + " | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) + " |"

    return "\n".join([line(rows[0]), "|" + "|".join("-" * (width + 2) for width in widths) + "|", *map(line, rows[1:])])


def heading(about, wishes):
    return (f"# Teff and other runtimes, {about['time']}\n\n"
            f"{about['processor']}, {about['usable_processors']} usable processors, Linux {about['kernel']}, "
            f"load {about['load']:.1f} at the beginning; commit {about['commit']}; {wishes.rounds} rounds.\n"
            "Times: median (quartiles). `/ Teff`: divided by Teff's first form in the same round; above 1 is slower.\n"
            "`/ serial`, `scaling`: how much faster than the serial program, than on the fewest threads. "
            "`CPU ns`: processor time of all threads.\n"
            "`CPUs`: processor time / wall time. `MB`: most memory resident, without the data. "
            "`tasks`: counted in another run, with the part of each thread.\n")


def evidence_of(case):
    """Returns: how many tasks ran, and on which threads."""
    if case.evidence is None or not case.evidence["tasks_by_thread"]:
        return "–"
    tasks = sorted(case.evidence["tasks_by_thread"], reverse=True)
    total = sum(tasks)
    shares = " + ".join(f"{100 * each / total:.0f}" for each in tasks[:4]) + (" + …" if len(tasks) > 4 else "")
    return f"{total:,} by {len(tasks)} ({shares} %)"


def told_by(case):
    """Returns: what the runtime counted itself, in the last run and the warm-up before it."""
    record = last_record(case)
    return ", ".join(f"{name} {value:,}" for name, value in record["told"].items()) if record else ""


def speed_up(case, serial):
    return with_spread([1 / each for each in ratios(case, serial)]) if serial is not None and case is not serial else "–"


def own_speed_up(case, cases):
    """Returns: the time on the fewest threads divided by that on so many."""
    alone = min((each for each in cases if (each.peer, each.form) == (case.peer, case.form)), key=lambda each: each.threads)
    return with_spread([1 / each for each in ratios(case, alone)]) if case is not alone else "–"


def processor_times(case):
    """Returns: nanoseconds of processor time, of all threads, per unit. On a machine that does other work they say more than wall time."""
    return [record["runs"][0]["cpu_seconds"] * 1e9 / record["units"] for record in case.records.values() if record]


def busy_of(case):
    found = [record["runs"][0]["cpu_seconds"] / record["runs"][0]["seconds"] for record in case.records.values() if record]
    return f"{statistics.median(found):.2f}" if found else "–"


def timed_row(case, cases):
    begin = [case.peer, case.form, str(case.threads), case.size or ""]
    if case.trouble is not None or not times_of(case):
        return [*begin, case.trouble or "was not run", *[""] * 8]
    reference = find(cases, "teff", case.threads)
    memory = megabytes(case)
    return [*begin, with_spread(times_of(case).values()), with_spread(ratios(case, reference)) if reference is not None else "–",
            speed_up(case, find(cases, "serial", 1)), own_speed_up(case, cases), with_spread(processor_times(case)),
            busy_of(case), f"{memory:.1f}", evidence_of(case), told_by(case)]


def timed_table(cases):
    head = ["runtime", "form", "threads", "size", "ns", "/ Teff", "/ serial", "scaling", "CPU ns", "CPUs", "MB", "tasks",
            "the runtime's own counters"]
    return aligned([head, *(timed_row(case, cases) for case in sorted(cases, key=lambda case: case.threads))])


def idle_row(case):
    found = [record["idle"] for record in case.records.values() if record]
    if not found:
        return [case.peer, case.form, str(case.threads), case.trouble or "was not run", "", ""]
    memory = megabytes(case)
    return [case.peer, case.form, str(case.threads), with_spread([100 * each["cpu_share"] for each in found]),
            with_spread([float(each["switches"]) for each in found]), f"{memory:.1f}"]


def idle_table(cases):
    return aligned([["runtime", "form", "threads", "% of a CPU", "context switches", "MB"], *map(idle_row, cases)])


def latencies_of(case):
    return sorted(run["seconds"] for record in case.records.values() if record for run in record["runs"])


def wake_row(case):
    latencies = latencies_of(case)
    if not latencies:
        return [case.peer, case.form, str(case.threads), case.trouble or "was not run", "", "", ""]
    late = sum(each >= GIVEN_UP for each in latencies)
    last_but_one_percent = latencies[min(len(latencies) - 1, len(latencies) * 99 // 100)]
    return [case.peer, case.form, str(case.threads), f"{statistics.median(latencies) * 1e6:,.1f}",
            f"{last_but_one_percent * 1e6:,.1f}", f"{100 * late / len(latencies):.1f} %", str(len(latencies))]


def wake_table(cases):
    head = ["runtime", "form", "threads", "median µs", "99th percentile µs", "not within 50 ms", "trials"]
    return aligned([head, *map(wake_row, cases)])


def table_of(workload, cases):
    text = idle_table(cases) if workload == "idle" else wake_table(cases) if workload == "wake" else timed_table(cases)
    return f"## {TITLES[workload]}\n\n{text}\n"


# ---- bars: what Teff is to reach --------------------------------------------------------------------------------------------


class Bar:
    """What Teff is to reach: `most` or `least` bounds the median of `values`; without values it is unmet, and `why` says why."""

    def __init__(self, text, values, most=None, least=None, why=""):
        self.text, self.values, self.most, self.least, self.why = text, values, most, least, why

    def line(self):
        bound = f"at most {self.most:.3g}" if self.least is None else f"at least {self.least:.3g}"
        if not self.values:
            return [self.text, bound, "–", f"unmet: {self.why or 'not measured'}"]
        middle = quartiles(self.values)[1]
        met = middle <= self.most if self.least is None else middle >= self.least
        return [self.text, bound, with_spread(self.values), "met" if met else "missed"]


def against(cases, workload, peer, threads, most, text):
    """Returns: the bar of Teff's best form against a runtime's best form, on so many threads each (a serial program has one)."""
    ours = best_form(cases, "teff", threads)
    theirs = best_form(cases, peer, 1 if peer == "serial" else threads)
    name = f"{workload}, {threads} threads: time / {text}"
    if ours is None or theirs is None:
        return Bar(name, [], most=most, why=f"no figures of {'teff' if ours is None else peer}")
    return Bar(name, ratios(ours, theirs), most=most)


def best_form(cases, peer, threads):
    """Returns: the case of a runtime with the smallest median, or None."""
    found = [case for case in cases if case.peer == peer and case.threads == threads and times_of(case)]
    return min(found, key=lambda case: statistics.median(times_of(case).values()), default=None)


def against_best(cases, workload, threads):
    """Returns: the bar of Teff's best form against the best of all runtimes that were given a problem of the same size."""
    ours = best_form(cases, "teff", threads)
    peers = {case.peer for case in cases} - {"teff", "serial"}
    found = [case for case in (best_form(cases, peer, threads) for peer in sorted(peers))
             if case is not None and (ours is None or case.size == ours.size)]
    if not found:
        return Bar(f"{workload}, {threads} threads: time / best peer's", [], most=1.05, why="no figures of any peer")
    best = min(found, key=lambda case: statistics.median(times_of(case).values()))
    return against(cases, workload, best.peer, threads, 1.05, f"that of the best peer, {best.peer}")


def scaling(cases, workload, least):
    alone, both = best_form(cases, "teff", 1), best_form(cases, "teff", 2)
    values = [] if alone is None or both is None else ratios(alone, both)
    return Bar(f"{workload}: T1 / T2", values, least=least)


def memory_bar(cases, workload, threads):
    own = find(cases, "teff", threads)
    peers = [case for case in cases if case.peer not in ("teff", "serial") and case.threads == threads]
    others = [(megabytes(case), case.peer) for case in peers if megabytes(case) is not None]
    if own is None or megabytes(own) is None or not others:
        return Bar(f"{workload}, {threads} threads: MB above the leanest peer's", [], most=4)
    leanest, peer = min(others)
    return Bar(f"{workload}, {threads} threads: MB above those of the leanest peer, {peer}", [megabytes(own) - leanest], most=4)


def bars_of_workload(workload, cases):
    threads = sorted({case.threads for case in cases if case.peer == "teff"})
    bars = []
    for each in threads:
        if workload == "fib":
            bars += [against(cases, workload, "serial", each, 2.8, "serial")] if each == 1 else []
            bars += [against(cases, workload, "rayon", each, 1 / 3, "rayon's"),
                     against(cases, workload, "onetbb", each, 1 / 25, "oneTBB's"),
                     against(cases, workload, "lace", each, 1.2, "Lace's (an aim)")]
        elif workload == "synthetic":
            bars += [against(cases, workload, "onetbb", each, 1 / 6, "oneTBB's"),
                     against(cases, workload, "lace", each, 1, "Lace's (an aim)")]
        else:
            bars.append(against_best(cases, workload, each))
        bars.append(memory_bar(cases, workload, each))
    if workload in ("fib", "synthetic"):
        bars.append(scaling(cases, workload, 1.7 if workload == "fib" else 1.6))
    return bars


def idle_bar(cases):
    own = next((case for case in cases if case.peer == "teff"), None)
    shares = [100 * record["idle"]["cpu_share"] for record in own.records.values() if record] if own else []
    return Bar("idle: % of a CPU", shares, most=1)


def bars_of(cases):
    """Returns: what Teff is to reach, and whether this run says that it does."""
    bars = []
    for workload in dict.fromkeys(case.workload for case in cases):
        own = [case for case in cases if case.workload == workload]
        if workload == "idle":
            bars.append(idle_bar(own))
        elif workload in ("fib", "synthetic", "synthetic5", "nqueens", "uts", "quicksort", "parallel_for", "reduce"):
            bars += bars_of_workload(workload, own)
    if not bars:
        return ""
    return "## What Teff is to reach\n\n" + aligned([["bar", "bound", "this run", ""], *(bar.line() for bar in bars)]) + "\n"
