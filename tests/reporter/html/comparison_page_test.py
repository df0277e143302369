"""The comparison's page in Chromium: comparison_page_test.py FOLDER, which `sample_pages` filled."""
import http.server
import functools
import os
import re
import threading
import unittest

import browser
from browser import PageTest

ROW = "table[data-filter] tbody"


def shown(rows):
    return f"{rows}:not([hidden])"


class EveryPage(PageTest):
    """What holds for each sample, whatever kind of report."""

    def test_asks_for_nothing_and_complains_of_nothing(self):
        for page in sorted(self.pages.glob("*.html")):
            with self.subTest(page.name):
                self.browser.open(page)
                self.assert_quiet()
                self.assertEqual(self.browser.count("h1"), 1)
                self.assertIn("perf-compare", self.browser.driver.title)

    def test_fits_a_telephone(self):
        for page in sorted(self.pages.glob("*.html")):
            for width in (390, 320, 800):
                with self.subTest(page.name, width=width):
                    self.browser.size(width, 844)
                    self.browser.open(page)
                    self.browser.run("for (const d of document.querySelectorAll('details')) d.open = true")
                    self.assertEqual(self.browser.overflow(), 0)

    def test_the_button_lies_beside_the_verdict(self):
        for page in ("regressed.html", "trend_moved.html"):
            for width in (1280, 800, 390):
                with self.subTest(page, width=width):
                    self.browser.size(width, 844)
                    self.browser.open(self.pages / page)
                    self.browser.wait_for("return document.querySelector('.theme')")
                    self.assertTrue(self.browser.run(
                        "const [button, verdict] = ['.theme', '.verdict'].map("
                        "one => document.querySelector(one).getBoundingClientRect());"
                        "return button.bottom <= verdict.top || button.left >= verdict.right"))

    def test_rows_are_whole_on_a_telephone(self):
        for page in ("regressed.html", "mixed.html"):
            for width in (390, 375, 320):
                with self.subTest(page, width=width):
                    self.browser.size(width, 844)
                    self.browser.open(self.pages / page)
                    wide = self.browser.run(
                        "return Array.from(document.querySelectorAll('.scroll'))"
                        ".filter(box => box.querySelector('.comparisons')"
                        " && box.scrollWidth > box.clientWidth).length")
                    self.assertEqual(wide, 0, "a table scrolls sideways")
                    broken = self.browser.run(
                        "return Array.from(document.querySelectorAll('.comparisons th code'))"
                        ".filter(name => name.getClientRects().length > 1 &&"
                        " name.textContent.length < 30).map(name => name.textContent)")
                    self.assertEqual(broken, [])

    def test_ids_are_unique_and_links_lead_somewhere(self):
        for page in sorted(self.pages.glob("*.html")):
            with self.subTest(page.name):
                self.browser.open(page)
                ids = self.browser.run("return Array.from(document.querySelectorAll('[id]'), e => e.id)")
                self.assertEqual(len(ids), len(set(ids)))
                links = self.browser.run("return Array.from(document.querySelectorAll('a[href]'),"
                                         " e => e.getAttribute('href'))")
                for link in links:
                    self.assertIn(link.removeprefix("#"), ids)


class Comparison(PageTest):
    def test_the_verdict_comes_first(self):
        self.open("regressed.html")
        first = self.browser.run("return document.querySelector('main').innerText.trim()")
        self.assertRegex(first, r"^\u2717\s+Regressed: training/mlp_stack is slower")
        self.assertIn("Regressed", self.browser.driver.title)

    def test_every_comparison_is_drawn(self):
        self.open("mixed.html")
        rows = self.browser.count(ROW)
        self.assertEqual(rows, 18)
        self.assertEqual(self.browser.count(ROW + " svg.picture"), rows)
        drawn = self.browser.run("return Array.from(document.querySelectorAll('tbody svg.picture'),"
                                 " e => e.getBoundingClientRect().width)")
        self.assertTrue(all(width > 100 for width in drawn), drawn)

    def test_a_workload_shows_steps_pairs_and_memory(self):
        self.open("regressed.html")
        labels = self.browser.run(
            "return Array.from(document.querySelectorAll('#w1 .pictures svg'),"
            " e => e.getAttribute('aria-label'))")
        self.assertEqual(len(labels), 4, labels)
        text = "".join(self.browser.texts("#w1"))
        for words in ("step_time", "peak_rss", "p90", "std. dev.", "variation", "median"):
            self.assertIn(words, text)
        self.assertIn("backward", "".join(self.browser.texts("#w7")))

    def test_nothing_changed_says_so(self):
        self.open("unchanged.html")
        self.assertEqual(self.browser.count(".verdict.good"), 1)
        self.assertEqual(self.browser.count(ROW), 14)


