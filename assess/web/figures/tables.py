"""Tables of figures: on a page, as CSV and as LaTeX, all from the same data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from django.http import HttpResponse, QueryDict
from django.utils.html import escape

from assess.lib.csv_file import csv_text
from assess.lib.latex import latex_table
from assess.web.figures.arrangement import Arrangement
from assess.web.figures.names import Names, names_of, system_html, topic_html
from pooling.words import with_minus

if TYPE_CHECKING:
    import pandas as pd

    from assess.models import Collection

Row = Mapping[str, Any]
TYPES = {"csv": "text/csv", "tex": "text/x-tex", "md": "text/markdown"}  # of a file, by its ending
FILES = tuple(TYPES)
PRELIMINARY = " (preliminary)"  # after a band that is based on too little data
SMALL_P = 0.001
UNDEFINED = "undefined ("  # and the reason
FORMATS = {
    "count": ",",
    "share": "z.3f",
    "change": "z.4f",
    "p": ".3f",
    "seconds": ".1f",
    "time": "%Y-%m-%d %H:%M",
}  # by kind of column


@dataclass(frozen=True)
class Column:
    """A column of a table on a page.

    `name` is the column of the data. A figure may also have columns with its name and `_low`, `_high` and `_reason`:
    the limits of its interval, which are equally far from the value, and why it is undefined. `kind` is "text", "topic"
    (with its title, which the column `title` of the data or else the collection has), "system" (with its colour),
    "band", "time", "count", "figure" (with three decimals), "share" (the same, if it may be missing without a reason),
    "change" (with four decimals), "p" (with three), "seconds", or "range": the figure and its interval drawn on an axis
    that all rows share. `link` returns the address that a cell leads to, or an empty text.
    """

    name: str
    heading: str
    kind: str = "figure"
    link: Callable[[Row], str] | None = None

    @property
    def is_text(self) -> bool:
        return self.kind in ("text", "topic", "system", "band", "time")

    @property
    def is_hidden(self) -> bool:
        """Whether only screen readers read the heading."""
        return False

    @property
    def key(self) -> str:
        """What the address of an arranged table calls the column; a figure and its drawing differ."""
        return f"{self.name}-drawn" if self.kind == "range" else self.name

    def text(self, row: Row) -> str:
        """Return a value as it is displayed; an undefined figure shows its reason."""
        value = row[self.name]
        if self.kind == "figure":
            return figure_text(value, row.get(f"{self.name}_reason"))
        if value is None:
            return "" if self.kind == "band" else "–"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if self.kind == "p" and value < SMALL_P:
            return f"< {SMALL_P}"
        return format(value, FORMATS.get(self.kind, ""))

    def reach(self, row: Row) -> str:
        """Return the distance of a figure from the farther limit of its interval; empty if there is none."""
        value, low, high = row.get(self.name), row.get(f"{self.name}_low"), row.get(f"{self.name}_high")
        if self.kind != "figure" or value is None or low is None or high is None:
            return ""
        return f"{max(value - low, high - value):.2f}"

    def displayed(self, row: Row) -> str:
        """Return the value and the distance of the farther limit of its interval."""
        if self.kind == "topic" and row.get("title"):
            return f"{self.text(row)} {row['title']}"
        reach = self.reach(row)
        return f"{self.text(row)} ± {reach}" if reach else self.text(row)

    def sort_value(self, row: Row) -> str | None:
        """Return the value by which the page sorts; None for the text."""
        return str(row[self.name]) if self.kind == "topic" else None

    def title(self, row: Row, names: Names) -> str:
        """Return the title of a topic."""
        return row.get("title") or names.titles.get(str(row[self.name]), "")

    def found_texts(self, row: Row, names: Names) -> list[str]:
        """Return the texts in which a filter looks."""
        if not self.is_text:
            return []
        return [self.text(row), *([self.title(row, names)] if self.kind == "topic" else [])]

    def content(self, row: Row, names: Names) -> str:
        """Return the value with its link, title or colour as HTML."""
        url = self.link(row) if self.link else ""
        if self.kind == "topic":
            return topic_html(self.text(row), self.title(row, names), url)
        if self.kind == "system":
            return system_html(self.text(row), names.systems.get(str(row[self.name])), url)
        text: str = escape(self.text(row) if self.is_text else with_minus(self.text(row)))
        if text.startswith(UNDEFINED):
            text = f'<small class="reason">{text}</small>'
        if self.kind == "band" and text:
            text = f'<span class="{"quiet" if text.endswith(PRELIMINARY) else text}">{text}</span>'
        if url:
            text = f'<a href="{escape(url)}">{text}</a>'
        return text


@dataclass(frozen=True)
class Axis:
    """The axis of a range or of the intervals in a column: its ends in tenths."""

    low: float
    high: float

    def position(self, value: float) -> float:
        return round(100 * (value - self.low) / (self.high - self.low), 1)


@dataclass(frozen=True)
class Table:
    """A table. `name` is that of its files, and `data` has the unrounded figures.

    Without columns, it is only a file. A page arranges it as its address says. With `select`, each row has a box of the
    form `NAME-form` with the value that this function returns, or none. `label` is what LaTeX calls the table, by
    default the name of its file. Cells of a `wide` table are not wrapped.
    """

    name: str
    data: "pd.DataFrame"
    columns: Sequence[Column] = ()
    caption: str = ""
    label: str = ""
    select: Callable[[Row], int | None] | None = None
    is_wide: bool = False

    @property
    def has_boxes(self) -> bool:
        return self.select is not None

    @property
    def n_rows(self) -> int:
        return len(self.data)

    @property
    def list_name(self) -> str:
        return self.name

    @property
    def is_fixed(self) -> bool:
        return False

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
        columns = {name: _values(data, name) for name in data.columns}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    @cached_property
    def axis(self) -> Axis | None:
        """The axis of the ranges: from 0 or the lowest limit to 1, or to the highest limit."""
        names = [column.name for column in self.columns if column.kind == "range"]
        return self._axis_of(names[0]) if names else None

    @cached_property
    def _axes(self) -> dict[str, Axis]:
        """The axis of each figure with intervals."""
        names = {column.name for column in self.columns if column.kind == "figure"}
        return {name: self._axis_of(name) for name in names if {f"{name}_low", f"{name}_high"} <= {*self.data.columns}}

    def _axis_of(self, name: str) -> Axis:
        ends = [f"{name}{end}" for end in ("", "_low", "_high")]
        known = [value for end in ends if end in self.data for value in _values(self.data, end) if value is not None]
        return Axis(floor(min([0.0, *known]) * 10) / 10, ceil(max([1.0, *known]) * 10) / 10)

    def arranged_rows(self, arrangement: Arrangement, names: Names) -> tuple[int, list[list[str]]]:
        """Return how many rows an arrangement has, and the cells of those that it shows as HTML.

        A template would need ten times as long for the cells of many judges.
        """
        data = self._arranged_data(arrangement, names)
        rows = self._records_of(data.head(arrangement.most_rows))
        return len(data), [self._box(row) + self._cells(row, names) for row in rows]

    def shown_rows(self, query: QueryDict, collection: "Collection") -> "pd.DataFrame":
        """Return the rows that a page with this query shows."""
        arrangement = Arrangement.from_query(self.list_name, query, self.n_rows)
        return self._arranged_data(arrangement, names_of(collection)).head(arrangement.most_rows)

    def _arranged_data(self, arrangement: Arrangement, names: Names) -> "pd.DataFrame":
        positions = list(range(self.n_rows))
        if arrangement.find:
            positions = [at for at in positions if arrangement.matches(self._texts(self.records[at], names))]
        if arrangement.sort in {column.name for column in self.columns}:
            values = _values(self.data, arrangement.sort)
            positions = arrangement.in_order(positions, values.__getitem__)
        return self.data.iloc[positions]

    def _texts(self, row: Row, names: Names) -> list[str]:
        return [text for column in self.columns for text in column.found_texts(row, names)]

    def _cells(self, row: Row, names: Names) -> list[str]:
        return [self._cell(column, row, number, names) for number, column in enumerate(self.columns)]

    def _box(self, row: Row) -> list[str]:
        if self.select is None:
            return []
        if (value := self.select(row)) is None:
            return ["<td></td>"]
        label, form = escape(f"Adjudicate {self.columns[1].text(row)}"), escape(f"{self.name}-form")
        return [f'<td><input type="checkbox" name="task" value="{value:d}" form="{form}" aria-label="{label}"></td>']

    def _cell(self, column: Column, row: Row, number: int, names: Names) -> str:
        if column.kind == "range":
            return f"<td>{self._drawing(row, column.name)}</td>"
        content, is_head = column.content(row, names), number == 0 and column.is_text
        if reach := column.reach(row):
            content = self._with_bar(f"{content} <small>±{reach}</small>", row, column.name)
        return cell_html(content, is_head=is_head, is_text=column.is_text, value=column.sort_value(row))

    def _with_bar(self, content: str, row: Row, name: str) -> str:
        """Return a figure with the bar of its interval, which the stylesheet draws below it."""
        axis = self._axes[name]
        ends = (("low", row[f"{name}_low"]), ("high", row[f"{name}_high"]), ("at", row[name]))
        style = "; ".join(f"--{end}: {axis.position(float(value))}%" for end, value in ends)
        return f'<span class="interval" style="{style}">{content}</span>'

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


def _values(data: "pd.DataFrame", name: str) -> list[Any]:
    """Return a column with None for NA."""
    values, missing = data[name].tolist(), data[name].isna().tolist()
    return [None if gap else value for value, gap in zip(values, missing, strict=True)]


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


def table_download(table: Table, kind: str, file_name: str) -> HttpResponse:
    """Return a table as a file that the browser saves."""
    content = table_file(table, kind, file_name).encode()
    return file_response(content, f"{file_name}.{kind}", f"{TYPES[kind]}; charset=utf-8")


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
