"""Counts of failed sign-ins, in place of django-axes, whose tables are dropped."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


# The last one first, because it refers to another.
AXES_TABLES = ("axes_accessattemptexpiration", "axes_accessattempt", "axes_accessfailurelog", "axes_accesslog")


def drop_axes(apps, schema_editor):
    """Drop the tables of django-axes, and what Django recorded about them."""
    for table in AXES_TABLES:
        schema_editor.execute(f"DROP TABLE IF EXISTS {table}")
    schema_editor.execute("DELETE FROM django_migrations WHERE app = 'axes'")
    apps.get_model("contenttypes", "ContentType").objects.filter(app_label="axes").delete()


class Migration(migrations.Migration):

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
        ('contenttypes', '0002_remove_content_type_name'),
        ('assess', '0024_work'),
    ]

    operations = [
        migrations.CreateModel(
            name='SignInCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key_hash', models.CharField(max_length=64, unique=True)),
                ('count', models.PositiveIntegerField(default=0)),
                ('ends_at', models.DateTimeField(db_index=True)),
                ('user', models.ForeignKey(db_constraint=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.RunPython(drop_axes, migrations.RunPython.noop),
    ]
