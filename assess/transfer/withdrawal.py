"""Withdraws an imported judge, such as one of a wrong file, and restores it.

The judgements of a withdrawn judge stay in the ledger, whose chains do not change. They count nowhere: not in
agreement, golds, shift, releases, exports and the numbers on pages. Releases that exist keep what they have. Nothing is
imported for the judge meanwhile. What judgements protect stays protected: the scale, texts of topics and documents, and
pools.

The role of the judge says it: queries of judgements ask for assessors, or for those that are not withdrawn.
"""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from assess import audit
from assess.analysis.reference import JUDGE
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.models import (
    NOT_WITHDRAWN,
    Action,
    AdaptiveOrder,
    AdjudicatedTask,
    Collection,
    Exercise,
    ImportedJudge,
    Judgement,
    JudgementKind,
    LearnerModel,
    Member,
    Role,
    State,
    User,
)
from pooling.errors import shown
from pooling.words import count, first_names

OF_GOLDS = (JudgementKind.REGULAR, JudgementKind.DECISION)


@dataclass(frozen=True)
class Effects:
    """What a withdrawal leaves out, or a restoration brings back.

    `graded` documents have a grade of the judge, and `only` those have no grade of anybody else. `adjudications` counts
    the documents that the judge graded and that wait for an adjudicator.
    """

    judge: str
    judgements: int
    graded: int
    only: int
    adjudications: int
    is_reference: bool
    leads_order: bool

    @property
    def sentences(self) -> list[str]:
        """Return what users should know before they withdraw the judge."""
        texts = [f"{count(self.judgements, 'judgement')} of {self.judge} would be left out."]
        if self.graded:
            texts.append(
                f"Golds change: {count(self.graded, 'document')} {_have(self.graded)} a grade of {self.judge}, "
                f"{self.only:,} of them of nobody else."
            )
        if self.adjudications:
            texts.append(
                f"{count(self.adjudications, 'document')} that {self.judge} graded {_have(self.adjudications)} an open "
                "adjudication. The adjudications stay; undo them if nothing is disputed any more."
            )
        if self.is_reference:
            texts.append("The gold of this judge is the reference of the collection; another one is used instead.")
        if self.leads_order:
            texts.append("The adaptive order learns from this judge alone, and then from nobody.")
        return texts


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


def imported_judge(collection: Collection, name: str) -> Member:
    """Return the imported judge with this name, or refuse."""
    judges = collection.members.filter(user__isnull=True, removed_at__isnull=True)
    if judge := judges.filter(name=name).first():
        return judge
    existing = judges.values_list("name", flat=True)
    raise Refused(
        f"{collection} has no imported judge {shown(name)}. Its imported judges are {first_names(existing) or 'none'}."
    )


def effects_of(judge: Member) -> Effects:
    """Return what a withdrawal of the judge would leave out."""
    graded = _graded(judge)
    others = Judgement.objects.filter(NOT_WITHDRAWN, task=OuterRef("task"), repeat__in=OF_GOLDS, state=State.JUDGED)
    only = graded.exclude(Exists(others.exclude(member=judge)))
    decisions = Judgement.objects.filter(repeat=JudgementKind.DECISION, state=State.JUDGED)
    disputed = AdjudicatedTask.objects.filter(task__in=graded.values("task"))
    orders = AdaptiveOrder.objects.filter(topic__collection=judge.collection_id, rule=f"{JUDGE}{judge.name}")
    return Effects(
        judge.name,
        judge.judgements.count(),
        graded.count(),
        only.count(),
        disputed.exclude(task__in=decisions.values("task")).count(),
        judge.collection.reference == f"{JUDGE}{judge.name}",
        orders.exists(),
    )


def _graded(judge: Member) -> QuerySet[Judgement]:
    return Judgement.objects.filter(member=judge, repeat=JudgementKind.REGULAR, state=State.JUDGED).order_by()


def withdraw_judge(collection: Collection, name: str, actor: User | None = None) -> Effects:
    """Leave the judgements of an imported judge out of everything, until the judge is restored."""
    with transaction.atomic():
        judge = _locked(collection, name)
        if judge.role == Role.WITHDRAWN:
            raise Refused(f"{name} is withdrawn already.")
        effects = effects_of(judge)
        _change(judge, Role.WITHDRAWN, Action.JUDGE_WITHDRAWN, effects, actor)
    return effects


def restore_judge(collection: Collection, name: str, actor: User | None = None) -> Effects:
    """Let the judgements of a withdrawn judge count again."""
    with transaction.atomic():
        judge = _locked(collection, name)
        if judge.role != Role.WITHDRAWN:
            raise Refused(f"{name} is not withdrawn.")
        effects = effects_of(judge)
        _change(judge, Role.ASSESSOR, Action.JUDGE_RESTORED, effects, actor)
    return effects


def _locked(collection: Collection, name: str) -> Member:
    """Return the judge, whose role and judgements do not change until the transaction ends: imports take this lock."""
    lock_active(collection)
    if Exercise.objects.filter(collection=collection).exists():
        raise Refused(f"{collection} is a class exercise. Its judges cannot be withdrawn.")
    return imported_judge(collection, name)


def _change(judge: Member, role: Role, action: Action, effects: Effects, actor: User | None) -> None:
    judge.role = role
    judge.save(update_fields=["role"])
    declared, _ = ImportedJudge.objects.get_or_create(member=judge)
    declared.role_changes += 1
    declared.save(update_fields=["role_changes"])
    _forget_learned(judge)
    # The key instead of the name: entries of the log never contain one.
    details = {"judge": judge.pk, "judgements": effects.judgements, "graded": effects.graded}
    audit.record(action, actor=actor, collection=judge.collection, details=details)


def _forget_learned(judge: Member) -> None:
    """Let adaptive orders and learners learn again from the judgements that count now."""
    AdaptiveOrder.objects.filter(topic__collection=judge.collection_id).update(state=b"", caught_up=0)
    topics = judge.judgements.order_by().values("task__topic")
    LearnerModel.objects.filter(topic__in=topics).update(is_outdated=True)
