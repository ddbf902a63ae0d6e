"""The one menu of a page with the files of all its tables and figures.

`{% download shown %}` adds a table or figure to it, where the page shows it, and `{% download_csv "view" %}` a table
that is only a CSV file. `{% downloads %}` encloses the page, and writes the menu in front of it.
"""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.template import Context, Library, Node, NodeList
from django.template.base import Parser, Token
from django.template.loader import get_template
from django.urls import ResolverMatch, resolve, reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from agreement.version import VERSION
from assess.access import RESEARCHERS
from assess.models import Collection
from assess.web.figures.commands import commands_of
from assess.web.figures.shown import Files, csv_file

register = Library()

FILES = "downloads"  # the name under which tables and figures find the menu
OF_FILE = ("slug", "page", "table", "file_type", "figure", "kind")  # the other parts of an address are ids of the page


@dataclass(frozen=True)
class Item:
    """A table or figure: its kind, name and files."""

    kind: str
    name: str
    files: Files


@dataclass
class Menu:
    """What the page has shown so far."""

    items: list[Item] = field(default_factory=list)
    matches: dict[tuple[str, str], ResolverMatch] = field(default_factory=dict)  # by kind and name
    query: dict[str, list[str]] = field(default_factory=dict)

    def add(self, files: Files) -> None:
        """Add a table or figure, once."""
        path, _, query = files[0][1].partition("?")
        match = resolve(path)
        kind = "figure" if "figure" in match.kwargs else "table"
        name = str(match.kwargs.get(kind, match.url_name))
        if (kind, name) in self.matches:
            return
        self.matches[kind, name] = match
        self.items.append(Item(kind, name.replace("-", " ").replace("_", " "), files))
        for key, value in parse_qsl(query):
            values = self.query.setdefault(key, [])
            if value not in values:
                values.append(value)

    @property
    def page(self) -> str:
        """The page of the first table or figure, to which nearly all of the others belong."""
        return next((str(match.kwargs["page"]) for match in self.matches.values() if "page" in match.kwargs), "")

    def zip_address(self) -> str:
        """Return the address of the page's tables and figures in one file; empty if there is only one."""
        own = {key: match for key, match in self.matches.items() if match.kwargs.get("page") == self.page}
        if len(own) < 2:
            return ""
        parameters = next(iter(own.values())).kwargs
        ids = {f"id_{name}": value for name, value in parameters.items() if name not in OF_FILE}
        query = urlencode({"file": list(dict.fromkeys(name for _, name in own)), **ids, **self.query}, doseq=True)
        return f"{reverse('research:files', args=[parameters['slug'], self.page])}?{query}"


@dataclass(eq=False)
class DownloadsNode(Node):
    nodelist: NodeList

    def render(self, context: Context) -> SafeString:
        menu = Menu()
        with context.push(**{FILES: menu}):
            content = self.nodelist.render(context)
        return mark_safe(self._menu(menu, context) + content)  # noqa: S308 - both are rendered

    def _menu(self, menu: Menu, context: Context) -> str:
        if not menu.items:
            return ""
        collection, member = context.get("collection"), context.get("member")
        page = {
            "items": menu.items,
            "zip_address": menu.zip_address(),
            "commands": list(commands_of(menu.page, context)) if member and member.role in RESEARCHERS else [],
            "collection": collection,
            "citation": _citation(collection) if collection else "",
        }
        return get_template("research/_download_menu.html").render(page)


def _citation(collection: Collection) -> str:
    """Return a BibTeX entry for the figures of a collection."""
    from pooling.text_tables import latex  # loads pandas

    name, today = latex(collection.name), timezone.now()
    note = f"Figures made with Assay {VERSION} on {today:%Y-%m-%d}"
    return f"@misc{{{collection.slug},\n  title = {{{{{name}}}}},\n  year = {{{today:%Y}}},\n  note = {{{note}}},\n}}"


@register.tag
def downloads(parser: Parser, _token: Token) -> DownloadsNode:
    """{% downloads %}the page{% enddownloads %}"""
    nodes = parser.parse(("enddownloads",))
    parser.delete_first_token()
    return DownloadsNode(nodes)


@register.simple_tag(takes_context=True)
def download(context: Context, shown: Any) -> str:
    """{% download shown %}, a ShownTable, ShownFigure or Download"""
    if FILES in context and getattr(shown, "files", None):
        context[FILES].add(shown.files)
    return ""


@register.simple_tag(takes_context=True)
def download_csv(context: Context, view: str, *arguments: Any, query: str = "") -> str:
    """{% download_csv "topics_csv" query=csv_query %}, a table of the collection that is only a CSV file"""
    if FILES in context:
        context[FILES].add(csv_file(view, context["collection"].slug, *arguments, query=query))
    return ""
