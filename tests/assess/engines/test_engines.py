"""Runs from search engines on a site: hosts, secrets, the job, its interruptions, and the pages."""

import gzip
import json
import signal
import subprocess
import sys
import time
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from assess.collections.create import create_collection
from assess.engines.ask import CONCURRENCY, discard_run, go_on, start_run
from assess.engines.engines import delete_engine, engine_from, open_engine, save_engine
from assess.errors import Refused
from assess.hosts import allow_host, allowed_hosts, remove_host
from assess.jobs.recovery import recover
from assess.models import Action, AuditEvent, Document, EngineAnswer, EngineRun, Job, JobState, Role, Run, SearchEngine
from tests.html import compact
from tests.pooling.live import servers
from tests.pooling.live.servers import DOCUMENTS, Reply, Server, search
from tests.processes import kill_in_process

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
SECRET = "ApiKey very-secret"


@pytest.fixture
def server():
    with Server(servers.elasticsearch) as running:
        yield running


@pytest.fixture
def collection(db):
    collection = create_collection("food", "Food")
    for query_id, title in (("1", "rye bread"), ("2", "river bridge"), ("3", "zebra")):
        collection.topics.create(query_id=query_id, title=title)
    return collection


def engine_of(collection, server, **settings) -> SearchEngine:
    host = server.url.removeprefix("http://")
    if host not in map(str, allowed_hosts().entries or ()):
        allow_host(host)
    values = {"kind": "elasticsearch", "address": f"{server.url}/news"} | settings
    return save_engine(collection, "bm25", values, SECRET)


def work() -> None:
    call_command("worker", once=True, verbosity=0)


def make_run(engine, **options) -> EngineRun:
    run, _ = start_run(engine, options.pop("system", "bm25"), options.pop("depth", 3), **options)
    work()
    run.refresh_from_db()
    return run


def test_a_run_with_texts_is_made(collection, server):
    run = make_run(engine_of(collection, server))
    from assess.collections import runfiles

    lines = runfiles.load(run.run)
    assert list(lines.query("query_id == '1'")["doc_id"]) == [doc_id for doc_id, _ in search("rye bread", 3)]
    texts = Document.objects.filter(content__isnull=False).values_list("doc_id", "content__text", "content__title")
    assert {doc_id: text for doc_id, text, _ in texts} == {doc_id: DOCUMENTS[doc_id][1] for doc_id, _, _ in texts}
    assert len(texts) == lines["doc_id"].nunique()
    assert run.version == "9.2.1"
    assert run.notes[0] == "The engine found nothing for 1 topic (3)."
    assert all(asked.headers["authorization"] == SECRET for asked in server.asked)


def test_the_answers_are_kept_with_their_checksums(collection, server):
    run = make_run(engine_of(collection, server))
    answers = list(run.answers.all())
    assert len(answers) == 3
    assert json.loads(answers[0].original())["hits"]["hits"]
    EngineAnswer.objects.filter(pk=answers[0].pk).update(body=gzip.compress(b"{}"))
    from assess.engines.ask import live_run_of

    with pytest.raises(Refused, match="differs from its checksum"):
        live_run_of(run)


def test_a_host_that_is_not_allowed_is_not_asked(collection, server):
    with pytest.raises(Refused, match="is not allowed"):
        save_engine(collection, "bm25", {"kind": "elasticsearch", "address": f"{server.url}/news"})
    engine = engine_of(collection, server)
    remove_host(server.url.removeprefix("http://"))
    run = make_run(engine)
    assert run.run is None
    assert Job.objects.get().state == JobState.FAILED
    assert "is not allowed" in Job.objects.get().error
    assert server.asked == []


def test_the_secret_is_nowhere_in_the_database(collection, server):
    engine = engine_of(collection, server)
    make_run(engine)
    tables = connection.introspection.table_names()
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f'SELECT * FROM "{table}"')
            assert "very-secret" not in str(cursor.fetchall()), table
    assert "very-secret" not in repr(open_engine(engine, engine.settings))


def test_without_the_key_the_secret_is_lost(collection, server, settings):
    engine = engine_of(collection, server)
    assert open_engine(engine, engine.settings).secret == SECRET
    key = settings.SECRET_KEY
    settings.SECRET_KEY = "another"
    with pytest.raises(Refused, match="Enter it again"):
        open_engine(engine, engine.settings)
    settings.SECRET_KEY_FALLBACKS = [key]
    assert open_engine(engine, engine.settings).secret == SECRET


def test_a_secret_of_another_collection_cannot_be_read(collection, server):
    engine = engine_of(collection, server)
    other = create_collection("other", "Other")
    copied = SearchEngine.objects.create(collection=other, name="b", settings=engine.settings, secret=engine.secret)
    with pytest.raises(Refused, match="Enter it again"):
        open_engine(copied, copied.settings)


