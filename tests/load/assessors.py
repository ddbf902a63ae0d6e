"""Assessors as processes over real HTTP: each takes the next documents and judges them until nothing is left.

`python -m tests.load.assessors` runs one of them; its options are JSON on standard input. A judgement without an answer
is sent again with the same client id until it is acknowledged. Acknowledged judgements are written to a log in lines
of WIDTH bytes, so that they can be counted by the length of the file.
"""

import json
import random
import re
import subprocess
import sys
import time
import uuid
from dataclasses import asdict, dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlencode

from tests.load.server import PROJECT, Server

LINE = "{outcome:<4} {task} {client_id} {state:<12} {relevance:>2}\n"
PRACTICE = re.compile(r'class="practice" action="[^"]*/([0-9a-f-]{36})/"')
WIDTH = 4 + 1 + 36 + 1 + 36 + 1 + 12 + 1 + 2 + 1
PATIENCE = 120  # seconds without an answer before an assessor gives up
API = "/api/v1/collections"
TOKEN = "c" * 32  # Django's CSRF protection only compares the cookie with the header


@dataclass
class Options:
    """The options of one assessor."""

    port: int
    slug: str
    cookie: str
    member: int
    topics: list[int]
    log: str
    seed: int
    patient: bool  # the server may be down for a while
    think: float = 0  # seconds between judgements
    most: int = 10**9  # judgements
    detours: int = 60  # among this many first judgements, some are postponed, undone or cannot be judged
    refill_below: int = 1  # more documents are requested when fewer than this are loaded
    begin: float = 0  # time at which all begin together
    stop: str = ""  # a file: they stop when it exists
    token: str = ""  # of the API
    is_tolerant: bool = False  # tasks may be taken from them, and the database may be locked for a while


