"""Sends requests with the token, tries again what may be tried again, and turns problems into `SiteError`.

A request is sent again after 429, 502, 503 and 504 and after a lost connection, at most `ATTEMPTS` times in all, if it
is repeatable: the second one changes nothing (GET, PUT, DELETE, or a judgement, which has a client id). It waits for
`Retry-After`, or 0.5, 1, 2 and 4 seconds. A `Retry-After` of more than `LONGEST_WAIT` seconds is an error at once.
"""

import json
import time
import warnings
from collections.abc import Generator, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2

from assay.remote.address import checked_address, checked_token
from assay.remote.errors import OutdatedServerWarning, SiteError
from assay.version import installed_version

API = "/api/v1"
ATTEMPTS = 5
FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0
RETRIED = frozenset({429, 502, 503, 504})
REPEATABLE = frozenset({"GET", "PUT", "DELETE"})
TIMEOUT = httpx2.Timeout(60.0, connect=10.0)
POOL_TIMEOUT = httpx2.Timeout(600.0, connect=10.0)  # of an answer for which the site reads all texts of a pool
LONGEST_COMPUTATION = 3_600.0  # seconds that a request waits for the job which computes its answer


class TokenAuth(httpx2.Auth):
    """Adds the token to a request. Its repr does not show the token."""

    def __init__(self, token: str) -> None:
        self._token = token

    def auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        """Set the header."""
        request.headers["Authorization"] = f"Bearer {self._token}"
        yield request

    def without_token(self, text: str) -> str:
        """The text of an error, with the token replaced."""
        return text.replace(self._token, "(token)")


class Connection:
    """A site and its token."""

    def __init__(
        self, url: str, token: str, transport: httpx2.BaseTransport | None = None, *, allow_http: bool = False
    ) -> None:
        self.url = checked_address(url, allow_http)
        self._auth = TokenAuth(checked_token(token))
        agent = {"User-Agent": f"assay/{installed_version()}"}
        self._client = httpx2.Client(transport=transport, headers=agent, auth=self._auth, timeout=TIMEOUT)
        self._is_version_checked = False
        self.last_response: httpx2.Response | None = None

    def __repr__(self) -> str:
        return f"Connection({self.url!r})"

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def get(self, path: str, **query: Any) -> Any:
        """The JSON of an answer."""
        return self.send("GET", path, query=query).json()

    def post(self, path: str, body: Mapping[str, Any], *, is_repeatable: bool = False) -> Any:
        """Send JSON, and return the JSON of the answer."""
        return self.send("POST", path, body=body, is_repeatable=is_repeatable).json()

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        content: bytes | None = None,
        is_repeatable: bool = False,
        timeout: httpx2.Timeout = TIMEOUT,
    ) -> httpx2.Response:
        """Send a request to a path of the API, and return the answer. An error is raised."""
        self.check_version()
        params = {name: _parameter(value) for name, value in (query or {}).items() if value is not None}
        request = self._client.build_request(
            method, f"{self.url}{API}{path}", params=params, json=body, content=content, timeout=timeout
        )
        response = self._answer(request, ATTEMPTS if is_repeatable or method in REPEATABLE else 1)
        self.last_response = response
        self._raise_problem(response)
        return response

    def lines(self, path: str, **query: Any) -> Iterator[Any]:
        """Yield the JSON of each line of an answer while it arrives."""
        yield from map(json.loads, self.raw_lines(path, **query))

    def raw_lines(self, path: str, *, timeout: httpx2.Timeout = TIMEOUT, **query: Any) -> Iterator[bytes]:
        """Yield each line of an answer while it arrives, without its line feed."""
        self.check_version()
        params = {name: _parameter(value) for name, value in query.items() if value is not None}
        try:
            with self._client.stream("GET", f"{self.url}{API}{path}", params=params, timeout=timeout) as response:
                if not response.is_success:
                    response.read()
                self._raise_problem(response)
                yield from _lines(response.iter_bytes())
        except httpx2.TransportError as error:
            raise SiteError(self._auth.without_token(f"{self.url} does not answer: {error}.")) from None

    def computed(self, method: str, path: str, *, query: Mapping[str, Any] | None = None, body: Any = None) -> Any:
        """Send a request until the job that computes its answer is done. The answer is not 202."""
        end = time.monotonic() + LONGEST_COMPUTATION
        while True:
            response = self.send(method, path, query=query, body=body, is_repeatable=True)
            if response.status_code != 202:
                return response
            if time.monotonic() > end:
                raise SiteError("The answer is still being computed after an hour. Look at the jobs of the collection.")
            time.sleep(min(retry_after(response) or 2.0, LONGEST_WAIT))

    def check_version(self) -> None:
        """Warn once if the site is older than this client."""
        if self._is_version_checked:
            return
        self._is_version_checked = True
        version = self.server_version()
        if version and _is_older(version, installed_version()):
            warnings.warn(OutdatedServerWarning(self.url, version, installed_version()), stacklevel=4)

    def server_version(self) -> str:
        """The version of the site, or "" if it does not say."""
        try:
            response = self._client.get(f"{self.url}{API}/openapi.json", auth=None)
            return str(response.json()["info"]["version"]) if response.status_code == 200 else ""
        except (httpx2.HTTPError, ValueError, KeyError, TypeError):
            return ""

    def _answer(self, request: httpx2.Request, attempts: int) -> httpx2.Response:
        """The first answer that counts, or that to the last attempt."""
        for attempt in range(1, attempts + 1):
            response, error = self._sent_once(request)
            wait = _wait(response, attempt)
            if attempt == attempts or wait is None:
                break
            time.sleep(wait)
        if response is None:
            raise SiteError(self._auth.without_token(f"{self.url} does not answer: {error}."))
        return response

    def _sent_once(self, request: httpx2.Request) -> tuple[httpx2.Response | None, str]:
        try:
            return self._client.send(request), ""
        except httpx2.TransportError as error:
            return None, str(error) or type(error).__name__

    def _raise_problem(self, response: httpx2.Response) -> None:
        if response.is_success:
            return
        if response.is_redirect:
            sentence = (
                f"{self.url} redirects to {response.headers.get('Location', 'another address')}. Use that address."
            )
            raise SiteError(self._auth.without_token(sentence), response.status_code)
        problem = _problem(self._auth.without_token(response.text))
        sentence = problem.get("detail") or f"The site answers {response.status_code} {response.reason_phrase}."
        raise SiteError(str(sentence), response.status_code, problem)


def retry_after(response: httpx2.Response) -> float | None:
    """The seconds in `Retry-After`, which is a number or a date; None without the header."""
    text = response.headers.get("Retry-After", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - datetime.now(UTC)).total_seconds())


def _wait(response: httpx2.Response | None, attempt: int) -> float | None:
    """The seconds before the next attempt; None if the answer counts."""
    if response is not None and response.status_code not in RETRIED:
        return None
    asked = None if response is None else retry_after(response)
    wait = FIRST_WAIT * 2 ** (attempt - 1) if asked is None else asked
    return wait if wait <= LONGEST_WAIT else None


def _problem(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _lines(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of a text that arrives in parts. Only a line feed ends one."""
    rest: list[bytes] = []
    for part in parts:
        head, *lines = part.split(b"\n")
        rest.append(head)
        for line in lines:
            yield b"".join(rest)
            rest = [line]
    if any(rest):
        raise SiteError("The answer ended within a line. Ask again.")


def _parameter(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _is_older(server: str, client: str) -> bool:
    from packaging.version import InvalidVersion, Version

    try:
        return Version(server) < Version(client)
    except InvalidVersion:
        return False
