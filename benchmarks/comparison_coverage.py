"""How often the intervals of rank correlations and of differences of kappas contain the true value.

`python -m benchmarks.comparison_coverage` writes docs/studies/comparisons.md between its markers; `--only taus` or
`--only kappas` writes one of the two tables. `benchmarks.comparison_cells` has the settings. It takes a quarter of an
hour on one core; seeds are fixed. With 200 data sets, a coverage of 95 % appears as 92 to 98 % in 95 of 100
simulations; with the 2,000 of kappas, as 94 to 96 %.

Methods for rank correlations, over topics:

percentile      percentiles of samples of topics
basic           these, reflected at the estimate
bca             percentiles corrected for bias and acceleration
jackknife       each topic left out once, limits of t on Fisher's scale
half            percentiles of samples of half the topics, around the estimate, scaled
model           draws of the true means (`agreement.shift.plausible_means`)
interval        the interval of `correlation_intervals`: the outer limits of percentile and model
"""

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import numpy as np
from scipy import stats

from agreement import Ratings, kappa_difference
from agreement.rank_correlation import tau_b_paired
from agreement.shift.correlation_intervals import PAIRED, outer_limits
from agreement.shift.plausible_means import plausible_means
from agreement.shift.score_samples import JudgedScores, JudgeSample, TopicSample
from benchmarks.comparison_cells import DOCUMENTS, Kappas, RealErrors, Systems, kappas, systems
from benchmarks.tiny import DOCS, size

PAGE = DOCS / "studies" / "comparisons.md"
SEED = 2026
DATA_SETS, DRAWS = size(200, 2), size(400, 20)
DATA_SETS_OF_KAPPAS, TOPICS_OF_TRUTH = size(2000, 2), size(100_000, 100)
CORRECTED = ("percentile", "basic", "bca", "jackknife", "half", "model", "interval")
OTHERS = tuple(name for name in PAIRED if name != "tau_b")
LEVEL = 0.95
ENDS = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
ROUNDING = 1e-9

Limits = tuple[float, float]
Cell = Systems | RealErrors


def taus(cell: Cell) -> dict[str, float]:
    """Return the share of intervals of tau_b that contain the true value by method, and those of other correlations."""
    rng = np.random.default_rng(SEED)
    hits: dict[str, list[bool]] = {name: [] for name in (*CORRECTED, *OTHERS)}
    widths = []
    for _ in range(DATA_SETS):
        true, scores = cell.draw(rng)
        for name, (low, high), truth in _intervals(true, scores, rng):
            hits[name].append(low - ROUNDING <= truth <= high + ROUNDING)
            widths += [high - low] if name == "interval" else []
    return {name: float(np.mean(each)) for name, each in hits.items()} | {"width": float(np.mean(widths))}


def _intervals(true: np.ndarray, scores: np.ndarray, rng: np.random.Generator) -> list[tuple[str, Limits, float]]:
    n_topics, n_judges = scores.shape[1], scores.shape[3]
    sample: TopicSample | JudgeSample = TopicSample(scores[:, :, 0, 0], scores[:, :, 1, 0])
    if n_judges > 1:
        judged = np.ones((n_topics, n_judges))
        sample = JudgeSample(JudgedScores(scores[:, :, 0], judged), JudgedScores(scores[:, :, 1], judged))
    means, drawn = sample.means(), sample.drawn(rng, DRAWS)
    model = plausible_means(means, drawn - means, n_topics, rng)
    truth = {name: _one(paired, true) for name, paired in PAIRED.items()}
    rows = [("interval" if name == "tau_b" else name, _outer(name, drawn, model), truth[name]) for name in PAIRED]
    rows += [
        (name, limits, truth["tau_b"]) for name, limits in _compared(scores.mean(axis=3), means, drawn, rng).items()
    ]
    rows.append(("model", _percentiles(_taus(model)), truth["tau_b"]))
    return rows


def _outer(name: str, drawn: np.ndarray, model: np.ndarray) -> Limits:
    limits = outer_limits(PAIRED[name], drawn, model, LEVEL)
    return limits["low"], limits["high"]


def _compared(scores: np.ndarray, means: np.ndarray, drawn: np.ndarray, rng: np.random.Generator) -> dict[str, Limits]:
    """Intervals of tau_b by the other methods."""
    estimate, sampled, n_topics = _one(tau_b_paired, means), _taus(drawn), scores.shape[1]
    low, high = _percentiles(sampled)
    left_out = _taus(((scores.sum(axis=1, keepdims=True) - scores) / (n_topics - 1)).transpose(1, 0, 2))
    few = n_topics // 2
    times = rng.multinomial(few, np.full(n_topics, 1 / n_topics), DRAWS) / few
    below, above = _percentiles(_taus(np.einsum("dt,ktg->dkg", times, scores)))
    scale = (few / n_topics) ** 0.5
    return {
        "percentile": (low, high),
        "basic": (2 * estimate - high, min(2 * estimate - low, 1.0)),
        "bca": _bca(sampled, estimate, left_out),
        "jackknife": _fisher(estimate, left_out),
        "half": (estimate - scale * (above - estimate), min(estimate - scale * (below - estimate), 1.0)),
    }


def _taus(means: np.ndarray) -> np.ndarray:
    return tau_b_paired(means[:, :, 0], means[:, :, 1]).values


def _one(paired: Callable[..., Any], means: np.ndarray) -> float:
    return float(paired(means[None, :, 0], means[None, :, 1]).values[0])


def _percentiles(values: np.ndarray, ends: Sequence[float] = ENDS) -> Limits:
    low, high = np.quantile(values, ends)
    return float(low), float(high)


