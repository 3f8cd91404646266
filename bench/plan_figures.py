# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the figures of a plan: curves over workers, with the values that the paper's text gives as crosses; those of a sweep over
its parameter, with intervals. Needs matplotlib."""

import math
from statistics import median

import plan_page


def pool_curves(measured):
    """Returns: {pool: [(workers, speed-up over the fastest pool on one worker, at the pool's best manager)]}."""
    records = measured["set"]["records"]
    fastest = min(median(each["seconds"]) for each in plan_page.cases(records, 1))
    curves = {}
    for workers in measured["workers"]:
        for pool, best in plan_page.best_over_managers(records, workers).items():
            curves.setdefault(pool, []).append((workers, fastest / median(best["seconds"])))
    return curves


def manager_curves(view, measured):
    """Returns: {manager: [(workers, seconds)]}, of the view's pool, or averaged over the pools."""
    curves = {}
    for workers in measured["workers"]:
        times = plan_page.average_over_pools(measured["set"]["records"], workers, view.get("pool"))
        for manager, seconds in times.items():
            curves.setdefault(manager, []).append((workers, seconds))
    return curves


def published_points(view):
    """Returns: [(workers, value)] of a view whose published values are of the same kind as its curves."""
    if view["kind"] != "pools" or view.get("published_unit", "speed-up") != "speed-up":
        return []
    return [(int(workers), value) for workers, values in view.get("published", {}).items() for value in values.values()]


def sweep_curves(measured, reading):
    """Returns: {curve: [(x, mean, half of its interval)]}, without points that are saturated in a seed, or were not measured."""
    curves = {}
    for of, curve, x in sorted(measured.metrics, key=lambda each: each[2]):
        found = measured.response(of, curve, x) if of == reading else None
        if found is not None and math.isfinite(found.mean):
            curves.setdefault(curve, []).append((x, found.mean, found.half))
    return curves


def drawing_tools():
    """Returns: matplotlib's pyplot. Errors: ImportError without it."""
    import matplotlib  # not at the top: a page without drawings needs none
    matplotlib.use("svg")
    from matplotlib import pyplot
    return pyplot


def finish(pyplot, figure, axes, view, path):
    """Effect: writes the SVG."""
    axes.set_title(view["title"], fontsize="medium")
    axes.set_ylim(bottom=0)
    axes.legend(ncol=2, fontsize="x-small")
    with open(path, "w", encoding="utf-8") as file:
        figure.savefig(file, format="svg")
    pyplot.close(figure)


def draw_sweep(view, measured, reading, path):
    """Effect: writes an SVG. Errors: ImportError without matplotlib."""
    pyplot = drawing_tools()
    figure, axes = pyplot.subplots(figsize=(8, 5.5))
    for curve, points in sweep_curves(measured, reading).items():
        x, means, halves = zip(*points)
        axes.errorbar(x, means, yerr=halves, marker=".", capsize=3, label=curve)
    axes.set_xlabel(view["axis"])
    axes.set_ylabel(f"response time, in mean times of a task ({reading})")
    finish(pyplot, figure, axes, view, path)


def draw(view, measured, path):
    """Effect: writes an SVG. Errors: ImportError without matplotlib."""
    pyplot = drawing_tools()
    of_pools = view["kind"] == "pools"
    curves = pool_curves(measured) if of_pools else manager_curves(view, measured)
    figure, axes = pyplot.subplots(figsize=(8, 5.5))
    styles = ("-", "--", ":", "-.")
    for number, (name, points) in enumerate(curves.items()):
        axes.plot(*zip(*points), styles[number // 10 % len(styles)], marker=".", label=name)
    published = published_points(view)
    if published:
        axes.plot(*zip(*published), "kx", label="paper's text")
    axes.set_xlabel("workers")
    axes.set_ylabel("speed-up over the fastest pool on one" if of_pools else "seconds")
    finish(pyplot, figure, axes, view, path)
