"""A collection of a site."""

from typing import Any

from assay.remote.cards import card
from assay.remote.connection import Connection
from assay.remote.contents import Contents
from assay.remote.engines import Engines
from assay.remote.jobs import Job
from assay.remote.judging import Judging
from assay.remote.lists import Row
from assay.remote.living import Living
from assay.remote.models import Models
from assay.remote.results import Results
from assay.remote.work import Work


class Collection(Contents, Engines, Living, Models, Results, Judging, Work):
    """A collection of a site. `Site.collection` returns one.

    Parameters
    ----------
    connection : Connection
        The site.
    row : dict
        The collection, as the API shows it.

    Attributes
    ----------
    slug, name, role : str
        Its name in addresses, its name, and your role.
    is_open, is_archived : bool
        Whether it is open for judging, and whether it is archived.
    grades : list of dict
        The scale, lowest grade first, each with ``value``, ``name`` and ``meaning``.

    Examples
    --------
    >>> import httpx2
    >>> from assay import Site
    >>> scale = [{"value": 0, "name": "no", "meaning": ""}, {"value": 1, "name": "yes", "meaning": ""}]
    >>> row = {"slug": "robust", "name": "Robust", "role": "owner", "is_open": True, "is_archived": False}
    >>> transport = httpx2.MockTransport(lambda request: httpx2.Response(200, json=row | {"scale": scale}))
    >>> site = Site("https://assay.example.org", "assay_secret", transport)
    >>> site.collection("robust")
    <Collection robust (owner)>
    >>> site.collection("robust").scale
    (0, 1)
    """

    def __init__(self, connection: Connection, row: Row) -> None:
        super().__init__(connection, str(row["slug"]))
        self.name, self.role = str(row["name"]), str(row["role"])
        self.is_open, self.is_archived = bool(row["is_open"]), bool(row["is_archived"])
        self.grades: list[dict[str, Any]] = list(row["scale"])

    @property
    def scale(self) -> tuple[int, ...]:
        """The grades, lowest first, for `Ratings.from_judgements`."""
        return tuple(int(grade["value"]) for grade in self.grades)

    def preview(
        self,
        strategy: str = "depth",
        *,
        documents_per_topic: float | None = None,
        seed: int | None = None,
        **parameters: float | int | bool | str,
    ) -> dict[str, Any]:
        """Say what a pool would be like. Nothing is changed.

        Parameters
        ----------
        strategy : str
            A strategy, such as "depth".
        documents_per_topic : float, optional
            At most this many documents per topic on average.
        seed : int, optional
            The seed of a random strategy.
        **parameters
            The parameters of the strategy, such as depth=10.

        Returns
        -------
        dict
            ``topics``, ``documents``, ``new``, ``judged``, ``description``, ``notes`` and more.
        """
        body = _pool(strategy, documents_per_topic, seed, parameters)
        answer = self._connection.computed("POST", self._path("pool", "preview"), body=body)
        return dict(answer.json())

    def pool(
        self,
        strategy: str = "depth",
        *,
        documents_per_topic: float | None = None,
        seed: int | None = None,
        **parameters: float | int | bool | str,
    ) -> Job:
        """Build the pool in a job. A pool only grows, so the same call again changes nothing.

        Parameters
        ----------
        strategy : str
            A strategy, such as "depth".
        documents_per_topic : float, optional
            At most this many documents per topic on average.
        seed : int, optional
            The seed of a random strategy.
        **parameters
            The parameters of the strategy, such as depth=10.

        Returns
        -------
        Job
        """
        body = _pool(strategy, documents_per_topic, seed, parameters)
        return self._job(self._connection.post(self._path("pool"), body))

    def assign(self, judges: int = 1, *, by_topic: bool = False) -> dict[str, Any]:
        """Assign every pooled document to so many assessors. What is assigned already stays.

        Parameters
        ----------
        judges : int
            How many assessors judge each document.
        by_topic : bool
            Give whole topics to the same assessors.

        Returns
        -------
        dict
            ``added``, ``tasks``, ``assessors``, ``least``, ``most``, ``repeats`` and ``shortfall``.
        """
        body = {"judges": judges, "by_topic": by_topic}
        return dict(self._connection.post(self._path("assignments"), body))

    def invite(self, role: str = "assessor", *, uses: int = 1, days: int = 14) -> str:
        """Create an invitation link. It is not shown again.

        Parameters
        ----------
        role : str
            The role of those who use it: "assessor", "researcher" and others.
        uses : int
            How many people may use it.
        days : int
            How long it is valid.

        Returns
        -------
        str
            The link.
        """
        body = {"role": role, "uses": uses, "days": days}
        path = self._connection.post(self._path("invitations"), body)["path"]
        return f"{self._connection.url}{path}"

    def __repr__(self) -> str:
        return f"<Collection {self.slug} ({self.role})>"

    def _repr_html_(self) -> str:
        scale = ", ".join(f"{grade['value']} {grade['name']}" for grade in self.grades)
        state = "archived" if self.is_archived else "open" if self.is_open else "closed"
        return card(self.name, {"slug": self.slug, "your role": self.role, "judging": state, "scale": scale})


def _pool(
    strategy: str, documents_per_topic: float | None, seed: int | None, parameters: dict[str, Any]
) -> dict[str, Any]:
    return {
        "strategy": strategy,
        "parameters": parameters,
        "documents_per_topic": documents_per_topic,
        "seed": seed,
    }