class Sorting(PageTest):
    def column(self, number):
        return self.browser.texts(f"{ROW} > tr:first-child > :nth-child({number})")

    def values(self, number):
        return self.browser.run(
            f"return Array.from(document.querySelectorAll('{ROW} > tr:first-child > :nth-child({number})'),"
            " e => e.dataset.value === undefined ? null : Number(e.dataset.value))")

    def click(self, number):
        self.browser.click(f"table[data-filter] thead th:nth-child({number}) button")
        return self.browser.run("return document.querySelector("
                                f"'table[data-filter] thead th:nth-child({number})')"
                                ".getAttribute('aria-sort')")

    def test_by_name_both_ways(self):
        self.open("mixed.html")
        self.assertEqual(self.click(1), "ascending")
        names = self.column(1)
        self.assertEqual(names, sorted(names))
        self.assertEqual(self.click(1), "descending")
        self.assertEqual(self.column(1), sorted(names, reverse=True))

    def test_numbers_by_value_what_has_none_last(self):
        self.open("mixed.html")
        self.assertEqual(self.click(5), "descending")
        for descending in (True, False):
            values = self.values(5)
            numbers = [value for value in values if value is not None]
            self.assertEqual(numbers, sorted(numbers, reverse=descending))
            self.assertEqual(values[len(numbers):], [None] * (len(values) - len(numbers)))
            self.assertGreater(len(numbers), 10)
            self.assertGreater(len(values), len(numbers))
            self.click(5)

    def test_the_worst_verdict_first(self):
        self.open("mixed.html")
        last = self.browser.count("table[data-filter] thead th")
        self.assertEqual(self.click(last), "ascending")
        self.assertEqual(self.column(last)[0], "regressed")

    def test_equal_rows_keep_their_order(self):
        self.open("mixed.html")
        self.click(1)
        names = self.column(1)
        self.click(2)
        pairs = list(zip(self.column(2), self.column(1)))
        self.assertEqual(pairs, sorted(pairs, key=lambda pair: (pair[0], names.index(pair[1]))))

    def test_remarks_stay_with_their_row(self):
        self.open("mixed.html")
        self.click(1)
        remark = self.browser.run(
            f"return Array.from(document.querySelectorAll('{ROW}'))"
            ".find(row => row.textContent.includes('SIGSEGV')).textContent")
        self.assertIn("training/crash", remark)

    def test_by_keyboard(self):
        self.open("mixed.html")
        self.browser.run("document.querySelector('table[data-filter] thead th button').focus()")
        self.browser.type("table[data-filter] thead th button", "\ue007")
        names = self.column(1)
        self.assertEqual(names, sorted(names))


class Filtering(PageTest):
    def test_by_name_while_typing(self):
        self.open("many.html")
        self.assertEqual(self.browser.count(ROW), 200)
        self.browser.type(".filter input", "workload_7 peak")
        self.assertEqual(self.browser.count(shown(ROW)), 11)
        self.assertIn("11 of 200", self.browser.texts(".filter output"))
        self.assertEqual(self.browser.count("details.workload:not([hidden])"), 11)
        self.browser.run("const f = document.querySelector('.filter input');"
                         "f.value = ''; f.dispatchEvent(new Event('input'))")
        self.assertEqual(self.browser.count(shown(ROW)), 200)
        self.assertEqual(self.browser.count("details.workload:not([hidden])"), 100)

    def test_by_verdict_with_counts(self):
        self.open("mixed.html")
        self.assertIn("unchanged 11", self.browser.texts(".filter button"))
        self.browser.click('.filter button[data-state="failed"]')
        self.assertEqual(self.browser.count(shown(ROW)), 1)
        self.browser.click('.filter button[data-state="regressed"]')
        self.assertEqual(self.browser.count(shown(ROW)), 2)
        self.browser.click('.filter button[data-state="failed"]')
        self.browser.click('.filter button[data-state="regressed"]')
        self.assertEqual(self.browser.count(shown(ROW)), 18)

    def test_a_keystroke_is_fast(self):
        self.open("many.html")
        took = self.browser.run(
            "const field = document.querySelector('.filter input');"
            "const began = performance.now();"
            "field.value = 'workload_42'; field.dispatchEvent(new Event('input'));"
            "document.body.offsetHeight;"
            "return performance.now() - began")
        self.assertLess(took, 1000, "ms; about 10 on a quiet machine")


