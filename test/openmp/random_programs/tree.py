# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random trees of OpenMP constructs, and what the programs that they stand for come to.

All that a program does is to add to the numbers of one array, in an order that does not matter, but for chains, ordered loops and
the like, whose numbers do not come out if the order is wrong. `sums` knows how often each construct runs, and nothing else of
OpenMP.
"""

from dataclasses import dataclass, field

CELLS = 8
MODULUS, READ_MODULUS = 1_000_003, 97
SCHEDULES = ("", "static", "static, 1", "static, 3", "dynamic", "dynamic, 2", "guided", "guided, 2", "auto", "runtime")
MOST_THREADS = 3
DEEPEST = 4


@dataclass
class Node:
    """A construct. `of`: its numbers and clauses by name."""

    kind: str
    of: dict = field(default_factory=dict)
    body: list = field(default_factory=list)

    def every(self):
        yield self
        for each in self.body:
            yield from each.every()


# What may stand where: a member of a team meets constructs that all members meet; `one` thread alone does not.
OF_ONE = ("add", "task", "taskwait", "taskgroup", "taskloop", "critical", "parallel", "chain", "task_reduction", "taskyield")
OF_MEMBER = ("add", "task", "for", "sections", "single", "masked", "critical", "barrier", "taskwait", "taskgroup", "taskloop",
             "parallel", "ordered", "doacross", "copy", "reduce", "chain", "task_reduction")  # fmt: skip


def block(rng, kinds, depth, regions):
    """A few constructs, one inside of the other at most DEEPEST times, and `regions` parallel ones."""
    return [construct(rng, kinds, depth, regions) for _ in range(rng.randint(1, 3))]


def construct(rng, kinds, depth, regions):
    allowed = [each for each in kinds if depth < DEEPEST or each in ("add", "taskwait", "barrier")]
    allowed = [each for each in allowed if regions > 0 or each != "parallel"]
    kind = rng.choice(allowed)
    made = Node(kind, numbers(rng, kind))
    if kind == "parallel":
        made.body = block(rng, OF_MEMBER, depth + 1, regions - 1)
    elif kind == "critical":  # others wait for it: it waits for nobody
        made.body = [construct(rng, ("add",), depth, regions)]
    elif kind == "sections":
        made.body = [Node("section", {}, block(rng, OF_ONE, depth + 2, regions)) for _ in range(rng.randint(1, 4))]
    elif kind in ("task", "taskgroup", "taskloop", "for", "single", "masked"):
        made.body = block(rng, OF_ONE, depth + 1, regions)
    return made


def numbers(rng, kind):
    found = {"cell": rng.randrange(CELLS), "value": rng.randint(1, 9), "count": rng.choice((0, 1, 2, 5, 13)),
             "nowait": rng.random() < 0.4}  # fmt: skip
    if kind in ("for", "reduce", "ordered", "doacross", "taskloop"):
        # Of what goes down without a sign gcc 12 passes a wrong step, or where a sink is; and below 0 there is nothing.
        down = rng.random() < 0.3
        found |= {"bits": rng.choice((8, 16, 32, 32, 64)), "signed": down or rng.random() < 0.5, "down": down,
                  "step": rng.choice((1, 1, 2, 3)), "first": rng.randint(1, 4)}  # fmt: skip
    if kind == "add":
        found["by_index"] = rng.random() < 0.5
    elif kind == "parallel":
        found["threads"] = rng.choice((None, None, 1, 2, 3))
    elif kind == "task":
        clauses = ("if(false)", "final(true)", "untied", "mergeable", "priority(1)")
        found["clauses"] = " ".join(each for each in clauses if rng.random() < 0.15)
    elif kind == "taskloop":
        found["clauses"] = rng.choice(("", "grainsize(2)", "num_tasks(3)", "nogroup", "grainsize(100)"))
        found["reduces"] = found["clauses"] != "nogroup" and rng.random() < 0.5
    elif kind in ("for", "reduce", "ordered", "doacross"):
        found["schedule"] = rng.choice(SCHEDULES)
    elif kind == "chain":
        found["readers"] = rng.choice((0, 1, 3))
        found["waits_for"] = rng.choice(("all", "some"))
    return found


def program(rng):
    return Node("program", {}, block(rng, OF_ONE, 0, 2) + block(rng, ("parallel", "chain"), 0, 2))


def of_a_chain(count, readers):
    value = read = 0
    for each in range(1, count + 1):
        value = (value * 5 + each) % MODULUS
        read += readers * (value % READ_MODULUS)
    return value + read


def of_an_order(count):
    value = 1
    for each in range(count):
        value = (value * 7 + each) % MODULUS
    return value


def sums(whole, threads):
    """Returns: the array when the program has ended, with so many threads where it does not say how many."""
    cells = [0] * CELLS

    def run(node, times, members, index_sum):
        """`times`: how often one thread comes to it, or each of so many members of a team; `index_sum`: of all that times, the sum
        of the index of the innermost loop."""
        of = node.of
        value = 0
        if node.kind == "add":
            value = of["value"] * (times * members + (index_sum * members if of["by_index"] else 0))
        elif node.kind == "parallel":
            for each in node.body:
                run(each, times * members, of["threads"] or threads, 0)
        elif node.kind in ("for", "taskloop"):
            rounds = times * (1 if node.kind == "for" else members) * of["count"]
            indices = times * (1 if node.kind == "for" else members) * (of["count"] * (of["count"] - 1) // 2)
            value = of["value"] * rounds if of.get("reduces") else 0
            for each in node.body:
                run(each, rounds, 1, indices)
        elif node.kind in ("single", "masked", "sections", "section"):
            for each in node.body:
                run(each, times, 1, index_sum)
        elif node.kind in ("task", "taskgroup", "critical", "program"):
            for each in node.body:
                run(each, times * members, 1, index_sum * members)
        elif node.kind in ("ordered", "doacross"):
            value = times * of_an_order(of["count"])
        elif node.kind == "copy":
            value = times * members * of["value"]
        elif node.kind == "reduce":
            value = times * of["value"] * of["count"]
        elif node.kind == "chain":
            value = times * members * of_a_chain(of["count"], of["readers"])
        elif node.kind == "task_reduction":
            value = times * members * of["value"] * 2 * of["count"]
        cells[of.get("cell", 0)] += value

    run(whole, 1, 1, 0)
    return cells
