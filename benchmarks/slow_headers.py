"""How long people wait to judge while 600 clients of `assay serve` send their headers a byte at a time.

Twenty assessors judge, with two seconds between judgements, for a minute without the slow clients and a minute with
them. A slow client that the server closes connects again, so there are always 600.
"""

import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from benchmarks import databases
from benchmarks.tiny import size
from tests.load.assessors import AssessorProcesses
from tests.load.server import AssayServe, Server, serving
from tests.load.slow_clients import HEADERS, PAUSE, opened

CLIENTS, PEOPLE, SECONDS = size((600, 20, 60), (20, 2, 4))
SIZE = {"tasks": size(4_000, 80), "topics": size(10, 2), "assessors": PEOPLE, "k": 3}


def main() -> None:
    print(f"{'':34} {'judged':>7} {'p50 ms':>7} {'p99 ms':>7} {'longest ms':>11} {'refused':>8}")
    for name, url in databases.urls():
        for label, number in (("no slow clients", 0), (f"{CLIENTS} slow clients", CLIENTS)):
            with TemporaryDirectory() as folder, serving(Path(folder), url, AssayServe) as server:
                print(f"{f'{name}, {label}':34} {_line(server, Path(folder), number)}", flush=True)


def _line(server: Server, folder: Path, number: int) -> str:
    options = (word for name, value in SIZE.items() for word in (f"--{name}", str(value)))
    collection = server.run_json("-m", "tests.load.load_collection", "make", *options)
    end = threading.Event()
    slow = threading.Thread(target=_send_slowly, args=(server.port, number, end))
    (folder / "logs").mkdir()
    judging = {"think": 2, "most": max(1, SECONDS // 2), "detours": 0, "begin": time.time() + size(10, 4)}
    slow.start()
    reports = AssessorProcesses(server, collection, folder / "logs", **judging).end()
    end.set()
    slow.join()
    posts = [wait * 1e3 for report in reports for wait in report["posts"]]
    cuts = quantiles(posts, n=100)
    refused = PEOPLE * judging["most"] - len(posts)
    return f"{len(posts):>7,} {cuts[49]:>7.0f} {cuts[98]:>7.0f} {max(posts):>11.0f} {refused:>8}"


def _send_slowly(port: int, number: int, end: threading.Event) -> None:
    sockets = [opened(port, HEADERS) for _ in range(number)]
    while not end.wait(PAUSE):
        for at, connection in enumerate(sockets):
            try:
                connection.sendall(b"a")
            except OSError:  # the server has closed it
                connection.close()
                with suppress(OSError):
                    sockets[at] = opened(port, HEADERS)
    for connection in sockets:
        connection.close()


if __name__ == "__main__":
    sys.exit(main())
