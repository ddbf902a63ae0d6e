"""The judged documents of a collection, with how far their grades are apart, filtered and ordered."""

from collections.abc import Collection as Items
from collections.abc import Iterator
from datetime import date, datetime, time

import numpy as np
import pandas as pd
from django.db.models import Count, QuerySet
from django.utils import timezone

import agreement
from assess.analysis.data import judgements_state
from assess.analysis.documents.effect import cached_gold
from assess.analysis.documents.filters import DocumentFilter, DocumentOrder, Unjudged
from assess.analysis.documents.leverage import strongest_grades
from assess.analysis.judges.time import window_documents
from assess.analysis.selection import judge_kinds
from assess.collections.scale import scale_of
from assess.jobs import results
from assess.models import Collection, Judgement, JudgementKind, Role, State, Task
from assess.suggestions.stored import in_part
from pooling.words import count


def tasks_of_conditions(collection: Collection, wanted: DocumentFilter) -> Iterator[set[int]]:
    """Return the tasks of each condition on the judgements; a listed document meets all of them."""
    rows = _in_time(judgements_of_judges(collection), wanted)
    regular = rows.filter(repeat=JudgementKind.REGULAR)
    graded = regular.filter(state=State.JUDGED)
    if wanted.unjudged:
        yield _unjudged(regular, wanted)
    else:
        for each in wanted.judges:
            yield _tasks(graded.filter(member__name=each.judge, relevance__in=each.grades))
    for name, state in ((wanted.cannot_judge, State.CANNOT_JUDGE), (wanted.later, State.LATER)):
        if name:
            yield _tasks(regular.filter(member__name=name, state=state))
    if wanted.repeated:
        again = rows.filter(repeat=JudgementKind.REPEAT, state=State.JUDGED)
        for part in (graded, again):
            yield _tasks(part.filter(member__name=wanted.repeated))
    if wanted.shared:
        yield _tasks(_shared(collection, graded, wanted.kind))
    if wanted.restricts_judgements:
        yield _tasks(regular)


def judgements_of_judges(collection: Collection) -> QuerySet[Judgement]:
    """Return the judgements of judges, of all kinds, unless they were undone. A member belongs to one collection."""
    rows = Judgement.objects.filter(member__collection=collection, member__role=Role.ASSESSOR)
    return rows.exclude(state=State.UNDONE)


def _shared(collection: Collection, graded: QuerySet[Judgement], kind: str) -> QuerySet[Judgement]:
    """Return judgements of the tasks that two or more judges of a kind graded."""
    names = [name for name, each in judge_kinds(collection).items() if kind in ("", each)]
    own = graded.filter(member__name__in=names)
    tasks = own.order_by().values("task").annotate(judges=Count("pk")).filter(judges__gt=1)
    return own.filter(task__in=tasks.values("task"))


def _unjudged(regular: QuerySet[Judgement], wanted: DocumentFilter) -> set[int]:
    """Return the tasks that two judges did not both grade, for the wanted reason."""
    a, b = (regular.filter(member__name=each.judge) for each in wanted.judges)
    if wanted.unjudged == Unjudged.ONLY_ONE:
        return _tasks(a.filter(state=State.JUDGED)) ^ _tasks(b.filter(state=State.JUDGED))
    both = _tasks(a) & _tasks(b)
    cannot, later = (
        both & (_tasks(a.filter(state=state)) | _tasks(b.filter(state=state)))
        for state in (State.CANNOT_JUDGE, State.LATER)
    )
    return cannot if wanted.unjudged == Unjudged.CANNOT_JUDGE else later - cannot


def _in_time(rows: QuerySet[Judgement], wanted: DocumentFilter) -> QuerySet[Judgement]:
    if wanted.guidelines is not None:
        rows = rows.filter(guidelines_version=wanted.guidelines)
    if wanted.since:
        rows = rows.filter(judged_at__gte=_moment(wanted.since, time.min))
    if wanted.until:
        rows = rows.filter(judged_at__lte=_moment(wanted.until, time.max))
    return rows.filter(*in_part(wanted.assisted))


def _moment(day: date, at: time) -> datetime:
    return timezone.make_aware(datetime.combine(day, at))


def _tasks(judgements: QuerySet[Judgement]) -> set[int]:
    return set(judgements.values_list("task", flat=True))


