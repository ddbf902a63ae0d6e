"""The throughput, waiting time and CPU cost of judgements: 50 assessors over HTTP, `gunicorn -w 2 --threads 4`.

Every assessor is a process on the same machine as the server, and uses a part of its CPU. Documents are claimed and
requested in the way of the judging page; this cost is included in the CPU time per judgement.
"""

import sys
import time
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from benchmarks import databases
from benchmarks.tiny import size
from tests.load.assessors import AssessorProcesses

CLIENTS = size(50, 2)
SIZE = {"tasks": size(4_000, 80), "topics": size(10, 2), "assessors": CLIENTS, "k": 3}
THINK = size(2, 0.1)
ROUNDS = {
    f"{THINK} s think time": {"think": THINK, "most": size(30, 5)},
    "no think time": {"think": 0, "most": size(120, 5)},
}
REFILL_BELOW = 7  # as in the page's script, judging/cards.js
START_DELAY = size(10, 4)  # seconds until all clients have started


def main() -> None:
    for database, url in databases.urls():
        with databases.server_with_database(url) as (server, folder):
            options = (word for name, number in SIZE.items() for word in (f"--{name}", str(number)))
            collection = server.run_json("-m", "tests.load.load_collection", "make", *options)
            server.start()
            try:
                print(f"{database}, {CLIENTS} clients\n{HEAD}")
                for label, orders in ROUNDS.items():
                    print(_line(label, server, collection, folder, orders), flush=True)
            finally:
                server.stop()
        print()


HEAD = (
    f"{'':16} {'judgements':>10} {'a second':>9} {'p50 ms':>8} {'p95 ms':>8} {'p99 ms':>8} {'next p50':>9} {'p99':>8} "
    f"{'CPU ms each':>12} {'errors':>7} {'MB':>6}"
)


def _line(label: str, server, collection: dict, folder: Path, orders: dict) -> str:
    with TemporaryDirectory(dir=folder) as logs:
        begin = time.time() + START_DELAY
        options = {"begin": begin, "refill_below": REFILL_BELOW, "detours": 0} | orders
        assessors = AssessorProcesses(server, collection, Path(logs), **options)
        time.sleep(max(0, begin - time.time()))
        cpu = server.cpu_seconds()
        reports = assessors.end()
        cpu = server.cpu_seconds() - cpu
    posts, gets = ([wait * 1e3 for report in reports for wait in report[kind]] for kind in ("posts", "gets"))
    took = max(report["end"] for report in reports) - begin
    p50, p95, p99 = _percentiles(posts)
    first, _, last = _percentiles(gets)
    errors = server.log.read_text().count("Error")
    return (
        f"{label:16} {len(posts):>10,} {len(posts) / took:>9.1f} {p50:>8.1f} {p95:>8.1f} {p99:>8.1f} {first:>9.1f} "
        f"{last:>8.1f} {cpu / len(posts) * 1e3:>12.2f} {errors:>7} {server.resident_mb():>6.0f}"
    )


def _percentiles(waits: list[float]) -> tuple[float, float, float]:
    cuts = quantiles(waits, n=100)
    return cuts[49], cuts[94], cuts[98]


if __name__ == "__main__":
    sys.exit(main())
