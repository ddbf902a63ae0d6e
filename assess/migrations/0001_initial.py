"""The tables. `assess.lib.earlier_migrations` takes over databases that earlier migrations created."""

import assess.models.collection
import assess.models.exercise
import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.text
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="Collection",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "order",
                    models.CharField(
                        choices=[
                            ("shuffled", "shuffled for each assessor"),
                            ("fixed", "by document id, the same for everyone"),
                            ("adaptive", "adaptive, depends on the judgements so far"),
                        ],
                        default="shuffled",
                        max_length=10,
                    ),
                ),
                (
                    "judges_per_task",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(100),
                        ],
                    ),
                ),
                ("judging_open", models.BooleanField(default=True)),
                ("judging_ends_at", models.DateTimeField(blank=True, null=True)),
                ("judging_closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "claim_minutes",
                    models.PositiveSmallIntegerField(
                        default=30,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(1440),
                        ],
                    ),
                ),
                (
                    "repeat_share",
                    models.FloatField(
                        default=0,
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(1),
                        ],
                    ),
                ),
                (
                    "min_visible_ms",
                    models.PositiveSmallIntegerField(
                        db_column="painted_ms", default=150, validators=[django.core.validators.MaxValueValidator(5000)]
                    ),
                ),
                ("hide_doc_ids", models.BooleanField(default=False)),
                ("snippet_first", models.BooleanField(default=False)),
                ("ask_confidence", models.BooleanField(default=False)),
                (
                    "passages",
                    models.CharField(
                        choices=[
                            ("off", "not requested"),
                            ("optional", "may be marked"),
                            ("required", "required for relevant documents"),
                        ],
                        default="off",
                        max_length=8,
                    ),
                ),
                ("ask_at_topic_end", models.BooleanField(default=True)),
                (
                    "practice",
                    models.CharField(
                        choices=[
                            ("off", "no practice"),
                            ("admit", "must reach the threshold"),
                            ("notify", "threshold informs only"),
                        ],
                        default="off",
                        max_length=6,
                    ),
                ),
                (
                    "practice_measure",
                    models.CharField(
                        choices=[("hits", "share of hits"), ("kappa", "pooled kappa")], default="hits", max_length=5
                    ),
                ),
                (
                    "practice_threshold",
                    models.FloatField(
                        default=0.7,
                        validators=[
                            django.core.validators.MinValueValidator(0),
                            django.core.validators.MaxValueValidator(1),
                        ],
                    ),
                ),
                ("hidden_checks", models.BooleanField(default=False)),
                ("continuous", models.BooleanField(default=False)),
                ("ask_marginal", models.BooleanField(default=False)),
                (
                    "near_duplicates",
                    models.CharField(
                        choices=[
                            ("apart", "like other documents"),
                            ("together", "one after the other"),
                            ("once", "one judgement applies to all"),
                        ],
                        default="apart",
                        max_length=8,
                    ),
                ),
                ("slug", models.SlugField(max_length=80, unique=True)),
                ("name", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True)),
                ("assessor_description", models.TextField(blank=True)),
                ("reference", models.CharField(blank=True, default="", max_length=100)),
                ("archived_at", models.DateTimeField(null=True)),
                ("seed", models.PositiveIntegerField(default=assess.models.collection.new_seed)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "abstract": False,
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("order__in", ["shuffled", "fixed", "adaptive"])), name="order_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("passages__in", ["off", "optional", "required"])), name="passages_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("near_duplicates__in", ["apart", "together", "once"])),
                        name="duplicates_rule_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("practice__in", ["off", "admit", "notify"])), name="practice_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("practice_measure__in", ["hits", "kappa"])), name="practice_measure_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("practice_threshold__gte", 0), ("practice_threshold__lte", 1)),
                        name="practice_threshold_is_a_share",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("repeat_share__gte", 0), ("repeat_share__lte", 1)), name="share_is_a_share"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="OwnerLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Tombstone",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("collection_slug", models.CharField(max_length=80)),
                ("members", models.PositiveIntegerField()),
                ("judgements", models.PositiveIntegerField()),
                ("events", models.PositiveIntegerField()),
                ("chains", models.JSONField(default=list)),
                ("comments", models.PositiveIntegerField(default=0)),
                ("reason", models.CharField(max_length=40)),
                ("erased_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                (
                    "theme",
                    models.CharField(
                        choices=[("system", "same as the system"), ("light", "light"), ("dark", "dark")],
                        default="system",
                        max_length=6,
                    ),
                ),
                (
                    "text_size",
                    models.PositiveSmallIntegerField(
                        default=100,
                        validators=[
                            django.core.validators.MinValueValidator(80),
                            django.core.validators.MaxValueValidator(250),
                        ],
                    ),
                ),
                ("keys_on", models.BooleanField(default=True)),
                ("keymap", models.JSONField(blank=True, default=dict)),
                ("highlights_on", models.BooleanField(default=True)),
                ("pace_on", models.BooleanField(default=True)),
                ("erased_at", models.DateTimeField(null=True)),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("email"),
                        condition=models.Q(("email", ""), _negated=True),
                        name="user_email_once",
                    )
                ],
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="Worker",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=64, unique=True)),
                ("heartbeat_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="WrongCodeCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key_hash", models.CharField(max_length=64)),
                ("ends_at", models.DateTimeField(db_index=True)),
                ("count", models.PositiveIntegerField(default=0)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("key_hash", "ends_at"), name="wrong_codes_once")],
            },
        ),
        migrations.CreateModel(
            name="Adjudication",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="adjudications",
                        to="assess.collection",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("selection", models.CharField(max_length=300)),
                ("shows_grades", models.BooleanField(default=False)),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(fields=("collection", "number"), name="adjudication_number_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("action", models.CharField(max_length=24)),
                (
                    "actor",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "collection",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="assess.collection",
                    ),
                ),
                ("collection_slug", models.CharField(blank=True, max_length=80)),
                ("subject", models.CharField(blank=True, max_length=200)),
                ("details", models.JSONField(default=dict)),
                ("address_hash", models.CharField(blank=True, max_length=32)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["collection", "id"], name="audit_of_collection"),
                    models.Index(
                        condition=models.Q(("address_hash", ""), _negated=True),
                        fields=["address_hash", "at"],
                        name="audit_from_address",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="checkpoints", to="assess.collection"
                    ),
                ),
                ("chains", models.JSONField()),
                ("events", models.PositiveIntegerField()),
                ("hash", models.CharField(max_length=64)),
                ("reason", models.CharField(max_length=20)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [models.Index(fields=["hash"], name="checkpoint_by_hash")],
            },
        ),
        migrations.CreateModel(
            name="DuplicateSearch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="duplicate_search",
                        to="assess.collection",
                    ),
                ),
                ("whole", models.BooleanField()),
                ("shingle_size", models.PositiveSmallIntegerField()),
                ("documents", models.PositiveIntegerField()),
                ("threshold", models.FloatField(null=True)),
                ("found_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="Exercise",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="exercise", to="assess.collection"
                    ),
                ),
                (
                    "instructor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exercises",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("title", models.CharField(max_length=120)),
                ("code", models.CharField(default=assess.models.exercise.new_code, max_length=10, unique=True)),
                ("seed", models.PositiveIntegerField(default=assess.models.collection.new_seed)),
                (
                    "phase",
                    models.CharField(
                        choices=[
                            ("waiting", "not started"),
                            ("running", "running"),
                            ("paused", "paused"),
                            ("ended", "ended"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                (
                    "minutes",
                    models.PositiveSmallIntegerField(
                        default=15,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(1440),
                        ],
                    ),
                ),
                ("started_at", models.DateTimeField(null=True)),
                ("ends_at", models.DateTimeField(null=True)),
                ("left_ms", models.PositiveIntegerField(null=True)),
                ("shared", models.PositiveSmallIntegerField(default=0)),
                ("more_each", models.PositiveSmallIntegerField(default=0)),
                ("reveal_step", models.PositiveSmallIntegerField(default=0)),
                ("revealed_at", models.DateTimeField(null=True)),
                ("show_own", models.BooleanField(default=True)),
                ("show_comments", models.BooleanField(default=False)),
                ("worksheets_open", models.BooleanField(default=False)),
                ("worksheets", models.JSONField(default=list)),
                ("reveal_options", models.JSONField(null=True)),
                ("erase_on", models.DateField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["-created_at"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("phase__in", ["waiting", "running", "paused", "ended"])), name="phase_known"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Grade",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="grades", to="assess.collection"
                    ),
                ),
                ("value", models.PositiveSmallIntegerField(validators=[django.core.validators.MaxValueValidator(9)])),
                ("name", models.CharField(max_length=60)),
                ("meaning", models.CharField(blank=True, max_length=300)),
                (
                    "colour",
                    models.CharField(
                        blank=True, max_length=7, validators=[django.core.validators.RegexValidator("^#[0-9a-f]{6}$")]
                    ),
                ),
            ],
            options={
                "ordering": ["value"],
                "constraints": [
                    models.UniqueConstraint(fields=("collection", "value"), name="grade_once_on_scale"),
                    models.CheckConstraint(condition=models.Q(("value__lte", 9)), name="grade_is_one_digit"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Guidelines",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="guidelines", to="assess.collection"
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("text", models.TextField()),
                ("sha256", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["version"],
                "constraints": [
                    models.UniqueConstraint(fields=("collection", "version"), name="guidelines_version_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportedFile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imported_files",
                        to="assess.collection",
                    ),
                ),
                ("name", models.CharField(max_length=255)),
                ("sha256", models.CharField(max_length=64)),
                ("size", models.PositiveBigIntegerField()),
                ("content", models.BinaryField()),
                ("judges", models.JSONField(default=list)),
                ("imported_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("collection", "sha256"), name="imported_file_once")],
            },
        ),
        migrations.CreateModel(
            name="ImportRecord",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="imports", to="assess.collection"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("topics", "topics"),
                            ("runs", "runs"),
                            ("documents", "documents"),
                            ("judgements", "judgements"),
                        ],
                        max_length=10,
                    ),
                ),
                ("files", models.JSONField(default=list)),
                ("options", models.JSONField(default=dict)),
                ("counts", models.JSONField(default=dict)),
                ("previous", models.JSONField(default=dict)),
                ("imported_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("undone_at", models.DateTimeField(null=True)),
                (
                    "undone_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-pk",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["topics", "runs", "documents", "judgements"])),
                        name="import_kind_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("undone_at__isnull", True),
                            models.Q(("kind", "judgements"), _negated=True),
                            _connector="OR",
                        ),
                        name="import_of_judgements_stays",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="assess.collection"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "Owner"),
                            ("researcher", "Researcher"),
                            ("instructor", "Instructor"),
                            ("assessor", "Assessor"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("note", models.CharField(blank=True, max_length=254)),
                ("pseudonym", models.CharField(blank=True, max_length=80)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
                ("max_uses", models.PositiveSmallIntegerField(default=1)),
                ("uses", models.PositiveSmallIntegerField(default=0)),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ("-pk",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["owner", "researcher", "instructor", "assessor"])),
                        name="invitation_role_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("uses__lte", models.F("max_uses"))), name="invitation_uses_limited"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("pseudonym", ""), ("max_uses", 1), _connector="OR"),
                        name="invitation_pseudonym_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("kind", models.CharField(max_length=40)),
                (
                    "collection",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="jobs",
                        to="assess.collection",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("input", models.JSONField(default=dict)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("running", "running"),
                            ("done", "done"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("attempt", models.PositiveSmallIntegerField(default=0)),
                ("task_id", models.UUIDField(null=True)),
                ("stage", models.CharField(blank=True, max_length=80)),
                ("progress_done", models.PositiveBigIntegerField(default=0)),
                ("progress_total", models.PositiveBigIntegerField(null=True)),
                ("cancel_requested", models.BooleanField(default=False)),
                ("heartbeat_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(null=True)),
                ("saved_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("result", models.JSONField(null=True)),
                ("error", models.TextField(blank=True)),
            ],
            options={
                "ordering": ("-pk",),
                "indexes": [models.Index(fields=["state", "heartbeat_at"], name="job_state_heartbeat")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["waiting", "running", "done", "failed", "cancelled"])),
                        name="job_state_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ended_at__isnull", True), ("state__in", ("waiting", "running"))),
                            models.Q(("ended_at__isnull", False), ("state__in", ("done", "failed", "cancelled"))),
                            _connector="OR",
                        ),
                        name="job_ended_has_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Member",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="members", to="assess.collection"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "Owner"),
                            ("researcher", "Researcher"),
                            ("instructor", "Instructor"),
                            ("assessor", "Assessor"),
                        ],
                        max_length=12,
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("removed_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(fields=("collection", "name"), name="member_name_once"),
                    models.UniqueConstraint(fields=("collection", "user"), name="one_role_a_person"),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["owner", "researcher", "instructor", "assessor"])),
                        name="member_role_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("user__isnull", False), ("role", "assessor"), _connector="OR"),
                        name="only_assessors_without_user",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PoolBuilding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pool_buildings",
                        to="assess.collection",
                    ),
                ),
                ("strategy", models.CharField(max_length=40)),
                ("parameters", models.JSONField()),
                ("run_checksums", models.JSONField()),
                ("tasks_added", models.PositiveIntegerField()),
                ("tasks_changed", models.PositiveIntegerField(null=True)),
                ("built_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="ResetLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="RunGroup",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="run_groups", to="assess.collection"
                    ),
                ),
                ("name", models.CharField(max_length=512)),
            ],
            options={
                "ordering": ["name"],
                "constraints": [models.UniqueConstraint(fields=("collection", "name"), name="run_group_once")],
            },
        ),
        migrations.CreateModel(
            name="SearchIndex",
            fields=[
                (
                    "collection",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="search_index",
                        serialize=False,
                        to="assess.collection",
                    ),
                ),
                ("table", models.CharField(blank=True, max_length=40)),
                ("documents", models.PositiveIntegerField(default=0)),
                ("changes", models.PositiveIntegerField(default=0)),
                ("indexed_changes", models.PositiveIntegerField(default=0)),
                ("indexed_at", models.DateTimeField(null=True)),
                ("building", models.CharField(blank=True, max_length=40)),
                ("building_after", models.BigIntegerField(default=0)),
                ("building_documents", models.PositiveIntegerField(default=0)),
                ("building_changes", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Session",
            fields=[
                (
                    "session_key",
                    models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="session key"),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                (
                    "user",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("signed_in_at", models.DateTimeField(null=True)),
                ("browser", models.CharField(blank=True, default="", max_length=200)),
            ],
            options={
                "verbose_name": "session",
                "verbose_name_plural": "sessions",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="SignInCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key_hash", models.CharField(max_length=64, unique=True)),
                (
                    "user",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("count", models.PositiveIntegerField(default=0)),
                ("ends_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="Upload",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="uploads", to="assess.collection"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("name", models.CharField(max_length=255)),
                ("size", models.PositiveBigIntegerField()),
                ("received", models.PositiveBigIntegerField(default=0)),
                ("sha256", models.CharField(blank=True, max_length=64)),
                ("server_path", models.TextField(blank=True)),
                (
                    "kind",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("topics", "topics"),
                            ("runs", "runs"),
                            ("documents", "documents"),
                            ("judgements", "judgements"),
                        ],
                        max_length=10,
                    ),
                ),
                ("format", models.CharField(blank=True, max_length=40)),
                ("label", models.CharField(blank=True, max_length=80)),
                ("error", models.TextField(blank=True)),
                ("first_rows", models.JSONField(default=dict)),
                ("given_name", models.CharField(blank=True, max_length=255)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("touched_at", models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ("completed_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("received__lte", models.F("size"))), name="upload_not_longer_than_stated"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("completed_at__isnull", True), ("received", models.F("size")), _connector="OR"
                        ),
                        name="upload_complete_has_all_bytes",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Admission",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "member",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="admission", to="assess.member"
                    ),
                ),
                (
                    "admitted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("below", models.BooleanField(default=False)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="DocumentContent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.TextField(blank=True)),
                ("text", models.TextField()),
                (
                    "format",
                    models.CharField(choices=[("text", "plain text"), ("html", "HTML")], default="text", max_length=4),
                ),
                ("metadata", models.JSONField(default=dict)),
                ("sanitised", models.TextField(null=True)),
                ("sanitiser_version", models.PositiveSmallIntegerField(null=True)),
                ("sha256", models.CharField(max_length=64)),
                ("imported_at", models.DateTimeField(auto_now_add=True)),
                (
                    "import_record",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="contents",
                        to="assess.importrecord",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ErasurePermit",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "member",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="assess.member"
                    ),
                ),
            ],
            options={
                "db_table": "assess_erasing",
            },
        ),
        migrations.CreateModel(
            name="ImportedJudge",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "member",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="imported_judge", to="assess.member"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("human", "human"),
                            ("crowd", "crowd"),
                            ("model", "model"),
                            ("derived", "derived, such as from clicks"),
                        ],
                        max_length=8,
                    ),
                ),
                ("description", models.TextField(blank=True)),
                ("own_scale", models.JSONField(null=True)),
                ("mapping", models.JSONField(default=dict)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["", "human", "crowd", "model", "derived"])),
                        name="judge_kind_known",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="JudgementImport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="judgement_imports",
                        to="assess.member",
                    ),
                ),
                (
                    "file",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="judgement_imports",
                        to="assess.importedfile",
                    ),
                ),
                ("file_name", models.CharField(max_length=255)),
                ("sha256", models.CharField(max_length=64)),
                ("options", models.JSONField(default=dict)),
                ("counts", models.JSONField(default=dict)),
                ("added", models.PositiveIntegerField()),
                ("imported_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["imported_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Practice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "exercise",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="practice", to="assess.exercise"
                    ),
                ),
                ("topic", models.CharField(blank=True, max_length=500)),
                ("title", models.CharField(blank=True, max_length=500)),
                ("text", models.TextField()),
                ("relevance", models.SmallIntegerField()),
                ("explanation", models.TextField(blank=True)),
            ],
        ),
        migrations.CreateModel(
            name="Release",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="releases", to="assess.collection"
                    ),
                ),
                ("name", models.SlugField(max_length=60)),
                ("version", models.PositiveSmallIntegerField()),
                ("spec", models.JSONField()),
                (
                    "checkpoint",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.RESTRICT, related_name="releases", to="assess.checkpoint"
                    ),
                ),
                ("manifest", models.TextField()),
                ("manifest_sha256", models.CharField(max_length=64)),
                ("archive", models.BinaryField(null=True)),
                ("size", models.PositiveIntegerField()),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("withdrawn_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ("name", "version"),
                "constraints": [
                    models.UniqueConstraint(fields=("collection", "name", "version"), name="release_version_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("archive__isnull", False), ("withdrawn_at__isnull", True)),
                            models.Q(("archive__isnull", True), ("withdrawn_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="release_has_archive_or_was_withdrawn",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Reminder",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="reminders", to="assess.member"
                    ),
                ),
                ("day", models.DateField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("member", "day"), name="reminder_once_a_day")],
            },
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="runs", to="assess.collection"
                    ),
                ),
                ("system", models.CharField(max_length=512)),
                ("source_checksum", models.CharField(max_length=64)),
                ("file_checksum", models.CharField(max_length=64)),
                ("line_count", models.PositiveIntegerField()),
                ("topic_count", models.PositiveIntegerField()),
                (
                    "score_precision",
                    models.CharField(
                        choices=[("float64", "float64"), ("float32", "float32")], default="float64", max_length=7
                    ),
                ),
                ("is_baseline", models.BooleanField(default=False)),
                ("imported_at", models.DateTimeField(auto_now_add=True)),
                (
                    "import_record",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="runs",
                        to="assess.importrecord",
                    ),
                ),
            ],
            options={
                "ordering": ["system"],
                "constraints": [
                    models.UniqueConstraint(fields=("collection", "system"), name="system_once"),
                    models.CheckConstraint(
                        condition=models.Q(("score_precision__in", ["float64", "float32"])),
                        name="score_precision_is_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SearchPermission",
            fields=[
                (
                    "member",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="search_permission",
                        serialize=False,
                        to="assess.member",
                    ),
                ),
                (
                    "granted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("granted_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "exercise",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="assess.exercise"
                    ),
                ),
                (
                    "member",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seat", to="assess.member"
                    ),
                ),
                ("nickname", models.CharField(max_length=24)),
                ("nickname_key", models.CharField(max_length=96)),
                ("reentry_code", models.CharField(default=assess.models.exercise.new_reentry_code, max_length=10)),
                ("seed", models.PositiveIntegerField(default=assess.models.collection.new_seed)),
                ("practice_grade", models.SmallIntegerField(null=True)),
                ("predicted_kappa", models.FloatField(null=True)),
                ("joined_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "ordering": ["joined_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("exercise", "nickname_key"), name="nickname_once"),
                    models.UniqueConstraint(fields=("exercise", "reentry_code"), name="reentry_code_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Topic",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="topics", to="assess.collection"
                    ),
                ),
                ("query_id", models.CharField(max_length=512)),
                ("title", models.TextField()),
                ("description", models.TextField(blank=True)),
                ("narrative", models.TextField(blank=True)),
                (
                    "import_record",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="topics",
                        to="assess.importrecord",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("collection", "query_id"), name="topic_once")],
            },
        ),
        migrations.CreateModel(
            name="AdaptiveOrder",
            fields=[
                (
                    "topic",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="adaptive_order",
                        serialize=False,
                        to="assess.topic",
                    ),
                ),
                ("strategy", models.CharField(max_length=40)),
                ("parameters", models.JSONField(default=dict)),
                ("rule", models.CharField(max_length=80)),
                ("rankings", models.BinaryField()),
                ("state", models.BinaryField()),
                ("caught_up", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Document",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="documents", to="assess.collection"
                    ),
                ),
                ("doc_id", models.CharField(max_length=512)),
                (
                    "content",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="document",
                        to="assess.documentcontent",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("collection", "doc_id"), name="document_once")],
            },
        ),
        migrations.CreateModel(
            name="DuplicateGroup",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="duplicate_groups",
                        to="assess.collection",
                    ),
                ),
                (
                    "topic",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="assess.topic"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="GroupedRun",
            fields=[
                (
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="grouped",
                        serialize=False,
                        to="assess.run",
                    ),
                ),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="grouped_runs", to="assess.rungroup"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LearnerModel",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "topic",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="learner_models", to="assess.topic"
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("rule", models.CharField(max_length=80)),
                ("parameters", models.JSONField()),
                ("query", models.TextField()),
                ("judged", models.JSONField(null=True)),
                ("n_judged", models.PositiveIntegerField()),
                ("batch_size", models.PositiveIntegerField()),
                ("document_count", models.PositiveIntegerField()),
                ("last_document", models.PositiveBigIntegerField()),
                ("documents_hash", models.CharField(max_length=64)),
                ("ranking", models.JSONField()),
                ("digest", models.CharField(max_length=64)),
                ("trained_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("topic", "version"), name="learner_version_once"),
                    models.CheckConstraint(condition=models.Q(("batch_size__gte", 1)), name="learner_batch_not_empty"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Search",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="searches", to="assess.member"
                    ),
                ),
                (
                    "topic",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="searches", to="assess.topic"
                    ),
                ),
                ("query", models.CharField(max_length=500)),
                ("documents", models.JSONField()),
                ("matched", models.PositiveIntegerField()),
                ("was_complete", models.BooleanField()),
                ("searched_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "ordering": ("-searched_at", "-pk"),
            },
        ),
        migrations.CreateModel(
            name="SeatToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tokens", to="assess.seat"
                    ),
                ),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="TopicFeedback",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="exit_answers", to="assess.member"
                    ),
                ),
                (
                    "topic",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="exit_answers", to="assess.topic"
                    ),
                ),
                (
                    "difficulty",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(5),
                        ],
                    ),
                ),
                ("comment", models.TextField(blank=True)),
                ("answered_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "db_table": "assess_exitanswer",
                "constraints": [
                    models.UniqueConstraint(fields=("member", "topic"), name="exit_answer_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("difficulty__isnull", True),
                            models.Q(("difficulty__gte", 1), ("difficulty__lte", 5)),
                            _connector="OR",
                        ),
                        name="difficulty_1_to_5",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TopicInSet",
            fields=[
                (
                    "topic",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="in_set",
                        serialize=False,
                        to="assess.topic",
                    ),
                ),
                (
                    "name",
                    models.CharField(choices=[("development", "development set"), ("test", "test set")], max_length=11),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("name__in", ["development", "test"])), name="topic_set_is_known"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TopicSample",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "building",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="samples", to="assess.poolbuilding"
                    ),
                ),
                (
                    "topic",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="samples", to="assess.topic"
                    ),
                ),
                ("seed", models.PositiveIntegerField()),
                (
                    "population",
                    models.CharField(
                        choices=[
                            ("collection", "all documents of the collection with a text"),
                            ("pool", "the documents in the pool of the topic"),
                        ],
                        max_length=10,
                    ),
                ),
                ("population_size", models.PositiveIntegerField()),
                ("population_hash", models.CharField(max_length=64)),
                ("start", models.PositiveIntegerField()),
                ("size", models.PositiveIntegerField()),
                ("was_unseen", models.BooleanField()),
                (
                    "drawn_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("topic", "start"), name="sample_continues_once"),
                    models.CheckConstraint(
                        condition=models.Q(("population__in", ["collection", "pool"])), name="sample_population_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "population_size__gte",
                                django.db.models.expressions.CombinedExpression(
                                    models.F("start"), "+", models.F("size")
                                ),
                            ),
                            ("size__gte", 1),
                        ),
                        name="sample_within_population",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="WorksheetAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="answers", to="assess.seat"
                    ),
                ),
                ("worksheet", models.CharField(max_length=60)),
                ("field", models.CharField(max_length=60)),
                ("text", models.CharField(blank=True, max_length=200)),
                ("right", models.BooleanField(default=False)),
                ("shown", models.BooleanField(default=False)),
                ("tries", models.PositiveIntegerField(default=0)),
                ("answered_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("seat", "worksheet", "field"), name="answer_once")],
            },
        ),
        migrations.CreateModel(
            name="DuplicatePair",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "search",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pairs",
                        to="assess.duplicatesearch",
                    ),
                ),
                (
                    "topic",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="assess.topic"
                    ),
                ),
                (
                    "a",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="assess.document"
                    ),
                ),
                (
                    "b",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="assess.document"
                    ),
                ),
                ("similarity", models.FloatField()),
            ],
            options={
                "indexes": [models.Index(fields=["search", "similarity"], name="pair_by_similarity")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("similarity__gt", 0), ("similarity__lte", 1)), name="similarity_is_a_share"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="GroupMember",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "group",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="assess.duplicategroup",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="duplicate_groups",
                        to="assess.document",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("group", "document"), name="document_once_in_group")],
            },
        ),
        migrations.CreateModel(
            name="OpenedResult",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "search",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="opened", to="assess.search"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="assess.document"
                    ),
                ),
                ("rank", models.PositiveIntegerField()),
                ("opened_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("search", "document"), name="result_opened_once")],
            },
        ),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "model",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposals",
                        to="assess.learnermodel",
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="assess.document"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                ("entered_pool", models.BooleanField(default=False)),
                ("proposed_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("model", "document"), name="proposal_once")],
            },
        ),
        migrations.CreateModel(
            name="Task",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "topic",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="tasks", to="assess.topic"
                    ),
                ),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="tasks", to="assess.document"
                    ),
                ),
                ("draw", models.PositiveIntegerField(default=0)),
                ("wanted", models.PositiveSmallIntegerField(default=0)),
                ("taken", models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("taken__lt", models.F("wanted"))),
                        fields=["topic", "taken", "draw", "id"],
                        name="task_to_claim",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("topic", "document"), name="task_once"),
                    models.CheckConstraint(
                        condition=models.Q(("taken__lte", models.F("wanted"))), name="task_never_over_wanted"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AdjudicatedTask",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "adjudication",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tasks", to="assess.adjudication"
                    ),
                ),
                (
                    "task",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="adjudicated", to="assess.task"
                    ),
                ),
                (
                    "adjudicator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="assess.member"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Assignment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="assignments", to="assess.task"
                    ),
                ),
                (
                    "topic",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="assess.topic"
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="assess.member",
                    ),
                ),
                ("repeat", models.PositiveSmallIntegerField(default=0)),
                ("position", models.PositiveIntegerField()),
                ("state", models.CharField(blank=True, default="", max_length=12)),
                ("holds_place", models.BooleanField(default=False)),
                ("claimed_until", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["member", "topic", "state", "position", "repeat", "task"], name="assignment_queue"
                    ),
                    models.Index(
                        condition=models.Q(("claimed_until__isnull", False)),
                        fields=["claimed_until"],
                        name="assignment_lapse",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("task", "member", "repeat"), name="assignment_once"),
                    models.CheckConstraint(
                        condition=models.Q(("repeat__in", [0, 1, 2, 3, 4, 5, 6])), name="assignment_kind_known"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("claimed_until__isnull", True), ("holds_place", True), _connector="OR"),
                        name="claim_holds_a_place",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GradesOpening",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="grades_openings", to="assess.member"
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="assess.task"),
                ),
                ("opened_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("member", "task"), name="grades_opening_once")],
            },
        ),
        migrations.CreateModel(
            name="Judgement",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("judged", "Judged"),
                            ("cannot_judge", "Cannot Judge"),
                            ("later", "Later"),
                            ("undone", "Undone"),
                        ],
                        max_length=12,
                    ),
                ),
                ("relevance", models.PositiveSmallIntegerField(null=True)),
                ("reason", models.CharField(blank=True, max_length=12)),
                ("comment", models.TextField(blank=True)),
                ("guidelines_version", models.PositiveIntegerField(null=True)),
                ("confidence", models.PositiveSmallIntegerField(null=True)),
                ("passages", models.JSONField(default=list)),
                ("active_ms", models.PositiveIntegerField(default=0)),
                ("away_ms", models.PositiveIntegerField(default=0)),
                ("highlights", models.BooleanField(null=True)),
                ("input", models.CharField(blank=True, max_length=7)),
                ("label_confidence", models.FloatField(null=True)),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="judgements", to="assess.task"
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="judgements", to="assess.member"
                    ),
                ),
                ("repeat", models.PositiveSmallIntegerField(default=0)),
                ("version", models.PositiveIntegerField(default=1)),
                ("judged_at", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["member", "judged_at"], name="judgement_last")],
                "constraints": [
                    models.UniqueConstraint(fields=("task", "member", "repeat"), name="judgement_once"),
                    models.CheckConstraint(
                        condition=models.Q(("repeat__in", [0, 1, 2, 3, 4, 5, 6])), name="judgement_kind_known"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("repeat", 2), ("state", "judged")), fields=("task",), name="decided_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("reason", ""), ("relevance__isnull", False), ("state", "judged")),
                            models.Q(
                                ("reason__in", ["broken", "language", "expertise", "topic", "other"]),
                                ("relevance__isnull", True),
                                ("state", "cannot_judge"),
                            ),
                            models.Q(("reason", ""), ("relevance__isnull", True), ("state__in", ["later", "undone"])),
                            _connector="OR",
                        ),
                        name="judgement_is_complete",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("confidence__isnull", True),
                            models.Q(("confidence__gte", 1), ("confidence__lte", 3)),
                            _connector="OR",
                        ),
                        name="judgement_confidence_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="KnownGrade",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "task",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="known_grade", to="assess.task"
                    ),
                ),
                ("use", models.CharField(choices=[("practice", "practice"), ("check", "hidden check")], max_length=8)),
                ("relevance", models.PositiveSmallIntegerField()),
                ("explanation", models.TextField(blank=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "ordering": ("pk",),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("use__in", ["practice", "check"])), name="known_grade_use_known"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="NormingRound",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="norming_rounds",
                        to="assess.collection",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "phase",
                    models.CharField(
                        choices=[
                            ("before", "judging before the discussion"),
                            ("discussion", "discussing the votes"),
                            ("after", "judging after the discussion"),
                            ("ended", "ended"),
                        ],
                        default="before",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("tasks", models.ManyToManyField(related_name="norming_rounds", to="assess.task")),
                ("members", models.ManyToManyField(related_name="norming_rounds", to="assess.member")),
            ],
            options={
                "ordering": ("number",),
                "constraints": [
                    models.UniqueConstraint(fields=("collection", "number"), name="norming_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(("phase__in", ["before", "discussion", "after", "ended"])),
                        name="norming_phase_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Pilot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pilots", to="assess.collection"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("tasks", models.ManyToManyField(related_name="pilots", to="assess.task")),
            ],
            options={
                "ordering": ("number",),
                "constraints": [models.UniqueConstraint(fields=("collection", "number"), name="pilot_number_once")],
            },
        ),
        migrations.CreateModel(
            name="PoolChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "building",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="changes",
                        to="assess.poolbuilding",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="assess.task"),
                ),
                ("is_new", models.BooleanField()),
                ("systems_before", models.JSONField(null=True)),
                ("best_rank_before", models.PositiveIntegerField(null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("building", "task"), name="pool_change_once"),
                    models.CheckConstraint(
                        condition=models.Q(("is_new", False), ("best_rank_before__isnull", True), _connector="OR"),
                        name="pool_change_new_has_no_before",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("best_rank_before__isnull", True), ("systems_before__isnull", True)),
                            models.Q(("best_rank_before__isnull", False), ("systems_before__isnull", False)),
                            _connector="OR",
                        ),
                        name="pool_change_before_is_whole",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Provenance",
            fields=[
                (
                    "task",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, primary_key=True, serialize=False, to="assess.task"
                    ),
                ),
                ("systems", models.JSONField()),
                ("best_rank", models.PositiveIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="SampledTask",
            fields=[
                (
                    "task",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="sampled",
                        serialize=False,
                        to="assess.task",
                    ),
                ),
                (
                    "sample",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tasks",
                        to="assess.topicsample",
                    ),
                ),
                ("position", models.PositiveIntegerField()),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("sample", "position"), name="sample_position_once")],
            },
        ),
        migrations.CreateModel(
            name="SearchedTask",
            fields=[
                (
                    "task",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="searched",
                        serialize=False,
                        to="assess.task",
                    ),
                ),
                (
                    "search",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="tasks",
                        to="assess.search",
                    ),
                ),
                ("entered_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="JudgementEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("judged", "Judged"),
                            ("cannot_judge", "Cannot Judge"),
                            ("later", "Later"),
                            ("undone", "Undone"),
                        ],
                        max_length=12,
                    ),
                ),
                ("relevance", models.PositiveSmallIntegerField(null=True)),
                ("reason", models.CharField(blank=True, max_length=12)),
                ("comment", models.TextField(blank=True)),
                ("guidelines_version", models.PositiveIntegerField(null=True)),
                ("confidence", models.PositiveSmallIntegerField(null=True)),
                ("passages", models.JSONField(default=list)),
                ("active_ms", models.PositiveIntegerField(default=0)),
                ("away_ms", models.PositiveIntegerField(default=0)),
                ("highlights", models.BooleanField(null=True)),
                ("input", models.CharField(blank=True, max_length=7)),
                ("label_confidence", models.FloatField(null=True)),
                (
                    "judgement",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="events", to="assess.judgement"
                    ),
                ),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="events", to="assess.member"
                    ),
                ),
                (
                    "actor",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("source", models.CharField(choices=[("page", "Page"), ("import", "Import")], max_length=8)),
                ("client_id", models.UUIDField(null=True)),
                ("version", models.PositiveIntegerField(default=1)),
                ("seen_version", models.PositiveIntegerField(null=True)),
                ("before_state", models.CharField(blank=True, max_length=12)),
                ("before_relevance", models.PositiveSmallIntegerField(null=True)),
                ("at", models.DateTimeField()),
                ("recorded_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("position", models.PositiveIntegerField(null=True)),
                ("hash", models.BinaryField(max_length=32, null=True)),
                ("comment_salt", models.BinaryField(max_length=16, null=True)),
                ("comment_hash", models.BinaryField(max_length=32, null=True)),
                ("document_hash", models.BinaryField(max_length=32, null=True)),
                ("topic_hash", models.BinaryField(max_length=32, null=True)),
                ("scale_hash", models.BinaryField(max_length=32, null=True)),
                ("guidelines_hash", models.BinaryField(max_length=32, null=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("member", "client_id"), name="client_id_once"),
                    models.UniqueConstraint(fields=("judgement", "version"), name="event_version_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("position__isnull", False)),
                        fields=("member", "position"),
                        name="chain_position_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("reason", ""), ("relevance__isnull", False), ("state", "judged")),
                            models.Q(
                                ("reason__in", ["broken", "language", "expertise", "topic", "other"]),
                                ("relevance__isnull", True),
                                ("state", "cannot_judge"),
                            ),
                            models.Q(("reason", ""), ("relevance__isnull", True), ("state__in", ["later", "undone"])),
                            _connector="OR",
                        ),
                        name="event_is_complete",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("confidence__isnull", True),
                            models.Q(("confidence__gte", 1), ("confidence__lte", 3)),
                            _connector="OR",
                        ),
                        name="event_confidence_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MarginalAnswer",
            fields=[
                (
                    "event",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="marginal",
                        serialize=False,
                        to="assess.judgementevent",
                    ),
                ),
                (
                    "answer",
                    models.CharField(
                        choices=[("new", "Something new"), ("partly", "Partly new"), ("nothing", "Nothing new")],
                        max_length=7,
                    ),
                ),
                ("repeats", models.JSONField(default=list)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("answer__in", ["new", "partly", "nothing"])), name="marginal_answer_known"
                    )
                ],
            },
        ),
    ]
