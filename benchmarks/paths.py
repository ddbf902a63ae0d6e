"""The clicks, fields and pages of three paths of somebody new: Chromium and `assay serve`, with files of the demo.

- From an empty collection to the answer of the ranking shift: the topics, runs and judgements of three judges are
  chosen on the overview, checked and imported.
- From a low kappa to the document that causes it: from the page *Agreement* of the demo to the pair of judges with the
  lowest kappa, to the first document on which they differ most.
- From a finished collection to a LaTeX table: from the menu of the overview of the demo to the table of the shift.

A click is one of the pointer; choosing files in the dialog of the system is one. A field is one that is filled in. A
page is an address that the browser shows; the first one counts, and a page that loads itself again does not.

Run: python -m benchmarks.paths
"""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import paint
from benchmarks.tiny import PROJECT

FOLDER = PROJECT / "assess" / "demo"
EMPTY = "empty"
LONGEST = 60_000  # ms that a job may take
SHIFT = "Ranking shift"


class Visit:
    """A page of the browser, which counts what somebody does on it."""

    def __init__(self, page, address: str) -> None:
        self.page, self.clicks, self.fields, self.pages = page, 0, 0, 1
        page.goto(address)
        self._shown = page.url
        page.on("framenavigated", self._navigated)

    def _navigated(self, frame) -> None:
        address = frame.url.partition("#")[0]
        if frame == self.page.main_frame and address != self._shown:
            self._shown = address
            self.pages += 1

    def click(self, target) -> None:
        target.click(timeout=LONGEST)
        self.clicks += 1

    def choose_files(self, target, files: list[Path]) -> None:
        target.set_input_files(files)
        self.clicks += 1

    def link(self, name: str) -> None:
        """Click a link of the sidebar or the page."""
        self.click(self.page.get_by_role("link", name=name).first)


def main() -> None:
    paint.measure_and_report("paths", measure, report)


def load() -> None:
    """Load the demo and an empty collection; print the cookie of their owner, and the names of the collections."""
    import django

    django.setup()
    from assess.collections.create import create_collection
    from assess.demo import loading
    from assess.models import Member, Role

    loading.load()
    member = Member.objects.get(collection__slug=loading.SLUG, role=Role.RESEARCHER)
    empty = create_collection(EMPTY, "Empty", loading.GRADES)
    Member.objects.create(collection=empty, user=member.user, role=Role.OWNER, name="olga")
    print(json.dumps({"cookie": paint.session_of(member.user), "demo": loading.SLUG}))


def measure(root: str, demo: dict) -> dict[str, Visit]:
    """Follow every path in a context of its own."""
    paths: dict[str, tuple[Callable[[Visit], None], str]] = {
        "empty collection to ranking shift": (import_to_shift, f"{root}/c/{EMPTY}/"),
        "low kappa to its document": (kappa_to_document, f"{root}/c/{demo['demo']}/agreement/"),
        "finished collection to LaTeX": (shift_to_latex, f"{root}/c/{demo['demo']}/"),
    }
    found = {}
    with paint.signed_in(root, demo) as new_context:
        for name, (follow, address) in paths.items():
            context = new_context()
            found[name] = Visit(context.new_page(), address)
            follow(found[name])
            context.close()
    return found


def import_to_shift(visit: Visit) -> None:
    """Import topics, runs and judgements, and read whether the ranking changes."""
    files = [FOLDER / "topics.jsonl", *sorted(FOLDER.glob("runs/*.gz")), *sorted(FOLDER.glob("judgements/*.qrels"))]
    page = visit.page
    visit.choose_files(page.get_by_label("Choose files"), files)
    visit.click(page.get_by_role("button", name="Check the files"))
    visit.click(page.get_by_role("button", name="Import", exact=True))
    page.get_by_text(re.compile("Imported .* new judgements")).first.wait_for(timeout=LONGEST)
    visit.link(SHIFT)
    page.locator(".slope .line").first.wait_for(state="attached", timeout=LONGEST)


def kappa_to_document(visit: Visit) -> None:
    """Open the pair with the lowest kappa, and the first of the documents on which the two differ most."""
    page = visit.page
    headings = page.locator("[data-table=pairs] thead th")
    keys = headings.evaluate_all("cells => cells.map(cell => `${cell.dataset.key} ${cell.dataset.kind}`)")
    column = keys.index("pooled_kappa figure")
    rows = page.locator("[data-table=pairs] tbody tr").all()
    lowest = min(rows, key=lambda row: _number(row.locator("th, td").nth(column)))
    visit.click(lowest.get_by_role("rowheader").get_by_role("link"))
    visit.click(page.locator("[data-differing] li a").first)
    page.wait_for_url(re.compile(r"/documents/\d+/"))


def _number(cell) -> float:
    """Return the first number of a cell."""
    return float(re.findall(r"[-−]?[\d.]+", cell.inner_text())[0].replace("−", "-"))


def shift_to_latex(visit: Visit) -> None:
    """Download the table of the ranking shift for LaTeX from the menu of the overview."""
    page = visit.page
    visit.click(page.locator("details.download > summary"))
    with page.expect_download(timeout=LONGEST) as download:
        visit.click(page.locator("details.download").get_by_role("link", name="ranking shift"))
    if "\\begin{tabular}" not in Path(download.value.path()).read_text(encoding="utf-8"):
        raise RuntimeError("The file is not a table for LaTeX.")


def report(visits: dict[str, Visit]) -> None:
    print(f"{'':36} {'clicks':>6} {'fields':>6} {'pages':>6}")
    for name, visit in visits.items():
        print(f"{name:36} {visit.clicks:>6} {visit.fields:>6} {visit.pages:>6}")


if __name__ == "__main__":
    load() if sys.argv[1:] == ["load"] else main()
