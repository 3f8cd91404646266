# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trees of constructs as programs in C, C++ and Fortran. What needs variables of its own is a function of its own."""

from tree import CELLS, MODULUS, READ_MODULUS


class C:
    """C, and C++."""

    FALSE, TRUE = "0", "1"
    COPIES_AT_BEGIN = True
    TYPES = {8: "char", 16: "short", 32: "int", 64: "long"}

    def __init__(self):
        self.functions = []

    def directive(self, text):
        return [f"#pragma omp {text}"]

    def construct(self, name, clauses, body, nowait=False):
        return [f"#pragma omp {name} {clauses}{' nowait' if nowait else ''}".rstrip(), "{", *body, "}"]

    def loop(self, name, clauses, index, of, body, nowait=False):
        kind = ("" if of["signed"] else "unsigned ") + self.TYPES[of["bits"]]
        low, high = of["first"], of["first"] + of["count"] * of["step"]
        begin, end, step = (high, f"> {low}", "-=") if of["down"] else (low, f"< {high}", "+=")
        return [f"#pragma omp {name} {clauses}{' nowait' if nowait else ''}".rstrip(),
                f"for ({kind} {index} = {begin}; {index} {end}; {index} {step} {of['step']}) {{", *body, "}"]  # fmt: skip

    def narrow(self, value):
        return f"(long)({value})"

    def assign(self, variable, value):
        return [f"{variable} = {value};"]

    def cell(self, number):
        return f"v[{number}]"

    def modulo(self, value, by=MODULUS):
        return f"({value}) % {by}"

    def call(self, name):
        return [f"{name}();"]

    def function(self, name, variables, indices, body):
        del indices  # a loop declares its own
        shown = [f"long {each} = {value};" for each, value in variables.items()]
        used = [f"(void){each};" for each in variables]
        self.functions += [f"static void {name}(void) {{", *shown, *used, *body, "}"]

    def program(self, body, indices):
        del indices
        print_all = " ".join(["%ld"] * CELLS)
        cells = ", ".join(f"v[{each}]" for each in range(CELLS))
        return "\n".join(["#include <stdio.h>", f"static long v[{CELLS}];", *self.functions, "int main(void) {", *body,
                          f'printf("{print_all}\\n", {cells});', "return 0;", "}", ""])  # fmt: skip


class Fortran:
    FALSE, TRUE = ".false.", ".true."
    COPIES_AT_BEGIN = False
    def __init__(self):
        self.functions = []

    def directive(self, text):
        return [f"!$omp {text}"]

    def construct(self, name, clauses, body, nowait=False):
        if name == "section":
            return ["!$omp section", *body]
        return [f"!$omp {name} {clauses}".rstrip(), *body, f"!$omp end {name.split('(')[0]}{' nowait' if nowait else ''}"]

    def loop(self, name, clauses, index, of, body, nowait=False):
        name = {"for": "do"}.get(name, name)
        low, high, step = of["first"], of["first"] + of["count"] * of["step"], of["step"]
        bounds = f"{high}, {low} + 1, -{step}" if of["down"] else f"{low}, {high} - 1, {step}"
        return [f"!$omp {name} {clauses}".rstrip(), f"do {index} = {bounds}", *body, "end do",
                f"!$omp end {name}{' nowait' if nowait else ''}"]  # fmt: skip

    def narrow(self, value):
        return f"int({value}, 8)"

    def assign(self, variable, value):
        return [f"{variable} = {value}"]

    def cell(self, number):
        return f"v({number + 1})"

    def modulo(self, value, by=MODULUS):
        return f"mod({value}, {by}_8)"

    def call(self, name):
        return [f"call {name}"]

    def function(self, name, variables, indices, body):
        declared = [f"integer(8) :: {each}" for each in variables] + [f"integer({bits // 8}) :: {each}" for each, bits in indices]
        begun = [f"{each} = {value}" for each, value in variables.items()]
        self.functions += [f"recursive subroutine {name}", "use cells", *declared, *begun, *body, "end subroutine"]

    def program(self, body, indices):
        module = ["module cells", "implicit none", f"integer(8) :: v({CELLS}) = 0", "end module"]
        self.function("everything", {}, indices, body)
        main = ["program random", "use cells", "call everything", f"print '({CELLS}(i0,1x))', v", "end program"]
        return "\n".join([*module, *self.functions, *main, ""])


