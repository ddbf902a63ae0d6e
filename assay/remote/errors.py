"""What goes wrong with a site: an answer that is an error, no answer, or a server that is older than the client."""

from collections.abc import Mapping
from typing import Any


class SiteError(Exception):
    """The site refuses a request, or does not answer.

    Parameters
    ----------
    sentence : str
        What the site says.
    status : int, optional
        The HTTP status. None if there was no answer, or no request.
    problem : mapping, optional
        The whole problem (RFC 9457) that the site sent.

    Attributes
    ----------
    sentence, status, problem
        The parameters.
    errors : list of dict
        The fields that are wrong, each with ``place`` and ``problem``. Empty if the problem names none.

    Examples
    --------
    >>> from assay.remote import SiteError
    >>> error = SiteError("This token has expired.", 401)
    >>> print(error)
    This token has expired. (status 401)
    >>> error.errors
    []
    """

    def __init__(self, sentence: str, status: int | None = None, problem: Mapping[str, Any] | None = None) -> None:
        super().__init__(sentence)
        self.sentence, self.status, self.problem = sentence, status, dict(problem or {})

    @property
    def errors(self) -> list[dict[str, str]]:
        """The fields that are wrong."""
        return list(self.problem.get("errors") or [])

    def __str__(self) -> str:
        more = "".join(f"\n  {each.get('place')}: {each.get('problem')}" for each in self.errors[1:])
        return f"{self.sentence}{f' (status {self.status})' if self.status else ''}{more}"


class OutdatedServerWarning(UserWarning):
    """The site has an older version of Assay than this client.

    Parameters
    ----------
    url : str
        The site.
    server, client : str
        The versions.

    Examples
    --------
    >>> from assay.remote import OutdatedServerWarning
    >>> print(OutdatedServerWarning("https://assay.example.org", "1.0", "1.1"))
    https://assay.example.org has Assay 1.0, and this client has 1.1. Some calls may fail.
    """

    def __init__(self, url: str, server: str, client: str) -> None:
        super().__init__(f"{url} has Assay {server}, and this client has {client}. Some calls may fail.")
