"""Record judgements.

Every change is one short transaction: an event in the ledger, and the judgement that the event leads to. A request
carries a client id, so that sending it again changes nothing and gets the same answer.
"""

import uuid
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from assess import prepared
from assess.errors import Conflict, Refused
from assess.judging.chain import add_to_chain, topic_hash
from assess.judging.chain_format import Display, Head, Key, scale_hash, text_hash
from assess.judging.checks import Attempt, check_text, run_checks
from assess.judging.judgement_input import LONGEST_MS, JudgementInput
from assess.marginal.answers import is_same_answer, marginal_answer
from assess.models import (
    Assignment,
    Assistance,
    Collection,
    Judgement,
    JudgementEvent,
    JudgementKind,
    MarginalAnswer,
    Member,
    Passages,
    Reason,
    State,
    User,
)
from assess.models.judgement import ALL_FIELDS
from assess.near_duplicates import by_group
from assess.pools import slots
from assess.pools.building.searched import enter_pool, leave_pool
from assess.pools.repeats import add_repeats
from assess.pools.tasks import LAPSED
from assess.suggestions.shown import assistance


def record_judgement(
    member: Member,
    public_id: uuid.UUID,
    judgement_input: JudgementInput,
    client_id: uuid.UUID,
    actor: User | None = None,
    seen_version: int | None = None,
    suggestion: uuid.UUID | None = None,
    source: str = JudgementEvent.Source.PAGE,
) -> JudgementEvent:
    """Record a judgement of the assessor and return its event, when both are durable.

    `public_id` is the assignment's. `seen_version` is the version of the judgement that the assessor's page knew,
    and `suggestion` the token of the suggestion that it showed. If the `source` is not the page, nothing was displayed.

    Raises Assignment.DoesNotExist if the assessor does not have this task, Refused if the judgement is invalid,
    Conflict if the client id belongs to another judgement or judging is closed, and NotNeeded if the task has all its
    judges.

    A judgement that was recorded before is answered again, even if the rules or the assignment have changed since.
    """
    collection = member.collection
    try:
        with transaction.atomic():
            # Before the lock of this assignment: the rows of a group are locked in the order of their keys.
            fellows = by_group.lock_fellows(member, public_id)
            assignment = prepared.locked_assignment(member, public_id)
            if assignment is None:
                raise Assignment.DoesNotExist
            judgement, head = prepared.judgement_and_head(assignment)
            # Without a judgement nothing was recorded before: a client id used for another task cannot be saved.
            if judgement and (earlier := _earlier_event(member, client_id)):
                return _same_answer(earlier, assignment, judgement_input)
            _refresh_rules(collection)
            display = _check_input(collection, judgement_input, assignment.repeat)
            run_checks(Attempt(member, collection, assignment, judgement, judgement_input))
            marginal = marginal_answer(assignment, member, judgement_input)
            assisted = assistance(assignment, member, suggestion, assignment.has_suggestion)  # type: ignore[attr-defined]
            # A list, because `_write` changes the judgement that the generator compares with.
            copies = list(by_group.changes(collection, fellows, judgement, judgement_input))
            _update_assignment(assignment, judgement_input.state, collection)
            origin: dict[str, Any] = {"actor": actor, "client_id": client_id, "source": source}
            event = _write(assignment, judgement, judgement_input, seen_version=seen_version, **origin)
            _save_event(event, assignment, Head(*head), display, marginal, assisted)
            for fellow, copied in copies:
                _record_by_group(member, fellow, copied, event, display, assisted)
            return event
    except Assignment.DoesNotExist:
        # The assignment was taken away after the judgement was recorded, but its answer did not arrive.
        if (earlier := _earlier_event(member, client_id)) and _is_same(judgement_input, earlier):
            return earlier
        raise
    except IntegrityError:
        # The client id arrived for two tasks at once, or the grade left the scale meanwhile: the database decides.
        raise Conflict(
            "This judgement conflicts with one that was saved in the meantime; nothing was changed."
        ) from None


def _earlier_event(member: Member, client_id: uuid.UUID) -> JudgementEvent | None:
    return JudgementEvent.objects.filter(member=member, client_id=client_id).first()


def _refresh_rules(collection: Collection) -> None:
    """Read again whether the collection is open, and open to claims.

    The request read the collection before it locked the assignment. Opening and closing a collection locks all its
    assignments, so from now on the values cannot change until this transaction ends.
    """
    fields = ["judges_per_task", "claim_minutes", "judging_open", "judging_closed_at", "archived_at", "practice"]
    collection.refresh_from_db(fields=[*fields, "near_duplicates"])


def _check_input(collection: Collection, judgement_input: JudgementInput, kind: int) -> Display:
    """Refuse what is not allowed. Returns the hashes of the grades and guidelines that the page showed."""
    grades = list(collection.grades.order_by("value").values_list("value", "name", "meaning"))
    scale = [value for value, _, _ in grades]
    judgement_input.check(scale)
    is_other = judgement_input.state == State.CANNOT_JUDGE and judgement_input.reason == Reason.OTHER
    if is_other and not judgement_input.comment:
        raise Refused("The reason 'other' needs a comment that explains why this document cannot be judged.")
    version = judgement_input.guidelines_version
    guidelines = _guidelines_hash(collection, version) if version else text_hash("")
    if guidelines is None:
        raise Refused(f"There is no version {version} of the guidelines; reload the page.")
    is_relevant = judgement_input.state == State.JUDGED and judgement_input.relevance != scale[0]
    needs_passage = collection.passages == Passages.REQUIRED and kind != JudgementKind.PRACTICE  # its page marks none
    if needs_passage and is_relevant and not judgement_input.passages:
        raise Refused("Mark the passage that makes the document relevant: this collection requires one.")
    return Display(scale_hash=scale_hash(grades), guidelines_hash=guidelines)


