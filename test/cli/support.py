# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the command line share."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

TEFF = os.environ.get("TEFF", "build/release/cli/teff")
SANITIZED = bool(os.environ.get("TEFF_SANITIZE"))
ROOT = Path(__file__).resolve().parents[2]
TINY = ["--size", "tiny"]


def teff(*words, **options):
    """Runs the binary without a terminal; the result has returncode, stdout and stderr as text."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run([TEFF, *map(str, words)], text=True, check=False, **{"timeout": 300, **options})


class CommandLineTest(unittest.TestCase):
    """Has a folder of its own, and a few questions to ask of a result."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def succeeds(self, *words, **options):
        result = teff(*words, **options)
        self.assertEqual(result.returncode, 0, (words, result.stderr))
        return result

    def refuses(self, words, *parts, **options):
        """Exit code 2 and a sentence that has all the parts; nothing on standard output."""
        result = teff(*words, **options)
        self.assertEqual(result.returncode, 2, (words, result.stdout, result.stderr))
        self.assertTrue(result.stderr.startswith("teff: "), (words, result.stderr))
        self.assertEqual(result.stderr.count("\n"), 1, (words, result.stderr))
        for part in parts:
            self.assertIn(part, result.stderr, words)
        self.assertFalse(result.stdout, words)
        return result

    def assert_plain(self, text):
        self.assertIsNone(re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text), repr(text))

    def assert_only_files(self, *names):
        self.assertEqual(sorted(each.name for each in self.folder.iterdir()), sorted(names))
