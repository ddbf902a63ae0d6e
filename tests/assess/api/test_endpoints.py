"""What the endpoints do: a campaign from an empty site to the tables, errors as problems, and pages of lists."""

import hashlib
import uuid

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from assess.api.auth import _buckets
from assess.models import Collection, Judgement, Role, Scope, User
from assess.people.tokens import create_token
from tests.assess.api.conftest import ApiClient
from tests.factories import SMALL_RUNS, TOPICS, run_text

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def upload(client: ApiClient, slug: str, name: str, content: bytes, size: int = 30, **finish) -> str:
    """Send a file in chunks, and return its id."""
    begun = client.post(f"/collections/{slug}/uploads", {"name": name, "size": len(content)}).json()
    path = f"/collections/{slug}/uploads/{begun['id']}"
    for offset in range(0, len(content), size):
        sent = client.send("PUT", f"{path}/chunk", content[offset : offset + size], offset=offset)
        assert sent.status_code == 200, sent.content
    done = client.post(f"{path}/finish", {"sha256": hashlib.sha256(content).hexdigest(), **finish})
    assert done.json()["is_complete"], done.content
    return begun["id"]


def run_jobs() -> None:
    call_command("worker", once=True, verbosity=0)


def done(client: ApiClient, slug: str, response) -> dict:
    """Run the job of an answer, and return it when it is done."""
    assert response.status_code == 202, response.content
    run_jobs()
    job = client.get(f"/collections/{slug}/jobs/{response.json()['id']}").json()
    assert job["state"] == "done", job
    return job


@pytest.fixture
def owner(db) -> ApiClient:
    user = User.objects.create_superuser("olga")
    return ApiClient(create_token(user, "campaign", Scope.MANAGE)[1])


@pytest.mark.in_ci
@pytest.mark.django_db(transaction=True)
def test_a_campaign(owner, client_of_new):
    """An empty site; a collection, topics, runs, documents, a pool, assignments, judgements, and the pages' tables."""
    created = owner.post("/collections", {"name": "Robust", "scale": ["0=no", "1=yes"]})
    assert created.status_code == 201
    slug = created.json()["slug"]
    ids = [upload(owner, slug, "topics.tsv", TOPICS.encode(), kind="topics")]
    ids += [upload(owner, slug, f"{name}.run", run_text(name, topics).encode()) for name, topics in SMALL_RUNS.items()]
    doc_ids = sorted({doc_id for topics in SMALL_RUNS.values() for found in topics.values() for doc_id in found})
    lines = "".join(f'{{"doc_id": "{doc_id}", "text": "text of {doc_id}"}}\n' for doc_id in doc_ids)
    done(owner, slug, owner.post(f"/collections/{slug}/imports", {"uploads": ids}))
    run_jobs()
    assert len(owner.get(f"/collections/{slug}/runs").json()["results"]) == 3
    preview = owner.post(f"/collections/{slug}/pool/preview", {"parameters": {"depth": 2}}).json()
    done(owner, slug, owner.post(f"/collections/{slug}/pool", {"parameters": {"depth": 2}}))
    ids = [upload(owner, slug, "docs.jsonl", lines.encode(), size=1_000)]
    done(owner, slug, owner.post(f"/collections/{slug}/imports", {"uploads": ids}))
    judges = [client_of_new(slug, name) for name in ("ann", "bob")]
    assigned = owner.post(f"/collections/{slug}/assignments", {"judges": 2}).json()
    assert assigned["added"] == 2 * preview["documents"]
    for number, judge in enumerate(judges):
        judge_all(judge, slug, number)
    assert Judgement.objects.count() == assigned["added"]
    equal_to_the_pages(owner, slug)


def judge_all(client: ApiClient, slug: str, number: int) -> None:
    for topic in client.get(f"/collections/{slug}/judging/topics").json():
        while cards := client.get(f"/collections/{slug}/judging/topics/{topic['id']}/tasks").json():
            for card in cards:
                assert card["text"] == f"text of {card['doc_id']}"
                grade = (ord(card["doc_id"]) + number * (card["doc_id"] == "b")) % 2
                body = {"client_id": str(uuid.uuid4()), "relevance": grade}
                path = f"/collections/{slug}/judging/tasks/{card['task']}"
                receipt = client.post(path, body)
                assert receipt.status_code == 200, receipt.content
                assert client.post(path, body).json() == receipt.json()  # repeating changes nothing
                other = client.post(path, body | {"relevance": 1 - grade})
                assert other.status_code == 409


