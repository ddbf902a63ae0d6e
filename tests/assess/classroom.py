"""A class to teach: an instructor, an exercise on a small collection, and students at browsers of their own."""

import uuid

from django.test import Client
from django.urls import reverse

from assess.collections.members import add_member
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress
from assess.models import Collection, Exercise, Member, Role, Seat
from assess.teaching import exercises
from assess.teaching.exercises import ExerciseSpec

BACKEND = "assess.people.backend.AccountBackend"


def instructor_of(collection: Collection, name: str = "prof") -> Member:
    return add_member(collection, name, Role.INSTRUCTOR)[0]


def exercise_of(collection: Collection, instructor: Member, **wished) -> Exercise:
    wish = {"title": "Agreement", "source": collection.slug, "shared": 4, "binary": True} | wished
    return exercises.make(instructor.user, ExerciseSpec(**wish))


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user, backend=BACKEND)
    return client


def sit_down(exercise: Exercise, nickname: str) -> tuple[Client, Seat]:
    """A student joins through the door, in a browser of their own."""
    client = Client()
    answer = client.post(reverse("join:nickname", args=[exercise.code]), {"nickname": nickname})
    assert answer.status_code == 302, answer.content.decode()
    return client, exercise.seats.get(nickname=nickname)


def judge_all(seat: Seat, grade=lambda _at: 1, comment: str = "") -> None:
    """The student judges everything, each document by what `grade` says of its place."""
    member = Member.objects.select_related("collection").get(pk=seat.member_id)
    for topic, _ in topics_with_progress(member):
        for at, card in enumerate(worklist.upcoming(member, topic, limit=100)):
            record_judgement(
                member, uuid.UUID(card.task), JudgementInput("judged", grade(at), comment=comment), uuid.uuid4()
            )
