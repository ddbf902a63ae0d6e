"""Make the tables and figures of docs/trust.md: 28 model judges of TREC 2019 Deep Learning, NIST and eight people.

`python -m benchmarks.dl19_trust` writes the tables between the markers in the page, and the figures
docs/images/trust-*.svg; the prose is written by hand. The data are not part of the repository; see `tests/realdata.py`.
"""

import pandas as pd

from agreement import plots, prepare
from agreement.trust import TrustReport, trust_report
from agreement.trust.model_files import read_model_grades
from agreement.trust.plan import plan_grades
from benchmarks.dl19_shift import DATA, write_page
from benchmarks.tiny import DOCS, size
from pooling import pool, read_qrels, read_run
from pooling.draws import draw_by_stratum
from pooling.text_tables import render, rounded

PAGE, IMAGES = DOCS / "trust.md", DOCS / "images"
MEASURES = ("nDCG@10", "AP(rel=2)", "P(rel=2)@10")
SEED, DRAWS = 2019, size(500, 20)
SHOWN = ("gpt-4o.umbrela", "gpt-4.umbrela", "llama3.2.umbrela")
WORDS = {"safe": "safe", "safe_except_top": "safe, except among the best 10", "not_safe": "not safe"}
WORDS |= {"too_early": "too early to say"}


def main() -> None:
    runs = prepare(read_run(path) for path in sorted(DATA.glob("runs/*.run.gz")))
    people = {"nist": read_qrels(DATA / "judges" / "nist.qrels")}
    people |= {f"judge{number}": read_qrels(DATA / "judges" / f"judge{number}.qrels") for number in range(1, 9)}
    models = models_of_dl19()
    report = trust_report(runs, people, models, "nDCG@10", scale=(0, 1, 2, 3), rel=2, draws=DRAWS, seed=SEED)
    tables = {
        "summary": report.summary(),
        "verdicts": _verdicts(report),
        "sentences": "\n".join(f"- {verdict}" for verdict in report.verdicts if verdict.model in SHOWN),
        "gaming": _gaming(report),
        "tests": _tests(report),
        "grades": _grades(runs, people["nist"], models),
    }
    _figures(report)
    write_page(PAGE, tables)


def models_of_dl19() -> dict[str, pd.DataFrame]:
    """Return the grades of the model judges; the last of repeated grades counts."""
    files = [path for path in sorted((DATA / "model_judges").glob("*.txt")) if "pairwise" not in path.name]
    return read_model_grades(files, duplicates="last").golds


def _table(frame: pd.DataFrame) -> str:
    return render(rounded(frame), "markdown")


def _verdicts(report: TrustReport) -> str:
    frame = report.to_frame().sort_values("tau_b", ascending=False, kind="stable")
    shown = frame.assign(
        verdict=frame["verdict"].map(WORDS),
        **{"difference from another person": [_interval(row) for row in frame.to_dict("records")]},
    )
    columns = ["model", "verdict", "tau_b", "difference from another person", "kappa", "winning_rate"]
    return _table(shown[[*columns, "winning_rate_by_topics"]])


def _interval(row: dict) -> str:
    if pd.isna(row["difference"]):
        return ""
    return f"{row['difference']:+.2f} ({row['low']:+.2f} to {row['high']:+.2f})"


def _gaming(report: TrustReport) -> str:
    rows = []
    for model in SHOWN if set(SHOWN) <= set(report.gaming) else report.gaming:
        again = report.gaming[model].reranking
        before, after = again.systems["score_by_people"].mean(), again.systems["reranked_by_people"].mean()
        rows.append(
            {
                "model": model,
                "runs that become first under it": again.first_by_judge,
                "under people": again.first_by_people,
                "median rank under people": f"{again.systems['rank_by_people'].median():g}",
                "mean score under people": f"{before:.3f} to {after:.3f}",
                "tau_b of judge and people": f"{again.tau_before:.3f} to {again.tau_after or 0:.3f}",
            }
        )
    return _table(pd.DataFrame(rows))


def _tests(report: TrustReport) -> str:
    parts = [report.gaming[model].to_frame().assign(model=model) for model in report.gaming if model in SHOWN]
    frame = pd.concat(parts) if parts else pd.concat(tests.to_frame() for tests in report.gaming.values())
    frame = frame[frame["effect"].notna() & (frame["test"] != "re-ranking")]
    columns = [name for name in ("model", "test", "effect", "low", "high", "p_adjusted") if name in frame]
    return _table(frame[columns])


def _grades(runs, nist: pd.DataFrame, models: dict[str, pd.DataFrame]) -> str:
    """How many of NIST's grades of the depth-10 pool would have been enough, by the best design with the model."""
    pairs = pool(runs, depth=10).frame[["query_id", "doc_id"]].merge(nist[["query_id", "doc_id"]])
    everything = draw_by_stratum(pairs, len(pairs), seed=SEED)
    grades = pairs.merge(nist)
    rows = []
    for name in models:
        if len(pairs.merge(models[name])) < len(pairs):
            continue  # the correction needs a grade of the model for all pairs
        row: dict[str, object] = {"model": name}
        for measure in MEASURES:
            plan = plan_grades(runs, models[name], grades, everything, measure, seed=SEED).to_frame()
            row |= {f"{measure}, {goal}": _needed(plan, goal) for goal in ("scores", "differences")}
        rows.append(row)
    return f"The pool has {len(pairs):,} pairs.\n\n" + _table(pd.DataFrame(rows))


def _needed(plan: pd.DataFrame, goal: str) -> str:
    """The fewest grades with the model and without it."""
    of_goal = plan[plan["goal"] == goal]
    fewest = of_goal.groupby("judge")["grades"].min()
    return f"{fewest['with the model']:,} ({fewest['without the model']:,})"


def _figures(report: TrustReport) -> None:
    every = report.ranking.frame[report.ranking.frame["systems"] == "all"]
    taus = every.rename(columns={"tau_b": "value", "tau_b_low": "low", "tau_b_high": "high"})
    title = "Rankings of 37 systems under 28 models and eight people, compared with NIST"
    (IMAGES / "trust-ranking.svg").write_bytes(plots.ranking_agreement(taus, title))
    for model in SHOWN:
        if model in report.gaming:
            drawn = plots.bought_ranks(report.gaming[model].reranking.systems, judge=model)
            (IMAGES / f"trust-bought-{model.partition('.')[0]}.svg").write_bytes(drawn)


if __name__ == "__main__":
    main()
