"""The client of a site: its collections, files, jobs, judgements and results from Python or a script.

    from assay import Site

    site = Site("https://assay.example.org", token="assay_...")
    frame = site.collection("robust").judgements()

It uses the REST API (docs/api.md). A name is imported when it is first used, so that the help of `assay remote` needs
neither httpx2 nor pandas.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.remote.collection import Collection
    from assay.remote.errors import OutdatedServerWarning, SiteError
    from assay.remote.jobs import Job
    from assay.remote.lists import Listing
    from assay.remote.site import Site

__all__ = ["Collection", "Job", "Listing", "OutdatedServerWarning", "Site", "SiteError"]

HOMES = {
    "Collection": "collection",
    "Job": "jobs",
    "Listing": "lists",
    "OutdatedServerWarning": "errors",
    "Site": "site",
    "SiteError": "errors",
}


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"assay.remote.{HOMES[name]}"), name)
