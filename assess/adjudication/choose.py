"""Chooses disputed documents to adjudicate: those that two judges gave different grades.

The functions return tasks in the order in which they should be decided. Tasks that are in an adjudication already are
left out. Pandas is loaded only when documents are chosen, because the pages import this module.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import agreement
from assess.analysis.reference import default_gold
from assess.analysis.selection import judge_kinds
from assess.analysis.shift_query import ShiftInputs
from assess.collections.scale import scale_of
from assess.errors import Refused
from assess.judging.model_grades import are_shown
from assess.models import Collection, JudgeKind, Task, Topic
from pooling.errors import shown
from pooling.words import count

if TYPE_CHECKING:
    import pandas as pd

MOST_TASKS = 1_000
MOST_KEY = 2**63 - 1
LEVERAGE, DISTANCE, TOPIC, DOCUMENTS = "leverage", "distance", "topic", "documents"
CHOICES = (LEVERAGE, DISTANCE, TOPIC, DOCUMENTS)


def choose(
    collection: Collection,
    by: str,
    *,
    number: int = 20,
    distance: int = 2,
    query_id: str = "",
    measure: str = "AP",
    gold: str = "",
    tasks: Sequence[int] = (),
) -> tuple[list[Task], str]:
    """Return the chosen tasks, and a sentence that says how they were chosen. Refused if there is none.

    Without a gold, the leverage is that under the default reference of the collection.
    """
    if by == LEVERAGE:
        gold = gold or default_gold(collection)
        chosen = by_leverage(collection, measure, gold, number)
        sentence = f"the first {number} by leverage ({measure}, {gold})"
    elif by == DISTANCE:
        chosen, sentence = by_distance(collection, distance), f"grades {distance} or more steps apart"
    elif by == TOPIC:
        chosen, sentence = by_topic(collection, query_id), f"topic {query_id}"
    elif by == DOCUMENTS:
        chosen = by_documents(collection, tasks)
        sentence = count(len(chosen), "chosen document")
    else:
        raise Refused(f"Documents can be chosen by {', '.join(CHOICES)}, not by {shown(by)}.")
    if not chosen:
        raise Refused(f"There is no disputed document that is not adjudicated yet: {sentence}.")
    return chosen, sentence


def by_topic(collection: Collection, query_id: str) -> list[Task]:
    """Return the disputed documents of a topic."""
    topic = collection.topics.filter(query_id=query_id).first()
    if topic is None:
        raise Refused(f"{collection} has no topic {shown(query_id)}.")
    return by_distance(collection, 1, topic)


def by_leverage(collection: Collection, measure: str, rule: str, limit: int) -> list[Task]:
    """Return the disputed documents whose grade changes the ranking most, under the gold of a rule."""
    from assess.analysis.documents.leverage import leverage_of  # loads pandas

    documents = leverage_of(collection, ShiftInputs(measure), gold=rule).documents
    return _tasks(collection, documents[["query_id", "doc_id"]].drop_duplicates())[: _checked(limit)]


def by_distance(collection: Collection, distance: int, topic: Topic | None = None) -> list[Task]:
    """Return the documents whose lowest and highest grade are this many steps of the scale apart, or more.

    Grades of models count only if people may see them: a dispute would tell that a model disagrees.
    """
    from assess.analysis.data import collection_ratings  # loads pandas

    steps = len(scale_of(collection)) - 1
    if not 1 <= distance <= steps:
        raise Refused(f"The distance must be between 1 and {steps} on this scale, not {distance}.")
    rows = agreement.per_item_disagreement(collection_ratings(collection, judges=_compared(collection)))
    position = {grade: at for at, grade in enumerate(scale_of(collection))}
    apart = rows["highest"].map(position) - rows["lowest"].map(position)
    chosen = rows[apart >= distance]
    if topic:
        chosen = chosen[chosen["query_id"] == topic.query_id]
    return _tasks(collection, chosen[["query_id", "doc_id"]])


def _compared(collection: Collection) -> list[str] | None:
    """Return the judges whose grades are compared; None for all."""
    if are_shown(collection):
        return None
    return [name for name, kind in judge_kinds(collection).items() if kind != JudgeKind.MODEL]


def by_documents(collection: Collection, tasks: Iterable[int]) -> list[Task]:
    """Return these tasks of the collection, in their order. Unknown ones are refused."""
    keys = list(dict.fromkeys(tasks))
    existing = (
        Task.objects.filter(topic__collection=collection)
        .select_related("topic", "document")
        .in_bulk([key for key in keys if key <= MOST_KEY])
    )
    if missing := [key for key in keys if key not in existing]:
        raise Refused(f"{collection} has no document with the number {str(missing[0])[:20]}.")
    return [existing[key] for key in keys]


def _checked(limit: int) -> int:
    if not 1 <= limit <= MOST_TASKS:
        raise Refused(f"Choose between 1 and {MOST_TASKS:,} documents, not {limit:,}.")
    return limit


def _tasks(collection: Collection, items: "pd.DataFrame") -> list[Task]:
    """Return the tasks of these topics and documents, in their order."""
    free = Task.objects.filter(topic__collection=collection, adjudicated__isnull=True)
    rows = free.select_related("topic", "document").filter(topic__query_id__in=items["query_id"].unique().tolist())
    by_item = {(task.topic.query_id, task.document.doc_id): task for task in rows}
    return [by_item[item] for item in items.itertuples(index=False, name=None) if item in by_item]
