"""`assay live` against a server on this machine."""

import gzip
import hashlib
import json

import pytest

from pooling import read_documents, read_run
from pooling.cli.live import main
from pooling.live import read_answers
from tests.pooling.live import servers
from tests.pooling.live.servers import DOCUMENTS, Reply, Server, search


@pytest.fixture
def topics(tmp_path):
    path = tmp_path / "topics.tsv"
    path.write_text("1\trye bread\n2\triver bridge\n3\tzebra\n")
    return path


@pytest.fixture
def server():
    with Server(servers.elasticsearch) as running:
        yield running


def live(server, topics, *arguments):
    return main(["--engine", "elasticsearch", "--address", f"{server.url}/news", "--topics", str(topics), *arguments])


def test_the_preview_asks_for_one_topic_twice(server, topics, capsys):
    assert live(server, topics, "--depth", "3") == 0
    shown = capsys.readouterr().out
    assert [asked.body["query"]["match"]["text"] for asked in server.asked if asked.body] == ["rye bread", "rye bread"]
    assert f"   1  {search('rye bread', 3)[0][0]}  " in shown
    assert "The second answer was the same." in shown
    assert '"size": 3' in shown


def test_the_folder_has_run_texts_answers_and_record(server, topics, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ASSAY_ENGINE_SECRET", "ApiKey very-secret")
    out = tmp_path / "bm25"
    assert live(server, topics, "--depth", "3", "--system", "bm25", "--out", str(out)) == 0
    record = json.loads((out / "record.json").read_text())
    assert record["empty_topics"] == ["3"]
    assert record["engine"]["version"] == "9.2.1"
    assert {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in record["sha256"]} == record[
        "sha256"
    ]
    run = read_run(out / "bm25.run.gz")
    assert list(run.query("query_id == '1'")["doc_id"]) == [doc_id for doc_id, _ in search("rye bread", 3)]
    texts = {document.doc_id: document.text for document in read_documents(out / "documents.jsonl.gz")}
    assert texts == {doc_id: DOCUMENTS[doc_id][1] for doc_id in texts}
    assert [query_id for query_id, _ in read_answers(out / "answers.jsonl.gz")] == ["1", "2", "3"]
    everything = b"".join(
        gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes() for file in out.iterdir()
    )
    assert b"very-secret" not in everything + capsys.readouterr().out.encode()


def test_a_run_is_repeated_and_compared(server, topics, tmp_path, capsys):
    live(server, topics, "--depth", "3", "--out", str(tmp_path / "first"))
    arguments = ["--again", str(tmp_path / "first" / "record.json"), "--topics", str(topics)]
    assert main([*arguments, "--out", str(tmp_path / "second")]) == 0
    assert "Nothing has changed in the first 10 documents of 2 topics." in capsys.readouterr().out
    first, second = (read_run(tmp_path / name / "live.run.gz") for name in ("first", "second"))
    assert first.equals(second)


def test_a_topic_without_a_result_is_named_and_there_is_no_run(topics, tmp_path, capsys):
    def answer(asked):
        if asked.body and asked.body["query"]["match"]["text"] == "river bridge":
            return Reply({"timed_out": True, "hits": {"hits": []}})
        return servers.elasticsearch(asked)

    with Server(answer) as server:
        assert live(server, topics, "--out", str(tmp_path / "out")) == 2
    error = capsys.readouterr().err
    assert (
        "1 topic of 3 has no result, so there is no run. Topic 2: The answer is incomplete: timed_out is true." in error
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["topics.tsv"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--depth", "0"], "depth must be between 1 and 10,000, not 0"),
        (["--depth", "10001"], "depth must be between 1 and 10,000"),
        (["--results", "hits[?a]"], "allowed are fields"),
        (["--concurrency", "0", "--out", "x"], "concurrency must be between 1 and 32"),
        (["--per-second", "0"], "--per-second must be above 0"),
        (["--template", "missing.json"], "missing.json: No such file"),
        (["--again", "topics.tsv"], "this is no record"),
    ],
)
def test_an_invalid_option_is_named(server, topics, arguments, words, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert live(server, topics, *arguments) == 2
    assert words in capsys.readouterr().err


def test_a_folder_with_files_is_kept(server, topics, tmp_path, capsys):
    assert live(server, topics, "--out", str(tmp_path)) == 2
    assert "is not empty" in capsys.readouterr().err
