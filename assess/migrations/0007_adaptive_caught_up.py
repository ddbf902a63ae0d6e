"""An adaptive order knows how many events its state has learnt from."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assess", "0006_append_only_ledger")]
    operations = [migrations.AddField("adaptiveorder", "caught_up", models.PositiveIntegerField(default=0))]
