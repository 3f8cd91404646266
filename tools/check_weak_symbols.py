#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the weak symbols that both sides of the seam define without the side's name in them.

The same sources are compiled twice and linked into one binary. Of a weak symbol (an inline function, an instantiated template)
the linker keeps one definition and says nothing, so two different ones under one name are silently wrong. A name may be shared
if it belongs to the standard library or to a third party and mentions no type of Teff; every other one must carry
teff::native or teff::simulated.

usage: check_weak_symbols.py --build FOLDER | --native ARCHIVE... --simulated ARCHIVE...
Exit code 0 if the list is empty, 1 if not, 2 if there is nothing to compare.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

SIDES = ("native", "simulated")
WEAK = set("VvWwu")
FOREIGN = {"std", "__gnu_cxx", "__cxxabiv1", "boost", "fmt", "nlohmann", "CLI", "toml", "testing", "rc", "benchmark"}

# Start of a mangled name: special entity, enclosing functions, nesting and qualifiers; then the outermost name.
OUTERMOST = re.compile(r"_Z(?:T[VTIS]|GV|GR|TW|TH)?(?:Z?N[rVK]*[RO]?|Z)*(?:(?P<std>S[tabsiod])|(?P<length>\d+)(?P<rest>\w*))?")
ALLOCATION = re.compile(r"_Z(?:nw|na|dl|da)[mPR]")  # operator new and delete, as <new> defines them inline
SIDE_NAME = re.compile(r"teff::(?:native|simulated)\b")


def outermost_name(mangled):
    """The outermost namespace (or the name itself) of a mangled name; None if it has none that this can read."""
    match = OUTERMOST.match(mangled)
    if match is None or (match["std"] is None and match["length"] is None):
        return None
    return "std" if match["std"] else match["rest"][: int(match["length"])]


def is_foreign(mangled):
    """Whether the standard library, the compiler or a third party defines it."""
    if not mangled.startswith("_Z"):
        return mangled.startswith(("DW.ref.", "__"))
    return bool(ALLOCATION.match(mangled)) or outermost_name(mangled) in FOREIGN


def is_shared_wrongly(mangled, demangled):
    if SIDE_NAME.search(demangled):
        return False
    return "teff::" in demangled or not is_foreign(mangled)


def weak_symbols(archives):
    """Mangled names of the weak symbols that these archives or object files define, with the file of each."""
    symbols = {}
    for archive in archives:
        listing = subprocess.run(["nm", "--defined-only", str(archive)], check=True, capture_output=True, text=True)
        for line in listing.stdout.splitlines():
            fields = line.split()
            if len(fields) == 3 and fields[1] in WEAK:
                symbols.setdefault(fields[2], archive)
    return symbols


def demangle(names):
    # nm's own -C would lose the mangled names, which say without guessing to which namespace a template's name belongs.
    filtered = subprocess.run(["c++filt"], input="\n".join(names), check=True, capture_output=True, text=True)
    return filtered.stdout.splitlines()


def wrongly_shared(native, simulated):
    """Pairs of a demangled name and the two files that define it."""
    ours, theirs = weak_symbols(native), weak_symbols(simulated)
    common = sorted(set(ours) & set(theirs))
    for mangled, demangled in zip(common, demangle(common)):
        if is_shared_wrongly(mangled, demangled):
            yield demangled, ours[mangled], theirs[mangled]


def archives_of(folder):
    """The static libraries of both sides below a build folder."""
    return [sorted(Path(folder).rglob(f"*_{side}.a")) for side in SIDES]


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", help="a build folder: all *_native.a and *_simulated.a below it are compared")
    parser.add_argument("--native", nargs="+", default=[])
    parser.add_argument("--simulated", nargs="+", default=[])
    options = parser.parse_args(arguments)
    native, simulated = archives_of(options.build) if options.build else (options.native, options.simulated)
    if not native or not simulated:
        where = options.build or "the command line"
        print(f"check_weak_symbols: {where} has no archives of both sides: build first", file=sys.stderr)
        return 2
    found = list(wrongly_shared(native, simulated))
    for name, ours, theirs in found:
        print(f"{name}\n  in {ours} and {theirs}")
    print(f"check_weak_symbols: {len(native)} native and {len(simulated)} simulated archives, {len(found)} wrongly shared")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
