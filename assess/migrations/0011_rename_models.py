"""Renames two models. Their tables and columns keep their names: the database does not change."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("assess", "0010_revealed_at")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Erasing", "ErasurePermit"),
                migrations.AlterModelTable("ErasurePermit", "assess_erasing"),
                migrations.RenameModel("ExitAnswer", "TopicFeedback"),
                migrations.AlterModelTable("TopicFeedback", "assess_exitanswer"),
            ]
        )
    ]
