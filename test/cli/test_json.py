#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The JSON object: what docs/run-record.schema.json says, and numbers that agree with each other."""

import json
import statistics
import unittest
from pathlib import Path

import jsonschema

from support import TINY, CommandLineTest

SCHEMA = json.loads((Path(__file__).resolve().parents[2] / "docs" / "run-record.schema.json").read_text())


class Json(CommandLineTest):
    def records(self, *words):
        path = self.folder / "records.json"
        self.succeeds(*words, "--json", path)
        self.assert_only_files("records.json")
        return self.checked(path.read_text())

    def checked(self, text):
        value = json.loads(text)
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        jsonschema.Draft202012Validator(SCHEMA).validate(value)
        for record in value["records"]:
            self.check_numbers(record)
        return value

    def check_numbers(self, record):
        self.assertTrue(record["verified"])
        self.assertAlmostEqual(record["median_seconds"], statistics.median(record["seconds"]))
        self.assertAlmostEqual(record["serial_seconds"], statistics.median(record["serial_samples"]))
        self.assertAlmostEqual(record["speedup"], record["serial_seconds"] / record["median_seconds"])
        self.assertEqual(len(record["tasks_by_worker"]), record["workers"])
        self.assertEqual(sum(record["tasks_by_worker"]), record["tasks"])
        self.assertEqual(record["counters"]["tasks_run"], record["tasks"])
        self.assertGreater(record["account_ns"], 0)
        for worker in range(record["workers"]):
            self.assertEqual(sum(part[worker] for part in record["account"].values()), record["account_ns"])
        self.assertGreater(sum(record["account"]["own_work"]), 0)
        self.assertEqual(record["counters"]["puts"] + record["counters"]["inits"], record["tasks"])

    def test_run(self):
        value = self.records("run", "synthetic", *TINY, "--repeat", 4, "--workers", 2, "--seed", 9, "--pool", "dq8",
                             "--set", "block=8")
        (record,) = value["records"]
        self.assertEqual((value["workload"], value["size"]), ("synthetic", "k=12,f=5"))
        self.assertEqual((record["pool"], record["memory"], record["workers"]), ("dq8", "clf", 2))
        self.assertEqual((record["tasks"], record["seed"], record["settings"]), (1204, 9, ["block=8"]))
        self.assertEqual((len(record["seconds"]), record["simulated"]), (4, False))
        self.assertNotIn("costs", value["machine"])

    def test_compare(self):
        value = self.records("compare", "quicksort", *TINY, "--pools", "dq5,sq1", "--workers", "1,2", "--repeat", 2)
        cases = [(record["pool"], record["workers"]) for record in value["records"]]
        self.assertEqual(cases, [("dq5", 1), ("dq5", 2), ("sq1", 1), ("sq1", 2)])
        self.assertEqual({len(record["seconds"]) for record in value["records"]}, {2})

    def test_settings_of_managers(self):
        words = ["--pools", "dq8", "--memories", "bs,dgbk,cl,cgbk", "--repeat", 1, "--workers", 1]
        settings = [word for each in ("chunk=1", "local=2", "block=3") for word in ("--set", each)]
        value = self.records("compare", "synthetic", *TINY, *words, *settings)
        given = {record["memory"]: sorted(record["settings"]) for record in value["records"]}
        self.assertEqual(given, {"bs": ["block=3"], "dgbk": ["block=3", "chunk=1"], "cl": ["block=3", "local=2"],
                                 "cgbk": ["block=3", "chunk=1", "local=2"]})

    def test_simulate(self):
        value = self.records("simulate", "synthetic", *TINY, "--workers", "1,16", "--machine", "remote_transfer=400")
        self.assertTrue(all(record["simulated"] for record in value["records"]))
        self.assertEqual(value["machine"]["processor"], "simulated")
        self.assertEqual(value["machine"]["name"], "generic")
        self.assertEqual(value["machine"]["usable_processors"], 1024)
        self.assertEqual(value["machine"]["costs"]["remote_transfer"], 400)

    def test_a_named_machine(self):
        value = self.records("simulate", "synthetic", *TINY, "--workers", "1,16", "--machine", "nehalem-ex-4x8", "--machine", "park=7")
        self.assertEqual((value["machine"]["name"], value["machine"]["usable_processors"]), ("nehalem-ex-4x8", 32))
        costs = value["machine"]["costs"]
        self.assertEqual((costs["socket_size"], costs["same_socket_transfer"], costs["cycles_per_ns"], costs["park"]), (8, 75, 2, 7))

    def metrics(self, load):
        said = self.succeeds("simulate", "run_queues", "--machine", "paper-1996", "--pools", "centralised", "--workers", 8, "--size",
                             f"program=lock,wait=spin,processors=8,tasks=8,jobs=200,load={load}", "--json", "-")
        value = json.loads(said.stdout)
        jsonschema.Draft202012Validator(SCHEMA).validate(value)
        return value["records"][0]["metrics"], said.stderr

    def test_what_a_workload_measures(self):
        metrics, table = self.metrics(0.3)
        self.assertEqual((metrics["offered_load"], metrics["saturated"]), (0.3, 0))
        self.assertGreater(metrics["response_mean"], 1)
        self.assertEqual(metrics["front_end_thread"], 1)
        self.assertGreater(metrics["queue_share"], 0)
        self.assertRegex(table, rf"(?m)^pool .* response_mean .*\ncentralised .* {metrics['response_mean']:.4g} ")
        metrics, table = self.metrics(1)
        self.assertEqual((metrics["saturated"], metrics["response_mean"]), (1, None))
        metrics, table = self.metrics(1.2)
        self.assertEqual((metrics["saturated"], metrics["response_mean"]), (1, None))
        self.assertRegex(table, r"(?m)^centralised .* saturated +saturated ")
        (record,) = self.records("run", "fib", *TINY)["records"]
        self.assertEqual(record["metrics"], {})

    def test_natively_there_is_no_machine_to_name(self):
        self.assertNotIn("name", self.records("run", "synthetic", *TINY)["machine"])

    def test_to_standard_output_with_the_table_on_standard_error(self):
        result = self.succeeds("run", "synthetic", *TINY, "--json", "-")
        self.checked(result.stdout)
        self.assertIn("ns/task", result.stderr)

    def test_an_old_file_is_replaced(self):
        path = self.file("records.json", "old")
        self.succeeds("run", "synthetic", *TINY, "--json", path)
        self.checked(path.read_text())


if __name__ == "__main__":
    unittest.main()
