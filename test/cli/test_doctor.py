#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""teff doctor, as users call it."""

import json
import os
import re
import unittest
from pathlib import Path

from support import SANITIZED, CommandLineTest

SOURCES = Path(__file__).resolve().parents[2]
FACTS = {
    "teff": ["version", "commit", "compiler", "build_type", "optimised", "assertions", "sanitizers", "libraries"],
    "processors": ["name", "online", "affinity_mask", "quota", "usable", "default_workers", "cores", "hardware_threads",
                   "packages", "memory_nodes", "caches", "distances", "domains", "team_by_cache", "team_by_socket", "team_by_node",
                   "team", "virtual"],
    "system": ["kernel", "clock_source", "clock_read_ns", "huge_pages", "frequency", "load", "stolen"],
    "counters": ["cycles", "cache_misses", "paranoid"],
    "limits": ["threads", "stack", "mappings", "overcommit"],
    "environment": ["variables", "known"],
}


def environment(**more):
    """Ours without the variables of Teff (the tests have some of their own)."""
    return {**{name: value for name, value in os.environ.items() if not name.startswith("TEFF_")}, **more}


class Doctor(CommandLineTest):
    def examined(self, *words, **options):
        return self.succeeds("doctor", *words, **{"env": environment(), **options}).stdout

    def facts(self, **options):
        return json.loads(self.examined("--json", **options))

    def test_one_screen_and_then_advice(self):
        text = self.examined()
        self.assert_plain(text)
        listing, advice = text.split("\n\n")
        self.assertLessEqual(len(listing.splitlines()), 30)
        for group in FACTS:
            self.assertRegex(listing, rf"(?m)^{group} ")
        for line in advice.splitlines():
            self.assertRegex(line, r"^(advice: .+|nothing to advise)$")

    def test_json_has_every_fact(self):
        facts = self.facts()
        self.assertEqual({group: list(names) for group, names in facts.items() if group != "advice"}, FACTS)
        for group in FACTS:
            for name, entry in facts[group].items():
                self.assertLessEqual(set(entry), {"value", "source"}, (group, name))
        self.assertIsInstance(facts["advice"], list)
        self.assertEqual(facts["teff"]["sanitizers"]["value"], os.environ.get("TEFF_SANITIZE", ""))

    def test_text_and_json_give_the_same_number(self):
        usable = self.facts()["processors"]["usable"]["value"]
        self.assertRegex(self.examined(), rf"(?m)^ +usable +{usable}, so ")

    def test_affinity_mask(self):
        processor = max(os.sched_getaffinity(0))
        pinned = {"preexec_fn": lambda: os.sched_setaffinity(0, {processor})}
        processors = self.facts(**pinned)["processors"]
        self.assertEqual(processors["affinity_mask"]["value"], [processor])
        self.assertEqual(processors["usable"]["value"], 1)
        self.assertIn("advice: with 1 usable processor", self.examined(**pinned))

    def test_variables(self):
        text = self.examined(env=environment(TEFF_DISPLYA="1", TEFF_DISPLAY="2"))
        self.assertIn("advice: unknown environment variable 'TEFF_DISPLYA'; did you mean 'TEFF_DISPLAY'?", text)
        self.assertIn("advice: the variable TEFF_DISPLAY cannot be '2'", text)
        facts = self.facts(env=environment(TEFF_DISPLAY="1"))
        self.assertEqual(facts["environment"]["variables"]["value"], {"TEFF_DISPLAY": "1"})

    def test_it_knows_the_variables_that_the_sources_read(self):
        read = set()
        for folder in ("src", "include", "cli", "apps"):
            for path in (SOURCES / folder).rglob("*"):
                if path.suffix in (".h", ".hpp", ".cpp"):
                    read |= set(re.findall(r'(?:getenv\(|\{)"(TEFF_\w+)"', path.read_text(encoding="utf-8")))
        self.assertEqual(set(self.facts()["environment"]["known"]["value"]), read)

    def test_no_environment_at_all(self):
        self.assertEqual(self.facts(env={})["environment"]["variables"]["value"], {})

    @unittest.skipIf(SANITIZED, "says what an ordinary build says")
    def test_an_ordinary_build_has_no_sanitizers(self):
        self.assertIn("without sanitizers", self.examined())

    def test_wrong_words(self):
        self.refuses(["doctor", "program", "another"], "'another' is one word too many", "teff doctor --help")
        self.refuses(["doctor", "no-such-program-anywhere"], "there is no program 'no-such-program-anywhere'")
        self.refuses(["doctor", "--jsno"], "'--jsno'", "did you mean '--json'?")
        self.refuses(["doctor", "--json", "no-such-file-anywhere"], "'no-such-file-anywhere'")
        self.refuses(["docter"], "'docter'", "did you mean 'doctor'?")

    def test_help_names_the_exit_code(self):
        self.assertIn("exit code is 0", " ".join(self.succeeds("doctor", "--help").stdout.split()))


if __name__ == "__main__":
    unittest.main()
