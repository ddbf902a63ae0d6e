"""Figures that take long to compute: a job computes them, and the cache of results keeps them.

Figures of small collections are computed at once. This module does not load pandas before they are.
"""

from typing import Any

from django.utils.module_loading import import_string

from assess.analysis.selection import Selection
from assess.jobs import results
from assess.jobs.pending import Started, known_or_pending
from assess.models import Collection, Exercise, Judgement, Role, User

RUN_LINES_AT_ONCE = 250_000
JUDGEMENTS_AT_ONCE = 50_000
RATINGS_OF_PAIRS_AT_ONCE = 8_000_000
CLASS_SECONDS = 120  # the figures of a class contain nicknames
AGREEMENT_PAGES = {
    "agreement": "assess.analysis.agreement.agreement_figures",
    "topics": "assess.analysis.agreement.topics_frame",
    "judges": "assess.analysis.judges.habits.judges_figures",
    "time": "assess.analysis.judges.time.time_frame",
}


def shift_or_pending(collection: Collection, user: User, measure: str, reference: str | None) -> Any:
    """Return the ranking shift, or raise Pending if computing it takes more than a moment."""
    from assess.analysis import shift
    from assess.analysis.data import judgements_state

    if _is_small_for_shift(collection):
        return shift.collection_shift(collection, measure, reference=reference)
    state = judgements_state(collection, collection.runs.all())
    key = shift.shift_key(state, measure, reference=reference)
    return known_or_pending("shift", collection, user, key, {"measure": measure, "reference": reference})


def agreement_or_pending(
    collection: Collection, user: User, page: str, selection: Selection, reference: str | None = None
) -> Any:
    """Return the figures of one of the agreement pages, or raise Pending if computing them takes more than a moment.

    `page` is a key of `AGREEMENT_PAGES`.
    """
    from assess.analysis.agreement import agreement_key

    key = agreement_key(collection, selection, page, reference)
    if (result := results.get(key)) is not None:
        return result
    if _is_small_for_agreement(collection):
        return _compute_page(collection, key, page, selection, reference)
    arguments = {"page": page, "selection": selection.to_input(), "reference": reference}
    return known_or_pending("agreement", collection, user, key, arguments)


def compute_shift(collection: Collection, key: str, measure: str, reference: str | None) -> Started:
    """Compute a ranking shift for the cache of results: the function of the job `shift`."""
    from assess.analysis.shift import collection_shift

    collection_shift(collection, measure, reference=reference)
    return Started(key)


def compute_agreement(
    collection: Collection, key: str, page: str, selection: dict[str, Any], reference: str | None
) -> Started:
    """Compute the figures of an agreement page for the cache of results: the function of the job `agreement`."""
    _compute_page(collection, key, page, Selection.from_input(selection), reference)
    return Started(key)


def _compute_page(collection: Collection, key: str, page: str, selection: Selection, reference: str | None) -> Any:
    figures = import_string(AGREEMENT_PAGES[page])(collection, selection, reference)
    is_class = Exercise.objects.filter(collection=collection).exists()
    results.keep(key, figures, CLASS_SECONDS if is_class else results.SECONDS)
    return figures


def _is_small_for_shift(collection: Collection) -> bool:
    lines = sum(run.line_count for run in collection.runs.all())
    return lines <= RUN_LINES_AT_ONCE and _judgements(collection) <= JUDGEMENTS_AT_ONCE


def _is_small_for_agreement(collection: Collection) -> bool:
    """Whether few judgements are compared: each is compared with those of all other judges."""
    judges = collection.members.filter(role=Role.ASSESSOR).count()
    return _judgements(collection) * judges <= RATINGS_OF_PAIRS_AT_ONCE


def _judgements(collection: Collection) -> int:
    return Judgement.objects.filter(member__collection=collection, member__role=Role.ASSESSOR, repeat=0).count()
