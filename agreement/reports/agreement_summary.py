"""The headline of an agreement report: do the judges agree? And the coefficients that compare all judges at once.

The headline averages pooled kappa over the pairs of judges with enough data in common: by default 10 topics, as for
rankings (`agreement.thresholds`), and 50 documents, as many as half of the first 10 documents of these topics. One
sentence below it is about the other pairs. If no pair has enough data, the headline averages over all pairs, and is
preliminary. The tables contain all pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any

import pandas as pd

from agreement.choices import MIN_DOCUMENTS, MIN_TOPICS
from agreement.coefficients.alpha import krippendorff_alpha
from agreement.coefficients.formulas import AGREE, band
from agreement.coefficients.many_judges import conger_kappa, fleiss_kappa
from agreement.coefficients.two_judges import gwet_ac, percent_agreement
from agreement.estimate import Estimate, format_value
from agreement.ratings import Ratings, check_ratings
from agreement.thresholds import Thresholds, preliminary
from pooling.words import count, number_range

MAX_LISTED = 10  # pairs in a sentence


@dataclass(frozen=True)
class PairOfJudges:
    """The pooled kappa of two judges over all topics.

    Attributes
    ----------
    a, b : str
        Names of the judges.
    n, topics : int
        Number of documents that both judged, and of their topics.
    observed : float or None
        P(A), the share of these documents with the same grade; None without a document.
    kappa : float or None
        Pooled kappa; None if it is undefined.
    reason : str or None
        Why kappa is undefined.
    """

    a: str
    b: str
    n: int
    topics: int
    observed: float | None
    kappa: float | None
    reason: str | None

    def listed(self) -> str:
        """Return the pair with its numbers."""
        kappa = format_value(self.kappa, self.reason)
        return f"{self.a} and {self.b} ({count(self.topics, 'topic')}, {count(self.n, 'document')}, kappa {kappa})"


@dataclass(frozen=True)
class AgreementSummary:
    """The headline of an agreement report, and the pairs with too little data; returned by `agreement_summary`.

    Attributes
    ----------
    enough, early : tuple of PairOfJudges
        The pairs with enough data, and the other pairs with a document in common.
    min_topics, min_documents : int
        The topics and documents that a pair needs in common.
    """

    enough: tuple[PairOfJudges, ...]
    early: tuple[PairOfJudges, ...]
    min_topics: int
    min_documents: int

    def is_early(self, a: str, b: str) -> bool:
        """Return whether two judges have too few documents or topics in common."""
        return frozenset((a, b)) not in self._judges_with_enough

    @cached_property
    def _judges_with_enough(self) -> set[frozenset[str]]:
        return {frozenset((pair.a, pair.b)) for pair in self.enough}

    @property
    def preliminary(self) -> bool:
        """Whether no pair has enough data, so that the headline is preliminary."""
        return not self.enough

    @property
    def compared(self) -> tuple[PairOfJudges, ...]:
        """The pairs of the headline: those with enough data, or else all with a document in common."""
        return self.enough or self.early

    @property
    def defined(self) -> tuple[PairOfJudges, ...]:
        """The pairs of the headline that have a kappa."""
        return tuple(pair for pair in self.compared if pair.kappa is not None)

    @property
    def kappa(self) -> float | None:
        """The mean pooled kappa of the headline; None without a pair that has one."""
        return fmean(pair.kappa for pair in self.defined if pair.kappa is not None) if self.defined else None

    @property
    def band(self) -> str | None:
        """The band of this kappa."""
        return None if self.kappa is None else band(self.kappa)

    @property
    def thresholds(self) -> Thresholds:
        """The data that an answer needs."""
        return Thresholds(self.min_topics, min_documents=self.min_documents)

    def headline(self, limits: tuple[float, float] | None = None) -> str:
        """Return one answer to the question whether the judges agree; `limits` are those of the mean kappa."""
        if not self.compared:
            return f"Cannot be determined: no two judges have judged the same documents. {self.needed()}"
        defined, kappa = self.defined, self.kappa
        if kappa is None:
            return self._undefined()
        observed = fmean(pair.observed for pair in defined if pair.observed is not None)
        grade = band(kappa)
        answer = (
            f"The judges agree {AGREE[grade]}: on average, a pair agrees on {observed:.0%} of the "
            f"documents that both judged. Pooled kappa, which corrects for chance, is {kappa:z.2f} "
            f"({_interval(limits)}{grade}) over {count(len(defined), 'pair')} with {_in_common(defined)}."
        )
        if not self.preliminary:
            return answer
        return preliminary(answer, self.there_is(), self.thresholds.tag_of_judges())

    def left_out(self) -> list[str]:
        """Return the sentences about the pairs that the headline does not use: one for all with too little data."""
        undefined = [pair for pair in self.compared if pair.kappa is None]
        lines = [f"Kappa cannot be determined for {_listed(undefined)}."] if undefined else []
        if self.preliminary or not self.early:
            return lines
        return [*lines, f"Preliminary for {self._few()}; {self.thresholds.tag_of_judges()}."]

    def preliminary_pairs(self) -> list[str]:
        """Return each pair with too little data, with its numbers."""
        return [f"{pair.listed()}." for pair in self.early]

    def needed(self) -> str:
        """Return the sentence that states what a pair needs."""
        return self.thresholds.needed_by_judges()

    def there_is(self) -> str:
        """Return what the pairs of the headline have in common."""
        return _in_common(self.compared)

    def _undefined(self) -> str:
        """The headline if no pair has a kappa."""
        reason = format_value(None, self.compared[0].reason)
        if self.preliminary:
            data = f"{_in_common(self.compared)} in {count(len(self.compared), 'pair')} of judges"
            return f"Cannot be determined: kappa is {reason} with {data}. {self.needed()}"
        return f"Cannot be determined: kappa is {reason} for every pair of judges with enough documents in common."

    def _few(self) -> str:
        """The pairs with too little data: the only one, or the ranges of their numbers."""
        if len(self.early) == 1:
            return self.early[0].listed()
        kappas = sorted(pair.kappa for pair in self.early if pair.kappa is not None)
        texts = list(dict.fromkeys(format_value(kappa, None) for kappa in kappas[:1] + kappas[-1:]))
        kappa = f", kappa {' to '.join(texts)}" if texts else ""
        return f"{count(len(self.early), 'pair')} of judges: {_in_common(self.early)}{kappa}"


def agreement_summary(
    pairs: pd.DataFrame, min_topics: int = MIN_TOPICS, min_documents: int = MIN_DOCUMENTS
) -> AgreementSummary:
    """Return the headline of an agreement report."""
    thresholds = Thresholds(min_topics, min_documents=min_documents)
    enough: list[PairOfJudges] = []
    early: list[PairOfJudges] = []
    for pair in map(_pair, pairs[pairs["n"] > 0].to_dict("records")):
        (enough if thresholds.met_by_judges(pair.topics, pair.n) else early).append(pair)
    return AgreementSummary(tuple(enough), tuple(early), min_topics, min_documents)


def _in_common(pairs: Sequence[PairOfJudges]) -> str:
    topics = number_range([pair.topics for pair in pairs], "topic")
    return f"{topics} and {number_range([pair.n for pair in pairs], 'document')} in common"


def _interval(limits: tuple[float, float] | None) -> str:
    return "" if limits is None else f"95% interval {limits[0]:z.2f} to {limits[1]:z.2f}; "


def _pair(row: dict[Any, Any]) -> PairOfJudges:
    kappa, observed = (None if pd.isna(row[name]) else float(row[name]) for name in ("pooled_kappa", "observed"))
    reason = row["pooled_kappa_reason"] if kappa is None else None
    names = row["assessor_a"], row["assessor_b"]
    return PairOfJudges(*names, int(row["n"]), int(row["topics"]), observed, kappa, reason)


def _listed(pairs: Sequence[PairOfJudges]) -> str:
    shown = [pair.listed() for pair in pairs[:MAX_LISTED]]
    more = len(pairs) - len(shown)
    return "; ".join([*shown, *([f"{count(more, 'more pair')} in the tables"] if more else [])])


def all_judges(ratings: Ratings, interval: str | None = None, seed: int | None = None) -> list[Estimate]:
    """Agreement of all judges over all topics, by all coefficients of any number of judges.

    Parameters
    ----------
    ratings : Ratings
        Any number of assessors and topics, with or without missing judgements.
    interval : {None, "default", "analytic", "bootstrap", ...}, optional
        The kind of interval:

        * None: no interval;
        * "default": the calibrated one for the data, one of the following;
        * "analytic": from a formula for the standard error;
        * "bootstrap": percentiles of samples of items;
        * "bootstrap_t": from samples of items, each with its own standard error;
        * "bootstrap_t_topics": from samples of whole topics, each with its own standard error;
        * "topics": percentiles of samples of topics and of the items within each topic;
        * "jackknife": each item left out once;
        * "jackknife_fisher": the same with limits on Fisher's scale, atanh(value), which are inside -1 and 1;
        * "jackknife_topics": each topic left out once, which covers the variation between topics without draws.
    seed : int, optional
        The seed of intervals that draw at random: "default", "topics" and the three kinds of bootstrap.

    Returns
    -------
    list of Estimate
        Percent agreement, Fleiss' kappa, Conger's kappa, Gwet's AC1, nominal alpha and, on a scale of more than two
        grades, ordinal alpha. Each is undefined with the reason "empty" (no judgement), "one_assessor",
        "no_overlap" (no item has two judgements), "one_category" (all judgements have the same grade; not percent
        agreement and AC1) or, for Conger's kappa, "no_identities" (anonymous counts).

    Raises
    ------
    ValueError
        The interval is unknown, or it draws at random and `seed` is missing.

    Examples
    --------
    >>> from agreement import Ratings, all_judges
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, 0]], (0, 1), ("ada", "bob"))
    >>> [(estimate.coefficient, estimate.shown()) for estimate in all_judges(ratings)][:2]
    [('percent_agreement', '0.750'), ('fleiss_kappa', '0.467')]
    """
    check_ratings(ratings, "all_judges")
    coefficients = (percent_agreement, fleiss_kappa, conger_kappa, gwet_ac)
    levels = ("nominal", "ordinal") if len(ratings.scale) > 2 else ("nominal",)
    estimates = [coefficient(ratings) for coefficient in coefficients]
    estimates += [krippendorff_alpha(ratings, level) for level in levels]
    return [with_interval(estimate, interval, seed) for estimate in estimates]


def with_interval(estimate: Estimate, interval: str | None, seed: int | None) -> Estimate:
    """The estimate, with an interval if one is requested."""
    return estimate if interval is None else estimate.interval(interval, seed=seed)
