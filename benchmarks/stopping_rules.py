"""Make the tables of docs/studies/stopping.md: `python -m benchmarks.stopping_rules`.

The first part simulates reviews and counts how often each rule reaches the recall that it states, and how often each
interval contains the truth. The second part replays judging of TREC 2019 Deep Learning: the documents that have a text
and a grade are the whole collection of a topic, so that its relevant documents are known. Seeds are fixed. The data are
not part of the repository; see `tests/realdata.py`.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from benchmarks.dl19_pools import IDS, PRESUMED, REL, SEED, restrict, run_frames
from benchmarks.pages import fill
from benchmarks.tiny import DOCS, size
from pooling import (
    GainCurve,
    Replay,
    StoppingRule,
    capture_recapture,
    elusion_recall,
    gain_curve,
    prepare,
    quantile_bound,
    read_documents,
    read_qrels,
    read_topics,
    replay,
    sampled_recall,
    target_method,
)
from pooling.adaptive import CAL
from pooling.text_tables import render
from tests.realdata import DATA

PAGE = DOCS / "studies" / "stopping.md"
SIMULATIONS = size(2_000, 3)  # data sets of each line of the simulation
SAMPLES = size(20, 2)  # of each topic of the replay
SHARES = (0.8, 0.9, 0.95)
TARGETS = (5, 10)
RECALLS = (0.7, 0.8, 0.9)
SAMPLE_SHARE = 0.5  # of the documents of a topic, for the quantile bound
ELUSION_SHARE = 0.3  # of the documents that the review left, or of all
STRATEGIES: dict[str, dict] = {
    "depth": {},
    "rrf": {},
    "move_to_front": {"seed": SEED},
    "bandit_thompson": {"seed": SEED},
    "maxmean_ns": {"seed": SEED},
    "random": {"seed": SEED},
}
REVIEW = "cal"  # the order of the review to which the rules are applied


@dataclass(frozen=True)
class Population:
    """A simulated topic: `n_documents`, of which `n_relevant` are relevant, and the quality of the order of review."""

    n_documents: int
    n_relevant: int
    separation: float = 2.0  # the mean score of a relevant document minus that of another, in standard deviations

    def review(self, rng: np.random.Generator) -> tuple[list[str], set[str]]:
        """Return the documents by a noisy score, the highest first, and the relevant ones."""
        ids = [str(number) for number in range(self.n_documents)]
        scores = rng.normal(size=self.n_documents)
        scores[: self.n_relevant] += self.separation
        return [ids[place] for place in np.argsort(-scores)], set(ids[: self.n_relevant])


POPULATIONS = (Population(500, 20), Population(500, 60), Population(2_000, 200))


# the simulation


def rule_lines() -> Iterator[dict[str, str]]:
    """Yield one line for each rule and population."""
    for population in POPULATIONS:
        for target in TARGETS:
            yield simulated(population, f"target method, {target}", target_rule(target))
        for n_drawn in (100, 400):
            for bound in ("confidence", "point"):
                name = "quantile bound" if bound == "confidence" else "quantile point estimate"
                yield simulated(population, f"{name}, sample of {n_drawn}", quantile_rule(n_drawn, 0.8, bound))


Rule = Callable[[list[str], list[str], set[str]], StoppingRule]


def target_rule(target: int) -> Rule:
    return lambda drawn, review, relevant: target_method(drawn, review, relevant, target=target)


def quantile_rule(size: int, recall: float, bound: str = "confidence") -> Rule:
    return lambda drawn, review, relevant: quantile_bound(drawn[:size], review, relevant, recall=recall, bound=bound)


def simulated(population: Population, name: str, rule: Rule) -> dict[str, str]:
    rng, recalls, judged, stated = np.random.default_rng(SEED), [], [], 0.0
    for _ in range(SIMULATIONS):
        review, relevant = population.review(rng)
        result = rule(rng.permutation(review).tolist(), review, relevant)
        stated = result.recall
        if result.stop_after is not None:
            recalls.append(len(relevant.intersection(review[: result.stop_after])) / len(relevant))
            judged.append(result.n_judged)
    return {
        "documents": f"{population.n_documents:,}",
        "relevant": f"{population.n_relevant:,}",
        "rule": name,
        "stated recall": f"{stated:.3f}",
        **outcome(recalls, judged, stated),
        "cannot be applied": f"{1 - len(recalls) / SIMULATIONS:.1%}",
    }


def outcome(recalls: list[float], judged: list[int], stated: float) -> dict[str, str]:
    """Return how often the stated recall is reached, the mean recall, and the mean number of judgements."""
    if not recalls:
        return {"reached": "–", "mean recall": "–", "mean judgements": "–"}
    reached = np.mean(np.array(recalls) >= stated - 1e-9)
    return {
        "reached": f"{reached:.1%}",
        "mean recall": f"{np.mean(recalls):.3f}",
        "mean judgements": f"{np.mean(judged):,.0f}",
    }


def interval_lines() -> Iterator[dict[str, str]]:
    """Yield one line for each interval and setting."""
    for total, shares in ((20, (0.6, 0.4)), (100, (0.6, 0.4)), (100, (0.9, 0.7))):
        yield covered(f"capture-recapture, N = {total}, {shares[0]:.0%} and {shares[1]:.0%}", captures(total, shares))
    yield covered("capture-recapture, N = 100, half easy (90 %), half hard (20 %)", dependent_captures(100))
    for n_found, n_unjudged, n_missed, n_sampled in ((40, 400, 10, 100), (90, 2_000, 30, 200)):
        name = f"elusion, {n_found} found, {n_missed} missed of {n_unjudged:,}, sample of {n_sampled}"
        yield covered(name, elusions(n_found, n_unjudged, n_missed, n_sampled))
    for n_relevant in (10, 30):
        yield covered(f"sampled recall 0.8, {n_relevant} relevant sampled", shares_found(n_relevant))


Interval = Callable[[np.random.Generator], tuple[float, float, float]]  # low, high, true value


def captures(total: int, shares: tuple[float, float]) -> Interval:
    def drawn(rng: np.random.Generator) -> tuple[float, float, float]:
        return captured(total, [rng.random(total) < share for share in shares])

    return drawn


def dependent_captures(total: int) -> Interval:
    chance = np.where(np.arange(total) < total // 2, 0.9, 0.2)
    return lambda rng: captured(total, [rng.random(total) < chance for _ in range(2)])


def captured(total: int, found: list[np.ndarray]) -> tuple[float, float, float]:
    sources = {str(number): np.flatnonzero(ids).tolist() for number, ids in enumerate(found)}
    pair = capture_recapture(sources).pairs.iloc[0]
    return pair["low"], np.inf if pd.isna(pair["high"]) else pair["high"], total


def elusions(n_found: int, n_unjudged: int, n_missed: int, n_sampled: int) -> Interval:
    def drawn(rng: np.random.Generator) -> tuple[float, float, float]:
        n_relevant = int(rng.hypergeometric(n_missed, n_unjudged - n_missed, n_sampled))
        estimate = elusion_recall(n_found, n_unjudged, n_sampled, n_relevant)
        return estimate.low, estimate.high, n_found / (n_found + n_missed)

    return drawn


def shares_found(n_relevant: int, recall: float = 0.8) -> Interval:
    def drawn(rng: np.random.Generator) -> tuple[float, float, float]:
        estimate = sampled_recall(n_relevant, int(rng.binomial(n_relevant, recall)))
        return estimate.low, estimate.high, recall

    return drawn


def covered(name: str, interval: Interval) -> dict[str, str]:
    rng = np.random.default_rng(SEED)
    limits = [interval(rng) for _ in range(SIMULATIONS)]
    contained = np.mean([low <= truth <= high for low, high, truth in limits])
    too_low = np.mean([high < truth for _, high, truth in limits])
    return {"interval": name, "contains the truth": f"{contained:.1%}", "wholly below the truth": f"{too_low:.1%}"}


# the replay


@dataclass(frozen=True)
class Topics:
    """The topics of DL 2019, with the documents that have a text, a grade, and a run."""

    frames: list[pd.DataFrame]
    gold: pd.DataFrame
    texts: dict[str, str]
    queries: dict[str, str]

    @cached_property
    def replays(self) -> dict[str, Replay]:
        """Replay each strategy to the end."""
        runs, budget = prepare(self.frames), int(self.gold.groupby("query_id").size().max())
        made = {name: replay(name, runs, self.gold, budget, rel=REL, **o) for name, o in STRATEGIES.items()}
        learner = CAL(texts=self.texts, queries=self.queries, seed=SEED, presumed=PRESUMED, rel=REL)
        return made | {"cal": replay(learner, runs, self.gold, budget, rel=REL)}

    def curves(self, name: str) -> dict[str, GainCurve]:
        judgements = self.replays[name].judgements
        return {
            query_id: gain_curve(rows["relevant"], n_relevant=self.n_relevant[query_id])
            for query_id, rows in judgements.groupby("query_id")
        }

    @cached_property
    def n_relevant(self) -> dict[str, int]:
        return (self.gold["relevance"] >= REL).groupby(self.gold["query_id"]).sum().to_dict()

    @cached_property
    def reviews(self) -> list[tuple[list[str], set[str]]]:
        """The documents of each topic in the order of the review, and its relevant ones."""
        judgements = self.replays[REVIEW].judgements
        return [
            (rows["doc_id"].tolist(), set(rows.loc[rows["relevant"], "doc_id"]))
            for _, rows in judgements.groupby("query_id")
        ]


def load() -> Topics:
    texts = {document.doc_id: document.text for document in read_documents(DATA / "dl19" / "documents.jsonl.gz")}
    gold = read_qrels(DATA / "dl19" / "judges" / "nist.qrels")
    frames = restrict(run_frames(), gold[gold["doc_id"].isin(texts)])
    reachable = pd.concat(frames)[IDS].drop_duplicates()
    queries = read_topics(DATA / "dl19" / "topics.tsv").set_index("query_id")["title"].to_dict()
    return Topics(frames, gold.merge(reachable, on=IDS), texts, queries)


def basis(topics: Topics) -> str:
    sizes, relevant = topics.gold.groupby("query_id").size(), pd.Series(topics.n_relevant)
    return (
        f"{len(sizes)} topics, {len(topics.gold):,} documents ({sizes.min()} to {sizes.max()} per topic, median"
        f" {sizes.median():g}), of which {relevant.sum():,} are relevant ({relevant.min()} to {relevant.max()} per"
        f" topic, median {relevant.median():g})."
    )


def effort_table(topics: Topics) -> str:
    rows = []
    for name in topics.replays:
        curves = topics.curves(name).values()
        row = {"order": name}
        for share in SHARES:
            needed = [(curve.judgements_to(share), curve.n_judged) for curve in curves]
            row[f"to {share:.0%}"] = f"{sum(number for number, _ in needed):,}"
            row[f"share of the documents, {share:.0%}"] = f"{np.mean([n / of for n, of in needed]):.1%}"
        rows.append(row)
    rows.sort(key=lambda row: int(row["to 80%"].replace(",", "")))
    return render(pd.DataFrame(rows), "markdown")


def replayed_rules(topics: Topics) -> Iterator[dict[str, str]]:
    """Yield one line for each rule: stated and actual recall, over topics and samples."""
    rules = {f"target method, {target}": target_rule(target) for target in TARGETS}
    for recall in RECALLS:
        rules[f"quantile bound, recall {recall:g}"] = share_rule(recall, "confidence")
        rules[f"quantile point estimate, recall {recall:g}"] = share_rule(recall, "point")
    for name, rule in rules.items():
        rng, recalls, judged, tried, stated = np.random.default_rng(SEED), [], [], 0, 0.0
        for review, relevant in topics.reviews:
            for _ in range(SAMPLES):
                result = rule(rng.permutation(review).tolist(), review, relevant)
                tried, stated = tried + 1, result.recall
                if result.stop_after is not None:
                    recalls.append(len(relevant.intersection(review[: result.stop_after])) / len(relevant))
                    judged.append(result.n_judged / len(review))
        line = outcome(recalls, judged, stated)
        line["share judged"] = f"{np.mean(judged):.1%}" if judged else "–"
        del line["mean judgements"]
        cannot = {"cannot be applied": f"{1 - len(recalls) / tried:.0%}"}
        yield {"rule": name, "stated recall": f"{stated:.3f}"} | line | cannot


def share_rule(recall: float, bound: str) -> Rule:
    return lambda drawn, review, relevant: quantile_rule(round(SAMPLE_SHARE * len(review)), recall, bound)(
        drawn, review, relevant
    )


def estimate_lines(topics: Topics) -> Iterator[dict[str, str]]:
    """Yield one line for each estimate of the recall of a review that judged a half of the documents."""
    elusion, sampled = [], []
    rng = np.random.default_rng(SEED)
    for review, relevant in topics.reviews:
        half = len(review) // 2
        found, left = relevant.intersection(review[:half]), review[half:]
        truth = len(found) / len(relevant)
        for _ in range(SAMPLES):
            drawn = rng.permutation(left)[: round(ELUSION_SHARE * len(left))]
            n_relevant = len(relevant.intersection(drawn.tolist()))
            elusion.append((elusion_recall(len(found), len(left), len(drawn), n_relevant), truth))
            drawn = rng.permutation(review)[: round(ELUSION_SHARE * len(review))]
            drawn_relevant = relevant.intersection(drawn.tolist())
            sampled.append((sampled_recall(len(drawn_relevant), len(found & drawn_relevant)), truth))
    yield estimated("elusion", elusion)
    yield estimated("sampled recall", sampled)


def estimated(name: str, pairs: list) -> dict[str, str]:
    defined = [(estimate, truth) for estimate, truth in pairs if estimate.value is not None]
    contained = np.mean([estimate.low - 1e-9 <= truth <= estimate.high + 1e-9 for estimate, truth in defined])
    return {
        "estimate": name,
        "predicted recall": f"{np.mean([estimate.value for estimate, _ in defined]):.3f}",
        "actual recall": f"{np.mean([truth for _, truth in defined]):.3f}",
        "mean absolute error": f"{np.mean([abs(estimate.value - truth) for estimate, truth in defined]):.3f}",
        "interval contains it": f"{contained:.1%}",
        "undefined": f"{1 - len(defined) / len(pairs):.0%}",
    }


def completeness_lines(topics: Topics, depth: int = 10) -> Iterator[dict[str, str]]:
    """Yield one line for each choice of sources: predicted and actual completeness of a pool to this depth."""
    top = pd.concat(topics.frames)
    ranks = top.groupby(["system", "query_id"])["score"].rank(ascending=False, method="first")
    found = top[ranks <= depth].merge(topics.gold[topics.gold["relevance"] >= REL], on=IDS)
    families = found.assign(system=np.where(found["system"].str.startswith("bm25"), "bm25 runs", "other runs"))
    learner = learner_found(topics, found)
    yield completeness(topics, "each run and all others (mean of the runs)", found, "others")
    yield completeness(topics, "runs of bm25 and the others", families, "each")
    yield completeness(topics, "all runs and the learner", learner, "each")


def learner_found(topics: Topics, found: pd.DataFrame) -> pd.DataFrame:
    """Return what all runs found, and what the learner found among as many documents as a third of the topic has."""
    judgements = topics.replays[REVIEW].judgements
    sizes = judgements.groupby("query_id")["budget"].transform("max")
    first = judgements[(judgements["budget"] <= sizes / 3) & judgements["relevant"]]
    return pd.concat([found.assign(system="runs"), first.assign(system="learner")])[["system", *IDS]].drop_duplicates()


def completeness(topics: Topics, name: str, found: pd.DataFrame, against: str) -> dict[str, str]:
    predicted, actual, contained = [], [], []
    for query_id, rows in found.groupby("query_id"):
        sources = {system: set(ids["doc_id"]) for system, ids in rows.groupby("system")}
        if len(sources) < 2:
            continue
        result = capture_recapture(sources, against=against)
        pairs = result.pairs.dropna(subset=["chapman"])
        truth = result.n_found / topics.n_relevant[query_id]
        predicted.append(pairs["completeness"].mean())
        actual.append(truth)
        within = (pairs["completeness_low"] <= truth + 1e-9) & (truth - 1e-9 <= pairs["completeness_high"])
        contained.append(within.mean())
    return {
        "sources": name,
        "topics": str(len(actual)),
        "predicted completeness": f"{np.mean(predicted):.3f}",
        "actual completeness": f"{np.mean(actual):.3f}",
        "interval contains it": f"{np.mean(contained):.1%}",
    }


def table(lines: Iterator[dict[str, str]]) -> str:
    rows = []
    for line in lines:
        rows.append(line)
        print(*line.values(), sep=" | ", file=sys.stderr, flush=True)
    return render(pd.DataFrame(rows), "markdown")


def main() -> None:
    tables = {"rules simulated": table(rule_lines()), "intervals simulated": table(interval_lines())}
    topics = load()
    tables |= {"basis": basis(topics), "effort": effort_table(topics)}
    tables["rules replayed"] = table(replayed_rules(topics))
    tables["estimates replayed"] = table(estimate_lines(topics))
    tables["completeness replayed"] = table(completeness_lines(topics))
    fill(PAGE, tables)


if __name__ == "__main__":
    main()
