#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants memory orders with and without a reason in small trees."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
import check_orders  # noqa: E402

SITE = "  word_.store(1, platform::release);\n"


class Orders(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def found(self, text, path="src/queue/a.h"):
        """Returns: the lines with a reason, and those without one."""
        self.write(path, text)
        sites = [site for site in check_orders.Tree(self.root).sites() if site[0] == path]
        return [number for _, number, known in sites if known], [number for _, number, known in sites if not known]

    def test_a_reason_is_near_and_speaks_of_order(self):
        self.assertEqual(self.found("// release: pairs with the reader's acquire\n" + SITE), ([2], []))
        self.assertEqual(self.found(SITE.rstrip() + "  // relaxed: a hint\n"), ([1], []))
        self.assertEqual(self.found("// visible to the reader\n" + "\n" * 3 + SITE), ([5], []))
        self.assertEqual(self.found("// visible to the reader\n" + "\n" * 4 + SITE), ([], [6]))
        self.assertEqual(self.found("// sets the word\n" + SITE), ([], [2]))
        self.assertEqual(self.found(SITE + "// release: behind is too late\n"), ([], [1]))
        self.assertEqual(self.found("/* what one wrote,\n the other sees */\n" + SITE), ([3], []))

    def test_a_tag_needs_its_explanation(self):
        self.assertEqual(self.found("// [sent]\n" + SITE), ([], [2]))
        self.assertEqual(self.found("/// [sent] release by who sends, acquire by who reads\nint a;\n\n\n\n// [sent]\n" + SITE), ([7], []))
        self.write("src/queue/README.md", "*[kept]* What the one wrote,\nthe other sees.\n\n[other] is nothing.\n")
        self.assertEqual(self.found(SITE.rstrip() + "  // [kept]\n"), ([1], []))
        self.assertEqual(self.found(SITE.rstrip() + "  // [other]\n"), ([], [1]))
        self.assertEqual(self.found(SITE.rstrip() + "  // [kept]\n", "src/sync/a.h"), ([], [1]))

    def test_code_and_strings_are_no_comments(self):
        self.assertEqual(self.found('const char* text = "// acquire";\n' + SITE), ([], [2]))
        self.assertEqual(self.found("// platform::release is what it uses\n"), ([], []))
        self.assertEqual(self.found("lock_.release();\nconst bool before = false;\n" + SITE), ([], [3]))

    def test_names_of_the_platform(self):
        self.assertEqual(self.found("word.load(acquire);\nlock.acquire();\n", "src/platform/a.h"), ([], [1]))
        self.assertEqual(self.found("word.load(std::memory_order_relaxed);\n", "src/platform/b.h"), ([], [1]))
        self.assertEqual(self.found("word.load(acquire);\n", "src/queue/a.h"), ([], []))
        self.assertEqual(self.found("inline constexpr order relaxed = std::memory_order_relaxed;\n", "src/platform/order.h"), ([], []))

    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, TOOLS / "check_orders.py", *arguments], capture_output=True, text=True, check=False)

    def test_command_line(self):
        self.write("src/base/a.h", ("// release: for the reader's acquire\n" + SITE) * check_orders.AT_LEAST)
        enough = self.run_tool(self.root)
        self.assertEqual(enough.returncode, 0, enough.stdout)
        self.assertIn(" say why: 100 %", enough.stdout)
        self.write("src/base/b.h", SITE * (100 - check_orders.AT_LEAST))
        self.assertEqual(self.run_tool(self.root).returncode, 0)
        self.write("src/base/c.h", SITE * 2)
        few = self.run_tool(self.root)
        self.assertEqual(few.returncode, 1)
        self.assertIn("--list", few.stdout)
        listed = self.run_tool("--list", self.root)
        self.assertEqual(listed.returncode, 1)
        self.assertIn("src/base/c.h:2: names a memory order without a reason\n", listed.stdout)
        self.assertNotIn("src/base/a.h", listed.stdout)
        self.assertEqual(self.run_tool("no/such/folder").returncode, 2)

    def test_this_tree(self):
        done = self.run_tool()
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
