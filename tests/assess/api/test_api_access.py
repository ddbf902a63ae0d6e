"""Every endpoint with every role, scope, foreign collection and invalid token; and what an assessor can read."""

import json
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from assess.api.site import api
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import ROLES_OF_PEOPLE, ApiToken, Assignment, Role, Scope, User
from assess.people.tokens import create_token
from assess.pools.assign import assign
from tests.assess.api.conftest import ApiClient
from tests.factories import SMALL_RUNS

pytestmark = [pytest.mark.django_db, pytest.mark.site]

RESEARCHERS = {Role.OWNER, Role.RESEARCHER}
READERS = RESEARCHERS | {Role.INSTRUCTOR}
EVERYBODY = set(ROLES_OF_PEOPLE)
ASSESSORS = {Role.ASSESSOR}
UUID = str(uuid.uuid4())
# The roles and the lowest scope of each endpoint of a collection.
ALLOWED = {
    "GET /collections/{slug}": (EVERYBODY, Scope.READ),
    "GET /collections/{slug}/people": (RESEARCHERS, Scope.READ),
    "POST /collections/{slug}/invitations": ({Role.OWNER}, Scope.MANAGE),
    "POST /collections/{slug}/people/roles": ({Role.OWNER}, Scope.MANAGE),
    "POST /collections/{slug}/people/removals": ({Role.OWNER}, Scope.MANAGE),
    "GET /collections/{slug}/rules": (RESEARCHERS, Scope.READ),
    "POST /collections/{slug}/rules": (RESEARCHERS, Scope.MANAGE),
    "POST /collections/{slug}/suggestions": ({Role.OWNER}, Scope.MANAGE),
    "GET /collections/{slug}/guidelines": (RESEARCHERS, Scope.READ),
    "GET /collections/{slug}/guidelines/{version}": (RESEARCHERS, Scope.READ),
    "POST /collections/{slug}/guidelines": (RESEARCHERS, Scope.MANAGE),
    "GET /collections/{slug}/adjudications": (RESEARCHERS, Scope.READ),
    "POST /collections/{slug}/adjudications": (RESEARCHERS, Scope.MANAGE),
    "GET /collections/{slug}/adjudications/{number}": (RESEARCHERS, Scope.READ),
    "DELETE /collections/{slug}/adjudications/{number}": (RESEARCHERS, Scope.MANAGE),
    "GET /collections/{slug}/topics": (READERS, Scope.READ),
    "GET /collections/{slug}/runs": (READERS, Scope.READ),
    "GET /collections/{slug}/documents": (RESEARCHERS, Scope.READ),
    "GET /collections/{slug}/ndjson/topics": (READERS, Scope.READ),
    "GET /collections/{slug}/ndjson/runs": (READERS, Scope.READ),
    "GET /collections/{slug}/ndjson/documents": (RESEARCHERS, Scope.READ),
    "GET /collections/{slug}/ndjson/tasks": (RESEARCHERS, Scope.READ),
    "GET /collections/{slug}/ndjson/judgements": (RESEARCHERS, Scope.READ),
    "GET /collections/{slug}/ndjson/golds/{rule}": (RESEARCHERS, Scope.READ),
    "POST /collections/{slug}/uploads": (RESEARCHERS, Scope.MANAGE),
    "GET /collections/{slug}/uploads/{upload_id}": (RESEARCHERS, Scope.MANAGE),
    "PUT /collections/{slug}/uploads/{upload_id}/chunk": (RESEARCHERS, Scope.MANAGE),
    "POST /collections/{slug}/uploads/{upload_id}/finish": (RESEARCHERS, Scope.MANAGE),
    "DELETE /collections/{slug}/uploads/{upload_id}": (RESEARCHERS, Scope.MANAGE),
    "POST /collections/{slug}/imports": (RESEARCHERS, Scope.MANAGE),
    "POST /collections/{slug}/pool": (RESEARCHERS, Scope.MANAGE),
    "POST /collections/{slug}/pool/preview": (RESEARCHERS, Scope.READ),
    "GET /collections/{slug}/changed-texts": (RESEARCHERS, Scope.READ),
    "POST /collections/{slug}/changed-texts/judge-again": (RESEARCHERS, Scope.MANAGE),
    "POST /collections/{slug}/changed-texts/keep": (RESEARCHERS, Scope.MANAGE),
    "GET /collections/{slug}/top-up": (RESEARCHERS, Scope.READ),
    "POST /collections/{slug}/top-up": (RESEARCHERS, Scope.MANAGE),
    "GET /collections/{slug}/pool/pairs": (RESEARCHERS, Scope.READ),
    "POST /collections/{slug}/assignments": (RESEARCHERS, Scope.MANAGE),
    "GET /collections/{slug}/engines": (RESEARCHERS, Scope.READ),
    "PUT /collections/{slug}/engines/{engine}": (RESEARCHERS, Scope.MANAGE),
    "DELETE /collections/{slug}/engines/{engine}": (RESEARCHERS, Scope.MANAGE),
    "POST /collections/{slug}/engines/{engine}/preview": (RESEARCHERS, Scope.MANAGE),
    "POST /collections/{slug}/engines/{engine}/runs": (RESEARCHERS, Scope.MANAGE),
    "GET /collections/{slug}/engine-runs": (RESEARCHERS, Scope.READ),
    "POST /collections/{slug}/engine-runs/{run_id}/continue": (RESEARCHERS, Scope.MANAGE),
    "GET /collections/{slug}/prompts": (RESEARCHERS, Scope.READ),
    "PUT /collections/{slug}/prompts/{prompt}": (RESEARCHERS, Scope.MANAGE),
    "GET /collections/{slug}/model-judges": (RESEARCHERS, Scope.READ),
    "PUT /collections/{slug}/model-judges/{judge}": (RESEARCHERS, Scope.MANAGE),
    "DELETE /collections/{slug}/model-judges/{judge}": (RESEARCHERS, Scope.MANAGE),
    "POST /collections/{slug}/model-judges/{judge}/confirmation": ({Role.OWNER}, Scope.MANAGE),
    "POST /collections/{slug}/model-judges/{judge}/trial": (RESEARCHERS, Scope.MANAGE),
    "POST /collections/{slug}/model-judges/{judge}/work": (RESEARCHERS, Scope.MANAGE),
    "POST /collections/{slug}/model-judges/{judge}/continue": (RESEARCHERS, Scope.MANAGE),
    "GET /collections/{slug}/model-judges/{judge}/checks": (RESEARCHERS, Scope.READ),
    "GET /collections/{slug}/model-judges/{judge}/answers": (RESEARCHERS, Scope.READ),
    "GET /collections/{slug}/model-judges/{judge}/batch": (RESEARCHERS, Scope.MANAGE),
    "POST /collections/{slug}/model-judges/{judge}/batch/answers": (RESEARCHERS, Scope.MANAGE),
    "GET /collections/{slug}/model-rules": (RESEARCHERS, Scope.READ),
    "POST /collections/{slug}/model-rules": ({Role.OWNER}, Scope.MANAGE),
    "GET /collections/{slug}/model-policy": (RESEARCHERS, Scope.READ),
    "POST /collections/{slug}/model-policy": ({Role.OWNER}, Scope.MANAGE),
    "DELETE /collections/{slug}/model-policy": ({Role.OWNER}, Scope.MANAGE),
    "GET /collections/{slug}/judging/topics": (ASSESSORS, Scope.READ),
    "GET /collections/{slug}/judging/topics/{topic_id}/tasks": (ASSESSORS, Scope.JUDGE),
    "POST /collections/{slug}/judging/tasks/{task}": (ASSESSORS, Scope.JUDGE),
    "GET /collections/{slug}/judgements": (RESEARCHERS, Scope.READ),
    "GET /collections/{slug}/golds": (RESEARCHERS, Scope.READ),
    "GET /collections/{slug}/golds/{rule}": (RESEARCHERS, Scope.READ),
    "GET /collections/{slug}/pages": (RESEARCHERS, Scope.READ),
    "GET /collections/{slug}/tables/{page}/{table}.{ending}": (READERS, Scope.READ),
    "GET /collections/{slug}/figures/{page}/{figure}.{ending}": (READERS, Scope.READ),
    "GET /collections/{slug}/jobs": (RESEARCHERS, Scope.READ),
    "GET /collections/{slug}/jobs/{job_id}": (RESEARCHERS, Scope.READ),
    "DELETE /collections/{slug}/jobs/{job_id}": (RESEARCHERS, Scope.MANAGE),
    "GET /collections/{slug}/releases": (RESEARCHERS, Scope.READ),
    "POST /collections/{slug}/releases": (RESEARCHERS, Scope.MANAGE),
    "GET /collections/{slug}/releases/{release_id}/files": (RESEARCHERS, Scope.READ),
    "GET /collections/{slug}/releases/{release_id}/files/{name}": (RESEARCHERS, Scope.READ),
    "GET /collections/{slug}/releases/{release_id}.zip": (RESEARCHERS, Scope.READ),
}
OF_NO_COLLECTION = {"GET /me", "GET /collections", "POST /collections"}
BODIES = {
    "invitations": {"role": "assessor"},
    "uploads": {"name": "a.tsv", "size": 3},
    "finish": {"sha256": "0" * 64},
    "imports": {"uploads": [UUID]},
    "pool": {"parameters": {"depth": 2}},
    "pool/preview": {"parameters": {"depth": 2}},
    "preview": {"query_id": "1"},
    "assignments": {},
    "roles": {"name": "nobody", "role": "researcher"},
    "removals": {"name": "nobody"},
    "rules": {"rules": {"claim_minutes": 20}},
    "suggestions": {"judge": None},
    "guidelines": {"text": "Read it all."},
    "adjudications": {"adjudicators": ["owner-1"], "by": "distance", "distance": 1},
    "releases": {"rule": "union"},
    "{task}": {"client_id": UUID, "relevance": 1},
    "chunk": b"abc",
    "batch/answers": b"{}",
    "judge-again": {"changes": []},
    "keep": {"changes": []},
    "top-up": {"systems": ["alpha"], "depth": 2},
    "{engine}": {"kind": "solr", "address": "https://search.example.org/solr/a"},
    "runs": {"system": "bm25"},
    **{key: {} for key in ("trial", "work", "continue", "model-rules", "confirmation")},
    "{prompt}": {"user": "{title} {document}"},
    "{judge}": {"kind": "offline"},
    "model-policy": {"judge": "words", "top": 1},
}
VALUES = {
    **dict.fromkeys(("upload_id", "job_id", "task", "run_id"), UUID),
    "topic_id": 10**9,
    "release_id": 10**9,
    **dict.fromkeys(("version", "number"), 10**9),
    "name": "CHANGES.md",
    "rule": "union",
    "engine": "bm25",
    "prompt": "own",
    "judge": "words",
    "page": "agreement",
    "table": "pairs",
    "figure": "pairs",
    "ending": "csv",
}


