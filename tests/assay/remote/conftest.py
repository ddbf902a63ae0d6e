"""A site that answers from a list, and no login of the person who runs the tests."""

import json
import time
from collections.abc import Callable

import httpx2
import pytest

from assay.remote import Site, saved
from assay.version import installed_version

TOKEN = "assay_very-secret"
URL = "https://assay.example.org"
COLLECTION = {
    "slug": "robust",
    "name": "Robust <04>",
    "role": "owner",
    "is_open": True,
    "is_archived": False,
    "scale": [{"value": 0, "name": "no", "meaning": ""}, {"value": 1, "name": "yes", "meaning": ""}],
}


@pytest.fixture(autouse=True)
def login_file(monkeypatch, tmp_path):
    """Where logins are saved during a test."""
    path = tmp_path / "config" / "logins.json"
    monkeypatch.setattr(saved, "login_file", lambda: path)
    for name in ("ASSAY_URL", "ASSAY_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return path


@pytest.fixture
def waits(monkeypatch) -> list[float]:
    """The seconds of each wait. Nothing waits."""
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    return waits


class FakeSite:
    """Answers with the responses of a list, one after the other, and keeps the requests. An exception is raised."""

    def __init__(self, *answers, version: str = installed_version()) -> None:
        self.answers, self.requests, self.version = list(answers), [], version

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.path == "/api/v1/openapi.json":
            assert "Authorization" not in request.headers
            return httpx2.Response(200, json={"info": {"version": self.version}})
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, httpx2.Response) else httpx2.Response(200, json=answer)

    @property
    def paths(self) -> list[str]:
        return [f"{each.method} {each.url.path.removeprefix('/api/v1')}" for each in self.requests]

    def body(self, number: int):
        return json.loads(self.requests[number].content)


@pytest.fixture
def site_with() -> Callable[..., tuple[Site, FakeSite]]:
    """A function that returns a client, and the site that gives it these answers."""

    def site_with(*answers, **options) -> tuple[Site, FakeSite]:
        fake = FakeSite(*answers, **options)
        return Site(URL, TOKEN, httpx2.MockTransport(fake)), fake

    return site_with


def problem(status: int, detail: str, headers: dict[str, str] | None = None, **more) -> httpx2.Response:
    return httpx2.Response(status, json={"status": status, "detail": detail, **more}, headers=headers)