class Assessor:
    def __init__(self, options: Options, log):
        self.options, self.log = options, log
        self.random = random.Random(options.seed)
        self.connection: HTTPConnection | None = None
        self.judged = 0
        self.postponed: set[str] = set()
        self.gets: list[float] = []
        self.posts: list[float] = []

    def judge_all(self) -> None:
        """Judge all topics in turn until none of them has a document left."""
        time.sleep(max(0, self.options.begin - time.time()))
        self._practise()
        any_judged = True
        while any_judged:
            any_judged = sum(self._judge_topic(topic) for topic in self.options.topics) > 0

    def _practise(self) -> None:
        """Judge the practice documents, which come before all others."""
        page = f"/c/{self.options.slug}/judge/practice/"
        while match := PRACTICE.search(self._ask("GET", page)[1]["text"]):
            client_id, grade, task = uuid.uuid4(), self.random.randrange(4), match[1]
            fields = {"client_id": client_id, "member": self.options.member, "relevance": grade, "input": "form"}
            status, answer, _ = self._ask("POST", f"{page}{task}/", urlencode(fields))
            if status != 302:
                raise RuntimeError(f"{status} for {fields}: {answer}")
            self._write_line("kept", task, client_id, "judged", grade)

    def _judge_topic(self, topic: int) -> bool:
        """Judge the documents of a topic, loading some ahead. Returns whether there were any."""
        before, cards = self.judged, []
        while not self._is_enough():
            if len(cards) < self.options.refill_below:
                cards += self._next(topic, cards)
            if not cards:
                break
            self._judge(cards.pop(0))
        return before < self.judged and not self._is_enough()

    def _is_enough(self) -> bool:
        return self.judged >= self.options.most or bool(self.options.stop and Path(self.options.stop).exists())

    def _next(self, topic: int, besides: list[dict]) -> list[dict]:
        query = urlencode([("besides", card["task"]) for card in besides])
        status, answer, wait = self._ask("GET", f"/c/{self.options.slug}/judge/{topic}/next/?{query}")
        if status == 404 and self.options.is_tolerant:
            return []
        if status != 200:
            raise RuntimeError(f"{status} for the next documents: {answer}")
        self.gets.append(wait)
        return answer["cards"]

    def _judge(self, card: dict) -> None:
        """Record a grade; sometimes postpone, undo or report that the document cannot be judged."""
        self.judged += 1
        task, version = card["task"], card["version"]
        grade = self.random.randrange(4)
        turn = self.judged % 30 if self.judged <= self.options.detours else -1
        if turn == 7 and task not in self.postponed:
            self.postponed.add(task)
            self._send(task, version, state="later")
        elif turn == 13:
            self._send(task, version, reason="language")
        elif turn == 21 and (kept := self._send(task, version, relevance=grade)):
            kept = self._send(task, kept, state="undone")
            self._send(task, kept, relevance=3 - grade)
        else:
            self._send(task, version, relevance=grade)

    def _send(self, task: str, version: int, **judgement) -> int | None:
        """Send until acknowledged. Returns the new version, or None if the judgement is no longer needed."""
        time.sleep(self.options.think * self.random.uniform(0.5, 1.5))
        client_id = uuid.uuid4()
        state = judgement.get("state") or ("cannot_judge" if "reason" in judgement else "judged")
        status, answer, wait = self._post(task, {"client_id": client_id, "seen_version": version} | judgement, state)
        dropped = (status == 409 and answer.get("drop")) or (status == 404 and self.options.is_tolerant)
        if status != 200 and not dropped:
            raise RuntimeError(f"{status} for {task}, {client_id}, {judgement}: {answer}")
        self.posts.append(wait)
        outcome, grade = "drop" if dropped else "kept", judgement.get("relevance", -1)
        self._write_line(outcome, task, client_id, state, grade)
        return None if dropped else answer["version"]

    def _post(self, task: str, fields: dict, _state: str) -> tuple[int, dict, float]:
        """Send a judgement once to the judging page, which derives the state."""
        times = {"active_ms": 900, "away_ms": 0, "input": "key", "highlights": "true", "guidelines_version": 1}
        body = urlencode({"member": self.options.member} | fields | times)
        return self._ask("POST", f"/c/{self.options.slug}/judge/task/{task}/", body)

    def _write_line(self, outcome: str, task: str, client_id: uuid.UUID, state: str, grade: int) -> None:
        self.log.write(LINE.format(outcome=outcome, task=task, client_id=client_id, state=state, relevance=grade))
        self.log.flush()

    def _ask(self, verb: str, path: str, body: str | None = None) -> tuple[int, dict, float]:
        """Return one answer and how long it took. If the connection breaks, the request is repeated."""
        began = last = time.perf_counter()
        while True:
            fresh = self.connection is None
            try:
                status, answer = self._once(verb, path, body)
                if status == 503 and self.options.is_tolerant:
                    continue
                return status, answer, time.perf_counter() - last
            except (OSError, HTTPException) as broken:
                self.connection = None
                # A server may close an idle connection, but it must answer a new one, unless it was killed.
                if fresh and not (self.options.patient and time.perf_counter() - began < PATIENCE):
                    raise RuntimeError(f"No answer to {verb} {path}: {broken!r}") from broken
                time.sleep(0.02 if fresh else 0)
                last = time.perf_counter()

    def _once(self, verb: str, path: str, body: str | None) -> tuple[int, dict]:
        if self.connection is None:
            self.connection = HTTPConnection("127.0.0.1", self.options.port, timeout=PATIENCE)
        self.connection.request(verb, path, body, self._headers(path, body))
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.getheader("Connection") == "close":
            self.connection = None
        return answer.status, json.loads(content) if content[:1] == b"{" else {"text": content.decode()}

    def _headers(self, _path: str, body: str | None) -> dict[str, str]:
        headers = {"Cookie": f"{self.options.cookie}; csrftoken={TOKEN}", "Accept": "application/json"}
        if body is not None:
            headers |= {"X-CSRFToken": TOKEN, "Content-Type": "application/x-www-form-urlencoded"}
        return headers


