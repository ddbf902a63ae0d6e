"""The record of a model judge: model, prompt and its version, parameters, and the day of the last grade."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assess", "0005_covered_by_checkpoints")]

    operations = [
        migrations.AddField("importedjudge", "model", models.CharField(blank=True, default="", max_length=200)),
        migrations.AddField("importedjudge", "prompt", models.TextField(blank=True, default="")),
        migrations.AddField("importedjudge", "prompt_version", models.CharField(blank=True, default="", max_length=100)),
        migrations.AddField("importedjudge", "parameters", models.CharField(blank=True, default="", max_length=500)),
        migrations.AddField("importedjudge", "graded_on", models.DateField(null=True)),
    ]
