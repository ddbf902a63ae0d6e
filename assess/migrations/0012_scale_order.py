"""Whether a prompt shows the scale from its lowest or from its highest grade."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assess", "0011_assisted")]

    operations = [
        migrations.AddField(
            "modelprompt", "scale_order", models.CharField(max_length=10, default="ascending", db_default="ascending")
        ),
    ]
