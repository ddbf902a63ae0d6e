"""Requests to servers of other people: which hosts they may reach, how long they may take, and when they are repeated.

Search engines (`pooling.live`) and models that judge (`pooling.models`) are asked through this package. It is needed
because the address is typed by a user: on a site, nobody may use it to reach the site's own network.
"""

from pooling.outgoing.addresses import ANY_HOST, AllowedHosts, Entry, Forbidden
from pooling.outgoing.client import Attempt, Client, Failed, Limits, Response, Stopped

__all__ = [
    "ANY_HOST",
    "AllowedHosts",
    "Attempt",
    "Client",
    "Entry",
    "Failed",
    "Forbidden",
    "Limits",
    "Response",
    "Stopped",
]
