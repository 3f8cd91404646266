#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the contract of a pool (src/pool/pool.h) against the pools that there are: its names are few, and each is needed.

  - The contract has at most 16 names.
  - What a pool of src/pool has in public is a name of the contract.
  - Each pool has every name that all pools must have.
  - A name that a pool need not have is had by two at least, but for the lane and what is about tasks that have begun: those stand for
    pools that one paper has.

usage: check_contract.py [ROOT]; exit code 0 if nothing was found, else 1.
"""

import re
import sys
from pathlib import Path

NAMES_AT_MOST = 16
NEEDED = ("traits", "init", "put", "inject", "get", "take", "statistics", "reset_statistics")
OPTIONAL = ("share", "close")
OF_ONE = ("lane", "fork", "blocked", "unblocked", "finished", "allocated")
NO_POOLS = {"pool.h", "answers.h", "catalogue.h", "settings.h", "worker_places.h"}
# Types and constants that a pool's own code needs to be public.
OWN_TYPES = re.compile(r"^\s*(?:using|enum|struct|class|static_assert|template|requires|friend)\b")


def names_of_contract(text):
    """The names in the tables of the comment at the top of pool.h."""
    comment = "\n".join(line[4:] for line in text.splitlines() if line.startswith("/// "))
    tables = comment.split("Catalogue row × operations")[0]
    in_table = re.findall(r"^\| (\w+)(?:\([^|]*)? *\|", tables, re.MULTILINE)
    in_list = re.findall(r"^  (\w+)\(w", tables, re.MULTILINE)
    return [name for name in dict.fromkeys(in_table + in_list) if name not in ("operation", "reach")]


def public_names(text):
    """Names of the functions and constants that the pool class of a header has in public."""
    start = re.search(r"^class (\w+)(?: final)? \{$", text, re.MULTILINE)
    if start is None:
        return None, set()
    body = text[start.end():text.index("\n};", start.end())]
    found, public, depth = set(), False, 0
    for line in re.sub(r"//.*", "", body).splitlines():
        if depth == 0 and line.strip() in ("public:", "private:", "protected:"):
            public = line.strip() == "public:"
        elif depth == 0 and public and line.startswith("  ") and not line.startswith("   "):
            declared = re.search(r"\b(\w+)\s*(?:\(|\{)|constexpr\s[\w:<> ]*?(\w+)\s*=", line)
            if declared and not OWN_TYPES.match(line):
                found.add(declared[1] or declared[2])
        depth += line.count("{") + line.count("(") - line.count("}") - line.count(")")
    return start[1], found - {start[1], "explicit", "requires"}


def complaints(root):
    text = (root / "src/pool/pool.h").read_text()
    contract = names_of_contract(text)
    if len(contract) > NAMES_AT_MOST:
        yield f"pool.h: {len(contract)} names, of at most {NAMES_AT_MOST}: {', '.join(contract)}"
    for name in set(contract) ^ set(NEEDED + OPTIONAL + OF_ONE):
        yield f"pool.h and this script do not agree on the name {name}"
    users = {name: set() for name in contract}
    for header in sorted((root / "src/pool").glob("*.h")):
        if header.name in NO_POOLS:
            continue
        pool, names = public_names(header.read_text())
        if pool is None:
            yield f"{header.name}: no pool"
            continue
        for name in sorted(names - set(contract)):
            yield f"{header.name}: {pool} has {name} in public, which is no name of the contract"
        for name in NEEDED:
            if name not in names:
                yield f"{header.name}: {pool} has no {name}"
        for name in names & set(contract):
            users[name].add(pool)
    for name in OPTIONAL:
        if len(users.get(name, ())) < 2:
            yield f"{name}: only {', '.join(users.get(name, ())) or 'nobody'} has it; what one pool alone needs is no part of the contract"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = list(complaints(root))
    for complaint in found:
        print(complaint)
    print(f"check_contract: {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
