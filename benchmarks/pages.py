"""Tables between the marks of a page: `<!-- name -->`, the table, `<!-- end -->`. The prose around them is by hand."""

import re
from pathlib import Path


def fill(page: Path, tables: dict[str, str]) -> None:
    """Put each table between its marks.

    Parameters
    ----------
    page : Path
        In Markdown, UTF-8.
    tables : dict of str to str
        What stands between the marks, by name.

    Raises
    ------
    ValueError
        The page has no marks for a table; nothing is written then.
    """
    text = page.read_text(encoding="utf-8")
    for name, table in tables.items():
        marks = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, found = marks.subn(lambda match, table=table: f"{match[1]}\n{table}\n\n{match[2]}", text)
        if not found:
            raise ValueError(f"{page.name} has no place for the table {name!r}")
    page.write_text(text, encoding="utf-8")
