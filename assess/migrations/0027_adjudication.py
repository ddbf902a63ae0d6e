"""Decisions and norming rounds are kinds of judgements.

On SQLite, the table of judgements is made again for its new constraint, which drops its triggers. No trigger may refer
to the table while it is missing, so all are dropped before and created again after.
"""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from assess.migrations._kept_triggers import create_triggers, drop_triggers

KINDS = [0, 1, 2, 3, 4]
KEY = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))


class Migration(migrations.Migration):
    dependencies = [("assess", "0026_accounts")]
    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.RemoveConstraint("assignment", "assignment_repeat_0_or_1"),
        migrations.RemoveConstraint("judgement", "judgement_repeat_0_or_1"),
        migrations.AddConstraint(
            "assignment",
            models.CheckConstraint(condition=models.Q(("repeat__in", KINDS)), name="assignment_kind_known"),
        ),
        migrations.AddConstraint(
            "judgement", models.CheckConstraint(condition=models.Q(("repeat__in", KINDS)), name="judgement_kind_known")
        ),
        migrations.RunPython(create_triggers, drop_triggers),
        migrations.AddConstraint(
            "judgement",
            models.UniqueConstraint(
                fields=["task"], condition=models.Q(("repeat", 2), ("state", "judged")), name="decided_once"
            ),
        ),
        migrations.CreateModel(
            "Adjudication",
            fields=[
                KEY,
                ("number", models.PositiveSmallIntegerField()),
                ("selection", models.CharField(max_length=300)),
                ("shows_grades", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="adjudications",
                        to="assess.collection",
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("number",),
                "constraints": (
                    models.UniqueConstraint(fields=["collection", "number"], name="adjudication_number_once"),
                ),
            },
        ),
        migrations.CreateModel(
            "AdjudicatedTask",
            fields=[
                KEY,
                (
                    "adjudication",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tasks", to="assess.adjudication"
                    ),
                ),
                (
                    "adjudicator",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="assess.member"
                    ),
                ),
                (
                    "task",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="adjudicated", to="assess.task"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            "GradesOpening",
            fields=[
                KEY,
                ("opened_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "member",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="grades_openings",
                        to="assess.member",
                    ),
                ),
                (
                    "task",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="assess.task"
                    ),
                ),
            ],
            options={
                "constraints": (models.UniqueConstraint(fields=["member", "task"], name="grades_opening_once"),)
            },
        ),
        migrations.CreateModel(
            "NormingRound",
            fields=[
                KEY,
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
                (
                    "collection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="norming_rounds",
                        to="assess.collection",
                    ),
                ),
                ("members", models.ManyToManyField(related_name="norming_rounds", to="assess.member")),
                ("tasks", models.ManyToManyField(related_name="norming_rounds", to="assess.task")),
            ],
            options={
                "ordering": ("number",),
                "constraints": (
                    models.UniqueConstraint(fields=["collection", "number"], name="norming_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(("phase__in", ["before", "discussion", "after", "ended"])),
                        name="norming_phase_known",
                    ),
                ),
            },
        ),
    ]
