"""The demo's documents, topics, runs, pool and judgements are consistent. These tests use no database."""

import itertools
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

import assess.demo
from assess.demo.documents import LEFT_OUT, MIN_CHARACTERS, MODULES, documents
from pooling.ranking import ranked
from pooling.trec import read_qrels, read_run

DEMO = Path(assess.demo.__file__).parent
ASSESSORS = ("generous", "plain", "strict")
SYSTEMS = ("bm25", "chargram", "dirichlet", "lsa", "names")
POOL_DEPTH = 10
MOST_MISSING = 0.02  # of the documents in runs or pool, on another Python than the one that made the runs


@cache
def collection() -> dict[str, tuple[str, str]]:
    return {doc_id: (title, text) for doc_id, title, text in documents()}


@cache
def runs() -> pd.DataFrame:
    paths = sorted((DEMO / "runs").iterdir())
    return ranked(pd.concat([read_run(path) for path in paths], ignore_index=True))


def top() -> pd.DataFrame:
    return runs()[runs()["rank"] <= POOL_DEPTH]


def pooled() -> set[tuple[str, str]]:
    return set(top()[["query_id", "doc_id"]].itertuples(index=False, name=None))


@cache
def judgements(assessor: str) -> pd.DataFrame:
    return read_qrels(DEMO / "judgements" / f"{assessor}.qrels")


@cache
def topics() -> list[dict[str, str]]:
    with (DEMO / "topics.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_documents_have_unique_ids():
    doc_ids = [doc_id for doc_id, _, _ in documents()]
    assert len(doc_ids) >= 900
    assert len(set(doc_ids)) == len(doc_ids)
    assert {"topic:with", "lib:json.dumps", "lib:list.pop", "lib:os.path.join"} <= set(doc_ids)


@pytest.mark.slow
def test_ids_are_names_and_excluded_documents_are_missing():
    shape = re.compile(r"(topic:[a-z-]+|lib:\w+(\.\w+)*)")
    assert [doc_id for doc_id in collection() if not shape.fullmatch(doc_id)] == []
    assert not LEFT_OUT & collection().keys()
    assert not any(part.startswith("_") for doc_id in collection() for part in doc_id[4:].split("."))


def test_documents_have_title_and_text_without_memory_addresses():
    for title, text in collection().values():
        assert title.strip() == title != ""
        assert len(text) >= MIN_CHARACTERS
        assert " at 0x" not in text.partition("\n")[0]


def test_documents_need_no_django_and_have_the_same_order_in_another_process():
    code = (
        "import sys; from assess.demo.documents import documents\n"
        "print(*(d for d, _, _ in documents()), sep='\\n')\n"
        "sys.exit(bool({'django', 'numpy', 'pandas'} & sys.modules.keys()))"
    )
    root = DEMO.parent.parent
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == list(collection())


def test_modules_are_unique_and_have_documents():
    assert list(MODULES) == sorted(set(MODULES))
    without = [m for m in MODULES if not any(d.startswith(f"lib:{m}.") for d in collection())]
    assert without == ["builtins"]


def test_twelve_topics_are_complete():
    assert [topic["query_id"] for topic in topics()] == [str(n) for n in range(1, 13)]
    for topic in topics():
        assert set(topic) == {"query_id", "title", "description", "narrative"}
        assert all(value.strip() == value != "" for value in topic.values())
        assert len(topic["narrative"]) > len(topic["description"]) > len(topic["title"])


def test_five_runs_rank_a_hundred_documents_for_every_topic():
    assert tuple(runs()["system"].unique()) == SYSTEMS
    sizes = runs().groupby(["system", "query_id"]).size()
    assert len(sizes) == len(SYSTEMS) * len(topics())
    assert set(sizes) == {100}


def test_this_python_has_nearly_all_ranked_and_pooled_documents():
    ranked_ids = set(runs()["doc_id"])
    pooled_ids = {doc_id for _, doc_id in pooled()}
    for doc_ids in (ranked_ids, pooled_ids):
        missing = sorted(doc_ids - collection().keys())
        assert len(missing) <= MOST_MISSING * len(doc_ids), missing


def test_systems_differ():
    tops = {key: set(group["doc_id"]) for key, group in top().groupby(["system", "query_id"])}
    shared = [
        sum(len(tops[a, t["query_id"]] & tops[b, t["query_id"]]) for t in topics()) / (10 * len(topics()))
        for a, b in itertools.combinations(SYSTEMS, 2)
    ]
    assert max(shared) < 0.6
    assert sum(shared) / len(shared) < 0.5


@pytest.mark.parametrize("assessor", ASSESSORS)
def test_assessors_judged_exactly_the_pool(assessor):
    judged = judgements(assessor)
    assert set(judged[["query_id", "doc_id"]].itertuples(index=False, name=None)) == pooled()
    assert set(judged["relevance"]) == {0, 1, 2, 3}


@pytest.mark.parametrize("assessor", ASSESSORS)
def test_judgements_are_in_byte_order_and_every_topic_has_a_relevant_document(assessor):
    judged = judgements(assessor)
    pairs = list(judged[["query_id", "doc_id"]].itertuples(index=False, name=None))
    assert pairs == sorted(pairs)
    assert set(judged.loc[judged["relevance"] >= 2, "query_id"]) == {t["query_id"] for t in topics()}


def test_assessors_disagree_irregularly():
    grades = pd.concat(
        [judgements(a).set_index(["query_id", "doc_id"])["relevance"].rename(a) for a in ASSESSORS], axis=1
    )
    assert (grades["strict"] > grades["plain"]).any()
    for one, other in itertools.combinations(ASSESSORS, 2):
        # One assessor's grades do not determine another's: most grades of one go with several of the other.
        assert (grades.groupby(one)[other].nunique() > 1).sum() >= 3
        assert 0.05 < (grades[one] != grades[other]).mean() < 0.5


def test_readme_and_guidelines_have_the_required_content():
    readme = (DEMO / "README.md").read_text(encoding="utf-8")
    assert "language model" in readme
    assert f"all {len(pooled())} pairs" in readme
    guidelines = (DEMO / "guidelines.md").read_text(encoding="utf-8")
    assert all(f"**{grade}," in guidelines for grade in range(4))
    assert all(word in guidelines for word in ("*Cannot judge*", "*Later*"))
