"""How far a model judge agrees with itself: the same pairs asked several times.

A pair of topic and document is asked several times, with nothing changed. Each asking (`repeat`) counts as a judge of
its own, so that the figures are those of any number of judges:

identical
    Share of identical grades among two answers to the same pair, mean over the pairs
    (`agreement.coefficients.many_judges`).
krippendorff_alpha
    Ordinal on more than two grades, nominal on two.
same, of each grade
    Share of this grade among the other answers to the pairs of answers with this grade.
kappa, of each grade
    Fleiss' kappa of this grade against all others.
spread
    Highest position on the scale less lowest one, among the answers to a pair.

Pairs with fewer than two grades have none of these figures. An answer that cannot judge has no grade; a pair with a
grade in one answer and none in another is *unsteady*, and is counted apart.

Intervals leave out each topic once; if there is one topic, each pair.

References
----------
K. Krippendorff (2019). Content Analysis, 4th edition, section 12.3. Sage.
J. L. Fleiss (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76(5), 378-382.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.checks import described, level, plain
from agreement.coefficients.alpha import krippendorff_alpha
from agreement.coefficients.many_judges import fleiss_kappa_by_grade
from agreement.coefficients.two_judges import percent_agreement
from agreement.estimate import Estimate
from agreement.judgements import Grade
from agreement.ratings import MISSING, Ratings
from pooling.inputs import Input, as_gold
from pooling.result import Result
from pooling.text_tables import rounded
from pooling.words import count, percent

PAIR = ["query_id", "doc_id"]


@dataclass(frozen=True, eq=False, repr=False)
class RepeatAgreement(Result):
    """The agreement of a model judge with itself; returned by `repeat_agreement`.

    Attributes
    ----------
    identical, alpha : Estimate
        Share of identical pairs of answers, and Krippendorff's alpha, each with an interval; undefined with a reason
        if no pair has two grades.
    by_grade : DataFrame
        grade; n, the answers with it to pairs with two or more grades; same, the share of this grade among the other
        answers to these pairs (NA if n is 0); kappa, that of this grade against the others (NA if undefined).
    spreads : DataFrame
        spread, in positions on the scale from 0; n, the pairs with this spread; share.
    pairs : DataFrame
        query_id, doc_id, answers, grades (how many of the answers have one), lowest, highest and spread (NA without a
        grade), identical (share of identical grades among two answers; NA with fewer than two grades), the widest
        spread first.
    repeats : tuple of str
        The names of the askings.
    """

    identical: Estimate
    alpha: Estimate
    by_grade: pd.DataFrame
    spreads: pd.DataFrame
    pairs: pd.DataFrame
    repeats: tuple[str, ...]

    @property
    def n_compared(self) -> int:
        """How many pairs have two or more grades."""
        return int((self.pairs["grades"] > 1).sum())

    @property
    def n_unsteady(self) -> int:
        """How many pairs have a grade in one answer and none in another."""
        return int(((self.pairs["grades"] > 0) & (self.pairs["grades"] < self.pairs["answers"])).sum())

    @property
    def n_cannot_judge(self) -> int:
        """How many answers have no grade."""
        return int((self.pairs["answers"] - self.pairs["grades"]).sum())

    def to_frame(self) -> pd.DataFrame:
        """Return the two figures with their limits, one row each."""
        frame = pd.concat([self.identical.to_frame(), self.alpha.to_frame()], ignore_index=True)
        frame["coefficient"] = ["identical", "krippendorff_alpha"]
        frame["caution"] = ["; ".join(each.warnings) for each in (self.identical, self.alpha)]
        return frame[["coefficient", "value", "low", "high", "confidence", "n", "status", "reason", "caution"]]

    def tables(self) -> dict[str, pd.DataFrame]:
        """The tables by name."""
        return {"repeats": self.to_frame(), "by_grade": self.by_grade, "spreads": self.spreads, "pairs": self.pairs}

    def summary(self) -> str:
        """How often two answers to the same pair are identical, and how far they differ."""
        asked = f"{count(len(self.pairs), 'pair')} asked {count(len(self.repeats), 'time')}"
        if not self.identical.defined:
            return f"Self-agreement is {self.identical.shown()}: {asked}.{self._without_grade()}"
        return (
            f"Two answers to the same pair have the same grade in {self.identical.value:.1%} of cases{self._limits()},"
            f" alpha is {self.alpha.shown()} ({asked}, {self.n_compared:,} with two grades or more)."
            f"{self._far()}{self._without_grade()}"
        )

    def _far(self) -> str:
        far = int(self.spreads.loc[self.spreads["spread"] > 1, "n"].sum())
        verb = "have" if far > 1 else "has"
        return f" {count(far, 'pair', zero='no').capitalize()} {verb} grades more than one step apart."

    def _limits(self) -> str:
        found = self.identical
        if found.low is None or found.high is None or found.confidence is None:
            return ""
        return f" ({percent(found.confidence)} interval {found.low:.1%} to {found.high:.1%})"

    def _without_grade(self) -> str:
        if not self.n_cannot_judge:
            return ""
        return (
            f" {count(self.n_cannot_judge, 'answer')} without a grade; {count(self.n_unsteady, 'pair', zero='no')} with"
            " a grade in one answer and none in another."
        )

    def _sentence(self) -> str:
        return self.summary()

    def _paper_table(self) -> pd.DataFrame:
        return rounded(self.to_frame()[["coefficient", "value", "low", "high", "n"]])


def repeat_agreement(answers: Input, scale: Sequence[Grade], *, confidence: float = 0.95) -> RepeatAgreement:
    """Measure how far a model judge agrees with itself.

    Parameters
    ----------
    answers : table
        Columns query_id, doc_id, repeat (whole numbers from 0) and relevance; -1, NaN or None means "cannot judge".
        `pooling.models.answers_frame` makes it.
    scale : sequence of int, float or str
        The grades, lowest first.
    confidence : float, optional
        Level of the intervals, between 0 and 1.

    Returns
    -------
    RepeatAgreement

    Raises
    ------
    ValueError
        A column is missing, a repeat is no whole number from 0, a grade is not on the scale, or a pair has two answers
        with the same repeat.

    References
    ----------
    K. Krippendorff (2019). Content Analysis, 4th edition, section 12.3. Sage.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.trust import repeat_agreement
    >>> rows = [("1", doc_id, repeat, grade) for repeat, grades in enumerate(([0, 1, 2, 2], [0, 1, 2, 0]))
    ...         for doc_id, grade in zip("abcd", grades)]
    >>> found = repeat_agreement(pd.DataFrame(rows, columns=["query_id", "doc_id", "repeat", "relevance"]), (0, 1, 2))
    >>> found.identical.value, found.spreads["n"].tolist()
    (0.75, [3, 0, 1])
    >>> found.by_grade["same"].tolist()
    [0.6666666666666666, 1.0, 0.6666666666666666]
    """
    frame = as_gold(answers)
    if missing := [name for name in (*PAIR, "repeat", "relevance") if name not in frame.columns]:
        raise ValueError(f"The answers need the columns query_id, doc_id, repeat and relevance; missing: {missing[0]}.")
    frame = frame.assign(assessor=_repeat_names(frame["repeat"]))
    twice = frame.duplicated(["assessor", *PAIR])
    if twice.any():
        row = frame[twice].iloc[0]
        raise ValueError(f"{described(row, *PAIR)} has two answers with repeat {plain(row['repeat'])}.")
    return agreement_of_askings(frame[["assessor", *PAIR, "relevance"]], scale, confidence)


def checked_repeats(repeats: Input | RepeatAgreement, scale: Sequence[Grade], confidence: float) -> RepeatAgreement:
    """The agreement of repeats that are a table of answers, or a result already."""
    return repeats if isinstance(repeats, RepeatAgreement) else repeat_agreement(repeats, scale, confidence=confidence)


def agreement_of_askings(frame: pd.DataFrame, scale: Sequence[Grade], confidence: float) -> RepeatAgreement:
    """The same for a table of judgements, whose assessors are the askings."""
    confidence = level("confidence", confidence, 0.95)
    ratings = Ratings.from_judgements(frame, scale)
    asked = frame.groupby(PAIR).size()
    pairs = pd.DataFrame({"query_id": ratings.query_ids, "doc_id": ratings.doc_ids})
    pairs["answers"] = asked.reindex(pd.MultiIndex.from_frame(pairs[PAIR])).to_numpy(np.int64)
    pairs["grades"] = ratings.counts.sum(axis=1).astype(np.int64)
    pairs = pairs.join(_spreads_of(ratings))
    pairs["identical"] = _identical_of(ratings)
    identical = percent_agreement(ratings)
    alpha = krippendorff_alpha(ratings, "ordinal" if len(ratings.scale) > 2 else "nominal")
    return RepeatAgreement(
        with_interval(identical, identical.value == 1 or _all_differ(identical, ratings), confidence),
        with_interval(alpha, identical.value == 1, confidence),
        _by_grade(ratings),
        _distribution(pairs.loc[pairs["grades"] > 1, "spread"], len(ratings.scale)),
        pairs.sort_values(["spread", *PAIR], ascending=[False, True, True], ignore_index=True),
        ratings.assessors,
    )


def _repeat_names(column: "pd.Series[int]") -> "pd.Series[str]":
    """The repeats as names that sort like their numbers."""
    numbers = pd.to_numeric(column.astype(object), errors="coerce")
    wrong = ~(numbers.ge(0) & numbers.mod(1).eq(0)).fillna(False)
    if wrong.any():
        raise ValueError(f"repeat must be a whole number of at least 0, not {plain(column[wrong].iloc[0])!r}.")
    texts = numbers.astype("int64").astype("str")
    width = int(texts.str.len().max()) if len(texts) else 1
    return texts.str.zfill(width)


def _all_differ(identical: Estimate, ratings: Ratings) -> bool:
    """Whether several pairs have two different grades each, so that Wilson's interval holds."""
    return identical.value == 0 and (identical.n or 0) > 1 and bool((ratings.counts.sum(axis=1) <= 2).all())


