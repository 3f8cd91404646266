#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What man_pages.py makes of the help of a command."""

import sys
import unittest
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TREE / "tools"))
import man_pages  # noqa: E402

HELP = """what it does
Usage: teff run [OPTIONS] [workload]

Options:
  -h,--help                   Print it
  --machine NAME|FILE ...
                              first a machine

teff run [OPTIONS] -- PROG [ARGS]: with a program, --pool is the option
"""


class ManPages(unittest.TestCase):
    def test_a_paragraph_behind_the_entries_belongs_to_none_of_them(self):
        lines = dict(man_pages.blocks(HELP))["Options"]
        self.assertEqual(man_pages.entries(lines),
                         ".TP\n.B \\-h,\\-\\-help\nPrint it\n.TP\n.B \\-\\-machine NAME|FILE ...\nfirst a machine\n"
                         ".PP\nteff run [OPTIONS] \\-\\- PROG [ARGS]: with a program, \\-\\-pool is the option\n")

    def test_each_way_to_call_a_command_is_in_the_synopsis(self):
        self.assertEqual(man_pages.usages(HELP), ["teff run [OPTIONS] [workload]", "teff run [OPTIONS] -- PROG [ARGS]"])


if __name__ == "__main__":
    unittest.main()