def endpoints() -> list[str]:
    paths = api.get_openapi_schema(path_prefix="")["paths"]
    return [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]


def send(client: ApiClient, endpoint: str, slug: str = "small"):
    method, path = endpoint.split(" ")
    last = path.rpartition("/")[2]
    ending = {"ending": "svg"} if "figures" in path else {}
    address = path.format(slug=slug, **(VALUES | ending))
    query = {"offset": 0} if last == "chunk" else {}
    body = BODIES.get("/".join(path.split("/")[-2:]), BODIES.get(last))
    return client.send(method, address, body if method != "GET" else None, **query)


def test_every_endpoint_is_listed():
    assert set(endpoints()) == set(ALLOWED) | OF_NO_COLLECTION


@pytest.mark.parametrize("endpoint", ALLOWED)
def test_roles(client_of, people, endpoint):
    roles, _ = ALLOWED[endpoint]
    for role in ROLES_OF_PEOPLE:
        response = send(client_of(role), endpoint)
        if role not in roles:
            assert response.status_code == 403, role
            assert "It is for: " in response.json()["detail"]
        else:
            # Allowed, but there is no such upload or job (404), nothing is judged yet (400), or the job runs (409).
            assert response.status_code in (200, 201, 202, 204, 400, 404, 409), (role, response.content)


