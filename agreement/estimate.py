"""The result of a statistic: a number with what it is based on, or the reason why there is no number.

`status` is "ok" or "undefined". An undefined estimate has `value` None and one of these reasons:

============== ====================================================================
reason         meaning
============== ====================================================================
one_category   all judgements have the same grade, so chance explains the agreement
no_overlap     no item was judged by two judges
one_assessor   there is no second judge
empty          there is no judgement
no_identities  only counts are known, not who gave which grade
one_run        the spread of a group needs two runs
one_system     a rank correlation needs two systems
few_systems    an interval of a rank correlation needs five systems
all_tied       all systems have the same score under one of the golds
no_topics      two golds have no topic in common
ties           systems are tied, and the coefficient has no correction for ties
no_relevant    the set of relevant documents in the denominator is empty
no_nonrelevant the set of nonrelevant documents in the denominator is empty
============== ====================================================================

Tests, benchmarks and analyses of variance have further reasons: "no_disagreement" (the judges agree on all items),
"singular" (the differences of the totals have a singular covariance matrix), "no_standard_error" (the estimate has no
interval), "one_item" (only one item was judged by all), "no_variance" (a denominator of variances is 0),
"no_replicates" (the interaction of systems and topics has no F test), "no_second_document" (no topic has two
documents), "no_second_judge" (no item has two judges), "no_prediction" (a rule of golds predicts no judgement) and
"no_common" (no judgement that all rules predict).

Such data are normal during a judging campaign, so they give a result and not an error. An undefined estimate still has
`observed` and `n` where they exist.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from agreement.intervals.defaults import IntervalRequest, interval_request
from agreement.reasons import REASONS
from pooling.result import Result
from pooling.words import count, percent

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from agreement.intervals.paired_difference import PairedParts

ALPHA = "krippendorff_alpha"


class ConfidenceInterval(NamedTuple):
    """The limits of an interval."""

    low: float
    high: float


class Source(Protocol):
    """The data of an estimate: computes its intervals."""

    def with_interval(self, request: IntervalRequest) -> "Estimate":
        """The estimate with the requested interval."""

    def paired_parts(self) -> "PairedParts":
        """The coefficient with each topic and each item left out once."""


@dataclass(frozen=True, repr=False)
class Estimate(Result):
    """A coefficient with what it is based on.

    The functions of this package return estimates; callers only read them. ``str(estimate)`` is a line of text with the
    value, the interval, n and the convention. ``float(estimate)`` is the value, and raises ValueError with the reason
    if there is none; so do ``round(estimate, 2)`` and the comparisons ``<``, ``<=``, ``>`` and ``>=`` of values.
    ``f"{estimate:.2f}"`` is the formatted value, or "undefined (...)" with the reason.

    Parameters
    ----------
    value : float or None
        The coefficient, not rounded; None if it is undefined.
    coefficient : str
        The name of the coefficient, such as "pooled_kappa".
    status : {"ok", "undefined"}
        Whether there is a value.
    reason : str or None
        Why there is no value: "one_category", "no_overlap", "one_assessor", "empty", "no_identities", "one_system",
        "all_tied", "no_topics", "one_topic", "no_relevant", "no_nonrelevant", "one_item" or "no_variance".
        None if there is a value.
    observed, expected : float or None
        P(A), the observed agreement, and P(E), the agreement expected by chance, both in [0, 1]. For Krippendorff's
        alpha the observed and the expected disagreement, Do and De, in the unit of its metric. None if the coefficient
        has none.
    n : int or None
        Number of items used, that is items with two or more judgements; for a rank correlation, the number of systems.
        None if only proportions are known.
    n_values : int or None
        Number of judgements used.
    n_dropped : int
        Number of items left out because only one of the compared judges judged them.
    assessors : tuple of str
        The compared judges; empty if only counts are known.
    topics : tuple of str
        The query_ids of the items used; empty if only counts are known.
    convention : str
        The model of chance ("pooled" or "unpooled"), the weights, and how topics and pairs were combined.
    n_averaged : int or None
        For a mean, the number of averaged values. `n`, `observed` and `topics` of a mean are those of these values.
    averaged : str
        For a mean, what was averaged, in the singular: "topic" or "pair".
    skipped : tuple of (str, str)
        For a mean, the topics or pairs left out because they have no value, each with the reason.
    band : {"good", "fair", "dubious"} or None
        The band of a kappa; None for other coefficients and if the value is undefined.
    se : float or None
        Standard error by the `method` of the interval; None without an interval.
    se_null : float or None
        Standard error under the assumption that the judges agree only by chance. Use it to test this assumption,
        not to compute an interval.
    low, high : float or None
        The limits of the interval; None without an interval.
    confidence : float or None
        The confidence level of the interval, between 0 and 1, such as 0.95.
    method : str or None
        How the interval was computed, with the number of draws and the seed.
    warnings : tuple of str
        Reasons for caution, such as "n < 100".
    source : Source or None
        The data from which `interval` computes limits; None if there are none. Files and pickles do not contain it, and
        estimates are equal without it.

    Examples
    --------
    >>> from agreement import cohen_kappa
    >>> kappa = cohen_kappa([[300, 20], [10, 70]])
    >>> kappa.value
    0.7761194029850746
    >>> kappa.shown(), kappa.band, kappa.n
    ('0.776', 'fair', 400)
    >>> f"{kappa:.2f}"
    '0.78'
    >>> print(cohen_kappa([[5, 0], [0, 0]]))
    cohen kappa undefined (one category), n = 5, P(A) = 1.000, P(E) = 1.000, unpooled
    """

    value: float | None
    coefficient: str
    status: str = "ok"
    reason: str | None = None
    observed: float | None = None
    expected: float | None = None
    n: int | None = None
    n_values: int | None = None
    n_dropped: int = 0
    assessors: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    convention: str = ""
    n_averaged: int | None = None
    averaged: str = ""
    skipped: tuple[tuple[str, str], ...] = ()
    band: str | None = None
    se: float | None = None
    se_null: float | None = None
    low: float | None = None
    high: float | None = None
    confidence: float | None = None
    method: str | None = None
    warnings: tuple[str, ...] = ()
    source: Source | None = field(default=None, repr=False, compare=False)

    def interval(
        self,
        kind: str = "default",
        *,
        confidence: float = 0.95,
        draws: int = 2000,
        seed: int | None = None,
        rng: "np.random.Generator | None" = None,
    ) -> "Estimate":
        """Return the estimate with an interval: how far it may be from the value for all items of the same kind.

        Parameters
        ----------
        kind : {"default", "analytic", "bootstrap", ...}, optional
            The kind of interval:

            * "default": the calibrated one for the data, one of the following;
            * "analytic": from a formula for the standard error;
            * "bootstrap": percentiles of samples of items;
            * "bootstrap_t": from samples of items, each with its own standard error;
            * "bootstrap_t_topics": from samples of whole topics, each with its own standard error;
            * "topics": percentiles of samples of topics and of the items within each topic;
            * "jackknife": each item left out once; for a mean over topics, each topic;
            * "jackknife_fisher": the same with limits on Fisher's scale, atanh(value), which are inside -1 and 1;
            * "jackknife_topics": each topic left out once, which covers the variation between topics without draws; it
              contains the intervals that ignore topics;
            * "goodness_of_fit": the kappas that a chi-squared test does not reject; only for one table of two grades,
              and pooled kappa, Fleiss' kappa or alpha of two judgements of each item, or Cohen's or Conger's kappa of
              two judges who agree on all items;
            * "wilson": Wilson's score interval of P(A); only for one table, and P(A) or Brennan-Prediger without
              weights of two judgements of each item, or any coefficient if all judgements of each item agree.
        confidence : float, optional
            The confidence level, between 0 and 1.
        draws : int, optional
            The number of samples, 2 or more, of intervals that draw at random.
        seed : int, optional
            The seed of intervals that draw at random: "default", "topics" and the three kinds of bootstrap.
        rng : numpy.random.Generator, optional
            A random generator instead of `seed`.

        Returns
        -------
        Estimate
            With `low`, `high`, `se`, `confidence`, `method` and further `warnings`. Unchanged if it is undefined.

        Raises
        ------
        ValueError
            An option is invalid or missing, the kind does not hold for the data, or the estimate has no data: it was
            made from proportions, or read from a file.

        Examples
        --------
        >>> from agreement import cohen_kappa
        >>> kappa = cohen_kappa([[300, 20], [10, 70]]).interval("analytic")
        >>> f"{kappa.low:.3f} to {kappa.high:.3f}"
        '0.700 to 0.852'
        """
        request = interval_request(kind, confidence=confidence, draws=draws, seed=seed, rng=rng)
        if not self.defined:
            return self
        if self.source is None:
            name = self.coefficient.replace("_", " ")
            raise ValueError(f"This {name} has no data to compute an interval from; compute it again from judgements.")
        return self.source.with_interval(request)

    def difference(self, other: "Estimate", *, confidence: float = 0.95) -> "Estimate":
        """Return this coefficient minus another one of the same documents, with an interval.

        The interval is paired: a jackknife leaves out each topic from both coefficients at once. With one topic, it
        leaves out documents.

        Parameters
        ----------
        other : Estimate
            The other coefficient: of other judges, with other options, or another coefficient. It must be of the same
            documents; `agreement.kappa_difference` chooses the documents that all judges judged.
        confidence : float, optional
            The confidence level, between 0 and 1.

        Returns
        -------
        Estimate
            `value` is the difference, `n` the number of documents, `topics` their topics, and `convention` names what
            was compared. Undefined with the reason of the first of both that is undefined.

        Raises
        ------
        ValueError
            The estimates are of different documents, or one has no data: it was made from a table or from proportions,
            or read from a file.

        References
        ----------
        S. Vanbelle and A. Albert (2008). A bootstrap method for comparing correlated kappa coefficients. Journal of
        Statistical Computation and Simulation 78(11), 1009-1015.

        Examples
        --------
        >>> from agreement import Ratings, cohen_kappa
        >>> rows = [[0, 1, 1, 0, 1, 0, 0, 1], [0, 1, 1, 0, 1, 0, 1, 1], [1, 0, 1, 0, 0, 0, 1, 1]]
        >>> ratings = Ratings.from_matrix(rows, (0, 1), ("ann", "bob", "eve"), axis="assessors")
        >>> change = cohen_kappa(ratings, "ann", "bob").difference(cohen_kappa(ratings, "ann", "eve"))
        >>> f"{change.value:.3f}, {change.low:.3f} to {change.high:.3f}, n = {change.n}"
        '0.750, -0.211 to 1.711, n = 8'
        """
        from agreement.intervals.paired_difference import difference

        return difference(self, other, confidence)

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"source": None}

    @property
    def defined(self) -> bool:
        """Whether there is a value."""
        return self.status == "ok"

    @property
    def left_out(self) -> str:
        """For a mean, how many values were left out and why, such as "3 topics left out: one category"; else empty."""
        return left_out([reason for _, reason in self.skipped], self.averaged)

    @property
    def confidence_interval(self) -> ConfidenceInterval | None:
        """The limits `low` and `high` as a pair; None without an interval."""
        return None if self.low is None or self.high is None else ConfidenceInterval(self.low, self.high)

    def __float__(self) -> float:
        if self.value is None:
            name = self.coefficient.replace("_", " ")
            raise ValueError(f"{name} is {self.shown()}, so there is no number. Check `defined` first.")
        return self.value

    def __lt__(self, other: object) -> bool:
        return NotImplemented if not isinstance(other, Estimate | float | int) else float(self) < float(other)

    def __le__(self, other: object) -> bool:
        return NotImplemented if not isinstance(other, Estimate | float | int) else float(self) <= float(other)

    def __gt__(self, other: object) -> bool:
        return NotImplemented if not isinstance(other, Estimate | float | int) else float(self) > float(other)

    def __ge__(self, other: object) -> bool:
        return NotImplemented if not isinstance(other, Estimate | float | int) else float(self) >= float(other)

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        return self.shown() if self.value is None else format(self.value, spec)

    def shown(self, digits: int = 3) -> str:
        """The value as text.

        Parameters
        ----------
        digits : int, optional
            Number of decimals, 0 or more.

        Returns
        -------
        str
            The rounded value, such as "0.776", or "undefined (one category)" with the reason.
        """
        return format_value(self.value, self.reason, digits)

    def __str__(self) -> str:
        observed, expected = ("Do", "De") if self.coefficient == ALPHA else ("P(A)", "P(E)")
        parts = [f"{self.coefficient.replace('_', ' ')} {self.shown()}"]
        parts += [self.band] if self.band else []
        parts += [self._interval()] if self.low is not None else []
        parts += [f"n = {self.n}"] if self.n is not None else []
        parts += [f"{self.n_dropped} dropped"] if self.n_dropped else []
        parts += [f"{observed} = {self.observed:.3f}"] if self.observed is not None else []
        parts += [f"{expected} = {self.expected:.3f}"] if self.expected is not None else []
        parts += [self.convention] if self.convention else []
        parts += [self._mean()] if self.n_averaged is not None else []
        return ", ".join([*parts, *self.warnings])

    def _mean(self) -> str:
        of = count(self.n_averaged or 0, self.averaged or "value")
        return f"mean of {of}, {self.left_out or 'none left out'}"

    def _interval(self) -> str:
        level = "" if self.confidence is None else f"{percent(self.confidence)} "
        method = "" if self.method is None else f" ({self.method})"
        return f"{level}interval {format_value(self.low)} to {format_value(self.high)}{method}"

    def to_frame(self) -> "pd.DataFrame":
        """One row with the figures.

        Returns
        -------
        DataFrame of shape (1, 13)
            coefficient, value, low, high, confidence, se, observed, expected (Float64; NA if there is none), n,
            n_dropped (Int64), status, reason (NA if there is a value) and convention.
        """
        import pandas as pd  # slow to import

        names = ("coefficient", "value", "low", "high", "confidence", "se", "observed", "expected", "n", "n_dropped")
        row = {name: getattr(self, name) for name in (*names, "status", "reason", "convention")}
        types = dict.fromkeys(names[1:8], "Float64") | dict.fromkeys(names[8:], "Int64")
        return pd.DataFrame([row]).astype({**types, "reason": "string"})

    def _sentence(self) -> str:
        return str(self)

    def _paper_table(self) -> "pd.DataFrame":
        import pandas as pd  # slow to import

        from pooling.text_tables import rounded

        interval = "" if self.low is None else f"[{format_value(self.low)}, {format_value(self.high)}]"
        name = "interval" if self.confidence is None else f"{percent(self.confidence)} interval"
        row = {"coefficient": self.coefficient.replace("_", " "), "value": self.shown(), name: interval, "n": self.n}
        return rounded(pd.DataFrame([row | {"P(A)": self.observed, "convention": self.convention}]))

    def __repr__(self) -> str:
        return f"Estimate: {self}"

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON values.

        Returns
        -------
        dict
            A key for each parameter of the class; tuples are lists.
        """
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "source"}
        lists = {name: list(value) for name, value in values.items() if isinstance(value, tuple)}
        return values | lists | {"skipped": [list(pair) for pair in self.skipped]}


