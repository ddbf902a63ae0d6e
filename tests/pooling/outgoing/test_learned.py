"""Limits that a server names: how they are read, two kinds of servers on a clock of the test, and a real server."""

import math
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling.models import ChatEndpoint, ChatJudge, Pair, ask, checked_scale
from pooling.models.starting_prompts import PROMPTS
from pooling.outgoing import ANY_HOST, Client, Limits, Stopped
from pooling.outgoing.client import LONGEST_WAIT
from pooling.outgoing.learned import LearnedPace, read_limits, reset_seconds
from tests.examples import examples
from tests.pooling.live.servers import Reply, Server
from tests.pooling.models.servers import completion


def headers(remaining, reset, limit=None, kind="requests"):
    named = {"remaining": remaining, "reset": reset} | ({} if limit is None else {"limit": limit})
    return {f"x-ratelimit-{name}-{kind}": str(value) for name, value in named.items()}


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1m30s", 90),
        ("6ms", 0.006),
        ("6m0s", 360),
        ("7.66s", 7.66),
        ("1h2m3s", 3723),
        ("1d", 86400),
        ("0s", 0),
        ("12", 12),
        ("0.5", 0.5),
        ("250us", 0.00025),
        ("", None),
        ("-1s", None),
        ("s", None),
        ("1 s", None),
        ("1x", None),
        ("1s ago", None),
        ("inf", None),
        ("nan", None),
        ("2026-11-28T00:00:00Z", None),
        ("9" * 61, None),
        ("1s" * 500_000, None),
    ],
)
def test_a_reset_is_read(text, seconds):
    assert reset_seconds(text) == (None if seconds is None else pytest.approx(seconds))


def test_limits_are_read():
    assert read_limits(headers(59, "1s", 60), "requests") == (60, 59, 1)
    assert read_limits(headers(59, "1s"), "requests") == (0, 59, 1)
    assert read_limits(headers(59, "1s", "many"), "requests") == (0, 59, 1)
    for wrong in (headers("few", "1s"), headers(-1, "1s"), headers(1, "soon"), headers(1, "1s", kind="tokens"), {}):
        assert read_limits(wrong, "requests") is None


