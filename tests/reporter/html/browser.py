"""Headless Chromium for tests of pages that load nothing: what a page asked for, what it complained
about, and hands to click, type and point with.

A test file begins with `import browser`, derives its cases from `browser.PageTest` and ends with
`browser.main()`, which exits with 77 (skipped, says CTest) and the reason where there is no browser
to drive: Debian has it in python3-selenium, chromium and chromium-driver; Ubuntu's chromium is a
snap, which cannot read a build folder.
"""
import base64
import json
import os
import pathlib
import shutil
import sys
import unittest

SKIPPED = 77
PATIENCE = 120  # s: a busy machine is no failure


def missing():
    """Why there is no browser here; None where there is one."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "no selenium for python3 (Debian: python3-selenium)"
    for program in ("chromium", "chromedriver"):
        path = shutil.which(program)
        if path is None:
            return f"no {program} (Debian: chromium, chromium-driver)"
        if os.path.realpath(path).endswith("/snap"):
            return f"{program} is a snap, which cannot read files outside of a home"
    return None


class Browser:
    """One window. `javascript=False` forbids the page its scripts; `run` works all the same."""

    def __init__(self, javascript=True, width=1280, height=900):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        # Root, as in a container, has no sandbox; /dev/shm may be tiny there.
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu",
                         "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
                         "--hide-scrollbars"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")),
                                       options=options)
        self.driver.set_page_load_timeout(PATIENCE)
        self.driver.set_script_timeout(PATIENCE)
        self.address = ""
        self.size(width, height)
        if not javascript:
            self.command("Emulation.setScriptExecutionDisabled", value=True)

    def close(self):
        self.driver.quit()

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def open(self, address):
        """Loads a file (a path) or an address, and forgets what was logged before."""
        if not str(address).startswith(("http:", "file:")):
            address = pathlib.Path(address).resolve().as_uri()
        if str(address).split("#")[0] == self.address.split("#")[0]:
            self.driver.get("about:blank")  # or it would scroll where it is
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.requested = []
        self.complaints = []
        self.address = address
        self.driver.get(address)

    def problems(self):
        """Errors and warnings of the console since `open`: scripts', and what a policy blocked."""
        for entry in self.driver.get_log("browser"):
            if entry["level"] in ("WARNING", "SEVERE"):
                self.complaints.append(entry["message"])
        return self.complaints

    def requests(self):
        """What the page asked for since `open`, apart from itself, blocked or not."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                address = message["params"]["request"]["url"]
                if address.split("#")[0] not in (self.address.split("#")[0], "about:blank"):
                    self.requested.append(address)
        return self.requested

    def run(self, script, *arguments):
        """The body of a function, within the page: run("return arguments[0] + 1", 2)."""
        return self.driver.execute_script(script, *arguments)

    def wait_for(self, script, *arguments):
        """Until the script returns something true; returns that."""
        from selenium.webdriver.support.ui import WebDriverWait
        return WebDriverWait(self.driver, PATIENCE, poll_frequency=0.02).until(
            lambda _: self.run(script, *arguments))

    def one(self, selector):
        from selenium.webdriver.common.by import By
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def count(self, selector):
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    def texts(self, selector):
        """textContent of each, in the page's order."""
        return self.run("return Array.from(document.querySelectorAll(arguments[0]),"
                        " e => e.textContent)", selector)

    def is_shown(self, selector):
        return self.one(selector).is_displayed()

    def click(self, selector):
        self._into_view(selector)
        self.one(selector).click()

    def type(self, selector, text):
        """Keys into a field, or into what has the focus after a click on it."""
        self.one(selector).send_keys(text)

    def hover(self, selector, dx=0, dy=0):
        """The pointer over the middle of it, or so many CSS pixels beside that."""
        x, y = self.middle(selector)
        self._mouse("mouseMoved", x + dx, y + dy)

    def drag(self, selector, from_dx, to_dx, dy=0, steps=5):
        """Left button down, moved to the right (or left) and up; offsets from its middle."""
        x, y = self.middle(selector)
        self._mouse("mouseMoved", x + from_dx, y + dy)
        self._mouse("mousePressed", x + from_dx, y + dy, button="left", buttons=1, clickCount=1)
        for i in range(1, steps + 1):
            self._mouse("mouseMoved", x + from_dx + (to_dx - from_dx) * i / steps, y + dy,
                        button="left", buttons=1)
        self._mouse("mouseReleased", x + to_dx, y + dy, button="left", clickCount=1)

    def double_click(self, selector):
        x, y = self.middle(selector)
        for count in (1, 2):
            self._mouse("mousePressed", x, y, button="left", buttons=1, clickCount=count)
            self._mouse("mouseReleased", x, y, button="left", clickCount=count)

    def wheel(self, selector, delta, modifiers=0):
        """`modifiers`: 2 is Control, as the protocol counts them."""
        x, y = self.middle(selector)
        self._mouse("mouseWheel", x, y, deltaX=0, deltaY=delta, modifiers=modifiers)

    def middle(self, selector):
        """Scrolls it into view; the middle of it in CSS pixels of the window."""
        self._into_view(selector)
        return self.run("const box = document.querySelector(arguments[0]).getBoundingClientRect();"
                        "return [box.x + box.width / 2, box.y + box.height / 2]", selector)

    def size(self, width, height):
        """A window so large, 390 too, which no real window of Chromium's would be."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=False)

    def dark(self, wanted=True):
        """What the page is told of its reader's taste."""
        self.command("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if wanted else "light"}])

    def overflow(self):
        """By how many CSS pixels the page is wider than its window; 0 as it should be."""
        return self.run("return Math.max(0, Math.max(document.documentElement.scrollWidth,"
                        " document.body.scrollWidth) - window.innerWidth)")

    def screenshot(self, path, whole=True):
        """A PNG; `whole`: of all the page, not of what the window shows."""
        result = self.command("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        pathlib.Path(path).write_bytes(base64.b64decode(result["data"]))

    def _into_view(self, selector):
        self.run("document.querySelector(arguments[0])"
                 ".scrollIntoView({block: 'center', behavior: 'instant'})", selector)

    def _mouse(self, kind, x, y, **more):
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)


class PageTest(unittest.TestCase):
    """Cases that share a browser with scripts, `self.browser`, and find pages in `self.pages`. One
    for all classes of a file: starting it takes longer than most cases."""

    pages = None
    browser = None

    @classmethod
    def setUpClass(cls):
        if PageTest.browser is None:
            PageTest.browser = Browser()
            unittest.addModuleCleanup(PageTest.browser.close)

    def setUp(self):
        self.browser.size(1280, 900)
        self.browser.dark(False)

    def open(self, name):
        self.browser.open(self.pages / name)

    def assert_quiet(self, browser=None):
        """No console error, and no request, which a policy would have blocked."""
        browser = browser or self.browser
        self.assertEqual(browser.problems(), [])
        self.assertEqual(browser.requests(), [])


def main():
    """Runs the cases of the calling file; its first argument is the folder of the pages."""
    reason = missing()
    if reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
    PageTest.pages = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=1)
