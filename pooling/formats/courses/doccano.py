"""A doccano project of text classification: the records to import, the labels, and what to tell the annotators.

A record has `text`, which the annotator reads: the topic, and below it the document. The other fields come back in
doccano's export: `query_id` and `doc_id`, which find the pair again, and `query`, `description` and `narrative`.

A label is called after its grade, with the value in parentheses ("Relevant (1)"), so that judgements come back without
a mapping. Its key is the value, as on Assay's own judging page. `read_labels` reads the labels of a project as grades.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pooling.errors import FormatError, shown
from pooling.formats.courses.lines import tsv_cell
from pooling.formats.courses.pairs import PoolContents, PooledPair, PoolGrade, encoded, json_line, json_text
from pooling.formats.json_records import json_records
from pooling.palette import INK, SHADES, WHITE
from pooling.words import first_repeated

ANNOTATOR = re.compile(r"\w[\w.@+-]{0,79}")
ALLOWED_NAME = "an annotator has a name of 1 to 80 letters, digits, and . @ + - _, and begins with a letter or digit"
MOST_ANNOTATORS = 200
LONGEST_LABEL = 100  # characters, in doccano
LABELS, GUIDE, RECORDS, LEFT_OUT = "label_config.json", "guideline.md", "all.jsonl", "left-out.tsv"
LABEL = re.compile(r"(.*\S)\s*\(([+-]?[0-9]{1,4})\)\s*")  # a name, and the grade in parentheses
ALLOWED_LABELS = 'the text of a label has its grade at the end, such as "Relevant (1)"'
LARGEST_LABEL = 1 << 16  # bytes of JSON
DARK_FROM = 0.5  # the part of the scale from which the text of a label is white

Files = Iterator[tuple[str, Iterable[bytes]]]


def doccano_files(pool: PoolContents, annotators: Sequence[str] = ()) -> Files:
    """The name and the content of each file of a project.

    With `annotators`, there is a file of records for each, named after them, with all pairs in an order of its own.
    """
    names = checked_annotators(annotators)
    yield LABELS, [label_config(pool.grades)]
    yield GUIDE, [guideline(pool.grades)]
    for name in names or [""]:
        file = f"{name}.jsonl" if name else RECORDS
        yield file, (json_line(record(pair)) for pair in pool.judgeable(name))
    yield LEFT_OUT, left_out(pool)


def checked_annotators(names: Sequence[str]) -> list[str]:
    """The names, which become names of files.

    Raises
    ------
    ValueError
        If a name is not allowed or occurs twice, also in other letters (a file system may not tell them apart), or if
        there are too many.

    Examples
    --------
    >>> checked_annotators(["ada", "bob"])
    ['ada', 'bob']
    """
    if len(names) > MOST_ANNOTATORS:
        raise ValueError(f"{len(names):,} annotators are too many; at most {MOST_ANNOTATORS} are allowed")
    seen: set[str] = {RECORDS.removesuffix(".jsonl")}
    for name in names:
        if not ANNOTATOR.fullmatch(name):
            raise ValueError(f"the annotator {shown(name)} is not allowed; {ALLOWED_NAME}")
        if name.casefold() in seen:
            raise ValueError(f"the annotator {shown(name)} is named twice, or like the file of all; names differ")
        seen.add(name.casefold())
    return list(names)


def record(pair: PooledPair) -> dict[str, Any]:
    """One record to import, without a label."""
    topic, document = pair
    return {
        "query_id": topic.query_id,
        "doc_id": document.doc_id,
        "query": topic.title,
        "description": topic.description,
        "narrative": topic.narrative,
        "text": readable(pair),
        "label": [],
    }


def readable(pair: PooledPair) -> str:
    """The topic and the document in one text."""
    topic = "\n\n".join(part for part in (pair.topic.title, pair.topic.description, pair.topic.narrative) if part)
    return f"TOPIC {pair.topic.query_id}\n\n{topic}\n\nDOCUMENT\n\n{pair.document.whole_text}"


def label_config(grades: Sequence[PoolGrade]) -> bytes:
    """The labels, to be imported on doccano's page *Labels*."""
    last = max(len(grades) - 1, 1)
    labels = [
        {
            "text": label_text(grade),
            "prefixKey": None,
            "suffixKey": f"{grade.value}",
            "backgroundColor": SHADES[place * (len(SHADES) - 1) // last],
            "textColor": WHITE if place / last >= DARK_FROM else INK,
        }
        for place, grade in enumerate(grades)
    ]
    return encoded(json_text(labels) + "\n")


def read_labels(content: bytes, file: str) -> list[PoolGrade]:
    """The grades of a label configuration, lowest first. A label has no meaning but its name.

    Raises
    ------
    FormatError
        If the content is not JSON with labels, a label does not say its grade, or two labels have the same grade.

    Examples
    --------
    >>> read_labels(b'[{"text": "Relevant (1)"}, {"text": "Not relevant (0)"}]', "doccano-label-configs.json")
    [PoolGrade(value=0, name='Not relevant', meaning=''), PoolGrade(value=1, name='Relevant', meaning='')]
    """
    lines = enumerate(content.splitlines(keepends=True), start=1)
    grades = [_grade(label, file, number) for number, label in json_records(lines, LARGEST_LABEL, file)]
    values = [grade.value for grade in grades]
    if not grades:
        raise FormatError("the file has no labels", ALLOWED_LABELS, file)
    if len(set(values)) < len(values):
        raise FormatError(
            f"two labels have the grade {first_repeated(map(str, values))}", "a grade has one label", file
        )
    return sorted(grades)


def _grade(label: Mapping[str, Any], file: str, number: int) -> PoolGrade:
    text = label.get("text")
    parts = LABEL.fullmatch(text) if isinstance(text, str) else None
    if parts is None:
        raise FormatError(f"the label {shown(str(text))} has no grade", ALLOWED_LABELS, file, number)
    return PoolGrade(int(parts[2]), parts[1])


def label_text(grade: PoolGrade) -> str:
    """The text of a label.

    Examples
    --------
    >>> label_text(PoolGrade(1, "Relevant"))
    'Relevant (1)'
    """
    value = f" ({grade.value})"
    return f"{grade.name[: LONGEST_LABEL - len(value)]}{value}"


def guideline(grades: Sequence[PoolGrade]) -> bytes:
    """What each label means, for doccano's page *Guideline*."""
    lines = [f"- {label_text(grade)}{f': {grade.meaning}' if grade.meaning else ''}\n" for grade in grades]
    return encoded("".join(["Choose one label for each text.\n\n", *lines]))


def left_out(pool: PoolContents) -> Iterator[bytes]:
    """The pairs that nobody can judge, because their document has no text."""
    yield b"query_id\tdoc_id\n"
    for topic, document in pool.pairs(""):
        if not document.has_text:
            yield encoded(f"{tsv_cell(topic.query_id)}\t{tsv_cell(document.doc_id)}\n")
