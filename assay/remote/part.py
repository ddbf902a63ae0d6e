"""What the parts of a collection share: the connection, and the address of the collection."""

from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import quote

from assay.remote.connection import Connection
from assay.remote.lists import Listing, Row

Item = TypeVar("Item")


class Part:
    """The endpoints below a collection."""

    def __init__(self, connection: Connection, slug: str) -> None:
        self._connection, self.slug = connection, slug

    def _path(self, *names: object) -> str:
        return "/".join(["/collections", *(quote(str(name), safe=":") for name in (self.slug, *names))])

    def _listing(self, name: str, make: Callable[[Row], Item]) -> Listing[Item]:
        path = self._path(name)
        return Listing(f"{name} of {self.slug}", lambda **query: self._connection.get(path, **query), make)

    def _get(self, *names: object, **query: Any) -> Any:
        return self._connection.get(self._path(*names), **query)

    def _bytes(self, *names: object, **query: Any) -> bytes:
        """The content of a file, which a job may compute first."""
        content: bytes = self._connection.computed("GET", self._path(*names), query=query).content
        return content


def same(row: Row) -> Row:
    """A row that stays a dictionary."""
    return row
