"""What the judging page needs: rules, claims, hidden repeats, versions, preferences.

The triggers of 0002 are taken away while tables are remade; 0005 makes them again.
"""

from importlib import import_module

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models


triggers = import_module("assess.migrations.0002_judgement_on_scale")


class Migration(migrations.Migration):

    dependencies = [
        ('assess', '0002_judgement_on_scale'),
    ]

    operations = [
        migrations.RunPython(triggers.drop_triggers, triggers.add_triggers),
        migrations.CreateModel(
            name='AdaptiveOrder',
            fields=[
                ('topic', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='adaptive_order', serialize=False, to='assess.topic')),
                ('strategy', models.CharField(max_length=40)),
                ('parameters', models.JSONField(default=dict)),
                ('rule', models.CharField(max_length=80)),
                ('rankings', models.BinaryField()),
                ('state', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='Erasing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ],
        ),
        migrations.CreateModel(
            name='ExitAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('difficulty', models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(5)])),
                ('comment', models.TextField(blank=True)),
                ('answered_at', models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='assignment',
            name='assignment_once',
        ),
        migrations.RemoveIndex(
            model_name='assignment',
            name='assignment_queue',
        ),
        migrations.RemoveField(
            model_name='task',
            name='public_id',
        ),
        migrations.AddField(
            model_name='assignment',
            name='claimed_until',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='assignment',
            name='holds_place',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='assignment',
            name='public_id',
            field=models.UUIDField(null=True),
        ),
        migrations.AddField(
            model_name='assignment',
            name='repeat',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='assignment',
            name='state',
            field=models.CharField(blank=True, default='', max_length=12),
        ),
        migrations.AddField(
            model_name='assignment',
            name='topic',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='assess.topic'),
        ),
        migrations.AddField(
            model_name='collection',
            name='ask_at_topic_end',
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name='collection',
            name='ask_confidence',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='collection',
            name='claim_minutes',
            field=models.PositiveSmallIntegerField(default=30, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1440)]),
        ),
        migrations.AddField(
            model_name='collection',
            name='hide_doc_ids',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='collection',
            name='judges_per_task',
            field=models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100)]),
        ),
        migrations.AddField(
            model_name='collection',
            name='order',
            field=models.CharField(choices=[('shuffled', 'shuffled for each assessor'), ('fixed', 'by document id, the same for everybody'), ('adaptive', 'live, by what was found relevant so far')], default='shuffled', max_length=10),
        ),
        migrations.AddField(
            model_name='collection',
            name='painted_ms',
            field=models.PositiveSmallIntegerField(default=150, validators=[django.core.validators.MaxValueValidator(5000)]),
        ),
        migrations.AddField(
            model_name='collection',
            name='passages',
            field=models.CharField(choices=[('off', 'not asked for'), ('optional', 'may be marked'), ('required', 'must be marked where the grade says relevant')], default='off', max_length=8),
        ),
        migrations.AddField(
            model_name='collection',
            name='repeat_share',
            field=models.FloatField(default=0, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)]),
        ),
        migrations.AddField(
            model_name='collection',
            name='snippet_first',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='document',
            name='format',
            field=models.CharField(choices=[('text', 'plain text'), ('html', 'HTML')], default='text', max_length=4),
        ),
        migrations.AddField(
            model_name='grade',
            name='colour',
            field=models.CharField(blank=True, max_length=7, validators=[django.core.validators.RegexValidator('^#[0-9a-f]{6}$')]),
        ),
        migrations.AddField(
            model_name='judgement',
            name='away_ms',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='judgement',
            name='confidence',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='judgement',
            name='highlights',
            field=models.BooleanField(null=True),
        ),
        migrations.AddField(
            model_name='judgement',
            name='input',
            field=models.CharField(blank=True, max_length=7),
        ),
        migrations.AddField(
            model_name='judgement',
            name='passages',
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name='judgement',
            name='version',
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='judgementevent',
            name='away_ms',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='judgementevent',
            name='confidence',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='judgementevent',
            name='highlights',
            field=models.BooleanField(null=True),
        ),
        migrations.AddField(
            model_name='judgementevent',
            name='input',
            field=models.CharField(blank=True, max_length=7),
        ),
        migrations.AddField(
            model_name='judgementevent',
            name='passages',
            field=models.JSONField(default=list),
        ),
        migrations.AddField(
            model_name='judgementevent',
            name='seen_version',
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='judgementevent',
            name='version',
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddField(
            model_name='task',
            name='draw',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='task',
            name='taken',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='task',
            name='wanted',
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='user',
            name='highlights_on',
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name='user',
            name='keymap',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name='user',
            name='keys_on',
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name='user',
            name='text_size',
            field=models.PositiveSmallIntegerField(default=100, validators=[django.core.validators.MinValueValidator(80), django.core.validators.MaxValueValidator(250)]),
        ),
        migrations.AddField(
            model_name='user',
            name='theme',
            field=models.CharField(choices=[('system', 'as the system says'), ('light', 'light'), ('dark', 'dark')], default='system', max_length=6),
        ),
        migrations.AlterField(
            model_name='assignment',
            name='member',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to='assess.member'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(fields=['member', 'topic', 'state', 'position', 'repeat', 'task'], name='assignment_queue'),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('claimed_until__isnull', False)), fields=['claimed_until'], name='assignment_lapse'),
        ),
        migrations.AddIndex(
            model_name='task',
            index=models.Index(condition=models.Q(('taken__lt', models.F('wanted'))), fields=['topic', 'taken', 'draw', 'id'], name='task_to_claim'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(fields=('task', 'member', 'repeat'), name='assignment_once'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(('repeat__lte', 1)), name='assignment_repeat_0_or_1'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.CheckConstraint(condition=models.Q(('claimed_until__isnull', True), ('holds_place', True), _connector='OR'), name='claim_holds_a_place'),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('order__in', ['shuffled', 'fixed', 'adaptive'])), name='order_known'),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('passages__in', ['off', 'optional', 'required'])), name='passages_known'),
        ),
        migrations.AddConstraint(
            model_name='collection',
            constraint=models.CheckConstraint(condition=models.Q(('repeat_share__gte', 0), ('repeat_share__lte', 1)), name='share_is_a_share'),
        ),
        migrations.AddConstraint(
            model_name='judgement',
            constraint=models.CheckConstraint(condition=models.Q(('confidence__isnull', True), models.Q(('confidence__gte', 1), ('confidence__lte', 3)), _connector='OR'), name='judgement_confidence_known'),
        ),
        migrations.AddConstraint(
            model_name='judgementevent',
            constraint=models.CheckConstraint(condition=models.Q(('confidence__isnull', True), models.Q(('confidence__gte', 1), ('confidence__lte', 3)), _connector='OR'), name='event_confidence_known'),
        ),
        migrations.AddConstraint(
            model_name='task',
            constraint=models.CheckConstraint(condition=models.Q(('taken__lte', models.F('wanted'))), name='task_never_over_wanted'),
        ),
        migrations.AddField(
            model_name='erasing',
            name='member',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='assess.member'),
        ),
        migrations.AddField(
            model_name='exitanswer',
            name='member',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='exit_answers', to='assess.member'),
        ),
        migrations.AddField(
            model_name='exitanswer',
            name='topic',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='exit_answers', to='assess.topic'),
        ),
        migrations.AddConstraint(
            model_name='exitanswer',
            constraint=models.UniqueConstraint(fields=('member', 'topic'), name='exit_answer_once'),
        ),
        migrations.AddConstraint(
            model_name='exitanswer',
            constraint=models.CheckConstraint(condition=models.Q(('difficulty__isnull', True), models.Q(('difficulty__gte', 1), ('difficulty__lte', 5)), _connector='OR'), name='difficulty_1_to_5'),
        ),
    ]
