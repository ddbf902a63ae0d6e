"""A class of students over real HTTP: each joins by a nickname, and judges until nothing is left.

They are threads of one process, each with a browser of its own, while the instructor's screen is open. Errors of
all threads are collected.
"""

import json
import random
import re
import threading
import time
import uuid
from dataclasses import dataclass, field

from tests.load.browsing import Browser

REFILL_BELOW = 7  # loaded documents, as in the page's script, judging/cards.js
SCREEN_EVERY = 2  # seconds between refreshes of the screen
JUDGE = re.compile(r'href="(/c/[^"/]+/judge/\d+/)"')
TOPIC = re.compile(r"/judge/(\d+)/")
SCRIPT_DATA = re.compile(r'<script id="script-data" type="application/json">(.*?)</script>', re.DOTALL)


@dataclass
class ClassResults:
    """Measured times in seconds, and the acknowledged judgements: nickname, client id and grade."""

    joins: list[float] = field(default_factory=list)  # joining: three requests
    all_joined: float = 0  # since the first request
    nexts: list[float] = field(default_factory=list)
    posts: list[float] = field(default_factory=list)
    screens: list[float] = field(default_factory=list)
    last_screen: str = ""
    acknowledged: list[tuple[str, str, int]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def run_class(port: int, exercise: dict, number_of_students: int, think: float, seed: int = 1) -> ClassResults:
    """All students join at once and then judge, with about `think` seconds for each document."""
    results, over = ClassResults(), threading.Event()
    began = time.perf_counter()
    students = [
        Student(port, exercise["code"], f"student {number:02}", results, think, random.Random(f"{seed}:{number}"))
        for number in range(1, number_of_students + 1)
    ]
    threads = [threading.Thread(target=_collect_errors, args=(results, student.attend)) for student in students]
    screen = threading.Thread(target=_collect_errors, args=(results, _watch, port, exercise, results, over))
    for thread in (screen, *threads):
        thread.start()
    for thread in threads:
        thread.join()
    over.set()
    screen.join()
    results.all_joined = max((student.seated_at for student in students), default=began) - began
    return results


def _collect_errors(results: ClassResults, call, *arguments) -> None:
    try:
        call(*arguments)
    except Exception as problem:  # of any kind: it must not be lost with its thread
        results.errors.append(repr(problem))


def _watch(port: int, exercise: dict, results: ClassResults, over: threading.Event) -> None:
    """Load the instructor's screen, then refresh it every few seconds and once at the end."""
    browser, address = Browser(port, exercise["cookies"]), f"/teach/{exercise['code']}/"
    browser.page(address)
    at_the_end = False
    while not at_the_end:
        at_the_end = over.wait(SCREEN_EVERY)
        wait, live = _timed(browser.json, "GET", f"{address}live/")
        results.screens.append(wait)
        results.last_screen = live["html"]


@dataclass
class Student:
    port: int
    code: str
    nickname: str
    results: ClassResults
    think: float
    random: random.Random
    seated_at: float = 0

    def attend(self) -> None:
        self.browser = Browser(self.port)
        wait, seat = _timed(self._join)
        self.results.joins.append(wait)
        self.seated_at = time.perf_counter()
        self.finish_judging(seat)

    def finish_judging(self, seat: str) -> None:
        """Judge all documents, from the page of the seat on."""
        while judge := JUDGE.search(seat):
            self._judge_topic(judge[1])
            seat = self.browser.page(f"/x/{self.code}/")

    def _join(self) -> str:
        address = f"/join/{self.code}/"
        seat = self.browser.send(address, self.browser.page(address), nickname=self.nickname)
        if f"Your nickname is {self.nickname}." not in seat:
            raise RuntimeError(f"{self.nickname} has no seat: {seat[:300]}")
        return seat

    def _judge_topic(self, address: str) -> None:
        """Judge the documents of the page, and those that it loads later, one after the other."""
        data = json.loads(SCRIPT_DATA.search(self.browser.page(address))[1])
        # The page's script puts the topic in the place of 0.
        data["addresses"]["next"] = data["addresses"]["next"].replace(
            "/judge/0/", f"/judge/{TOPIC.search(address)[1]}/"
        )
        cards, seen = data["cards"], {card["task"] for card in data["cards"]}
        while cards:
            time.sleep(self.think * self.random.uniform(0.5, 1.5))
            self._judge(data, cards.pop(0))
            if len(cards) < REFILL_BELOW:
                fresh = [card for card in self._next(data, cards) if card["task"] not in seen]
                cards += fresh
                seen |= {card["task"] for card in fresh}

    def _next(self, data: dict, cards: list[dict]) -> list[dict]:
        besides = "&".join(f"besides={card['task']}" for card in cards)
        wait, answer = _timed(self.browser.json, "GET", f"{data['addresses']['next']}?{besides}")
        self.results.nexts.append(wait)
        return answer["cards"]

    def _judge(self, data: dict, card: dict) -> None:
        grade, client_id = self.random.choice(data["grades"]), str(uuid.uuid4())
        fields = {
            "client_id": client_id,
            "member": data["member"],
            "seen_version": card["version"],
            "relevance": grade,
            "active_ms": 900,
            "away_ms": 0,
            "input": "key",
            "highlights": "true",
        }
        address = data["addresses"]["record"].replace(data["nowhere"], card["task"])
        wait, answer = _timed(self.browser.json, "POST", address, fields)
        if (answer["state"], answer["relevance"]) != ("judged", grade):
            raise RuntimeError(f"{answer} does not acknowledge {fields}")
        self.results.posts.append(wait)
        self.results.acknowledged.append((self.nickname, client_id, grade))


def _timed(call, *arguments) -> tuple[float, object]:
    began = time.perf_counter()
    answer = call(*arguments)
    return time.perf_counter() - began, answer
