"""The sections of an agreement report, in the order in which they are read.

The answer comes first, then the basis of all numbers, and then the judges: two judges have one table with a row for
each coefficient, more judges a table with a row for each pair. The means over topics, all judges at once, and the
relevant sets follow. Nothing is repeated: with two judges the mean over pairs is the pair, and Fleiss' and Conger's
kappa are pooled and Cohen's kappa; with one topic the mean over topics is the topic.

With a reference, the answer names the judge who is closest to it, and who is farthest, of those with enough data in
common with it; if none has enough, it is preliminary.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd

from agreement.coefficients.all_pairs import pairwise
from agreement.coefficients.overall import ACROSS, KAPPAS, mean_pairwise, overall
from agreement.estimate import Estimate
from agreement.intervals.kernel import PARTS
from agreement.judgements import Grade
from agreement.ratings import Ratings
from agreement.relevance.sets import overlap, pairwise_relevance
from agreement.reports.agreement_csv import ListedPairs, agreement_frame, in_order_of
from agreement.reports.agreement_summary import (
    AgreementSummary,
    PairOfJudges,
    agreement_summary,
    all_judges,
    with_interval,
)
from agreement.reports.agreement_tables import Tables, methods_of, pair_warnings, warnings_sentence
from agreement.thresholds import preliminary
from pooling.text_tables import heading
from pooling.words import count

OVER_ALL = "one table over all topics"
MEANS = "Mean of the values of the topics"
NO_LIMITS = (
    "There is no interval: this kind leaves out topics, and needs two topics that both judged; choose another kind."
)


@dataclass(frozen=True)
class Figures:
    """What an agreement report computes.

    Attributes
    ----------
    graded : Ratings
        The judgements with all grades.
    rel : int, float, str or None
        The lowest relevant grade; None compares all grades.
    interval : str or None
    seed : int or None
    weights : str or None
        The weights of weighted kappa; None adds neither weighted kappa nor alpha to the pairs.
    listed : ListedPairs
        The pairs that are listed.
    min_topics, min_documents : int
        What a pair needs to be used in the summary.
    """

    graded: Ratings
    rel: Grade | None
    interval: str | None
    seed: int | None
    weights: str | None
    listed: ListedPairs
    min_topics: int
    min_documents: int

    @cached_property
    def ratings(self) -> Ratings:
        """The judgements as they are compared."""
        return self.graded if self.rel is None else self.graded.binary(self.rel)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Every pair over all topics, with the intervals that are computed for all pairs at once."""
        return pairwise(self.ratings, KAPPAS, interval=self.interval if self.interval in PARTS else None)

    @cached_property
    def summary(self) -> AgreementSummary:
        """The pairs with enough data, of those with the reference if there is one."""
        return agreement_summary(self.listed.of_reference(self.pairs), self.min_topics, self.min_documents)

    def frame(self, per_topic: bool) -> pd.DataFrame:
        """The listed pairs."""
        chosen = self.listed
        return agreement_frame(
            *(self.ratings, per_topic, self.interval, self.seed),
            weights=self.weights,
            reference=chosen.reference,
            sort=chosen.sort,
            top=chosen.top,
        )

    def means(self, across: str) -> list[Estimate]:
        """The means over all pairs; only pooled ones have intervals."""
        means = [mean_pairwise(self.ratings, name, across=across) for name in KAPPAS]
        return means if across == "topics" else [with_interval(mean, self.interval, self.seed) for mean in means]

    @cached_property
    def pooled_means(self) -> list[Estimate]:
        """The means over all pairs, each over one table of all topics."""
        return self.means("pooled")

    @cached_property
    def at_once(self) -> list[Estimate]:
        """The coefficients of all judges at once."""
        return all_judges(self.ratings, self.interval, self.seed)

    def of_two(self, across: str) -> list[Estimate]:
        """The kappas of two judges, without intervals."""
        kappas = [overall(self.ratings, name, across) for name in KAPPAS]
        if self.weights is None or len(self.ratings.scale) == 2:
            return kappas
        return [*kappas, overall(self.ratings, "cohen_kappa", across, weights=self.weights)]

    def sentences(self, pooled: pd.DataFrame) -> list[str]:
        """The answer, and sentences about the pairs that it does not use; `pooled` are the listed pairs."""
        left_out = self.summary.left_out()
        if self.listed.reference is None or len(self.ratings.assessors) == 2:
            return [self.summary.headline(self._limits_of_mean()), *left_out]
        return [reference_headline(self.summary, pd.concat([pooled, self.pairs]), self.listed.reference), *left_out]

    def _limits_of_mean(self) -> tuple[float, float] | None:
        """The limits of the mean of the headline, if it is the mean of all pairs with a value."""
        mean = self.pooled_means[0]
        is_mean_of_all = len(self.summary.defined) == (1 if mean.n_averaged is None else mean.n_averaged)
        return (mean.low, mean.high) if is_mean_of_all and mean.low is not None and mean.high is not None else None

    def relevant_sets(self, listed: pd.DataFrame) -> pd.DataFrame:
        """The relevant sets of the listed pairs."""
        return in_order_of(pairwise_relevance(self.graded, self.rel), listed)


