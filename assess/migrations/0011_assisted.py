"""Suggestions of a model next to the document: who suggests, what was shown, and which events were assisted."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assess", "0010_replaced_texts")]

    operations = [
        migrations.AddField(
            "collection",
            "suggesting_judge",
            models.ForeignKey(
                "assess.member",
                django.db.models.deletion.SET_NULL,
                null=True,
                db_constraint=False,
                db_index=False,
                related_name="+",
            ),
        ),
        migrations.CreateModel(
            name="Assistance",
            fields=[
                (
                    "event",
                    models.OneToOneField(
                        "assess.judgementevent",
                        django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="assistance",
                        serialize=False,
                    ),
                ),
                ("judge", models.CharField(max_length=80)),
                ("grade", models.PositiveSmallIntegerField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=~models.Q(judge=""), name="assistance_names_a_judge"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ShownSuggestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("judge", models.CharField(max_length=80)),
                ("grade", models.PositiveSmallIntegerField()),
                ("shown_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "member",
                    models.ForeignKey(
                        "assess.member", django.db.models.deletion.CASCADE, db_index=False, related_name="+"
                    ),
                ),
                (
                    "task",
                    models.ForeignKey("assess.task", django.db.models.deletion.CASCADE, related_name="+"),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("member", "task", "judge", "grade"), name="suggestion_shown_once"
                    ),
                ],
            },
        ),
    ]
