"""How often intervals from few human grades contain the true score: `python -m benchmarks.few_grades`.

The benchmark writes the tables of docs/studies/few-grades.md. On collections of which all pairs were graded, samples
are drawn again and again, and the scores and differences by P@10 are estimated from each with 90, 95 and 99 %
intervals. The results of each collection, draw and number of grades are kept in var/bench, so that an interrupted run
continues; `--again` computes all of them. It takes about ten minutes on one core. The real data (`ASSAY_TEST_DATA`) are
left out if they are absent.
"""

import argparse
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from textwrap import fill

import numpy as np
import pandas as pd

from agreement import parse_measure, prepare
from agreement.trust.few_grades.difference_estimator import Estimated, SampleDesign, difference_estimate
from agreement.trust.few_grades.linear import LEAST_GRADES, equal_weights, expanded_weights, limits
from agreement.trust.few_grades.predictions import cross_fitted
from agreement.trust.few_grades.weights import gains, pair_weights
from agreement.trust.model_files import read_model_grades
from benchmarks.kept import Kept
from benchmarks.synthetic import judgements, run_frames
from benchmarks.tiny import DOCS, KEPT, size
from pooling import pool, read_qrels, read_run
from pooling.text_tables import render
from tests.realdata import DATA

DRAWS, SIZES, SEED = size((2_000, (50, 100, 200, 500, 1_000, 2_000), 2026), (3, (20, 40), 2026))
OF_POISSON = size((100, 500), (20,))
MEASURE, DEPTH = "P(rel=2)@10", 10
HIGHEST = 3  # grade
N_SCORES, N_DIFFERENCES = size((5, 5), (2, 2))
SYNTHETIC_SYSTEMS, SYNTHETIC_TOPICS = size((16, 50), (4, 5))
LEVELS = (0.9, 0.95, 0.99)
TOLERANCE = 1.5  # points
MODELS = ("gpt-4o.umbrela", "llama3.2.umbrela")
CLASSICAL, CONSTANT = "none: classical", "none: constant judge"
BY_TOPIC, EACH_BY_ITSELF = "by topic", "each by itself"
REAL, SYNTHETIC = "TREC DL 2019", "synthetic"
IDS = ["query_id", "doc_id"]
PAGE, RESULTS = DOCS / "studies" / "few-grades.md", KEPT / "few_grades.json"
COLUMNS = ("collection", "draw", "grades", "of a", "model", "grades used", *(f"{level:.0%}" for level in LEVELS))
COLUMNS += ("half width, 95%", "variance, estimated / true", "saved by the model")


@dataclass(frozen=True, eq=False)
class Collection:
    """A collection of which all pairs were graded.

    Attributes
    ----------
    name : str
    topic : ndarray of int, shape (n_pairs,)
        Topic of each pair, ascending.
    weights : ndarray of float, shape (N_SCORES + N_DIFFERENCES, n_pairs)
        Weights of scores, then of differences.
    gains : ndarray of float, shape (n_pairs,)
        The gains of the true grades.
    models : dict of str to ndarray or None
        The grades of each model, shape (n_pairs,); None for the classical estimate.
    """

    name: str
    topic: np.ndarray
    weights: np.ndarray
    gains: np.ndarray
    models: dict[str, np.ndarray | None]


def real(measure: str = MEASURE) -> Collection:
    """TREC 2019 Deep Learning: NIST's grades are the truth."""
    runs = [read_run(path) for path in sorted((DATA / "dl19" / "runs").glob("*.run.gz"))]
    gold = read_qrels(DATA / "dl19" / "judges" / "nist.qrels")
    files = {name: DATA / "dl19" / "model_judges" / f"{name}.txt" for name in MODELS}
    files = {name: path for name, path in files.items() if path.exists()}
    models = read_model_grades(files, duplicates="last").golds if files else {}
    return _collection(REAL, runs, gold, models, measure)


def synthetic(measure: str = MEASURE) -> Collection:
    """Synthetic runs; one judge is the truth, and another one is the model."""
    runs = list(run_frames(SYNTHETIC_SYSTEMS, SYNTHETIC_TOPICS, 100))
    judged = judgements(pool(runs, "depth", depth=DEPTH), n_judges=2)
    (_, gold), (_, other) = judged.groupby("assessor", sort=True)
    return _collection(SYNTHETIC, runs, gold, {"another judge": other}, measure)


