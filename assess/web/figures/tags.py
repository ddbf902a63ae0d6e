"""The tags with which a template writes its rows as a table of `research/_table.html`.

    {% table people as row class="work" empty="Nobody has joined yet." %}
      {% caption %}Repeats are not counted.{% endcaption %}
      {% column "assessor" %}<a href="...">{{ row.name }}</a>{% endcolumn %}
      {% count "judged" row.judged %}
    {% endtable %}

They are for cells with links, forms or parts of other templates. Figures that are downloaded are a `Table`.

`table` takes the rows and a name for each of them, or names for its parts (`as query_id, title`). Its options:

- `empty`: the sentence in place of rows, if there are none
- `class`, `id`, `name`: the class, the id and the data-table of the element
- `sortable`: False if the headings do not sort
- `total`: an object for one more row below the others, in which `is_total` is true
- `list`: the name under which the address filters, sorts and cuts the table; without it, all rows are shown

`column` and `count` take a heading. `count` also takes a whole number, which is written with thousands separators; None
is written as a dash. Both may stand in `if` and `for`, which must give the same columns for each row. With the filter
`beside`, a loop gives a column for each of a list: `{% for gold, cell in golds|beside:row.cells %}`. Their options:

- `kind`: "text", or "figure" for numbers, which are aligned to the right
- `is_head`: True for the header of the row; without it, this is the first column if it is text
- `is_hidden`: True if only screen readers read the heading
- `value`: what the page sorts by instead of the text
- `class`, `dir`: attributes of the cell
- `key`, `data_kind`: data-key and data-kind of the heading

`{% topic query_id title %}` writes a topic as all tables do, and `{% system name %}` a system.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any, ClassVar

from django.template import Context, Library, Node, NodeList, TemplateSyntaxError
from django.template.base import FilterExpression, Parser, Token, token_kwargs
from django.template.loader import get_template
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

from assess.web.figures.arranged import Arranged, arranged
from assess.web.figures.arrangement import Arrangement
from assess.web.figures.names import Names, names_of, system_html, topic_html
from assess.web.figures.tables import FORMATS, cell_html

register = Library()

PART = "table_part"  # the name under which columns find the part of the table that they belong to
TABLE_OPTIONS = frozenset({"empty", "class", "id", "name", "sortable", "total", "list"})
HEADING_OPTIONS = frozenset({"kind", "is_head", "is_hidden", "key", "data_kind"})
CELL_OPTIONS = frozenset({"value", "class", "dir"})

Options = Mapping[str, FilterExpression]


@dataclass(frozen=True)
class Heading:
    """A column, with the attributes of `Column` that `research/_table.html` reads."""

    heading: str
    is_text: bool
    is_hidden: bool
    name: str
    kind: str
    key: str


@dataclass
class Head:
    """Collects the headings, the caption, and the number of the column that is the header of each row."""

    columns: list[Heading] = field(default_factory=list)
    caption: str = ""
    row_header: int | None = None

    def add(self, node: "ColumnNode", context: Context) -> None:
        values = resolved(node.options, HEADING_OPTIONS, context)
        is_text = values.get("kind", node.default_kind) == "text"
        if values.get("is_head") or (is_text and not self.columns):
            self.row_header = len(self.columns)
        name, kind = values.get("key", ""), values.get("data_kind", "")
        heading = node.heading.resolve(context)
        key = self._key(name or slugify(heading))
        self.columns.append(Heading(heading, is_text, values.get("is_hidden", False), name, kind, key))

    def _key(self, wanted: str) -> str:
        """Return what an address calls the next column; two columns may have one heading."""
        number = len(self.columns)
        is_free = wanted and all(column.key != wanted for column in self.columns)
        return wanted if is_free else f"{wanted}-{number}"


@dataclass
class Cells:
    """Collects the cells of a row, with what each is sorted by and the text of each."""

    head: Head
    cells: list[str] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    contents: list[str] = field(default_factory=list)

    def add(self, node: "ColumnNode", context: Context) -> None:
        values, number = resolved(node.options, CELL_OPTIONS, context), len(self.cells)
        content = node.nodelist.render(context).strip()
        cell = cell_html(
            content,
            is_head=number == self.head.row_header,
            is_text=self.head.columns[number].is_text,
            css=values.get("class", ""),
            value=values.get("value"),
            direction=values.get("dir", ""),
        )
        self.cells.append(cell)
        self.values.append(values.get("value"))
        self.contents.append(content)

    def sorted_by(self, number: int) -> Any:
        """Return what the row is sorted by in this column."""
        value = self.values[number]
        return strip_tags(self.contents[number]).strip() if value is None else value

    def texts(self) -> list[str]:
        """Return the texts in which a filter looks."""
        shown = zip(self.contents, self.head.columns, strict=True)
        return [" ".join(strip_tags(content).split()) for content, column in shown if column.is_text]


class NoRow(dict[str, Any]):
    """What the headings of a table without rows read: empty, and so is every part of it."""

    def __missing__(self, _key: str) -> "NoRow":
        return self


@dataclass(frozen=True)
class WrittenTable:
    """A table of a template, with the attributes of `Table` that `research/_table.html` reads.

    `write` returns the cells of a row. Only rows that are shown are written, unless all are needed to filter or sort.
    """

    columns: list[Heading]
    caption: str
    rows: list[Any]
    write: Callable[[Any], Cells]
    total: SafeString | None
    name: str
    css: str
    html_id: str
    is_fixed: bool
    list_name: str

    @property
    def n_rows(self) -> int:
        return len(self.rows)

    def arranged_rows(self, arrangement: Arrangement, _names: Names) -> tuple[int, list[list[str]]]:
        """Return how many rows an arrangement has, and the cells of those that it shows."""
        keys = [column.key for column in self.columns]
        if not arrangement.find and arrangement.sort not in keys:
            return self.n_rows, [self.write(row).cells for row in self.rows[: arrangement.most_rows]]
        written = [self.write(row) for row in self.rows]
        found = [at for at, row in enumerate(written) if not arrangement.find or arrangement.matches(row.texts())]
        if arrangement.sort in keys:
            number = keys.index(arrangement.sort)
            found = arrangement.in_order(found, lambda at: written[at].sorted_by(number))
        return len(found), [written[at].cells for at in found[: arrangement.most_rows]]


@dataclass(eq=False)
class TableNode(Node):
    rows: FilterExpression
    names: list[str]
    options: Options
    nodelist: NodeList

    def render(self, context: Context) -> SafeString:
        options = resolved(self.options, TABLE_OPTIONS, context)
        parameters = {
            "shown": {"table": self._table(options, context)},
            "empty": options.get("empty"),
            "apart": True,
            "request": context.get("request"),
            "collection": context.get("collection"),
        }
        return mark_safe(get_template("research/_table.html").render(parameters))  # noqa: S308 - the template escapes

    def _table(self, options: Mapping[str, Any], context: Context) -> WrittenTable:
        rows, head = list(self.rows.resolve(context)), Head()
        self._collect(head, rows[0] if rows else NoRow(), context)
        return WrittenTable(
            columns=head.columns,
            caption=head.caption,
            rows=rows,
            write=lambda row: self._cells(head, row, context),
            total=self._total(head, options["total"], context) if "total" in options else None,
            name=options.get("name", ""),
            css=options.get("class", ""),
            html_id=options.get("id", ""),
            is_fixed=not options.get("sortable", True),
            list_name=options.get("list", ""),
        )

    def _cells(self, head: Head, row: Any, context: Context, *, is_total: bool = False) -> Cells:
        part = Cells(head)
        self._collect(part, row, context, is_total=is_total)
        return part

    def _total(self, head: Head, row: Any, context: Context) -> SafeString:
        cells = self._cells(head, row, context, is_total=True).cells
        return mark_safe("".join(cells))  # noqa: S308 - the template and cell_html escape

    def _collect(self, part: Head | Cells, row: Any, context: Context, *, is_total: bool = False) -> None:
        with context.push(**{PART: part, "is_total": is_total, **self._named(row)}):
            self.nodelist.render(context)

    def _named(self, row: Any) -> dict[str, Any]:
        if len(self.names) == 1 or isinstance(row, NoRow):
            return dict.fromkeys(self.names, row)
        return dict(zip(self.names, row, strict=True))


@dataclass(eq=False)
class ColumnNode(Node):
    heading: FilterExpression
    options: Options
    nodelist: NodeList
    default_kind: ClassVar[str] = "text"

    def render(self, context: Context) -> str:
        context[PART].add(self, context)
        return ""


class CountNode(ColumnNode):
    """A column of whole numbers."""

    default_kind = "count"


@dataclass(eq=False)
class NumberNode(Node):
    number: FilterExpression

    def render(self, context: Context) -> str:
        value = self.number.resolve(context)
        return "–" if value is None else format(value, FORMATS["count"])


@dataclass(eq=False)
class CaptionNode(Node):
    nodelist: NodeList

    def render(self, context: Context) -> str:
        if isinstance(part := context[PART], Head):
            part.caption = mark_safe(self.nodelist.render(context).strip())  # noqa: S308 - rendered
        return ""


def resolved(options: Options, names: frozenset[str], context: Context) -> dict[str, Any]:
    """Return the values of the options with these names."""
    return {name: option.resolve(context) for name, option in options.items() if name in names}


@register.tag
def table(parser: Parser, token: Token) -> TableNode:
    """{% table ROWS as NAME, NAME option=value %} ... {% endtable %}"""
    tag, *bits = token.split_contents()
    if len(bits) < 3 or bits[1] != "as":
        raise TemplateSyntaxError(f"{{% {tag} %}} needs the rows, “as” and a name, not {token.contents!r}.")
    options = [bit for bit in bits[2:] if "=" in bit]
    names = [name for bit in bits[2:] if "=" not in bit for name in bit.split(",") if name]
    nodes = parser.parse(("endtable",))
    parser.delete_first_token()
    return TableNode(parser.compile_filter(bits[0]), names, _options(tag, options, TABLE_OPTIONS, parser), nodes)


@register.tag
def column(parser: Parser, token: Token) -> ColumnNode:
    """{% column HEADING option=value %}the cell of a row{% endcolumn %}"""
    tag, heading, *bits = token.split_contents()
    nodes = parser.parse(("endcolumn",))
    parser.delete_first_token()
    known = HEADING_OPTIONS | CELL_OPTIONS
    return ColumnNode(parser.compile_filter(heading), _options(tag, bits, known, parser), nodes)


@register.tag
def count(parser: Parser, token: Token) -> CountNode:
    """{% count HEADING NUMBER option=value %}"""
    tag, heading, number, *bits = token.split_contents()
    known = (HEADING_OPTIONS | CELL_OPTIONS) - {"kind"}
    nodes = NodeList([NumberNode(parser.compile_filter(number))])
    return CountNode(parser.compile_filter(heading), _options(tag, bits, known, parser), nodes)


@register.tag
def caption(parser: Parser, _token: Token) -> CaptionNode:
    """{% caption %}the caption of the table{% endcaption %}"""
    nodes = parser.parse(("endcaption",))
    parser.delete_first_token()
    return CaptionNode(nodes)


@register.simple_tag(takes_context=True)
def arrange(context: Context, table: Any) -> Arranged:
    """Return a table as the address of the page arranges it."""
    return arranged(table, context.get("request"), context.get("collection"))


@register.simple_tag(takes_context=True)
def topic(context: Context, query_id: str, title: str | None = None, url: str = "", query: str = "") -> SafeString:
    """A topic with its title and a link. Without `title`, all titles of the collection are read once."""
    known = names_of(context.get("collection")).titles.get(query_id, "") if title is None else title
    return topic_html(query_id, known, f"{url}?{query}" if query else url)


@register.simple_tag(takes_context=True)
def system(context: Context, name: str) -> SafeString:
    """A system with its colour."""
    return system_html(name, names_of(context.get("collection")).systems.get(name))


@register.filter
def beside(headings: Sequence[Any], cells: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    """Return each heading with its cell; None where a row has no cell, as while the headings are written."""
    return zip(headings, chain(cells or (), repeat(None)), strict=False)


def _options(tag: str, bits: list[str], known: frozenset[str], parser: Parser) -> Options:
    options = token_kwargs(list(bits), parser)
    if unknown := [bit for bit in bits if bit.partition("=")[0] not in options.keys() & known]:
        raise TemplateSyntaxError(
            f"{{% {tag} %}} does not know {', '.join(unknown)}; its options are {', '.join(sorted(known))}."
        )
    return options
