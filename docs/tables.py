"""The simple tables of reStructuredText in docstrings, as rows and as Markdown.

A table has two lines of `====`, and a third below its header if it has one; the columns are those of the first line. A
line continues the row above it if its first cell is empty, or all its cells but the first.
"""

import re

BORDER = re.compile(r" *=+(?: +=+)+")
Row = list[str]


def markdown_tables(text: str) -> str:
    """The text with each table as a table of Markdown, indented as before."""
    result: list[str] = []
    lines = text.splitlines()
    while lines:
        if BORDER.fullmatch(lines[0]):
            end, has_header = _extent(lines)
            result += [*([""] if result and result[-1] else []), *_in_markdown(lines[: end + 1], has_header)]
            lines = lines[end + 1 :]
        else:
            result.append(lines.pop(0))
    return "\n".join(result)


def table_rows(text: str) -> list[Row]:
    """The rows of the first table of the text, without the header."""
    lines = text.splitlines()
    lines = lines[next(number for number, line in enumerate(lines) if BORDER.fullmatch(line)) :]
    end, has_header = _extent(lines)
    return _rows(lines[: end + 1])[has_header:]


def _extent(lines: list[str]) -> tuple[int, bool]:
    """The number of the last line of the table that begins with the first line, and whether it has a header."""
    borders = [number for number, line in enumerate(lines) if BORDER.fullmatch(line)]
    has_header = len(borders) > 2 and all(line.strip() for line in lines[: borders[2]])
    return borders[2 if has_header else 1], has_header


def _rows(lines: list[str]) -> list[Row]:
    starts = [match.start() for match in re.finditer("=+", lines[0])]
    spans = list(zip(starts, [*starts[1:], None], strict=True))
    rows: list[Row] = []
    for line in lines:
        if BORDER.fullmatch(line):
            continue
        cells = [line[begin:end].strip() for begin, end in spans]
        if rows and (not cells[0] or not any(cells[1:])):
            rows[-1] = [" ".join(filter(None, pair)) for pair in zip(rows[-1], cells, strict=True)]
        else:
            rows.append(cells)
    return rows


def _in_markdown(lines: list[str], has_header: bool) -> list[str]:
    indent = lines[0][: lines[0].index("=")]
    rows = _rows(lines)
    header, *others = rows if has_header else [["" for _ in rows[0]], *rows]
    return [f"{indent}{line}" for line in (_line(header), "|" + "---|" * len(header), *map(_line, others))]


def _line(row: Row) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
