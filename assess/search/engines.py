"""The search engines of the databases. An index is a table of its own, which nothing else refers to.

Each engine has the same functions: `create`, `insert`, `finish`, `drop`, `exists` and `matches`.
"""

from types import ModuleType

from django.db import connection


def engine() -> ModuleType:
    """Return the module of the database that the site uses."""
    from assess.search import postgresql, sqlite

    return postgresql if connection.vendor == "postgresql" else sqlite
