"""Does the judge favour declared groups of runs, such as runs that use the same model?

Difference in differences: the judge's score minus the people's score of the runs of a group, less that of the other
runs. A judge that is kind to all runs alike has a difference of 0. A judge often compresses the scores, so that bad
runs gain and good ones lose. The effect is therefore that at the same quality: the linear trend of the differences on
the people's score is removed. The p-value is that of a randomisation test, which gives the name of the group to as many
other runs at random; topics stay whole. Runs of one team are alike in more than the model that they use, so a small
p-value says that the judge treats the group differently, and not why.

`leave_out` asks how the agreement of judge and people on the ranking changes without each group.

Sources: K. Balog, D. Metzler and Z. Qin (2025), Rankers, judges, and assistants, SIGIR, arXiv 2503.19092; for the
quality baseline, arXiv 2601.22548; D. Freedman and D. Lane (1983), A nonstochastic interpretation of reported
significance levels, Journal of Business and Economic Statistics 1(4), 292-298.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from agreement.rank_correlation import tau_b
from agreement.trust.gaming.finding import Finding, TopicMean
from agreement.trust.scored_judges import ONLY_DRAWN, ScoredJudges

DRAWS = 2000
FEWEST = 2  # runs of a group, and of the others
QUESTION = "Does the judge favour the runs of {group}?"


def group_findings(
    judges: ScoredJudges, model: str, groups: Mapping[str, str] | None, *, confidence: float = 0.95, seed: int = 0
) -> list[Finding]:
    """Return a finding for each group of runs.

    Parameters
    ----------
    judges : ScoredJudges
    model : str
        The name of the model.
    groups : mapping of str to str or None
        The group of each system that belongs to one.
    confidence : float, optional
        Level of the intervals.
    seed : int, optional
        Seed of the randomisation.

    Returns
    -------
    list of Finding
        One undefined finding if no groups are declared, or if people graded only a draw.

    Raises
    ------
    ValueError
        A system of `groups` has no run.
    """
    if not groups or judges.only_drawn:
        reason = ONLY_DRAWN if groups else "no groups declared"
        return [Finding("group preference", "Does the judge favour a group of runs?", reason=reason)]
    people, judge = judges.compared(model)
    _refuse_unknown(groups, people.index)
    bias = (judge - people).to_numpy()
    residual = _without_trend(bias, people.to_numpy())
    rng = np.random.default_rng(seed)
    names = sorted(set(groups.values()))
    return [_finding(name, people.index, groups, bias, residual, confidence, rng) for name in names]


def _refuse_unknown(groups: Mapping[str, str], systems: pd.Index) -> None:
    if unknown := [system for system in groups if system not in systems]:
        raise ValueError(f"groups names the system {unknown[0]!r}, which has no run.")


def _without_trend(bias: np.ndarray, people: np.ndarray) -> np.ndarray:
    """The bias of each system and topic, less the linear trend of its mean on the people's mean score."""
    quality = people.mean(axis=1) - people.mean()
    spread = float(quality @ quality)
    slopes = quality @ bias / spread if spread > 0 else np.zeros(bias.shape[1])
    return np.asarray(bias - np.outer(quality, slopes))


def _finding(
    name: str,
    systems: pd.Index,
    groups: Mapping[str, str],
    bias: np.ndarray,
    residual: np.ndarray,
    confidence: float,
    rng: np.random.Generator,
) -> Finding:
    test, question = f"group preference: {name}", QUESTION.format(group=name)
    inside = np.array([groups.get(system) == name for system in systems])
    if min(inside.sum(), (~inside).sum()) < FEWEST or not bias.shape[1]:
        return Finding(test, question, reason=f"fewer than {FEWEST} runs in the group or outside")
    by_topic = residual[inside].mean(axis=0) - residual[~inside].mean(axis=0)
    mean = TopicMean.of(by_topic, confidence)
    plain = float(bias[inside].mean() - bias[~inside].mean())
    p = _randomised(residual.mean(axis=1), int(inside.sum()), mean.mean, rng)
    sentence = (
        f"The judge scores the {int(inside.sum())} runs of {name} {mean.mean:+.3f} against the others, at the same"
        f" quality ({plain:+.3f} without this adjustment)."
    )
    return Finding(test, question, mean.mean, mean.low, mean.high, p, mean.n, sentence)


def _randomised(values: np.ndarray, n_inside: int, observed: float, rng: np.random.Generator) -> float:
    """The share of random groups whose difference is at least as far from 0."""
    shuffled = rng.permuted(np.tile(values, (DRAWS, 1)), axis=1)
    inside = shuffled[:, :n_inside].mean(axis=1)
    differences = inside - shuffled[:, n_inside:].mean(axis=1)
    extreme = int((np.abs(differences) >= abs(observed) - 1e-12).sum())
    return (extreme + 1) / (DRAWS + 1)


def leave_out(judges: ScoredJudges, model: str, groups: Mapping[str, str] | None) -> pd.DataFrame:
    """Return tau_b between judge and people without each group of runs.

    Returns
    -------
    DataFrame
        Columns left_out ("" for all runs), n_systems and tau_b.
    """
    people, judge = judges.compared(model)
    rows = []
    for name in ("", *sorted(set((groups or {}).values()))):
        kept = [not name or (groups or {}).get(system) != name for system in people.index]
        tau = tau_b(people[kept].mean(axis=1), judge[kept].mean(axis=1))
        rows.append({"left_out": name, "n_systems": sum(kept), "tau_b": tau.value if tau.defined else pd.NA})
    return pd.DataFrame(rows)
