#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants violations in small trees and expects each to be found, and legal trees to pass."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
import check_layers  # noqa: E402

FIRST_LINE = f"// {check_layers.SPDX}\n"


class Layers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path, text, first_line=FIRST_LINE):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(first_line + text, encoding="utf-8")

    def found_for(self, path, include):
        """The violations of a tree whose only file is `path` with this include."""
        self.write(path, f"#include {include}\n")
        found = list(check_layers.violations(self.root))
        (self.root / path).unlink()
        return found

    def assert_found(self, path, include, reason):
        found = self.found_for(path, include)
        self.assertEqual(len(found), 1, f"{path} includes {include}: {found}")
        self.assertIn(reason, found[0])
        self.assertTrue(found[0].startswith(f"{path}:2: "), found[0])

    def assert_allowed(self, path, include):
        self.assertEqual(self.found_for(path, include), [], f"{path} includes {include}")

    def test_downwards_and_sideways_inside_a_folder_is_allowed(self):
        self.assert_allowed("src/worker/loop.h", '"pool/pool.h"')
        self.assert_allowed("src/worker/idle/idle.h", '"worker/loop.h"')
        self.assert_allowed("src/base/a.h", '"base/b.h"')
        self.assert_allowed("include/teff/task.hpp", '"task/task.h"')
        self.assert_allowed("src/runtime/team.cpp", "<teff/runtime.hpp>")
        self.assert_allowed("src/mem/a.h", "<vector>")
        self.assert_allowed("src/mem/a.h", '"somebody/elses.h"')

    def test_upwards_is_found(self):
        self.assert_found("src/base/a.h", '"platform/platform.h"', "level 0")
        self.assert_found("src/queue/a.h", '"worker/loop.h"', "level 7")
        self.assert_found("src/worker/a.cpp", "<teff/task.hpp>", "level 10")
        self.assert_found("src/runtime/a.cpp", '"compat/openmp/team.h"', "level 11")

    def test_sideways_between_folders_is_found(self):
        self.assert_found("src/fiber/a.h", '"pool/pool.h"', "may not include")
        self.assert_found("src/pool/parts/a.h", '"fiber/fiber.h"', "may not include")
        self.assert_found("src/sync/a.h", '"dist/dist.h"', "may not include")
        self.assert_found("src/compat/openmp/a.h", '"compat/pthread/a.h"', "may not include")

    def test_relative_includes_are_resolved(self):
        self.write("src/worker/loop.h", "")
        self.assert_found("src/queue/a.h", '"../worker/loop.h"', "level 7")

    def test_policies_are_known_by_name_in_few_places(self):
        self.assert_allowed("src/pool/catalogue.h", '"pool/deques.h"')
        self.assert_allowed("src/pool/deques.h", '"pool/parts/victims.h"')
        self.assert_allowed("src/runtime/a.cpp", '"pool/catalogue.h"')
        self.assert_allowed("include/teff/detail/fast.hpp", '"pool/split.h"')
        self.assert_allowed("test/pool/a.cpp", '"pool/deques.h"')
        self.assert_found("src/pool/deques.h", '"pool/split.h"', "another policy")
        self.assert_found("src/pool/wrap/a.h", '"pool/split.h"', "by name")
        self.assert_found("src/worker/a.h", '"pool/split.h"', "by name")
        self.assert_found("src/worker/a.h", '"pool/catalogue.h"', "catalogue")
        self.assert_found("include/teff/task.hpp", '"pool/split.h"', "by name")

    def test_seam_headers_are_found_outside_the_platform(self):
        banned = ("atomic", "mutex", "thread", "chrono", "random", "condition_variable", "unistd.h", "sys/mman.h", "hwloc.h")
        for header in banned:
            self.assert_found("src/queue/a.h", f"<{header}>", "only src/platform")
            self.assert_allowed("src/platform/native/a.cpp", f"<{header}>")
            self.assert_allowed("test/queue/a.cpp", f"<{header}>")
        self.assert_found("include/teff/task.hpp", "<atomic>", "only src/platform")
        self.assert_found("apps/quicksort/tasks.cpp", "<random>", "only src/platform")
        self.assert_found("src/sim/a.h", "<random>", "only src/platform")
        self.assert_allowed("include/teff/sync.hpp", "<chrono>")

    def test_mpi_stays_in_its_folder(self):
        self.assert_allowed("src/dist/a.h", "<mpi.h>")
        self.assert_found("src/platform/native/a.h", "<mpi.h>", "only src/dist")

    def test_simulator_is_below_the_seam(self):
        self.assert_allowed("src/sim/a.h", '"platform/random.h"')
        self.assert_allowed("src/platform/simulated/a.h", '"sim/processor.h"')
        self.assert_allowed("cli/simulate.cpp", '"sim/sim.h"')
        self.assert_found("src/sim/a.h", '"platform/platform.h"', "src/sim may include only")
        self.assert_found("src/sim/a.h", '"pool/pool.h"', "src/sim may include only")
        self.assert_found("src/platform/native/a.h", '"sim/processor.h"', "may not include")
        self.assert_found("src/runtime/a.h", '"sim/sim.h"', "may not include")
        self.assert_found("cli/simulate.cpp", '"sim/processor.h"', "cli may include only")

    def test_reports_applications_and_command_line_keep_to_their_lists(self):
        self.assert_allowed("src/report/a.h", '"base/assert.h"')
        self.assert_allowed("apps/quicksort/tasks.cpp", '"teff/teff.hpp"')
        self.assert_allowed("cli/compare.cpp", '"report/table.h"')
        self.assert_found("src/report/a.h", '"trace/counters.h"', "src/report may include only")
        self.assert_found("apps/quicksort/tasks.cpp", '"platform/platform.h"', "apps may include only")
        self.assert_found("cli/compare.cpp", '"runtime/team.h"', "cli may include only")
        self.assert_found("src/runtime/a.h", '"report/table.h"', "may not include")

    def test_licence_line(self):
        self.write("src/base/a.h", "#pragma once\n", first_line="")
        self.write("tools/a.py", "", first_line=f"#!/usr/bin/env python3\n# {check_layers.SPDX}\n")
        self.write("test/CMakeLists.txt", "", first_line="# nothing\n")
        self.write("build/generated.h", "", first_line="")
        self.write("README.md", "", first_line="")
        found = list(check_layers.violations(self.root))
        self.assertEqual([line.split(":")[0] for line in found], ["src/base/a.h", "test/CMakeLists.txt"])

    def test_long_files(self):
        self.write("src/pool/short.h", "\n" * 249)
        self.write("src/pool/long.h", "\n" * 250)
        self.write("src/sim/long.h", "\n" * 400)
        for path in check_layers.LONG_FILES:
            self.write(path, "\n" * 400)
        found = list(check_layers.violations(self.root))
        self.assertEqual(len(found), 1)
        self.assertIn("src/pool/long.h:251: 251 lines", found[0])
        for folder in check_layers.SHORT_FILES:
            self.write(f"{folder}/long.cpp", "\n" * 250)
        found = list(check_layers.violations(self.root))
        self.assertEqual(len(found), 1 + len(check_layers.SHORT_FILES), found)

    def test_namespaces_that_hide_their_definitions(self):
        self.write("src/pool/hidden.h", "namespace teff::inline TEFF_PLATFORM::pool {\n}\n")
        self.write("src/pool/seen.h", "namespace TEFF_NAMESPACE::pool {\n}  // namespace TEFF_NAMESPACE::pool\n")
        found = list(check_layers.violations(self.root))
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith("src/pool/hidden.h:2: "), found[0])

    def test_exceptions_to_the_length_are_needed(self):
        for path in check_layers.LONG_FILES:
            text = (TOOLS.parent / path).read_text(encoding="utf-8")
            self.assertGreater(len(text.splitlines()), check_layers.LINES_AT_MOST, f"{path} is short: it needs no exception")

    def test_command_line(self):
        def run(*arguments):
            return subprocess.run([sys.executable, TOOLS / "check_layers.py", *arguments], capture_output=True, text=True)

        self.assertEqual(run(self.root).returncode, 0)
        self.write("src/base/a.h", "#include <atomic>\n")
        planted = run(self.root)
        self.assertEqual(planted.returncode, 1)
        self.assertIn("1 violation\n", planted.stdout)
        self.assertEqual(run("no/such/folder").returncode, 2)


if __name__ == "__main__":
    unittest.main()
