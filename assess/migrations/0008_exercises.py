"""Class exercises: a collection of its own, seats, answers on worksheets; and when judging is open."""

import assess.models.collection
import assess.models.exercise
import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('assess', '0007_adaptive_caught_up'),
    ]

    operations = [
        migrations.CreateModel(
            name='Tombstone',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('collection_slug', models.CharField(max_length=80)),
                ('members', models.PositiveIntegerField()),
                ('judgements', models.PositiveIntegerField()),
                ('events', models.PositiveIntegerField()),
                ('reason', models.CharField(max_length=40)),
                ('erased_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.AddField(
            model_name='collection',
            name='judging_ends_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='collection',
            name='judging_open',
            field=models.BooleanField(default=True),
        ),
        migrations.CreateModel(
            name='Exercise',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=120)),
                ('code', models.CharField(default=assess.models.exercise.new_code, max_length=6, unique=True)),
                ('seed', models.PositiveIntegerField(default=assess.models.collection.new_seed)),
                ('phase', models.CharField(choices=[('waiting', 'not started'), ('running', 'running'), ('paused', 'paused'), ('ended', 'ended')], default='waiting', max_length=8)),
                ('minutes', models.PositiveSmallIntegerField(default=15, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1440)])),
                ('started_at', models.DateTimeField(null=True)),
                ('ends_at', models.DateTimeField(null=True)),
                ('left_ms', models.PositiveIntegerField(null=True)),
                ('more_each', models.PositiveSmallIntegerField(default=0)),
                ('reveal_step', models.PositiveSmallIntegerField(default=0)),
                ('show_own', models.BooleanField(default=True)),
                ('show_comments', models.BooleanField(default=False)),
                ('worksheets_open', models.BooleanField(default=False)),
                ('worksheets', models.JSONField(default=list)),
                ('erase_on', models.DateField()),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('collection', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='exercise', to='assess.collection')),
                ('instructor', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='exercises', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at'],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('nickname', models.CharField(max_length=24)),
                ('nickname_key', models.CharField(max_length=96)),
                ('reentry_code', models.CharField(default=assess.models.exercise.new_reentry_code, max_length=10)),
                ('seed', models.PositiveIntegerField(default=assess.models.collection.new_seed)),
                ('joined_at', models.DateTimeField(auto_now_add=True)),
                ('exercise', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='assess.exercise')),
                ('member', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='seat', to='assess.member')),
            ],
            options={
                'ordering': ['joined_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='WorksheetAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('worksheet', models.CharField(max_length=60)),
                ('field', models.CharField(max_length=60)),
                ('text', models.CharField(blank=True, max_length=200)),
                ('right', models.BooleanField(default=False)),
                ('shown', models.BooleanField(default=False)),
                ('tries', models.PositiveIntegerField(default=0)),
                ('answered_at', models.DateTimeField(auto_now=True)),
                ('seat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='assess.seat')),
            ],
        ),
        migrations.AddConstraint(
            model_name='exercise',
            constraint=models.CheckConstraint(condition=models.Q(('phase__in', ['waiting', 'running', 'paused', 'ended'])), name='phase_known'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('exercise', 'nickname_key'), name='nickname_once'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('exercise', 'reentry_code'), name='reentry_code_once'),
        ),
        migrations.AddConstraint(
            model_name='worksheetanswer',
            constraint=models.UniqueConstraint(fields=('seat', 'worksheet', 'field'), name='answer_once'),
        ),
    ]
