"""A collection in which two judges disagree, and people who can adjudicate."""

import uuid

import pytest

from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, Collection, JudgementKind, Member, Role, Task, User
from assess.transfer.judgements import import_judgements
from tests.assess.claiming import fresh

HEADER = "assessor,query_id,doc_id,relevance\n"
# Topic 1: a, b, d, e; topic 2: x, y, z. ann and bob differ on b (topic 1) and on x and z (topic 2).
GRADES = {
    "ann": {"1": {"a": 1, "b": 1, "d": 0, "e": 0}, "2": {"x": 1, "y": 0, "z": 1}},
    "bob": {"1": {"a": 1, "b": 0, "d": 0, "e": 0}, "2": {"x": 0, "y": 0, "z": 0}},
}


@pytest.fixture
def disputed(collection) -> Collection:
    lines = [
        f"{judge},{query_id},{doc_id},{grade}\n"
        for judge, topics in GRADES.items()
        for query_id, grades in topics.items()
        for doc_id, grade in grades.items()
    ]
    import_judgements(collection, (HEADER + "".join(lines)).encode())
    return collection


@pytest.fixture
def people(disputed) -> dict[str, Member]:
    """Two assessors and two researchers, none of whom judged anything."""
    roles = {"cleo": Role.ASSESSOR, "dan": Role.ASSESSOR, "rita": Role.RESEARCHER, "olga": Role.OWNER}
    return {
        name: Member.objects.create(
            collection=disputed, user=User.objects.create_user(name, password="long enough 1"), role=role, name=name
        )
        for name, role in roles.items()
    }


def task_of(collection: Collection, query_id: str, doc_id: str) -> Task:
    return Task.objects.get(topic__collection=collection, topic__query_id=query_id, document__doc_id=doc_id)


def decide(member: Member, task, grade: int):
    assignment = Assignment.objects.get(member=member, task=task, repeat=JudgementKind.DECISION)
    return record_judgement(
        fresh(member), assignment.public_id, JudgementInput("judged", relevance=grade), uuid.uuid4(), actor=member.user
    )