def equal_to_the_pages(client: ApiClient, slug: str) -> None:
    """Tables, figures, golds and judgements are the bytes that the pages send."""
    browser = Client()
    user = User.objects.get(username="olga")
    browser.force_login(user, backend="assess.people.backend.AccountBackend")
    golds = client.get(f"/collections/{slug}/golds").json()
    assert "judge:ann" in golds["golds"]
    for api_path, page in {
        "tables/agreement/pairs.csv": address(slug, "agreement_table", "pairs", "csv"),
        "tables/agreement/pairs.tex": address(slug, "agreement_table", "pairs", "tex"),
        "tables/shift/measures.csv": address(slug, "shift_table", "measures", "csv"),
        "figures/shift/slope.svg": address(slug, "shift_chart", "slope", "svg"),
        "golds/judge:ann": f"{address(slug, 'qrels')}?gold=judge:ann",
        "judgements": address(slug, "judgements_csv"),
    }.items():
        response = client.get(f"/collections/{slug}/{api_path}")
        assert response.status_code == 200, response.content
        assert response.content == browser.get(page).content, page


def address(slug: str, name: str, *arguments: str) -> str:
    return reverse(f"research:{name}", args=[slug, *arguments])


@pytest.fixture
def client_of_new():
    """A function that adds an assessor to a collection and returns a client."""
    from assess.collections.members import add_member

    def add(slug: str, name: str) -> ApiClient:
        member = add_member(Collection.objects.get(slug=slug), name, Role.ASSESSOR, name)[0]
        return ApiClient(create_token(member.user, "judge", Scope.JUDGE)[1])

    return add


def test_lists_have_pages(client_of):
    client = client_of(Role.OWNER)
    first = client.get("/collections/small/runs", limit=2).json()
    rest = client.get("/collections/small/runs", limit=2, after=first["next"]).json()
    systems = [run["system"] for run in first["results"] + rest["results"]]
    assert sorted(systems) == sorted(SMALL_RUNS)
    assert rest["next"] is None


@pytest.mark.parametrize(
    ("path", "query", "status", "words"),
    [
        ("/collections/small/runs", {"limit": 0}, 422, "limit"),
        ("/collections/small/runs", {"limit": 1_001}, 422, "limit"),
        ("/collections/small/runs", {"after": "x"}, 422, "after"),
        ("/collections/small/runs", {"after": 2**63}, 422, "after"),
        ("/collections/small/golds/nonsense", {}, 400, "nonsense"),
        ("/collections/small/judgements", {"set": "all"}, 400, "set must be one of"),
        ("/collections/small/releases/99999999999999999999.zip", {}, 404, "no such thing"),
        ("/collections/small/tables/agreement/nothing.csv", {}, 404, "no such thing"),
        ("/collections/small/tables/nothing/pairs.csv", {}, 404, "no such thing"),
        ("/collections/small/tables/pair/topics.csv", {}, 404, "no such thing"),
        ("/collections/small/tables/pair/topics.csv", {"id_x": 1}, 404, "no such thing"),
        ("/no/such/endpoint", {}, 404, "no such thing"),
    ],
)
def test_errors_are_problems(client_of, path, query, status, words):
    response = client_of(Role.OWNER).get(path, **query)
    problem = response.json()
    assert (response.status_code, problem["status"]) == (status, status)
    assert response["Content-Type"] == "application/problem+json"
    assert words in problem["detail"]


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/collections/small/pool", {"strategy": "nonsense"}, 400),
        ("/collections/small/pool", {"parameters": {"depth": -1}}, 400),
        ("/collections/small/pool", {"parameters": {"height": 1}}, 400),
        ("/collections/small/assignments", {"judges": 0}, 422),
        ("/collections/small/assignments", {"judges": 9}, 400),
        ("/collections/small/invitations", {"role": "king"}, 422),
        ("/collections/small/imports", {"uploads": []}, 422),
        ("/collections", {"name": "x", "scale": ["0=no"]}, 422),
        ("/collections", {"name": "x" * 201}, 422),
    ],
)
def test_invalid_writes_change_nothing(client_of, collection, path, body, status):
    before = (collection.jobs.count(), collection.invitations.count(), Collection.objects.count())
    response = client_of(Role.OWNER).post(path, body)
    assert response.status_code in (status, 403), response.content
    assert before == (collection.jobs.count(), collection.invitations.count(), Collection.objects.count())


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'{"role": "\\ud800"}', b"[" * 100_000])
def test_broken_bodies_are_refused(client_of, content):
    client = client_of(Role.OWNER)
    response = client.client.post(
        "/api/v1/collections/small/invitations", content, "application/json", headers=client.headers
    )
    assert response.status_code in (400, 422)
    assert response["Content-Type"].startswith("application/problem+json")


