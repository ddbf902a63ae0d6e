"""Coverage with few grades for more measures, drawn topics, and other topics: `python -m benchmarks.few_grades_topics`.

The benchmark writes the tables of docs/studies/few-grades-topics.md. `measures` has DCG@10 and RBP for draws by topic.
`two stages` draws topics and then pairs of them; the truth is the mean over all topics. `other topics` draws topics
with replacement from many, and pairs of each; the intervals are for topics as a sample, and the truth is the mean over
the many. The results are kept in var/bench, so that an interrupted run continues; `--again` computes all of them. It
takes about a quarter of an hour on one core. The real data (`ASSAY_TEST_DATA`) are left out if they are absent.
"""

import argparse
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from itertools import product
from textwrap import fill as wrapped

import numpy as np
import pandas as pd

from agreement.trust.few_grades.difference_estimator import SampleDesign
from benchmarks import few_grades
from benchmarks.few_grades import (
    COLUMNS,
    REAL,
    SEED,
    SYNTHETIC,
    Collection,
    drawn_by_topic,
    figures,
    scores_and_differences,
    with_baselines,
)
from benchmarks.kept import Kept
from benchmarks.many_topics import DEPTH, topics
from benchmarks.pages import fill
from benchmarks.tiny import DOCS, KEPT, size
from pooling.text_tables import render
from tests.realdata import DATA

DRAWS, MORE_DRAWS, N_TOPICS, N_SYSTEMS = size((500, 2_000, 2_000, 16), (3, 4, 20, 4))
MEASURES, SIZES = ("DCG@10", "RBP(p=0.8)"), size((50, 100, 200, 500, 1_000, 2_000), (20, 40))
STAGES, SAMPLES, OF_EACH = size(((5, 10, 20, 30), (10, 25, 43, 100), (5, 20)), ((3,), (4,), (3,)))
# Grades, measure and grades, or topics and grades of each: these cells have more draws.
NEAR_BOUND = {200, ("RBP(p=0.8)", 500), (43, 5), (10, 20)}
MANY = "many topics"
NOISE, OF_MODEL, RELEVANT = 0.5, 0.8, 2
PAGE, RESULTS = DOCS / "studies" / "few-grades-topics.md", KEPT / "few_grades_topics.json"
FIGURES = COLUMNS[3:]
HEADS = {
    "measures": ("collection", "measure", "grades", "draws", *FIGURES),
    "two stages": ("collection", "topics drawn", "grades of each", "draws", *FIGURES),
    "other topics": ("collection", "topics", "grades of each", "draws", *FIGURES),
}
Labels = tuple[str | int, ...]


@cache
def collection(name: str, measure: str = few_grades.MEASURE) -> Collection:
    makers = {REAL: few_grades.real, SYNTHETIC: few_grades.synthetic}
    return many_topics() if name == MANY else makers[name](measure)


def many_topics() -> Collection:
    """P@10 of synthetic systems on many topics; one judge is the truth, and another one is the model."""
    drawn, rng = topics(N_TOPICS, N_SYSTEMS, SEED), np.random.default_rng(SEED)
    grades, other = drawn.grades(rng, NOISE), drawn.grades(rng, OF_MODEL)
    weights = np.zeros((N_SYSTEMS, *grades.shape))
    np.put_along_axis(weights, drawn.ranked, 1 / DEPTH / N_TOPICS, axis=2)
    pool = weights.any(axis=0)
    return Collection(
        name=MANY,
        topic=np.nonzero(pool)[0],
        weights=scores_and_differences(weights[:, pool]),
        gains=(grades[pool] >= RELEVANT).astype(np.float64),
        models=with_baselines({"another judge": other[pool].astype(np.float64)}, int(pool.sum())),
    )


def of_topics(whole: Collection, chosen: np.ndarray) -> Collection:
    """The pairs of some topics, of which one may be chosen twice; scores are means over these."""
    n_pairs = np.bincount(whole.topic)
    starts, sizes = (np.cumsum(n_pairs) - n_pairs)[chosen], n_pairs[chosen]
    pairs = np.arange(sizes.sum()) + np.repeat(starts - np.cumsum(sizes) + sizes, sizes)
    models = {name: None if model is None else model[pairs] for name, model in whole.models.items()}
    weights = whole.weights[:, pairs] * len(n_pairs) / len(chosen)
    return Collection(whole.name, np.repeat(np.arange(len(chosen)), sizes), weights, whole.gains[pairs], models)


