"""Figures that take long to compute: a job computes them, and the cache of results keeps them.

Figures of small collections are computed at once. This module does not load pandas before they are.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from assess.analysis.shift_query import ShiftInputs
from assess.errors import Refused
from assess.jobs import queue, results
from assess.models import Collection, Job, JobState, Judgement, Pilot, Role, User

# Each takes about 1.5 seconds at most.
RUN_LINES_AT_ONCE = 1_000_000
RATINGS_OF_PAIRS_AT_ONCE = 5_000_000
JUDGEMENTS_OF_GOLDS_AT_ONCE = 500_000  # judgements times golds
GOLDS_AT_ONCE = 16
OF_KNOWN_SHIFT = ("swaps", "differences")  # whose pages show the shift itself first
USUAL_GOLDS = 4  # union, intersection, majority and perhaps adjudicated
RETRY_AFTER = timedelta(minutes=1)


class Pending(Exception):  # noqa: N818 - not an error
    """A job computes the figures."""

    def __init__(self, job: Job) -> None:
        super().__init__(job)
        self.job = job


@dataclass(frozen=True)
class Started:
    """The result of a job that computed figures: their key in the cache of results."""

    key: str


def shift_or_pending(collection: Collection, user: User, inputs: ShiftInputs) -> Any:
    """Return the ranking shift, or raise Pending if computing it takes more than a moment."""
    from assess.analysis.shift.ranking import chosen_runs, shift_key, shift_of

    key = shift_key(_state(collection, chosen_runs(collection, inputs)), inputs)
    if (result := results.get(key)) is not None:
        return result
    if _is_small_for_shift(collection, inputs):
        return shift_of(collection, inputs)
    return _known_or_pending("shift", collection, user, key, inputs.to_json())


def part_or_pending(name: str, collection: Collection, user: User, inputs: ShiftInputs, **options: Any) -> Any:
    """Return a part of the shift pages, such as the leverage of documents, or raise Pending if it takes long.

    `name` is a key of `assess.analysis.shift.parts.PARTS`, and `options` are the arguments of its function.
    """
    from assess.analysis.shift import parts
    from assess.analysis.shift.ranking import chosen_runs

    key = parts.part_key(name, _state(collection, chosen_runs(collection, inputs)), inputs, options)
    if (result := results.get(key)) is not None:
        return result
    if _is_small_for_part(name, collection, inputs, options):
        return parts.keep_part(name, collection, key, inputs, options)
    arguments = {"name": name, "inputs": inputs.to_json(), "options": options}
    return _known_or_pending(f"shift_{name}", collection, user, key, arguments)


def kept_drawing(collection: Collection, key: str, draw: Callable[[], Any]) -> Any:
    """Return a drawing of the shift pages from the cache of results, or draw it and store it there."""
    from assess.analysis.shift.ranking import seconds_kept

    if (drawing := results.get(key)) is None:
        drawing = draw()
        results.keep(key, drawing, seconds_kept(collection))
    return drawing


def agreement_or_pending(collection: Collection, user: User, rel: int | None, pilot: Pilot | None = None) -> Any:
    """Return the figures of the agreement page, or raise Pending if computing them takes more than a moment."""
    from assess.analysis import agreement

    if pilot or _is_small_for_agreement(collection):
        return agreement.agreement_figures(collection, rel, pilot)
    key = agreement.agreement_key(collection, rel)
    return _known_or_pending("agreement", collection, user, key, {"rel": rel})


def compute_shift(collection: Collection, key: str, **inputs: Any) -> Started:
    """Compute a ranking shift for the cache of results: the function of the job `shift`."""
    from assess.analysis.shift.ranking import shift_of

    shift_of(collection, ShiftInputs.from_json(inputs))
    return Started(key)


def compute_part(
    collection: Collection, key: str, name: str, inputs: dict[str, Any], options: dict[str, Any]
) -> Started:
    """Compute a part of the shift pages for the cache of results: the function of its job."""
    from assess.analysis.shift import parts

    parts.keep_part(name, collection, key, ShiftInputs.from_json(inputs), options)
    return Started(key)


def compute_agreement(collection: Collection, key: str, rel: int | None) -> Started:
    """Compute the figures of the agreement page for the cache of results: the function of the job `agreement`."""
    from assess.analysis.agreement import agreement_figures

    results.keep(key, agreement_figures(collection, rel))
    return Started(key)


def _known_or_pending(kind: str, collection: Collection, user: User, key: str, arguments: dict[str, Any]) -> Any:
    if (result := results.get(key)) is not None:
        return result
    latest = Job.objects.filter(collection=collection, kind=kind, input__key=key).first()
    if latest and latest.state in queue.UNFINISHED:
        raise Pending(latest)
    if latest and latest.state == JobState.FAILED and _has_just_ended(latest):
        raise Refused(latest.error)
    raise Pending(queue.start(kind, collection, user, {"key": key} | arguments))


def _has_just_ended(job: Job) -> bool:
    return job.ended_at is not None and job.ended_at > timezone.now() - RETRY_AFTER


def _state(collection: Collection, runs: Any) -> tuple[Any, ...]:
    from assess.analysis.data import judgements_state

    return judgements_state(collection, runs)


def _is_small_for_shift(collection: Collection, inputs: ShiftInputs) -> bool:
    """Whether there are few lines of runs, and few golds to derive and to compare with each other."""
    judgements, judges = _judgements(collection), _judges(collection)
    golds = len(inputs.rules) or judges + USUAL_GOLDS
    return (
        _run_lines(collection) <= RUN_LINES_AT_ONCE
        and judgements * golds <= JUDGEMENTS_OF_GOLDS_AT_ONCE
        and golds <= GOLDS_AT_ONCE
    )


def _is_small_for_part(name: str, collection: Collection, inputs: ShiftInputs, options: dict[str, Any]) -> bool:
    """Whether a part takes less than a moment, by what its time grows with."""
    if name not in OF_KNOWN_SHIFT and not _is_small_for_shift(collection, inputs):
        return False
    runs = collection.runs.all()
    systems, judgements = len(runs), _judgements(collection)
    costs = {  # with numbers that take about a second
        "leverage": (systems * judgements, 800_000),
        "swap": (judgements, 1_000),
        "swaps": (systems**2, 20_000),
        "differences": (systems**2, 1_000 if options.get("test") in ("randomisation", "tukey") else 20_000),
        "mixed": (systems**2 * judgements, 200_000),
        "intervals": (systems * judgements, 1_000_000),
        "measures": (len(options.get("measures", ())) * _run_lines(collection), RUN_LINES_AT_ONCE),
    }
    cost, most = costs[name]
    return cost <= most


def _run_lines(collection: Collection) -> int:
    return sum(run.line_count for run in collection.runs.all())


def _judgements(collection: Collection) -> int:
    return Judgement.objects.filter(member__collection=collection, member__role=Role.ASSESSOR, repeat=0).count()


def _judges(collection: Collection) -> int:
    return collection.members.filter(role=Role.ASSESSOR).count()


def _is_small_for_agreement(collection: Collection) -> bool:
    """Whether few judgements are compared: each is compared with those of all other judges."""
    return _judgements(collection) * _judges(collection) <= RATINGS_OF_PAIRS_AT_ONCE
