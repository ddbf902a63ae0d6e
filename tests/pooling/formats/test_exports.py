"""Judgements that doccano, Label Studio, Quepid and OpenSearch export."""

import json

import pytest

import agreement
from pooling import FormatError
from pooling.formats.exports.reading import export_format, read_export
from pooling.trec import file_content
from tests.realdata import real_data

REAL = {  # judgements, judges, and the first query, document and label
    "opensearch/ImportJudgment.small.json": (10, 1, "button", "B07D29PHFY", "0.6"),
    "opensearch/ImportJudgments.json": (80, 1, "metal_frame", "B071XJXHPN", "1.0"),
    "opensearch/esci_us_judgments.json.gz": (6678, 1, "t_towels_kitchen", "B07NCQWCQS", "100.000"),
    "opensearch/judgments.llm.json": (1080, 1, "3_year_old_boy_birthday_gift", "B01BMSFF4Y", "1.000"),
    "quepid/book.json.gz": (1920, 13, "projector_screen", "325961", "3"),
    "quepid/case.json.gz": (1679, 3, "120v_power_supply", "3488015", "0"),
    "quepid/ratings.basic.csv": (207, 1, "notebook", "1325549", "1"),
    "teaching_ir/radboud/manual.csv": (
        277,
        1,
        "1",
        "36573058460fd834571449ef00bfbf1964b6cc72d898ddfb50c7db6a163058f3",
        "0",
    ),
}
PAIR = {"query_id": "q", "doc_id": "d"}


def rows(content, problems=None):
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    frame = read_export(data, export_format(data), "f", problems)
    return frame[["assessor", "query_id", "doc_id", "label", "comment"]].values.tolist()


def refusal(content):
    with pytest.raises(FormatError) as caught:
        rows(content)
    return str(caught.value)


@pytest.mark.parametrize(("path", "expected"), REAL.items())
def test_real_exports_are_read(path, expected):
    content = file_content(real_data("formats", path), 1 << 30, path, None, None)
    frame = read_export(content, export_format(content), path)
    first = frame.iloc[0]
    found = (len(frame), frame["assessor"].nunique(), first["query_id"], first["doc_id"], first["label"])
    assert found == expected
    assert frame["line"].is_unique


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("doccano/export.text_classification.jsonl", "line 1: query_id is missing"),
        ("doccano/export_v1.classification.jsonl", "line 1: query_id is missing"),
        ("label_studio/csv_test_history.json", "line 2: query_id is missing"),
        ("label_studio/csv_test2_result.csv", "line 2: the label is missing"),
        ("label_studio/three_annotators_boxes.json", "the file has no judgements"),
    ],
)
def test_real_exports_without_topics_or_labels_are_refused(path, words):
    assert words in refusal(real_data("formats", path).read_bytes())


def test_doccano_has_a_list_of_labels_and_an_empty_one_is_not_judged():
    lines = [PAIR | {"label": ["Yes"], "Comments": ["a", "b"]}, PAIR | {"label": []}, PAIR | {"labels": ["No"]}]
    assert rows("\n".join(map(json.dumps, lines)).encode()) == [["", "q", "d", "Yes", "a\nb"], ["", "q", "d", "No", ""]]
    assert rows([{"label": "Yes", "meta": PAIR}]) == [["", "q", "d", "Yes", ""]]


def test_two_labels_of_doccano_are_refused():
    assert "line 1: 2 labels (Yes, No); a judgement has one label" in refusal([PAIR | {"label": ["Yes", "No"]}])


def test_doccano_1_has_numbers_of_labels_and_users():
    record = {"id": 1, "annotations": [{"label": 15, "user": 1}, {"label": 17, "user": 2}], "meta": PAIR}
    assert rows([record]) == [["user-1", "q", "d", "label-15", ""], ["user-2", "q", "d", "label-17", ""]]


def test_doccano_csv_joins_labels_with_a_sign():
    assert rows(b"query_id,doc_id,label,user\nq,d,Yes,3\nq,e,,3\n") == [["user-3", "q", "d", "Yes", ""]]
    assert "2 labels" in refusal(b"query_id,doc_id,label\nq,d,Yes#No\n")


def annotation(*results, **fields):
    return {"completed_by": 2, "updated_at": "2024-01-02", "result": list(results)} | fields


