"""What is in the site's database before it is replaced."""

from typing import NamedTuple

from django.db import Error, connection

from assess.lib import tables

COUNTED = {"users": "assess_user", "collections": "assess_collection", "judgements": "assess_judgement"}


class PresentData(NamedTuple):
    """`counts` is None if the database cannot be read."""

    counts: dict[str, int] | None

    @property
    def is_empty(self) -> bool:
        return self.counts is not None and not (self.counts["users"] or self.counts["collections"])

    def describe(self) -> str:
        if self.counts is None:
            return "a database that cannot be read"
        return ", ".join(f"{count:,} {noun}" for noun, count in self.counts.items())


def present_data() -> PresentData:
    """Count what would be lost, whatever version of Assay the tables belong to."""
    path = tables.sqlite_path()
    if path and not path.exists():  # connecting would create the file
        return PresentData(dict.fromkeys(COUNTED, 0))
    try:
        with connection.cursor() as cursor:
            existing = connection.introspection.table_names(cursor)
            counts = dict.fromkeys(COUNTED, 0)
            for noun, table in COUNTED.items():
                if table in existing:
                    cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608 - one of COUNTED
                    (counts[noun],) = cursor.fetchone()
    except Error:
        return PresentData(None)
    return PresentData(counts)
