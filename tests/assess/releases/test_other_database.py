"""The same ledger, loaded with its times and ids into another database, gives the same release.

The other database is always SQLite. On PostgreSQL, this compares the two.
"""

import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

from assess.adjudication.adjudicate import create_adjudication
from assess.adjudication.choose import by_distance
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment
from assess.releases.archive import read_release
from assess.transfer.judgements import import_judgements
from tests.assess.claiming import fresh
from tests.assess.releases.conftest import files_of, release

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
PROJECT = Path(__file__).resolve().parents[3]
AT = "2026-11-23T12:30:00Z"
SCRIPT = f"""
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("loaddata", "{{folder}}/rows.xml", verbosity=0)
call_command("verify_release", "{{folder}}/release.zip")
call_command("create_release", "--collection", "small", "--name", "main", "--gold", "adjudicated", "--at", "{AT}")
call_command("export_release", "--collection", "small", "--name", "main", "--out", "{{folder}}/other.zip")
"""


@pytest.fixture
def adjudicated(collection, judges, join):
    """An imported judge, and one of the two disputes decided by somebody who judged nothing."""
    import_judgements(collection, b"assessor,query_id,doc_id,relevance\nmodel,1,a,0\nmodel,2,x,1\n")
    dan = join(collection, "dan")
    create_adjudication(collection, by_distance(collection, 1), [dan.name], "all disputed documents")
    first = Assignment.objects.filter(member=dan).earliest("position")
    record_judgement(fresh(dan), first.public_id, JudgementInput("judged", 1), uuid.uuid4(), actor=dan.user)


def test_other_database_gives_the_same_bytes(collection, adjudicated, tmp_path):
    models = [f"assess.{name}" for name in ("release", "checkpoint", "erasurepermit")]
    # JSON would round the times to milliseconds.
    call_command("dumpdata", "assess", format="xml", exclude=models, output=str(tmp_path / "rows.xml"), verbosity=0)
    stored = release(collection, rule="adjudicated")
    (tmp_path / "release.zip").write_bytes(bytes(stored.archive))
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    (data / "runs").symlink_to(settings.RUNS_DIR)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(folder=tmp_path)],
        cwd=PROJECT,
        env={**os.environ, "DATABASE_URL": "", "ASSAY_DATA": str(data), "DJANGO_SETTINGS_MODULE": "assess.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "no differences" in done.stdout
    assert read_release(tmp_path / "other.zip") == files_of(stored)
    assert (tmp_path / "other.zip").read_bytes() == bytes(stored.archive)
