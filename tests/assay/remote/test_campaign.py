"""A campaign from the client to the shift, against the application itself, and the examples of docs/client.md."""

import ast
import io
import json
import re
import sys
import time
from pathlib import Path

import httpx2
import pandas as pd
import pytest
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

from agreement import Ratings, cohen_kappa, make_gold, ranking_shift, result_json
from assay import cli
from assay.remote import Site, SiteError, uploads
from assess.api.auth import _buckets
from assess.collections.members import add_member
from assess.hosts import allow_host
from assess.models import Collection, Role, Scope, User
from assess.people.tokens import create_token
from pooling import read_qrels, read_runs, read_topics
from tests.factories import SMALL_RUNS, TOPICS, write_documents, write_runs
from tests.pooling.live import servers
from tests.pooling.models.servers import Server, completion

DOCS = Path(__file__).resolve().parents[3] / "docs"
SCALE = (0, 1)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def working(monkeypatch):
    """A worker runs what is waiting, instead of the client sleeping. Shorter waits are those of libraries."""
    _buckets._left.clear()
    sleep = time.sleep

    def work(seconds: float) -> None:
        if seconds in (1, 2):
            call_command("worker", once=True, verbosity=0)
        else:
            sleep(seconds)

    monkeypatch.setattr(time, "sleep", work)


@pytest.fixture
def site_of():
    """A function that returns a client of a user, without a server."""

    def site_of(user: User, scope: str) -> Site:
        token = create_token(user, "client", scope)[1]
        return Site("http://localhost", token, httpx2.WSGITransport(get_wsgi_application()))

    return site_of


@pytest.fixture
def owner(site_of) -> Site:
    return site_of(User.objects.create_superuser("olga"), Scope.MANAGE)


def grade(name: str, doc_id: str) -> int:
    """Ann and bob disagree about b and z, cyd sides with ann."""
    return (ord(doc_id) + (name == "bob" and doc_id in "bz")) % 2


@pytest.mark.slow
def test_a_campaign_from_the_client_to_the_shift(owner, site_of, tmp_path):
    """The shift is that of the same grades and runs without a site."""
    paths = write_runs(tmp_path, SMALL_RUNS)
    runs = read_runs(paths)
    robust = owner.create_collection("Robust", scale=["0=no", "1=yes"])
    robust.upload_topics(read_topics(TOPICS.encode())).wait(progress=False)
    robust.upload_runs(runs).wait(progress=False)
    assert robust.runs().to_pandas()["system"].tolist() == sorted(SMALL_RUNS)
    assert len(robust.topics()) == 2
    preview = robust.preview("depth", depth=3)
    assert robust.pool("depth", depth=3).wait(progress=False).result["pooled"] == preview["documents"]
    documents = pd.DataFrame({"doc_id": sorted(set(runs["doc_id"]))})
    documents["text"] = "text of " + documents["doc_id"]
    robust.upload_documents(documents).wait(progress=False)
    assert robust.documents().to_pandas()["has_text"].all()
    for name in ("ann", "bob"):
        add_member(Collection.objects.get(slug=robust.slug), name, Role.ASSESSOR, name)
    assert robust.assign(judges=2)["added"] == 2 * preview["documents"]
    known = pd.concat([judged(site_of, robust.slug, name) for name in ("ann", "bob")], ignore_index=True)

    judgements = robust.judgements()
    columns = ["assessor", "query_id", "doc_id", "relevance"]
    assert sorted(judgements[columns].itertuples(index=False)) == sorted(known[columns].itertuples(index=False))
    kappas = [cohen_kappa(Ratings.from_judgements(each, scale=robust.scale)) for each in (judgements, known)]
    assert kappas[0].value == kappas[1].value
    rules = ["majority", "judge:ann", "judge:bob"]
    assert set(rules) <= set(robust.golds())
    local = pd.concat([make_gold(known, rule, scale=SCALE).assign(gold=rule) for rule in rules])
    remote = robust.golds(*rules)
    shifts = [shift(runs, golds, rules) for golds in (remote, local)]
    assert result_json(shifts[0]) == result_json(shifts[1])
    assert not robust.table("agreement", "pairs").empty
    assert robust.figure("shift", "slope").startswith(b"<")
    assert "shift" in {page["page"] for page in robust.pages()}


def shift(runs, golds, rules):
    named = {rule: golds.loc[golds["gold"] == rule, ["query_id", "doc_id", "relevance"]] for rule in rules}
    ordered = {rule: gold.sort_values(["query_id", "doc_id"], ignore_index=True) for rule, gold in named.items()}
    return ranking_shift(runs, ordered, "AP")


