"""People, rules, guidelines, adjudications and releases by API and client, and what is refused."""

import json

import httpx2
import pytest
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

from assay.remote import Site
from assay.remote.jobs import Job as RemoteJob
from assess.judging import rules
from assess.models import AuditEvent, Guidelines, Job, Member, Release, Role, Scope
from assess.people.tokens import create_token
from tests.assess.adjudication.conftest import GRADES, disputed  # noqa: F401
from tests.assess.releases.conftest import without_reports  # noqa: F401
from tests.factories import SMALL_RUNS

pytestmark = [pytest.mark.django_db, pytest.mark.database]
BASE = "/collections/small"


@pytest.fixture
def owner(client_of):
    return client_of(Role.OWNER)


@pytest.fixture
def mine(people, open_connection):
    """The collection in the client of its owner."""
    token = create_token(people[Role.OWNER].user, "client", Scope.MANAGE)[1]
    return Site("http://localhost", token, httpx2.WSGITransport(get_wsgi_application())).collection("small")


@pytest.mark.django_db(transaction=True)
def test_a_role_is_changed_as_on_the_page(owner, people, mine):
    changed = owner.post(f"{BASE}/people/roles", {"name": "researcher-1", "role": "instructor"})
    assert changed.json() == {"name": "researcher-1", "role": "instructor"}
    assert AuditEvent.objects.get(action="role_changed").actor == people[Role.OWNER].user
    assert mine.change_role("researcher-1", "researcher")["role"] == "researcher"


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("path", "body", "status", "sentence"),
    [
        ("people/roles", {"name": "owner-1", "role": "researcher"}, 400, "last owner"),
        ("people/roles", {"name": "assessor-1", "role": "researcher"}, 400, "has judgements or assigned tasks"),
        ("people/roles", {"name": "nobody", "role": "researcher"}, 400, "no member 'nobody'"),
        ("people/roles", {"name": "researcher-1", "role": "withdrawn"}, 400, "There is no role"),
        ("people/roles", {"name": "researcher-1", "role": "king"}, 422, "role"),
        ("people/removals", {"name": "owner-1"}, 400, "last owner"),
        ("people/removals", {"name": "a\0"}, 400, "NUL"),
        ("releases", {"rule": "a\0"}, 400, "NUL"),
        ("rules", {"rules": {"a\0": 1}}, 400, "NUL"),
        ("adjudications", {"adjudicators": ["owner-1"], "by": "topic", "query_id": "a\0"}, 400, "NUL"),
        ("rules", {"rules": {}}, 422, "rules"),
        ("rules", {"rules": {"color": 1}}, 400, "Unknown rule 'color'"),
        ("rules", {"rules": {"suggestions": None, "claim_minutes": 9}}, 400, "an owner chooses the model apart from"),
        ("rules", {"rules": {"claim_minutes": 20.5}}, 400, "whole number"),
        ("rules", {"rules": {"claim_minutes": 10**400}}, 400, "whole number"),
        ("rules", {"rules": {"claim_minutes": "x" * 9_000}}, 400, "whole number"),
        ("rules", {"rules": {"claim_minutes": 20, "order": "adaptive"}}, 400, "adaptive order needs a strategy"),
        ("rules", {"rules": {"hide_doc_ids": "perhaps"}}, 400, "on or off"),
        ("guidelines", {"text": " "}, 400, "are empty"),
        ("guidelines", {"text": "a\0"}, 400, "NUL"),
        ("guidelines", {"text": "x" * 30_000}, 400, "at most 20,000"),
        ("adjudications", {"adjudicators": []}, 422, "adjudicators"),
        ("adjudications", {"adjudicators": ["nobody"]}, 400, "no member with the pseudonym"),
        ("adjudications", {"adjudicators": ["owner-1"], "by": "chance"}, 400, "not by 'chance'"),
        ("adjudications", {"adjudicators": ["owner-1"], "by": "distance", "distance": 9}, 400, "distance must be"),
        ("adjudications", {"adjudicators": ["owner-1"], "by": "documents", "tasks": [10**30]}, 400, "no document"),
        ("releases", {"rule": "union", "name": "../x"}, 400, "name of a release"),
        ("releases", {"rule": "union", "judges": ["nobody"]}, 400, "no judge"),
    ],
)
def test_what_is_refused_changes_nothing(owner, collection, path, body, status, sentence):
    before = state(collection)
    response = owner.post(f"{BASE}/{path}", body)
    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json"), response.content
    assert sentence in response.json()["detail"]
    assert len(response.content) < 1_000
    assert state(collection) == before


def state(collection) -> list:
    collection.refresh_from_db()
    values = [getattr(collection, name) for name in rules.NAMES]
    people = list(Member.objects.values_list("name", "role", "user").order_by("pk"))
    return [values, people, Guidelines.objects.count(), Job.objects.count(), collection.adjudications.count()]


