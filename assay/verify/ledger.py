"""The ledger in the SQLite database of a backup, read without Django. Nothing in the database is run or changed."""

import json
import sqlite3
from collections import Counter, namedtuple
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import UUID

from assay.verify.result import Head
from assess.backups.manifest import CollectionState
from assess.errors import Refused
from assess.judging.chain_format import checkpoint_hash, covered_digest
from assess.judging.chain_walk import NAMES, problems_of_member
from pooling.errors import shown
from pooling.words import count

Event = namedtuple("Event", NAMES)  # type: ignore[misc]  # its fields are those of the walk
TABLES = ("collection", "member", "topic", "document", "task", "judgement", "judgementevent", "marginalanswer")
EVENTS = """
    SELECT {columns} FROM assess_judgementevent e
    JOIN assess_judgement j ON j.id = e.judgement_id JOIN assess_task t ON t.id = j.task_id
    JOIN assess_topic q ON q.id = t.topic_id JOIN assess_document d ON d.id = t.document_id
    JOIN assess_member m ON m.id = e.member_id JOIN assess_collection c ON c.id = m.collection_id
    LEFT JOIN assess_marginalanswer a ON a.event_id = e.id {assistance}
    ORDER BY e.member_id, e.position, e.id
"""
COLUMNS = {
    "pk": "e.id",
    "member__name": "m.name",
    "member__collection__slug": "c.slug",
    "judgement__member": "j.member_id",
    "judgement__task__topic__query_id": "q.query_id",
    "judgement__task__document__doc_id": "d.doc_id",
    "judgement__repeat": "j.repeat",
    "marginal__answer": "a.answer",
    "marginal__repeats": "a.repeats",
    "assistance__judge": "s.judge",
    "assistance__grade": "s.grade",
}
ASSISTANCE = "assess_assistance"  # a table that backups of earlier versions do not have
JOINED = f"LEFT JOIN {ASSISTANCE} s ON s.event_id = e.id"
WITHOUT = {"assistance__judge": "NULL", "assistance__grade": "NULL"}
CHANGED = """
    SELECT m.name, q.query_id, d.doc_id, j.state, j.relevance, e.state, e.relevance FROM assess_judgement j
    JOIN assess_judgementevent e ON e.judgement_id = j.id AND e.version = j.version
    JOIN assess_task t ON t.id = j.task_id JOIN assess_topic q ON q.id = t.topic_id
    JOIN assess_document d ON d.id = t.document_id JOIN assess_member m ON m.id = j.member_id
    WHERE j.state IS NOT e.state OR j.relevance IS NOT e.relevance ORDER BY j.id
"""
WITHOUT_EVENT = """
    SELECT COUNT(*) FROM assess_judgement j WHERE NOT EXISTS
    (SELECT 1 FROM assess_judgementevent e WHERE e.judgement_id = j.id AND e.version = j.version)
"""
TIMES, TEXTS = ("at", "recorded_at"), ("passages", "marginal__repeats")


