"""A collection with a member of each role, and clients that send a token of one."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core import signals
from django.db import close_old_connections
from django.test import Client

from assess.api.auth import _buckets
from assess.collections.members import add_member
from assess.models import ROLES_OF_PEOPLE, Collection, Member, Scope
from assess.people.tokens import create_token
from assess.pools.assign import assign
from tests.factories import SMALL_RUNS, small_collection

ROOT = "/api/v1"


class ApiClient:
    """Sends requests with a token, and keeps the last response."""

    def __init__(self, token: str) -> None:
        self.client, self.headers = Client(), {"authorization": f"Bearer {token}"} if token else {}

    def send(self, method: str, path: str, body: Any = None, **query: Any) -> Any:
        if isinstance(body, bytes):
            content, kind = body, "application/octet-stream"
        else:
            content, kind = ("" if body is None else json.dumps(body)), "application/json"
        address = f"{ROOT}{path}"
        return self.client.generic(
            method, address, content, kind, headers=self.headers, query_params={k: str(v) for k, v in query.items()}
        )

    def get(self, path: str, **query: Any) -> Any:
        return self.send("GET", path, **query)

    def post(self, path: str, body: Any = None, **query: Any) -> Any:
        return self.send("POST", path, {} if body is None else body, **query)


@pytest.fixture(autouse=True)
def fresh_rates():
    """Keys of tokens are the same again in the next test."""
    _buckets._left.clear()


@pytest.fixture
def open_connection():
    """As Django's test client does: the end of a request does not close the connection of the test."""
    ends = (signals.request_started, signals.request_finished)
    for signal in ends:
        signal.disconnect(close_old_connections)
    yield
    for signal in ends:
        signal.connect(close_old_connections)


@pytest.fixture
def collection(db) -> Collection:
    return small_collection(SMALL_RUNS)


@pytest.fixture
def people(collection) -> dict[str, Member]:
    people = {role: add_member(collection, role.value, role)[0] for role in ROLES_OF_PEOPLE}
    assign(collection, judges=1)
    return people


@pytest.fixture
def client_of(people) -> Callable[..., ApiClient]:
    """A function that returns a client with a new token of a role."""

    def client_of(role: str, scope: str = Scope.MANAGE, **options: Any) -> ApiClient:
        return ApiClient(create_token(people[role].user, "test", scope, **options)[1])

    return client_of
