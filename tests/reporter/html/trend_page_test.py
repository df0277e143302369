"""The page of a history in Chromium: trend_page_test.py FOLDER, which `sample_pages` filled."""
import os
import re
import unittest

import browser
from browser import Browser, PageTest

FIRST = ".alert .history"
LIVE = FIRST + " svg.live"
SERIES = 40


def shown_range(page, box=FIRST):
    return [float(end) for end in
            page.run("return document.querySelector(arguments[0]).dataset.range", box).split()]


class Nights(PageTest):
    def setUp(self):
        super().setUp()
        self.open("trend_nights.html")
        self.browser.wait_for("return document.querySelector(arguments[0])", LIVE)

    def said(self, box=FIRST):
        return self.browser.texts(box + " .said")[0]

    def settled_range(self, other_than):
        """Drawn with the next frame."""
        return self.browser.wait_for(
            "const range = document.querySelector(arguments[0]).dataset.range;"
            "return range !== arguments[1] && range", FIRST, other_than)

    def range_text(self):
        return self.browser.run("return document.querySelector(arguments[0]).dataset.range", FIRST)

    def test_hovering_says_commit_and_value(self):
        self.browser.hover(LIVE)
        self.assertRegex(self.said(), r"\d k/s .*from its level c0ffee\d{6} Change number \d+ 2026-")
        before = self.said()
        self.browser.hover(LIVE, dx=200)
        self.assertNotEqual(self.said(), before)
        self.assertEqual(self.browser.count(FIRST + " .pointer:not([display=none]) .ring"), 1)
        self.assert_quiet()

    def test_the_value_is_the_one_that_was_measured(self):
        """The table of the page and the script's picture are of one level."""
        self.browser.click(".series summary")
        box = ".series[open] .history"
        self.browser.wait_for("return document.querySelector(arguments[0])", box + " svg.live")
        self.browser.run("document.querySelector(arguments[0]).focus()", box + " svg.live")
        self.browser.type(box + " svg.live", "\ue010")  # End
        value, unit = re.match(r"([\d.]+) (\S+)", self.said(box)).groups()
        now, now_unit = re.match(r"([\d.]+) (\S+)",
                                 self.browser.texts(".series[open] .now")[0]).groups()
        self.assertEqual(unit, now_unit)
        self.assertLess(abs(float(value) / float(now) - 1), 0.1)

    def test_a_commit_with_a_step_says_what_changed(self):
        words = self.browser.texts(FIRST + " [data-at] title")[0]
        self.assertRegex(words, r"-12\.0 % \[.*new alert: \d+ k/s -> \d+ k/s at c0ffee\d{6}")
        self.browser.run("document.querySelector(arguments[0]).focus()", LIVE)
        # From the last point, 239, back to the step at 223.
        self.browser.type(LIVE, "\ue010" + "\ue012" * 16)
        self.assertIn("new alert", self.said())

    def test_dragging_zooms_and_a_double_click_shows_all(self):
        whole = self.range_text()
        start = shown_range(self.browser)
        self.browser.drag(LIVE, -200, 100)
        self.settled_range(whole)
        low, high = shown_range(self.browser)
        self.assertGreater(low, start[0])
        self.assertLess(high, start[1])
        zoomed = self.range_text()
        self.browser.double_click(LIVE)
        self.assertEqual(self.settled_range(zoomed), whole)

    def test_wheel_with_control_zooms_around_the_pointer(self):
        whole = self.range_text()
        self.browser.wheel(LIVE, -200, modifiers=2)
        self.settled_range(whole)
        low, high = shown_range(self.browser)
        first, last = [float(end) for end in whole.split()]
        self.assertAlmostEqual((low + high) / 2, (first + last) / 2, delta=(last - first) * 0.05)
        self.assertLess(high - low, (last - first) * 0.6)

    def test_wheel_alone_scrolls_the_page(self):
        whole = self.range_text()
        self.browser.wheel(LIVE, 100)
        self.assertEqual(self.range_text(), whole)

    def test_buttons_and_keys_zoom_and_pan(self):
        whole = self.range_text()
        self.browser.click(FIRST + " button[title='zoom in']")
        near = self.settled_range(whole)
        self.browser.click(FIRST + " button[title='show all commits']")
        self.assertEqual(self.settled_range(near), whole)
        self.browser.run("document.querySelector(arguments[0]).focus()", LIVE)
        self.browser.type(LIVE, "+")
        self.assertEqual(self.settled_range(whole), near)
        self.browser.type(LIVE, "\ue008\ue014")  # shift, right
        panned = self.settled_range(near)
        self.assertGreater(float(panned.split()[0]), float(near.split()[0]))
        self.browser.type(LIVE, "0")
        self.assertEqual(self.settled_range(panned), whole)

    def test_a_finger_shows_and_two_zoom(self):
        x, y = self.browser.middle(LIVE)
        touch = lambda kind, *places: self.browser.command(
            "Input.dispatchTouchEvent", type=kind,
            touchPoints=[{"x": x + dx, "y": y, "id": i} for i, dx in enumerate(places)])
        whole = self.range_text()
        touch("touchStart", 0)
        self.assertIn("c0ffee", self.said())
        touch("touchEnd")
        touch("touchStart", -50, 50)
        touch("touchMove", -150, 150)
        low, high = [float(end) for end in self.settled_range(whole).split()]
        first, last = [float(end) for end in whole.split()]
        self.assertLess(high - low, (last - first) * 0.5)
        touch("touchEnd")

    def test_the_picture_stays_where_it_is_under_the_pointer(self):
        top = lambda: self.browser.run(
            "return document.querySelector(arguments[0]).getBoundingClientRect().top", LIVE)
        self.browser.middle(LIVE)  # scrolls
        before = top()
        for dx in range(-400, 500, 100):
            self.browser.hover(LIVE, dx=dx)
            self.assertEqual(top(), before)

    def test_filter_finds_by_name_and_state(self):
        visible = "return Array.from(document.querySelectorAll('.series')).filter(e => !e.hidden).length"
        self.assertEqual(self.browser.run(visible), SERIES)
        self.browser.type(".filter input", "CASE_1 step")
        names = self.browser.run("return Array.from(document.querySelectorAll('.series:not([hidden])'),"
                                 " e => e.querySelector('summary').textContent)")
        self.assertTrue(names)
        for name in names:
            self.assertIn("suite/case_1", name)
            self.assertIn("step_time", name)
        self.assertIn(f"{len(names)} of {SERIES}", self.browser.texts(".filter output"))
        self.browser.run("const f = document.querySelector('.filter input'); f.value = '';"
                         "f.dispatchEvent(new Event('input'))")
        self.browser.click(".filter button:nth-of-type(1)")
        self.assertEqual(self.browser.run(visible), 2)
        self.assertEqual(set(self.browser.texts(".series:not([hidden]) .state")), {"new"})
        self.browser.click(".filter button:nth-of-type(1)")
        self.assertEqual(self.browser.run(visible), SERIES, "pressed again it asks for nothing")

    def test_the_buttons_stand_in_place_of_the_counts(self):
        self.assertEqual(self.browser.count(".series-counts"), 0)
        self.assertEqual(self.browser.count(".filter"), 1)
        counts = [int(re.search(r"\d+$", text)[0]) for text in self.browser.texts(".filter button")]
        self.assertEqual(sum(counts), SERIES)

    def test_sorting_by_a_column_and_back(self):
        column = lambda key: self.browser.run(
            "return Array.from(document.querySelectorAll('.series'), e => e.dataset[arguments[0]])", key)
        for key in ("points", "noise", "now"):
            self.browser.click(f".series-heads [data-key='{key}'] button")
            values = [float(value) for value in column(key)]
            self.assertEqual(values, sorted(values, reverse=True), key)
            self.browser.click(f".series-heads [data-key='{key}'] button")
            values = [float(value) for value in column(key)]
            self.assertEqual(values, sorted(values), key)
        self.browser.click(".series-heads [data-key='change'] button")
        changes = [abs(float(value)) if value else -1 for value in column("change")]
        self.assertEqual(changes, sorted(changes, reverse=True), "what has none comes last")

    def test_the_worst_state_first_and_names_in_order(self):
        states = self.browser.texts(".series .state")
        names = lambda: self.browser.texts(".series .name")
        self.browser.click(".series-heads [data-key='name'] button")
        numbers = [[int(digits) for digits in re.findall(r"\d+", name)] for name in names()]
        self.assertEqual(numbers, sorted(numbers), "case_2 before case_10")
        self.browser.click(".series-heads [data-key='urgency'] button")
        self.assertEqual(self.browser.texts(".series .state"), states)

    def test_an_address_opens_its_series(self):
        target = self.browser.run("return document.querySelectorAll('.series')[20].id")
        self.browser.open((self.pages / "trend_nights.html").as_uri() + "#" + target)
        self.browser.wait_for("return document.querySelector('.series[open] svg.live')")
        self.assertEqual(self.browser.run("return document.querySelector('.series[open]').id"), target)

    def test_a_link_opens_its_series(self):
        self.browser.click(".alert h3 a")
        self.browser.wait_for("return document.querySelector('.series[open] svg.live')")
        self.assertEqual(self.browser.count(".series[open]"), 1)
        self.assert_quiet()

    def test_another_machine_is_drawn_beside(self):
        self.browser.type(".filter input", "1f2e3d4c")
        self.browser.click(".series:not([hidden]) summary")
        self.browser.wait_for("return document.querySelector('.series[open] svg.live path.axis')")
        self.assertTrue(any("machine 1f2e3d4c" in text
                            for text in self.browser.texts(".series[open] svg.live text")))

    def test_zooming_stretches_the_field_and_no_mark(self):
        sizes = lambda part: self.browser.run(
            "return Array.from(document.querySelector(arguments[0]).querySelectorAll(arguments[1]),"
            " part => part.getBoundingClientRect().width)", FIRST, f".field {part}")
        marks, bands = sizes("[data-at] > :last-child"), sizes(".band")
        whole = self.range_text()
        self.browser.run("document.querySelector(arguments[0]).focus()", LIVE)
        self.browser.type(LIVE, "+")
        self.settled_range(whole)
        for before, after in zip(marks, sizes("[data-at] > :last-child")):
            self.assertAlmostEqual(before, after, delta=0.2)
        for before, after in zip(bands, sizes(".band")):
            self.assertAlmostEqual(2 * before, after, delta=0.2)
        self.assertRegex(self.said(), r"^2026-\d\d-\d\d to 2026-\d\d-\d\d", "the days in sight")

    def test_no_texts_meet(self):
        for width in (1280, 390):
            self.browser.size(width, 844)
            self.open("trend_nights.html")
            self.browser.wait_for("return document.querySelector(arguments[0])", LIVE)
            boxes = self.browser.run(
                "return Array.from(document.querySelectorAll(arguments[0]), text => {"
                " const box = text.getBoundingClientRect();"
                " return [box.top, box.left, box.right]; }).filter(box => box[1] < box[2])",
                FIRST + " .field [data-x] text")
            self.assertGreater(len(boxes), 2)
            for (top, _, right), (other_top, left, _) in zip(sorted(boxes), sorted(boxes)[1:]):
                self.assertTrue(top != other_top or right <= left + 1, (width, boxes))

    def test_fits_a_telephone_and_is_legible_in_the_dark(self):
        self.browser.size(390, 844)
        self.browser.wait_for("return document.querySelector(arguments[0]).clientWidth <= 390", LIVE)
        self.assertEqual(self.browser.overflow(), 0)
        self.browser.dark()
        colors = self.browser.run(
            "return [getComputedStyle(document.querySelector(arguments[0])).color,"
            " getComputedStyle(document.body).backgroundColor]", LIVE + " .strong")
        light = [sum(int(part) for part in re.findall(r"\d+", color)[:3]) for color in colors]
        self.assertGreater(light[0], light[1] + 300)


