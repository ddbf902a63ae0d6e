"""The names of index tables, and the rows that they get."""

import re
import secrets
from collections.abc import Sequence

Row = tuple[int, Sequence[str], Sequence[str]]  # primary key of a document, words of its title, words of its text
NAME = re.compile(r"assess_search_[0-9a-f]{16}")
PATTERN = "assess_search_*"  # of these names, for pg_dump
TOO_LONG = "This search takes too long, because its words are in too many documents. Add rarer words."


def new_table() -> str:
    """Return a name that no index had before."""
    return f"assess_search_{secrets.token_hex(8)}"


def is_index(table: str) -> bool:
    """Whether a table is an index. Backups of PostgreSQL leave it out, because a job builds it again."""
    return NAME.fullmatch(table) is not None


def checked(table: str) -> str:
    """Return the name if `new_table` made it, because it becomes part of statements."""
    if not NAME.fullmatch(table):
        raise ValueError(f"{table!r} is not the name of a search index.")
    return table
