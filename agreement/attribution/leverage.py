"""Where adjudication starts to matter: how far each disputed document can move the ranking of the systems.

A document of a topic is *disputed* where two or more judges gave it different grades. For each grade that one of
them gave and the gold has not, the gold is changed in this one place, all systems are scored anew, and their
ranking is compared with the ranking under the gold as it is:

    new mean of a system = mean + (new score on the topic - score on the topic) / number of topics of the gold

`tau` is tau_b of the rankings before and after (Kendall 1945); the change of tau is 1 - tau, for a ranking has
tau_b 1 with itself, ties or not. It is undefined, reason "all_tied", where all systems are tied before or after, and
"one_system" with fewer than two. `pairs_swapped` counts the pairs of systems that stand in opposite order afterwards:
one overtook the other. Two systems closer than 1e-12 are tied; a pair that becomes tied, or was, lowers tau and is
no swap.

Each flip is made alone. Flips of several documents do not add up (`agreement.attribution.why_swapped` tells why), so figures of
a second document may change once a first one is adjudicated.

References
----------
M. G. Kendall (1945). The treatment of ties in ranking problems. Biometrika 33(3), 239-251.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.attribution.rescoring import Rescoring, as_grades, grades_of
from agreement.effectiveness.measure import Measure, parse_measure
from agreement.effectiveness.ranked_runs import prepare
from agreement.estimate import format_value
from agreement.golds.make_gold import as_golds
from agreement.rank_correlation import TIE, tau_b_batch
from agreement.ratings import checked_scale, first_judgements, not_judged, positions_on
from agreement.reports.results import records

ORDER = {"tau": True, "pairs_swapped": False, "largest_change": False, "query_id": True, "doc_id": True, "grade": True}
PAIRS = 2_000_000  # pairs of systems that are compared at once


@dataclass(frozen=True, eq=False)
class Leverage:
    """What flipping each disputed document would do to the ranking; made by `leverage`.

    Attributes
    ----------
    measure, gold : str
    n_systems, n_topics : int
        What the ranking rests on; topics are those of the gold.
    n_disputed : int
        Disputed documents of these topics.
    skipped_topics : tuple of str
        Topics with disputed documents that the gold does not have; nothing is said about them.
    n_skipped : int
        Disputed documents of these.
    flips : DataFrame
        A row for each disputed document and grade: query_id, doc_id; gold_grade, NA where the gold does not have
        the document; grade, which it is flipped to; judges, who gave it; tau, NA where it is undefined, and then
        reason; pairs_swapped; top_changed, whether other systems are at rank 1; largest_change, the largest change
        of a system's mean score, by size. Least tau first (undefined ones last), then most pairs swapped, then
        largest change, then by name.
    """

    measure: str
    gold: str
    n_systems: int
    n_topics: int
    n_disputed: int
    skipped_topics: tuple[str, ...]
    n_skipped: int
    flips: pd.DataFrame

    @property
    def moving(self) -> pd.DataFrame:
        """The flips that change the ranking: order, ties or top."""
        rows = self.flips
        return rows[(rows["tau"] < 1).fillna(False) | rows["top_changed"]]

    def summary(self) -> str:
        """One sentence: how many disputes matter to the ranking, and which most?"""
        basis = f"{self.measure} under {self.gold}, {self.n_systems} systems, {self.n_topics} topics"
        if not self.n_disputed:
            return f"Nothing to adjudicate: no document of the topics of {self.gold} is disputed ({basis})."
        moving = self.moving
        answer = f"{_n_documents(moving)} of {self.n_disputed} disputed documents would change the ranking alone"
        return f"{answer} ({basis}){_most(moving.iloc[0]) if len(moving) else ''}."

    def tables(self) -> dict[str, pd.DataFrame]:
        """The one table by its name, unrounded: flips."""
        return {"flips": self.flips}

    def to_frame(self) -> pd.DataFrame:
        """The flips."""
        return self.flips

    def to_dict(self) -> dict:
        """All figures, as JSON can hold them; None where one is undefined."""
        said = ("measure", "gold", "n_systems", "n_topics", "n_disputed", "n_skipped")
        figures = {name: getattr(self, name) for name in said} | {"skipped_topics": list(self.skipped_topics)}
        return figures | {"summary": self.summary(), "flips": records(self.flips)}


def leverage(
    runs,
    judgements: pd.DataFrame,
    measure: str | Measure,
    gold,
    *,
    scale: Sequence | None = None,
    collection_size: int | None = None,
) -> Leverage:
    """How much flipping each disputed document to the grade of one of its judges moves the ranking.

    Parameters
    ----------
    runs : DataFrame, iterable of DataFrame, or RankedRuns
        As for `agreement.effectiveness.prepare`.
    judgements : DataFrame
        Columns assessor, query_id, doc_id, relevance (numbers), and perhaps repeat, of which only 0 counts. -1 and
        missing are no judgement.
    measure : str or Measure
        As for `agreement.effectiveness.parse_measure`.
    gold : DataFrame, or mapping of one name to a DataFrame
        Columns query_id, doc_id, relevance, and perhaps gold: its name.
    scale : sequence of numbers, optional
    collection_size : int, optional
        As for `RankedRuns.under`; some measures need them.

    Returns
    -------
    Leverage

    Raises
    ------
    ValueError
        An unknown measure; more than one gold; judgements that `agreement.ratings` refuses, or that are no numbers;
        runs or a gold that cannot be scored.
    """
    ranked_runs, scored = prepare(runs), parse_measure(measure) if isinstance(measure, str) else measure
    name, truth = _one_gold(gold)
    matrix = ranked_runs.under(truth, scale, collection_size)
    rescoring = Rescoring(ranked_runs, scored, matrix)
    disputed = _disputed(judgements, scale)
    there = disputed["query_id"].isin(matrix.query_ids)
    flips = _flips(disputed[there], grades_of(truth))
    scores = scored(matrix)
    before = scores.mean(axis=1) if scores.size else np.zeros(len(scores))
    better = -1 if scored.lower_is_better else 1
    gains = _gains(flips, grades_of(truth), rescoring) / max(len(matrix.query_ids), 1)
    return Leverage(
        measure=scored.name,
        gold=name,
        n_systems=len(matrix.systems),
        n_topics=len(matrix.query_ids),
        n_disputed=_n_documents(disputed[there]),
        skipped_topics=tuple(sorted(disputed["query_id"][~there].unique())),
        n_skipped=_n_documents(disputed[~there]),
        flips=_ordered(pd.concat([flips, _moved(better * before, better * gains)], axis=1)),
    )


def _one_gold(gold) -> tuple[str, pd.DataFrame]:
    golds = as_golds(gold)
    if len(golds) > 1:
        raise ValueError(f"the ranking is that of one gold; got {', '.join(golds)}")
    return next(iter(golds.items()))


def _most(flip: pd.Series) -> str:
    pairs = "1 pair" if flip["pairs_swapped"] == 1 else f"{flip['pairs_swapped']} pairs"
    tau = format_value(None if flip["reason"] else flip["tau"], flip["reason"])
    where = f"document {flip['doc_id']} of topic {flip['query_id']}"
    return f"; {where} most: grade {flip['grade']:g} swaps {pairs} of systems (tau_b {tau})"


def _n_documents(rows: pd.DataFrame) -> int:
    return len(rows[["query_id", "doc_id"]].drop_duplicates())


def _disputed(judgements: pd.DataFrame, scale: Sequence | None) -> pd.DataFrame:
    """Every disputed document with each of its grades: query_id, doc_id, grade, judges; by these, ascending."""
    frame = first_judgements(judgements)
    if scale is not None:
        positions_on(checked_scale(scale), frame)  # refuses a grade that is off the scale
    frame = frame[~not_judged(frame["relevance"])]
    frame = frame.assign(grade=pd.to_numeric(frame["relevance"]).astype(np.float64)).sort_values("assessor")
    by_grade = frame.groupby(["query_id", "doc_id", "grade"])["assessor"].agg(", ".join).rename("judges").reset_index()
    return by_grade[by_grade.duplicated(["query_id", "doc_id"], keep=False)].reset_index(drop=True)


def _flips(disputed: pd.DataFrame, gold: dict[str, pd.Series]) -> pd.DataFrame:
    """The disputed grades that the gold has not; with gold_grade, nan where it does not have the document."""
    known = pd.concat(gold, names=["query_id", "doc_id"]).rename("gold_grade") if gold else pd.Series(name="gold_grade")
    flips = disputed.join(known, on=["query_id", "doc_id"]) if gold else disputed.assign(gold_grade=np.nan)
    flips = flips[flips["grade"] != flips["gold_grade"]].reset_index(drop=True)
    return flips[["query_id", "doc_id", "gold_grade", "grade", "judges"]]


def _gains(flips: pd.DataFrame, gold: dict[str, pd.Series], rescoring: Rescoring) -> np.ndarray:
    """What each flip adds to the score of every system on its topic, shape (n_flips, n_systems)."""
    gains = np.zeros((len(flips), len(rescoring.runs.systems)))
    told = rescoring.told_apart(flips[["gold_grade", "grade"]].to_numpy(np.float64))
    counting = flips[(told[:, 0] != told[:, 1])]
    for query_id, rows in counting.groupby("query_id"):
        doc_ids = gold[query_id].index.union(pd.Index(rows["doc_id"].unique()))
        grades = np.tile(gold[query_id].reindex(doc_ids).to_numpy(), (len(rows) + 1, 1))
        grades[np.arange(len(rows)), doc_ids.get_indexer(rows["doc_id"])] = rows["grade"]
        scores = rescoring.scores(query_id, doc_ids, grades)
        gains[rows.index] = (scores[:, :-1] - scores[:, -1:]).T
    return gains


def _moved(before: np.ndarray, gains: np.ndarray) -> pd.DataFrame:
    """How the ranking moves where the means, higher better, gain so much, shape (n_flips, n_systems)."""
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
            "tau": pd.array(tau.values, dtype="Float64"),
            "reason": pd.Series(np.where(tau.defined, None, tau.reason), dtype=object),
            "pairs_swapped": swapped,
            "top_changed": top,
            "largest_change": np.abs(gains).max(axis=1, initial=0),
        }
    ).assign(tau=lambda frame: frame["tau"].mask(~tau.defined))


def _signs(scores: np.ndarray) -> np.ndarray:
    """As `order_signs`, for many rankings; shape (n_rankings, n_systems, n_systems)."""
    gaps = scores[:, :, None] - scores[:, None, :]
    return (gaps >= TIE).astype(np.int8) - (gaps <= -TIE).astype(np.int8)


def _ordered(flips: pd.DataFrame) -> pd.DataFrame:
    flips = flips.sort_values(list(ORDER), ascending=list(ORDER.values()), ignore_index=True)
    for column in ("gold_grade", "grade"):
        flips[column] = as_grades(flips[column].to_numpy(np.float64))
    return flips.astype({"query_id": "str", "doc_id": "str", "judges": "str"})
