"""Sends requests with limits of time, size and pace, and repeats those that failed for a while.

A redirect is not followed. An answer that is compressed or too large is refused before it is read as a whole. A server
that names its limits is asked more slowly before it refuses (`pooling.outgoing.learned`).
"""

import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, Self

import httpx2

from pooling.outgoing.addresses import AllowedHosts
from pooling.outgoing.learned import LearnedPace
from pooling.outgoing.transport import PinnedTransport, deadline

REPEATED = (408, 425, 429, 500, 502, 503, 504, 529)
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0  # seconds
LONGEST_WAIT = 120.0  # seconds that a server may ask for by Retry-After, or until it resets its limits
LOOK_AGAIN = 0.25  # seconds after which a waiting thread looks whether an answer has changed the limits
CONNECT_SECONDS = 5.0


class Failed(Exception):  # noqa: N818 - not a fault of the program
    """A server gave no usable answer. The message is a sentence without secrets. `status` is None without an answer."""

    def __init__(self, message: str, status: int | None = None, attempts: int = 1) -> None:
        super().__init__(message)
        self.status, self.attempts = status, attempts


class _NoAnswer(Failed):
    """No answer came, so that another attempt may help."""


class Stopped(Exception):  # noqa: N818 - not an error
    """Somebody stopped the work."""


@dataclass(frozen=True)
class Limits:
    """`seconds` for one attempt, `max_bytes` of an answer, `attempts` of a request, requests `per_second` (None: all).

    The pace is that of the client, so that of all its threads together.
    """

    seconds: float = 30.0
    max_bytes: int = 20_000_000
    attempts: int = 4
    per_second: float | None = None


