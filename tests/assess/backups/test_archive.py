"""An archive is used only if every file is as its manifest says, and only by a site that can use it."""

import hashlib
import zipfile
from datetime import UTC, datetime

import pytest
from django.db import connection

from assess.backups.archive import ArchiveWriter, verified
from assess.backups.manifest import NAME, CollectionState, Manifest
from assess.backups.restore import opened
from assess.errors import Refused
from assess.judging.chain_format import checkpoint_hash
from assess.lib.tables import known_migrations
from tests.assess.backups.archives import content_of, rewritten, write

pytestmark = pytest.mark.site

RUN = b"lines of a run" * 100
RUN_NAME = f"runs/{hashlib.sha256(RUN).hexdigest()}.parquet"
CHAINS = [[1, 2, "ab"]]


@pytest.fixture
def archive(tmp_path):
    """An archive that needs no database: its own is no database at all."""
    path = tmp_path / "backup.zip"
    writer = ArchiveWriter(path)
    sqlite = connection.vendor == "sqlite"
    writer.add("database.sqlite3" if sqlite else "tables.json", [b"a data", b"base" * 1000])
    writer.add(RUN_NAME, [RUN])
    manifest = Manifest(
        assay="0.1",
        engine=connection.vendor,
        method="sqlite" if sqlite else "copy",
        migrations=known_migrations(),
        created_at=datetime(2026, 5, 4, 12, tzinfo=UTC),
        collections=[CollectionState("small", checkpoint_hash("small", CHAINS), CHAINS)],
        files=writer.files,
    )
    writer.finish(manifest)
    return path


def problem(path, reader=verified) -> str:
    with pytest.raises(Refused) as refusal, reader(path):
        pass
    sentence = str(refusal.value)
    assert sentence.startswith(str(path))
    assert sentence.endswith(".")
    return sentence.removeprefix(str(path)).removeprefix(" cannot be used: ")


def test_archive_is_read_as_it_was_written(archive):
    with verified(archive) as content:
        assert content.read(RUN_NAME) == RUN
        assert content.names("runs") == [RUN_NAME]
        assert content.manifest.created_at == datetime(2026, 5, 4, 12, tzinfo=UTC)
        assert content.manifest.collections[0].chains == CHAINS
        assert content.manifest.migrations == known_migrations()


def test_every_cut_is_noticed(archive, tmp_path):
    whole = archive.read_bytes()
    for size in [0, 1, 100, len(whole) // 2, len(whole) - 30, len(whole) - 1]:
        part = tmp_path / "part.zip"
        part.write_bytes(whole[:size])
        assert problem(part) == " is not an archive of Assay, or its end is missing."


def test_every_changed_byte_is_noticed_or_without_effect(archive, tmp_path):
    whole, original = archive.read_bytes(), content_of(archive)
    changed, refused = tmp_path / "changed.zip", 0
    for at in range(0, len(whole), 37):
        changed.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        try:
            with verified(changed) as content:
                assert all(content.read(name) == original[name] for name in content.manifest.files)
        except Refused:
            refused += 1
    assert refused > 10


@pytest.mark.parametrize("content", [b"", b"PK", b"this is no archive"])
def test_other_files(tmp_path, content):
    path = tmp_path / "other.zip"
    path.write_bytes(content)
    assert problem(path) == " is not an archive of Assay, or its end is missing."


def test_other_zip_file(tmp_path):
    assert problem(write(tmp_path / "other.zip", {"a": b"b"})) == "it has no manifest.json."


@pytest.mark.parametrize("content", [b"no json", b"[]", b"{}", b"null"])
def test_other_manifest(tmp_path, content):
    path = write(tmp_path / "other.zip", {NAME: content})
    assert problem(path) == "its manifest.json is not a manifest of Assay."


def test_changed_file(archive):
    path = rewritten(archive, lambda files, _: files.update({RUN_NAME: RUN[:-1]}))
    assert problem(path) == f"the file {RUN_NAME} is damaged: its size or checksum is not that of the manifest."


def test_run_file_with_another_name(archive):
    path = rewritten(archive, lambda files, _: files.update({RUN_NAME: RUN[:-1]}), fix=True)
    assert problem(path) == f"the file {RUN_NAME} does not have the name of its checksum."


def test_missing_file(archive):
    path = rewritten(archive, lambda files, _: files.pop(RUN_NAME))
    assert problem(path) == f"the file {RUN_NAME} is missing."


def test_missing_database(archive):
    database = next(iter(content_of(archive)))
    path = rewritten(archive, lambda files, _: files.pop(database), fix=True)
    assert problem(path) == f"it has no {database}."


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "runs/../../evil", "runs/evil.parquet", "evil", "a\\b"])
def test_names_that_no_archive_has(archive, name):
    path = rewritten(archive, lambda files, _: files.update({name: b"x"}), fix=True)
    assert problem(path) == f"it has a file {name!r}, which no archive has."
    path = rewritten(archive, lambda files, _: files.update({name: b"x"}))
    assert problem(path) == f"it has a file {name!r} that its manifest does not name."


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_files_with_the_same_name(archive):
    with zipfile.ZipFile(archive, "a") as content:
        content.writestr(RUN_NAME, b"another")
    assert "damaged" in problem(archive) or "same name" in problem(archive)


@pytest.mark.parametrize("number", [2, 0, "1"])
def test_other_format(archive, number):
    path = rewritten(archive, lambda _, manifest: manifest.update(format=number))
    assert problem(path) == f"its format is {number!r}, and this version of Assay reads only 1. Upgrade Assay."


@pytest.mark.parametrize(
    ("name", "value"),
    [("created_at", "yesterday"), ("files", 1), ("migrations", [1]), ("collections", [{}]), ("files", {"x": {}})],
)
def test_invalid_manifest(archive, name, value):
    path = rewritten(archive, lambda _, manifest: manifest.update({name: value}))
    assert problem(path).startswith("its manifest.json is invalid (")


def test_changed_checkpoint(archive):
    path = rewritten(archive, lambda _, manifest: manifest["collections"][0].update(chains=[[1, 1, "ab"]]))
    assert problem(path) == "the checkpoint of small in its manifest was changed."


def test_unknown_method(archive):
    path = rewritten(archive, lambda _, manifest: manifest.update(method="magic"))
    assert problem(path) == f"its database was copied in an unknown way ({connection.vendor}, magic)."


# ---- what this site cannot restore


def test_other_engine(archive):
    sqlite = connection.vendor == "sqlite"
    engine, method, file = ("postgresql", "copy", "tables.json") if sqlite else ("sqlite", "sqlite", "database.sqlite3")

    def change(files, manifest):
        files[file] = files.pop(next(iter(files)))
        manifest.update(engine=engine, method=method)

    sentence = problem(rewritten(archive, change, fix=True), opened)
    ours, theirs = ("SQLite", "PostgreSQL") if sqlite else ("PostgreSQL", "SQLite")
    assert sentence == f" is a backup of {theirs}, and the database of this site is {ours}."


def test_newer_migration(archive):
    path = rewritten(archive, lambda _, manifest: manifest["migrations"].append(["assess", "9999_later"]))
    assert problem(path, opened) == (
        " was made by a newer version of Assay (0.1): this version does not know the migration assess.9999_later. "
        "Upgrade Assay to restore it."
    )


def test_file_that_does_not_exist(tmp_path):
    with pytest.raises(Refused, match="There is no file"), opened(tmp_path / "none.zip"):
        pass
