"""Judgements a second, how long each waits, and what it costs: 50 assessors over HTTP, `gunicorn -w 2 --threads 4`.

Every assessor is a process, on the same machine as the server, and takes a share of it. Documents are claimed, and
asked for as the judging page asks; the cost of that is shared out among the judgements.
"""

import sys
import time
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from benchmarks import databases
from tests.load.assessors import Crowd

CLIENTS = 50
SIZE = {"tasks": 4_000, "topics": 10, "assessors": CLIENTS, "k": 3}
ROUNDS = {"2 s think time": {"think": 2, "most": 30}, "no think time": {"think": 0, "most": 120}}
REFILL_BELOW = 7  # as in the page's script, judging/cards.js
TOGETHER = 10  # seconds until all clients are there


def main() -> None:
    for name, url in databases.urls():
        with databases.beside(url) as (server, folder):
            words = (word for what, number in SIZE.items() for word in (f"--{what}", str(number)))
            world = server.tell("-m", "tests.load.load_collection", "make", *words)
            server.start()
            try:
                print(f"{name}, {CLIENTS} clients\n{HEAD}")
                for words, orders in ROUNDS.items():
                    print(_line(words, server, world, folder, orders), flush=True)
            finally:
                server.stop()
        print()


HEAD = (
    f"{'':16} {'judgements':>10} {'a second':>9} {'p50 ms':>8} {'p95 ms':>8} {'p99 ms':>8} {'next p50':>9} {'p99':>8} "
    f"{'CPU ms each':>12} {'errors':>7} {'MB':>6}"
)


def _line(words: str, server, world: dict, folder: Path, orders: dict) -> str:
    with TemporaryDirectory(dir=folder) as logs:
        begin = time.time() + TOGETHER
        crowd = Crowd(server, world, Path(logs), begin=begin, refill_below=REFILL_BELOW, detours=0, **orders)
        time.sleep(max(0, begin - time.time()))
        cpu = server.cpu_seconds()
        told = crowd.end()
        cpu = server.cpu_seconds() - cpu
    posts, gets = ([wait * 1e3 for one in told for wait in one[what]] for what in ("posts", "gets"))
    took = max(one["end"] for one in told) - begin
    p50, p95, p99 = _percentiles(posts)
    first, _, last = _percentiles(gets)
    errors = server.log.read_text().count("Error")
    return (
        f"{words:16} {len(posts):>10,} {len(posts) / took:>9.1f} {p50:>8.1f} {p95:>8.1f} {p99:>8.1f} {first:>9.1f} "
        f"{last:>8.1f} {cpu / len(posts) * 1e3:>12.2f} {errors:>7} {server.resident_mb():>6.0f}"
    )


def _percentiles(waits: list[float]) -> tuple[float, float, float]:
    cuts = quantiles(waits, n=100)
    return cuts[49], cuts[94], cuts[98]


if __name__ == "__main__":
    sys.exit(main())
