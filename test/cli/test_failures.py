#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong usage: a sentence that names the value, what is allowed and what is near, and exit code 2."""

import errno
import os
import resource
import unittest

from support import ROOT, SANITIZED, TINY, CommandLineTest, teff


class Names(CommandLineTest):
    def test_unknown_names_with_the_nearest(self):
        for words, name, nearest in [
            (["rnu", "synthetic"], "rnu", "run"),
            (["run", "syntetic"], "syntetic", "synthetic"),
            (["run", "synthetic", *TINY, "--pool", "dq88"], "dq88", "dq8"),
            (["run", "synthetic", *TINY, "--memory", "dlff"], "dlff", "dlf"),
            (["run", "synthetic", "--wrokers", "2"], "--wrokers", "--workers"),
            (["compare", "synthetic", *TINY, "--pools", "dq1,sdqq1"], "sdqq1", "sdq1"),
            (["run", "synthetic", "--size", "smal"], "smal", "small"),
            (["run", "quicksort", "--size", "treshold=3"], "treshold", "threshold"),
            (["run", "quicksort", "--size", "kind=randon"], "randon", "random"),
            (["list", "pool"], "pool", "pools"),
            (["list", "settings", "--pool", "sdq"], "sdq", "sdq1"),
            (["list", "settings", "--memory", "dbkk"], "dbkk", "dbk"),
            (["run", "synthetic", *TINY, "--pool", "dq8", "--set", "blok=4"], "blok", "block"),
            (["run", "synthetic", *TINY, "--memory", "dgbk", "--set", "chnk=4"], "chnk", "chunk"),
            (["simulate", "synthetic", *TINY, "--machine", "remote_transfr=4"], "remote_transfr", "remote_transfer"),
            (["run", "quicksort", "--format", "bnary"], "bnary", "binary"),
        ]:
            with self.subTest(words):
                self.refuses(words, f"'{name}'", "did you mean", f"'{nearest}'", "allowed: ")

    def test_settings_of_other_pools_are_no_misspelt_names(self):
        for words, name in [
            (["run", "synthetic", *TINY, "--set", "lock=spin"], "lock"),
            (["compare", "synthetic", *TINY, "--pools", "teff", "--set", "block=4"], "block"),
            (["run", "synthetic", *TINY, "--pool", "sq1", "--set", "threshold=4"], "threshold"),
        ]:
            with self.subTest(words):
                said = self.refuses(words, f"'{name}': only others have it", "allowed: ").stderr
                self.assertNotIn("did you mean", said)

    def test_domains_that_cannot_be(self):
        for value in ("0x4", "3x", "4x", "x", "1025x1", "two"):
            for command in ("run", "simulate"):
                self.refuses([command, "synthetic", *TINY, "--pool" if command == "run" else "--pools", "teff", "--set", f"domains={value}"],
                             f"setting domains cannot be '{value}'", "allowed: ", "as 2x4")
        for words in (["run", "synthetic", *TINY, "--workers", "5"], ["simulate", "synthetic", *TINY, "--workers", "2,5", "--pools", "teff"]):
            self.refuses([*words, "--set", "domains=2x2"], "places for 4 workers, but there are 5", "allowed: ")
        for command in (["run", "fib", "--pool", "mts"], ["simulate", "fib", "--pools", "mts"]):
            words = [*command, "--size", "tiny", "--workers", 9]
            self.refuses([*words, "--set", "domains=2x4"], "places for 8 workers, but there are 9", "allowed: ")
            self.refuses([*words, "--set", "steal=0"], "setting steal cannot be '0'", "allowed: a number from 1")

    def test_jobs_that_would_spin_for_ever(self):
        spinning = "program=barrier,wait=spin,processors=8"
        for words, said in (
            (["run", "--size", f"{spinning},tasks=9"], "a job of 9 tasks (tasks=9) does not fit 8 processors"),
            (["run", "--size", f"{spinning},batch=exponential,tasks=2"], "a job of any size (batch=exponential) does not fit 8"),
            (["simulate", "--workers", "8,4", "--size", f"{spinning},tasks=8"], "8 tasks (tasks=8) does not fit 4 workers"),
        ):
            self.refuses([words[0], "run_queues", *words[1:]], said, "allowed: ")

    def test_run_queues(self):
        for setting, allowed in (("branching=1", "2 … 1024"), ("branching=1025", "2 … 1024"), ("transfer=0", "0.001 … 1000"),
                                 ("blocking=dynamc", "static, dynamic"), ("entry=roots", "root, leaf"),
                                 ("assign=rond", "turn, random, shortest"), ("per_batch=maybe", "no, yes"), ("climb=fre", "free, charged"),
                                 ("access=-1", "0 … 1000000000"), ("delay=1.5", "0 … 1000000000"), ("reading=hold", "held, outside")):
            name, value = setting.split("=")
            self.refuses(["simulate", "run_queues", "--pools", "hierarchical", "--set", setting],
                         f"setting {name} cannot be '{value}'; allowed: {allowed}")
        for pool, setting in (("centralised", "branching=4"), ("distributed", "per_batch=yes"), ("centralised", "assign=turn")):
            self.refuses(["simulate", "run_queues", "--pools", pool, "--set", setting], f"'{setting.split('=')[0]}': only others have it")
        self.refuses(["simulate", "run_queues", "--machine", "paper-96"], "unknown machine 'paper-96'; did you mean 'paper-1996'?")
        self.refuses(["simulate", "run_queues", "--machine", "paper-1996", "--workers", "65"], "machine paper-1996 has 64 processors")

    def test_programs_where_workloads_are_asked_for(self):
        self.refuses(["run", "ls"], "unknown workload 'ls'", "a program stands behind '--': teff run -- ls")
        self.refuses(["compare", "/bin/ls"], "unknown workload '/bin/ls'", "teff compare -- /bin/ls")
        self.file("good", "#!/bin/sh\n").chmod(0o755)
        self.refuses(["run", "good"], "unknown workload 'good'", "stands behind '--': teff run -- ./good", cwd=self.folder)
        for words in (["simulate", "ls"], ["simulate", "--", "ls"]):
            self.refuses(words, "unknown workload 'ls'", "programs cannot be simulated: teff run -- ls")
        self.assertNotIn("--", self.refuses(["run", "syntetic"], "'syntetic'").stderr)

    def test_options_before_their_command(self):
        self.refuses(["--stats", "run"], "'--stats' stands before the command", "an option of run", "'teff run ... --stats'")
        self.refuses(["--pool=dq8", "run", "fib"], "'--pool' stands before the command", "'teff run ... --pool=dq8'")
        self.refuses(["--workers", "2"], "'--workers' stands before the command", "run or compare or simulate")
        self.refuses(["--stast", "run", "fib"], "unknown option '--stast'; did you mean '--stats'?")
        self.refuses(["run", "fib", "--machine", "fence=1"], "unknown option '--machine'", "allowed: ")
        self.refuses(["--sizes"], "unknown option '--sizes'; allowed: --help, --version")
        self.refuses(["help", "rnu"], "unknown command 'rnu'; did you mean 'run'?")

    def test_missing_words(self):
        self.refuses(["run"], "which workload?", "synthetic, quicksort")
        self.refuses(["list"], "list what?", "pools, managers")
        self.refuses(["run", "synthetic", "--pool"], "--pool")

    def test_words_too_many(self):
        self.refuses(["run", "synthetic", "quicksort"], "'quicksort' is one word too many")
        self.refuses(["list", "pools", "managers"], "'managers'")
        self.refuses(["doctor", ""], "the name of the program is empty")
        self.refuses(["help", "run", "compare"], "'compare' is one word too many")
        self.refuses(["help", "run", "fib"], "'fib' is one word too many")
        self.refuses(["run", "fib", "--pool", "dq1", "--pool", "dq8"], "'--pool' is given 2 times; allowed: once")
        self.refuses(["list", "pools", "--pool", "dq8"], "settings")
        self.refuses(["list", "managers", "--memory", "dlf"], "settings")

    def test_options_of_other_commands(self):
        self.refuses(["compare", "synthetic", "--stats"], "--stats")
        self.refuses(["run", "synthetic", "--machine", "pause=3"], "--machine")
        for command in ("run", "compare"):
            self.refuses([command, "synthetic", "--why"], f"'{command}' has no '--why'", "option of simulate", "only the simulator")
            self.refuses([command, "synthetic", "--sweep", "remote_transfer=1,2"], f"'{command}' has no '--sweep'", "option of simulate")