def test_a_secret_is_not_sent_to_another_host(collection, server):
    engine = engine_of(collection, server)
    allow_host("search.example.org")
    moved = {"kind": "elasticsearch", "address": "https://search.example.org/news"}
    with pytest.raises(Refused, match="Enter the secret again"):
        save_engine(collection, "bm25", moved)
    save_engine(collection, "bm25", engine.settings)  # the same host: the secret stays
    engine.refresh_from_db()
    assert open_engine(engine, engine.settings).secret == SECRET


def half(asked):
    """Fails for the second topic."""
    if asked.body and asked.body["query"]["match"]["text"] == "river bridge":
        return Reply({"timed_out": True, "hits": {"hits": []}})
    return servers.elasticsearch(asked)


def test_a_failed_topic_is_named_and_asked_again(collection):
    state = {"answer": half}
    with Server(lambda asked: state["answer"](asked)) as server:
        run = make_run(engine_of(collection, server))
        assert run.run is None
        assert not Run.objects.exists()
        assert run.answers.get(topic__query_id="2").problem == "The answer is incomplete: timed_out is true."
        assert "1 topic of 3 failed" in str(Job.objects.get().result) or Job.objects.get().result["failed"]
        before = len(server.asked)
        state["answer"] = servers.elasticsearch
        go_on(run)
        work()
        asked = [each.body for each in server.asked[before:] if each.body]
    run.refresh_from_db()
    assert run.run.topic_count == 2
    assert len(asked) == 1  # only the topic that had no answer


def test_a_cancelled_job_keeps_its_answers_and_goes_on(collection, server, monkeypatch):
    """The heartbeat raises Cancelled where the job reports its progress."""
    from assess.jobs.run import Cancelled

    def cancel(stage, done, total):
        raise Cancelled

    with monkeypatch.context() as patched:
        patched.setattr("assess.engines.ask.report", cancel)
        run = make_run(engine_of(collection, server))
    assert Job.objects.get().state == JobState.CANCELLED
    assert run.run is None
    saved = run.answers.count()
    assert saved >= 1
    before = len(server.asked)
    go_on(run)
    work()
    run.refresh_from_db()
    assert run.run is not None
    assert len([each for each in server.asked[before:] if each.body]) == 3 - saved


def test_a_run_that_is_not_complete_can_be_discarded(collection):
    with Server(half) as server:
        engine = engine_of(collection, server)
        run, _ = start_run(engine, "bm25", 3)
        with pytest.raises(Refused, match="Cancel it first"):
            discard_run(run)
        work()
    discard_run(run)
    assert not EngineRun.objects.exists()
    assert not EngineAnswer.objects.exists()


def test_a_text_that_differs_is_named_and_stays(collection, server):
    from assess.transfer.documents import DocumentOptions, import_documents
    from pooling import Document as Read

    import_documents(collection, [Read("d1", "Bread", "another text", {}, 1)], DocumentOptions(keep_all=True))
    run = make_run(engine_of(collection, server))
    assert Document.objects.get(doc_id="d1").content.text == "another text"
    assert any("1 document (d1) came with another text" in note for note in run.notes)


def test_a_run_is_repeated_and_compared(collection, server):
    from assess.engines.runs import changes_of

    engine = engine_of(collection, server)
    first = make_run(engine)
    second = make_run(engine, system="bm25-again", former=first)
    assert changes_of(second).startswith(
        "Compared with bm25: Nothing has changed in the first 10 documents of 2 topics."
    )


@pytest.mark.parametrize(
    ("system", "depth", "words"),
    [("a b", 3, "contains white space"), ("bm25", 0, "between 1 and 10,000"), ("bm25", 10_001, "between 1 and 10,000")],
)
def test_an_invalid_run_starts_nothing(collection, server, system, depth, words):
    with pytest.raises(Refused, match=words):
        start_run(engine_of(collection, server), system, depth)
    assert not Job.objects.exists()


def test_a_system_has_one_run(collection, server):
    engine = engine_of(collection, server)
    make_run(engine)
    with pytest.raises(Refused, match="has a run of system bm25 already"):
        start_run(engine, "bm25", 3)


def test_hosts_and_engines_are_audited(collection, server):
    engine = engine_of(collection, server)
    delete_engine(engine)
    actions = set(AuditEvent.objects.values_list("action", flat=True))
    assert {Action.HOST_ALLOWED, Action.ENGINE_SAVED, Action.ENGINE_DELETED} <= actions
    assert not SearchEngine.objects.exists()


@pytest.mark.slow
def test_the_pace_is_kept(collection, server):
    began = time.monotonic()
    make_run(engine_of(collection, server), per_second=5.0, concurrency=3)
    assert time.monotonic() - began > 0.4  # three topics: the third begins 0.4 seconds after the first