def left_out(reasons: Iterable[str], noun: str) -> str:
    """How many values a mean leaves out, and why.

    Examples
    --------
    >>> left_out(["one_category", "no_overlap", "one_category"], "pair")
    '3 pairs left out: 2 one category, 1 no overlap'
    """
    numbers = Counter(reasons)
    if not numbers:
        return ""
    words = [f"{number} {REASONS[reason]}" for reason, number in numbers.items()]
    why = ", ".join(words) if len(numbers) > 1 else REASONS[next(iter(numbers))]
    return f"{count(numbers.total(), noun or 'value')} left out: {why}"


def undefined(coefficient: str, reason: str, **fields: Any) -> Estimate:
    """An estimate without a value; `reason` is a key of `REASONS`, and `fields` are other fields of `Estimate`."""
    if reason not in REASONS:
        raise ValueError(f"reason must be one of {', '.join(REASONS)}, not {reason!r}.")
    return Estimate(None, coefficient, status="undefined", reason=reason, **fields)


def format_value(value: float | None, reason: str | None = None, digits: int = 3) -> str:
    """A value rounded for display, or "undefined (...)" if `reason` is a key of `REASONS` or there is no value."""
    if reason is not None or value is None:
        return f"undefined ({REASONS[reason]})" if reason else "undefined"
    return f"{value:z.{digits}f}"