class Writer:
    """Writes one program: write_KIND gives the lines of a construct, where `index` is the innermost loop's, None without one. The
    functions have the variables r (reduced), s (in order), p (each member's own)."""

    def __init__(self, language):
        self.to = language
        self.made = 0
        self.indices = []

    def number(self):
        self.made += 1
        return self.made

    def index(self, of):
        """Returns: a new loop's variable, and how many of its iterations come before one."""
        name = f"i{self.number()}"
        self.indices.append((name, of["bits"]))
        first, high = of["first"], of["first"] + of["count"] * of["step"]
        passed = f"{high} - {name}" if of["down"] else f"{name} - {first}"
        return name, self.to.narrow(f"({passed}) / {of['step']}")

    def function(self, variables, body):
        """Returns: a call of a function with what body() writes."""
        outer, self.indices = self.indices, []
        name = f"part{self.number()}"
        lines = body()
        self.to.function(name, variables, self.indices, lines)
        self.indices = outer
        return self.to.call(name)

    def block(self, nodes, index):
        return [line for each in nodes for line in getattr(self, f"write_{each.kind}")(each, each.of, index)]

    def add(self, cell, value):
        return self.to.directive("atomic") + self.to.assign(self.to.cell(cell), f"{self.to.cell(cell)} + {value}")

    def told(self, of, variable, again):
        """What a team has come to goes into a cell, once, before another construct begins with the variable."""
        return self.to.construct("single", "", self.add(of["cell"], variable) + self.to.assign(variable, again))

    def schedule(self, of):
        return f"schedule({of['schedule']})" if of["schedule"] else ""

    def write_add(self, node, of, index):
        return self.add(of["cell"], f"{of['value']} * (1 + {index})" if of["by_index"] and index else of["value"])

    def write_construct(self, node, of, index):
        clauses = of.get("clauses", "").replace("false", self.to.FALSE).replace("true", self.to.TRUE)
        nowait = node.kind in ("single", "sections") and of["nowait"]
        return self.to.construct(node.kind, clauses, self.block(node.body, index), nowait)

    write_task = write_taskgroup = write_critical = write_single = write_masked = write_sections = write_section = write_construct

    def write_directive(self, node, of, index):
        return self.to.directive(node.kind)

    write_taskwait = write_taskyield = write_barrier = write_directive

    def write_for(self, node, of, index):
        own, place = self.index(of)
        return self.to.loop("for", self.schedule(of), own, of, self.block(node.body, place), of["nowait"])

    def write_taskloop(self, node, of, index):
        def body():
            own, place = self.index(of)
            clauses = of["clauses"] + (" reduction(+:r)" if of["reduces"] else "")
            lines = self.to.assign("r", f"r + {of['value']}") if of["reduces"] else []
            loop = self.to.loop("taskloop", clauses, own, of, lines + self.block(node.body, place))
            return loop + (self.add(of["cell"], "r") if of["reduces"] else [])

        return self.function({"r": 0} if of["reduces"] else {}, body)

    def write_parallel(self, node, of, index):
        def body():
            clauses = f"num_threads({of['threads']}) " if of["threads"] else ""
            return self.to.construct("parallel", clauses + "private(p)", self.block(node.body, None))

        return self.function({"r": 0, "s": 1, "p": 0}, body)

    def write_copy(self, node, of, index):
        copies = " copyprivate(p)"
        lines = self.to.construct("single", copies if self.to.COPIES_AT_BEGIN else "", self.to.assign("p", of["value"]))
        if not self.to.COPIES_AT_BEGIN:
            lines[-1] += copies
        return lines + self.add(of["cell"], "p")

    def write_reduce(self, node, of, index):
        own, _ = self.index(of)
        clauses = self.schedule(of) + " reduction(+:r)"
        lines = self.to.loop("for", clauses, own, of, self.to.assign("r", f"r + {of['value']}"))
        return lines + self.told(of, "r", 0)

    def in_order(self, place):
        return self.to.assign("s", self.to.modulo(f"s * 7 + {place}"))

    def write_ordered(self, node, of, index):
        own, place = self.index(of)
        body = self.to.construct("ordered", "", self.in_order(place))
        return self.to.loop("for", f"ordered {self.schedule(of)}", own, of, body) + self.told(of, "s", 1)

    def write_doacross(self, node, of, index):
        own, place = self.index(of)
        sink = f"{own} {'+' if of['down'] else '-'} {of['step']}"
        before, after = self.to.directive(f"ordered depend(sink: {sink})"), self.to.directive("ordered depend(source)")
        body = before + self.in_order(place) + after
        return self.to.loop("for", f"ordered(1) {self.schedule(of)}", own, of, body) + self.told(of, "s", 1)

    def write_chain(self, node, of, index):
        def body():
            lines = []
            for each in range(1, of["count"] + 1):
                step = self.to.assign("s", self.to.modulo(f"s * 5 + {each}"))
                lines += self.to.construct("task", "depend(inout: s) shared(s)", step)
                read = self.to.directive("atomic") + self.to.assign("r", f"r + {self.to.modulo('s', READ_MODULUS)}")
                lines += self.to.construct("task", "depend(in: s) shared(s, r)", read) * of["readers"]
            lines += self.to.directive("taskwait depend(inout: s)" if of["waits_for"] == "some" else "taskwait")
            return lines + self.add(of["cell"], "(s + r)")

        return self.function({"s": 0, "r": 0}, body)

    def write_task_reduction(self, node, of, index):
        def body():
            step = self.to.assign("r", f"r + {of['value']}")
            inner = self.to.construct("task", "in_reduction(+:r)", step)
            tasks = self.to.construct("task", "in_reduction(+:r)", step + inner + self.to.directive("taskwait"))
            return self.to.construct("taskgroup", "task_reduction(+:r)", tasks * of["count"]) + self.add(of["cell"], "r")

        return self.function({"r": 0}, body)


def source(whole, suffix):
    """Returns: the program, for a file of that suffix: c, cpp or f90."""
    language = Fortran() if suffix == "f90" else C()
    writer = Writer(language)
    body = writer.block(whole.body, None)
    return language.program(body, writer.indices)
