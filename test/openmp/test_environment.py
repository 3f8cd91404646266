#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The variables of the environment: what they come to, and the sentence for a value that is none.

usage: test_environment.py --programs FOLDER [--library FOLDER]
"""

import os
import re
import resource
import subprocess
import sys

import programs

# What is set; what the program `environment` must print.
GOOD = [
    ({"OMP_NUM_THREADS": "3"}, {"max_threads": 3, "threads": 3, "inner_threads": 1, "max_active_levels": 1}),
    ({"OMP_NUM_THREADS": " 3 "}, {"max_threads": 3}),
    ({"OMP_NUM_THREADS": "2,3"}, {"max_threads": 2, "threads": 2, "inner_threads": 3}),
    ({"OMP_NUM_THREADS": "4", "OMP_THREAD_LIMIT": "2"}, {"thread_limit": 2, "threads": 2}),
    ({"OMP_DYNAMIC": "true"}, {"dynamic": 1}),
    ({"OMP_DYNAMIC": "FALSE"}, {"dynamic": 0}),
    ({}, {"dynamic": 0, "proc_bind": 0, "places": 0, "max_active_levels": 1, "max_task_priority": 0}),
    ({"OMP_SCHEDULE": "static"}, {"schedule": 1, "monotonic": 1, "chunk": 0}),
    ({"OMP_SCHEDULE": "nonmonotonic:static,0"}, {"schedule": 1, "monotonic": 0, "chunk": 0}),
    ({"OMP_SCHEDULE": "dynamic,7"}, {"schedule": 2, "chunk": 7}),
    ({"OMP_SCHEDULE": "Guided , 4"}, {"schedule": 3, "chunk": 4}),
    ({"OMP_SCHEDULE": "auto"}, {"schedule": 4, "monotonic": 0, "chunk": 1}),
    ({"OMP_SCHEDULE": "monotonic:dynamic,2"}, {"schedule": 2, "chunk": 2, "monotonic": 1}),
    ({"OMP_SCHEDULE": "nonmonotonic:guided"}, {"schedule": 3, "monotonic": 0}),
    ({"OMP_MAX_ACTIVE_LEVELS": "2", "OMP_NUM_THREADS": "2"}, {"max_active_levels": 2, "inner_threads": 2}),
    ({"OMP_MAX_ACTIVE_LEVELS": "300"}, {"max_active_levels": 255}),
    ({"OMP_THREAD_LIMIT": "5"}, {"thread_limit": 5}),
    ({"OMP_MAX_TASK_PRIORITY": "9"}, {"max_task_priority": 9}),
    ({"OMP_NUM_TEAMS": "3"}, {"max_teams": 3}),
    ({"OMP_TEAMS_THREAD_LIMIT": "2"}, {"teams_thread_limit": 2}),
    ({"OMP_PROC_BIND": "true"}, {"proc_bind": 1}),
    ({"OMP_PROC_BIND": "spread"}, {"proc_bind": 4}),
    ({"OMP_PROC_BIND": "close"}, {"proc_bind": 3}),
    ({"OMP_PROC_BIND": "false", "OMP_PLACES": "threads"}, {"proc_bind": 0}),
    ({"OMP_PLACES": "{0}", "OMP_PROC_BIND": "true"}, {"places": 1}),
    ({"OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": "3"}, {"threads": 3}),
    ({"OMP_WAIT_POLICY": "ACTIVE", "OMP_NUM_THREADS": "2"}, {"threads": 2}),
    ({"GOMP_SPINCOUNT": "1000", "OMP_NUM_THREADS": "2"}, {"threads": 2}),
    ({"GOMP_SPINCOUNT": "infinite", "OMP_NUM_THREADS": "2"}, {"threads": 2}),
    ({"OMP_STACKSIZE": "16M", "OMP_NUM_THREADS": "2"}, {"threads": 2}),
    ({"OMP_STACKSIZE": "4000", "OMP_NUM_THREADS": "2"}, {"threads": 2}),
]

# The same of every device, as gcc's library has it from version 13 on: a variable of this machine's holds against it.
GOOD_FOR_ALL = [
    ({"OMP_NUM_THREADS_ALL": "3"}, {"max_threads": 3, "threads": 3, "max_active_levels": 1}),
    ({"OMP_NUM_THREADS_ALL": "3", "OMP_NUM_THREADS": "2"}, {"max_threads": 2}),
    ({"OMP_NUM_THREADS_ALL": "2,3"}, {"max_threads": 2, "inner_threads": 3}),
    ({"OMP_NUM_THREADS": "2,3", "OMP_MAX_ACTIVE_LEVELS_ALL": "1"}, {"max_threads": 2, "max_active_levels": 1}),
    ({"OMP_DYNAMIC_ALL": "true"}, {"dynamic": 1}),
    ({"OMP_SCHEDULE_ALL": "dynamic,7"}, {"schedule": 2, "chunk": 7}),
    ({"OMP_MAX_ACTIVE_LEVELS_ALL": "2"}, {"max_active_levels": 2}),
    ({"OMP_THREAD_LIMIT_ALL": "5"}, {"thread_limit": 5}),
    ({"OMP_NUM_TEAMS_ALL": "3"}, {"max_teams": 3}),
    ({"OMP_TEAMS_THREAD_LIMIT_ALL": "2"}, {"teams_thread_limit": 2}),
    ({"OMP_PROC_BIND_ALL": "spread"}, {"proc_bind": 4}),
    ({"OMP_PROC_BIND_ALL": "false", "OMP_PLACES": "threads"}, {"proc_bind": 0}),
    ({"OMP_NUM_THREADS_DEV": "3", "OMP_NUM_THREADS_DEV_0": "3", "OMP_NUM_THREADS": "2"}, {"max_threads": 2}),
]

# Values that are none: a sentence that names variable and value, and the program goes on with the default.
BAD = [("OMP_NUM_THREADS", value) for value in ("abc", "-3", "0", "2,", "1000000000000", "3 4")] + [
    ("OMP_SCHEDULE", "fast"), ("OMP_SCHEDULE", "dynamic,-1"), ("OMP_DYNAMIC", "maybe"), ("OMP_PROC_BIND", "somewhere"),
    ("OMP_PLACES", "{0"), ("OMP_STACKSIZE", "lots"), ("OMP_WAIT_POLICY", "asleep"), ("OMP_MAX_ACTIVE_LEVELS", "-1"),
    ("OMP_SCHEDULE", "dynamic,"), ("OMP_PROC_BIND", "close,"), ("OMP_PLACES", "threads("), ("OMP_PLACES", "threads()"),
    ("OMP_PLACES", "{0:30000}:30000:1"), ("OMP_PLACES", "{0:4000}:4000:1"), ("OMP_CANCELLATION", "perhaps"),
    ("OMP_THREAD_LIMIT", "0"), ("OMP_MAX_TASK_PRIORITY", "-2"), ("GOMP_SPINCOUNT", "often"),
    ("OMP_TARGET_OFFLOAD", "must"), ("OMP_STACKSIZE", "0"), ("OMP_STACKSIZE", "10B"), ("GOMP_STACKSIZE", "2"),
]  # fmt: skip
STOCK_TAKES = {("OMP_SCHEDULE", "dynamic,"), ("OMP_PROC_BIND", "close,"), ("OMP_PLACES", "threads("), ("OMP_PLACES", "threads()"),
               ("OMP_PLACES", "{0:30000}:30000:1"), ("OMP_PLACES", "{0:4000}:4000:1"), ("OMP_NUM_THREADS", "1000000000000"),
               ("OMP_SCHEDULE", "dynamic,-1"),
               # It takes the default, too, in a sentence without the variable's name.
               ("OMP_STACKSIZE", "0"), ("OMP_STACKSIZE", "10B"), ("GOMP_STACKSIZE", "2")}


# What is set; what OMP_DISPLAY_ENV=verbose must show of it. These are the drop-in's own lines.
SHOWN = [
    ({"OMP_STACKSIZE": "16M"}, "OMP_STACKSIZE = '16777216'"),
    ({"OMP_STACKSIZE": "4000"}, "OMP_STACKSIZE = '4096000'"),
    ({"OMP_STACKSIZE_ALL": "16M"}, "OMP_STACKSIZE = '16777216'"),
    ({"OMP_WAIT_POLICY_ALL": "passive"}, "OMP_WAIT_POLICY = 'PASSIVE'"),
    ({"OMP_DEFAULT_DEVICE_ALL": "2"}, "OMP_DEFAULT_DEVICE = '2'"),
    ({"GOMP_STACKSIZE": "500000B"}, "OMP_STACKSIZE = '500000'"),
    ({"OMP_WAIT_POLICY": "Active"}, "OMP_WAIT_POLICY = 'ACTIVE'"),
    ({"OMP_WAIT_POLICY": "passive"}, "OMP_WAIT_POLICY = 'PASSIVE'"),
    ({"GOMP_SPINCOUNT": "3k"}, "GOMP_SPINCOUNT = '3000'"),
    ({"GOMP_SPINCOUNT": "infinite"}, "GOMP_SPINCOUNT = '2147483647'"),
    ({"OMP_NUM_THREADS": "2,3"}, "OMP_NUM_THREADS = '2,3'"),
    ({"OMP_SCHEDULE": "guided,4"}, "OMP_SCHEDULE = 'GUIDED,4'"),
    ({"OMP_THREAD_LIMIT": "9"}, "OMP_THREAD_LIMIT = '9'"),
    ({"OMP_SCHEDULE": "static"}, "OMP_SCHEDULE = 'STATIC'"),
    ({"OMP_SCHEDULE": "nonmonotonic:static,4"}, "OMP_SCHEDULE = 'NONMONOTONIC:STATIC,4'"),
    ({"OMP_SCHEDULE": "monotonic:auto"}, "OMP_SCHEDULE = 'MONOTONIC:AUTO'"),
    ({"OMP_ALLOCATOR": "omp_const_mem_alloc"}, "OMP_ALLOCATOR = 'omp_const_mem_alloc'"),
    ({}, "OMP_TARGET_OFFLOAD = 'DEFAULT'"),
    ({"OMP_TARGET_OFFLOAD": "Disabled"}, "OMP_TARGET_OFFLOAD = 'DISABLED'"),
    ({"OMP_TARGET_OFFLOAD": "mandatory"}, "OMP_TARGET_OFFLOAD = 'MANDATORY'"),
    ({"OMP_TARGET_OFFLOAD": "mandatory"}, "OMP_DEFAULT_DEVICE = '0'"),
    ({"TEFF_POOL": "dq5"}, "TEFF_POOL = 'dq5'"),
]


class Tester:
    def __init__(self, programs, library):
        self.programs, self.drop_in, self.wrong = programs, library, 0

    def run(self, settings, **more):
        """(exit code, {name: number}, standard error)"""
        clean = programs.clean_environment()
        if self.drop_in:
            clean["LD_LIBRARY_PATH"] = str(self.drop_in)
        done = subprocess.run([self.programs / "environment"], env=clean | settings, capture_output=True, text=True, timeout=60,
                              stdin=subprocess.DEVNULL, **more)
        values = {name: int(value) for name, value in re.findall(r"^(\w+) (-?\d+)$", done.stdout, re.MULTILINE)}
        return done.returncode, values, done.stderr

    def expect(self, holds, sentence):
        if not holds:
            self.wrong += 1
            print(sentence)

    def good(self, settings, expected):
        code, values, said = self.run(settings)
        self.expect(code == 0 and not said, f"{settings}: exit code {code}, '{said.strip()}'")
        for name, value in expected.items():
            self.expect(values.get(name) == value, f"{settings}: {name} is {values.get(name)}, not {value}")

    def bad(self, name, value, defaults):
        code, values, said = self.run({name: value})
        self.expect(code == 0 and values == defaults, f"{name}={value}: exit code {code}, {values} instead of the defaults")
        self.expect(name in said, f"{name}={value}: standard error does not name the variable: '{said.strip()}'")
        if self.drop_in:
            one_sentence = value in said and len(said.splitlines()) == 1
            self.expect(one_sentence, f"{name}={value}: not one sentence with it: '{said.strip()}'")

    def own_settings(self):
        """Settings of the pool, and where members sit: they are understood, or one sentence says what is allowed."""
        for pool, value in (("dq8", "block=2,strategy=greedy"), ("teff", "domains=1x4,victims=random"), ("sq1", "domains=cache")):
            self.good({"TEFF_POOL": pool, "TEFF_SET": value}, {})
        for pool, value, parts in (("teff", "domains=0x4", ("'0x4'", "as 2x4")), ("teff", "domains=4x", ("'4x'", "as 2x4")),
                                   ("teff", "block=2", ("'block'", "allowed: victims, domains")), ("sq1", "lock", ("'lock'", "name=value"))):
            code, _, said = self.run({"TEFF_POOL": pool, "TEFF_SET": value})
            heard = len(said.splitlines()) == 1 and all(part in said for part in ("TEFF_SET", "it is ignored", *parts))
            self.expect(code == 0 and heard, f"TEFF_SET={value} on {pool}: exit code {code}, '{said.strip()}'")
        value = "block=2,domains=1x1,domains=2x2"
        code, _, said = self.run({"TEFF_POOL": "teff", "TEFF_SET": value})
        heard = len(said.splitlines()) == 2 and all(part in said for part in (
            "'block': only others have it", "domains is given twice; it is ignored, domains is 1x1"))
        self.expect(code == 0 and heard, f"TEFF_SET={value}: exit code {code}, '{said.strip()}'")

    def affinity_of_regions_inside(self):
        for levels, expected in (("1", ["1 0/2", "1 1/2"]), ("2", ["1 0/2", "1 1/2", "2 0/2", "2 0/2", "2 1/2", "2 1/2"])):
            code, _, said = self.run({"OMP_DISPLAY_AFFINITY": "true", "OMP_AFFINITY_FORMAT": "%L %n/%N", "OMP_NUM_THREADS": "2",
                                      "OMP_MAX_ACTIVE_LEVELS": levels, "REGIONS_INSIDE": "100"})  # fmt: skip
            self.expect(code == 0 and sorted(said.splitlines()) == expected,
                        f"affinity in 100 regions with regions inside: exit code {code}, '{said.strip()}'")

    def wrong_places(self):
        code, _, said = self.run({"OMP_PLACES": "{0},{4095}"})
        self.expect(code == 0 and "OMP_PLACES names processor 4095, which is not there" in said,
                    f"OMP_PLACES={{0}},{{4095}}: exit code {code}, '{said.strip()}'")
        code, _, said = self.run({"OMP_PLACES": "{0,!1}"})
        self.expect(code == 0 and "OMP_PLACES cannot be '{0,!1}'; allowed: threads" in said,
                    f"OMP_PLACES={{0,!1}}: exit code {code}, '{said.strip()}'")

    def refused_beside(self):
        """A refused one is as none, also for what depends on whether there is one."""
        others = ({"OMP_NUM_THREADS": "2,3"}, {"OMP_PROC_BIND": "close,spread"}, {"OMP_PLACES": "threads"})
        for name, value in (("OMP_MAX_ACTIVE_LEVELS", "x"), ("OMP_MAX_ACTIVE_LEVELS", ""), ("OMP_NESTED", "x"), ("OMP_PROC_BIND", "x")):
            for each in others:
                if name in each:
                    continue
                _, expected, _ = self.run(each)
                code, values, said = self.run({name: value} | each)
                self.expect(code == 0 and values == expected and name in said,
                            f"{name}={value} beside {each}: exit code {code}, {values} instead of {expected}, '{said.strip()}'")

    def drop_in_only(self):
        for settings, expected in GOOD_FOR_ALL:
            self.good(settings, expected)
        code, values, said = self.run({"OMP_NUM_THREADS": "few", "OMP_NUM_THREADS_ALL": "3"})
        self.expect(code == 0 and values.get("max_threads") == 3 and len(said.splitlines()) == 1,
                    f"a wrong OMP_NUM_THREADS beside the one for all: exit code {code}, {values}, '{said.strip()}'")
        code, _, said = self.run({"OMP_NUM_THREADS_ALL": "few"})
        self.expect(code == 0 and "the variable OMP_NUM_THREADS_ALL cannot be 'few'" in said,
                    f"OMP_NUM_THREADS_ALL=few: exit code {code}, '{said.strip()}'")
        code, _, said = self.run({"TEFF_POOL": "df5"})
        self.expect(all(each in said for each in ("TEFF_POOL", "df5", "dq5")),
                    f"TEFF_POOL=df5: '{said.strip()}' names no near pool")
        self.expect(code in (0, 2), f"TEFF_POOL=df5: exit code {code}")
        self.own_variables()
        self.own_settings()
        for before in ("", "a"):
            _, _, said = self.run({"OMP_NUM_THREADS": before + "é" * 400}, encoding="utf-8", errors="replace")
            self.expect("éé" in said and "\ufffd" not in said,
                        f"a sentence that is cut ends inside of a character: '{said.strip()}'")
        code, _, said = self.run({"OMP_NUM_THREADS": "1000000"})
        self.expect(0 <= code < 128, f"OMP_NUM_THREADS=1000000: exit code {code}")
        self.expect("1000000" in said, f"OMP_NUM_THREADS=1000000: nothing is said of it: '{said.strip()}'")
        code, _, said = self.run({"OMP_DISPLAY_AFFINITY": "true", "OMP_AFFINITY_FORMAT": "member %n of %N",
                                  "OMP_NUM_THREADS": "2"})
        shown = all(f"member {number} of 2" in said for number in (0, 1))
        self.expect(code == 0 and shown, f"OMP_DISPLAY_AFFINITY=true: exit code {code}, '{said.strip()}'")
        code, _, said = self.run({"OMP_DISPLAY_AFFINITY": "true", "OMP_AFFINITY_FORMAT": "process %P thread %i", "OMP_NUM_THREADS": "2"})
        shown = re.findall(r"^process (\d+) thread (\d+)$", said, re.MULTILINE)
        of_one = len({process for process, _ in shown}) == 1 and len({thread for _, thread in shown}) == 2
        self.expect(code == 0 and of_one and any(process == thread for process, thread in shown),
                    f"the numbers of a process and its two threads: exit code {code}, '{said.strip()}'")
        self.affinity_of_regions_inside()
        self.wrong_places()
        for format in ("%n %Q", "%{thread_nun}", "%5.n %", "%", "%{thread_num", "%{n}", "%05n", "%.n", "%0n"):
            code, _, said = self.run({"OMP_AFFINITY_FORMAT": format})
            self.expect(code == 0 and f"the variable OMP_AFFINITY_FORMAT cannot be '{format}'; allowed: a text" in said,
                        f"OMP_AFFINITY_FORMAT={format}: exit code {code}, '{said.strip()}'")
        code, _, said = self.run({"OMP_AFFINITY_FORMAT": "100%% %0.5n %{host} %%Q"})
        self.expect(code == 0 and said == "", f"a format that has all kinds of fields: exit code {code}, '{said.strip()}'")
        code, _, said = self.run({"OMP_DISPLAY_ENV": "versose"})
        self.expect(code == 0 and said.splitlines() == [
            "teff: the variable OMP_DISPLAY_ENV cannot be 'versose'; allowed: true or 1, false or 0, verbose; it is ignored"],
            f"OMP_DISPLAY_ENV=versose: exit code {code}, '{said.strip()}'")
        code, _, said = self.run({"OMP_CANCELLATION": "true", "OMP_DISPLAY_ENV": "true"})
        shown = "OMP_CANCELLATION = 'TRUE'" in said
        self.expect(code == 0 and shown, f"OMP_CANCELLATION=true: exit code {code}, '{said.strip()}'")
        code, _, said = self.run({"OMP_DISPLAY_ENV": "true"})
        shown = code == 0 and "OMP_NUM_THREADS" in said and "DISPLAY ENVIRONMENT BEGIN" in said
        self.expect(shown, "OMP_DISPLAY_ENV=true shows nothing")

        for settings, line in SHOWN:
            code, _, said = self.run(settings | {"OMP_DISPLAY_ENV": "verbose"})
            self.expect(code == 0 and line in said, f"{settings}: not shown as {line}: '{said.strip()}'")
        code, _, said = self.run({"GOMP_CPU_AFFINITY": "0-1"})
        one_sentence = "GOMP_CPU_AFFINITY is ignored" in said and len(said.splitlines()) == 1
        self.expect(code == 0 and one_sentence, f"GOMP_CPU_AFFINITY: exit code {code}, '{said.strip()}'")
        self.what_the_system_grants()

    def what_the_system_grants(self):
        """As many threads as processors may be used; fewer than asked for, with one sentence, if it has no memory for stacks."""
        few = sorted(os.sched_getaffinity(0))[:1]
        code, values, said = self.run({}, preexec_fn=lambda: os.sched_setaffinity(0, few))
        self.expect(code == 0 and not said and values.get("max_threads") == values.get("threads") == 1,
                    f"on one processor: exit code {code}, {values}, '{said.strip()}'")
        memory = 4 << 30
        code, values, said = self.run({"OMP_NUM_THREADS": "8", "OMP_STACKSIZE": "1G", "OMP_MAX_ACTIVE_LEVELS": "2"},
                                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory)))
        one_sentence = "the system refuses thread number" in said and len(said.splitlines()) == 1
        self.expect(code == 0 and one_sentence and values.get("max_threads") == 8 and 1 < values.get("threads", 0) < 8,
                    f"8 stacks of 1 GB in 4 GB: exit code {code}, {values}, '{said.strip()}'")

    def own_variables(self):
        """Those of Teff are understood as by its own runtime."""
        for settings, parts in [({"TEFF_POLL": "dq5"}, ("'TEFF_POLL'", "did you mean 'TEFF_POOL'", "no effect")),
                                ({"TEFF_STATS": "true"}, ("TEFF_STATS", "'true'", "allowed: 0, 1")),
                                ({"TEFF_WAIT": "latensy"}, ("TEFF_WAIT", "'latensy'", "did you mean 'latency'", "power")),
                                ({"TEFF_WATCHDOG": "soon"}, ("TEFF_WATCHDOG", "'soon'", "allowed: seconds from 0.001"))]:
            code, _, said = self.run(settings)
            self.expect(code == 0 and all(each in said for each in parts), f"{settings}: exit code {code}, '{said.strip()}'")
        for settings in ({"TEFF_POOL": "", "TEFF_STATS": "", "TEFF_WAIT": ""}, {"TEFF_SEED": "1", "TEFF_NUM_THREADS": "2"}):
            self.good(settings, {})
        for mode, policy in (("latency", "ACTIVE"), ("power", "PASSIVE")):
            other = "passive" if policy == "ACTIVE" else "active"
            code, _, said = self.run({"TEFF_WAIT": mode, "OMP_WAIT_POLICY": other, "GOMP_SPINCOUNT": "7",
                                      "OMP_DISPLAY_ENV": "verbose"})
            holds = f"OMP_WAIT_POLICY = '{policy}'" in said and "GOMP_SPINCOUNT = 'by the wait policy'" in said
            self.expect(code == 0 and holds, f"TEFF_WAIT={mode} does not hold against OMP_WAIT_POLICY={other}: '{said.strip()}'")


def main():
    words = programs.parser_of(__doc__).parse_args()
    tester = Tester(words.programs, words.drop_in)
    for settings, expected in GOOD:
        tester.good(settings, expected)
    _, defaults, _ = tester.run({})
    for name, value in BAD if words.drop_in else [each for each in BAD if each not in STOCK_TAKES]:
        tester.bad(name, value, defaults)
    tester.refused_beside()
    if words.drop_in:
        tester.drop_in_only()
    print(f"{len(GOOD) + len(BAD)} settings, {tester.wrong} problems")
    return 1 if tester.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
