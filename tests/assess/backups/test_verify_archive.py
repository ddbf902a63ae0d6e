"""verify_ledger --archive: the ledger has everything that it had when an archive was made."""

import shutil

import pytest
from django.db import connection

from assess.backups.verify import archive_differences
from assess.collections.create import create_collection
from assess.models import Collection, JudgementEvent
from tests.assess.backups.archives import rewritten
from tests.assess.command_output import failure, output_of, refusal
from tests.outages import changed_connection

pytestmark = [pytest.mark.slow, pytest.mark.site]


def test_nothing_is_missing_although_judging_went_on(site):
    path = site.back_up()
    site.judge(site.bob, 2)
    assert output_of("verify_ledger", "--archive", path)[-1].endswith("no differences.")


@pytest.mark.skipif("connection.vendor != 'sqlite'")
def test_copy_of_the_sqlite_file_alone_lacks_judgements(site, tmp_path):
    """The last judgements are still in the write-ahead log, which a copy of the file leaves out."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    site.judge(site.ann, 1)
    site.judge(site.bob, 2)
    path, events = site.back_up(), JudgementEvent.objects.count()
    copy = tmp_path / "copy.sqlite3"
    shutil.copy(connection.settings_dict["NAME"], copy)
    with changed_connection(NAME=str(copy)):
        assert JudgementEvent.objects.count() == events - 3
        assert output_of("verify_ledger")[-1].endswith("no differences.")  # it cannot know
        message = failure("verify_ledger", "--archive", path)
    assert message == "Checked 3 judgements and 3 ledger events: 2 differences."


def test_only_one_collection(site):
    path = site.back_up()
    create_collection("other", "Other")
    assert output_of("verify_ledger", "--collection", "other", "--archive", path)[-1].endswith("no differences.")
    Collection.objects.filter(slug="small").update(slug="renamed")
    (difference,) = archive_differences(path)
    assert difference.endswith(" of small: the collection is missing without a tombstone.")


def test_files_that_cannot_be_used(site, tmp_path):
    assert refusal("verify_ledger", "--archive", tmp_path / "none.zip") == f"There is no file {tmp_path / 'none.zip'}."
    path = rewritten(site.back_up(), lambda _, manifest: manifest.update(format=2))
    assert "reads only 1" in refusal("verify_ledger", "--archive", path)
