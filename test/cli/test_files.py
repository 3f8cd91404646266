#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files in and out: nothing lost, nothing half-written, a sentence for everything that cannot be."""

import errno
import json
import os
import pty
import resource
import signal
import struct
import subprocess
import tempfile
import unittest

from support import TEFF, TINY, CommandLineTest, teff

# Many short runs: ThreadSanitizer hands signals on between system calls only.
LONG = ["compare", "synthetic", "--size", "k=16,f=100", "--memories", "all", "--repeat", "1000"]


class Sorting(CommandLineTest):
    def sort(self, source, target, *words):
        self.succeeds("run", "quicksort", "--size", "threshold=10", "--input", source, "--output", target, *words)
        return target

    def test_text(self):
        numbers = [(i * 7919) % 10007 - 5000 for i in range(3000)]
        source = self.file("in.txt", "\n".join(map(str, numbers)))
        target = self.sort(source, self.folder / "out.txt", "--workers", 2)
        self.assertEqual([int(word) for word in target.read_text().split()], sorted(numbers))

    def test_binary(self):
        numbers = [3, -1, 2**63 - 1, -(2**63), 0, 3]
        source = self.file("in.bin", struct.pack("<6q", *numbers))
        target = self.sort(source, self.folder / "out.i64")
        self.assertEqual(list(struct.unpack("<6q", target.read_bytes())), sorted(numbers))

    def test_format_overrides_the_names(self):
        source = self.file("in.txt", struct.pack("<3q", 3, 1, 2))
        target = self.sort(source, self.folder / "out.txt", "--format", "binary")
        self.assertEqual(struct.unpack("<3q", target.read_bytes()), (1, 2, 3))

    def test_from_text_to_binary(self):
        target = self.sort(self.file("in.txt", "2 1"), self.folder / "out.bin")
        self.assertEqual(struct.unpack("<2q", target.read_bytes()), (1, 2))

    def test_in_place(self):
        path = self.file("data.txt", "3 1 2")
        path.chmod(0o640)
        self.sort(path, path)
        self.assertEqual(path.read_text(), "1\n2\n3\n")
        self.assertEqual(path.stat().st_mode & 0o777, 0o640)
        self.assert_only_files("data.txt")

    def test_nothing_to_sort(self):
        self.assertEqual(self.sort(self.file("empty.txt", ""), self.folder / "out.txt").read_bytes(), b"")

    def test_symbolic_links_stay(self):
        target = self.file("target.txt", "old")
        link = self.folder / "link.txt"
        link.symlink_to(target)
        self.sort(self.file("in.txt", "2 1"), link)
        self.assertTrue(link.is_symlink())
        self.assertEqual(target.read_text(), "1\n2\n")

    def test_compare_and_simulate_take_input_too(self):
        source = self.file("in.txt", " ".join(map(str, range(500, 0, -1))))
        for command in ("compare", "simulate"):
            self.succeeds(command, "quicksort", "--size", "threshold=10", "--input", source, "--pools", "dq2", "--workers", 2)

    def test_workloads_that_read_none(self):
        self.refuses(["run", "fib", "--input", "in.txt"],
                     "workload 'fib' reads no input file; allowed for: quicksort, alignment, sparselu, strassen")

    def test_proteins(self):
        source = self.file("in.fa", ">one\nMKVLAAGIVGLLLAQWERH\n>two\nMKVLAGIVGLLAQWDRH\n>three\nwwwcccmmm\n")
        for by in ("single", "for"):
            said = self.succeeds("run", "alignment", "--input", source, "--size", f"by={by}", "--workers", 2, "--json", "-").stdout
            self.assertIn('"tasks": 3', said)


    def test_matrices(self):
        head = "%%MatrixMarket matrix coordinate real general\n"
        entries = "".join(f"{i} {i} 9\n{i} {i % 10 + 1} 1\n" for i in range(1, 11))
        source = self.file("in.mtx", f"{head}10 10 20\n{entries}")
        for by in ("single", "for"):
            self.succeeds("run", "sparselu", "--input", source, "--size", f"m=3,by={by}", "--workers", 2)
        self.refuses(["run", "sparselu", "--input", source, "--size", "n=3"], "beside it, --size takes m= and by=")
        self.refuses(["run", "sparselu", "--input", self.file("cut.mtx", f"{head}10 10 20\n1 1"), "--size", "m=3"], "cut.mtx", "the file is cut off")
        singular = teff("run", "sparselu", "--input", self.file("zero.mtx", f"{head}2 2 2\n1 2 1\n2 1 1\n"), "--size", "m=1")
        self.assertNotEqual(singular.returncode, 0)
        self.assertIn("without pivots this matrix has no factors: the number on the diagonal of row 1", singular.stdout + singular.stderr)

    def test_matrices_to_multiply(self):
        head = "%%MatrixMarket matrix array real general\n"
        source = self.file("in.mtx", f"{head}4 4\n" + "".join(f"{i}.5\n" for i in range(16)))
        said = self.succeeds("run", "strassen", "--input", source, "--size", "base=1,cutoff=manual", "--workers", 2, "--json", "-").stdout
        self.assertIn('"tasks": 56', said)
        self.refuses(["run", "strassen", "--input", source, "--size", "n=4"], "beside it, --size takes base= and cutoff=")
        self.refuses(["run", "strassen", "--input", source, "--format", "text"], "'text'", "matrix-market")
        self.refuses(["run", "strassen", "--input", self.file("three.mtx", f"{head}3 3\n" + "1\n" * 9)], "has 3 rows; allowed: 1, 2, 4 ... 16384")
        self.refuses(["run", "strassen", "--input", self.file("cut.mtx", f"{head}2 2\n1\n2\n")], "cut.mtx", "the file is cut off")


