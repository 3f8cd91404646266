#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes from the list of libgomp's symbols what the OpenMP drop-in is linked with, and checks a built drop-in against it.

usage: openmp_symbols.py [--list FILE] [--map FILE] [--refusals FILE] [--page FILE] [--check-page FILE] [--check LIBRARY]
  --map FILE         write the linker's version script
  --refusals FILE    write C source of the functions that refuse
  --page FILE        write the table for docs/
  --check-page FILE  fail if FILE is not what --page would write
  --check LIBRARY    fail if LIBRARY does not show exactly the listed symbols and version nodes, misses one of the installed
                     libgomp, or needs another library than the C library
Exit code 0 if all is well, 1 if a check found something (one line each), 2 for wrong usage or a wrong list.
"""

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "src/compat/openmp/symbols.txt"
STATES = ("implemented", "inert", "refused")
SONAME = "libgomp.so.1"
NEEDS = {"libc.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"}  # not libm.so.6, which takes a while to load


@dataclass(frozen=True)
class Symbol:
    name: str
    node: str
    mark: str
    since: str
    state: str
    test: str  # of one that is not refused
    reason: str  # why it refuses, or why a function that does nothing is right


@dataclass(frozen=True)
class Node:
    name: str
    parent: str  # "" for the first of a family


class WrongList(Exception):
    pass


def read_list(path):
    """(nodes, symbols), in the order of the file."""
    nodes, symbols = [], []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            if heading := re.fullmatch(r"\[(\S+)\]\s+(\S+)", text):
                nodes.append(Node(heading[1], "" if heading[2] == "-" else heading[2]))
            else:
                symbols.append(read_symbol(text, nodes))
        except (WrongList, ValueError, IndexError) as error:
            raise WrongList(f"{path}:{number}: {error}: '{text}'") from error
    return nodes, symbols


def read_symbol(text, nodes):
    name, mark, since, state, rest = text.split(None, 4)
    if not nodes:
        raise WrongList("a symbol before the first node")
    if mark not in ("@", "@@"):
        raise WrongList(f"the mark is '{mark}'; allowed: @, @@")
    if state not in STATES:
        raise WrongList(f"the state is '{state}'; allowed: {', '.join(STATES)}")
    test, _, reason = ("", "", rest) if state == "refused" else rest.partition(" ")
    if state == "inert" and not reason:
        raise WrongList("an inert function needs its reason")
    return Symbol(name, nodes[-1].name, mark, since, state, test, reason.strip())


# ---- What is made --------------------------------------------------------------------------------------------------------


def version_script(nodes, symbols):
    """A function of two versions stands in both nodes; .symver in the objects says which definition is whose."""
    lines = ["/* Made by tools/openmp_symbols.py from src/compat/openmp/symbols.txt. */"]
    for place, node in enumerate(nodes):
        names = [each.name for each in symbols if each.node == node.name]
        lines += [f"{node.name} {{", "  global:"] if names else [f"{node.name} {{"]
        lines += [f"    {name};" for name in names]
        lines += ["  local:", "    *;"] if place == 0 else []
        lines += [f"}} {node.parent};" if node.parent else "};", ""]
    return "\n".join(lines)


def refusals(symbols):
    lines = [
        "/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */",
        "/* Made by tools/openmp_symbols.py from src/compat/openmp/symbols.txt; for a compiler without -fopenmp, -fopenacc. */",
        "",
        "/* Says on standard error that NAME needs what Teff does not have, and ends the program with exit code 70. */",
        "_Noreturn void teff_openmp_refuse(const char* name, const char* needs);",
        "",
    ]
    for each in symbols:
        if each.state == "refused":
            shown = '__attribute__((visibility("default"))) '
            lines.append(f"{shown}_Noreturn void {each.name}(void);")
            lines.append(f'void {each.name}(void) {{ teff_openmp_refuse("{each.name}", "{each.reason}"); }}')
    return "\n".join(lines) + "\n"


def page(symbols):
    count = {state: sum(each.state == state for each in symbols) for state in STATES}
    lines = [
        "# The functions of gcc's OpenMP runtime",
        "",
        "*Made by `tools/openmp_symbols.py` from `src/compat/openmp/symbols.txt`; do not edit.*",
        "",
        f"A program built by gcc asks for functions of `{SONAME}` under a version. Teff's drop-in has all {len(symbols)} of",
        f"gcc 12 to 16, under all versions: {count['implemented']} do their work, {count['inert']} need not do anything, and"
        f" {count['refused']} refuse: they",
        "say their name and what they would need on standard error, and end the program with exit code 70.",
        "",
        "The test of an implemented function fails when the function is replaced by one that does nothing: `test/openmp/` checks",
        "that for each of them. An inert one may do nothing, for the reason given.",
        "",
        "| function | version | gcc | state | test, or what it would need |",
        "|---|---|---|---|---|",
    ]
    for each in symbols:
        what = {"implemented": f"`{each.test}`", "inert": f"`{each.test}`; {each.reason}", "refused": each.reason}[each.state]
        lines.append(f"| `{each.name}` | {each.mark}{each.node} | {each.since} | {each.state} | {what} |")
    return "\n".join(lines) + "\n"


# ---- What is checked -------------------------------------------------------------------------------------------------------


def read_elf(option, library):
    return subprocess.run(["readelf", "-W", option, str(library)], check=True, capture_output=True, text=True).stdout


def shown_symbols(library):
    """The functions and objects that a library shows, as name@node or name@@node; without the nodes' own symbols."""
    shown = set()
    for line in read_elf("--dyn-syms", library).splitlines():
        fields = line.split()
        if len(fields) < 8 or not fields[0].endswith(":") or fields[6] == "UND" or fields[4] not in ("GLOBAL", "WEAK", "UNIQUE"):
            continue
        if fields[6] != "ABS":
            shown.add(fields[7])
    return shown


