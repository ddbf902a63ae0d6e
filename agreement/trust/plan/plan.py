"""How many human grades are enough, drawn how, until the ranking is known well enough.

The plan simulates what people might say of the pairs that they have not graded (`worlds`). In each world, it computes
how precise the corrected scores are after n grades (`designs`), and the smallest n that reaches each goal (`goals`).
The rows "without the model" use a judge that gives all documents the same grade: what remains is what the model saves.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from agreement.checks import level
from agreement.effectiveness import prepare
from agreement.effectiveness.gold_grades import highest_of
from agreement.effectiveness.measure import Measure, MeasureLike, parse_measure
from agreement.effectiveness.ranked_runs import RankedRuns, Runs
from agreement.golds.corrected import classes_of
from agreement.trust.plan.designs import DESIGNS, Population
from agreement.trust.plan.goals import GOALS, Precision, grades_needed
from agreement.trust.plan.influence import Ranks, gains_of, influences, ranks_of
from agreement.trust.plan.worlds import Known
from pooling.draws.draw import Draw
from pooling.inputs import Input, as_gold
from pooling.result import Result
from pooling.text_tables import rounded
from pooling.words import count

LEAST_KNOWN = 30  # human grades, below which nothing is known of how the model errs
SECONDS = 20.0
SENTENCES = {
    "scores": "to know each score to ±{width:g}",
    "best": "to know the best system",
    "differences": "to settle every difference that people call significant",
}


@dataclass(frozen=True, eq=False, repr=False)
class GradePlan(Result):
    """How many human grades are enough; returned by `plan_grades`.

    Attributes
    ----------
    needed : DataFrame
        Columns goal, design, judge ("with the model" or "without the model"), world and n_grades: the smallest number
        of human grades that reaches the goal in a world.
    n_pairs, n_graded : int
        Pairs of the pool, and those that people graded already.
    measure : str
    width, confidence, seconds_per_grade : float
    at_any_time : bool
        Whether the intervals hold at every look (a confidence sequence), or for a number of grades fixed before.
    seed : int
    """

    needed: pd.DataFrame
    n_pairs: int
    n_graded: int
    measure: str
    width: float
    confidence: float
    seconds_per_grade: float
    at_any_time: bool
    seed: int

    def to_frame(self) -> pd.DataFrame:
        """One row for each goal, design and judge: the median number of grades over the worlds, and its spread.

        Returns
        -------
        DataFrame
            Columns goal, design, judge, grades (median), q10, q90, further (grades that people have not given yet) and
            hours (of the further grades).
        """
        groups = self.needed.groupby(["goal", "design", "judge"], sort=False)["n_grades"]
        quantiles = {name: np.ceil(groups.quantile(q)) for name, q in (("grades", 0.5), ("q10", 0.1), ("q90", 0.9))}
        table = pd.DataFrame(quantiles).astype("int64").reset_index()
        further = np.maximum(table["grades"] - self.n_graded, 0)
        table = table.assign(further=further, hours=further * self.seconds_per_grade / 3600)
        return table[["goal", "design", "judge", "grades", "q10", "q90", "further", "hours"]]

    def cheapest(self) -> pd.DataFrame:
        """The row of `to_frame` with the fewest grades with the model, for each goal, and `aim`, the goal in words."""
        table = self.to_frame()
        table = table[table["judge"] == "with the model"].sort_values("grades", kind="stable")
        table = table.drop_duplicates("goal").set_index("goal").loc[list(GOALS)].reset_index()
        return table.assign(aim=[SENTENCES[goal].format(width=self.width) for goal in table["goal"]])

    def tables(self) -> dict[str, pd.DataFrame]:
        """The table of the plan by its name."""
        return {"plan": self.to_frame()}

    def summary(self) -> str:
        """What the cheapest design with the model needs for each goal."""
        sentences = []
        for _, row in self.cheapest().iterrows():
            spread = f" ({row['q10']:,} to {row['q90']:,})" if row["q10"] < row["q90"] else ""
            sentences.append(f"{row['aim']}, {row['grades']:,}{spread}, drawn {_drawn(row['design'])}")
        look = "at every look" if self.at_any_time else "for a number fixed before"
        text = "; ".join(sentences)
        return (
            f"Of {count(self.n_pairs, 'pair')}, people must grade about as many: {text}. Intervals of"
            f" {self.confidence:.0%} hold {look}; {self.measure}, seed {self.seed}."
        )

    def _sentence(self) -> str:
        return self.summary()

    def _paper_table(self) -> pd.DataFrame:
        return rounded(self.to_frame())


def plan_grades(
    runs: Runs,
    model: Input,
    grades: Input,
    draw: Draw,
    measure: MeasureLike = "nDCG@10",
    *,
    width: float = 0.05,
    confidence: float = 0.95,
    at_any_time: bool = False,
    designs: Sequence[str] = DESIGNS,
    seconds_per_grade: float = SECONDS,
    scale: Sequence[float] | None = None,
    n_worlds: int = 40,
    seed: int,
) -> GradePlan:
    """Plan how many pairs people must grade, by simulation from the grades that are known.

    Parameters
    ----------
    runs : runs
        The runs of the systems.
    model : table, path or dictionary
        The grades of the model judge: query_id, doc_id, relevance for all pairs of the draw.
    grades : table, path or dictionary
        The grades of people for the drawn pairs.
    draw : Draw
        The recorded draw of these pairs, 30 or more. If it has all pairs, the plan says how many would have been
        enough.
    measure : str or measure, optional
        P, DCG, RBP, nDCG or AP, with their parameters.
    width : float, optional
        Largest half width of the interval of a score.
    confidence : float, optional
        Confidence of the intervals, between 0 and 1.
    at_any_time : bool, optional
        Whether the intervals must hold at every look, also if grading stops when the result is clear.
    designs : sequence of str, optional
        From "uniform", "by topic", "by grade" (strata of the model's grades) and "by influence".
    seconds_per_grade : float, optional
        Seconds that a person needs for one grade.
    scale : sequence of float, optional
        The grades, lowest first, for graded RBP.
    n_worlds : int, optional
        Number of simulated worlds, 1 or more.
    seed : int
        Seed of the worlds.

    Returns
    -------
    GradePlan

    Raises
    ------
    ValueError
        The measure has no plan, an option is out of range, the draw has fewer than 30 pairs, a grade is missing, or the
        model has no grade for a pair of the draw.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from agreement.trust.plan import plan_grades
    >>> from pooling.draws import draw_by_stratum
    >>> rng = np.random.default_rng(1)
    >>> pairs = pd.DataFrame([(str(t), f"d{d}") for t in range(8) for d in range(20)], columns=["query_id", "doc_id"])
    >>> truth = pairs.assign(relevance=(rng.random(160) < 0.4).astype(int))
    >>> runs = pd.concat([truth.assign(system=name, score=rng.random(160) + gain * truth["relevance"])
    ...                   for name, gain in (("bm25", 0.2), ("dense", 0.9))])
    >>> draw = draw_by_stratum(pairs, 5, seed=1)
    >>> grades = draw.drawn.merge(truth)
    >>> plan = plan_grades(runs, truth, grades, draw, "P@5", designs=["by topic"], n_worlds=10, seed=1)
    >>> plan.to_frame()[["goal", "judge", "grades"]].head(2)
         goal              judge  grades
    0  scores     with the model      78
    1  scores  without the model     148
    """
    measure, ranked = parse_measure(measure), prepare(runs)
    precision = _checked(width, confidence, at_any_time, designs, seconds_per_grade, n_worlds)
    pairs = draw.graded(grades)
    if len(draw) < LEAST_KNOWN:
        raise ValueError(
            f"A plan needs at least {LEAST_KNOWN} grades of people, not {len(draw)}, to know how the model errs."
        )
    ranks, highest = ranks_of(ranked, pairs), highest_of(scale)
    model_class = classes_of(_model_grades(pairs, model))
    rows = []
    for judge, classes in (("with the model", model_class), ("without the model", np.zeros_like(model_class))):
        known = Known(model_class, pairs["relevance"].to_numpy(np.float64), pairs["inclusion_probability"].to_numpy())
        planner = _Planner(ranked, pairs, ranks, measure, highest, precision, tuple(designs))
        rows += [{"judge": judge, **row} for row in planner.rows(known, classes, n_worlds, seed)]
    needed = pd.DataFrame(rows)[["goal", "design", "judge", "world", "n_grades"]]
    order = [needed["goal"].map(GOALS.index), needed["design"].map(list(designs).index)]
    needed = needed.iloc[np.lexsort(order[::-1])].reset_index(drop=True)
    return GradePlan(
        needed,
        n_pairs=len(pairs),
        n_graded=len(draw),
        measure=measure.name,
        width=width,
        confidence=confidence,
        seconds_per_grade=seconds_per_grade,
        at_any_time=at_any_time,
        seed=seed,
    )


@dataclass(frozen=True, eq=False)
class _Planner:
    ranked: RankedRuns
    pairs: pd.DataFrame
    ranks: Ranks
    measure: Measure
    highest: float | None
    precision: Precision
    designs: tuple[str, ...]

    def rows(self, known: Known, classes: np.ndarray, n_worlds: int, seed: int) -> Iterator[dict[str, Any]]:
        """The grades needed in each world, by design and goal; `classes` are those that the correction uses."""
        grades, _ = known.concentrations()
        gains = gains_of(self.measure, grades, self.highest)
        expected, spread = known.expected(gains)
        expected = np.where(known.is_graded, gains_of(self.measure, known.people, self.highest), expected)
        influence = influences(self.ranks, expected, self.measure)
        for world, people in enumerate(known.worlds(n_worlds, seed)):
            gain = gains_of(self.measure, people, self.highest)
            residual = gain - _means_by(classes, gain)[classes]
            priority = influence.std(axis=0) * (spread if classes.any() else 1.0)
            population = Population(influence * residual, self.ranks.topic, classes, priority)
            scores = self._scores(people)
            for design in self.designs:
                needed = grades_needed(scores, population.covariance(design), len(people), self.precision)
                for goal, n_grades in needed.items():
                    yield {"world": world, "design": design, "goal": goal, "n_grades": n_grades}

    def _scores(self, people: np.ndarray) -> np.ndarray:
        """The scores if these are the grades of all pairs, shape (n_systems, n_topics)."""
        gold = self.pairs[["query_id", "doc_id"]].assign(relevance=people)
        by_item = self.ranked.grades_by_item(gold)
        matrix = by_item.matrix(tuple(self.ranked.systems), self.ranked.items, self.ranked.retrieved)
        return self.measure(matrix)


def _means_by(classes: np.ndarray, values: np.ndarray) -> np.ndarray:
    return np.asarray(np.bincount(classes, values) / np.maximum(np.bincount(classes), 1))


def _model_grades(pairs: pd.DataFrame, model: Input) -> np.ndarray:
    grades = as_gold(model)[["query_id", "doc_id", "relevance"]].rename(columns={"relevance": "model"})
    joined = pairs[["query_id", "doc_id"]].merge(grades, on=["query_id", "doc_id"], how="left", validate="1:1")
    if joined["model"].isna().any():
        row = joined[joined["model"].isna()].iloc[0]
        n_missing = int(joined["model"].isna().sum())
        raise ValueError(
            f"The model has no grade for {count(n_missing, 'pair')} of the draw, such as document {row['doc_id']!r} of"
            f" topic {row['query_id']!r}. The correction needs a grade of the model for all pairs."
        )
    return joined["model"].to_numpy(np.float64)


def _checked(
    width: float,
    confidence: float,
    at_any_time: bool,
    designs: Sequence[str],
    seconds_per_grade: float,
    n_worlds: int,
) -> Precision:
    level("confidence", confidence, 0.95)
    if not width > 0:
        raise ValueError(f"width must be above 0, not {width!r}.")
    if not seconds_per_grade > 0:
        raise ValueError(f"seconds_per_grade must be above 0, not {seconds_per_grade!r}.")
    if n_worlds < 1:
        raise ValueError(f"n_worlds must be at least 1, not {n_worlds!r}.")
    if not designs or (unknown := [design for design in designs if design not in DESIGNS]):
        raise ValueError(f"designs must be one or more of {', '.join(DESIGNS)}, not {unknown[0] if designs else ''!r}.")
    return Precision(width, confidence, at_any_time)


def _drawn(design: str) -> str:
    return "uniformly" if design == "uniform" else design
