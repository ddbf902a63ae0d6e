"""Practice documents, hidden checks, and the kinds of their judgements."""

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from assess.migrations._kept_triggers import create_triggers, drop_triggers


class Migration(migrations.Migration):

    dependencies = [
        ('assess', '0029_continuous_queue'),
    ]

    operations = [
        migrations.RunPython(drop_triggers, create_triggers),
        migrations.CreateModel(
            name='Admission',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('below', models.BooleanField(default=False)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='KnownGrade',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('use', models.CharField(choices=[('practice', 'practice'), ('check', 'hidden check')], max_length=8)),
                ('relevance', models.PositiveSmallIntegerField()),
                ('explanation', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'ordering': ('pk',),
            },
        ),
        migrations.RemoveConstraint(
            model_name='assignment',
            name='assignment_kind_known',
        ),
        migrations.RemoveConstraint(
            model_name='judgement',
            name='judgement_kind_known',
        ),
        migrations.AddField(
            model_name='collection',
            name='hidden_checks',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='collection',
            name='practice',
            field=models.CharField(choices=[('off', 'no practice'), ('admit', 'must reach the threshold'), ('notify', 'threshold informs only')], default='off', max_length=6),
        ),
        migrations.AddField(
            model_name='collection',
            name='practice_measure',
            field=models.CharField(choices=[('hits', 'share of hits'), ('kappa', 'pooled kappa')], default='hits', max_length=5),
        ),
        migrations.AddField(
            model_name='collection',
            name='practice_threshold',
            field=models.FloatField(default=0.7, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)]),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(('repeat__in', [0, 1, 2, 3, 4, 5, 6])), name='assignment_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('practice__in', ['off', 'admit', 'notify'])), name='practice_known'),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('practice_measure__in', ['hits', 'kappa'])), name='practice_measure_known'),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('practice_threshold__gte', 0), ('practice_threshold__lte', 1)), name='practice_threshold_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='judgement',
            constraint=models.CheckConstraint(condition=models.Q(('repeat__in', [0, 1, 2, 3, 4, 5, 6])), name='judgement_kind_known'),
        ),
        migrations.AddField(
            model_name='admission',
            name='admitted_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='admission',
            name='member',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='admission', to='assess.member'),
        ),
        migrations.AddField(
            model_name='knowngrade',
            name='task',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='known_grade', to='assess.task'),
        ),
        migrations.AddConstraint(
            model_name='knowngrade',
            constraint=models.CheckConstraint(condition=models.Q(('use__in', ['practice', 'check'])), name='known_grade_use_known'),
        ),
        migrations.RunPython(create_triggers, drop_triggers),
    ]
