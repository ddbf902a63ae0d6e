"""The one menu of a page with the files of all its tables and figures.

`{% download shown %}` adds a table or figure to it, where the page shows it, and `{% download_file label address %}` a
file of another kind. `{% downloads %}` encloses the page, and writes the menu in front of it.
"""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

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
from assess.web.figures.shown import Files

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
        name = str(match.kwargs[kind])
        if (kind, name) in self.matches:
            return
        self.matches[kind, name] = match
        self.items.append(Item(kind, name.replace("-", " ").replace("_", " "), files))
        for key, value in parse_qsl(query):
            values = self.query.setdefault(key, [])
            if value not in values:
                values.append(value)

    def add_file(self, label: str, address: str) -> None:
        """Add a file that is not a table or figure of the page."""
        kind = urlsplit(address).path.rpartition(".")[2].upper()
        self.items.append(Item("file", label, [(kind, address)]))

    @property
    def page(self) -> str:
        """The page whose tables and figures these are, if there is only one."""
        pages = {match.kwargs["page"] for match in self.matches.values()}
        return pages.pop() if len(pages) == 1 else ""

    def zip_address(self) -> str:
        """Return the address of all tables and figures in one file; empty if there is only one."""
        if len(self.matches) < 2 or not self.page:
            return ""
        match = next(iter(self.matches.values()))
        ids = {f"id_{name}": value for name, value in match.kwargs.items() if name not in OF_FILE}
        query = urlencode(
            {"file": list(dict.fromkeys(name for _, name in self.matches)), **ids, **self.query}, doseq=True
        )
        return f"{reverse('research:files', args=[match.kwargs['slug'], self.page])}?{query}"


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
def download_file(context: Context, label: str, address: str) -> str:
    """{% download_file LABEL ADDRESS %}"""
    if FILES in context:
        context[FILES].add_file(label, address)
    return ""
