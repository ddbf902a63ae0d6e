"""Search engines that a collection asks for runs, the answers they gave, and the hosts that a site allows."""

import gzip
from uuid import uuid4

from django.db import models
from django.utils import timezone

from assess.models.account import User
from assess.models.collection import Collection, Run, Topic


class AllowedHost(models.Model):
    """A host that the site may ask: a name, an address or a network (`pooling.outgoing`)."""

    host = models.CharField(max_length=300, unique=True)
    added_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("host",)

    def __str__(self) -> str:
        return self.host


class SearchEngine(models.Model):
    """How a collection asks a search engine.

    `settings` are those of `pooling.live.Engine` without the secret; `secret` is encrypted (`assess.lib.secrets`).
    """

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="engines")
    name = models.CharField(max_length=80)
    settings = models.JSONField()
    secret = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name",)
        constraints = (models.UniqueConstraint(fields=["collection", "name"], name="engine_once"),)

    def __str__(self) -> str:
        return self.name


class EngineRun(models.Model):
    """A run that is being made from an engine, or was made.

    `settings` are those at the beginning, without the secret. `run` is null until every topic has an answer, and after
    the import was undone. `former` is the run that this one repeats.
    """

    public_id = models.UUIDField(unique=True, default=uuid4, editable=False)
    collection = models.ForeignKey(Collection, models.CASCADE, related_name="engine_runs")
    engine = models.ForeignKey(SearchEngine, models.SET_NULL, null=True, related_name="runs")
    system = models.CharField(max_length=255)
    depth = models.PositiveIntegerField()
    settings = models.JSONField()
    with_texts = models.BooleanField(default=True)
    concurrency = models.PositiveSmallIntegerField(default=2)
    per_second = models.FloatField(null=True)  # requests, at most; null: as fast as the engine answers
    version = models.CharField(max_length=100, blank=True)
    run = models.ForeignKey(Run, models.SET_NULL, null=True, related_name="engine_runs")
    former = models.ForeignKey("self", models.SET_NULL, null=True, related_name="repetitions")
    notes = models.JSONField(default=list)
    started_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return self.system


class EngineAnswer(models.Model):
    """The answer of an engine for a topic: `body` is what came, compressed with gzip, and `sha256` its checksum.

    `problem` says why the topic has no result; it is asked for again.
    """

    engine_run = models.ForeignKey(EngineRun, models.CASCADE, related_name="answers")
    topic = models.ForeignKey(Topic, models.CASCADE, related_name="+")
    problem = models.TextField(blank=True)
    body = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    seconds = models.FloatField()
    attempts = models.PositiveSmallIntegerField()
    asked_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["engine_run", "topic"], name="engine_answer_once"),)

    def __str__(self) -> str:
        return f"{self.engine_run}, topic {self.topic_id}"

    def original(self) -> bytes:
        """The answer as it came."""
        return gzip.decompress(self.body)
