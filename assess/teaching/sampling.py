"""Which documents a class judges: a slice that everybody has, with disputed documents and plain ones.

Where several people judged a document before, it is disputed if they differ, and plain if they agree. About half of a
slice is disputed; of the rest, half is plainly relevant and half plainly not. Where there is too little of one kind,
others fill its place. Topics and bands of best ranks take turns. Without earlier judgements that is all there is to go
by. The order of what is chosen is drawn, and tells nothing of the kind.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Count, Q

from assess.collections.scale import lowest_relevant_grade
from assess.lib.seeded_draw import draw
from assess.models import Collection, Judgement, State, Task

DISPUTED, RELEVANT, NONRELEVANT, UNKNOWN = "disputed", "relevant", "nonrelevant", "unknown"


class Candidate(NamedTuple):
    """A task that may be chosen. `band` groups best ranks: 1, 2-3, 4-7, 8-15, ...; 0 where there is none."""

    task: int
    topic: int
    kind: str
    band: int
    drawn: int


def choose(collection: Collection, query_ids: Iterable[str], n: int, seed: int, *, binary: bool = False) -> list[int]:
    """The keys of `n` tasks of these topics (all topics where none is named), or of all where there are fewer.

    With `binary`, people differ only where some say relevant and others do not.
    """
    left = candidates(collection, query_ids, seed, binary=binary)
    loads: Counter = Counter()
    chosen = []
    for kind, wanted in _shares(n):
        chosen += _take([each for each in left if each.kind == kind], wanted, loads)
    taken = set(chosen)
    chosen += _take([each for each in left if each not in taken], n - len(chosen), loads)
    return _in_any_order(chosen, seed)


def others(collection: Collection, query_ids: Iterable[str], chosen: Iterable[int], n: int, seed: int) -> list[int]:
    """The keys of up to `n` tasks besides the chosen ones."""
    taken = set(chosen)
    left = [each for each in candidates(collection, query_ids, seed) if each.task not in taken] if n else []
    return drawn(left, n, seed)


def drawn(found: list[Candidate], n: int, seed: int) -> list[int]:
    """By draw alone, topics and bands taking turns."""
    return _in_any_order(_take(found, n, Counter()), seed)


def _in_any_order(chosen: list[Candidate], seed: int) -> list[int]:
    """By another draw than the one that chose: low draws won there, and lower ones where a kind has many."""
    return [each.task for each in sorted(chosen, key=lambda each: draw(seed, "order", str(each.drawn)))]


def _shares(n: int) -> list[tuple[str, int]]:
    disputed = (n + 1) // 2
    relevant = (n - disputed + 1) // 2
    return [(DISPUTED, disputed), (RELEVANT, relevant), (NONRELEVANT, n - disputed - relevant)]


def _take(found: list[Candidate], wanted: int, loads: Counter) -> list[Candidate]:
    """By draw, always from the topic that has least so far, and within it from the band that has least."""
    heaps: dict[tuple, list[Candidate]] = defaultdict(list)
    for each in sorted(found, key=lambda each: each.drawn, reverse=True):
        heaps[each.topic, each.band].append(each)
    taken = []
    while heaps and len(taken) < wanted:
        key = min(heaps, key=lambda key: (loads[key[0]], loads[key], heaps[key][-1].drawn))
        taken.append(heaps[key].pop())
        loads.update([key[0], key])
        if not heaps[key]:
            del heaps[key]
    return taken


def candidates(collection: Collection, query_ids: Iterable[str], seed: int, *, binary: bool = False) -> list[Candidate]:
    """The tasks of these topics whose documents have a text."""
    tasks = _tasks(collection, list(query_ids))
    kinds = _kinds(collection, tasks, binary)
    names = ("pk", "topic", "topic__query_id", "document__doc_id", "provenance__best_rank")
    return [
        Candidate(pk, topic, kinds.get(pk, UNKNOWN), (rank or 0).bit_length(), draw(seed, query_id, doc_id))
        for pk, topic, query_id, doc_id, rank in tasks.order_by("pk").values_list(*names)
    ]


def _tasks(collection: Collection, query_ids: list[str]):
    tasks = Task.objects.filter(topic__collection=collection, document__text__isnull=False)
    return tasks.filter(topic__query_id__in=query_ids) if query_ids else tasks


def _kinds(collection: Collection, tasks, binary: bool) -> dict[int, str]:
    """What is known of the tasks that two or more people judged."""
    rel = lowest_relevant_grade(collection)
    said = Judgement.objects.filter(task__in=tasks.values("pk"), repeat=0, state=State.JUDGED)
    counted = (
        said.order_by()
        .values_list("task")
        .annotate(
            judges=Count("pk"),
            relevant=Count("pk", filter=Q(relevance__gte=rel)),
            grades=Count("relevance", distinct=True),
        )
    )
    return {
        task: _kind(judges, relevant, grades > 1 and not binary)
        for task, judges, relevant, grades in counted
        if judges > 1
    }


def _kind(judges: int, relevant: int, differ: bool) -> str:
    if differ or 0 < relevant < judges:
        return DISPUTED
    return RELEVANT if relevant else NONRELEVANT
