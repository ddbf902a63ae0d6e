"""The smallest loss of true quality that the judge still sees.

The ideal ranking by the people's grades is spoiled step by step: documents are sorted by grade plus noise, which grows
from step to step. People's grades say how much quality each step has lost, and the judge's grades whether it orders two
steps rightly. Pairs of rankings are put into 20 classes of about equal size by the difference of their true mean
scores. The effect is the difference from which on the judge orders 95 % of the pairs of each class rightly. Its
interval resamples topics.

The p-value is for the null hypothesis that the judge orders rankings no better than by chance: that its scores in each
topic could as well be the other way round. The statistic is the judge's mean score of the better ranking minus that of
the worse one, over all pairs. The signs of whole topics are drawn at random, because the rankings of a topic depend on
each other, and p is the share of draws with a statistic at least as large: one-sided. The number of pairs ordered
rightly would be a worse statistic, since it is as large as possible for any judge whose signs are nearly alike. Each
class has a p of its own, corrected for the number of classes (Holm). A small p is no fault: it says that the judge sees
the loss.

Source: K. Balog, D. Metzler and Z. Qin (2025), Rankers, judges, and assistants: towards understanding the interplay of
LLMs in information retrieval evaluation, SIGIR, arXiv 2503.19092 (oracle rankers).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.effectiveness.ranked_runs import RankedRuns, prepare
from agreement.rank_correlation.orders import TIE
from agreement.significance import adjusted
from agreement.trust.gaming.finding import Finding
from agreement.trust.scored_judges import ONLY_DRAWN, PAIR, ScoredJudges

STEPS = 16
REPEATS = 6
DEPTH = 100
RIGHT = 0.95
LARGEST_NOISE = 3.0  # in standard deviations of the people's grades
CLASSES = 20
DRAWS = 200
FLIPS = 1999
ROUNDING = 1e-12
TEST, QUESTION = "oracle steps", "How small a loss of quality does the judge see?"


@dataclass(frozen=True, eq=False)
class OracleRuns:
    """Spoiled ideal rankings and their scores under people; made once for all models.

    `scores` has the shape (n_rankings, n_topics), with the topics `query_ids`.
    """

    ranked: RankedRuns
    scores: pd.DataFrame

    @classmethod
    def of(cls, judges: ScoredJudges, seed: int) -> "OracleRuns":
        """Spoil the ideal rankings of the reference."""
        gold = judges.people[judges.reference]
        grades = gold["relevance"].to_numpy(np.float64)
        rng = np.random.default_rng(seed)
        # Small losses are the interesting ones, so the noise grows slowly at first.
        levels = np.repeat(LARGEST_NOISE * np.linspace(0, 1, STEPS) ** 2, REPEATS) * max(grades.std(), 1e-9)
        runs = []
        for number, level in enumerate(levels):
            scores = grades + level * rng.standard_normal(len(grades)) + 1e-6 * rng.random(len(grades))
            runs.append(gold[PAIR].assign(system=f"{number:04}", score=scores))
        ranked = prepare(_first(pd.concat(runs, ignore_index=True)))
        return cls(ranked, _scores(ranked, gold, judges))


def _first(runs: pd.DataFrame) -> pd.DataFrame:
    """The first documents of each ranking."""
    place = runs.groupby(["system", "query_id"])["score"].rank(ascending=False, method="first")
    return runs[place <= DEPTH]


def _scores(ranked: RankedRuns, gold: pd.DataFrame, judges: ScoredJudges) -> pd.DataFrame:
    options: dict[str, Any] = {} if judges.scale is None else {"scale": judges.scale}
    matrix = ranked.under(gold, **options)
    return pd.DataFrame(judges.measure(matrix), columns=list(matrix.query_ids))


def oracle_steps(
    judges: ScoredJudges, model: str, oracle: OracleRuns, *, confidence: float = 0.95, seed: int = 0
) -> tuple[Finding, pd.DataFrame]:
    """Return the smallest loss that a model sees, and how often it orders rankings rightly, by their true difference.

    Parameters
    ----------
    judges : ScoredJudges
    model : str
        The name of the model.
    oracle : OracleRuns
        The spoiled rankings.
    confidence : float, optional
        Level of the interval.
    seed : int, optional
        Seed of the samples of topics.

    Returns
    -------
    finding : Finding
        Undefined if not even the largest differences are ordered rightly often enough, and if people graded only a
        draw.
    steps : DataFrame
        Columns least (the smallest true difference of a class), n_pairs, right (share), p and p_adjusted.
    """
    if judges.only_drawn:
        return Finding(TEST, QUESTION, reason=ONLY_DRAWN), pd.DataFrame()
    by_model = _scores(oracle.ranked, judges.models[model], judges)
    topics = oracle.scores.columns.intersection(by_model.columns)
    if not len(topics):
        return Finding(TEST, QUESTION, reason="no common topic"), pd.DataFrame()
    true, seen = oracle.scores[topics].to_numpy(), by_model[topics].to_numpy()
    classes = _Classes.of(true.mean(axis=1))
    p, p_of_class = _chances(classes, seen, np.random.default_rng([seed, 1]))
    right = classes.right(seen.mean(axis=1))
    steps = pd.DataFrame({"least": classes.least, "n_pairs": classes.n_pairs, "right": right, "p": p_of_class})
    steps["p_adjusted"] = adjusted(p_of_class, "holm")
    loss = _seen_loss(classes.least, right)
    if loss is None:
        reason = f"not even the largest differences are ordered rightly in {RIGHT:.0%} of the pairs"
        return Finding(TEST, QUESTION, p=p, n=len(topics), reason=reason), steps
    low, high = _limits(true, seen, confidence, np.random.default_rng(seed))
    low, high = min(low, loss), None if high is None else max(high, loss)
    sentence = (
        f"The judge orders {RIGHT:.0%} of rankings rightly if their true mean scores differ by {loss:.3f} or more."
    )
    return Finding(TEST, QUESTION, loss, low, high, p, len(topics), sentence), steps


@dataclass(frozen=True, eq=False)
class _Classes:
    """Pairs of rankings with different true scores, in classes by the difference.

    Shapes: `better` and `worse`, the rankings of each pair, (n_pairs,); `starts`, the first pair of each class, and
    `least`, its difference, (n_classes,).
    """

    better: np.ndarray
    worse: np.ndarray
    starts: np.ndarray
    least: np.ndarray

    @classmethod
    def of(cls, true: np.ndarray) -> "_Classes":
        """The pairs of rankings with these true mean scores, shape (n_rankings,)."""
        first, second = np.triu_indices(len(true), 1)
        gap = true[first] - true[second]
        differs = np.flatnonzero(np.abs(gap) > TIE)
        order = differs[np.argsort(np.abs(gap[differs]), kind="stable")]
        n_classes = min(CLASSES, len(order))
        starts = np.arange(n_classes) * len(order) // max(n_classes, 1)
        better, worse = np.where(gap > 0, first, second)[order], np.where(gap > 0, second, first)[order]
        return cls(better, worse, starts, np.abs(gap)[order][starts])

    @property
    def n_pairs(self) -> np.ndarray:
        """Number of pairs of each class."""
        return np.diff(np.append(self.starts, len(self.better)))

    def right(self, seen: np.ndarray) -> np.ndarray:
        """The share of the pairs of each class that the judge's mean scores, shape (n_rankings,), order rightly."""
        if not len(self.better):
            return np.zeros(0)
        is_right = (seen[self.better] > seen[self.worse]).astype(np.float64)
        return np.asarray(np.add.reduceat(is_right, self.starts) / self.n_pairs)

    def seen_losses(self, seen: np.ndarray) -> np.ndarray:
        """The sum over the pairs of each class of the score of the better ranking minus that of the worse one.

        Shapes: `seen` (n_rankings, n_topics), the result (n_classes, n_topics).
        """
        return np.asarray(np.add.reduceat(seen[self.better] - seen[self.worse], self.starts, axis=0))