def with_interval(estimate: Estimate, is_extreme: bool, confidence: float) -> Estimate:
    """The estimate with an interval over topics, or over pairs if there is one topic.

    With an extreme share, 0 or 1, all topics are alike, and a jackknife has no width. Wilson's interval has one.
    """
    if is_extreme:
        return estimate.interval("wilson", confidence=confidence)
    if len(estimate.topics) > 1:
        return estimate.interval("jackknife_topics", confidence=confidence)
    return estimate.interval("jackknife", confidence=confidence) if (estimate.n or 0) > 1 else estimate


def _spreads_of(ratings: Ratings) -> pd.DataFrame:
    """The lowest and the highest grade of each pair, and their distance on the scale; NA without a grade."""
    judged = ratings.codes != MISSING
    size = len(ratings.scale)
    lowest = np.where(judged, ratings.codes, size).min(axis=0, initial=size)
    highest = np.where(judged, ratings.codes, -1).max(axis=0, initial=-1)
    known = judged.any(axis=0)
    grades = np.array([*ratings.scale, None], dtype=object)
    return pd.DataFrame(
        {
            "lowest": grades[np.where(known, lowest, size)],
            "highest": grades[np.where(known, highest, size)],
            "spread": pd.Series(highest.astype(np.int64) - lowest, dtype="Int64").where(pd.Series(known)),
        }
    )


