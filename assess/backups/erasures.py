"""Erases again whom an older backup brought back, from the list of erasures."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import Error

from assess.errors import Refused
from assess.models import Exercise, Member, User
from assess.people import erasure, erasure_list
from assess.people.erasure_list import Entry, exercise_hash, name_hash
from assess.people.person_erasure import Grades, erase_person_again
from assess.teaching import exercises

LONGEST_COMMIT = timedelta(minutes=1)  # an erasure adds its entry at the end of its transaction


def due_entries(copied_at: datetime) -> list[Entry]:
    """Return the erasures that a database copied at this time must contain, oldest first. Call it before restoring.

    Among them are interrupted ones, if the present database shows that they were committed: the people are gone. If it
    cannot be read, nobody is there. An interrupted erasure from before the copy is either in the copy or was never
    committed.
    """
    done, interrupted = erasure_list.entries()
    later = [entry for entry in interrupted if datetime.fromisoformat(entry["at"]) > copied_at - LONGEST_COMMIT]
    due = done + [entry for entry in later if not _is_there(entry)]
    return sorted(due, key=lambda entry: str(entry["at"]))


def _is_there(entry: Entry) -> bool:
    try:
        return bool(FINDERS[entry["kind"]](entry))
    except Error:
        return False


def erase_again(entries: list[Entry]) -> tuple[int, list[str]]:
    """Apply the entries whose people are in the database. Returns how many these were, and what failed."""
    count, problems = 0, []
    for entry in entries:
        try:
            count += _apply(entry)
        except Refused as refusal:
            problems.append(f"The erasure of {entry['at'][:16]} UTC could not be repeated: {refusal}")
    return count, problems


def _apply(entry: Entry) -> bool:
    rows = FINDERS[entry["kind"]](entry)
    if rows:
        ERASERS[entry["kind"]](rows, entry)
    return bool(rows)


def _find_members(entry: Entry) -> list[Member]:
    hashes = dict(entry["members"])
    members = Member.objects.filter(pk__in=hashes, collection__slug=entry["collection"]).only("pk", "name")
    return [member for member in members if name_hash(entry["salt"], member.name) == hashes[member.pk]]


def _find_person(entry: Entry) -> list[User]:
    key, expected = entry["user"]
    users = User.objects.filter(pk=key).only("pk", "username")
    return [user for user in users if name_hash(entry["salt"], user.username) == expected]


def _find_exercise(entry: Entry) -> list[Exercise]:
    key, expected = entry["exercise"]
    rows = Exercise.objects.filter(pk=key, collection__slug=entry["collection"]).only("pk", "created_at")
    return [exercise for exercise in rows if exercise_hash(entry["salt"], exercise) == expected]


def _erase_members(members: list[Member], entry: Entry) -> None:
    members = list(Member.objects.filter(pk__in=[member.pk for member in members]).select_related("collection"))
    erasure.erase(members, entry["reason"], add_to_list=False)


def _erase_person(users: list[User], entry: Entry) -> None:
    erase_person_again(users[0], {slug: Grades(grades) for slug, grades in entry["grades"].items()})


def _erase_exercise(rows: list[Exercise], entry: Entry) -> None:
    exercises.erase(Exercise.objects.get(pk=rows[0].pk), entry["reason"], add_to_list=False)


FINDERS: dict[str, Callable[[Entry], list[Any]]] = {
    "members": _find_members,
    "person": _find_person,
    "exercise": _find_exercise,
}
ERASERS: dict[str, Callable[[list[Any], Entry], None]] = {
    "members": _erase_members,
    "person": _erase_person,
    "exercise": _erase_exercise,
}
