"""The waiting times of a class of forty over HTTP, `gunicorn -w 2 --threads 4`: for joining and for each judgement.

All students join at the same moment. Then each judges 20 documents, one every two seconds, while the instructor's
screen is open. The students are threads of one process on the same machine as the server, and use a part of its CPU.
"""

import sys
from collections import Counter
from math import nan
from statistics import quantiles

from benchmarks import databases
from benchmarks.tiny import size
from tests.load import students

STUDENTS, DOCUMENTS, THINK = size((40, 20, 2.0), (3, 4, 0.1))


def main() -> None:
    print(f"{STUDENTS} students, {DOCUMENTS} documents each, one every {THINK} s\n{HEAD}")
    for name, url in databases.urls():
        with databases.server_with_database(url) as (server, _):
            exercise = server.run_json("-m", "tests.load.load_exercise", "make", "--documents", str(DOCUMENTS))
            server.start()
            try:
                print(_line(name, server, exercise), flush=True)
            finally:
                server.stop()


HEAD = (
    f"{'':11} {'judgements':>10} {'p50 ms':>7} {'p99 ms':>7} {'joining p50':>12} {'p99':>7} {'all in, s':>9} "
    f"{'screen p50':>11} {'p99':>7} {'next p50':>9} {'p99':>7} {'errors':>7} {'lost':>5} {'CPU s':>6}"
)


def _line(name: str, server, exercise: dict) -> str:
    cpu = server.cpu_seconds()
    results = students.run_class(server.port, exercise, STUDENTS, THINK)
    cpu = server.cpu_seconds() - cpu
    recorded = Counter(map(tuple, server.run_json("-m", "tests.load.load_exercise", "look")["events"]))
    lost = sum((Counter(results.acknowledged) - recorded).values())
    errors = len(results.errors) + server.log.read_text().count("Error")
    (p50, p99), (join50, join99), (screen50, screen99), (next50, next99) = map(
        _percentiles, (results.posts, results.joins, results.screens, results.nexts)
    )
    return (
        f"{name:11} {len(results.posts):>10,} {p50:>7.1f} {p99:>7.1f} {join50:>12.1f} {join99:>7.1f} "
        f"{results.all_joined:>9.2f} {screen50:>11.1f} {screen99:>7.1f} {next50:>9.1f} {next99:>7.1f} "
        f"{errors:>7} {lost:>5} {cpu:>6.1f}"
    )


def _percentiles(waits: list[float]) -> tuple[float, float]:
    """Return the median and the 99th percentile in milliseconds, without extrapolation."""
    cuts = quantiles(waits, n=100, method="inclusive") if len(waits) > 1 else [nan] * 99
    return cuts[49] * 1e3, cuts[98] * 1e3


if __name__ == "__main__":
    sys.exit(main())
