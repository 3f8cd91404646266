#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run and compare never measure the stock library in silence, and run stays out of its program's way."""

import ctypes
import errno
import json
import os
import platform
import pty
import signal
import subprocess
import sys
import unittest
from pathlib import Path

from support import TEFF, teff
from test_programs import PLAIN, WORKER, ProgramTest

SILENT = "no region of OpenMP"
COPY = "libgomp-e9.1"  # as long as the name that it takes the place of

# Loads a library as words say, and calls its function, which opens a region.
HOST = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
int main(int count, char** words) {
  void* module = dlopen(words[1], RTLD_NOW | (strcmp(words[2], "deep") == 0 ? RTLD_LOCAL | RTLD_DEEPBIND : RTLD_LOCAL));
  if (count != 3 || module == NULL) return fprintf(stderr, "%s\\n", dlerror()), 1;
  printf("%d\\n", ((int (*)(void))dlsym(module, "members"))());
  return 0;
}
"""
MODULE = """
int members(void) {
  int all = 0;
#pragma omp parallel num_threads(2) reduction(+ : all)
  all += 1;
  return all;
}
"""
NO_REGION = "#include <omp.h>\n#include <stdio.h>\nint main(void) { printf(\"%d\\n\", omp_get_num_threads()); return 0; }\n"
# Opens a region, and ends in a way that runs no exit handler.
ENDS = """
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int change(const char* how) {
  if (strcmp(how, "user") == 0) return setgid(65534) != 0 || setuid(65534) != 0;
  if (strcmp(how, "user space") == 0) return unshare(CLONE_NEWUSER);
  if (strcmp(how, "all spaces") == 0) return unshare(CLONE_NEWUSER | CLONE_NEWIPC);
  if (strcmp(how, "root") == 0) return chroot("/var/empty") != 0 && chroot("/var/tmp") != 0;
  if (strcmp(how, "process space") != 0) return 0;
  if (unshare(CLONE_NEWPID | CLONE_NEWUSER) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) return 0;
  int status = 1;
  waitpid(child, &status, 0);
  _exit(WEXITSTATUS(status));
}
static void region(void) {
#pragma omp parallel num_threads(2)
  __asm__ volatile("");
}
int main(int count, char** words) {
  if (change(words[1]) != 0) _exit(77);  // the system refuses it
  if (strcmp(words[1], "child") == 0 && fork() != 0) return wait(NULL) < 0;
  region();
  if (strcmp(words[1], "kill") == 0) raise(SIGKILL);
  if (strcmp(words[1], "exec") == 0) execl("/bin/true", "true", (char*)NULL);
  if (strcmp(words[1], "all spaces") == 0) return 0;  // what the library says at the end is wanted
  _exit(count - 2);
}
"""
PRELOADED = "#include <stdio.h>\n__attribute__((constructor)) static void at_start(void) { fputs(\"mine\\n\", stderr); }\n"
# Counts what it is sent, and says so when it is asked to end.
SIGNALLED = """
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile sig_atomic_t interrupts, users;
static void on(int number) { if (number == SIGINT) ++interrupts; else ++users; }
int main(void) {
  sigset_t usual, held;
  struct sigaction action = {.sa_handler = on};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGUSR1, &action, NULL);
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  sigaddset(&held, SIGUSR1);
  sigprocmask(SIG_BLOCK, &held, &usual);
  printf("%d\\n", (int)getpid());
  fflush(stdout);
  while (users == 0) sigsuspend(&usual);
  printf("interrupts %d\\n", (int)interrupts);
  return 5;
}
"""
# A shell with a job in front: words are the command. Says what it sees of it.
SHELL = """
import os, signal, subprocess, sys
os.close(os.open(os.ttyname(0), os.O_RDWR))  # it becomes the session's
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
job = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, preexec_fn=lambda: os.setpgid(0, 0))
os.tcsetpgrp(0, job.pid)
job.stdout.readline()
print("ready", flush=True)
print("stopped" if os.WIFSTOPPED(os.waitpid(job.pid, os.WUNTRACED)[1]) else "ended", flush=True)
os.killpg(job.pid, signal.SIGCONT)
os.kill(job.pid, signal.SIGUSR1)
print(job.communicate()[0].decode(), job.returncode)
"""
CLOSES = """
#include <stdio.h>
#include <unistd.h>
int main(void) {
  close(STDOUT_FILENO);
  return getchar();
}
"""
SLEEPS = """
#include <unistd.h>
int main(void) {
  usleep(50000);
  return 6;
}
"""
# As long as base/region_count.h has it, and longer, but with other bytes for a mark.
STRANGE = "o" * 20000


class ServedTest(ProgramTest):
    def stock(self):
        found = subprocess.run(["gcc", "-print-file-name=libgomp.so.1"], capture_output=True, text=True, check=True)
        return Path(found.stdout.strip()).resolve()

    def copy(self):
        """gcc's library under another name, which is its own name for itself: so Python packages bring it along."""
        path = self.folder / COPY
        whole = self.stock().read_bytes()
        self.assertIn(b"\0libgomp.so.1\0", whole)
        path.write_bytes(whole.replace(b"\0libgomp.so.1\0", b"\0" + COPY.encode() + b"\0"))
        path.chmod(0o755)
        return path

    def build_with_copy(self, text, name, *options):
        """With the copy by an old-style run path, and without the usual name of the library."""
        source = self.file(name + ".c", text)
        subprocess.run(["gcc", "-O2", "-fPIC", "-fopenmp", "-c", source, "-o", f"{source}.o"], check=True)
        subprocess.run(["gcc", *options, "-o", self.folder / name, f"{source}.o", self.copy(),
                        f"-Wl,-rpath,{self.folder},--disable-new-dtags"], check=True)
        return self.folder / name

    def script(self, text):
        script = self.file("script", f"#!/bin/sh\n{text}\n")
        script.chmod(0o755)
        return script

    def assert_served(self, *words):
        """The drop-in itself says that it had the one region, and nobody says that there was none."""
        done = teff("run", "--stats", "--", *words)
        self.assertIn("teff: regions: 1\n", done.stderr, words)
        self.assertNotIn(SILENT, done.stderr, words)
        done, found = self.compared(*words)
        self.assertEqual(done.returncode, 0, (words, done.stderr))
        self.assertEqual(found["records"][1]["statistics"]["regions"], "1")

    def assert_unserved(self, *words, output=None):
        done = self.succeeds("run", "--", *words)
        self.assertEqual(done.stderr.count(SILENT), 1, words)
        self.assertEqual(done.stderr.count("\n"), 1, words)
        if output is not None:
            self.assertEqual(done.stdout, output)
        self.refuses(["compare", "--repeat", "1", "--pools", "sq1,dq5", "--", *words], SILENT, "nothing to compare")

    def compared(self, *words):
        done = teff("compare", "--repeat", "1", "--pools", "dq5", "--json", "-", "--", *words)
        return done, json.loads(done.stdout or "null")


