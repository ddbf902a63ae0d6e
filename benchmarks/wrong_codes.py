"""How many wrong codes a server checks in a second, which bounds what somebody who guesses can try.

Eight threads without cookies open the address of an exercise with a wrong code, on `gunicorn -w 2 --threads 4` with
SQLite and PostgreSQL. They use a part of the machine's CPU. Other work on the machine lowers the codes in a second; the
CPU time of the server for a code depends less on it. It leaves out the processes of PostgreSQL.
"""

import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection

from benchmarks import databases
from benchmarks.tiny import size

THREADS, SECONDS = size((8, 20), (2, 1))
LETTERS, LENGTH = "ACDEFGHJKMNPQRTWXY34679", 10  # those of assess.models.exercise


def main() -> None:
    print(f"{'':11} {'checked':>8} {'in a second':>12} {'refused':>8} {'CPU ms each':>12}")
    for name, url in databases.urls():
        with databases.server_with_database(url) as (server, _):
            server.run_json("-m", "tests.load.load_exercise", "make", "--documents", "20")
            server.start()
            try:
                before = server.cpu_seconds()
                statuses = _guess(server.port)
                cpu = server.cpu_seconds() - before
            finally:
                server.stop()
        checked = statuses[404]
        print(
            f"{name:11} {checked:>8,} {checked / SECONDS:>12.0f} {statuses[429]:>8,} {1_000 * cpu / checked:>12.2f}",
            flush=True,
        )


def _guess(port: int) -> Counter[int]:
    end = time.monotonic() + SECONDS
    with ThreadPoolExecutor(THREADS) as pool:
        return sum(pool.map(lambda seed: _guess_until(end, port, seed), range(THREADS)), Counter())


def _guess_until(end: float, port: int, seed: int) -> Counter[int]:
    """Return how often the server answered with each status: 404 is a wrong code, 429 one that was not checked."""
    letters, statuses = random.Random(seed), Counter[int]()
    while time.monotonic() < end:
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", f"/join/{''.join(letters.choices(LETTERS, k=LENGTH))}/")
        statuses[connection.getresponse().status] += 1
        connection.close()
    return statuses


if __name__ == "__main__":
    main()
