"""What a page declares about its tables and figures, so that they can be downloaded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assess.access import RESEARCHERS
from assess.models import Member, Role
from assess.web.figures.tables import Table
from assess.web.requests import SignedInRequest, View
from assess.web.research.views import refused_page

MakeTable = Callable[[Any], Table | None]
DrawFigure = Callable[[Any, str], bytes]


class Asked:
    """Who asks for a file, with which parameters, and the ids in its address: the source of most pages."""

    def __init__(self, request: SignedInRequest, member: Member, **ids: int) -> None:
        self.request, self.member, self.ids = request, member, ids


@dataclass(frozen=True)
class Page:
    """The tables and figures of a page by name, each with the function that makes it from the source of the page.

    `source` is called with the request, the member and the ids in the address. It reads the parameters, and refuses
    unknown values. It may raise Pending, or return a response, such as a redirect to the page. Likewise a table may
    raise Pending while a job computes it; None means that there is no such table.

    A file is called after the collection and `file`, which may contain `{name}` and the ids. `roles` may download;
    `for_researchers` are tables that only researchers may download. `refused` shows why a request was refused.
    """

    file: str = "{name}"
    tables: Mapping[str, MakeTable] = field(default_factory=dict)
    figures: Mapping[str, DrawFigure] = field(default_factory=dict)
    source: Callable[..., Any] = Asked
    roles: frozenset[Role] = RESEARCHERS
    for_researchers: frozenset[str] = frozenset()
    refused: View = refused_page

    def file_name(self, member: Member, name: str, ids: Mapping[str, Any]) -> str:
        """Return the name of a file, without its ending."""
        return f"{member.collection.slug}-{self.file.format(name=name, **ids)}"
