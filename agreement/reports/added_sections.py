"""The sections of an agreement report that it has only on request, as text (`ADDED` of `agreement.choices`)."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import pandas as pd

from agreement.coefficients.intraclass import every_icc
from agreement.diagnostics.benchmarks import BANDS, Benchmarks
from agreement.estimate import format_value
from agreement.relevance.marginal_test import MarginalTest
from agreement.reports.added_statistics import (
    MEANINGS,
    Pair,
    benchmarks_of_pairs,
    has_two_grades,
    higher_grades,
    tests_of_pairs,
)
from agreement.reports.agreement_sections import Figures
from agreement.reports.agreement_tables import INTERVAL, LIMITS, Tables, limits_text
from agreement.reports.enough_judges import MOST_JUDGES, basis_sentence, enough_sentence, judged_by_all, study_of
from pooling.text_tables import heading
from pooling.words import count, percent

SCALES = {"landis_koch": "Landis and Koch", "fleiss": "Fleiss", "altman": "Altman"}
TESTS = {"mcnemar": "McNemar p", "stuart_maxwell": "Stuart-Maxwell p", "bhapkar": "Bhapkar p"}
SMALLEST_P = 0.0001
NO_PAIR = "No two of the listed judges have a document in common."
NO_LIMITS = pd.DataFrame(columns=list(LIMITS))


def added_text(figures: Figures, tables: Tables, add: Sequence[str]) -> str:
    """The sections of the statistics that are added, after a blank line; empty without any."""
    parts = [part for name in add for part in _SECTIONS[name](figures, tables)]
    return "".join(f"\n{part}\n" for part in parts)


def _intraclass(figures: Figures, tables: Tables) -> Iterator[str]:
    """The six intraclass correlations."""
    estimates = every_icc(figures.ratings)
    one = next(iter(estimates.values()))
    yield heading("Intraclass correlation of all judges, over all topics", tables.style)
    basis = judged_by_all(count(one.n or 0, "document"), len(one.assessors), one.n_dropped)
    limits = " Intervals: 95%, from the F distribution, which takes documents as independent."
    has_limits = any(each.low is not None for each in estimates.values())
    yield tables.text(f"{basis} The grades count as numbers.{limits if has_limits else ''}")
    rows = [[kind, each.shown(), limits_text(each.low, each.high), MEANINGS[kind]] for kind, each in estimates.items()]
    cells = pd.DataFrame(rows, columns=["coefficient", "value", INTERVAL, "reliability of"])
    drawn = pd.DataFrame([(each.value, each.low, each.high) for each in estimates.values()], columns=list(LIMITS))
    yield tables.fitted(cells if has_limits else cells.drop(columns=INTERVAL), drawn, INTERVAL if has_limits else "")
    warnings = sorted({warning for each in estimates.values() for warning in each.warnings})
    yield from (tables.text(f"Warning: {warning}.") for warning in warnings)


def _enough(figures: Figures, tables: Tables) -> Iterator[str]:
    """The decision study, and the components of the variance that it follows from."""
    study = study_of(figures.ratings)
    yield heading("How many judges would be enough?", tables.style)
    meaning = " Dependability also counts it as an error if one judge gives higher grades than another."
    enough = enough_sentence(study, figures.min_topics, figures.min_documents)
    yield tables.text(f"{enough}{meaning if study.defined else ''} {basis_sentence(study)}")
    if not study.defined:
        return
    decision = study.decision_study(MOST_JUDGES)
    cells = pd.DataFrame({"judges": decision["n_judges"]})
    for name in ("generalisability", "dependability"):
        cells[name] = [format_value(None if pd.isna(value) else value) for value in decision[name]]
    yield tables.fitted(cells, NO_LIMITS, "")
    sources = study.to_frame()
    yield tables.text(_design_sentence(study.design, study.below_zero))
    yield tables.fitted(
        pd.DataFrame(
            {
                "source of variance": sources["source"],
                "df": sources["df"],
                "variance": [format_value(value) for value in sources["component"]],
                "share": [f"{value:.1%}" for value in sources["share"]],
            }
        ),
        NO_LIMITS,
        "",
    )


def _design_sentence(design: str, below_zero: Sequence[str]) -> str:
    facets = (
        "documents in topics and judges" if design == "nested" else "documents and judges, without regard to topics"
    )
    below = f" An estimate below 0 counts as 0: {', '.join(below_zero)}." if below_zero else ""
    return f"The grades count as numbers. Their variance comes from {facets}.{below}"


def _marginals(figures: Figures, tables: Tables) -> Iterator[str]:
    """The tests of the totals of each listed pair."""
    yield heading("Do two judges give the grades equally often?", tables.style)
    rows = [_tested(figures, pair, tests) for pair, tests in tests_of_pairs(figures) if tests[0].n]
    if not rows:
        yield tables.text(NO_PAIR)
        return
    left_out = "" if has_two_grades(figures) else " McNemar's test compares two grades: name the lowest relevant one."
    yield tables.text(
        "A small p says that one judge gives some grades more often, not that the judges disagree much. The columns "
        '"higher" count the documents to which this judge gave the higher grade. Documents count as independent, and p '
        f"is not adjusted for the number of pairs ({len(rows)}).{left_out}"
    )
    yield tables.fitted(pd.DataFrame(rows), NO_LIMITS, "")


def _tested(figures: Figures, pair: Pair, tests: Sequence[MarginalTest]) -> dict[str, object]:
    first, second = higher_grades(figures, *pair)
    row = _named(figures, pair) | {"n": tests[0].n}
    if figures.listed.reference == pair[1]:
        row |= {"judge higher": first, "reference higher": second}
    elif figures.listed.reference == pair[0]:
        row |= {"judge higher": second, "reference higher": first}
    else:
        row |= {"first higher": first, "second higher": second}
    return row | {TESTS[test.test]: test.shown() if test.p is None else p_text(test.p) for test in tests}


def _named(figures: Figures, pair: Pair) -> dict[str, object]:
    """The judges of a pair; only the other one if the report compares with a reference."""
    reference = figures.listed.reference
    if reference is None:
        return {"judges": " and ".join(pair)}
    return {"judge": pair[0] if pair[1] == reference else pair[1]}


def p_text(p: float) -> str:
    """A probability with three digits, or that it is below the smallest one that is shown."""
    return f"{p:.3g}" if p >= SMALLEST_P else f"< {SMALLEST_P}"


def _benchmarks(figures: Figures, tables: Tables) -> Iterator[str]:
    """The band that pooled kappa reaches with 95 %; of two judges, the probability of each band too."""
    yield heading("In which band is pooled kappa?", tables.style)
    known = [
        (pair, of_pair) for pair, of_pair in benchmarks_of_pairs(figures) if next(iter(of_pair.values())).estimate.n
    ]
    if not known:
        yield tables.text(NO_PAIR)
        return
    pooled = [(pair, next(iter(of_pair.values()))) for pair, of_pair in known]
    method = next((one.estimate.method for _, one in pooled if one.estimate.method), None)
    yield tables.text(
        f"With a probability of {percent(pooled[0][1].level)}, the true value is in this band or above. The "
        f"probability comes from the standard error of kappa{f' ({method})' if method else ''}."
    )
    yield tables.fitted(pd.DataFrame([_benchmarked(figures, pair, one) for pair, one in pooled]), NO_LIMITS, "")
    if len(figures.ratings.assessors) == 2 and pooled[0][1].defined:
        yield tables.text("The probability of each band, and of this band or above:")
        yield tables.fitted(_bands(known[0][1].values()), NO_LIMITS, "")


def _benchmarked(figures: Figures, pair: Pair, one: Benchmarks) -> dict[str, object]:
    kappa = one.estimate
    row = _named(figures, pair) | {"n": kappa.n, "pooled": kappa.shown()}
    row["standard error"] = format_value(kappa.se) if one.defined else format_value(None, one.reason)
    return row | {SCALES[scale]: one.chosen.get(scale, "") for scale in BANDS}


def _bands(kappas: Iterable[Benchmarks]) -> pd.DataFrame:
    """The bands of each scale with their probabilities by both kappas."""
    cells = pd.DataFrame()
    for one, name in zip(kappas, ("pooled", "cohen"), strict=True):
        bands = one.to_frame()
        if cells.empty:
            cells = pd.DataFrame({"scale": bands["scale"].map(SCALES), "band": bands["band"]})
            cells["limits"] = [f"{low:g} to {high:g}" for low, high in zip(bands["low"], bands["high"], strict=True)]
        for column, title in (("probability", name), ("cumulative", f"{name} or above")):
            cells[title] = [format_value(value) for value in bands[column]] if one.defined else one.reason
    return cells


_SECTIONS: dict[str, Callable[[Figures, Tables], Iterator[str]]] = {
    "icc": _intraclass,
    "generalisability": _enough,
    "marginals": _marginals,
    "benchmarks": _benchmarks,
}