class Pointing(PageTest):
    def tip(self):
        return self.browser.wait_for("const tip = document.querySelector('.tip');"
                                     "return !tip.hidden && tip.textContent")

    def test_an_interval_tells_its_change(self):
        self.open("regressed.html")
        self.browser.hover(f'{ROW}[data-state="regressed"] svg.picture g g')
        self.assertRegex(self.tip(), r"\+1\d\.\d % \[")
        self.browser.hover("h1")
        self.browser.wait_for("return document.querySelector('.tip').hidden")
        titles = self.browser.texts(f'{ROW}[data-state="regressed"] svg.picture title')
        self.assertTrue(all(titles), "tooltips for those without scripts are put back")

    def test_a_dot_tells_its_value(self):
        self.open("regressed.html")
        self.browser.click("a[href='#w7']")
        self.browser.wait_for("return document.querySelector('#w7').closest('details').open")
        # The first head dot of the steps.
        x, y = self.browser.run(
            "const picture = document.querySelector('#w7 .pictures svg');"
            "picture.scrollIntoView({block: 'center', behavior: 'instant'});"
            "const path = picture.querySelector('g[data-axis] path.dots.head:not(.paper)');"
            "const at = path.getAttribute('d').match(/^m(-?[\\d.]+?) ?(-?\\d*\\.?\\d*)h0/);"
            "const place = new DOMPoint(Number(at[1]), Number(at[2]))"
            ".matrixTransform(path.getScreenCTM()); return [place.x, place.y]")
        self.browser.command("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.assertRegex(self.tip(), r"^head [4-8]\d\d(\.\d+)? ms")


class Folding(PageTest):
    def test_a_row_leads_to_its_workload(self):
        self.open("regressed.html")
        self.assertFalse(self.browser.run("return document.querySelector('#w3').closest('details').open"))
        self.browser.click(f"{ROW} a[href='#w3']")
        self.browser.wait_for("return document.querySelector('#w3').closest('details').open")
        self.assertTrue(self.browser.is_shown("#w3 svg.picture"))

    def test_an_address_opens_it_too(self):
        self.browser.open((self.pages / "regressed.html").as_uri() + "#w3")
        self.browser.wait_for("return document.querySelector('#w3').closest('details').open")

    def test_steps_of_a_regression_are_seen_without_a_click(self):
        self.open("regressed.html")
        self.assertTrue(self.browser.is_shown("#w7 svg.picture"))


class Dark(PageTest):
    def background(self):
        return self.browser.run("return getComputedStyle(document.body).backgroundColor")

    def ink(self, selector):
        return self.browser.run("return getComputedStyle(document.querySelector(arguments[0])).color",
                                selector)

    def test_follows_the_reader_and_the_button(self):
        self.open("regressed.html")
        light, light_ink = self.background(), self.ink("tbody svg.picture")
        self.browser.dark()
        dark, dark_ink = self.background(), self.ink("tbody svg.picture")
        self.assertNotEqual(light, dark)
        self.assertNotEqual(light_ink, dark_ink, "pictures too")
        self.browser.click(".theme")
        self.assertEqual(self.background(), light)
        self.assertEqual(self.ink("tbody svg.picture"), light_ink, "pictures follow the button")
        self.browser.dark(False)
        self.assertEqual(self.background(), light)
        self.browser.click(".theme")
        self.assertEqual(self.background(), dark)
        self.assertEqual(self.ink("tbody svg.picture"), dark_ink)


class WithoutScripts(unittest.TestCase):
    """Scripts forbidden, and the policy under which Jenkins shows archived pages."""

    POLICY = "sandbox; default-src 'none'; img-src 'self'; style-src 'self';"

    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser(javascript=False)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def assert_readable(self):
        text = self.browser.run("for (const d of document.querySelectorAll('details')) d.open = true;"
                                "return document.querySelector('main').textContent")
        for words in ("Regressed: training/mlp_stack is slower", "3f2a91c4d1", "412 ms", "+14.3 %",
                      "12 unchanged", "backward", "std. dev.", "perf-compare 3f2a91c4d1 9be01d77aa",
                      "Xeon"):
            self.assertIn(words, text)
        drawn = self.browser.run("return Array.from(document.querySelectorAll('svg.picture'),"
                                 " e => e.getBoundingClientRect().width * e.getBoundingClientRect().height)")
        self.assertGreater(len(drawn), 40)
        self.assertTrue(all(area > 0 for area in drawn))

    def test_all_is_there(self):
        self.browser.open(PageTest.pages / "regressed.html")
        self.assert_readable()
        self.assertFalse(self.browser.run("return Boolean(document.querySelector('.filter, .theme, .sort'))"),
                         "nothing that would need a script")
        self.assertEqual(self.browser.problems(), [])
        self.assertEqual(self.browser.requests(), [])

    def test_folded_parts_open_by_a_click(self):
        self.browser.open(PageTest.pages / "regressed.html")
        self.browser.click("details.workload:not([open]) summary")
        self.assertTrue(self.browser.run("return document.querySelector('details.workload').open"))

    def test_steps_of_a_regression_are_seen_without_a_click(self):
        self.browser.open(PageTest.pages / "regressed.html")
        self.assertTrue(self.browser.is_shown("#w7 svg.picture"))

    def test_as_jenkins_shows_it(self):
        policy = self.POLICY

        class Handler(http.server.SimpleHTTPRequestHandler):
            def end_headers(self):
                self.send_header("Content-Security-Policy", policy)
                super().end_headers()

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Handler, directory=str(PageTest.pages)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            self.browser.open(f"http://127.0.0.1:{server.server_address[1]}/regressed.html")
            self.assert_readable()
            self.assertEqual(self.browser.requests(), [])
        finally:
            server.shutdown()
            server.server_close()


class Hostile(PageTest):
    """Every text of a page is an attack: it is shown, and makes nothing. Each text attacks one kind
    of page, in turn; with PERF_COMPARE_FAULTS=full all of them."""

    # As Chromium parses it; what a script makes of it depends on what is in sight.
    SHAPE = ("const page = new DOMParser().parseFromString(arguments[0], 'text/html');"
             "return Array.from(page.querySelectorAll('*'),"
             " e => e.tagName + '[' + Array.from(e.attributes, a => a.name)"
             ".filter(name => name !== 'title') + ']')")

    def shape(self, page):
        return self.browser.run(self.SHAPE, page.read_text(encoding="utf-8"))

    def test_text_stays_text(self):
        pages = [page.name for page in sorted((self.pages / "hostile/harmless").glob("*.html"))]
        self.assertGreaterEqual(len(pages), 4)
        harmless = {}
        for page in pages:
            harmless[page] = self.shape(self.pages / "hostile/harmless" / page)
            self.assertGreater(len(harmless[page]), 40)
        places = sorted(p for p in (self.pages / "hostile").iterdir() if p.name != "harmless")
        self.assertGreater(len(places), 100)
        is_full = os.environ.get("PERF_COMPARE_FAULTS") == "full"
        for turn, place in enumerate(places):
            # As the page shows it: cut in the middle, where it is long.
            text = (place / "text.txt").read_text(encoding="utf-8")
            for page in pages if is_full else [pages[turn % len(pages)]]:
                with self.subTest(place=place.name, page=page, text=text[:60]):
                    self.browser.open(place / page)
                    self.assert_quiet()
                    self.assertEqual(self.shape(place / page), harmless[page])
                    content = self.browser.run("return document.querySelector('main').textContent")
                    squeezed = re.sub(r"\s+", " ", content)
                    self.assertIn(text[:50].strip(), squeezed)
                    self.assertNotRegex(content, "[\u0000-\u0008\u000b-\u001f\u007f-\u009f"
                                                 "\u202a-\u202e\u2066-\u2069]")


if __name__ == "__main__":
    browser.main()