class Served(ServedTest):
    def test_a_copy_under_another_name(self):
        program = self.build_with_copy(WORKER, "worker")
        self.assertIn(COPY, subprocess.run(["readelf", "-d", program], capture_output=True, text=True).stdout)
        self.assert_served(program)
        listed = self.succeeds("doctor", program).stdout
        self.assertIn(f"in charge of OpenMP by itself: gcc's OpenMP ({COPY})", listed)
        self.assertIn("in charge of OpenMP under 'teff run': Teff's", listed)

    def test_a_module_that_is_loaded_later(self):
        host = self.build(HOST, "host")
        self.assert_served(host, self.build_with_copy(MODULE, "module.so", "-shared"), "local")
        usual = self.build(MODULE, "usual.so", "-shared", "-fPIC", "-fopenmp")
        self.assert_served(host, usual, "local")
        self.assert_served(host, usual, "deep")

    def test_a_module_that_prefers_its_own_copy(self):
        """The loader looks there before it looks at what is preloaded: this cannot be had, and is said."""
        host = self.build(HOST, "host")
        self.assert_unserved(host, self.build_with_copy(MODULE, "module.so", "-shared"), "deep", output="2\n")

    def test_a_launcher_with_a_library_path_of_its_own(self):
        self.assert_served(self.script(f"LD_LIBRARY_PATH={self.stock().parent}:$LD_LIBRARY_PATH exec {self.worker()}"))

    def test_a_launcher_that_forgets_what_is_preloaded(self):
        self.assert_served(self.script(f"unset LD_PRELOAD\n{self.worker()}"))
        self.assert_unserved(self.script(f"unset LD_PRELOAD LD_LIBRARY_PATH\n{self.worker()}"), output="144\n")

    def test_children_count(self):
        program = self.build(ENDS, "ends", "-fopenmp")
        for words in (["sh", "-c", f"true; {program} x; true"], [program, "child"], [program, "exec"], [program, "x"]):
            with self.subTest(words=words):
                self.assert_counted_in_silence(*words)
        self.assert_counted_in_silence(program, "kill", code=-signal.SIGKILL)

    def test_processes_that_leave_the_name_spaces_of_the_command(self):
        program = self.build(ENDS, "ends", "-fopenmp")
        for words in (["user"], ["user space"], ["process space"], ["root"]):
            with self.subTest(words=words):
                if subprocess.run([program, *words], check=False).returncode == 77:
                    continue
                self.assert_counted_in_silence(program, *words)
                done, found = self.compared(program, *words)
                self.assertEqual((done.returncode, found["records"][1]["statistics"]["regions"]), (0, "1"))

    def test_processes_that_cannot_be_counted(self):
        """Nobody claims that they opened no region. A comparison hears from the library itself that they did."""
        program = self.build(ENDS, "ends", "-fopenmp")
        if subprocess.run([program, "all spaces"], check=False).returncode == 77:
            self.skipTest("name spaces are refused")
        done = teff("run", "--", program, "all spaces")
        self.assertIn("no region of OpenMP was counted on Teff", done.stderr)
        self.assertIn("or could not be counted", done.stderr)
        self.assertNotIn("opened none", done.stderr)
        done, found = self.compared(program, "all spaces")
        self.assertEqual((done.returncode, found["records"][1]["statistics"]["regions"]), (0, "1"), done.stderr)

    def test_what_the_library_refuses(self):
        """It was called all the same."""
        program = self.build("void GOACC_wait(int, int, ...); int main(void) { GOACC_wait(0, 0); }", "openacc", "-fopenmp")
        done = teff("run", "--", program)
        self.assertEqual(done.returncode, 70)
        self.assertIn("GOACC_wait is not supported", done.stderr)
        self.assertIn(f"'{program}' loads Teff's libgomp.so.1, but opened none", done.stderr)

    def assert_counted_in_silence(self, *words, code=0):
        done = teff("run", "--", *words)
        self.assertEqual((done.returncode, done.stderr), (code, ""))

    def test_no_region(self):
        program = self.build(NO_REGION, "none", "-fopenmp")
        self.assert_unserved(program, output="1\n")
        self.assert_unserved(self.script(program), output="1\n")
        self.assert_unserved("true", output="")

    def test_a_pool_that_fails_before_a_region_is_a_failure(self):
        script = self.script("test -z \"$TEFF_POOL\" || exit 3")
        done, found = self.compared(script)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(found["records"][1]["failure"], "exit code 3")

    def test_a_run_inside_a_run(self):
        worker = self.worker()
        done = self.succeeds("run", "--", TEFF, "run", "--", worker)
        self.assertEqual((done.stdout, done.stderr), ("144\n", ""))
        self.refuses(["compare", "--repeat", "1", "--", TEFF, "run", "--", worker], "finds Teff's libgomp.so.1 by itself")

    def test_a_stock_runtime_that_is_teffs(self):
        drop_in = Path(TEFF).resolve().parent.parent / "lib/gomp"
        program = self.build(WORKER, "bound", "-fopenmp", f"-Wl,-rpath,{drop_in},--disable-new-dtags")
        self.refuses(["compare", "--repeat", "1", "--", program], "finds Teff's libgomp.so.1 by itself", str(program))

    def test_what_the_user_preloads_stays(self):
        mine = self.build(PRELOADED, "mine.so", "-shared", "-fPIC")
        done = self.succeeds("run", "--stats", "--", self.worker(), env={**os.environ, "LD_PRELOAD": str(mine)})
        self.assertEqual(done.stderr.count("mine\n"), 2)  # this command's process, and the program's
        self.assertIn("teff: regions: 1\n", done.stderr)

    def test_files_that_count_nothing_are_left_alone(self):
        other, short = self.file("other", STRANGE), self.file("short", "s")
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        done = self.succeeds("run", "--", self.worker(),
                             env={**os.environ, "_TEFF_REGION_COUNT": f"{other}::{short}:{fifo}:/no/such/file"})
        self.assertEqual((done.stdout, done.stderr), ("144\n", ""))
        self.assertEqual((other.read_text(), short.read_text()), (STRANGE, "s"))

    def test_the_segment_counts_where_the_file_is_another_one(self):
        """As in another name space of processes, where the path to the command's file may lead to a stranger's."""
        system = ctypes.CDLL(None, use_errno=True)
        system.shmat.restype, system.shmat.argtypes = ctypes.c_void_p, (ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
        other = self.file("other", STRANGE)
        for mark, counted in ((0x326E6F6967657254, [1, 1]), (1, [0, 0])):
            segment = system.shmget(0, len(STRANGE), 0o600)  # IPC_PRIVATE
            self.assertGreaterEqual(segment, 0, ctypes.get_errno())
            numbers = (ctypes.c_uint64 * 3).from_address(system.shmat(segment, None, 0))
            system.shmctl(segment, 0, None)  # IPC_RMID: gone with who has it
            numbers[0] = mark
            done = self.succeeds("run", "--", self.worker(), env={**os.environ, "_TEFF_REGION_COUNT": f"{other},{segment}"})
            self.assertEqual((done.stdout, done.stderr), ("144\n", ""))
            self.assertEqual((other.read_text(), list(numbers)), (STRANGE, [mark, *counted]))

    def test_scripts_are_promised_what_holds(self):
        listed = self.succeeds("doctor", self.script("")).stdout
        self.assertIn("what a script loads is not known", listed)
        self.assertIn("says at its end if no region came to it", listed)


def refuse_waits_for_signals():
    """From now on the system refuses them to this process and its children, as in some containers."""
    class Step(ctypes.Structure):
        _fields_ = [("code", ctypes.c_uint16), ("if_so", ctypes.c_uint8), ("if_not", ctypes.c_uint8), ("word", ctypes.c_uint32)]

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_uint16), ("steps", ctypes.POINTER(Step))]

    rt_sigtimedwait = {"x86_64": 128, "aarch64": 137}[platform.machine()]
    load_number, compare, answer, allow, refuse = 0x20, 0x15, 0x06, 0x7FFF0000, 0x00050000 | errno.EPERM
    steps = (Step * 4)(Step(load_number, 0, 0, 0), Step(compare, 0, 1, rt_sigtimedwait), Step(answer, 0, 0, refuse),
                       Step(answer, 0, 0, allow))
    set_no_new_privileges, set_filter, by_program = 38, 22, 2
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    if prctl(set_no_new_privileges, 1, 0, 0, 0) != 0 or prctl(set_filter, by_program, ctypes.byref(Program(4, steps))) != 0:
        raise OSError(ctypes.get_errno(), "no filter")