def _guidelines_hash(collection: Collection, version: int) -> bytes | None:
    sha256 = collection.guidelines.filter(version=version).values_list("sha256", flat=True).first()
    return bytes.fromhex(sha256) if sha256 else None


def _update_assignment(assignment: Assignment, state: str, collection: Collection) -> None:
    if state == State.JUDGED and assignment.is_found:  # type: ignore[attr-defined]  # of prepared.locked_assignment
        enter_pool(assignment, collection)
    # A slot that was taken while the collection was open to claims is released even if it is closed now.
    if (collection.open_to_claims or assignment.holds_place) and not assignment.repeat:
        slots.update_slot(assignment, state, collection)
    if state == State.UNDONE and not assignment.repeat:
        leave_pool(assignment, collection)
    if assignment.state == LAPSED:  # this claims the task again: its repeat was deleted when the claim lapsed
        add_repeats(assignment.member, [(assignment, assignment.task)])
    assignment.state = state
    assignment.save(update_fields=["state", "holds_place", "claimed_until"])


def _record_by_group(
    member: Member,
    public_id: uuid.UUID,
    copied: JudgementInput,
    source: JudgementEvent,
    display: Display,
    assisted: Assistance | None,
) -> None:
    """Record the judgement that another one leads to, with its time, unless the document can have none now.

    If the other one was assisted, so is this one.
    """
    assignment = prepared.locked_assignment(member, public_id)
    if assignment is None:
        return
    judgement, head = prepared.judgement_and_head(assignment)
    try:
        check_text(Attempt(member, member.collection, assignment, judgement, copied))
        _update_assignment(assignment, copied.state, member.collection)
    except Refused:  # without text, or postponed and meanwhile with all its judges: both are refused before a change
        return
    # A microsecond before it, so that undo goes back to the judgement that was made by hand.
    at = source.at - timedelta(microseconds=1)
    event = _write(assignment, judgement, copied, at=at, actor_id=source.actor_id, source=source.source)
    assignment.content_hash = None  # type: ignore[attr-defined]  # the text was not shown
    copy = Assistance(judge=assisted.judge, grade=assisted.grade) if assisted else None
    _save_event(event, assignment, Head(*head), display, None, copy)


def _write(
    assignment: Assignment,
    judgement: Judgement | None,
    judgement_input: JudgementInput,
    at: datetime | None = None,
    **origin: Any,
) -> JudgementEvent:
    before = (judgement.state, judgement.relevance) if judgement else ("", None)
    if judgement is None:
        judgement = Judgement(member_id=assignment.member_id, repeat=assignment.repeat, version=0)
    judgement.task = assignment.task  # the answer to the request needs its topic
    for name, value in judgement_input.shared_fields().items():
        setattr(judgement, name, value)
    judgement.active_ms = min(judgement.active_ms + judgement_input.active_ms, LONGEST_MS)
    judgement.away_ms = min(judgement.away_ms + judgement_input.away_ms, LONGEST_MS)
    judgement.version += 1
    judgement.judged_at = at or timezone.now()
    judgement.save(update_fields=[*ALL_FIELDS, "version", "judged_at"] if judgement.pk else None)
    return _event(judgement, judgement_input, before, **origin)


def _save_event(
    event: JudgementEvent,
    assignment: Assignment,
    head: Head,
    display: Display,
    marginal: MarginalAnswer | None,
    assisted: Assistance | None,
) -> None:
    """Add the event to the member's chain and save it, with the answer about marginal relevance and the assistance."""
    topic = assignment.task.topic
    content: str | None = assignment.content_hash  # type: ignore[attr-defined]  # of prepared.locked_assignment
    shown = Display()
    if event.source == JudgementEvent.Source.PAGE:
        document_hash = bytes.fromhex(content) if content else text_hash("")
        shown = display._replace(document_hash=document_hash, topic_hash=topic_hash(topic))
    doc_id: str = assignment.doc_id  # type: ignore[attr-defined]
    key = Key(event.member_id, topic.query_id, doc_id, assignment.repeat)
    add_to_chain(event, head, key, shown, marginal, assisted)
    event.save(force_insert=True)
    for row in (marginal, assisted):
        if row:
            row.event = event
            row.save(force_insert=True)


def _event(
    judgement: Judgement, judgement_input: JudgementInput, before: tuple[str, int | None], **origin: Any
) -> JudgementEvent:
    return JudgementEvent(
        judgement=judgement,
        member_id=judgement.member_id,
        version=judgement.version,
        before_state=before[0],
        before_relevance=before[1],
        active_ms=judgement_input.active_ms,
        away_ms=judgement_input.away_ms,
        at=judgement.judged_at,
        recorded_at=judgement.judged_at,
        **judgement_input.shared_fields(),
        **origin,
    )


def _is_same(judgement_input: JudgementInput, earlier: JudgementEvent) -> bool:
    return judgement_input.same_as(earlier) and is_same_answer(earlier, judgement_input)


def _same_answer(earlier: JudgementEvent, assignment: Assignment, judgement_input: JudgementInput) -> JudgementEvent:
    judgement = earlier.judgement
    is_same_task = (judgement.task_id, judgement.repeat) == (assignment.task_id, assignment.repeat)
    if not is_same_task or not _is_same(judgement_input, earlier):
        raise Conflict("This client id has already been used for another judgement; nothing was changed.")
    return earlier
