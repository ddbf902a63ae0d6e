"""Which judgements the agreement pages compare, and how. This module does not load pandas."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from agreement.choices import ESTIMATING
from assess.models import Collection, JudgeKind, Judgement, JudgementKind, Member, Role, State
from assess.suggestions.stored import in_part

NOT_STATED = "unstated"  # the kind of an imported judge, if the import did not state it
DAWID_SKENE, GLAD, MACE = ESTIMATING  # rules of golds
WEIGHTS = ("linear", "quadratic", "ordinal")


@dataclass(frozen=True)
class Selection:
    """What the figures use. By default, all regular judgements, with all grades separate.

    `rel` is the lowest relevant grade, or None to compare all grades. `weights` are those of weighted kappa. `topics`
    are query_ids; none means all. If a set of topics was chosen, `topic_set` is its name, and `topics` are in it.
    `guidelines` is a version; `since` and `until` are the first and the last day; `pilot` is a number; `kind` is a kind
    of judge, or empty for all. `assisted` is a part of the judgements (`assess.suggestions.stored.PARTS`): those made
    without the suggestion of a model, or only those with one; empty for all.
    """

    rel: int | None = None
    weights: str = WEIGHTS[0]
    topics: tuple[str, ...] = ()
    guidelines: int | None = None
    since: date | None = None
    until: date | None = None
    pilot: int | None = None
    kind: str = ""
    topic_set: str = ""
    assisted: str = ""

    def judgements(
        self, collection: Collection, kinds: Iterable[JudgementKind] = (JudgementKind.REGULAR,)
    ) -> QuerySet[Judgement]:
        """Return the judgements of assessors in any state. Judges of every kind are included."""
        # A member belongs to one collection; joining the topics of all judgements instead would take twice as long.
        rows = Judgement.objects.filter(
            member__collection=collection, repeat__in=list(kinds), member__role=Role.ASSESSOR
        )
        return rows.filter(*self._conditions())

    def _conditions(self) -> list[Q]:
        conditions = []
        if self.topics:
            conditions.append(Q(task__topic__query_id__in=self.topics))
        if self.guidelines is not None:
            conditions.append(Q(guidelines_version=self.guidelines))
        if self.since:
            conditions.append(Q(judged_at__gte=_midnight(self.since)))
        if self.until:
            conditions.append(Q(judged_at__lt=_midnight(self.until + timedelta(days=1))))
        if self.pilot is not None:
            conditions.append(Q(task__pilots__number=self.pilot))
        return conditions + in_part(self.assisted)

    def to_input(self) -> dict[str, Any]:
        """Return JSON values for the input of a job."""
        return asdict(self) | {
            "topics": list(self.topics),
            "since": self.since and self.since.isoformat(),
            "until": self.until and self.until.isoformat(),
        }

    @classmethod
    def from_input(cls, values: Mapping[str, Any]) -> "Selection":
        since, until = (values[name] and date.fromisoformat(values[name]) for name in ("since", "until"))
        return cls(**{**values, "topics": tuple(values["topics"]), "since": since, "until": until})


EVERYTHING = Selection()


def judge_kinds(collection: Collection) -> dict[str, str]:
    """Return the kind of each judge by name: of `JudgeKind`, or NOT_STATED. A member with an account is a person."""
    judges = Member.objects.filter(collection=collection, role=Role.ASSESSOR)
    kinds = judges.values_list("name", "imported_judge__kind")  # the kind is None for a member with an account
    return {name: JudgeKind.HUMAN.value if kind is None else kind or NOT_STATED for name, kind in kinds}


def is_graded(judgements: QuerySet[Judgement]) -> QuerySet[Judgement]:
    """Return those of the judgements that have a grade."""
    return judgements.filter(state=State.JUDGED)


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))
