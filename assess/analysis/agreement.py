"""The agreement of a collection's judges: every pair, each judge against a reference, all together, and every topic."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import pandas as pd
from django.db.models import Count, Max

import agreement
from agreement.coefficients.overall import mean_of
from agreement.diagnostics.decision_study import Generalisability
from agreement.estimate import undefined
from agreement.reports.added_statistics import icc_frame
from agreement.reports.agreement_report import agreement_frame
from agreement.reports.agreement_summary import AgreementSummary, agreement_summary
from agreement.reports.enough_judges import enough_sentence, study_of
from agreement.thresholds import Thresholds, preliminary
from assess.analysis.data import collection_ratings, judgements_state
from assess.analysis.estimates import estimate_from_row
from assess.analysis.imported_judges import scale_notes
from assess.analysis.judges.all_judges import all_judges_frame
from assess.analysis.judges.pair_statistics import PairBenchmarks, tests_of
from assess.analysis.judges.reference import Reference, choose_reference, reference_frame
from assess.analysis.judges.similarity import Matrix, kappa_matrix
from assess.analysis.selection import EVERYTHING, Selection, judge_kinds
from assess.analysis.thresholds import site_thresholds
from assess.errors import Refused
from assess.jobs import results
from assess.models import Collection, JudgementImport, State
from pooling.words import count

COEFFICIENTS = ("percent_agreement", "pooled_kappa", "cohen_kappa")
INTERVAL = "jackknife_topics"  # the topics are a sample of all possible topics
MEANS = COEFFICIENTS[1:]  # both kappas have a value in the same topics
EXCLUDED_STATES = (State.CANNOT_JUDGE, State.LATER)
MOST_JUDGES_IN_PAIRS = 6  # with more, the page shows a matrix instead of every pair
MOST_JUDGES_IN_MATRIX = 100

TasksByState = dict[str, set[int]]


@dataclass(frozen=True)
class ExcludedJudgements:
    """How many documents were opened but have no grade: they could not be judged, or were postponed."""

    cannot_judge: int
    later: int


@dataclass(frozen=True)
class AgreementFigures:
    """The content of the agreement page.

    `pairs` has a row for each pair with a document in common, and `pairs_apart` counts the others. `means` has the
    means over topics of the same pairs, with what enters them. `matrix` is None if there are at most six judges or more
    than 100, `reference` if fewer than three have judged. `notes` are sentences about judges with fewer grades than the
    scale. `n_topics` counts the topics with a judgement. `intraclass` has a row for each kind of intraclass
    correlation, and `study` says how many judges would be enough. `thresholds` are what answers need.
    """

    selection: Selection
    judges: tuple[str, ...]
    n_judgements: int
    n_topics: int
    excluded: ExcludedJudgements
    pairs: pd.DataFrame
    pairs_apart: int
    means: pd.DataFrame
    together: pd.DataFrame
    matrix: Matrix | None
    reference: Reference | None
    against: pd.DataFrame | None
    notes: list[str]
    intraclass: pd.DataFrame
    study: Generalisability
    thresholds: Thresholds = field(default_factory=site_thresholds)

    @cached_property
    def summary(self) -> AgreementSummary:
        return agreement_summary(self.pairs, self.thresholds.min_topics, self.thresholds.min_documents)

    @property
    def enough_judges(self) -> str:
        """Say how many judges would be enough, if there is enough data."""
        return enough_sentence(self.study, self.thresholds.min_topics, self.thresholds.min_documents)

    @property
    def has_few_judges(self) -> bool:
        """Whether the page shows every pair."""
        return len(self.judges) <= MOST_JUDGES_IN_PAIRS


def agreement_figures(
    collection: Collection, selection: Selection = EVERYTHING, reference: str | None = None
) -> AgreementFigures:
    """Compare the judges that a selection includes. `reference` names a judge or a gold; None lets it be chosen."""
    graded = collection_ratings(collection, selection=selection)
    kinds = judge_kinds(collection)
    compared = of_kind(graded, kinds, selection.kind)
    ratings = compared if selection.rel is None else compared.binary(selection.rel)
    opened = _opened_tasks(collection, selection)
    pairs, apart = _pairs_frame(ratings, selection, opened)
    means = agreement.pairwise(ratings, MEANS, "topics")
    has_matrix = MOST_JUDGES_IN_PAIRS < len(ratings.assessors) <= MOST_JUDGES_IN_MATRIX
    chosen = choose_reference(collection, graded, kinds, reference) if len(graded.assessors) > 2 else None
    return AgreementFigures(
        selection=selection,
        judges=ratings.assessors,
        n_judgements=ratings.n_judgements,
        n_topics=len(ratings.by_topic()),
        excluded=_total_excluded({name: opened[name] for name in ratings.assessors}),
        pairs=pairs,
        pairs_apart=apart,
        means=means[means["n"] > 0].reset_index(drop=True),
        together=all_judges_frame(ratings),
        matrix=kappa_matrix(pairs, ratings.assessors) if has_matrix else None,
        reference=chosen,
        against=reference_frame(collection, graded, compared.assessors, chosen, kinds, selection) if chosen else None,
        notes=scale_notes(collection, selection.rel, _used_grades(compared)),
        intraclass=icc_frame(ratings),
        study=study_of(ratings),
    )


def agreement_key(collection: Collection, selection: Selection, page: str, reference: str | None = None) -> str:
    """Return the key of the figures of a page in the cache of results. It changes with every judgement and import."""
    files = JudgementImport.objects.filter(member__collection=collection).aggregate(Max("pk"), Count("file"))
    references = reference, collection.reference
    return results.key_of(page, judgements_state(collection, ()), files, selection, references)


def of_kind(ratings: agreement.Ratings, kinds: Mapping[str, str], kind: str) -> agreement.Ratings:
    """Return the ratings of the judges of one kind; of all if `kind` is empty."""
    if not kind:
        return ratings
    rows = [number for number, name in enumerate(ratings.assessors) if kinds[name] == kind]
    names = [ratings.assessors[number] for number in rows]
    items = (ratings.codes[rows] >= 0).any(axis=0)
    ids = ratings.query_ids[items], ratings.doc_ids[items]
    return agreement.Ratings(ratings.codes[rows][:, items], ratings.scale, names, *ids)


def _used_grades(ratings: agreement.Ratings) -> dict[str, tuple[int, ...]]:
    """Return the grades that each judge gave."""
    codes = enumerate(ratings.scale)
    given = {grade: (ratings.codes == code).any(axis=1) for code, grade in codes}
    return {
        name: tuple(int(grade) for grade, by in given.items() if by[row]) for row, name in enumerate(ratings.assessors)
    }


def excluded_judgements(collection: Collection, selection: Selection = EVERYTHING) -> ExcludedJudgements:
    """Count over all judges how often a document could not be judged, and how often one was postponed."""
    return _total_excluded(_opened_tasks(collection, selection))


def _total_excluded(opened: Mapping[str, TasksByState]) -> ExcludedJudgements:
    counts = (sum(len(tasks[state]) for tasks in opened.values()) for state in EXCLUDED_STATES)
    return ExcludedJudgements(*counts)


def _pairs_frame(
    ratings: agreement.Ratings, selection: Selection, opened: Mapping[str, TasksByState]
) -> tuple[pd.DataFrame, int]:
    """Return the figures of the pairs with a document in common, and the number of the other pairs."""
    frame = agreement.pairwise(ratings, COEFFICIENTS, interval=INTERVAL)
    weighted = agreement.pairwise(ratings, "cohen_kappa", weights=selection.weights, interval=INTERVAL)
    for suffix in ("", "_low", "_high", "_reason"):
        frame[f"weighted_kappa{suffix}"] = weighted[f"cohen_kappa{suffix}"]
    frame["cannot_judge"], frame["later"] = _excluded_by_pairs(ratings.assessors, opened)
    shared = frame[frame["n"] > 0].reset_index(drop=True)
    return shared, len(frame) - len(shared)


def _excluded_by_pairs(judges: Sequence[str], opened: Mapping[str, TasksByState]) -> tuple[list[int], list[int]]:
    excluded = [excluded_by_pair(opened[a], opened[b]) for a, b in combinations(judges, 2)]
    return [row.cannot_judge for row in excluded], [row.later for row in excluded]


def _opened_tasks(collection: Collection, selection: Selection) -> Mapping[str, TasksByState]:
    """Return the tasks by judge and state, only of tasks that at least one judge could not judge or postponed."""
    judgements = selection.judgements(collection)
    excluded = judgements.filter(state__in=EXCLUDED_STATES).values("task")
    opened: defaultdict[str, TasksByState] = defaultdict(
        lambda: {state: set() for state in (State.JUDGED, *EXCLUDED_STATES)}
    )
    rows = judgements.filter(task__in=excluded).exclude(state=State.UNDONE)
    for name, state, task in rows.values_list("member__name", "state", "task"):
        opened[name][state].add(task)
    return opened


def excluded_by_pair(a: TasksByState, b: TasksByState) -> ExcludedJudgements:
    """Count the documents that both judges opened and that at least one of them could not judge or postponed."""
    both = set().union(*a.values()) & set().union(*b.values())
    cannot_judge, later = (both & (a[state] | b[state]) for state in EXCLUDED_STATES)
    return ExcludedJudgements(len(cannot_judge), len(later - cannot_judge))


def topics_in_order(collection: Collection, ratings: agreement.Ratings) -> list[tuple[str, str, agreement.Ratings]]:
    """Return query_id, title and ratings of each topic, in the order in which the topics were imported."""
    parts = ratings.by_topic()
    topics = collection.topics.order_by("pk").values_list("query_id", "title")
    return [(query_id, title, parts[query_id]) for query_id, title in topics if query_id in parts]


def topics_frame(collection: Collection, selection: Selection, _reference: str | None = None) -> pd.DataFrame:
    """Return the means over the pairs of judges in each topic.

    Columns: query_id, title, n_pairs (with a defined kappa), left_out (how many pairs have none, and why), n (a
    document counts once for each pair), and for each coefficient its value and its reason.
    """
    graded = of_kind(collection_ratings(collection, selection=selection), judge_kinds(collection), selection.kind)
    ratings = graded if selection.rel is None else graded.binary(selection.rel)
    rows = [_topic_row(query_id, title, part) for query_id, title, part in topics_in_order(collection, ratings)]
    values = [column for name in COEFFICIENTS for column in (name, f"{name}_reason")]
    frame = pd.DataFrame(rows, columns=["query_id", "title", "n_pairs", "left_out", "n", *values])
    return frame.astype(dict.fromkeys(COEFFICIENTS, "Float64"))


def _topic_row(query_id: str, title: str, ratings: agreement.Ratings) -> list[Any]:
    means = _topic_means(ratings)
    pooled = means[1]
    values = [value for mean in means for value in (mean.value, mean.reason)]
    return [query_id, title, pooled.n_averaged or 0, pooled.left_out, pooled.n or 0, *values]


def _topic_means(ratings: agreement.Ratings) -> list[agreement.Estimate]:
    """Return the means over pairs of P(A) and both kappas. P(A) is that of the pairs with a kappa, if there is one."""
    table = agreement.pairwise(ratings, COEFFICIENTS).to_dict("records")
    rows = {f"{row['assessor_a']} and {row['assessor_b']}": row for row in table}
    if not rows:
        return [undefined(name, "one_assessor") for name in COEFFICIENTS]
    means = [
        mean_of(name, {pair: estimate_from_row(row, name) for pair, row in rows.items()}, "pair")
        for name in COEFFICIENTS
    ]
    observed = means[1].observed
    return [replace(means[0], value=observed, reason=None if observed is not None else means[0].reason), *means[1:]]


@dataclass(frozen=True)
class PairRow:
    """The figures of two judges, over all topics in one table and as means over topics.

    `excluded` counts documents that both judges opened, and that at least one of them could not judge or postponed. No
    figure includes them. `cannot_judge` counts those of each judge, whether the other opened them or not.
    """

    a: str
    b: str
    excluded: ExcludedJudgements
    cannot_judge: tuple[int, int]
    raw: agreement.Estimate
    pooled: agreement.Estimate
    cohen: agreement.Estimate
    weighted: agreement.Estimate
    pooled_topics: agreement.Estimate
    cohen_topics: agreement.Estimate


@dataclass(frozen=True)
class PairFigures:
    """The contingency table of two judges with all steps of the calculation, and the figures of each topic."""

    selection: Selection
    row: PairRow
    worked: agreement.Worked
    topics: pd.DataFrame
    summary: AgreementSummary

    @property
    def sentence(self) -> str:
        """One sentence on how often the two judges agree, and how often they would agree by chance."""
        a, b, n = self.row.a, self.row.b, self.worked.n
        if not n:
            return f"{a} and {b} have not judged any document in common"
        chance = self.worked.pooled.expected
        return (
            f"{a} and {b} agree on {self.row.raw.observed:.1%} of {count(n, 'document')}; "
            f"chance alone would give {chance:.1%}"
        )

    @property
    def totals_test(self) -> agreement.MarginalTest:
        """Whether both judges give the grades equally often: McNemar for two grades, Stuart-Maxwell for more."""
        return next(iter(self.totals_tests.values()))

    @cached_property
    def totals_tests(self) -> Mapping[str, agreement.MarginalTest]:
        """Every test whether both judges give the grades equally often, by name."""
        return tests_of([list(counts) for _, counts, _ in self.worked.rows])

    @cached_property
    def benchmarks(self) -> PairBenchmarks:
        """The probability of each band of both kappas."""
        return PairBenchmarks.of(self.row.pooled, self.row.cohen)

    @property
    def early(self) -> bool:
        """Whether the two judges have too little data in common, so that their figures are preliminary."""
        return self.summary.is_early(self.row.a, self.row.b)

    @property
    def preliminary(self) -> str:
        """Say what the two judges have in common and what is needed, if it is too little; empty otherwise."""
        if not self.summary.preliminary or not self.summary.early:
            return ""
        return preliminary("", self.summary.there_is(), self.summary.thresholds.tag_of_judges()).strip()


def pair_figures(
    collection: Collection, a: str, b: str, selection: Selection = EVERYTHING, thresholds: Thresholds | None = None
) -> PairFigures:
    """Return the contingency table of two judges with all steps of the calculation."""
    needed = thresholds or site_thresholds()
    ratings = collection_ratings(collection, selection.rel, (a, b), selection)
    if missing := [name for name in (a, b) if name not in ratings.assessors]:
        filtered = selection != Selection(rel=selection.rel, weights=selection.weights)
        raise Refused(f"{missing[0]} has no judgements {'in this selection' if filtered else 'yet'}.")
    return PairFigures(
        selection=selection,
        row=_pair_row(ratings, a, b, _opened_tasks(collection, selection), selection.weights),
        worked=agreement.worked(ratings.table(a, b), labels=grade_labels(collection, selection.rel), judges=(a, b)),
        topics=_pair_topics(collection, ratings, a, b),
        summary=agreement_summary(agreement.pairwise(ratings), needed.min_topics, needed.min_documents),
    )


def pair_differences(
    collection: Collection, pair: tuple[str, str], other: tuple[str, str], selection: Selection = EVERYTHING
) -> list[agreement.Estimate]:
    """Return both kappas of a pair of judges minus those of another pair, on the documents that all judged."""
    names = tuple(dict.fromkeys((*pair, *other)))
    ratings = collection_ratings(collection, selection.rel, names, selection)
    if missing := [name for name in names if name not in ratings.assessors]:
        raise Refused(f"{missing[0]} has no judgements in this selection.")
    return [agreement.kappa_difference(ratings, pair, other, name) for name in COEFFICIENTS[1:]]


def _pair_row(ratings: agreement.Ratings, a: str, b: str, opened: Mapping[str, TasksByState], weights: str) -> PairRow:
    def estimate(across: str, name: str, **options: Any) -> agreement.Estimate:
        return agreement.overall(ratings, name, across, a, b, **options).interval(INTERVAL)

    raw, pooled, cohen = (estimate("pooled", name) for name in COEFFICIENTS)
    pooled_topics, cohen_topics = (estimate("topics", name) for name in COEFFICIENTS[1:])
    return PairRow(
        a,
        b,
        excluded=excluded_by_pair(opened[a], opened[b]),
        cannot_judge=(len(opened[a][State.CANNOT_JUDGE]), len(opened[b][State.CANNOT_JUDGE])),
        raw=raw,
        pooled=pooled,
        cohen=cohen,
        weighted=estimate("pooled", "cohen_kappa", weights=weights),
        pooled_topics=pooled_topics,
        cohen_topics=cohen_topics,
    )


def _pair_topics(collection: Collection, ratings: agreement.Ratings, a: str, b: str) -> pd.DataFrame:
    """Return query_id, title, n, and each coefficient with its reason and band, of the topics that both judged."""
    rows = []
    for query_id, title, part in topics_in_order(collection, ratings):
        if not {a, b} & set(part.idle):
            estimates = [agreement.overall(part, name, "pooled", a, b) for name in COEFFICIENTS]
            values = [value for estimate in estimates for value in (estimate.value, estimate.reason, estimate.band)]
            rows.append([query_id, title, estimates[0].n, *values])
    values = [column for name in COEFFICIENTS for column in (name, f"{name}_reason", f"{name}_band")]
    frame = pd.DataFrame(rows, columns=["query_id", "title", "n", *values])
    return frame.astype(dict.fromkeys(COEFFICIENTS, "Float64"))


def grade_labels(collection: Collection, rel: int | None) -> list[str]:
    """Return the row labels of a contingency table."""
    if rel is not None:
        return ["nonrelevant", "relevant"]
    return [str(grade) for grade in collection.grades.all()]


def pairwise_frame(collection: Collection, selection: Selection = EVERYTHING) -> pd.DataFrame:
    """Return every pair over all topics (pooled and as means) and in every topic, unrounded."""
    ratings = of_kind(collection_ratings(collection, selection=selection), judge_kinds(collection), selection.kind)
    return agreement_frame(ratings if selection.rel is None else ratings.binary(selection.rel), per_topic=True)
