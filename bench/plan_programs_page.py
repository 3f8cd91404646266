# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of a plan of programs: how long they take on each pool, beside gcc's library, and what their accounts say."""

import os
from statistics import median, quantiles

from plan_page import table

STOCK = "libgomp"
TIE = 1.15  # as `teff compare` has it
PARTS_SHOWN = 3  # of an account


def record_of(comparison, runtime, threads):
    """Returns: the record; None if the program was not run on that."""
    return next((each for each in comparison["records"] if each["runtime"] == runtime and each["threads"] == threads), None)


def ratios(comparison, runtime, threads):
    """Returns: by round, the runtime's time over the stock library's; nothing if one of them failed."""
    stock, other = (record_of(comparison, each, threads) for each in (STOCK, runtime))
    if other is None or stock["failure"] or other["failure"]:
        return []
    return [mine / theirs for mine, theirs in zip(other["seconds"], stock["seconds"], strict=True)]


def middle_half(values):
    low, _, high = quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
    return low, high


def cell_of(comparison, runtime, threads, best):
    record = record_of(comparison, runtime, threads)
    if record is None:
        return "not run"
    if record["failure"]:
        return "failed"
    values = ratios(comparison, runtime, threads)
    if not values:
        return "-"
    low, high = middle_half(values)
    text = f"{median(values):.2f}"
    return ((f"**{text}**" if runtime in best else text) + f" ({low:.2f}–{high:.2f})"
            + ("" if record["same_output"] is not False else ", another output"))


def best_pools(comparison, pools, threads):
    """Returns: the fastest pool and those that tie with it: whose median is within 15 % of its one, or whose middle half meets its one.
    None if all do, if there is one pool alone, or if no task ran, so that no pool was used."""
    values = {pool: each for pool in pools if (each := ratios(comparison, pool, threads))}
    if len(values) < 2 or tasks_of(comparison, pools, threads) == "0":
        return []
    fastest = min(values, key=lambda pool: median(values[pool]))
    ties = [pool for pool in values if not is_slower(values[pool], values[fastest])]
    return ties if len(ties) < len(values) else []


def is_slower(values, fastest):
    return median(values) > TIE * median(fastest) and middle_half(values)[0] > middle_half(fastest)[1]


def tasks_of(comparison, pools, threads):
    """Returns: how many tasks the first pool counted that did not fail; "-" if none did."""
    records = (record_of(comparison, pool, threads) for pool in pools)
    return next((said_of(each)[0] for each in records if each is not None and not each["failure"]), "-")


def best_text(comparison, pools, threads):
    if tasks_of(comparison, pools, threads) == "0":
        return "no task"
    best = best_pools(comparison, pools, threads)
    return ", ".join(f"`{each}`" for each in best) or ("any" if sum(bool(ratios(comparison, pool, threads)) for pool in pools) > 1 else "-")


def duration(seconds):
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.0f} ms"


def parts_in(record):
    """Returns: the largest parts of the account of all regions, of the time of their members."""
    sums = {}
    for region in record["sites"]["regions"]:
        for part, ns in region.get("account_ns", {}).items():
            sums[part] = sums.get(part, 0) + ns
    whole = sum(sums.values())
    shares = sorted(((ns / whole, part) for part, ns in sums.items()), reverse=True)[:PARTS_SHOWN] if whole else []
    return ", ".join(f"{100 * share:.0f} % {part}" for share, part in shares) or "-"


def said_of(record):
    """Returns: how many tasks there were, the account, and the first sentence on what holds the program back."""
    if record is None:
        return "not run", "-", "-"
    tasks = record["statistics"].get("tasks", "-").split(" ")[0]
    findings = record["sites"]["findings"]
    return tasks, parts_in(record), findings[0]["sentence"] if findings else "-"


def varies(comparison, threads):
    """Returns: what is to be said if the program does not write the same twice on the stock library either."""
    outputs = (each["same_output"] for each in comparison["records"] if each["threads"] == threads and not each["failure"])
    return ", output varies" if any(each is None for each in outputs) else ""


def times_table(plan, names, found, pools, threads):
    rows = [["program", "what", "stock", *(f"`{pool}`" for pool in pools)]]
    for name in names:
        comparison = found[name]
        stock = record_of(comparison, STOCK, threads)
        best = best_pools(comparison, pools, threads)
        time = "failed" if stock["failure"] else duration(median(stock["seconds"])) + varies(comparison, threads)
        rows.append([name, plan["program"][name]["what"], time, *(cell_of(comparison, pool, threads, best) for pool in pools)])
    return table(rows)


def account_table(names, found, pools, threads):
    rows = [["program", "best", "tasks", f"account of `{pools[0]}`", "what it says"]]
    for name in names:
        rows.append([name, best_text(found[name], pools, threads), *said_of(record_of(found[name], pools[0], threads))])
    return table(rows)


def page(plan, view, found, absent, wishes):
    """Returns: the page, in Markdown."""
    parts = [f"# {plan['title']}\n\nSource: {plan['source']}. {wishes.repeat} alternating rounds; `{os.cpu_count()}` processors.\n",
             plan["note"].strip() + "\n",
             "Each cell: the pool's time over the stock library's in the same round, the median and in brackets the middle half; below 1 the "
             "pool is faster. The best pool is bold, and those that tie with it: whose median is within 15 % of its, or whose middle half meets "
             "its. Nothing is bold if all tie, or no task ran. *Stock* is the median time on the stock library; *output varies* if the program does "
             "not write the same twice there, so that nothing can be said of its output.\n"]
    for each in plan["view"]:
        names = [name for name in each["programs"] if name in found]
        if view not in (None, each["name"]) or not names:
            continue
        parts.append(f"## {each['name']}: {each['title']}\n")
        if "note" in each:
            parts.append(each["note"].strip() + "\n")
        for threads in wishes.threads:
            parts.append(f"### {threads} thread{'' if threads == 1 else 's'}\n")
            parts.append(times_table(plan, names, found, wishes.pools, threads))
            parts.append(account_table(names, found, wishes.pools, threads))
    if absent:
        reasons = {reason: [name for name in absent if absent[name] == reason] for reason in absent.values()}
        parts += [f"Not run: {', '.join(names)}: {reason}.\n" for reason, names in reasons.items()]
    return "\n".join(parts)