@pytest.mark.parametrize("pace", [{"concurrency": 0}, {"concurrency": 9}, {"per_second": 0.0}, {"per_second": 101.0}])
def test_an_invalid_pace_is_refused(collection, server, pace):
    with pytest.raises(Refused, match=r"between 0\.01 and 100|1 to 8 topics"):
        start_run(engine_of(collection, server), "bm25", 3, **pace)


@pytest.mark.parametrize("text", ["", "http://a", "10.0.0.1/8", "a b"])
def test_an_invalid_host_is_refused(db, text):
    with pytest.raises(Refused):
        allow_host(text)


def test_the_command_lists_adds_and_removes_hosts(db, capsys):
    call_command("allow_host")
    call_command("allow_host", "search.example.org:9200")
    call_command("allow_host", "search.example.org:9200", remove=True)
    assert capsys.readouterr().out.split("\n")[:3] == [
        "No host is allowed.",
        "search.example.org:9200",
        "No host is allowed.",
    ]


def text(response) -> str:
    return compact(response.content.decode())


@pytest.fixture
def owner(collection, join, signed_in):
    return signed_in(join(collection, "olga", Role.OWNER))


@pytest.mark.in_ci
def test_the_pages_lead_from_the_engine_to_the_run(owner, collection, server):
    allow_host(server.url.removeprefix("http://"))
    form = {
        "name": "bm25",
        "kind": "elasticsearch",
        "address": f"{server.url}/news",
        "secret": SECRET,
        "scores": "engine",
        "escape": "",
        "header": "Authorization",
    }
    page = owner.post(reverse("research:engines", args=[collection.slug]), form)
    address = page.url
    owner.post(f"{address}preview/", {"query_id": "1"})
    work()
    shown = text(owner.get(address))
    assert "For topic 1, it found" in shown
    assert DOCUMENTS["d3"][1] in shown
    assert "very-secret" not in owner.get(address).content.decode()
    run_page = owner.post(address, {"system": "bm25", "depth": "3", "concurrency": "2", "with_texts": "on"}).url
    work()
    shown = text(owner.get(run_page))
    assert "Yes. It has" in shown
    assert "The engine found nothing for 1 topic (3)." in shown
    answers = b"".join(owner.get(f"{run_page}answers.jsonl.gz"))
    assert [json.loads(line)["query_id"] for line in gzip.decompress(answers).splitlines()] == ["1", "2", "3"]
    assert b"very-secret" not in gzip.decompress(answers)
    assert "bm25" in text(owner.get(reverse("research:engines", args=[collection.slug])))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"address": "http://127.0.0.1:1/news"}, "is not allowed"),
        ({"address": "file:///etc/passwd"}, "must begin with http"),
        ({"body": "{"}, "The template is no JSON"),
        ({"id": "to_string(@)"}, "allowed are fields"),
        ({"kind": "x"}, "Select a valid choice"),
        ({"header": "Host"}, "must be a name"),
    ],
)
def test_an_invalid_engine_is_refused_on_the_page(owner, collection, server, fields, sentence):
    allow_host(server.url.removeprefix("http://"))
    form = {"name": "b", "kind": "elasticsearch", "address": f"{server.url}/n", "scores": "engine", "header": "A"}
    response = owner.post(reverse("research:engines", args=[collection.slug]), form | fields)
    assert response.status_code == 400
    assert sentence in response.content.decode()
    assert not SearchEngine.objects.exists()


def test_listing_commands_loads_no_http_client():
    code = (
        "import sys, pooling.live, assess.engines; assert 'httpx2' not in sys.modules and 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_settings_with_unknown_names_are_refused():
    with pytest.raises(Refused):
        engine_from({"kind": "solr", "address": "http://a/b", "unknown": "x"})


@pytest.mark.in_ci
@pytest.mark.skipif(sys.platform == "win32", reason="a process is copied")
def test_a_killed_worker_loses_no_answer_and_asks_for_none_twice(collection):
    """Killed twice in the middle. Only what was on its way is asked for again."""
    for number in range(4, 41):
        collection.topics.create(query_id=str(number), title="rye bread")

    def slow(asked):
        time.sleep(0.15)
        return servers.elasticsearch(asked)

    with Server(slow) as server:
        run, job = start_run(engine_of(collection, server), "bm25", 3)
        saved = [0]
        for _ in range(2):
            assert kill_in_process(work, 1.0).signal == signal.SIGKILL
            saved.append(run.answers.count())
            Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=5), attempt=0)
            recover()
        work()
        asked = [each for each in server.asked if each.body]
    run.refresh_from_db()
    assert saved == sorted(saved)
    assert 0 < saved[-1] < 40
    assert run.run.topic_count == 39  # nothing is found for "zebra"
    assert len(asked) <= 40 + 2 * 2 * CONCURRENCY
