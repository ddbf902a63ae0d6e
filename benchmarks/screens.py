"""Pictures of every page, and what a script can find wrong with them: Chromium and `assay serve`.

Each page of a collection is opened by somebody who may open it, and waited for until no job is left. The folder
receives a picture of the page, down to 2,400 px, and sheets of several pictures to look at one after the other. What
is printed is wrong, and then the exit code is 1: a page that scrolls sideways, text under 12 px (in figures as drawn),
a negative number with a hyphen, a percentage with a blank, failed requests, and errors of scripts.

Collections are `empty`; `demo`, with the pages of accounts, the site, assessors, a class and visitors; `dl19`, which is
TREC 2019 Deep Learning with 37 systems and nine judges; and `judges`, which is LLMJudge with NIST and 33 models.

Run: python -m benchmarks.screens --collection demo [--width 390 1024] [--mode dark]
"""

import argparse
import sys
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from benchmarks import research_pages
from benchmarks.contact_sheets import write_sheets
from benchmarks.paint import NO_BROWSER, WAITING
from benchmarks.tiny import FOLDER, PROJECT, size
from tests.browser import chromium
from tests.load.server import AssayServe, prepared

COLLECTIONS = ("empty", "demo", "dl19", "judges")
HEIGHTS = {390: 844, 1024: 768, 1360: 900}
MODES = ["light", "dark"]
CUT = 2_400  # px of a page that the picture shows
LEAST_TEXT = 12  # px
LONGEST = 300_000  # ms that a job may take
MOST_PAGES = size(None, 1)
# What the page itself has wrong. Text that only screen readers use is one pixel wide.
PROBLEMS = r"""(least) => {
  const root = document.documentElement, found = [], small = new Map();
  const odd = /(?<![\w.-])-\.?\d|\d %/;
  if (root.scrollWidth > innerWidth) found.push(`scrolls sideways by ${root.scrollWidth - innerWidth} px`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement, words = texts.currentNode.data.trim();
    if (!words || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (element.getBoundingClientRect().width <= 1) continue;
    if (odd.test(words) && !element.closest("code, pre, [dir=auto]")) found.push(`no minus, or a blank: ${words}`);
    const { b, d } = element instanceof SVGElement ? element.getScreenCTM() : { b: 0, d: 1 };
    const drawn = Number.parseFloat(getComputedStyle(element).fontSize) * Math.hypot(b, d);
    if (drawn < least - 0.05) small.set(drawn.toFixed(1), words.slice(0, 40));
  }
  for (const [drawn, words] of small) found.push(`text of ${drawn} px: ${words}`);
  return found;
}"""


def main() -> int:
    options = _options()
    if not chromium.find():
        print(NO_BROWSER)
        return 0
    if options.collection in ("dl19", "judges") and not research_pages.DL19.is_dir():
        print(f"No data at {research_pages.DATA}; set ASSAY_TEST_DATA.")
        return 0
    with TemporaryDirectory() as folder, prepared(Path(folder), None, AssayServe) as server:
        made = _made(server, options.collection)
        server.start()
        try:
            screens = [
                Screens(server.port, options, width, mode) for width, mode in product(options.width, options.mode)
            ]
            return max([report(screen.folder, screen.take(made)) for screen in screens])
        finally:
            server.stop()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.screens", description=__doc__)
    parser.add_argument("--collection", choices=COLLECTIONS, default=size("demo", "empty"))
    parser.add_argument("--width", type=int, choices=HEIGHTS, nargs="+", default=[*HEIGHTS][:MOST_PAGES])
    parser.add_argument("--mode", choices=MODES, nargs="+", default=MODES[:MOST_PAGES])
    parser.add_argument("--into", type=Path, default=(FOLDER or PROJECT / "var") / "screens")
    parser.add_argument("--only", default="", metavar="WORD", help="pages with this word in their name")
    return parser.parse_args()


def _made(server: AssayServe, collection: str) -> dict:
    """Load the collection; return the cookies of people, and the pages."""
    server.environment["ASSAY_TEST_DATA"] = str(research_pages.DATA)
    if collection == "dl19":
        research_pages._load_dl19(lambda *words: server.run("manage.py", *map(str, words)))
    return server.run_json("-m", "benchmarks.screens", "load", collection)


