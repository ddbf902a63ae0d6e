"""Hostile documents, ids, topics and comments are harmless on every page and in every export."""

import csv
import gzip
import io
import json
import re
import uuid
import zlib
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.urls import reverse
from django.utils import timezone

import pooling
from assess.collections.create import create_collection
from assess.collections.members import add_member
from assess.collections.run_groups import group_runs
from assess.collections.topic_sets import set_topics
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress
from assess.living.changed_texts import changed_texts
from assess.living.judge_again import keep_changes
from assess.models import ROLES_OF_PEOPLE, Collection, ImportedJudge, Member, ModelJudge, Role, Task
from assess.near_duplicates.find import find_pairs
from assess.near_duplicates.groups import accept_threshold
from assess.pools.assign import assign
from assess.pools.building.build import build_pool
from assess.pools.tasks import pooled_tasks
from assess.suggestions.choice import set_suggestions
from assess.transfer.documents import DocumentOptions, import_documents
from assess.transfer.runs import import_runs
from assess.transfer.topics import import_topics
from tests.assess.command_output import refusal
from tests.assess.releases.stored import small_release
from tests.assess.web.built_site import judged_practice, owned_by, searched
from tests.assess.web.research.analysis.pages import judge
from tests.assess.web.test_access import FILES, OF_COLLECTIONS, POST_ONLY, allowed_roles
from tests.shared_rows import shared_rows

pytestmark = pytest.mark.site

SCRIPT = "<script>alert(1)</script>"
PICTURE = "\"'><img src=x onerror=alert(1)>"
EVIL = f"{SCRIPT}{PICTURE}</script></title></textarea></template>\u202e"
IDS = [
    "=cmd()",
    "+1-1",
    "@SUM(A1)",
    "-2",
    "<img/src=x/onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "\u202eab",
]
SYSTEM = "=sys()<img/src=x/onerror=alert(1)>"
GROUP = "=group()<img/src=x/onerror=alert(1)>"
LINK = "<a href='javascript:alert(1)'>x</a>"
SAMPLE = {"size": "1", "population": "pool", "pace": "60", "judges": "1"}
QUERY = {"against": "union", "preview": "1", "strategy": "depth", "depth": "3", **SAMPLE}
HTML = (
    f"{EVIL}{LINK}<style>*{{position:fixed}}</style><iframe src=//evil.example></iframe><img src=//evil.example/a.png>"
)


@dataclass
class Site:
    """A hostile collection, one member of each role and a second assessor, and values for all addresses."""

    collection: Collection
    people: dict[Role | str, Member]
    values: dict[str, Any]


class Page(NamedTuple):
    content_type: str
    nosniff: str | None
    text: str


