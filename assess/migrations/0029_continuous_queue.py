"""One queue for all topics, which class exercises always have, and the assessor's own pace."""

from django.db import migrations, models


def join_topics_of_exercises(apps, _schema_editor):
    apps.get_model("assess", "Collection").objects.filter(exercise__isnull=False).update(continuous=True)


class Migration(migrations.Migration):
    dependencies = [("assess", "0028_release")]

    operations = [
        migrations.AddField("user", "pace_on", models.BooleanField(default=True)),
        migrations.AddField("collection", "continuous", models.BooleanField(default=False)),
        migrations.RunPython(join_topics_of_exercises, migrations.RunPython.noop),
    ]
