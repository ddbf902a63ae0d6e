"""A minimal browser: one persistent connection, cookies, pages and forms."""

import json
import random
import re
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlencode

ATTEMPTS = 120  # to send a form with a password
PATIENCE = 60  # seconds before a browser gives up
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
COOKIE = re.compile(r"([^=;]+)=([^;]*)")


class BusyError(RuntimeError):
    """The server is busy for a moment."""


class NoAnswerError(RuntimeError):
    """The server closed the connection or does not listen."""


class Browser:
    """`address` is the path of the last page, after redirects."""

    def __init__(self, port: int, cookies: dict[str, str] | None = None):
        self.port = port
        self.address = ""
        self.cookies = dict(cookies or {})
        self.connection: HTTPConnection | None = None

    def page(self, path: str) -> str:
        return self._served("GET", path)

    def send(self, path: str, page: str, **fields: str) -> str:
        """Submit the form of a page, follow the redirect and return the page."""
        token = TOKEN.search(page)[1]
        return self._served("POST", path, {"csrfmiddlewaretoken": token} | fields)

    def json(self, verb: str, path: str, fields: dict | None = None) -> dict:
        """Send a request as a script does, and return the JSON answer."""
        return json.loads(self._served(verb, path, fields, accept="application/json"))

    def answer(self, path: str, body: dict | bytes) -> tuple[int, dict]:
        """Post fields or a part of a file as a script does, and return the status and the JSON of any answer."""
        status, content, _ = self._ask("POST", path, body, "application/json")
        return status, json.loads(content) if content.startswith("{") else {}

    def _served(self, verb: str, path: str, fields: dict | None = None, accept: str = "text/html") -> str:
        status, content, location = self._ask(verb, path, fields, accept)
        if status == 302:
            return self._served("GET", location)
        if status == 429:
            raise BusyError(f"429 for {verb} {path}: {content[:300]}")
        if status not in (200, 202):  # 202: a job computes the page
            raise RuntimeError(f"{status} for {verb} {path}: {content[:300]}")
        self.address = path
        return content

    def _ask(self, verb: str, path: str, fields: dict | bytes | None, accept: str) -> tuple[int, str, str | None]:
        """Send a request; repeat it once on a new connection if the server closed an idle one."""
        was_kept = self.connection is not None
        try:
            return self._once(verb, path, fields, accept)
        except (OSError, HTTPException) as broken:
            self.connection = None
            if not was_kept:
                raise NoAnswerError(f"No answer to {verb} {path}: {broken!r}") from broken
        return self._ask(verb, path, fields, accept)

    def _once(self, verb: str, path: str, fields: dict | bytes | None, accept: str) -> tuple[int, str, str | None]:
        if self.connection is None:
            self.connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Accept": accept, "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        body = None
        if fields is not None:
            body = fields if isinstance(fields, bytes) else urlencode(fields)
            if isinstance(body, str):
                headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["X-CSRFToken"] = self.cookies.get("csrftoken", "")
        self.connection.request(verb, path, body, headers)
        answer = self.connection.getresponse()
        content = answer.read().decode()
        self._keep_cookies(answer.headers.get_all("Set-Cookie") or [])
        if answer.getheader("Connection") == "close":
            self.connection = None
        return answer.status, content, answer.getheader("Location")

    def _keep_cookies(self, lines: list[str]) -> None:
        for line in lines:
            name, value = COOKIE.match(line).groups()
            self.cookies[name] = value


def patiently(send: Callable[[], str]) -> str:
    """Send a form again while the server is busy with passwords, as the script of the page does."""
    for _ in range(ATTEMPTS):
        try:
            return send()
        except BusyError:
            time.sleep(0.25 + 0.75 * random.random())
    raise RuntimeError(f"The server was busy {ATTEMPTS} times.")
