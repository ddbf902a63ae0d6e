"""How the result of a job is undone, for the page of the job."""

from collections.abc import Callable
from typing import Any

from django.urls import reverse

from assess.models import ImportRecord, Job, JobState, Member
from assess.pools.building.undo import last_building
from assess.pools.unassign import not_begun
from assess.transfer.undo import obstacles
from assess.web.undoable import Undo


def undo_of(job: Job, member: Member) -> Undo | None:
    """Return the form that undoes what the job did; None if it cannot be undone any more."""
    find = UNDO.get(job.kind)
    is_possible = job.state == JobState.DONE and not member.collection.archived_at
    return find(job, member) if find and is_possible else None


def _of_pool(job: Job, member: Member) -> Undo | None:
    building = last_building(member.collection)
    if building is None or building.tasks_changed is None or not _is_of(job, building.built_at):
        return None
    return Undo(_address("undo_pool", member), [("building", building.pk)])


def _of_assignments(_: Job, member: Member) -> Undo | None:
    collection = member.collection
    return (
        None if collection.open_to_claims or not not_begun(collection).exists() else Undo(_address("unassign", member))
    )


def _of_import(job: Job, member: Member) -> Undo | None:
    kind = job.kind.removeprefix("import_")
    records = ImportRecord.objects.filter(collection=member.collection, kind=kind, user=job.user, undone_at=None)
    record = records.filter(imported_at__gte=job.created_at).last()
    if record is None or not _is_of(job, record.imported_at) or obstacles(member.collection, [record])[record.pk]:
        return None
    return Undo(_address("import_undo", member, record.pk))


def _is_of(job: Job, moment: Any) -> bool:
    return job.ended_at is not None and job.created_at <= moment <= job.ended_at


def _address(view: str, member: Member, *keys: int) -> str:
    return reverse(f"research:{view}", args=[member.collection.slug, *keys])


UNDO: dict[str, Callable[[Job, Member], Undo | None]] = {
    "build_pool": _of_pool,
    "import_pool": _of_pool,
    "assign": _of_assignments,
    **dict.fromkeys(("import_topics", "import_runs", "import_documents"), _of_import),
}
