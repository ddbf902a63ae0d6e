"""Checkpoints of version 2 cover more than the chains, and state their own time. Those of version 1 stay as they are."""

import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assess", "0004_withdrawn_judges")]

    operations = [
        migrations.AddField("checkpoint", "covered", models.JSONField(null=True)),
        migrations.AddField("checkpoint", "salts", models.JSONField(null=True)),
        migrations.AlterField("checkpoint", "created_at", models.DateTimeField(default=django.utils.timezone.now)),
    ]
