"""Makes the archives of a release with which its successors test their migrations: `python -m tests.release_archives`.

For each kind of database, a site with rows in every protected table is filled, judged and backed up to
`tests/data/releases/VERSION/`. Run it when a release is tagged, and never again for this version.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from agreement.version import VERSION
from tests.load.server import Server, prepared

RELEASES = Path(__file__).resolve().parent / "data" / "releases"
POSTGRESQL = "postgres://postgres@127.0.0.1:5432/postgres"
FILL = """
import django
django.setup()
from assess.collections.members import add_member
from tests.assess.judging.filled import fill
from tests.factories import SMALL_RUNS, small_collection
fill(small_collection(SMALL_RUNS), lambda collection, name: add_member(collection, name, "assessor")[0])
"""
FACTS = """
import django, json
django.setup()
from django.apps import apps
from assess.lib.tables import known_migrations
from assess.models import AuditEvent, Checkpoint, JudgementEvent
# The archive has no entry of its own backup in the audit log.
models = apps.get_app_config("assess").get_models()
print(json.dumps({
    "migrations": sorted(name for app, name in known_migrations() if app == "assess"),
    "rows": {model._meta.db_table: count for model in models if model != AuditEvent
             and (count := model._default_manager.count())},
    "events": sorted(bytes(each).hex() for each in JudgementEvent.objects.values_list("hash", flat=True)),
    "checkpoint": Checkpoint.objects.latest("pk").hash,
}))
"""


def main() -> None:
    folder = RELEASES / VERSION
    folder.mkdir(parents=True, exist_ok=True)
    for name, url in (("sqlite", None), ("postgresql", POSTGRESQL)):
        with TemporaryDirectory() as data, prepared(Path(data), url) as server:
            _make(server, folder / f"{name}.zip")


def _make(server: Server, archive: Path) -> None:
    # Without pg_dump, whose files older versions of PostgreSQL cannot read.
    server.environment["PATH"] = str(Path(sys.executable).parent)
    archive.unlink(missing_ok=True)
    server.run("-c", FILL)
    server.run("manage.py", "backup", str(archive))
    facts = server.run_json("-c", FACTS)
    archive.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