def judged(site_of, slug: str, name: str) -> pd.DataFrame:
    """Judge everything as an assessor, and return the judgements."""
    mine = site_of(User.objects.get(username=name), Scope.JUDGE).collection(slug)
    rows = []
    for topic in mine.judging_topics():
        while tasks := mine.tasks(topic["query_id"]):
            for task in tasks:
                mine.judge(task, grade(name, task["doc_id"]))
                rows.append((name, topic["query_id"], task["doc_id"], grade(name, task["doc_id"])))
    with pytest.raises(SiteError, match="role") as caught:
        mine.judgements()
    assert caught.value.status == 403
    return pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])


@pytest.mark.slow
def test_one_import_of_several_kinds_and_of_judgements(owner, tmp_path, monkeypatch):
    """The files are sent in chunks of 40 bytes."""
    monkeypatch.setattr(uploads, "CHUNK", 40)
    (tmp_path / "topics.jsonl").write_text('{"query_id": "1", "title": "a"}\n{"query_id": "2", "title": "b"}\n')
    robust = owner.create_collection("Robust")
    paths = [tmp_path / "topics.jsonl", *write_runs(tmp_path, SMALL_RUNS)]
    job = robust.import_files(paths).wait(progress=False)
    assert [result["kind"] for result in job.results] == ["topics", "runs"]
    robust.pool(depth=3).wait(progress=False)
    robust.upload_documents(write_documents(tmp_path, "abcdefxyz")).wait(progress=False)
    frame = pd.DataFrame({"assessor": ["gpt", "ann"], "query_id": "1", "doc_id": "a", "relevance": [1, 0]})
    robust.upload_judgements(frame).wait(progress=False)
    assert dict(zip(robust.judgements()["assessor"], robust.judgements()["relevance"], strict=True)) == {
        "gpt": 1,
        "ann": 0,
    }
    assert {row["assessor"]: row["relevance"] for row in robust.rows("judgements")} == {"gpt": 1, "ann": 0}
    assert [row["relevance"] for row in robust.rows("golds/judge:gpt")] == [1]
    with pytest.raises(SiteError, match="no such"):
        next(robust.rows("nonsense"))
    assert len(robust.people()) == 3
    assert len(robust.jobs()) == 5
    assert len(robust.releases()) == 0
    with pytest.raises(SiteError, match="no such"):
        robust.release(1)


@pytest.mark.slow
def test_runs_come_from_two_engines(owner):
    robust = owner.create_collection("Robust")
    topics = pd.DataFrame({"query_id": ["1", "2"], "title": ["rye bread", "river bridge"]})
    robust.upload_topics(topics).wait(progress=False)
    contracts = {"elasticsearch": servers.elasticsearch, "solr": servers.solr}
    for kind, contract in contracts.items():
        with servers.Server(contract) as server:
            allow_host(server.url.removeprefix("http://"))
            saved = robust.save_engine(kind, kind, f"{server.url}/solr/news", secret="ApiKey x")
            assert saved["has_secret"]
            assert "secret" not in saved["settings"]
            tried = robust.try_engine(kind, "1").wait(progress=False).result
            assert tried["documents"][0]["doc_id"] == "d3"
            job = robust.ask_engine(kind, system=kind, depth=3, per_second=50).wait(progress=False)
            assert job.result["failed"] == {}
    assert robust.runs().to_pandas()["system"].tolist() == list(contracts)
    assert [row["is_complete"] for row in robust.engine_runs()] == [True, True]
    assert [row["name"] for row in robust.engines()] == list(contracts)
    with pytest.raises(SiteError, match="is complete"):
        robust.continue_engine_run(robust.engine_runs()[0]["id"])
    with pytest.raises(SiteError, match="is not allowed"):
        robust.save_engine("other", "solr", "http://169.254.169.254/solr/a")


