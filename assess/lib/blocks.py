"""Reads many rows of the database in constant memory."""

from collections.abc import Iterator
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

BLOCK = 1_000  # rows

Row = TypeVar("Row", bound=Model)


def blocks(rows: "QuerySet[Row, Any]") -> Iterator[list[Row]]:
    """Yield the rows of a queryset by ascending primary key, in lists of at most BLOCK.

    Each list is a query of its own, so a slow reader keeps no transaction and no cursor open.
    """
    block = _after(rows, 0)
    while block:
        yield block
        block = _after(rows, block[-1].pk) if len(block) == BLOCK else []


def _after(rows: "QuerySet[Row, Any]", key: int) -> list[Row]:
    return list(rows.order_by("pk").filter(pk__gt=key)[:BLOCK])