def test_a_chunk_at_a_wrong_offset_says_where_to_go_on(client_of):
    client = client_of(Role.OWNER)
    begun = client.post("/collections/small/uploads", {"name": "a.run", "size": 6}).json()
    path = f"/collections/small/uploads/{begun['id']}"
    assert client.send("PUT", f"{path}/chunk", b"abc", offset=0).json()["offset"] == 3
    response = client.send("PUT", f"{path}/chunk", b"abc", offset=0)
    assert (response.status_code, response.json()["offset"]) == (409, 3)
    assert client.send("DELETE", path).status_code == 204
    assert client.get(path).status_code == 404


def test_a_chunk_may_be_large_and_nothing_else(client_of):
    client = client_of(Role.OWNER)
    content = b"x" * 3_000_000
    begun = client.post("/collections/small/uploads", {"name": "a.run", "size": len(content)}).json()
    path = f"/collections/small/uploads/{begun['id']}"
    assert client.send("PUT", f"{path}/chunk", content, offset=0).status_code == 200
    assert client.send("POST", "/collections/small/invitations", content).status_code == 413


def test_a_token_has_a_rate(client_of, monkeypatch):
    monkeypatch.setattr(_buckets, "burst", 2)
    monkeypatch.setattr(_buckets, "per_second", 0)  # a slow machine lets no further request in
    client = client_of(Role.OWNER)
    statuses = [client.get("/me").status_code for _ in range(4)]
    assert statuses[0] == 200
    assert statuses[-1] == 429
    response = client.get("/me")
    assert response["Retry-After"] == "1"
    assert "more than 50 requests a second" in response.json()["detail"]


def test_a_job_can_be_cancelled(client_of, collection):
    client = client_of(Role.OWNER)
    job = client.post("/collections/small/pool", {"parameters": {"depth": 3}}).json()
    again = client.post("/collections/small/pool", {"parameters": {"depth": 3}})
    assert again.status_code == 409
    cancelled = client.send("DELETE", f"/collections/small/jobs/{job['id']}")
    assert (cancelled.status_code, cancelled.json()["state"]) == (202, "cancelled")
    assert [each["state"] for each in client.get("/collections/small/jobs").json()["results"]] == ["cancelled"]


@pytest.mark.in_ci
def test_the_description_is_open_and_the_reference_is_for_users(client, people):
    schema = client.get("/api/v1/openapi.json")
    assert schema.status_code == 200
    assert schema.json()["openapi"] == "3.1.0"
    assert client.get("/api/v1/").status_code == 302
    client.force_login(people[Role.OWNER].user, backend="assess.people.backend.AccountBackend")
    page = client.get("/api/v1/").content.decode().replace("<wbr>", "")
    assert "GET /api/v1/collections/{slug}/runs" in page


def test_an_invitation_can_be_accepted(client_of, client):
    made = client_of(Role.OWNER).post("/collections/small/invitations", {"role": "assessor"})
    assert made.status_code == 201
    assert client.get(made.json()["path"], follow=True).status_code == 200


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/collections/small/pool", {"strategy": "depth", "depth": 2}),
        ("/collections/small/assignments", {"judge": 2}),
        ("/collections/small/top-up", {"deep": 3}),
        ("/collections/small/invitations", {"role": "assessor", "use": 5}),
    ],
)
def test_an_unknown_field_is_refused_by_name(client_of, people, path, body):
    response = client_of(Role.OWNER).post(path, body)
    assert response.status_code == 422
    unknown = {problem["place"].rpartition(".")[2] for problem in response.json()["errors"]}
    assert unknown & body.keys()