class Sweeps(CommandLineTest):
    def test_words(self):
        for text, *parts in (
            ("park", "'park'", "COST=FROM..TO"), ("=1..3", "COST=FROM..TO"), ("park=", "COST=FROM..TO"),
            ("park=100..", "has no end", "COST=FROM..TO"), ("park=..100", "has no begin"), ("park=1..x", "'x' is no number"),
            ("park=9..9", "'9' is not more than '9'"), ("park=9..1", "a range rises"), ("park=1..9:0", "step cannot be '0'", "more than 0"),
            ("park=1..9:-1", "step cannot be '-1'"), ("park=1..9:", "step cannot be ''"), ("park=0..1000:1", "has 1001 values", "at most 100"),
            ("park=1..9:1e-300", "at most 100"), ("park=5", "has one value"), ("park=1..5:9", "has one value"), ("park=1,1", "'1' twice"), ("park=5,7,05", "'5' twice", "as '05'"),
            ("park=1,,2", "empty element"), ("park=inf..nan", "is no number"), ("park=0..inf", "is no number"),
            ("park=-5..5", "'-5'", "whole numbers 0 ..."), ("park=5,-5", "'-5'", "whole numbers 0 ..."), ("park=1,2.5", "'2.5'", "whole numbers"),
            ("remote_transfr=1,2", "remote_transfr", "did you mean 'remote_transfer'"), ("own_line_hit=0..9", "'0'", "1 ... 10000"),
            ("remote_transfer=9000..11000", "'11000'", "0 ... 10000"),
            ("park=0..11111111111:1111111111", "--sweep 'park=0..11111111111:1111111111': "),
        ):
            with self.subTest(text):
                self.refuses(["simulate", "fib", *TINY, "--sweep", text], *parts)

    def test_no_two_of_them_and_no_reasons_beside_it(self):
        words = ["simulate", "fib", *TINY, "--sweep", "park=1,2"]
        self.refuses([*words, "--sweep", "wake=1,2"], "--sweep")
        self.refuses([*words, "--why"], "--sweep and --why do not go together")


