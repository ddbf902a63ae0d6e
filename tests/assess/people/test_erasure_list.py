"""Every erasure is in the list next to the database, without names, before it is committed."""

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.db import transaction

from assess.people import erasure, erasure_list
from assess.people.person_erasure import Grades, erase_person
from assess.pools.assign import assign
from assess.teaching import exercises
from tests.assess.claiming import judge, upcoming
from tests.assess.exercise_factories import join_all, make_instructor, pasted_exercise

pytestmark = pytest.mark.django_db


def lines() -> list[dict]:
    path = Path(settings.ERASURE_LIST)
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def zelda(collection, join):
    member = join(collection, "zelda")
    assign(collection)
    judge(member, upcoming(member)[0])
    return member


def test_members(zelda, collection, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        erasure.erase([zelda], "on request")
    entry, done = lines()
    key = [zelda.pk or entry["members"][0][0], erasure_list.name_hash(entry["salt"], zelda.name)]
    assert {name: entry[name] for name in ("kind", "collection", "members", "reason")} == {
        "kind": "members",
        "collection": "small",
        "members": [key],
        "reason": "on request",
    }
    assert done == {"id": entry["id"], "done": True}
    assert Path(settings.ERASURE_LIST).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("grades", list(Grades))
def test_person_is_one_entry(zelda, grades, django_capture_on_commit_callbacks):
    user, name = zelda.user, zelda.user.username
    key = user.pk
    with django_capture_on_commit_callbacks(execute=True):
        erase_person(user, grades)
    entry, done = lines()
    assert (entry["kind"], entry["grades"]) == ("person", {"small": str(grades)})
    assert entry["user"] == [key, erasure_list.name_hash(entry["salt"], name)]
    assert done == {"id": entry["id"], "done": True}
    assert "zelda" not in Path(settings.ERASURE_LIST).read_text()


def test_exercise_is_one_entry(django_capture_on_commit_callbacks):
    exercise = pasted_exercise(make_instructor())
    join_all(exercise, "Annabella")
    key, slug = exercise.pk, exercise.collection.slug
    with django_capture_on_commit_callbacks(execute=True):
        exercises.erase(exercise, "it reached its erasure date")
    entry, done = lines()
    assert (entry["kind"], entry["collection"], entry["exercise"][0]) == ("exercise", slug, key)
    assert entry["reason"] == "it reached its erasure date"
    assert done["id"] == entry["id"]
    assert "annabella" not in Path(settings.ERASURE_LIST).read_text().lower()


def test_erasure_is_interrupted_without_the_second_line(zelda):
    with transaction.atomic():
        erasure.erase([zelda], "on request")
        transaction.set_rollback(True)
    (entry,) = lines()
    assert erasure_list.entries() == ([], [entry])


def test_nothing_is_erased_if_the_list_cannot_be_written(zelda, collection, monkeypatch, tmp_path):
    monkeypatch.setattr(settings, "ERASURE_LIST", tmp_path / "none" / "erasures.jsonl")
    with pytest.raises(FileNotFoundError):
        erasure.erase([zelda], "on request")
    assert collection.members.filter(name=zelda.name).exists()


def test_line_that_was_cut_off_is_left_out_and_the_next_one_is_whole(tmp_path):
    erasure_list.append([{"id": "1", "kind": "members", "at": "2026"}])
    path = Path(settings.ERASURE_LIST)
    path.write_bytes(path.read_bytes() + b'{"id": "2", "ki')
    erasure_list.append([{"id": "3", "kind": "members", "at": "2025"}, {"id": "3", "done": True}])
    assert [line["id"] for line in erasure_list.parse(erasure_list.read())] == ["1", "3", "3"]
    done, interrupted = erasure_list.entries()
    assert [[entry["id"] for entry in entries] for entries in (done, interrupted)] == [["3"], ["1"]]


def test_lists_are_merged_without_duplicates():
    erasure_list.append([{"id": "1", "kind": "members", "at": "2026"}])
    other = b'{"id":"1","kind":"members","at":"2026"}\n{"id":"1","done":true}\nno json\n[]\n'
    for _ in range(2):
        erasure_list.merge(other)
    assert lines() == [{"id": "1", "kind": "members", "at": "2026"}, {"id": "1", "done": True}]
