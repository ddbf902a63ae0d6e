"""Make the tables of docs/studies/few-grades-ratio.md: `python -m benchmarks.few_grades_ratio`.

People graded all pairs of the first ten ranks of TREC 2019 Deep Learning, so that the scores are known. Some pairs of
each topic are drawn again and again, and the scores are estimated from these. `--only NAME` makes some of the tables:
errors, slopes, variance, coverage, judges. All take ten minutes on one core; seeds are fixed. The data are not part of
the repository; see `tests/realdata.py`.
"""

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd

from agreement import parse_measure, prepare
from agreement.trust.few_grades.correction import Corrected, corrected, limits, limits_at
from agreement.trust.few_grades.delete_groups import Deviations
from agreement.trust.few_grades.pool_slots import model_classes, pool_slots
from agreement.trust.few_grades.sampled_scores import gains_of, sampled_scores
from agreement.trust.few_grades.topic_bootstrap import bootstrap_quantiles
from agreement.trust.model_files import read_model_grades
from benchmarks.few_grades_draws import Block, Known, blocks, bootstrap_errors
from benchmarks.pages import fill
from benchmarks.tiny import DOCS, size
from pooling import pool, read_qrels, read_runs
from pooling.draws import draw_by_stratum
from pooling.text_tables import render
from tests.realdata import DATA

PAGE = DOCS / "studies" / "few-grades-ratio.md"
SEED = 2026
PAIR = ["query_id", "doc_id"]
N_DRAWS, N_DRAWS_OF_STRATA, N_DRAWS_OF_ERRORS, N_DRAWS_OF_JUDGES = size((2_000, 500, 400, 200), (4, 4, 4, 4))
N_SAMPLES = size(30, 3)
N_SAMPLES_OF_TOPICS = size(199, 19)  # results use 999, which would take hours here
SIZES = size((5, 10, 20, 40), (5, 10))
STAGES, SAMPLES = size(((10, 20, 30), (15, 43)), ((3, 4), (4,)))  # topics drawn
MEASURES = ("nDCG@10", "AP(rel=2)")
OTHERS = ("P(rel=2)@10", "R(rel=2)@20", "F(rel=2)@10", "Rprec(rel=2)", "Bpref(rel=2)")
TOPIC, RANK, ITSELF = "by topic", "by rank", "each by itself"  # how pairs are drawn
THESE, SAMPLE = "these topics", "topics as a sample"
LEVELS = (0.9, 0.95, 0.99)
TOLERANCE, LEAST_GAIN = 0.015, 0.97
N_RUNS, OF_JUDGES = 5, 10
LEAST_CHANCE = 0.1  # added to the share of runs that have a pair in their first ten ranks
TOP = 5  # lowest best rank of the upper stratum
GPT, LLAMA, AS_IT_IS = "gpt-4o.umbrela", "llama3.2.umbrela", ", as it is"
NAMES = {"people": "classical", "constant": "constant judge", GPT: "GPT-4o UMBRELA", LLAMA: "Llama 3.2 UMBRELA"}
NAMES |= {f"{name}, shuffled": f"{NAMES[name]}, shuffled" for name in (GPT,)}
NAMES |= {f"{name}{AS_IT_IS}": f"{NAMES[name]}, grades as they are, alone" for name in (GPT, LLAMA, f"{GPT}, shuffled")}


def known(names: Sequence[str], n_runs: int | None = N_RUNS, drawn: str = TOPIC, as_it_is: bool = False) -> Known:
    """The pairs of the first ten ranks that NIST judged, with the grades of some model judges."""
    folder = DATA / "dl19"
    runs = read_runs(sorted((folder / "runs").glob("*.run.gz")))
    nist = read_qrels(folder / "judges" / "nist.qrels")[[*PAIR, "relevance"]]
    graded = pool(runs, "depth", depth=10).frame[PAIR].merge(nist, on=PAIR)
    slots = pool_slots(prepare(runs), draw_by_stratum(graded[PAIR], len(graded), seed=SEED), graded)
    models = read_model_grades({name: judge_file(name) for name in names}, duplicates="last").golds if names else {}
    classes = {"constant": np.zeros(slots.grades.shape, dtype=int)}
    classes |= {name: slots.in_pool(model_classes(gold, slots.pairs)) for name, gold in models.items()}
    grades = {}
    if GPT in models and LLAMA in models:
        order = np.lexsort((np.random.default_rng(SEED).random(len(slots.pairs)), slots.topic))
        shuffled = model_classes(models[GPT], slots.pairs)[order]
        classes[f"{GPT}, shuffled"] = slots.in_pool(shuffled)
        names_as_they_are = (GPT, LLAMA, f"{GPT}, shuffled") if as_it_is else ()
        grades = {f"{name}{AS_IT_IS}": classes[name].astype(float) for name in names_as_they_are}
    ranks = slots.pool.ranks
    best = np.where(ranks > 0, ranks, ranks.max() + 1).min(axis=0)
    stratum = np.where(best <= TOP, 0, 1) if drawn == RANK else np.zeros(best.shape, dtype=int)
    share_of_runs = ((ranks > 0) & (ranks <= OF_JUDGES)).mean(axis=0)
    chances = LEAST_CHANCE + share_of_runs if drawn == ITSELF else None
    chosen = slice(None) if n_runs is None else five_runs(slots, n_runs)
    return Known(slots, ranks[chosen], stratum, classes, grades, chances)


