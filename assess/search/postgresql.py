"""PostgreSQL's tsvector with a GIN index. Words of a title have the weight A, words of a text D.

The words come from `assess.search.words`, so PostgreSQL neither splits texts nor reads dictionaries. ts_rank ranks,
which does not know how rare a word is.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from django.db import OperationalError, connection, transaction

from assess.errors import Refused
from assess.lib.batches import insert_into
from assess.search.grammar import AllOf, Node, Phrase
from assess.search.tables import TOO_LONG, Row, checked

LAST_POSITION = 16_383  # PostgreSQL counts no further; phrases are found before it
GAP = 10  # positions between title and text, so that no phrase contains both
WEIGHTS = {"": "", "title": "A", "text": "D"}
CANCELLED = "57014"  # what PostgreSQL calls a statement that it stopped, in every language
BY_LENGTH = 1  # ts_rank divides by 1 + the logarithm of the document's length


def create(table: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLE {checked(table)} (document_id bigint PRIMARY KEY, words tsvector NOT NULL)")
        # Within the row as long as it fits: ts_rank reads the words of every document that matches.
        cursor.execute(f"ALTER TABLE {table} ALTER COLUMN words SET STORAGE MAIN")


def insert(table: str, rows: Iterable[Row]) -> None:
    vectors = ((key, vector(title, text)) for key, title, text in rows)
    insert_into(checked(table), ("document_id", "words"), vectors)


def finish(table: str) -> None:
    """Make the GIN index, which is several times faster than adding each row to it."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE INDEX IF NOT EXISTS {checked(table)}_words ON {table} USING gin (words)")
        cursor.execute(f"ANALYZE {table}")


def drop(table: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {checked(table)}")


def exists(table: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [checked(table)])
        return bool(cursor.fetchone()[0])


def matches(table: str, tree: Node, limit: int, seconds: float) -> tuple[list[int], int]:
    """Return the primary keys of the best documents, and how many match. Refused if it takes too long.

    Equally good documents are in an order that has nothing to do with that of their import.
    """
    statement = (
        f"SELECT document_id, COUNT(*) OVER () FROM {checked(table)}, CAST(%s AS tsquery) AS query "  # noqa: S608
        f"WHERE words @@ query ORDER BY ts_rank(words, query, {BY_LENGTH}) DESC, document_id * 48271 %% 2147483647 "
        "LIMIT %s"
    )
    with _limited(seconds), connection.cursor() as cursor:
        cursor.execute(statement, [expression(tree), limit])
        rows = cursor.fetchall()
    return [key for key, _ in rows], rows[0][1] if rows else 0


def vector(title: Sequence[str], text: Sequence[str]) -> str:
    """Return the words of a document with their positions, as PostgreSQL writes a tsvector."""
    positions: dict[str, list[str]] = {}
    for number, word in enumerate(title, start=1):
        positions.setdefault(word, []).append(f"{min(number, LAST_POSITION)}A")
    for number, word in enumerate(text, start=len(title) + GAP):
        positions.setdefault(word, []).append(str(min(number, LAST_POSITION)))
    return " ".join(f"'{word}':{','.join(numbers)}" for word, numbers in positions.items())


def expression(node: Node) -> str:
    """Return the tree as PostgreSQL writes a tsquery. Every word is in quotation marks."""
    if isinstance(node, Phrase):
        return _phrase(node)
    operator = " & " if isinstance(node, AllOf) else " | "
    result = f"({operator.join(map(expression, node.parts))})"
    if isinstance(node, AllOf) and node.without:
        return f"({result} & !({' | '.join(map(expression, node.without))}))"
    return result


def _phrase(phrase: Phrase) -> str:
    weight = WEIGHTS[phrase.field]
    labels = [weight] * (len(phrase.words) - 1) + [("*" if phrase.is_prefix else "") + weight]
    words = [f"'{word}'{':' if label else ''}{label}" for word, label in zip(phrase.words, labels, strict=True)]
    return f"({' <-> '.join(words)})"


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Stop a statement that takes longer."""
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL statement_timeout = {round(seconds * 1000)}")
            yield
            with connection.cursor() as cursor:
                # SET LOCAL ends with the outermost transaction, which may be the caller's.
                cursor.execute("SET LOCAL statement_timeout = DEFAULT")
    except OperationalError as error:
        if getattr(error.__cause__, "sqlstate", None) == CANCELLED:
            raise Refused(TOO_LONG) from None
        raise