def choice(*labels):
    return {"type": "choices", "value": {"choices": list(labels)}}


COMMENT = {"type": "textarea", "value": {"text": ["why"]}}


def test_label_studio_has_one_annotation_for_each_annotator():
    task = {
        "data": {"query": "green tea", "docno": "d"},
        "annotations": [
            annotation(choice("Yes"), COMMENT),
            annotation(choice("No"), completed_by={"id": 1, "email": "a@b.c"}, updated_at="2024-01-01"),
            annotation(choice("No"), was_cancelled=True),
            annotation(choice("No"), reviews=[{"accepted": False}]),
            annotation(),
        ],
        "predictions": [annotation(choice("No"))],
    }
    assert rows([task]) == [
        ["annotator-1", "green_tea", "d", "No", ""],
        ["annotator-2", "green_tea", "d", "Yes", "why"],
    ]
    assert "2 labels" in refusal([{"data": PAIR, "annotations": [annotation(choice("a", "b"))]}])


def test_label_studio_has_records_of_one_annotation():
    record = PAIR | {"annotation_id": 5, "annotator": 7, "relevance": "Yes"}
    assert rows([record]) == [["annotator-7", "q", "d", "Yes", ""]]
    header = b"annotation_id\tannotator\tquery_id\tdoc_id\trating\n"
    expected = [["a@b.c", "q", "d", "Yes", ""]]
    assert rows(header + b'5\ta@b.c\tq\td\t"{""choices"":[""Yes""]}"\n') == expected


def test_quepid_book_csv_has_a_column_for_each_rater():
    data = b"query,docid,Ada L,Bob\n green tea,d,3.0,\ngreen tea,e,1,0\nnothing,,,\n"
    assert rows(data) == [
        ["Ada L", "green_tea", "d", "3", ""],
        ["Ada L", "green_tea", "e", "1", ""],
        ["Bob", "green_tea", "e", "0", ""],
    ]


def test_quepid_judgements_without_a_rating_are_none():
    pairs = [{"query_text": "a", "doc_id": "d", "judgements": [{"rating": None, "unrateable": True}, {"rating": 3.0}]}]
    assert rows({"query_doc_pairs": pairs}) == [["", "a", "d", "3", ""]]


def test_problems_are_collected():
    problems = []
    found = rows([PAIR | {"label": ["a"]}, {"label": ["b"], "doc_id": "d"}, PAIR | {"label": [[1]]}], problems)
    assert len(found) == 1
    assert [problem.what for problem in problems] == ["query_id is missing", "the label is '[1]'"]


def test_labels_are_mapped_to_the_scale():
    lines = [PAIR | {"label": ["Yes"]}, PAIR | {"doc_id": "e", "label": ["Maybe so (1)"]}]
    content = "\n".join(map(json.dumps, lines)).encode()
    read = agreement.read_judgements({"ada": content}, scale=(0, 1, 2), mapping={"Yes": 2})
    assert read.judgements.values.tolist() == [["ada", "q", "d", 2], ["ada", "q", "e", 1]]
    assert read.notes() == ["ada: 1 label mapped (Yes=2)."]
    with pytest.raises(ValueError, match="label 'Yes' is not allowed; a label is a decimal number"):
        agreement.read_judgements({"ada": content}, scale=(0, 1, 2))
    with pytest.raises(ValueError, match="The judge's grade Yes becomes 7, which is not on the scale"):
        agreement.read_judgements({"ada": content}, scale=(0, 1, 2), mapping={"Yes": 7})


def test_a_mapping_of_one_judge_may_have_labels():
    content = json.dumps(PAIR | {"label": ["Yes"]}).encode()
    read = agreement.read_judgements({"a": content, "b": b"q 0 d 1\n"}, scale=(0, 1), mapping={"a": {"Yes": 1}})
    assert read.judgements["relevance"].tolist() == [1, 1]


@pytest.mark.in_ci
def test_gains_of_opensearch_need_a_mapping():
    path = real_data("formats", "opensearch/esci_us_judgments.json.gz")
    gains = {0: 0, 1: 1, 10: 2, 100: 3}
    read = agreement.read_judgements({"esci": path}, scale=(0, 1, 2, 3), mapping=gains, decimals="whole")
    assert read.judgements["relevance"].value_counts().to_dict() == {3: 3389, 2: 1898, 0: 1086, 1: 305}
