"""One table of counts for passwords and codes instead of two. Counts end within a day, and are not moved."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assess", "0002_triggers")]

    operations = [
        migrations.CreateModel(
            name="AttemptCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key_hash", models.CharField(max_length=64, unique=True)),
                ("count", models.PositiveIntegerField(default=0)),
                ("ends_at", models.DateTimeField(db_index=True)),
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
            ],
        ),
        migrations.DeleteModel(name="SignInCount"),
        migrations.DeleteModel(name="WrongCodeCount"),
    ]
