"""Tables of figures: on a page, as CSV and as LaTeX, all from the same data."""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor
from typing import TYPE_CHECKING, Any, Protocol

from django.http import HttpResponse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from assess.judging.judgement_csv import harmless
from assess.lib.latex import latex_table

if TYPE_CHECKING:
    import pandas as pd

Row = Mapping[str, Any]
FILES = ("csv", "tex")
LATEX = "text/x-tex; charset=utf-8"
TOO_EARLY = "too early to say"  # instead of a band
FORMATS = {
    "count": ",",
    "share": "z.3f",
    "change": "z.4f",
    "seconds": ".1f",
    "time": "%Y-%m-%d %H:%M",
}  # by kind of column


class File(Protocol):
    """What a file of a table needs. A table without columns has no LaTeX."""

    @property
    def data(self) -> "pd.DataFrame": ...

    @property
    def columns(self) -> Sequence[Any]: ...

    @property
    def caption(self) -> str: ...

    @property
    def label(self) -> str:
        """What LaTeX calls the table; by default the name of the file."""

    def displayed(self) -> "pd.DataFrame": ...


@dataclass(frozen=True)
class Column:
    """A column of a table on a page.

    `name` is the column of the data. A figure may also have columns with its name and `_low`, `_high` and `_reason`:
    the limits of its interval, which are equally far from the value, and why it is undefined. `kind` is "text", "band",
    "time", "count", "figure" (with three decimals), "share" (the same, if it may be missing without a reason), "change"
    (with four decimals), "seconds", or "range": the figure and its
    interval drawn on an axis that all rows share. `link` returns the address that a cell leads to, or an empty text.
    """

    name: str
    heading: str
    kind: str = "figure"
    link: Callable[[Row], str] | None = None

    @property
    def is_text(self) -> bool:
        return self.kind in ("text", "band", "time")

    def text(self, row: Row) -> str:
        """Return a value as it is displayed; an undefined figure shows its reason."""
        value = row[self.name]
        if self.kind == "figure":
            return figure_text(value, row.get(f"{self.name}_reason"))
        if value is None:
            return "" if self.kind == "band" else "–"
        if isinstance(value, bool):
            return "yes" if value else "no"
        return format(value, FORMATS.get(self.kind, ""))

    def reach(self, row: Row) -> str:
        """Return half the width of the interval of a figure; empty if there is none."""
        low, high = row.get(f"{self.name}_low"), row.get(f"{self.name}_high")
        return "" if self.kind != "figure" or low is None or high is None else f"{(high - low) / 2:.2f}"

    def displayed(self, row: Row) -> str:
        """Return the value and half the width of its interval."""
        reach = self.reach(row)
        return f"{self.text(row)} ± {reach}" if reach else self.text(row)


@dataclass(frozen=True)
class Axis:
    """The axis of a range: its ends in tenths, and where 0 is, in percent."""

    low: float
    high: float

    def position(self, value: float) -> float:
        return round(100 * (value - self.low) / (self.high - self.low), 1)


@dataclass(frozen=True)
class Table:
    """A table. `name` is that of its files, and `data` has the unrounded figures.

    Without columns, it is only a file.
    """

    name: str
    data: "pd.DataFrame"
    columns: Sequence[Column] = ()
    caption: str = ""
    label: str = ""

    @cached_property
    def _records(self) -> list[Row]:
        """The rows, with None for NA."""
        columns = {}
        for name in self.data.columns:
            values, missing = self.data[name].tolist(), self.data[name].isna().tolist()
            columns[name] = [None if gap else value for value, gap in zip(values, missing, strict=True)]
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    @cached_property
    def axis(self) -> Axis | None:
        """The axis of the ranges: from 0 or the lowest limit to 1, or to the highest limit."""
        names = [column.name for column in self.columns if column.kind == "range"]
        if not names:
            return None
        limits = [row.get(f"{names[0]}{end}") for row in self._records for end in ("", "_low", "_high")]
        known = [limit for limit in limits if limit is not None]
        return Axis(floor(min([0.0, *known]) * 10) / 10, ceil(max([1.0, *known]) * 10) / 10)

    @property
    def rows(self) -> list[SafeString]:
        """The cells of each row as HTML. A template would need ten times as long for the cells of many judges."""
        return [
            mark_safe("".join(self._cell(column, row, number) for number, column in enumerate(self.columns)))  # noqa: S308 - escaped
            for row in self._records
        ]

    def _cell(self, column: Column, row: Row, number: int) -> str:
        if column.kind == "range":
            return f"<td>{self._drawing(row, column.name)}</td>"
        text: str = escape(column.text(row))
        reach = column.reach(row)
        if url := column.link(row) if column.link else "":
            text = f'<a href="{escape(url)}">{text}</a>'
        if column.kind == "band" and text:
            text = f'<span class="{"quiet" if row[column.name] == TOO_EARLY else text}">{text}</span>'
        if number == 0 and column.is_text:
            return f'<th scope="row">{text}</th>'
        if column.is_text:
            return f"<td>{text}</td>"
        return f'<td class="num">{text} <small>±{reach}</small></td>' if reach else f'<td class="num">{text}</td>'

    def _drawing(self, row: Row, name: str) -> str:
        value, low, high = (row.get(f"{name}{end}") for end in ("", "_low", "_high"))
        if value is None or self.axis is None:
            return ""
        ends = (value, value) if low is None or high is None else (low, high)
        first, last, middle, zero = (f"{self.axis.position(float(number))}%" for number in (*ends, value, 0))
        return (
            f'<svg class="range" aria-hidden="true"><line class="zero" x1="{zero}" x2="{zero}" y1="0" y2="100%"/>'
            f'<line x1="{first}" x2="{last}" y1="50%" y2="50%"/><circle cx="{middle}" cy="50%" r="4"/></svg>'
        )

    def displayed(self) -> "pd.DataFrame":
        """Return the text of the page's table, without the drawings."""
        import pandas as pd

        shown = [column for column in self.columns if column.kind != "range"]
        rows = [[column.displayed(row) for column in shown] for row in self._records]
        return pd.DataFrame(rows, columns=[column.heading for column in shown])


def figure_text(value: float | None, reason: str | None) -> str:
    """Return a figure with three decimals, or "undefined" with the reason."""
    from agreement.estimate import format_value

    return format_value(value, reason)


def table_download(table: File, kind: str, file_name: str) -> HttpResponse:
    """Return a table as "csv", unrounded, or as "tex", as it is displayed."""
    if kind == "csv":
        return csv_download(table.data, f"{file_name}.csv")
    content = latex_table(table.displayed(), " ".join(table.caption.split()), f"tab:{table.label or file_name}")
    return file_response(content.replace("±", r"$\pm$").encode(), f"{file_name}.tex", LATEX)


def csv_download(frame: "pd.DataFrame", name: str) -> HttpResponse:
    """Return a table as a CSV file in which no cell is a formula."""
    response = file_response(b"", name, "text/csv; charset=utf-8")
    writer = csv.writer(response, lineterminator="\n")
    writer.writerow(frame.columns)
    for row in frame.astype(object).where(frame.notna(), None).itertuples(index=False):
        writer.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in row])
    return response


def file_response(content: bytes, name: str, content_type: str) -> HttpResponse:
    """Return a file that the browser saves."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)
