"""What somebody sees while a page of a researcher loads: Chromium and `assay serve` with the demo.

For each page of the sidebar, opened twice with an empty cache of the browser: the first and the largest contentful
paint, the cumulative layout shift until the page has loaded and waits for no job, and the size of the project's own CSS
and JavaScript with gzip. The targets are 1,000 ms, no shift, and 60 kB. The first time, the server computes and draws
the figures, as for somebody who has just imported a collection; the second time, it has them. The first page is opened
some seconds after the server says its address.

Run: python -m benchmarks.paint
"""

import gzip
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import Any
from urllib.parse import urlsplit

from benchmarks.desk_pages import PAGES, WORDS
from benchmarks.tiny import size
from tests.browser import chromium
from tests.load.server import AssayServe, prepared

PARTS = ("overview_figures", "jobs")  # which other pages ask for
NAMES = [name for name in PAGES if name not in PARTS][: size(None, 3)]
OWN = "/static/assess/"
VIEWPORT = {"width": 1360, "height": 900}
TARGET_MS, TARGET_KB = 1_000, 60
LEAST_SHIFT = 0.0005  # less is rounded to 0
SECONDS_BEFORE = size(4, 0)  # in which the server loads its libraries, and somebody opens the address
LONGEST = 120_000  # ms that a job may take
NO_BROWSER = "No Chromium was found; python -m tests.browser.chromium installs one."
# Parts that ask for themselves again, and the page of a reveal whose figures are computed.
WAITING = "#job[hx-trigger], #preview[hx-trigger], #figures[hx-trigger], [aria-label='Figures computed']"
OBSERVE = """() => {
  const tell = (kind, read) => new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const value = read(entry);
      if (value !== null) window.painted(performance.timeOrigin, kind, value);
    }
  }).observe({ type: kind, buffered: true });
  tell("paint", (entry) => entry.name === "first-contentful-paint" ? entry.startTime : null);
  tell("largest-contentful-paint", (entry) => entry.startTime);
  tell("layout-shift", (entry) => entry.hadRecentInput ? null : entry.value);
}"""


@dataclass
class Painted:
    """One page. A page that a job completes loads again, so there is a value for each time it was loaded."""

    paint: dict[float, float] = field(default_factory=dict)
    largest: dict[float, float] = field(default_factory=dict)
    shift: dict[float, float] = field(default_factory=dict)
    own: dict[str, int] = field(default_factory=dict)

    def record(self, load: float, kind: str, value: float) -> None:
        """Record what the browser says about one load of the page."""
        if kind == "layout-shift":
            self.shift[load] = self.shift.get(load, 0) + value
        else:
            values = self.paint if kind == "paint" else self.largest
            values[load] = value

    def keep(self, response) -> None:
        """Keep the size of the project's own CSS and JavaScript."""
        if urlsplit(response.url).path.startswith(OWN) and response.request.resource_type in ("stylesheet", "script"):
            self.own[response.url] = len(gzip.compress(response.body()))

    @property
    def kilobytes(self) -> float:
        return sum(self.own.values()) / 1_000

    @property
    def first_ms(self) -> float:
        return max(self.paint.values(), default=0)

    @property
    def largest_ms(self) -> float:
        return max(self.largest.values(), default=0)

    @property
    def shifted(self) -> float:
        return max(self.shift.values(), default=0)


Pages = dict[str, tuple[Painted, Painted]]


def main() -> None:
    measure_and_report("paint", measure, report)


def measure_and_report(module: str, measure: Callable[[str, dict], Any], report: Callable[[Any], None]) -> None:
    """Serve what `load` of a benchmark has made, and print what its measurement finds in a browser."""
    if not chromium.find():
        print(NO_BROWSER)
        return
    with TemporaryDirectory() as folder, prepared(Path(folder), None, AssayServe) as server:
        demo = server.run_json("-m", f"benchmarks.{module}", "load")
        server.start()
        sleep(SECONDS_BEFORE)
        try:
            report(measure(f"http://127.0.0.1:{server.port}", demo))
        finally:
            server.stop()


