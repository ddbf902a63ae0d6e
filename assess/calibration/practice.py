"""Practice: new assessors judge documents with known grades before all others, each once.

`prepare` is called whenever an assessor opens their pages. It assigns the practice documents and decides on the
admission, so nothing is lost if a process is killed between the two. Who had judged regular documents before the
practice began is admitted from the start. The researchers get one email about an assessor below the threshold; if it
waits for them, the audit log says that it was sent.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from assess import audit, mail
from assess.calibration.admission import is_admitted
from assess.collections.archive import lock_active
from assess.collections.scale import scale_of
from assess.errors import Refused
from assess.models import (
    Action,
    Admission,
    Assignment,
    AuditEvent,
    Collection,
    Judgement,
    JudgementKind,
    KnownGrade,
    Member,
    PracticeMeasure,
    PracticeRule,
    Role,
    State,
    User,
)
from assess.pools.tasks import OPEN, SETTLED
from pooling.errors import shown

if TYPE_CHECKING:
    import agreement

PRACTICE = JudgementKind.PRACTICE


@dataclass(frozen=True)
class PracticeResult:
    """What an assessor did in the practice.

    `documents` are assigned and `done` of them judged; `hits` have the known grade. A document that could not be
    judged is no hit.
    """

    documents: int
    done: int
    hits: int

    @property
    def left(self) -> int:
        return self.documents - self.done

    @property
    def share(self) -> float | None:
        return self.hits / self.done if self.done else None


def prepare(member: Member) -> bool:
    """Assign the practice documents and, when they are judged, decide; return whether the assessor is admitted."""
    if member.role != Role.ASSESSOR or is_admitted(member):
        return True
    with transaction.atomic():
        Member.objects.select_for_update(no_key=True).get(pk=member.pk)  # two pages at once
        _assign(member)
        if not _open(member).exists() and not is_admitted(member):
            _decide(member)
    return is_admitted(member)


def next_document(member: Member) -> Assignment | None:
    """Return the next practice document of an assessor."""
    return _open(member).select_related("task__topic", "task__document__content").order_by("position", "pk").first()


def find_document(member: Member, public_id: UUID) -> Assignment | None:
    """Return a practice document of an assessor, judged or not."""
    own = Assignment.objects.filter(member=member, repeat=PRACTICE, public_id=public_id)
    return own.select_related("task__topic", "task__document__content", "task__known_grade").first()


def result_of(member: Member) -> PracticeResult:
    own = Assignment.objects.filter(member=member, repeat=PRACTICE)
    grades = dict(_known(member.collection).values_list("task", "relevance"))
    judged = Judgement.objects.filter(member=member, repeat=PRACTICE, state__in=SETTLED)
    rows = list(judged.values_list("task", "relevance"))
    hits = sum(grade is not None and grades.get(task) == grade for task, grade in rows)
    return PracticeResult(own.count(), len(rows), hits)


def kappa_of(member: Member) -> "agreement.Estimate":
    """Return the pooled kappa of an assessor's practice with the known grades."""
    import agreement  # loads pandas

    known = dict(_known(member.collection).values_list("task", "relevance"))
    judged = Judgement.objects.filter(member=member, repeat=PRACTICE, state=State.JUDGED).order_by("task")
    rows = [(grade, known[task]) for task, grade in judged.values_list("task", "relevance") if task in known]
    return agreement.pooled_kappa(
        agreement.Ratings.from_matrix(list(zip(*rows, strict=True)), scale_of(member.collection), axis="assessors")
    )


def admit(collection: Collection, name: str, actor: User | None = None) -> None:
    """Admit an assessor whatever the result of their practice is."""
    with transaction.atomic():
        lock_active(collection)
        # A name from a form may contain what PostgreSQL refuses, so it is compared here.
        member = {each.name: each for each in collection.members.filter(role=Role.ASSESSOR)}.get(name)
        if member is None:
            raise Refused(f"{collection} has no assessor with the pseudonym {shown(name)}.")
        if is_admitted(member):
            raise Refused(f"{name} may judge already.")
        Admission.objects.create(member=member, admitted_by=actor)
        audit.record(Action.ASSESSOR_ADMITTED, actor=actor, person=member.user, collection=collection)


