"""The statistics that a report has only on request, each as one table: `ADDED` of `agreement.choices`.

================ ===============================================================================================
icc              the six intraclass correlations of all judges
generalisability how many judges would be enough: a row for each number of judges, with the variance components
marginals        tests whether two judges give the grades equally often, and on how many documents each gave the
                 higher grade, for each listed pair
benchmarks       the probability of each band of a benchmark scale, for both kappas of each listed pair
================ ===============================================================================================

Each row has its n, its status and, if it is undefined, the reason. Nothing is rounded.

McNemar's test compares two grades. With more grades it is left out, unless the report names the lowest relevant grade.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from agreement.checks import choice
from agreement.choices import ADDED
from agreement.coefficients.intraclass import every_icc
from agreement.coefficients.overall import KAPPAS, overall
from agreement.diagnostics.benchmarks import Benchmarks, benchmark_probabilities
from agreement.diagnostics.decision_study import Generalisability
from agreement.estimate import Estimate
from agreement.intervals.kernel import PARTS
from agreement.ratings import Ratings
from agreement.relevance.marginal_test import MarginalTest
from agreement.relevance.marginal_tests import bhapkar, mcnemar, stuart_maxwell
from agreement.reports.agreement_sections import Figures
from agreement.reports.agreement_summary import with_interval
from agreement.reports.enough_judges import MOST_JUDGES, study_of

MEANINGS = {
    "ICC(1,1)": "one judge; other judges for each document",
    "ICC(2,1)": "one judge of a sample of judges",
    "ICC(3,1)": "one of these judges",
    "ICC(1,k)": "the mean; other judges for each document",
    "ICC(2,k)": "the mean of a sample of judges",
    "ICC(3,k)": "the mean of these judges",
}
Pair = tuple[str, str]


def added_frame(figures: Figures, name: str) -> pd.DataFrame:
    """The table of one of ADDED.

    Parameters
    ----------
    figures : Figures
        What the report computes.
    name : {"icc", "generalisability", "marginals", "benchmarks"}
        The statistic.

    Returns
    -------
    DataFrame
        Not rounded; NA where a figure is undefined, with the columns status and reason.

    Examples
    --------
    >>> from agreement import Ratings
    >>> from agreement.reports.agreement_csv import ListedPairs
    >>> ratings = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, 0]], (0, 1), ("ada", "bob"))
    >>> figures = Figures(ratings, None, None, None, None, ListedPairs(None, "name", None), 1, 1)
    >>> added_frame(figures, "icc")[["kind", "value", "n"]].round(3).head(2)
           kind  value  n
    0  ICC(1,1)  0.571  4
    1  ICC(2,1)  0.571  4
    """
    return _FRAMES[choice("add", name, ADDED)](figures)


def checked_added(names: Sequence[str]) -> Sequence[str]:
    """Return the names of statistics; ValueError if one is unknown."""
    return [choice("add", name, ADDED) for name in ([names] if isinstance(names, str) else names)]


def tests_of_pairs(figures: Figures) -> Iterator[tuple[Pair, list[MarginalTest]]]:
    """The tests of the totals of each listed pair."""
    ratings, rel = figures.graded, figures.rel
    for a, b in listed_pairs(figures):
        tests = [stuart_maxwell(ratings, a, b, rel), bhapkar(ratings, a, b, rel)]
        if has_two_grades(figures):
            tests.insert(0, mcnemar(ratings, a, b, rel))
        yield (a, b), tests


def higher_grades(figures: Figures, a: str, b: str) -> tuple[int, int]:
    """On how many documents a gave a higher grade than b, and b than a."""
    table = figures.ratings.table(a, b)
    return int(np.tril(table, -1).sum()), int(np.triu(table, 1).sum())


def has_two_grades(figures: Figures) -> bool:
    """Whether McNemar's test is possible."""
    return len(figures.ratings.scale) == 2


def benchmarks_of_pairs(figures: Figures) -> Iterator[tuple[Pair, dict[str, Benchmarks]]]:
    """The benchmarks of both kappas of each listed pair."""
    rows = figures.pairs.set_index(["assessor_a", "assessor_b"]).to_dict("index")
    for pair in listed_pairs(figures):
        estimates = {name: _kappa(figures, pair, name, rows[pair]) for name in KAPPAS}
        yield pair, {name: benchmark_probabilities(estimate) for name, estimate in estimates.items()}


def listed_pairs(figures: Figures) -> list[Pair]:
    """The pairs that the report lists, in its order."""
    rows = figures.listed.rows_of(figures.pairs)
    return list(zip(rows["assessor_a"], rows["assessor_b"], strict=True))


