"""How often the interval of the verdict contains the true difference: `python -m benchmarks.verdict_coverage`.

The benchmark writes the tables of docs/studies/verdicts.md. Topics are drawn from a synthetic collection with very many
topics, of which all judges graded every document, and the difference between the model and another person is computed
as the verdict does. The cells are kept in var/bench, so that an interrupted run continues; `--again` computes all of
them. It takes about ten minutes on one core. Seeds are fixed.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import product
from textwrap import fill as wrapped

import numpy as np
import pandas as pd

from agreement.rank_correlation import tau_b_paired
from agreement.trust.against_people import Cubes
from agreement.trust.ranking import DRAWS
from agreement.trust.verdict import AS_PEOPLE, WORSE, TrustThresholds, level_of
from benchmarks.kept import Kept
from benchmarks.many_topics import CLOSE, FAR_APART, Topics, topics
from benchmarks.pages import fill
from benchmarks.tiny import DOCS, KEPT, size
from pooling.text_tables import render

N_SETS, N_TOPICS, N_SYSTEMS = size((600, 20_000, 15), (3, 200, 6))
SIZES, PEOPLE = size(((10, 25, 43, 100), (1, 2, 8)), ((10,), (1, 2)))
SEED, CONFIDENCE = 2026, 0.95
MARGIN = TrustThresholds().margin
PER_TOPIC = 2  # other people who judge a topic
SYSTEMS = {"far apart": FAR_APART, "close": CLOSE}
OF_PEOPLE = {"noise": 0.5, "taste": 0.1, "strictness": 0.15}  # tastes and strictness are standard deviations
MODELS = {  # noise and taste of each model
    "like a person": (0.5, 0.05),
    "more noise": (1.2, 0.0),
    "another taste": (0.3, 0.5),
}
TOLERANCE = 1.5  # points
PAGE, RESULTS = DOCS / "studies" / "verdicts.md", KEPT / "verdict_coverage.json"
COLUMNS = ("systems", "model", "people", "topics", "tau_b, person", "tau_b, model", "difference", "many topics")
COLUMNS += ("covered", "many topics covered", "half width", "wrongly as people", "wrongly worse")


@dataclass(frozen=True, eq=False)
class Population:
    """nDCG@10 on very many topics.

    Shapes: `reference` and each of `models` (n_systems, N_TOPICS); `people` (n_systems, N_TOPICS, most people).
    """

    reference: np.ndarray
    people: np.ndarray
    models: dict[str, np.ndarray]

    def limit(self, model: str, n_people: int) -> float:
        """The difference on all topics."""
        person = self.people[..., :n_people].mean(axis=2)
        return tau(self.reference, self.models[model]) - tau(self.reference, person)

    def sample(self, model: str, n_people: int, n_topics: int, rng: np.random.Generator) -> Cubes:
        """The scores on drawn topics, each judged by some of the people."""
        chosen = rng.integers(N_TOPICS, size=n_topics)
        place = rng.random((n_topics, n_people)).argsort(axis=1)
        one, other = (
            np.repeat(scores[:, chosen, None], n_people, axis=2) for scores in (self.reference, self.models[model])
        )
        return Cubes(one, self.people[:, chosen, :n_people], other, place < PER_TOPIC)


def tau(first: np.ndarray, second: np.ndarray) -> float:
    return float(tau_b_paired(first.mean(axis=1)[None], second.mean(axis=1)[None]).values[0])


def population(systems: str) -> Population:
    drawn, rng = topics(N_TOPICS, N_SYSTEMS, SEED, SYSTEMS[systems]), np.random.default_rng(SEED)
    return Population(
        reference=_person(drawn, rng),
        people=np.stack([_person(drawn, rng) for _ in range(max(PEOPLE))], axis=2),
        models={name: drawn.ndcg(drawn.grades(rng, *errors)) for name, errors in MODELS.items()},
    )


def _person(drawn: Topics, rng: np.random.Generator) -> np.ndarray:
    taste, strictness = (rng.normal(0, OF_PEOPLE[name]) for name in ("taste", "strictness"))
    return drawn.ndcg(drawn.grades(rng, OF_PEOPLE["noise"], taste, strictness))


def row_of(of: Population, model: str, n_people: int, n_topics: int) -> list[str]:
    """The figures of one row."""
    found = []
    for number in range(N_SETS):
        sample = of.sample(model, n_people, n_topics, np.random.default_rng([SEED, n_topics, n_people, number]))
        found.append(sample.difference(DRAWS, SEED, CONFIDENCE))
    table, limit = pd.DataFrame(found).dropna(subset=["difference"]), of.limit(model, n_people)
    means = table[["tau_b_person", "tau_b_model", "difference"]].astype(float).mean()
    levels = [level_of(row, MARGIN) for row in table.to_dict("records")]
    is_worse = limit < -MARGIN
    wrong = [100 * levels.count(AS_PEOPLE) / len(levels) if is_worse else None]
    wrong.append(None if is_worse else 100 * levels.count(WORSE) / len(levels))
    return [
        *(f"{means[name]:.2f}" for name in ("tau_b_person", "tau_b_model")),
        *(f"{value:+.2f}" for value in (means["difference"], limit)),
        *(f"{covered(table, value):.1f}" for value in (means["difference"], limit)),
        f"{float((table['high'] - table['low']).mean()) / 2:.2f}",
        *("" if share is None else f"{share:.1f}" for share in wrong),
    ]


def covered(table: pd.DataFrame, value: float) -> float:
    """The share of intervals that contain a value, in percent."""
    inside = (table["low"].astype(float) <= value + 1e-9) & (value - 1e-9 <= table["high"].astype(float))
    return 100 * float(inside.mean())


def computed(again: bool) -> Iterator[list[str]]:
    """All rows; those that are known already are read."""
    kept, of = Kept(RESULTS, again), cache(population)
    for systems, *labels in product(SYSTEMS, MODELS, PEOPLE, SIZES):
        model, n_people, n_topics = labels
        key = f"{systems}, {model}, {n_people} people, {n_topics} topics, {N_SETS} sets, seed {SEED}"
        (row,) = kept.get(key, lambda cell=(systems, *labels): [row_of(of(cell[0]), *cell[1:])])
        yield [systems, model, str(n_people), str(n_topics), *row]


def summary(rows: list[list[str]]) -> str:
    """Lowest and highest coverage for each number of topics."""
    sentences = []
    for n_topics in SIZES:
        of_size = pd.DataFrame(rows, columns=list(COLUMNS)).query(f"topics == '{n_topics}'")
        ends = [(of_size[name].astype(float).min(), of_size[name].astype(float).max()) for name in COLUMNS[8:10]]
        sentences.append(
            f"With {n_topics} topics, the intervals contain the difference for as many topics in {ends[0][0]:.1f} to"
            f" {ends[0][1]:.1f} % of the data sets, and that for very many topics in {ends[1][0]:.1f} to"
            f" {ends[1][1]:.1f} %."
        )
    return " ".join(sentences)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verdict_coverage")
    parser.add_argument("--again", action="store_true", help="also compute what an earlier call has kept")
    rows = list(computed(parser.parse_args().again))
    error = 100 * np.sqrt(CONFIDENCE * (1 - CONFIDENCE) / N_SETS)
    made = (
        f"Made on {datetime.now(UTC):%Y-%m-%d} by `python -m benchmarks.verdict_coverage`: {N_SETS:,} data sets for"
        f" each line, seed {SEED}. A coverage of 95 % has a standard error of {error:.1f} points."
    )
    table = render(pd.DataFrame(rows, columns=list(COLUMNS)), "markdown")
    fill(PAGE, {"made": wrapped(made, 120), "summary": wrapped(summary(rows), 120), "verdicts": table})


if __name__ == "__main__":
    main()
