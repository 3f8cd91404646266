#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every include points where the layout of the tree allows it, and a few rules about the sources themselves.

The rules are the tables below. usage: check_layers.py [ROOT]; exit code 0 if nothing was found, else 1.
"""

import os
import re
import sys
from pathlib import Path

SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"

# Folders by level: an include points to a lower level or stays in its folder.
LEVELS = {
    "src/base": 0,
    "src/platform": 1,
    "src/trace": 2,
    "src/task": 3,
    "src/mem": 4,
    "src/queue": 5,
    "src/pool": 6,
    "src/fiber": 6,
    "src/worker": 7,
    "src/sync": 8,
    "src/dist": 8,
    "src/runtime": 9,
    "include/teff": 10,
    "src/compat/openmp": 11,
    "src/compat/pthread": 11,
}

# Folders beside the levels: the folders (or files) that each may include besides itself.
SEAM_FILES = [f"src/platform/{name}.h" for name in ("order", "random", "topology", "faults", "context", "sanitizers")]
ALLOWED = {
    "src/sim": ["src/base", "src/platform/simulated", *SEAM_FILES],
    "src/report": ["src/base"],
    "apps": ["include/teff", "src/base/namespace.h", "apps/run_queues", "apps/search"],
    "apps/run_queues": ["include/teff", "src/base/namespace.h", "src/platform/platform.h", "apps"],  # measures jobs by the clock
    "apps/search": ["src/platform/platform.h"],  # a number that tasks read and raise
    "examples": ["include/teff"],
    "cli": ["include/teff", "src/base/namespace.h", "src/platform/platform.h", "src/platform/tuning.h", "src/platform/native/survey.h",
            "src/sim/sim.h", "src/sim/machines.h", "src/report", "src/base/region_count.h", "apps"],
}

# Exceptions to the levels: a public header implements nothing itself, so the runtime may include what it implements.
ALLOWED_UPWARDS = {
    "src/runtime": ["include/teff"],
    "src/platform/simulated": ["src/sim"],
}

# What a folder never includes, although the levels would allow it.
NEVER = {
    "include/teff": ["src/sim", "src/report"],
}

# These may include anything of the tree.
FREE = ["test", "bench"]

# Each header right in src/pool is a policy, but for these. A policy is known by name only to the catalogue and here.
NO_POLICY = {"src/pool/pool.h", "src/pool/answers.h", "src/pool/catalogue.h", "src/pool/settings.h",
             "src/pool/worker_places.h"}
CATALOGUE = "src/pool/catalogue.h"
NAMES_POLICIES = [CATALOGUE, "src/runtime", "src/compat/openmp", "include/teff/detail", "test", "bench"]

# Only the platform may use these (they are what simulation replaces); tests, benchmarks and examples are outside of it.
SEAM_ONLY = {
    "atomic", "barrier", "chrono", "condition_variable", "ctime", "future", "latch", "mutex", "random", "semaphore",
    "shared_mutex", "stop_token", "thread",
    "aio.h", "dirent.h", "dlfcn.h", "execinfo.h", "fcntl.h", "hwloc.h", "immintrin.h", "poll.h", "pthread.h", "sched.h",
    "semaphore.h", "signal.h", "spawn.h", "stdatomic.h", "time.h", "ucontext.h", "unistd.h", "x86intrin.h", "xmmintrin.h",
}
SEAM_ONLY_FOLDERS = ("sys/", "linux/", "asm/", "arpa/", "netinet/", "hwloc/", "boost/context/")
SEAM_EXEMPT = ["src/platform", "cli/foreground.cpp", "cli/process.cpp", "cli/system.cpp", *FREE, "examples"]
SEAM_EXCEPTIONS = {"include/teff": {"chrono"}}
MPI_HEADERS = {"mpi.h"}
MPI_FOLDER = "src/dist"

SHORT_FILES = ["src/pool", "src/queue", "src/mem", "src/worker", "src/sync", "src/fiber", "src/runtime", "src/compat"]
LINES_AT_MOST = 250
# Longer ones, each with its reason.
LONG_FILES = {}

CODE_SUFFIXES = {".h", ".hpp", ".c", ".cc", ".cpp"}
SOURCE_SUFFIXES = CODE_SUFFIXES | {".py", ".sh", ".cmake"}
SOURCE_NAMES = {"CMakeLists.txt", "dev", ".ci/run"}
SKIPPED = {"build", ".git", ".cache", "__pycache__"}

# Tools that read source text without expanding macros (ctags, editors) lose all definitions behind this.
HIDDEN_NAMESPACE = re.compile(r"^[ \t]*namespace\b[^{;\n]*\binline\b", re.MULTILINE)

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)


def within(path, folder):
    return path == folder or path.startswith(folder + "/")


def within_any(path, folders):
    return any(within(path, folder) for folder in folders)


def folder_of(path):
    """The folder of the tables that a file belongs to, or None."""
    known = [*LEVELS, *ALLOWED, *FREE]
    return next((folder for folder in sorted(known, key=len, reverse=True) if within(path, folder)), None)


def files_of(root):
    """Paths of all files, relative to the root, without what is built."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in SKIPPED)
        for name in sorted(names):
            yield (Path(folder) / name).relative_to(root).as_posix()