class ApiAssessor(Assessor):
    """An assessor who judges by the API. Only the practice documents are judged on the site."""

    def _next(self, topic: int, besides: list[dict]) -> list[dict]:
        address = f"{API}/{self.options.slug}/judging/topics/{topic}/tasks?limit={self.options.refill_below + 1}"
        status, answer, wait = self._ask("GET", address)
        if status != 200:
            raise RuntimeError(f"{status} for the next documents: {answer}")
        self.gets.append(wait)
        loaded = {card["task"] for card in besides}
        return [card for card in json.loads(answer["text"]) if card["task"] not in loaded]

    def _post(self, task: str, fields: dict, state: str) -> tuple[int, dict, float]:
        body = json.dumps({**fields, "client_id": str(fields["client_id"]), "state": state, "active_ms": 900})
        return self._ask("POST", f"{API}/{self.options.slug}/judging/tasks/{task}", body)

    def _ask(self, verb: str, path: str, body: str | None = None) -> tuple[int, dict, float]:
        """Wait as long as the rate of the token demands."""
        while True:
            status, answer, wait = super()._ask(verb, path, body)
            if status != 429:
                return status, answer, wait
            time.sleep(1)

    def _headers(self, path: str, body: str | None) -> dict[str, str]:
        if not path.startswith(API):
            return super()._headers(path, body)
        return {"Authorization": f"Bearer {self.options.token}", "Content-Type": "application/json"}


class AssessorProcesses:
    """One running process for each assessor of a collection."""

    def __init__(self, server: Server, collection: dict, folder: Path, by_api: bool = False, **options):
        self.logs = [folder / f"{number}.log" for number in range(len(collection["assessors"]))]
        self.processes = []
        for log in self.logs:
            log.touch()
        for number, (assessor, log) in enumerate(zip(collection["assessors"], self.logs, strict=True)):
            topics = collection["topics"]
            start = number % len(topics)
            own = Options(
                port=server.port,
                slug=collection["slug"],
                cookie=f"{collection['session_cookie']}={assessor['session']}",
                member=assessor["member"],
                token=assessor["token"] if by_api else "",
                topics=topics[start:] + topics[:start],
                log=str(log),
                seed=number,
                **{"patient": False} | options,
            )
            self.processes.append(_begin(own))

    def acknowledged(self) -> int:
        return sum(log.stat().st_size for log in self.logs) // WIDTH

    def is_running(self) -> bool:
        return any(process.poll() is None for process in self.processes)

    def end(self) -> list[dict]:
        """Wait for all processes and return their reports. Raises RuntimeError with the output of a failed one."""
        outputs = [process.communicate() for process in self.processes]
        for process, (_, problem) in zip(self.processes, outputs, strict=True):
            if process.returncode:
                raise RuntimeError(problem)
        return [json.loads(report) for report, _ in outputs]

    def kill(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.kill()

    def lines(self) -> list[dict]:
        """Return all acknowledged judgements."""
        return [parsed(line) for log in self.logs for line in log.read_text().splitlines()]


def _begin(options: Options) -> subprocess.Popen:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.load.assessors"],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdin.write(json.dumps(asdict(options)))
    process.stdin.close()
    process.stdin = None
    return process


def parsed(line: str) -> dict:
    outcome, task, client_id, state, relevance = line.split()
    grade = None if relevance == "-1" else int(relevance)
    return {"outcome": outcome, "task": task, "client_id": client_id, "state": state, "relevance": grade}


if __name__ == "__main__":
    options = Options(**json.load(sys.stdin))
    with open(options.log, "a") as log:
        assessor = (ApiAssessor if options.token else Assessor)(options, log)
        assessor.judge_all()
    print(json.dumps({"gets": assessor.gets, "posts": assessor.posts, "end": time.time()}))
