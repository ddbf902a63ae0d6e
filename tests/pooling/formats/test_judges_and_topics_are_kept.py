"""No reader makes one judge of several, or one topic of two queries, in silence."""

import json

import pytest

from agreement import read_judgements
from agreement.judge_files.options import NamedSource
from pooling import FormatError, recognise
from pooling.formats.exports.reading import export_format, read_export
from pooling.formats.fields import OTHER_NAMES

NAMES = ("assessor", *OTHER_NAMES["assessor"])


def read(content, **options):
    return read_judgements({"f": NamedSource(content, False)}, scale=(0, 1, 2), **options)


def records(*rows, is_array=False):
    return (json.dumps(rows) if is_array else "\n".join(map(json.dumps, rows))).encode()


def csv(*rows):
    return "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]).encode()


# what the two records of a document have, apart from the judge
FORMS = {
    "label": {"query_id": "q", "doc_id": "d", "label": 1},
    "labels and a text": {"query_id": "q", "doc_id": "d", "labels": ["1"], "text": "t"},
    "relevance": {"query_id": "q", "doc_id": "d", "relevance": 1},
    "relevance and a text": {"query_id": "q", "doc_id": "d", "relevance": 1, "text": "t", "title": "u"},
    "grade": {"qid": "q", "docno": "d", "grade": 1},
    "rating": {"topic_id": "q", "docid": "d", "rating": 1},
    "text of the query": {"query": "q", "document_id": "d", "rel": 1},
    "BEIR": {"query-id": "q", "corpus-id": "d", "score": 1},
    "annotation_id": {"annotation_id": 5, "query_id": "q", "doc_id": "d", "relevance": 1},
}


@pytest.mark.in_ci
@pytest.mark.parametrize("is_array", [False, True])
@pytest.mark.parametrize("name", [*NAMES, "Model"])
@pytest.mark.parametrize("form", FORMS)
def test_each_judge_of_json_is_one_judge(form, name, is_array):
    content = records(*(FORMS[form] | {name: judge} for judge in ("gpt", "ada")), is_array=is_array)
    assert recognise(content, name="f").kind == "judgements"
    assert read(content).judgements.values.tolist() == [["gpt", "q", "d", 1], ["ada", "q", "d", 1]]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["label", "relevance", "grade", "rating"])
def test_each_judge_of_a_table_is_one_judge(form, name):
    content = csv(*(FORMS[form] | {name: judge} for judge in ("gpt", "ada")))
    assert read(content).judgements["assessor"].tolist() == ["gpt", "ada"]


def test_ratings_of_quepid_with_a_column_of_users_are_a_table():
    content = b"query,docid,rating,user\ntea,d,1,ada\ntea,d,2,bob\n"
    assert read(content).judgements.values.tolist() == [["ada", "tea", "d", 1], ["bob", "tea", "d", 2]]


@pytest.mark.parametrize("form", FORMS)
def test_two_names_of_the_judge_are_refused(form):
    record = FORMS[form] | {"judge": "ada", "model": "gpt"}
    with pytest.raises(FormatError, match="line 1: judge and model may both be the judge"):
        read(records(record))
    assert read(records(record | {"assessor": "bob"})).judgements["assessor"].tolist() == ["bob"]


def test_two_labels_of_a_record_are_refused_until_one_is_named():
    content = records(FORMS["label"] | {"relevance": 2})
    with pytest.raises(FormatError, match="2 fields have labels: label, relevance"):
        read(content)
    assert read(content, field="relevance").judgements["relevance"].tolist() == [2]


@pytest.mark.parametrize(
    "content",
    [
        b'{"doc_id": "a", "text": "b", "rating": 4, "topic": "tea"}',
        b'{"_id": "a", "text": "b", "score": 4}',
        b'{"query_id": "1", "query": "tea"}',
    ],
)
def test_documents_and_topics_with_other_fields_stay_what_they_are(content):
    assert recognise(content, name="f").kind in ("documents", "topics")


QUERIES = ("red shoes", "red_shoes", "red%5Fshoes")
QUEPID = {
    "quepid_book": json.dumps(
        {
            "query_doc_pairs": [
                {"query_text": query, "doc_id": "d", "judgements": [{"rating": 1.0, "user_email": "a"}]}
                for query in QUERIES
            ]
        }
    ),
    "quepid_case": json.dumps(
        {
            "case_name": "c",
            "queries": [{"query_text": query, "ratings": [{"doc_id": "d", "rating": 1}]} for query in QUERIES],
        }
    ),
    "quepid_csv": "query,docid,rating\n" + "".join(f"{query},d,1.0\n" for query in QUERIES),
    "opensearch": json.dumps(
        {"judgmentRatings": [{"query": query, "ratings": [{"docId": "d", "rating": "1"}]} for query in QUERIES]}
    ),
}


@pytest.mark.parametrize("form", QUEPID)
def test_queries_that_differ_in_a_blank_are_different_topics(form):
    content = QUEPID[form].encode()
    assert export_format(content) == form
    frame = read_export(content, form, "f")
    assert frame["query_id"].tolist() == ["red_shoes", "red%5Fshoes", "red%255Fshoes"]
    assert frame["query"].tolist() == list(QUERIES)


EMPTY = {
    "book": {
        "query_doc_pairs": [
            {"query_text": "tea", "doc_id": "d", "judgements": [{"rating": 1}, {"rating": None, "unrateable": True}]},
            {"query_text": "tea", "doc_id": "e", "judgements": []},
        ]
    },
    "case": {
        "case_name": "c",
        "queries": [{"query_text": "tea", "ratings": [{"doc_id": "d", "rating": 1}, {"doc_id": "e"}]}],
    },
}


@pytest.mark.parametrize("form", EMPTY)
def test_pairs_of_quepid_without_a_rating_are_counted(form):
    counts = read(json.dumps(EMPTY[form]).encode()).counts.iloc[0]
    assert (counts["judgements"], counts["no_judgement"]) == (1, 1)


def test_rows_of_a_query_alone_and_empty_cells_are_counted_for_each_rater():
    content = b"query,docid,Ada,Bob\ntea,d,1,\nnothing,,,\nno document,,2,1\n"
    counts = read(content).counts.set_index("assessor")
    assert counts["judgements"].to_dict() == {"Ada": 1, "Bob": 0}
    assert counts["no_judgement"].to_dict() == {"Ada": 2, "Bob": 3}
