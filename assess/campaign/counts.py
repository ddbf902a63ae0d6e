"""How many things a collection has, and how many wait for somebody, from one query.

Every page of a researcher shows these numbers, so only small tables are counted.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, Exists, IntegerField, Max, Model, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from assess.jobs.kinds import LISTED
from assess.jobs.queue import UNFINISHED
from assess.models import (
    AdjudicatedTask,
    Collection,
    Guidelines,
    ImportedJudge,
    Invitation,
    Job,
    JobState,
    JudgeKind,
    Judgement,
    JudgementKind,
    Member,
    Release,
    Role,
    Run,
    State,
    Topic,
)

FAILED_SINCE = timedelta(days=1)
LAPSED_SINCE = timedelta(days=7)


@dataclass(frozen=True)
class Counts:
    """`models` are model judges. `guidelines` is the number of the present version, 0 if there is none.

    `undecided` documents wait for their adjudicators. `lapsed` invitations were not used and ended in the last week,
    and `failed` jobs ended in the last day. `running` jobs wait for a worker or run.
    """

    topics: int
    runs: int
    people: int
    models: int
    guidelines: int
    releases: int
    undecided: int
    lapsed: int
    failed: int
    running: int


def counts_of(collection: Collection) -> Counts:
    """Count everything of one collection."""
    now = timezone.now()
    jobs = _of_collection(Job).filter(kind__in=LISTED)
    decided = Judgement.objects.filter(task=OuterRef("task"), repeat=JudgementKind.DECISION, state=State.JUDGED)
    undecided = AdjudicatedTask.objects.filter(~Exists(decided), adjudication__collection=OuterRef("pk"))
    lapsed = _of_collection(Invitation).filter(
        uses=0, revoked_at=None, expires_at__lt=now, expires_at__gt=now - LAPSED_SINCE
    )
    models = ImportedJudge.objects.filter(
        member__collection=OuterRef("pk"), member__role=Role.ASSESSOR, kind=JudgeKind.MODEL
    )
    latest = _of_collection(Guidelines).values("collection").annotate(latest=Max("version")).values("latest")
    numbers = (
        _number(_of_collection(Topic)),
        _number(_of_collection(Run)),
        _number(_of_collection(Member).filter(user__isnull=False)),
        _number(models, "member__collection"),
        Coalesce(Subquery(latest), 0),
        _number(_of_collection(Release)),
        _number(undecided, "adjudication__collection"),
        _number(lapsed),
        _number(jobs.filter(state=JobState.FAILED, ended_at__gt=now - FAILED_SINCE)),
        _number(jobs.filter(state__in=UNFINISHED)),
    )
    return Counts(*Collection.objects.filter(pk=collection.pk).values_list(*numbers).get())


def _of_collection(model: type[Model]) -> QuerySet[Any]:
    return model._default_manager.filter(collection=OuterRef("pk"))


def _number(rows: QuerySet[Any], collection: str = "collection") -> Coalesce:
    """The number of rows as a part of the query for their collection."""
    counted = rows.order_by().values(collection).annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)
