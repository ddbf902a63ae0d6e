"""Whether people may see grades of models: not before both have finished, unless an owner decides otherwise."""

from assess.models import Assignment, Collection, JudgementKind, ModelRules, ModelWork
from assess.pools.tasks import OPEN


def open_assignments(collection: Collection) -> int:
    """Return how many regular assignments of people wait for a judgement."""
    waiting = Assignment.objects.filter(topic__collection=collection, repeat=JudgementKind.REGULAR, state__in=OPEN)
    return waiting.filter(member__user__isnull=False).count()


def are_shown_early(collection: Collection) -> bool:
    """Whether an owner lets models and people see grades of each other before both have finished."""
    return ModelRules.objects.filter(collection=collection, show_early=True).exists()


def are_shown(collection: Collection) -> bool:
    """Whether people who judge may see grades of models now."""
    if are_shown_early(collection):
        return True
    unfinished = ModelWork.objects.filter(judge__collection=collection, repeat=0, finished_at=None)
    return not unfinished.exists() and not open_assignments(collection)
