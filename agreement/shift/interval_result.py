"""The result of `correlation_intervals`: rank correlations of every two golds with intervals."""

from collections import Counter
from dataclasses import dataclass

import pandas as pd

from agreement.estimate import Estimate
from agreement.reasons import REASONS
from pooling.result import Result
from pooling.words import percent

INTERVALS_OF = ("tau_b", "tau_ap_b", "rbo")


@dataclass(frozen=True, repr=False)
class CorrelationIntervals(Result):
    """Rank correlations of every two golds with intervals; returned by `correlation_intervals`.

    Attributes
    ----------
    estimates : tuple of (str, str, Estimate)
        For every two golds tau_b, tau_ap_b and rbo: the names of the golds, and the estimate with `low`, `high`,
        `confidence`, `method`, `topics` and `warnings`; `n` is the number of systems. An estimate without an interval
        has no limits.
    reasons : tuple of (str or None)
        For each estimate, why it has no interval: "few_systems", "no_topics", "one_topic" or the reason of the
        estimate; None if it has one.
    resampled : {"topics", "topics and judges"}
        What was resampled.
    draws, seed : int
        Number of draws, and their seed.
    confidence : float
        Level of the intervals.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement import correlation_intervals, shift_from_scores
    >>> rows = [
    ...     (gold, f"system{s}", f"{q}", "AP", s / 40 + (s * q * step % 7) / 10)
    ...     for gold, step in (("nist", 1), ("llm", 3)) for s in range(6) for q in range(12)
    ... ]
    >>> scores = pd.DataFrame(rows, columns=["gold", "system", "query_id", "measure", "value"])
    >>> correlation_intervals(shift_from_scores(scores), seed=1)  # doctest: +NORMALIZE_WHITESPACE
    CorrelationIntervals: 95% intervals: topics resampled, with and without the bias of mean scores (2,000 draws,
    seed 1).
    golds      correlation  value  95% interval     topics  systems
    ---------  -----------  -----  ---------------  ------  -------
    nist, llm  tau_b        0.600  [-0.067, 1.000]      12        6
    nist, llm  tau_ap_b     0.400  [-0.300, 1.000]      12        6
    nist, llm  rbo          0.828  [0.738, 1.000]       12        6
    """

    estimates: tuple[tuple[str, str, Estimate], ...]
    reasons: tuple[str | None, ...]
    resampled: str
    draws: int
    seed: int
    confidence: float

    def estimate(self, gold_a: str, gold_b: str, coefficient: str = "tau_b") -> Estimate:
        """Return one coefficient of two golds with its interval.

        Parameters
        ----------
        gold_a, gold_b : str
            Names of the golds, in either order.
        coefficient : {"tau_b", "tau_ap_b", "rbo"}
            The coefficient.

        Returns
        -------
        Estimate
            With `low`, `high`, `confidence` and `method`, unless there is no interval.

        Raises
        ------
        ValueError
            There are no such golds, or no such coefficient.
        """
        for first, second, one in self.estimates:
            if {first, second} == {gold_a, gold_b} and one.coefficient == coefficient:
                return one
        pairs = ", ".join(dict.fromkeys(f"{first} and {second}" for first, second, _ in self.estimates))
        raise ValueError(
            f"There is no interval of {coefficient!r} between {gold_a!r} and {gold_b!r}. The coefficients are "
            f"{', '.join(INTERVALS_OF)}, and the golds {pairs or 'none'}."
        )

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each two golds and coefficient.

        Returns
        -------
        DataFrame
            gold_a, gold_b, coefficient, estimate, low, high, n_topics, n_systems, method, warnings, reason (why there
            is no interval, else NA).
        """
        rows = [
            {
                "gold_a": a,
                "gold_b": b,
                "coefficient": one.coefficient,
                "estimate": one.value,
                "low": one.low,
                "high": one.high,
                "n_topics": len(one.topics),
                "n_systems": one.n,
                "method": one.method,
                "warnings": "; ".join(one.warnings),
                "reason": reason,
            }
            for (a, b, one), reason in zip(self.estimates, self.reasons, strict=True)
        ]
        numbers = dict.fromkeys(("estimate", "low", "high"), "Float64")
        columns = ["gold_a", "gold_b", "coefficient", *numbers, "n_topics", "n_systems", "method", "warnings", "reason"]
        frame = pd.DataFrame(rows, columns=columns)
        return frame.astype(numbers | {"n_topics": "int64", "n_systems": "int64"} | {"reason": "string"})

    def describe(self) -> str:
        """Return how the intervals were computed, in one sentence."""
        return (
            f"{percent(self.confidence)} intervals: {self.resampled} resampled, with and without the bias of mean "
            f"scores ({self.draws:,} draws, seed {self.seed})."
        )

    def without_interval(self) -> str:
        """Return a sentence on correlations without an interval, with the reasons; empty if all have one."""
        reasons = Counter(REASONS[reason] for reason in self.reasons if reason)
        if not reasons:
            return ""
        why = ", ".join(f"{number} ({words})" for words, number in reasons.items())
        return f" Without interval: {why}; an interval needs five systems and two topics."

    def _sentence(self) -> str:
        return self.describe() + self.without_interval()

    def _paper_table(self) -> pd.DataFrame:
        rows = []
        for a, b, one in self.estimates:
            limits = f"[{one.low:z.3f}, {one.high:z.3f}]" if one.low is not None and one.high is not None else ""
            interval = {f"{percent(self.confidence)} interval": limits}
            named = {"golds": f"{a}, {b}", "correlation": one.coefficient, "value": one.shown()}
            rows.append(named | interval | {"topics": len(one.topics), "systems": one.n})
        return pd.DataFrame(rows)
