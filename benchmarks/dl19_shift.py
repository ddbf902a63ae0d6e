"""Make the tables and figures of docs/studies/dl19.md: 61 systems of TREC 2019 Deep Learning under six golds.

`python -m benchmarks.dl19_shift` writes the figures (docs/images/dl19-*.svg), and the tables between the markers in the
page; the prose is written by hand. The data are not part of the repository; see `tests/realdata.py`.
"""

import os
import re
from pathlib import Path

import pandas as pd

from agreement import make_gold, prepare, ranking_shift
from agreement import plots as draw
from agreement.attribution import leverage, why_swapped
from agreement.effectiveness.scores import score_table
from agreement.mixing import mixed_golds
from agreement.significance.rank_intervals import rank_intervals
from benchmarks.tiny import DOCS, size
from pooling import read_qrels, read_run
from pooling.text_tables import render, rounded

PROJECT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("ASSAY_TEST_DATA", PROJECT.parent / "shared" / "data")) / "dl19"
PAGE, IMAGES = DOCS / "studies" / "dl19.md", DOCS / "images"
MEASURES = ("nDCG@10", "AP(rel=2)")
FIRST, SECOND = (1, 3, 5, 7), (2, 4, 6, 8)
RULES = ("union", "intersection", "majority")
SEED, DRAWS, RANK_DRAWS = 2019, size(100_000, 200), size(10_000, 100)
MIXED_COLUMNS = ["reference", "n_topics", "mean", "sd", "least", "q2_5", "q50", "q97_5", "greatest"]


def judgements() -> pd.DataFrame:
    """Return the judgements of NIST, and of the first and the second judge of every topic, as three assessors.

    Topic 168216 has all eight judges, on different documents. One document was judged by two of its second judges, both
    as not relevant, and counts once.
    """

    def merged(numbers):
        frames = [read_qrels(DATA / "judges" / f"judge{number}.qrels") for number in numbers]
        return pd.concat(frames).drop_duplicates(["query_id", "doc_id"])

    nist = read_qrels(DATA / "judges" / "nist.qrels")
    by_name = {"nist": nist, "first": merged(FIRST), "second": merged(SECOND)}
    return pd.concat([frame.assign(assessor=name) for name, frame in by_name.items()], ignore_index=True)