def target_of(root, includer, quote, name):
    """The file of the tree that an include names, or None if it is somebody else's."""
    bases = [os.path.dirname(includer)] if quote == '"' else []
    for base in [*bases, "src", "include", "."]:
        candidate = os.path.normpath(os.path.join(base, name))
        if (root / candidate).is_file():
            return candidate
    for base in ("src", "include", "."):
        candidate = os.path.normpath(os.path.join(base, name))
        if folder_of(candidate) is not None:
            return candidate  # not there (yet), but the folder says whose it would be
    return None


def is_policy(path):
    return os.path.dirname(path) == "src/pool" and path.endswith(".h") and path not in NO_POLICY


def layer_violation(includer, target):
    """Why `includer` may not include `target`, or None."""
    here, there = folder_of(includer), folder_of(target)
    if here is None or here in FREE or there is None:
        return None
    upwards = [target for folder, targets in ALLOWED_UPWARDS.items() if within(includer, folder) for target in targets]
    if within_any(target, upwards):
        return None
    if here == there:
        return None
    if within_any(target, NEVER.get(here, [])):
        return f"{here} never includes {there}"
    if here in ALLOWED:
        return None if within_any(target, ALLOWED[here]) else f"{here} may include only {', '.join(ALLOWED[here])}"
    if there not in LEVELS:
        return f"{here} may not include {there}"
    if LEVELS[there] < LEVELS[here]:
        return None
    return f"{here} (level {LEVELS[here]}) may not include {there} (level {LEVELS[there]})"


def policy_violation(includer, target):
    """Why `includer` may not know the policy (or the list of them) `target`, or None."""
    in_pool_source = os.path.dirname(includer) == "src/pool" and includer.endswith(".cpp")
    if within_any(includer, NAMES_POLICIES) or in_pool_source:
        return None
    if target == CATALOGUE:
        return "only the runtime, tests and benchmarks read the catalogue"
    if not is_policy(target):
        return None
    if is_policy(includer):
        return "a policy may not include another policy; what they share belongs in src/pool/parts"
    return "only the catalogue, the runtime, tests and benchmarks know a policy by name"


def system_violation(includer, name):
    """Why `includer` may not include the system's header `name`, or None."""
    if name in MPI_HEADERS:
        return None if within_any(includer, [MPI_FOLDER, *FREE]) else f"only {MPI_FOLDER} may include <{name}>"
    if within_any(includer, SEAM_EXEMPT) or folder_of(includer) is None:
        return None
    allowed = {header for folder, headers in SEAM_EXCEPTIONS.items() if within(includer, folder) for header in headers}
    if name in allowed or not (name in SEAM_ONLY or name.startswith(SEAM_ONLY_FOLDERS)):
        return None
    return f"only src/platform may include <{name}>: it goes through platform/platform.h"


def include_violations(root, path, text):
    for match in INCLUDE.finditer(text):
        quote, name = match.groups()
        line = text.count("\n", 0, match.start(2)) + 1
        target = target_of(root, path, quote, name)
        if target is None:
            reasons = [system_violation(path, name)]
        else:
            reasons = [layer_violation(path, target), policy_violation(path, target)]
        for reason in filter(None, reasons):
            yield f'{path}:{line}: includes {name}: {reason}'


def file_violations(path, text):
    lines = text.splitlines()
    head = lines[1:2] if lines and lines[0].startswith("#!") else lines[:1]
    if not any(SPDX in line for line in head):
        yield f"{path}:1: the first line must say '{SPDX}'"
    if within_any(path, SHORT_FILES) and path not in LONG_FILES and len(lines) > LINES_AT_MOST:
        yield f"{path}:{len(lines)}: {len(lines)} lines; at most {LINES_AT_MOST} are allowed in {', '.join(SHORT_FILES)}"


def namespace_violations(path, text):
    for match in HIDDEN_NAMESPACE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield f"{path}:{line}: a nested inline namespace hides its definitions from ctags: write TEFF_NAMESPACE (base/namespace.h)"


def violations(root):
    root = Path(root)
    for path in files_of(root):
        suffix = os.path.splitext(path)[1]
        if suffix not in SOURCE_SUFFIXES and os.path.basename(path) != "CMakeLists.txt" and path not in SOURCE_NAMES:
            continue
        text = (root / path).read_text(encoding="utf-8")
        yield from file_violations(path, text)
        if suffix in CODE_SUFFIXES:
            yield from include_violations(root, path, text)
            yield from namespace_violations(path, text)


def main(arguments):
    if len(arguments) > 1 or (arguments and not Path(arguments[0]).is_dir()):
        print(f"check_layers: '{' '.join(arguments)}' is not one folder; usage: check_layers.py [ROOT]", file=sys.stderr)
        return 2
    root = arguments[0] if arguments else Path(__file__).resolve().parent.parent
    found = list(violations(root))
    for violation in found:
        print(violation)
    print(f"check_layers: {len(found)} violation{'' if len(found) == 1 else 's'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