class WithoutScripts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(javascript=False)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def test_every_series_is_drawn_and_opens(self):
        self.browser.open(PageTest.pages / "trend_nights.html")
        self.assertEqual(self.browser.count(".series .thumbnail svg"), SERIES)
        self.assertEqual(self.browser.count(".series .history svg"), SERIES)
        self.assertEqual(self.browser.count("svg.live"), 0)
        self.assertGreater(self.browser.count(".alert svg"), 0)
        self.browser.click(".series summary")
        self.assertTrue(self.browser.is_shown(".series .history svg"))
        self.assertEqual(self.browser.problems(), [])


class Hostile(PageTest):
    """Every fourth text: those that the comparison's test opens as a history are others. All with
    PERF_COMPARE_FAULTS=full."""

    def test_names_and_subjects_are_text_in_moving_pictures_too(self):
        step = 1 if os.environ.get("PERF_COMPARE_FAULTS") == "full" else 4
        for folder in sorted((self.pages / "hostile").iterdir())[::step]:
            with self.subTest(folder.name):
                self.browser.open(folder / "trend.html")
                self.browser.middle(FIRST)  # below a long headline it waits to be seen
                self.browser.wait_for("return document.querySelector(arguments[0])", LIVE)
                self.browser.hover(LIVE)
                self.assertEqual(self.browser.count(".said script, .said img, .said a, .said h1"), 0)
                self.assertEqual(self.browser.count("svg.live script, svg.live img, svg.live a"), 0)
                self.assertTrue(self.browser.texts(FIRST + " .said .subject"))
                self.assert_quiet()


if __name__ == "__main__":
    browser.main()
