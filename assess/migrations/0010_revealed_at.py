from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assess", "0009_shared_slice_and_guesses")]

    operations = [
        migrations.AddField(
            model_name="exercise",
            name="revealed_at",
            field=models.DateTimeField(null=True),
        ),
    ]
