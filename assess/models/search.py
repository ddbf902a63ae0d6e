"""Full-text search over the documents of a collection: the state of the index, who may search, what they searched for,
what they opened, and which tasks this brought into the pool.
"""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from assess.models.collection import Collection, Document, Member, Topic
from assess.models.pool import Task


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


MAX_QUERY_LENGTH = 500  # characters


class SearchPermission(models.Model):
    """An assessor who may search. Without a row, an assessor may not."""

    member = models.OneToOneField(Member, models.CASCADE, primary_key=True, related_name="search_permission")
    granted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    granted_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.member_id} may search"


class Search(models.Model):
    """One search for a topic. `documents` are the primary keys of the first results, best first.

    `matched` is the number of documents with the words of the query. `was_complete` says whether the index had all
    documents then. `public_id` is random, like that of an assignment.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    member = models.ForeignKey(Member, models.CASCADE, related_name="searches")
    topic = models.ForeignKey(Topic, models.CASCADE, related_name="searches")
    query = models.CharField(max_length=MAX_QUERY_LENGTH)
    documents = models.JSONField()
    matched = models.PositiveIntegerField()
    was_complete = models.BooleanField()
    searched_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-searched_at", "-pk")

    def __str__(self) -> str:
        return self.query

    @property
    def collection(self) -> Collection:
        return self.member.collection


class OpenedResult(models.Model):
    """A result that the searcher opened to judge it. `rank` counts the results of the search from 1."""

    search = models.ForeignKey(Search, models.CASCADE, related_name="opened")
    document = models.ForeignKey(Document, models.CASCADE, related_name="+")
    rank = models.PositiveIntegerField()
    opened_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["search", "document"], name="result_opened_once"),)

    def __str__(self) -> str:
        return f"{self.search_id} {self.rank}"


class SearchedTask(models.Model):
    """A task that no run had brought into the pool when a searcher opened its document.

    It enters the pool when somebody judges it. `entered_at` is null before. `search` is the one of the person who
    judged it, or who opened it first; null if this person was erased.
    """

    task = models.OneToOneField(Task, models.CASCADE, primary_key=True, related_name="searched")
    search = models.ForeignKey(Search, models.SET_NULL, null=True, related_name="tasks")
    entered_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.task_id} found by {self.search_id}"


__all__ = ["OpenedResult", "Search", "SearchIndex", "SearchPermission", "SearchedTask"]
