"""How far infAP, xinfAP and statAP on sampled pools are from AP: `python -m benchmarks.sampled_estimates`.

The benchmark writes docs/studies/sampled-estimates.md. A completely judged pool is sampled repeatedly, and the mean AP
of every system is estimated from each sample. infAP gets a uniform sample of each topic's pool. xinfAP and statAP get a
stratified sample of the same size (documents of best rank 1 to 10 at twice the rate, at most all of them, and the
others with the rest of the budget), and a sample with the complete top and a share of the others. A second table
compares the sampling strategies of `pooling`. Seeds are fixed. It takes some minutes. The real data (`ASSAY_TEST_DATA`)
are left out if they are absent.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from agreement.effectiveness import RankedRuns, prepare, score_table
from agreement.measures.extended_inferred_ap import extended_inferred_ap
from agreement.measures.stat_ap import stat_ap
from benchmarks.synthetic import judgements, run_frames
from benchmarks.tiny import DOCS, size
from pooling import pool, read_qrels, read_run, replay
from tests.realdata import DATA

SAMPLES, RATES, SEED = size(1_000, 2), (0.1, 0.2, 0.3, 0.5), 2026
TOP, TOP_FACTOR = 10, 2
DOCUMENT = DOCS / "studies" / "sampled-estimates.md"
LIMIT = 0.02
REAL = "TREC DL 2019"
SYNTHETIC_SYSTEMS, SYNTHETIC_TOPICS, SYNTHETIC_DEPTH, POOL_DEPTH = size((16, 20, 200, 50), (4, 5, 30, 20))
BEGIN = """# Estimates of AP on sampled pools

This page shows how far infAP, xinfAP and statAP are from AP on the complete judgements if only a part of the pool is
judged: {samples} samples for each line, seed {seed} (`python -m benchmarks.sampled_estimates` writes this page). infAP
gets a uniform random sample of each topic's pool. xinfAP and statAP get two samples. One is *stratified* and has the
same size: documents of best rank 1 to 10 ("top") at twice the rate, at most all of them, and the others with the rest
of the budget. The other contains the *top in full*, and the rate applies to the other documents only, like TREC's
sampled pools."""
COLUMNS = """All figures refer to the mean AP over topics. *Bias* is the mean over samples of the estimate minus the
true value, averaged over systems; the next column is the bias of the system with the largest one. *Standard error* is
the standard deviation over samples, averaged over systems. *Topics without* is the mean number of topics without a
judged relevant document in a sample; they score 0. *Bias on the others* excludes them from the estimate and from the
true value."""
DESIGN_TABLE = """## Sampling strategies of `pooling`

The next table compares strategies that draw from the first {depth} ranks of all runs of TREC DL 2019. The estimates
are those of statAP. A pool to this depth has {documents:,} documents, {relevant:,} of them relevant. Documents that
NIST did not judge count as not relevant here, so that the truth is known: the true mean AP, averaged over systems, is
{truth:.3f}. There are {seeds} samples for each line, with the seeds 0 to {last}. *Relevant documents* is the mean of
the estimated number divided by the true one, with its standard error; in theory it is 1 for all designs. The numbers
after `active_sampling` are the judgements of each topic. `stratified` takes ranks 1 to 10 in full, and a share of the
others.

Here `stat_ap` has the smallest bias, and `active_sampling` smaller standard errors. Learning from the judgements
(`uniform` 0.1 instead of 1) changes little. The bias of `active_sampling` is positive, and smaller for larger
samples."""
END = """All three are ratios of estimates. They are consistent but not unbiased, so small samples have a bias. It is
largest for topics with few relevant documents: if no relevant document is drawn, the estimate is 0, whatever the AP.
If none of the documents above a relevant one was judged, infAP and xinfAP assume that a half, or a third, of them is
relevant. The bias itself is known to about standard error / sqrt({samples}).

A sampled gold lists the whole pool: relevance -1 means "pooled but not judged", which infAP and xinfAP need. With
`pooling`, draw the sample with the desired rates, and the complete pool with all rates 1:

