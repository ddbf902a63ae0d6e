"""How hard each topic is, and how well it separates the systems.

The difficulty of a topic is the mean of the systems' scores on it: the lower, the harder (the higher, the harder, if
lower scores are better). The systems count as a sample, and the interval is Student's t interval of the mean over
systems, mean -+ t(s - 1) sd / sqrt(s) with s systems.

A topic separates systems if their scores on it differ (the standard deviation, with divisor s - 1), and if they differ
as on the other topics. The discrimination is Pearson's correlation, over systems, of the scores on the topic and the
mean scores on all other topics, -1 to 1. A topic with a discrimination near 0 or below has another order of systems
than the other topics. The topic itself is left out of the mean, because it would correlate with itself. With two
systems, a discrimination is -1 or 1.

Scores closer than 1e-12 are equal.

References
----------
D. Bodoff (2008). Test theory for evaluating reliability of IR test collections. Information Processing and Management
44(3), 1117-1145.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.checks import flag, float_column, level
from agreement.estimate import format_value
from agreement.meta_evaluation.variance_components import WORDS
from agreement.rank_correlation import TIE
from agreement.significance.pairs import checked_scores, score_rows
from pooling.inputs import Input
from pooling.result import Result
from pooling.words import count, percent


@dataclass(frozen=True, eq=False, repr=False)
class TopicDifficulty(Result):
    """How hard each topic is, and how well it separates the systems; returned by `topic_difficulty`.

    Attributes
    ----------
    n_systems, n_topics : int
        Numbers of systems and topics.
    topics : DataFrame
        One row for each topic, the hardest first: query_id; rank (1 for the hardest; tied topics share the best rank);
        mean of the systems' scores; low and high (limits of its interval); sd, variance, least and greatest of the
        scores; discrimination; reason (why a figure is missing, else NA: "one_system"; "one_topic" or "no_variance",
        without discrimination).
    confidence : float
        Confidence level of the intervals.
    lower_is_better : bool
        Whether a lower score is better.
    reason : str or None
        Why there is no row: "no_systems" or "no_topics".

    Examples
    --------
    >>> from agreement.meta_evaluation import topic_difficulty
    >>> scores = {"bm25": {"1": 0.5, "2": 0.2}, "lsa": {"1": 0.4, "2": 0.2}, "dense": {"1": 0.9, "2": 0.5}}
    >>> topic_difficulty(scores).topics[["query_id", "mean", "sd", "discrimination"]].round(3)
      query_id  mean     sd  discrimination
    0        2   0.3  0.173           0.982
    1        1   0.6  0.265           0.982
    """

    n_systems: int
    n_topics: int
    topics: pd.DataFrame
    confidence: float
    lower_is_better: bool
    reason: str | None

    @property
    def contrary(self) -> tuple[str, ...]:
        """The topics whose discrimination is below 0, the lowest first."""
        rows = self.topics[self.topics["discrimination"].lt(0).fillna(False)]
        return tuple(rows.sort_values("discrimination", kind="stable")["query_id"])

    def to_frame(self) -> pd.DataFrame:
        """Return `topics`."""
        return self.topics

    def _sentence(self) -> str:
        return self.summary()

    def summary(self) -> str:
        """Return the hardest and the easiest topic, and how many topics have another order of systems."""
        basis = f"{count(self.n_systems, 'system', zero='no')}, {count(self.n_topics, 'topic', zero='no')}"
        if self.reason:
            return f"The difficulty of the topics is undefined ({WORDS[self.reason]}; {basis})."
        hardest, easiest = self.topics.iloc[0], self.topics.iloc[-1]
        if self.n_topics == 1:
            return f"The mean score on topic {hardest['query_id']} is {format_value(hardest['mean'])} ({basis})."
        first = (
            f"Topic {hardest['query_id']} is the hardest (mean score {format_value(hardest['mean'])}) and topic"
            f" {easiest['query_id']} the easiest ({format_value(easiest['mean'])}; {basis})."
        )
        known = int(self.topics["discrimination"].notna().sum())
        return "\n".join([first, self._discrimination_sentence(known)])

    def _discrimination_sentence(self, known: int) -> str:
        if not known:
            return "No topic has a discrimination."
        contrary = self.contrary
        if not contrary:
            return f"No topic orders the systems against the other topics ({count(known, 'topic')} compared)."
        verb = "orders" if len(contrary) == 1 else "order"
        lowest = float(self.topics["discrimination"].min())
        return (
            f"{len(contrary):,} of {count(known, 'topic')} {verb} the systems against the other topics, most of all"
            f" topic {contrary[0]} (discrimination {format_value(lowest)})."
        )

    def _paper_table(self) -> pd.DataFrame:
        from pooling.text_tables import rounded

        interval = [
            "" if pd.isna(low) else f"[{format_value(low)}, {format_value(high)}]"
            for low, high in self.topics[["low", "high"]].itertuples(index=False)
        ]
        shown = self.topics[["query_id", "mean", "sd", "discrimination"]].rename(columns={"query_id": "topic"})
        shown.insert(2, f"{percent(self.confidence)} interval", interval)
        return rounded(shown)


def topic_difficulty(scores: Input, confidence: float = 0.95, *, lower_is_better: bool = False) -> TopicDifficulty:
    """Compute how hard each topic is, and how well it separates the systems.

    Parameters
    ----------
    scores : table or dictionary
        One row for each system (the index) and one column for each topic, such as the result of
        `agreement.score_table` or a table of ``ranking_shift(...).scores``; or a table with the columns system,
        query_id and value, of one gold and one measure.
    confidence : float
        Confidence level of the intervals of the means, between 0 and 1.
    lower_is_better : bool
        Whether a lower score is better, so that the topic with the highest mean is the hardest.

    Returns
    -------
    TopicDifficulty
        One row for each topic. Without rows if there is no system ("no_systems") or no topic ("no_topics"). With one
        system, a topic has a mean, but no interval, spread and discrimination.

    Raises
    ------
    TypeError
        The scores are no table and no dictionary.
    ValueError
        A system or a topic occurs twice, a score is missing or not finite, or an option is invalid.

    References
    ----------
    D. Bodoff (2008). Test theory for evaluating reliability of IR test collections. Information Processing and
    Management 44(3), 1117-1145.

    Examples
    --------
    >>> from agreement.meta_evaluation import topic_difficulty
    >>> scores = {"bm25": {"1": 0.5, "2": 0.2}, "lsa": {"1": 0.4, "2": 0.2}, "dense": {"1": 0.9, "2": 0.5}}
    >>> difficulty = topic_difficulty(scores)
    >>> difficulty.topics[["query_id", "rank", "mean", "low", "high"]].round(3)
      query_id  rank  mean    low   high
    0        2     1   0.3  -0.13   0.73
    1        1     2   0.6 -0.057  1.257
    >>> difficulty.contrary
    ()
    """
    confidence, lower = level("confidence", confidence, 0.95), flag("lower_is_better", lower_is_better)
    table = score_rows(scores)
    values = checked_scores(table)
    n_systems, n_topics = values.shape
    reason = None if values.size else "no_topics" if n_systems else "no_systems"
    topics = _topics_frame(sorted_topics(table), values, confidence, lower) if values.size else _no_topics()
    return TopicDifficulty(n_systems, n_topics, topics, confidence, lower, reason)


def sorted_topics(table: pd.DataFrame) -> list[str]:
    """Return the topics of a table in the order of the columns of `checked_scores`."""
    return sorted(map(str, table.columns))


def _topics_frame(topics: list[str], values: np.ndarray, confidence: float, lower: bool) -> pd.DataFrame:
    means = values.mean(axis=0)
    n_systems = len(values)
    sd = values.std(axis=0, ddof=1) if n_systems > 1 else np.full(len(means), np.nan)
    sd = np.where(np.ptp(values, axis=0) < TIE, np.where(n_systems > 1, 0.0, np.nan), sd)
    margin = _margin(sd, n_systems, confidence)
    discrimination = discriminations(values)
    columns = {"mean": means, "low": means - margin, "high": means + margin, "sd": sd, "variance": sd**2}
    columns |= {"least": values.min(axis=0), "greatest": values.max(axis=0), "discrimination": discrimination}
    ranks = _difficulty_ranks(means, lower)
    frame = pd.DataFrame({"query_id": pd.Series(topics, dtype="str"), "rank": ranks})
    frame = frame.assign(**{name: float_column(column) for name, column in columns.items()})
    why = "one_system" if n_systems < 2 else "one_topic" if len(means) < 2 else "no_variance"
    reasons = [why if np.isnan(each) else None for each in discrimination]
    return (
        frame.assign(reason=pd.array(reasons, dtype="string"))
        .iloc[np.argsort(ranks, kind="stable")]
        .reset_index(drop=True)
    )


def _margin(sd: np.ndarray, n_systems: int, confidence: float) -> np.ndarray:
    """Return half the width of Student's interval of the mean of each topic; nan with one system."""
    if n_systems < 2:
        return np.full(len(sd), np.nan)
    from scipy.special import stdtrit  # takes a second to import

    return np.asarray(stdtrit(n_systems - 1, (1 + confidence) / 2) * sd / n_systems**0.5)


