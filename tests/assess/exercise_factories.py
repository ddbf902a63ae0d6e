"""A seminar room: an instructor, a collection that three people judged before, and students who join and judge."""

import uuid

from assess.collections.members import add_member
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress
from assess.models import Assignment, Collection, Exercise, Role, Seat, User
from assess.teaching import exercises, seats
from assess.teaching.exercises import ExerciseSpec
from assess.transfer.judgement_import import import_judgements
from tests.factories import small_collection

GRADED = ("0=Not relevant:no help", "1=Marginal #aabbcc", "2=Relevant", "3=Highly relevant")
DOCUMENTS = [f"d{number:02}" for number in range(1, 13)]
RUNS = {
    "alpha": {"1": DOCUMENTS, "2": DOCUMENTS[::-1]},
    "beta": {"1": DOCUMENTS[::-1], "2": DOCUMENTS},
}
# Of each topic: d01 to d04 disputed by all, d05 and d06 disputed among the relevant grades, d07 to d09 plainly
# relevant, d10 to d12 plainly not.
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
    """Twelve documents in each of two topics, all with three judgements of people from elsewhere."""
    collection = small_collection(RUNS, "source", GRADED, depth=12)
    lines = [
        f"{name},{topic},{doc_id},{grade}"
        for name, grades in GRADES.items()
        for topic in "12"
        for doc_id, grade in zip(DOCUMENTS, grades, strict=True)
    ]
    import_judgements(collection, "\n".join(["assessor,query_id,doc_id,relevance", *lines]).encode())
    return collection


def instructor_of(*sources: Collection, name: str = "iris") -> User:
    for source in sources:
        add_member(source, name, Role.INSTRUCTOR)
    return User.objects.get_or_create(username=name)[0]


def pasted_exercise(instructor: User, **wish) -> Exercise:
    return exercises.make(instructor, ExerciseSpec(**{"title": "Drinks", **PASTED, **wish}))


def joined(exercise: Exercise, *nicknames: str) -> list[Seat]:
    return [seats.join(exercise, nickname) for nickname in nicknames]


def given(seat: Seat) -> list[Assignment]:
    rows = Assignment.objects.filter(member=seat.member).select_related("task__topic", "task__document")
    return list(rows.order_by("topic", "position"))


def pairs(seat: Seat) -> list[tuple[str, str]]:
    return [(each.task.topic.query_id, each.task.document.doc_id) for each in given(seat)]


def say(seat: Seat, assignment: Assignment, relevance: int, client_id=None, comment: str = ""):
    """As the page does it, for a member that is loaded anew with every request."""
    member = Seat.objects.select_related("member__collection", "member__user").get(pk=seat.pk).member
    saying = JudgementInput("judged", relevance, comment=comment)
    return record_judgement(member, assignment.public_id, saying, client_id or uuid.uuid4(), actor=member.user)


def judge_all(seat: Seat, relevance: int = 1) -> None:
    for assignment in given(seat):
        say(seat, assignment, relevance)


def shown_to(seat: Seat) -> list[str]:
    """The doc_ids in the order in which the judging page brings them."""
    found = []
    for topic, _ in topics_with_progress(seat.member):
        found += [card.doc_id for card in worklist.upcoming(seat.member, topic, limit=100)]
    return found