@pytest.mark.parametrize("endpoint", ALLOWED)
def test_scopes(client_of, endpoint):
    roles, lowest = ALLOWED[endpoint]
    role = min(roles)
    for scope in Scope:
        is_enough = list(Scope).index(scope) >= list(Scope).index(lowest)
        response = send(client_of(role, scope), endpoint)
        assert (response.status_code != 403) == is_enough, (scope, response.content)
        if not is_enough:
            assert response.json()["detail"] == f"This token has the scope {scope}. This needs the scope {lowest}."


@pytest.mark.parametrize("endpoint", ALLOWED)
def test_a_foreign_collection_is_like_a_missing_one(people, client_of, endpoint):
    outsider = ApiClient(create_token(User.objects.create_user("eve"), "test", Scope.MANAGE)[1])
    foreign, missing = send(outsider, endpoint), send(outsider, endpoint, slug="no-such-collection")
    assert foreign.status_code == missing.status_code == 404
    assert foreign.content == missing.content
    assert send(client_of(Role.OWNER), endpoint, slug="no-such-collection").content == missing.content


@pytest.mark.parametrize("endpoint", ALLOWED)
def test_a_limited_token_sees_no_other_collection(people, collection, endpoint):
    from assess.collections.create import create_collection

    user = people[Role.OWNER].user
    other = create_collection("other", "Other", ["0=no", "1=yes"], owner=user)
    client = ApiClient(create_token(user, "limited", Scope.MANAGE, collections=[other])[1])
    assert send(client, endpoint).status_code == 404