CELL = ["query_id", "doc_id"]
_CANNOT, _LATER = -1, -2  # in place of a grade
_UNGRADED = {State.CANNOT_JUDGE.value: _CANNOT, State.LATER.value: _LATER}


def judged_documents(collection: Collection) -> pd.DataFrame:
    """Return every document that a judge graded, could not judge, or postponed, the most disputed first.

    The columns are task, topic (its key), query_id, doc_id, n (grades), n_cannot and n_later (judges who could not
    judge it, or postponed it), lowest, highest, apart (steps of the scale between these two) and distance (mean number
    of steps over the pairs of judges; NA with fewer than two grades). The table is cached until a judgement is added.
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
    frame = frame[["task", "topic", *CELL, "n_cannot", "n_later"]].assign(n=grades.sum(axis=1), **_ends(grades, scale))
    frame = frame.merge(distance, on=CELL, how="left").astype({"distance": "Float64"})
    order = {"distance": False, "n": False, "query_id": True, "doc_id": True}
    return frame.sort_values(list(order), ascending=list(order.values()), ignore_index=True)


def _counts(collection: Collection, scale: tuple[int, ...]) -> pd.DataFrame:
    """Return how many judges gave each grade to each task, could not judge it, or postponed it.

    The judgements are counted here: for so many groups, Django converts each number that the database counts.
    """
    regular = judgements_of_judges(collection).filter(repeat=JudgementKind.REGULAR).order_by()
    graded = list(regular.filter(state=State.JUDGED).values_list("task", "relevance"))
    ungraded = regular.filter(state__in=_UNGRADED).values_list("task", "state")
    rows = np.array([*graded, *((task, _UNGRADED[state]) for task, state in ungraded)], np.int64).reshape(-1, 2)
    outcomes = {grade: f"grade_{grade}" for grade in scale} | {_CANNOT: "n_cannot", _LATER: "n_later"}
    tasks, at = np.unique(rows[:, 0], return_inverse=True)
    counts = {name: np.bincount(at[rows[:, 1] == outcome], minlength=len(tasks)) for outcome, name in outcomes.items()}
    return pd.DataFrame({"task": tasks} | counts)


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
    if not wanted.includes_postponed:
        documents = _opened(documents)
    for tasks in tasks_of_conditions(collection, wanted):
        documents = documents[documents["task"].isin(tasks)]
    if wanted.window:
        documents = documents.merge(window_documents(collection, wanted.selection, wanted.window), on=CELL)
    if wanted.pilot:
        documents = documents[documents["task"].isin(list(wanted.pilot.tasks.values_list("pk", flat=True)))]
    if topics := wanted.counting_topics:
        documents = documents[documents["query_id"].isin(topics)]
    if wanted.distance:
        documents = documents[(documents["apart"] >= wanted.distance).fillna(False)]
    if wanted.gold_grade:
        gold = cached_gold(collection, wanted.gold, wanted.selection)
        documents = documents.merge(gold.loc[gold["relevance"].isin(wanted.gold_grade.grades), CELL], on=CELL)
    return _ordered(documents, wanted, leverage)


def _opened(documents: pd.DataFrame) -> pd.DataFrame:
    """Return the documents that a judge graded or could not judge."""
    return documents[documents["n"] + documents["n_cannot"] > 0]


def _ordered(documents: pd.DataFrame, wanted: DocumentFilter, leverage: agreement.Leverage | None) -> pd.DataFrame:
    if wanted.order == DocumentOrder.TOPIC:
        return documents.sort_values(["topic", "doc_id"], ignore_index=True)
    if leverage is not None:
        return strongest_grades(leverage).merge(documents, on=CELL)
    return documents.reset_index(drop=True)


def list_sentence(collection: Collection, wanted: DocumentFilter, documents: pd.DataFrame) -> str:
    """Return the sentence that opens a list: how many documents it has, and how many of them are disputed."""
    everything = len(_opened(judged_documents(collection)))
    if not everything:
        return "No document has been judged yet."
    if conditions := wanted.describe():
        return f"{count(len(documents), 'document')} of {everything:,}: {conditions}."
    shared = documents[documents["n"] > 1]
    if shared.empty:
        return "No document was graded by two or more judges, so no grade can be disputed yet."
    disputed, graded = int((shared["apart"] > 0).sum()), count(len(shared), "document")
    return f"The judges gave different grades to {disputed:,} of the {graded} that two or more graded."
