#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page: well-formed, in need of nothing else, with the numbers of the records of the same call, written like any result."""

import json
import os
import re
import resource
import unittest
import xml.etree.ElementTree as ElementTree

from support import TINY, CommandLineTest, teff

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
TWO_POOLS = ["synthetic", *TINY, "--pools", "dq8,sq1"]


def classes(element):
    return element.get("class", "").split()


def text_of(element):
    return "".join(element.itertext())


class PageTest(CommandLineTest):
    def page(self, *words):
        """The page as a tree, and the records of the same call."""
        page, records = self.folder / "page.html", self.folder / "records.json"
        self.succeeds(*words, "--html", page, "--json", records)
        self.assert_only_files("page.html", "records.json")
        self.raw = page.read_text()
        return ElementTree.fromstring(self.raw), json.loads(records.read_text())

    def drawings(self, tree, prefix):
        return [each for each in tree.iter(SVG + "svg") if each.get("id").startswith(prefix)]

    def points(self, drawing):
        return [each for each in drawing.iter(SVG + "g") if "point" in classes(each)]

    def place_of_marker(self, point):
        (marker,) = [each for each in point.iter(SVG + "path") if "marker" in classes(each)]
        return tuple(map(float, re.fullmatch(r"translate\((.*),(.*)\)", marker.get("transform")).groups()))

    def ticks(self, drawing, axis):
        """Value and place of each tick."""
        place = "y" if axis == "speedup" else "x"
        shift = 4.5 if axis == "speedup" else 0  # the middle of a digit stands that far above its foot
        return [(float(each.get("data-value")), float(each.get(place)) - shift)
                for each in drawing.iter(SVG + "text") if classes(each) == ["tick", axis]]

    def assert_at(self, drawing, axis, value, place):
        """On linear axes: the place is what the ticks around say."""
        (value_a, place_a), (value_b, place_b) = (self.ticks(drawing, axis)[i] for i in (0, -1))
        expected = place_a + (value - value_a) * (place_b - place_a) / (value_b - value_a)
        self.assertAlmostEqual(place, expected, delta=0.05)


class Content(PageTest):
    def test_every_record_is_in_the_table(self):
        tree, value = self.page("compare", *TWO_POOLS, "--workers", "1,2", "--repeat", 3)
        (table,) = [each for each in tree.iter(HTML + "table") if "records" in classes(each)]
        rows = [list(row) for row in table.find(HTML + "tbody")]
        self.assertEqual(len(rows), len(value["records"]))
        for row, record in zip(rows, value["records"]):
            self.assertEqual([text_of(cell) for cell in row[:3]], [record["pool"], record["memory"], str(record["workers"])])
            self.assertEqual(float(row[3].get("data-value")), record["median_seconds"])
            self.assertEqual(float(row[5].get("data-value")), record["speedup"])
            self.assertEqual(int(row[12].get("data-value")), record["peak_bytes"])
        self.assertEqual({len(row) for row in rows}, {len(list(table.iter(HTML + "th")))})

    def test_it_says_what_was_run(self):
        tree, value = self.page("compare", *TWO_POOLS, "--repeat", 1, "--seed", 77, "--set", "block=8")
        text = text_of(tree)
        for part in (value["workload"], value["size"], value["machine"]["processor"], value["commit"], "77", "block=8",
                     "measured on this machine"):
            self.assertIn(part, text)

    def test_it_gives_the_same_advice_as_the_terminal(self):
        page = self.folder / "page.html"
        printed = self.succeeds("simulate", *TWO_POOLS, "--workers", "1,8", "--html", page).stdout
        text = text_of(ElementTree.fromstring(page.read_text()))
        for line in printed.splitlines():
            if "worker: " in line or "workers: " in line or "times as long as" in line:
                self.assertIn(line.strip(), text)

    def test_it_needs_nothing_else(self):
        tree, _ = self.page("compare", *TWO_POOLS, "--repeat", 1)
        for element in tree.iter():
            for attribute in ("src", "href", "srcset", "data", "action", "poster"):
                self.assertIsNone(element.get(attribute), element.tag)
        self.assertNotRegex(self.raw, r"url\(|@import|@font-face")
        addresses = set(re.findall(r"\w+://[^\"' ]*", self.raw))
        self.assertLessEqual(addresses, {"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"})
        self.assertRegex(self.raw, r"Content-Security-Policy\" content=\"default-src 'none'")

    def test_html_means_what_xml_means(self):
        # An element that is closed in its own tag stays open in HTML, unless it is one of these or inside a drawing.
        tree, _ = self.page("compare", *TWO_POOLS, "--memories", "dlf,bs", "--repeat", 1)
        for element in tree.iter():
            if element.tag.startswith(HTML) and len(element) == 0 and not element.text:
                self.assertIn(element.tag[len(HTML):], ("meta", "br"))
        self.assertTrue(self.raw.startswith("<!DOCTYPE html>\n<html "))
        self.assertLess(self.raw.index('<meta charset="utf-8"'), 1024)
        identifiers = [each.get("id") for each in tree.iter() if each.get("id")]
        self.assertEqual(len(identifiers), len(set(identifiers)))

    def test_drawings_have_texts(self):
        tree, _ = self.page("compare", *TWO_POOLS, "--workers", "1,2", "--repeat", 2)
        drawings = list(tree.iter(SVG + "svg"))
        self.assertEqual(len(drawings), 4)  # speed-up, times, and where the time of each pool went
        for drawing in drawings:
            self.assertEqual(drawing.get("role"), "img")
            for identifier in drawing.get("aria-labelledby").split():
                (named,) = [each for each in drawing if each.get("id") == identifier]
                self.assertTrue(named.text)
            for point in self.points(drawing):
                self.assertTrue(point.find(SVG + "title").text)