def judge_file(name: str) -> Path:
    return DATA / "dl19" / "model_judges" / f"{name}.txt"


def five_runs(slots, n_runs: int) -> np.ndarray:
    """Runs of different quality, from the second worst to the best by nDCG@10."""
    measure = parse_measure("nDCG@10")
    scores = sampled_scores(measure, slots.pool, gains_of(measure, slots.grades)).mean(axis=1)
    return np.argsort(scores)[np.linspace(1, len(scores) - 1, n_runs).round().astype(int)]


# estimates of a block of draws


def combined(rows: np.ndarray, scores: Deviations) -> Deviations:
    """Linear combinations of systems."""
    each = np.einsum("ks,s...->k...", rows, scores.scores)
    return Deviations(each, np.einsum("ks,gs...->gk...", rows, scores.deviations), scores.degrees)


def estimated(block: Block, judge: str, rows: np.ndarray) -> Corrected:
    """The estimates with a judge and the constant judge; with grades as they are, with this judge only."""
    people, judges = scores_of(block, judge, rows)
    return corrected(people, *judges)


def scores_of(block: Block, judge: str, rows: np.ndarray) -> tuple[Deviations, list[tuple[Deviations, np.ndarray]]]:
    """The scores under people, and those under the judges that correct them."""
    names = [judge] if judge.endswith(AS_IT_IS) else list(dict.fromkeys(("constant", judge)))
    names = [] if judge == "people" else names
    whole = {name: np.einsum("ks,s...->k...", rows, block.whole[name]) for name in names}
    return combined(rows, block.drawn["people"]), [(combined(rows, block.drawn[name]), whole[name]) for name in names]


def differences(n: int) -> np.ndarray:
    """Each run minus the next, and the first minus the last."""
    one = np.eye(n)
    return np.vstack([one[:-1] - one[1:], one[:1] - one[-1:]])


# the tables


def error_lines() -> Iterator[dict[str, str]]:
    """Root mean squared error and bias of each estimator."""
    data = known((GPT, LLAMA), as_it_is=True)
    for name in MEASURES:
        errors: dict[str, dict[int, np.ndarray]] = {}
        for m in SIZES:
            for block in blocks(data, name, (m,), N_DRAWS_OF_ERRORS, SEED):
                for judge in block.drawn:
                    error = estimated(block, judge, np.eye(N_RUNS)).values - block.truth.mean(axis=-1)
                    errors.setdefault(judge, {}).setdefault(m, []).append(error)
        for judge in sorted(errors, key=list(NAMES).index):
            cells = {f"m = {m}": error_cell(np.concatenate(each, axis=1)) for m, each in errors[judge].items()}
            yield {"measure": name, "estimate": NAMES[judge], **cells}


def error_cell(errors: np.ndarray) -> str:
    return f"{rmse(errors):.3f} ({errors.mean():+.3f})"


def rmse(errors: np.ndarray) -> float:
    return float(np.sqrt(np.mean(errors**2)))


def slope_lines() -> Iterator[dict[str, str]]:
    """Root mean squared errors with three kinds of slope."""
    data = known((GPT, LLAMA), as_it_is=True)
    for name in MEASURES:
        for judge in ("constant", f"{GPT}{AS_IT_IS}"):
            for m in SIZES[1:3]:
                found: dict[str, list[np.ndarray]] = {}
                for block in blocks(data, name, (m,), N_DRAWS_OF_ERRORS, SEED):
                    for kind, slope in SLOPES.items():
                        luck = block.drawn[judge].scores - block.whole[judge]
                        values = (block.drawn["people"].scores - slope(block, judge)[..., None] * luck).mean(axis=-1)
                        found.setdefault(kind, []).append(values - block.truth.mean(axis=-1))
                cells = {kind: f"{rmse(np.concatenate(each, axis=1)):.4f}" for kind, each in found.items()}
                yield {"measure": name, "judge": NAMES[judge], "grades a topic": str(m), **cells}


def of_each_run(block: Block, judge: str) -> np.ndarray:
    return estimated(block, judge, np.eye(N_RUNS)).slopes[-1]