def _collection(
    name: str, runs: list[pd.DataFrame], gold: pd.DataFrame, models: dict[str, pd.DataFrame], by: str
) -> Collection:
    measure = parse_measure(by)
    pairs = pool(runs, "depth", depth=DEPTH).frame[IDS].merge(gold[[*IDS, "relevance"]], on=IDS)
    pairs = pairs.sort_values(IDS, ignore_index=True)
    grades = {key: pairs[IDS].merge(one, "left", IDS)["relevance"].to_numpy(float) for key, one in models.items()}
    return Collection(
        name=name,
        topic=pd.factorize(pairs["query_id"])[0],
        weights=scores_and_differences(pair_weights(prepare(runs), pairs, measure).weights),
        gains=gains(measure, pairs["relevance"].to_numpy(float), HIGHEST),
        models=with_baselines({key: _filled(one) for key, one in grades.items()}, len(pairs)),
    )


def scores_and_differences(weights: np.ndarray) -> np.ndarray:
    """The weights of some scores, then of some differences, from those of all systems."""
    rng = np.random.default_rng(SEED)
    first, second = (rng.permutation(len(weights))[:N_DIFFERENCES] for _ in range(2))
    second = np.where(first == second, (second + 1) % len(weights), second)
    return np.vstack([weights[rng.permutation(len(weights))[:N_SCORES]], weights[first] - weights[second]])


def with_baselines(models: dict[str, np.ndarray], n_pairs: int) -> dict[str, np.ndarray | None]:
    """The models, after the estimates that need none."""
    return {CLASSICAL: None, CONSTANT: np.zeros(n_pairs), **models}


def _filled(grades: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(grades), np.nanmean(grades), grades)


def drawn_by_topic(topic: np.ndarray, n_grades: int, rng: np.random.Generator) -> SampleDesign:
    """A fixed number of each topic, in proportion to its pairs, at least 1."""
    n_pairs = np.bincount(topic)
    wanted = np.clip(np.rint(n_grades * n_pairs / len(topic)).astype(int), 1, n_pairs)
    order = np.lexsort((rng.random(len(topic)), topic))
    place = np.arange(len(topic)) - np.repeat(np.cumsum(n_pairs) - n_pairs, n_pairs)
    drawn = np.zeros(len(topic), dtype=bool)
    drawn[order] = place < wanted[topic]
    return SampleDesign(topic, topic, (wanted / n_pairs)[topic], drawn, is_fixed=True)


def drawn_by_itself(topic: np.ndarray, n_grades: int, rng: np.random.Generator) -> SampleDesign:
    """Each pair by itself, all with the same probability."""
    share = min(n_grades / len(topic), 1.0)
    drawn = rng.random(len(topic)) < share
    return SampleDesign(topic, np.zeros_like(topic), np.full(len(topic), share), drawn, is_fixed=False)


def lines(collection: Collection, draw: str, n_grades: int) -> list[list[str]]:
    """The lines of one collection, draw and number of grades."""
    drawn = drawn_by_topic if draw == BY_TOPIC else drawn_by_itself
    rngs = (np.random.default_rng([SEED, n_grades, number]) for number in range(DRAWS))
    samples = ((collection, drawn(collection.topic, n_grades, rng)) for rng in rngs)
    found = figures(samples, collection.weights @ collection.gains)
    return [[collection.name, draw, f"{n_grades:,}", *row] for row in found]


def figures(
    samples: Iterable[tuple[Collection, SampleDesign]], truth: np.ndarray, claim: str = "these_topics"
) -> list[list[str]]:
    """Kind of the estimate, model, grades used, coverage, half width, variances and saving, as in `COLUMNS`."""
    found: dict[str, list[np.ndarray]] = {}
    used = []
    for number, (collection, design) in enumerate(samples):
        if not design.drawn.any():
            continue
        graded = collection.gains[design.drawn]
        used.append(equal_weights(expanded_weights(collection.weights, design), graded)[0])
        for name, model in collection.models.items():
            predicted = 0.0 if model is None else cross_fitted(collection.weights, model, graded, design, number)
            estimated = difference_estimate(collection.weights, np.asarray(predicted), graded, design, claim)
            found.setdefault(name, []).append(_of_sample(estimated, truth))
    means = {name: np.nanmean(each, axis=0) for name, each in found.items()}
    parts = {"score": slice(None, N_SCORES), "difference": slice(N_SCORES, None)}
    return [
        [kind, name, f"{np.mean(used, axis=0)[part].mean():.0f}", *_cells(name, part, means)]
        for kind, part in parts.items()
        for name in means
    ]


