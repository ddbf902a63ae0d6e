"""A test collection under construction: its members, scale, guidelines, topics, documents and runs."""

import secrets

from django.conf import settings
from django.core.validators import MaxValueValidator, RegexValidator
from django.db import models
from django.db.models import Q

from assess.models.rules import JudgementKind, JudgingRules
from pooling.ids import MAX_ID_BYTES

ARCHIVED = "This collection is archived."
COLOUR = r"^#[0-9a-f]{6}$"


def new_seed() -> int:
    return secrets.randbelow(2**31)


class Collection(JudgingRules):
    """A test collection. `seed` makes every shuffled order in it reproducible.

    Researchers read `description`, which may name systems; assessors read only `assessor_description`. A collection
    that is archived (`archived_at`) can be read and exported, and nothing in it changes (`assess.collections.archive`).
    `reference` is the rule of the gold that judges and golds are compared with; if it is empty, the order of
    `assess.analysis.reference` chooses one. `suggesting_judge` is the model whose grades assessors see next to the
    document (`assess.suggestions`); null for none.
    """

    slug = models.SlugField(unique=True, max_length=80)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    assessor_description = models.TextField(blank=True)
    reference = models.CharField(max_length=100, blank=True, default="")
    # With a constraint or an index, SQLite would have to make the table again to remove the column, which triggers on
    # judgements forbid.
    suggesting_judge = models.ForeignKey(
        "assess.Member", models.SET_NULL, null=True, db_constraint=False, db_index=False, related_name="+"
    )
    archived_at = models.DateTimeField(null=True)
    seed = models.PositiveIntegerField(default=new_seed)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(JudgingRules.Meta):
        abstract = False

    def __str__(self) -> str:
        return self.slug

    @property
    def closed_because(self) -> str:
        """A sentence that says why nobody can judge now; empty if judging is open."""
        return ARCHIVED if self.archived_at else super().closed_because

    def closed_for(self, kind: int) -> str:
        """Return a sentence that says why no judgement of this kind can be made now; empty if one can.

        Disputes are decided, norming rounds held and practice documents judged also while regular judging is paused.
        """
        if kind in (JudgementKind.REGULAR, JudgementKind.REPEAT, JudgementKind.CHECK):
            return self.closed_because
        return ARCHIVED if self.archived_at else ""

    @property
    def open_kinds(self) -> list[JudgementKind]:
        """The kinds of judgements that can be made now."""
        return [kind for kind in JudgementKind if not self.closed_for(kind)]


class Grade(models.Model):
    """One grade of the collection's scale. Grades are declared, never inferred, and ordered by their value."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="grades")
    value = models.PositiveSmallIntegerField(validators=[MaxValueValidator(9)])
    name = models.CharField(max_length=60)
    meaning = models.CharField(max_length=300, blank=True)
    colour = models.CharField(max_length=7, blank=True, validators=[RegexValidator(COLOUR)])

    class Meta:
        ordering = ["value"]
        constraints = [
            models.UniqueConstraint(fields=["collection", "value"], name="grade_once_on_scale"),
            models.CheckConstraint(condition=Q(value__lte=9), name="grade_is_one_digit"),
        ]

    def __str__(self) -> str:
        return f"{self.value} {self.name}"


class Guidelines(models.Model):
    """One version of the instructions for assessors. Each judgement records the version that was displayed."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="guidelines")
    version = models.PositiveIntegerField()
    text = models.TextField()
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["version"]
        constraints = [models.UniqueConstraint(fields=["collection", "version"], name="guidelines_version_once")]

    def __str__(self) -> str:
        return f"{self.collection} guidelines {self.version}"


class Role(models.TextChoices):
    """What a member may do. WITHDRAWN is an imported judge whose judgements stay in the ledger, and count nowhere."""

    OWNER = "owner"
    RESEARCHER = "researcher"
    INSTRUCTOR = "instructor"
    ASSESSOR = "assessor"
    WITHDRAWN = "withdrawn"


ROLES_OF_PEOPLE = (Role.OWNER, Role.RESEARCHER, Role.INSTRUCTOR, Role.ASSESSOR)


class Member(models.Model):
    """A role in a collection. `name` is the pseudonym used in exports.

    A member without a user is a judge whose judgements are imported, such as a model, or a person who was removed at
    `removed_at` and whose judgements stay. A person has one role in a collection, so that nobody judges whose role
    shows them the systems.
    """

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="members")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="memberships"
    )
    role = models.CharField(max_length=12, choices=Role.choices)
    name = models.CharField(max_length=80)
    removed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["collection", "name"], name="member_name_once"),
            models.UniqueConstraint(fields=["collection", "user"], name="one_role_a_person"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="member_role_known"),
            models.CheckConstraint(
                condition=Q(user__isnull=False) | Q(role__in=[Role.ASSESSOR, Role.WITHDRAWN]),
                name="only_judges_without_user",
            ),
            models.CheckConstraint(
                condition=~Q(role=Role.WITHDRAWN) | Q(user__isnull=True, removed_at__isnull=True),
                name="only_imported_withdrawn",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_person(self) -> bool:
        """Whether this is a person who judges here, or did until their removal; not an imported judge."""
        return self.user_id is not None or self.removed_at is not None

    @property
    def description(self) -> str:
        """The description of the collection for somebody with this role."""
        is_assessor = self.role == Role.ASSESSOR
        return self.collection.assessor_description if is_assessor else self.collection.description


class Topic(models.Model):
    collection = models.ForeignKey(Collection, models.CASCADE, related_name="topics")
    query_id = models.CharField(max_length=MAX_ID_BYTES)
    title = models.TextField()
    description = models.TextField(blank=True)
    narrative = models.TextField(blank=True)
    # With a constraint or an index, SQLite would have to make the table again to remove the column, which triggers on
    # judgements forbid.
    import_record = models.ForeignKey(
        "assess.ImportRecord", models.SET_NULL, null=True, db_constraint=False, db_index=False, related_name="topics"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["collection", "query_id"], name="topic_once")]

    def __str__(self) -> str:
        return self.query_id


