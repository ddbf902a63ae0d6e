"""What a checkpoint covers next to the chains. This docstring specifies version 2 of a checkpoint.

The `covered` of a checkpoint is a JSON object:

    version     2
    at          when it was computed, which is also its time
    reason      its reason
    members     for each member: primary key, the key of the account or null, role, salted hash of the pseudonym
    building    primary key of the last pool building, or null
    pool        hash of the pool buildings, and of the provenance of pooled tasks and its changes
    samples     hash of the random draws and their tasks
    answers     for each member with answers at the end of a topic: primary key, keys of the topics, hash of the answers
    tombstones  number of tombstones of the collection, and their hash
    audit       key of the last entry of the audit log of the collection, and for each month the number of entries and
                their hash

A checkpoint of version 1 has none. The hashes are SHA-256 over one line of JSON for each row. The salt of a pseudonym
is stored next to the checkpoint and deleted when the person is erased: nobody can find out the pseudonym afterwards.
The comment of an answer is not covered, for the same reason.

Later changes that the collection allows are no difference. The pool as it was is computed from what later buildings
changed. An answer that was given later is not compared. A changed role, a removed member and an undone building need
an entry in the audit log. After `AUDIT_DAYS`, old entries are deleted: then neither they nor such changes are compared.
Entries of the last minutes are left out, because a transaction that is not finished may still add one before them.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.conf import settings
from django.db.models import Max
from django.utils import timezone

from assess.judging.chain_format import comment_hash, salted
from assess.models import (
    Action,
    AuditEvent,
    Checkpoint,
    Collection,
    Member,
    PoolChange,
    Provenance,
    SampledTask,
    Tombstone,
    TopicFeedback,
    TopicSample,
)
from pooling.errors import shown
from pooling.words import count

VERSION = 2
CHUNK = 5_000
SETTLED = timedelta(minutes=10)  # longer than a transaction takes that writes to the audit log
OF_MEMBERS = (
    *(Action.MEMBER_REMOVED, Action.MEMBERS_ERASED, Action.PERSON_ERASED, Action.ROLE_CHANGED),
    *(Action.JUDGE_WITHDRAWN, Action.JUDGE_RESTORED),
)
BUILDING = ("pk", "strategy", "parameters", "run_checksums", "tasks_added", "tasks_changed", "built_at")
SAMPLE = (
    *("pk", "building", "topic__query_id", "seed", "population", "population_size", "population_hash", "start"),
    *("size", "was_unseen"),
)
STONE = ("pk", "members", "judgements", "events", "chains", "comments", "reason", "erased_at")
ENTRY = (*("pk", "at", "action", "actor", "person", "collection_slug", "subject", "details", "address_hash"),)


def cover(collection: Collection, reason: str, at: datetime) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what a checkpoint covers now, and the salts of the pseudonyms by the member's key."""
    members, salts = _members(collection)
    building = collection.pool_buildings.aggregate(last=Max("pk"))["last"]
    own = AuditEvent.objects.filter(collection=collection.pk, at__lt=at - SETTLED)
    last = own.aggregate(last=Max("pk"))["last"] or 0
    covered = {
        "version": VERSION,
        "at": at.isoformat(),
        "reason": reason,
        "members": members,
        "building": building,
        "pool": pool_hash(collection, building) if building else "",
        "samples": samples_hash(collection, building) if building else "",
        "answers": _answers(collection),
        "tombstones": _tombstones(collection),
        "audit": {"last": last, "months": _months_at(collection, [last])[last]},
    }
    return covered, salts


def _members(collection: Collection) -> tuple[list[list[Any]], dict[str, str]]:
    rows, salts = [], {}
    for pk, user, role, name in collection.members.order_by("pk").values_list("pk", "user", "role", "name"):
        salt, own = salted(name)
        rows.append([pk, user, role, own.hex() if own else ""])
        salts[str(pk)] = salt.hex() if salt else ""
    return rows, salts


def forget_names(collection: Collection, members: Iterable[Member]) -> None:
    """Delete the salts of these members' pseudonyms from all checkpoints. Nobody can find the names by trying then."""
    keys = {str(member.pk) for member in members}
    for checkpoint in collection.checkpoints.filter(salts__isnull=False).only("pk", "salts").iterator(100):
        kept = {key: salt for key, salt in (checkpoint.salts or {}).items() if key not in keys}
        if kept != checkpoint.salts:
            Checkpoint.objects.filter(pk=checkpoint.pk).update(salts=kept)


def _is_name(salt: object, name: str, hashed: str) -> bool:
    """Whether the salted hash is that of the name. The salts are not covered, so anything may be in their place."""
    try:
        return comment_hash(bytes.fromhex(str(salt)), name).hex() == hashed
    except ValueError:
        return False


# ---- hashes of rows


