#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What check_contract.py finds in pools that are wrong on purpose."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TREE / "tools"))
import check_contract  # noqa: E402


class CheckContract(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        shutil.copytree(TREE / "src/pool", self.root / "src/pool")

    def tearDown(self):
        self.folder.cleanup()

    def plant(self, header, old, new):
        path = self.root / "src/pool" / header
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))
        return list(check_contract.complaints(self.root))

    def test_nothing_is_wrong_with_the_pools_that_there_are(self):
        self.assertEqual(list(check_contract.complaints(self.root)), [])

    def test_a_further_name_of_a_pool(self):
        found = self.plant("central.h", "  void reset_statistics() {", "  bool is_full(worker& asked);\n  void reset_statistics() {")
        self.assertEqual(found, ["central.h: central has is_full in public, which is no name of the contract"])

    def test_a_constant_beside_the_traits(self):
        found = self.plant("threshold.h", " public:\n", " public:\n  static constexpr bool is_quick = true;\n")
        self.assertEqual(found, ["threshold.h: threshold has is_quick in public, which is no name of the contract"])

    def test_a_name_that_is_missing(self):
        found = self.plant("stealing.h", "  get_result take(", "  get_result took(")
        self.assertIn("stealing.h: stealing has no take", found)

    def test_a_name_that_one_pool_alone_has(self):
        for header in ("threshold.h", "run_queues.h", "shepherds.h"):
            found = self.plant(header, "  advice share(worker& current)", "  advice hands_over(worker& current)")
        self.assertTrue(any(each.startswith("share: only private_public has it") for each in found), found)

    def test_too_many_names(self):
        found = self.plant("pool.h", "///   close(w) ", "///   hurry(w)     goes faster\n///   close(w) ")
        self.assertTrue(any("17 names, of at most 16" in each for each in found), found)
        self.assertIn("pool.h and this script do not agree on the name hurry", found)


if __name__ == "__main__":
    unittest.main()
