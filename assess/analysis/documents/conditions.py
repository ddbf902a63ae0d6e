"""Which documents have the judgements that a filter asks for."""

from collections.abc import Iterator
from datetime import date, datetime, time

from django.db.models import Count, QuerySet
from django.utils import timezone

from assess.analysis.documents.filters import DocumentFilter, Unjudged
from assess.analysis.selection import judge_kinds
from assess.models import Collection, Judgement, JudgementKind, Role, State


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
    return rows


def _moment(day: date, at: time) -> datetime:
    return timezone.make_aware(datetime.combine(day, at))


def _tasks(judgements: QuerySet[Judgement]) -> set[int]:
    return set(judgements.values_list("task", flat=True))
