"""Batch files by the API and the client: from the requests to the ledger, and what is refused."""

import io
import json
import sys
import zipfile

import httpx2
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.urls import reverse

from assay.remote import Site, SiteError, models
from assess.asking.batch import read_batches
from assess.asking.judges import save_judge
from assess.asking.rules import change_rules
from assess.collections.archive import archive_collection
from assess.judging.ledger.problems import ledger_problems
from assess.models import (
    Action,
    AuditEvent,
    ConfirmedHost,
    Judgement,
    JudgementEvent,
    ModelAnswer,
    ModelWork,
    Role,
    Run,
    Scope,
    State,
)
from assess.people.tokens import create_token
from assess.pools.tasks import pooled_tasks
from tests.assess.api.conftest import ApiClient
from tests.assess.asking.conftest import SECRET, asked_all, judge_at
from tests.processes import run_in_processes

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
BATCH = "/collections/food/model-judges/gpt/batch"


@pytest.fixture
def user(collection, join):
    return join(collection, "olga", Role.OWNER).user


@pytest.fixture
def owner(user) -> ApiClient:
    return ApiClient(create_token(user, "all", Scope.MANAGE)[1])


@pytest.fixture
def judge(collection, server):
    return judge_at(collection, server)


@pytest.fixture
def food(user):
    """The collection as the client has it, without a server."""
    token = create_token(user, "client", Scope.MANAGE)[1]
    return Site("http://localhost", token, httpx2.WSGITransport(get_wsgi_application())).collection("food")


def written(client: ApiClient) -> bytes:
    response = client.get(BATCH)
    assert (response.status_code, response["Content-Type"]) == (200, "application/x-ndjson")
    return b"".join(response)


