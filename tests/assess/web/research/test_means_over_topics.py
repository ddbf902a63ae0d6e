"""Two judges agree completely in 3 of 12 topics: pages and files state what enters a mean over topics."""

import csv
from io import StringIO

import pytest
from django.urls import reverse
from django.utils import timezone

from assess.collections.create import create_collection
from assess.collections.scale import BINARY_GRADES
from assess.judging.judgement_input import JudgementInput
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.models import Document, Role, Task, Topic
from pooling.trec import read_qrels
from tests.assess.web.research.analysis.shown_tables import tables_of
from tests.cases import CASES


@pytest.fixture
def members(db):
    """The judges one_category_a and one_category_b."""
    collection = create_collection("means", "Means", BINARY_GRADES)
    golds = {judge: read_qrels(CASES / f"one_category_{judge}.qrels") for judge in "ab"}
    pairs = list(zip(golds["a"]["query_id"], golds["a"]["doc_id"], strict=True))
    topics = {
        name: Topic.objects.create(collection=collection, query_id=name, title=name) for name, _ in dict(pairs).items()
    }
    documents = {name: Document.objects.get_or_create(collection=collection, doc_id=name)[0] for _, name in pairs}
    tasks = {pair: Task.objects.create(topic=topics[pair[0]], document=documents[pair[1]]) for pair in pairs}
    members = {judge: collection.members.create(name=judge, role=Role.ASSESSOR) for judge in golds}
    record_imported(
        [
            ImportedJudgement(members[judge], tasks[row.query_id, row.doc_id].pk, 0, judged(row), timezone.now())
            for judge, gold in golds.items()
            for row in gold.itertuples()
        ]
    )
    return members


def judged(row):
    return JudgementInput("judged", int(row.relevance))


@pytest.fixture
def read(members, join, signed_in):
    http = signed_in(join(members["a"].collection, "rita", Role.RESEARCHER))

    def read(name, *arguments):
        response = http.get(reverse(f"research:{name}", args=["means", *arguments]))
        assert response.status_code == 200
        return response.content.decode()

    return read


@pytest.mark.slow
def test_agreement_page_and_files(read):
    table = tables_of(read("agreement"))["means"]
    assert [table[key] for key in ("pooled_kappa_n", "pooled_kappa_n_topics")] == [["90"], ["9"]]
    assert [table[key] for key in ("pooled_kappa_left_out", "pooled_kappa_observed")] == [["3"], ["0.778"]]
    row = next(csv.DictReader(StringIO(read("agreement_table", "means", "csv"))))
    assert (row["pooled_kappa_n"], row["pooled_kappa_n_topics"], row["pooled_kappa_left_out"]) == ("90", "9", "3")
    assert float(row["pooled_kappa_observed"]) == pytest.approx(70 / 90)
    latex = next(line for line in read("agreement_table", "means", "tex").splitlines() if line.startswith("a and b"))
    assert [cell.strip() for cell in latex.split("&")][1:5] == ["90", "9", "3", "0.778"]
    pooled = tables_of(read("agreement"))["pairs"]
    assert (pooled["n"], pooled["topics"], pooled["percent_agreement"][0][:5]) == (["120"], ["12"], "0.833")


def test_page_of_the_pair(read, members):
    html = " ".join(read("pair", members["a"].pk, members["b"].pk).split())
    assert "(9 topics, n = 90, P(A) 0.778; 3 topics left out: one category)" in html


@pytest.mark.slow
def test_every_pair_as_csv(read):
    rows = list(csv.DictReader(StringIO(read("agreement_csv"))))
    row = next(row for row in rows if row["across"] == "topics")
    assert (row["cohen_kappa_n"], row["cohen_kappa_n_topics"], row["cohen_kappa_left_out"]) == ("90", "9", "3")


def test_topics_without_a_kappa_are_counted(read):
    table = tables_of(read("agreement_topics"))["topics"]
    assert table["left_out"].count("1 pair: one category") == 3
    assert table["left_out"].count("") == 9
