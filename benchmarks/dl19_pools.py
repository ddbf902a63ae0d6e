"""Make the tables and figures of docs/studies/pooling.md: `python -m benchmarks.dl19_pools`.

Every strategy is replayed against NIST's judgements of TREC 2019 Deep Learning, with the 37 complete runs and with
their judged documents only. Every run is left out of depth pools. The data are not part of the repository; see
`tests/realdata.py`.
"""

import os
import sys
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from pathlib import Path

import pandas as pd

from agreement.effectiveness.scores import score_table
from agreement.rank_correlation import tau_b
from benchmarks.pages import fill
from benchmarks.tiny import DOCS, size
from pooling import (
    Replay,
    leave_one_out,
    plan_overlap,
    pool,
    prepare,
    read_documents,
    read_qrels,
    read_run,
    read_topics,
    replay,
    undiscovered,
)
from pooling.adaptive import ADAPTIVE, CAL
from pooling.evaluation.found_curves import found_curves
from pooling.evaluation.judged_items import judged_items
from pooling.ranking import RankedRuns
from pooling.strategies import STRATEGIES
from pooling.text_tables import render

PROJECT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ASSAY_TEST_DATA", PROJECT.parent / "shared" / "data")) / "dl19"
PAGE, IMAGES = DOCS / "studies" / "pooling.md", DOCS / "images"
MANUAL = DOCS / "pooling.md"
IDS = ["query_id", "doc_id"]
REL, MEASURE = 2, "AP(rel=2)"
SEED, MORE_SEEDS = 2019, (2020, 2021)
BUDGETS = size((10, 20, 50, 100), (2, 4, 10, 12))  # judgements of each topic
DEPTHS = (10, 20, 50)
PRESUMED = 5  # for cal: few, because only about 100 documents of a topic have text
NTCIR_DEPTH = 50
STRATA = [(10, 1.0), (20, 0.5), (100, 0.2)]
SHOWN = ("move_to_front", "bandit_thompson", "hedge", "rrf", "depth", "random")
TITLE = "Relevant documents found by pooling strategies, TREC 2019 Deep Learning"
FAMILIES = ("bm25", "ICT-", "idst", "p_", "runid", "srchvrs", "TUW19", "UNH")  # prefixes of the systems' names


@dataclass(frozen=True)
class Judged:
    """Runs, and the gold against which strategies are replayed."""

    runs: RankedRuns
    gold: pd.DataFrame

    @cached_property
    def reachable(self) -> int:
        """Number of relevant documents in at least one run."""
        return int(judged_items(self.runs, self.gold).relevant(REL).sum())

    @cached_property
    def true_scores(self) -> pd.Series:
        return self.scores(self.gold)

    def scores(self, gold: pd.DataFrame, measure: str = MEASURE) -> pd.Series:
        """Return the mean over topics by system; a topic without judgements scores 0."""
        return score_table(self.runs, gold, measure).sum(axis=1) / self.gold["query_id"].nunique()

    def replayed(self, strategy, scored: bool = True, **options) -> Replay:
        """Replay a strategy, with the scores at each of `BUDGETS`."""

        def score(_, gold):
            return self.scores(gold)

        arguments = self.runs, self.gold, BUDGETS[-1], score if scored else None
        return replay(strategy, *arguments, rel=REL, at=BUDGETS, **options)

    def tau(self, replayed: Replay, budget: int) -> str:
        """Return tau_b between the systems under the judgements of a budget and under the complete gold."""
        rows = replayed.scores[replayed.scores["budget"] == budget]
        return tau_b(self.true_scores, rows.set_index("system")["value"].loc[self.true_scores.index]).shown()


def run_frames() -> list[pd.DataFrame]:
    return [read_run(path) for path in sorted((DATA / "runs").glob("*.run.gz"))]


def restrict(frames: list[pd.DataFrame], documents: pd.DataFrame) -> list[pd.DataFrame]:
    """Return the runs with these documents only."""
    return [frame.merge(documents[IDS].drop_duplicates(), on=IDS) for frame in frames]


