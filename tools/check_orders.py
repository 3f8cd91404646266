#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the lines of src/ and include/ that name a memory order, and those of them whose reason stands in a comment nearby.

A reason is a comment on the line, or at most four lines before it, that speaks of what is ordered (WORDS), or that carries a [tag]
which some comment or README of the same folder explains in such words. The script cannot tell a true reason from a false one.

usage: check_orders.py [--list] [ROOT]; --list: also prints the lines without a reason. Exit code 1 if the share of lines with one is
below AT_LEAST.
"""

import argparse
import re
import sys
from pathlib import Path

AT_LEAST = 95  # percent
LINES_BEFORE = 4

FOLDERS = ("src", "include")
SUFFIXES = {".h", ".hpp", ".cpp"}
DEFINES_THEM = "src/platform/order.h"

NAMES = "(?:relaxed|acquire|release|acq_rel|seq_cst)"
SITE = re.compile(rf"\b(?:platform::|order::|std::memory_order_){NAMES}\b")
# Inside of the platform's namespace their names stand alone, as arguments.
SITE_IN_PLATFORM = re.compile(rf"{SITE.pattern}|[(,] *{NAMES}\)")

WORDS = re.compile(
    r"\b(?:acquires?|releases?|acq_rel|relaxed|seq_cst|order|orders|ordered|ordering|fences?|sees?|visible|before|pairs?"
    r"|hints?|statistics?|snapshot|under (?:the|its|their|that|both) [a-z' ]*locks?|nobody else|(?:the )?only (?:one )?writ(?:er|es)"
    r"|writes? alone|its own|one writer|only (?:a |the )?numbers? go(?:es)? by)\b", re.IGNORECASE)
TAG = re.compile(r"\[[a-z][a-z0-9_ -]*\]")

# Strings and characters first, so that what looks like a comment in one of them is none.
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(//[^\n]*|/\*.*?\*/)', re.DOTALL)


def taken_apart(text):
    """Returns: the lines of the code and those of the comments, each as many as the text has."""

    def blank(part):
        return re.sub(r"[^\n]", " ", part)

    code, comments, at = [], [], 0
    for match in TOKEN.finditer(text):
        is_comment = match.group(1) is not None
        code += [text[at:match.start()], blank(match.group()) if is_comment else match.group()]
        comments += [blank(text[at:match.start()]), match.group() if is_comment else blank(match.group())]
        at = match.end()
    code.append(text[at:])
    comments.append(blank(text[at:]))
    return "".join(code).splitlines(), "".join(comments).splitlines()


def explained_tags(lines):
    """The tags in paragraphs that speak of what is ordered. A paragraph: lines with text, one behind the other."""
    tags, paragraph = set(), ""
    for line in [*lines, ""]:
        if line.strip(" /*"):
            paragraph += " " + line
            continue
        if WORDS.search(paragraph):
            tags |= set(TAG.findall(paragraph))
        paragraph = ""
    return tags


class Tree:
    def __init__(self, root):
        self.root = Path(root)
        self.files = {}  # path → lines of code, lines of comments
        self.tags = {}  # folder → tags
        for folder in FOLDERS:
            for path in sorted((self.root / folder).rglob("*")):
                if path.suffix in SUFFIXES:
                    self.files[path] = taken_apart(path.read_text(encoding="utf-8"))
                    self.tags.setdefault(path.parent, set()).update(explained_tags(self.files[path][1]))
                elif path.name == "README.md":
                    lines = path.read_text(encoding="utf-8").splitlines()
                    self.tags.setdefault(path.parent, set()).update(explained_tags(lines))

    def sites(self):
        """Yields: the path, relative to the root, the number of each line that names an order, and whether its reason is there."""
        for path, (code, comments) in self.files.items():
            name = path.relative_to(self.root).as_posix()
            if name == DEFINES_THEM:
                continue
            pattern = SITE_IN_PLATFORM if name.startswith("src/platform/") else SITE
            for number, line in enumerate(code):
                if pattern.search(line):
                    said = " ".join(comments[max(0, number - LINES_BEFORE):number + 1])
                    yield name, number + 1, bool(WORDS.search(said)) or not self.tags[path.parent].isdisjoint(TAG.findall(said))


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the lines without a reason")
    parser.add_argument("root", nargs="?", default=Path(__file__).resolve().parent.parent, type=Path)
    options = parser.parse_args(arguments)
    if not (options.root / FOLDERS[0]).is_dir():
        parser.error(f"'{options.root}' is no tree with a folder {FOLDERS[0]}")
    sites = list(Tree(options.root).sites())
    without = [(name, number) for name, number, has_reason in sites if not has_reason]
    share = 100 * (len(sites) - len(without)) // len(sites) if sites else 100
    if options.list:
        for name, number in without:
            print(f"{name}:{number}: names a memory order without a reason")
    print(f"check_orders: {len(sites) - len(without)} of {len(sites)} lines that name a memory order say why: {share} %; "
          f"at least {AT_LEAST} % have to")
    if share < AT_LEAST and not options.list:
        print("check_orders: 'tools/check_orders.py --list' says which do not")
    return 0 if share >= AT_LEAST else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
