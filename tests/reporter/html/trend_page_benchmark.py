"""How fast the page of 500 series x 2,000 points is in Chromium: trend_page_benchmark.py PAGE, which
`sample_pages FOLDER` writes as FOLDER/large/trend.html. Timings are for people: medians of 5.
"""
import pathlib
import statistics
import sys
import time

import browser

ROUNDS = 5

# Until the frame after the next one: what was asked for is laid out and painted.
PAINTED = """
const done = arguments[arguments.length - 1];
const start = performance.now();
%s
requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
"""


def timed(page, script):
    return page.driver.execute_async_script(PAINTED % script)


def opened(page, path):
    start = time.monotonic()
    page.open(path)
    page.run("return document.querySelector('.filter') && document.body.offsetHeight")
    return 1000 * (time.monotonic() - start)


def main():
    reason = browser.missing()
    if reason:
        sys.exit(f"cannot run: {reason}")
    path = pathlib.Path(sys.argv[1])
    page = browser.Browser()
    figures = {"page loaded and its list ready": [opened(page, path) for _ in range(ROUNDS)]}

    def measure(name, scripts):
        figures[name] = [timed(page, script) for script in scripts]

    row = "document.querySelectorAll('.series')[%d]"
    measure("opening a series", [f"{row % (20 * i)}.open = true;" for i in range(1, ROUNDS + 1)])
    key = ("document.querySelector('.series[open] svg.live').dispatchEvent("
           "new KeyboardEvent('keydown', {key: '%s'}));")
    measure("zooming in it", [key % sign for sign in "++-0+"])
    filtering = ("const field = document.querySelector('.filter input'); field.value = '%s';"
                 "field.dispatchEvent(new Event('input'));")
    measure("a key in the filter", [filtering % words for words in ("c", "case_1", "case_12", "p", "")])
    sorting = "document.querySelector('.series-heads [data-key=%s] button').click();"
    measure("sorting", [sorting % key for key in ("name", "noise", "now", "points", "change")])
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")
    for name, times in figures.items():
        print(f"{name}: {statistics.median(times):.0f} ms (up to {max(times):.0f})")
    page.close()


if __name__ == "__main__":
    main()
