"""The figures of a class that the library computes from the rows of the database, as the class screen shows them."""

from collections import Counter
from itertools import combinations
from statistics import fmean

import pandas as pd

import agreement
from assess.collections import runfiles
from assess.models import Exercise, Judgement, State

PREVALENCES = (5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95)
MIXED_DRAWS = 2000


def figures_of_class() -> dict:
    """Return the expected cells of every table, and the parts of the sentences, by step."""
    exercise = Exercise.objects.get()
    rows = Judgement.objects.filter(member__collection=exercise.collection, state=State.JUDGED, repeat=0).values_list(
        "member__name", "task__topic__query_id", "task__document__doc_id", "relevance"
    )
    frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])
    names = list(exercise.seats.values_list("nickname", flat=True))
    ratings = agreement.Ratings.from_judgements(frame, (0, 1))
    titles = dict(exercise.collection.topics.values_list("query_id", "title"))
    runs = pd.concat(map(runfiles.load, exercise.collection.runs.all()))
    return {
        "pair": _pair(frame, ratings, *names[:2]),
        "matrix": _matrix(ratings, names),
        "class": _shown(agreement.mean_pairwise(ratings, "pooled_kappa")),
        "coefficients": _coefficients(ratings),
        "contested": _contested(frame),
        "prevalence": _prevalence(frame, ratings, titles),
        "systems": _systems(frame, runs, names, exercise.seed),
    }


def _pair(frame: pd.DataFrame, ratings: agreement.Ratings, a: str, b: str) -> dict:
    wide = frame.pivot_table(index=["query_id", "doc_id"], columns="assessor", values="relevance")[[a, b]].dropna()
    counts = [[int(((wide[a] == i) & (wide[b] == j)).sum()) for j in (0, 1)] for i in (0, 1)]
    table = [[str(n) for n in (*row, sum(row))] for row in counts]
    table.append([str(sum(column)) for column in zip(*counts, strict=True)] + [str(len(wide))])
    observed = agreement.percent_agreement(ratings, a, b)
    return {
        "table": table,
        "big": [_shown(observed), *(_shown(f(ratings, a, b)) for f in (agreement.pooled_kappa, agreement.cohen_kappa))],
    }


def _matrix(ratings: agreement.Ratings, names: list[str]) -> list[list[str]]:
    """Return the kappa of each pair, without the zero before the point, and the mean of each student."""
    kappas = {}
    for a, b in combinations(names, 2):
        kappas[a, b] = kappas[b, a] = agreement.pooled_kappa(ratings, a, b).value
    rows = []
    for a in names:
        own = {b: kappas[a, b] for b in names if b != a}
        rows.append([a, *("" if b == a else _number(own[b]).replace("0.", ".", 1) for b in names)])
        rows[-1].append(_number(fmean(own.values())))
    return rows


def _coefficients(ratings: agreement.Ratings) -> list[list[str]]:
    """Return the value and the interval of each coefficient."""
    interval = "analytic"
    estimates = [
        agreement.mean_pairwise(ratings, "pooled_kappa", interval=interval),
        agreement.mean_pairwise(ratings, "cohen_kappa", interval=interval),
        agreement.fleiss_kappa(ratings, pi_items="pooled", interval=interval),
        agreement.krippendorff_alpha(ratings, "nominal", interval=interval),
    ]
    return [[_shown(each), f"{_number(each.low)} to {_number(min(each.high, 1))}"] for each in estimates]


def _contested(frame: pd.DataFrame) -> dict:
    """Return the numbers of votes of each document, and how many documents have different votes."""
    votes = frame.groupby(["query_id", "doc_id"])["relevance"].agg(["size", "sum"])
    split = votes[(votes["sum"] > 0) & (votes["sum"] < votes["size"])]
    return {
        "n": len(votes),
        "n_split": len(split),
        "votes": {doc_id: [int(n - relevant), int(relevant)] for (_, doc_id), n, relevant in split.itertuples()},
        "even": sorted(abs(2 * split["sum"] - split["size"]).tolist())[:6],
    }


def _prevalence(frame: pd.DataFrame, ratings: agreement.Ratings, titles: dict[str, str]) -> dict:
    fleiss = agreement.fleiss_kappa(ratings, pi_items="pooled")
    topics = []
    for query_id, part in frame.groupby("query_id"):
        kappa = agreement.fleiss_kappa(agreement.Ratings.from_judgements(part, (0, 1)), pi_items="pooled")
        documents = str(part["doc_id"].nunique())
        share, observed = f"{part['relevance'].mean():.0%}", _number(kappa.observed)
        topics.append([titles[query_id], share, str(len(part)), documents, observed, _shown(kappa)])
    points = [_point(fleiss.observed, percent / 100) for percent in PREVALENCES]
    sentence = f"agree on {fleiss.observed:.0%} (P(A)), and {frame['relevance'].mean():.0%} of your judgements"
    return {"sentence": sentence, "kappa": _shown(fleiss), "topics": topics, "points": points}


def _point(observed: float, prevalence: float) -> list[str]:
    """Return the kappa of judges who agree this often and find this share relevant."""
    expected = prevalence**2 + (1 - prevalence) ** 2
    possible = (1 - observed) / 2 <= prevalence <= (1 + observed) / 2
    kappa = _number((observed - expected) / (1 - expected)) if possible else "not possible"
    return [f"{prevalence:.0%}", kappa]


def _systems(frame: pd.DataFrame, runs: pd.DataFrame, names: list[str], seed: int) -> dict:
    ranks = {name: _ranks(runs, frame[frame["assessor"] == name]) for name in names}
    judges = frame.assign(assessor="judge:" + frame["assessor"])
    options = {"draws": MIXED_DRAWS, "seed": seed, "min_topics": 1, "min_judged": 0}
    mixed = agreement.mixed_golds(runs, judges, "AP(rel=1)", **options).top_changes.set_index("system")["share"]
    rows = {}
    for system in runs["system"].unique():
        own = [int(ranks[name][system]) for name in names]
        best, least, most = own.count(1), min(own), max(own)
        shown_ranks = str(least) if least == most else f"{least} to {most}"
        rows[system] = [f"{best} ({best / len(names):.0%})", shown_ranks, f"{mixed.get(system, 0):.0%}"]
    tops = Counter(tuple(ranks[name][ranks[name] == 1].index) for name in names)
    return {"rows": rows, "n_tops": len(tops)}


def _ranks(runs: pd.DataFrame, gold: pd.DataFrame) -> pd.Series:
    means = agreement.score_table(runs, gold.drop(columns="assessor"), "AP(rel=1)").mean(axis=1)
    return means.round(12).rank(method="min", ascending=False)


def _shown(estimate: agreement.Estimate) -> str:
    return _number(estimate.value) if estimate.defined else estimate.shown()


def _number(value: float) -> str:
    return f"{value:z.2f}".replace("-", "−")
