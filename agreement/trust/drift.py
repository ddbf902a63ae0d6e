"""Has a model judge changed? The same pairs, asked earlier and later.

The fixed set of pairs is asked again after some time, or after a change of the model, the prompt or the endpoint. The
figures are of the pairs with a grade both times:

changed
    Share of pairs whose grade changed: 1 - P(A) (`agreement.percent_agreement`).
difference
    Mean of the later grade minus the earlier one, in grades: the mean of the pairs of a topic, then of the topics.
beyond repeats
    Share of changed pairs minus the share that repeats alone would change: for each pair 1 if it changed, minus the
    share of different grades among two of its repeats; the mean of the pairs of a topic, then of the topics. If
    nothing changed, it is 0 on average, because then two askings are two repeats.

The intervals of the last two are those of Student's t over topics, or over pairs where that is wider; that of the first
leaves out each topic once, or each pair if there is one topic. Pairs without a grade are counted apart.

With runs, the systems are ranked by the earlier and by the later grades (`agreement.shift`). A gold of all pairs keeps
its other grades; without one, the pairs of the fixed set are all that is judged, and the ranking is one of few
documents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from agreement.checks import level
from agreement.coefficients.two_judges import percent_agreement
from agreement.diagnostics.disagreement import confusion
from agreement.effectiveness.measure import MeasureLike, parse_measure
from agreement.effectiveness.ranked_runs import Runs
from agreement.ratings import MISSING, Ratings, first_judgements
from agreement.reasons import REASONS
from agreement.shift.ranking_shift import RankingShift, ranking_shift
from agreement.thresholds import MIN_JUDGED, MIN_TOPICS
from agreement.trust.gaming.finding import LEAST_TOPICS, TopicMean
from agreement.trust.repeats import PAIR, RepeatAgreement, checked_repeats, with_interval
from pooling.inputs import Input, as_gold
from pooling.result import Result
from pooling.text_tables import rounded
from pooling.words import count, percent

BEFORE, AFTER = "before", "after"
BEYOND = "beyond repeats"
SAME = "the same for all pairs"
FEW_TOPICS = f"fewer than {LEAST_TOPICS} topics"
OF_RANKING = ["n_topics", "n_systems", "tau_b", "rms_change", "swapped", "n_pairs", "top_a", "top_b"]
NO_REPEATS = "no pair was also asked repeatedly"


@dataclass(frozen=True, eq=False, repr=False)
class Drift(Result):
    """How the answers of a model judge changed; returned by `drift`.

    Attributes
    ----------
    frame : DataFrame
        One row for each figure ("changed", "difference" and, with repeats, "repeats" and "beyond repeats"): figure,
        value, low, high (NA if there is none), n (pairs), n_topics, and reason, why there is no value or no interval.
    confusion : DataFrame
        before, after and n: how many pairs had one grade and then another.
    changes : DataFrame
        query_id, doc_id, before and after of the pairs that changed, the largest changes first.
    n_without : dict of str to int
        How many pairs have no grade "before" only, "after" only, or "both" times: the model could not judge, or was
        not asked.
    shift : RankingShift or None
        The rankings by the grades before and after; None without runs, or if no pair has a grade both times.
    confidence : float
    """

    frame: pd.DataFrame
    confusion: pd.DataFrame
    changes: pd.DataFrame
    n_without: dict[str, int]
    shift: RankingShift | None
    confidence: float

    def to_frame(self) -> pd.DataFrame:
        """Return `frame`."""
        return self.frame

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables by name; with runs also the ranking, its ranks and the pairs of systems that swap."""
        tables = {"drift": self.frame, "confusion": self.confusion, "changes": self.changes}
        if self.shift is None:
            return tables
        ranking = self.shift.pairs_frame()[OF_RANKING]
        return tables | {"ranking": ranking, "ranks": self.shift.ranks, "swaps": self.shift.swaps()}

    @property
    def is_beyond_repeats(self) -> bool | None:
        """Whether more grades changed than repeats alone would change; None if that is unknown."""
        row = self._row(BEYOND)
        return None if row is None or pd.isna(row["low"]) else bool(row["low"] > 0)

    def summary(self) -> str:
        """How many grades changed, in which direction, whether repeats explain it, and what the ranking does."""
        parts = [self._changed(), self._difference(), self._beyond(), self._without()]
        parts += [] if self.shift is None else [f"Ranking: {self.shift.headline()}"]
        return " ".join(part for part in parts if part)

    def _row(self, figure: str) -> "pd.Series[Any] | None":
        rows = self.frame[self.frame["figure"] == figure]
        return rows.iloc[0] if len(rows) else None

    def _changed(self) -> str:
        row = self.frame.iloc[0]
        if pd.isna(row["value"]):
            return f"Whether grades changed is undefined ({row['reason']})."
        n_changed = len(self.changes)
        limits = "" if pd.isna(row["low"]) else f"; {percent(self.confidence)} interval {_percents(row)}"
        return (
            f"{n_changed:,} of {count(int(row['n']), 'grade')} changed ({row['value']:.1%}{limits};"
            f" {count(int(row['n_topics']), 'topic')})."
        )

    def _difference(self) -> str:
        row = self._row("difference")
        if row is None or pd.isna(row["value"]) or not len(self.changes):
            return ""
        limits = "" if pd.isna(row["low"]) else f" ({row['low']:+.2f} to {row['high']:+.2f})"
        return f"Later grades differ by {row['value']:+.2f} on average{limits}."

    def _beyond(self) -> str:
        row, repeats = self._row(BEYOND), self._row("repeats")
        if row is None or repeats is None:
            return "How many grades repeats alone would change is not known."
        if pd.isna(row["low"]):
            return f"Whether repeats alone would change as many is not known ({row['reason']})."
        is_more = self.is_beyond_repeats
        start = "More changed than repeats alone change" if is_more else "Repeats alone may explain the changes"
        return f"{start}: they change {repeats['value']:.1%}, a difference of {row['value']:+.1%} ({_percents(row)})."

    def _without(self) -> str:
        n = self.n_without
        if not any(n.values()):
            return ""
        return (
            f"Without a grade: {count(n[BEFORE], 'pair')} only before, {count(n[AFTER], 'pair')} only after,"
            f" {count(n['both'], 'pair')} both times."
        )

    def _sentence(self) -> str:
        return self.summary()

    def _paper_table(self) -> pd.DataFrame:
        return rounded(self.frame[["figure", "value", "low", "high", "n", "n_topics"]])