def golds(judged: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return a gold for each assessor alone, and for the three together on the documents that all of them judged."""
    alone = {name: make_gold(judged, f"judge:{name}") for name in ("nist", "first", "second")}
    return alone | {rule: make_gold(judged, rule, at_least_judges=3) for rule in RULES}


def main() -> None:
    runs = prepare(read_run(path) for path in sorted(DATA.glob("runs*/*.run.gz")))
    judged = judgements()
    by_gold = golds(judged)
    shifts = {measure: ranking_shift(runs, by_gold, measure, reference="nist") for measure in MEASURES}
    mixed = {measure: mixed_golds(runs, judged, measure, draws=DRAWS, seed=SEED) for measure in MEASURES}
    tables = {}
    for measure in MEASURES:
        name = "ndcg" if measure.startswith("nDCG") else "ap"
        tables[f"pairs {name}"] = _pairs(shifts[measure])
        tables[f"moves {name}"] = _moves(shifts[measure])
        tables[f"swaps {name}"] = _swaps(shifts[measure])
        tables[f"mixed {name}"] = _table(mixed[measure].taus[MIXED_COLUMNS])
        tables[f"top {name}"] = _table(mixed[measure].top_changes[:6])
        _figures(name, shifts[measure], mixed[measure], runs, by_gold["nist"], measure)
    tables["summaries"] = "\n".join(f"- {m}: {shifts[m].summary()}" for m in MEASURES)
    tables["mixed summaries"] = "\n".join(f"- {m}: {mixed[m].summary()}" for m in MEASURES)
    tables |= _why(runs, by_gold, shifts["nDCG@10"])
    result = leverage(runs, judged, "nDCG@10", {"nist": by_gold["nist"]})
    tables["leverage"] = f"{result.summary()}\n\n" + _table(result.documents[:12].drop(columns="reason"))
    write_page(PAGE, tables)


def _table(frame: pd.DataFrame) -> str:
    return render(rounded(frame), "markdown")


def _pairs(shift) -> str:
    frame = shift.pairs_frame()
    frame = frame[frame["gold_a"] == shift.reference]
    columns = ["gold_b", "n_topics", "tau", "tau_ap", "rbo", "spearman", "pearson", "rms_change", "swapped", "top_b"]
    shown = rounded(frame[columns]).rename(columns={"gold b": "gold", "top b": "best"})
    shown["judged of first 10"] = [_judged(shift, gold) for gold in frame["gold_b"]]
    return render(shown, "markdown")


def _judged(shift, gold: str) -> str:
    judged, retrieved = shift.judged_counts(gold)
    return f"{judged / retrieved:.1%}"


def _moves(shift) -> str:
    ranks = shift.to_frame()
    most_moved = (ranks.max(axis=1) - ranks.min(axis=1)).sort_values(ascending=False, kind="stable").index[:12]
    moved = ranks.loc[most_moved]
    return render(moved.assign(range=moved.max(axis=1) - moved.min(axis=1)).reset_index(), "markdown")


def _swaps(shift) -> str:
    swaps = shift.swaps()
    swaps = swaps[swaps["gold_a"] == shift.reference]
    rows = [
        {
            "gold": gold,
            "swapped pairs": len(rows),
            "significant under nist": int(rows["significant_a"].sum()),
            "significant under the gold": int(rows["significant_b"].sum()),
            "under both": int((rows["significant_a"] & rows["significant_b"]).sum()),
            "largest lead under nist": f"{rows['difference_a'].max():.3f}",
        }
        for gold, rows in swaps.groupby("gold_b", sort=False)
    ]
    return render(pd.DataFrame(rows), "markdown")


def _why(runs, by_gold, shift) -> dict[str, str]:
    """Explain why the best system under nist is not the best under the second judges."""
    pair = shift.pair("nist", "second")
    before, after = pair.top_a[0], pair.top_b[0]
    if before == after:  # not in the real data
        return dict.fromkeys(("why", "why topics", "why documents"), f"{before} is the best system under both.")
    two = [{name: by_gold[name]} for name in ("nist", "second")]
    why = why_swapped(runs, before, after, *two, "nDCG@10", seed=SEED)
    topics = _table(why.topics[:6].drop(columns="method"))
    documents = _table(why.documents[:8].drop(columns=["method", "change"]))
    return {"why": why.summary(), "why topics": topics, "why documents": documents}


def _figures(name: str, shift, mixed, runs, gold, measure: str) -> None:
    tau = shift.pair("nist", "second").tau_b.shown()
    rows = shift.ranks_under("second").set_index("system")
    labels = (f"{measure} under nist", f"{measure} under the second judges")
    marks = shift.ranks_under("nist").set_index("system")["score"].rename("nist")
    files = {
        "slope": draw.slope_chart(shift.only("second")),
        "tau": draw.tau_heat_map(shift),
        "scatter": draw.score_scatter(rows["reference_score"], rows["score"], *labels, corner=f"tau_b {tau}"),
        "ranges": draw.score_ranges(mixed.systems_frame, measure=measure, draws=mixed.draws, marks=marks),
        "ranks": draw.rank_interval_chart(
            rank_intervals(score_table(runs, gold, measure), draws=RANK_DRAWS, seed=SEED), confidence=0.95
        ),
    }
    page = PAGE.read_text(encoding="utf-8")
    for figure, content in files.items():
        path = IMAGES / f"dl19-{name}-{figure}.svg"
        if path.name in page:
            path.write_bytes(content)


def write_page(path: Path, tables: dict[str, str]) -> None:
    """Write each table between its markers in a page."""
    page = path.read_text(encoding="utf-8")
    for name, table in tables.items():
        markers = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
        page, count = markers.subn(lambda match, table=table: f"{match[1]}\n{table}\n\n{match[2]}", page)
        if not count:
            print(f"{path.name} has no markers for {name!r}:\n\n{table}\n")
    path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
