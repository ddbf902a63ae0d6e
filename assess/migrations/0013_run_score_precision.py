from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assess", "0012_owner_link")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="score_precision",
            field=models.CharField(
                choices=[("float64", "float64"), ("float32", "float32")], default="float64", max_length=7
            ),
        ),
        migrations.AddConstraint(
            model_name="run",
            constraint=models.CheckConstraint(
                condition=models.Q(("score_precision__in", ["float64", "float32"])), name="score_precision_is_known"
            ),
        ),
    ]