class WrongInput(CommandLineTest):
    def test_proteins(self):
        for content, part in [("", "it is empty"), (">a\nMK\n>b\n", "line 3, column 1: no sequence follows '>b': the file is cut off"),
                              (">a\nMK\n\nAJ\n", "line 4, column 2: 'J' is none of the letters that BLOSUM62 scores"), (">a\nMK\n", "has one sequence; allowed: 2 and more"),
                              (b">a\nM\x1b[2J\n", "line 2, column 2: '?'")]:
            result = self.refuses(["run", "alignment", "--input", self.file("in.fa", content)], "in.fa", part)
            self.assert_plain(result.stderr)
        source = self.file("in.fa", ">a\nMK\n>b\nMK\n")
        self.refuses(["run", "alignment", "--input", source, "--size", "length=9"], "beside it, --size takes by=")
        self.refuses(["run", "alignment", "--input", source, "--format", "text"], "'text'", "fasta")
        self.refuses(["run", "strassen", "--size", "n=100"], "'100', which is no power of two")

    def test_line_and_column(self):
        for content, place in [("1 2\n3 x\n", "line 2, column 3: 'x' is no integer"),
                               ("\n\n  99999999999999999999", "line 3, column 3: '99999999999999999999' does not fit 64 bits"),
                               ("1,2", "line 1, column 1: '1,2'"), (b"1 \x00\x1b[2J", "line 1, column 3: '??[2J'")]:
            result = self.refuses(["run", "quicksort", "--input", self.file("in.txt", content)], "in.txt", place)
            self.assert_plain(result.stderr)

    def test_binary_that_is_cut_off(self):
        self.refuses(["run", "quicksort", "--input", self.file("in.bin", b"123456789")], "9 bytes", "64-bit")

    def test_files_that_cannot_be_read(self):
        self.refuses(["run", "quicksort", "--input", self.folder / "missing"], "missing", os.strerror(errno.ENOENT))
        self.refuses(["run", "quicksort", "--input", self.folder], os.strerror(errno.EISDIR))
        self.refuses(["run", "quicksort", "--input", ""], "empty")
        if os.geteuid() != 0:
            path = self.file("secret", "1")
            path.chmod(0)
            self.refuses(["run", "quicksort", "--input", path], os.strerror(errno.EACCES))

    def test_a_format_without_a_file(self):
        self.refuses(["run", "synthetic", *TINY, "--format", "text"], "--format", "--input", "--output")

    def test_sizes_of_made_input_beside_a_file(self):
        source = self.file("in.txt", "3 1 2")
        for size in ("n=99", "threshold=10,kind=sorted"):
            self.refuses(["run", "quicksort", "--input", source, "--size", size], "threshold=")

    def test_workloads_without_files(self):
        self.refuses(["run", "synthetic", *TINY, "--input", self.file("in", "1")], "no input")
        self.refuses(["run", "synthetic", *TINY, "--output", self.folder / "out"], "synthetic", "no result")
        self.refuses(["run", "quicksort", *TINY, "--output", "-"], "'-'")
        self.assert_only_files("in")


