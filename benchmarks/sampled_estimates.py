"""How far infAP, xinfAP and statAP on sampled pools are from AP: `python -m benchmarks.sampled_estimates`.

It writes docs/sampled-estimates.md. A pool that was judged in full is sampled again and again, and the mean AP of
every system is estimated from each sample. infAP gets a uniform sample of each topic's pool. xinfAP and statAP get a
stratified one of the same size (the documents of best rank 1 to 10 at twice the rate, at most all of them, what is
left of the budget from the others), and one with the top judged in full and a share of the others. Seeds are fixed.
It takes some minutes; the real data (`ASSAY_TEST_DATA`) are left out where they are absent.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from agreement.effectiveness import RankedRuns, prepare, score_table
from agreement.effectiveness.measures.extended_inferred_ap import extended_inferred_ap
from agreement.effectiveness.measures.stat_ap import stat_ap
from benchmarks.synthetic import judgements, run_frames
from pooling import pool, read_qrels, read_run
from tests.realdata import DATA

SAMPLES, RATES, SEED = 1_000, (0.1, 0.2, 0.3, 0.5), 2026
TOP, TOP_FACTOR = 10, 2
DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "sampled-estimates.md"
LIMIT = 0.02
SYNTHETIC_SYSTEMS, SYNTHETIC_TOPICS, SYNTHETIC_DEPTH, POOL_DEPTH = 16, 20, 200, 50
BEGIN = """# Estimates of AP on sampled pools

How far infAP, xinfAP and statAP are from AP on the full judgements when only a part of the pool is judged:
{samples} samples a line, seed {seed} (`python -m benchmarks.sampled_estimates` writes this page). infAP gets a
uniform random sample of each topic's pool. xinfAP and statAP get a stratified one of the same size: documents of best
rank 1 to 10 ("top") at twice the rate, at most all of them, and the others with what is left; and one *with the top
in full*, where the rate is that of the others alone, as TREC's sampled pools are."""
COLUMNS = """All figures are of the mean AP over topics. *Bias* is the mean over samples of estimate less truth,
averaged over systems; then that of the system where it is largest. *Standard error* is the standard deviation over
samples, averaged over systems. *Topics without* are those of a sample without a judged relevant document, on average:
they score 0. *Bias on the others* leaves them out, of estimate and of truth."""
END = """All three are ratios of estimates: they are consistent, not unbiased, and a bias shows in small samples.
Topics with few relevant documents have it most: where no relevant one is drawn, the estimate is 0 whatever the AP.
infAP and xinfAP also take a half, and a third, of what stands above a relevant document as relevant where none of it
was judged. The bias itself is known to about standard error / sqrt({samples}).

A sampled gold names the whole pool: relevance -1 stands for "pooled and not judged", which infAP and xinfAP need. From
`pooling`, draw with the rates wanted, and again with all rates 1 for the pool that was drawn from:

```python
from agreement.effectiveness.measures.extended_inferred_ap import extended_inferred_ap
from agreement.effectiveness.measures.stat_ap import stat_ap
from pooling import pool

whole = pool(runs, "stratified", strata=[(10, 1.0), (100, 1.0)], seed=1).frame
drawn = pool(runs, "stratified", strata=[(10, 1.0), (100, 0.2)], seed=1).frame      # what the judges get
ids = ["query_id", "doc_id"]
judged = drawn.merge(judgements, on=ids)[[*ids, "inclusion_probability", "relevance"]]
gold = whole[[*ids, "stratum"]].merge(judged, "left", on=ids).fillna({"relevance": -1})
extended_inferred_ap(runs, gold)                                                    # by stratum
stat_ap(runs, gold)                                                                 # by inclusion_probability
```"""


def inferred_ap(runs: RankedRuns, gold: pd.DataFrame, rel: int) -> pd.DataFrame:
    return score_table(runs, gold, f"infAP(rel={rel})")


ESTIMATORS: dict[str, Callable[..., pd.DataFrame]] = {
    "infAP": inferred_ap,
    "xinfAP": extended_inferred_ap,
    "statAP": stat_ap,
}
UNIFORM, STRATIFIED, TOP_IN_FULL = "uniform", "stratified", "top in full"
DESIGNS = {UNIFORM: ("infAP",), STRATIFIED: ("xinfAP", "statAP"), TOP_IN_FULL: ("xinfAP", "statAP")}
# Where the bias is promised to be under LIMIT on every collection.
PROMISED = {("infAP", UNIFORM): (0.5,), ("xinfAP", TOP_IN_FULL): RATES, ("statAP", TOP_IN_FULL): RATES}


