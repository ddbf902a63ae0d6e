"""The list of erasures: a file next to the database, so that restoring an older backup brings nobody back.

Each line of `erasures.jsonl` is a JSON object. An erasure writes its first line within its transaction, before the
commit, and `{"id": ..., "done": true}` after the commit. An erasure without the second line was interrupted, so it is
unknown whether it happened.

    id          random
    at          when, ISO 8601 in UTC
    kind        "members", "person" or "exercise"
    salt        random, for the hashes of this line
    collection  members, exercise: the collection's slug
    members     members: [primary key, hash of the name] of each
    user        person: [primary key, hash of the user name]
    grades      person: "keep" or "delete" for each collection, by slug
    exercise    exercise: [primary key, hash of the time at which it was created]
    reason      members, exercise: as in the tombstone

Names do not appear. A hash is the SHA-256 of salt and name. Key and hash must both match, because a key can be used
again after an older backup was restored.
"""

import hashlib
import json
import os
import secrets
import uuid
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from assess.lib.private_files import create_private_file
from assess.models import Exercise, Member, User

Entry = dict[str, Any]
SALT_BYTES = 16


def add_members(collection: str, members: Iterable[Member], reason: str) -> None:
    """Add members of a collection who are being erased. Call it within the transaction."""
    salt = _new_salt()
    rows = [[member.pk, name_hash(salt, member.name)] for member in members]
    _add({"kind": "members", "salt": salt, "collection": collection, "members": rows, "reason": reason})


def add_person(user: User, username: str, grades: dict[str, str]) -> None:
    """Add a person who is being erased, with the decision for each collection. Call it within the transaction."""
    salt = _new_salt()
    _add({"kind": "person", "salt": salt, "user": [user.pk, name_hash(salt, username)], "grades": grades})


def add_exercise(collection: str, exercise: Exercise, reason: str) -> None:
    """Add an exercise that is being erased. Call it within the transaction."""
    salt = _new_salt()
    key = [exercise.pk, exercise_hash(salt, exercise)]
    _add({"kind": "exercise", "salt": salt, "collection": collection, "exercise": key, "reason": reason})


def name_hash(salt: str, name: str) -> str:
    return hashlib.sha256((salt + name).encode()).hexdigest()


def exercise_hash(salt: str, exercise: Exercise) -> str:
    return name_hash(salt, exercise.created_at.isoformat())


def _new_salt() -> str:
    return secrets.token_hex(SALT_BYTES)


def _add(entry: Entry) -> None:
    """Write the entry now, so that no erasure is committed without it."""
    number = str(uuid.uuid4())
    append([{"id": number, "at": timezone.now().isoformat(), **entry}])
    # robust: the erasure is committed, and a failure is logged. The next restore then looks whether the person exists.
    transaction.on_commit(partial(append, [{"id": number, "done": True}]), robust=True)


def append(lines: list[Entry]) -> None:
    """Add lines at the end of the list, and return when they are on the disk."""
    path = Path(settings.ERASURE_LIST)
    create_private_file(path)
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    with path.open("a+b") as file:  # append: erasures in other processes add lines too
        if file.seek(0, os.SEEK_END) and not _ends_with_newline(file):
            text = "\n" + text  # the last line was cut off, because the disk was full or the power failed
        file.write(text.encode())
        file.flush()
        os.fsync(file.fileno())


def _ends_with_newline(file: BinaryIO) -> bool:
    file.seek(-1, os.SEEK_END)
    return file.read() == b"\n"


def read() -> bytes:
    """Return the list as it is in the file; empty if there is none."""
    path = Path(settings.ERASURE_LIST)
    return path.read_bytes() if path.exists() else b""


def parse(content: bytes) -> list[Entry]:
    """Return the lines of a list. A line that was cut off is left out: its erasure was not committed."""
    lines = []
    for text in content.splitlines():
        try:
            line = json.loads(text)
        except ValueError:
            continue
        if isinstance(line, dict) and "id" in line:
            lines.append(line)
    return lines


def merge(content: bytes) -> None:
    """Add to the list what only another list has, such as that of an archive."""
    # The list only grows, so merging the same archive twice adds nothing.
    existing = parse(read())
    if missing := [line for line in parse(content) if line not in existing]:
        append(missing)


def entries() -> tuple[list[Entry], list[Entry]]:
    """Return the erasures that were completed, and those that were interrupted. Both in the order of their times."""
    lines = parse(read())
    done = {line["id"] for line in lines if line.get("done")}
    erasures = sorted((line for line in lines if "kind" in line), key=lambda line: str(line["at"]))
    return [each for each in erasures if each["id"] in done], [each for each in erasures if each["id"] not in done]
