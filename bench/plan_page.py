# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From records to the page of a plan: published figures beside measured ones."""

from statistics import mean, median

# Published figures that are nearer to one another than this have no order, and ours none below it or the noise of the run.
TIE = 0.01


def spread(samples):
    return (max(samples) - min(samples)) / median(samples)


def cases(records, workers, pool=None):
    """Returns: the records of that many workers."""
    return [each for each in records if each["workers_asked"] == workers and pool in (None, each["pool"])]


def best_over_managers(records, workers):
    """Returns: {pool: its record with the least median}, as the paper assesses pools."""
    best = {}
    for each in cases(records, workers):
        held = best.get(each["pool"])
        if held is None or median(each["seconds"]) < median(held["seconds"]):
            best[each["pool"]] = each
    return best


def average_over_pools(records, workers, pool=None):
    """Returns: {manager: mean over the pools of the medians, in seconds}; of one pool: its medians."""
    times = {}
    for each in cases(records, workers, pool):
        times.setdefault(each["memory"], []).append(median(each["seconds"]))
    return {manager: mean(all_times) for manager, all_times in times.items()}


def agreement(ours, published, noise):
    """Compares orders pair by pair. Both map names to values that grow in the same sense.

    Returns: (pairs in the published order, pairs that differ here by less than noise, [(a, b)]: published a < b, here a > b)."""
    names = [name for name in published if name in ours]
    same, ties, reversed_pairs = 0, 0, []
    for a in names:
        for b in names:
            if published[b] - published[a] < TIE * abs(published[a]) or published[a] == published[b]:
                continue
            difference = (ours[b] - ours[a]) / abs(ours[a])
            if abs(difference) < noise:
                ties += 1
            elif difference > 0:
                same += 1
            else:
                reversed_pairs.append((a, b))
    return same, ties, reversed_pairs


def table(rows):
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]) + "\n"


def agreement_text(ours, published, noise, better):
    """`better`: what the smaller value is, in words."""
    same, ties, wrong = agreement(ours, published, noise)
    total = same + ties + len(wrong)
    if total == 0:
        return ""
    text = (f"\nOf the {total} pairs that the paper separates by at least {100 * TIE:.0f} %, {same} have the same order here, "
            f"{ties} differ by less than the noise of this run ({100 * noise:.1f} %), {len(wrong)} have the other order")
    if wrong:
        by_first = {}
        for a, b in wrong:
            by_first.setdefault(a, []).append(b)
        text += f". {better} in the paper, not here: " + "; ".join(f"{a} than {', '.join(b)}" for a, b in by_first.items())
    return text + ".\n"


def shown(published, unit):
    if published is None:
        return ""
    return f"{published:.2f}" if unit == "speed-up" else f"+{published} %"


def published_of(view, workers):
    """Returns: {name: value} of that many workers, as percentages over the best or as speed-ups."""
    return view.get("published", {}).get(str(workers), {})


def noise_of(records):
    """How far the median of a case lies above its fastest run, in the median over the cases; at least TIE. What disturbs a run
    makes it slower, so the slowest runs say little."""
    return max(TIE, median((median(each["seconds"]) - min(each["seconds"])) / median(each["seconds"]) for each in records))


def pools_view(view, measured):
    """Tables of pools at their best manager: times for percentages, speed-ups for the rest."""
    records = measured["set"]["records"]
    serial = median([each["serial_seconds"] for each in records if each["serial_seconds"] is not None])
    fastest = min(median(each["seconds"]) for each in cases(records, 1))
    text = (f"Speed-up over the fastest pool on one worker ({fastest:.4g} s; the paper's base) and over the serial program "
            f"({serial:.4g} s).\n")
    for workers in measured["workers"]:
        best = best_over_managers(records, workers)
        times = {pool: median(each["seconds"]) for pool, each in best.items()}
        least = min(times.values())
        published = published_of(view, workers)
        unit = view.get("published_unit", "speed-up")
        rows = [("rank", "pool", "manager", "median", "spread", "over the best", "speed-up", "over serial", "paper")]
        for rank, pool in enumerate(sorted(times, key=times.get), 1):
            rows.append((rank, pool, best[pool]["memory"], f"{times[pool]:.4g} s", f"{100 * spread(best[pool]['seconds']):.1f} %",
                         f"+{100 * (times[pool] / least - 1):.1f} %", f"{fastest / times[pool]:.2f}",
                         f"{serial / times[pool]:.2f}", shown(published.get(pool), unit)))
        text += f"\n**{workers} worker{'s' if workers > 1 else ''}**\n\n" + table(rows)
        noise = noise_of(cases(records, workers))
        if unit == "speed-up":
            text += agreement_text({pool: fastest / each for pool, each in times.items()}, published, noise, "Slower")
        else:
            text += agreement_text(times, {pool: 1 + each / 100 for pool, each in published.items()}, noise, "Faster")
    return text


