"""Matches the topics and documents of files that are imported with those of the collection, and repairs them.

`pooling.id_repair` matches and repairs. Topics that the collection does not have are one problem of a file of
judgements, with their number, an example and the repair that would make most of them match.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from assess.transfer.judgement_lines import Checks, FileOfJudgements, LabelledLine, Problem, no_topic, problem_of

if TYPE_CHECKING:
    import pandas as pd

    from pooling.id_repair import IdMatch


def with_matched_ids(file: FileOfJudgements, rows: "pd.DataFrame", checks: Checks) -> "pd.DataFrame":
    """Return the rows of a file with repaired ids. The file keeps how its ids match those of the collection."""
    from pooling.id_repair import match_ids  # loads pandas

    known = {"query_id": checks.query_ids, "doc_id": checks.doc_ids}
    rows, file.ids = match_ids(rows, known, file.name, checks.collection, checks.repair)
    return rows


def lines_with_matched_ids(file: FileOfJudgements, lines: list[LabelledLine], checks: Checks) -> list[LabelledLine]:
    """Return lines with repaired ids."""
    import pandas as pd  # slow to import

    ids = [(line.query_id, line.doc_id) for line, _ in lines]
    rows = with_matched_ids(file, pd.DataFrame(ids, columns=["query_id", "doc_id"], dtype="str"), checks)
    if not file.repaired_notes():
        return lines
    columns = rows["query_id"].tolist(), rows["doc_id"].tolist()
    return [
        (line._replace(query_id=query_id, doc_id=doc_id), label)
        for (line, label), query_id, doc_id in zip(lines, *columns, strict=True)
    ]


def unknown_topics(file: FileOfJudgements, checks: Checks) -> list[Problem]:
    """Return the problem of a file with topics that the collection does not have; an empty list if it has all."""
    if not file.unknown:
        return []
    first, others = file.unknown[0], file.unknown[1:]
    topics = file.ids.unmatched["query_id"] if file.ids else None
    if topics is None or not (others or topics.repair):
        return [problem_of(file.name, first.number, first.assessor, first, no_topic(checks, first.query_id))]
    where = f"{file.name}, line {first.number}"
    sentence = file.ids.note("query_id") if file.ids else ""
    return [Problem(first.number, f"{where}: {sentence} Import the topics first, or repair their ids.")]


def repaired_counts(matches: Iterable["IdMatch | None"]) -> dict[str, int]:
    """Return the numbers of repaired ids: topics and documents."""
    from pooling.id_repair import IDS  # loads pandas

    numbers = {f"{noun}s": 0 for noun in IDS.values()}
    for match in matches:
        for column, pairs in match.repaired.items() if match else ():
            numbers[f"{IDS[column]}s"] += len(pairs)
    return {noun: number for noun, number in numbers.items() if number}
