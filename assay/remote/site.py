"""A site: who the token belongs to, and its collections."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from types import TracebackType
from typing import Any

import httpx2

from assay.remote.address import resolve
from assay.remote.cards import card
from assay.remote.collection import Collection
from assay.remote.connection import Connection
from assay.remote.errors import SiteError
from assay.remote.lists import Listing


class Site:
    """A site with Assay, and a token for it.

    Nothing is sent before the first call that needs an answer.

    Parameters
    ----------
    url : str, optional
        The address of the home page. By default that in the environment variable ASSAY_URL, or of the last
        `assay remote login`.
    token : str, optional
        A token of your account. By default that in ASSAY_TOKEN, or of `assay remote login` for this address.
    transport : httpx2.BaseTransport, optional
        How requests are sent, for tests: `httpx2.WSGITransport(application)` needs no server.
    allow_http : bool
        Send the token without TLS to another computer. Others on the way can read it.

    Raises
    ------
    SiteError
        The address or the token is missing, or the token would be sent without TLS to another computer.

    Examples
    --------
    >>> from assay import Site
    >>> Site("https://assay.example.org", token="assay_secret")
    Site('https://assay.example.org')
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        transport: httpx2.BaseTransport | None = None,
        *,
        allow_http: bool = False,
    ) -> None:
        address, secret = resolve(url, token, allow_http)
        self._connection = Connection(address, secret, transport, allow_http=allow_http)

    @property
    def url(self) -> str:
        """The address."""
        return self._connection.url

    @property
    def last_response(self) -> httpx2.Response | None:
        """The last answer of the site, for debugging. Its request has the token in a header."""
        return self._connection.last_response

    @cached_property
    def version(self) -> str:
        """The version of Assay that the site has, or "" if it does not say."""
        return self._connection.server_version()

    @property
    def me(self) -> dict[str, Any]:
        """The user of the token, and what it allows: ``username``, ``token`` (its name), ``scope``, ``expires_at``."""
        return dict(self._connection.get("/me"))

    def collections(self) -> Listing[Collection]:
        """The collections that the token may see, in the order of joining.

        Returns
        -------
        Listing of Collection
            Iterating asks for one page after the other.
        """
        return Listing(
            f"collections of {self.url}",
            lambda **query: self._connection.get("/collections", **query),
            lambda row: Collection(self._connection, row),
        )

    def collection(self, slug: str) -> Collection:
        """A collection.

        Parameters
        ----------
        slug : str
            Its name in addresses, or its name.

        Returns
        -------
        Collection

        Raises
        ------
        KeyError
            There is none, or the token may not see it. The message names similar ones.
        """
        if slug and all(each.isalnum() or each in "-_" for each in slug):
            try:
                return Collection(self._connection, self._connection.get(f"/collections/{slug}"))
            except SiteError as error:
                if error.status != 404:
                    raise
        return self._named(slug)

    def create_collection(
        self,
        name: str,
        slug: str = "",
        scale: Sequence[str] | Mapping[int, str] = ("0=Not relevant", "1=Relevant"),
        description: str = "",
    ) -> Collection:
        """Create a collection. Its owner is the user of the token.

        Parameters
        ----------
        name : str
            Its name.
        slug : str
            Its name in addresses. By default it is derived from the name.
        scale : sequence of str, or mapping of int to str
            The grades, lowest first: VALUE=NAME or VALUE=NAME:MEANING, or value and name.
        description : str
            What it is for. Assessors do not see it.

        Returns
        -------
        Collection

        Raises
        ------
        SiteError
            The site refuses it, for example because the slug is taken.
        """
        grades = [f"{value}={grade}" for value, grade in scale.items()] if isinstance(scale, Mapping) else list(scale)
        body = {"name": name, "slug": slug, "scale": grades, "description": description}
        return Collection(self._connection, self._connection.post("/collections", body))

    def close(self) -> None:
        """Close the connections."""
        self._connection.close()

    def __enter__(self) -> "Site":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Site({self.url!r})"

    def _repr_html_(self) -> str:
        me = self.me
        values = {"user": me["username"], "token": me["token"], "scope": me["scope"], "expires": me["expires_at"]}
        return card(self.url, values)

    def _named(self, name: str) -> Collection:
        found = {each.slug: each for each in self.collections()}
        by_name = [each for each in found.values() if each.name == name]
        if len(by_name) == 1:
            return by_name[0]
        similar = get_close_matches(name, [*found, *(each.name for each in found.values())], n=3)
        hint = f" Did you mean {' or '.join(map(repr, similar))}?" if similar else ""
        raise KeyError(f"There is no collection {name!r} that this token may see.{hint}")