def options_of(name: str, seed: int = SEED) -> dict:
    """Return the parameters of a strategy except its size."""
    known = signature((STRATEGIES | ADAPTIVE)[name]).parameters
    needed = {"seed": seed, "strata": STRATA} | ({"depth": NTCIR_DEPTH} if name == "ntcir" else {})
    return {parameter: value for parameter, value in needed.items() if parameter in known}


def replays(judged: Judged) -> dict[str, Replay]:
    """Replay every strategy except cal, which needs the text of every document, and orders that equal a strategy."""
    made = {}
    left_out = ("cal", "ntcir_order", "ask_people_order")
    for name in (*STRATEGIES, *(name for name in ADAPTIVE if name not in left_out)):
        made[name] = judged.replayed(name, **options_of(name))
        print(name, file=sys.stderr, flush=True)
    return made


def found_table(
    judged: Judged, made: dict[str, Replay], budgets=BUDGETS, taus=(BUDGETS[0], BUDGETS[2]), unknown=False
) -> str:
    """Return a table of relevant documents found and of tau_b; the strategy that found most in the end is first."""
    rows = []
    last = budgets[-1]
    for name, replayed in sorted(made.items(), key=lambda item: -_at(item[1], last)["found"]):
        row = {"strategy": name} | {
            f"found at {budget}": f"{_at(replayed, budget)['found']:,.0f}" for budget in budgets
        }
        row["share"] = f"{_at(replayed, last)['share']:.1%}"
        if unknown:
            row["not judged"] = f"{_at(replayed, last)['unknown'] / _at(replayed, last)['spent']:.0%}"
        rows.append(row | {f"tau_b at {budget}": judged.tau(replayed, budget) for budget in taus})
    return render(pd.DataFrame(rows), "markdown")


def _at(replayed: Replay, budget: int) -> pd.Series:
    return replayed.found.set_index("budget").loc[budget]


def over_seeds(judged: Judged, made: dict[str, Replay]) -> str:
    """Return one line about what each random strategy finds with other seeds."""
    ranges = []
    for name, replayed in made.items():
        if "seed" in options_of(name):
            others = [
                replay(name, judged.runs, judged.gold, BUDGETS[-1], rel=REL, **options_of(name, seed))
                for seed in MORE_SEEDS
            ]
            found = [int(_at(one, BUDGETS[-1])["found"]) for one in (replayed, *others)]
            ranges.append(f"{name} {min(found):,} to {max(found):,}")
    return f"Found at {BUDGETS[-1]} with the seeds {SEED}, {', '.join(map(str, MORE_SEEDS))}: {'; '.join(ranges)}."


def figure(judged: Judged, made: dict[str, Replay], title: str) -> bytes:
    points = {name: replayed.found[["spent", "found"]].to_numpy() for name, replayed in made.items()}
    topics = judged.gold["query_id"].nunique()
    note = f"Up to {BUDGETS[-1]} judgements in each of {topics} topics, relevant from grade {REL}."
    return found_curves(points, judged.reachable, highlight=SHOWN, title=title, note=note)


def with_text(frames: list[pd.DataFrame], gold: pd.DataFrame) -> str:
    """Return a table of cal and other strategies, restricted to documents with text."""
    texts = {document.doc_id: document.text for document in read_documents(DATA / "documents.jsonl.gz")}
    topics = read_topics(DATA / "topics.tsv").set_index("query_id")["title"].to_dict()
    known = gold[gold["doc_id"].isin(texts)]
    judged = Judged(prepare(restrict(frames, known)), known)
    made = {name: judged.replayed(name, **options_of(name)) for name in SHOWN}
    made["cal"] = judged.replayed(CAL(texts=texts, queries=topics, seed=SEED, presumed=PRESUMED, rel=REL))
    return found_table(judged, made, budgets=BUDGETS[:3], taus=BUDGETS[:1])


