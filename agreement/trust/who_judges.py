"""Which pairs people should grade: what a grade of people is expected to teach about the ranking of the systems.

A model has graded all pairs. If people grade a pair, its grade may change, and with it the differences of the systems.
For each pair (topic and document) and each grade y of the scale, the document gets the grade y, all others keep theirs,
and all systems are scored again. The gain of the pair is

    sum over pairs of systems (s, t) of  sd of [score(s | y) - score(t | y)]  /  number of topics

where y has the chances that people give each grade when the model gives its grade (`agreement.trust.grade_chances`). It
is the expected size of the change of the differences of mean scores. For a measure that is a sum of weight times gain
of the grade, such as P@k and DCG, it is

    sum over (s, t) of |w(s) - w(t)|  *  sd of the gain of people's grade  /  number of topics

For ratios such as nDCG and AP it includes the effect on the ideal ranking or the number of relevant documents. With
`pairs="adjacent"`, only the systems next to each other in the ranking count.

Each effect is computed alone, so the gains of several pairs do not add up. A gain is a guess that chooses pairs;
estimates of scores do not rest on it, if pairs are drawn with recorded probabilities (pool strategy `ask_people`).

References
----------
T. Zrnic and E. J. Candès (2024). Active statistical inference. ICML 2024, PMLR 235, arXiv 2403.03208: probabilities in
proportion to the expected error of the model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.attribution.rescoring import Rescoring, grades_of
from agreement.checks import choice, number
from agreement.choices import PAIRS_OF_SYSTEMS
from agreement.effectiveness.measure import MeasureLike, parse_measure
from agreement.effectiveness.ranked_runs import Runs, prepare_for
from agreement.judgements import checked_scale
from agreement.reports.results import records
from agreement.trust.grade_chances import PRIOR, GradeChances, grade_chances, nearest_positions
from agreement.trust.grade_effects import GradeEffects
from pooling.inputs import Input, as_gold
from pooling.ranking import check_common_topic
from pooling.result import Result
from pooling.words import count

PAIR = ["query_id", "doc_id"]


@dataclass(frozen=True, eq=False, repr=False)
class WhoJudges(Result):
    """What a grade of people teaches for each pair; returned by `who_judges`.

    Attributes
    ----------
    measure : str
        Name of the measure.
    scale : tuple of float
        The grades of people, lowest first.
    n_systems, n_topics : int
        Number of systems, and of topics with grades of the model.
    n_known : int
        Number of pairs that people have graded. They are not in the list.
    n_without_grade : int
        Number of pairs in the first ranks of the systems that nobody has graded. They are not in the list.
    systems : str
        "all" or "adjacent": the pairs of systems that count.
    pairs : DataFrame
        One row for each pair that people have not graded: query_id, doc_id, model_grade; spread, the standard deviation
        of the grade of people where the model gives this grade; gain; and why, in words. Sorted by gain, the largest
        first, then by query_id and doc_id.
    """

    measure: str
    scale: tuple[float, ...]
    n_systems: int
    n_topics: int
    n_known: int
    n_without_grade: int
    systems: str
    pairs: pd.DataFrame

    @property
    def gain(self) -> dict[str, dict[str, float]]:
        """The gain by query_id and doc_id, as the pool strategy `ask_people` takes it.

        Pairs that people have graded have none. Draw from a pool without them, or compute the gains without grades.
        """
        rows = self.pairs.sort_values(PAIR)
        gains: dict[str, dict[str, float]] = {}
        for query_id, doc_id, gain in zip(rows["query_id"], rows["doc_id"], rows["gain"].tolist(), strict=True):
            gains.setdefault(query_id, {})[doc_id] = gain
        return gains

    def summary(self) -> str:
        """Return the headline: how much of the gain few pairs have, and which pair teaches most."""
        basis = f"{self.measure}, {count(self.n_systems, 'system')}, {count(self.n_topics, 'topic')}"
        total = self.pairs["gain"].sum()
        if not total > 0:
            return f"No grade of people is expected to change a difference of systems ({basis})."
        half = int(np.searchsorted(self.pairs["gain"].cumsum().to_numpy(), total / 2 * (1 - 1e-12))) + 1
        first = self.pairs.iloc[0]
        text = (
            f"{count(half, 'pair')} of {len(self.pairs):,} {'has' if half == 1 else 'have'} half of the expected gain"
            f" ({basis}). Document {first['doc_id']} of topic {first['query_id']} teaches most: {first['why']}"
        )
        if self.n_without_grade:
            text += f" {count(self.n_without_grade, 'pair')} of the systems without a grade of the model left out."
        return text

    def _sentence(self) -> str:
        return self.summary()

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return the only table by name, not rounded: pairs."""
        return {"pairs": self.pairs}

    def to_frame(self) -> pd.DataFrame:
        """Return `pairs`."""
        return self.pairs

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as JSON types."""
        names = ("measure", "n_systems", "n_topics", "n_known", "n_without_grade", "systems")
        figures = {name: getattr(self, name) for name in names} | {"scale": list(self.scale)}
        return figures | {"summary": self.summary(), "pairs": records(self.pairs)}


def who_judges(
    runs: Runs,
    model: Input,
    measure: MeasureLike,
    grades: Input | None = None,
    *,
    scale: Sequence[float],
    pairs: str = "all",
    prior: float = PRIOR,
    collection_size: int | None = None,
) -> WhoJudges:
    """Compute what a grade of people is expected to teach about the ranking, for each pair that a model graded.

    Parameters
    ----------
    runs : table, path, dictionary, iterable of these, or RankedRuns
        Rankings with the columns system, query_id, doc_id and score.
    model : table, path or dictionary
        The grades of the model: columns query_id, doc_id and relevance, from the lowest to the highest of the scale.
        Fractions count as the nearest grade.
    measure : str, ir_measures.Measure, or Measure
        A measure such as "AP", "nDCG@10" or "P(rel=2)@5".
    grades : table, path or dictionary, optional
        Known grades of people, with the same columns, each on the scale. They say how far people differ from the model,
        and replace its grades.
    scale : sequence of numbers
        The grades that people can give, lowest first.
    pairs : {"all", "adjacent"}, optional
        The pairs of systems whose differences count: all, or those next to each other in the ranking.
    prior : float, optional
        For how many grades of people the prior counts, for each grade of the model; above 0.
    collection_size : int, optional
        Number of documents in the collection, for measures that need it.

    Returns
    -------
    WhoJudges

    Raises
    ------
    ValueError
        An unknown measure or option; grades that are not numbers, outside the scale or twice; invalid runs; or no topic
        in common.

    References
    ----------
    T. Zrnic and E. J. Candès (2024). Active statistical inference. ICML 2024, PMLR 235, arXiv 2403.03208.

    Examples
    --------
    >>> from agreement.trust.who_judges import who_judges
    >>> runs = {"bm25": {"1": {"a": 3, "b": 2, "c": 1}}, "lsa": {"1": {"a": 3, "c": 2, "b": 1}}}
    >>> model = {"1": {"a": 1, "b": 0, "c": 1}}
    >>> who_judges(runs, model, "P@2", scale=(0, 1)).pairs[["doc_id", "gain"]].round(3)
      doc_id   gain
    0      b  0.236
    1      c  0.236
    2      a  0.000
    """
    choice("pairs", pairs, PAIRS_OF_SYSTEMS)
    number("prior", prior, "a number above 0", lambda value: 0 < value < float("inf"))
    steps = _scale(scale)
    of_model = _positions(model, "the model", steps)
    of_people = of_model[:0] if grades is None else _positions(grades, "people", steps)
    current, chances = _current(of_model, of_people, steps, prior)
    ranked, scored = prepare_for(runs, [current]), parse_measure(measure)
    matrix = ranked.under(current[[*PAIR, "relevance"]], tuple(steps.tolist()), collection_size)
    check_common_topic(ranked, matrix.query_ids, "the model")
    rescoring = Rescoring(ranked, scored, matrix)
    effects = GradeEffects(rescoring, chances, _system_pairs(scored(matrix), pairs), len(matrix.query_ids))
    parts = [effects.of_topic(str(query_id), rows) for query_id, rows in current.groupby("query_id", sort=True)]
    listed = pd.concat(parts, ignore_index=True).sort_values(["gain", *PAIR], ascending=[False, True, True])
    return WhoJudges(
        measure=scored.name,
        scale=tuple(steps.tolist()),
        n_systems=len(ranked.systems),
        n_topics=len(matrix.query_ids),
        n_known=len(of_people),
        n_without_grade=_without_grade(rescoring, current),
        systems=pairs,
        pairs=listed.reset_index(drop=True),
    )


def _scale(scale: Sequence[float]) -> np.ndarray:
    grades = checked_scale(scale)
    if any(isinstance(grade, str) for grade in grades):
        raise ValueError(f"scale must have numbers, lowest first, not {grades!r}.")
    return np.array(grades, dtype=np.float64)


def _positions(gold: Input, who: str, scale: np.ndarray) -> pd.DataFrame:
    """The judged pairs with their grade and its position on the scale."""
    grades_of(as_gold(gold))  # raises an error for a missing column and a grade that is not a number
    frame = as_gold(gold)[[*PAIR, "relevance"]]
    frame = frame[frame["relevance"] >= 0].reset_index(drop=True)
    if frame.duplicated(PAIR).any():
        row = frame[frame.duplicated(PAIR)].iloc[0]
        raise ValueError(f"Document {row['doc_id']!r} of topic {row['query_id']!r} has two grades of {who}.")
    if who == "people" and not frame["relevance"].isin(scale).all():
        row = frame[~frame["relevance"].isin(scale)].iloc[0]
        raise ValueError(
            f"The grade {row['relevance']:g} of people for document {row['doc_id']!r} of topic {row['query_id']!r} is"
            f" not on the scale {', '.join(f'{grade:g}' for grade in scale)}."
        )
    return frame.assign(position=nearest_positions(frame["relevance"], scale, who))


def _current(
    model: pd.DataFrame, people: pd.DataFrame, scale: np.ndarray, prior: float
) -> tuple[pd.DataFrame, GradeChances]:
    """All graded pairs with their current grade, whether it is known, and the grade of the model; and the chances."""
    if not len(model):
        raise ValueError("The model has no grade.")
    joined = model.merge(people, on=PAIR, how="outer", suffixes=("_model", "_people"))
    both = joined[joined["position_model"].notna() & joined["position_people"].notna()]
    chances = grade_chances(
        scale, both["position_model"].to_numpy(np.int64), both["position_people"].to_numpy(np.int64), prior
    )
    known = joined["position_people"].notna()
    position = joined["position_people"].fillna(joined["position_model"]).astype(np.int64)
    current = joined[PAIR].assign(
        relevance=scale[position.to_numpy()], position=position, known=known, model_grade=joined["relevance_model"]
    )
    return current.sort_values(PAIR, ignore_index=True), chances


def _system_pairs(scores: np.ndarray, pairs: str) -> tuple[np.ndarray, np.ndarray]:
    """The positions of the first and the second system of each pair that counts."""
    if pairs == "all":
        return np.triu_indices(len(scores), 1)
    order = np.argsort(-scores.mean(axis=1), kind="stable")
    return order[:-1], order[1:]


def _without_grade(rescoring: Rescoring, current: pd.DataFrame) -> int:
    """How many pairs of the graded topics are in the ranks that the measure sees, and have no grade."""
    runs = rescoring.runs
    topics = runs.query_ids.get_indexer(pd.Index(current["query_id"].unique()))
    seen = np.unique(runs.items[:, topics[topics >= 0], : rescoring.measure.depth])
    keys = runs.keys.to_numpy()[seen[seen < len(runs.keys)]]
    documents = runs.documents.get_indexer(pd.Index(current["doc_id"]))
    graded = runs.query_ids.get_indexer(pd.Index(current["query_id"])) * len(runs.documents) + documents
    return int((~np.isin(keys, graded[documents >= 0])).sum())