def test_a_member_is_removed(owner, people):
    assert owner.post(f"{BASE}/people/removals", {"name": "assessor-1"}).json() == {"returned": 7, "judgements": 0}
    assert "assessor-1" not in {row["name"] for row in owner.get(f"{BASE}/people").json()["results"]}


@pytest.mark.in_ci
def test_rules_are_read_and_changed(mine, collection):
    assert mine.rules()["claim_minutes"] == collection.claim_minutes
    assert set(mine.rules()) == {*rules.NAMES, "suggestions"}
    changed = mine.change_rules(claim_minutes=21, hide_doc_ids=True, repeat_share=0.1)
    assert sorted(changed["changed"]) == ["claim_minutes", "hide_doc_ids", "repeat_share"]
    assert mine.change_rules(claim_minutes=21)["changed"] == []
    assert mine.rules()["hide_doc_ids"] is True


@pytest.mark.django_db(transaction=True)
def test_rules_that_change_many_assignments_are_a_job(mine, monkeypatch):
    monkeypatch.setattr(rules, "is_long", lambda *_: True)
    job = mine.change_rules(judges_per_task=2)
    assert isinstance(job, RemoteJob)
    call_command("worker", once=True, verbosity=0)
    assert job.refresh().state == "done"
    assert mine.rules()["judges_per_task"] == 2


def test_a_text_may_name_the_escape_of_nul(mine):
    assert mine.publish_guidelines("Write \\u0000.")["text"] == "Write \\u0000."


def test_guidelines_have_versions(mine):
    first = mine.publish_guidelines("Read **all**.")
    assert mine.publish_guidelines("Read **all**.") == first
    second = mine.publish_guidelines("Read the title.")
    assert [row["version"] for row in mine.guidelines()] == [second["version"], first["version"]]
    assert mine.guidelines(first["version"])["text"] == "Read **all**."


@pytest.mark.in_ci
def test_an_adjudication_from_the_choice_to_the_decision(mine, people, disputed):  # noqa: F811
    made = mine.adjudicate(["researcher-1"], by="distance", distance=1)
    assert made["documents"] == len(mine.decisions(1, waiting=True)) > 0
    token = create_token(people[Role.RESEARCHER].user, "decide", Scope.JUDGE)[1]
    theirs = Site("http://localhost", token, httpx2.WSGITransport(get_wsgi_application())).collection("small")
    topics = theirs.judging_topics()
    shown = json.dumps([topics, theirs.tasks(topics[0])])
    assert not [secret for secret in (*GRADES, *SMALL_RUNS, "best_rank") if f'"{secret}"' in shown]
    task = theirs.tasks(topics[0])[0]
    assert task["relevance"] is None
    theirs.judge(task, 1)
    rows = mine.decisions(1)
    assert [row["decision"] for row in rows if row["decision"]] == ["1"]
    assert len(mine.decisions(1, waiting=True)) == made["documents"] - 1
    assert mine.adjudications()[0]["decided"] == 1
    assert mine.undo_adjudication(1) == made["documents"] - 1


@pytest.mark.in_ci
@pytest.mark.django_db(transaction=True)
def test_an_adjudication_by_leverage_is_a_job(mine, disputed):  # noqa: F811
    job = mine.adjudicate(["owner-1"], number=2)
    assert isinstance(job, RemoteJob)
    call_command("worker", once=True, verbosity=0)
    assert job.refresh().state == "done", job.error
    assert mine.adjudications()[0]["documents"] == 2


@pytest.mark.in_ci
@pytest.mark.django_db(transaction=True)
def test_a_release_and_its_files(mine, owner, disputed, without_reports):  # noqa: F811
    job = mine.create_release("majority", "test", notes="A first one.")
    call_command("worker", once=True, verbosity=0)
    assert job.refresh().state == "done", job.error
    release = mine.releases()[0]
    assert (release["name"], release["version"]) == ("test", 1)
    listed = mine.release_files(release["id"])
    nested = next(name for name in listed if "/" in name)
    assert mine.release_file(release["id"], nested)
    assert b"A first one." in mine.release_file(release["id"], "CHANGES.md")
    for name in ("nothing.md", "../manifest.json", "paper"):
        assert owner.get(f"{BASE}/releases/{release['id']}/files/{name}").status_code == 404
    assert AuditEvent.objects.filter(action="exported", subject__startswith="release ").count() == 2


@pytest.mark.in_ci
@pytest.mark.django_db(transaction=True)
def test_another_collection_has_other_releases(mine, client_of, people, disputed, without_reports):  # noqa: F811
    from assess.collections.create import create_collection

    mine.create_release("majority")
    call_command("worker", once=True, verbosity=0)
    create_collection("other", "Other", ["0=no", "1=yes"], owner=people[Role.OWNER].user)
    response = client_of(Role.OWNER).get(f"/collections/other/releases/{Release.objects.get().pk}/files")
    assert response.status_code == 404