def _of_sample(estimated: Estimated, truth: np.ndarray) -> np.ndarray:
    """Squared error, variance, half width at 95 %, and whether each interval contains the truth: one row each."""
    ends = [limits(estimated, level) for level in LEVELS]
    inside = [(low <= truth) & (truth <= high) for low, high in ends]
    return np.stack(
        [np.square(estimated.values - truth), estimated.variances, (ends[1][1] - ends[1][0]) / 2, *inside]
    ).astype(np.float64)


def _cells(name: str, part: slice, means: dict[str, np.ndarray]) -> list[str]:
    squares, variances, margins, *covered = means[name][:, part]
    saved = 1 - np.mean(squares / np.maximum(means[CONSTANT][0, part], 1e-300))
    return [
        *(f"{100 * share.mean():.1f}" for share in covered),
        f"{margins.mean():.3f}",
        f"{variances.sum() / max(squares.sum(), 1e-300):.2f}",
        "" if name in (CLASSICAL, CONSTANT) else f"{saved:.0%}",
    ]


def cells() -> Iterator[tuple[str, str, int]]:
    """Each collection, draw and number of grades."""
    names = [REAL] if (DATA / "dl19" / "runs").exists() else []
    for name in [*names, SYNTHETIC]:
        yield from ((name, BY_TOPIC, n_grades) for n_grades in SIZES)
    yield from ((name, EACH_BY_ITSELF, n_grades) for name in names for n_grades in OF_POISSON)


def computed(again: bool) -> list[list[str]]:
    """All lines; those that are known already are read."""
    kept, rows = Kept(RESULTS, again), []
    makers = {REAL: cache(real), SYNTHETIC: cache(synthetic)}
    for name, draw, n_grades in cells():
        key = f"{name}, {draw}, {n_grades}, {DRAWS} draws, seed {SEED}"
        rows += kept.get(key, lambda cell=(name, draw, n_grades): lines(makers[cell[0]](), *cell[1:]))
    return rows


def summary(rows: list[list[str]]) -> str:
    """How many lines are within the tolerance, of those with enough grades and of the others."""
    position = COLUMNS.index("grades used")
    sentences = []
    for words, wanted in ((f"at least {LEAST_GRADES}", True), (f"fewer than {LEAST_GRADES}", False)):
        chosen = [row for row in rows if (int(row[position]) >= LEAST_GRADES) == wanted]
        near = [row for row in chosen if _is_near(row)]
        sentences.append(
            f"Of the {len(chosen)} lines whose estimates use {words} grades on average, {len(near)} are within"
            f" {TOLERANCE} points at all three levels."
        )
    return " ".join(sentences)


def _is_near(row: list[str]) -> bool:
    shares = row[COLUMNS.index("grades used") + 1 :][: len(LEVELS)]
    return all(abs(float(share) - 100 * level) <= TOLERANCE for share, level in zip(shares, LEVELS, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.few_grades")
    parser.add_argument("--again", action="store_true", help="also compute what an earlier call has kept")
    rows = computed(parser.parse_args().again)
    today = datetime.now(UTC).date().isoformat()
    made = f"Made on {today} by `python -m benchmarks.few_grades`: {DRAWS:,} draws for each line, seed {SEED}."
    parts = {
        "made": made,
        "summary": fill(summary(rows), 120),
        "coverage": render(pd.DataFrame(rows, columns=list(COLUMNS)), "markdown"),
    }
    text = PAGE.read_text(encoding="utf-8")
    for name, part in parts.items():
        pattern = rf"(<!-- {name} -->\n).*?(\n<!-- end -->)"
        text = re.sub(pattern, lambda found, part=part: f"{found[1]}\n{part}\n{found[2]}", text, flags=re.DOTALL)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