class Screens:
    """A browser of one width and mode that takes a picture of each page."""

    def __init__(self, port: int, options: argparse.Namespace, width: int, mode: str) -> None:
        self.root, self.only, self.width, self.mode = f"http://127.0.0.1:{port}", options.only, width, mode
        self.folder = options.into / options.collection / f"{width}-{mode}"
        self.seen: set[tuple[str, str]] = set()  # who opened what
        self.errors: list[str] = []

    def take(self, made: dict) -> dict[str, list[str]]:
        """Take all pictures; return what is wrong with each page."""
        from playwright.sync_api import sync_playwright

        self.folder.mkdir(parents=True, exist_ok=True)
        pages = [page for page in made["pages"] if self.only in page[0]][:MOST_PAGES]
        with sync_playwright() as playwright:
            self.browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
            wrong = {name: self._open(name, who, made["cookies"].get(who), path) for name, who, path in pages}
            self.browser.close()
        write_sheets(self.folder, [name for name in wrong if self._file(name).exists()], self.width)
        return wrong

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.png"

    def _open(self, name: str, who: str, cookie: dict[str, str] | None, path: str) -> list[str]:
        context = self.browser.new_context(
            viewport={"width": self.width, "height": HEIGHTS[self.width]},
            color_scheme=self.mode,
        )
        if cookie:
            context.add_cookies([cookie | {"url": self.root}])
        page = context.new_page()
        self._listen(page)
        wrong = self._wait(page, self.root + path)
        if self._is_new(page, who):
            wrong += [*page.evaluate(PROBLEMS, LEAST_TEXT), *self.errors]
            self._picture(page, name)
        context.close()
        return wrong

    def _listen(self, page) -> None:
        """Keep the errors of a page; its own status is no error, because pages of errors are pages too."""
        errors = self.errors = []
        page.on("pageerror", lambda error: errors.append(f"script: {error}"))
        page.on("requestfailed", lambda request: errors.append(f"{request.failure}: {request.url}"))
        page.on(
            "response",
            lambda got: (
                got.status >= 400
                and not (got.status < 500 and got.request.is_navigation_request())
                and errors.append(f"{got.status}: {got.url}")
            ),
        )

    def _wait(self, page, address: str) -> list[str]:
        """Open an address, and wait until no job is left; a page loads again after each."""
        from playwright.sync_api import Error, expect

        try:
            page.goto(address)
            page.wait_for_load_state("networkidle")
            while page.locator(WAITING).count():
                expect(page.locator(WAITING)).to_have_count(0, timeout=LONGEST)
                page.wait_for_load_state("networkidle")
        except (AssertionError, Error) as error:
            return [] if "Download" in str(error) else [f"waits: {str(error).splitlines()[0]}"]
        return []

    def _is_new(self, page, who: str) -> bool:
        """Return whether this is a page, and neither a part of one nor one that was redirected to."""
        address = who, urlsplit(page.url).path
        is_new = page.locator("html[lang]").count() > 0 and address not in self.seen
        self.seen.add(address)
        return is_new

    def _picture(self, page, name: str) -> None:
        height = min(page.evaluate("document.documentElement.scrollHeight"), CUT)
        clip = {"x": 0, "y": 0, "width": self.width, "height": height}
        page.screenshot(path=self._file(name), full_page=True, clip=clip, animations="disabled")


def report(folder: Path, wrong: dict[str, list[str]]) -> int:
    """Print what is wrong with each page; return the exit code."""
    found = {name: problems for name, problems in wrong.items() if problems}
    for name, problems in found.items():
        print(f"{name}:", *problems, sep="\n    ")
    print(f"{folder}: {len(wrong)} addresses, {len(found)} with problems", flush=True)
    return 1 if found else 0


def load(collection: str) -> None:
    import django

    django.setup()
    from django.test.utils import setup_test_environment

    from benchmarks import screens_data

    setup_test_environment()  # the helpers of tests use a client

    screens_data.load(collection)


if __name__ == "__main__":
    load(sys.argv[2]) if sys.argv[1:2] == ["load"] else sys.exit(main())