```python
from agreement.measures.extended_inferred_ap import extended_inferred_ap
from agreement.measures.stat_ap import stat_ap
from pooling import pool

whole = pool(runs, "stratified", strata=[(10, 1.0), (100, 1.0)], seed=1).frame
drawn = pool(runs, "stratified", strata=[(10, 1.0), (100, 0.2)], seed=1).frame      # the judges get this sample
ids = ["query_id", "doc_id"]
judged = drawn.merge(judgements, on=ids)[[*ids, "inclusion_probability", "relevance"]]
gold = whole[[*ids, "stratum"]].merge(judged, "left", on=ids).fillna({"relevance": -1})
extended_inferred_ap(runs, gold)                                                    # uses the stratum
stat_ap(runs, gold)                                                                 # uses inclusion_probability
```"""


def inferred_ap(runs: RankedRuns, gold: pd.DataFrame, rel: int) -> pd.DataFrame:
    return score_table(runs, gold, f"infAP(rel={rel})")


SEEDS, SIZES, DEPTH = size((60, (50, 100, 150), 100), (2, (5, 10, 15), 20))
STRATIFIED_RATES = (0.05, 0.15)
IDS = ["query_id", "doc_id"]
ESTIMATORS: dict[str, Callable[..., pd.DataFrame]] = {
    "infAP": inferred_ap,
    "xinfAP": extended_inferred_ap,
    "statAP": stat_ap,
}
UNIFORM, STRATIFIED, TOP_IN_FULL = "uniform", "stratified", "top in full"
DESIGNS = {UNIFORM: ("infAP",), STRATIFIED: ("xinfAP", "statAP"), TOP_IN_FULL: ("xinfAP", "statAP")}
# Where the bias must be below LIMIT on every collection.
RECOMMENDED = {("infAP", UNIFORM): (0.5,), ("xinfAP", TOP_IN_FULL): RATES, ("statAP", TOP_IN_FULL): RATES}


@dataclass(frozen=True)
class Judged:
    """Runs and a completely judged pool; `gold` has a column stratum, "top" or "rest"."""

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
        The requested share of judged documents: of the pool, or of the rest if the top is judged in full.
    judged : float
        The share of the pool that is judged.
    bias : float
        Mean over samples of the estimated mean AP minus the true one, averaged over systems.
    worst_bias : float
        The bias of the system with the largest absolute bias.
    standard_error : float
        Standard deviation over samples of the estimated mean AP, averaged over systems.
    n_without : float
        Mean number of topics without a judged relevant document in a sample, whose estimate is 0.
    bias_of_others : float
        The bias of the mean AP over the other topics.
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
    """Return the number of documents to draw from every part, at least one from each.

    Parameters
    ----------
    sizes : ndarray of int, shape (n_parts,)
        Number of documents of each part; a part is a stratum of a topic.
    is_top : ndarray of bool, shape (n_parts,)
        Whether the part is the top stratum.
    topic : ndarray of int, shape (n_parts,)
        Number of the topic of each part.
    rate : float
        The share of each topic's pool that is judged.
    design : str
        One of `DESIGNS`. If it is uniform, a part is a whole topic.
    """
    if design == UNIFORM:
        return np.maximum(np.rint(rate * sizes).astype(int), 1)
    if design == TOP_IN_FULL:
        return np.where(is_top, sizes, np.minimum(np.maximum(np.rint(rate * sizes).astype(int), 1), sizes))
    budget = rate * np.bincount(topic, sizes)
    top = np.where(is_top, np.minimum(TOP_FACTOR * rate, 1.0) * sizes, 0.0)
    remaining = (budget - np.bincount(topic, top))[topic]
    return np.clip(np.rint(np.where(is_top, top, remaining)).astype(int), 1, sizes)


def sampled(gold: pd.DataFrame, rate: float, design: str, rng: np.random.Generator) -> pd.DataFrame:
    """Return the gold with relevance -1 for documents that were not drawn, and with inclusion probabilities."""
    topic, _ = pd.factorize(gold["query_id"])
    top = gold["stratum"].eq("top").to_numpy() if design != UNIFORM else np.zeros(len(gold), dtype=bool)
    part = 2 * topic + top
    sizes = np.bincount(part, minlength=2 * topic.max() + 2)
    n_drawn = sample_sizes(sizes, np.arange(len(sizes)) % 2 == 1, np.arange(len(sizes)) // 2, rate, design)
    order = np.lexsort((rng.random(len(gold)), part))
    position = np.empty(len(gold), dtype=int)
    position[order] = np.arange(len(gold)) - (np.cumsum(sizes) - sizes)[part[order]]
    drawn = position < n_drawn[part]
    probability = np.minimum(n_drawn, sizes)[part] / sizes[part]
    return gold.assign(relevance=gold["relevance"].where(drawn, -1), inclusion_probability=probability)


def rows(judged: Judged, samples: int = SAMPLES, designs: Iterable[str] = tuple(DESIGNS)) -> Iterator[Row]:
    """Yield bias and standard error of every estimator at every rate; estimators of a design share the samples."""
    truth = score_table(judged.runs, judged.gold, f"AP(rel={judged.rel})")
    for design in designs:
        names = DESIGNS[design]
        for rate in RATES:
            share, errors = _errors(judged, truth, names, design, rate, samples)
            yield from (_row(judged.name, name, design, rate, share, *errors[name]) for name in names)


def _errors(
    judged: Judged, truth: pd.DataFrame, names: tuple[str, ...], design: str, rate: float, samples: int
) -> tuple[float, dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]]:
    """Return the share judged, and for each estimator three arrays: the errors of the mean AP over all topics, and over
    topics with a judged relevant document, each of shape (samples, n_systems); and the number of the other topics."""
    rng = np.random.default_rng([SEED, int(1000 * rate), list(DESIGNS).index(design)])
    results = {name: [] for name in names}
    for _ in range(samples):
        gold = sampled(judged.gold, rate, design, rng)
        has = truth.columns.isin(gold["query_id"].to_numpy()[gold["relevance"].to_numpy() >= judged.rel])
        for name in names:
            error = ESTIMATORS[name](judged.runs, gold, judged.rel).to_numpy() - truth.to_numpy()
            results[name].append((error.mean(axis=1), error[:, has].mean(axis=1), np.count_nonzero(~has)))
    share = float(gold["relevance"].ge(0).mean())  # all samples have the same size
    return share, {name: tuple(map(np.array, zip(*errors, strict=True))) for name, errors in results.items()}


def _row(collection: str, name: str, design: str, rate: float, share: float, errors, others, n_without) -> Row:
    bias = errors.mean(axis=0)
    worst, error = bias[np.abs(bias).argmax()], errors.std(axis=0, ddof=1).mean()
    figures = (bias.mean(), worst, error, n_without.mean(), others.mean())
    return Row(collection, name, design, rate, share, *figures)


def dl19() -> Judged:
    """Return the 37 runs of TREC 2019 Deep Learning (passages), and the judgements of NIST."""
    runs = pd.concat([read_run(path) for path in sorted((DATA / "dl19" / "runs").glob("*.run.gz"))])
    gold = read_qrels(DATA / "dl19" / "judges" / "nist.qrels")[["query_id", "doc_id", "relevance"]]
    return Judged(REAL, prepare(runs), with_strata(gold, runs), 2)


def synthetic() -> Judged:
    """Return synthetic runs, and their depth-50 pool, completely judged by one judge."""
    runs = pd.concat(run_frames(SYNTHETIC_SYSTEMS, SYNTHETIC_TOPICS, SYNTHETIC_DEPTH))
    gold = judgements(pool(runs, "depth", depth=POOL_DEPTH), n_judges=1)[["query_id", "doc_id", "relevance"]]
    return Judged("synthetic", prepare(runs), with_strata(gold, runs), 1)


def with_strata(gold: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Add the column stratum: "top" if a run has the document among its first `TOP`, else "rest"."""
    ids = ["query_id", "doc_id"]
    top = pd.MultiIndex.from_frame(pool(runs, "depth", depth=TOP).frame[ids])
    return gold.assign(stratum=np.where(pd.MultiIndex.from_frame(gold[ids]).isin(top), "top", "rest"))


