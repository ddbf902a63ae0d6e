"""Creates the tables of an empty SQLite database from the models, which takes a tenth of the time of the migrations.

Each migration computes the models of its time again. A test compares the tables with those that the migrations create.
"""

from importlib import import_module
from typing import cast

from django.apps import apps
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model

TRIGGERS = "assess.migrations.0002_triggers"


def is_empty(connection: BaseDatabaseWrapper) -> bool:
    return connection.vendor == "sqlite" and not connection.introspection.table_names()


def create_tables(connection: BaseDatabaseWrapper) -> None:
    """Create all tables and triggers, and record all migrations as applied."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    models = [model for model in apps.get_models() if model._meta.app_label in loader.migrated_apps]
    recorder = MigrationRecorder(connection)
    applied = [recorder.Migration(app=app, name=name) for app, name in loader.disk_migrations]
    with connection.schema_editor(atomic=True) as editor:
        for model in (recorder.Migration, *models):
            editor.create_model(cast("type[Model]", model))
        import_module(TRIGGERS).create_triggers(apps, editor)
        recorder.migration_qs.bulk_create(applied)
