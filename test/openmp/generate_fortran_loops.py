#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a Fortran program of loops: each kind of integer, up, down and by steps that only the run knows, under every schedule.

usage: generate_fortran_loops.py FILE
What the loops have to do is counted in 128 bits, one iteration after the other.
"""

import itertools
import sys

BITS = {1: 8, 2: 16, 4: 32, 8: 64}
SCHEDULES = ("static", "static, 3", "dynamic", "dynamic, 4", "guided", "guided, 2", "auto", "runtime")
ORDERED = ("static", "dynamic, 3", "guided")
STEPS = ("1", "-1", "3", "-3", "step")

HEAD = """! Written by generate_fortran_loops.py.
module checked
  use omp_lib
  implicit none
  integer, parameter :: wide = 16, most = 100
  integer(wide) :: first_of_all, step_of_all
  integer :: hits(0:most), turn
contains
  subroutine ran(value)
    integer(wide), intent(in) :: value
    integer :: place
    place = int(min(int(most, wide), max(0_wide, (value - first_of_all) / step_of_all)))
    if (first_of_all + place * step_of_all /= value) place = most
    !$omp atomic
    hits(place) = hits(place) + 1
  end subroutine ran

  subroutine in_turn(value)
    integer(wide), intent(in) :: value
    if (first_of_all + turn * step_of_all == value) turn = turn + 1
  end subroutine in_turn
"""

RUN = """
  subroutine over(loop, text, first, last, step, only_step, ordered)
    interface
      subroutine loop(first, last, step)
        integer(8), intent(in) :: first, last, step
      end subroutine loop
    end interface
    character(*), intent(in) :: text
    integer(8), intent(in) :: first, last, step, only_step
    logical, intent(in) :: ordered
    integer :: count, place
    integer(wide) :: value
    if (only_step /= 0 .and. only_step /= step) return
    first_of_all = first
    step_of_all = step
    hits = 0
    turn = 0
    count = 0
    value = first
    do while (merge(value <= last, value >= last, step > 0))
      count = count + 1
      value = value + step
    end do
    call loop(first, last, step)
    do place = 0, most
      if (hits(place) /= merge(1, 0, place < count)) then
        print '(a, 4(a, i0))', text, ': from ', first, ' to ', last, ' by ', step, ' not once: iteration ', place
        stop 1
      end if
    end do
    if (ordered .and. turn /= count) then
      print '(a, 2(a, i0))', text, ': in order came ', turn, ' of ', count
      stop 1
    end if
  end subroutine over
end module checked
"""


def ranges_of(kind):
    """First, last and step: both directions, at the ends of the kind, one iteration and none. What follows the last is of the kind."""
    most = 2 ** (BITS[kind] - 1) - 1
    for last in (-1, 0, 1, 9, 32):
        yield 0, last, 1
    for last in (-1, 0, 1, 2, 3, 19, 20, 21):
        yield 0, last, 3
    for width in (0, 1, 7):
        yield -most, -most + width, 1
        yield most - 1 - width, most - 1, 1
        yield most - 3 - width, most - 3, 3
    yield 0, most // 4, most // 4
    yield 0, 5, most // 3
    yield -(most // 2), most // 2, most // 4
    yield 0, most // 2, most // 10


def literal(value):
    return f"{value}_8"


def body(kind, ordered):
    lines = ["      call ran(int(i, wide))"]
    if ordered:
        lines = ["      !$omp ordered", "      call in_turn(int(i, wide))", "      !$omp end ordered", *lines]
    return lines


def loop(name, kind, step, schedule, ordered, combined):
    clauses = f"schedule({schedule}){' ordered' if ordered else ''}"
    by = "by" if step == "step" else f"{step}_{kind}"
    begin, end = (([f"    !$omp parallel do {clauses}"], []) if combined else
                  (["    !$omp parallel", f"    !$omp do {clauses}"], ["    !$omp end do", "    !$omp end parallel"]))
    return "\n".join([f"  subroutine {name}(first, last, step)", "    integer(8), intent(in) :: first, last, step",
                      f"    integer({kind}) :: i, from, to, by", f"    from = int(first, {kind})", f"    to = int(last, {kind})",
                      f"    by = int(step, {kind})", *begin, f"    do i = from, to, {by}", *body(kind, ordered), "    end do",
                      *end, f"  end subroutine {name}", ""])


def main():
    loops, calls = [], []
    combined = itertools.cycle((True, False, False, True, True))
    schedules = [(each, False) for each in SCHEDULES] + [(each, True) for each in ORDERED]
    for kind, (schedule, ordered) in itertools.product(BITS, schedules):
        for step in ("step", STEPS[len(loops) % (len(STEPS) - 1)]):
            name = f"loop_{len(loops)}"
            loops.append(loop(name, kind, step, schedule, ordered, next(combined)))
            only = 0 if step == "step" else int(step)
            calls.append(f"  do at = 1, size(ranges_{kind}, 2)\n    call over({name}, 'integer({kind}), {schedule}, by {step}', "
                         f"ranges_{kind}(1, at), ranges_{kind}(2, at), ranges_{kind}(3, at), {literal(only)}, "
                         f".{'true' if ordered else 'false'}.)\n  end do\n")
    tables = []
    for kind in BITS:
        # gcc counts the iterations of static loops in the kind of the loop.
        most = 2 ** (BITS[kind] - 1) - 1
        values = [each for each in dict.fromkeys(ranges_of(kind)) if abs(each[1] - each[0]) + 2 * abs(each[2]) <= most]
        values += [(-first, -last, -step) for first, last, step in values]
        rows = ", &\n    ".join(", ".join(literal(value) for value in each) for each in values)
        tables.append(f"  integer(8), parameter :: ranges_{kind}(3, {len(values)}) = reshape([ &\n    {rows}], "
                      f"[3, {len(values)}])\n")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(HEAD + "\n" + "\n".join(loops) + RUN + "\nprogram generated\n  use checked\n  implicit none\n  integer :: at\n"
                   + "".join(tables) + "".join(calls) + "end program generated\n")


if __name__ == "__main__":
    main()