def answer(line: bytes, text: str = '{"grade": 2}') -> bytes:
    """What a vendor answers to a line."""
    choice = {"message": {"content": text}, "finish_reason": "stop"}
    body = {"model": "m-1", "choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 4}}
    response = {"status_code": 200, "request_id": "r", "body": body}
    return json.dumps({"custom_id": json.loads(line)["custom_id"], "response": response, "error": None}).encode()


def failed(line: bytes) -> bytes:
    error = {"code": "batch_expired", "message": "This request expired."}
    return json.dumps({"custom_id": json.loads(line)["custom_id"], "response": None, "error": error}).encode()


def read(client: ApiClient, *lines: bytes):
    return client.send("POST", f"{BATCH}/answers", b"\n".join(lines))


def everything() -> list[list[tuple]]:
    """What a request may change."""
    kept = (ModelAnswer, ModelWork, Judgement, JudgementEvent, AuditEvent)
    return [list(model.objects.order_by("pk").values_list()) for model in kept]


@pytest.mark.in_ci
def test_from_the_requests_to_the_ledger(owner, collection, judge, server):
    pairs = pooled_tasks(collection).count()
    requests = written(owner).splitlines()
    assert len(requests) == pairs
    first, second, third, *others = (answer(line) for line in reversed(requests))
    unknown = first.replace(json.loads(first)["custom_id"].encode(), b"0" * 64)
    before = everything()
    for bad, sentence in [
        (b"no json", "answers.jsonl, line 3: 'no json' is no JSON object"),
        (unknown, "answers.jsonl, line 3: custom_id '0000"),
        (first, "occurs twice; each pair has one line"),
    ]:
        refused = read(owner, first, second, bad)
        assert (refused.status_code, refused["Content-Type"]) == (400, "application/problem+json")
        assert sentence in refused.json()["detail"]
        assert refused.json()["detail"].endswith(".")
        assert everything() == before
    without = answer(requests[-3], "relevant")
    assert third == answer(requests[-3])
    expired = failed(requests[0])
    result = read(owner, first, second, without, expired).json()
    assert result == {
        "read": 4,
        "new": 4,
        "known": 0,
        "without_grade": 1,
        "missing": pairs - 3,
        "detail": f"Saved 4 answers. Without a grade: 1 answer. Without an answer: {pairs - 3} pairs.",
    }
    saved = everything()
    assert read(owner, first, second, without, expired).json() | {"detail": ""} == result | {
        "new": 0,
        "known": 4,
        "detail": "",
    }
    assert everything() == saved
    assert read(owner, *others, first, b"").json()["missing"] == 0
    assert ModelWork.objects.get().finished_at
    saved = everything()
    assert read(owner, *others, first).json()["new"] == 0
    assert everything() == saved
    assert Judgement.objects.filter(state=State.JUDGED, relevance=2).count() == pairs - 1
    assert Judgement.objects.filter(state=State.CANNOT_JUDGE).count() == 1
    assert list(ledger_problems(collection)) == []
    assert server.asked == []


@pytest.mark.in_ci
def test_the_bytes_are_those_of_the_page_and_of_the_command(owner, judge, collection, user, client, food, tmp_path):
    lines = written(owner)
    client.force_login(user, backend="assess.people.backend.AccountBackend")
    page = reverse("research:write_model_batch", args=[collection.slug, judge.pk])
    archive = zipfile.ZipFile(io.BytesIO(b"".join(client.post(page))))
    call_command("ask_model", "--collection", collection.slug, "--judge", "gpt", "--write-batch", str(tmp_path))
    (tmp_path / "client").mkdir()
    assert food.write_model_batch("gpt", tmp_path / "client") == [tmp_path / "client" / "batch-1.jsonl"]
    files = [tmp_path / "batch-1.jsonl", tmp_path / "client" / "batch-1.jsonl"]
    assert [archive.read("batch-1.jsonl"), *(file.read_bytes() for file in files)] == [lines] * 3
    assert ModelWork.objects.count() == 1  # the same files belong to the same order
    exports = AuditEvent.objects.filter(action=Action.EXPORTED, subject="batch files for a model")
    assert exports.count() == 4
    assert exports.filter(actor=user).count() == 3
    assert AuditEvent.objects.filter(action=Action.MODEL_ASKED).count() == 1


def test_nothing_of_runs_people_and_secrets_is_in_the_lines(owner, judge, collection):
    lines = written(owner).decode()
    names = {"olga", SECRET, "very-secret", *Run.objects.values_list("system", flat=True)}
    assert not [name for name in names if name in lines]
    assert set(json.loads(lines.splitlines()[0])) == {"custom_id", "method", "url", "body"}


@pytest.mark.in_ci
def test_the_seed_draws_the_order(owner, judge):
    lines, others = written(owner), b"".join(owner.get(BATCH, seed=99))
    assert lines != others
    assert sorted(lines.splitlines()) == sorted(others.splitlines())
    assert ModelWork.objects.count() == 2


def unconfirmed(collection, judge):
    ConfirmedHost.objects.all().delete()


def kept(collection, judge):
    change_rules(collection, keep_documents=True)


def answered(collection, judge):
    asked_all(judge)


def asked_now(collection, judge):
    ModelWork.objects.create(judge=judge, seed=1)


def without_pool(collection, judge):
    pooled_tasks(collection).delete()


def offline(collection, judge):
    judge.delete()
    save_judge(collection, "gpt", "offline", {}, None)


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (unconfirmed, "An owner must confirm first that documents of food may be sent to"),
        (kept, "The documents of food must not be sent to a model."),
        (answered, "Nothing is left to ask for."),
        (asked_now, "gpt is being asked already."),
        (without_pool, "food has no pool yet."),
        (offline, "Batch files are those of chat completions; gpt is another kind of judge."),
        (lambda collection, _: archive_collection(collection), "is archived and cannot be changed"),
    ],
)
def test_what_is_refused_changes_nothing(owner, collection, judge, change, sentence):
    change(collection, judge)
    before = everything()
    refused = owner.get(BATCH)
    assert (refused.status_code, sentence in refused.json()["detail"]) == (400, True), refused.json()
    assert everything() == before


@pytest.mark.parametrize("query", [{"seed": "x"}, {"seed": -1}, {"seed": 2**31}, {"price_input": "nan"}])
def test_values_out_of_range_are_refused(owner, judge, query):
    assert owner.get(BATCH, **query).status_code == 422
    assert not ModelWork.objects.exists()


def test_answers_need_a_batch(owner, collection, judge):
    refused = read(owner, b"{}")
    assert refused.json()["detail"] == "No batch of gpt waits for answers. Write its files first."
    line = written(owner).splitlines()[0]
    archive_collection(collection)
    assert "is archived" in read(owner, answer(line)).json()["detail"]
    assert not ModelAnswer.objects.exists()


@pytest.mark.in_ci
@pytest.mark.parametrize(
    "body", [b"\0", b"\xff\xfe", b"[" * 100_000, b'{"custom_id": "\\u0000"}', b'{"custom_id": "\\ud800"}', b"{}", b"3"]
)
def test_hostile_lines_are_refused(owner, judge, body):
    written(owner)
    before = everything()
    assert read(owner, body).status_code == 400
    assert everything() == before


