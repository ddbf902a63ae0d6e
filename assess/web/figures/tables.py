"""Tables of figures: on a page, as CSV and as LaTeX, all from the same data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from assess.lib.csv_file import csv_text
from assess.lib.latex import latex_table

if TYPE_CHECKING:
    import pandas as pd

Row = Mapping[str, Any]
FILES = ("csv", "tex", "md")
PRELIMINARY = " (preliminary)"  # after a band that is based on too little data
FORMATS = {
    "count": ",",
    "share": "z.3f",
    "change": "z.4f",
    "seconds": ".1f",
    "time": "%Y-%m-%d %H:%M",
}  # by kind of column


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
        """Return the distance of a figure from the farther limit of its interval; empty if there is none."""
        value, low, high = row.get(self.name), row.get(f"{self.name}_low"), row.get(f"{self.name}_high")
        if self.kind != "figure" or value is None or low is None or high is None:
            return ""
        return f"{max(value - low, high - value):.2f}"

    def displayed(self, row: Row) -> str:
        """Return the value and the distance of the farther limit of its interval."""
        reach = self.reach(row)
        return f"{self.text(row)} ± {reach}" if reach else self.text(row)

    def sort_value(self, _row: Row) -> str | None:
        """Return the value by which the page sorts; None for the text."""
        return None


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

    Without columns, it is only a file. A page shows the first `most_rows`; with `select`, each row has a box with the
    value that this function returns, or none. `label` is what LaTeX calls the table, by default the name of its file.
    Cells of a `wide` table are not wrapped.
    """

    name: str
    data: "pd.DataFrame"
    columns: Sequence[Column] = ()
    caption: str = ""
    label: str = ""
    most_rows: int | None = None
    select: Callable[[Row], int | None] | None = None
    is_wide: bool = False

    @property
    def has_boxes(self) -> bool:
        return self.select is not None

    @property
    def n_rows(self) -> int:
        return len(self.data)

    @property
    def is_cut(self) -> bool:
        return self.most_rows is not None and self.n_rows > self.most_rows

    @property
    def first_rows(self) -> "pd.DataFrame":
        """The rows that a page shows."""
        return self.data if self.most_rows is None else self.data.head(self.most_rows)

    def with_links(self, links: Mapping[str, Callable[[Row], str]]) -> "Table":
        """Return the table with links in the cells of these columns."""
        columns = [replace(column, link=links.get(column.name, column.link)) for column in self.columns]
        return replace(self, columns=columns)

    @cached_property
    def records(self) -> list[Row]:
        """The rows, with None for NA."""
        return self._records_of(self.data)

    @staticmethod
    def _records_of(data: "pd.DataFrame") -> list[Row]:
        columns = {}
        for name in data.columns:
            values, missing = data[name].tolist(), data[name].isna().tolist()
            columns[name] = [None if gap else value for value, gap in zip(values, missing, strict=True)]
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    @cached_property
    def axis(self) -> Axis | None:
        """The axis of the ranges: from 0 or the lowest limit to 1, or to the highest limit."""
        names = [column.name for column in self.columns if column.kind == "range"]
        if not names:
            return None
        limits = [row.get(f"{names[0]}{end}") for row in self.records for end in ("", "_low", "_high")]
        known = [limit for limit in limits if limit is not None]
        return Axis(floor(min([0.0, *known]) * 10) / 10, ceil(max([1.0, *known]) * 10) / 10)

    @cached_property
    def rows(self) -> list[SafeString]:
        """The cells of each row as HTML. A template would need ten times as long for the cells of many judges."""
        rows = self._records_of(self.first_rows) if self.is_cut else self.records
        return [mark_safe(self._box(row) + self._cells(row)) for row in rows]  # noqa: S308 - escaped

    def _cells(self, row: Row) -> str:
        return "".join(self._cell(column, row, number) for number, column in enumerate(self.columns))

    def _box(self, row: Row) -> str:
        if self.select is None:
            return ""
        if (value := self.select(row)) is None:
            return "<td></td>"
        label = escape(f"Adjudicate {self.columns[1].text(row)}")
        return f'<td><input type="checkbox" name="task" value="{value:d}" aria-label="{label}"></td>'

    def _cell(self, column: Column, row: Row, number: int) -> str:
        if column.kind == "range":
            return f"<td>{self._drawing(row, column.name)}</td>"
        text: str = escape(column.text(row))
        reach = column.reach(row)
        if url := column.link(row) if column.link else "":
            text = f'<a href="{escape(url)}">{text}</a>'
        if column.kind == "band" and text:
            text = f'<span class="{"quiet" if text.endswith(PRELIMINARY) else text}">{text}</span>'
        is_head = number == 0 and column.is_text
        reach = f" <small>±{reach}</small>" if reach and not column.is_text else ""
        return cell_html(text + reach, is_head=is_head, is_text=column.is_text, value=column.sort_value(row))

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
        import pandas as pd  # slow to import

        shown = [column for column in self.columns if column.kind != "range"]
        rows = [[column.displayed(row) for column in shown] for row in self.records]
        return pd.DataFrame(rows, columns=[column.heading for column in shown])


def cell_html(
    content: str, *, is_head: bool, is_text: bool, css: str = "", value: object = None, direction: str = ""
) -> str:
    """Return a cell with content in HTML. `value` is what the page sorts by; None for the text."""
    tag, scope = ("th", ' scope="row"') if is_head else ("td", "")
    css = css if is_text else f"num {css}".rstrip()
    given = (("data-value", value), ("class", css or None), ("dir", direction or None))
    attributes = "".join(f' {name}="{escape(each)}"' for name, each in given if each is not None)
    return f"<{tag}{scope}{attributes}>{content}</{tag}>"


def figure_text(value: float | None, reason: str | None) -> str:
    """Return a figure with three decimals, or "undefined" with the reason."""
    from agreement.estimate import format_value  # loads numpy

    return format_value(value, reason)


def table_file(table: Table, kind: str, file_name: str) -> str:
    """Return a table as "csv", unrounded, or as "tex" or "md", as it is displayed."""
    if kind == "csv":
        return csv_file_text(table.data)
    caption = " ".join(table.caption.split())
    if kind == "md":
        from pooling.text_tables import render  # loads pandas

        return f"{caption}\n\n{render(table.displayed(), 'markdown')}\n".lstrip()
    text = latex_table(table.displayed(), caption, f"tab:{table.label or file_name}")
    return text.replace("±", r"$\pm$")


def csv_file_text(frame: "pd.DataFrame") -> str:
    """Return a table as the text of a CSV file in which no cell is a formula."""
    rows = frame.astype(object).where(frame.notna(), None).itertuples(index=False)
    return csv_text([frame.columns, *rows])


def file_response(content: bytes, name: str, content_type: str) -> HttpResponse:
    """Return a file that the browser saves."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)