class Clock:
    """A clock that only the test moves."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Window:
    """Allows so many requests in each period."""

    def __init__(self, limit, seconds):
        self.limit, self.seconds = limit, seconds
        self.period, self.used = 0, 0

    def ask(self, now, cost=1):
        if int(now / self.seconds) > self.period:
            self.period, self.used = int(now / self.seconds), 0
        is_refused = self.used + cost > self.limit
        self.used += 0 if is_refused else cost
        return is_refused, self.limit - self.used, (self.period + 1) * self.seconds - now


class Bucket:
    """Refills steadily: so many in so many seconds."""

    def __init__(self, limit, seconds):
        self.limit, self.rate, self.level, self.last = limit, limit / seconds, float(limit), 0.0

    def ask(self, now, cost=1):
        self.level = min(self.limit, self.level + (now - self.last) * self.rate)
        self.last = now
        is_refused = self.level < cost
        self.level -= 0 if is_refused else cost
        return is_refused, int(self.level), (self.limit - self.level) / self.rate


def asked_of(server, n, kind="requests", cost=1, answer_seconds=0.01):
    """Ask n times, one after the other, and return how many were refused and how long it took."""
    clock, refused = Clock(), 0
    pace = LearnedPace(LONGEST_WAIT, clock)
    for _ in range(n):
        while seconds := pace.wait():
            clock.now += seconds
        is_refused, remaining, reset = server.ask(clock.now, cost)
        refused += is_refused
        clock.now += answer_seconds
        pace.learn(headers(remaining, f"{reset:.3f}s", server.limit, kind))
    return refused, clock.now


@pytest.mark.parametrize("server", [Window, Bucket])
@pytest.mark.parametrize("limit", [1, 2, 10, 60, 500])
def test_no_request_is_refused_and_all_that_is_allowed_is_used(server, limit):
    n = 10 * limit
    refused, seconds = asked_of(server(limit, 30), n)
    assert refused == 0
    least = (n - limit) / limit * 30  # the first of them need not wait
    assert seconds <= 1.15 * least + 0.01 * n + 30


@pytest.mark.parametrize("server", [Window, Bucket])
def test_tokens_are_learned_from_answers(server):
    refused, seconds = asked_of(server(10_000, 30), 300, kind="tokens", cost=400)
    assert refused <= 1  # before the first two answers, the tokens of a request are not known
    assert seconds <= 1.2 * (300 * 400 / 10_000) * 30 + 30


@examples(50)
@given(st.integers(1, 50), st.integers(1, 8), st.floats(0.01, 100), st.integers(0, 10**6))
def test_no_more_begin_than_are_left(remaining, concurrency, reset, limit):
    clock = Clock()
    pace = LearnedPace(LONGEST_WAIT, clock)
    for _ in range(concurrency):
        assert pace.wait() == 0
    pace.learn(headers(remaining, f"{reset:.9f}s", limit))
    began = 0
    while (seconds := pace.wait()) + clock.now < reset * 0.999:
        clock.now += seconds
        began += not seconds
        assert began + concurrency - 1 <= remaining


def test_half_of_the_limit_is_free():
    clock = Clock()
    pace = LearnedPace(LONGEST_WAIT, clock)
    assert pace.wait() == 0
    pace.learn(headers(8, "10s", 10))
    assert [pace.wait() for _ in range(4)] == [0, 0, 0, 0]
    assert pace.wait() == pytest.approx(10 / 4)


def test_nothing_left_waits_for_the_reset():
    clock = Clock()
    pace = LearnedPace(LONGEST_WAIT, clock)
    assert pace.wait() == 0
    pace.learn(headers(0, "1m30s"))
    clock.now = 30
    assert pace.wait() == pytest.approx(60)
    clock.now = 90
    assert pace.wait() == 0


@pytest.mark.parametrize("odd", [headers(0, "6h"), headers(0, "soon"), headers("", "1s"), {}])
def test_what_is_too_far_away_or_cannot_be_read_is_left_to_the_server(odd):
    pace = LearnedPace(LONGEST_WAIT, Clock())
    assert pace.wait() == 0
    pace.learn(odd)
    assert pace.wait() == 0


def test_a_request_without_an_answer_is_no_longer_in_flight():
    pace = LearnedPace(LONGEST_WAIT, Clock())
    assert [pace.wait(), pace.wait()] == [0, 0]
    pace.learn({})
    pace.learn(headers(1, "1s"))
    assert pace.wait() == 0
    assert pace.wait() > 0


class LimitedServer:
    """A real server that allows 4 requests in each half of a second, and refuses others with 429."""

    def __init__(self):
        self.window, self.lock, self.began = Window(4, 0.5), threading.Lock(), time.monotonic()
        self.statuses = []

    def __call__(self, _):
        with self.lock:
            is_refused, remaining, reset = self.window.ask(time.monotonic() - self.began)
            named = headers(remaining, f"{math.ceil(1000 * reset)}ms", 4)
            status = 429 if is_refused else 200
            self.statuses.append(status)
        return Reply(completion('{"grade": 1}').body, status, named)


@pytest.mark.slow
def test_a_real_server_need_not_refuse():
    limited = LimitedServer()
    pairs = [Pair("1", f"d{number}", {"title": "tea"}, "Tea.") for number in range(14)]
    with Server(limited) as server:
        judge = ChatJudge(ChatEndpoint(f"{server.url}/v1", "judge"), PROMPTS["direct"], checked_scale([(0,), (1,)]))
        answers = list(ask(judge, pairs, seed=1, concurrency=1))
    assert [answer.grade for answer in answers] == [1] * 14
    assert limited.statuses == [200] * 14


def test_a_pause_for_limits_can_be_stopped():
    with Server(lambda _: Reply({}, 200, headers(0, "1m"))) as server, Client(ANY_HOST, Limits(attempts=1)) as client:
        assert client.send("GET", server.url).status == 200
        timer = threading.Timer(0.05, client.stop)
        timer.start()
        with pytest.raises(Stopped):
            client.send("GET", server.url)
        assert len(server.asked) == 1
