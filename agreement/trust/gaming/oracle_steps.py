"""The smallest loss of true quality that the judge still sees.

The ideal ranking by the people's grades is spoiled step by step: documents are sorted by grade plus noise, which grows
from step to step. People's grades say how much quality each step has lost, and the judge's grades whether it orders two
steps rightly. Pairs of rankings are put into 20 classes of about equal size by the difference of their true mean
scores. The effect is the difference from which on the judge orders 95 % of the pairs of each class rightly. Its
interval resamples topics; there is no p-value.

Source: K. Balog, D. Metzler and Z. Qin (2025), Rankers, judges, and assistants: towards understanding the interplay of
LLMs in information retrieval evaluation, SIGIR, arXiv 2503.19092 (oracle rankers).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.effectiveness.ranked_runs import RankedRuns, prepare
from agreement.rank_correlation.orders import TIE
from agreement.trust.gaming.finding import Finding
from agreement.trust.scored_judges import ONLY_DRAWN, PAIR, ScoredJudges

STEPS = 16
REPEATS = 6
DEPTH = 100
RIGHT = 0.95
LARGEST_NOISE = 3.0  # in standard deviations of the people's grades
CLASSES = 20
DRAWS = 200
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
        Columns least (the smallest true difference of a class), n_pairs and right (share).
    """
    if judges.only_drawn:
        return Finding(TEST, QUESTION, reason=ONLY_DRAWN), pd.DataFrame()
    by_model = _scores(oracle.ranked, judges.models[model], judges)
    topics = oracle.scores.columns.intersection(by_model.columns)
    if not len(topics):
        return Finding(TEST, QUESTION, reason="no common topic"), pd.DataFrame()
    true, seen = oracle.scores[topics].to_numpy(), by_model[topics].to_numpy()
    least, n_pairs, right = _classes(true.mean(axis=1), seen.mean(axis=1))
    steps = pd.DataFrame({"least": least, "n_pairs": n_pairs, "right": right})
    loss = _seen_loss(least, right)
    if loss is None:
        reason = f"not even the largest differences are ordered rightly in {RIGHT:.0%} of the pairs"
        return Finding(TEST, QUESTION, n=len(topics), reason=reason), steps
    low, high = _limits(true, seen, confidence, np.random.default_rng(seed))
    low, high = min(low, loss), None if high is None else max(high, loss)
    sentence = (
        f"The judge orders {RIGHT:.0%} of rankings rightly if their true mean scores differ by {loss:.3f} or more."
    )
    return Finding(TEST, QUESTION, loss, low, high, n=len(topics), sentence=sentence), steps


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
    least, _, right = _classes(true.mean(axis=1), seen.mean(axis=1))
    return _seen_loss(least, right)


def _classes(true: np.ndarray, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Classes of the true difference: the smallest one, the number of pairs, and the share that is ordered rightly."""
    first, second = np.triu_indices(len(true), 1)
    gap = true[first] - true[second]
    right = np.sign(gap) == np.sign(seen[first] - seen[second])
    differs = np.abs(gap) > TIE
    distance, right = np.abs(gap)[differs], right[differs]
    if not len(distance):
        return np.zeros(0), np.zeros(0, dtype=int), np.zeros(0)
    order = np.argsort(distance, kind="stable")
    n_classes = min(CLASSES, len(order))
    starts = np.arange(n_classes) * len(order) // n_classes
    n_pairs = np.diff(np.append(starts, len(order)))
    return distance[order][starts], n_pairs, np.add.reduceat(right[order].astype(float), starts) / n_pairs


def _seen_loss(least: np.ndarray, right: np.ndarray) -> float | None:
    """The smallest difference from which on all classes are ordered rightly often enough."""
    wrong = np.flatnonzero(right < RIGHT)
    first = wrong[-1] + 1 if len(wrong) else 0
    return float(least[first]) if first < len(least) else None