def load() -> None:
    """Load the demo with an owner who is signed in; print their cookie, and the address of every page."""
    import django

    django.setup()
    from django.urls import reverse
    from django.utils.http import urlencode

    from assess.demo import loading
    from assess.models import Member, Role, Task

    loading.load()
    member = Member.objects.get(collection__slug=loading.SLUG, role=Role.RESEARCHER)
    Member.objects.filter(pk=member.pk).update(role=Role.OWNER)
    task = Task.objects.filter(topic__collection__slug=loading.SLUG, judgements__isnull=False).first()
    of = {"document": [task.pk]}
    paths = {name: reverse(f"research:{name}", args=[loading.SLUG, *of.get(name, [])]) for name in NAMES}
    addresses = {name: f"{path}?{urlencode(WORDS[name])}" if name in WORDS else path for name, path in paths.items()}
    print(json.dumps({"cookie": session_of(member.user), "addresses": addresses}))


def session_of(user) -> dict[str, str]:
    """Sign a user in; return the name and the value of the cookie."""
    from django.conf import settings
    from django.test import Client

    client = Client()
    client.force_login(user, backend="assess.people.backend.AccountBackend")
    name = settings.SESSION_COOKIE_NAME
    return {"name": name, "value": client.cookies[name].value}


def measure(root: str, demo: dict) -> Pages:
    """Open every page twice, each time in a context of its own, so that nothing is in the cache of the browser."""
    with signed_in(root, demo) as new_context:
        first, again = (
            {name: _open(new_context(), root + path) for name, path in demo["addresses"].items()} for _ in range(2)
        )
    return {name: (painted, again[name]) for name, painted in first.items()}


@contextmanager
def signed_in(root: str, demo: dict) -> Iterator[Callable[[], Any]]:
    """Start a browser, and give a function that returns a new context with the cookie of the demo."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)

        def new_context() -> Any:
            context = browser.new_context(viewport=VIEWPORT, accept_downloads=True)
            context.add_cookies([demo["cookie"] | {"url": root}])
            return context

        yield new_context
        browser.close()


def _open(context, address: str) -> Painted:
    from playwright.sync_api import expect

    page, painted = context.new_page(), Painted()
    page.expose_function("painted", painted.record)
    page.add_init_script(f"({OBSERVE})()")
    page.on("requestfinished", lambda request: painted.keep(request.response()))
    page.goto(address)
    page.wait_for_load_state("networkidle")
    while page.locator(WAITING).count():  # a page may wait for several jobs, and loads again after each
        expect(page.locator(WAITING)).to_have_count(0, timeout=LONGEST)
        page.wait_for_load_state("networkidle")
    context.close()
    return painted


def report(pages: Pages) -> None:
    """Print a table, and what misses a target."""
    print(f"{'':22} {'loads':>6} {'first paint, ms':>16} {'largest paint, ms':>18} {'layout shift':>13} {'own, kB':>8}")
    for name, (first, again) in pages.items():
        paints = f"{first.first_ms:>10.0f} {again.first_ms:>5.0f} {first.largest_ms:>12.0f} {again.largest_ms:>5.0f}"
        print(f"{name:22} {len(first.paint):>6} {paints} {_shift(first, again):>13.3f} {first.kilobytes:>8.1f}")
    missed = {
        f"largest paint above {TARGET_MS:,} ms at the first time": lambda first, _: first.largest_ms > TARGET_MS,
        f"largest paint above {TARGET_MS:,} ms at the second time": lambda _, again: again.largest_ms > TARGET_MS,
        "a layout shift": lambda first, again: _shift(first, again) >= LEAST_SHIFT,
        f"more than {TARGET_KB} kB": lambda first, _: first.kilobytes > TARGET_KB,
    }
    for words, is_missed in missed.items():
        names = [name for name, visits in pages.items() if is_missed(*visits)]
        print(f"{words}: {len(names)} of {len(pages)} pages{': ' if names else ''}{', '.join(names)}")


def _shift(*visits: Painted) -> float:
    return max(visit.shifted for visit in visits)


if __name__ == "__main__":
    load() if sys.argv[1:] == ["load"] else main()