@dataclass(frozen=True)
class Response:
    """An answer: its status, its headers in lower case, its bytes, its duration and the attempts it took."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    seconds: float
    attempts: int = 1


@dataclass(frozen=True)
class Attempt:
    """One attempt of a request: its number from 1, the status of the answer or why none came, and its duration."""

    number: int
    status: int | None = None
    problem: str = ""
    seconds: float = 0.0


class _Pace:
    """Lets requests begin at equal distances."""

    def __init__(self, per_second: float | None) -> None:
        self._distance = 1 / per_second if per_second else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> float:
        """Reserve the next start, and return the seconds until then."""
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next)
            self._next = start + self._distance
            return start - now


class Client:
    """Asks allowed hosts. It can be used from several threads; `stop` ends all its waiting."""

    def __init__(
        self, allowed: AllowedHosts, limits: Limits | None = None, transport: httpx2.BaseTransport | None = None
    ) -> None:
        self.allowed, self.limits = allowed, limits or Limits()
        self._pace, self._stopped = _Pace(self.limits.per_second), threading.Event()
        self._learned = LearnedPace(LONGEST_WAIT)
        self._http = httpx2.Client(
            transport=transport or PinnedTransport(allowed.resolve),
            timeout=httpx2.Timeout(self.limits.seconds, connect=min(CONNECT_SECONDS, self.limits.seconds)),
            follow_redirects=False,
            trust_env=False,  # neither proxies nor .netrc of the server's environment
            headers={"User-Agent": "Assay", "Accept": "application/json", "Accept-Encoding": "identity"},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.stop()
        self._http.close()

    def stop(self) -> None:
        """Let all threads end with Stopped instead of waiting or sending."""
        self._stopped.set()

    def send(
        self,
        method: str,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
        attempts: int | None = None,
        is_final: Callable[[Response], bool] = lambda _: False,
        on_attempt: Callable[[Attempt], object] = lambda _: None,
    ) -> Response:
        """Return the answer to a request, whatever its status, after repeating it where this may help.

        A request is repeated if no answer came, and after 408, 425, 429 and 5xx, unless `is_final` says that the answer
        will stay the same. `on_attempt` is called after each attempt, in the thread that sends. Raises Forbidden if the
        host is not allowed, and Failed if no attempt brought an answer.
        """
        target = self.allowed.check(url).copy_merge_params(dict(params or {}))
        request = self._http.build_request(method, target, json=json, headers=dict(headers or {}))
        most = attempts or self.limits.attempts
        for attempt in range(1, most + 1):
            self._sleep(self._pace.wait())
            self._wait_for_limits()
            answer = self._attempt(request, attempt, on_attempt, is_last=attempt == most)
            if answer and (attempt == most or answer.status not in REPEATED or is_final(answer)):
                return answer
            self._sleep(_pause(answer, attempt))
        raise AssertionError("the last attempt returns or raises")

    def _attempt(
        self, request: httpx2.Request, attempt: int, on_attempt: Callable[[Attempt], object], *, is_last: bool
    ) -> Response | None:
        """Send a request once. Return None if no answer came and another attempt follows."""
        began = time.monotonic()
        try:
            answer = self._once(request, attempt)
        except Failed as error:
            on_attempt(Attempt(attempt, error.status, str(error), time.monotonic() - began))
            if is_last or not isinstance(error, _NoAnswer):
                raise
            return None
        on_attempt(Attempt(attempt, answer.status, seconds=time.monotonic() - began))
        return answer

    def _wait_for_limits(self) -> None:
        """Wait until the limits that the server named allow a request."""
        while (seconds := self._learned.wait()) > 0:
            self._sleep(min(seconds, LOOK_AGAIN))

    def _once(self, request: httpx2.Request, attempt: int) -> Response:
        headers: Mapping[str, str] = {}
        try:
            answer = self._read(request, attempt)
            headers = answer.headers
            return answer
        except httpx2.TimeoutException:
            message = f"{request.url.host} did not answer within {self.limits.seconds:g} seconds."
        except httpx2.TransportError:
            message = f"{request.url.host} could not be reached, or the connection was cut."
        finally:
            self._learned.learn(headers)
        raise _NoAnswer(message, attempts=attempt)

    def _read(self, request: httpx2.Request, attempt: int) -> Response:
        began = time.monotonic()
        with deadline(self.limits.seconds):
            answer = self._http.send(request, stream=True)
            try:
                body = self._body(answer)
            finally:
                answer.close()
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return Response(answer.status_code, headers, body, time.monotonic() - began, attempt)

    def _body(self, answer: httpx2.Response) -> bytes:
        """Read an answer as long as it is allowed to be."""
        host = answer.request.url.host
        if answer.is_redirect:
            raise Failed(f"{host} redirects to another address. Enter the address that answers itself.")
        if answer.headers.get("content-encoding", "identity").lower() not in ("", "identity"):
            raise Failed(f"{host} sent a compressed answer, although none was asked for.", answer.status_code)
        parts, size = [], 0
        for part in answer.iter_raw():
            size += len(part)
            if size > self.limits.max_bytes:
                raise Failed(f"The answer of {host} has more than {self.limits.max_bytes:,} bytes.", answer.status_code)
            parts.append(part)
        return b"".join(parts)

    def _sleep(self, seconds: float) -> None:
        if self._stopped.wait(seconds):
            raise Stopped


def _pause(answer: Response | None, attempt: int) -> float:
    """Return the seconds before the next attempt: those that the server asks for, or twice as many as before."""
    asked = retry_after(answer.headers) if answer else None
    if asked is not None:
        if asked > LONGEST_WAIT and answer:
            raise Failed(f"The server asks to wait {asked:,.0f} seconds.", answer.status, attempt)
        return asked
    doubled = FIRST_PAUSE * 2.0 ** (attempt - 1)
    return min(LONGEST_PAUSE, doubled) * random.uniform(0.75, 1.0)


def now() -> str:
    """Return the time in UTC, to the second: when something was asked."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of the header Retry-After (a number or a date), or None.

    Examples
    --------
    >>> retry_after({"retry-after": "2.5"})
    2.5
    """
    text = headers.get("retry-after", "").strip()
    try:
        if text[:1].isdecimal():
            return float(text)
        wait: float = (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, IndexError):
        return None
    return max(0.0, wait)