def drift(
    before: Input,
    after: Input,
    scale: Sequence[float],
    *,
    repeats: Input | RepeatAgreement | None = None,
    runs: Runs | None = None,
    gold: Input | None = None,
    measure: MeasureLike = "nDCG@10",
    confidence: float = 0.95,
    min_topics: int = MIN_TOPICS,
    min_judged: float = MIN_JUDGED,
) -> Drift:
    """Compare the answers of a model judge to the same pairs, asked earlier and later.

    Parameters
    ----------
    before, after : table, path or dictionary
        The grades: query_id, doc_id and relevance; -1, NaN or None means "cannot judge". Of answers with a column
        repeat, those with repeat 0 are compared.
    scale : sequence of float
        The grades, lowest first.
    repeats : table or RepeatAgreement, optional
        Answers to some of the pairs that were asked several times with nothing changed (query_id, doc_id, repeat,
        relevance), or the result of `repeat_agreement`.
    runs : runs, optional
        The runs of the systems, to compare their rankings.
    gold : table, path or dictionary, optional
        The other grades of the judge, in which those of the compared pairs are replaced; only with runs.
    measure : str or measure, optional
        The measure that ranks the systems.
    confidence : float, optional
        Level of the intervals, between 0 and 1.
    min_topics : int, optional
        The topics that a sentence on the ranking needs; with fewer, it is preliminary.
    min_judged : float, optional
        The share of the first 10 documents of the systems that must be judged for this, from 0 to 1.

    Returns
    -------
    Drift

    Raises
    ------
    ValueError
        A column is missing, a grade is not on the scale or no number, a pair has two grades, both have no pair in
        common, or an option is out of range.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.trust import drift
    >>> pairs = pd.DataFrame([(f"{q}", f"d{d}") for q in range(4) for d in range(5)], columns=["query_id", "doc_id"])
    >>> before = pairs.assign(relevance=[0, 1, 2, 0, 1] * 4)
    >>> found = drift(before, before.assign(relevance=[0, 1, 2, 1, 2] * 4), (0, 1, 2))
    >>> found.summary()[:31], found.frame["value"].tolist()
    ('8 of 20 grades changed (40.0%; ', [0.4, 0.4])
    """
    confidence = level("confidence", confidence, 0.95)
    _refuse_words(scale)
    if gold is not None and runs is None:
        raise ValueError("gold is for the ranking of systems and needs runs.")
    asked = {name: _answers(grades, name) for name, grades in ((BEFORE, before), (AFTER, after))}
    _refuse_unmatched(asked)
    ratings = Ratings.from_judgements(pd.concat(asked.values(), ignore_index=True), scale)
    table = _table_of(ratings, scale)
    rows = [_changed(ratings, table, confidence), _of_topics("difference", table, "difference", confidence)]
    rows += [] if repeats is None else _beside_repeats(table, checked_repeats(repeats, scale, confidence), confidence)
    options = {"min_topics": min_topics, "min_judged": min_judged}
    return Drift(
        _typed(rows),
        _confusion(ratings),
        _changes(table),
        _without(ratings),
        _shift(runs, gold, table, measure, scale, options) if runs is not None and len(table) else None,
        confidence,
    )


