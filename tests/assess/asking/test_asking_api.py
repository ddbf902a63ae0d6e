"""Model judges by the API: from a prompt to the answers, the rules and the policy."""

import json

import pytest

from assess.hosts import allow_host
from assess.models import Judgement, Role, Scope
from assess.people.tokens import create_token
from assess.pools.tasks import pooled_tasks
from tests.assess.api.conftest import ApiClient
from tests.assess.asking.conftest import SECRET, asked_all, judge_at, work

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
HERE = "/collections/food"


@pytest.fixture
def owner(collection, join) -> ApiClient:
    user = join(collection, "olga", Role.OWNER).user
    return ApiClient(create_token(user, "all", Scope.MANAGE)[1])


def test_from_a_prompt_to_the_answers(owner, collection, server):
    allow_host(server.url.removeprefix("http://"))
    prompt = owner.send("PUT", f"{HERE}/prompts/own", {"system": "{scale}", "user": "{title} {document}"}).json()
    assert (prompt["version"], len(prompt["hash"])) == (1, 64)
    new = {"settings": {"address": f"{server.url}/v1", "model": "m"}, "prompt": "own", "secret": SECRET}
    judge = owner.send("PUT", f"{HERE}/model-judges/gpt", new).json()
    assert (judge["is_confirmed"], judge["has_secret"], judge["state"]) == (False, True, "not asked yet")
    refused = owner.send("POST", f"{HERE}/model-judges/gpt/work", {})
    assert "An owner must confirm first" in refused.json()["detail"]
    assert owner.send("POST", f"{HERE}/model-judges/gpt/confirmation", {}).status_code == 204
    trial = owner.send("POST", f"{HERE}/model-judges/gpt/trial", {"price_input": 1, "price_output": 4}).json()
    work()
    tried = owner.send("GET", f"{HERE}/jobs/{trial['id']}").json()["result"]
    assert len(tried["documents"]) == 3
    started = owner.send("POST", f"{HERE}/model-judges/gpt/work", {"price_input": 1, "price_output": 4})
    assert started.status_code == 202
    work()
    pairs = pooled_tasks(collection).count()
    shown = owner.send("GET", f"{HERE}/model-judges").json()[0]
    assert (shown["state"], shown["grades"], shown["tokens"]) == ("complete", pairs, 340 * pairs)
    assert shown["cost"] == pytest.approx(pairs * (300 + 160) / 1e6)
    response = owner.send("GET", f"{HERE}/model-judges/gpt/answers")
    lines = [json.loads(line) for line in b"".join(response).splitlines()]
    assert {line["grade"] for line in lines} <= {0, 1, 2, 3}
    assert "very-secret" not in json.dumps([judge, shown, lines, tried])
    assert Judgement.objects.count() == pairs
    assert "has judged" in owner.send("DELETE", f"{HERE}/model-judges/gpt").json()["detail"]


def test_a_stopped_order_continues(owner, collection, server):
    judge_at(collection, server, max_tokens=50)
    owner.send("POST", f"{HERE}/model-judges/gpt/work", {"most_tokens": 2000, "concurrency": 1})
    work()
    assert owner.send("GET", f"{HERE}/model-judges").json()[0]["state"] == "not complete"
    owner.send("POST", f"{HERE}/model-judges/gpt/continue", {})
    work()
    assert owner.send("GET", f"{HERE}/model-judges").json()[0]["state"] == "complete"
    assert "Nothing is left" in owner.send("POST", f"{HERE}/model-judges/gpt/continue", {}).json()["detail"]


def test_a_misspelled_budget_is_refused(owner, collection, server):
    judge_at(collection, server)
    for action in ("trial", "work"):
        response = owner.send("POST", f"{HERE}/model-judges/gpt/{action}", {"most_token": 100})
        assert response.status_code == 422
        assert "most_token" in json.dumps(response.json())
    assert server.asked == []


def test_a_later_order_completes_the_earlier_ones(owner, collection, server):
    judge_at(collection, server, max_tokens=50)
    owner.send("POST", f"{HERE}/model-judges/gpt/work", {"most_tokens": 2000, "concurrency": 1})
    work()
    assert owner.send("POST", f"{HERE}/model-judges/gpt/work", {}).status_code == 202
    work()
    assert owner.send("GET", f"{HERE}/model-judges").json()[0]["state"] == "complete"


def test_rules_and_policy(owner, collection, server, join):
    asked_all(judge_at(collection, server))
    join(collection, "ada")
    rules = owner.send("POST", f"{HERE}/model-rules", {"show_early": True}).json()
    assert rules == {"keep_documents": False, "show_early": True, "hosts": [server.url]}
    assert owner.send("GET", f"{HERE}/model-rules").json() == rules
    assert owner.send("GET", f"{HERE}/model-policy").json() == {"policy": None}
    decided = owner.send("POST", f"{HERE}/model-policy", {"judge": "gpt", "top": 1}).json()["policy"]
    assert decided["people"]["top"] == 6
    assert owner.send("DELETE", f"{HERE}/model-policy").status_code == 204
    assert owner.send("GET", f"{HERE}/model-policy").json() == {"policy": None}


@pytest.mark.parametrize(
    ("new", "sentence"),
    [
        ({"kind": "function", "settings": {"function": "os:system"}}, "is asked by the command"),
        ({"kind": "x"}, "The kind of a judge must be one of"),
        ({"settings": {"address": "http://127.0.0.1:1/v1", "model": "m"}}, "is not allowed"),
        ({"settings": {"adress": "x"}}, "The setting 'adress' is unknown"),
        ({"settings": {"address": 5, "model": "m"}}, "The setting address must be a text, not '5'."),
        ({"settings": {"address": None, "model": "m"}}, "The setting address must be a text"),
        ({"settings": {"address": "http://h.example/v1", "model": ["a"]}}, "The setting model must be a text"),
        ({"settings": {"address": "http://h.example/v1", "model": "m", "header": 7}}, "The setting header must be"),
        ({"settings": {"address": "http://h.example/v1", "model": "m", "extra": []}}, "extra must be a JSON object"),
        ({"kind": "umbrela", "settings": {"address": "http://h.example", "overrides": 5}}, "overrides must be a JSON"),
        ({"prompt": "nothing"}, "The prompt 'nothing' is unknown"),
        ({"kind": "offline", "examples": [{"query_id": "1", "doc_id": "a", "grade": 77}]}, "examples"),
    ],
)
def test_what_is_refused(owner, collection, new, sentence):
    response = owner.send("PUT", f"{HERE}/model-judges/gpt", new)
    assert response.status_code in (400, 409, 422)
    assert sentence in json.dumps(response.json())
