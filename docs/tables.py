"""The simple tables of reStructuredText in docstrings, as rows and as Markdown.

A table has three lines of `====`, one below the header; the columns are those of the first line. A line continues the
row above it if its first cell is empty, or all its cells but the first.
"""

import re

BORDER = re.compile(r"=+(?: +=+)+")
Row = list[str]


def markdown_tables(text: str) -> str:
    """The text with each table as a table of Markdown."""
    result: list[str] = []
    lines = text.splitlines()
    while lines:
        if BORDER.fullmatch(lines[0]):
            end = _end_of_table(lines)
            result += _in_markdown(_rows(lines[: end + 1]))
            lines = lines[end + 1 :]
        else:
            result.append(lines.pop(0))
    return "\n".join(result)


def table_rows(text: str) -> list[Row]:
    """The rows of the first table of the text, without the header."""
    lines = text.splitlines()
    begin = next(number for number, line in enumerate(lines) if BORDER.fullmatch(line))
    return _rows(lines[begin : begin + _end_of_table(lines[begin:]) + 1])[1:]


def _end_of_table(lines: list[str]) -> int:
    borders = [number for number, line in enumerate(lines) if BORDER.fullmatch(line)]
    has_header = len(borders) > 2 and "" not in lines[: borders[2]]
    return borders[2 if has_header else 1]


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


def _in_markdown(rows: list[Row]) -> list[str]:
    lines = ["| " + " | ".join(cell.replace("|", r"\|") for cell in row) + " |" for row in rows]
    return [lines[0], "|" + "---|" * len(rows[0]), *lines[1:]]