@pytest.mark.slow
def test_a_model_judges(owner, tmp_path):
    robust = owner.create_collection("Robust", scale=["0=no", "1=yes"])
    robust.upload_topics(read_topics(TOPICS.encode())).wait(progress=False)
    robust.upload_runs(read_runs(write_runs(tmp_path, SMALL_RUNS))).wait(progress=False)
    pairs = robust.pool("depth", depth=2).wait(progress=False).result["pooled"]
    robust.upload_documents(write_documents(tmp_path, "abcdefxyz")).wait(progress=False)
    assert robust.save_prompt("own", "{title} {document}", "{scale}")["version"] == 1
    reversed_scale = robust.save_prompt("reversed", "{title} {document}", "{scale}", scale_order="descending")
    assert (reversed_scale["version"], reversed_scale["scale_order"]) == (1, "descending")
    with Server(lambda _: completion('{"grade": 1}')) as server:
        allow_host(server.url.removeprefix("http://"))
        saved = robust.save_model_judge("gpt", address=f"{server.url}/v1", model="m", prompt="own", secret="Bearer x")
        assert (saved["prompt"], saved["is_confirmed"]) == ("own, version 1", False)
        with pytest.raises(SiteError, match="An owner must confirm first"):
            robust.ask_model("gpt")
        robust.confirm_model_host("gpt")
        tried = robust.try_model("gpt", price_input=1.0).wait(progress=False).result
        assert len(tried["documents"]) == 3
        asked = robust.ask_model("gpt", most_tokens=1_000_000).wait(progress=False).result
    assert (asked["grades"], asked["left"]) == (pairs, 0)
    assert {answer["grade"] for answer in robust.model_answers("gpt")} == {1}
    assert robust.model_judges()[0]["grades"] == pairs
    assert robust.model_checks("gpt")["answer"] == ""
    assert [prompt["name"] for prompt in robust.prompts()] == ["own", "reversed"]
    with pytest.raises(SiteError, match="Nothing is left to ask for"):
        robust.continue_model("gpt")


@pytest.mark.slow
def test_a_living_collection(owner, tmp_path):
    """A new run, its top-up, the pool as a file, a replaced text, and a model that suggests."""
    robust = owner.create_collection("Robust", scale=["0=no", "1=yes"])
    robust.upload_topics(read_topics(TOPICS.encode())).wait(progress=False)
    runs = read_runs(write_runs(tmp_path, SMALL_RUNS))
    robust.upload_runs(runs[runs["system"] != "gamma"]).wait(progress=False)
    robust.pool("depth", depth=2).wait(progress=False)
    robust.upload_documents(write_documents(tmp_path, "abcdefxyz")).wait(progress=False)
    robust.upload_runs(runs[runs["system"] == "gamma"]).wait(progress=False)
    lacking = robust.lacking(depth=2)
    assert (lacking["systems"], lacking["to_judge"] > 0) == (["gamma"], True)
    added = robust.top_up(depth=2).wait(progress=False).result
    assert added["tasks"] == lacking["to_judge"] - lacking["waiting"]
    assert robust.lacking(["gamma"], 2)["waiting"] == lacking["to_judge"]
    rows = [json.loads(line) for line in robust.write_pool(tmp_path / "pool.jsonl", seed=1).read_text().splitlines()]
    assert {row["doc_id"] for row in rows} == {row["doc_id"] for row in robust.rows("tasks")}
    assert robust.pairs(seed=1) == rows
    judge = pd.DataFrame({"assessor": "gpt", "query_id": ["1"], "doc_id": ["a"], "relevance": [1]})
    robust.upload_judgements(judge, judge_kind="model").wait(progress=False)
    robust.suggest("gpt")
    assert robust.rules()["suggestions"] == "gpt"
    robust.suggest(None)
    assert robust.rules()["suggestions"] is None
    assert robust.changed_texts() == []
    with pytest.raises(SiteError, match="no stale judgements"):
        robust.keep_changes([])


@pytest.mark.slow
def test_the_rules_on_models_and_the_policy(owner, tmp_path):
    """The model has a grade for one of the pooled documents, so a person gets all others."""
    robust = owner.create_collection("Robust", scale=["0=no", "1=yes"])
    robust.upload_topics(read_topics(TOPICS.encode())).wait(progress=False)
    robust.upload_runs(read_runs(write_runs(tmp_path, SMALL_RUNS))).wait(progress=False)
    pairs = robust.pool("depth", depth=2).wait(progress=False).result["pooled"]
    robust.upload_documents(write_documents(tmp_path, "abcdefxyz")).wait(progress=False)
    judge = pd.DataFrame({"assessor": ["gpt"], "query_id": ["1"], "doc_id": ["a"], "relevance": [1]})
    robust.upload_judgements(judge, judge_kind="model").wait(progress=False)
    assert robust.model_rules() == {"keep_documents": False, "show_early": False, "hosts": []}
    assert robust.change_model_rules(keep_documents=True)["keep_documents"]
    assert robust.change_model_rules(show_early=True) == robust.model_rules()
    assert robust.model_rules() == {"keep_documents": True, "show_early": True, "hosts": []}
    assert robust.model_policy() is None
    with pytest.raises(SiteError, match="Choose where people judge"):
        robust.decide_model_policy("gpt")
    add_member(Collection.objects.get(slug=robust.slug), "ann", Role.ASSESSOR, "ann")
    decided = robust.decide_model_policy("gpt", per_topic=1, seed=7)
    assert decided == robust.model_policy()
    assert (decided["judge"], decided["people"]["no_grade"]) == ("gpt", pairs - 1)
    robust.end_model_policy()
    assert robust.model_policy() is None
    with pytest.raises(SiteError, match="No policy holds"):
        robust.end_model_policy()


