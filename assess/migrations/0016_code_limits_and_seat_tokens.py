import django.contrib.sessions.backends.db
import django.db.models.deletion
from django.db import migrations, models

import assess.models.exercise


def end_sessions_of_seats(apps, schema_editor):
    """End the sessions of students, which do not end after twelve hours. Students return with their re-entry codes."""
    users = apps.get_model("assess", "Seat").objects.values_list("member__user_id", flat=True)
    keys = {str(user) for user in users}
    sessions, store = apps.get_model("sessions", "Session"), django.contrib.sessions.backends.db.SessionStore()
    ended = [row.pk for row in sessions.objects.iterator() if store.decode(row.session_data).get("_auth_user_id") in keys]
    for start in range(0, len(ended), 500):
        sessions.objects.filter(pk__in=ended[start : start + 500]).delete()


class Migration(migrations.Migration):
    dependencies = [("assess", "0015_document_content"), ("sessions", "0001_initial")]

    operations = [
        migrations.RunPython(end_sessions_of_seats, migrations.RunPython.noop),
        migrations.CreateModel(
            name="SeatToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField(db_index=True)),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tokens", to="assess.seat"
                    ),
                ),
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
        migrations.DeleteModel(name="Guess"),
        migrations.AlterField(
            model_name="exercise",
            name="code",
            field=models.CharField(default=assess.models.exercise.new_code, max_length=10, unique=True),
        ),
    ]
