#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run, compare and doctor with programs of the user's: made here by gcc, with and without OpenMP."""

import json
import os
import pty
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import unittest

import jsonschema

from support import ROOT, TEFF, CommandLineTest, teff

SCHEMA = json.loads((ROOT / "docs" / "program-comparison.schema.json").read_text())
NO_FILES = """
#include <stdio.h>
#include <sys/resource.h>
int main(void) {
  const struct rlimit none = {0, 0};
  int members = 0;
  setrlimit(RLIMIT_FSIZE, &none);
#pragma omp parallel num_threads(2) reduction(+ : members)
  members += 1;
  printf("%d members\\n", members);
  return 0;
}
"""
WORKER = """
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int fib(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
/* Either the stock library is mapped, or Teff's, under the same name: whoever looks for OpenMP's library goes by that. */
static const char* library_in_charge(void) {
  static char line[4096];
  const char* found = "none";
  FILE* maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps)) {
    if (strstr(line, "/gomp/libgomp.so.1")) found = "teff";
    else if (strstr(line, "libgomp.so.1")) found = "stock";
  }
  fclose(maps);
  return found;
}
int main(int count, char** words) {
  int members = 0, answer = 0;
  const char* pool = getenv("TEFF_POOL");
  const char* set = getenv("TEFF_SET");
#pragma omp parallel reduction(+ : members)
  {
    members += 1;
#pragma omp single
    answer = fib(12);
  }
  printf("%d\\n", answer);
  for (int i = 1; i < count; ++i) {
    if (strcmp(words[i], "members") == 0) printf("%d members\\n", members);
    if (strcmp(words[i], "pool") == 0) printf("pool %s\\n", pool ? pool : "none");
    if (strcmp(words[i], "set") == 0) printf("set %s\\n", set ? set : "none");
    if (strcmp(words[i], "library") == 0) printf("%s\\n", library_in_charge());
    if (strcmp(words[i], "time") == 0) printf("%.9f\\n", omp_get_wtime());
    if (strcmp(words[i], "segv") == 0) raise(SIGSEGV);
    if (strcmp(words[i], "abort") == 0) abort();
    if (strcmp(words[i], "term") == 0) raise(SIGTERM);
    if (strcmp(words[i], "handle") == 0) signal(SIGTERM, exit);
    if (strcmp(words[i], "fail") == 0) return 9;
    if (strcmp(words[i], "fail_on_stock") == 0 && !pool) return 3;
    if (strcmp(words[i], "fail_unless_dq8") == 0 && (!pool || strcmp(pool, "dq8") != 0)) return 3;
    if (strcmp(words[i], "echo") == 0) for (int c; (c = getchar()) != EOF;) putchar(c);
  }
  return 0;
}
"""
# A task that its own thread does not run: the other of two threads has to get it.
TAKEN_BY_ANOTHER = """
int main(void) {
  int there = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task shared(there)
    __atomic_store_n(&there, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&there, __ATOMIC_ACQUIRE)) {}
  }
  return 0;
}
"""
WAITS = """
#include <stdio.h>
#include <unistd.h>
int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
#pragma omp master
    {
      printf("%d\\n", getpid());
      fflush(stdout);
    }
    for (;;) pause();
  }
  return 0;
}
"""
PLAIN = "int main(void) { return 3; }\n"
SIGNALS = """
#include <signal.h>
#include <stdio.h>
int main(void) {
  struct sigaction is;
  sigaction(SIGPIPE, NULL, &is);
  printf("%s", is.sa_handler == SIG_DFL ? "default" : "other");
  return 0;
}
"""


HERE = """
#include <stdio.h>
int main(void) { return puts("it ran"); }
"""
GRID = "allowed: cache, socket, node, or two numbers from 1 to 1024 as 2x4"
WRONG_SETTINGS = [
    (["run", "--pool", "mts", "--set", "domains=0x4"], ("'0x4'", GRID)),
    (["run", "--pool", "mts", "--set", "domains=3x"], ("'3x'", GRID)),
    (["compare", "--pools", "ws,mts", "--set", "domains=3x"], ("'3x'", GRID)),
    (["run", "--pool", "mts", "--workers", "9", "--set", "domains=2x4"], ("8 workers, but there are 9", "allowed: CxW")),
    (["compare", "--pools", "mts", "--workers", "9", "--set", "domains=2x4"], ("8 workers, but there are 9", "allowed: CxW")),
    (["run", "--pool", "mts", "--set", "steal=0"], ("setting steal cannot be '0'", "allowed: ")),
    (["compare", "--pools", "sq1,ws", "--set", "steal=0"], ("setting steal cannot be '0'", "allowed: ")),
    (["run", "--pool", "mts", "--set", "victims=farthest"], ("'farthest'", "allowed: linear, random, nearest")),
    (["run", "--pool", "q", "--set", "steal=2"], ("'steal'", "pool q", "allowed: domains")),
    (["run", "--set", "stael=2"], ("'stael'", "pool teff", "allowed: ")),
    (["compare", "--pools", "sq1,q", "--set", "victims=random"], ("'victims'", "allowed: ")),
    (["compare", "--pools", "sq1,mts,ws", "--set", "foo=3"],
     ("unknown setting of an OpenMP program on any of sq1, mts, ws 'foo'; allowed: lock, wake, domains, ", "steal")),
    (["run", "--set", "stack=65536"], ("of an OpenMP program on pool teff 'stack': workloads have it, programs do not", "allowed: victims, domains")),
    (["run", "--set", "block=2"], ("of an OpenMP program on pool teff 'block': only others have it", "allowed: victims, domains")),
    (["run", "--pool", "ws", "--set", "steal=2,victims=random"], ("'2,victims=random'", "allowed: ")),
    (["run", "--pool", "ws", "--set", "steal"], ("'steal'", "name=value")),
    (["run", "--pool", "ws", "--set", "steal=2", "--set", "steal=3"], ("steal is given twice",)),
]


