"""Random samples of the documents of topics, which stopping rules and recall need."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assess", "0038_duplicates_rule")]

    operations = [
        migrations.CreateModel(
            "TopicSample",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
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
                    "building",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="samples", to="assess.poolbuilding"
                    ),
                ),
                (
                    "drawn_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "topic",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="samples", to="assess.topic"
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
                                models.expressions.CombinedExpression(models.F("start"), "+", models.F("size")),
                            ),
                            ("size__gte", 1),
                        ),
                        name="sample_within_population",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            "SampledTask",
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
                ("position", models.PositiveIntegerField()),
                (
                    "sample",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tasks",
                        to="assess.topicsample",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("sample", "position"), name="sample_position_once")],
            },
        ),
    ]