class Numbers(CommandLineTest):
    WRONG = ["0", "-3", "99999999999", "99999999999999999999999", "abc", "1.5", "", " 1", "1x", "+2", "0x10"]

    def test_workers(self):
        for value in [*self.WRONG, "257"]:
            self.refuses(["run", "synthetic", *TINY, "--workers", value], f"'{value}'", "1 ... 256")
        for value in ["1025", "-1"]:
            self.refuses(["simulate", "synthetic", *TINY, "--workers", value], f"'{value}'", "1 ... 1024")

    def test_lists(self):
        for value in ["1,,2", ",1", "1,", ",", ""]:
            self.refuses(["compare", "synthetic", *TINY, "--workers", value], f"'{value}'", "empty element")
        self.refuses(["compare", "synthetic", *TINY, "--workers", "1,2,1"], "'1' twice")
        self.refuses(["compare", "synthetic", *TINY, "--pools", "dq1,dq1"], "'dq1' twice")
        self.refuses(["compare", "synthetic", *TINY, "--memories", "bs,"], "empty element")
        self.refuses(["run", "synthetic", *TINY, "--workers", "1,2"], "'1,2'")

    def test_repeat_and_seed(self):
        for value in [*self.WRONG, "1001"]:
            self.refuses(["run", "synthetic", *TINY, "--repeat", value], f"'{value}'", "1 ... 1000")
        for value in ["-1", "x", "", "18446744073709551616"]:
            self.refuses(["run", "synthetic", *TINY, "--seed", value], f"'{value}'", "0 ... 18446744073709551615")
        self.succeeds("run", "synthetic", *TINY, "--seed", "18446744073709551615")

    def test_sizes(self):
        for size in ["k=-1", "k=0", "k=46", "k=500", "k=", "k=x", "k=99999999999999999999999"]:
            self.refuses(["run", "synthetic", "--size", size], f"'{size[2:]}'", "1 ... 45")
        self.refuses(["run", "synthetic", "--size", "f=-1"], "'-1'", "0 ... 1000000")
        self.refuses(["run", "synthetic", "--size", "k=3,k=4"], "given twice")
        self.refuses(["run", "synthetic", "--size", "k=3,,f=4"], "part ''")
        self.refuses(["run", "synthetic", "--size", ""], "unknown size ''")
        self.refuses(["run", "quicksort", "--size", "n=2000000000"], "'2000000000'", "1000000000")

    def test_settings(self):
        self.refuses(["run", "synthetic", *TINY, "--pool", "dq8", "--set", "block=0"], "'0'", "1024")
        self.refuses(["run", "synthetic", *TINY, "--set", "block"], "name=value")
        self.refuses(["run", "synthetic", *TINY, "--pool", "dq8", "--set", "block=1", "--set", "block=2"], "given twice")
        self.refuses(["run", "synthetic", *TINY, "--pool", "dq1", "--set", "block=4"], "'block'", "dq1")
        self.refuses(["run", "synthetic", *TINY, "--memory", "cgbk", "--set", "chunk=0"], "'0'", "1048576")
        self.refuses(["run", "synthetic", *TINY, "--memory", "cl", "--set", "local=1"], "'1'", "2 … 1000000")
        self.refuses(["run", "synthetic", *TINY, "--set", "chunk=4"], "'chunk'", "clf")
        self.refuses(["compare", "synthetic", *TINY, "--memories", "dl,cl", "--set", "list=4"], "'list'", "allowed: ")

    def test_machine_that_is_not_there(self):
        self.refuses(["simulate", "fib", "--machine", "altix-3710"], "unknown machine 'altix-3710'; did you mean 'altix-3700'?",
                     "allowed: generic, ", "sun-fire-6800")
        self.refuses(["simulate", "fib", "--machine", "altix-3700", "--machine", "remte_transfer=3"], "did you mean 'remote_transfer'?")
        self.refuses(["list", "machine", "--machine", "pentium"], "unknown machine 'pentium'")
        self.refuses(["simulate", "fib", "--machine", "park=3", "--machine", "generic"], "generic stands behind", "first")
        self.refuses(["list", "machines", "--machine", "generic"], "only")
        self.refuses(["simulate", "fib", "--machine", ""], "unknown machine ''")

    def test_more_workers_than_the_machine_has_processors(self):
        self.refuses(["simulate", "fib", *TINY, "--machine", "sun-e420r", "--workers", "2,5"], "--workers cannot be '5'", "1 ... 4",
                     "machine sun-e420r has 4 processors")

    def test_machine_files(self):
        text = (ROOT / "src" / "sim" / "machines" / "sun-fire-6800.toml").read_text()

        def refuses(content, *parts):
            self.refuses(["simulate", "fib", "--machine", self.file("mine.toml", content)], "mine.toml", *parts)

        def line_of(part):
            return str(text[:text.index(part)].count("\n") + 1)

        for name in ("/nowhere/mine.toml", f"{self.folder}/", "/dev/zero/mine.toml", "./"):
            self.refuses(["simulate", "fib", "--machine", name], f"machine file '{name}' cannot be read: ")
        self.refuses(["simulate", "fib", "--machine", "/tmp/"], "cannot be read: " + os.strerror(errno.EISDIR))
        self.refuses(["simulate", "fib", "--machine", "/dev/zero"], "machine file '/dev/zero' is longer than 1 MiB")
        refuses("", ":1: key 'title' is missing")
        refuses("title = \"a", "mine.toml:1: ")
        for content in (b"\xff\x00", b"a = \"\x01\"", b"\x1b[31m = 1", b"\n\n= 3", b"a = " + b"[" * 100_000):
            refuses(content, "mine.toml:")
        refuses(text.replace("\npark = ", "\n# park = "), "key 'park' is missing")
        refuses(text.replace("\npark = [", "\npark = [-"), f":{line_of('park = ')}: key 'park' cannot be '-1837'", "allowed: ")
        refuses(text.replace("\npark = ", "\nprak = "), f":{line_of('park = ')}: unknown key 'prak'; did you mean 'park'?")
        refuses(text.replace("width = [24", "width = [23"), f":{line_of('width = [24')}: key 'width' cannot be '23'", "nest")
        refuses(text.replace("transfer = [180", "transfer = [80"), f":{line_of('transfer = [180')}: key 'transfer' cannot be '80'")
        for instead, said in (('width = [24, ""] #', "from ''"), ('width = [24, 3, "', "a list of other things")):
            refuses(text.replace('width = [24, "', instead), f":{line_of('width = [24')}: key 'width' cannot be {said};",
                    "where it is from, as [")
        self.succeeds("simulate", "fib", *TINY, "--pools", "teff", "--machine", self.file("mine.toml", text), "--workers", 24)

    def test_machine(self):
        for value in ["-1", "x", "", "99999999999", "1.5"]:
            self.refuses(["simulate", "synthetic", *TINY, "--machine", f"remote_transfer={value}"], f"'{value}'")
        for value in ["0", "-1", "nan", "inf", "1e9"]:
            self.refuses(["simulate", "synthetic", *TINY, "--machine", f"cycles_per_ns={value}"], f"'{value}'")
        for name in ("domain_size", "own_line_hit", "pause"):
            self.refuses(["simulate", "synthetic", *TINY, "--machine", f"{name}=0"], f"{name} cannot be '0'", "1 ...")
        self.refuses(["simulate", "synthetic", *TINY, "--machine", "own_line_hit=1000000000"], "'1000000000'", "1 ... 10000")
        self.refuses(["simulate", "synthetic", *TINY, "--machine", "pause"], "name=value")


