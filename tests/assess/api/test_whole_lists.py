"""Whole lists as NDJSON: the rows of the lists in pages and of the files, in blocks, for the same roles."""

import csv
import io
import json
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from assess.judging.judgement_csv import COLUMNS
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.lib import blocks
from assess.models import Assignment, AuditEvent, Document, Role, Task

pytestmark = [pytest.mark.django_db, pytest.mark.database]
BASE = "/collections/small"


@pytest.fixture
def owner(client_of):
    return client_of(Role.OWNER)


def rows_of(client, name: str, **query) -> list[dict]:
    response = client.get(f"{BASE}/ndjson/{name}", **query)
    assert (response.status_code, response["Content-Type"]) == (200, "application/x-ndjson")
    assert response.streaming
    text = response.getvalue().decode()
    assert text.endswith("\n") or not text
    return [json.loads(line) for line in text.split("\n")[:-1]]


def judge_all() -> None:
    for number, assignment in enumerate(Assignment.objects.order_by("pk").select_related("member")):
        judged = JudgementInput("judged", number % 2, comment="=1+1, äß\u2028\n")
        record_judgement(assignment.member, assignment.public_id, judged, uuid.uuid4(), actor=assignment.member.user)


@pytest.mark.parametrize("name", ["topics", "runs", "documents"])
def test_the_rows_are_those_of_the_pages(owner, monkeypatch, name):
    monkeypatch.setattr(blocks, "BLOCK", 2)
    listed = owner.get(f"{BASE}/{name}").json()
    assert listed["next"] is None
    assert rows_of(owner, name) == listed["results"] != []


def test_tasks_have_their_pool(owner, collection):
    tasks = rows_of(owner, "tasks")
    assert len(tasks) == Task.objects.count() == 7
    assert set(tasks[0]) == {"query_id", "doc_id", "wanted", "taken", "systems", "best_rank"}
    assert all(task["best_rank"] >= 1 and task["systems"] for task in tasks)


@pytest.mark.in_ci
def test_judgements_are_those_of_the_csv_file(owner, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 2)
    judge_all()
    records = rows_of(owner, "judgements")
    text = owner.get(f"{BASE}/judgements").content.decode()
    lines = {(line["query_id"], line["doc_id"]): line for line in csv.DictReader(io.StringIO(text))}
    assert len(records) == len(lines) > 2
    for record in records:
        line = lines[record["query_id"], record["doc_id"]]
        assert tuple(record) == COLUMNS
        assert (str(record["relevance"]), record["judged_at"]) == (line["relevance"], line["judged_at"])
        assert record["comment"] == line["comment"].removeprefix("'")


@pytest.mark.in_ci
def test_a_gold_is_that_of_the_qrels(owner):
    judge_all()
    qrels = [line.split() for line in owner.get(f"{BASE}/golds/majority").content.decode().splitlines()]
    found = rows_of(owner, "golds/majority")
    assert [[row["query_id"], row["doc_id"], str(row["relevance"])] for row in found] == [
        [query_id, doc_id, grade] for query_id, _, doc_id, grade in qrels
    ]


def test_exports_are_audited(owner):
    judge_all()
    for name in ("judgements", "golds/majority"):
        rows_of(owner, name)
    assert AuditEvent.objects.filter(action="exported").count() == 2


@pytest.mark.parametrize(
    ("name", "query", "status"),
    [("golds/nonsense", {}, 400), ("golds/union", {}, 400), ("judgements", {"set": "none"}, 400)],
)
def test_what_cannot_be_exported_is_refused_before_the_first_line(owner, name, query, status):
    response = owner.get(f"{BASE}/ndjson/{name}", **query)
    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
    assert not AuditEvent.objects.filter(action="exported").exists()


def test_a_block_is_one_query_and_no_more_rows_are_read(collection, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 3)
    rows = blocks.blocks(Document.objects.filter(collection=collection))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert len(next(rows)) == 3
    assert len(queries) == 1
    assert "LIMIT 3" in queries[0]["sql"]
