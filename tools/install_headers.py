#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Collects the headers that other projects need. usage: install_headers.py SOURCE_TREE OUTPUT

The public headers keep their names; those of the source tree that they include come to teff/internal, and every include says so.
"""

import re
import shutil
import sys
from pathlib import Path

INCLUDE = re.compile(r'^(#include )"([^"]+)"', re.M)


def resolved(name, includer, tree):
    """Returns: the file of the tree that the words of an include mean."""
    for folder in (includer.parent, tree / "include", tree / "src"):
        if (folder / name).is_file():
            return (folder / name).resolve()
    raise SystemExit(f"install_headers.py: {includer} includes '{name}', which is not in the tree")


def installed_name(header, tree):
    public = tree / "include"
    if header.is_relative_to(public):
        return str(header.relative_to(public))
    return "teff/internal/" + str(header.relative_to(tree / "src"))


def main(tree, output):
    waiting = sorted((tree / "include").rglob("*.h*"))
    shutil.rmtree(output, ignore_errors=True)
    done = set()
    while waiting:
        header = waiting.pop()
        if header in done:
            continue
        done.add(header)

        def rewrite(found):
            target = resolved(found[2], header, tree)
            waiting.append(target)
            return f'{found[1]}"{installed_name(target, tree)}"'

        text = INCLUDE.sub(rewrite, header.read_text(encoding="utf-8"))
        target = output / installed_name(header, tree)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: install_headers.py SOURCE_TREE OUTPUT")
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