def defined_nodes(library):
    """{node: parent or ""} of the versions that a library defines."""
    nodes, last = {}, None
    for line in read_elf("--version-info", library).partition("Version needs section")[0].splitlines():
        if "Flags: BASE" in line:
            continue
        if match := re.search(r"Index: \d+ .*Name: (\S+)", line):
            last = match[1]
            nodes[last] = ""
        elif (match := re.search(r"Parent \d+: (\S+)", line)) and last:
            nodes[last] = match[1]
    return nodes


def dynamic_entries(library, tag):
    return re.findall(rf"\({tag}\).*\[(.*)\]", read_elf("--dynamic", library))


def installed_libgomp():
    """The stock library of the installed gcc; None if there is none."""
    try:
        answer = subprocess.run(["gcc", f"-print-file-name={SONAME}"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    path = Path(answer.stdout.strip())
    return path.resolve() if path.is_absolute() and path.exists() else None


def check_library(library, nodes, symbols):
    found = []
    listed = {f"{each.name}{each.mark}{each.node}" for each in symbols}
    shown = shown_symbols(library)
    found += [f"{library} does not show {each}, which is listed" for each in sorted(listed - shown)]
    found += [f"{library} shows {each}, which is not listed" for each in sorted(shown - listed)]
    wanted, defined = {each.name: each.parent for each in nodes}, defined_nodes(library)
    for name in sorted(wanted.keys() | defined.keys()):
        if wanted.get(name) != defined.get(name):
            found.append(f"{library}: version node {name} inherits from {defined.get(name)!r}; listed: {wanted.get(name)!r}")
    if dynamic_entries(library, "SONAME") != [SONAME]:
        found.append(f"{library} has the soname {dynamic_entries(library, 'SONAME')}; allowed: {SONAME}")
    for needed in dynamic_entries(library, "NEEDED"):
        if needed not in NEEDS:
            found.append(f"{library} needs {needed}; allowed: {', '.join(sorted(NEEDS))}")
    return found


def check_stock(nodes, symbols):
    """That the list has everything that the installed libgomp has."""
    stock = installed_libgomp()
    if stock is None:
        print("openmp_symbols: no libgomp is installed here to compare with", file=sys.stderr)
        return []
    listed = {f"{each.name}{each.mark}{each.node}" for each in symbols}
    parents = {each.name: each.parent for each in nodes}
    found = [f"{stock} shows {each}, which is not listed" for each in sorted(shown_symbols(stock) - listed)]
    for name, parent in defined_nodes(stock).items():
        if parents.get(name) != parent:
            found.append(f"{stock}: version node {name} inherits from {parent!r}; listed: {parents.get(name)!r}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", type=Path, default=LIST)
    for option in ("--map", "--refusals", "--page", "--check-page", "--check"):
        parser.add_argument(option, type=Path)
    words = parser.parse_args()
    try:
        nodes, symbols = read_list(words.list)
    except (WrongList, OSError) as error:
        print(f"openmp_symbols: {error}", file=sys.stderr)
        return 2
    made = ((words.map, version_script(nodes, symbols)), (words.refusals, refusals(symbols)), (words.page, page(symbols)))
    for path, text in made:
        if path:
            path.write_text(text, encoding="utf-8")
    found = []
    if words.check_page and (not words.check_page.exists() or words.check_page.read_text(encoding="utf-8") != page(symbols)):
        found.append(f"{words.check_page} is not up to date: tools/openmp_symbols.py --page {words.check_page} writes it")
    if words.check:
        found += check_library(words.check, nodes, symbols) + check_stock(nodes, symbols)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
