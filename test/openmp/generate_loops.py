#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a C program of loops: every schedule x both directions x each type, over ranges at the ends of the type, with steps
beyond the range, with one iteration and none, combined with `parallel` or not, with constant bounds or not.

usage: generate_loops.py FILE
Each loop of the program is run over each range of its type; generated_loops.h has the oracle, which knows nothing of schedules.
For a FILE.cpp it is a C++ program of some of these, and of loops over iterators.
"""

import itertools
import sys
from dataclasses import dataclass

TYPES = {  # bits, signed
    "signed char": (8, True), "unsigned char": (8, False), "short": (16, True), "unsigned short": (16, False),
    "int": (32, True), "unsigned": (32, False), "long": (64, True), "unsigned long": (64, False),
    "long long": (64, True), "unsigned long long": (64, False),
}  # fmt: skip
SCHEDULES = ("static", "static, 1", "static, 3", "dynamic", "dynamic, 4", "guided", "guided, 2", "auto", "runtime",
             "monotonic: static, 2", "monotonic: dynamic", "monotonic: guided, 3", "monotonic: runtime",
             "nonmonotonic: dynamic, 2", "nonmonotonic: guided", "nonmonotonic: runtime")  # fmt: skip
# gcc passes loops over these on as they are; the others as loops over long, so that few of each show what there is to see.
PASSED_ON = ("int", "long", "unsigned long", "unsigned long long")
# The front end for C++ makes loops of its own, over iterators, too, and calls the same functions: few show that.
KINDS_OF_CPP = ("short", "int", "unsigned long")
ITERATORS = ("std::vector<char>::iterator", "pointer")
ORDERED = ("static", "static, 2", "dynamic", "dynamic, 3", "guided", "auto", "runtime")


@dataclass(frozen=True)
class Range:
    """From `first` in steps of `step` until before `end`, which is a value of the type."""

    first: int
    end: int
    step: int

    def is_counted_by_gcc(self, kind):
        """gcc counts the iterations of static loops itself, in the type of the loop."""
        return abs(self.end - self.first) + abs(self.step) <= limits(kind)[1]

    def has_any(self):
        return self.first < self.end if self.step > 0 else self.first > self.end


def limits(kind):
    bits, signed = TYPES[kind]
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)


def upward(lowest, highest):
    half = highest // 2
    yield from (Range(0, end, 1) for end in (0, 1, 2, 10, 33))
    yield Range(5, 3, 1)
    yield Range(half, 0, 1)
    yield from (Range(0, end, 7) for end in (6, 7, 8, 20, 21, 22))
    # At the ends of the type.
    yield from (Range(lowest, lowest + count, 1) for count in (1, 2, 9))
    yield from (Range(highest - count, highest, 1) for count in (1, 2, 9))
    yield from (Range(lowest, lowest + width, 3) for width in (8, 9, 10))
    # Steps beyond the range: one iteration, whose successor is a value of the type.
    yield from (Range(0, end, step) for end in (1, 5) for step in (end, end + 1, highest))
    yield Range(lowest, lowest + 1, half)
    yield Range(half, half + 2, half)
    # Wide, with few iterations; the last chunk ends far from the end of the range.
    yield from (Range(0, highest - highest // 4 - 1, highest // 4 + more) for more in (0, 1))
    yield Range(0, half, half // 5)
    yield Range(1, half, half // 7 + 1)


def downward(lowest, highest):
    """The other way round; of an unsigned type 0 is its lowest value, before which no loop can stop but at `> 0`."""
    for each in upward(lowest, highest):
        yield Range(lowest + highest - each.first, lowest + highest - each.end, -each.step)


def written(value, kind):
    if value == -(2**63):
        return f"({kind})(-{2**63 - 1}ll - 1)"
    return f"({kind})({value}{'ull' if value > 2**63 - 1 else 'll'})"


def condition(going_up, relation):
    return {"before": "<" if going_up else ">", "until": "<=" if going_up else ">=", "unequal": "!="}[relation]


def head(kind, going_up, relation, first, last, step):
    """`step` is how much the loop goes on by, as it is written: 1 is written as ++ or --."""
    goes = ("++i" if going_up else "--i") if step == "1" else f"i {'+=' if going_up else '-='} {step}"
    return f"for ({kind} i = {first}; i {condition(going_up, relation)} {last}; {goes})"


def loop(directive, ordered, text):
    body = "{\n#pragma omp ordered\n    in_turn(i);\n    ran(i);\n  }" if ordered else "ran(i);"
    return f"#pragma omp {directive}\n  {text} {body}\n"


def directive_of(schedule, ordered, combined):
    clauses = f"schedule({schedule}){' ordered' if ordered else ''}"
    return f"parallel for num_threads(n) {clauses}" if combined else f"for {clauses}"


def inside(text, combined):
    return f"  {{\n{text}  }}\n" if combined else f"#pragma omp parallel num_threads(n)\n  {{\n{text}  }}\n"


def is_inline(schedule, ordered):
    """Whether gcc writes the loop out itself."""
    return not ordered and ("static" in schedule or schedule == "auto")


def is_told_wrongly(kind, going_up, schedule, ordered):
    """gcc 12 passes a step of an unsigned type below 64 bits, when it goes down, on as 2^bits less itself: nobody can tell."""
    return not going_up and kind.startswith("unsigned") and limits(kind)[1] < 2**32 and not is_inline(schedule, ordered)


class Program:
    def __init__(self):
        self.parts = []
        self.entries = []
        self.ranges = {}

    def add_ranges(self, kind, going_up):
        name = f"ranges_{'up' if going_up else 'down'}_{kind.replace(' ', '_')}"
        values = list(dict.fromkeys((upward if going_up else downward)(*limits(kind))))
        values.sort(key=lambda each: not each.is_counted_by_gcc(kind))
        near = sum(each.is_counted_by_gcc(kind) for each in values)
        rows = "".join(f"    {{{wide(each.first)}, {wide(each.end)}, {wide(each.step)}}},\n" for each in values)
        self.parts.append(f"enum {{ near_{name} = {near}, all_{name} = {len(values)} }};\n"
                          f"static const struct range {name}[] = {{\n{rows}}};\n")
        self.ranges[kind, going_up] = (name, values)

    def add(self, kind, going_up, relation, by_one, schedule, ordered, combined):
        """A loop over ranges that it is told."""
        name = f"loop_{len(self.entries)}"
        step = "1" if by_one or relation == "unequal" else "step"
        directive = directive_of(schedule, ordered, combined)
        text = inside(loop(directive, ordered, head(kind, going_up, relation, "first", "last", step)), combined)
        given = "" if step == "1" else f"  const {kind} step = ({kind})(r->step < 0 ? -r->step : r->step);\n"
        last = "end" if relation != "until" else "last_included"
        self.parts.append(f"static void {name}(const struct range* r, int n) {{\n  const {kind} first = ({kind})r->first, "
                          f"last = ({kind})({last}(r));\n{given}{text}}}\n")
        ranges = self.ranges[kind, going_up][0]
        self.entries.append(f'{{{name}, "{kind} {condition(going_up, relation)}, {directive}", {ranges}, '
                            f"{'near' if is_inline(schedule, ordered) else 'all'}_{ranges}, "
                            f"{self.flags(step == '1', relation, schedule, ordered)}}}")

    @staticmethod
    def flags(by_one, relation, schedule, ordered):
        names = [name for name, holds in (("only_by_one", by_one), ("reaches_end", relation == "unequal"),
                                          ("by_variable", "runtime" in schedule), ("in_order", ordered)) if holds]
        return " | ".join(names) or "0"

    def add_constant(self, kind, going_up, each, schedule, ordered, combined):
        """A loop whose bounds the compiler sees."""
        name = f"loop_{len(self.entries)}"
        step = written(abs(each.step), kind)
        directive = directive_of(schedule, ordered, combined)
        text = inside(loop(directive, ordered, head(kind, going_up, "before", written(each.first, kind), written(each.end, kind),
                                                    step)), combined)
        rows = f"{{{wide(each.first)}, {wide(each.end)}, {wide(each.step)}}}"
        self.parts.append(f"static const struct range of_{name}[] = {{{rows}}};\n"
                          f"static void {name}(const struct range* r, int n) {{\n  (void)r;\n  (void)n;\n{text}}}\n")
        self.entries.append(f'{{{name}, "constant bounds, {kind}, {directive}", of_{name}, 1, '
                            f"{self.flags(False, 'before', schedule, ordered)}}}")

    def add_iterator_ranges(self):
        """Both directions within what iterators may point to."""
        up = [Range(0, end, 1) for end in (0, 1, 2, 10, 33)] + [Range(0, end, 7) for end in (6, 7, 8, 20, 21, 22)] + [Range(5, 3, 1)]
        for name, values in (("up", up), ("down", [Range(40 - each.first, 40 - each.end, -each.step) for each in up])):
            rows = "".join(f"    {{{wide(each.first)}, {wide(each.end)}, {wide(each.step)}}},\n" for each in values)
            self.parts.append(f"static const struct range ranges_{name}_iterator[] = {{\n{rows}}};\n")
        self.parts.append("typedef const char* pointer;\nstatic std::vector<char> of_iterators(64);\n")
        self.iterator_ranges = len(up)

    def add_over_iterators(self, kind, going_up, schedule, ordered, combined):
        name = f"loop_{len(self.entries)}"
        begin = "of_iterators.data()" if kind == "pointer" else "of_iterators.begin()"
        directive = directive_of(schedule, ordered, combined)
        text = inside(loop(directive, ordered, head(kind, going_up, "before", "first", "last", "step")).replace(
            "(i)", f"(i - {begin})"), combined)
        self.parts.append(f"static void {name}(const struct range* r, int n) {{\n  const {kind} first = {begin} + (long)r->first, "
                          f"last = {begin} + (long)r->end;\n  const long step = (long)(r->step < 0 ? -r->step : r->step);\n{text}}}\n")
        self.entries.append(f'{{{name}, "{kind}, {directive}", ranges_{"up" if going_up else "down"}_iterator, '
                            f"{self.iterator_ranges}, {self.flags(False, 'before', schedule, ordered)}}}")

    def text(self):
        table = ",\n    ".join(self.entries)
        return ('#include "generated_loops.h"\n\n#ifdef __cplusplus\n#include <vector>\n#endif\n\n' + "\n".join(self.parts)
                + f"\nint main(int count, char** words) {{\n  static const struct loop loops[] = {{\n    {table}}};\n"
                + "  return run_loops(loops, sizeof loops / sizeof *loops, count > 1 ? words[1] : NULL);\n}\n")


def wide(value):
    """As written in C, in __int128."""
    if -(2**63) < value < 2**63:
        return f"{value}ll"
    if value == -(2**63):
        return f"-{2**63 - 1}ll - (wide)1"
    return f"{'-' if value < 0 else ''}(wide){abs(value)}ull"


def main():
    is_cpp = sys.argv[1].endswith(".cpp")
    program = Program()
    forms = itertools.cycle(itertools.product(("before", "until", "unequal", "before", "until"), (False, True, False)))
    combined = itertools.cycle((True, False, False, True, True, False, True))  # beside the forms: 7 and 15 have no common factor
    schedules = [(each, False) for each in SCHEDULES] + [(each, True) for each in ORDERED]
    for number, (kind, going_up) in enumerate(itertools.product(KINDS_OF_CPP if is_cpp else TYPES, (True, False))):
        program.add_ranges(kind, going_up)
        near = [each for each in program.ranges[kind, going_up][1] if each.has_any() and each.is_counted_by_gcc(kind)]
        constant = itertools.cycle(near[number % 3 :] + near[: number % 3])
        told = [each for each in schedules if not is_told_wrongly(kind, going_up, *each)]
        for place, (schedule, ordered) in enumerate(told, start=number // 2 + number):
            if kind in PASSED_ON or place % 3 == 0:
                program.add(kind, going_up, *next(forms), schedule, ordered, next(combined))
            if place % (3 if kind in PASSED_ON else 6) == 0:
                program.add_constant(kind, going_up, next(constant), schedule, ordered, next(combined))
    if is_cpp:
        program.add_iterator_ranges()
        for (kind, going_up), (schedule, ordered) in itertools.product(itertools.product(ITERATORS, (True, False)), schedules[::2]):
            if is_inline(schedule, ordered) and "," in schedule:
                continue  # gcc 12 itself fails to compile these
            program.add_over_iterators(kind, going_up, schedule, ordered, next(combined))
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(program.text())


if __name__ == "__main__":
    main()
