"""Whoever was erased after a backup is not brought back by it."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError
from django.db import DatabaseError
from django.utils import timezone

from assess.backups import erasures
from assess.backups.erasures import due_entries
from assess.collections.members import add_member
from assess.errors import Refused
from assess.judging.ledger import ledger_problems
from assess.models import Collection, Exercise, Judgement, Member, Role, Tombstone, User
from assess.people import erasure, erasure_list
from assess.people.person_erasure import Grades, erase_person
from assess.people.removal import remove_member
from assess.teaching import exercises
from tests.assess.command_output import everything, output_of
from tests.assess.exercise_factories import join_all, make_instructor, pasted_exercise

pytestmark = [pytest.mark.slow, pytest.mark.site]


def restore(path: Path) -> list[str]:
    lines = output_of("restore", path, "--yes")
    assert list(ledger_problems()) == []
    return lines


def test_members(site):
    path = site.back_up()
    erasure.erase([site.ann], "on request")
    for _ in range(2):
        lines = restore(path)
        assert not Member.objects.filter(name=site.ann.name).exists()
        assert Judgement.objects.count() == 1
        assert Tombstone.objects.get().reason == "on request"
        assert "Entries of the list of erasures that were erased again: 1." in lines
    assert len(erasure_list.parse(erasure_list.read())) == 2  # repeating it adds nothing


@pytest.mark.parametrize(("grades", "judgements"), [(Grades.KEEP, 3), (Grades.DELETE, 1)])
def test_person(site, grades, judgements):
    User.objects.filter(pk=site.ann.user_id).update(email="ann@example.org", last_name="Ansel")
    path = site.back_up()
    erase_person(site.ann.user, grades)
    restore(path)
    assert not User.objects.filter(username="ann").exists()
    assert Judgement.objects.count() == judgements
    content = everything().lower()
    assert [word for word in ("ann@example", "ansel") if word in content] == []


def test_exercise(site):
    exercise = pasted_exercise(make_instructor())
    join_all(exercise, "Annabella")
    path = site.back_up()
    exercises.erase(exercise)
    restore(path)
    assert not Exercise.objects.exists()
    assert Collection.objects.count() == 1
    assert "annabella" not in everything().lower()


def test_person_who_was_removed_before_the_erasure(site):
    """The decision of then says nothing about this collection, so grades stay as they did."""
    path = site.back_up()
    remove_member(site.collection, site.ann.name)
    erase_person(User.objects.get(username="ann"), Grades.DELETE)
    restore(path)
    assert not User.objects.filter(username="ann").exists()
    assert Judgement.objects.count() == 3
    assert not Member.objects.filter(name=site.ann.name).exists()


def test_person_who_was_the_last_owner_in_the_backup(site):
    path = site.back_up()
    add_member(site.collection, "oscar", Role.OWNER)
    erase_person(User.objects.get(username="olga"), Grades.KEEP)
    restore(path)
    assert not User.objects.filter(username="olga").exists()


def test_another_person_with_the_same_key_stays(site):
    """After an older backup was restored, keys are used again."""
    path = site.back_up()
    erasure.erase([site.ann], "on request")
    entry, _ = erasure_list.parse(erasure_list.read())
    entry["members"] = [[site.bob.pk, entry["members"][0][1]]]
    Path(settings.ERASURE_LIST).write_text(f'{json.dumps(entry)}\n{{"id": "{entry["id"]}", "done": true}}\n')
    restore(path)
    assert set(Member.objects.values_list("name", flat=True)) >= {site.ann.name, site.bob.name}


def test_list_of_the_archive_is_merged(site):
    """The backup is older than the erasure, and the list comes from a later backup of a machine that is gone."""
    first = site.back_up()
    erasure.erase([site.ann], "on request")
    second = site.back_up("second.zip")
    Path(settings.ERASURE_LIST).unlink()
    restore(second)
    restore(first)
    assert not Member.objects.filter(name=site.ann.name).exists()


# ---- interrupted erasures


def interrupted(site, at: timedelta = timedelta()) -> None:
    """Only the first line is in the list."""
    salt = "salt"
    entry = {
        "id": "1",
        "at": (timezone.now() + at).isoformat(),
        "kind": "members",
        "salt": salt,
        "collection": site.collection.slug,
        "members": [[site.ann.pk, erasure_list.name_hash(salt, site.ann.name)]],
        "reason": "on request",
    }
    erasure_list.append([entry])


def test_interrupted_erasure_that_was_not_committed_is_not_repeated(site):
    path = site.back_up()
    interrupted(site)
    restore(path)
    assert Member.objects.filter(name=site.ann.name).exists()


def test_interrupted_erasure_that_was_committed_is_repeated(site):
    path = site.back_up()
    erasure.erase([site.ann], "on request")
    Path(settings.ERASURE_LIST).unlink()
    interrupted(site)
    restore(path)
    assert not Member.objects.filter(name=site.ann.name).exists()


def test_interrupted_erasure_from_before_the_backup_is_not_repeated_on_another_machine(site):
    interrupted(site, -timedelta(hours=1))
    path = site.back_up()
    erasure.erase([site.ann], "the other machine has nobody")
    Path(settings.ERASURE_LIST).unlink()
    restore(path)
    assert Member.objects.filter(name=site.ann.name).exists()


def test_interrupted_erasure_is_due_if_the_database_cannot_be_read(site, monkeypatch):
    interrupted(site)
    assert due_entries(timezone.now()) == []
    monkeypatch.setitem(erasures.FINDERS, "members", refuse(DatabaseError))
    assert [entry["id"] for entry in due_entries(timezone.now())] == ["1"]


def test_erasure_that_cannot_be_repeated_is_reported(site, monkeypatch):
    path = site.back_up()
    erasure.erase([site.ann], "on request")
    monkeypatch.setitem(erasures.ERASERS, "members", refuse(Refused))
    with pytest.raises(CommandError, match="The database was not changed"):
        output_of("restore", path, "--yes")
    assert not Member.objects.filter(name=site.ann.name).exists()


def refuse(kind: type[Exception]):
    def refused(*_arguments):
        raise kind("no")

    return refused