def of_all_runs(block: Block, judge: str) -> np.ndarray:
    people, other = (block.drawn[name].deviations for name in ("people", judge))
    return ratio((people * other).sum(axis=(0, 1, -1)), (other**2).sum(axis=(0, 1, -1)))[None]


def over_topics(block: Block, judge: str) -> np.ndarray:
    luck = block.drawn[judge].scores - block.whole[judge]
    people, luck = (values - values.mean(axis=-1, keepdims=True) for values in (block.drawn["people"].scores, luck))
    return ratio((people * luck).sum(axis=-1), (luck**2).sum(axis=-1))


def ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.clip(np.divide(part, whole, out=np.zeros_like(part), where=whole > 0), 0, 1)


SLOPES: dict[str, Callable[[Block, str], np.ndarray]] = {
    "of each run": of_each_run,
    "of all runs": of_all_runs,
    "regression over topics": over_topics,
}


def variance_lines() -> Iterator[dict[str, str]]:
    """The spread of the classical estimate before the bias is removed, and two estimates of it."""
    data = known(())
    for name in MEASURES:
        for m in SIZES[1:3]:
            values, groups, samples = [], [], []
            for number, block in enumerate(blocks(data, name, (m,), N_DRAWS_OF_JUDGES, SEED)):
                plain = sampled_scores(parse_measure(name), block.slots, block.gains)
                values.append(plain.mean(axis=-1))
                groups.append(estimated(block, "people", np.eye(N_RUNS)).variances)
                samples.append(bootstrap_errors(parse_measure(name), block, N_SAMPLES, SEED + number) ** 2)
                corrected_values = block.drawn["people"].scores.mean(axis=-1)
                values[-1] = np.stack([values[-1], corrected_values])
            spread = np.concatenate(values, axis=2).std(axis=2, ddof=1).mean(axis=1)
            means = [np.sqrt(np.concatenate(each, axis=1).mean()) for each in (groups, samples)]
            numbers = (spread[1], means[0], spread[0], means[1])
            yield {"measure": name, "grades a topic": str(m)} | dict(
                zip(VARIANCE_COLUMNS, (f"{number:.4f}" for number in numbers), strict=True)
            )


VARIANCE_COLUMNS = (
    *("standard deviation of the estimate", "standard error by groups left out"),
    *("standard deviation without correction", "standard error by samples with replacement"),
)


