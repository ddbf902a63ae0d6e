
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('assess', '0033_learning'),
    ]

    operations = [
        migrations.CreateModel(
            name='DuplicateGroup',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('collection', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='duplicate_groups', to='assess.collection')),
                ('topic', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='assess.topic')),
            ],
        ),
        migrations.CreateModel(
            name='DuplicateSearch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('whole', models.BooleanField()),
                ('shingle_size', models.PositiveSmallIntegerField()),
                ('documents', models.PositiveIntegerField()),
                ('threshold', models.FloatField(null=True)),
                ('found_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('collection', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='duplicate_search', to='assess.collection')),
            ],
        ),
        migrations.CreateModel(
            name='DuplicatePair',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('similarity', models.FloatField()),
                ('a', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='assess.document')),
                ('b', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='assess.document')),
                ('topic', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='assess.topic')),
                ('search', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='pairs', to='assess.duplicatesearch')),
            ],
            options={
                'indexes': [models.Index(fields=['search', 'similarity'], name='pair_by_similarity')],
                'constraints': [models.CheckConstraint(condition=models.Q(('similarity__gt', 0), ('similarity__lte', 1)), name='similarity_is_a_share')],
            },
        ),
        migrations.CreateModel(
            name='GroupMember',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='duplicate_groups', to='assess.document')),
                ('group', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='members', to='assess.duplicategroup')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('group', 'document'), name='document_once_in_group')],
            },
        ),
    ]