def of_each_topic(topic: np.ndarray, n_each: int, rng: np.random.Generator) -> SampleDesign:
    """The same number of pairs of each topic."""
    n_pairs = np.bincount(topic)
    order = np.lexsort((rng.random(len(topic)), topic))
    place = np.arange(len(topic)) - np.repeat(np.cumsum(n_pairs) - n_pairs, n_pairs)
    drawn = np.zeros(len(topic), dtype=bool)
    drawn[order] = place < n_each
    return SampleDesign(topic, topic, np.minimum(n_each / n_pairs, 1.0)[topic], drawn, is_fixed=True)


def two_stages(topic: np.ndarray, n_topics: int, n_each: int, rng: np.random.Generator) -> SampleDesign:
    """Some topics, and the same number of pairs of each."""
    among = of_each_topic(topic, n_each, rng)
    chosen = rng.permutation(among.n_topics) < n_topics
    probability = among.probability * n_topics / among.n_topics
    return SampleDesign(topic, topic, probability, among.drawn & chosen[topic], True, chosen)


def measured(name: str, measure: str, n_grades: int, n_draws: int) -> list[list[str]]:
    whole = collection(name, measure)
    samples = ((whole, drawn_by_topic(whole.topic, n_grades, rng)) for rng in _rngs(n_draws, n_grades))
    return figures(samples, whole.weights @ whole.gains)


def in_two_stages(name: str, n_topics: int, n_each: int, n_draws: int) -> list[list[str]]:
    whole = collection(name)
    samples = ((whole, two_stages(whole.topic, n_topics, n_each, rng)) for rng in _rngs(n_draws, n_topics, n_each))
    return figures(samples, whole.weights @ whole.gains)


def of_other_topics(name: str, n_topics: int, n_each: int, n_draws: int) -> list[list[str]]:
    whole = collection(name)
    samples = (_of_other_topics(whole, n_topics, n_each, rng) for rng in _rngs(n_draws, n_topics, n_each))
    return figures(samples, whole.weights @ whole.gains, "sampled_topics")


def _of_other_topics(
    whole: Collection, n_topics: int, n_each: int, rng: np.random.Generator
) -> tuple[Collection, SampleDesign]:
    part = of_topics(whole, rng.integers(whole.topic[-1] + 1, size=n_topics))
    return part, of_each_topic(part.topic, n_each, rng)


def _rngs(n_draws: int, *cell: int) -> Iterator[np.random.Generator]:
    return (np.random.default_rng([SEED, *cell, number]) for number in range(n_draws))


def cells(table: str) -> tuple[Callable[..., list[list[str]]], list[Labels]]:
    """What computes the lines of a cell, and the labels of the cells."""
    real = [REAL] if (DATA / "dl19" / "runs").exists() else []
    if table == "measures":
        return measured, list(product([*real, SYNTHETIC], MEASURES, SIZES))
    if table == "two stages":
        return in_two_stages, list(product([*real, SYNTHETIC], STAGES, OF_EACH))
    return of_other_topics, list(product([*real, MANY], SAMPLES, OF_EACH))


def computed(table: str, kept: Kept) -> list[list[str]]:
    """The lines of a table; those that are known already are read."""
    compute, all_labels = cells(table)
    rows = []
    for cell in all_labels:
        labels = (*cell, draws_of(table, cell))
        key = f"{table}, {', '.join(map(str, labels))} draws, seed {SEED}"
        found = kept.get(key, lambda labels=labels: compute(*labels))
        rows += [[*(f"{one:,}" if isinstance(one, int) else one for one in labels), *row] for row in found]
    return rows


def draws_of(table: str, labels: Labels) -> int:
    """The draws of a cell."""
    is_near = table != "two stages" and (labels[-1] in NEAR_BOUND or labels[1:] in NEAR_BOUND)
    return MORE_DRAWS if is_near else DRAWS


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.few_grades_topics")
    parser.add_argument("--again", action="store_true", help="also compute what an earlier call has kept")
    kept = Kept(RESULTS, parser.parse_args().again)
    made = f"Made on {datetime.now(UTC):%Y-%m-%d} by `python -m benchmarks.few_grades_topics`, seed {SEED}."
    for table, head in HEADS.items():
        rows = computed(table, kept)
        text = render(pd.DataFrame(rows, columns=list(head)), "markdown")
        fill(PAGE, {table: f"{wrapped(made, 120)}\n\n{text}"})


if __name__ == "__main__":
    main()