def coverage_lines() -> Iterator[dict[str, str]]:
    """How often intervals contain the true value."""
    cells = [(name, drawn) for name in MEASURES for drawn in (TOPIC, RANK, ITSELF)]
    for name, drawn in [*cells, *((name, TOPIC) for name in OTHERS)]:
        data = known((GPT,), drawn=drawn)
        n_draws = N_DRAWS if name in MEASURES and (name, drawn) != ("AP(rel=2)", RANK) else N_DRAWS_OF_STRATA
        for m in SIZES:
            covered = coverage(data, name, (m - m // 2, m // 2) if drawn == RANK else (m,), n_draws)
            for judge, shares in covered.items():
                labels = {"measure": name, "drawn": drawn, "judge": NAMES[judge]}
                yield labels | {"grades a topic": str(m)} | coverage_cells(shares)


def topic_lines() -> Iterator[dict[str, str]]:
    """The same where the topics are drawn: some of them before the pairs, or as a sample of many."""
    cells = [(name, THESE, n) for name in MEASURES for n in STAGES]
    cells += [(name, SAMPLE, n) for name in MEASURES for n in SAMPLES]
    data = known((GPT,))
    cells += [(name, THESE, STAGES[1]) for name in OTHERS] + [(name, SAMPLE, SAMPLES[-1]) for name in OTHERS]
    for name, claim, n_topics in cells:
        for m in SIZES:
            covered = coverage(data, name, (m,), N_DRAWS_OF_STRATA, claim, n_topics)
            for judge, shares in covered.items():
                labels = {"measure": name, "claim": claim, "topics": str(n_topics), "judge": NAMES[judge]}
                yield labels | {"grades a topic": str(m)} | coverage_cells(shares)


def coverage(
    data: Known, name: str, sizes: tuple[int, ...], n_draws: int, claim: str = THESE, n_topics: int | None = None
) -> dict[str, np.ndarray]:
    """The shares of intervals of scores and of differences that contain the true value, shape (2, n_levels)."""
    whole = data.truth(parse_measure(name)).mean(axis=-1)
    hits: dict[str, list[list[list[np.ndarray]]]] = {}
    for block in blocks(data, name, sizes, n_draws, SEED, claim == SAMPLE, n_topics):
        for judge in ("constant", GPT):
            both = []
            for rows, is_share in ((np.eye(N_RUNS), True), (differences(N_RUNS), False)):
                ends = [interval(block, judge, rows, level, is_share, claim, len(data.filled)) for level in LEVELS]
                truth = (rows @ whole)[:, None]
                both.append([(low <= truth) & (truth <= high) for low, high in ends])
            hits.setdefault(judge, []).append(both)
    return {judge: np.mean([np.array(both).mean(axis=(2, 3)) for both in each], axis=0) for judge, each in hits.items()}


def interval(
    block: Block, judge: str, rows: np.ndarray, level: float, is_share: bool, claim: str, n_all_topics: int
) -> tuple[np.ndarray, np.ndarray]:
    """The limits, as `RatioTables` computes them."""
    found = estimated(block, judge, rows)
    n_topics = found.by_topic.shape[-1]
    between = found.by_topic.var(axis=-1, ddof=1) / n_topics
    if claim == SAMPLE:
        people, judges = scores_of(block, judge, rows)
        options = {"confidence": level, "is_share": is_share, "seed": SEED, "n_samples": N_SAMPLES_OF_TOPICS}
        quantiles = bootstrap_quantiles(people, *judges, **options)
        return limits_at(found.values, quantiles * np.sqrt(np.maximum(between, found.variances)), is_share)
    share = n_topics / n_all_topics
    degrees = found.degrees if share == 1 else np.full(found.degrees.shape, n_topics - 1.0)
    variances = (1 - share) * between + share * found.variances
    return limits(found.values, variances, degrees, level, is_share)


def coverage_cells(shares: np.ndarray) -> dict[str, str]:
    cells = {}
    for of, row in zip(("scores", "differences"), shares, strict=True):
        cells[of] = " ".join(f"{100 * share:.1f}" for share in row)
        within = np.abs(row - LEVELS).max() <= TOLERANCE + 1e-9
        cells[f"{of} within 1.5"] = "yes" if within else "no"
    return cells


def judge_lines() -> Iterator[dict[str, str]]:
    """Widths of intervals and squared errors with each model judge, against the classical and the constant judge."""
    names = sorted(path.stem for path in judge_file("*").parent.glob("*.txt") if is_qrels(path))
    data = known(names, n_runs=None)
    lines: dict[str, dict[str, str]] = {name: {"judge": name} for name in (*data.classes,) if "shuffled" not in name}
    for name in ("nDCG@10", "P(rel=2)@10"):
        widths: dict[str, list[np.ndarray]] = {}
        errors: dict[str, list[np.ndarray]] = {}
        for block in blocks(data, name, (OF_JUDGES,), N_DRAWS_OF_JUDGES, SEED):
            rows = np.eye(len(data.ranks))
            for judge in ("people", *lines):
                found = estimated(block, judge, rows)
                low, high = limits(found.values, found.variances, found.degrees, 0.95, True)
                widths.setdefault(judge, []).append(high - low)
                errors.setdefault(judge, []).append(found.values - block.truth.mean(axis=-1))
        width = {judge: float(np.concatenate(each, axis=1).mean()) for judge, each in widths.items()}
        error = {judge: rmse(np.concatenate(each, axis=1)) ** 2 for judge, each in errors.items()}
        for judge, line in lines.items():
            line[f"{name}: width"] = f"{width[judge]:.3f}"
            line[f"{name}: / classical"] = f"{width[judge] / width['people']:.2f}"
            line[f"{name}: / constant"] = f"{width[judge] / width['constant']:.2f}"
            line[f"{name}: squared error / constant"] = f"{error[judge] / error['constant']:.2f}"
            helps = max(width[judge] / width["constant"], error[judge] / error["constant"]) < LEAST_GAIN
            line[f"{name}: helps"] = "–" if judge == "constant" else "yes" if helps else "no"
    yield from lines.values()


def is_qrels(path: Path) -> bool:
    """Whether a file has grades; the raw logs of comparisons and an empty file do not."""
    return path.stat().st_size > 0 and "pairwise" not in path.name


TABLES = {
    "errors": error_lines,
    "slopes": slope_lines,
    "variance": variance_lines,
    "coverage": coverage_lines,
    "topics": topic_lines,
    "judges": judge_lines,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.few_grades_ratio", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=TABLES, default=list(TABLES))
    names = parser.parse_args().only
    if not (DATA / "dl19").exists():
        sys.exit(f"There is no data at {DATA}: set ASSAY_TEST_DATA.")
    warnings.simplefilter("ignore")  # the order of tied scores
    for name in names:
        table = render(pd.DataFrame(list(TABLES[name]())), "markdown")
        print(f"\n{name}\n\n{table}", flush=True)
        fill(PAGE, {name: f"Made on {datetime.now(UTC):%Y-%m-%d} with the seed {SEED}.\n\n{table}"})


if __name__ == "__main__":
    main()
