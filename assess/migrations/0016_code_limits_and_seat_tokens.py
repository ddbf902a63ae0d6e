import django.db.models.deletion
from django.db import migrations, models

import assess.models.exercise


class Migration(migrations.Migration):
    dependencies = [("assess", "0015_document_content")]

    operations = [
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
