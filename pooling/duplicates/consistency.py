"""Groups of near-duplicates whose documents got different grades for the same topic."""

from collections.abc import Iterable, Sequence

import pandas as pd

from pooling.errors import refuse_unless

COLUMNS = ["query_id", "group", "judge", "documents", "lowest", "highest", "doc_ids", "judges", "grades"]
OVERALL = ""


def inconsistent_groups(
    groups: Iterable[Sequence[str]], judgements: pd.DataFrame, query_id: str | None = None
) -> pd.DataFrame:
    """List the groups that were judged inconsistently, by each judge and by all judges together.

    A group is inconsistent for a judge if the judge gave different grades to two of its documents for one topic. It is
    inconsistent overall if it is so for a judge, or if two of its documents have different sets of grades. Judges who
    disagree about every document in the same way are not inconsistent. A negative grade means not judged.

    Parameters
    ----------
    groups : iterable of sequence of str
        The doc_ids of each group. A document is in one group at most.
    judgements : DataFrame
        Columns assessor, query_id, doc_id and relevance; each assessor judged a document once for a topic.
    query_id : str, optional
        Compare only the judgements of this topic. By default, each topic is compared separately.

    Returns
    -------
    DataFrame
        One row for each topic, group and judge. Columns: query_id; group (the position in `groups`, from 0); judge
        (empty for all judges together); documents (of the group, judged); lowest and highest grade; doc_ids,
        judges and grades (tuples of the same length, one entry for each judgement, by doc_id and then assessor). Rows
        are ordered by query_id, group and judge, with all judges together first.

    Raises
    ------
    ValueError
        If a column is missing, or a document is in two groups.

    Examples
    --------
    >>> import pandas as pd
    >>> from pooling import inconsistent_groups
    >>> rows = [("ann", "1", "a", 2), ("ann", "1", "b", 0), ("ben", "1", "a", 2), ("ben", "1", "b", 2)]
    >>> judgements = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])
    >>> inconsistent_groups([("a", "b")], judgements)[["judge", "doc_ids", "grades"]]
      judge       doc_ids        grades
    0        (a, a, b, b)  (2, 2, 0, 2)
    1   ann        (a, b)        (2, 0)
    """
    grouped = _grouped(groups, judgements)
    if query_id is not None:
        grouped = grouped[grouped["query_id"] == query_id]
    rows: list[tuple[object, ...]] = []
    for (topic, group), part in grouped.groupby(["query_id", "group"], sort=True):
        by_judge = [(judge, own) for judge, own in part.groupby("assessor", sort=True) if _is_inconsistent(own)]
        if by_judge or _is_inconsistent(part):
            rows += [_row(topic, group, judge, own) for judge, own in [(OVERALL, part), *by_judge]]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    return frame.astype({"query_id": "str", "judge": "str", "group": "int64", "documents": "int64"})


def _grouped(groups: Iterable[Sequence[str]], judgements: pd.DataFrame) -> pd.DataFrame:
    """Return the judgements of documents in a group, with the position of the group."""
    refuse_unless(judgements, pd.DataFrame, "judgements", "a table")
    if missing := [name for name in ("assessor", "query_id", "doc_id", "relevance") if name not in judgements]:
        raise ValueError(f"the judgements have no column {missing[0]!r}")
    position: dict[str, int] = {}
    for at, group in enumerate(groups):
        for doc_id in group:
            if position.setdefault(doc_id, at) != at:
                raise ValueError(f"document {doc_id!r} is in two groups")
    chosen = judgements[judgements["doc_id"].isin(position) & (judgements["relevance"] >= 0)]
    chosen = chosen.assign(group=chosen["doc_id"].map(position))
    return chosen.sort_values(["query_id", "group", "doc_id", "assessor"], kind="stable")


def _is_inconsistent(part: pd.DataFrame) -> bool:
    """Whether two documents have different sets of grades."""
    return len({frozenset(grades) for _, grades in part.groupby("doc_id")["relevance"]}) > 1


def _row(topic: object, group: object, judge: object, part: pd.DataFrame) -> tuple[object, ...]:
    doc_ids, judges, grades = (tuple(part[name].tolist()) for name in ("doc_id", "assessor", "relevance"))
    return topic, group, judge, len(set(doc_ids)), min(grades), max(grades), doc_ids, judges, grades