def _bca(sampled: np.ndarray, estimate: float, left_out: np.ndarray) -> Limits:
    share = np.mean(sampled < estimate) + np.mean(np.isclose(sampled, estimate)) / 2
    bias = stats.norm.ppf(np.clip(share, 0.5 / len(sampled), 1 - 0.5 / len(sampled)))
    gaps = left_out.mean() - left_out
    acceleration = (gaps**3).sum() / (6 * max((gaps**2).sum(), 1e-30) ** 1.5)
    shifted = bias + stats.norm.ppf(ENDS)
    return _percentiles(sampled, stats.norm.cdf(bias + shifted / (1 - acceleration * shifted)).tolist())


def _fisher(estimate: float, left_out: np.ndarray) -> Limits:
    n = len(left_out)
    se = ((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum()) ** 0.5
    if abs(estimate) > 1 - ROUNDING:
        return estimate, estimate
    reach = stats.t.ppf(ENDS[1], n - 1) * se / (1 - estimate**2)
    return float(np.tanh(np.arctanh(estimate) - reach)), float(np.tanh(np.arctanh(estimate) + reach))


def differences(cell: Kappas) -> dict[str, float]:
    """Return the share of intervals of a difference of kappas that contain the true one, and their mean width."""
    rng, results = np.random.default_rng(SEED), {}
    truth = _kappa_gap(cell.draw(rng, TOPICS_OF_TRUTH))
    hits, widths = [], []
    for _ in range(DATA_SETS_OF_KAPPAS):
        estimate = kappa_difference(_ratings(cell.draw(rng)), ("first", "second"), ("first", "third"))
        if estimate.low is not None and estimate.high is not None:
            hits.append(estimate.low <= truth <= estimate.high)
            widths.append(estimate.high - estimate.low)
    results |= {"coverage": float(np.mean(hits)), "width": float(np.mean(widths)), "difference": truth}
    return results


def _ratings(grades: np.ndarray) -> Ratings:
    n_topics = grades.shape[1]
    topics = [f"t{topic:03}" for topic in np.repeat(np.arange(n_topics), DOCUMENTS)]
    names = ("first", "second", "third")
    return Ratings(
        grades.reshape(3, -1).astype(np.int64), (0, 1), names, topics, [f"d{i:05}" for i in range(len(topics))]
    )


def _kappa_gap(grades: np.ndarray) -> float:
    first, second, third = grades.reshape(3, -1)

    def kappa(other: np.ndarray) -> float:
        chance = first.mean() * other.mean() + (1 - first.mean()) * (1 - other.mean())
        return float((np.mean(first == other) - chance) / (1 - chance))

    return kappa(second) - kappa(third)


def real_errors() -> list[RealErrors]:
    """The settings with the systems and topics of TREC 2019 Deep Learning."""
    from agreement import make_gold, prepare, ranking_shift
    from benchmarks.dl19_shift import DATA, judgements
    from pooling import read_run

    runs = prepare(read_run(path) for path in sorted(DATA.glob("runs/*.run.gz")))
    golds = {name: make_gold(judgements(), f"judge:{name}") for name in ("nist", "first", "second")}
    cells = []
    for measure in ("nDCG@10", "AP(rel=2)"):
        shift = ranking_shift(runs, golds, measure)
        for a, b in (("nist", "first"), ("first", "second")):
            tables = [shift.scores[name] for name in (a, b)]
            common = tables[0].columns.intersection(tables[1].columns)
            scores = np.stack([table[common].to_numpy(np.float64) for table in tables], axis=2)
            cells += [RealErrors(f"{measure}, {a} and {b}", spread, scores) for spread in (1.0, 0.5, 0.2)]
    return cells


def _computed(processes: int | None, function: Callable[[Any], dict[str, float]], cells: Sequence[Any]) -> list[str]:
    """Return the lines of a table without its head."""
    rows = []
    with ProcessPoolExecutor(processes) as pool:
        for cell, found in zip(cells, pool.map(function, cells), strict=True):
            print(cell.described, {name: round(value, 3) for name, value in found.items()}, file=sys.stderr, flush=True)
            rows.append((cell, found))
    return [_line(cell, found) for cell, found in rows]


def _line(cell: Any, found: dict[str, float]) -> str:
    shares = [
        f"{100 * value:.1f}" if name not in ("width", "difference") else f"{value:.2f}" for name, value in found.items()
    ]
    return f"| {' | '.join((*cell.described, *shares))} |"


def _table(head: Sequence[str], lines: Sequence[str]) -> str:
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.comparison_coverage")
    parser.add_argument("processes", nargs="?", type=int, help="how many processes; one for each core by default")
    parser.add_argument("--only", choices=["taus", "kappas"], help="one of the two tables")
    arguments = parser.parse_args()
    compute = partial(_computed, arguments.processes)
    tables = {}
    if arguments.only != "kappas":
        cells: list[Cell] = [*systems(), *real_errors()]
        head = ("systems", "topics", "spread", "correlation", "setting", *CORRECTED, "tau_AP", "RBO", "width")
        tables["taus"] = _table(head, compute(taus, cells[:: size(1, 12)]))
    if arguments.only != "taus":
        head = ("topics", "wrong", "spread", "relevant", "coverage", "width", "difference")
        tables["kappas"] = _table(head, compute(differences, kappas()[:: size(1, 5)]))
    text = PAGE.read_text(encoding="utf-8")
    for name, table in tables.items():
        pattern = rf"(<!-- {name} -->\n).*?(\n<!-- end -->)"
        text = re.sub(pattern, lambda found, table=table: f"{found[1]}\n{table}\n{found[2]}", text, flags=re.DOTALL)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
