#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The one entry point, with the system's commands made up."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
STAGES = 9  # three checks of the tree, three builds, weak symbols, static objects, the private path


class Dev(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def command(self, name, text):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def run_dev(self, *words, cwd=None):
        """Without what would build or install something."""
        return subprocess.run([TREE / "dev", *words], env={**os.environ, "PATH": f"{self.folder}:/usr/bin:/bin"}, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False, cwd=cwd)

    def test_installs_what_is_missing_and_nothing_else(self):
        self.command("dpkg-query", "for each in \"$@\"; do case $each in -*|ninja-build|*\"{\"*) ;; "
                                   "*) echo \"$each installed\";; esac; done")
        self.command("sudo", 'while [ "${1#-}" != "$1" ]; do shift; done; exec "$@"')
        self.command("apt-get", f"echo \"$@\" >> {self.folder}/asked")
        self.command("cmake", "exit 1")
        done = self.run_dev("demo")
        self.assertNotIn("unbound", done.stderr)
        asked = (self.folder / "asked").read_text()
        self.assertIn("install -y --no-install-recommends ninja-build\n", asked)

    def test_installs_nothing_where_all_is_there(self):
        self.command("dpkg-query", "for each in \"$@\"; do echo \"$each installed\"; done")
        self.command("apt-get", f"touch {self.folder}/asked")
        self.command("cmake", "exit 1")
        done = self.run_dev("demo")
        self.assertNotIn("unbound", done.stderr)
        self.assertFalse((self.folder / "asked").exists())

    def quick(self, *files):
        """Returns: the targets that `test --quick` builds after these files changed. The build fails, so that no test is run."""
        changed = self.folder / "changed"
        changed.write_text("".join(f"{file}\n" for file in files))
        self.command("dpkg-query", "for each in \"$@\"; do echo \"$each installed\"; done")
        self.command("git", f"case $1 in rev-parse) exit 0;; merge-base) echo base;; diff) cat {changed};; esac")
        self.command("cmake", f"echo \"$@\" >> {self.folder}/asked; [ \"$1\" = --preset ]")
        done = self.run_dev("test", "--quick")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("==== layers", done.stdout)
        self.assertIn("==== memory orders", done.stdout)
        asked = (self.folder / "asked").read_text().splitlines()
        (self.folder / "asked").unlink()
        return asked[-1].split(" --target ")[1].split()

    def test_quickly_builds_what_changed_folders_need(self):
        self.assertEqual(self.quick(), ["quick"])
        self.assertEqual(self.quick("src/worker/team.cpp"), ["quick", "tests_of_worker"])
        self.assertEqual(self.quick("test/sync/objects.cpp", "src/sync/forked_task.h", "include/teff/teff.hpp"),
                         ["quick", "tests_of_parallel", "tests_of_runtime", "tests_of_sync"])
        self.assertEqual(self.quick("src/compat/openmp/team.cpp", "src/platform/native/native.cpp", "src/task/task.h"),
                         ["quick", "tests_of_openmp", "tests_of_platform", "tests_of_runtime", "tests_of_sim"])
        self.assertEqual(self.quick("README.md", "test/stress/idle.cpp", "test/install/test_install.py", "docs/howto/build.md"),
                         ["quick", "tests_of_tutorial"])
        self.assertEqual(self.quick("dev", "docs/catalogue.md", "docs/openmp-symbols.md"),
                         ["quick", "tests_of_cli", "tests_of_openmp", "tests_of_tools"])

    def test_quickly_only_where_git_knows_what_changed(self):
        no_main_branch = "case $1 in rev-parse) [ $2 = --is-inside-work-tree ];; diff) echo src/worker/team.cpp;; esac"
        no_base = "case $1 in merge-base) exit 1;; diff) echo src/worker/team.cpp;; esac"
        for git in ("exit 128", no_main_branch, no_base):
            self.command("git", git)
            done = self.run_dev("test", "--quick")
            self.assertEqual(done.returncode, 1)
            self.assertIn("git cannot say what changed", done.stderr)

    def count_of_all(self, ctest, **batches):
        """Returns: the sum of a `test` of whose three runs of ctest each says so, exits so, and leaves these files; and all lines."""
        tree = self.folder / "tree"
        tree.mkdir(exist_ok=True)
        shutil.copy(TREE / "dev", tree)
        for name in ("python3", "clang++-19"):
            self.command(name, "exit 0")
        self.command("dpkg-query", "for each in \"$@\"; do echo \"$each installed\"; done")
        self.command("cmake", "mkdir -p build/release build/asan build/tsan")
        files = "".join(f"printf '{text}' > $TESTS_COUNTED_IN/{name}\n" for name, text in batches.items())
        self.command("ctest", files + ctest)
        done = subprocess.run([tree / "dev", "test"], env={**os.environ, "PATH": f"{self.folder}:/usr/bin:/bin"}, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False)
        lines = done.stdout.splitlines()
        return lines[-1], lines

    def test_counts_each_test_of_those_that_share_a_process(self):
        all_passed = "echo '100% tests passed, 0 tests failed out of 3'"
        self.assertEqual(self.count_of_all(all_passed)[0], f"{STAGES + 3 * 3} passed, 0 failed")
        self.assertEqual(self.count_of_all(all_passed, one="passed 3 a.b\\nskipped 4 a.c\\nend\\n", two="passed 3 a.d\\n" * 5 + "end\\n")[0],
                         f"{STAGES + 3 * (3 - 2 + 2 + 5)} passed, 0 failed")

    def test_names_each_that_failed_and_counts_a_batch_without_an_end(self):
        two_failed = "echo '33% tests passed, 2 tests failed out of 3'; exit 8"
        total, lines = self.count_of_all(two_failed, one="passed 3 a.b\\nfailed 4 a.c/1\\nfailed 5 a.d\\nend\\n")
        # Of each run: two tests of the batch; of ctest's one that failed and left nothing, and one that passed.
        self.assertEqual(total, f"{STAGES + 3 * 2} passed, {3 * 3} failed")
        self.assertEqual(lines.count("dev: failed: a.c/1"), 3)
        self.assertEqual(lines.count("dev: failed: a.d"), 3)

    def test_counts_lines_of_what_the_release_stage_runs(self):
        tree = self.folder / "tree"
        tree.mkdir()
        shutil.copy(TREE / "dev", tree)
        for name in ("apt-get", "ctest", "python3"):
            self.command(name, f"echo \"{name} $@\" >> {self.folder}/asked")
        self.command("sudo", 'while [ "${1#-}" != "$1" ]; do shift; done; exec "$@"')
        self.command("dpkg-query", "for each in \"$@\"; do case $each in llvm-19) ;; *) echo \"$each installed\";; esac; done")
        self.command("cmake", f"mkdir -p build/coverage; echo \"cmake $@\" >> {self.folder}/asked")
        subprocess.run([tree / "dev", "coverage"], env={**os.environ, "PATH": f"{self.folder}:/usr/bin:/bin"}, text=True,
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False)
        asked = (self.folder / "asked").read_text()
        self.assertIn("install -y --no-install-recommends llvm-19\n", asked)
        self.assertIn("cmake --preset coverage\ncmake --build build/coverage ", asked)
        self.assertRegex(asked, r"ctest --test-dir build/coverage .*--label-exclude stress\|single\|uncounted\n")
        self.assertTrue(asked.endswith("python3 tools/covered_lines.py build/coverage\n"), asked)

    def test_a_plan_has_the_drop_in_built_and_runs_where_the_caller_is(self):
        self.command("dpkg-query", "for each in \"$@\"; do echo \"$each installed\"; done")
        self.command("cmake", f"echo \"$@\" >> {self.folder}/asked")
        self.command("python3", f"[ $1 = -c ] && exit 0; [ $2 = --check ] && exit 0; pwd > {self.folder}/place; echo \"$@\" > {self.folder}/words; exit 3")
        done = self.run_dev("bench", "plan", "programs", "--bots", "bots", cwd=self.folder)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual((self.folder / "asked").read_text().splitlines()[-1].split(" --target ")[1].split(), ["teff", "teff_gomp"])
        self.assertEqual(Path((self.folder / "place").read_text().strip()).resolve(), self.folder.resolve())
        self.assertEqual((self.folder / "words").read_text(), f"{TREE}/bench/plan.py programs --bots bots\n")

    def test_a_plan_with_wrong_words_has_nothing_built(self):
        self.command("dpkg-query", "for each in \"$@\"; do echo \"$each installed\"; done")
        self.command("cmake", f"echo \"$@\" >> {self.folder}/asked")
        for words, code, begin in ((["nosuch"], 2, "plan: unknown plan 'nosuch'"), (["table-5", "--repeat", "0"], 2, "plan: --repeat cannot be '0'"),
                                   (["--help"], 0, "usage: ./dev bench plan")):
            done = self.run_dev("bench", "plan", *words, cwd=self.folder)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertTrue((done.stderr or done.stdout).startswith(begin), done.stderr)
        self.assertFalse((self.folder / "asked").exists())

    def test_refuses_other_words(self):
        done = self.run_dev("test", "--fast")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'--fast' is not for 'test'", done.stderr)
        self.assertEqual(self.run_dev("test", "").returncode, 2)

    def test_needs_no_proc(self):
        """Process substitution opens /dev/fd, which is a link to /proc."""
        for script in ("dev", ".ci/run", "bench/run"):
            self.assertIsNone(re.search(r"^[^#]*[<>]\(", (TREE / script).read_text(), re.MULTILINE), script)


if __name__ == "__main__":
    unittest.main()
