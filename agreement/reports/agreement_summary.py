"""The headline of an agreement report: do the judges agree?

The headline averages pooled kappa over the pairs of judges with enough data in common: by default 10 topics, as for
rankings (`agreement.shift.thresholds`), and 50 documents, as many as half of the first 10 documents of these topics.
The other pairs are listed below the headline as "too early to say", with their numbers. The tables contain all pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from statistics import fmean
from typing import Any

import pandas as pd

from agreement.choices import MIN_DOCUMENTS, MIN_TOPICS
from agreement.coefficients.values import AGREE, band
from agreement.estimate import format_value
from pooling.words import count, number_range

MAX_LISTED = 10  # pairs that are listed as too early


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
    """The headline of an agreement report, and the pairs that it leaves out; returned by `agreement_summary`.

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

    def headline(self, limits: tuple[float, float] | None = None) -> str:
        """Return one answer to the question whether the judges agree; `limits` are those of the mean kappa."""
        defined = [pair for pair in self.enough if pair.kappa is not None and pair.observed is not None]
        if not self.enough:
            return f"Too early to say whether the judges agree: {self._most()}"
        if not defined:
            reason = format_value(None, self.enough[0].reason)
            return f"Cannot be determined: kappa is {reason} for every pair of judges with enough documents in common."
        kappa = fmean(pair.kappa for pair in defined if pair.kappa is not None)
        observed = fmean(pair.observed for pair in defined if pair.observed is not None)
        grade = band(kappa)
        topics = number_range([pair.topics for pair in defined], "topic")
        documents = number_range([pair.n for pair in defined], "document")
        rounded = f"{kappa:z.2f} ({_interval(limits)}{grade})"
        return (
            f"The judges agree {AGREE[grade]}: on average, a pair agrees on {observed:.0%} of the "
            f"documents that both judged. Pooled kappa, which corrects for chance, is {rounded} over "
            f"{count(len(defined), 'pair')} with {topics} and {documents} in common."
        )

    def left_out(self) -> list[str]:
        """Return the sentences about the pairs that the headline does not use."""
        undefined = [pair for pair in self.enough if pair.kappa is None]
        lines = [f"Kappa cannot be determined for {_listed(undefined)}."] if undefined else []
        if not self.early:
            return lines
        return [*lines, f"Too early to say for {_listed(self.early)}.", *([self.needed()] if self.enough else [])]

    def needed(self) -> str:
        """Return the sentence that states what a pair needs."""
        topics, documents = count(self.min_topics, "topic"), count(self.min_documents, "document")
        return f"An answer needs at least {topics} and {documents} that both judged."

    def _most(self) -> str:
        """What there is and what is needed, if no pair has enough data."""
        if not self.early:
            return f"no two judges have judged the same documents. {self.needed()}"
        most = max(self.early, key=lambda pair: (pair.n, pair.topics))
        data = f"{count(most.n, 'document')} of {count(most.topics, 'topic')} in common"
        who = "the two judges have" if len(self.early) == 1 else "the pair with the most data has"
        return f"{who} {data}. {self.needed()}"


def agreement_summary(
    pairs: pd.DataFrame, min_topics: int = MIN_TOPICS, min_documents: int = MIN_DOCUMENTS
) -> AgreementSummary:
    """Return the headline of an agreement report."""
    for name, number in (("min_topics", min_topics), ("min_documents", min_documents)):
        if not isinstance(number, Integral) or isinstance(number, bool) or number < 1:
            raise ValueError(f"{name} must be a whole number of at least 1, not {number!r}.")
    enough: list[PairOfJudges] = []
    early: list[PairOfJudges] = []
    for pair in map(_pair, pairs[pairs["n"] > 0].to_dict("records")):
        (enough if pair.topics >= min_topics and pair.n >= min_documents else early).append(pair)
    return AgreementSummary(tuple(enough), tuple(early), min_topics, min_documents)


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