class InItsPlace(ServedTest):
    """What a program sees of the command that waits for it: nothing."""

    def start(self, program, *before, **options):
        command = subprocess.Popen([*before, TEFF, "run", "--", program], stdout=subprocess.PIPE, text=True, **options)
        self.addCleanup(command.stdout.close)
        self.addCleanup(command.wait)
        self.addCleanup(command.kill)
        return command

    def test_signals_go_on_to_the_program(self):
        command = self.start(self.build(SIGNALLED, "signalled"), stderr=subprocess.DEVNULL)
        self.assertNotEqual(int(command.stdout.readline()), command.pid)
        command.send_signal(signal.SIGINT)
        command.send_signal(signal.SIGUSR1)
        self.assertEqual(command.communicate(timeout=60)[0], "interrupts 1\n")
        self.assertEqual(command.returncode, 5)

    def test_who_kills_the_command_kills_the_program(self):
        command = self.start(self.build(SIGNALLED, "signalled"), stderr=subprocess.DEVNULL)
        command.stdout.readline()
        command.kill()
        self.assertEqual(command.communicate(timeout=60)[0], "")  # nobody has its end of the pipe any more
        self.assertEqual(command.returncode, -signal.SIGKILL)

    def test_signals_of_the_terminal_come_once(self):
        master, terminal = pty.openpty()
        self.addCleanup(os.close, master)
        shell = self.start(self.build(SIGNALLED, "signalled"), sys.executable, "-c", SHELL, stdin=terminal,
                           stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(terminal)
        self.assertEqual(shell.stdout.readline(), "ready\n")
        os.write(master, b"\x03\x1a")  # Control-C, Control-Z
        self.assertEqual(shell.communicate(timeout=60)[0], "stopped\ninterrupts 1\n 5\n")

    def test_what_the_program_closes_is_closed(self):
        command = self.start(self.build(CLOSES, "closes"), stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.assertEqual(command.stdout.read(), "")
        command.stdin.write("A")
        command.stdin.close()
        self.assertEqual(command.wait(timeout=60), ord("A"))

    def test_waits_for_signals_may_be_refused(self):
        program = self.build(SLEEPS, "sleeps")
        for words in (), ("--stats",):
            self.assertEqual(teff("run", *words, "--", program, preexec_fn=refuse_waits_for_signals).returncode, 6)

    def test_a_parent_that_ignores_its_children(self):
        done = teff("run", "--", self.build(PLAIN, "plain"), preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual(done.returncode, 3)
        done = teff("run", "--", self.build(
            "#include <signal.h>\nint main(void) { return signal(SIGCHLD, SIG_DFL) == SIG_IGN ? 7 : 8; }", "asks"),
            preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual(done.returncode, 7)


if __name__ == "__main__":
    # What the caller set for OpenMP programs is not meant for those of this test.
    for name in [name for name in os.environ if name.startswith(("OMP_", "GOMP_", "TEFF_"))]:
        del os.environ[name]
    unittest.main()