def design_golds(runs: RankedRuns, gold: pd.DataFrame, seeds: int) -> Iterator[tuple[str, list[pd.DataFrame]]]:
    """Yield the name of every design, and its sampled golds by seed."""

    def drawn(strategy: str, **parameters) -> list[pd.DataFrame]:
        frames = [pool(runs, strategy, seed=seed, **parameters).frame for seed in range(seeds)]
        return [frame[[*IDS, "inclusion_probability"]].merge(gold, on=IDS) for frame in frames]

    for uniform in (0.1, 1):
        options = {"rel": 2, "depth": DEPTH, "uniform": uniform}
        replays = [replay("active_sampling", runs, gold, SIZES[-1], seed=seed, **options) for seed in range(seeds)]
        for number in SIZES:
            yield f"active_sampling, uniform {uniform}, {number}", [one.gold_at(number) for one in replays]
    for strategy in ("stat_ap", "random"):
        for number in SIZES:
            yield f"{strategy}, size {number}", drawn(strategy, size=number, depth=DEPTH)
    for rate in STRATIFIED_RATES:
        yield f"stratified, rest {rate:.0%}", drawn("stratified", strata=[(TOP, 1.0), (DEPTH, rate)])


def design_table(judged: Judged, seeds: int = SEEDS) -> str:
    """Return the section that compares the sampling strategies."""
    pooled = pool(judged.runs, "depth", depth=DEPTH).frame[IDS]
    gold = pooled.merge(judged.gold[[*IDS, "relevance"]], "left", on=IDS).fillna({"relevance": 0})
    truth = score_table(judged.runs, gold, "AP(rel=2)").mean(axis=1)
    n_relevant = int((gold["relevance"] >= 2).sum())
    lines = ["| design | judged | bias | bias of the worst system | standard error | relevant documents |"]
    lines.append("|---|---:|---:|---:|---:|---:|")
    for name, golds in design_golds(judged.runs, gold, seeds):
        errors = np.array([stat_ap(judged.runs, one, 2).mean(axis=1) - truth for one in golds])
        shares = [(1 / one["inclusion_probability"])[one["relevance"] >= 2].sum() / n_relevant for one in golds]
        bias = errors.mean(axis=0)
        figures = f"{bias.mean():+.4f} | {bias[np.abs(bias).argmax()]:+.4f} | {errors.std(axis=0, ddof=1).mean():.4f}"
        number = f"{np.mean(shares):.3f} +- {np.std(shares, ddof=1) / seeds**0.5:.3f}"
        lines.append(f"| {name} | {len(golds[0]) / len(gold):.0%} | {figures} | {number} |")
        print(lines[-1], file=sys.stderr, flush=True)
    values = {"documents": len(gold), "relevant": n_relevant, "truth": truth.mean(), "depth": DEPTH}
    return "\n\n".join([DESIGN_TABLE.format(**values, seeds=seeds, last=seeds - 1), "\n".join(lines)])


