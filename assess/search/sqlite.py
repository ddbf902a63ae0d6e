"""SQLite's FTS5. The table has no copy of the texts: the words are its only content.

Words come from `assess.search.words` and are separated by spaces. The tokenizer `ascii` splits at them and leaves
all other characters as they are. bm25 ranks, and a word of a title counts twice.
"""

import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.db import OperationalError, connection

from assess.errors import Refused
from assess.search.grammar import AllOf, Node, Phrase
from assess.search.tables import TOO_LONG, Row, checked

STEPS = 20_000  # of SQLite's program between two looks at the clock


def create(table: str) -> None:
    name = checked(table)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE VIRTUAL TABLE {name} USING fts5(title, text, content='', tokenize='ascii')")
        cursor.execute(f"INSERT INTO {name}({name}, rank) VALUES('rank', 'bm25(2.0, 1.0)')")


def insert(table: str, rows: Iterable[Row]) -> None:
    statement = f"INSERT INTO {checked(table)}(rowid, title, text) VALUES(%s, %s, %s)"
    with connection.cursor() as cursor:
        cursor.executemany(statement, [(key, " ".join(title), " ".join(text)) for key, title, text in rows])


def finish(_table: str) -> None:
    """Nothing is left to do: FTS5 merges the parts of its index while it grows."""


def drop(table: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {checked(table)}")


def exists(table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = %s", [table])
        return cursor.fetchone() is not None


def matches(table: str, tree: Node, limit: int, seconds: float) -> tuple[list[int], int]:
    """Return the primary keys of the best documents, and how many match. Refused if it takes too long.

    Equally good documents are in an order that has nothing to do with that of their import.
    """
    statement = (
        f"SELECT rowid, COUNT(*) OVER () FROM {checked(table)} WHERE {table} MATCH %s "  # noqa: S608 - checked
        "ORDER BY rank, rowid * 48271 %% 2147483647 LIMIT %s"
    )
    with connection.cursor() as cursor, _limited(seconds):
        cursor.execute(statement, [expression(tree), limit])
        rows = cursor.fetchall()
    return [key for key, _ in rows], rows[0][1] if rows else 0


def expression(node: Node) -> str:
    """Return the tree as FTS5 writes it. Every word is in quotation marks."""
    if isinstance(node, Phrase):
        words = " + ".join(f'"{word}"' for word in node.words)
        star = " *" if node.is_prefix else ""
        return f"{{{node.field}}} : ({words}{star})" if node.field else f"({words}{star})"
    operator = " AND " if isinstance(node, AllOf) else " OR "
    result = f"({operator.join(map(expression, node.parts))})"
    if isinstance(node, AllOf) and node.without:
        return f"({result} NOT ({' OR '.join(map(expression, node.without))}))"
    return result


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Stop a statement that takes longer."""
    end = time.monotonic() + seconds
    # SQLite has no timeout of statements; the handler is called after each STEPS and stops them.
    connection.connection.set_progress_handler(lambda: time.monotonic() > end, STEPS)
    try:
        yield
    except OperationalError as error:
        # By its code, because other OperationalErrors, such as a locked database, must not look like a long search.
        if getattr(error.__cause__, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
            raise Refused(TOO_LONG) from None
        raise
    finally:
        connection.connection.set_progress_handler(None, STEPS)