def report_text(figures: Figures, tables: Tables, per_topic: bool) -> str:
    """The report as text."""
    frame = figures.frame(per_topic)
    by_combination = {across: frame[frame["across"] == across] for across in (*ACROSS, "topic")}
    pooled = by_combination["pooled"]
    parts = [tables.text("\n".join(figures.sentences(pooled))), *_basis(figures, tables, pooled)]
    two = len(figures.ratings.assessors) == 2
    parts += _two_judges(figures, tables, pooled) if two else _judges(figures, tables, pooled)
    if len(figures.ratings.by_topic()) != 1:
        parts += _two_over_topics(figures, tables) if two else _over_topics(figures, tables, by_combination["topics"])
    parts += [] if two else _at_once(figures, tables)
    parts += _sets(figures, tables, pooled) if len(figures.ratings.scale) == 2 else []
    for query_id, rows in by_combination["topic"].groupby("query_id", sort=False):
        parts += [heading(f"Topic {query_id}", tables.style), tables.pairs(rows)]
    return "\n\n".join(parts) + "\n"


def _basis(figures: Figures, tables: Tables, pooled: pd.DataFrame) -> Iterator[str]:
    """What all numbers are based on."""
    ratings, rel = figures.graded, figures.rel
    grades = "grades " + ", ".join(map(str, ratings.scale)) if rel is None else f"relevant from grade {rel}"
    size = (count(len(ratings.assessors), "judge"), count(ratings.n_judgements, "judgement"))
    lines = [f"Agreement of {', '.join(size)}, {count(len(ratings.by_topic()), 'topic')}; {grades}."]
    lines.append(f"{figures.summary.thresholds.tag_of_judges().capitalize()}.")
    if methods := methods_of(pooled):
        has_limits = any(pooled[f"{name}_low"].notna().any() for name in KAPPAS)
        lines.append(f"Intervals: 95%, {'; '.join(methods)}." if has_limits else NO_LIMITS)
    if figures.interval not in (None, *PARTS) and len(pooled) < len(figures.listed.of_reference(figures.pairs)):
        lines.append(f"Intervals of single pairs are computed only for the {len(pooled)} pairs that are listed.")
    yield tables.text("\n".join(lines))
    if ratings.idle:
        yield tables.text(f"Without judgements: {', '.join(ratings.idle)}.")


def _two_judges(figures: Figures, tables: Tables, pooled: pd.DataFrame) -> Iterator[str]:
    """A row for each coefficient of two judges."""
    row = pooled.iloc[0]
    yield heading(f"{row['assessor_a']} and {row['assessor_b']}, {OVER_ALL}", tables.style)
    dropped = f"{count(int(row['n_dropped']), 'document')} judged by only one of them"
    yield tables.text(f"{count(int(row['n']), 'document')} judged by both, {dropped}.")
    named = list(_of_two(figures))
    yield tables.coefficients(named)
    yield from _warnings(tables, [estimate for _, estimate in named])


def _of_two(figures: Figures) -> Iterator[tuple[str, Estimate]]:
    """The coefficients of two judges: those of all judges, with the kappas of two in place of those of more."""
    observed, *others = figures.at_once
    kappas = [with_interval(kappa, figures.interval, figures.seed) for kappa in figures.of_two("pooled")]
    for estimate in [observed, *kappas, *others[2:]]:  # without Fleiss' and Conger's kappa
        yield _name(estimate), estimate


def _judges(figures: Figures, tables: Tables, pooled: pd.DataFrame) -> Iterator[str]:
    """A row for each listed pair, and the means over all pairs."""
    reference = figures.listed.reference
    what = "Pairs of judges" if reference is None else f"Judges compared with {reference}"
    yield heading(f"{what}, {OVER_ALL}", tables.style)
    total, shown = (int((rows["n"] > 0).sum()) for rows in (figures.listed.of_reference(figures.pairs), pooled))
    if shown:
        yield tables.text(f"{figures.listed.describe(shown, total)} {tables.legend(pooled)}")
    yield tables.pairs(pooled)
    if reference is None:
        yield tables.text("\n".join(_without_stated(mean, pooled) for mean in figures.pooled_means))