class _Rows:
    """A hash of rows, one line of JSON for each."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self.number = 0

    def add(self, row: Iterable[Any]) -> None:
        text = json.dumps(list(row), separators=(",", ":"), sort_keys=True, default=_time)
        self._hash.update(f"{text}\n".encode())
        self.number += 1

    def hex(self) -> str:
        return self._hash.hexdigest()


def _time(value: datetime) -> str:
    return value.isoformat()


def pool_hash(collection: Collection, last: int) -> str:
    """Return the hash of the pool as it was after the building `last`.

    Tasks that a learner or a searcher brought into the pool are left out: they may leave it again.
    """
    rows = _Rows()
    for building in collection.pool_buildings.filter(pk__lte=last).order_by("pk").values_list(*BUILDING):
        rows.add(building)
    names = ("task", "task__topic__query_id", "task__document__doc_id", "task__draw", "systems", "best_rank")
    pooled = Provenance.objects.filter(task__topic__collection=collection).order_by("task")
    tasks = pooled.values_list(*names).iterator(CHUNK)
    first = next(tasks, None)  # before the changes are read: what a building changes now is then among these
    changes = _changes(collection)
    task, own = next(changes, (None, []))
    while first is not None:
        while task is not None and task < first[0]:
            task, own = next(changes, (None, []))
        _add_task(rows, first, own if task == first[0] else [], last)
        first = next(tasks, None)
    return rows.hex()


def _changes(collection: Collection) -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
    """Yield the changes of each task by pool buildings, in the order of the buildings."""
    changes = PoolChange.objects.filter(building__collection=collection).order_by("task", "building")
    rows = changes.values_list("task", "building", "is_new", "systems_before", "best_rank_before")
    for task, group in groupby(rows.iterator(CHUNK), key=itemgetter(0)):
        yield task, [row[1:] for row in group]


def _add_task(rows: _Rows, task: tuple[Any, ...], changes: list[tuple[Any, ...]], last: int) -> None:
    *named, systems, best_rank = task
    then = [change for change in changes if change[0] <= last]
    later = next((change for change in changes if change[0] > last), None)
    if later:
        _, _, systems, best_rank = later
    if systems or (systems is not None and then):
        rows.add([*named, systems, best_rank, then])


def samples_hash(collection: Collection, last: int) -> str:
    """Return the hash of the random draws up to the pool building `last`."""
    rows = _Rows()
    samples = TopicSample.objects.filter(building__collection=collection, building__lte=last)
    for sample in samples.order_by("pk").values_list(*SAMPLE).iterator(CHUNK):
        rows.add(sample)
    tasks = SampledTask.objects.filter(sample__in=samples.values("pk")).order_by("sample", "position")
    for task in tasks.values_list("sample", "position", "task").iterator(CHUNK):
        rows.add(task)
    return rows.hex()


def _tombstones(collection: Collection, most: int | None = None) -> list[Any]:
    """Return the number of tombstones and their hash, or those of the first `most` of them."""
    rows = _Rows()
    for stone in Tombstone.objects.filter(collection_slug=collection.slug).order_by("pk").values_list(*STONE)[:most]:
        rows.add(stone)
    return [rows.number, rows.hex()]


def _answers(collection: Collection) -> list[list[Any]]:
    """Return the keys of the topics and the hash of the answers of each member."""
    answers = TopicFeedback.objects.filter(member__collection=collection).order_by("member", "topic")
    rows = answers.values_list("member", "topic", "difficulty", "answered_at").iterator(CHUNK)
    return [_of_member(member, group) for member, group in groupby(rows, key=itemgetter(0))]


def _of_member(member: int, answers: Iterable[tuple[Any, ...]]) -> list[Any]:
    rows, topics = _Rows(), []
    for answer in answers:
        rows.add(answer)
        topics.append(answer[1])
    return [member, topics, rows.hex()]


def _months_at(collection: Collection, lasts: Iterable[int]) -> dict[int, list[list[Any]]]:
    """Return the number of entries of the audit log up to each of these keys, and their hash, month by month."""
    months: dict[str, _Rows] = defaultdict(_Rows)
    found: dict[int, list[list[Any]]] = {}
    waiting = sorted(set(lasts))
    entries = AuditEvent.objects.filter(collection=collection.pk, pk__lte=max(waiting, default=0)).order_by("pk")
    for entry in entries.values_list(*ENTRY).iterator(CHUNK):
        while waiting[0] < entry[0]:
            found[waiting.pop(0)] = _listed(months)
        months[f"{entry[1]:%Y-%m}"].add(entry)
    return found | {last: _listed(months) for last in waiting}


def _listed(months: dict[str, _Rows]) -> list[list[Any]]:
    return [[month, rows.number, rows.hex()] for month, rows in sorted(months.items())]


# ---- comparing


class Present:
    """What a collection has now, to compare it with several of its checkpoints. Everything is read once."""

    def __init__(self, collection: Collection, covered: Iterable[dict[str, Any]]) -> None:
        self.collection = collection
        self._months = _months_at(collection, [each["audit"]["last"] for each in covered])
        self._oldest = timezone.now() - timedelta(days=settings.AUDIT_DAYS)
        self._pools: dict[int, tuple[str, str]] = {}
        names = ("user", "role", "name", "removed_at")
        self._members = {row[0]: row[1:] for row in collection.members.values_list("pk", *names)}
        self._answers = self._by_member()

    def _by_member(self) -> dict[int, dict[int, tuple[Any, ...]]]:
        answers: dict[int, dict[int, tuple[Any, ...]]] = defaultdict(dict)
        rows = TopicFeedback.objects.filter(member__collection=self.collection)
        for row in rows.values_list("member", "topic", "difficulty", "answered_at").iterator(CHUNK):
            answers[row[0]][row[1]] = row
        return answers

    def differences(self, covered: dict[str, Any], salts: dict[str, str], events: int) -> Iterator[str]:
        """Yield what is not as it was at a checkpoint, and what nothing explains."""
        at = datetime.fromisoformat(covered["at"])
        yield from self._of_members(covered["members"], salts, at)
        if covered["building"] and events:  # a pool can be changed freely before anybody has judged
            yield from self._of_pool(covered, at)
        yield from self._of_answers(covered["answers"], at)
        if _tombstones(self.collection, covered["tombstones"][0]) != covered["tombstones"]:
            yield f"the first {covered['tombstones'][0]:,} tombstones are not those of the checkpoint"
        yield from self._of_log(covered["audit"])

    def _of_members(self, members: list[list[Any]], salts: dict[str, str], at: datetime) -> Iterator[str]:
        explained = self._persons(OF_MEMBERS, at)
        for pk, user, role, hashed in members:
            is_explained = at < self._oldest or not explained.isdisjoint({user, None})
            if pk not in self._members:
                if not is_explained:
                    yield f"member {pk} is missing, and the audit log has no entry about it"
                continue
            account, now, name, removed_at = self._members[pk]
            salt = salts.get(str(pk))
            if salt is None:
                if account is not None or removed_at is None:
                    yield f"the salt of the pseudonym of {shown(name)} (member {pk}) is missing"
            elif not _is_name(salt, name, hashed):
                yield f"member {pk} had another pseudonym than {shown(name)}"
            if account != user and (account is not None or not is_explained):
                yield f"{shown(name)} (member {pk}) had another account"
            if now != role and not is_explained:
                yield f"{shown(name)} (member {pk}) is {now} and was {role}, and the audit log has no entry about it"

    def _persons(self, actions: Iterable[str], at: datetime) -> set[int | None]:
        entries = AuditEvent.objects.filter(collection=self.collection.pk, action__in=actions, at__gte=at)
        return set(entries.values_list("person", flat=True))

    def _of_pool(self, covered: dict[str, Any], at: datetime) -> Iterator[str]:
        last = covered["building"]
        later = self.collection.pool_buildings.filter(pk__gt=last)
        if not self.collection.pool_buildings.filter(pk=last).exists():
            if at >= self._oldest and not self._persons([Action.POOL_UNDONE], at):
                yield f"pool building {last} is missing, and the audit log has no entry about it"
            return
        pool, samples = self._pool(last)
        if pool != covered["pool"] and not later.filter(tasks_changed=None).exists():
            yield "the pool buildings, or the systems and ranks of pooled documents, are not those of the checkpoint"
        if samples != covered["samples"]:
            yield "the random draws are not those of the checkpoint"

    def _pool(self, last: int) -> tuple[str, str]:
        if last not in self._pools:
            self._pools[last] = pool_hash(self.collection, last), samples_hash(self.collection, last)
        return self._pools[last]

    def _of_answers(self, answers: list[list[Any]], at: datetime) -> Iterator[str]:
        for member, topics, hashed in answers:
            if member not in self._members:  # erased, which the differences of members and chains cover
                continue
            own = [self._answers[member][topic] for topic in sorted(topics) if topic in self._answers[member]]
            name = shown(self._members[member][2])
            if len(own) < len(topics):
                lost = count(len(topics) - len(own), "answer")
                yield f"{lost} of {name} at the end of a topic {'is' if len(own) + 1 == len(topics) else 'are'} missing"
            elif all(answered_at <= at for *_, answered_at in own) and _of_member(member, own)[2] != hashed:
                yield f"the answers of {name} at the end of topics were changed"

    def _of_log(self, audit: dict[str, Any]) -> Iterator[str]:
        then = {month: (number, hashed) for month, number, hashed in audit["months"]}
        now = {month: (number, hashed) for month, number, hashed in self._months[audit["last"]]}
        for month in sorted(then.keys() | now.keys()):
            if f"{month}-01" > f"{self._oldest:%Y-%m-%d}" and then.get(month) != now.get(month):
                number = then.get(month, (0, ""))[0]
                yield f"the audit log of {month} was changed (entries in the checkpoint: {number:,})"