def test_a_file_with_an_error_is_an_error_with_its_line(owner, tmp_path):
    path = tmp_path / "a.run"
    path.write_text("1 Q0 a 1 9 a\n1 Q0 a 2 8 a\n")
    with pytest.raises(SiteError, match=r"a\.run"):
        owner.create_collection("Robust").upload_runs(path).wait(progress=False)


def test_a_collection_that_the_token_does_not_see(owner):
    owner.create_collection("Robust")
    with pytest.raises(KeyError, match="Did you mean 'robust'"):
        owner.collection("robusst")


@pytest.fixture
def signed_in(live_server, monkeypatch):
    """The environment has a site with a server, and a token for it."""
    monkeypatch.setenv("ASSAY_URL", live_server.url)
    monkeypatch.setenv("ASSAY_TOKEN", create_token(User.objects.create_superuser("olga"), "docs", Scope.MANAGE)[1])


@pytest.mark.slow
def test_the_examples_of_the_page_run(signed_in, monkeypatch, tmp_path, capsys):
    (tmp_path / "topics.tsv").write_text(TOPICS)
    write_runs(tmp_path, SMALL_RUNS)
    monkeypatch.chdir(tmp_path)
    code = "\n".join(re.findall(r"```python\n(.*?)```", (DOCS / "client.md").read_text(encoding="utf-8"), re.S))
    exec(compile(code, "docs/client.md", "exec"), {"__name__": "docs"})
    printed = capsys.readouterr().out
    assert "olga" in printed
    assert "demonstration" in printed
    assert Collection.objects.get().runs.count() == 3


@pytest.mark.slow
def test_the_notebook_runs_and_shows_each_result(signed_in):
    cells = json.loads((DOCS / "client.ipynb").read_text(encoding="utf-8"))["cells"]
    names: dict = {"__name__": "notebook"}
    shown = [result_of("".join(cell["source"]), names) for cell in cells if cell["cell_type"] == "code"]
    assert all("<table" in result._repr_html_() or "<p" in result._repr_html_() for result in shown)
    assert "olga" in shown[0]._repr_html_()
    assert not [cell for cell in cells if cell.get("outputs")]
    assert names["judgements"]["relevance"].sum() == sum(names["judged"]["relevance"])


def result_of(code: str, names: dict):
    """Run a cell, and return the value of its last line."""
    *lines, last = ast.parse(code).body
    exec(compile(ast.Module(lines, []), "docs/client.ipynb", "exec"), names)
    return eval(compile(ast.Expression(last.value), "docs/client.ipynb", "eval"), names)


@pytest.mark.slow
def test_the_command_from_the_login_to_the_gold(live_server, login_file, monkeypatch, tmp_path, capsys):
    token = create_token(User.objects.create_superuser("olga"), "command", Scope.MANAGE)[1]
    monkeypatch.setattr(sys, "stdin", io.StringIO(token))
    (tmp_path / "judgements.csv").write_text("assessor,query_id,doc_id,relevance\nann,1,a,1\nann,1,b,0\n")
    (tmp_path / "topics.tsv").write_text(TOPICS)

    def remote(action: str, *arguments: object) -> str:
        where = () if action == "login" else ("--collection", "robust")
        code = cli.main(["remote", action, *where, *map(str, arguments)])
        captured = capsys.readouterr()
        assert code == 0, captured.err
        assert token not in captured.out + captured.err
        return captured.out

    assert "as olga" in remote("login", live_server.url)
    Site().create_collection("Robust")
    assert remote("import", "--kind", "topics", tmp_path / "topics.tsv") == "topics: 2 read, 2 added, 0 already there\n"
    assert "3 added" in remote("import", *write_runs(tmp_path, SMALL_RUNS))
    assert "9 documents, 9 of them new" in remote("pool", "--depth", 3, "--preview")
    job = remote("pool", "--strategy", "depth", "--depth", 3, "--no-wait").strip()
    assert json.loads(remote("wait", job))["pooled"] == 9
    remote("import", "--kind", "judgements", tmp_path / "judgements.csv")
    remote("export", "gold", "judge:ann", "--out", tmp_path / "ann.qrels")
    assert read_qrels(tmp_path / "ann.qrels")["doc_id"].tolist() == ["a", "b"]
    assert remote("export", "judgements").startswith("assessor,query_id,doc_id,relevance,")