class WrongOutput(CommandLineTest):
    def test_files_that_cannot_be_written_are_found_before_anything_runs(self):
        for option in ("--json", "--output"):
            for path in (self.folder / "no" / "such", self.folder, ""):
                # Otherwise this would take minutes.
                self.refuses(["run", "quicksort", "--size", "n=1000000,threshold=1", "--repeat", "1000", option, path])
        self.assert_only_files()

    def test_one_file_for_two_things(self):
        path = self.folder / "both"
        self.refuses(["run", "quicksort", *TINY, "--json", path, "--output", path], "same file")
        self.refuses(["run", "quicksort", *TINY, "--json", "new.out", "--output", "./new.out"], "same file", cwd=self.folder)

    def fails_to_write(self, *words, **options):
        result = teff(*words, **options)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("cannot write", result.stderr)
        return result

    def test_full_disk(self):
        self.fails_to_write("run", "synthetic", *TINY, "--json", "/dev/full")
        self.fails_to_write("run", "quicksort", *TINY, "--output", "/dev/full")
        with open("/dev/full", "w", encoding="utf-8") as full:
            for words in ([], ["list", "pools"], ["run", "synthetic", *TINY], ["run", "synthetic", *TINY, "--json", "-"]):
                self.fails_to_write(*words, stdout=full)

    def test_no_room_leaves_what_was_there(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        for option, words in (("--json", ["synthetic"]), ("--output", ["quicksort"])):
            path = self.file("old", "as it was")
            self.fails_to_write("run", *words, *TINY, option, path, preexec_fn=limit)
            self.assertEqual(path.read_text(), "as it was")
            self.assert_only_files("old")

    def test_closed_standard_output(self):
        self.fails_to_write("list", "pools", stdout=None, preexec_fn=lambda: os.close(1))
        # The file must not take the place of the closed stream.
        path = self.folder / "records.json"
        self.fails_to_write("run", "synthetic", *TINY, "--json", path, stdout=None, preexec_fn=lambda: os.close(1))
        json.loads(path.read_text())

    def test_a_pipe_that_nobody_reads(self):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "w") as broken:
            self.fails_to_write("list", "pools", stdout=broken)

    def test_devices_are_written_directly(self):
        self.succeeds("run", "synthetic", *TINY, "--json", "/dev/null")
        self.assertTrue(os.path.exists("/dev/null") and not os.path.isfile("/dev/null"))


class Interrupted(CommandLineTest):
    def interrupt(self, sent, words, when):
        """Starts what would take many minutes, waits for a progress line, sends the signal: exit code, error output, and the file;
        `table` has the other output."""
        path = self.file("records.json", "as it was")
        master, slave = pty.openpty()
        command = [TEFF, *words, "--json", path]
        with tempfile.TemporaryFile("w+") as table, subprocess.Popen(command, stdout=table, stderr=slave) as process:
            os.close(slave)
            text = b""
            while when not in text:
                text += os.read(master, 1000)
            process.send_signal(sent)
            try:
                code = process.wait(timeout=100)
            finally:
                process.kill()
            table.seek(0)
            self.table = table.read()
        try:
            while more := os.read(master, 1000):
                text += more
        except OSError:
            pass  # how Linux says that nobody has the other end open any more
        os.close(master)
        self.assert_only_files("records.json")
        return code, text.decode(), path.read_text()

    def test_says_so_and_leaves_nothing_behind(self):
        code, text, record = self.interrupt(signal.SIGTERM, LONG, b"[3/")
        self.assertEqual((code, record), (143, "as it was"))
        self.assertIn("teff: interrupted; no file was written", text)

    def test_what_was_finished_is_told(self):
        code, text, record = self.interrupt(signal.SIGINT, LONG, b"[3/")
        self.assertEqual(code, 130)
        self.assertIn("teff: interrupted; what was finished follows", text)
        records = json.loads(record)["records"]
        self.assertTrue(records)
        for each in records:
            self.assertTrue(each["seconds"])
        self.assertLess(max(len(each["seconds"]) for each in records), 1000)

    def test_values_of_a_sweep_that_were_finished_are_told(self):
        values = ",".join(map(str, range(1, 101)))
        words = ["simulate", "synthetic", "--size", "k=8,f=100", "--pools", "sq1,dq8", "--workers", "2", "--repeat", "1000",
                 "--sweep", f"remote_transfer={values}"]
        code, _, record = self.interrupt(signal.SIGINT, words, b"= 3:")
        self.assertEqual(code, 130)
        found = [each["swept"] for each in json.loads(record)["records"]]
        self.assertEqual(found, [value for value in range(1, len(found) // 2 + 1) for _ in range(2)])
        self.assertGreaterEqual(len(found), 4)
        self.assertLess(len(found), 200)

    def test_a_search_for_a_gap_that_is_interrupted_says_so(self):
        words = ["simulate", "synthetic", "--size", "k=8,f=100", "--pools", "sq1,teff", "--workers", "4", "--why", "--repeat", "40"]
        code, _, _ = self.interrupt(signal.SIGINT, words, b"without ")
        self.assertEqual(code, 130)
        self.assertIn("was interrupted: there may be more to it", self.table)
        self.assertNotIn("no gap", self.table)


if __name__ == "__main__":
    unittest.main()