@pytest.mark.parametrize("endpoint", sorted({*ALLOWED, *OF_NO_COLLECTION}))
@pytest.mark.parametrize("token", ["", "assay_invented"])
def test_without_a_token_nothing_is_open(people, client, endpoint, token):
    """Not even with the session of an owner."""
    api_client = ApiClient(token)
    api_client.client.force_login(people[Role.OWNER].user, backend="assess.people.backend.AccountBackend")
    response = send(api_client, endpoint)
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == "Bearer"
    assert response["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("endpoint", sorted({*ALLOWED, *OF_NO_COLLECTION}))
def test_an_ended_token_opens_nothing(people, client_of, endpoint):
    client = client_of(Role.OWNER)
    past = timezone.now() - timedelta(seconds=1)
    for end, reason in (({"expires_at": past}, "expired on"), ({"revoked_at": past}, "was revoked on")):
        ApiToken.objects.update(**end)
        response = send(client, endpoint)
        assert (response.status_code, response["WWW-Authenticate"]) == (401, "Bearer")
        assert reason in response.json()["detail"]


def test_a_token_is_no_session(people, client):
    _, text = create_token(people[Role.OWNER].user, "test", Scope.MANAGE)
    response = client.get("/c/small/", headers={"authorization": f"Bearer {text}"})
    assert (response.status_code, response["Location"]) == (302, "/account/sign-in/?next=/c/small/")


@pytest.mark.parametrize("method", ["PATCH", "TRACE", "OPTIONS"])
def test_other_methods_are_refused(client_of, method):
    assert client_of(Role.OWNER).send(method, "/collections/small").status_code in (404, 405)


def test_an_assessor_reads_nothing_about_systems_and_others(people, collection, client_of):
    """Blindness: every answer to an assessor, after another assessor has judged all."""
    from assess.collections.members import add_member

    other = add_member(collection, "other", Role.ASSESSOR)[0]
    assign(collection, judges=2)
    for assignment in Assignment.objects.filter(member=other):
        judged = JudgementInput("judged", 1, comment="a secret opinion")
        record_judgement(other, assignment.public_id, judged, uuid.uuid4(), actor=other.user)
    client = client_of(Role.ASSESSOR)
    answers = [send(client, endpoint).getvalue().decode() for endpoint in sorted({*ALLOWED, *OF_NO_COLLECTION})]
    topics = client.get("/collections/small/judging/topics").json()
    paths = [f"/collections/small/judging/topics/{topic['id']}/tasks" for topic in topics]
    answers += [client.get(path, limit=20).content.decode() for path in paths]
    text = "\n".join(answers)
    for secret in (*SMALL_RUNS, "a secret opinion", other.name, '"rank"', '"score"', "provenance"):
        assert secret not in text, secret
    cards = json.loads(answers[-1])
    assert cards
    assert {card["relevance"] for card in cards} == {None}
