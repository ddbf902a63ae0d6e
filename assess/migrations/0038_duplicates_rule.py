"""The rule that says how assessors judge near-duplicates."""

from django.db import migrations, models

from assess.migrations._kept_triggers import create_triggers, drop_triggers


class Migration(migrations.Migration):
    dependencies = [("assess", "0037_marginal_relevance")]

    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.AddField(
            "collection",
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
        migrations.AddConstraint(
            "collection",
            models.CheckConstraint(
                condition=models.Q(("near_duplicates__in", ["apart", "together", "once"])),
                name="duplicates_rule_known",
            ),
        ),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
