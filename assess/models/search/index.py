"""The state of a collection's full-text index."""

from django.db import models

from assess.models.collection import Collection


class SearchIndex(models.Model):
    """The full-text index of a collection, and the one that a job builds to replace it.

    The words are in a table that the database's own search engine reads: `table`, empty if no index is complete.
    `documents` is the number of documents in it. `changes` counts how often documents got or lost their text, and
    `indexed_changes` is that number when the building of the index began: if they differ, the index is incomplete.

    `building` is the table of an index that is not complete yet. `building_after` is the primary key of the last
    document in it. A job that was killed continues there.
    """

    collection = models.OneToOneField(Collection, models.CASCADE, primary_key=True, related_name="search_index")
    table = models.CharField(max_length=40, blank=True)
    documents = models.PositiveIntegerField(default=0)
    changes = models.PositiveIntegerField(default=0)
    indexed_changes = models.PositiveIntegerField(default=0)
    indexed_at = models.DateTimeField(null=True)
    building = models.CharField(max_length=40, blank=True)
    building_after = models.BigIntegerField(default=0)
    building_documents = models.PositiveIntegerField(default=0)
    building_changes = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.collection_id}: {self.documents} documents"

    @property
    def is_complete(self) -> bool:
        """Whether every document with a text is in the index."""
        return bool(self.table) and self.changes == self.indexed_changes
