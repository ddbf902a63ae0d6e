"""Checkpoints: the length and head of every chain of a collection at a time.

It also covers accounts, roles and pseudonyms of the members, the provenance of the pool, random draws, answers at the
end of a topic, tombstones and the audit log (`assess.judging.covered`). Checkpoints of version 1, without these, stay
valid.

A checkpoint has a hash, which is printed with exports, releases and backups. With a copy
of it outside the database, `verify_ledger --head` shows later whether the ledger still begins with the same events.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from string import hexdigits

from django.utils import timezone

from assess.errors import Refused
from assess.judging.chain import heads_of
from assess.judging.chain_format import Head, checkpoint_hash, covered_digest
from assess.judging.covered import Present, cover
from assess.models import Checkpoint, Collection, JudgementEvent, Member, Tombstone
from pooling.errors import shown
from pooling.words import count

MIN_DIGITS, DIGITS = 8, 64
MAX_REASON_LENGTH = Checkpoint._meta.get_field("reason").max_length or 0


def create_checkpoint(collection: Collection, reason: str, *, only_chains: bool = False) -> Checkpoint:
    """Save a checkpoint of the ledger as it is now. `reason` is one word, such as "backup".

    With `only_chains`, it is one of version 1, whose hash depends on nothing but the chains. Releases need it: the same
    judgements give the same bytes. Their files have pseudonyms, pool and draws.
    """
    chains, reason, at = chains_of(collection), reason[:MAX_REASON_LENGTH], timezone.now()
    covered, salts = (None, None) if only_chains else cover(collection, reason, at)
    return collection.checkpoints.create(
        chains=chains,
        covered=covered,
        salts=salts,
        events=sum(length for _, length, _ in chains),
        hash=checkpoint_hash(collection.slug, chains, covered_digest(covered)),
        reason=reason,
        created_at=at,
    )


def chains_of(collection: Collection, members: Sequence[Member] | None = None) -> list[list[int | str]]:
    """Return the chains of a collection, or of some of its members, in the order of the members."""
    own = collection.members.order_by("pk")
    heads = heads_of(own if members is None else own.filter(pk__in=[member.pk for member in members]))
    return [[pk, head.position, head.hash.hex()] for pk, head in sorted(heads.items()) if head.hash]


def checkpoint_problems(collection: Collection | None = None) -> Iterator[str]:
    """Yield one sentence for each checkpoint that the ledger does not match any more."""
    checkpoints = Checkpoint.objects.select_related("collection").order_by("collection", "pk")
    own = checkpoints.filter(collection=collection) if collection else checkpoints
    for _, group in groupby(own, key=attrgetter("collection_id")):
        of_collection = list(group)
        present = _present(of_collection)
        for checkpoint in of_collection:
            yield from problems_with(checkpoint, present)


def _present(checkpoints: Sequence[Checkpoint]) -> Present:
    unchanged = [each.covered for each in checkpoints if each.covered and _is_unchanged(each)]
    return Present(checkpoints[0].collection, unchanged)


def find_checkpoint(head: str) -> Checkpoint | None:
    """Return the checkpoint whose hash begins with these digits; None if there is none."""
    if not (MIN_DIGITS <= len(head) <= DIGITS and set(head.lower()) <= set(hexdigits)):
        raise Refused(
            f"{head!r} is not the hash of a checkpoint: enter its first {MIN_DIGITS} to {DIGITS} hexadecimal digits."
        )
    return Checkpoint.objects.select_related("collection").filter(hash__startswith=head.lower()).first()


def problems_with(checkpoint: Checkpoint, present: Present | None = None) -> Iterator[str]:
    """Yield what the ledger lacks that it had at the checkpoint. `present` saves reading the same rows again."""
    name = f"Checkpoint {checkpoint.hash[:12]} of {checkpoint.collection} ({checkpoint.created_at:%Y-%m-%d %H:%M} UTC)"
    if not _is_unchanged(checkpoint):
        yield f"{name}: it was changed."
        return
    yield from (f"{name}: {problem}." for problem in chain_differences(checkpoint.collection, checkpoint.chains))
    if checkpoint.covered:
        present = present or _present([checkpoint])
        salts = checkpoint.salts if isinstance(checkpoint.salts, dict) else {}
        others = present.differences(checkpoint.covered, salts, checkpoint.events)
        yield from (f"{name}: {problem}." for problem in others)


def _is_unchanged(checkpoint: Checkpoint) -> bool:
    """Whether the checkpoint is the one that was saved: its hash, its number of events, its time and reason."""
    covered, chains = checkpoint.covered, checkpoint.chains
    stated = (checkpoint.created_at.isoformat(), checkpoint.reason)
    return (
        checkpoint_hash(checkpoint.collection.slug, chains, covered_digest(covered)) == checkpoint.hash
        and sum(int(length) for _, length, _ in chains) == checkpoint.events
        and set(checkpoint.salts or ()) <= {str(pk) for pk, *_ in (covered or {}).get("members", ())}
        and (covered is None or (covered["at"], covered["reason"]) == stated)
    )


def chain_differences(collection: Collection, chains: list[list[int | str]]) -> Iterator[str]:
    """Yield how the ledger differs from chains that it had earlier. Erased chains leave a tombstone."""
    now = {pk: head for pk, head in heads_of(collection.members.all()).items() if head.hash}
    erased = _erased_chains(collection)
    names = dict(collection.members.values_list("pk", "name"))
    for member, length, head in chains:
        member, length = int(member), int(length)
        name = shown(names[member]) if member in names else f"member {member}"
        if member not in now:
            yield from _missing_chain(name, length, str(head), erased.get(member))
        elif now[member].position < length:
            lost = length - now[member].position
            yield f"the chain of {name} had {count(length, 'event')}, and the last {lost:,} are missing"
        elif _hash_at(member, length) != head:
            yield f"the first {count(length, 'event')} of {name} are not those of the checkpoint"


def _missing_chain(name: str, length: int, head: str, tombstone: Head | None) -> Iterator[str]:
    if tombstone is None:
        yield f"the chain of {name} had {count(length, 'event')}, and is missing without a tombstone"
    elif tombstone.position < length or (
        tombstone.position == length and tombstone.hash and tombstone.hash.hex() != head
    ):
        yield f"the chain of {name} had {count(length, 'event')}, and its tombstone describes another chain"


def _erased_chains(collection: Collection) -> Mapping[int, Head]:
    """Return the length and head of each chain that was erased, from the tombstones."""
    rows = Tombstone.objects.filter(collection_slug=collection.slug).values_list("chains", flat=True)
    return {int(member): Head(int(length), bytes.fromhex(head)) for row in rows for member, length, head in row}


def _hash_at(member: int, position: int) -> str:
    rows = JudgementEvent.objects.filter(member=member, position=position).values_list("hash", flat=True)
    value = rows.first()
    return bytes(value).hex() if value else ""
