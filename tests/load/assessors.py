"""Assessors as processes over real HTTP: each takes the next documents and judges them until nothing is left.

`python -m tests.load.assessors` is one of them; its orders are JSON on standard input. A judgement whose answer did
not come is sent again with the same client id until it is acknowledged. What was acknowledged is written to a log, a
line of WIDTH bytes each, so that whoever watches counts by the length of the file.
"""

import json
import random
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
WIDTH = 4 + 1 + 36 + 1 + 36 + 1 + 12 + 1 + 2 + 1
PATIENCE = 120  # seconds without any answer until an assessor gives up
TOKEN = "c" * 32  # cookie and field of the protection against forged requests must be the same, and no more


@dataclass
class Orders:
    """What one assessor is told."""

    port: int
    slug: str
    cookie: str
    member: int
    topics: list[int]
    log: str
    seed: int
    patient: bool  # a server may be gone for a while
    think: float = 0  # seconds between judgements
    most: int = 10**9  # judgements
    detours: int = 60  # so many first judgements have later ones, undone ones and such that cannot be judged among them
    refill_below: int = 1  # documents in store; the page asks for more as soon as there are fewer than this
    begin: float = 0  # by the clock: all begin together


class Assessor:
    def __init__(self, orders: Orders, log):
        self.orders, self.log = orders, log
        self.chance = random.Random(orders.seed)
        self.connection: HTTPConnection | None = None
        self.said = 0
        self.put_off: set[str] = set()
        self.gets: list[float] = []
        self.posts: list[float] = []

    def judge_all(self) -> None:
        """Round and round the topics, until none of them has anything."""
        time.sleep(max(0, self.orders.begin - time.time()))
        found = True
        while found:
            found = sum(self._judge_topic(topic) for topic in self.orders.topics) > 0

    def _judge_topic(self, topic: int) -> bool:
        """Judge what there is in a topic, always with some documents in store; returns whether there were any."""
        before, cards = self.said, []
        while self.said < self.orders.most:
            if len(cards) < self.orders.refill_below:
                cards += self._next(topic, cards)
            if not cards:
                break
            self._judge(cards.pop(0))
        return before < self.said < self.orders.most

    def _next(self, topic: int, besides: list[dict]) -> list[dict]:
        query = urlencode([("besides", card["task"]) for card in besides])
        status, answer, wait = self._ask("GET", f"/c/{self.orders.slug}/judge/{topic}/next/?{query}")
        if status != 200:
            raise RuntimeError(f"{status} for the next documents: {answer}")
        self.gets.append(wait)
        return answer["cards"]

    def _judge(self, card: dict) -> None:
        """Mostly a grade; now and then by way of later, of undo, or that it cannot be judged."""
        self.said += 1
        task, version = card["task"], card["version"]
        grade = self.chance.randrange(4)
        turn = self.said % 30 if self.said <= self.orders.detours else -1
        if turn == 7 and task not in self.put_off:
            self.put_off.add(task)
            self._say(task, version, state="later")
        elif turn == 13:
            self._say(task, version, reason="language")
        elif turn == 21 and (kept := self._say(task, version, relevance=grade)):
            kept = self._say(task, kept, state="undone")
            self._say(task, kept, relevance=3 - grade)
        else:
            self._say(task, version, relevance=grade)

    def _say(self, task: str, version: int, **said) -> int | None:
        """Send until acknowledged; returns the judgement's new version, or None where nobody needs it any more."""
        time.sleep(self.orders.think * self.chance.uniform(0.5, 1.5))
        client_id = uuid.uuid4()
        times = {"active_ms": 900, "away_ms": 0, "input": "key", "highlights": "true", "guidelines_version": 1}
        fields = {"client_id": client_id, "member": self.orders.member, "seen_version": version} | times | said
        status, answer, wait = self._ask("POST", f"/c/{self.orders.slug}/judge/task/{task}/", urlencode(fields))
        dropped = status == 409 and answer.get("drop")
        if status != 200 and not dropped:
            raise RuntimeError(f"{status} for {fields}: {answer}")
        self.posts.append(wait)
        state = said.get("state") or ("cannot_judge" if "reason" in said else "judged")
        outcome, grade = "drop" if dropped else "kept", said.get("relevance", -1)
        self.log.write(LINE.format(outcome=outcome, task=task, client_id=client_id, state=state, relevance=grade))
        self.log.flush()
        return None if dropped else answer["version"]

    def _ask(self, verb: str, path: str, body: str | None = None) -> tuple[int, dict, float]:
        """One answer, and how long it took; where the connection breaks, the same is asked again."""
        began = last = time.perf_counter()
        while True:
            fresh = self.connection is None
            try:
                status, answer = self._once(verb, path, body)
                return status, answer, time.perf_counter() - last
            except (OSError, HTTPException) as broken:
                self.connection = None
                # A server may close a connection that was kept open; a new one it must answer, unless it was killed.
                if fresh and not (self.orders.patient and time.perf_counter() - began < PATIENCE):
                    raise RuntimeError(f"No answer to {verb} {path}: {broken!r}") from broken
                time.sleep(0.02 if fresh else 0)
                last = time.perf_counter()

    def _once(self, verb: str, path: str, body: str | None) -> tuple[int, dict]:
        if self.connection is None:
            self.connection = HTTPConnection("127.0.0.1", self.orders.port, timeout=PATIENCE)
        headers = {"Cookie": f"{self.orders.cookie}; csrftoken={TOKEN}", "Accept": "application/json"}
        if body is not None:
            headers |= {"X-CSRFToken": TOKEN, "Content-Type": "application/x-www-form-urlencoded"}
        self.connection.request(verb, path, body, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.getheader("Connection") == "close":
            self.connection = None
        return answer.status, json.loads(content) if content[:1] == b"{" else {"text": content[:300].decode()}


class Crowd:
    """All assessors of a made made, at work."""

    def __init__(self, server: Server, made: dict, folder: Path, **orders):
        self.logs = [folder / f"{number}.log" for number in range(len(made["assessors"]))]
        self.processes = []
        for log in self.logs:
            log.touch()
        for number, (assessor, log) in enumerate(zip(made["assessors"], self.logs, strict=True)):
            topics = made["topics"]
            start = number % len(topics)
            own = Orders(
                port=server.port,
                slug=made["slug"],
                cookie=f"{made['session_cookie']}={assessor['session']}",
                member=assessor["member"],
                topics=topics[start:] + topics[:start],
                log=str(log),
                seed=number,
                **{"patient": False} | orders,
            )
            self.processes.append(_begin(own))

    def acknowledged(self) -> int:
        return sum(log.stat().st_size for log in self.logs) // WIDTH

    def at_work(self) -> bool:
        return any(process.poll() is None for process in self.processes)

    def end(self) -> list[dict]:
        """What each says at its end; whoever failed is quoted."""
        told = [process.communicate() for process in self.processes]
        for process, (_, problem) in zip(self.processes, told, strict=True):
            if process.returncode:
                raise RuntimeError(problem)
        return [json.loads(said) for said, _ in told]

    def kill(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.kill()

    def lines(self) -> list[dict]:
        """All that was acknowledged."""
        return [_parsed(line) for log in self.logs for line in log.read_text().splitlines()]


def _begin(orders: Orders) -> subprocess.Popen:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.load.assessors"],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdin.write(json.dumps(asdict(orders)))
    process.stdin.close()
    process.stdin = None
    return process


def _parsed(line: str) -> dict:
    outcome, task, client_id, state, relevance = line.split()
    grade = None if relevance == "-1" else int(relevance)
    return {"outcome": outcome, "task": task, "client_id": client_id, "state": state, "relevance": grade}


if __name__ == "__main__":
    orders = Orders(**json.load(sys.stdin))
    with open(orders.log, "a") as log:
        assessor = Assessor(orders, log)
        assessor.judge_all()
    print(json.dumps({"gets": assessor.gets, "posts": assessor.posts, "end": time.time()}))
