"""An instructor, an exercise on a small collection, and students in their own browsers."""

import uuid
from collections.abc import Callable
from typing import Any

from django.test import Client
from django.urls import reverse

from assess.collections.members import add_member
from assess.judging import worklist
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Collection, Exercise, Member, Role, Seat, User
from assess.teaching import exercises
from assess.teaching.exercises import ExerciseSpec

BACKEND = "assess.people.backend.AccountBackend"


def add_instructor(collection: Collection, name: str = "prof") -> Member:
    return add_member(collection, name, Role.INSTRUCTOR)[0]


def create_exercise(collection: Collection, instructor: Member, **options: Any) -> Exercise:
    settings = {"title": "Agreement", "source": collection.slug, "shared": 4, "binary": True} | options
    return exercises.make(instructor.user, ExerciseSpec(**settings))


def signed_in_client(user: User) -> Client:
    client = Client()
    client.force_login(user, backend=BACKEND)
    return client


def join_exercise(exercise: Exercise, nickname: str) -> tuple[Client, Seat]:
    """Join through the page for nicknames, in a new browser."""
    client = Client()
    response = client.post(reverse("join:nickname", args=[exercise.code]), {"nickname": nickname})
    assert response.status_code == 302, response.content.decode()
    return client, exercise.seats.get(nickname=nickname)


def judge_all(seat: Seat, grade: Callable[[int], int] = lambda _position: 1, comment: str = "") -> None:
    """Judge all documents of a seat. `grade` returns the grade for the position of a document."""
    member = Member.objects.select_related("collection").get(pk=seat.member_id)
    for topic, _ in worklist.topics_with_progress(member):
        for position, card in enumerate(worklist.upcoming(member, topic, limit=100)):
            record_judgement(
                member, uuid.UUID(card.task), JudgementInput("judged", grade(position), comment=comment), uuid.uuid4()
            )
