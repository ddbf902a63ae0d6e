"""A collection with an assessor, and documents with known grades that are in no pool."""

import uuid

import pytest

from assess.calibration.known_grades import KnownGradeRow, add_known_grades
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Collection, Document, Member
from assess.pools.assign import assign
from tests.factories import SMALL_RUNS, set_content, small_collection

KNOWN = {"p1": 2, "p2": 0, "p3": 1}


@pytest.fixture
def graded(db) -> Collection:
    """Three grades. The documents p1 to p3 and c1 to c12 have texts and are in no pool."""
    collection = small_collection(SMALL_RUNS, grades=["0=none", "1=some", "2=much"])
    for doc_id in (*KNOWN, *(f"c{n}" for n in range(1, 13))):
        document = Document.objects.create(collection=collection, doc_id=doc_id)
        set_content(Document.objects.filter(pk=document.pk), title=f"Title {doc_id}", text=f"Text {doc_id}.")
    return collection


@pytest.fixture
def practice(graded) -> Collection:
    rows = [KnownGradeRow("1", doc_id, str(grade), f"Because of {doc_id}.") for doc_id, grade in KNOWN.items()]
    add_known_grades(graded, rows, "practice")
    return graded


@pytest.fixture
def checks(graded) -> Collection:
    add_known_grades(graded, [KnownGradeRow("1", f"c{n}", str(n % 3)) for n in range(1, 13)], "check")
    return graded


@pytest.fixture
def ada(graded, join) -> Member:
    member = join(graded, "ada")
    assign(graded, judges=1)
    return member


def judge(member: Member, public_id, grade: int | None, **values):
    """Record a grade, or "cannot judge" for None."""
    made = (
        JudgementInput("judged", grade, **values)
        if grade is not None
        else JudgementInput("cannot_judge", reason="broken")
    )
    return record_judgement(member, public_id, made, uuid.uuid4(), actor=member.user)
