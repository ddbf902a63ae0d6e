"""A collection that two people judged, and a quick way to release its gold."""

import uuid
from datetime import UTC, datetime

import pytest

from assess.collections.guidelines import publish_guidelines
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, Collection, Member, Release
from assess.pools.assign import assign
from assess.releases import build
from assess.releases.archive import unzipped
from assess.releases.choices import ReleaseChoices
from assess.releases.contents import reports
from assess.releases.freeze import create_release
from assess.releases.source import ReleaseSource
from tests.assess.adjudication.conftest import disputed, people  # noqa: F401
from tests.assess.claiming import fresh

AT = datetime(2026, 11, 23, 12, 30, tzinfo=UTC)
# ada and bob differ on b (topic 1) and on x (topic 2).
GRADES = {
    "ada": {"a": 1, "b": 1, "d": 0, "e": 0, "x": 1, "y": 0, "z": 0},
    "bob": {"a": 1, "b": 0, "d": 0, "e": 0, "x": 0, "y": 0, "z": 0},
}


def record(member: Member, doc_id: str, grade: int, **fields) -> None:
    task = Assignment.objects.get(member=member, task__document__doc_id=doc_id, repeat=0).public_id
    judgement = JudgementInput("judged", grade, guidelines_version=1, **fields)
    record_judgement(fresh(member), task, judgement, uuid.uuid4(), actor=member.user)


@pytest.fixture
def judges(collection, join) -> dict[str, Member]:
    members = {name: join(collection, name) for name in GRADES}
    for name, member in members.items():
        Member.objects.filter(pk=member.pk).update(name=name)
    publish_guidelines(collection, "Read it all.")
    assign(collection, judges=2)
    for name, grades in GRADES.items():
        for doc_id, grade in grades.items():
            record(members[name], doc_id, grade)
    return members


@pytest.fixture
def without_reports(monkeypatch):
    """Leave out what takes half a second: the shift, the reports and the figures."""
    monkeypatch.setattr(build, "CONTENTS", tuple(files for files in build.CONTENTS if files is not reports.files))
    monkeypatch.setattr(ReleaseSource, "shift", None)


def release(collection: Collection, name: str = "main", rule: str = "majority", **choices) -> Release:
    return create_release(collection, ReleaseChoices(name, rule, **choices), at=AT)


def files_of(stored: Release) -> dict[str, bytes]:
    return unzipped(bytes(stored.archive))


def text_of(stored: Release, name: str) -> str:
    return files_of(stored)[name].decode()
