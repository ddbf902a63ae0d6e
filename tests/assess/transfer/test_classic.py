"""Classic collections imported by commands, from the files as they are."""

import pytest

from assess.collections.create import create_collection
from assess.models import Document, ImportRecord, Judgement, Topic
from tests.assess.command_output import output_of, refusal
from tests.classic import SMART

pytestmark = pytest.mark.django_db

GRADES = ("0=no", "1=least", "2=less", "3=more", "4=most")
CODES = "1=4,2=3,3=2,4=1,-1=0"


@pytest.fixture
def classic(db):
    return create_collection("classic", "Classic", GRADES)


def imported(what: str, *arguments: str) -> str:
    return "\n".join(output_of(f"import_{what}", "--collection", "classic", *map(str, arguments)))


def refused(what: str, *arguments: str) -> str:
    return refusal(f"import_{what}", "--collection", "classic", *map(str, arguments))


def judgements() -> set[tuple[str, str, int]]:
    return set(Judgement.objects.values_list("task__topic__query_id", "task__document__doc_id", "relevance"))


def test_cranfield_asks_for_its_codes_and_for_the_numbers_of_its_topics(classic):
    imported("topics", SMART / "cran.qry")
    assert "declare all codes with --map" in refused("judgements", SMART / "cran.rel")
    assert "the mapping does not name the codes -1" in refused(
        "judgements", SMART / "cran.rel", "--map", "1=4,2=3,3=2,4=1"
    )
    asked = refused("judgements", SMART / "cran.rel", "--map", CODES)
    assert "--number-by order: 2 of 2 queries have a topic (query 2 is topic 004)" in asked
    assert "--number-by id: 1 of 2 queries have a topic (query 1 is topic 001)" in asked
    assert not Judgement.objects.exists()
    output = imported("judgements", SMART / "cran.rel", "--map", CODES, "--number-by", "order")
    assert "cran.rel is read by order: 2 of 2 queries have a topic (query 2 is topic 004)." in output
    assert "but Cranfield has 1,837 judgements of 225 topics" in output
    assert judgements() == {("001", "1", 3), ("001", "2", 1), ("004", "2", 4), ("004", "3", 0)}
    record = ImportRecord.objects.get(kind="judgements")
    assert record.options == {"number_by": "order"}


def test_by_id_a_query_without_a_topic_is_left_out_and_named(classic):
    imported("topics", SMART / "cran.qry")
    output = imported("judgements", SMART / "cran.rel", "--map", CODES, "--number-by", "id")
    assert "cran.rel: without a topic, and left out: 1 query (2) with 2 judgements." in output
    assert "cran.rel: without a judgement: 1 topic (004)." in output
    assert judgements() == {("001", "1", 3), ("001", "2", 1)}


@pytest.mark.parametrize(("topics", "qrels"), [("cacm.query", "cacm.qrels"), ("adi.qry", "adi.rel")])
def test_grades_that_are_all_0_are_refused_until_listed_means_relevant(classic, topics, qrels):
    imported("topics", SMART / topics)
    assert "--listed-relevant" in refused("judgements", SMART / qrels)
    assert "--listed-relevant" in refused("judgements", SMART / qrels, "--on-error", "report")
    assert not Judgement.objects.exists()
    imported("judgements", SMART / qrels, "--listed-relevant")
    assert {relevance for _, _, relevance in judgements()} == {1}
    assert ImportRecord.objects.get(kind="judgements").options == {"listed_relevant": True}


def test_listed_documents_may_get_another_grade(classic):
    imported("topics", SMART / "cisi.qry")
    imported("judgements", SMART / "cisi.rel", "--listed-relevant", "--map", "1=4")
    assert judgements() == {("1", "1", 4), ("2", "2", 4), ("2", "1", 4)}


def test_topics_without_judgements_are_named_and_the_empty_query_too(classic):
    output = imported("topics", SMART / "cacm_odd.query")
    assert "query 0 is empty and is left out" in output
    assert "has 3 topics, but CACM has 64" in output
    assert "without a judgement: 1 topic (3)" in imported("judgements", SMART / "cacm_odd.qrels", "--listed-relevant")


def test_queries_of_the_complete_file_without_a_topic_in_the_cut_one_do_not_fail(classic, tmp_path):
    cut, rel = tmp_path / "CISI.QRY", tmp_path / "CISI.REL"
    cut.write_text("".join(f".I {number}\n.W\nquery {number}\n" for number in range(1, 58)))
    rel.write_text("".join(f"{number:6} 28\t0\t0.000000\r\n" for number in range(1, 77)), newline="")
    assert "CISI.QRY has 57 topics, as the cut CISI has; the complete CISI has 112." in imported("topics", cut)
    output = imported("judgements", rel, "--listed-relevant")
    assert "left out: 19 queries (58, 59, 60, 61, 62, ...) with 19 judgements" in output
    assert (Topic.objects.count(), Judgement.objects.count()) == (57, 57)


def test_qrels_of_another_collection_are_refused(classic):
    assert "no query has a topic" in refused("judgements", SMART / "npl.rel")


def test_lists_of_npl_and_lisa_and_their_documents(classic):
    imported("topics", SMART / "npl.query")
    imported("judgements", SMART / "npl.rel")
    assert judgements() == {("1", "1", 1), ("2", "1", 1), ("2", "2", 1)}
    output = imported("documents", SMART / "npl.doc", "--all")
    assert "has 2 documents, but NPL has 11,429 documents" in output
    assert Document.objects.exclude(content=None).count() == 2


def test_documents_keep_their_other_fields(classic):
    imported("documents", SMART / "cacm_odd.all", "--all")
    content = Document.objects.get(doc_id="11").content
    assert (content.title, content.metadata["keywords"]) == ("Printing Tables\x19 on Narrow Paper", "printing, tables")


def test_a_judge_who_found_nothing_is_imported_with_a_note(classic, tmp_path):
    imported("topics", SMART / "npl.query")
    path = tmp_path / "ada.qrels"
    path.write_text("1 0 d1 0\n2 0 d2 0\n")
    assert "all 2 grades are 0, so nothing is relevant" in imported("judgements", path)
    assert judgements() == {("1", "d1", 0), ("2", "d2", 0)}
