"""Small tables of HTML for notebooks. Every text is escaped."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

LONGEST = 200  # characters of a cell


def card(title: str, values: Mapping[str, Any]) -> str:
    """A title, and a table with one line for each value."""
    lines = "".join(f"<tr><th>{escape(name)}</th><td>{_cell(value)}</td></tr>" for name, value in values.items())
    return f"<div><strong>{escape(title)}</strong><table>{lines}</table></div>"


def row_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """A table with a heading for each field of the first row."""
    if not rows:
        return "<p>nothing</p>"
    heads = "".join(f"<th>{escape(str(name))}</th>" for name in rows[0])
    lines = "".join(f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row.values())}</tr>" for row in rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return escape(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")
