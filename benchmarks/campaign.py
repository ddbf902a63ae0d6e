"""TREC 2019 Deep Learning through the pages of `assay serve` on SQLite: target under three minutes and 700 MB.

A researcher signs in, creates the collection, uploads 37 gzipped runs, topics, 4,507 passages and the judgements of
eight judges in chunks of at most 8 MB, checks and imports them, pools by rrf, and opens the agreement and the shift.
Pages that wait for a job are asked for again as often as a browser does it, every one or two seconds. Meanwhile another
browser opens a page every 50 ms.
"""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from benchmarks.page_visitor import PageVisitor, Visit
from benchmarks.server_usage import ServerUsage
from benchmarks.tiny import size
from tests.load.researcher import Researcher, create_owner
from tests.load.server import AssayServe, Server, serving

PROJECT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ASSAY_TEST_DATA", PROJECT.parent / "shared" / "data")) / "dl19"
ROUNDS = size(3, 1)
OWNER, SLUG = "ada", "dl19"
OTHER_PAGES = ("/", f"/c/{SLUG}/", f"/c/{SLUG}/people/", f"/c/{SLUG}/judging/", f"/c/{SLUG}/audit/")


@dataclass(frozen=True)
class Step:
    """What one step cost: wall and CPU seconds, and the peak memory of server and worker in MB."""

    name: str
    wall: float
    cpu: float
    peak_mb: float


class Campaign:
    """One campaign on a new server."""

    def __init__(self, server: Server, usage: ServerUsage) -> None:
        self.usage = usage
        self.steps: list[Step] = []
        self.researcher = Researcher(server.port, SLUG)
        self._page = ""

    def run(self, name: str, action: Callable[[], object]) -> None:
        """Measure a step."""
        self.usage.begin_peak()
        wall, cpu = time.perf_counter(), self.usage.cpu_seconds()
        action()
        wall, cpu = time.perf_counter() - wall, self.usage.cpu_seconds() - cpu
        self.steps.append(Step(name, wall, cpu, self.usage.peak_mb()))

    def begin(self) -> None:
        """Everything before there is a collection whose pages the other browser can open."""
        self.run("sign in", lambda: self.researcher.sign_in(OWNER))
        self.run("create the collection", self._create)

    def finish(self) -> None:
        """Everything from the upload to the shift."""
        self.run("upload the files", self._upload)
        self.run("check them", self._check)
        self.run("import them", self._import)
        self.run("pool by rrf", self._pool)
        self.run("open the agreement", lambda: self.researcher.open("agreement/"))
        self.run("open the shift", lambda: self.researcher.open("shift/"))

    def _create(self) -> None:
        browser = self.researcher.browser
        page = browser.page("/collections/new/")
        browser.send(browser.address, page, name="DL 2019", slug=SLUG, start="dl", filled="binary")

    def _upload(self) -> None:
        for path in files():
            answer = self.researcher.upload(path)
            if answer["error"]:
                raise RuntimeError(answer["error"])

    def _check(self) -> None:
        self._page = self.researcher.check(keep_all="on")

    def _import(self) -> None:
        page: str | None = self.researcher.start_import(self._page)
        while page:
            page = self.researcher.next_import(page)

    def _pool(self) -> None:
        page = self.researcher.browser.page(f"/c/{SLUG}/pool/?strategy=rrf")
        self._page = self.researcher.send("pool/build/", page, strategy="rrf", size="50", k="60", seed="0")


def files() -> list[Path]:
    """Return the files in the order of their upload."""
    judges = (DATA / "judges" / f"judge{number}.qrels" for number in range(1, 9))
    return [*sorted((DATA / "runs").glob("*.run.gz")), DATA / "topics.tsv", DATA / "documents.jsonl.gz", *judges]


def campaign() -> tuple[list[Step], list[Visit]]:
    """Run a campaign on a new server. Return its steps and the visits of the other browser."""
    with TemporaryDirectory() as folder, serving(Path(folder), kind=AssayServe) as server:
        create_owner(server, OWNER)
        with ServerUsage(server.process.pid) as usage:
            measured = Campaign(server, usage)
            measured.begin()
            with PageVisitor(server.port, measured.researcher.browser.cookies, OTHER_PAGES) as visitor:
                measured.finish()
            return measured.steps, visitor.visits


def main() -> None:
    if not DATA.is_dir():
        print(f"No data at {DATA}; set ASSAY_TEST_DATA to measure the campaign.")
        return
    rounds = [campaign() for _ in range(ROUNDS)]
    print("\n".join(report(rounds)))


def report(rounds: list[tuple[list[Step], list[Visit]]]) -> Iterator[str]:
    """Yield a table of the steps, and lines about the other browser: medians with minimum and maximum."""
    yield f"{'':24} {'wall s':>20} {'CPU s':>20} {'peak MB':>20}"
    for steps in zip(*(steps for steps, _ in rounds), strict=True):
        yield _line(steps[0].name, *([getattr(step, what) for step in steps] for what in ("wall", "cpu", "peak_mb")))
    yield _line("all", *map(list, zip(*(_total(steps) for steps, _ in rounds), strict=True)))
    waits = [[visit.seconds * 1e3 for visit in visits] for _, visits in rounds]
    errors = [visit.error for _, visits in rounds for visit in visits if visit.error]
    yield f"\nOther pages: {sum(map(len, waits)):,} requests, {len(errors)} errors {errors[:1]}"
    yield f"median ms {_spread([median(each) for each in waits])}"
    yield f"p99 ms {_spread([quantiles(each, n=100, method='inclusive')[98] for each in waits])}"
    yield f"longest ms {_spread([max(each) for each in waits])}"


def _total(steps: list[Step]) -> tuple[float, float, float]:
    return sum(step.wall for step in steps), sum(step.cpu for step in steps), max(step.peak_mb for step in steps)


def _line(name: str, *columns: list[float]) -> str:
    return f"{name:24} " + " ".join(f"{_spread(column):>20}" for column in columns)


def _spread(values: list[float]) -> str:
    return f"{median(values):.3g} ({min(values):.3g}-{max(values):.3g})"


if __name__ == "__main__":
    main()
