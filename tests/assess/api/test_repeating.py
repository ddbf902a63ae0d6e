"""Idempotency keys and ETags: an answer again, a conflict, a killed process, and what is not kept."""

from datetime import timedelta

import pytest
from django.utils import timezone

from assess.models import ApiWrite, Collection, Invitation, Job, Role, Scope
from assess.people.tokens import old_writes

pytestmark = [pytest.mark.django_db, pytest.mark.database]
POOL = "/collections/small/pool"
DEPTH = {"parameters": {"depth": 3}}


@pytest.fixture
def owner(client_of):
    return client_of(Role.OWNER)


def with_key(client, path, body, key="k1"):
    client.headers["idempotency-key"] = key
    return client.post(path, body)


def test_the_same_request_gets_the_first_answer_again(owner):
    first = with_key(owner, POOL, DEPTH)
    again = with_key(owner, POOL, DEPTH)
    assert (first.status_code, again.status_code) == (202, 202)
    assert again.content == first.content
    assert again["Idempotent-Replayed"] == "true"
    assert Job.objects.count() == 1


def test_a_refusal_is_repeated_too(owner):
    first = with_key(owner, POOL, {"strategy": "nonsense"})
    again = with_key(owner, POOL, {"strategy": "nonsense"})
    assert (first.status_code, again.status_code) == (400, 400)
    assert again["Content-Type"] == first["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(("path", "body"), [(POOL, {"parameters": {"depth": 2}}), (f"{POOL}/preview", DEPTH)])
def test_another_request_with_the_key_is_a_conflict(owner, path, body):
    with_key(owner, POOL, DEPTH)
    response = with_key(owner, path, body)
    assert response.status_code == 409
    assert "was used for another request" in response.json()["detail"]
    assert Job.objects.count() == 1


def test_keys_belong_to_a_token(owner, client_of):
    with_key(owner, POOL, DEPTH)
    other = with_key(client_of(Role.RESEARCHER), POOL, {"parameters": {"depth": 2}})
    assert other.json()["detail"].startswith("“Build the pool” is waiting")


def test_a_request_that_is_being_answered_is_a_conflict_until_its_process_is_given_up(owner):
    with_key(owner, POOL, DEPTH)
    ApiWrite.objects.update(status=None)
    assert "is being answered" in with_key(owner, POOL, DEPTH).json()["detail"]
    ApiWrite.objects.update(created_at=timezone.now() - timedelta(minutes=6))
    Job.objects.all().delete()
    assert with_key(owner, POOL, DEPTH).status_code == 202


def test_a_refused_token_keeps_nothing(client_of, owner):
    reader = client_of(Role.OWNER, Scope.READ)
    assert with_key(reader, POOL, DEPTH).status_code == 403
    reader.headers["authorization"] = "Bearer assay_no"
    assert with_key(reader, POOL, DEPTH).status_code == 401
    assert not ApiWrite.objects.exists()


def test_an_invitation_is_made_once_and_its_secret_is_not_stored(owner):
    first = with_key(owner, "/collections/small/invitations", {"role": "assessor"})
    again = with_key(owner, "/collections/small/invitations", {"role": "assessor"})
    assert (first.status_code, again.status_code) == (201, 409)
    assert "is not shown again" in again.json()["detail"]
    assert Invitation.objects.count() == 1
    assert ApiWrite.objects.get().answer == ""


@pytest.mark.parametrize("key", ["x" * 101, "a\x7f"])
def test_invalid_keys_are_refused(owner, key):
    assert with_key(owner, POOL, DEPTH, key).status_code == 400
    assert not Job.objects.exists()


def test_answers_are_kept_for_a_day(owner):
    with_key(owner, POOL, DEPTH)
    assert not old_writes().exists()
    ApiWrite.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert old_writes().count() == 1


def test_a_known_answer_is_not_sent_again(owner, collection):
    first = owner.get("/collections/small/runs")
    owner.headers["if-none-match"] = first["ETag"]
    assert owner.get("/collections/small/runs").status_code == 304
    collection.runs.first().delete()
    changed = owner.get("/collections/small/runs")
    assert (changed.status_code, changed["ETag"] == first["ETag"]) == (200, False)
    assert Collection.objects.count() == 1