@pytest.mark.in_ci
def test_hostile_answers_are_kept_as_they_are(owner, judge, collection):
    texts = ["\0 {", "\ud800", "=1+1", "<script>", "grade" * 10_000]
    requests = written(owner).splitlines()[: len(texts)]
    result = read(owner, *map(answer, requests, texts)).json()
    assert (result["new"], result["without_grade"]) == (len(texts), len(texts))
    assert list(ledger_problems(collection)) == []


def test_an_empty_body_changes_nothing(owner, judge):
    written(owner)
    before = everything()
    assert read(owner).json()["read"] == 0
    assert everything() == before


@pytest.mark.in_ci
def test_a_request_of_more_than_8_mb_is_refused(owner, judge, settings):
    written(owner)
    refused = read(owner, b" " * (settings.UPLOAD_CHUNK_BYTES + 1))
    assert refused.status_code == 413
    assert read(owner, b" " * settings.UPLOAD_CHUNK_BYTES).status_code == 200


@pytest.mark.in_ci
@pytest.mark.skipif(sys.platform == "win32", reason="a process is copied")
def test_the_same_file_twice_at_the_same_time_is_saved_once(owner, judge, collection, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_bytes(b"\n".join(map(answer, written(owner).splitlines())))
    ended = run_in_processes(*[lambda: read_batches(judge, [path])] * 3)
    assert [each.error for each in ended] == [""] * 3
    assert JudgementEvent.objects.count() == ModelAnswer.objects.count() == pooled_tasks(collection).count()
    assert list(ledger_problems(collection)) == []


@pytest.mark.in_ci
def test_an_error_of_the_vendor_is_replaced_by_an_answer(owner, judge):
    line = written(owner).splitlines()[0]
    assert read(owner, failed(line)).json()["new"] == 1
    assert read(owner, failed(line)).json()["known"] == 1
    assert read(owner, answer(line)).json()["new"] == 1
    assert ModelAnswer.objects.filter(is_current=True).get().grade == 2
    assert read(owner, answer(line, '{"grade": 0}')).json()["known"] == 1
    assert Judgement.objects.get().relevance == 2


@pytest.mark.in_ci
def test_the_client_sends_a_large_file_in_parts(food, judge, collection, tmp_path, monkeypatch):
    (batch,) = food.write_model_batch("gpt", tmp_path, price_input=1, price_output=4)
    with pytest.raises(FileExistsError):
        food.write_model_batch("gpt", tmp_path)
    answers = [answer(line) for line in batch.read_bytes().splitlines()]
    file = tmp_path / "answers.jsonl"
    monkeypatch.setattr(models, "CHUNK", 3 * len(answers[0]))
    file.write_bytes(b"\n".join([*answers[:3], b"no json"]))
    with pytest.raises(SiteError, match=r"In the part of the file from line 3 on: answers.jsonl, line 2: 'no json'"):
        food.read_model_batch("gpt", file)
    file.write_bytes(b"\n".join(answers))
    pairs = len(answers)
    expected = {"read": pairs, "new": pairs - 2, "known": 2, "without_grade": 0, "missing": 0}
    assert food.read_model_batch("gpt", file) == expected
    assert food.read_model_batch("gpt", file) == expected | {"new": 0, "known": pairs}
    assert Judgement.objects.count() == pairs
    with pytest.raises(SiteError, match="Nothing is left to ask for"):
        food.write_model_batch("gpt", tmp_path / "other")


@pytest.mark.in_ci
def test_the_page_reads_as_much_and_refuses_with_the_same_sentence(owner, judge, collection, user, client):
    lines = written(owner).splitlines()
    client.force_login(user, backend="assess.people.backend.AccountBackend")
    page = reverse("research:read_model_batch", args=[collection.slug, judge.pk])
    refused = client.post(page, {"file": SimpleUploadedFile("a.jsonl", b"no json")})
    assert refused.status_code == 400
    assert "answers.jsonl, line 1: &#x27;no json&#x27; is no JSON object" in refused.content.decode()
    padded = answer(lines[0]) + b" " * 2_000_000
    assert client.post(page, {"file": SimpleUploadedFile("a.jsonl", padded)}).status_code == 302
    assert Judgement.objects.count() == 1