def _identical_of(ratings: Ratings) -> "pd.Series[float]":
    """The share of identical grades among two answers to each pair; NA with fewer than two grades."""
    counts = ratings.counts.astype(np.int64)
    n = counts.sum(axis=1)
    shares = (counts * (counts - 1)).sum(axis=1) / np.maximum(n * (n - 1), 1)
    return pd.Series(shares, dtype="Float64").where(pd.Series(n > 1))


def _distribution(spreads: "pd.Series[int]", size: int) -> pd.DataFrame:
    n = np.bincount(spreads.to_numpy(np.int64), minlength=size)
    shares = pd.Series(n / max(n.sum(), 1), dtype="Float64")
    return pd.DataFrame({"spread": range(size), "n": n, "share": shares if n.sum() else shares.where(shares < 0)})


def _by_grade(ratings: Ratings) -> pd.DataFrame:
    """How often an answer is repeated, by its grade."""
    counts = ratings.shared.counts.astype(np.float64)
    n = counts.sum(axis=0)
    others = np.maximum(counts.sum(axis=1, keepdims=True) - 1, 1)
    again = (counts * (counts - 1) / others).sum(axis=0)
    kappas = [one.value for one in fleiss_kappa_by_grade(ratings).values()]
    return pd.DataFrame(
        {
            "grade": list(ratings.scale),
            "n": n.astype(np.int64),
            "same": pd.Series(again / np.maximum(n, 1), dtype="Float64").where(pd.Series(n > 0)),
            "kappa": pd.Series(kappas, dtype="Float64"),
        }
    )
