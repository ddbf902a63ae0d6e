"""The judged documents of a collection, with how far their grades are apart, filtered and ordered."""

from collections.abc import Collection as Items
from datetime import date, datetime, time

import numpy as np
import pandas as pd
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

import agreement
from assess.analysis.data import judgements_state
from assess.analysis.documents.filters import DocumentFilter, DocumentOrder
from assess.analysis.documents.golds import cached_gold
from assess.analysis.documents.leverage import strongest_grades
from assess.collections.scale import scale_of
from assess.jobs import results
from assess.models import Collection, Judgement, JudgementKind, Role, State, Task
from pooling.words import count

CELL = ["query_id", "doc_id"]


def judged_documents(collection: Collection) -> pd.DataFrame:
    """Return every document that a judge graded or could not judge, the most disputed first.

    The columns are task, topic (its key), query_id, doc_id, n (grades), n_cannot (judges who could not judge it),
    lowest, highest, apart (steps of the scale between these two) and distance (mean number of steps over the pairs of
    judges; NA with fewer than two grades). The table is cached until a judgement is added.
    """
    key = results.key_of("documents", judgements_state(collection, ()))
    documents: pd.DataFrame | None = results.get(key)
    if documents is None:
        documents = _compute(collection)
        results.keep(key, documents)
    return documents


def _compute(collection: Collection) -> pd.DataFrame:
    scale = scale_of(collection)
    counts = _counts(collection, scale)
    tasks = Task.objects.filter(topic__collection=collection)
    rows = list(tasks.values_list("pk", "topic", "topic__query_id", "document__doc_id"))
    names = pd.DataFrame.from_records(rows, columns=["task", "topic", *CELL]).astype(dict.fromkeys(CELL, "str"))
    frame = counts.merge(names, on="task")
    grades = frame[[f"grade_{grade}" for grade in scale]].to_numpy(np.int64)
    query_ids, doc_ids = (frame[name].to_numpy() for name in CELL)
    no_codes = np.empty((0, len(frame)), np.int8)
    ratings = agreement.Ratings(no_codes, scale, query_ids=query_ids, doc_ids=doc_ids, counts=grades)
    distance = agreement.per_item_disagreement(ratings)[[*CELL, "distance"]]
    frame = frame[["task", "topic", *CELL, "n_cannot"]].assign(n=grades.sum(axis=1), **_ends(grades, scale))
    frame = frame.merge(distance, on=CELL, how="left").astype({"distance": "Float64"})
    order = {"distance": False, "n": False, "query_id": True, "doc_id": True}
    return frame.sort_values(list(order), ascending=list(order.values()), ignore_index=True)


def _counts(collection: Collection, scale: tuple[int, ...]) -> pd.DataFrame:
    """Return how many judges gave each grade to each task."""
    names = {f"grade_{grade}": Count("pk", filter=Q(relevance=grade)) for grade in scale}
    names["n_cannot"] = Count("pk", filter=Q(state=State.CANNOT_JUDGE))
    rows = _votes(collection).order_by().values_list("task").annotate(**names)
    return pd.DataFrame.from_records(list(rows), columns=["task", *names])


def _ends(counts: np.ndarray, scale: tuple[int, ...]) -> dict[str, pd.arrays.IntegerArray]:
    """Return the lowest and the highest grade of each row, and the steps between them; NA without a grade."""
    given = counts > 0
    none = np.logical_not(given.any(axis=1))
    first = given.argmax(axis=1)
    last = given.shape[1] - 1 - given[:, ::-1].argmax(axis=1)
    values = np.asarray(scale, np.int64)
    columns = {"lowest": values[first], "highest": values[last], "apart": last - first}
    return {name: pd.arrays.IntegerArray(column.astype(np.int64), none) for name, column in columns.items()}


def listed(
    collection: Collection,
    wanted: DocumentFilter,
    without: Items[int] = (),
    leverage: agreement.Leverage | None = None,
) -> pd.DataFrame:
    """Return the rows of `judged_documents` that a filter chooses, in its order. Tasks in `without` are left out.

    With a leverage, only disputed documents are returned, with the columns of `strongest_grades` and in its order.
    """
    documents = judged_documents(collection)
    documents = documents[~documents["task"].isin(list(without))]
    for judgements in _conditions(collection, wanted):
        documents = _only(documents, judgements)
    if wanted.pilot:
        documents = documents[documents["task"].isin(list(wanted.pilot.tasks.values_list("pk", flat=True)))]
    if wanted.topics:
        documents = documents[documents["query_id"].isin(wanted.topics)]
    if wanted.distance:
        documents = documents[(documents["apart"] >= wanted.distance).fillna(False)]
    if wanted.gold_grade:
        gold = cached_gold(collection, wanted.gold)
        documents = documents.merge(gold.loc[gold["relevance"].isin(wanted.gold_grade.grades), CELL], on=CELL)
    return _ordered(documents, wanted, leverage)


def _conditions(collection: Collection, wanted: DocumentFilter) -> list[QuerySet[Judgement]]:
    """Return the judgements of each condition: a listed document has one of each."""
    rows = _votes(collection)
    if wanted.guidelines is not None:
        rows = rows.filter(guidelines_version=wanted.guidelines)
    if wanted.since:
        rows = rows.filter(judged_at__gte=_moment(wanted.since, time.min))
    if wanted.until:
        rows = rows.filter(judged_at__lte=_moment(wanted.until, time.max))
    graded = rows.filter(state=State.JUDGED)
    conditions = [graded.filter(member__name=each.judge, relevance__in=each.grades) for each in wanted.judges]
    if wanted.cannot_judge:
        conditions.append(rows.filter(member__name=wanted.cannot_judge, state=State.CANNOT_JUDGE))
    return conditions or ([rows] if wanted.restricts_judgements else [])


def _moment(day: date, at: time) -> datetime:
    return timezone.make_aware(datetime.combine(day, at))


def _votes(collection: Collection) -> QuerySet[Judgement]:
    """Return the regular judgements of the judges. A member belongs to one collection."""
    return Judgement.objects.filter(
        member__collection=collection,
        member__role=Role.ASSESSOR,
        repeat=JudgementKind.REGULAR,
        state__in=[State.JUDGED, State.CANNOT_JUDGE],
    )


def _only(documents: pd.DataFrame, judgements: QuerySet[Judgement]) -> pd.DataFrame:
    return documents[documents["task"].isin(list(judgements.values_list("task", flat=True)))]


def _ordered(documents: pd.DataFrame, wanted: DocumentFilter, leverage: agreement.Leverage | None) -> pd.DataFrame:
    if wanted.order == DocumentOrder.TOPIC:
        return documents.sort_values(["topic", "doc_id"], ignore_index=True)
    if leverage is not None:
        return strongest_grades(leverage).merge(documents, on=CELL)
    return documents.reset_index(drop=True)


def list_sentence(collection: Collection, wanted: DocumentFilter, documents: pd.DataFrame) -> str:
    """Return the sentence that opens a list: how many documents it has, and how many of them are disputed."""
    everything = len(judged_documents(collection))
    if not everything:
        return "No document has been judged yet."
    if conditions := wanted.describe():
        return f"{count(len(documents), 'document')} of {everything:,}: {conditions}."
    shared = documents[documents["n"] > 1]
    if shared.empty:
        return "No document was graded by two or more judges, so no grade can be disputed yet."
    disputed, graded = int((shared["apart"] > 0).sum()), count(len(shared), "document")
    return f"The judges gave different grades to {disputed:,} of the {graded} that two or more graded."