def describe_collection(judged: Judged) -> str:
    """Describe the collection in one list item."""
    relevant = judged.gold[judged.gold["relevance"] >= judged.rel].groupby("query_id").size()
    truth = score_table(judged.runs, judged.gold, f"AP(rel={judged.rel})").mean(axis=1)
    return (
        f"- **{judged.name}**: {len(judged.runs.systems)} systems, {judged.gold['query_id'].nunique()} topics,"
        f" {len(judged.gold):,} judged documents, {judged.gold['stratum'].eq('top').mean():.0%} of them in the top"
        f" stratum; relevant from grade {judged.rel}: {relevant.min()} to {relevant.max()} documents per topic (median"
        f" {relevant.median():g}). The true mean AP, averaged over systems, is {truth.mean():.3f}."
    )


def recommendation(results: list[Row]) -> str:
    """Describe which designs to use, and where the bias is `LIMIT` or more."""
    recommended = [row for row in results if row.rate in RECOMMENDED.get((row.estimator, row.design), ())]
    within = [row for row in recommended if abs(row.bias) < LIMIT]
    beyond = [f"{_label(row)} on {row.collection}" for row in results if abs(row.bias) >= LIMIT]
    use = (
        f"**Recommended** for a bias under {LIMIT}: infAP with half of the pool judged; xinfAP and statAP with the top"
        f" in full and {RATES[0]:.0%} or more of the rest. This holds in {len(within)} of these {len(recommended)}"
        " lines."
    )
    return f"{use}\n\nThe bias is under {LIMIT} in {len(results) - len(beyond)} of all {len(results)} lines. " + (
        f"It is larger for {'; '.join(beyond)}." if beyond else ""
    )


def _label(row: Row) -> str:
    return f"{row.estimator}, {row.design}, {row.rate:.0%}"


def line(row: Row) -> str:
    what = f"{row.collection} | {row.estimator} | {row.design} | {row.rate:.0%} | {row.judged:.0%}"
    bias = f"{row.bias:+.4f} | {row.worst_bias:+.4f} | {row.standard_error:.4f}"
    return f"| {what} | {bias} | {row.n_without:.1f} | {row.bias_of_others:+.4f} |"


def markdown(collections: list[str], results: list[Row], samples: int, designs: str = "") -> str:
    """Return the page; `designs` is the section that compares the sampling strategies."""
    table = [
        "| collection | estimator | sample | rate | judged | bias | bias of the worst system | standard error"
        " | topics without | bias on the others |",
        "|---|---|---|---:|---:|---:|---:|---:|---:|---:|",
        *map(line, results),
    ]
    begin, end = (text.replace("{samples}", f"{samples:,}").replace("{seed}", str(SEED)) for text in (BEGIN, END))
    parts = [begin, "\n".join(collections), COLUMNS, "\n".join(table), recommendation(results), end]
    return "\n\n".join([*parts, *([designs] if designs else [])]) + "\n"


def main(samples: int = SAMPLES) -> None:
    available = [synthetic(), *([dl19()] if (DATA / "dl19").exists() else [])]
    results = []
    for judged in available:
        for row in rows(judged, samples):
            results.append(row)
            print(line(row), file=sys.stderr, flush=True)
    names, collections = list(ESTIMATORS), [judged.name for judged in available]
    designs = list(DESIGNS)
    results.sort(
        key=lambda row: (
            collections.index(row.collection),
            names.index(row.estimator),
            designs.index(row.design),
            row.rate,
        )
    )
    described = [describe_collection(judged) for judged in available]
    designs_compared = "".join(design_table(judged) for judged in available if judged.name == REAL)
    DOCUMENT.write_text(markdown(described, results, samples, designs_compared), encoding="utf-8")


if __name__ == "__main__":
    main()
