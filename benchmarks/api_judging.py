"""The waiting time of judgements by the API: 50 clients, each with a token, two seconds between judgements.

Every client is a thread of this process, on the machine of the server, and uses a part of its CPU. The server is `assay
serve` on SQLite. Documents are claimed. The benchmark also compares what the site has with what was acknowledged.
"""

import json
import random
import sys
import threading
import time
import uuid
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.tiny import size
from tests.load.server import AssayServe, Server, serving

CLIENTS, SECONDS, THINK = size(50, 2), size(60, 4), size(2, 0.5)
SIZE = {"tasks": size(4_000, 80), "topics": size(10, 2), "assessors": CLIENTS, "k": 3}
COUNT = """
import django; django.setup()
from assess.models import JudgementEvent
print(JudgementEvent.objects.count())
"""


def main() -> None:
    with TemporaryDirectory() as folder, serving(Path(folder), None, AssayServe) as server:
        options = (word for name, number in SIZE.items() for word in (f"--{name}", str(number)))
        collection = server.run_json("-m", "tests.load.load_collection", "make", *options)
        tokens = [assessor["token"] for assessor in collection["assessors"]]
        waits: dict[str, list[float]] = {"tasks": [], "judgement": []}
        end = time.monotonic() + SECONDS
        threads = [threading.Thread(target=_judge, args=(server, token, end, waits)) for token in tokens]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        stored = server.run_json("-c", COUNT)
    for name, found in waits.items():
        cuts = quantiles(found, n=100)
        print(f"{name:10} {len(found):>6,}  p50 {cuts[49] * 1000:>6.0f} ms  p99 {cuts[98] * 1000:>6.0f} ms")
    print(f"{stored:,} judgements are stored, {len(waits['judgement']):,} were acknowledged")


def _judge(server: Server, token: str, end: float, waits: dict[str, list[float]]) -> None:
    time.sleep(random.random() * THINK)
    client = _Client(server.port, token)
    topics = [topic["id"] for topic in client.send("GET", "judging/topics")]
    while time.monotonic() < end:
        path = f"judging/topics/{random.choice(topics)}/tasks?limit=5"
        for card in _timed(waits["tasks"], client, "GET", path):
            time.sleep(THINK * random.random() * 2)
            body = {"client_id": str(uuid.uuid4()), "relevance": random.randrange(4)}
            _timed(waits["judgement"], client, "POST", f"judging/tasks/{card['task']}", body)
            if time.monotonic() >= end:
                return


def _timed(waits: list[float], client: "_Client", *request: Any) -> Any:
    began = time.perf_counter()
    answer = client.send(*request)
    waits.append(time.perf_counter() - began)
    return answer


class _Client:
    """One connection that stays open."""

    def __init__(self, port: int, token: str) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=90)
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def send(self, method: str, path: str, body: Any = None) -> Any:
        content = None if body is None else json.dumps(body)
        self.connection.request(method, f"/api/v1/collections/load/{path}", content, self.headers)
        response = self.connection.getresponse()
        text = response.read()
        if response.status != 200:
            raise RuntimeError(f"{response.status}: {text.decode()}")
        return json.loads(text)


if __name__ == "__main__":
    sys.exit(main())
