"""The tables of estimates from few human grades, for scores that are ratios, and for their differences."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from agreement.effectiveness.measure import Measure
from agreement.measures.dcg import dcg
from agreement.trust.few_grades.correction import Corrected, corrected, limits_at
from agreement.trust.few_grades.delete_groups import Deviations
from agreement.trust.few_grades.pool_slots import PoolSlots
from agreement.trust.few_grades.ratio_reliability import why_not_reliable
from agreement.trust.few_grades.sampled_scores import Floats
from agreement.trust.few_grades.topic_bootstrap import bootstrap_quantiles
from pooling.result import Result
from pooling.words import count, percent

PEOPLE, CLASSICAL = "people", "classical"
CLAIMS = {"these_topics": "these topics", "sampled_topics": "topics as a sample"}
ESTIMATES = (
    *("value", "low", "high", "slope", "model_alone", "classical", "classical_low", "classical_high"),
    *("constant", "constant_low", "constant_high", "saved_by_design", "saved_by_model", "saved_by_shuffled"),
    *("n_grades", "claim", "reason"),
)


@dataclass(frozen=True, eq=False)
class JudgedScores:
    """The scores under each judge: people, constant, and model and shuffled if there is a model.

    Attributes
    ----------
    drawn : dict of str to Deviations
        From the drawn pairs, scores of shape (n_systems, n_topics).
    whole : dict of str to ndarray of float, shape (n_systems, n_topics)
        From all pairs; people have none.
    """

    drawn: dict[str, Deviations]
    whole: dict[str, Floats]

    def combined(self, rows: Floats) -> "JudgedScores":
        """Return linear combinations of the systems; `rows` has the shape (n_estimates, n_systems)."""
        drawn = {
            name: Deviations(rows @ one.scores, rows @ one.deviations, one.degrees) for name, one in self.drawn.items()
        }
        return JudgedScores(drawn, {name: rows @ scores for name, scores in self.whole.items()})

    def corrected(self, judge: str) -> Corrected:
        """The estimates with a judge, and with the constant judge."""
        return corrected(self.drawn[PEOPLE], *self.judges(judge))

    def judges(self, judge: str) -> list[tuple[Deviations, Floats]]:
        """The scores of a judge and the constant judge; none for the classical estimate."""
        names = [] if judge == CLASSICAL else dict.fromkeys(("constant", judge))
        return [(self.drawn[name], self.whole[name]) for name in names]


@dataclass(frozen=True, eq=False)
class RatioTables:
    """What the tables are made from: the scores, the drawn pairs and the options."""

    scores: JudgedScores
    slots: PoolSlots
    measure: Measure
    judge: str
    claim: str
    confidence: float
    share_of_topics: float
    seed: int

    def table(self, rows: Floats, names: dict[str, list[str]], is_difference: bool) -> pd.DataFrame:
        """The columns of `RatioEstimates.to_frame`."""
        scores = self.scores.combined(rows)
        found = {judge: scores.corrected(judge) for judge in (CLASSICAL, *scores.whole)}
        variances = {judge: self._variances(one) for judge, one in found.items()}
        columns: dict[str, Any] = dict(names)
        for prefix, judge in (("", self.judge), (CLASSICAL, CLASSICAL), ("constant", "constant")):
            reach = self._reach(scores, judge, found[judge], variances[judge], is_difference)
            columns |= self._estimates(prefix, found[judge].values, reach, is_difference)
            columns |= {"slope": found[judge].slopes[-1]} if not prefix else {}
        alone = scores.whole["model"].mean(axis=-1) if "model" in scores.whole else None
        columns["model_alone"] = pd.array([pd.NA] * len(rows) if alone is None else alone, dtype="Float64")
        for name, judge, reference in (
            ("saved_by_design", "constant", "classical"),
            ("saved_by_model", "model", "constant"),
            ("saved_by_shuffled", "shuffled", "constant"),
        ):
            columns[name] = _saved(variances.get(judge), variances[reference])
        columns |= {"n_grades": len(self.slots.drawn_topic), "claim": CLAIMS[self.claim]}
        columns["reason"] = pd.array(self._reasons(variances[self.judge], is_difference), dtype="str")
        return pd.DataFrame(columns)[[*names, *ESTIMATES]]

    def notes(self) -> tuple[str, ...]:
        """Sentences about the draw."""
        if not self._has_single:
            return ()
        return ("A stratum has one drawn pair of several, so there is no interval. Draw two or more of each stratum.",)

    def _estimates(self, prefix: str, values: Floats, reach: Floats, is_difference: bool) -> dict[str, Any]:
        low, high = limits_at(values, np.nan_to_num(reach), self._is_share(is_difference))
        known = np.isfinite(reach)
        name, rest = (prefix, f"{prefix}_") if prefix else ("value", "")
        return {
            name: values,
            f"{rest}low": pd.array(np.where(known, low, np.nan), dtype="Float64"),
            f"{rest}high": pd.array(np.where(known, high, np.nan), dtype="Float64"),
        }

    def _reach(
        self, scores: JudgedScores, judge: str, found: Corrected, variances: Floats, is_difference: bool
    ) -> Floats:
        """The margins of the intervals, on the scale of the values; NaN where they are unknown."""
        if self.claim == "sampled_topics" and np.isfinite(variances).all():
            options: dict[str, Any] = {"confidence": self.confidence, "is_share": self._is_share(is_difference)}
            quantiles = bootstrap_quantiles(scores.drawn[PEOPLE], *scores.judges(judge), seed=self.seed, **options)
        else:
            degrees = np.full_like(found.degrees, len(self.slots.grades) - 1.0) if self._over_topics else found.degrees
            quantiles = np.asarray(stats.t.ppf((1 + self.confidence) / 2, degrees))
        return np.asarray(quantiles * np.sqrt(variances))

    def _is_share(self, is_difference: bool) -> bool:
        return not is_difference and self.measure.function is not dcg

    def _variances(self, found: Corrected) -> Floats:
        """The variances of the claim; NaN where they are unknown."""
        n_topics = found.by_topic.shape[-1]
        if self._has_single or (self._over_topics and n_topics < 2):
            return np.full(found.values.shape, np.nan)
        if not self._over_topics:
            return found.variances
        between = found.by_topic.var(axis=-1, ddof=1) / n_topics
        if self.claim == "sampled_topics":
            return np.asarray(np.maximum(between, found.variances))
        return np.asarray((1 - self.share_of_topics) * between + self.share_of_topics * found.variances)

    @property
    def _over_topics(self) -> bool:
        return self.claim == "sampled_topics" or self.share_of_topics < 1

    @property
    def _has_single(self) -> bool:
        drawn = self.slots.drawn
        return bool(((drawn.n_drawn == 1) & (drawn.probability < 1) & drawn.filled).any())

    def _reasons(self, variances: Floats, is_difference: bool) -> list[str | None]:
        if self._has_single:
            return ["one grade in a stratum"] * len(variances)
        if not np.isfinite(variances).all():
            return ["one topic"] * len(variances)
        reason = why_not_reliable(
            self.measure,
            self.slots.drawn,
            is_sample=self.claim == "sampled_topics",
            is_stage=self.share_of_topics < 1,
            is_difference=is_difference,
        )
        return [reason or None] * len(variances)


@dataclass(frozen=True, eq=False, repr=False)
class RatioEstimates(Result):
    """Scores estimated from few human grades; returned by `estimate`.

    Attributes
    ----------
    table : DataFrame
        One row for each system, ascending.
    measure : str
        Name of the measure.
    judge : {"model", "constant", "shuffled"}
        The judge that corrects `value`.
    claim : {"these_topics", "sampled_topics"}
        Whether the intervals are for the topics of the draw, or for topics of which these are a random sample.
    confidence : float
        Level of the intervals.
    n_grades, n_topics : int
        Grades of people, and topics that have them.
    seed : int
        Seed of the groups and of the shuffled judge.
    notes : tuple of str
        What was unusual, in sentences.
    """

    table: pd.DataFrame
    measure: str
    judge: str
    claim: str
    confidence: float
    n_grades: int
    n_topics: int
    seed: int
    notes: tuple[str, ...]
    _tables: RatioTables = field(kw_only=True)

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each estimate.

        Returns
        -------
        DataFrame
            system (or system_a and system_b), value, low, high, slope (of the judge), model_alone (from the model's
            grades of all pairs; NA without a model), classical with its limits (from the grades of people alone),
            constant with its limits (corrected by the constant judge), saved_by_design, saved_by_model and
            saved_by_shuffled (the last two beyond the constant judge; below 0 if more grades are needed; NA if
            unknown), n_grades, claim, and reason (why there is no interval, or why it is not reliable; else NA).
        """
        return self.table.copy()

    def differences(self, pairs: Sequence[tuple[str, str]] | None = None) -> pd.DataFrame:
        """Estimate differences of two systems from the same grades.

        Parameters
        ----------
        pairs : sequence of (str, str), optional
            Names of the systems; the second is subtracted. By default every two, the first by name minus the other.

        Returns
        -------
        DataFrame
            The columns system_a and system_b, and those of the scores.

        Raises
        ------
        ValueError
            There is no system of a name.
        """
        systems = list(self.table["system"])
        if pairs is None:
            pairs = [(a, b) for at, a in enumerate(systems) for b in systems[at + 1 :]]
        for name in dict.fromkeys(name for pair in pairs for name in pair):
            if name not in systems:
                raise ValueError(f"There is no system {name!r}. The systems are {', '.join(systems)}.")
        rows = np.zeros((len(pairs), len(systems)))
        for row, (a, b) in enumerate(pairs):
            rows[row, systems.index(a)] += 1
            rows[row, systems.index(b)] -= 1
        names = {"system_a": [a for a, _ in pairs], "system_b": [b for _, b in pairs]}
        return self._tables.table(rows, names, is_difference=True)

    def _sentence(self) -> str:
        by = {"model": "the model", "constant": "the constant judge", "shuffled": "the shuffled model"}[self.judge]
        first = (
            f"{self.measure} from {count(self.n_grades, 'grade')} of people on {count(self.n_topics, 'topic')},"
            f" corrected by {by}; {percent(self.confidence)} intervals for {CLAIMS[self.claim]} (seed {self.seed})."
        )
        return "\n".join([first, *self.notes])


def _saved(variances: Floats | None, reference: Floats) -> Any:
    """1 - variance / variance of the reference; NA where one is unknown or the reference is 0."""
    if variances is None:
        return pd.array([pd.NA] * len(reference), dtype="Float64")
    known = np.isfinite(variances) & (reference > 0)
    ratio = np.divide(variances, reference, out=np.full(reference.shape, np.nan), where=known)
    return pd.array(1 - ratio, dtype="Float64")
