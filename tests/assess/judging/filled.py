"""A collection with rows in every table that the ledger protects."""

import uuid

from assess import audit
from assess.adjudication.adjudicate import create_adjudication
from assess.collections.guidelines import publish_guidelines
from assess.judging.feedback import save_feedback
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Action, Assignment, Collection, JudgementKind, Member, ShownSuggestion, State
from assess.people.erasure import erase
from assess.pools.building.build import build_pool
from assess.pools.claims import claim, open_to_claims
from assess.pools.samples.draw import draw_sample
from tests.factories import add_missing_texts


def fill(collection: Collection, join) -> Collection:
    """Fill a small collection: claims, judgements of several kinds, assisted ones, a decision, a draw, an erasure."""
    ada, ben, cy, dan = (join(collection, name) for name in ("ada", "ben", "cy", "dan"))
    publish_guidelines(collection, "Read it all.")
    build_pool(collection, depth=3)
    add_missing_texts(collection)
    draw_sample(collection, 4, query_ids=["1"], seed=4)
    Collection.objects.filter(pk=collection.pk).update(repeat_share=1, ask_marginal=True)
    collection.refresh_from_db()
    open_to_claims(collection, 2)
    first, second = collection.topics.order_by("pk")
    for member, topic, limit in ((ada, first, 4), (ben, first, 4), (ada, second, 2), (dan, second, 1)):
        member.refresh_from_db()
        claim(member, topic, limit)
    for assignment in ada.assignments.filter(topic=first, repeat=0).order_by("pk")[1:3]:
        ShownSuggestion.objects.create(member=ada, task=assignment.task, judge="model-a", grade=1)
    _judge(ada, first, 1)
    _judge(ben, first, 0)
    _judge(dan, second, 1)
    _other_states(ada, second)
    for member, topic in ((ada, first), (ben, first), (ada, second)):
        save_feedback(member, topic, 2, "It was long.", earlier=False)
    _decide(collection, cy)
    audit.record(Action.COLLECTION_CHANGED, actor=ada.user, person=ben.user, collection=collection, subject="rules")
    erase([dan], "requested by the person")
    return collection


def _judge(member: Member, topic, grade: int) -> None:
    """Judge everything that the member has in the topic, also hidden repeats, and revise the last judgement."""
    assignments = list(member.assignments.filter(topic=topic).order_by("repeat", "pk"))
    for number, assignment in enumerate([*assignments, assignments[0]]):
        asked = assignment.repeat == JudgementKind.REGULAR and grade and 0 < number < len(assignments)
        judgement = JudgementInput(
            State.JUDGED,
            grade,
            comment="Why not?" if number % 2 == 0 else "",
            confidence=2,
            passages=[[0, 4]] if number == 0 else [],
            guidelines_version=1,
            active_ms=20,
            away_ms=10,
            highlights=True,
            input="key",
            marginal="new" if asked else "",
        )
        record(member, assignment, judgement, number)


def _other_states(member: Member, topic) -> None:
    """Undo one judgement, and say of another document that it cannot be judged."""
    undone, broken, *_ = member.assignments.filter(topic=topic, repeat=0).order_by("pk")
    record(member, undone, JudgementInput(State.JUDGED, 0))
    record(member, undone, JudgementInput(State.UNDONE), seen_version=1)
    record(member, broken, JudgementInput(State.CANNOT_JUDGE, reason="broken"))


def _decide(collection: Collection, adjudicator: Member) -> None:
    tasks = [each.task for each in Assignment.objects.filter(repeat=0, state=State.JUDGED).order_by("task")[:1]]
    create_adjudication(collection, tasks, [adjudicator.name], "chosen by hand")
    assignment = adjudicator.assignments.get(repeat=JudgementKind.DECISION)
    record(adjudicator, assignment, JudgementInput(State.JUDGED, 1))


def record(member: Member, assignment: Assignment, judgement: JudgementInput, seen_version: int | None = None) -> None:
    known = seen_version or None
    record_judgement(member, assignment.public_id, judgement, uuid.uuid4(), actor=member.user, seen_version=known)
