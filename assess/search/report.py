"""What searching added beyond the runs, and how it changes the ranking of the systems.

A document is *found only by searching* if a searcher opened it, it was judged, and no run brought it into the pool.
Such a document is *unique* to a searcher if no other searcher opened it for the topic: the unique contribution of a
person, like that of a system. Relevant is what the gold says.

This module loads pandas. Import it only inside the functions that need it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
from django.db.models import Count

from assess.analysis.data import collection_gold, judgements_state
from assess.analysis.measures import check_measure, scale_for
from assess.analysis.reference import default_gold
from assess.collections import runfiles
from assess.collections.scale import lowest_relevant_grade
from assess.collections.topic_sets import topics_in_set
from assess.jobs import results
from assess.jobs.pending import Started, known_or_pending
from assess.models import Collection, OpenedResult, Search, User
from assess.search.found_documents import FoundDocument, Pair, found_documents

if TYPE_CHECKING:
    from agreement import GoldPair, RankingShift

LINES_AT_ONCE = 200_000  # lines of runs; more are ranked by a job
WITH, WITHOUT = "with", "without"


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
    """The report. `topic_set` is the set of topics to which it is limited, if any.

    `pair` compares the rankings with and without what was found only by searching. It is None, for a `reason`, if there
    is nothing to compare.
    """

    rule: str
    measure: str
    rel: int
    topic_set: str
    documents: list[FoundDocument]
    searchers: list[SearcherRow]
    topics: list[TopicRow]
    systems: list[SystemRow]
    pair: "GoldPair | None"
    reason: str

    @property
    def added(self) -> int:
        """The number of judged documents that were found only by searching."""
        return sum(document.is_only for document in self.documents)

    @property
    def relevant(self) -> int:
        return sum(row.relevant for row in self.topics)

    @property
    def only(self) -> int:
        return sum(row.only for row in self.topics)


def report_or_pending(collection: Collection, user: User, measure: str, rule: str, topic_set: str = "") -> SearchReport:
    """Return the report, or raise Pending while a job ranks the systems."""
    check_measure(collection, measure)
    key = report_key(collection, measure, rule, topic_set)
    if sum(collection.runs.values_list("line_count", flat=True)) <= LINES_AT_ONCE:
        return kept_report(collection, key, measure, rule, topic_set)
    arguments = {"measure": measure, "rule": rule, "topic_set": topic_set}
    report: SearchReport = known_or_pending("search_report", collection, user, key, arguments)
    return report


def compute_report(collection: Collection, key: str, measure: str, rule: str, topic_set: str = "") -> Started:
    """Compute the report for the cache of results: the function of the job `search_report`."""
    kept_report(collection, key, measure, rule, topic_set)
    return Started(key)


def kept_report(collection: Collection, key: str, measure: str, rule: str, topic_set: str = "") -> SearchReport:
    if (report := results.get(key)) is None:
        report = search_report(collection, measure, rule, topic_set)
        results.keep(key, report)
    return report  # type: ignore[no-any-return]


def report_key(collection: Collection, measure: str, rule: str, topic_set: str = "") -> str:
    """Return the key of the report in the cache of results. It changes with everything that the report reads."""
    opened = OpenedResult.objects.filter(search__member__collection=collection).count()
    searches = Search.objects.filter(member__collection=collection).count()
    buildings = list(collection.pool_buildings.order_by("pk").values_list("pk", flat=True))
    state = judgements_state(collection, collection.runs.all())
    topics = topics_in_set(collection, topic_set)
    return results.key_of("search_report", state, searches, opened, buildings, measure, rule, topic_set, topics)


def search_report(collection: Collection, measure: str, rule: str = "", topic_set: str = "") -> SearchReport:
    """Compute the report under the gold of a rule, by default the default reference.

    Refused if there is no gold, or if the measure is unknown.
    """
    rule = rule or default_gold(collection)
    check_measure(collection, measure)
    query_ids = topics_in_set(collection, topic_set) or tuple(collection.topics.values_list("query_id", flat=True))
    gold, rel = collection_gold(collection, rule), lowest_relevant_grade(collection)
    gold = gold[gold["query_id"].isin(query_ids)]
    rows = zip(gold["query_id"], gold["doc_id"], gold["relevance"], strict=True)
    relevant = {(query_id, doc_id) for query_id, doc_id, relevance in rows if relevance >= rel}
    documents = found_documents(collection, query_ids, relevant)
    systems, pair, reason = _ranking(collection, gold, {each.pair for each in documents if each.is_only}, measure)
    return SearchReport(
        rule=rule,
        measure=measure,
        rel=rel,
        topic_set=topic_set,
        documents=documents,
        searchers=_searchers(collection, query_ids, documents),
        topics=_topics(collection, query_ids, relevant, documents),
        systems=systems,
        pair=pair,
        reason=reason,
    )


def _searchers(
    collection: Collection, query_ids: Sequence[str], documents: Sequence[FoundDocument]
) -> list[SearcherRow]:
    searches = Search.objects.filter(member__collection=collection, topic__query_id__in=query_ids).order_by()
    numbers = dict(searches.values("member__name").annotate(n=Count("pk")).values_list("member__name", "n"))
    rows = []
    for name, number in sorted(numbers.items()):
        opened = [document for document in documents if name in document.searchers]
        rows.append(
            SearcherRow(
                name=name,
                searches=number,
                opened=len(opened),
                judged=sum(name in document.judges for document in opened),
                relevant=sum(document.is_relevant for document in opened),
                only=sum(document.is_relevant and document.is_only for document in opened),
                unique=sum(document.is_unique for document in opened),
            )
        )
    return rows


def _topics(
    collection: Collection, query_ids: Sequence[str], relevant: set[Pair], documents: Sequence[FoundDocument]
) -> list[TopicRow]:
    topics = collection.topics.filter(query_id__in=query_ids).order_by("pk").annotate(n=Count("searches"))
    counts = Counter(query_id for query_id, _ in relevant)
    only = Counter(each.query_id for each in documents if each.is_relevant and each.is_only)
    rows = topics.values_list("query_id", "n")
    return [TopicRow(query_id, number, counts[query_id], only[query_id]) for query_id, number in rows]


def _ranking(
    collection: Collection, gold: pd.DataFrame, added: set[Pair], measure: str
) -> "tuple[list[SystemRow], GoldPair | None, str]":
    """Rank the systems with and without what was found only by searching."""
    import agreement

    runs = list(collection.runs.all())
    pairs = zip(gold["query_id"], gold["doc_id"], strict=True)
    is_added = pd.Series([pair in added for pair in pairs], index=gold.index, dtype=bool)
    if not runs:
        return [], None, "There are no runs, so there is no ranking."
    if not is_added.any():
        return [], None, "Nothing was found only by searching, so the ranking is the same."
    if is_added.all():
        return [], None, "Everything that is judged was found only by searching, so there is no ranking without it."
    golds = {WITH: gold, WITHOUT: gold[~is_added]}
    scale = scale_for(collection, measure)
    shift = agreement.ranking_shift(map(runfiles.load, runs), golds, measure, reference=WITH, scale=scale)
    return _systems(shift), shift.pair(WITH, WITHOUT), ""


def _systems(shift: "RankingShift") -> list[SystemRow]:
    """Return the systems in the order of their ranks with what was found by searching."""
    under: Mapping[str, Any] = {name: shift.ranks_under(name).set_index("system") for name in (WITH, WITHOUT)}
    rows = []
    for system in under[WITH].index:
        with_, without = under[WITH].loc[system], under[WITHOUT].loc[system]
        rows.append(SystemRow(system, f"{with_['rank']:g}", with_["score"], f"{without['rank']:g}", without["score"]))
    return rows