class SpeedUp(PageTest):
    def test_points_are_the_records(self):
        tree, value = self.page("compare", *TWO_POOLS, "--workers", "1,2,3", "--repeat", 4)
        (drawing,) = self.drawings(tree, "speedup")
        points = {(each.get("data-line"), int(each.get("data-workers"))): each for each in self.points(drawing)}
        self.assertEqual(len(points), 6)
        for record in value["records"]:
            point = points[f"{record['pool']} with {record['memory']}", record["workers"]]
            self.assertEqual(float(point.get("data-value")), record["speedup"])
            self.assertEqual(float(point.get("data-low")), record["serial_seconds"] / max(record["seconds"]))
            self.assertEqual(float(point.get("data-high")), record["serial_seconds"] / min(record["seconds"]))
            x, y = self.place_of_marker(point)
            self.assert_at(drawing, "workers", record["workers"], x)
            self.assert_at(drawing, "speedup", record["speedup"], y)
            ends = [float(each.get("y1")) for each in point.iter(SVG + "line")]
            self.assert_at(drawing, "speedup", float(point.get("data-low")), max(ends))
            self.assert_at(drawing, "speedup", float(point.get("data-high")), min(ends))

    def test_the_linear_bound_is_drawn_and_named(self):
        tree, _ = self.page("compare", *TWO_POOLS, "--workers", "1,2", "--repeat", 1)
        (drawing,) = self.drawings(tree, "speedup")
        bound = [each for each in drawing.iter(SVG + "line") if "bound" in classes(each)][0]
        (value_x, x), (value_y, y) = self.ticks(drawing, "workers")[0], self.ticks(drawing, "speedup")[0]
        self.assertEqual((value_x, value_y), (1, 0))
        self.assertAlmostEqual(float(bound.get("y1")), y, delta=0.05)  # from no workers and no speed-up
        self.assertLess(float(bound.get("x1")), x)
        # Where the bound reaches the abscissa of one worker, it has speed-up 1.
        share = (x - float(bound.get("x1"))) / (float(bound.get("x2")) - float(bound.get("x1")))
        self.assert_at(drawing, "speedup", 1, float(bound.get("y1")) + share * (float(bound.get("y2")) - float(bound.get("y1"))))
        names = [each.text for each in drawing.iter(SVG + "text")]
        self.assertEqual(names.count("linear bound"), 2)
        self.assertIn("workers (threads)", names)

    def test_several_managers_the_best_of_each_pool(self):
        tree, value = self.page("compare", *TWO_POOLS, "--memories", "dlf,dl,bs", "--workers", "1,2", "--repeat", 1)
        (drawing,) = self.drawings(tree, "speedup")
        lines = {each.get("data-line") for each in self.points(drawing)}
        for pool in ("dq8", "sq1"):
            last = [each for each in value["records"] if each["pool"] == pool and each["workers"] == 2]
            best = min(last, key=lambda each: each["median_seconds"])
            self.assertIn(f"{pool} with {best['memory']}", lines)
        self.assertEqual(len(lines), 2)

    def test_every_pool_has_a_line(self):
        tree, value = self.page("simulate", "synthetic", "--size", "k=9,f=5", "--workers", "1,4")
        lines = {each.get("data-line") for drawing in self.drawings(tree, "speedup") for each in self.points(drawing)}
        self.assertEqual(lines, {f"{each['pool']} with clf" for each in value["records"]})
        self.assertIn("virtual", text_of(tree))


class Times(PageTest):
    def test_one_number_of_workers_has_dots(self):
        tree, value = self.page("compare", *TWO_POOLS, "--workers", 2, "--repeat", 3)
        self.assertFalse(self.drawings(tree, "speedup"))
        (drawing,) = self.drawings(tree, "times")
        points = {each.get("data-line"): each for each in self.points(drawing)}
        per_second = {"ns": 1e9, "us": 1e6, "ms": 1e3, "s": 1}
        (label,) = [each.text for each in drawing.iter(SVG + "text") if each.text.startswith("median time in ")]
        factor = per_second[label.split()[3].rstrip(",")]
        for record in value["records"]:
            point = points[f"{record['pool']} with {record['memory']}"]
            self.assertAlmostEqual(float(point.get("data-value")), record["median_seconds"] * factor)
            self.assertAlmostEqual(float(point.get("data-low")), min(record["seconds"]) * factor)
            self.assertAlmostEqual(float(point.get("data-high")), max(record["seconds"]) * factor)
            if "logarithmic" not in label:
                self.assert_at(drawing, "value", float(point.get("data-value")), self.place_of_marker(point)[0])

    def test_one_record(self):
        tree, _ = self.page("compare", "synthetic", *TINY, "--pools", "dq8", "--workers", 1, "--repeat", 1)
        (drawing,) = self.drawings(tree, "times")
        self.assertEqual(len(self.points(drawing)), 1)


