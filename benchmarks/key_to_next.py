"""The time from a key press to the next document on the screen: Chromium and `gunicorn -w 2 --threads 4`.

Target: a median of 100 ms. The time is from the key event's timestamp to the second frame after the title has changed,
when the first frame with the next document has been painted. The judgement is saved in the background.

`--delay 2` holds each request of the page for 2 seconds, as a slow network does.
"""

import argparse
import sys
from statistics import median, quantiles
from time import sleep

from benchmarks import databases
from benchmarks.tiny import size

DOCUMENTS = size(40, 4)
SIZE = {"tasks": DOCUMENTS + 20, "topics": 1, "assessors": 1, "k": 1}
LATE = 500  # ms: so long only if the next document was not loaded yet
THINK = 0.3  # seconds at each document, a very fast reader; the next documents are fetched in this time
STOPWATCH = """() => {
  window.waits = [];
  let pressed = 0;
  addEventListener("keydown", (event) => { pressed = event.timeStamp; }, true);
  const title = document.getElementById("doc-title");
  const stop = () => waits.push(performance.now() - pressed);
  const painted = () => requestAnimationFrame(() => requestAnimationFrame(stop));
  // The title is empty while the page has no document, and is set without a key when the page opens.
  new MutationObserver(() => pressed && title.textContent && painted()).observe(title, { childList: true });
}"""
JUDGEABLE = "#document[data-judgeable]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delay", type=float, default=0, metavar="SECONDS", help="hold each request so long")
    delay = parser.parse_args().delay
    for name, url in databases.urls():
        with databases.server_with_database(url) as (server, _):
            options = (word for option, number in SIZE.items() for word in (f"--{option}", str(number)))
            collection = server.run_json("-m", "tests.load.load_collection", "make", *options)
            server.start()
            try:
                waits = measure(f"http://127.0.0.1:{server.port}", collection, delay)
            finally:
                server.stop()
        p95, late = quantiles(waits, n=100)[94], sum(wait > LATE for wait in waits)
        print(
            f"{name:12} {len(waits)} documents: median {median(waits):.1f}, p95 {p95:.1f}, max {max(waits):.1f} ms, "
            f"{late} above {LATE} ms"
        )


def measure(root: str, collection: dict, delay: float = 0) -> list[float]:
    """Return the milliseconds from each key to the next document."""
    from playwright.sync_api import sync_playwright

    from tests.browser import chromium

    cookie = {"name": collection["session_cookie"], "value": collection["assessors"][0]["session"], "url": root}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        context = browser.new_context()
        context.add_cookies([cookie])
        page = context.new_page()
        page.goto(f"{root}/c/{collection['slug']}/judge/{collection['topics'][0]}/")
        if delay:
            slow = {"offline": False, "latency": 1000 * delay, "downloadThroughput": -1, "uploadThroughput": -1}
            context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
        page.evaluate(STOPWATCH)
        for number in range(DOCUMENTS):
            page.wait_for_selector(JUDGEABLE)
            sleep(THINK)
            page.keyboard.press(str(number % 4))
            page.wait_for_function("known => waits.length > known", arg=number)
        waits = page.evaluate("waits")
        browser.close()
    return waits


if __name__ == "__main__":
    sys.exit(main())
