"""Write tables between the markers of a page, `<!-- name -->` and `<!-- end -->`; the prose is written by hand."""

import re
from pathlib import Path


def fill(page: Path, tables: dict[str, str]) -> None:
    """Write each table between its markers.

    Parameters
    ----------
    page : Path
        A Markdown file in UTF-8.
    tables : dict of str to str
        The text between the markers, by name.

    Raises
    ------
    ValueError
        The page has no markers for a table. Nothing is written.
    """
    text = page.read_text(encoding="utf-8")
    for name, table in tables.items():
        markers = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, count = markers.subn(lambda match, table=table: f"{match[1]}\n{table}\n\n{match[2]}", text)
        if not count:
            raise ValueError(f"{page.name} has no markers for the table {name!r}.")
    page.write_text(text, encoding="utf-8")
