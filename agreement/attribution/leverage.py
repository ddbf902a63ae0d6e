"""Which documents to adjudicate first: how far each disputed document can change the ranking of the systems.

A document of a topic is *disputed* if two or more judges gave it different grades. For each grade that one of them gave
and that differs from the gold's, the gold is changed in this one place and all systems are scored again:

    new mean of a system = mean + (new score on the topic - score on the topic) / number of topics of the gold

The new ranking is compared with the ranking under the unchanged gold. `tau` is tau_b of the two rankings (Kendall
1945). The change of tau is 1 - tau, because the tau_b of a ranking with itself is 1, with or without ties. tau is
undefined with the reason "all_tied" if all systems are tied before or after, and "one_system" with fewer than two
systems. `pairs_swapped` counts the pairs of systems in opposite order afterwards. Two systems closer than 1e-12 are
tied. A pair that becomes tied, or was tied, lowers tau and is not a swap.

Each change is made alone. The effects of several documents do not add up (see `agreement.attribution.why_swapped`), so
the figures of a document may change after another one has been adjudicated.

References
----------
M. G. Kendall (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.attribution.rescoring import Rescoring, as_grades, grades_of
from agreement.checks import numbers_of
from agreement.effectiveness.measure import MeasureLike, parse_measure
from agreement.effectiveness.ranked_runs import Runs, prepare
from agreement.estimate import format_value
from agreement.golds.make_gold import as_golds
from agreement.rank_correlation import TIE, tau_b_batch
from agreement.ratings import checked_scale, first_judgements, not_judged, positions_on
from agreement.reports.results import records
from pooling.inputs import Input, as_judgements
from pooling.ranking import check_common_topic
from pooling.result import Result
from pooling.words import count

# Columns by which the documents are sorted, and whether ascending.
ORDER = {"tau": True, "pairs_swapped": False, "largest_change": False, "query_id": True, "doc_id": True, "grade": True}
PAIRS = 2_000_000  # pairs of systems that are compared at the same time


@dataclass(frozen=True, eq=False, repr=False)
class Leverage(Result):
    """The effect of each disputed document on the ranking; returned by `leverage`.

    Attributes
    ----------
    measure, gold : str
        Names of the measure and of the gold.
    n_systems, n_topics : int
        Number of systems, and number of topics of the gold.
    n_disputed : int
        Number of disputed documents of these topics.
    skipped_topics : tuple of str
        Topics with disputed documents that are not in the gold. They are left out.
    n_skipped : int
        Number of disputed documents of the skipped topics.
    documents : DataFrame
        One row for each disputed document and each grade it could change to: query_id, doc_id; gold_grade, NA if the
        document is not in the gold; grade, the new grade; judges, who gave it; tau, NA if it is undefined, and then
        reason; pairs_swapped; top_changed, whether the systems at rank 1 differ; largest_change, the largest absolute
        change of a system's mean score. Sorted by tau, smallest first and undefined last, then by most pairs swapped,
        largest change, query_id, doc_id and grade.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import leverage
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> judgements = pd.DataFrame(
    ...     [("ann", "1", "d2", 2), ("bob", "1", "d2", 0)], columns=["assessor", "query_id", "doc_id", "relevance"]
    ... )
    >>> result = leverage(runs, judgements, "nDCG", {"A": gold})
    >>> result.n_disputed, len(result.moving)
    (1, 1)
    """

    measure: str
    gold: str
    n_systems: int
    n_topics: int
    n_disputed: int
    skipped_topics: tuple[str, ...]
    n_skipped: int
    documents: pd.DataFrame

    @property
    def moving(self) -> pd.DataFrame:
        """The rows of `documents` that change the ranking: its order, its ties or its top."""
        rows = self.documents
        return rows.loc[(rows["tau"] < 1).fillna(False) | rows["top_changed"]]

    def summary(self) -> str:
        """Return the headline: how many disputed documents matter to the ranking, and which one matters most."""
        topics = count(self.n_topics, "topic", zero="no")
        basis = f"{self.measure} under {self.gold}, {count(self.n_systems, 'system')}, {topics}"
        if not self.n_disputed:
            return f"Nothing to adjudicate: no document in the topics of {self.gold} is disputed ({basis})."
        moving = self.moving
        documents = f"{_n_documents(moving):,} of {self.n_disputed:,} disputed documents"
        most = f" {_most_important(moving.iloc[0])}" if len(moving) else ""
        return f"{documents} can change the ranking on their own ({basis}).{most}"

    def _sentence(self) -> str:
        return self.summary()

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the only table by name, not rounded: documents."""
        return {"documents": self.documents}

    def to_frame(self) -> pd.DataFrame:
        """Return `documents`."""
        return self.documents

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as JSON types; undefined figures are None."""
        names = ("measure", "gold", "n_systems", "n_topics", "n_disputed", "n_skipped")
        figures = {name: getattr(self, name) for name in names} | {"skipped_topics": list(self.skipped_topics)}
        return figures | {"summary": self.summary(), "documents": records(self.documents)}


def leverage(
    runs: Runs,
    judgements: Input,
    measure: MeasureLike,
    gold: Input,
    *,
    scale: Sequence[float] | None = None,
    collection_size: int | None = None,
) -> Leverage:
    """Compute how far each disputed document can change the ranking of the systems.

    For each disputed document and each grade of its judges, the gold is changed in this one place, and the new ranking
    is compared with the ranking under the unchanged gold.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score.
    judgements : table, path, dictionary, or iterable of these
        Columns assessor, query_id, doc_id, relevance (numbers) and optionally repeat. Only repeat 0 counts. A relevance
        of -1 or a missing one is not a judgement.
    measure : str, ir_measures.Measure, or Measure
        A measure such as "AP", "nDCG@10" or "P(rel=2)@5".
    gold : table, path or dictionary
        Relevance grades with the columns query_id, doc_id and relevance. The name comes from the mapping, or from a
        column gold.
    scale : sequence of numbers, optional
        Declared grades, lowest first. Other grades are refused; some measures need the scale.
    collection_size : int, optional
        Number of documents in the collection, for measures that need it.

    Returns
    -------
    Leverage
        A tau is undefined if all systems are tied before or after the change (reason "all_tied"), or if there are
        fewer than two systems ("one_system").

    Raises
    ------
    ValueError
        An unknown measure; more than one gold; judgements that are invalid or not numbers; invalid runs or gold.

    References
    ----------
    M. G. Kendall (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import leverage
    >>> runs = pd.DataFrame(
    ...     [("lsa", "1", "d1", 2), ("lsa", "1", "d2", 1), ("bm25", "1", "d2", 2), ("bm25", "1", "d1", 1)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> gold = pd.DataFrame([("1", "d1", 1), ("1", "d2", 0)], columns=["query_id", "doc_id", "relevance"])
    >>> judgements = pd.DataFrame(
    ...     [("ann", "1", "d2", 2), ("bob", "1", "d2", 0)], columns=["assessor", "query_id", "doc_id", "relevance"]
    ... )
    >>> documents = leverage(runs, judgements, "nDCG", {"A": gold}).documents
    >>> documents[["doc_id", "gold_grade", "grade", "judges", "tau", "pairs_swapped"]]
      doc_id  gold_grade  grade judges  tau  pairs_swapped
    0     d2           0      2    ann -1.0              1
    """
    ranked_runs, scored = prepare(runs), parse_measure(measure)
    name, truth = _one_gold(gold)
    matrix = ranked_runs.under(truth, scale, collection_size)
    check_common_topic(ranked_runs, matrix.query_ids)
    rescoring = Rescoring(ranked_runs, scored, matrix)
    disputed = _disputed(as_judgements(judgements), scale)
    in_gold = disputed["query_id"].isin(matrix.query_ids)
    options = _options(disputed.loc[in_gold], grades_of(truth))
    scores = scored(matrix)
    before = scores.mean(axis=1) if scores.size else np.zeros(len(scores))
    better = -1 if scored.lower_is_better else 1
    gains = _gains(options, grades_of(truth), rescoring) / max(len(matrix.query_ids), 1)
    return Leverage(
        measure=scored.name,
        gold=name,
        n_systems=len(matrix.systems),
        n_topics=len(matrix.query_ids),
        n_disputed=_n_documents(disputed.loc[in_gold]),
        skipped_topics=tuple(sorted(disputed["query_id"][~in_gold].unique())),
        n_skipped=_n_documents(disputed.loc[~in_gold]),
        documents=_sorted(pd.concat([options, _effects(better * before, better * gains)], axis=1)),
    )


def _one_gold(gold: Input) -> tuple[str, pd.DataFrame]:
    golds = as_golds(gold)
    if len(golds) > 1:
        raise ValueError(f"Give one gold, not {', '.join(golds)}.")
    return next(iter(golds.items()))


def _most_important(row: pd.Series) -> str:
    pairs = "1 system pair" if row["pairs_swapped"] == 1 else f"{row['pairs_swapped']} system pairs"
    tau = format_value(None if row["reason"] else row["tau"], row["reason"])
    document = f"Document {row['doc_id']} of topic {row['query_id']}"
    return f"{document} matters most: grade {row['grade']:g} swaps {pairs} (tau_b {tau})."


def _n_documents(rows: pd.DataFrame) -> int:
    return len(rows[["query_id", "doc_id"]].drop_duplicates())


def _disputed(judgements: pd.DataFrame, scale: Sequence[float] | None) -> pd.DataFrame:
    """Return every disputed document with each of its grades: query_id, doc_id, grade, judges; ascending by these."""
    frame = first_judgements(judgements)
    if scale is not None:
        positions_on(checked_scale(scale), frame)  # raises an error for a grade that is not on the scale
    frame = frame[~not_judged(frame["relevance"])]
    frame = frame.assign(grade=numbers_of(frame).astype(np.float64)).sort_values("assessor")
    by_grade = frame.groupby(["query_id", "doc_id", "grade"])["assessor"].agg(", ".join).rename("judges").reset_index()
    return by_grade.loc[by_grade.duplicated(["query_id", "doc_id"], keep=False)].reset_index(drop=True)


def _options(disputed: pd.DataFrame, gold: dict[str, pd.Series]) -> pd.DataFrame:
    """Return the disputed grades that differ from the gold's; gold_grade is nan if the document is not in the gold."""
    if gold:
        known = pd.concat(gold, names=["query_id", "doc_id"]).rename("gold_grade")
        options = disputed.join(known, on=["query_id", "doc_id"])
    else:
        options = disputed.assign(gold_grade=np.nan)
    options = options.loc[options["grade"] != options["gold_grade"]].reset_index(drop=True)
    return options[["query_id", "doc_id", "gold_grade", "grade", "judges"]]


def _gains(options: pd.DataFrame, gold: dict[str, pd.Series], rescoring: Rescoring) -> np.ndarray:
    """Return what each grade adds to the score of every system on its topic, shape (n_options, n_systems)."""
    gains = np.zeros((len(options), len(rescoring.runs.systems)))
    effective = rescoring.effective_grades(options[["gold_grade", "grade"]].to_numpy(np.float64))
    for query_id, rows in options[effective[:, 0] != effective[:, 1]].groupby("query_id"):
        grades_before = gold[str(query_id)]
        doc_ids = grades_before.index.union(pd.Index(rows["doc_id"].unique()))
        grades = np.tile(grades_before.reindex(doc_ids).to_numpy(), (len(rows) + 1, 1))
        grades[np.arange(len(rows)), doc_ids.get_indexer(pd.Index(rows["doc_id"]))] = rows["grade"]
        scores = rescoring.scores(str(query_id), doc_ids, grades)
        gains[rows.index] = (scores[:, :-1] - scores[:, -1:]).T
    return gains


def _effects(before: np.ndarray, gains: np.ndarray) -> pd.DataFrame:
    """Return how the ranking changes if the means (higher is better) gain `gains`, shape (n_options, n_systems)."""
    after = before + gains
    tau = tau_b_batch(before, after)
    swapped, top = np.zeros(len(gains), np.int64), np.zeros(len(gains), bool)
    step = max(PAIRS // max(len(before), 1) ** 2, 1)
    old = _signs(before[None])
    for start in range(0, len(gains), step):
        block = slice(start, start + step)
        new = _signs(after[block])
        swapped[block] = np.count_nonzero(old * new < 0, axis=(1, 2)) // 2
        top[block] = ((new < 0).any(axis=2) != (old < 0).any(axis=2)).any(axis=1)
    return pd.DataFrame(
        {
            "tau": pd.arrays.FloatingArray(tau.values, ~tau.defined),
            "reason": pd.Series([None if defined else tau.reason for defined in tau.defined], dtype=object),
            "pairs_swapped": swapped,
            "top_changed": top,
            "largest_change": np.abs(gains).max(axis=1, initial=0),
        }
    )


def _signs(scores: np.ndarray) -> np.ndarray:
    """Return 1, -1 or 0 for every two systems (first better, worse, tied), (n_rankings, n_systems, n_systems)."""
    gaps = scores[:, :, None] - scores[:, None, :]
    signs: np.ndarray = (gaps >= TIE).astype(np.int8) - (gaps <= -TIE).astype(np.int8)
    return signs


def _sorted(documents: pd.DataFrame) -> pd.DataFrame:
    documents = documents.sort_values(list(ORDER), ascending=list(ORDER.values()), ignore_index=True)
    for column in ("gold_grade", "grade"):
        documents[column] = as_grades(documents[column].to_numpy(np.float64))
    return documents.astype({"query_id": "str", "doc_id": "str", "judges": "str"})