def _two_over_topics(figures: Figures, tables: Tables) -> Iterator[str]:
    """The means over topics of two judges."""
    means = [with_interval(mean, figures.interval, figures.seed) for mean in figures.of_two("topics")]
    basis = means[0]
    observed = "" if basis.observed is None else f", P(A) = {basis.observed:.3f}"
    averaged = f"mean of {count(basis.n_averaged or 0, 'topic')}, {basis.left_out or 'none left out'}"
    yield heading(MEANS, tables.style)
    yield tables.text(f"n = {basis.n}{observed}, {averaged}.{_methods(mean.method for mean in means)}")
    yield tables.coefficients([(_name(mean), mean) for mean in means])
    yield from _warnings(tables, means)


def _over_topics(figures: Figures, tables: Tables, rows: pd.DataFrame) -> Iterator[str]:
    """The mean over topics of each listed pair, and of all pairs."""
    yield heading(MEANS, tables.style)
    if methods := _methods(methods_of(rows)):
        yield tables.text(methods.strip())
    yield tables.pairs(rows)
    if figures.listed.reference is None:
        yield tables.text("\n".join(map(str, figures.means("topics"))))


def _at_once(figures: Figures, tables: Tables) -> Iterator[str]:
    """The coefficients of all judges at once."""
    yield heading("All judges at once, over all topics", tables.style)
    yield tables.coefficients([(_name(estimate), estimate) for estimate in figures.at_once])
    yield from _warnings(tables, figures.at_once)


def _warnings(tables: Tables, estimates: list[Estimate]) -> Iterator[str]:
    texts = (text for estimate in estimates for text in estimate.warnings)
    yield from map(tables.text, warnings_sentence(texts, "coefficients"))


def _sets(figures: Figures, tables: Tables, pooled: pd.DataFrame) -> Iterator[str]:
    """The relevant sets of the listed pairs, and of all judges."""
    rows = figures.relevant_sets(pooled)
    joint = rows[rows["n"] > 0]
    if joint.empty:
        return
    yield heading("Relevant documents, over all topics", tables.style)
    yield tables.relevant_sets(joint)
    if len(figures.graded.assessors) > 2:
        yield tables.text(f"All judges: {overlap(figures.graded, rel=figures.rel)}.")


def _methods(methods: Iterable[str | None]) -> str:
    """The sentence about the intervals of means, with a blank before it; empty without an interval."""
    listed = "; ".join(sorted({method for method in methods if method}))
    return f" Intervals: 95%, {listed}." if listed else ""


def _name(estimate: Estimate) -> str:
    """The name of a coefficient; the convention of one with weights names them."""
    name = estimate.coefficient.replace("_", " ")
    return name.replace("cohen", "weighted") if " weights" in estimate.convention else name


def _without_stated(estimate: Estimate, rows: pd.DataFrame) -> str:
    """An estimate without what a table states: the method of its interval, and warnings about the pairs."""
    stated = pair_warnings(rows)
    warnings = tuple(text for text in estimate.warnings if text not in stated)
    return str(replace(estimate, method=None, warnings=warnings))


def reference_headline(summary: AgreementSummary, pairs: pd.DataFrame, reference: str) -> str:
    """Return one answer to the question how close the judges are to a reference.

    `pairs` are the pairs with the reference, one row for each, and `summary` is theirs.
    """
    defined = [pair for pair in summary.compared if pair.kappa is not None]
    if not defined:
        return f"Cannot be determined: no judge has a kappa with {reference}. {summary.needed()}"
    ordered = sorted(defined, key=lambda pair: -(pair.kappa or 0))
    closest, farthest = (_described(pair, pairs, reference) for pair in (ordered[0], ordered[-1]))
    answer = f"Of {len(ordered)} judges, the closest to {reference} is {closest}, and the farthest is {farthest}."
    if len(ordered) == 1:
        answer = f"The one judge to compare with {reference} is {closest}."
    return (
        preliminary(answer, summary.there_is(), summary.thresholds.tag_of_judges()) if summary.preliminary else answer
    )


def _described(pair: PairOfJudges, pairs: pd.DataFrame, reference: str) -> str:
    """The judge of a pair with the reference, with pooled kappa and its interval."""
    name = pair.b if pair.a == reference else pair.a
    row = in_order_of(pairs, pd.DataFrame({"assessor_a": [pair.a], "assessor_b": [pair.b]})).iloc[0]
    low, high = row.get("pooled_kappa_low"), row.get("pooled_kappa_high")
    interval = "" if pd.isna(low) else f", 95% interval {low:z.2f} to {high:z.2f}"
    return f"{name} (pooled kappa {pair.kappa:z.2f}{interval})"
