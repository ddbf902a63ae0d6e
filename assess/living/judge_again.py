"""What happens to stale judgements: their assessors judge again, or the change does not matter.

Judging again is an undo that a researcher records: one more event in the chain of the assessor, with the researcher as
actor and the source `replaced`. The former judgement stays in the ledger. The assignment is open again and comes first
in the queue of its assessor, who sees the present text and no former grade. This needs no rule of its own: slots,
near-duplicates and searched documents follow as after any undo. A hidden repeat would not do: a member has one on a
task at most, it would be compared with the first judgement as self-agreement, and the stale one would stay in the gold.
"""

import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import transaction

from assess import audit, prepared
from assess.collections.archive import lock_active
from assess.errors import Refused
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.lib.batches import let_others_write
from assess.lib.long_work import report
from assess.living.changed_texts import Change, StaleJudgement, changed_texts
from assess.models import Action, Assignment, Collection, JudgementEvent, KeptChange, Member, ModelAnswer, State, User
from pooling.words import count

AWAY = "The judge has no account here any more"
CHANGED = "It was judged again in the meantime"


@dataclass(frozen=True)
class JudgeAgainResult:
    """How many judgements their assessors make again, by how many people. `notes` say what was left as it is."""

    judgements: int
    people: int
    notes: list[str] = field(default_factory=list)

    def sentence(self) -> str:
        """Return the numbers in a sentence."""
        verb, queue = ("waits", "queue") if self.judgements == 1 else ("wait", "queues")
        return f"{count(self.judgements, 'document')} {verb} again in the {queue} of {count(self.people, 'assessor')}."


def judge_again(collection: Collection, changes: Sequence[str] = (), user: int | None = None) -> JudgeAgainResult:
    """Put the stale judgements of these changes, or of all, into the queues of those who made them.

    `changes` are keys, and `user` is the primary key of who asks. Each judgement is one short transaction, and what was
    undone is not stale any more: so the function can be interrupted and repeated.
    """
    _check_open(collection)
    actor = User.objects.filter(pk=user).first() if user else None
    stale = [judgement for change in changed_texts(collection).chosen(changes) for judgement in change.judgements]
    members = collection.members.select_related("collection").in_bulk([judgement.member for judgement in stale])
    people: set[int] = set()
    left: Counter[str] = Counter()
    models: Counter[str] = Counter()
    for number, judgement in enumerate(stale, 1):
        if _is_of_model(judgement):
            models[members[judgement.member].name] += 1
        elif reason := _undo(members[judgement.member], judgement, actor):
            left[reason] += 1
        else:
            people.add(judgement.member)
        if number % 100 == 0:
            report("Putting documents into the queues", number, len(stale))
            let_others_write()
    undone = len(stale) - left.total() - models.total()
    notes = [f"{name} can be asked again for {count(number, 'document')}." for name, number in models.items()]
    notes += [f"Not changed: {count(number, 'judgement')}. {reason.rstrip('.')}." for reason, number in left.items()]
    if undone:
        audit.record(Action.JUDGED_AGAIN, actor=actor, collection=collection, details={"judgements": undone})
    return JudgeAgainResult(undone, len(people), notes)


def keep_changes(collection: Collection, changes: Sequence[str] = (), user: User | None = None) -> int:
    """Record that these changes, or all, do not matter. Returns the number of judgements that stay valid."""
    with transaction.atomic():
        lock_active(collection)
        found = changed_texts(collection).chosen(changes)
        rows = {(judgement.task, change.seen): change for change in found for judgement in change.judgements}
        KeptChange.objects.bulk_create(
            [
                KeptChange(task_id=task, seen=seen, present=change.present, by=user)
                for (task, seen), change in rows.items()
            ],
            ignore_conflicts=True,
        )
        kept = sum(len(change.judgements) for change in found)
        details = {"documents": len(_documents(found)), "judgements": kept}
        audit.record(Action.CHANGE_KEPT, actor=user, collection=collection, details=details)
    return kept


def list_again(collection: Collection, kept: int, user: User | None = None) -> None:
    """Take back the decision with this primary key that a change does not matter. Its judgements are stale again."""
    with transaction.atomic():
        deleted, _ = KeptChange.objects.filter(pk=kept, task__topic__collection=collection).delete()
        if not deleted:
            raise Refused("This decision was taken back already. Load the page again.")
        audit.record(Action.CHANGE_KEPT, actor=user, collection=collection, details={"taken_back": deleted})


def _documents(changes: Sequence[Change]) -> set[int]:
    return {change.document for change in changes}


def _check_open(collection: Collection) -> None:
    if collection.archived_at:
        raise Refused("This collection is archived.")
    if because := collection.closed_because:
        raise Refused(f"{because} Open judging first, so that the documents can be judged again.")


def _is_of_model(judgement: StaleJudgement) -> bool:
    """Say whether a model that the site asks made a judgement. If so, its answer does not count as one any more.

    So the next order to the model asks for the document. The judgement stays until then: nobody else replaces it.
    """
    answers = ModelAnswer.objects.filter(judge__member=judgement.member, task=judgement.task, repeat=judgement.kind)
    answers.filter(is_current=True).update(is_current=False)
    return answers.exists()


def _undo(member: Member, judgement: StaleJudgement, actor: User | None) -> str:
    """Undo a stale judgement. Returns why not, or ""."""
    if not judgement.has_account:
        return AWAY
    own = {"task": judgement.task, "member": member, "repeat": judgement.kind}
    with transaction.atomic():
        public_id = Assignment.objects.filter(**own).values_list("public_id", flat=True).first()
        assignment = prepared.locked_assignment(member, public_id) if public_id else None
        if public_id is None or assignment is None:
            return AWAY
        current, _ = prepared.judgement_and_head(assignment)
        if current is None or current.version != judgement.version:
            return CHANGED
        undo, source = JudgementInput(State.UNDONE), JudgementEvent.Source.REPLACED
        try:
            record_judgement(member, public_id, undo, uuid.uuid4(), actor, source=source)
        except Refused as refusal:
            return str(refusal)
    return ""
