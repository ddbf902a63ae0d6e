"""Importing judgements that doccano, Label Studio, Quepid and OpenSearch export."""

import gzip
import json

import pytest

from assess.collections.create import create_collection, find_collection
from assess.errors import Refused
from assess.judging.ledger import ledger_problems
from assess.models import ImportedJudge, Judgement, Topic
from assess.transfer.judgement_checks import checks_for
from assess.transfer.judgement_options import JudgementOptions
from assess.transfer.judgement_readers import Judge, read_file
from assess.transfer.judgements import import_judgements
from tests.realdata import real_data

GRADES = ("0=No", "1=Some", "2=Good", "3=Best")


@pytest.fixture
def collection(db):
    create_collection("exports", "Exports", GRADES)
    found = find_collection("exports")
    Topic.objects.bulk_create(
        Topic(collection=found, query_id=query_id, title=title)
        for query_id, title in (("7", "Notebook"), ("8", "tv"), ("9", "laptop"), ("10", "Laptop "))
    )
    return found


def judgements(collection):
    rows = Judgement.objects.filter(task__topic__collection=collection)
    names = ("member__name", "task__topic__query_id", "task__document__doc_id", "relevance", "comment")
    return sorted(rows.values_list(*names))


def test_the_text_of_a_query_is_the_title_of_its_topic(collection):
    rating = {"rating": 2.0, "user_email": "ada@example.org"}
    book = {"query_doc_pairs": [{"query_text": " NOTEBOOK", "doc_id": "d", "judgements": [rating]}]}
    import_judgements(collection, json.dumps(book).encode())
    assert judgements(collection) == [("ada@example.org", "7", "d", 2, "")]


@pytest.mark.parametrize(
    ("query", "words"),
    [("laptop", "2 topics have the title 'laptop'"), ("mouse pad", "no topic 'mouse_pad'")],
)
def test_a_query_without_one_topic_is_refused(collection, query, words):
    book = {"query_doc_pairs": [{"query_text": query, "doc_id": "d", "judgements": [{"rating": 1}]}]}
    with pytest.raises(Refused, match=words):
        import_judgements(collection, json.dumps(book).encode(), "ada")
    assert judgements(collection) == []


def test_labels_that_are_texts_need_a_mapping_which_is_kept(collection):
    def export(doc_id, label):
        return json.dumps({"query_id": "7", "doc_id": doc_id, "label": [label], "comments": ["why"]}).encode()

    with pytest.raises(Refused, match=r"label 'Yes' is not allowed; .* or map it"):
        import_judgements(collection, export("d", "Yes"), "ada")
    options = JudgementOptions(mapping={"Yes": 3, "No": 0})
    import_judgements(collection, export("d", "Yes"), "ada", options=options)
    import_judgements(collection, export("e", "No"), "ada")
    assert judgements(collection) == [("ada", "7", "d", 3, "why"), ("ada", "7", "e", 0, "why")]
    assert ImportedJudge.objects.get().mapping == {"Yes": 3, "No": 0}
    with pytest.raises(Refused, match="was imported with the mapping"):
        import_judgements(collection, export("f", "No"), "ada", options=JudgementOptions(mapping={"No": 1}))
    assert list(ledger_problems(collection)) == []


def test_a_file_that_names_no_judge_needs_a_name(collection):
    export = json.dumps({"query_id": "7", "doc_id": "d", "label": ["1"]}).encode()
    with pytest.raises(Refused, match="does not name the judge"):
        import_judgements(collection, export)


def test_a_file_that_names_its_judges_is_refused_with_a_name(collection):
    record = {"query_id": "7", "doc_id": "d", "annotation_id": 1, "annotator": 4, "relevance": 1}
    with pytest.raises(Refused, match="names its judges, so the name 'ada' cannot be given"):
        import_judgements(collection, json.dumps([record]).encode(), "ada")


def test_all_invalid_lines_are_listed(collection):
    pairs = [("7", "1"), ("x", "1"), ("8", "Yes")]
    lines = [{"query_id": query_id, "doc_id": "d", "label": [label]} for query_id, label in pairs]
    content = "\n".join(map(json.dumps, lines)).encode()
    file = read_file(content, Judge("ada"), checks_for(collection, JudgementOptions()))
    unknown, unmapped = (problem.sentence for problem in file.problems)
    assert "line 2" in unknown
    assert "no topic 'x'" in unknown
    assert "line 3" in unmapped
    assert "label 'Yes' is not allowed" in unmapped
    assert judgements(collection) == []


def test_two_annotations_of_one_document_are_irregular(collection):
    def annotation(label, day):
        result = [{"type": "choices", "value": {"choices": [label]}}]
        return {"completed_by": 4, "updated_at": f"2024-01-{day}", "result": result}

    data = {"query_id": "7", "doc_id": "d"}
    task = {"data": data, "annotations": [annotation("2", "09"), annotation("1", "08")]}
    export = json.dumps([task]).encode()
    with pytest.raises(Refused, match="contradicts line 1"):
        import_judgements(collection, export)
    import_judgements(collection, export, options=JudgementOptions(duplicates="last"))
    assert judgements(collection) == [("annotator-4", "7", "d", 2, "")]


@pytest.mark.slow
def test_a_real_book_with_13_raters_is_imported(collection):
    content = gzip.decompress(real_data("formats", "quepid", "book.json.gz").read_bytes())
    queries = sorted({pair["query_text"].strip() for pair in json.loads(content)["query_doc_pairs"]} - {"laptop"})
    known = {"notebook", "tv"}
    Topic.objects.bulk_create(
        Topic(collection=collection, query_id=f"q{number}", title=query)
        for number, query in enumerate(queries)
        if query.lower() not in known
    )
    Topic.objects.filter(collection=collection, query_id="10").delete()
    result = import_judgements(collection, content)
    assert result.added == 1920
    assert collection.members.count() == 13
