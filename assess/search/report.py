"""What searching added beyond the runs, and how it changes the ranking of the systems.

A document is *found only by searching* if a searcher opened it, it was judged, and no run brought it into the pool.
Such a document is *unique* to a searcher if no other searcher opened it for the topic: the unique contribution of a
person, like that of a system. Relevant is what the gold says.

This module loads pandas. Import it only inside the functions that need it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
from django.db.models import Count, Exists, OuterRef

from assess.analysis.data import collection_gold, judgements_state
from assess.analysis.shift.golds import check_measure
from assess.collections import runfiles
from assess.collections.scale import lowest_relevant_grade
from assess.jobs import results
from assess.jobs.pending import Started, known_or_pending
from assess.models import Collection, Judgement, OpenedResult, Provenance, Search, SearchedTask, State, User

if TYPE_CHECKING:
    from agreement import GoldPair, RankingShift

LINES_AT_ONCE = 200_000  # lines of runs; more are ranked by a job
WITH, WITHOUT = "with", "without"

Pair = tuple[str, str]  # query_id, doc_id


@dataclass(frozen=True)
class SearcherRow:
    """One searcher. `relevant` counts what they opened; `only` what no run, `unique` what nobody else found."""

    name: str
    searches: int
    opened: int
    judged: int
    relevant: int
    only: int
    unique: int


@dataclass(frozen=True)
class TopicRow:
    """One topic: its relevant documents in the gold, and those of them that were found only by searching."""

    query_id: str
    searches: int
    relevant: int
    only: int

    @property
    def share(self) -> float | None:
        return self.only / self.relevant if self.relevant else None


@dataclass(frozen=True)
class SystemRow:
    system: str
    rank_with: str
    score_with: float
    rank_without: str
    score_without: float


@dataclass(frozen=True)
class SearchReport:
    """The report. `pair` compares the rankings with and without what was found only by searching.

    It is None, for a `reason`, if there is nothing to compare.
    """

    rule: str
    measure: str
    rel: int
    found: int
    searchers: list[SearcherRow]
    topics: list[TopicRow]
    systems: list[SystemRow]
    pair: "GoldPair | None"
    reason: str

    @property
    def relevant(self) -> int:
        return sum(row.relevant for row in self.topics)

    @property
    def only(self) -> int:
        return sum(row.only for row in self.topics)


def report_or_pending(collection: Collection, user: User, measure: str, rule: str) -> SearchReport:
    """Return the report, or raise Pending while a job ranks the systems."""
    check_measure(collection, measure)
    key = report_key(collection, measure, rule)
    if sum(collection.runs.values_list("line_count", flat=True)) <= LINES_AT_ONCE:
        return kept_report(collection, key, measure, rule)
    report: SearchReport = known_or_pending("search_report", collection, user, key, {"measure": measure, "rule": rule})
    return report


def compute_report(collection: Collection, key: str, measure: str, rule: str) -> Started:
    """Compute the report for the cache of results: the function of the job `search_report`."""
    kept_report(collection, key, measure, rule)
    return Started(key)


def kept_report(collection: Collection, key: str, measure: str, rule: str) -> SearchReport:
    if (report := results.get(key)) is None:
        report = search_report(collection, measure, rule)
        results.keep(key, report)
    return report  # type: ignore[no-any-return]


def report_key(collection: Collection, measure: str, rule: str) -> str:
    """Return the key of the report in the cache of results. It changes with everything that the report reads."""
    opened = OpenedResult.objects.filter(search__member__collection=collection)
    searches = Search.objects.filter(member__collection=collection).count()
    buildings = list(collection.pool_buildings.order_by("pk").values_list("pk", flat=True))
    state = judgements_state(collection, collection.runs.all())
    return results.key_of("search_report", state, searches, opened.count(), buildings, measure, rule)


def search_report(collection: Collection, measure: str, rule: str = "union") -> SearchReport:
    """Compute the report under the gold of a rule. Refused if there is no gold, or if the measure is unknown."""
    check_measure(collection, measure)
    gold, rel = collection_gold(collection, rule), lowest_relevant_grade(collection)
    rows = zip(gold["query_id"], gold["doc_id"], gold["relevance"], strict=True)
    relevant = {(query_id, doc_id) for query_id, doc_id, relevance in rows if relevance >= rel}
    found = found_only_by_searching(collection)
    systems, pair, reason = _ranking(collection, gold, found, measure)
    return SearchReport(
        rule=rule,
        measure=measure,
        rel=rel,
        found=len(found),
        searchers=_searchers(collection, relevant, found),
        topics=_topics(collection, relevant, found),
        systems=systems,
        pair=pair,
        reason=reason,
    )


def found_only_by_searching(collection: Collection) -> set[Pair]:
    """Return the judged documents that entered the pool by a search, and that no run has brought into it."""
    judged = Judgement.objects.filter(task=OuterRef("task"), repeat=0, state=State.JUDGED)
    tasks = SearchedTask.objects.filter(Exists(judged), task__topic__collection=collection, entered_at__isnull=False)
    rows = Provenance.objects.filter(task__in=tasks.values("task")).values_list(
        "task__topic__query_id", "task__document__doc_id", "systems"
    )
    return {(query_id, doc_id) for query_id, doc_id, systems in rows if not systems}


def _searchers(collection: Collection, relevant: set[Pair], found: set[Pair]) -> list[SearcherRow]:
    from assess.search.recorded import opened_pairs

    made = Search.objects.filter(member__collection=collection).order_by()
    searches = dict(made.values("member__name").annotate(n=Count("pk")).values_list("member__name", "n"))
    opened = opened_pairs(collection)
    finders: dict[Pair, set[str]] = {}
    for name, pairs in opened.items():
        for pair in pairs:
            finders.setdefault(pair, set()).add(name)
    rows = []
    for name, number in sorted(searches.items()):
        pairs = opened.get(name, {})
        good = {pair for pair in pairs if pair in relevant}
        only = good & found
        unique = sum(finders[pair] == {name} for pair in only)
        rows.append(SearcherRow(name, number, len(pairs), sum(pairs.values()), len(good), len(only), unique))
    return rows


def _topics(collection: Collection, relevant: set[Pair], found: set[Pair]) -> list[TopicRow]:
    topics = collection.topics.order_by("pk").annotate(n=Count("searches"))
    counts = pd.Series([query_id for query_id, _ in relevant], dtype="str").value_counts()
    only = pd.Series([query_id for query_id, _ in relevant & found], dtype="str").value_counts()
    return [
        TopicRow(query_id, number, int(counts.get(query_id, 0)), int(only.get(query_id, 0)))
        for query_id, number in topics.values_list("query_id", "n")
    ]


def _ranking(
    collection: Collection, gold: pd.DataFrame, found: set[Pair], measure: str
) -> "tuple[list[SystemRow], GoldPair | None, str]":
    """Rank the systems with and without what was found only by searching."""
    import agreement

    runs = list(collection.runs.all())
    pairs = zip(gold["query_id"], gold["doc_id"], strict=True)
    is_found = pd.Series([pair in found for pair in pairs], index=gold.index, dtype=bool)
    if not runs:
        return [], None, "There are no runs, so there is no ranking."
    if not is_found.any():
        return [], None, "Nothing was found only by searching, so the ranking is the same."
    if is_found.all():
        return [], None, "Everything that is judged was found only by searching, so there is no ranking without it."
    golds = {WITH: gold, WITHOUT: gold[~is_found]}
    shift = agreement.ranking_shift(map(runfiles.load, runs), golds, measure, reference=WITH)
    return _systems(shift), shift.pair(WITH, WITHOUT), ""


def _systems(shift: "RankingShift") -> list[SystemRow]:
    """Return the systems in the order of their ranks with what was found by searching."""
    under: Mapping[str, Any] = {name: shift.ranks_under(name).set_index("system") for name in (WITH, WITHOUT)}
    rows = []
    for system in under[WITH].index:
        with_, without = under[WITH].loc[system], under[WITHOUT].loc[system]
        rows.append(SystemRow(system, f"{with_['rank']:g}", with_["score"], f"{without['rank']:g}", without["score"]))
    return rows
