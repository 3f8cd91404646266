#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""teff calibrate, and the machine `this` that it writes. Times are not looked at: they are those of a machine on which tests
run."""

import json
import os
import pty
import re
import resource
import signal
import subprocess
import unittest

from support import SANITIZED, TEFF, TINY, CommandLineTest, teff

QUICK = ["calibrate", "--quick"]
CASES = ["a cycle", "a charge unit", "an atomic addition", "ping-pong, ", "contended additions", "lock hand-off ",
         "park and wake in turn", "thread start ", "a task, sq1, f = 0, 2 workers", "a task, dq2, f = 5, 2 workers", "a task, teff, f = 40, 2 workers"]


class CalibrationTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.written = self.folder / "teff" / "this.toml"
        self.env = {**os.environ, "XDG_CONFIG_HOME": str(self.folder)}


class This(CalibrationTest):
    def test_is_measured_written_listed_and_simulated(self):
        said = self.succeeds(*QUICK, env=self.env).stdout
        if len(os.sched_getaffinity(0)) > 1:
            for case in CASES:
                self.assertIn(f"\n{case}", said)
            self.assertIn("nothing was fitted to these", said)
        self.assertIn(f"'{self.written}' is written: teff simulate WORKLOAD --machine this\n", said)
        self.assert_plain(said)
        self.assertEqual([each.name for each in self.written.parent.iterdir()], ["this.toml"])
        rows = json.loads(self.succeeds("list", "machine", "--json", "--machine", "this", env=self.env).stdout)
        for row in rows:
            if row["name"] != "access_jitter":
                self.assertRegex(row["source"], r"^(as generic|counted among .*|fitted: .*, "
                                 r"[0-9.]+ ([mun]?s) on 20\d\d-\d\d-\d\d.*)$", row)
        (rate,) = (row for row in rows if row["name"] == "cycles_per_ns")
        self.assertRegex(rate["source"], "^fitted: a cycle, ")
        listed = {row["name"]: row for row in json.loads(self.succeeds("list", "machines", "--json", env=self.env).stdout)}
        self.assertRegex(listed["this"]["what"], r"on which it was measured on 20\d\d-\d\d-\d\d, quickly$")
        said = self.succeeds("simulate", "fib", *TINY, "--machine", "this", "--machine", "park=7", "--workers", 1, env=self.env).stdout
        self.assertIn("simulated on machine this: ", said)
        by_name = {**self.env, "XDG_CONFIG_HOME": "", "HOME": "/nowhere"}
        self.succeeds("simulate", "fib", *TINY, "--machine", self.written, "--workers", 1, env=by_name)

    def test_that_was_not_measured(self):
        sentence = f"machine 'this' has not been measured: run 'teff calibrate', which writes '{self.written}'"
        self.refuses(["simulate", "fib", *TINY, "--machine", "this"], sentence, env=self.env)
        self.assertIn(sentence, self.succeeds("list", "machines", env=self.env).stdout)
        at_home = {**self.env, "XDG_CONFIG_HOME": "relative/is/ignored", "HOME": str(self.folder)}
        self.refuses(["list", "machine", "--machine", "this"], f"'{self.folder}/.config/teff/this.toml'", env=at_home)
        homeless = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CONFIG_HOME")}
        self.refuses(["list", "machine", "--machine", "this"], "neither XDG_CONFIG_HOME nor HOME", env=homeless)
        self.refuses(QUICK, "neither XDG_CONFIG_HOME nor HOME", "--output", env=homeless)
        self.refuses(["list", "machine", "--machine", "thsi"], "did you mean 'this'?", env=self.env)

    def test_of_an_earlier_version(self):
        self.written.parent.mkdir()
        self.written.write_text("title = 'old'\n")
        self.refuses(["simulate", "fib", "--machine", "this"], f"{self.written}:1: key ", "'teff calibrate' writes it anew",
                     env=self.env)

    def test_one_processor(self):
        first = [min(os.sched_getaffinity(0))]
        said = self.succeeds(*QUICK, env=self.env, preexec_fn=lambda: os.sched_setaffinity(0, first)).stdout
        self.assertIn("not measured here, and as in generic: sizes and transfers of all levels, ", said)
        self.assertNotIn("ping-pong", said)
        rows = json.loads(self.succeeds("list", "machine", "--json", "--machine", "this", env=self.env).stdout)
        self.assertIn(("remote_transfer", "300", "as generic"), [(row["name"], row["value"], row["source"]) for row in rows])


class Output(CalibrationTest):
    def test_a_file_of_ones_own_and_the_table_as_json(self):
        said = self.succeeds(*QUICK, "--output", "mine", "--json", "-", env=self.env, cwd=self.folder)
        rows = json.loads(said.stdout)
        self.assertEqual(list(rows[0]), ["case", "native_ns", "spread", "number", "fitted", "simulated_ns", "error"])
        self.assertIn("--machine ./mine\n", said.stderr)
        self.assert_only_files("mine")
        text = (self.folder / "mine").read_text()
        for row in rows:
            if row["fitted"] and "transfer" not in row["number"]:
                (written,) = re.findall(rf"(?m)^{row['number']} = \[([0-9.e+]+), ", text)
                self.assertEqual(float(written), float(row["fitted"]), row)

    def test_that_cannot_be(self):
        path = self.file("taken", "as it was")
        self.refuses(["calibrate", "--output", "-"], "--output cannot be '-'")
        self.refuses(["calibrate", "--output", ""], "empty")
        # These are said before anything is measured, which would take seconds.
        self.refuses(["calibrate", "--output", self.folder / "no" / "such.toml"], "cannot write", "nothing was written")
        self.refuses(["calibrate", "--output", self.folder], "cannot write")
        self.refuses(["calibrate", "--output", path, "--json", path], "same file")
        self.refuses(["calibrate"], "cannot write", "nothing was written", env={**self.env, "XDG_CONFIG_HOME": str(path)})
        self.assertEqual(path.read_text(), "as it was")

    def test_full_disk(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        self.written.parent.mkdir()
        self.written.write_text("as it was")
        for words, options in (([], {"preexec_fn": limit}), (["--output", "/dev/full"], {})):
            said = teff(*QUICK, *words, env=self.env, **options)
            self.assertEqual(said.returncode, 2, said.stderr)
            self.assertIn("cannot write", said.stderr)
            self.assertNotIn("is written", said.stdout)
        self.assertEqual([each.name for each in self.written.parent.iterdir()], ["this.toml"])
        self.assertEqual(self.written.read_text(), "as it was")

    def test_interrupted(self):
        master, slave = pty.openpty()
        with subprocess.Popen([TEFF, "calibrate"], stdout=subprocess.DEVNULL, stderr=slave, env=self.env) as process:
            os.close(slave)
            text = b""
            while b"[1/" not in text:
                text += os.read(master, 1000)
            process.send_signal(signal.SIGINT)
            try:
                code = process.wait(timeout=100)
            finally:
                process.kill()
        os.close(master)
        self.assertEqual(code, 130)
        self.assertEqual(list(self.written.parent.iterdir()), [])


class Words(CalibrationTest):
    def test_that_make_no_sense(self):
        self.refuses(["calibrate", "now"], "'now' is one word too many")
        self.refuses(["calibrate", "--quik"], "did you mean '--quick'?")
        self.refuses(["calibrate", "--machine", "generic"], "unknown option '--machine'")
        self.refuses(["calibrat"], "did you mean 'calibrate'?")

    def test_refused_threads(self):
        """A thread's stack is as large as the limit says, and there is no room for such a one."""
        def limit():
            resource.setrlimit(resource.RLIMIT_STACK, (8 << 30, 8 << 30))
            resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

        if SANITIZED:
            self.skipTest("sanitizers need more address space than this test leaves")
        if len(os.sched_getaffinity(0)) > 1:
            self.refuses(QUICK, "the system refuses a thread", env=self.env, preexec_fn=limit)
            self.assertEqual(list(self.written.parent.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
