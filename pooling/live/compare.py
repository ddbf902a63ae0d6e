"""Compares a run with a former run of the same system: what a repetition changed."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from pooling.ranking import ranked
from pooling.words import count

COLUMNS = ["query_id", "former", "present", "common", "same_order"]


@dataclass(frozen=True)
class RunChanges:
    """`topics` has, for each topic, the number of documents in both runs, and whether the order is the same."""

    depth: int
    topics: pd.DataFrame

    @property
    def changed(self) -> int:
        """How many topics have other documents or another order."""
        return int((~self.topics["same_order"]).sum())

    def __str__(self) -> str:
        if not self.changed:
            return f"Nothing has changed in the first {self.depth:,} documents of {count(len(self.topics), 'topic')}."
        new = int((self.topics["present"] - self.topics["common"]).sum())
        return (
            f"{self.changed:,} of {count(len(self.topics), 'topic')} changed in the first {self.depth:,} documents; "
            f"documents new there: {new:,}."
        )


def compare_runs(former: pd.DataFrame, present: pd.DataFrame, depth: int = 10) -> RunChanges:
    """Compare the first documents of two runs, topic by topic.

    Parameters
    ----------
    former, present : DataFrame
        Runs of one system each: `query_id, doc_id, score`.
    depth : int
        How many documents of each topic count.

    Returns
    -------
    RunChanges
        A topic that only one run has counts with no documents of the other.

    Examples
    --------
    >>> import pandas as pd
    >>> former = pd.DataFrame({"query_id": ["1", "1"], "doc_id": ["a", "b"], "score": [2.0, 1.0]})
    >>> print(compare_runs(former, former.assign(doc_id=["a", "c"])))
    1 of 1 topic changed in the first 10 documents; documents new there: 1.
    """
    if depth < 1:
        raise ValueError(f"depth must be at least 1, not {depth:,}.")
    before, after = _first(former, depth), _first(present, depth)
    return RunChanges(depth, pd.DataFrame(list(_rows(before, after)), columns=COLUMNS))


def _first(run: pd.DataFrame, depth: int) -> dict[str, list[str]]:
    if run.empty:
        return {}
    ordered = ranked(run.assign(system="run") if "system" not in run else run)
    return {
        str(query_id): list(rows["doc_id"].head(depth)) for query_id, rows in ordered.groupby("query_id", sort=False)
    }


def _rows(before: dict[str, list[str]], after: dict[str, list[str]]) -> Iterator[tuple[str, int, int, int, bool]]:
    for query_id in sorted(before.keys() | after.keys()):
        former, present = before.get(query_id, []), after.get(query_id, [])
        yield query_id, len(former), len(present), len(set(former) & set(present)), former == present