class ProgramTest(CommandLineTest):
    def build(self, text, name, *options):
        source = self.file(name + ".c", text)
        subprocess.run(["gcc", "-O2", "-o", self.folder / name, source, *options], check=True, capture_output=True)
        return self.folder / name

    def worker(self):
        return self.build(WORKER, "worker", "-fopenmp")


class Run(ProgramTest):
    def test_output_and_exit_code_are_the_programs(self):
        worker = self.worker()
        done = self.succeeds("run", "--", worker)
        self.assertEqual((done.stdout, done.stderr), ("144\n", ""))
        self.assertEqual(self.succeeds("run", "--", worker, "library").stdout, "144\nteff\n")
        self.assertEqual(teff("run", "--", worker, "fail").returncode, 9)
        self.assertEqual(teff("run", "--", worker, "segv").returncode, -signal.SIGSEGV)

    def test_arguments_and_options_of_the_program_are_its_own(self):
        worker = self.worker()
        self.assertEqual(self.succeeds("run", "--", worker, "--stats", "--", "fail" * 2).stdout, "144\n")
        self.assertEqual(teff("run", "--", worker, "echo", input="words", stdin=None).stdout, "144\nwords")

    def test_workers_and_pool(self):
        worker = self.worker()
        done = self.succeeds("run", "--workers", "3", "--pool", "dq5", "--", worker, "members", "pool")
        self.assertEqual(done.stdout, "144\n3 members\npool dq5\n")

    def test_settings(self):
        worker = self.worker()
        done = self.succeeds("run", "--pool", "mts", "--set", "steal=3", "--set", "domains=2x4", "--", worker, "set")
        self.assertEqual((done.stdout, done.stderr), ("144\nset steal=3,domains=2x4\n", ""))
        self.assertEqual(self.succeeds("run", "--", worker, "set").stdout, "144\nset none\n")
        # With no pool named, it is the environment's; its settings stay, but those that are named anew.
        os.environ.update(TEFF_POOL="ws", TEFF_SET="steal=2,victims=random")
        try:
            done = self.succeeds("run", "--set", "steal=3", "--", worker, "pool", "set")
            self.assertEqual((done.stdout, done.stderr), ("144\npool ws\nset steal=3,victims=random\n", ""))
        finally:
            del os.environ["TEFF_POOL"], os.environ["TEFF_SET"]

    def record_of(self, *words, code=0):
        """Runs with --json. Returns: the one record, the sentences, and the run."""
        path = self.folder / "record.json"
        done = teff("run", "--json", path, *words)
        self.assertEqual(done.returncode, code, done.stderr)
        found = json.loads(path.read_text())
        jsonschema.Draft202012Validator(SCHEMA).validate(found)
        record, = found["records"]
        path.unlink()
        return record, found["advice"], done

    def test_a_record(self):
        worker = self.worker()
        record, advice, done = self.record_of("--pool", "mts", "--workers", 2, "--set", "steal=3", "--", worker, "members")
        self.assertEqual((done.stdout, done.stderr, advice), ("144\n2 members\n", "", []))
        self.assertEqual((record["runtime"], record["threads"], record["settings"]), ("mts", 2, ["steal=3"]))
        for name in ("seconds", "processor_seconds"):
            self.assertEqual(len(record[name]), 1)
        self.assertGreater(record["seconds"][0], 0)
        self.assertGreater(record["processor_seconds"][0], 0)
        self.assertGreater(record["peak_bytes"], 100_000)
        for name in ("speedup", "same_output", "failure"):
            self.assertIsNone(record[name], name)
        self.assertEqual(record["statistics"], {"regions": "1"})
        self.assertEqual(record["sites"], {"regions": [], "tasks": [], "locks": [], "barriers": [], "findings": [], "remark": None})
        self.assertEqual(self.record_of("--", worker)[0]["runtime"], os.environ.get("TEFF_POOL", "teff"))
        self.assertIsNone(self.record_of("--", worker)[0]["threads"])

    def test_a_record_has_places_and_what_follows(self):
        program = self.build(WORKER, "worker", "-fopenmp", "-g")
        record, advice, done = self.record_of("--stats", "--workers", 1, "--", program)
        sites = record["sites"]
        self.assertEqual([each["calls"] for each in sites["regions"]], [1])
        self.assertEqual(sum(each["tasks"] for each in sites["tasks"]), 464)
        self.assertEqual(advice, [each["sentence"] for each in sites["findings"]])
        for each in advice:
            self.assertIn(f"teff: {each}\n", done.stderr)
        self.assertIn(f"region {sites['regions'][0]['at']}", done.stderr)

    def test_a_record_says_how_the_run_failed(self):
        worker = self.worker()
        self.assertEqual(self.record_of("--", worker, "fail", code=9)[0]["failure"], "exit code 9")
        record, advice, _ = self.record_of("--", worker, "segv", code=-signal.SIGSEGV)
        self.assertEqual((record["failure"], advice), ("signal SIGSEGV", ["teff failed: signal SIGSEGV"]))
        record, _, done = self.record_of("--", self.build("int main(void) { return 0; }\n", "plain"))
        self.assertEqual(done.stderr, f"teff: {record['failure']}\n")
        self.assertIn("no region of OpenMP", record["failure"])

    def test_a_record_that_cannot_be_written(self):
        worker, path = self.worker(), self.folder / "not there" / "record"
        self.refuses(["run", "--json", "-", "--", worker], "--json -", "standard output is the program's")
        self.refuses(["run", "--json", path, "--", worker], str(path))
        self.refuses(["run", "--json", self.folder, "--", worker], str(self.folder))
        done = teff("run", "--json", "/dev/full", "--", worker, "fail")
        self.assertEqual((done.returncode, done.stdout), (9, "144\n"))
        self.assertIn("cannot write '/dev/full'", done.stderr)
        before = self.file("before", "kept")
        self.refuses(["run", "--json", before, "--", self.folder / "none"], "none")
        self.assertEqual(before.read_text(), "kept")
        self.assert_only_files("before", "worker", "worker.c")

    def test_a_record_takes_nothing_from_the_program(self):
        worker, log = self.worker(), self.folder / "log"
        for stream in ("stdout", "stderr"):
            for path in (log, f"/dev/{stream}"):
                with self.subTest(stream=stream, path=path), open(log, "w") as to:
                    other = "stderr" if stream == "stdout" else "stdout"
                    done = subprocess.run([TEFF, "run", "--json", path, "--", worker], text=True,
                                          **{stream: to, other: subprocess.PIPE})
                    said = log.read_text() + (getattr(done, other) or "")
                    self.assertEqual((done.returncode, said.count("\n")), (2, 1), said)
                    self.assertIn("are the program's", said)
        self.refuses(["run", "--json", worker, "--", worker], "that is the program")
        for path in ("/dev/fd/3", "/proc/self/fd/0", "/dev/stdin"):
            self.refuses(["run", "--json", path, "--", worker], path, "name a file")
        # It lies in nobody's way while the program runs.
        record, _, done = self.record_of("--", "sh", "-c", f"ls {self.folder}; {worker}")
        self.assertEqual(record["statistics"], {"regions": "1"})
        self.assertEqual(done.stdout.split(), ["log", "worker", "worker.c", "144"])
        self.assert_only_files("log", "worker", "worker.c")

    def test_who_does_not_read_a_record_may_interrupt(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        run = subprocess.Popen([TEFF, "run", "--json", pipe, "--", "sh", "-c", "echo ended"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
        self.assertEqual(run.stdout.readline(), "ended\n")  # without one who reads the pipe
        while run.poll() is None:  # one that comes before it waits for that one is the program's
            run.terminate()
        self.assertEqual(run.returncode, 128 + signal.SIGTERM)
        run.stdout.close()

    def test_help_names_the_options_for_a_program(self):
        for command, options in (("run", "--pool, --workers, --set, --stats and --json"),
                                 ("compare", "--pools, --workers or --threads, --set, --repeat and --json")):
            self.assertIn(f"with a program, {options} are the options", " ".join(self.succeeds(command, "--help").stdout.split()))

    def test_domains_that_are_more_than_the_workers(self):
        worker = self.worker()
        said = self.succeeds("run", "--pool", "mts", "--workers", 2, "--set", "domains=4x2", "--", worker).stderr
        self.assertIn("domains=4x2 are more domains than the 2 workers: 0 … 1 share domain 0; the others are empty", said)
        self.assertEqual(said.count("\n"), 1)

    def test_a_run_inside_a_run(self):
        worker = self.worker()
        done = self.succeeds("run", "--pool", "sq1", "--", TEFF, "run", "--pool", "dq5", "--", worker, "pool")
        self.assertEqual(done.stdout, "144\npool dq5\n")
        done = self.succeeds("run", "--pool", "sq1", "--", "sh", "-c", f"{worker} pool")
        self.assertEqual(done.stdout, "144\npool sq1\n")

    def test_signals_are_as_the_program_would_find_them(self):
        self.assertEqual(teff("run", "--", self.build(SIGNALS, "signals")).stdout, "default")

    def test_a_program_that_says_where_its_library_is(self):
        stock = subprocess.run(["gcc", "-print-file-name=libgomp.so.1"], capture_output=True, text=True, check=True)
        shutil.copy(stock.stdout.strip(), self.folder / "libgomp.so.1")
        worker = self.build(WORKER, "bound", "-fopenmp", f"-Wl,-rpath,{self.folder},--disable-new-dtags")
        listed = self.succeeds("doctor", worker).stdout
        self.assertIn("by LD_PRELOAD", listed)
        self.assertEqual(teff("run", "--", worker, "library").stdout, "144\nteff\n")
        self.assertEqual(subprocess.run([worker, "library"], capture_output=True, text=True).stdout, "144\nstock\n")

    def test_a_program_without_openmp_runs_and_is_told(self):
        done = teff("run", "--", self.build(PLAIN, "plain"))
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("does not load libgomp.so.1", done.stderr)

    def test_a_program_with_address_sanitizer(self):
        program = self.build(WORKER, "checked", "-fopenmp", "-fsanitize=address")
        result = teff("run", "--", program, env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_program_that_may_write_no_files(self):
        program = self.worker()
        for most in (0, 1000):
            result = teff("run", "--stats", "--", program,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("regions: ", result.stderr)
            self.assertNotIn("no region", result.stderr)

    def test_a_program_that_allows_itself_no_files(self):
        result = teff("run", "--stats", "--", self.build(NO_FILES, "no_files", "-fopenmp"))
        self.assertEqual((result.returncode, result.stdout), (0, "2 members\n"), result.stderr)

    def test_a_script_runs(self):
        script = self.file("script", f"#!/bin/sh\n{self.worker()} pool\n")
        script.chmod(0o755)
        done = self.succeeds("run", "--pool", "sq1", "--", script)
        self.assertEqual((done.stdout, done.stderr), ("144\npool sq1\n", ""))


class Refused(ProgramTest):
    def test_programs_that_cannot_be_run(self):
        plain = self.build(PLAIN, "plain")
        static = self.build(PLAIN, "static", "-static")
        no_program = self.file("text", "words\n")
        foreign = self.file("foreign", plain.read_bytes()[:18] + b"\xb7\x00" + plain.read_bytes()[20:])
        executable_text = self.file("executable", "words\n")
        for each in (foreign, executable_text):
            each.chmod(0o755)
        owners = self.folder / "owners"
        shutil.copy(plain, owners)
        owners.chmod(0o4755)
        for path, part in [
            (self.folder / "nothing", "there is no program"),
            (self.folder, "is a folder"),
            (no_program, "may not be executed"),
            (static, "linked statically"),
            (foreign, "another architecture (aarch64)"),
            (executable_text, "is no program"),
            (owners, "rights of its owner"),
        ]:
            for words in (["run", "--"], ["compare", "--"], ["doctor"]):
                with self.subTest(path=path, words=words):
                    self.refuses([*words, path], part, str(path))

    def test_a_program_of_a_later_compiler(self):
        library = self.folder / "later"
        library.mkdir()
        names = self.file("names", "GOMP_4.0 { global: GOMP_parallel; };\nGOMP_99.0 { global: GOMP_later; } GOMP_4.0;\n")
        source = self.file("library.c", "void GOMP_parallel(void) {}\nvoid GOMP_later(void) {}\n")
        subprocess.run(["gcc", "-shared", "-fPIC", "-Wl,-soname,libgomp.so.1", f"-Wl,--version-script={names}", "-o",
                        library / "libgomp.so.1", source], check=True)  # fmt: skip
        main = "void GOMP_{0}(void); int main(int count, char** words) {{ return count > 9 ? GOMP_{0}(), 1 : 0; }}\n"
        needs = (str(library / "libgomp.so.1"), f"-Wl,-rpath,{library}", "-Wl,--no-as-needed")
        program = self.build(main.format("later"), "program", *needs)
        for words in (["run", "--"], ["compare", "--"], ["doctor"]):
            with self.subTest(words=words):
                self.refuses([*words, program], "needs the version GOMP_99.0 of libgomp.so.1", str(program))
        self.succeeds("run", "--", self.build(main.format("parallel"), "earlier", *needs))

    def test_a_command_without_the_drop_in(self):
        lone = shutil.copy(TEFF, self.folder / "lone")
        worker = self.worker()
        for words in (["run", "--"], ["compare", "--"], ["doctor"]):
            with self.subTest(words=words):
                done = subprocess.run([lone, *words, worker], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0 if words == ["doctor"] else 2)
                self.assertIn("Teff's libgomp.so.1 is not beside this command", done.stdout + done.stderr)
                self.assertNotIn("does not stand for", done.stdout)

    def test_words(self):
        plain = self.build(PLAIN, "plain")
        self.refuses(["run", "--"], "which program?")
        self.refuses(["compare", "--"], "which program?")
        self.refuses(["run", "--", "no-such-program-anywhere"], "no-such-program-anywhere", "PATH")
        self.refuses(["run", "--size", "tiny", "--", plain], "--size is for workloads")
        self.refuses(["compare", "--html", "x", "--", plain], "--html is for workloads")
        self.refuses(["run", "--account", "--", plain], "--account is for workloads")
        self.refuses(["run", "synthetic", "--", plain], "'synthetic'", "too many")
        self.refuses(["run", "--pool", "dq55", "--", plain], "'dq55'", "did you mean 'dq5'")
        self.refuses(["compare", "--pools", "teff,df5", "--", plain], "'df5'", "did you mean 'dq5'")
        self.assertFalse(teff("run", "--set", "steal=0", "--", self.build(HERE, "here")).stdout)
        for words, parts in WRONG_SETTINGS:
            with self.subTest(words=words):
                self.refuses([*words, "--", plain], *parts)
        for value in ("0", "-1", "abc", "257"):
            self.refuses(["run", "--workers", value, "--", plain], f"'{value}'", "1 ... 256")
            self.refuses(["compare", "--repeat", "0", "--", plain], "'0'", "1 ... 1000")
            self.refuses(["compare", "--threads", f"2,{value}", "--", plain], "--threads", f"'{value}'", "1 ... 256")
        self.refuses(["compare", "--threads", "1,,2", "--", plain], "--threads", "'1,,2'")
        self.refuses(["compare", "--threads", "1,2,1", "--", plain], "--threads", "'1'")
        self.refuses(["compare", "--threads", "1,2,01", "--", plain], "--threads has '1' twice, the second time as '01'")
        self.refuses(["compare", "--threads", "1,2", "--workers", "2", "--", plain], "--workers 2 and --threads 1,2", "too many")
        self.refuses(["compare", "--threads", "1,2", "synthetic"], "--threads is for programs behind '--'", "--workers")
        self.refuses(["run", "--threads", "1,2", "--", plain], "'--threads'")


class Compare(ProgramTest):
    def records(self, *words):
        done = teff("compare", "--repeat", "2", "--json", "-", *words)
        found = json.loads(done.stdout)
        jsonschema.Draft202012Validator(SCHEMA).validate(found)
        return done, found

    def test_stock_first_then_pools(self):
        done, found = self.records("--pools", "teff,dq8", "--workers", "2", "--", self.worker(), "members")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([each["runtime"] for each in found["records"]], ["libgomp", "teff", "dq8"])
        for each in found["records"]:
            self.assertEqual(len(each["seconds"]), 2)
            self.assertTrue(each["same_output"])
            self.assertIsNone(each["failure"])
        self.assertEqual(found["records"][0]["speedup"], 1)
        self.assertEqual(found["records"][0]["statistics"], {})
        self.assertEqual(found["command"][1:], ["members"])
        for word in ("runtime", "speed-up", "libgomp", "dq8", "same"):
            self.assertIn(word, done.stderr)

    def test_several_numbers_of_threads(self):
        done, found = self.records("--pools", "teff,dq8", "--threads", "2,1,3", "--", self.worker(), "members")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([(each["threads"], each["runtime"]) for each in found["records"]],
                         [(threads, runtime) for threads in (2, 1, 3) for runtime in ("libgomp", "teff", "dq8")])
        for each in found["records"]:  # the program says how many there are
            self.assertTrue(each["same_output"])
            if each["runtime"] == "libgomp":
                self.assertEqual((each["speedup"], each["statistics"]), (1, {}))
                continue
            self.assertTrue(each["statistics"]["workers"].startswith(f"{each['threads']} "))
            self.assertEqual([(site["calls"], site["members"]) for site in each["sites"]["regions"]], [(1, each["threads"])])
            self.assertEqual(sum(site["tasks"] for site in each["sites"]["tasks"]), 464)
            for site in each["sites"]["regions"]:  # no member's time is missing
                self.assertGreater(sum(site["account_ns"].values()), 0.98 * site["capacity_ns"])
        for part in ("runtime  threads  ", "2 threads: best: ", "1 thread: teff: 464 tasks, ", "3 threads: dq8: its threads' time: ",
                     "dq8: times as fast as with 2 threads: "):
            self.assertIn(part, done.stderr.replace("no difference beyond noise", "best: "))

    def test_output_that_differs(self):
        done, found = self.records("--pools", "teff", "--", self.worker(), "pool")
        self.assertEqual(done.returncode, 1)
        self.assertFalse(found["records"][1]["same_output"])
        self.assertIn("output differs", done.stderr)

    def test_output_that_is_never_the_same(self):
        done, found = self.records("--pools", "teff", "--", self.worker(), "time")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIsNone(found["records"][1]["same_output"])
        self.assertIn("says nothing about the pools", done.stderr)

    def test_a_program_that_fails(self):
        done, found = self.records("--pools", "teff", "--", self.worker(), "segv")
        self.assertEqual(done.returncode, 1)
        self.assertEqual([each["failure"] for each in found["records"]], ["signal SIGSEGV"] * 2)
        done, found = self.records("--pools", "teff", "--", self.worker(), "fail")  # as on the stock runtime
        self.assertEqual((done.returncode, found["records"][1]["failure"]), (0, None))

    def test_a_program_that_fails_on_the_stock_runtime_alone(self):
        done, found = self.records("--pools", "teff,dq8", "--", self.worker(), "fail_on_stock")
        self.assertEqual(done.returncode, 1)
        self.assertEqual([each["failure"] for each in found["records"]], ["exit code 3", None, None])
        self.assertEqual([len(each["seconds"]) for each in found["records"]], [1, 2, 2])
        self.assertEqual([each["same_output"] for each in found["records"]], [None] * 3)
        self.assertIn("the stock runtime failed, so there is nothing to compare it with", found["advice"][0])
        self.assertEqual([line for line in found["advice"] if "failed: " in line], ["libgomp failed: exit code 3"])
        done, found = self.records("--pools", "teff,dq8", "--", self.worker(), "fail_unless_dq8")
        self.assertEqual([each["failure"] for each in found["records"]], ["exit code 3", "exit code 3", None])

    def test_a_program_that_is_refused(self):
        source = "void GOACC_wait(int async, int count, ...);\nint main(void) { GOACC_wait(-1, 0);\nreturn 0; }\n"
        done, found = self.records("--pools", "teff", "--", self.build(source, "accelerated", "-fopenmp"))
        self.assertEqual(done.returncode, 1)
        self.assertIsNone(found["records"][0]["failure"])
        self.assertIn("exit code 70: teff: GOACC_wait", found["records"][1]["failure"])
        self.assertIn("no pool ended well", done.stderr)

    def test_standard_output(self):
        done = self.succeeds("compare", "--repeat", "1", "--pools", "teff", "--", self.worker())
        self.assertIn("libgomp", done.stdout)
        self.assertFalse(done.stderr)


class Statistics(ProgramTest):
    """What the drop-in itself says with TEFF_STATS=1: src/compat/openmp/STATS.md."""

    NAMES = ["pool", "workers", "run time", "regions", "tasks", "mean task", "overhead", "steals", "idle", "peak memory", "time",
             "stolen by the pool"]

    def lines(self, done):
        """Those that the process says itself; behind them stand places (test_sites.py)."""
        lines = [line.removeprefix("teff: ") for line in done.stderr.splitlines()]
        self.assertRegex(lines[len(self.NAMES)], "^region ")
        return dict(line.split(": ", 1) for line in lines[:len(self.NAMES)])

    def test_the_summary_has_twelve_lines(self):
        done = self.succeeds("run", "--stats", "--workers", "2", "--pool", "dq5", "--", self.worker())
        found = self.lines(done)
        self.assertEqual(done.stdout, "144\n")
        self.assertEqual(list(found), self.NAMES)
        self.assertEqual((found["pool"], found["regions"], found["tasks"]), ("dq5", "1", "464"))
        self.assertRegex(found["workers"], r"^2 \(.+\)$")
        self.assertRegex(found["mean task"], r"^(\d\.\d\d|\d\d\.\d|\d{3}) ([num]s|s)$")
        shares = [float(part.split(" %")[0]) for part in found["time"].split(", ")]
        self.assertAlmostEqual(sum(shares), 100, delta=0.1 * len(shares))
        self.assertIn("own_work", found["time"])
        self.assertIn("put_get", found["time"])

    def test_a_thread_alone_that_finds_tasks_is_not_idle(self):
        for pool in "teff", "dq8", "sdq1", "sq1":
            with self.subTest(pool):
                found = self.lines(self.succeeds("run", "--stats", "--workers", "1", "--pool", pool, "--", self.worker()))
                self.assertEqual(found["idle"], "0 %")
                self.assertNotIn("searching", found["time"])

    def test_the_summary_is_printed_whatever_the_end(self):
        worker = self.worker()
        done = teff("run", "--stats", "--", worker, "fail")
        self.assertEqual((done.returncode, list(self.lines(done))), (9, self.NAMES))
        for word, number in (("segv", signal.SIGSEGV), ("abort", signal.SIGABRT), ("term", signal.SIGTERM)):
            with self.subTest(word):
                done = teff("run", "--stats", "--", worker, word)
                self.assertEqual((done.returncode, list(self.lines(done))), (-number, self.NAMES))
                self.assertEqual(self.lines(done)["tasks"], "464")
        done = teff("run", "--stats", "--", worker, "handle", "term")  # the program's own handler ends it
        self.assertEqual((done.returncode, list(self.lines(done))), (signal.SIGTERM, self.NAMES))

    def ended_twice(self, program):
        """Returns: what it says and how it ends, if the second signal comes while it waits to say anything."""
        read, write = os.pipe()
        os.set_blocking(write, False)
        with self.assertRaises(BlockingIOError):
            while True:
                os.write(write, b"x" * 4095 + b"\n")
        os.set_blocking(write, True)
        words = [TEFF, "run", "--stats", "--workers", "2", "--", program]
        with (subprocess.Popen(words, stdout=subprocess.PIPE, stderr=write, text=True) as run,
              open(read, encoding="utf-8") as errors):
            os.close(write)
            number = int(run.stdout.readline())
            if_it_goes_on = threading.Timer(120, lambda: os.kill(number, signal.SIGKILL))
            if_it_goes_on.start()
            for each in (signal.SIGINT, signal.SIGTERM):
                os.kill(number, each)
            said = [line.removeprefix("teff: ").split(": ")[0] for line in errors if not line.startswith("x")]
            if_it_goes_on.cancel()
        return said, run.returncode

    def test_a_second_signal_does_not_cut_the_summary_off(self):
        program = self.build(WAITS, "waits", "-fopenmp")
        for _ in range(16):  # which of its threads gets which is the system's choice
            said, code = self.ended_twice(program)
            self.assertEqual(said[:len(self.NAMES)], self.NAMES)
            self.assertIn(code, (-signal.SIGINT, -signal.SIGTERM))

    def test_a_process_without_regions_says_nothing(self):
        script = self.file("script", f"#!/bin/sh\n{self.worker()}\ntrue\n")
        script.chmod(0o755)
        self.assertEqual(list(self.lines(self.succeeds("run", "--stats", "--", script))), self.NAMES)

    def thefts(self, *words):
        """The numbers of the last line, by their words."""
        text = self.lines(self.succeeds("run", "--stats", "--workers", 2, *words, "--", self.program))["stolen by the pool"]
        numbers = [int(each) for each in re.findall(r"\d+", text)]
        names = ["got", "remote", "on chip", "tasks", "failed", "probes", "locks", "waits"]
        form = "{}: {} remote, {} on chip; {} tasks, {} failed, {} probes, {} locks of victims, {} reached by waits"
        self.assertEqual(text, form.format(*numbers))
        return dict(zip(names, numbers))

    def test_what_shepherds_count(self):
        self.program = self.build(TAKEN_BY_ANOTHER, "taken", "-fopenmp")
        for pool, domains, expected in (("ws", "2x1", {"got": 1, "remote": 1, "on chip": 0, "tasks": 1}),
                                        ("ws", "1x2", {"got": 1, "remote": 0, "on chip": 1, "tasks": 1}),
                                        ("mts", "2x1", {"got": 1, "remote": 1, "on chip": 0, "tasks": 1})):
            with self.subTest(pool=pool, domains=domains):
                found = self.thefts("--pool", pool, "--set", f"domains={domains}")
                self.assertEqual({name: found[name] for name in expected}, expected)
                self.assertEqual(found["locks"], found["got"] + found["failed"])
                self.assertGreaterEqual(found["probes"], found["locks"])
        for words in (("--pool", "mts", "--set", "domains=1x2"), ("--pool", "sq1")):
            with self.subTest(words):
                self.assertEqual(set(self.thefts(*words).values()), {0})

    def test_a_comparison_has_the_settings_of_each_pool(self):
        done = teff("compare", "--repeat", "1", "--pools", "sq1,ws,mts", "--workers", 2, "--set", "domains=2x1", "--set", "steal=2",
                    "--json", "-", "--", self.build(TAKEN_BY_ANOTHER, "taken", "-fopenmp"))
        self.assertEqual(done.returncode, 0, done.stderr)
        records = json.loads(done.stdout)["records"]
        self.assertEqual([each["settings"] for each in records], [[], ["domains=2x1"]] + [["domains=2x1", "steal=2"]] * 2)
        self.assertIn("settings: sq1 domains=2x1; ws domains=2x1, steal=2; mts domains=2x1, steal=2\n", done.stderr)
        self.assertEqual([each["statistics"]["stolen by the pool"].split(";")[0] for each in records[2:]], ["1: 1 remote, 0 on chip"] * 2)

    def test_a_comparison_has_the_settings_of_the_environment_that_hold(self):
        """Of the variable's: one that is named anew, one that a pool has not, one that is wrong, and one for all."""
        worker = self.worker()
        os.environ["TEFF_SET"] = "steal=4,victims=linear,domains=2x1,block=0"
        try:
            done = teff("compare", "--repeat", "1", "--pools", "sq1,ws,dq8", "--workers", 2, "--set", "steal=2", "--json", "-", "--",
                        worker)
        finally:
            del os.environ["TEFF_SET"]
        found = [each["settings"] for each in json.loads(done.stdout)["records"]]
        both = ["steal=2", "victims=linear", "domains=2x1"]
        self.assertEqual(found, [[], ["domains=2x1"], both, both])
        self.assertEqual([each for each in done.stderr.splitlines() if "TEFF_SET" in each],
                         ["teff: the variable TEFF_SET: setting block cannot be '0'; allowed: 1 … 1024; it is ignored"])

    def test_a_comparison_says_which_of_the_environment_none_of_its_pools_can_have(self):
        """By a pool that has it, wherever that stands in the list; nothing of what one can have, or was given anew."""
        for value, words in [("victims=none", ["setting victims cannot be 'none'"]), ("steal", ["setting 'steal' has no value"]),
                             ("lcoal=8", ["unknown setting of an OpenMP program on pool sq1 'lcoal'"]), ("steal=4", []), ("domains=2x1", [])]:  # fmt: skip
            with self.subTest(value):
                os.environ["TEFF_SET"] = value
                try:
                    done = teff("compare", "--repeat", "1", "--pools", "sq1,ws,q", "--workers", 2, "--", self.worker())
                finally:
                    del os.environ["TEFF_SET"]
                said = [each for each in done.stderr.splitlines() if "TEFF_SET" in each]
                self.assertEqual((done.returncode, len(said)), (0, len(words)), done.stderr)
                for one, start in zip(said, words):
                    self.assertTrue(one.startswith("teff: the variable TEFF_SET: " + start), one)
                    self.assertTrue(one.endswith("; it is ignored"), one)

    def test_a_comparison_says_on_a_terminal_which_run_goes_on(self):
        master, slave = pty.openpty()
        words = ["compare", "--repeat", "1", "--pools", "ws", "--threads", "1,2", "--", self.worker()]
        with subprocess.Popen([TEFF, *map(str, words)], stdout=subprocess.DEVNULL, stderr=slave) as process:
            os.close(slave)
            text = b""
            try:
                while part := os.read(master, 1000):
                    text += part
            except OSError:
                pass  # nobody holds the terminal's other end any more
        os.close(master)
        self.assertEqual(process.returncode, 0, text)
        for each in (b"round 1 of 1: libgomp, 1 thread", b"round 1 of 1: ws, 2 threads", b"counting: ws, 2 threads"):
            self.assertIn(each, text)

    def interrupted(self, interrupt):
        """Compares what waits for long in its fourth run. Returns: the exit code, the table, and the file, which was "before"."""
        begun = self.folder / "begun"
        os.mkfifo(begun)
        runs, worker, record = self.folder / "runs", self.worker(), self.file("record.json", '"before"')
        script = self.file("script", f"#!/bin/sh\necho >> {runs}\n{worker}\n[ $(wc -l < {runs}) -lt 4 ] || "
                                     f"{{ echo > {begun}; exec sleep 1000; }}\n")
        script.chmod(0o755)
        words = [TEFF, "compare", "--repeat", "5", "--pools", "dq5", "--json", record, "--", script]
        with subprocess.Popen([*map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              start_new_session=True) as process:
            begun.read_text()
            interrupt(process)
            table, said = process.communicate(timeout=100)
        begun.unlink()
        return process.returncode, table, said, json.loads(record.read_text())

    def test_a_comparison_that_is_interrupted_has_the_rounds_before(self):
        code, table, _, record = self.interrupted(lambda process: os.killpg(process.pid, signal.SIGINT))  # as a terminal does
        self.assertEqual((code, [len(each["seconds"]) for each in record["records"]]), (130, [1, 1]))
        self.assertIn("dq5", table)
        jsonschema.Draft202012Validator(SCHEMA).validate(record)

    def test_a_second_interrupt_ends_at_once(self):
        def twice(process):
            process.send_signal(signal.SIGINT)  # and not to the program, which would end
            self.assertIn("interrupted; what was finished follows", process.stderr.readline())
            process.send_signal(signal.SIGINT)

        self.assertEqual(self.interrupted(twice), (130, "", "teff: interrupted; no file was written\n", "before"))

    def test_a_comparison_hands_over_what_it_says(self):
        script = self.file("script", f'#!/bin/sh\necho "$TEFF_SET" >> {self.folder}/seen\nexec {self.worker()}\n')
        script.chmod(0o755)
        os.environ["TEFF_SET"] = "steal=4,domains=2x1,block=0"
        try:
            teff("compare", "--repeat", "1", "--pools", "ws,q", "--workers", 2, "--set", "steal=2", "--", script)
            os.environ["TEFF_SET"] = "steal=4"
            teff("compare", "--repeat", "1", "--pools", "q", "--workers", 2, "--", script)
        finally:
            del os.environ["TEFF_SET"]
        seen = (self.folder / "seen").read_text().splitlines()
        # The stock runtime's run first, then each pool's, then those that count.
        self.assertEqual(seen[1:3], ["steal=2,domains=2x1", "domains=2x1"])
        self.assertEqual(seen[seen.index("steal=4") + 1:], ["", ""])

    def test_a_comparison_shows_it(self):
        done = teff("compare", "--repeat", "1", "--pools", "dq5", "--json", "-", "--", self.worker())
        records = json.loads(done.stdout)["records"]
        self.assertEqual((records[0]["statistics"], records[1]["statistics"]["tasks"]), ({}, "464"))
        self.assertIn("dq5: 464 tasks", done.stderr)


class Doctor(ProgramTest):
    def test_openmp(self):
        listed = self.succeeds("doctor", self.worker()).stdout
        self.assertIn("in charge of OpenMP by itself: gcc's OpenMP (libgomp.so.1)", listed)
        self.assertIn("in charge of OpenMP under 'teff run': Teff's", listed)
        found = json.loads(self.succeeds("doctor", "--json", self.worker()).stdout)
        self.assertTrue(found["OpenMP"]["libgomp.so.1"]["value"].endswith("libgomp.so.1"))

    def test_under_teff_run(self):
        listed = self.succeeds("run", "--", TEFF, "doctor", self.worker()).stdout
        self.assertIn("by itself: gcc's OpenMP", listed)

    def test_no_openmp(self):
        self.assertIn("no OpenMP runtime is loaded", self.succeeds("doctor", self.build(PLAIN, "plain")).stdout)

    def test_another_openmp(self):
        # A library of that name is enough: nothing of it is run.
        self.build("int other(void) { return 1; }\n", "libomp.so.5", "-shared", "-fPIC", "-Wl,-soname,libomp.so.5")
        source = "int other(void);\nint main(void) { return other(); }\n"
        program = self.build(source, "program", f"-Wl,-rpath,{self.folder}", self.folder / "libomp.so.5")
        self.assertIn("still LLVM's OpenMP", self.succeeds("doctor", program).stdout)
        done = teff("run", "--", program)
        self.assertEqual(done.returncode, 1)
        self.assertIn("which Teff does not stand for", done.stderr)

    def test_tbb_and_blas(self):
        for name, function in (("libtbb.so.12", "first"), ("libopenblas.so.0", "second")):
            self.build(f"int {function}(void) {{ return 1; }}\n", name, "-shared", "-fPIC", f"-Wl,-soname,{name}")
        source = "int first(void), second(void);\nint main(void) {\n_Pragma(\"omp parallel\")\nfirst();\nreturn second(); }\n"
        libraries = [self.folder / "libtbb.so.12", self.folder / "libopenblas.so.0"]
        program = self.build(source, "program", "-fopenmp", f"-Wl,-rpath,{self.folder}", *libraries)
        listed = self.succeeds("doctor", program).stdout
        for part in ("oneTBB", "OpenBLAS", "gcc's OpenMP", "TBB has threads of its own"):
            self.assertIn(part, listed)

    def test_a_library_that_is_not_there(self):
        library = self.build("int other(void) { return 1; }\n", "libnvomp.so", "-shared", "-fPIC", "-Wl,-soname,libnvomp.so")
        program = self.build("int other(void);\nint main(void) { return other(); }\n", "program", library)
        library.unlink()
        listed = self.succeeds("doctor", program).stdout
        self.assertIn("it will not start: ", listed)
        self.assertIn("libnvomp.so", listed)

    def test_a_script(self):
        script = self.file("script", "#!/bin/sh\n")
        script.chmod(0o755)
        self.assertIn("what a script loads is not known", self.succeeds("doctor", script).stdout)

    def test_a_program_that_may_be_executed_but_not_read(self):
        worker = self.worker()
        worker.chmod(0o711)
        self.folder.chmod(0o755)
        somebody = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
        if not somebody:
            worker.chmod(0o111)
        try:
            listed = self.succeeds("doctor", worker, **somebody).stdout
        except PermissionError:
            self.skipTest("another user cannot start the command from here")
        self.assertIn("may be executed but not read", listed)
        self.assertNotIn("script", listed)
        self.assertEqual(self.succeeds("run", "--", worker, **somebody).stdout, "144\n")


if __name__ == "__main__":
    # What the caller set for OpenMP programs is not meant for those of this test.
    for name in [name for name in os.environ if name.startswith(("OMP_", "GOMP_", "TEFF_"))]:
        if name not in ("TEFF_SANITIZE",):
            del os.environ[name]
    unittest.main()
