"""The assessors' description, the archive, and the mark of baseline runs."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assess", "0020_invitations")]

    operations = [
        migrations.AddField("collection", "assessor_description", models.TextField(blank=True, default=""), preserve_default=False),
        migrations.AddField("collection", "archived_at", models.DateTimeField(null=True)),
        migrations.AddField("run", "is_baseline", models.BooleanField(default=False)),
    ]
