"""Annotations that Argilla, Prodigy and Potato export, in the forms that are in circulation."""

import csv
import json
import time
from pathlib import Path

import pytest

from agreement import read_judgements
from assay.cli import main
from pooling import FormatError, recognise

EXPORTS = Path(__file__).parents[2] / "data" / "exports"
ADA, BOB = "a3f0c1de-0000-4000-8000-000000000001", "b7e1d2ef-0000-4000-8000-000000000002"
MAPPING = {"Relevant": 1, "Not relevant": 0, "accept": 1, "reject": 0}
PAIR = {"query_id": "301", "doc_id": "d1"}

# file, format, judgements, and the number of rows of each judge (or of the file) that are none
FILES = [
    ("argilla.json", "argilla", [[ADA, "301", "d1", 1], [ADA, "301", "d2", 0], [BOB, "301", "d1", 0]], {"": 1}),
    ("argilla_status.jsonl", "argilla", [[ADA, "301", "d1", 2], [BOB, "301", "d2", 1]], {ADA: 1, BOB: 1}),
    ("argilla_server.json", "argilla", [[ADA, "301", "d1", 2], [BOB, "302", "d1", 0]], {BOB: 1}),
    ("argilla_flat.jsonl", "argilla", [[ADA, "301", "d1", 1], [BOB, "301", "d1", 0]], {BOB: 1}),
    ("argilla_1.jsonl", "argilla", [[ADA, "301", "d1", 1], [ADA, "301", "d2", 0]], {BOB: 1}),
    (
        "prodigy_choice.jsonl",
        "prodigy",
        [["tea-ada", "301", "d1", 1], ["tea-ada", "301", "d2", 0], ["tea-bob", "301", "d1", 0]],
        {"tea-bob": 3},
    ),
    (
        "prodigy_binary.jsonl",
        "prodigy",
        [["tea-ada", "301", "d1", 1], ["tea-ada", "301", "d2", 0], ["tea-bob", "301", "d2", 1]],
        {"tea-bob": 1},
    ),
    (
        "potato_folders.zip",
        "doccano_zip",
        [["ada", "301", "d1", 1], ["ada", "301", "d2", 0], ["bob", "301", "d1", 0]],
        {"ada": 1},
    ),
    ("potato_2.jsonl", "potato_json", [["ada", "301", "d1", 1], ["bob", "301", "d1", 0]], {"bob": 1}),
    (
        "potato.tsv",
        "potato_csv",
        [["ada@example.org", "301", "d1", 1], ["ada@example.org", "301", "d2", 0]],
        {"bob@example.org": 1},
    ),
    ("potato_2.csv", "potato_csv", [["ada", "301", "d1", 2], ["bob", "301", "d1", 0]], {"bob": 1}),
]


def lines(*records):
    return "\n".join(map(json.dumps, records)).encode()


def read(content, **options):
    from agreement.judge_files.options import NamedSource

    return read_judgements({"f": NamedSource(content, False)}, scale=(0, 1, 2), mapping=MAPPING, **options)


def refusal(content, **options):
    with pytest.raises(FormatError) as caught:
        read(content, **options)
    return str(caught.value)


@pytest.mark.parametrize(("name", "form", "judgements", "none"), FILES)
def test_every_judge_is_kept_and_what_is_no_judgement_is_counted(name, form, judgements, none):
    assert recognise(EXPORTS / name).format == form
    found = read_judgements(EXPORTS / name, scale=(0, 1, 2), mapping=MAPPING)
    assert found.judgements.values.tolist() == judgements
    counts = found.counts.set_index("assessor")["no_judgement"]
    empty = {"": sum(found.empty_rows.values())} if found.empty_rows else {}
    assert counts[counts > 0].to_dict() | empty == none


def test_a_folder_of_potato_belongs_to_the_judge_that_the_user_names():
    path = EXPORTS / "potato" / "ada" / "annotated_instances.jsonl"
    found = read_judgements({"ada": path}, scale=(0, 1), mapping=MAPPING)
    assert found.judgements.values.tolist() == [["ada", "301", "d1", 1], ["ada", "301", "d2", 0]]


@pytest.mark.parametrize("name", ["argilla.json", "prodigy_choice.jsonl", "potato_2.jsonl"])
def test_a_file_that_names_its_judges_takes_no_other_name(name):
    with pytest.raises(ValueError, match="the file names its judges, so the name 'x' cannot be given"):
        read_judgements({"x": EXPORTS / name}, scale=(0, 1, 2), mapping=MAPPING)


@pytest.mark.parametrize("name", ["argilla.json", "argilla_server.json", "prodigy_choice.jsonl", "potato.tsv"])
def test_comments_are_kept(name):
    from pooling.formats.exports.reading import export_format, read_export

    content = (EXPORTS / name).read_bytes()
    assert read_export(content, export_format(content), name)["comment"].tolist()[0] == "names green tea"


def test_the_command_compares_the_judges_of_a_file(capsys):
    assert main(["kappa", str(EXPORTS / "prodigy_choice.jsonl"), "--scale", "0,1"]) in (0, None)
    out = capsys.readouterr().out
    assert "tea-ada" in out
    assert "tea-bob: 3 rows without a judgement left out" in out


def argilla(responses, **record):
    return {"fields": {"text": "t"}, "metadata": PAIR, "responses": responses} | record


def answer(value, user=ADA):
    return {"value": value, "user_id": user}


