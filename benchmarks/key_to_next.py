"""From the key to the next document on the screen: Chromium before `gunicorn -w 2 --threads 4`, on this machine.

To reach: 100 ms at the median. The clock runs from the moment the browser gives to the key to the second frame after
the title has changed, when the first frame with the next document has been painted. The judgement is saved meanwhile.
"""

import sys
from statistics import median, quantiles
from time import sleep

from benchmarks import databases

DOCUMENTS = 40
SIZE = {"tasks": DOCUMENTS + 20, "topics": 1, "assessors": 1, "k": 1}
THINK = 0.3  # seconds at each document: nobody reads faster, and the next ones are fetched meanwhile
STOPWATCH = """() => {
  window.waits = [];
  let pressed = 0;
  addEventListener("keydown", (event) => { pressed = event.timeStamp; }, true);
  const shown = () => requestAnimationFrame(() => requestAnimationFrame(() => waits.push(performance.now() - pressed)));
  new MutationObserver(shown).observe(document.getElementById("doc-title"), { childList: true });
}"""
SEEN = "#document[data-judgeable]"


def main() -> None:
    for name, url in databases.urls():
        with databases.beside(url) as (server, _):
            words = (word for what, number in SIZE.items() for word in (f"--{what}", str(number)))
            world = server.tell("-m", "tests.load.load_collection", "make", *words)
            server.start()
            try:
                waits = measure(f"http://127.0.0.1:{server.port}", world)
            finally:
                server.stop()
        p95 = quantiles(waits, n=100)[94]
        print(f"{name:12} {len(waits)} documents: median {median(waits):.1f}, p95 {p95:.1f}, max {max(waits):.1f} ms")


def measure(root: str, world: dict) -> list[float]:
    """Milliseconds from each key to the document after it."""
    from playwright.sync_api import sync_playwright

    from tests.browser import chromium

    cookie = {"name": world["session_cookie"], "value": world["assessors"][0]["session"], "url": root}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        context = browser.new_context()
        context.add_cookies([cookie])
        page = context.new_page()
        page.goto(f"{root}/c/{world['slug']}/judge/{world['topics'][0]}/")
        page.evaluate(STOPWATCH)
        for number in range(DOCUMENTS):
            page.wait_for_selector(SEEN)
            sleep(THINK)
            page.keyboard.press(str(number % 4))
            page.wait_for_function("known => waits.length > known", arg=number)
        waits = page.evaluate("waits")
        browser.close()
    return waits


if __name__ == "__main__":
    sys.exit(main())
