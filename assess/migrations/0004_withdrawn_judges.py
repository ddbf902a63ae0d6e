"""Imported judges can be withdrawn: a role for them, and learners that must train again afterwards.

SQLite remakes the table of members to change its constraints, while triggers name it. They are dropped meanwhile.
"""

from importlib import import_module

from django.db import migrations, models

TRIGGERS = import_module("assess.migrations.0002_triggers")


def drop_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        TRIGGERS.drop_triggers(apps, schema_editor)


def create_triggers(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        TRIGGERS.create_triggers(apps, schema_editor)


ROLES = ["owner", "researcher", "instructor", "assessor", "withdrawn"]


class Migration(migrations.Migration):
    dependencies = [("assess", "0003_attempt_count")]

    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.RemoveConstraint("member", "member_role_known"),
        migrations.RemoveConstraint("member", "only_assessors_without_user"),
        migrations.AlterField(
            "member",
            "role",
            models.CharField(choices=[(role, role.capitalize()) for role in ROLES], max_length=12),
        ),
        migrations.AddConstraint(
            "member", models.CheckConstraint(condition=models.Q(role__in=ROLES), name="member_role_known")
        ),
        migrations.AddConstraint(
            "member",
            models.CheckConstraint(
                condition=models.Q(user__isnull=False) | models.Q(role__in=["assessor", "withdrawn"]),
                name="only_judges_without_user",
            ),
        ),
        migrations.AddConstraint(
            "member",
            models.CheckConstraint(
                condition=~models.Q(role="withdrawn") | models.Q(user__isnull=True, removed_at__isnull=True),
                name="only_imported_withdrawn",
            ),
        ),
        migrations.AddField("importedjudge", "role_changes", models.PositiveIntegerField(default=0)),
        migrations.AddField("learnermodel", "is_outdated", models.BooleanField(default=False)),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
