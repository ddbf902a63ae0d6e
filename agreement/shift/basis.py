"""How much data the comparison of each gold with the reference is based on.

A gold that combines several judges equals a single judge wherever nobody else judged. Its *evidence* is the part that
combines judges, for example the documents with two or more judges. If evidence is passed for a gold, only the topics
and documents of the evidence count for the thresholds of `agreement.thresholds`.

A topic counts towards the number of topics only if some system retrieved a document for it. Every other topic scores
the same for all systems, and says nothing about their ranking. It stays in the mean scores.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.effectiveness import RankedRuns
from agreement.shift.views import Scores, on_topics
from agreement.thresholds import TOP, Thresholds, share_of

JUDGED_COLUMNS = ["gold", "system", "k", "judged", "retrieved", "value", "empty_topics"]
COLUMNS = ["gold", "n_topics", "judged_share", "reference_judged_share", "has_evidence", "enough"]


@dataclass(frozen=True, eq=False)
class JudgedTop:
    """How many of the first 10 documents of each system a gold judges, by topic.

    Attributes
    ----------
    judged, retrieved : DataFrame of int, shape (n_systems, n_topics)
        Number of judged documents, and of all documents, among the first 10.
    evidence : DataFrame of int, shape (n_systems, n_evidence_topics)
        Number of documents among the first 10 that count for the thresholds.
    evidence_topics : Index of str
        The topics with a judged document that counts for the thresholds, and with a retrieved document.
    has_evidence : bool
        Whether the evidence is only a part of the gold.
    """

    judged: pd.DataFrame
    retrieved: pd.DataFrame
    evidence: pd.DataFrame
    evidence_topics: pd.Index
    has_evidence: bool

    @classmethod
    def under(cls, runs: RankedRuns, gold: pd.DataFrame, evidence: pd.DataFrame | None) -> "JudgedTop":
        """Count the documents that a gold judges."""
        judged, retrieved, judged_topics = _counts(runs, gold)
        if evidence is None:
            return cls(judged, retrieved, judged, judged_topics, False)
        counted, _, counted_topics = _counts(runs, evidence)
        return cls(judged, retrieved, counted, counted_topics, True)

    def share(self, topics: pd.Index) -> float | None:
        """Return the share of the first 10 documents that count; None if nothing was retrieved."""
        counted = self.evidence.reindex(columns=topics, fill_value=0)
        return share_of(int(counted.to_numpy().sum()), int(self.retrieved[topics].to_numpy().sum()))


def judged_tops(
    runs: RankedRuns, golds: Mapping[str, pd.DataFrame], evidence: Mapping[str, pd.DataFrame]
) -> dict[str, JudgedTop]:
    """Count the judged documents among the first 10 under each gold."""
    if unknown := [name for name in evidence if name not in golds]:
        raise ValueError(f"evidence must be of the golds {', '.join(golds)}, not of {unknown[0]!r}.")
    return {name: JudgedTop.under(runs, gold, evidence.get(name)) for name, gold in golds.items()}


def _counts(runs: RankedRuns, gold: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, pd.Index]:
    """Return the judged and the retrieved documents among the first 10, and the topics that have both."""
    matrix = runs.under(gold)
    systems, topics = pd.Index(matrix.systems), pd.Index(matrix.query_ids)
    judged, retrieved = matrix.judged(TOP), np.minimum(matrix.retrieved, TOP)
    has_both = np.flatnonzero((matrix.gold >= 0).any(axis=1) & (matrix.retrieved > 0).any(axis=0))
    return pd.DataFrame(judged, systems, topics), pd.DataFrame(retrieved, systems, topics), topics[has_both]


def judged_frame(tops: Mapping[str, JudgedTop], scores: Scores, reference: str, topics: str) -> pd.DataFrame:
    """Return how many of the first 10 documents the gold of each view judges, on the topics of its ranks.

    The column empty_topics counts the topics for which the system retrieved nothing.
    """
    frames = []
    for view, top in tops.items():
        columns = on_topics(scores[view], scores[reference], topics)[0].columns
        judged, retrieved = top.judged[columns].to_numpy(), top.retrieved[columns].to_numpy()
        counts = {"gold": view, "system": list(top.judged.index), "k": TOP, "judged": judged.sum(axis=1)}
        counts |= {"retrieved": retrieved.sum(axis=1), "empty_topics": (retrieved == 0).sum(axis=1)}
        frames.append(pd.DataFrame(counts))
    shares = pd.concat(frames, ignore_index=True)
    total = shares["retrieved"].astype("Float64")
    shares = shares.assign(value=shares["judged"] / total.mask(total == 0))
    return shares[JUDGED_COLUMNS]


def basis_frame(
    tops: Mapping[str, JudgedTop], scores: Scores, reference: str, topics: str, thresholds: Thresholds
) -> pd.DataFrame:
    """Return the data of the comparison of each view with the reference, one row for each other view."""
    rows = []
    for view in tops:
        if view == reference:
            continue
        columns = [table.columns for table in on_topics(scores[view], scores[reference], topics)]
        common = tops[view].evidence_topics.intersection(tops[reference].evidence_topics)
        shares = tops[view].share(columns[0]), tops[reference].share(columns[1])
        has_evidence = tops[view].has_evidence or tops[reference].has_evidence
        rows.append((view, len(common), *shares, has_evidence, thresholds.met(len(common), *shares)))
    return _basis(rows)


def basis_of_scores(scores: Scores, reference: str, thresholds: Thresholds) -> pd.DataFrame:
    """Return the same table if only the scores are known: the judged shares are NA, and every common topic counts."""
    rows = []
    for view, table in scores.items():
        if view != reference:
            n_topics = len(table.columns.intersection(scores[reference].columns))
            rows.append((view, n_topics, None, None, False, thresholds.met(n_topics)))
    return _basis(rows)


def under_thresholds(basis: pd.DataFrame, thresholds: Thresholds) -> pd.DataFrame:
    """Return the same table, with enough as other thresholds have it."""
    shares = basis[["judged_share", "reference_judged_share"]].astype(object)
    known = shares.where(shares.notna(), None).itertuples(index=False, name=None)
    rows = zip(basis["n_topics"], known, strict=True)
    return basis.assign(enough=[thresholds.met(int(n_topics), *pair) for n_topics, pair in rows])


def _basis(rows: list[tuple[Any, ...]]) -> pd.DataFrame:
    types = {"n_topics": "int64", "judged_share": "Float64", "reference_judged_share": "Float64"}
    return pd.DataFrame(rows, columns=COLUMNS).astype(types | {"has_evidence": "bool", "enough": "bool"})
