"""The ranking of the systems under a model judge, next to what another person does to it.

The reference is the first person. Each other judge is compared with the reference on their common topics: all systems,
and the `top` best systems under the reference. A model is compared with all grades of both. Another person often judged
only some of the pairs, so a person is compared on the pairs that both graded; a model is compared on the same pairs too
(`against_people`), because fewer pairs alone change a ranking.

| column | meaning |
|---|---|
| tau_b, tau_ap_b, tau_gap, rbo | correlations of the rankings (`agreement.rank_correlation`) |
| pairwise_accuracy | share of system pairs in the same order, ties included |
| maximum_drop, fallen | most ranks that a system falls, and which |
| kept, lost, invented, reversed | significant differences of the reference that the judge finds too, that it does not |
| | find, that only the judge finds, and that both find in opposite directions (paired t test, Holm, level 0.05) |
| best_reference, best_judge | the best system under each; several if they are tied |

Intervals cover another sample of topics: the outer ones of the percentiles of bootstrap samples and of draws of the
true means (`agreement.shift.correlation_intervals`).

References
----------
N. Gao and D. W. Oard (2015). A head-weighted gap-sensitive correlation coefficient. SIGIR, 799-802.
D. Otero, J. Parapar and N. Ferro (2025). Limitations of automatic relevance assessments with large language models.
SIGIR, 2025.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.checks import level, whole_number
from agreement.effectiveness.measure import MeasureLike
from agreement.effectiveness.ranked_runs import Runs
from agreement.rank_correlation import (
    Batch,
    competition_ranks,
    maximum_drop,
    rbo_paired,
    tau_ap_b_paired,
    tau_b_paired,
    tau_gap_paired,
)
from agreement.rank_correlation.orders import TIE
from agreement.rank_correlation.paired import paired
from agreement.shift.correlation_intervals import LEAST_SYSTEMS, outer_limits
from agreement.shift.gold_pairs import PERSISTENCE
from agreement.shift.plausible_means import plausible_means
from agreement.shift.score_samples import TopicSample
from agreement.significance import compare_systems
from agreement.trust.against_people import Cubes
from agreement.trust.scored_judges import ONLY_DRAWN, ScoredJudges
from pooling.inputs import Input
from pooling.result import Result
from pooling.text_tables import rounded
from pooling.words import count

DRAWS = 500
TOP = 10
PERSON, MODEL = "person", "model"
Scores = np.ndarray
Paired = Callable[[Scores, Scores], Batch]


def accuracy_paired(truth: Scores, estimate: Scores) -> Batch:
    """Return the pairwise accuracy of each row; shapes (n_rankings, n_systems)."""
    return paired("pairwise_accuracy", truth, estimate, _accuracy)


def _accuracy(truth: np.ndarray, estimate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    signs = [np.sign(np.where(np.abs(gap) < TIE, 0, gap)) for gap in (_gaps(truth), _gaps(estimate))]
    n_systems = truth.shape[1]
    same = (signs[0] == signs[1]).sum(axis=(1, 2)) - n_systems
    return same / max(n_systems * (n_systems - 1), 1), np.full(len(truth), n_systems > 1)


def _gaps(scores: np.ndarray) -> np.ndarray:
    return np.asarray(scores[:, :, None] - scores[:, None, :])


COEFFICIENTS: dict[str, Paired] = {
    "tau_b": tau_b_paired,
    "tau_ap_b": tau_ap_b_paired,
    "tau_gap": tau_gap_paired,
    "rbo": lambda truth, estimate: rbo_paired(truth, estimate, PERSISTENCE),
    "pairwise_accuracy": accuracy_paired,
}


@dataclass(frozen=True, eq=False, repr=False)
class ModelRanking(Result):
    """The rankings under each judge compared with the reference; returned by `ranking_under_model`.

    Attributes
    ----------
    frame : DataFrame
        One row for each judge and choice of systems ("all" or "top 10"); the module lists the columns. An undefined
        value is missing, and `reason` says why.
    against_people : DataFrame
        One row for each model and choice of systems: tau_b of another person and of the model on the same pairs, and
        their difference with its limits for as many topics; `caution` says why they are not reliable. Empty without a
        second person.
    reference, measure : str
    top, draws, seed : int
    confidence : float
    """

    frame: pd.DataFrame
    against_people: pd.DataFrame
    reference: str
    measure: str
    top: int
    draws: int
    seed: int
    confidence: float

    def to_frame(self) -> pd.DataFrame:
        """Return `frame`."""
        return self.frame

    @property
    def is_defined(self) -> bool:
        """Whether any judge can be compared with the reference."""
        return bool(self.frame["tau_b"].notna().any())

    def tables(self) -> dict[str, pd.DataFrame]:
        """The two tables by name."""
        tables = {"ranking": self.frame}
        return tables | ({"ranking_against_people": self.against_people} if len(self.against_people) else {})

    def summary(self) -> str:
        """The model with the highest tau_b, and the range of people."""
        models = self.frame[(self.frame["kind"] == MODEL) & (self.frame["systems"] == "all")]
        known = models[models["tau_b"].notna()].sort_values("tau_b", ascending=False, kind="stable")
        if known.empty:
            return f"No model can be compared with {self.reference}: {models['reason'].iloc[0]}."
        best = known.iloc[0]
        text = f"Of {count(len(models), 'model')}, {best['judge']} keeps the ranking of {self.reference} best (tau_b"
        text += f" {best['tau_b']:.3f}, {best['n_systems']} systems, {count(int(best['n_topics']), 'topic')})"
        return f"{text}{self._people()}."

    def _people(self) -> str:
        people = self.frame[(self.frame["kind"] == PERSON) & (self.frame["systems"] == "all")]["tau_b"].dropna()
        if people.empty:
            return "; no second person judged"
        who = "1 other person" if len(people) == 1 else f"{len(people)} other people"
        return f"; {who}: {people.min():.3f} to {people.max():.3f}"

    def _sentence(self) -> str:
        return self.summary()

    def _paper_table(self) -> pd.DataFrame:
        columns = ["judge", "kind", "systems", "n_topics", *COEFFICIENTS, "maximum_drop", "kept", "lost", "invented"]
        return rounded(self.frame[columns])


def ranking_under_model(
    runs: Runs,
    people: Mapping[str, Input],
    models: Mapping[str, Input],
    measure: MeasureLike = "nDCG@10",
    *,
    top: int = TOP,
    scale: Sequence[float] | None = None,
    draws: int = DRAWS,
    confidence: float = 0.95,
    seed: int,
) -> ModelRanking:
    """Compare the ranking of systems under model judges with that under people.

    Parameters
    ----------
    runs : runs
        The runs of the systems.
    people, models : mapping of str to table, path or dictionary
        The grades of each judge: query_id, doc_id, relevance. The first person is the reference.
    measure : str or measure, optional
        A measure for which higher is better.
    top : int, optional
        How many of the best systems are also compared by themselves, 2 or more.
    scale : sequence of float, optional
        The grades, lowest first, for measures that need them.
    draws : int, optional
        Number of draws of topics, 2 or more.
    confidence : float, optional
        Level of the intervals, between 0 and 1.
    seed : int
        Seed of the draws.

    Returns
    -------
    ModelRanking

    Raises
    ------
    ValueError
        There is no person or no model, a judge has no grade or two grades for a document, or an option is out of range.

    References
    ----------
    N. Gao and D. W. Oard (2015). A head-weighted gap-sensitive correlation coefficient. SIGIR, 799-802.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.trust import ranking_under_model
    >>> runs = pd.DataFrame(
    ...     [(f"s{s}", f"{q}", f"d{d}", -(d * (s + 2) + q) % 7) for s in range(6) for q in range(9) for d in range(7)],
    ...     columns=["system", "query_id", "doc_id", "score"],
    ... )
    >>> pairs = [(f"{q}", f"d{d}") for q in range(9) for d in range(7)]
    >>> golds = [pd.DataFrame(pairs, columns=["query_id", "doc_id"]) for _ in range(2)]
    >>> golds = [gold.assign(relevance=[(i * step) % 3 for i in range(63)]) for gold, step in zip(golds, (1, 4))]
    >>> found = ranking_under_model(runs, {"nist": golds[0]}, {"llm": golds[1]}, draws=50, seed=1)
    >>> found.to_frame()[["judge", "systems", "n_topics", "tau_b"]].round(3)
      judge systems  n_topics  tau_b
    0   llm     all         9    1.0
    """
    judges = ScoredJudges.of(runs, people, models, measure, scale)
    return ranking_of_judges(judges, top=top, draws=draws, confidence=confidence, seed=seed)


def ranking_of_judges(judges: ScoredJudges, *, top: int, draws: int, confidence: float, seed: int) -> ModelRanking:
    """The same for judges whose input is checked already."""
    top, draws = whole_number("top", top, 2), whole_number("draws", draws, 2)
    level("confidence", confidence, 0.95)
    comparison = _Comparison(judges, top, draws, confidence, seed)
    rows = [row for judge in judges.models for row in comparison.rows(judge, MODEL, None)]
    rows += [row for judge in judges.others for row in comparison.rows(judge, PERSON, judge)]
    against = pd.DataFrame([row for judge in judges.models for row in comparison.against_people(judge)])
    return ModelRanking(
        pd.DataFrame(rows), against, judges.reference, judges.measure.name, top, draws, seed, confidence
    )


@dataclass(frozen=True, eq=False)
class _Comparison:
    judges: ScoredJudges
    top: int
    draws: int
    confidence: float
    seed: int

    def rows(self, judge: str, kind: str, pairs_of: str | None) -> Iterator[dict[str, Any]]:
        """The rows of a judge: all systems, and the best ones."""
        reference, scores = self.judges.compared(judge, pairs_of)
        named = {"judge": judge, "kind": kind, "pairs": "all" if pairs_of is None else f"also graded by {pairs_of}"}
        if self.judges.only_drawn:
            yield named | {"systems": "all"} | _undefined(*reference.shape, ONLY_DRAWN)
            return
        for systems, chosen in self._choices(reference):
            yield named | {"systems": systems} | self._row(reference[chosen], scores[chosen])

    def _choices(self, reference: pd.DataFrame) -> Iterator[tuple[str, np.ndarray]]:
        """All systems, and those whose rank under the reference is at most `top`, if that leaves some out."""
        yield "all", np.ones(len(reference), dtype=bool)
        if reference.shape[1] and len(reference) > self.top:
            ranks = competition_ranks(reference.mean(axis=1).to_numpy())
            if (ranks <= self.top).sum() < len(ranks):
                yield f"top {self.top}", ranks <= self.top

    def _row(self, reference: pd.DataFrame, scores: pd.DataFrame) -> dict[str, Any]:
        n_systems, n_topics = reference.shape
        row: dict[str, Any] = {"n_systems": n_systems, "n_topics": n_topics}
        if n_systems < 2 or not n_topics:
            return _undefined(n_systems, n_topics, "one system" if n_topics else "no common topic")
        truth, estimate = reference.mean(axis=1), scores.mean(axis=1)
        drop = maximum_drop(truth, estimate)
        row |= {"mean_reference": truth.mean(), "mean_judge": estimate.mean()}
        row |= self._correlations(reference.to_numpy(), scores.to_numpy())
        row |= {"maximum_drop": int(drop.value or 0), "fallen": drop.convention} | _decisions(reference, scores)
        return row | {"best_reference": _best(truth), "best_judge": _best(estimate)}

    def _correlations(self, reference: Scores, scores: Scores) -> dict[str, Any]:
        sample = TopicSample(reference, scores)
        means = sample.means()
        found: dict[str, Any] = {}
        batches = {name: one(means[None, :, 0], means[None, :, 1]) for name, one in COEFFICIENTS.items()}
        draws = self._drawn(sample, means)
        for name, batch in batches.items():
            known = bool(batch.defined[0])
            limits = outer_limits(COEFFICIENTS[name], *draws, self.confidence) if known and draws else {}
            found |= {name: float(batch.values[0]) if known else pd.NA}
            found |= {f"{name}_{end}": limits.get(end, pd.NA) for end in ("low", "high")}
        return found | {"reason": batches["tau_b"].reason or self._reason(sample)}

    def _drawn(self, sample: TopicSample, means: Scores) -> tuple[Scores, Scores] | None:
        if self._reason(sample):
            return None
        rng = np.random.default_rng(self.seed)
        drawn = sample.drawn(rng, self.draws)
        return drawn, plausible_means(means, drawn - means, sample.n_topics, rng)

    def _reason(self, sample: TopicSample) -> str | None:
        """Why there is no interval."""
        if sample.n_topics < 2:
            return "one_topic"
        return "few_systems" if len(sample.first) < LEAST_SYSTEMS else None

    def against_people(self, model: str) -> Iterator[dict[str, Any]]:
        """The rows of a model: tau_b of another person, of the model, and their difference on the same pairs."""
        cubes = None if self.judges.only_drawn else Cubes.of(self.judges, model)
        if cubes is None:
            return
        n_topics, n_people = cubes.judged.shape
        for systems, chosen in self._choices(pd.DataFrame(cubes.mean_over_people())):
            counts = {"n_systems": int(chosen.sum()), "n_topics": n_topics, "n_people": n_people}
            difference = cubes.on(chosen).difference(self.draws, self.seed, self.confidence)
            yield {"model": model, "systems": systems, **counts, **difference, "caution": cubes.caution or pd.NA}


def _undefined(n_systems: int, n_topics: int, reason: str) -> dict[str, Any]:
    """A row without correlations."""
    names = [f"{name}{end}" for name in COEFFICIENTS for end in ("", "_low", "_high")]
    return {"n_systems": n_systems, "n_topics": n_topics, **dict.fromkeys(names, pd.NA), "reason": reason}


def _decisions(reference: pd.DataFrame, scores: pd.DataFrame) -> dict[str, int]:
    """How many significant differences of the reference are kept, lost, invented and reversed."""
    if reference.shape[1] < 2:
        return dict.fromkeys(("kept", "lost", "invented", "reversed"), 0)
    first, second = (_signs_of(table) for table in (reference, scores))
    return {
        "kept": int(((first == second) & (first != 0)).sum()),
        "lost": int(((first != 0) & (second == 0)).sum()),
        "invented": int(((first == 0) & (second != 0)).sum()),
        "reversed": int((first * second < 0).sum()),
    }


def _signs_of(scores: pd.DataFrame) -> np.ndarray:
    """1 or -1 for each pair of systems that differs significantly, else 0."""
    tests = compare_systems(scores)
    significant = tests["significant"].to_numpy(bool)
    return np.where(significant, np.sign(tests["difference"].to_numpy(np.float64)), 0)


def _best(scores: "pd.Series[float]") -> str:
    return ", ".join(str(system) for system in scores.index[scores >= scores.max() - TIE])