class TopicSet(models.TextChoices):
    """The parts of a collection's topics: systems are developed on one, and compared on the other."""

    DEVELOPMENT = "development", "development set"
    TEST = "test", "test set"


class TopicInSet(models.Model):
    """The set that a topic belongs to. A topic without a row belongs to none."""

    topic = models.OneToOneField(Topic, models.CASCADE, primary_key=True, related_name="in_set")
    name = models.CharField(max_length=11, choices=TopicSet.choices)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(name__in=TopicSet.values), name="topic_set_is_known")]

    def __str__(self) -> str:
        return f"{self.topic_id} {self.name}"


class TextFormat(models.TextChoices):
    PLAIN = "text", "plain text"
    HTML = "html", "HTML"


class DocumentContent(models.Model):
    """A document's title, text and metadata as they were imported, and its HTML as it is displayed.

    An import writes contents in several transactions. They belong to no document until its last one, so an import that
    was interrupted leaves rows without a document, which `purge` deletes. A text that was replaced has no document
    either, and is kept (`ReplacedText`).

    The text of a Markdown document is kept in Markdown. Its format is HTML, as it is displayed.

    `sanitised` is null for plain text. `sanitiser_version` is the version of the sanitiser that wrote it. `sha256` is
    the hash of what assessors see (`assess.documents.contents.content_hash`), which judgements record.
    """

    title = models.TextField(blank=True)
    text = models.TextField()
    format = models.CharField(max_length=4, choices=TextFormat.choices, default=TextFormat.PLAIN)
    metadata = models.JSONField(default=dict)
    sanitised = models.TextField(null=True)  # noqa: DJ001 - an empty text is a text; null means not sanitised
    sanitiser_version = models.PositiveSmallIntegerField(null=True)
    sha256 = models.CharField(max_length=64)
    imported_at = models.DateTimeField(auto_now_add=True)
    # Without a constraint in the database, because contents are written before the record of their import.
    import_record = models.ForeignKey(
        "assess.ImportRecord", models.DO_NOTHING, null=True, db_constraint=False, related_name="contents"
    )

    def __str__(self) -> str:
        return f"{self.title[:40]} ({self.format})"


class Document(models.Model):
    """A pooled or imported document. `content` is null until it is imported."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="documents")
    doc_id = models.CharField(max_length=MAX_ID_BYTES)
    content = models.OneToOneField(DocumentContent, models.PROTECT, null=True, related_name="document")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["collection", "doc_id"], name="document_once")]

    def __str__(self) -> str:
        return self.doc_id


class Run(models.Model):
    """A system's run. `assess.collections.runfiles` stores its lines in a Parquet file named by its checksum.

    The file has the scores as float64; `score_precision` is the precision with which they are read. A baseline was
    computed here from the documents (`assess.baselines`); its `source_checksum` is that of the stored file.
    """

    class Precision(models.TextChoices):
        FLOAT64 = "float64", "float64"
        FLOAT32 = "float32", "float32"

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="runs")
    system = models.CharField(max_length=MAX_ID_BYTES)
    source_checksum = models.CharField(max_length=64)
    file_checksum = models.CharField(max_length=64)
    line_count = models.PositiveIntegerField()
    topic_count = models.PositiveIntegerField()
    score_precision = models.CharField(max_length=7, choices=Precision.choices, default=Precision.FLOAT64)
    is_baseline = models.BooleanField(default=False)
    imported_at = models.DateTimeField(auto_now_add=True)
    import_record = models.ForeignKey("assess.ImportRecord", models.SET_NULL, null=True, related_name="runs")

    class Meta:
        ordering = ["system"]
        constraints = [
            models.UniqueConstraint(fields=["collection", "system"], name="system_once"),
            models.CheckConstraint(
                condition=models.Q(score_precision__in=["float64", "float32"]), name="score_precision_is_known"
            ),
        ]

    def __str__(self) -> str:
        return self.system


class RunGroup(models.Model):
    """Runs that repeat one system, for example with several seeds. It has the name of the system that they repeat."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="run_groups")
    name = models.CharField(max_length=MAX_ID_BYTES)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["collection", "name"], name="run_group_once")]

    def __str__(self) -> str:
        return self.name


class GroupedRun(models.Model):
    """The group that a run belongs to. A run without a row belongs to none."""

    run = models.OneToOneField(Run, models.CASCADE, primary_key=True, related_name="grouped")
    group = models.ForeignKey(RunGroup, models.CASCADE, related_name="grouped_runs")

    def __str__(self) -> str:
        return f"{self.run_id} in {self.group_id}"
