"""Renames two models and a field, and labels of choices. Tables and columns keep their names: the database does not
change."""

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
                migrations.AlterField(
                    model_name="collection",
                    name="order",
                    field=models.CharField(
                        choices=[
                            ("shuffled", "shuffled for each assessor"),
                            ("fixed", "by document id, the same for everyone"),
                            ("adaptive", "adaptive, depends on the judgements so far"),
                        ],
                        default="shuffled",
                        max_length=10,
                    ),
                ),
                migrations.AlterField(
                    model_name="collection",
                    name="passages",
                    field=models.CharField(
                        choices=[
                            ("off", "not requested"),
                            ("optional", "may be marked"),
                            ("required", "required for relevant documents"),
                        ],
                        default="off",
                        max_length=8,
                    ),
                ),
                migrations.AlterField(
                    model_name="user",
                    name="theme",
                    field=models.CharField(
                        choices=[("system", "same as the system"), ("light", "light"), ("dark", "dark")],
                        default="system",
                        max_length=6,
                    ),
                ),
            ]
        )
    ]