class Account(PageTest):
    def test_the_pieces_of_each_bar_are_the_records(self):
        tree, value = self.page("simulate", "synthetic", *TINY, "--pools", "sq1", "--workers", 4)
        (drawing,) = self.drawings(tree, "account")
        (record,) = value["records"]
        pieces = [each for each in drawing.iter(SVG + "rect") if each.get("data-value")]
        for worker in range(4):
            own = [each for each in pieces if text_of(each).startswith(f"worker {worker}:")]
            self.assertAlmostEqual(sum(float(each.get("width")) for each in own), 640, delta=1)
            shown = {each.get("class").split("p-")[1]: int(each.get("data-value")) for each in own}
            for part, ns in record["account"].items():
                if ns[worker] > record["account_ns"] / 1000:
                    self.assertEqual(shown[part], ns[worker])


class HeatMap(PageTest):
    def test_cells_are_the_records(self):
        tree, value = self.page("compare", *TWO_POOLS, "--memories", "dlf,bs,dl", "--workers", "1,2", "--repeat", 2)
        maps = [each for each in tree.iter(HTML + "table") if "heat" in classes(each)]
        self.assertEqual(len(maps), 2)
        for table, workers in zip(maps, (1, 2)):
            of_these = [each for each in value["records"] if each["workers"] == workers]
            cells = [each for each in table.iter(HTML + "td") if each.get("data-value")]
            self.assertEqual([float(each.get("data-value")) for each in cells], [each["median_seconds"] for each in of_these])
            champions = {float(each.get("data-value")) for each in cells if "champion" in classes(each)}
            self.assertEqual(champions, {min(each["median_seconds"] for each in of_these)})

    def test_none_for_one_manager(self):
        tree, _ = self.page("compare", *TWO_POOLS, "--repeat", 1)
        self.assertFalse([each for each in tree.iter(HTML + "table") if "heat" in classes(each)])


class Written(PageTest):
    def test_to_standard_output_with_the_text_on_standard_error(self):
        result = self.succeeds("compare", *TWO_POOLS, "--repeat", 1, "--html", "-")
        ElementTree.fromstring(result.stdout)
        self.assertIn("ns/task", result.stderr)

    def test_the_same_seed_gives_the_same_page(self):
        words = ["simulate", *TWO_POOLS, "--workers", "1,4", "--seed", 3, "--html", "-"]
        self.assertEqual(self.succeeds(*words).stdout, self.succeeds(*words).stdout)

    def test_one_file_for_two_things(self):
        path = self.folder / "both"
        other_way = self.folder / "." / "more" / ".." / "both"
        for words in (["--json", path, "--html", path], ["--json", path, "--html", str(other_way)],
                      ["--json", "-", "--html", "-"]):
            self.refuses(["compare", *TWO_POOLS, *words], "--json and --html name the same file")
        self.assert_only_files()

    def test_files_that_cannot_be_written_are_found_before_anything_runs(self):
        for path in (self.folder / "no" / "such", self.folder, ""):
            # Otherwise this would take minutes.
            self.refuses(["compare", "quicksort", "--size", "n=1000000,threshold=1", "--repeat", "1000", "--html", path])
        self.assert_only_files()

    def test_run_has_no_page(self):
        self.refuses(["run", "synthetic", *TINY, "--html", self.folder / "page"], "--html")
        self.assert_only_files()

    def test_full_disk(self):
        result = teff("compare", *TWO_POOLS, "--repeat", 1, "--html", "/dev/full")
        self.assertEqual(result.returncode, 2)
        self.assertIn("cannot write '/dev/full'", result.stderr)
        with open("/dev/full", "w", encoding="utf-8") as full:  # which standard error is, where the table goes then
            self.assertEqual(teff("compare", *TWO_POOLS, "--repeat", 1, "--json", "-", stderr=full).returncode, 2)
            result = teff("compare", *TWO_POOLS, "--repeat", 1, "--html", "-", stdout=full)
        self.assertEqual(result.returncode, 2)
        self.assertIn("cannot write to standard output", result.stderr)

    def test_no_room_leaves_what_was_there(self):
        path = self.file("old", "as it was")
        result = teff("compare", *TWO_POOLS, "--repeat", 1, "--html", path,
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
        self.assertEqual(result.returncode, 2)
        self.assertIn("cannot write", result.stderr)
        self.assertEqual(path.read_text(), "as it was")
        self.assert_only_files("old")

    def test_a_folder_that_may_not_be_written(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        self.folder.chmod(0o500)
        self.refuses(["compare", *TWO_POOLS, "--html", self.folder / "page"], os.strerror(13))


if __name__ == "__main__":
    unittest.main()
