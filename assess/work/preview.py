"""What an assignment would mean for each person, before anything is saved."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from assess.collections.members import active_assessors
from assess.errors import Refused
from assess.models import Collection, JobState
from assess.pools.assign import AssignPlan, fingerprint, plan_assignments
from assess.pools.tasks import pooled_tasks

if TYPE_CHECKING:
    import numpy as np

MOST_IN_MATRIX = 12  # people; with more, only the least and the most overlap of a pair are shown
MOST_LIVE = 4_000  # assignments; a preview of more takes too long to follow every change of the form
MOST_AT_ONCE = 20_000  # assignments; a preview of more takes over a second
MAX_PACE = 10_000  # documents an hour


@dataclass(frozen=True)
class PersonLoad:
    """What one assessor has and gets. `hours` is the time for the new documents, repeats included."""

    name: str
    existing: int
    new: int
    repeats: int
    total: int
    topics: int
    hours: float
    is_excluded: bool


@dataclass(frozen=True)
class OverlapRow:
    """The number of documents that an assessor has in common with each of the people, None for the same person."""

    name: str
    common: list[int | None]


@dataclass(frozen=True)
class Preview:
    """The plan of an assignment.

    `fingerprint` makes `assign` refuse to save another plan. `least_common` and `most_common` are the documents that
    two people have in common, over all pairs; None for one person. `matrix` is empty for many people.
    """

    seed: int
    tasks: int
    added: int
    repeats: int
    hours: float
    people: list[PersonLoad]
    least_common: int | None
    most_common: int | None
    matrix: list[OverlapRow]
    shortfall: str
    fingerprint: str


def preview(collection: Collection, pace: float, **options: Any) -> Preview:
    """Plan an assignment with the options of `assign`. `pace` is the number of documents an hour."""
    if not 0 < pace <= MAX_PACE:
        raise Refused(f"The pace must be above 0 and at most {MAX_PACE:,} documents an hour, not {pace:g}.")
    before = fingerprint(collection)
    plan = plan_assignments(collection, **options)
    common = _common(plan)
    number = len(plan.members)
    pairs = [int(common[a, b]) for a in range(number) for b in range(a)]
    return Preview(
        seed=collection.seed,
        tasks=len(plan.tasks),
        added=len(plan.new),
        repeats=int(plan.new.repeats.sum()),
        hours=len(plan.new) / pace,
        people=_people(plan, pace),
        least_common=min(pairs, default=None),
        most_common=max(pairs, default=None),
        matrix=_matrix(plan, common) if 1 < number <= MOST_IN_MATRIX else [],
        shortfall=plan.new.shortfall(),
        fingerprint=before,
    )


def is_live(collection: Collection, **options: Any) -> bool:
    """Return whether a preview is so quick that it can follow every change of the form."""
    return _assignments(collection, **options) <= MOST_LIVE


def is_large(collection: Collection, **options: Any) -> bool:
    """Return whether a preview takes so long that a job must compute it."""
    return _assignments(collection, **options) > MOST_AT_ONCE


def _assignments(collection: Collection, judges: int = 1, shared: int | None = None, **_: Any) -> int:
    """Return the most assignments that these options of `assign` can make, without repeats."""
    people = len(active_assessors(collection)) if shared is not None else judges
    return pooled_tasks(collection).count() * people


def earlier_preview(collection: Collection, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the result of a job with the same arguments, if nothing has changed since."""
    jobs = collection.jobs.filter(kind="preview_assign", state=JobState.DONE, input=dict(arguments))
    result: dict[str, Any] | None = jobs.values_list("result", flat=True).first()
    return result if result and result["fingerprint"] == fingerprint(collection) else None


@dataclass(frozen=True)
class LoadBar:
    """The load of one assessor, in percent of the largest. `username` is empty if the viewer may not know it."""

    name: str
    username: str
    existing: float
    new: float
    total: int
    hours: float


def load_bars(preview: Preview | Mapping[str, Any], usernames: Mapping[str, str]) -> list[LoadBar]:
    """Return the loads of a preview, which may be the result of a job."""
    people = preview["people"] if isinstance(preview, Mapping) else [asdict(person) for person in preview.people]
    most = max((person["total"] for person in people), default=0) or 1
    return [
        LoadBar(
            name=person["name"],
            username=usernames.get(person["name"], ""),
            existing=100 * person["existing"] / most,
            new=100 * (person["total"] - person["existing"]) / most,
            total=person["total"],
            hours=person["hours"],
        )
        for person in people
    ]


def _people(plan: AssignPlan, pace: float) -> list[PersonLoad]:
    import numpy as np

    number = len(plan.members)
    existing = np.bincount([each.assessor for each in plan.existing], minlength=number).tolist()
    is_repeat = plan.new.repeats == 1
    new = np.bincount(plan.new.assessors[~is_repeat], minlength=number).tolist()
    repeats = np.bincount(plan.new.assessors[is_repeat], minlength=number).tolist()
    topics = _topics(plan)
    return [
        PersonLoad(
            name=member.name,
            existing=existing[at],
            new=new[at],
            repeats=repeats[at],
            total=existing[at] + new[at] + repeats[at],
            topics=topics[at],
            hours=(new[at] + repeats[at]) / pace,
            is_excluded=member in plan.excluded,
        )
        for at, member in enumerate(plan.members)
    ]


def _topics(plan: AssignPlan) -> list[int]:
    """Return in how many topics each member has tasks."""
    import numpy as np

    _, topic_at = np.unique([topic for _, topic in plan.tasks], return_inverse=True)
    has = np.zeros((topic_at.max() + 1, len(plan.members)), dtype=bool)
    tasks, assessors = _existing(plan)
    has[topic_at[tasks], assessors] = True
    has[topic_at[plan.new.tasks], plan.new.assessors] = True
    result: list[int] = has.sum(axis=0).tolist()
    return result


def _common(plan: AssignPlan) -> "np.ndarray":
    """Return the number of tasks that each two members have in common, shape (members, members)."""
    import numpy as np

    held = np.zeros((len(plan.tasks), len(plan.members)), dtype=np.float32)  # exact up to 16 million tasks
    held[_existing(plan)] = 1
    held[plan.new.tasks, plan.new.assessors] = 1
    return (held.T @ held).astype(np.int64)


def _existing(plan: AssignPlan) -> "tuple[np.ndarray, np.ndarray]":
    """Return the tasks and the assessors of the existing assignments."""
    import numpy as np

    columns = np.array([(each.task, each.assessor) for each in plan.existing], dtype=np.int64).reshape(-1, 2)
    return columns[:, 0], columns[:, 1]


def _matrix(plan: AssignPlan, common: "np.ndarray") -> list[OverlapRow]:
    return [
        OverlapRow(member.name, [None if a == b else int(number) for b, number in enumerate(common[a])])
        for a, member in enumerate(plan.members)
    ]
