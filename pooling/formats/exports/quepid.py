"""Exports of Quepid, and judgement lists of the OpenSearch Search Relevance Workbench.

Quepid book (JSON): ``query_doc_pairs`` with ``query_text``, ``doc_id`` and ``judgements``; a judgement without a rating
(unrateable, or to be judged later) is none, and is counted. Quepid case (JSON): ``queries`` with ``query_text`` and
``ratings``. A judge is named by ``user_email``, if the file has it.

Quepid CSV: ``query,docid,rating``; or ``query,docid`` and one column for each rater (book). A row without a document,
and an empty cell, is no judgement, and is counted. A rating such as ``1.0`` is the grade 1. The
blank that protects a query from spreadsheets is removed.

OpenSearch (JSON): ``judgmentRatings`` with ``query`` and ``ratings``, each with ``docId`` and ``rating``. The file
names no judge. Ratings may be grades or gains (0, 1, 10, 100); gains need a mapping.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pooling.errors import FormatError, Problems, raise_or_keep
from pooling.formats.exports.rows import Records, Row, comment_of, judge_name, label_text, no_judgement, pair_of
from pooling.formats.tables import by_name, rows_below_header

WHOLE = re.compile(r"[0-9]+\.0+")


def quepid_book(records: Records, file: str, problems: Problems) -> Iterator[Row]:
    """The judgements of a book."""
    for number, book in records:
        for pair in _objects(book.get("query_doc_pairs")):
            for judgement in _objects(pair.get("judgements")):
                yield from _checked({**judgement, **pair}, judgement, file, number, problems)


def quepid_case(records: Records, file: str, problems: Problems) -> Iterator[Row]:
    """The judgements of a case."""
    for number, case in records:
        for query in _objects(case.get("queries")):
            for rating in _objects(query.get("ratings")):
                yield from _checked({**query, **rating}, rating, file, number, problems)


def opensearch(records: Records, file: str, problems: Problems) -> Iterator[Row]:
    """The judgements of a list."""
    for number, judgements in records:
        for query in _objects(judgements.get("judgmentRatings")):
            for rating in _objects(query.get("ratings")):
                yield from _checked({"query": query.get("query"), **rating}, rating, file, number, problems)


def quepid_csv(text: str, file: str, problems: Problems) -> Iterator[Row]:
    """The judgements of a CSV file."""
    for number, header, cells in rows_below_header(text, file):
        try:
            if len(cells) < 2 or not cells[1].strip():
                judges = [rater for rater in header[2:] if rater.lower() != "rating"] or [""]
                yield from (no_judgement(number, judge) for judge in judges)
                continue
            row = by_name(cells, header, file, number)
            pair = {"query": row.pop(header[0]), "doc_id": row.pop(header[1])}
            for rater, rating in row.items():
                grade = rating.partition(".")[0] if WHOLE.fullmatch(rating.strip()) else rating
                record = {"rating": grade, "user_email": "" if rater.lower() == "rating" else rater}
                yield _of_rating(pair, record, file, number)
        except FormatError as error:
            raise_or_keep(error, problems)


def _checked(
    pair: Mapping[str, Any], rating: Mapping[str, Any], file: str, number: int, problems: Problems
) -> Iterator[Row]:
    try:
        yield _of_rating(pair, rating, file, number)
    except FormatError as error:
        raise_or_keep(error, problems)


def _of_rating(pair: Mapping[str, Any], rating: Mapping[str, Any], file: str, number: int) -> Row:
    label = label_text(rating.get("rating"), file, number)
    judge = judge_name(rating.get("user_email"), "user", file, number)
    if label is None:
        return no_judgement(number, judge)
    return Row(number, judge, *pair_of(pair, file, number), label, comment_of(rating))


def _objects(value: Any) -> Iterable[dict[str, Any]]:
    return (each for each in value if isinstance(each, dict)) if isinstance(value, list) else ()
