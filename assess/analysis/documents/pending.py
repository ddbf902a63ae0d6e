"""Figures of documents that take long to compute: a job computes them, and the cache of results keeps them.

Figures of small collections are computed at once. This module does not load pandas before they are.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assess.analysis import pending
from assess.analysis.shift_query import ShiftInputs
from assess.jobs.pending import Started, known_or_pending
from assess.models import Collection, Judgement, JudgementKind, Role, Run, User

JUDGEMENTS_OF_SYSTEMS_AT_ONCE = 80_000  # judgements times systems: the leverage takes a tenth of a second

if TYPE_CHECKING:
    from agreement import Leverage, RankedRuns


def runs_or_pending(collection: Collection, user: User) -> "RankedRuns":
    """Return the prepared runs, or raise Pending if preparing them takes more than a moment."""
    from assess.analysis.documents.systems import ranked_runs, runs_key  # loads pandas

    runs = list(collection.runs.all())
    if _is_small(runs):
        return ranked_runs(runs)
    prepared: RankedRuns = known_or_pending("prepare_runs", collection, user, runs_key(runs), {})
    return prepared


def leverage_or_pending(
    collection: Collection, user: User, measure: str, rule: str, topics: Sequence[str] = ()
) -> "Leverage":
    """Return the effect of each disputed document, or raise Pending if computing it takes more than a moment.

    `topics` are those of the ranking; none means all.
    """
    from assess.analysis.data import judgements_state  # loads pandas
    from assess.analysis.documents.leverage import leverage_key, leverage_of

    runs, judgements = list(collection.runs.all()), _judgements(collection)
    is_small = _is_small(runs) and len(runs) * judgements <= JUDGEMENTS_OF_SYSTEMS_AT_ONCE
    if is_small and pending.is_small_for_golds(judgements, (rule,)):
        return leverage_of(collection, _inputs(measure, topics), gold=rule)
    key = leverage_key(judgements_state(collection, runs), _inputs(measure, topics), rule)
    arguments = {"measure": measure, "rule": rule, "topics": list(topics)}
    leverage: Leverage = known_or_pending("document_leverage", collection, user, key, arguments)
    return leverage


def compute_runs(collection: Collection, key: str) -> Started:
    """Prepare the runs for the cache of results: the function of the job `prepare_runs`."""
    from assess.analysis.documents.systems import ranked_runs  # loads pandas

    ranked_runs(list(collection.runs.all()))
    return Started(key)


def compute_leverage(collection: Collection, key: str, measure: str, rule: str, topics: Sequence[str] = ()) -> Started:
    """Compute the effect of each disputed document: the function of the job `document_leverage`."""
    from assess.analysis.documents.leverage import leverage_of  # loads pandas

    leverage_of(collection, _inputs(measure, topics), gold=rule)
    return Started(key)


def _inputs(measure: str, topics: Sequence[str]) -> ShiftInputs:
    return ShiftInputs(measure, topics=tuple(topics))


def _judgements(collection: Collection) -> int:
    judged = Judgement.objects.filter(member__collection=collection, member__role=Role.ASSESSOR)
    return judged.filter(repeat=JudgementKind.REGULAR).count()


def _is_small(runs: Sequence[Run]) -> bool:
    return sum(run.line_count for run in runs) <= pending.RUN_LINES_AT_ONCE
