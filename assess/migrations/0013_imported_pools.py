"""Two more kinds of imports, pools and scales, and the import from which a pool came."""

import django.db.models.deletion
from django.db import migrations, models

KINDS = ["topics", "scale", "runs", "pool", "documents", "judgements"]
CHOICES = [(kind, kind) for kind in KINDS]


class Migration(migrations.Migration):
    dependencies = [("assess", "0012_scale_order")]

    operations = [
        migrations.RemoveConstraint("importrecord", "import_kind_is_known"),
        migrations.AlterField("importrecord", "kind", models.CharField(choices=CHOICES, max_length=10)),
        migrations.AlterField("upload", "kind", models.CharField(blank=True, choices=CHOICES, max_length=10)),
        migrations.AddConstraint(
            "importrecord",
            models.CheckConstraint(condition=models.Q(kind__in=KINDS), name="import_kind_is_known"),
        ),
        migrations.AddField(
            "poolbuilding",
            "import_record",
            models.ForeignKey(
                "assess.importrecord",
                django.db.models.deletion.SET_NULL,
                null=True,
                db_index=False,
                related_name="pool_buildings",
            ),
        ),
    ]