def limit_of(bytes_at_most):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (bytes_at_most, bytes_at_most))


class Resources(CommandLineTest):
    def test_no_memory(self):
        if SANITIZED:
            self.skipTest("sanitizers need more address space than this test leaves")
        self.refuses(["run", "quicksort", "--size", "n=900000000", "--workers", "1"], "not enough memory", preexec_fn=limit_of(1 << 30))

    def test_no_memory_in_the_middle_of_a_simulation(self):
        if SANITIZED:
            self.skipTest("sanitizers need more address space than this test leaves")
        for words in (["synthetic", "--workers", 64, "--pools", "sq1"], ["fib", "--workers", 1000]):
            result = teff("simulate", *words, *TINY, preexec_fn=limit_of(100 << 20))
            self.assertEqual(result.returncode, 2, (words, result.stderr))
            self.assertIn("teff: there is not enough memory for this size; choose a smaller one\n", result.stderr)

    def test_stacks_that_are_refused_keep_no_run_from_its_end(self):
        if SANITIZED:
            self.skipTest("sanitizers need more address space than this test leaves")
        # From what is enough to begin with on: the first stacks, of 16 MB together, are refused somewhere in between.
        least = next(mib for mib in range(4, 1000) if teff("--version", preexec_fn=limit_of(mib << 20)).returncode == 0) + 2
        for kib in range(least << 10, (least + 12) << 10, 512):
            result = teff("run", "fib", "--workers", 1, *TINY, preexec_fn=limit_of(kib << 10), timeout=60)
            self.assertIn(result.returncode, (0, 2), (kib, result.stderr))
            self.assertNotIn("no task can go on", result.stderr, kib)
        result = teff("compare", "fib", "--pools", "teff,dq8,sq1", *TINY, preexec_fn=limit_of((least + 8) << 20), timeout=60)
        self.assertIn(result.returncode, (0, 2), result.stderr)


if __name__ == "__main__":
    unittest.main()