PRODIGY = {"meta": PAIR, "_annotator_id": "s-ada", "_view_id": "classification", "answer": "accept"}
POTATO = {"id": "301|d1", "label_annotations": {"relevance": {"Relevant": "true"}, "quality": {"2": "2"}}}
TWO_FIELDS = {
    "Argilla": (lines(argilla({"relevance": [answer(1)], "quality": [answer(2)]})), "quality", 2),
    "Argilla, in two records": (
        lines(argilla({"relevance": [answer(1)]}), argilla({"quality": [answer(2)]})),
        "quality",
        2,
    ),
    "Prodigy": (lines(PRODIGY | {"label": "GOOD"}, PRODIGY | {"label": "BAD", "answer": "reject"}), "BAD", 0),
    "Potato": (lines(POTATO), "quality", 2),
    "Potato TSV": (b"user\tinstance_id\trelevance:::1\tquality:::2\nada\t301|d1\ttrue\ttrue\n", "quality", 2),
}


@pytest.mark.parametrize(("content", "field", "grade"), TWO_FIELDS.values(), ids=TWO_FIELDS)
def test_two_fields_with_labels_are_refused_until_one_is_named(content, field, grade):
    assert "2 fields have labels: " in refusal(content)
    assert "name the field of the label with the option field" in refusal(content)
    assert read(content, field=field).judgements["relevance"].tolist() == [grade]
    assert "no record has a label in the field 'x'; the fields with labels are " in refusal(content, field="x")


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (argilla({"relevance": [answer(["Relevant", "Not relevant"])]}), "2 labels (Relevant, Not relevant)"),
        (argilla({"relevance": [answer([{"value": "a", "rank": 1}])]}), "a label is a text or a number"),
        (argilla({"relevance": [answer(1, user=[1])]}), "a judge is a name or a number"),
        (
            argilla({"relevance": [answer(1) | {"status": "lost"}]}),
            "the status is 'lost'; a status is one of submitted",
        ),
        (argilla({"relevance": [answer(1)]}, metadata={"doc_id": "d"}), "query_id is missing"),
        (PRODIGY | {"answer": None}, "answer is missing; an answer is one of accept, reject, ignore"),
        (PRODIGY | {"answer": "maybe"}, "answer 'maybe' is not allowed"),
        (PRODIGY | {"options": [], "accept": ["0", "1"]}, "2 labels (0, 1)"),
        (PRODIGY | {"meta": {}}, "query_id is missing"),
        (POTATO | {"id": "item_1", "label_annotations": {"a": {"1": 1}}}, "the id 'item_1' is no topic and document"),
        (POTATO | {"label_annotations": {"a": {"1": True, "2": True}}}, "2 labels (1, 2)"),
    ],
)
def test_unclear_records_are_refused_with_their_line(record, words):
    message = refusal(lines(record))
    assert "line 1" in message
    assert words in message
    assert len(read(lines(record), on_error="report").problems) == 1


def test_an_instance_of_potato_may_have_fields_of_the_topic_and_the_document():
    record = {"instance_id": "7", "user_id": 3, "labels": {"relevance": 2}, "metadata": PAIR}
    assert read(lines(record)).judgements.values.tolist() == [["user-3", "301", "d1", 2]]


HOSTILE_VALUES = {
    "nested": "[" * 900 + "]" * 900,
    "very nested": "[" * 500_000 + "]" * 500_000,
    "objects": '{"value":' * 900 + "1" + "}" * 900,
    "NUL": '"\\u0000"',
    "raw NUL": '"\0"',
    "half a pair": '"\\ud800"',
    "text": '"' + "[" * 1_000_000 + '"',
    "brackets": "[" * 1_000_000,
    "number": "9" * 100_000,
}
HOSTILE_FORMS = {
    "Argilla": '{"fields": {}, "metadata": {"query_id": "1", "doc_id": "d"}, "responses": %s}',
    "Argilla's value": '{"fields": {}, "metadata": {"query_id": "1", "doc_id": "d"}, "responses": '
    '{"q": [{"value": %s, "user_id": "a"}]}}',
    "Argilla's user": '{"fields": {}, "metadata": {"query_id": "1", "doc_id": "d"}, "responses": '
    '{"q": [{"value": 1, "user_id": %s}]}}',
    "Argilla 1": '{"external_id": "1", "metadata": %s, "q": [{"user_id": "a", "value": 1}]}',
    "Prodigy": '{"meta": {"query_id": "1", "doc_id": "d"}, "_annotator_id": "a", "answer": "accept", "accept": %s}',
    "Prodigy's answer": '{"meta": {"query_id": "1", "doc_id": "d"}, "_annotator_id": "a", "answer": %s}',
    "Prodigy's judge": '{"meta": {"query_id": "1", "doc_id": "d"}, "answer": "accept", "_annotator_id": %s}',
    "Potato": '{"id": "1|d", "label_annotations": {"q": {"o": %s}}}',
    "Potato's id": '{"label_annotations": {"q": {"o": 1}}, "id": %s}',
    "judge": '{"query_id": "1", "doc_id": "d", "relevance": 1, "judge": %s}',
}


@pytest.mark.in_ci
@pytest.mark.parametrize("value", HOSTILE_VALUES)
@pytest.mark.parametrize("form", HOSTILE_FORMS)
def test_hostile_values_are_read_or_refused_quickly(form, value):
    content = (HOSTILE_FORMS[form] % HOSTILE_VALUES[value]).encode()
    csv.field_size_limit(131_072)  # as in a process that has read no table yet
    started = time.process_time()
    found = read(content, on_error="report")
    assert time.process_time() - started < 5  # quadratic time of 1 MB takes far longer
    assert len(found.judgements) + len(found.problems) + found.counts["no_judgement"].sum() >= 1
