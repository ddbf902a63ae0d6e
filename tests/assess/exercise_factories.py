"""An instructor, a collection with judgements of three people, and students who join and judge."""

import uuid
from typing import Any

from assess.collections.members import add_member
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, Collection, Exercise, JudgementEvent, Role, Seat, User
from assess.teaching import exercises, seats
from assess.teaching.exercises import ExerciseSpec
from assess.transfer.judgements import import_judgements
from tests.factories import small_collection

GRADED = ("0=Not relevant:no help", "1=Marginal #aabbcc", "2=Relevant", "3=Highly relevant")
DOCUMENTS = [f"d{number:02}" for number in range(1, 13)]
RUNS = {
    "alpha": {"1": DOCUMENTS, "2": DOCUMENTS[::-1]},
    "beta": {"1": DOCUMENTS[::-1], "2": DOCUMENTS},
}
# In each topic, d01 to d04 are disputed, d05 and d06 have different grades that all count as relevant, d07 to d09 are
# clearly relevant, and d10 to d12 are clearly not relevant.
GRADES = {
    "ada": [0, 1, 2, 3, 1, 1, 2, 2, 2, 0, 0, 0],
    "bob": [2, 0, 0, 0, 3, 3, 2, 2, 2, 0, 0, 0],
    "cyd": [0, 0, 0, 1, 2, 1, 2, 2, 2, 0, 0, 0],
}
DISPUTED, DISPUTED_IF_BINARY = set(DOCUMENTS[:6]), set(DOCUMENTS[:4])
RELEVANT, NONRELEVANT = set(DOCUMENTS[6:9]), set(DOCUMENTS[9:])

PASTED = {
    "pasted_topics": "tea\nT2\tcoffee\tHow it is made.",
    "pasted_documents": "Tea is a drink.\n\nCoffee is another.\nIt is black.\n\nMilk is white.",
}


def judged_collection() -> Collection:
    """Return a collection with two topics of twelve documents, each judged by three imported assessors."""
    collection = small_collection(RUNS, "source", GRADED, depth=12)
    lines = [
        f"{name},{topic},{doc_id},{grade}"
        for name, grades in GRADES.items()
        for topic in "12"
        for doc_id, grade in zip(DOCUMENTS, grades, strict=True)
    ]
    import_judgements(collection, "\n".join(["assessor,query_id,doc_id,relevance", *lines]).encode())
    return collection


def make_instructor(*sources: Collection, name: str = "iris") -> User:
    """Return a user who is an instructor of these collections."""
    for source in sources:
        add_member(source, name, Role.INSTRUCTOR)
    return User.objects.get_or_create(username=name)[0]


def pasted_exercise(instructor: User, **options: Any) -> Exercise:
    return exercises.make(instructor, ExerciseSpec(**{"title": "Drinks", **PASTED, **options}))


def join_all(exercise: Exercise, *nicknames: str) -> list[Seat]:
    return [seats.join(exercise, nickname) for nickname in nicknames]


def assignments_of(seat: Seat) -> list[Assignment]:
    rows = Assignment.objects.filter(member=seat.member).select_related("task__topic", "task__document")
    return list(rows.order_by("topic", "position"))


def assigned_pairs(seat: Seat) -> list[tuple[str, str]]:
    """Return the query_id and doc_id of each assignment."""
    return [(each.task.topic.query_id, each.task.document.doc_id) for each in assignments_of(seat)]


def record_grade(
    seat: Seat, assignment: Assignment, relevance: int, client_id: uuid.UUID | None = None, comment: str = ""
) -> JudgementEvent:
    """Record a grade like the judging page, which loads the member with every request."""
    member = Seat.objects.select_related("member__collection", "member__user").get(pk=seat.pk).member
    judgement = JudgementInput("judged", relevance, comment=comment)
    return record_judgement(member, assignment.public_id, judgement, client_id or uuid.uuid4(), actor=member.user)


def judge_all(seat: Seat, relevance: int = 1) -> None:
    for assignment in assignments_of(seat):
        record_grade(seat, assignment, relevance)


def displayed_doc_ids(seat: Seat) -> list[str]:
    """Return the doc_ids in the order of the judging page."""
    doc_ids = []
    for topic, _ in worklist.topics_with_progress(seat.member):
        doc_ids += [card.doc_id for card in worklist.upcoming(seat.member, topic, limit=100)]
    return doc_ids
