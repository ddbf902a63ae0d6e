"""Links that reset passwords, one account for each email address, and what the list of sessions shows."""

import django.db.models.deletion
import django.db.models.functions.text
from django.conf import settings
from django.core.management import CommandError
from django.db import migrations, models
from django.db.models import Count
from django.db.models.functions import Lower


def check_emails(apps, schema_editor):
    """Stop with a sentence if several accounts have the same email address, before anything is changed."""
    users = apps.get_model("assess", "User").objects.exclude(email="").annotate(lower=Lower("email"))
    repeated = users.values("lower").annotate(accounts=Count("pk")).filter(accounts__gt=1).order_by("lower")
    duplicates = []
    for address in repeated.values_list("lower", flat=True):
        names = users.filter(lower=address).order_by("username").values_list("username", flat=True)
        duplicates.append(f"{' and '.join(names)} have the same email address {address}")
    if duplicates:
        raise CommandError(
            f"{'; '.join(duplicates)}. People sign in by email address now, so that each belongs to one account. "
            "Nothing was changed. Run `assay set_email NAME ADDRESS`, and then `assay migrate` again."
        )


class Migration(migrations.Migration):

    dependencies = [
        ('assess', '0025_sign_in_counts'),
    ]

    operations = [
        migrations.RunPython(check_emails, migrations.RunPython.noop),
        migrations.CreateModel(
            name='ResetLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddField(
            model_name='session',
            name='browser',
            field=models.CharField(blank=True, default='', max_length=200),
        ),
        migrations.AddField(
            model_name='session',
            name='signed_in_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('email'), condition=models.Q(('email', ''), _negated=True), name='user_email_once'),
        ),
        migrations.AddField(
            model_name='resetlink',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
    ]