def _percents(row: "pd.Series[Any]") -> str:
    return f"{row['low']:.1%} to {row['high']:.1%}"


def _refuse_words(scale: Sequence[float]) -> None:
    for grade in scale:
        if isinstance(grade, str):
            raise ValueError(f"The scale must have numbers, so that grades have a difference, not {grade!r}.")


def _answers(grades: Input, name: str) -> pd.DataFrame:
    """The pairs that were asked, with a column assessor."""
    frame = as_gold(grades)
    if missing := [column for column in (*PAIR, "relevance") if column not in frame.columns]:
        raise ValueError(f"The grades {name} need the columns query_id, doc_id and relevance; missing: {missing[0]}.")
    if frame.empty:
        raise ValueError(f"The grades {name} have no rows.")
    return first_judgements(frame.assign(assessor=name))[["assessor", *PAIR, "relevance"]]


def _refuse_unmatched(asked: dict[str, pd.DataFrame]) -> None:
    if len(asked[BEFORE][PAIR].merge(asked[AFTER][PAIR], on=PAIR)):
        return
    examples = [
        f"{name} has topic {row['query_id']}, document {row['doc_id']}"
        for name, row in ((name, frame.iloc[0]) for name, frame in asked.items())
    ]
    raise ValueError(f"The grades before and after have no pair in common: {' and '.join(examples)}.")


def _table_of(ratings: Ratings, scale: Sequence[float]) -> pd.DataFrame:
    """The pairs with a grade both times: query_id, doc_id, before, after, changed and difference."""
    first, second = ratings.row(BEFORE), ratings.row(AFTER)
    both = (first != MISSING) & (second != MISSING)
    grades = np.asarray(scale)
    table = pd.DataFrame({"query_id": ratings.query_ids[both], "doc_id": ratings.doc_ids[both]})
    table["before"], table["after"] = grades[first[both]], grades[second[both]]
    table["changed"] = (table["before"] != table["after"]).astype(np.float64)
    table["difference"] = (table["after"] - table["before"]).astype(np.float64)
    return table


def _changed(ratings: Ratings, table: pd.DataFrame, confidence: float) -> dict[str, Any]:
    row: dict[str, Any] = {"figure": "changed", "n": len(table), "n_topics": table["query_id"].nunique()}
    same = percent_agreement(ratings, BEFORE, AFTER)
    if not same.defined:
        return row | {"reason": REASONS[same.reason or ""]}
    same = with_interval(same, same.value == 1 or (same.value == 0 and len(table) > 1), confidence)
    row["value"] = table["changed"].mean()
    if same.low is None or same.high is None:
        return row | {"reason": "one pair"}
    return row | {"low": 1 - same.high, "high": 1 - same.low}