def _kappa(figures: Figures, pair: Pair, name: str, row: dict[Any, Any]) -> Estimate:
    """A kappa of two judges with its interval; `row` has it if it was computed for all pairs at once."""
    if figures.interval not in PARTS:
        return with_interval(overall(figures.ratings, name, "pooled", *pair), figures.interval, figures.seed)
    known: dict[str, Any] = {
        key: None if pd.isna(row[f"{name}_{key}"]) else row[f"{name}_{key}"]
        for key in ("reason", "se", "low", "high", "method")
    }
    value = None if known["reason"] else row[name]
    return Estimate(value, name, status=row[f"{name}_status"], n=row["n"], n_dropped=row["n_dropped"], **known)


def _icc_frame(figures: Figures) -> pd.DataFrame:
    return icc_frame(figures.ratings)


def icc_frame(ratings: Ratings) -> pd.DataFrame:
    """A row for each kind of intraclass correlation, with its interval from the F distribution."""
    columns = ["kind", "meaning", "value", "low", "high", "confidence", "method", "n", "n_dropped", "n_judges"]
    rows = [
        [
            *(kind, MEANINGS[kind], one.value, one.low, one.high, one.confidence, one.method, one.n, one.n_dropped),
            *(len(one.assessors), one.status, one.reason, "; ".join(one.warnings)),
        ]
        for kind, one in every_icc(ratings).items()
    ]
    frame = pd.DataFrame(rows, columns=[*columns, "status", "reason", "warnings"])
    return _typed(frame, ("value", "low", "high", "confidence"), ("n", "n_dropped", "n_judges"))


def _study_frame(figures: Figures) -> pd.DataFrame:
    return study_frame(study_of(figures.ratings))


def study_frame(study: Generalisability) -> pd.DataFrame:
    """A row for each number of judges, with the components of the variance; one row if the study is undefined."""
    decision = study.decision_study(MOST_JUDGES)
    frame = decision if study.defined else decision.reindex([0]).astype({"n_judges": "Int64"})
    frame = frame.assign(design=study.design, n=study.n, n_topics=study.n_topics, n_dropped=study.n_dropped)
    frame["judges_in_study"] = study.n_judges
    for source in ("topics", "documents", "judges", "topics x judges", "residual"):
        frame[f"variance_{source.replace(' ', '_')}"] = study.components.get(source)
    frame = frame.assign(below_zero="; ".join(study.below_zero), status=study.status, reason=study.reason)
    figures = [str(name) for name in frame if str(name).startswith("variance_") or str(name).endswith("_error")]
    return _typed(frame, figures, ())


def _tests_frame(figures: Figures) -> pd.DataFrame:
    frames = []
    for (a, b), tests in tests_of_pairs(figures):
        for test in tests:
            frame = test.to_frame()
            frame.insert(0, "assessor_a", a)
            frame.insert(1, "assessor_b", b)
            frame["a_higher"], frame["b_higher"] = higher_grades(figures, a, b)
            frames.append(frame)
    names = ["assessor_a", "assessor_b", *stuart_maxwell([[0]]).to_frame(), "a_higher", "b_higher"]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=names)


def _benchmarks_frame(figures: Figures) -> pd.DataFrame:
    names = ["assessor_a", "assessor_b", "coefficient", "value", "se", "n", "n_dropped", "method", "status", "reason"]
    frames = []
    for (a, b), of_pair in benchmarks_of_pairs(figures):
        for name, one in of_pair.items():
            kappa = one.estimate
            row = [a, b, name, kappa.value, kappa.se, kappa.n, kappa.n_dropped, kappa.method, one.status, one.reason]
            bands = one.to_frame() if one.defined else one.to_frame().reindex([0])
            frames.append(pd.DataFrame([row] * len(bands), columns=names).join(bands))
    frame = pd.DataFrame([row for each in frames for row in each.to_dict("records")], columns=_BENCHMARK_COLUMNS)
    figures_of = ("value", "se", "low", "high", "probability", "cumulative")
    return _typed(frame, figures_of, ("n", "n_dropped")).astype({"chosen": "boolean"})


_BENCHMARK_COLUMNS = [
    *("assessor_a", "assessor_b", "coefficient", "value", "se", "method", "n", "n_dropped", "scale", "band"),
    *("low", "high", "probability", "cumulative", "chosen", "status", "reason"),
]


def _typed(frame: pd.DataFrame, numbers: Sequence[str], counts: Sequence[str]) -> pd.DataFrame:
    return frame.astype(dict.fromkeys(numbers, "Float64") | dict.fromkeys(counts, "Int64") | {"reason": "string"})


_FRAMES: dict[str, Callable[[Figures], pd.DataFrame]] = {
    "icc": _icc_frame,
    "generalisability": _study_frame,
    "marginals": _tests_frame,
    "benchmarks": _benchmarks_frame,
}