def discriminations(values: np.ndarray) -> np.ndarray:
    """Return the correlation of each topic's scores with the means over the other topics; nan if there is none.

    Shapes: `values` (n_systems, n_topics), the result (n_topics,).
    """
    n_systems, n_topics = values.shape
    if n_systems < 2 or n_topics < 2:
        return np.full(n_topics, np.nan)
    others = (values.sum(axis=1, keepdims=True) - values) / (n_topics - 1)
    constant = (np.ptp(values, axis=0) < TIE) | (np.ptp(others, axis=0) < TIE)
    own, rest = values - values.mean(axis=0), others - others.mean(axis=0)
    product = np.sqrt((own**2).sum(axis=0) * (rest**2).sum(axis=0))
    correlation = np.divide((own * rest).sum(axis=0), product, out=np.zeros(n_topics), where=~constant)
    return np.where(constant, np.nan, correlation.clip(-1, 1))


def _difficulty_ranks(means: np.ndarray, lower: bool) -> np.ndarray:
    """Return 1 for the hardest topic; tied topics share the best of their ranks."""
    hardness = -means if lower else means
    return np.asarray(1 + np.searchsorted(np.sort(hardness), hardness - TIE, side="right"), dtype=np.int64)


def _no_topics() -> pd.DataFrame:
    numbers = ("mean", "low", "high", "sd", "variance", "least", "greatest", "discrimination")
    empty = {"query_id": pd.Series(dtype="str"), "rank": pd.Series(dtype="int64")}
    empty |= {name: pd.Series(dtype="Float64") for name in numbers}
    return pd.DataFrame(empty | {"reason": pd.Series(dtype="string")})