@dataclass(frozen=True)
class Judged:
    """Runs and a pool that was judged in full: `gold` has a column stratum, "top" or "rest"."""

    name: str
    runs: RankedRuns
    gold: pd.DataFrame
    rel: int


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    collection, estimator, design : str
    rate : float
        The share of the pool that is judged; of its rest, where the top is judged in full.
    judged : float
        The share of the pool that is judged.
    bias : float
        Mean over samples of the estimated mean AP less the true one; the mean over systems.
    worst_bias : float
        The bias of the system where it is furthest from 0.
    standard_error : float
        Standard deviation over samples of the estimated mean AP; the mean over systems.
    n_without : float
        Topics without a judged relevant document in a sample, which are estimated as 0; the mean over samples.
    bias_of_others : float
        `bias`, of the mean AP over the other topics.
    """

    collection: str
    estimator: str
    design: str
    rate: float
    judged: float
    bias: float
    worst_bias: float
    standard_error: float
    n_without: float
    bias_of_others: float


def sample_sizes(sizes: np.ndarray, is_top: np.ndarray, topic: np.ndarray, rate: float, design: str) -> np.ndarray:
    """How many documents to draw of every part, at least one of each.

    Parameters
    ----------
    sizes : ndarray of int, shape (n_parts,)
        Documents of each part: a stratum of a topic.
    is_top : ndarray of bool, shape (n_parts,)
    topic : ndarray of int, shape (n_parts,)
    rate : float
        The share of each topic's pool that is judged.
    design : str
        One of `DESIGNS`; the parts are whole topics where it is uniform.
    """
    if design == UNIFORM:
        return np.maximum(np.rint(rate * sizes).astype(int), 1)
    if design == TOP_IN_FULL:
        return np.where(is_top, sizes, np.minimum(np.maximum(np.rint(rate * sizes).astype(int), 1), sizes))
    budget = rate * np.bincount(topic, sizes)
    top = np.where(is_top, np.minimum(TOP_FACTOR * rate, 1.0) * sizes, 0.0)
    left = (budget - np.bincount(topic, top))[topic]
    return np.clip(np.rint(np.where(is_top, top, left)).astype(int), 1, sizes)


def sampled(gold: pd.DataFrame, rate: float, design: str, rng: np.random.Generator) -> pd.DataFrame:
    """The gold with -1 for what was not drawn, and the probabilities of inclusion."""
    topic, _ = pd.factorize(gold["query_id"])
    top = gold["stratum"].eq("top").to_numpy() if design != UNIFORM else np.zeros(len(gold), dtype=bool)
    part = 2 * topic + top
    sizes = np.bincount(part, minlength=2 * topic.max() + 2)
    wanted = sample_sizes(sizes, np.arange(len(sizes)) % 2 == 1, np.arange(len(sizes)) // 2, rate, design)
    order = np.lexsort((rng.random(len(gold)), part))
    place = np.empty(len(gold), dtype=int)
    place[order] = np.arange(len(gold)) - (np.cumsum(sizes) - sizes)[part[order]]
    drawn = place < wanted[part]
    probability = np.minimum(wanted, sizes)[part] / sizes[part]
    return gold.assign(relevance=gold["relevance"].where(drawn, -1), inclusion_probability=probability)


def rows(judged: Judged, samples: int = SAMPLES, designs: Iterable[str] = tuple(DESIGNS)) -> Iterator[Row]:
    """Bias and standard error of every estimator at every rate; estimators of one design get the same samples."""
    truth = score_table(judged.runs, judged.gold, f"AP(rel={judged.rel})")
    for design in designs:
        names = DESIGNS[design]
        for rate in RATES:
            share, errors = _errors(judged, truth, names, design, rate, samples)
            yield from (_row(judged.name, name, design, rate, share, *errors[name]) for name in names)


def _errors(
    judged: Judged, truth: pd.DataFrame, names: tuple[str, ...], design: str, rate: float, samples: int
) -> tuple[float, dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]]:
    """The share judged; and for each estimator: estimates less truth, mean over topics, (samples, n_systems), of
    all topics and then of those with a judged relevant document; and the number of the others, (samples,)."""
    rng = np.random.default_rng([SEED, int(1000 * rate), list(DESIGNS).index(design)])
    found = {name: [] for name in names}
    for _ in range(samples):
        gold = sampled(judged.gold, rate, design, rng)
        has = truth.columns.isin(gold["query_id"].to_numpy()[gold["relevance"].to_numpy() >= judged.rel])
        for name in names:
            error = ESTIMATORS[name](judged.runs, gold, judged.rel).to_numpy() - truth.to_numpy()
            found[name].append((error.mean(axis=1), error[:, has].mean(axis=1), np.count_nonzero(~has)))
    share = float(gold["relevance"].ge(0).mean())  # every sample is as large as the last one
    return share, {name: tuple(map(np.array, zip(*errors, strict=True))) for name, errors in found.items()}


def _row(collection: str, name: str, design: str, rate: float, share: float, errors, others, n_without) -> Row:
    bias = errors.mean(axis=0)
    worst, error = bias[np.abs(bias).argmax()], errors.std(axis=0, ddof=1).mean()
    told = (bias.mean(), worst, error, n_without.mean(), others.mean())
    return Row(collection, name, design, rate, share, *told)


def dl19() -> Judged:
    """The 37 runs of TREC 2019 Deep Learning (passages), and the judgements of NIST."""
    runs = pd.concat([read_run(path) for path in sorted((DATA / "dl19" / "runs").glob("*.run.gz"))])
    gold = read_qrels(DATA / "dl19" / "judges" / "nist.qrels")[["query_id", "doc_id", "relevance"]]
    return Judged("TREC DL 2019", prepare(runs), with_strata(gold, runs), 2)


def synthetic() -> Judged:
    """Made-up runs, the depth-50 pool of which one judge judged in full."""
    runs = pd.concat(run_frames(SYNTHETIC_SYSTEMS, SYNTHETIC_TOPICS, SYNTHETIC_DEPTH))
    gold = judgements(pool(runs, "depth", depth=POOL_DEPTH), n_judges=1)[["query_id", "doc_id", "relevance"]]
    return Judged("synthetic", prepare(runs), with_strata(gold, runs), 1)


def with_strata(gold: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """The gold with the column stratum: "top" where a run has the document among its first `TOP`, else "rest"."""
    ids = ["query_id", "doc_id"]
    top = pd.MultiIndex.from_frame(pool(runs, "depth", depth=TOP).frame[ids])
    return gold.assign(stratum=np.where(pd.MultiIndex.from_frame(gold[ids]).isin(top), "top", "rest"))


def described(judged: Judged) -> str:
    """What was sampled, in a sentence."""
    relevant = judged.gold[judged.gold["relevance"] >= judged.rel].groupby("query_id").size()
    truth = score_table(judged.runs, judged.gold, f"AP(rel={judged.rel})").mean(axis=1)
    return (
        f"- **{judged.name}**: {len(judged.runs.systems)} systems, {judged.gold['query_id'].nunique()} topics,"
        f" {len(judged.gold):,} judged documents, {judged.gold['stratum'].eq('top').mean():.0%} of them in the top"
        f" stratum; relevant from grade {judged.rel}: {relevant.min()} to {relevant.max()} documents of a topic (median"
        f" {relevant.median():g}). The mean over systems of the true mean AP is {truth.mean():.3f}."
    )


def verdict(found: list[Row]) -> str:
    """Where the bias is at `LIMIT` or more, in a sentence; and whether what is promised holds."""
    promised = [row for row in found if row.rate in PROMISED.get((row.estimator, row.design), ())]
    kept = [row for row in promised if abs(row.bias) < LIMIT]
    beyond = [f"{_what(row)} on {row.collection}" for row in found if abs(row.bias) >= LIMIT]
    use = (
        f"**To be used**, for a bias under {LIMIT}: infAP with half of the pool judged; xinfAP and statAP with the top"
        f" in full and {RATES[0]:.0%} or more of the rest. That holds in {len(kept)} of these {len(promised)} lines."
    )
    return f"{use}\n\nThe bias is under {LIMIT} in {len(found) - len(beyond)} of all {len(found)} lines. " + (
        f"It is not for {'; '.join(beyond)}." if beyond else ""
    )


def _what(row: Row) -> str:
    return f"{row.estimator}, {row.design}, {row.rate:.0%}"


def line(row: Row) -> str:
    what = f"{row.collection} | {row.estimator} | {row.design} | {row.rate:.0%} | {row.judged:.0%}"
    bias = f"{row.bias:+.4f} | {row.worst_bias:+.4f} | {row.standard_error:.4f}"
    return f"| {what} | {bias} | {row.n_without:.1f} | {row.bias_of_others:+.4f} |"


def markdown(collections: list[str], found: list[Row], samples: int) -> str:
    """The page, with the table."""
    table = [
        "| collection | estimator | sample | rate | judged | bias | bias of the worst system | standard error"
        " | topics without | bias on the others |",
        "|---|---|---|---:|---:|---:|---:|---:|---:|---:|",
        *map(line, found),
    ]
    begin, end = (text.replace("{samples}", f"{samples:,}").replace("{seed}", str(SEED)) for text in (BEGIN, END))
    return "\n\n".join([begin, "\n".join(collections), COLUMNS, "\n".join(table), verdict(found), end]) + "\n"


def main(samples: int = SAMPLES) -> None:
    there = [synthetic(), *([dl19()] if (DATA / "dl19").exists() else [])]
    found = []
    for judged in there:
        for row in rows(judged, samples):
            found.append(row)
            print(line(row), file=sys.stderr, flush=True)
    names, collections = list(ESTIMATORS), [judged.name for judged in there]
    designs = list(DESIGNS)
    found.sort(
        key=lambda row: (
            collections.index(row.collection),
            names.index(row.estimator),
            designs.index(row.design),
            row.rate,
        )
    )
    DOCUMENT.write_text(markdown([described(judged) for judged in there], found, samples), encoding="utf-8")


if __name__ == "__main__":
    main()