class Database:
    """The database, opened to read. `events` and `erased` count events and comments without text after `problems`."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        for setting in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON"):
            self._connection.execute(f"PRAGMA {setting}")
        self.events = self.erased = 0
        self._has_assistance = False
        self._heads: dict[tuple[int, int], str] = {}

    def __enter__(self) -> "Database":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def problems(self, states: Sequence[CollectionState]) -> Iterator[str]:
        """Yield one sentence for each event or judgement that was changed, and each head that is not there."""
        try:
            self._check_tables()
            yield from self._chain_problems()
            yield from self._changed()
            for state in states:
                yield from self.head_problems(state.slug, state.chains)
        except (sqlite3.Error, ValueError, TypeError, AttributeError, RecursionError) as error:
            raise Refused(f"the ledger in its database cannot be read: {str(error).rstrip('.')}.") from None

    def _check_tables(self) -> None:
        """A view or a virtual table in the place of a table could compute anything."""
        names = [f"assess_{name}" for name in (*TABLES, "checkpoint", "tombstone")]
        rows = self._connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
        tables = {name for name, sql in rows if str(sql).startswith("CREATE TABLE")}
        everything = {name for (name,) in self._connection.execute("SELECT name FROM sqlite_schema")}
        names += [ASSISTANCE] if ASSISTANCE in everything else []
        if wrong := [name for name in names if name not in tables]:
            raise Refused(f"its database has no table {wrong[0]}.")
        self._has_assistance = ASSISTANCE in tables

    def _chain_problems(self) -> Iterator[str]:
        erased: Counter[str] = Counter()
        known, joined = (COLUMNS, JOINED) if self._has_assistance else (COLUMNS | WITHOUT, "")
        columns = ", ".join(known.get(name, f"e.{name}") for name in NAMES)
        rows = map(_event, self._connection.execute(EVENTS.format(columns=columns, assistance=joined)))
        for _, chain in groupby(rows, key=attrgetter("member_id")):
            yield from problems_of_member(self._counted(chain), erased)
        self.erased = erased.total()
        yield from self._unexplained(erased)

    def _unexplained(self, erased: Counter[str]) -> Iterator[str]:
        """Comments are erased with a tombstone that counts them."""
        for slug, number in sorted(erased.items()):
            stones = "SELECT COALESCE(SUM(comments), 0) FROM assess_tombstone WHERE collection_slug = ?"
            (recorded,) = self._connection.execute(stones, [slug]).fetchone()
            if number > recorded:
                yield f"{slug}: {count(number, 'comment')} deleted, and the tombstones record {recorded:,}."

    def _counted(self, events: Iterator[Any]) -> Iterator[Any]:
        for event in events:
            self.events += 1
            self._heads[event.member_id, event.position or 0] = bytes(event.hash or b"").hex()
            yield event

    def _changed(self) -> Iterator[str]:
        for name, query_id, doc_id, state, grade, then, before in self._connection.execute(CHANGED):
            what = f"the judgement of {shown(name)} (document {shown(doc_id)}, topic {shown(query_id)})"
            yield f"{what} has {state}, grade {grade}, and its last event {then}, grade {before}."
        if number := self._connection.execute(WITHOUT_EVENT).fetchone()[0]:
            yield f"{count(number, 'judgement')} without the event of its last version."

    def head_problems(self, slug: str, chains: Sequence[Sequence[int | str]]) -> Iterator[str]:
        """Yield what the ledger lacks that it had at a checkpoint."""
        erased = self._erased(slug)
        for member, length, head in chains:
            found = self._heads.get((int(member), int(length)))
            if found != head and int(member) not in erased:
                what = "is missing" if found is None else f"has the hash {found[:12]}"
                yield f"{slug}: event {int(length):,} of member {member} {what}, and the head is {str(head)[:12]}."

    def _erased(self, slug: str) -> set[int]:
        rows = self._connection.execute("SELECT chains FROM assess_tombstone WHERE collection_slug = ?", [slug])
        return {int(member) for (chains,) in rows for member, *_ in json.loads(chains)}

    def other_heads(self, known: set[str]) -> list[Head]:
        """Return the checkpoints in the database that are those of its chains, for a head that is older."""
        columns = {row[1] for row in self._connection.execute("PRAGMA table_info(assess_checkpoint)")}
        covered = "p.covered" if "covered" in columns else "NULL"  # earlier versions have only the chains
        rows = self._connection.execute(
            f"SELECT c.slug, p.hash, p.chains, {covered}, p.reason, p.created_at FROM assess_checkpoint p "  # noqa: S608
            "JOIN assess_collection c ON c.id = p.collection_id ORDER BY p.id"
        )
        return [
            Head(f"the ledger of {slug} at a checkpoint ({reason}, {str(at)[:16]} UTC)", head)
            for slug, head, chains, covered, reason, at in rows
            if head not in known and self._holds(slug, head, json.loads(chains), covered_digest(_json(covered)))
        ]

    def _holds(self, slug: str, head: str, chains: list[list[int | str]], covered: str) -> bool:
        return checkpoint_hash(slug, chains, covered) == head and not any(self.head_problems(slug, chains))


def _json(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _event(row: tuple[Any, ...]) -> Any:
    """Return a row with the values that Django reads from SQLite."""
    values = dict(zip(NAMES, row, strict=True))
    for name in TIMES:
        values[name] = datetime.fromisoformat(values[name]).replace(tzinfo=UTC)
    for name in TEXTS:
        values[name] = json.loads(values[name]) if values[name] is not None else None
    if values["highlights"] is not None:
        values["highlights"] = bool(values["highlights"])
    if values["client_id"] is not None:
        values["client_id"] = UUID(values["client_id"])
    return Event(**values)
