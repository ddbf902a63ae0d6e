"""How far the difference of two runs could change if the unjudged documents at the top were judged.

The unjudged documents among the first k of either run are free: each may have any grade, the same one in both runs. k
is the cutoff of the measure, or 10 if it has none. All other documents keep what they have: an unjudged document below
the first k of both runs stays not relevant, as in the score itself. Otherwise the hundreds of unjudged documents at the
end of a ranking would make every difference possible.

For each topic:

same      The two rankings have the same documents in the same order, down to the last rank that the measure uses. The
          difference is 0 whatever the judgements are.
exact     There are at most 4,096 ways to judge the free documents of the topic. All are scored.
outer     There are more. Each run has the bounds that `score_bounds` computes of its own free documents; for its
          smallest score, the free documents that it does not retrieve have the highest grade, because they raise the
          number of relevant documents and can only lower it. The smallest difference is the smallest score of the
          candidate minus the largest of the baseline. The two may need different grades of a document, so that outer
          bounds can be wider than the exact ones, and are never narrower.

A measure with a lowest relevant grade (`rel`) needs two grades, a graded measure those of the scale. AP, P, R, F, RR,
Success, RBP, DCG, nDCG, ERR, SetP, SetR and SetF have bounds. Rprec and BreakEven have them unless a topic needs outer
bounds, because a relevant document that is not retrieved can raise them. Other measures have none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TypeAlias

import numpy as np
import pandas as pd

from agreement.effectiveness.bounds import score_bounds
from agreement.effectiveness.bounds.judgements import BOUNDS, unjudged_ranks
from agreement.effectiveness.measure import Measure
from agreement.effectiveness.ranked_runs import GradeMatrix, RankedRuns
from agreement.effectiveness.registry import MEASURES
from agreement.rank_correlation import TIE

WAYS = 4096  # to judge the free documents of a topic: with more, its bounds are outer ones
ONLY_EXACT = ("Rprec", "BreakEven")
MOST_GRADES = 100  # of a scale that was not declared; a gold with higher ones has the grades that occur
IDS = ["query_id", "doc_id"]
Limits: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class DifferenceBounds:
    """The smallest and the largest difference on every topic of a gold.

    Attributes
    ----------
    lowest, highest : ndarray of float, shape (n_topics,)
        Bounds of candidate minus baseline.
    n_outer : int
        Number of topics whose bounds are outer ones.
    """

    lowest: np.ndarray
    highest: np.ndarray
    n_outer: int


def grades_of_scale(gold: pd.DataFrame, scale: Sequence[float] | None) -> list[float]:
    """Return the declared grades; without a scale, 0 to the highest grade of the gold.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement.gate.bounds import grades_of_scale
    >>> grades_of_scale(pd.DataFrame({"relevance": [3, 0, -1]}), None)
    [0.0, 1.0, 2.0, 3.0]
    """
    if scale is not None:
        return [float(grade) for grade in scale]
    grades = gold["relevance"].astype("float64")
    highest = float(max(grades.max(), 1.0))
    is_whole = (grades == np.rint(grades)).all() and highest <= MOST_GRADES
    return sorted({0.0, highest, *map(float, range(int(highest)) if is_whole else grades[grades >= 0])})


def difference_bounds(
    runs: RankedRuns, gold: pd.DataFrame, measure: Measure, k: int, scale: Sequence[float]
) -> DifferenceBounds | None:
    """Return the bounds of the second system minus the first; None if the measure has none.

    Parameters
    ----------
    runs : RankedRuns
        Two systems, down to the last rank that the measure uses.
    gold : DataFrame
        query_id, doc_id and relevance.
    measure : Measure
        The measure.
    k : int
        Number of documents at the top whose judgements are free.
    scale : sequence of float
        All grades, lowest first.
    """
    base = measure.name.split("@")[0].split("(")[0]
    is_known = base in BOUNDS and measure.function is MEASURES[base].function
    if not is_known or measure.judged_only or measure.parameters.get("relative"):
        return None
    problem = _Problem(runs, gold, replace(runs.under(gold), highest=scale[-1]), measure, tuple(scale))
    free, below = _unjudged(runs, problem.matrix, k)
    free = {topic: doc_ids for topic, doc_ids in free.items() if not _is_same(runs, topic)}
    many = {topic: doc_ids for topic, doc_ids in free.items() if problem.n_ways(doc_ids) > WAYS}
    if many and base in ONLY_EXACT:
        return None
    limits = {topic: problem.exact(topic, doc_ids) for topic, doc_ids in free.items() if topic not in many}
    limits |= problem.outer(many, below) if many else {}
    return _with_observed(problem, limits, len(many))


@dataclass(frozen=True)
class _Problem:
    """Two runs, a gold with its matrix, a measure and the grades of the scale."""

    runs: RankedRuns
    gold: pd.DataFrame
    matrix: GradeMatrix
    measure: Measure
    scale: tuple[float, ...]

    @property
    def grades(self) -> tuple[float, ...]:
        """The grades that a free document may have, lowest first."""
        rel = self.measure.parameters.get("rel")
        return self.scale if rel is None else (0.0, float(rel))

    def n_ways(self, doc_ids: Sequence[str]) -> int:
        return int(len(self.grades) ** len(doc_ids))

    def differences(self, matrix: GradeMatrix) -> np.ndarray:
        """The second system minus the first."""
        baseline, candidate = self.measure(replace(matrix, highest=self.scale[-1]))
        return np.asarray(candidate - baseline)

    def exact(self, topic: str, doc_ids: list[str]) -> Limits:
        """Score every way to judge the free documents of a topic."""
        gold = self.gold[(self.gold["query_id"] == topic) & (self.gold["relevance"] >= 0)]
        ways = np.array(list(product(self.grades, repeat=len(doc_ids))))
        known = np.broadcast_to(gold["relevance"].to_numpy(dtype=np.float64), (len(ways), len(gold)))
        whole = np.hstack([known, ways])
        matrix = self.runs.regraded(topic, [*gold["doc_id"], *doc_ids], whole, np.ones(whole.shape, dtype=bool))
        found = self.differences(matrix)
        return float(found.min()), float(found.max())

    def outer(self, free: Mapping[str, list[str]], below: pd.DataFrame) -> dict[str, Limits]:
        """Subtract the bounds of each run from those of the other, on the topics of `free`."""
        rows = pd.concat([self.gold, below], ignore_index=True)
        rows = rows[rows["query_id"].isin(list(free))]
        low, high = {}, {}
        for system in self.runs.systems:
            missing = [pair for topic in free for pair in _not_retrieved(self.runs, system, topic, free[topic])]
            others = pd.DataFrame(missing, columns=IDS).assign(relevance=self.grades[-1])
            low[system] = self._bounds(pd.concat([rows, others], ignore_index=True), system)["low"]
            high[system] = self._bounds(rows, system)["high"]
        baseline, candidate = self.runs.systems
        lowest, highest = low[candidate] - high[baseline], high[candidate] - low[baseline]
        return {topic: (float(lowest[topic]), float(highest[topic])) for topic in free}

    def _bounds(self, gold: pd.DataFrame, system: str) -> pd.DataFrame:
        gold = gold.drop_duplicates(IDS, keep="last")  # a document that was pooled and not judged has a row already
        scale = sorted({*self.scale, self.grades[-1]})
        found = score_bounds(self.runs, gold, self.measure, scale=scale)
        return found[found["system"] == system].set_index("query_id")


def _unjudged(runs: RankedRuns, matrix: GradeMatrix, k: int) -> tuple[dict[str, list[str]], pd.DataFrame]:
    """Return the unjudged documents of each topic in the first k of a run, and those only below, as rows of a gold."""
    positions = runs.query_ids.get_indexer(pd.Index(matrix.query_ids, dtype="str"))
    unjudged, names = unjudged_ranks(matrix), runs.doc_ids_of_items
    free, below = {}, []
    for place, (topic, position) in enumerate(zip(matrix.query_ids, positions, strict=True)):
        items, marked = runs.items[:, position], unjudged[:, place]
        top = set(items[:, :k][marked[:, :k]].tolist())
        if top:
            free[topic] = sorted(names[list(top)])
            below += [(topic, names[item], 0) for item in set(items[marked].tolist()) - top]
    return free, pd.DataFrame(below, columns=[*IDS, "relevance"])


def _is_same(runs: RankedRuns, topic: str) -> bool:
    position = runs.query_ids.get_loc(topic)
    return bool((runs.items[0, position] == runs.items[1, position]).all())


def _not_retrieved(runs: RankedRuns, system: str, topic: str, doc_ids: list[str]) -> list[tuple[str, str]]:
    position, row = runs.query_ids.get_loc(topic), runs.systems.get_loc(system)
    retrieved = set(runs.doc_ids_of_items[runs.items[row, position, : runs.retrieved[row, position]]])
    return [(topic, doc_id) for doc_id in doc_ids if doc_id not in retrieved]


def _with_observed(problem: _Problem, limits: Mapping[str, Limits], n_outer: int) -> DifferenceBounds:
    """Return the limits of all topics; those of a topic that is not in `limits` are its difference."""
    observed = problem.differences(problem.matrix)
    pairs = [limits.get(topic, (value, value)) for topic, value in zip(problem.matrix.query_ids, observed, strict=True)]
    table = np.array(pairs, dtype=np.float64).reshape(-1, 2)
    table[:, 0], table[:, 1] = np.minimum(table[:, 0], observed), np.maximum(table[:, 1], observed)
    table[np.abs(table) < TIE] = 0.0
    return DifferenceBounds(table[:, 0], table[:, 1], n_outer)
