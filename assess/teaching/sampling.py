"""Chooses the documents that a class judges: some that earlier judges disagreed about, and some that are clear.

If several people have judged a document before, it is disputed if their grades differ, and clear if they agree. About
half of the sample is disputed. Of the rest, half is clearly relevant and half clearly not relevant. If there are too
few of one kind, other documents are used instead. Topics and bands of best ranks are balanced. Without earlier
judgements, only topics and bands count. The order of the sample is random and does not show the kind.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.db.models import Count, Q, QuerySet

from assess.collections.scale import lowest_relevant_grade
from assess.lib.seeded_draw import draw
from assess.models import NOT_WITHDRAWN, Collection, Judgement, State, Task

DISPUTED, RELEVANT, NONRELEVANT, UNKNOWN = "disputed", "relevant", "nonrelevant", "unknown"


class Candidate(NamedTuple):
    """A task that may be chosen. `band` groups best ranks: 1, 2-3, 4-7, 8-15, ...; 0 if there is no rank."""

    task: int
    topic: int
    kind: str
    band: int
    draw: int


def choose_tasks(
    collection: Collection, query_ids: Iterable[str], n: int, seed: int, *, binary: bool = False
) -> list[int]:
    """Return the primary keys of `n` tasks of these topics, or of all tasks if there are fewer.

    Without `query_ids`, all topics are used. With `binary`, a document is disputed only if some judges found it
    relevant and others did not.
    """
    available = candidates(collection, query_ids, seed, binary=binary)
    loads: Counter[object] = Counter()
    chosen: list[Candidate] = []
    for kind, wanted in _shares(n):
        chosen += _take([candidate for candidate in available if candidate.kind == kind], wanted, loads)
    taken = set(chosen)
    chosen += _take([candidate for candidate in available if candidate not in taken], n - len(chosen), loads)
    return _shuffled(chosen, seed)


def other_tasks(
    collection: Collection, query_ids: Iterable[str], chosen: Iterable[int], n: int, seed: int
) -> list[int]:
    """Return the primary keys of up to `n` tasks besides the chosen ones."""
    if not n:
        return []
    taken = set(chosen)
    available = [each for each in candidates(collection, query_ids, seed) if each.task not in taken]
    return draw_tasks(available, n, seed)


def draw_tasks(available: Sequence[Candidate], n: int, seed: int) -> list[int]:
    """Return the primary keys of up to `n` candidates, whatever their kind; topics and bands take turns."""
    return _shuffled(_take(available, n, Counter()), seed)


def _shuffled(chosen: Iterable[Candidate], seed: int) -> list[int]:
    """Return the tasks in a new random order. The order of the first draw would reveal the kind."""
    return [each.task for each in sorted(chosen, key=lambda each: draw(seed, "order", str(each.draw)))]


def _shares(n: int) -> list[tuple[str, int]]:
    disputed = (n + 1) // 2
    relevant = (n - disputed + 1) // 2
    return [(DISPUTED, disputed), (RELEVANT, relevant), (NONRELEVANT, n - disputed - relevant)]


def _take(available: Iterable[Candidate], wanted: int, loads: Counter[object]) -> list[Candidate]:
    """Take the lowest draw of the topic with the fewest chosen tasks, and in it of the band with the fewest."""
    heaps: dict[tuple[int, int], list[Candidate]] = defaultdict(list)
    for each in sorted(available, key=lambda each: each.draw, reverse=True):
        heaps[each.topic, each.band].append(each)
    taken: list[Candidate] = []
    while heaps and len(taken) < wanted:
        key = min(heaps, key=lambda key: (loads[key[0]], loads[key], heaps[key][-1].draw))
        taken.append(heaps[key].pop())
        loads.update([key[0], key])
        if not heaps[key]:
            del heaps[key]
    return taken


def candidates(collection: Collection, query_ids: Iterable[str], seed: int, *, binary: bool = False) -> list[Candidate]:
    """Return the tasks of these topics whose documents have a text."""
    tasks = _tasks_with_text(collection, list(query_ids))
    kinds = _kinds(collection, tasks, binary)
    names = ("pk", "topic", "topic__query_id", "document__doc_id", "provenance__best_rank")
    return [
        Candidate(pk, topic, kinds.get(pk, UNKNOWN), (rank or 0).bit_length(), draw(seed, query_id, doc_id))
        for pk, topic, query_id, doc_id, rank in tasks.order_by("pk").values_list(*names)
    ]


def _tasks_with_text(collection: Collection, query_ids: list[str]) -> QuerySet[Task]:
    tasks = Task.objects.filter(topic__collection=collection, document__content__isnull=False)
    return tasks.filter(topic__query_id__in=query_ids) if query_ids else tasks


def _kinds(collection: Collection, tasks: QuerySet[Task], binary: bool) -> dict[int, str]:
    """Return the kind of each task that two or more people have judged."""
    rel = lowest_relevant_grade(collection)
    judgements = Judgement.objects.filter(NOT_WITHDRAWN, task__in=tasks.values("pk"), repeat=0, state=State.JUDGED)
    rows = (
        judgements.order_by()
        .values_list("task")
        .annotate(
            judges=Count("pk"),
            relevant=Count("pk", filter=Q(relevance__gte=rel)),
            grades=Count("relevance", distinct=True),
        )
    )
    return {
        task: _kind(judges, relevant, grades > 1 and not binary)
        for task, judges, relevant, grades in rows
        if judges > 1
    }


def kinds_by_topic(collection: Collection) -> dict[int, Counter[str]]:
    """Return how many documents of each kind each topic has on a binary scale, by the primary key of the topic."""
    tasks = _tasks_with_text(collection, [])
    kinds = _kinds(collection, tasks, binary=True)
    counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for pk, topic in tasks.order_by().values_list("pk", "topic"):
        counts[topic][kinds.get(pk, UNKNOWN)] += 1
    return counts


def _kind(judges: int, relevant: int, grades_differ: bool) -> str:
    if grades_differ or 0 < relevant < judges:
        return DISPUTED
    return RELEVANT if relevant else NONRELEVANT
