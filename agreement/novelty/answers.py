"""Answers about marginal relevance: does a relevant document add to the relevant ones that its judge had seen before?

An answer table has one row for each relevant document of one judge, in the order in which they were judged, with the
columns

- `query_id`, `doc_id`: strings;
- `answer`: "new", "partly" or "nothing"; "" if the judge was not asked or did not answer;
- `repeats`: the doc_ids that the document repeats, as a list. "new" and "" have none.
"""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from agreement.checks import plain
from pooling.errors import refuse_unless
from pooling.ids import id_text

ANSWERS = ("new", "partly", "nothing")
NO_ANSWER = ""
COLUMNS = ("query_id", "doc_id", "answer", "repeats")


class Answer(NamedTuple):
    """One row of an answer table."""

    query_id: str
    doc_id: str
    answer: str
    repeats: frozenset[str]


def rows_by_topic(answers: pd.DataFrame) -> Iterator[tuple[str, list[Answer]]]:
    """Yield each topic with its rows, both in the order of the table. ValueError if a row is not valid."""
    refuse_unless(answers, pd.DataFrame, "answers", "a table")
    if missing := [name for name in COLUMNS if name not in answers.columns]:
        raise ValueError(f"the answers have no column {missing[0]!r}; they need {', '.join(COLUMNS)}")
    topics: dict[str, dict[str, Answer]] = {}
    for values in zip(*(answers[name] for name in COLUMNS), strict=True):
        row = _checked(*values)
        rows = topics.setdefault(row.query_id, {})
        if row.doc_id in rows:
            raise ValueError(f"document {row.doc_id!r} of topic {row.query_id!r} occurs twice")
        rows[row.doc_id] = row
    for query_id, rows in topics.items():
        yield query_id, list(rows.values())


def _checked(query_id: str, doc_id: str, answer: str, repeats: object) -> Answer:
    query_id, doc_id = id_text("query_id", plain(query_id)), id_text("doc_id", plain(doc_id))
    where = f"(document {doc_id!r} of topic {query_id!r})"
    if answer not in (*ANSWERS, NO_ANSWER):
        raise ValueError(f"the answer must be one of {', '.join(ANSWERS)}, not {answer!r} {where}")
    if not isinstance(repeats, list | tuple | set | frozenset):
        raise ValueError(f"repeats must be a list of doc_ids, not {repeats!r} {where}")
    if bool(repeats) != (answer in ("partly", "nothing")):
        rule = "must not name documents that it repeats" if repeats else "must name the documents that it repeats"
        raise ValueError(f"a document with the answer {answer!r} {rule} {where}")
    repeated = frozenset(id_text("doc_id in repeats", plain(each)) for each in repeats)
    if doc_id in repeated:
        raise ValueError(f"a document cannot repeat itself {where}")
    return Answer(query_id, doc_id, answer, repeated)
