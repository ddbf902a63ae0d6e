"""A collection with a pool of short texts, and a local server that answers as chat completions do."""

import json

import pytest
from django.core.management import call_command

from assess.asking.ask import WorkOptions, start_work
from assess.asking.judges import save_judge
from assess.asking.prompts import chosen_prompt
from assess.asking.rules import confirm_host
from assess.hosts import allow_host, allowed_hosts
from assess.models import ModelJudge
from tests.factories import SMALL_RUNS, small_collection
from tests.pooling.models.servers import Server, completion, document_of

SECRET = "Bearer very-secret"
GRADES = ("0=Not relevant", "1=Related", "2=Relevant", "3=Perfect")


def grade_of(text: str) -> int:
    """A rule of the local model: the last letter of the document decides."""
    return (ord(text.strip().rstrip(".")[-1]) - ord("a")) % 4


def answering(asked):
    return completion(json.dumps({"grade": grade_of(document_of(asked))}))


@pytest.fixture
def collection(db):
    return small_collection(SMALL_RUNS, "food", GRADES, seed=3)


@pytest.fixture
def server():
    with Server(answering) as running:
        yield running


def judge_at(collection, server, name="gpt", **settings) -> ModelJudge:
    """A judge whose host is allowed and confirmed."""
    host = server.url.removeprefix("http://")
    if host not in map(str, allowed_hosts().entries or ()):
        allow_host(host)
    values = {"address": f"{server.url}/v1", "model": "judge"} | settings
    judge = save_judge(collection, name, "chat", values, chosen_prompt(collection, "direct"), secret=SECRET)
    confirm_host(judge)
    return judge


def work() -> None:
    call_command("worker", once=True, verbosity=0)


def asked_all(judge, **options):
    """Ask for all pairs, and return the order."""
    order, _ = start_work(judge, WorkOptions(**options))
    work()
    order.refresh_from_db()
    return order
