"""The disk is full while an assessor judges: 503, nothing half-written, and the same request succeeds afterwards.

A limit of the file size makes the writes of the server's process fail, as a full disk does, without filling one. The
test uses SQLite on every run, because PostgreSQL writes in processes of its own.
"""

import json
import resource
import uuid
from http.client import HTTPConnection
from urllib.parse import urlencode

import pytest

from tests.load.assessors import TOKEN
from tests.load.server import AssayServe, serving

pytestmark = pytest.mark.alone


class Assessor:
    """Gets cards and sends judgements over one connection."""

    def __init__(self, port: int, collection: dict):
        assessor, self.slug = collection["assessors"][0], collection["slug"]
        self.connection, self.member = HTTPConnection("127.0.0.1", port, timeout=60), assessor["member"]
        cookie = f"{collection['session_cookie']}={assessor['session']}; csrftoken={TOKEN}"
        self.headers = {"Cookie": cookie, "X-CSRFToken": TOKEN, "Accept": "application/json"}

    def cards(self, topic: int) -> list[dict]:
        return self._ask("GET", f"{topic}/next/")[2]["cards"]

    def judge(self, card: dict, client_id: uuid.UUID):
        fields = {"client_id": client_id, "member": self.member, "seen_version": card["version"], "relevance": 1}
        self.headers["Content-Type"] = "application/x-www-form-urlencoded"
        return self._ask("POST", f"task/{card['task']}/", urlencode(fields | {"comment": "x" * 5_000}))

    def _ask(self, verb: str, path: str, body: str | None = None):
        self.connection.request(verb, f"/c/{self.slug}/judge/{path}", body, self.headers)
        answer = self.connection.getresponse()
        return answer.status, answer.getheader("Retry-After"), json.loads(answer.read())


@pytest.mark.slow
def test_judgement_on_a_full_disk_is_saved_once_afterwards(tmp_path):
    with serving(tmp_path, None, AssayServe) as server:
        words = ("--tasks", "10", "--topics", "1", "--assessors", "1", "--k", "1")
        collection = server.run_json("-m", "tests.load.load_collection", "make", *words)
        assessor = Assessor(server.port, collection)
        first, second, *_ = assessor.cards(collection["topics"][0])
        assert assessor.judge(first, uuid.uuid4())[0] == 200
        client_id = uuid.uuid4()
        size = (tmp_path / "assay.sqlite3-wal").stat().st_size
        limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        for _ in range(3):
            status, retry_after, answer = assessor.judge(second, client_id)
            assert (status, retry_after) == (503, "5")
            assert "Try again" in answer["error"]
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)
        status, _, receipt = assessor.judge(second, client_id)
        assert status == 200
        assert assessor.judge(second, client_id) == (200, None, receipt)
        saved = server.run_json("-m", "tests.load.load_collection", "look")
        log = server.log.read_text()
    assert [event["task"] for event in saved["events"]] == [first["task"], second["task"]]
    assert saved["differences"] == []
    assert log.count("Unavailable (503)") == 3
    assert "Traceback" not in log
