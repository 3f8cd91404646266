# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Means of seeds, their intervals, and whether a statement holds: what a page of a sweep says, as numbers."""

import math
from dataclasses import dataclass
from statistics import mean, stdev

CONFIDENCE = 0.95
SEEDS_THAT_DECIDE = 5


def inside(limit, freedom):
    """Returns: the probability that a value of Student's distribution with that many degrees of freedom lies within ± limit; the
    finite sums that it has for whole numbers of them."""
    angle = math.atan(limit / math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = freedom % 2 == 1
    term = total = (cosine if odd else 1.0) if freedom > 1 else 0.0
    for number in range(3 if odd else 2, freedom - 1, 2):
        term *= cosine * cosine * (number - 1) / number
        total += term
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


def student(freedom, confidence=CONFIDENCE):
    """Returns: within how many standard errors of the mean the true one lies, with that confidence."""
    if freedom < 1:
        raise ValueError("one value has no interval")
    low, high = 0.0, 1.0
    while inside(high, freedom) < confidence:
        high *= 2
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle, freedom) < confidence else (low, middle)
    return high


@dataclass(frozen=True)
class Interval:
    """A mean of seeds, and half of its interval: infinite where one seed says nothing about it."""

    mean: float
    half: float
    more: bool = False  # what runs that were too short gave: the true one may be any that is greater
    less: bool = False  # ... or smaller

    @property
    def low(self):
        return -math.inf if self.less else self.mean - self.half

    @property
    def high(self):
        return math.inf if self.more else self.mean + self.half


def interval(values, more=False, less=False):
    """Returns: the interval of the mean of one value per seed, or None if there is none: of values that are not numbers (a
    saturated one less another), or infinite in some seeds only."""
    if any(each is None or math.isnan(each) for each in values):
        return None
    if any(math.isinf(each) for each in values):
        return Interval(values[0], 0.0, more, less) if len(set(values)) == 1 else None
    if len(values) == 1:
        return Interval(values[0], math.inf, more, less)
    return Interval(mean(values), student(len(values) - 1) * stdev(values) / math.sqrt(len(values)), more, less)


# What a claim is about, of the values of its terms for one seed, which has the same jobs for each of them: so these are of pairs.
QUANTITIES = {
    "value": (1, lambda a: a),
    "difference": (2, lambda a, b: a - b),
    "ratio": (2, lambda a, b: a / b),
    "differences": (4, lambda a, b, c, d, times: (a - b) - times * (c - d)),
    "ratios": (4, lambda a, b, c, d: (a / b) / (c / d)),
}
GROWS_WITH = (True, False, False, True)  # each of them, with its first term; the others make it smaller, or greater again


def bounded(bounds):
    """`bounds`: for each term, whether its values are lower bounds. Returns: whether the quantity may be more, and whether it may
    be less."""
    return (any(bound and grows for bound, grows in zip(bounds, GROWS_WITH)),
            any(bound and not grows for bound, grows in zip(bounds, GROWS_WITH)))


def quantity(kind, terms, times=None):
    """`terms`: for each term its values by seed, None where a seed has none. Returns: the quantity's values by seed."""
    factor = () if times is None else (times,)

    def compute(values):
        try:
            return QUANTITIES[kind][1](*values, *factor)
        except ZeroDivisionError:
            return math.nan
    return [None if None in values else compute(values) for values in zip(*terms, strict=True)]


def verdict(of, least, most):
    """Confirmed if the whole interval lies between the bounds, refuted if all of it lies beyond one of them."""
    if of is None:
        return "undecided"
    if of.low >= least and of.high <= most:
        return "confirmed"
    return "refuted" if of.high < least or of.low > most else "undecided"


def verdict_by_seeds(values, least, most, more=False, less=False):
    """The verdict where a term is infinite in a seed, so that no interval tells what seeds may differ by: that of the seeds, if
    all say the same and there are five. Of five that might as well say the one as the other, all say the wrong one in one case
    of 32. `more`, `less`: what the values may be beyond what they are."""
    if len(values) < SEEDS_THAT_DECIDE or any(each is None or math.isnan(each) for each in values):
        return "undecided"
    single = [verdict(Interval(each, 0.0, more, less), least, most) for each in values]
    return single[0] if len(set(single)) == 1 else "undecided"


def all_of(verdicts):
    """Returns: the verdict on a statement, of those on what it consists of."""
    for worst in ("refuted", "undecided"):
        if worst in verdicts:
            return worst
    return "confirmed"
