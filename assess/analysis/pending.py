"""Figures that take long to compute: a job computes them, and the cache of results keeps them.

Figures of small collections are computed at once. This module does not load pandas before they are.
"""

from typing import Any

from assess.jobs import results
from assess.jobs.pending import Started, known_or_pending
from assess.models import Collection, Judgement, Pilot, Role, User

RUN_LINES_AT_ONCE = 250_000
JUDGEMENTS_AT_ONCE = 50_000
RATINGS_OF_PAIRS_AT_ONCE = 1_000_000


def shift_or_pending(collection: Collection, user: User, measure: str, reference: str | None) -> Any:
    """Return the ranking shift, or raise Pending if computing it takes more than a moment."""
    from assess.analysis import shift
    from assess.analysis.data import judgements_state

    if _is_small_for_shift(collection):
        return shift.collection_shift(collection, measure, reference=reference)
    state = judgements_state(collection, collection.runs.all())
    key = shift.shift_key(state, measure, reference=reference)
    return known_or_pending("shift", collection, user, key, {"measure": measure, "reference": reference})


def agreement_or_pending(collection: Collection, user: User, rel: int | None, pilot: Pilot | None = None) -> Any:
    """Return the figures of the agreement page, or raise Pending if computing them takes more than a moment."""
    from assess.analysis import agreement

    if pilot or _is_small_for_agreement(collection):
        return agreement.agreement_figures(collection, rel, pilot)
    key = agreement.agreement_key(collection, rel)
    return known_or_pending("agreement", collection, user, key, {"rel": rel})


def compute_shift(collection: Collection, key: str, measure: str, reference: str | None) -> Started:
    """Compute a ranking shift for the cache of results: the function of the job `shift`."""
    from assess.analysis.shift import collection_shift

    collection_shift(collection, measure, reference=reference)
    return Started(key)


def compute_agreement(collection: Collection, key: str, rel: int | None) -> Started:
    """Compute the figures of the agreement page for the cache of results: the function of the job `agreement`."""
    from assess.analysis.agreement import agreement_figures

    results.keep(key, agreement_figures(collection, rel))
    return Started(key)


def _is_small_for_shift(collection: Collection) -> bool:
    lines = sum(run.line_count for run in collection.runs.all())
    return lines <= RUN_LINES_AT_ONCE and _judgements(collection) <= JUDGEMENTS_AT_ONCE


def _is_small_for_agreement(collection: Collection) -> bool:
    """Whether few judgements are compared: each is compared with those of all other judges."""
    judgements = _judgements(collection)
    judges = collection.members.filter(role=Role.ASSESSOR).count()
    return judgements <= JUDGEMENTS_AT_ONCE and judgements * judges <= RATINGS_OF_PAIRS_AT_ONCE


def _judgements(collection: Collection) -> int:
    return Judgement.objects.filter(member__collection=collection, member__role=Role.ASSESSOR, repeat=0).count()
