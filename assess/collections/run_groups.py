"""Runs that repeat one system, for example with several seeds: which run belongs to which group, and changing it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from django.db import transaction

from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.lib.batches import BATCH
from assess.models import Collection, GroupedRun, RunGroup
from pooling.errors import shown
from pooling.ids import id_problem


@dataclass(frozen=True)
class GroupsChange:
    """How many runs now belong to another group than before, and how many belonged to it already."""

    changed: int
    same: int


def groups_by_system(collection: Collection) -> dict[str, str]:
    """Return the group of each run that belongs to one, by system."""
    rows = GroupedRun.objects.filter(run__collection=collection).order_by("run__system")
    return dict(rows.values_list("run__system", "group__name"))


def group_runs(collection: Collection, systems: Iterable[str], name: str) -> GroupsChange:
    """Put runs into a group, which is created if it is new; with an empty name into none.

    A run leaves the group that it was in, and a group without runs is deleted. If a run is unknown, nothing changes.
    """
    chosen = list(dict.fromkeys(systems))
    if not chosen:
        raise Refused("Choose at least one run.")
    if name and (problem := id_problem(name)):
        raise Refused(f"The name of a group is like that of a system, but {shown(name)} {problem}.")
    with transaction.atomic():
        lock_active(collection)
        keys = _keys(collection, chosen, name)
        before = dict(GroupedRun.objects.filter(run__collection=collection).values_list("run", "group__name"))
        changed = [key for key in keys if before.get(key, "") != name]
        _save(collection, changed, name)
    return GroupsChange(len(changed), len(keys) - len(changed))


def matching_systems(collection: Collection, patterns: Sequence[str]) -> list[str]:
    """Return the systems that are named, or that match a pattern such as "dense-seed*". Refused if one matches none."""
    known = list(collection.runs.values_list("system", flat=True))
    matching: list[str] = []
    for pattern in patterns:
        systems = [pattern] if pattern in known else [each for each in known if fnmatchcase(each, pattern)]
        if not systems:
            raise Refused(f"There is no run {shown(pattern)} in {collection}; nothing was changed.")
        matching += systems
    return matching


def _keys(collection: Collection, systems: Sequence[str], name: str) -> list[int]:
    known = dict(collection.runs.values_list("system", "pk"))
    if unknown := [system for system in systems if system not in known]:
        raise Refused(f"There is no run {shown(unknown[0])} in {collection}; nothing was changed.")
    if name in known and name not in systems and groups_by_system(collection).get(name) != name:
        raise Refused(f"The run {shown(name)} is not in the group, so the group needs another name.")
    return [known[system] for system in systems]


def _save(collection: Collection, keys: Sequence[int], name: str) -> None:
    group = RunGroup.objects.get_or_create(collection=collection, name=name)[0] if name and keys else None
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        GroupedRun.objects.filter(run__in=batch).delete()
        if group:
            GroupedRun.objects.bulk_create(GroupedRun(run_id=key, group=group) for key in batch)
    collection.run_groups.filter(grouped_runs=None).delete()
