"""`assay verify` on backups and on exported judgements, without the database that they are from."""

import sqlite3
import zipfile

import pytest
from django.db import connection

from assay.verify import main
from assay.verify.files import verify_file
from assess.collections.guidelines import publish_guidelines
from assess.errors import Refused
from assess.judging.checkpoints import create_checkpoint
from assess.models import Collection, JudgementEvent
from assess.transfer.exports import export_judgements
from tests.assess.backups.archives import rewritten
from tests.assess.claiming import judge, upcoming

pytestmark = [pytest.mark.slow, pytest.mark.site]
ON_SQLITE = pytest.mark.skipif(connection.vendor != "sqlite", reason="the ledger of a PostgreSQL dump is not read")


@ON_SQLITE
def test_ledger_of_a_backup_is_computed_again(site):
    checkpoint = create_checkpoint(site.collection, "export").hash
    site.judge(site.bob, 1)
    report = verify_file(site.back_up(), (), checkpoint[:16])
    assert report.differences == []
    assert any("The hashes of 4 events of the ledger were computed again" in line for line in report.checked)
    assert any(
        "that was kept outside is that of the ledger of small at a checkpoint" in each for each in report.checked
    )


@ON_SQLITE
def test_every_field_of_an_event_is_read_as_it_was_recorded(site):
    Collection.objects.update(ask_marginal=True)
    task = upcoming(site.bob)[0]
    fields = {"comment": "Für später.", "confidence": 2, "highlights": True, "input": "key", "active_ms": 1234}
    judge(site.bob, task, passages=[[0, 4]], marginal="new", **fields)
    judge(site.bob, task, "cannot_judge", comment="Broken.")
    publish_guidelines(site.collection, "Read it all.")
    judge(site.bob, upcoming(site.bob)[0], guidelines_version=1, highlights=False)
    report = verify_file(site.back_up())
    assert report.sentences() == []
    assert any(f"The hashes of {JudgementEvent.objects.count()} events" in line for line in report.checked)


@ON_SQLITE
@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE assess_judgementevent SET relevance = 1 - relevance WHERE position = 1", "was changed after it was"),
        ("UPDATE assess_judgement SET relevance = 1 - relevance", "and its last event"),
        ("DELETE FROM assess_judgementevent WHERE position = 1", "has no event at position 1"),
        ("UPDATE assess_judgementevent SET comment = 'Added.'", "a comment was added"),
        (
            "UPDATE assess_judgementevent SET comment_salt = NULL, comment_hash = x'00' WHERE position = 1",
            "2 comments deleted, and the tombstones record 0",
        ),
        ("DROP TABLE assess_tombstone", "has no table assess_tombstone"),
        (
            "ALTER TABLE assess_tombstone RENAME TO other; CREATE VIEW assess_tombstone AS SELECT * FROM other",
            "has no table assess_tombstone",
        ),
        ("UPDATE assess_judgementevent SET at = 'yesterday'", "cannot be read"),
    ],
)
def test_changed_ledger_is_named_although_the_checksums_are_right(site, tmp_path, statement, named):
    path = site.back_up()

    def change(files, manifest):
        database = tmp_path / "changed.sqlite3"
        database.write_bytes(files["database.sqlite3"])
        with sqlite3.connect(database) as changed:
            triggers = changed.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall()
            for (name,) in triggers:
                changed.execute(f'DROP TRIGGER "{name}"')
            changed.executescript(statement)
        changed.close()
        files["database.sqlite3"] = database.read_bytes()

    found = verify_file(rewritten(path, change, fix=True)).sentences()
    assert any(named in sentence for sentence in found), found


def test_damaged_backup_is_a_difference(site, capsys):
    path = rewritten(site.back_up(), lambda _, manifest: manifest["files"]["secret_key"].update(sha256="0" * 64))
    assert main([str(path)], "assay") == 1
    assert "the file secret_key is damaged: its size or checksum is not that of the manifest" in capsys.readouterr().out
    with pytest.raises(Refused, match="leave out --run"):
        verify_file(path, ["a.run"])


def test_backup_that_would_fill_the_disk_is_refused(site, monkeypatch):
    path = site.back_up()
    monkeypatch.setattr("assay.verify.backup.SMALL", 1000)
    monkeypatch.setattr("assay.verify.backup.EXPANSION", 1)
    with pytest.raises(Refused, match="its files expand to"):
        verify_file(path)
    with zipfile.ZipFile(path.with_name("other.zip"), "w") as archive:
        archive.writestr("manifest.json", "{}")
    with pytest.raises(Refused, match="is not a manifest of Assay"):
        verify_file(path.with_name("other.zip"))


def test_exported_judgements(site, tmp_path):
    path = tmp_path / "judgements.csv"
    path.write_bytes(export_judgements(site.collection))
    report = verify_file(path)
    assert (report.differences, report.checked) == ([], ["judgements.csv has 3 rows of 2 judges, all readable."])
    assert "no checksums" in report.unchecked[0]
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines, lines[1]]))
    (repeated,) = verify_file(path).sentences()
    assert repeated.startswith("judgements.csv, line 5: judge ")
    assert repeated.endswith("is also in line 2.")
