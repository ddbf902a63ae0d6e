"""Pools, tasks, their provenance, samples, near-duplicates, assignments, pilots, and reminders of open assignments."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from assess.models.collection import Collection, Document, Member, Topic
from assess.models.rules import JudgementKind


class PoolBuilding(models.Model):
    """One call of `build_pool`: its strategy and runs.

    `parameters` are those of the strategy, with its seed if it has one, and the precision of the scores.
    `tasks_changed` counts the tasks that were in the pool before and got other systems or another best rank. It is
    null if the changes were not recorded and cannot be undone: in class exercises, and in pools that earlier versions
    built. `import_record` is set if the pool was imported from a file.
    """

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="pool_buildings")
    strategy = models.CharField(max_length=40)
    parameters = models.JSONField()
    run_checksums = models.JSONField()
    tasks_added = models.PositiveIntegerField()
    tasks_changed = models.PositiveIntegerField(null=True)
    import_record = models.ForeignKey(
        "assess.ImportRecord", models.SET_NULL, null=True, db_index=False, related_name="pool_buildings"
    )
    built_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.collection} {self.strategy} {self.parameters}"


class Task(models.Model):
    """A topic-document pair to be judged.

    In a collection that is open to claims, `wanted` is the number of slots for assessors and `taken` the number of
    slots that are held (`Assignment.holds_place`); otherwise both are 0. `draw` is a random number that orders tasks.
    """

    topic = models.ForeignKey(Topic, models.PROTECT, related_name="tasks")
    document = models.ForeignKey(Document, models.PROTECT, related_name="tasks")
    draw = models.PositiveIntegerField(default=0)
    wanted = models.PositiveSmallIntegerField(default=0)
    taken = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["topic", "document"], name="task_once"),
            # Prevents more assessors than slots, even with simultaneous claims.
            models.CheckConstraint(condition=Q(taken__lte=F("wanted")), name="task_never_over_wanted"),
        ]
        # Finds the next task to claim. It contains the key, so that counting does not read the rows.
        indexes = [
            models.Index(
                fields=["topic", "taken", "draw", "id"], name="task_to_claim", condition=Q(taken__lt=F("wanted"))
            )
        ]

    def __str__(self) -> str:
        return f"{self.topic_id}/{self.document_id}"


class Provenance(models.Model):
    """Which systems contributed a pooled task, and its best rank. Judging never reads this table.

    A task that was pooled although no run retrieved it has no systems and the best rank 0, until a run pools it: by a
    learner, a searcher (`SearchedTask`), a random sample (`SampledTask`), an import, or a pool of every document.

    A task without provenance was not pooled: it exists because a judgement was imported or its grade is known.
    """

    task = models.OneToOneField(Task, models.CASCADE, primary_key=True)
    systems = models.JSONField()
    best_rank = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.task_id} rank {self.best_rank}"


class PoolChange(models.Model):
    """What a pool building did to one task, so that it can be undone.

    `is_new` if the building created the task. `systems_before` and `best_rank_before` are the provenance that the task
    had before; both are null if it was not in the pool.
    """

    # Without an index of its own: that of pool_change_once begins with the building.
    building = models.ForeignKey(PoolBuilding, models.CASCADE, related_name="changes", db_index=False)
    task = models.ForeignKey(Task, models.CASCADE, related_name="+")
    is_new = models.BooleanField()
    systems_before = models.JSONField(null=True)
    best_rank_before = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["building", "task"], name="pool_change_once"),
            models.CheckConstraint(
                condition=Q(is_new=False) | Q(best_rank_before__isnull=True), name="pool_change_new_has_no_before"
            ),
            models.CheckConstraint(
                condition=Q(systems_before__isnull=True, best_rank_before__isnull=True)
                | Q(systems_before__isnull=False, best_rank_before__isnull=False),
                name="pool_change_before_is_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.building_id} {self.task_id}"


class SampledFrom(models.TextChoices):
    """The documents from which the sample of a topic is drawn."""

    COLLECTION = "collection", "all documents of the collection with a text"
    POOL = "pool", "the documents in the pool of the topic"


class TopicSample(models.Model):
    """The documents that one pool building added to the random sample of a topic, drawn without replacement.

    They have the positions from `start` of a random order of the population, which depends on `seed` and the topic:
    earlier buildings drew the first `start` documents. `population_hash` is a hash of the doc_ids of the population.
    `was_unseen` if no document of the sample was judged when these were added.
    """

    building = models.ForeignKey(PoolBuilding, models.CASCADE, related_name="samples")
    topic = models.ForeignKey(Topic, models.CASCADE, related_name="samples")
    seed = models.PositiveIntegerField()
    population = models.CharField(max_length=10, choices=SampledFrom.choices)
    population_size = models.PositiveIntegerField()
    population_hash = models.CharField(max_length=64)
    start = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    was_unseen = models.BooleanField()
    drawn_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["topic", "start"], name="sample_continues_once"),
            models.CheckConstraint(condition=Q(population__in=SampledFrom.values), name="sample_population_known"),
            models.CheckConstraint(
                condition=Q(size__gte=1, population_size__gte=F("start") + F("size")), name="sample_within_population"
            ),
        )

    def __str__(self) -> str:
        return f"{self.topic_id} from {self.start}"


class SampledTask(models.Model):
    """A task in the sample of its topic, at a `position` of the order of drawing, from 0."""

    task = models.OneToOneField(Task, models.PROTECT, primary_key=True, related_name="sampled")
    # Without an index of its own: that of sample_position_once begins with the sample.
    sample = models.ForeignKey(TopicSample, models.CASCADE, related_name="tasks", db_index=False)
    position = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["sample", "position"], name="sample_position_once"),)

    def __str__(self) -> str:
        return f"{self.task_id} at {self.position}"


class Assignment(models.Model):
    """A task given to an assessor, beforehand or by a claim; `repeat` is the kind of judgement.

    `public_id` is random, so that it reveals neither rank nor order nor repeats. `position` orders the assessor's
    queue of the topic. `topic` is copied from the task and `state` from the judgement, so that the queue is read from
    one index; `judging.record` writes both judgement and state. A claim holds a slot of the task until
    `claimed_until`; a judgement holds it for good.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    task = models.ForeignKey(Task, models.PROTECT, related_name="assignments")
    topic = models.ForeignKey(Topic, models.PROTECT, related_name="+", db_index=False)
    # Without an index of its own: assignment_queue begins with the member.
    member = models.ForeignKey(Member, models.PROTECT, related_name="assignments", db_index=False)
    repeat = models.PositiveSmallIntegerField(default=JudgementKind.REGULAR)
    position = models.PositiveIntegerField()
    state = models.CharField(max_length=12, blank=True, default="")
    holds_place = models.BooleanField(default=False)
    claimed_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["task", "member", "repeat"], name="assignment_once"),
            models.CheckConstraint(condition=Q(repeat__in=JudgementKind.values), name="assignment_kind_known"),
            models.CheckConstraint(
                condition=Q(claimed_until__isnull=True) | Q(holds_place=True), name="claim_holds_a_place"
            ),
        ]
        indexes = [
            # The queue of one assessor in order, and the number of its tasks in each state.
            models.Index(
                fields=["member", "topic", "state", "position", "repeat", "task"],
                name="assignment_queue",
            ),
            # Finds the claims whose time is over, which every claim looks for.
            models.Index(fields=["claimed_until"], name="assignment_lapse", condition=Q(claimed_until__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.task_id} to {self.member_id}"


class Pilot(models.Model):
    """A small set of tasks that all chosen assessors judge before the main round. Pilots are numbered from 1.

    Its judgements are regular ones: they count in every figure and gold.
    """

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="pilots")
    number = models.PositiveSmallIntegerField()
    tasks = models.ManyToManyField(Task, related_name="pilots")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=["collection", "number"], name="pilot_number_once"),)

    def __str__(self) -> str:
        return f"pilot {self.number}"