def _of_topics(figure: str, table: pd.DataFrame, column: str, confidence: float) -> dict[str, Any]:
    """The row of a mean over topics."""
    row: dict[str, Any] = {"figure": figure, "n": len(table), "n_topics": table["query_id"].nunique()}
    if not len(table):
        return row | {"reason": REASONS["no_overlap"]}
    by_topic = TopicMean.of(table.groupby("query_id")[column].mean().to_numpy(), confidence)
    by_pair = TopicMean.of(table[column].to_numpy(), confidence)
    row["value"] = by_topic.mean
    if by_topic.low is None or by_pair.low is None:
        return row | {"reason": FEW_TOPICS}
    # never narrower than the interval that ignores topics
    margin = max(by_topic.mean - by_topic.low, by_pair.mean - by_pair.low)
    if not margin:  # the same value everywhere is no proof that it is the same elsewhere
        return row | {"reason": SAME}
    return row | {"low": by_topic.mean - margin, "high": by_topic.mean + margin}


def _beside_repeats(table: pd.DataFrame, repeats: RepeatAgreement, confidence: float) -> list[dict[str, Any]]:
    """What repeats alone change on the same pairs, and how much more changed."""
    known = repeats.pairs.loc[repeats.pairs["identical"].notna(), [*PAIR, "identical"]]
    both = table.merge(known, on=PAIR)
    if both.empty:
        return [{"figure": figure, "n": 0, "n_topics": 0, "reason": NO_REPEATS} for figure in ("repeats", BEYOND)]
    both["alone"] = 1 - both["identical"].astype(np.float64)
    both["beyond"] = both["changed"] - both["alone"]
    return [_of_topics("repeats", both, "alone", confidence), _of_topics(BEYOND, both, "beyond", confidence)]


def _typed(rows: list[dict[str, Any]]) -> pd.DataFrame:
    columns = ["figure", "value", "low", "high", "n", "n_topics", "reason"]
    types = {"value": "Float64", "low": "Float64", "high": "Float64", "reason": "string"}
    return pd.DataFrame(rows, columns=columns).astype(types)


def _confusion(ratings: Ratings) -> pd.DataFrame:
    counts = confusion(ratings, BEFORE, AFTER).to_numpy()
    rows = [(*grades, int(n)) for grades, n in zip(product(ratings.scale, repeat=2), counts.flat, strict=True)]
    return pd.DataFrame(rows, columns=[BEFORE, AFTER, "n"])


def _changes(table: pd.DataFrame) -> pd.DataFrame:
    changed = table[table["changed"] > 0]
    order = changed["difference"].abs().sort_values(ascending=False, kind="stable").index
    return changed.loc[order, [*PAIR, "before", "after"]].reset_index(drop=True)


def _without(ratings: Ratings) -> dict[str, int]:
    no_first, no_second = (ratings.row(name) == MISSING for name in (BEFORE, AFTER))
    return {
        BEFORE: int((no_first & ~no_second).sum()),
        AFTER: int((no_second & ~no_first).sum()),
        "both": int((no_first & no_second).sum()),
    }


def _shift(
    runs: Runs,
    gold: Input | None,
    table: pd.DataFrame,
    measure: MeasureLike,
    scale: Sequence[float],
    options: dict[str, Any],
) -> RankingShift:
    """The rankings by the grades before and after; the other grades of a gold are the same in both."""
    rest = table[PAIR][:0].assign(relevance=0)
    if gold is not None:
        rest = as_gold(gold)[[*PAIR, "relevance"]]
        rest = rest[~rest.set_index(PAIR).index.isin(table.set_index(PAIR).index)]
    golds = {
        name: pd.concat([rest, table[PAIR].assign(relevance=table[name])], ignore_index=True)
        for name in (BEFORE, AFTER)
    }
    parsed = parse_measure(measure)
    options |= {"scale": tuple(scale)} if "highest" in parsed.needs else {}
    return ranking_shift(runs, golds, parsed.name, BEFORE, **options)
