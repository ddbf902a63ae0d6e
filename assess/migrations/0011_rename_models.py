"""Renames two models and a field. Tables and columns keep their names: the database does not change."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assess", "0010_revealed_at")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Erasing", "ErasurePermit"),
                migrations.AlterModelTable("ErasurePermit", "assess_erasing"),
                migrations.RenameModel("ExitAnswer", "TopicFeedback"),
                migrations.AlterModelTable("TopicFeedback", "assess_exitanswer"),
                migrations.RenameField("Collection", "painted_ms", "min_visible_ms"),
                migrations.AlterField(
                    "Collection",
                    "min_visible_ms",
                    models.PositiveSmallIntegerField(
                        db_column="painted_ms",
                        default=150,
                        validators=[django.core.validators.MaxValueValidator(5000)],
                    ),
                ),
            ]
        )
    ]