class Reminder(models.Model):
    """An email about open documents. An assessor gets at most one on each day (UTC)."""

    member = models.ForeignKey(Member, models.CASCADE, related_name="reminders")
    day = models.DateField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["member", "day"], name="reminder_once_a_day"),)

    def __str__(self) -> str:
        return f"{self.member_id} on {self.day}"


class DuplicateSearch(models.Model):
    """The last search for near-duplicates in a collection, which has one at most.

    If `whole`, all documents were compared with each other; otherwise the pooled documents of each topic. `documents`
    counts the documents with words that were compared, once for each topic. `threshold` is the accepted one, null
    until a researcher accepts one.
    """

    collection = models.OneToOneField(Collection, models.CASCADE, related_name="duplicate_search")
    whole = models.BooleanField()
    shingle_size = models.PositiveSmallIntegerField()
    documents = models.PositiveIntegerField()
    threshold = models.FloatField(null=True)
    found_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"near-duplicates of {self.collection_id}"


class DuplicatePair(models.Model):
    """Two similar documents; `topic` is null if the whole collection was compared.

    `similarity` is the Jaccard similarity of their shingles.
    """

    # Without an index of its own: pair_by_similarity begins with the search.
    search = models.ForeignKey(DuplicateSearch, models.CASCADE, related_name="pairs", db_index=False)
    topic = models.ForeignKey(Topic, models.CASCADE, null=True, related_name="+")
    a = models.ForeignKey(Document, models.CASCADE, related_name="+")
    b = models.ForeignKey(Document, models.CASCADE, related_name="+")
    similarity = models.FloatField()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(similarity__gt=0, similarity__lte=1), name="similarity_is_a_share")
        ]
        indexes = [models.Index(fields=["search", "similarity"], name="pair_by_similarity")]  # examples at a threshold

    def __str__(self) -> str:
        return f"{self.a_id} and {self.b_id}: {self.similarity:.3f}"


class DuplicateGroup(models.Model):
    """A group of near-duplicates that a researcher accepted, for one topic or, if `topic` is null, for all."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="duplicate_groups")
    topic = models.ForeignKey(Topic, models.CASCADE, null=True, related_name="+")

    def __str__(self) -> str:
        return f"group {self.pk}"


class GroupMember(models.Model):
    """A document of a group."""

    # Without an index of its own: that of document_once_in_group begins with the group.
    group = models.ForeignKey(DuplicateGroup, models.CASCADE, related_name="members", db_index=False)
    document = models.ForeignKey(Document, models.CASCADE, related_name="duplicate_groups")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["group", "document"], name="document_once_in_group")]

    def __str__(self) -> str:
        return f"{self.document_id} in {self.group_id}"
