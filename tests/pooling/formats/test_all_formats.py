"""Every format that is recognised: a generated file is read by the reader of its kind, and no record is lost."""

import re
from pathlib import Path

import pytest

import pooling
from agreement import read_judgements
from agreement.judge_files.options import NamedSource
from pooling.formats.courses.doccano import read_labels
from pooling.formats.courses.teaching_ir import read_teaching_ir_pool
from pooling.formats.file_kinds import FILE_KINDS
from pooling.formats.problems import KINDS
from tests.pooling.formats.generated import FORMS, NAMES

SMART = Path(__file__).parents[2] / "data" / "smart"
PAGE = Path(__file__).parents[3] / "docs" / "formats.md"
OF_KIND = {kind: [form for form in FORMS if FILE_KINDS[form].kind == kind] for kind in KINDS}


def content_of(form, *parts):
    found = FORMS[form]
    return found.write([row for row in (getattr(found, part) for part in parts) if row is not None])


def judgements(content, **options):
    negative = {"negative": "not_judged"}
    return read_judgements({"f": NamedSource(content, False)}, scale=(0, 1), **negative, **options)


def lines_of(read):
    """The number of records that the counts of a file account for."""
    return int(read.counts["lines"].sum()) + sum(read.empty_rows.values())


CLASSIC = {  # these have questions of their own: tests/pooling/formats/smart
    "smart_qrels": "cacm.qrels",
    "smart_topics": "cacm.query",
    "smart_documents": "cacm.all",
    "npl_qrels": "npl.rel",
    "npl_topics": "npl.query",
    "npl_documents": "npl.doc",
    "lisa_qrels": "lisa.rel",
    "lisa_topics": "lisa.que",
    "lisa_documents": "lisa.doc",
}


COURSES = {  # the reader, what the file contains, and what is read
    "teaching_ir_pool": (
        read_teaching_ir_pool,
        b'{"1": ["d1", "d2"], "2": ["d1"]}',
        [("1", "d1"), ("1", "d2"), ("2", "d1")],
    ),
    "doccano_labels": (
        read_labels,
        b'[{"id": 7, "text": "Yes (1)", "suffixKey": "y"}, {"id": 8, "text": "No (0)", "suffixKey": null}]',
        [(0, "No", ""), (1, "Yes", "")],
    ),
}


def test_each_format_has_a_file():
    assert FORMS.keys() | CLASSIC.keys() | COURSES.keys() == FILE_KINDS.keys()


@pytest.mark.parametrize("form", COURSES)
def test_each_file_of_a_course_is_recognised_and_read(form):
    read, content, expected = COURSES[form]
    assert pooling.recognise(content).format == form
    assert list(map(tuple, read(content, "f"))) == expected


@pytest.mark.parametrize("form", CLASSIC)
def test_each_classic_file_is_recognised(form):
    assert pooling.recognise(SMART / CLASSIC[form]).format == form


@pytest.mark.parametrize("form", FORMS)
def test_each_generated_file_is_recognised(form):
    assert pooling.recognise(content_of(form, "good", "none"), name=NAMES.get(form, "f")).format == form


@pytest.mark.parametrize("form", OF_KIND["judgements"])
def test_judgements_are_read_and_what_is_none_is_counted(form):
    read = judgements(content_of(form, "good", "none"))
    assert read.judgements.values.tolist() == [["ada" if FORMS[form].names_judge else "f", "1", "d1", 1]]
    assert lines_of(read) == 2
    counts = read.counts[["empty", "no_judgement", "not_judged"]].sum().sum()
    assert counts + sum(read.empty_rows.values()) == 1


@pytest.mark.parametrize("form", OF_KIND["judgements"])
def test_invalid_judgements_are_refused_or_reported(form):
    content = content_of(form, "good", "none", "bad")
    with pytest.raises(pooling.FormatError):
        judgements(content)
    read = judgements(content, on_error="report")
    assert read.judgements["doc_id"].tolist() == ["d1"]
    assert len(read.problems) == 1


def read_runs(content, name, problems):
    runs, report = pooling.read_runs(content, on_error="report")
    problems += report["what"].tolist()
    return [list(row) for row in runs.values.tolist()]


def read_topics(content, name, problems):
    return pooling.read_topics(content, name=name, problems=problems)[["query_id", "title"]].values.tolist()


def read_documents(content, name, problems):
    found = pooling.read_documents(content, name=name, problems=problems)
    return [[document.doc_id, re.sub(r"<[^>]*>", "", document.text).strip()] for document in found]


READERS = {
    "runs": (read_runs, [["a", "1", "d1", 2.5]]),
    "topics": (read_topics, [["1", "green tea"]]),
    "documents": (read_documents, [["d1", "Green tea."]]),
}
OF_RANKS = [["input", "1", "d1", 1.0]]  # of MS MARCO: the score is 1/rank, and the system is named after the file
OTHERS = [form for kind in READERS for form in OF_KIND[kind]]


def expected(form):
    """The reader of a format, and the values of its generated file."""
    read, values = READERS[FILE_KINDS[form].kind]
    return read, OF_RANKS if form == "msmarco_run" else values


@pytest.mark.parametrize("form", OTHERS)
def test_runs_topics_and_documents_are_read(form):
    read, values = expected(form)
    problems = []
    assert read(content_of(form, "good"), NAMES.get(form, "f"), problems) == values
    assert problems == []


@pytest.mark.parametrize("form", [form for form in OTHERS if FORMS[form].bad is not None])
def test_every_invalid_record_is_reported_and_the_others_are_read(form):
    read, values = expected(form)
    problems = []
    assert read(content_of(form, "good", "bad"), NAMES.get(form, "f"), problems) == values
    assert len(problems) == 1


def test_the_page_of_formats_names_each_format_once():
    table = PAGE.read_text().partition("## All formats")[2].partition("\n## ")[0]
    rows = [row.split(" | ") for row in table.splitlines() if row.startswith("| `")]
    named = [(name, cells[1]) for cells in rows for name in re.findall(r"`([a-z_]+)`", cells[0])]
    assert sorted(name for name, _ in named) == sorted(FILE_KINDS)
    assert dict(named) == {form: kind.kind for form, kind in FILE_KINDS.items()}
