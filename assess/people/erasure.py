"""Erases members and their data, on request or when an exercise expires.

The ledger is append-only, so its lines can be deleted only while an `ErasurePermit` exists. Everything happens in one
transaction, and a tombstone with counts remains.
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from assess import audit
from assess.collections.create import lock_collection
from assess.errors import Refused
from assess.jobs import results
from assess.judging.checkpoints import chains_of
from assess.judging.covered import forget_names
from assess.lib.batches import BATCH
from assess.models import (
    Action,
    AdaptiveOrder,
    AdjudicatedTask,
    ApiToken,
    Assignment,
    Assistance,
    AttemptCount,
    Collection,
    ErasurePermit,
    ImportedFile,
    ImportKind,
    ImportRecord,
    Judgement,
    JudgementEvent,
    JudgementImport,
    LearnerModel,
    MarginalAnswer,
    Member,
    Release,
    ResetLink,
    Seat,
    Session,
    Tombstone,
    TopicFeedback,
    User,
    WorksheetAnswer,
)
from assess.people import erasure_list
from assess.pools.slots import lock_slots, release_slots

JUDGE = "judge:"  # before the name of the judge whose gold it is
MAX_REASON_LENGTH = Tombstone._meta.get_field("reason").max_length or 0


def erase(
    members: Iterable[Member],
    reason: str,
    collection: Collection | None = None,
    actor: User | None = None,
    *,
    add_to_list: bool = True,
) -> Tombstone:
    """Erase members of one collection, and return the tombstone.

    This deletes their judgements, ledger events, imported files and archives of releases that contain them, topic
    feedback, assignments, worksheet answers and seats, the members themselves, the users that exist only for a seat,
    and the sessions and sign-in records of these users.

    `collection` is required only if `members` may be empty. `actor` is who erases them, for the audit log. The erasure
    is added to the list of erasures, unless `add_to_list` is false because a larger erasure is or was added.
    """
    members = list(members)
    collection = _one_collection(members, collection)
    if not 0 < len(reason) <= MAX_REASON_LENGTH:
        raise Refused(
            f"The reason must have 1 to {MAX_REASON_LENGTH} characters, not {len(reason)}. It must not name a person."
        )
    with transaction.atomic():
        _lock(collection, members)
        withdraw_releases(collection, members, actor)
        # Before the members are deleted, through which the users are found.
        users = _seat_users(members)
        # Before the events are deleted: the tombstone keeps length and head of each chain.
        chains = chains_of(collection, members)
        judgements, events = _erase_judgements(collection, members)
        forget_names(collection, members)
        _erase_seats(members)
        forget_reference(collection, members)
        _, erased = Member.objects.filter(pk__in=[member.pk for member in members]).delete()
        _erase_users(users)
        transaction.on_commit(results.forget_all)  # cached figures contain their names
        counts = {"members": erased.get(Member._meta.label, 0), "judgements": judgements, "events": events}
        audit.record(Action.MEMBERS_ERASED, actor=actor, collection=collection, subject=reason, details=counts)
        if add_to_list:
            erasure_list.add_members(collection.slug, members, reason)
        return Tombstone.objects.create(collection_slug=collection.slug, reason=reason, chains=chains, **counts)


def _one_collection(members: list[Member], collection: Collection | None) -> Collection:
    pks = {member.collection_id for member in members} | ({collection.pk} if collection else set())
    if len(pks) != 1:
        raise Refused(f"The members to erase must belong to one collection, not {len(pks)}.")
    return collection or members[0].collection


def _lock(collection: Collection, members: list[Member]) -> None:
    """Lock everything that a simultaneous judgement or answer of these members would write.

    The order avoids deadlocks: a claim locks its member first, and a judgement its assignment.
    """
    lock_collection(collection)
    rows = Member.objects.filter(pk__in=[member.pk for member in members]).order_by("pk")
    list(rows.select_for_update(no_key=True))  # a judgement, whose row refers to the member, does not wait for this
    lock_slots(collection)
    list(rows.select_for_update())
    list(Seat.objects.filter(member__in=members).order_by("pk").select_for_update())


def _erase_judgements(collection: Collection, members: list[Member]) -> tuple[int, int]:
    """Delete all input of the members. Returns the numbers of judgements and of ledger events."""
    # The triggers of the ledger allow a deletion only while a permit exists.
    permits = ErasurePermit.objects.bulk_create([ErasurePermit(member=member) for member in members], batch_size=BATCH)
    # First, because answers refer to events.
    MarginalAnswer.objects.filter(event__member__in=members).delete()
    Assistance.objects.filter(event__member__in=members).delete()
    events, _ = JudgementEvent.objects.filter(member__in=members).delete()
    judgements, _ = Judgement.objects.filter(member__in=members).delete()
    # Within the transaction, so that nothing can be deleted after it.
    ErasurePermit.objects.filter(pk__in=[permit.pk for permit in permits]).delete()
    erase_files(collection, members)
    TopicFeedback.objects.filter(member__in=members).delete()
    assignments = Assignment.objects.filter(member__in=members)
    release_slots(list(assignments))
    assignments.delete()
    # Their decisions are gone, so the documents are disputed again, and others can decide them.
    AdjudicatedTask.objects.filter(adjudicator__in=members).delete()
    # Reset the adaptive strategies, so that they learn again from the remaining judgements.
    AdaptiveOrder.objects.filter(topic__collection=collection).update(state=b"", caught_up=0)
    LearnerModel.objects.filter(topic__collection=collection).exclude(n_judged=0).update(judged=None)
    return judgements, events


def erase_files(collection: Collection, members: list[Member]) -> None:
    """Delete the original files with lines of the members. Other judges of a file keep its name, options and counts.

    The records of imports lose the names of these files, which are often those of the judges.
    """
    names = {member.name for member in members}
    files = collection.imported_files.values_list("pk", "judges")
    naming = [pk for pk, judges in files if not names.isdisjoint(judges)]
    recorded = JudgementImport.objects.filter(member__in=members, file__isnull=False).values("file")
    erased = ImportedFile.objects.filter(Q(pk__in=naming) | Q(pk__in=recorded))
    _erase_file_names(collection, set(erased.values_list("sha256", flat=True)))
    # Deleting loads the rows, but the contents may be large.
    erased.defer("content", "judges").delete()


def _erase_file_names(collection: Collection, checksums: set[str]) -> None:
    records = list(collection.imports.filter(kind=ImportKind.JUDGEMENTS))
    for record in records:
        record.files = [
            {"name": "", "size": None, "sha256": ""} if file["sha256"] in checksums else file for file in record.files
        ]
    ImportRecord.objects.bulk_update(records, ["files"], batch_size=BATCH)


def withdraw_releases(collection: Collection, members: Iterable[Member], actor: User | None = None) -> None:
    """Delete the archives of the releases with judgements of these members. Their manifests stay, which name nobody.

    Of the settings, only those without names stay.
    """
    erased = {member.pk for member in members}
    for release in collection.releases.filter(withdrawn_at=None).defer("archive"):
        if erased.isdisjoint(member["pk"] for member in release.spec["members"]):
            continue
        kept = {name: release.spec[name] for name in ("rel", "measure", "query_ids", "log")}
        rule = release.spec["rule"]
        rule = rule if rule.startswith("people:") else rule.partition(":")[0]
        Release.objects.filter(pk=release.pk).update(
            archive=None, withdrawn_at=timezone.now(), spec={"rule": rule, "members": [], **kept}
        )
        audit.record(Action.RELEASE_WITHDRAWN, actor=actor, collection=collection, subject=str(release))


def forget_reference(collection: Collection, members: Iterable[Member]) -> None:
    """Delete the name from the collection's default reference if it is the gold of one of these members."""
    names = [f"{JUDGE}{member.name}" for member in members]
    Collection.objects.filter(pk=collection.pk, reference__in=names).update(reference=JUDGE)


def _seat_users(members: list[Member]) -> list[User]:
    """Return the users who have a seat among these members and no other membership."""
    users = User.objects.filter(memberships__in=members, memberships__seat__isnull=False).distinct()
    return list(users.exclude(memberships__in=Member.objects.exclude(pk__in=[member.pk for member in members])))


def _erase_seats(members: list[Member]) -> None:
    WorksheetAnswer.objects.filter(seat__member__in=members).delete()
    Seat.objects.filter(member__in=members).delete()


def _erase_users(users: list[User]) -> None:
    """Delete users with their sessions and sign-in records."""
    erase_sign_ins(users)
    User.objects.filter(pk__in=[user.pk for user in users]).delete()


def erase_sign_ins(users: list[User]) -> None:
    """Delete everything with which users sign in, except name and password: sessions, links, secrets and counts."""
    # Not at the top, because `erase_person --help` loads this module without django-allauth.
    from allauth.account.models import EmailAddress
    from allauth.mfa.models import Authenticator
    from allauth.socialaccount.models import SocialAccount

    for model in (ApiToken, AttemptCount, ResetLink, Authenticator, SocialAccount, EmailAddress):
        model.objects.filter(user__in=users).delete()
    Session.objects.filter(user__in=users).delete()