def admit_experienced(collection: Collection) -> None:
    """Admit the assessors who have judged regular documents, before the practice begins."""
    own = Judgement.objects.filter(member=OuterRef("pk"), repeat=JudgementKind.REGULAR, state__in=SETTLED)
    members = collection.members.filter(Exists(own), role=Role.ASSESSOR, admission__isnull=True)
    # A conflict: a page of this assessor has just decided on the admission.
    Admission.objects.bulk_create([Admission(member=member) for member in members], ignore_conflicts=True)


def _known(collection: Collection) -> QuerySet[KnownGrade]:
    return KnownGrade.objects.filter(task__topic__collection=collection, use=KnownGrade.Use.PRACTICE)


def _open(member: Member) -> QuerySet[Assignment]:
    return Assignment.objects.filter(member=member, repeat=PRACTICE, state__in=OPEN)


def _assign(member: Member) -> None:
    """Assign the practice documents that the assessor does not have in any way."""
    has = Assignment.objects.filter(member=member, task=OuterRef("task"))
    judged = Judgement.objects.filter(member=member, task=OuterRef("task"))
    missing = _known(member.collection).exclude(Exists(has)).exclude(Exists(judged)).select_related("task")
    Assignment.objects.bulk_create(
        Assignment(task=known.task, topic_id=known.task.topic_id, member=member, repeat=PRACTICE, position=position)
        for position, known in enumerate(missing.order_by("pk"))
    )


def _decide(member: Member) -> None:
    """Admit the assessor if the result of the practice suffices or the collection only informs its researchers.

    Otherwise this runs again whenever the assessor opens a page, until a researcher admits them.
    """
    below = not _suffices(member)
    if below and member.collection.practice == PracticeRule.ADMIT:
        _inform_of_waiting(member)
        return
    Admission.objects.create(member=member, below=below)
    audit.record(Action.ASSESSOR_ADMITTED, person=member.user, collection=member.collection, details={"below": below})
    if below:
        _inform_researchers(member, "judges now")


def _inform_of_waiting(member: Member) -> None:
    """Inform the researchers once of each result with which an assessor waits."""
    done = result_of(member).done
    earlier = AuditEvent.objects.filter(collection=member.collection, action=Action.PRACTICE_BELOW, person=member.user)
    if earlier.filter(details__member=member.pk, details__done=done).exists():
        return
    if _inform_researchers(member, "waits for your admission"):
        details = {"member": member.pk, "done": done}
        audit.record(Action.PRACTICE_BELOW, person=member.user, collection=member.collection, details=details)


def _inform_researchers(member: Member, consequence: str) -> int:
    """Send an email to the researchers, if the site can; return to how many.

    It names the assessor by the pseudonym only.
    """
    if not mail.is_configured():
        return 0
    collection, result = member.collection, result_of(member)
    researchers = collection.members.filter(role__in=[Role.OWNER, Role.RESEARCHER], user__is_active=True)
    values = {"collection": collection, "assessor": member.name, "result": result, "consequence": consequence}
    subject, body = mail.render("below_threshold", values)
    addresses = researchers.exclude(user__email="").values_list("user__email", flat=True)
    for address in addresses:
        mail.send(address, subject, body, None)
    return len(addresses)


def _suffices(member: Member) -> bool:
    """Whether the result reaches the threshold. Without practice documents there is nothing to reach.

    An undefined kappa reaches it only if every grade is the known one.
    """
    result, collection = result_of(member), member.collection
    if not result.done:
        return True
    if collection.practice_measure == PracticeMeasure.KAPPA:
        kappa = kappa_of(member).value
        return result.hits == result.done if kappa is None else kappa >= collection.practice_threshold
    return result.hits >= collection.practice_threshold * result.done
