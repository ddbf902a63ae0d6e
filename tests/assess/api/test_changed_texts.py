"""Judgements of former texts by the API: the list, judging again, and changes that do not matter."""

import uuid

import pytest
from django.core.management import call_command

import pooling
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, KeptChange, Role, Scope
from assess.transfer.documents import DocumentOptions, import_documents

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.site]
PATH = "/collections/small/changed-texts"


@pytest.fixture
def stale(collection, people):
    """Two judged documents have another text since."""
    for assignment in Assignment.objects.filter(task__document__doc_id__in=["a", "b"]):
        graded = JudgementInput("judged", 1)
        record_judgement(assignment.member, assignment.public_id, graded, uuid.uuid4(), actor=assignment.member.user)
    texts = [pooling.Document(doc_id, "", f"Another text of {doc_id}.", {}, 1) for doc_id in "ab"]
    import_documents(collection, texts, DocumentOptions(replace=True))
    return Assignment.objects.filter(state="judged").count()


def test_the_list_in_pages(client_of, stale):
    client = client_of(Role.RESEARCHER, Scope.READ)
    first = client.get(PATH, limit=1).json()
    second = client.get(PATH, limit=1, after=first["next"]).json()
    assert [row["doc_id"] for page in (first, second) for row in page["results"]] == ["a", "b"]
    assert (first["next"], second["next"]) == (1, None)
    assert (first["judgements"], first["unknown"]) == (stale, 0)
    row = first["results"][0]
    assert row["seen"] != row["present"]
    assert {(each["query_id"], each["kind"], each["relevance"]) for each in row["judgements"]} == {("1", "regular", 1)}


def test_one_is_judged_again_and_one_is_kept(client_of, stale):
    client = client_of(Role.RESEARCHER, Scope.MANAGE)
    first, second = client.get(PATH).json()["results"]
    answer = client.post(f"{PATH}/judge-again", {"changes": [first["key"]]})
    assert (answer.status_code, answer.json()["kind"]) == (202, "judge_again")
    call_command("worker", once=True, verbosity=0)
    assert [row["doc_id"] for row in client.get(PATH).json()["results"]] == ["b"]
    kept = client.post(f"{PATH}/keep", {"changes": [second["key"]]})
    assert kept.json() == {"judgements": len(second["judgements"])}
    assert KeptChange.objects.get().by is not None
    assert client.get(PATH).json()["results"] == []


@pytest.mark.parametrize("action", ["judge-again", "keep"])
def test_an_unknown_change_is_a_problem(client_of, stale, action):
    answer = client_of(Role.RESEARCHER, Scope.MANAGE).post(f"{PATH}/{action}", {"changes": ["1-ff"]})
    assert answer.status_code == 400
    assert "no stale judgement of the change '1-ff'" in answer.json()["detail"]