def pools_table(runs: RankedRuns, gold: pd.DataFrame) -> str:
    rows = []
    for depth in (*DEPTHS, 100):
        pooled = pool(runs, "depth", depth=depth)
        judged = pooled.frame.merge(gold, on=IDS)
        row = {"depth": depth, "documents": f"{len(pooled):,}", "per topic": f"{pooled.size_by_topic.mean():.0f}"}
        row["judged"] = f"{len(judged) / len(pooled):.0%}"
        rows.append(row | {"relevant": f"{int((judged['relevance'] >= REL).sum()):,}"})
    return render(pd.DataFrame(rows), "markdown")


def family_of(system: str) -> str:
    return next((prefix for prefix in FAMILIES if system.startswith(prefix)), system)


def left_out(judged: Judged) -> str:
    """Return a table of depth pools without each run, and without each family of runs."""
    families = {system: family_of(system) for system in judged.runs.systems}
    rows = []
    for measure in ("nDCG@10", MEASURE):

        def score(_, gold, measure=measure):
            return judged.scores(gold, measure)

        for by in ("system", "group"):
            for depth in DEPTHS:
                options = {"by": by, "groups": families, "depth": depth, "rel": REL}
                result = leave_one_out(judged.runs, judged.gold, score, **options)
                rows.append({"measure": measure, "left out": by, "depth": depth} | _fall(result))
    return render(pd.DataFrame(rows), "markdown")


def _fall(result) -> dict[str, str]:
    return {
        "largest fall": f"{result.largest_fall:.4f}",
        "of": ", ".join(result.fell_most[:2]),
        "most ranks": str(result.largest_rank_fall),
        "mean change": f"{result.mean_absolute_change:.4f}",
        "mean change of rank": f"{result.mean_absolute_rank_change:.2f}",
        "relevant lost, at most": str(result.frame["n_lost_relevant"].max()),
    }


def reach(judged: Judged) -> str:
    relevant = int((judged.gold["relevance"] >= REL).sum())
    documents = judged_items(judged.runs, judged.gold).judged.sum()
    return (
        f"Of the {len(judged.gold):,} judged documents {documents:,} are in some run, and of the {relevant:,} relevant"
        f" ones {judged.reachable:,}."
    )


def overlaps(kappa: float = 0.6) -> str:
    """Return a table of the doubly judged documents needed for a confidence interval of kappa of some width."""
    rows = []
    for prevalence in (0.02, 0.05, 0.1, 0.3, 0.5):
        pairs = {width: plan_overlap(width, kappa, prevalence).pairs for width in (0.3, 0.2, 0.1)}
        rows.append({"prevalence": f"{prevalence:g}"} | {f"width {width}": f"{n:,}" for width, n in pairs.items()})
    return render(pd.DataFrame(rows), "markdown")


def main() -> None:
    frames, gold = run_frames(), read_qrels(DATA / "judges" / "nist.qrels")
    whole = Judged(prepare(frames, keep_scores=True), gold)
    judged_only = Judged(prepare(restrict(frames, gold), keep_scores=True), gold)
    tables = {"reach": reach(whole), "pools": pools_table(whole.runs, gold), "left out": left_out(whole)}
    tables["undiscovered"] = undiscovered(whole.runs, gold, 10, rel=REL, limit=100).describe()
    tables["with text"] = with_text(frames, gold)
    for name, judged in (("found", whole), ("found judged", judged_only)):
        made = replays(judged)
        tables[name] = found_table(judged, made, unknown=judged is whole)
        if judged is whole:
            tables["seeds"] = over_seeds(whole, made)
        title = TITLE + (", judged documents only" if judged is judged_only else "")
        (IMAGES / f"pooling-{name.replace(' ', '-')}.svg").write_bytes(figure(judged, made, title))
    fill(PAGE, tables)
    fill(MANUAL, {"overlaps": overlaps()})


if __name__ == "__main__":
    main()
