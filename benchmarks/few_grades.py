"""How often intervals from few human grades contain the true score: `python -m benchmarks.few_grades`.

The benchmark writes the tables of docs/studies/few-grades.md. On collections of which all pairs were graded, samples
are drawn again and again, and the scores and differences by P@10 are estimated from each with 90, 95 and 99 %
intervals. The results of each collection, draw and number of grades are kept in var/bench, so that an interrupted run
continues; `--again` computes all of them. It takes about ten minutes on one core. The real data (`ASSAY_TEST_DATA`) are
left out if they are absent.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from textwrap import fill

import numpy as np
import pandas as pd

from agreement import parse_measure, prepare
from agreement.trust.few_grades.difference_estimator import SampleDesign, difference_estimate
from agreement.trust.few_grades.linear import LEAST_GRADES, limits
from agreement.trust.few_grades.predictions import cross_fitted
from agreement.trust.few_grades.weights import gains, pair_weights
from agreement.trust.model_files import read_model_grades
from benchmarks.synthetic import judgements, run_frames
from benchmarks.tiny import DOCS, KEPT, size
from pooling import pool, read_qrels, read_run
from pooling.text_tables import render
from tests.realdata import DATA

DRAWS, SIZES, SEED = size((2_000, (50, 100, 200, 500, 1_000, 2_000), 2026), (3, (20, 40), 2026))
OF_POISSON = size((100, 500), (20,))
MEASURE, DEPTH = "P(rel=2)@10", 10
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


def real() -> Collection:
    """TREC 2019 Deep Learning: NIST's grades are the truth."""
    runs = [read_run(path) for path in sorted((DATA / "dl19" / "runs").glob("*.run.gz"))]
    gold = read_qrels(DATA / "dl19" / "judges" / "nist.qrels")
    files = {name: DATA / "dl19" / "model_judges" / f"{name}.txt" for name in MODELS}
    files = {name: path for name, path in files.items() if path.exists()}
    models = read_model_grades(files, duplicates="last").golds if files else {}
    return _collection(REAL, runs, gold, models)


def synthetic() -> Collection:
    """Synthetic runs; one judge is the truth, and another one is the model."""
    runs = list(run_frames(SYNTHETIC_SYSTEMS, SYNTHETIC_TOPICS, 100))
    judged = judgements(pool(runs, "depth", depth=DEPTH), n_judges=2)
    (_, gold), (_, other) = judged.groupby("assessor", sort=True)
    return _collection(SYNTHETIC, runs, gold, {"another judge": other})


def _collection(name: str, runs: list[pd.DataFrame], gold: pd.DataFrame, models: dict[str, pd.DataFrame]) -> Collection:
    measure, rng = parse_measure(MEASURE), np.random.default_rng(SEED)
    pairs = pool(runs, "depth", depth=DEPTH).frame[IDS].merge(gold[[*IDS, "relevance"]], on=IDS)
    pairs = pairs.sort_values(IDS, ignore_index=True)
    weights = pair_weights(prepare(runs), pairs, measure).weights
    first, second = (rng.permutation(len(weights))[:N_DIFFERENCES] for _ in range(2))
    second = np.where(first == second, (second + 1) % len(weights), second)
    chosen = rng.permutation(len(weights))[:N_SCORES]
    grades = {key: pairs[IDS].merge(one, "left", IDS)["relevance"].to_numpy(float) for key, one in models.items()}
    return Collection(
        name=name,
        topic=pd.factorize(pairs["query_id"])[0],
        weights=np.vstack([weights[chosen], weights[first] - weights[second]]),
        gains=gains(measure, pairs["relevance"].to_numpy(float)),
        models={CLASSICAL: None, CONSTANT: np.zeros(len(pairs)), **{k: _filled(v) for k, v in grades.items()}},
    )


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
    truth, errors, variances, covered, margins, used = collection.weights @ collection.gains, {}, {}, {}, {}, []
    for number in range(DRAWS):
        rng = np.random.default_rng([SEED, n_grades, number])
        design = (drawn_by_topic if draw == BY_TOPIC else drawn_by_itself)(collection.topic, n_grades, rng)
        if not design.drawn.any():
            continue
        graded = collection.gains[design.drawn]
        used.append((collection.weights[:, design.drawn] != 0).sum(axis=1))
        for name, model in collection.models.items():
            predicted = 0.0 if model is None else cross_fitted(collection.weights, model, graded, design, number)
            found = difference_estimate(collection.weights, np.asarray(predicted), graded, design)
            ends = [limits(found, level) for level in LEVELS]
            errors.setdefault(name, []).append(found.values - truth)
            variances.setdefault(name, []).append(found.variances)
            covered.setdefault(name, []).append([(low <= truth) & (truth <= high) for low, high in ends])
            margins.setdefault(name, []).append((ends[1][1] - ends[1][0]) / 2)
    parts = {"score": slice(None, N_SCORES), "difference": slice(N_SCORES, None)}
    squares = {name: np.mean(np.square(one), axis=0) for name, one in errors.items()}
    rows = []
    for kind, part in parts.items():
        for name in collection.models:
            saved = 1 - np.mean(squares[name][part] / np.maximum(squares[CONSTANT][part], 1e-300))
            shares = 100 * np.mean(covered[name], axis=0)[:, part].mean(axis=1)
            ratio = np.nanmean(variances[name], axis=0)[part].sum() / max(squares[name][part].sum(), 1e-300)
            figures = [f"{np.mean(used, axis=0)[part].mean():.0f}", *(f"{share:.1f}" for share in shares)]
            figures += [f"{np.nanmean(margins[name], axis=0)[part].mean():.3f}", f"{ratio:.2f}"]
            is_model = name not in (CLASSICAL, CONSTANT)
            rows.append(
                [collection.name, draw, f"{n_grades:,}", kind, name, *figures, f"{saved:.0%}" if is_model else ""]
            )
    return rows


def cells() -> Iterator[tuple[str, str, int]]:
    """Each collection, draw and number of grades."""
    names = [REAL] if (DATA / "dl19" / "runs").exists() else []
    for name in [*names, SYNTHETIC]:
        yield from ((name, BY_TOPIC, n_grades) for n_grades in SIZES)
    yield from ((name, EACH_BY_ITSELF, n_grades) for name in names for n_grades in OF_POISSON)


def computed(again: bool) -> list[list[str]]:
    """All lines; those that are known already are read."""
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() and not again else {}
    collections: dict[str, Collection] = {}
    makers = {REAL: real, SYNTHETIC: synthetic}
    for name, draw, n_grades in cells():
        key = f"{name}, {draw}, {n_grades}, {DRAWS} draws, seed {SEED}"
        if key not in kept:
            if name not in collections:
                collections[name] = makers[name]()
            kept[key] = lines(collections[name], draw, n_grades)
            RESULTS.parent.mkdir(parents=True, exist_ok=True)
            RESULTS.write_text(json.dumps(kept), encoding="utf-8")
            print(key, file=sys.stderr, flush=True)
    return [row for key, rows in kept.items() if key.endswith(f"{DRAWS} draws, seed {SEED}") for row in rows]


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
