"""A class of students over real HTTP: each joins by a nickname, and judges until nothing is left.

They are threads of one process, each with a browser of its own, while the instructor's screen is open. What goes
wrong for any of them is kept, and told.
"""

import json
import random
import re
import threading
import time
import uuid
from dataclasses import dataclass, field

from tests.load.browsing import Browser

REFILL_BELOW = 7  # documents in store, as in the page's script, judging/cards.js
SCREEN_EVERY = 2  # seconds, as the screen asks
JUDGE = re.compile(r'href="(/c/[^"/]+/judge/\d+/)"')
SCRIPT_DATA = re.compile(r'<script id="script-data" type="application/json">(.*?)</script>', re.DOTALL)


@dataclass
class Lesson:
    """What was measured, in seconds, and what was acknowledged: nickname, client id and grade."""

    joins: list[float] = field(default_factory=list)  # from the door to one's seat: three requests
    all_joined: float = 0  # since the first knocked
    nexts: list[float] = field(default_factory=list)
    posts: list[float] = field(default_factory=list)
    screens: list[float] = field(default_factory=list)
    last_screen: str = ""
    acknowledged: list[tuple[str, str, int]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def hold(port: int, made: dict, students: int, think: float, seed: int = 1) -> Lesson:
    """All join at once; who sits begins to judge, with about `think` seconds for each document."""
    lesson, over = Lesson(), threading.Event()
    began = time.perf_counter()
    crowd = [
        Student(port, made["code"], f"student {number:02}", lesson, think, random.Random(f"{seed}:{number}"))
        for number in range(1, students + 1)
    ]
    threads = [threading.Thread(target=_told, args=(lesson, student.attend)) for student in crowd]
    screen = threading.Thread(target=_told, args=(lesson, _watch, port, made, lesson, over))
    for thread in (screen, *threads):
        thread.start()
    for thread in threads:
        thread.join()
    over.set()
    screen.join()
    lesson.all_joined = max((student.seated_at for student in crowd), default=began) - began
    return lesson


def _told(lesson: Lesson, deed, *arguments) -> None:
    try:
        deed(*arguments)
    except Exception as problem:  # of whatever kind: it is the lesson's, and must not end with its thread
        lesson.errors.append(repr(problem))


def _watch(port: int, made: dict, lesson: Lesson, over: threading.Event) -> None:
    """The instructor's screen: the page, then what changed, every few seconds and once at the end."""
    browser, address = Browser(port, made["cookies"]), f"/teach/{made['code']}/"
    browser.page(address)
    at_the_end = False
    while not at_the_end:
        at_the_end = over.wait(SCREEN_EVERY)
        wait, live = _timed(browser.json, "GET", f"{address}live/")
        lesson.screens.append(wait)
        lesson.last_screen = live["html"]


@dataclass
class Student:
    port: int
    code: str
    nickname: str
    lesson: Lesson
    think: float
    chance: random.Random
    seated_at: float = 0

    def attend(self) -> None:
        self.browser = Browser(self.port)
        wait, seat = _timed(self._join)
        self.lesson.joins.append(wait)
        self.seated_at = time.perf_counter()
        while judge := JUDGE.search(seat):
            self._judge_topic(judge[1])
            seat = self.browser.page(f"/x/{self.code}/")

    def _join(self) -> str:
        door = f"/join/{self.code}/"
        seat = self.browser.send(door, self.browser.page(door), nickname=self.nickname)
        if f"You sit here as {self.nickname}" not in seat:
            raise RuntimeError(f"{self.nickname} has no seat: {seat[:300]}")
        return seat

    def _judge_topic(self, address: str) -> None:
        """What the page brought, and what it asks for in time, one document after the other."""
        data = json.loads(SCRIPT_DATA.search(self.browser.page(address))[1])
        cards, seen = data["cards"], {card["task"] for card in data["cards"]}
        while cards:
            time.sleep(self.think * self.chance.uniform(0.5, 1.5))
            self._judge(data, cards.pop(0))
            if len(cards) < REFILL_BELOW:
                fresh = [card for card in self._next(data, cards) if card["task"] not in seen]
                cards += fresh
                seen |= {card["task"] for card in fresh}

    def _next(self, data: dict, cards: list[dict]) -> list[dict]:
        besides = "&".join(f"besides={card['task']}" for card in cards)
        wait, answer = _timed(self.browser.json, "GET", f"{data['addresses']['next']}?{besides}")
        self.lesson.nexts.append(wait)
        return answer["cards"]

    def _judge(self, data: dict, card: dict) -> None:
        grade, client_id = self.chance.choice(data["grades"]), str(uuid.uuid4())
        said = {
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
        wait, answer = _timed(self.browser.json, "POST", address, said)
        if (answer["state"], answer["relevance"]) != ("judged", grade):
            raise RuntimeError(f"{answer} is no receipt of {said}")
        self.lesson.posts.append(wait)
        self.lesson.acknowledged.append((self.nickname, client_id, grade))


def _timed(deed, *arguments) -> tuple[float, object]:
    began = time.perf_counter()
    answer = deed(*arguments)
    return time.perf_counter() - began, answer
