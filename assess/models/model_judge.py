"""Models that a collection asks to judge: prompts, endpoints, what was asked for, and the answers."""

import gzip
import json
from typing import Any
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils import timezone

from assess.models.account import User
from assess.models.collection import Collection, Member
from assess.models.pool import Task


def host_of(address: str) -> str:
    """Return scheme, host and port of an address."""
    return "/".join(address.split("/", 3)[:3]).lower()


class ModelPrompt(models.Model):
    """One version of a prompt (`pooling.models.Prompt`). A version never changes."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="prompts")
    name = models.CharField(max_length=80)
    version = models.PositiveIntegerField(default=1)
    system = models.TextField(blank=True)
    user = models.TextField()
    form = models.CharField(max_length=4)
    criteria = models.JSONField(default=list)
    scale_order = models.CharField(max_length=10, default="ascending", db_default="ascending")
    hash = models.CharField(max_length=64)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name", "version")
        constraints = (models.UniqueConstraint(fields=["collection", "name", "version"], name="prompt_version_once"),)

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}"


class ModelJudge(models.Model):
    """A model that judges: an endpoint with its parameters, and a version of a prompt.

    `settings` are those of the endpoint without the secret; `secret` is encrypted (`assess.lib.secrets`). `examples`
    are [query_id, doc_id, grade] of the documents that the prompt shows, which are never asked for. `member` is the
    judge whose judgements the answers are; it exists from the first answer in the ledger, and from then on the judge
    does not change.
    """

    class Kind(models.TextChoices):
        CHAT = "chat", "chat completions, as of OpenAI, vLLM, Ollama or llama.cpp"
        UMBRELA = "umbrela", "UMBRELA's server"
        FUNCTION = "function", "a Python function"
        OFFLINE = "offline", "words in common, without a language model"

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="model_judges")
    name = models.CharField(max_length=80)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    settings = models.JSONField(default=dict)
    secret = models.TextField(blank=True)
    prompt = models.ForeignKey(ModelPrompt, models.RESTRICT, null=True, related_name="judges")
    examples = models.JSONField(default=list)
    member = models.OneToOneField(Member, models.SET_NULL, null=True, related_name="model_judge")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name",)
        constraints = (models.UniqueConstraint(fields=["collection", "name"], name="model_judge_once"),)

    def __str__(self) -> str:
        return self.name

    @property
    def has_server(self) -> bool:
        """Whether documents leave the site when the judge is asked."""
        return self.kind in (self.Kind.CHAT, self.Kind.UMBRELA)

    @property
    def host(self) -> str:
        """Scheme, host and port to which documents are sent; empty if they do not leave the site."""
        return host_of(str(self.settings.get("address", ""))) if self.has_server else ""


class ConfirmedHost(models.Model):
    """A host to which an owner allows the documents of the collection to be sent."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="confirmed_hosts")
    host = models.CharField(max_length=300)
    confirmed_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    confirmed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("host",)
        constraints = (models.UniqueConstraint(fields=["collection", "host"], name="host_confirmed_once"),)

    def __str__(self) -> str:
        return self.host


class ModelRules(models.Model):
    """What an owner decides about models in a collection. Without a row, everything is as by default.

    `keep_documents` forbids sending documents to any model. `show_early` lets models be made from the grades of people,
    and people decide disputes with the grades of models in view, before both have finished.
    """

    collection = models.OneToOneField(Collection, models.CASCADE, primary_key=True, related_name="model_rules")
    keep_documents = models.BooleanField(default=False)
    show_early = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"rules on models of {self.collection_id}"


class ModelWork(models.Model):
    """One order to a model judge: what it was asked for, at which pace, and within which budget.

    `repeat` is 0 for the grades of the ledger. From 1, `sample` pairs are asked for again, to see whether the answers
    stay the same. Prices are of a million tokens. `stopped` says why the work ended early; `finished_at` is set when
    every pair has an answer.
    """

    public_id = models.UUIDField(unique=True, default=uuid4, editable=False)
    judge = models.ForeignKey(ModelJudge, models.CASCADE, related_name="work")
    repeat = models.PositiveSmallIntegerField(default=0)
    sample = models.PositiveIntegerField(null=True)  # pairs; null: all
    seed = models.PositiveIntegerField()
    concurrency = models.PositiveSmallIntegerField(default=4)
    per_second = models.FloatField(null=True)
    price_input = models.FloatField(default=0)
    price_output = models.FloatField(default=0)
    most_cost = models.FloatField(null=True)
    most_tokens = models.PositiveBigIntegerField(null=True)
    ask_failed_again = models.BooleanField(default=False)
    pairs = models.PositiveIntegerField(default=0)
    stopped = models.TextField(blank=True)
    notes = models.JSONField(default=list)
    started_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.judge} {self.started_at:%Y-%m-%d %H:%M}"


class ModelAnswer(models.Model):
    """An answer of a model, saved when it arrives. It is never asked for again, unless it has no grade.

    `key` is the request key. `record` is what `pooling.models.Answer.to_record` keeps, as JSON in ASCII; the ledger has
    its checksum. `body` is the whole answer of the server, compressed with gzip. `model` is the version that it names.
    The tokens are what the budget counted. `recorded_at` is set with its event of the ledger; null for a repeat, and
    for an answer of a trial that no order followed. `is_current` is false for one that was asked for again.
    """

    judge = models.ForeignKey(ModelJudge, models.CASCADE, related_name="answers")
    work = models.ForeignKey(ModelWork, models.SET_NULL, null=True, related_name="answers")
    task = models.ForeignKey(Task, models.CASCADE, related_name="+")
    repeat = models.PositiveSmallIntegerField(default=0)
    key = models.CharField(max_length=64)
    grade = models.PositiveSmallIntegerField(null=True)
    reason = models.CharField(max_length=16, blank=True)
    record = models.TextField()
    model = models.CharField(max_length=200, blank=True)
    body = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    input_tokens = models.PositiveBigIntegerField(default=0)
    output_tokens = models.PositiveBigIntegerField(default=0)
    seconds = models.FloatField(default=0)
    repeats_instruction = models.BooleanField(default=False)
    is_current = models.BooleanField(default=True)
    answered_at = models.DateTimeField(default=timezone.now)
    recorded_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["judge", "task", "repeat"], condition=Q(is_current=True), name="model_answer_once"
            ),
        )
        indexes = (models.Index(fields=["judge", "repeat", "is_current", "reason"], name="model_answers"),)

    def __str__(self) -> str:
        return f"{self.judge_id} on {self.task_id}: {self.grade if self.grade is not None else self.reason}"

    @property
    def about(self) -> dict[str, Any]:
        """The record as values."""
        found: dict[str, Any] = json.loads(self.record)
        return found

    def original(self) -> bytes:
        """The answer as it came."""
        return gzip.decompress(self.body)


class ModelPolicy(models.Model):
    """A decision of an owner on which documents people judge after a model; the grades of the model count for the rest.

    `rule` has what `assess.asking.policy.PolicyRule` has, and `people` the number of documents of each reason. The
    newest one holds. `ended_at` is set when an owner ends it: then no model counts.
    """

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="model_policies")
    judge = models.ForeignKey(Member, models.CASCADE, related_name="+")
    rule = models.JSONField()
    people = models.JSONField(default=dict)
    decided_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    decided_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.judge_id} first, in {self.collection_id}"
