#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names the static local objects of the runtime that are made when their function is called first.

A thread that makes such an object holds a lock of the compiler's meanwhile. If another thread calls fork() then, the child
waits for ever as soon as it comes there. What is needed once in a process is made by platform::process_wide or
once_in_process, which begin again in the child; or it is constinit. (What this does not see: std::call_once, atomics that
elect a thread, and templates of public headers, which are compiled in programs.)

usage: check_static_objects.py --build FOLDER | ARCHIVE...
Exit code 0 if there are none, 1 if there are, 2 if there is nothing to look at.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

TAKES = "__cxa_guard_acquire"
GUARD = re.compile(r"^[0-9a-f]+ [bBuVd] guard variable for (?P<object>.*)$")


def listed(archive, *options):
    listing = subprocess.run(["nm", *options, str(archive)], check=True, capture_output=True, text=True)
    return listing.stdout.splitlines()


def guarded_objects(archive):
    """The guarded objects of each part of the archive in which something takes such a lock."""
    members = {}
    name = Path(archive).name
    for line in listed(archive, "-C"):
        if line.endswith(".o:"):
            name = line[:-1]
        members.setdefault(name, []).append(line)
    for part, lines in members.items():
        if any(line.split()[-1:] == [TAKES] for line in lines):
            yield part, [found["object"] for line in lines if (found := GUARD.match(line))]


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", help="a build folder: all *_native.a of the library below it are looked at")
    parser.add_argument("archives", nargs="*", metavar="ARCHIVE")
    options = parser.parse_args(arguments)
    archives = sorted(Path(options.build, "src").rglob("*_native.a")) if options.build else options.archives
    if not archives:
        print(f"check_static_objects: {options.build or 'the command line'} has no archives: build first", file=sys.stderr)
        return 2
    count = 0
    for archive in archives:
        for part, objects in guarded_objects(archive):
            count += 1
            print(f"{archive}, {part}: a lock is held while one of these is made:")
            for each in objects or ["(not known)"]:
                print(f"  {each}")
    print(f"check_static_objects: {len(archives)} archives, {count} parts with such objects")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
