"""Whether a relevant document adds to those that the assessor had seen before, and the rule that asks for it."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assess", "0036_search")]

    operations = [
        migrations.AddField("collection", "ask_marginal", models.BooleanField(default=False)),
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