def managers_view(view, measured):
    """Tables of managers, averaged over pools or of one pool."""
    pool = view.get("pool")
    records = measured["set"]["records"]
    text = ""
    for workers in measured["workers"]:
        times = average_over_pools(records, workers, pool)
        least = min(times.values())
        published = published_of(view, workers)
        rows = [("rank", "manager", "time", "over the best", "paper: over the best")]
        for rank, manager in enumerate(sorted(times, key=times.get), 1):
            rows.append((rank, manager, f"{times[manager]:.4g} s", f"+{100 * (times[manager] / least - 1):.1f} %",
                         f"+{published[manager]} %" if manager in published else ""))
        text += f"\n**{workers} worker{'s' if workers > 1 else ''}**\n\n" + table(rows)
        text += agreement_text(times, {each: 1 + value / 100 for each, value in published.items()},
                               noise_of(cases(records, workers, pool)), "Faster")
    return text


def misses_view(view, misses, counters):
    if isinstance(misses, str):
        text = f"Ours: {misses}.\n\n"
    else:
        rows = [("pool", "workers", *counters)]
        rows += [(pool, workers, *(f"{each:,}" for each in counts)) for (pool, workers), counts in misses.items()]
        text = "Ours, of the whole process, averaged over the managers:\n\n" + table(rows) + "\n"
    if "published" not in view:
        return text
    rows = [("pool", *view["published_columns"])] + [(pool, *counts) for pool, counts in view["published"].items()]
    return text + "The paper's, in thousands, averaged over managers:\n\n" + table(rows)


def heading(plan, measured):
    text = f"# {plan['title']}\n\nSource: {plan['source']}. "
    text += "Figures of the paper are those of its machines; what can be compared is order and ratio, not seconds.\n\n"
    for each in measured.values():
        machine = each["set"]["machine"]
        where = f"in virtual time on machine {machine['name']}" if each["side"] == "simulated" else (
            f"on {machine['processor']}, {machine['usable_processors']} usable processors")
        text += (f"- *{each['name']}*: size {each['size']}, {where}, commit {each['set']['commit']}: "
                 f"`teff {' '.join(each['command'])}`")
        text += f", seeds 1 to {each['seeds']}\n" if each["seeds"] > 1 else "\n"
    return text


def drawing_text(view, name, drawn):
    """`drawn`: {(view, measure): file}, or a sentence that says why there is none."""
    if not view["name"].startswith("figure"):
        return ""
    return f"{drawn}.\n\n" if isinstance(drawn, str) else f"![{view['title']}]({drawn[view['name'], name]})\n\n"


def page(plan, measured, misses, counters, drawn):
    """Returns: the page. `measured` by name of the measure, `misses` by name of the view, `drawn` as drawing_text has it."""
    text = heading(plan, measured)
    for view in plan["view"]:
        text += f"\n## {view['title']}\n\n" + (view["note"] + "\n\n" if "note" in view else "")
        if view["kind"] == "cache misses":
            text += misses_view(view, misses[view["name"]], counters)
        for name in view.get("measures", []):
            if len(view["measures"]) > 1:
                text += f"\n### {name}\n\n"
            text += drawing_text(view, name, drawn)
            text += (pools_view if view["kind"] == "pools" else managers_view)(view, measured[name])
    return text
