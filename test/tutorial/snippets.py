#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes each piece of C++ of a page as a file of its own, so that a test includes what the page shows.

usage: snippets.py PAGE TEST FOLDER    a piece is called by its heading and its number under it: FOLDER/a_group_2.inc
Ends with 1 if the test does not include every piece once, or one that there is not.
"""
import re
import sys
from pathlib import Path


def pieces_of(page):
    """Returns: by name, the line where a piece begins and its text."""
    found, heading, begin, text = {}, "", 0, None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if text is not None:
            if line.startswith("```"):
                count = sum(name.rpartition("_")[0] == heading for name in found)
                found[f"{heading}_{count + 1}"] = (begin, "\n".join(text))
                text = None
            else:
                text.append(line)
        elif line.startswith("#"):
            heading = re.sub(r"\W+", "_", line.lstrip("# ").lower())
        elif line.startswith("```cpp"):
            begin, text = number + 1, []
    return found


def main():
    page, test, folder = map(Path, sys.argv[1:])
    found = pieces_of(page)
    included = re.findall(r'^ *#include "(\w+)\.inc"', test.read_text(encoding="utf-8"), re.M)
    if not found or sorted(included) != sorted(found):
        print(f"{test} includes {sorted(included)}, {page} has {sorted(found)}: each piece is to be included once",
              file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    for name, (begin, text) in found.items():
        (folder / f"{name}.inc").write_text(f'#line {begin} "{page}"\n{text}\n', encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
