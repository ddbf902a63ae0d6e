"""Chooses the model whose grades assessors see next to the document. Only an owner does, and no model by default."""

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from assess import audit
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.models import Action, Collection, JudgeKind, Judgement, JudgementKind, Member, Role, State, User
from pooling.errors import shown

LABEL = "Suggestions of a model next to the document"
EFFECT = (
    "Assessors who see the grade of a model tend to follow it, so they agree more with it and with each other. The "
    "ledger records each judgement that was made with a suggestion, and agreement can be shown without them. Hidden "
    "repeats and checks have no suggestion, so assessors may recognise them. Applies to documents that a page loads "
    "from now on."
)
OFF = "off"


def models_with_grades(collection: Collection) -> QuerySet[Member]:
    """Return the judges that can make suggestions: models that have graded at least one document."""
    graded = Judgement.objects.filter(member=OuterRef("pk"), repeat=JudgementKind.REGULAR, state=State.JUDGED)
    models = collection.members.filter(role=Role.ASSESSOR, imported_judge__kind=JudgeKind.MODEL)
    return models.filter(Exists(graded)).order_by("name")


def suggesting_name(collection: Collection) -> str:
    """Return the name of the model that makes suggestions; empty if none does.

    A model that was withdrawn, or whose kind was changed, makes none.
    """
    if collection.suggesting_judge_id is None:
        return ""
    names = models_with_grades(collection).filter(pk=collection.suggesting_judge_id)
    return names.values_list("name", flat=True).first() or ""


def set_suggestions(collection: Collection, judge: str, actor: User | None = None) -> bool:
    """Let a model make suggestions; none if `judge` is empty. Returns whether this changes anything.

    `actor` is an owner, or None for a command.
    """
    with transaction.atomic():
        lock_active(collection)
        if actor is not None and not collection.members.filter(user=actor, role=Role.OWNER).exists():
            raise Refused(f"Only an owner of {collection} can turn suggestions on or off.")
        collection.refresh_from_db(fields=["suggesting_judge"])
        chosen = suggesting_model(collection, judge) if judge else None
        if collection.suggesting_judge_id == (chosen and chosen.pk):
            return False
        before = suggesting_name(collection)
        collection.suggesting_judge = chosen
        collection.save(update_fields=["suggesting_judge"])
        details = {"from": before or OFF, "to": judge or OFF}
        audit.record(Action.SUGGESTIONS_CHANGED, actor=actor, collection=collection, details=details)
    return True


def changed_sentence(collection: Collection) -> str:
    """Describe what is shown from now on."""
    name = suggesting_name(collection)
    return f"Assessors see the grades of {name} from now on." if name else "Assessors see no suggestions from now on."


def suggesting_model(collection: Collection, judge: str) -> Member:
    """Return the model with this name, or raise Refused if it cannot make suggestions."""
    models = models_with_grades(collection)
    if chosen := models.filter(name=judge).first():
        return chosen
    if collection.members.filter(name=judge, role=Role.ASSESSOR, imported_judge__kind=JudgeKind.MODEL).exists():
        raise Refused(f"The model {shown(judge)} has no grades in {collection}, so it cannot make suggestions.")
    names = ", ".join(models.values_list("name", flat=True)) or "none yet"
    raise Refused(f"Suggestions come from a model with grades in {collection} ({names}), not from {shown(judge)}.")