@pytest.fixture(scope="module")
def shared_site(django_db_setup, django_db_blocker, tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    with shared_rows(lambda: build_site(folder), django_db_blocker, tmp_path_factory.mktemp("runs")) as shared:
        yield shared


@pytest.fixture
def site(shared_site, settings, db) -> Site:
    return shared_site.copy(settings)


@pytest.fixture
def collection(site):
    return site.collection


@pytest.fixture
def people(site):
    return site.people


def build_site(folder: Path) -> Site:
    collection = build_collection(folder)
    people = add_people(collection)
    values = values_of(collection, people) | add_files(collection, people[Role.OWNER])
    add_suggestions(collection, people["second"])
    return Site(collection, people, values | {"change": add_changed_texts(collection, people, values["task"])})


def build_collection(folder: Path) -> Collection:
    """Return a collection with hostile content everywhere, in both document formats."""
    collection = create_collection("small", EVIL[:60], ["0=no", f"1={SCRIPT}"])
    (folder / "topics.tsv").write_text(f"=1+1\t{EVIL}\t{EVIL}\t{EVIL}\n", encoding="utf-8")
    import_topics(collection, folder / "topics.tsv")
    for system in (SYSTEM, "@other"):
        lines = [f"=1+1 Q0 {doc_id} {rank} {9 - rank} {system}\n" for rank, doc_id in enumerate(IDS, start=1)]
        (folder / "a.run").write_text("".join(lines), encoding="utf-8")
        import_runs(collection, [folder / "a.run"])
    group_runs(collection, [SYSTEM, "@other"], GROUP)
    set_topics(collection, ["=1+1"], "test")
    build_pool(collection, depth=len(IDS))
    for text_format, ids in (("html", IDS[::2]), ("text", IDS[1::2])):
        records = [{"doc_id": doc_id, "title": EVIL, "text": HTML, EVIL: [EVIL], "x": EVIL} for doc_id in ids]
        (folder / "a.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
        import_documents(
            collection, pooling.read_documents(folder / "a.jsonl"), DocumentOptions(text_format=text_format)
        )
    find_pairs(collection)
    accept_threshold(collection, 0.5)
    return collection


def add_people(collection: Collection) -> dict[Role | str, Member]:
    """Add members. The assessors judge all documents but one, with comments."""
    people = {role: add_member(collection, role.value, role)[0] for role in ROLES_OF_PEOPLE}
    people["second"] = add_member(collection, "second", Role.ASSESSOR)[0]
    assign(collection, judges=2)
    for member in (people[Role.ASSESSOR], people["second"]):
        topic, _ = topics_with_progress(member)[0]
        for n, card in enumerate(worklist.upcoming(member, topic)[1:]):
            answer = "new" if n % 2 and member == people[Role.ASSESSOR] else ""
            judgement = JudgementInput("judged", n % 2, comment=f"={EVIL}", marginal=answer)
            record_judgement(member, card.task, judgement, uuid.uuid4(), actor=member.user)
    return people


def values_of(collection: Collection, people) -> dict[str, Any]:
    topic, assessor = collection.topics.get(), people[Role.ASSESSOR]
    card, *_ = worklist.upcoming(assessor, topic)
    practice = judged_practice(assessor, topic)
    known = {"practice": practice.public_id, "known": practice.task.known_grade.pk}
    values = known | {"slug": "small", "topic_id": topic.pk, "kind": "svg", "task": uuid.UUID(card.task)}
    judged = Task.objects.filter(judgements__member=people["second"]).earliest("pk").pk
    return (
        values
        | searched(assessor, topic)
        | {"a": assessor.pk, "b": people["second"].pk, "member_id": assessor.pk, "task_pk": judged}
        | {"file_type": "csv"}
    )


def add_files(collection: Collection, owner: Member) -> dict[str, Any]:
    """Add uploads, a check, imports, an invitation, a release and a failed job. Return values for their addresses."""
    original = zlib.compress(SCRIPT.encode())
    file = collection.imported_files.create(name=f"{PICTURE}.txt", size=len(SCRIPT), content=original)
    owned = owned_by(owner)
    add_upload(collection, owner)
    collection.uploads.filter(completed_at=None).update(name=EVIL)
    collection.jobs.filter(kind="check_files").update(
        input={"uploads": list(collection.uploads.values_list("pk", flat=True))},
        result={"sentences": [EVIL], "problems": [[f"={EVIL}", None, EVIL]], "problem_count": 1},
    )
    file_details = {"name": EVIL, "size": None, "sha256": ""}
    collection.imports.create(kind="runs", files=[file_details], options={EVIL: EVIL}, counts={"added": 1})
    collection.invitations.create(role=Role.ASSESSOR, note=EVIL[:80], expires_at=timezone.now())
    job = collection.jobs.create(kind="build_pool", state="failed", error=SCRIPT, ended_at=timezone.now())
    owned |= {"release_id": small_release(collection, EVIL).pk, "file": "qrels.txt"} | asked(collection)
    return owned | {"file_id": file.pk, "job_id": job.public_id, "judge_id": add_model(collection).pk}


def asked(collection: Collection) -> dict[str, Any]:
    """Add a search engine that was tried, and its run with a topic that failed."""
    settings = {"kind": "solr", "address": f"https://a.org/{EVIL}", "body": EVIL, "scores": "engine", "escape": EVIL}
    engine = collection.engines.create(name=EVIL[:80], settings=settings)
    run = collection.engine_runs.create(
        engine=engine, system=EVIL, depth=10, settings=settings, version=EVIL[:100], notes=[EVIL]
    )
    body = gzip.compress(SCRIPT.encode())
    run.answers.create(topic=collection.topics.get(), problem=EVIL, body=body, sha256="", seconds=1, attempts=1)
    document = {"doc_id": EVIL, "score": 1.0, "title": EVIL, "text": EVIL}
    request = {"method": "POST", "address": EVIL, "body": {EVIL: EVIL}}
    result = {"query_id": EVIL, "request": request, "problem": EVIL, "begin": EVIL, "documents": [document]}
    collection.jobs.create(
        kind="preview_engine",
        state="done",
        input={"engine": engine.pk},
        result=result | {"notes": [EVIL], "is_repeatable": False},
        ended_at=timezone.now(),
    )
    return {"engine_id": engine.pk, "run_id": run.public_id, "model_id": asked_model(collection).pk}


def asked_model(collection: Collection) -> ModelJudge:
    """Add a model judge that was tried and asked, with answers without a grade and with a foreign order."""
    texts = {"system": EVIL, "user": f"{{title}} {{document}} {EVIL}", "form": "json", "criteria": [EVIL]}
    prompt = collection.prompts.create(name=EVIL[:80], hash="0", **texts)
    settings = {"address": f"https://a.org/{EVIL}", "model": EVIL, "extra": {EVIL: EVIL}}
    model = collection.model_judges.create(name=EVIL[:80], kind="chat", settings=settings, prompt=prompt)
    collection.confirmed_hosts.create(host=f"https://{EVIL}"[:300])
    work = model.work.create(seed=1, stopped=EVIL, notes=[EVIL], pairs=2)
    for number, task in enumerate(pooled_tasks(collection)[:2]):
        record = {"detail": EVIL, "text": EVIL, "warning": "", "reason": "no_grade"}
        model.answers.create(
            work=work,
            task=task,
            key=str(number),
            reason="no_grade",
            record=json.dumps(record),
            body=gzip.compress(SCRIPT.encode()),
            sha256="",
            repeats_instruction=True,
        )
    message = {"role": EVIL, "content": EVIL}
    document = {"query_id": EVIL, "doc_id": EVIL, "messages": [message], "grade": None, "reason": EVIL, "detail": EVIL}
    document |= {"answer": EVIL, "seconds": 1.0, "tokens": 5, "repeats_instruction": True}
    collection.jobs.create(
        kind="try_model",
        state="done",
        input={"judge": model.pk},
        result={"judge": model.pk, "summary": EVIL, "documents": [document], "estimate": None},
        ended_at=timezone.now(),
    )
    return model


def add_model(collection: Collection) -> Member:
    """Add a model that judged all documents, so that the report on it is shown."""
    topic = collection.topics.get().query_id
    model = judge(collection, EVIL[:80], {(topic, doc_id): n % 2 for n, doc_id in enumerate(IDS)})
    ImportedJudge.objects.create(
        member=model,
        kind="model",
        description=EVIL,
        **dict.fromkeys(("model", "prompt", "prompt_version", "parameters"), EVIL[:100]),
    )
    return model


def add_suggestions(collection: Collection, assessor: Member) -> None:
    """Let the model suggest grades. The assessor judges the last document with one, so that figures contain both."""
    set_suggestions(collection, EVIL[:80])
    assessor.refresh_from_db()
    card, *_ = worklist.upcoming(assessor, collection.topics.get())
    record_judgement(assessor, card.task, JudgementInput("judged", 1), uuid.uuid4(), actor=assessor.user)


def add_changed_texts(collection: Collection, people, card: uuid.UUID) -> str:
    """Replace the texts of two judged documents, and keep one change. Return the key of the other, which is shown.

    The document of the open card, which the draw of the collection decides, keeps its text.
    """
    waiting = people[Role.ASSESSOR].assignments.get(public_id=card).task.document.doc_id
    judged = [next(doc_id for doc_id in IDS[start::2] if doc_id != waiting) for start in (2, 3)]
    texts = [pooling.Document(doc_id, EVIL, f"{LINK} {HTML} {EVIL}", {EVIL: EVIL}, 1) for doc_id in judged]
    import_documents(collection, texts, DocumentOptions(replace=True))
    kept, shown = (change.key for change in changed_texts(collection).changes)
    keep_changes(collection, [kept], people[Role.OWNER].user)
    return shown


def add_upload(collection: Collection, owner: Member) -> None:
    collection.uploads.create(
        user=owner.user,
        name=EVIL,
        size=1,
        received=1,
        completed_at=timezone.now(),
        kind="judgements",
        label=EVIL[:80],
        error=EVIL,
        given_name=EVIL,
        first_rows={"columns": [EVIL], "rows": [[EVIL]]},
    )


class Tags(HTMLParser):
    """The elements and attributes of a page, including those in a `srcdoc`."""

    def __init__(self, html: str):
        super().__init__()
        self.elements = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.elements.append((tag, attributes))
        if attributes.get("srcdoc"):
            self.elements += Tags(attributes["srcdoc"]).elements


def harmful_elements(html: str) -> list:
    """Return elements that run scripts, load from other sites, or were broken out of an attribute."""
    return [(tag, attributes) for tag, attributes in Tags(html).elements if _is_harmful(tag, attributes)]


def _is_harmful(tag: str, attributes: dict) -> bool:
    own_script = attributes.get("src", "").startswith("/static/") or attributes.get("type") == "application/json"
    return (
        (tag == "script" and not own_script)
        or (tag in {"iframe", "object", "embed", "base"} and attributes.get("sandbox", "none at all"))
        or any(name.startswith("on") for name in attributes)
        or any("alert" in name or "img" in name for name in attributes)
        or any("evil" in (attributes.get(name) or "") for name in ("src", "href", "action"))
        or (attributes.get("href") or "").strip().lower().startswith("javascript")
    )


@pytest.fixture(scope="module")
def visited() -> dict[Role, dict[str, Page]]:
    """The pages that tests of this module have opened with a role. The collection is always the same."""
    return {}


@pytest.fixture
def visit(client, site, visited):
    """A function that opens all pages of the collection that a role may open, and returns name -> page."""

    def visit(role: Role) -> dict[str, Page]:
        if role not in visited:
            client.force_login(site.people[role].user, backend="assess.people.backend.AccountBackend")
            visited[role] = open_all(client, site.values, role)
        return visited[role]

    return visit


def address_of(name: str, parameters, values: dict[str, Any]) -> str:
    if name.startswith("research:"):
        page = name.removeprefix("research:")
        values = (
            values | {"task": values["task_pk"]} | (FILES | {"shift_table": {"table": "swap-documents"}}).get(page, {})
        )
    return reverse(name, kwargs={key: values[key] for key in parameters})


NAMED = {"research:files": {"file": "golds"}}  # a zip file needs names
FROM_VALUES = {"research:changed_texts": ("change",)}  # the page compares both texts of this change


def open_all(client, values: dict[str, Any], role: Role) -> dict[str, Page]:
    responses = {
        name: client.get(
            address_of(name, parameters, values),
            QUERY | NAMED.get(name, {}) | {key: values[key] for key in FROM_VALUES.get(name, ())},
        )
        for name, parameters in OF_COLLECTIONS
        if name not in POST_ONLY and role in allowed_roles(name)
    }
    assert {name: got.status_code for name, got in responses.items() if got.status_code != 200} == {}
    return {
        name: Page(got["Content-Type"], got.get("X-Content-Type-Options"), body(got)) for name, got in responses.items()
    }


def body(response) -> str:
    return (b"".join(response.streaming_content) if response.streaming else response.content).decode(errors="replace")


def test_harmful_elements_are_detected():
    for harmful in (
        SCRIPT,
        f'<p title="{PICTURE}">',
        LINK,
        "<iframe src=//evil.example></iframe>",
        f'<iframe sandbox srcdoc="{LINK}">',
    ):
        assert harmful_elements(harmful)


@pytest.mark.parametrize("role", [Role.ASSESSOR, Role.OWNER, Role.INSTRUCTOR])
def test_pages_have_no_harmful_elements(visit, role):
    pages = {name: page.text for name, page in visit(role).items() if "html" in page.content_type}
    assert len(pages) >= 3
    assert {name: harmful_elements(html) for name, html in pages.items() if harmful_elements(html)} == {}
    assert any("&lt;script&gt;alert" in html for html in pages.values())


@pytest.mark.parametrize("role", [Role.ASSESSOR, Role.OWNER])
def test_files_contain_no_formulas(visit, role):
    files = {name: page.text for name, page in visit(role).items() if "csv" in page.content_type}
    assert files
    for name, text in files.items():
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@", "\t", "\r")) or cell == "-2"], name


def test_pages_show_suggestions_and_changed_texts(visit):
    """The walk reaches them: they would be harmless if they were not shown."""
    pages = visit(Role.OWNER)
    changed = pages["research:changed_texts"].text
    assert all(part in changed for part in ('id="comparison"', "&lt;script&gt;alert", "Changes that do not matter"))
    assert "data-assisted" in pages["research:agreement"].text
    (shown,) = re.findall(
        r'<p class="quiet" id="doc-suggestion"[^>]*>([^<]*)</p>', visit(Role.ASSESSOR)["judge:topic"].text
    )
    assert shown.startswith("&lt;script&gt;alert")


def test_files_have_the_nosniff_header(visit):
    for name, page in [*visit(Role.OWNER).items(), *visit(Role.ASSESSOR).items()]:
        if "html" in page.content_type:
            continue
        assert page.nosniff == "nosniff", name
        if "svg" in page.content_type:
            assert harmful_elements(page.text) == []


def test_qrels_contain_the_original_ids(client, people):
    client.force_login(people[Role.OWNER].user, backend="assess.people.backend.AccountBackend")
    response = client.get(reverse("research:qrels", args=["small"]), {"gold": "union"})
    assert response["Content-Type"].startswith("text/plain")
    judged = {line.split(" ")[2] for line in body(response).splitlines()}
    assert judged <= set(IDS)
    assert len(judged) >= len(IDS) - 1


def test_script_gets_sanitised_texts(client, people, collection):
    member = people[Role.ASSESSOR]
    client.force_login(member.user, backend="assess.people.backend.AccountBackend")
    for card in worklist.upcoming(member, collection.topics.get()):
        got = client.get(reverse("judge:document", args=["small", card.task])).json()
        if got["format"] == "html":
            assert harmful_elements(got["text"]) == []
        else:
            assert got["text"] == HTML


def test_nul_character_is_refused_at_import(collection, tmp_path):
    path = tmp_path / "nul.jsonl"
    path.write_text('{"doc_id": "=cmd()", "text": "a\\u0000b"}\n', encoding="utf-8")
    assert "NUL" in refusal("import_documents", "--collection", "small", path)
