"""Where the variance of the scores comes from: systems, topics, or that systems differ from topic to topic.

The scores of s systems on n topics, one for each system and topic, are analysed as a two-way analysis of variance with
random effects. With m the mean of all scores, a the deviation of a system's mean from m, b that of a topic's mean, and
r what both leave of a score:

    MS(systems)     = n sum a^2 / (s - 1)
    MS(topics)      = s sum b^2 / (n - 1)
    MS(interaction) = sum r^2 / ((s - 1) (n - 1))

The interaction of systems and topics cannot be separated from measurement error, because there is one score for each
system and topic. The variance components are those whose expectations equal these mean squares:

    interaction = MS(interaction)
    systems     = (MS(systems) - MS(interaction)) / n
    topics      = (MS(topics) - MS(interaction)) / s

An estimate below 0 counts as a component of 0. F of systems and of topics is their mean square over that of the
interaction.

A decision study asks how well n' topics of the same kind separate the systems. The generalisability coefficient is
about the order of the systems, and the dependability about their scores:

    generalisability = systems / (systems + interaction / n')
    dependability    = systems / (systems + (topics + interaction) / n')

Both are between 0 and 1. The interval of the generalisability assumes normal scores. With f quantiles of the F
distribution with s - 1 and (s - 1) (n - 1) degrees of freedom, it contains each ratio systems / interaction between
(F / f - 1) / n for the upper and the lower quantile; a limit below 0 counts as 0.

Deviations closer to 0 than 1e-12 are 0.

References
----------
J. Tague-Sutcliffe & J. Blustein (1995). A statistical analysis of the TREC-3 data. TREC-3, 385-398.
D. Banks, P. Over & N.-F. Zhang (1999). Blind men and elephants: six approaches to TREC data. Information Retrieval
1, 7-34.
D. Bodoff & P. Li (2007). Test theory for assessing IR test collections. SIGIR 2007, 367-374.
R. L. Brennan (2001). Generalizability Theory, chapters 2 and 6. Springer.
L. S. Feldt (1965). The approximate sampling distribution of Kuder-Richardson reliability coefficient twenty.
Psychometrika 30(3), 357-370.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

import numpy as np
import pandas as pd

from agreement.checks import choice, float_column, level, whole_number
from agreement.estimate import format_value
from agreement.rank_correlation import TIE
from agreement.significance.pairs import REASONS, checked_scores, score_rows
from pooling.inputs import Input
from pooling.result import Result
from pooling.words import count, percent

SOURCES = ("systems", "topics", "interaction")
COEFFICIENTS = ("generalisability", "dependability")
WORDS = REASONS | {
    "no_systems": "no system",
    "one_system": "only one system",
    "no_variance": "all scores are equal",
}


@dataclass(frozen=True, repr=False)
class VarianceComponents(Result):
    """The variance of scores between systems, topics and their interaction; returned by `variance_components`.

    Attributes
    ----------
    n_systems, n_topics : int
        Numbers of systems and topics.
    mean : float or None
        Mean of all scores; None without scores.
    sums_of_squares : dict of str to float
        Sum of squares of each source: systems, topics and interaction. Empty if undefined.
    estimates : dict of str to float
        Estimate of each variance component, which may be below 0. Empty if undefined.
    confidence : float
        Confidence level of the intervals.
    reason : str or None
        Why there are no components: "no_systems", "one_system", "no_topics", "one_topic" or "no_variance".

    Examples
    --------
    >>> from agreement.meta_evaluation import variance_components
    >>> scores = {"bm25": {"1": 0.5, "2": 0.6, "3": 0.9}, "lsa": {"1": 0.4, "2": 0.4, "3": 0.6}}
    >>> components = variance_components(scores)
    >>> components.decision_study([3, 50])[["n_topics", "generalisability", "dependability"]].round(3)
       n_topics  generalisability  dependability
    0         3             0.917           0.66
    1        50             0.995           0.97
    """

    n_systems: int
    n_topics: int
    mean: float | None
    sums_of_squares: dict[str, float]
    estimates: dict[str, float]
    confidence: float
    reason: str | None

    @property
    def defined(self) -> bool:
        """Whether there are components."""
        return self.reason is None

    @property
    def components(self) -> dict[str, float]:
        """The variance component of each source, 0 or more."""
        return {source: max(estimate, 0.0) for source, estimate in self.estimates.items()}

    @property
    def shares(self) -> dict[str, float]:
        """The share of each source in the sum of the components, 0 to 1."""
        components = self.components
        total = sum(components.values())
        return {source: component / total for source, component in components.items()}

    @property
    def below_zero(self) -> tuple[str, ...]:
        """The sources whose estimate is below 0."""
        return tuple(source for source, estimate in self.estimates.items() if estimate < 0)

    @property
    def df(self) -> dict[str, int]:
        """The degrees of freedom of each source."""
        systems, topics = self.n_systems - 1, self.n_topics - 1
        return dict(zip(SOURCES, (systems, topics, systems * topics), strict=True)) if self.defined else {}

    @property
    def mean_squares(self) -> dict[str, float]:
        """The mean square of each source."""
        return {source: self.sums_of_squares[source] / df for source, df in self.df.items()}

    @property
    def generalisability(self) -> float | None:
        """How well these topics order the systems, 0 to 1; None if undefined."""
        return self._coefficient("generalisability", self.n_topics)

    @property
    def dependability(self) -> float | None:
        """How well these topics determine the scores of the systems, 0 to 1; None if undefined."""
        return self._coefficient("dependability", self.n_topics)

    def to_frame(self) -> pd.DataFrame:
        """The analysis of variance.

        Returns
        -------
        DataFrame
            One row for each source: source, df (Int64), sum_of_squares, mean_square, f, p, estimate (which may be below
            0), component (0 or more) and share (Float64), and reason: why f and p are missing ("no_replicates" or
            "no_variance", the interaction is 0). Without rows if undefined.
        """
        frame = pd.DataFrame({"source": pd.Series(list(self.df), dtype="str")})
        frame["df"] = pd.array(list(self.df.values()), dtype="Int64")
        f, p = self._f_tests()
        by_column = {"sum_of_squares": self.sums_of_squares, "mean_square": self.mean_squares, "f": f, "p": p}
        by_column |= {"estimate": self.estimates, "component": self.components, "share": self.shares}
        for name, values in by_column.items():
            frame[name] = float_column(np.array([values[source] for source in self.df], dtype=np.float64))
        missing = ["no_replicates" if source == SOURCES[2] else "no_variance" for source in self.df]
        reasons = [why if np.isnan(f[source]) else None for source, why in zip(self.df, missing, strict=True)]
        return frame.assign(reason=pd.array(reasons, dtype="string"))

    def decision_study(self, n_topics: Iterable[int] | None = None) -> pd.DataFrame:
        """The coefficients for the mean over other numbers of topics.

        Parameters
        ----------
        n_topics : iterable of int, optional
            Numbers of topics, 1 or more. The default is 5, 10, 25, 50, 100, 250 and the number of topics of the scores.

        Returns
        -------
        DataFrame
            One row for each number: n_topics (int64), generalisability, low and high (limits of its interval) and
            dependability (Float64); NA if the systems do not differ on any topic. Without rows if undefined.

        Raises
        ------
        ValueError
            A number of topics is not a whole number of at least 1.
        """
        usual = sorted({5, 10, 25, 50, 100, 250, max(self.n_topics, 1)})
        numbers = [whole_number("n_topics", each, 1) for each in (usual if n_topics is None else n_topics)]
        numbers = numbers if self.defined else []
        rows = [[self._coefficient(COEFFICIENTS[0], n), *self.interval(n)] for n in numbers]
        frame = pd.DataFrame(rows, columns=["generalisability", "low", "high"], dtype="Float64")
        frame.insert(0, "n_topics", np.array(numbers, dtype=np.int64))
        dependability = [self._coefficient(COEFFICIENTS[1], n) for n in numbers]
        return frame.assign(dependability=pd.array(dependability, dtype="Float64"))

    def interval(self, n_topics: int | None = None) -> tuple[float | None, float | None]:
        """The interval of the generalisability.

        Parameters
        ----------
        n_topics : int, optional
            Number of topics, 1 or more; by default that of the scores.

        Returns
        -------
        (float, float) or (None, None)
            The limits, 0 to 1; None if undefined, and without an interaction.
        """
        n = self.n_topics if n_topics is None else whole_number("n_topics", n_topics, 1)
        if not self.defined or not self.estimates["interaction"]:
            return None, None
        from scipy.special import fdtri  # takes a second to import

        tail = (1 - self.confidence) / 2
        freedom = self.df["systems"], self.df["interaction"]
        quantiles = fdtri(*freedom, 1 - tail), fdtri(*freedom, tail)
        observed = self.mean_squares["systems"] / self.mean_squares["interaction"]
        low, high = (max(float(observed / quantile - 1) / self.n_topics, 0.0) for quantile in quantiles)
        return low / (low + 1 / n), high / (high + 1 / n)

    def topics_needed(self, target: float, coefficient: str = "generalisability") -> int | None:
        """The smallest number of topics with which a coefficient reaches a target.

        Parameters
        ----------
        target : float
            The value to reach, between 0 and 1.
        coefficient : {"generalisability", "dependability"}, optional
            Whether the order of the systems matters, or their scores too.

        Returns
        -------
        int or None
            None if no number is enough, or the components are undefined.

        Raises
        ------
        ValueError
            The target is not between 0 and 1, or the coefficient is unknown.
        """
        target = level("target", target, 0.95)
        choice("coefficient", coefficient, COEFFICIENTS)
        systems = self.components.get("systems", 0.0)
        if not systems:
            return None
        needed = target / (1 - target) * self._error(coefficient) / systems
        return max(ceil(needed - 1e-9), 1)

    def _error(self, coefficient: str) -> float:
        """The variance of the error of one topic."""
        of_scores = self.components["topics"] if coefficient == "dependability" else 0.0
        return self.components["interaction"] + of_scores

    def _coefficient(self, name: str, n_topics: int) -> float | None:
        if not self.defined:
            return None
        systems, error = self.components["systems"], self._error(name) / n_topics
        return systems / (systems + error) if systems + error else None

    def _f_tests(self) -> tuple[dict[str, float], dict[str, float]]:
        """F and p of each source; nan if there is none."""
        unknown = dict.fromkeys(self.df, np.nan)
        if not self.defined or not self.estimates["interaction"]:
            return unknown, unknown
        from scipy.special import fdtrc  # takes a second to import

        squares, df = self.mean_squares, self.df
        f = {source: squares[source] / squares["interaction"] for source in SOURCES[:2]}
        p = {source: float(fdtrc(df[source], df["interaction"], value)) for source, value in f.items()}
        return unknown | f, unknown | p

    def _sentence(self) -> str:
        return self.summary()

    def summary(self) -> str:
        """Return where the variance comes from, and how well the topics order the systems, in a few sentences."""
        basis = f"{count(self.n_systems, 'system', zero='no')}, {count(self.n_topics, 'topic', zero='no')}"
        if self.reason:
            return f"The variance components are undefined ({WORDS[self.reason]}; {basis})."
        shares = self.shares
        lines = [
            f"Of the variance of the scores, {shares['systems']:.1%} is between systems, {shares['topics']:.1%} between"
            f" topics, and {shares['interaction']:.1%} is their interaction ({basis})."
        ]
        lines += [self._generalisability_sentence()]
        if self.below_zero:
            words = "component is" if len(self.below_zero) == 1 else "components are"
            lines += [f"The estimated {words} below 0 and counted as 0: {', '.join(self.below_zero)}."]
        return "\n".join(lines)

    def _generalisability_sentence(self) -> str:
        value = self.generalisability
        if value is None:
            return "The systems have the same scores on every topic, so there is no order of systems to generalise."
        low, high = self.interval()
        interval = (
            ""
            if low is None or high is None
            else (f" ({percent(self.confidence)} interval {format_value(low)} to {format_value(high)})")
        )
        needed = self.topics_needed(0.95)
        more = "" if needed is None else f", and {count(needed, 'topic')} would give 0.95"
        topics = count(self.n_topics, "topic")
        return f"The order of the systems on {topics} has a generalisability of {format_value(value)}{interval}{more}."

    def _paper_table(self) -> pd.DataFrame:
        from pooling.text_tables import rounded

        return rounded(self.to_frame().drop(columns=["estimate", "reason"]))


def variance_components(scores: Input, confidence: float = 0.95) -> VarianceComponents:
    """Divide the variance of scores into that of systems, of topics, and of their interaction.

    Parameters
    ----------
    scores : table or dictionary
        One row for each system (the index) and one column for each topic, such as the result of
        `agreement.score_table` or a table of ``ranking_shift(...).scores``; or a table with the columns system,
        query_id and value, of one gold and one measure.
    confidence : float
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    VarianceComponents
        The analysis of variance, the components and their shares, and the coefficients of generalisability. Undefined
        with fewer than two systems ("no_systems", "one_system") or topics ("no_topics", "one_topic"), and if all
        scores are equal ("no_variance").

    Raises
    ------
    TypeError
        The scores are no table and no dictionary.
    ValueError
        A system or a topic occurs twice, a score is missing or not finite, or the confidence is not between 0 and 1.

    References
    ----------
    D. Banks, P. Over & N.-F. Zhang (1999). Blind men and elephants: six approaches to TREC data. Information Retrieval
    1, 7-34.
    D. Bodoff & P. Li (2007). Test theory for assessing IR test collections. SIGIR 2007, 367-374.

    Examples
    --------
    >>> from agreement.meta_evaluation import variance_components
    >>> scores = {"bm25": {"1": 0.5, "2": 0.6, "3": 0.9}, "lsa": {"1": 0.4, "2": 0.4, "3": 0.6}}
    >>> variance_components(scores).to_frame()[["source", "df", "mean_square", "component", "share"]].round(4)
            source  df  mean_square  component   share
    0      systems   1         0.06     0.0183  0.3929
    1       topics   2       0.0517     0.0233     0.5
    2  interaction   2        0.005      0.005  0.1071
    """
    confidence = level("confidence", confidence, 0.95)
    values = checked_scores(score_rows(scores))
    n_systems, n_topics = values.shape
    mean = float(values.mean()) if values.size else None
    reason = _reason(values)
    sums = {} if reason else _sums_of_squares(values)
    estimates = {} if reason else _estimates(sums, n_systems, n_topics)
    return VarianceComponents(n_systems, n_topics, mean, sums, estimates, confidence, reason)


def _reason(values: np.ndarray) -> str | None:
    """Why there are no components."""
    n_systems, n_topics = values.shape
    if n_systems < 2:
        return "one_system" if n_systems else "no_systems"
    if n_topics < 2:
        return "one_topic" if n_topics else "no_topics"
    return "no_variance" if np.ptp(values) < TIE else None


def _sums_of_squares(values: np.ndarray) -> dict[str, float]:
    mean = values.mean()
    systems = _exact(values.mean(axis=1, keepdims=True) - mean)
    topics = _exact(values.mean(axis=0, keepdims=True) - mean)
    left = _exact(values - mean - systems - topics)
    n_systems, n_topics = values.shape
    sums = n_topics * (systems**2).sum(), n_systems * (topics**2).sum(), (left**2).sum()
    return dict(zip(SOURCES, map(float, sums), strict=True))


def _exact(deviations: np.ndarray) -> np.ndarray:
    """Deviations that are exactly 0 where only rounding differs from 0."""
    return np.where(np.abs(deviations) < TIE, 0, deviations)


def _estimates(sums: dict[str, float], n_systems: int, n_topics: int) -> dict[str, float]:
    systems, topics = sums["systems"] / (n_systems - 1), sums["topics"] / (n_topics - 1)
    interaction = sums["interaction"] / ((n_systems - 1) * (n_topics - 1))
    return {
        "systems": (systems - interaction) / n_topics,
        "topics": (topics - interaction) / n_systems,
        "interaction": interaction,
    }