def _chances(classes: _Classes, seen: np.ndarray, rng: np.random.Generator) -> tuple[float, np.ndarray]:
    """The p-value of all pairs, and those of the classes, from random signs of topics."""
    if not len(classes.better):
        return 1.0, np.zeros(0)
    losses = classes.seen_losses(seen)
    losses = np.vstack([losses.sum(axis=0), losses])
    signs = rng.choice(np.array([-1.0, 1.0]), (seen.shape[1], FLIPS))
    observed = losses.sum(axis=1, keepdims=True)
    extreme = losses @ signs >= observed - ROUNDING * np.abs(losses).sum(axis=1, keepdims=True)
    p = (extreme.sum(axis=1) + 1) / (FLIPS + 1)
    return float(p[0]), p[1:]


def _limits(
    true: np.ndarray, seen: np.ndarray, confidence: float, rng: np.random.Generator
) -> tuple[float, float | None]:
    """The limits over samples of topics; no upper one if the loss of that many samples is undefined."""
    n_topics = true.shape[1]
    samples = (rng.integers(0, n_topics, n_topics) for _ in range(DRAWS))
    losses = [_sampled_loss(true[:, drawn], seen[:, drawn]) for drawn in samples]
    ordered = sorted(np.inf if loss is None else loss for loss in losses)
    low, high = (ordered[int(share * (DRAWS - 1))] for share in ((1 - confidence) / 2, (1 + confidence) / 2))
    return low, None if np.isinf(high) else high


def _sampled_loss(true: np.ndarray, seen: np.ndarray) -> float | None:
    classes = _Classes.of(true.mean(axis=1))
    return _seen_loss(classes.least, classes.right(seen.mean(axis=1)))


def _seen_loss(least: np.ndarray, right: np.ndarray) -> float | None:
    """The smallest difference from which on all classes are ordered rightly often enough."""
    wrong = np.flatnonzero(right < RIGHT)
    first = wrong[-1] + 1 if len(wrong) else 0
    return float(least[first]) if first < len(least) else None
