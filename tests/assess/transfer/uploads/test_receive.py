"""Files arrive in chunks: in order, once, completely, within the limits, and only from their owner's browser."""

import hashlib
import os
import shutil
import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import connection
from django.utils import timezone

from assess.collections.archive import archive_collection
from assess.collections.create import create_collection
from assess.errors import Refused
from assess.models import Role, Upload
from assess.transfer.uploads import receive
from assess.transfer.uploads.receive import (
    MAX_NAME,
    WrongOffset,
    add_server_path,
    checked_name,
    create_upload,
    finish_upload,
    paste,
    receive_chunk,
    remove_upload,
)
from assess.transfer.uploads.storage import KEPT_FOR, delete_abandoned, stored_path
from tests.assess.transfer.uploads.uploaded import QRELS, RUN, TOPICS, send, upload

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def owner(collection, join):
    return join(collection, "olga", Role.OWNER)


def create(owner, name="delta.run", size: int | None = None) -> Upload:
    return create_upload(owner.collection, owner.user, name, len(RUN) if size is None else size)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_file_that_arrives_in_chunks_is_recognised(owner):
    file = send(create(owner), RUN)
    assert stored_path(file).read_bytes() == RUN
    assert (file.kind, file.format, file.sha256, file.error) == ("runs", "trec_run", sha256(RUN), "")
    assert file.first_rows["columns"][2] == "doc_id"
    assert file.first_rows["rows"] == [line.split() for line in RUN.decode().splitlines()]


@pytest.mark.skipif(os.name != "posix", reason="only POSIX has these modes")
def test_only_the_site_may_read_the_file(owner):
    path = stored_path(upload(owner, "delta.run", RUN))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_unfinished_upload_is_continued(owner):
    file = create(owner)
    assert receive_chunk(file, 0, RUN[:7]) == 7
    again = create(owner)
    assert (again.pk, again.received) == (file.pk, 7)
    receive_chunk(again, 7, RUN[7:])
    again.refresh_from_db()
    assert finish_upload(again, sha256(RUN)).kind == "runs"
    assert create(owner).pk != file.pk


def test_the_client_may_say_what_a_file_is(owner):
    file = create(owner, size=len(QRELS))
    receive_chunk(file, 0, QRELS)
    file.refresh_from_db()
    finish_upload(file, sha256(QRELS), "judgements", "ada")
    assert finish_upload(file, sha256(QRELS)).kind == "judgements"  # the request again
    finish_upload(file, sha256(QRELS), "topics")
    file.refresh_from_db()
    assert (file.kind, file.label, file.given_name) == ("topics", "topics, as you chose", "ada")


def test_an_unprintable_name_of_a_judge_changes_nothing(owner):
    file = create(owner)
    receive_chunk(file, 0, RUN)
    file.refresh_from_db()
    with pytest.raises(Refused, match="printable characters only"):
        finish_upload(file, sha256(RUN), "runs", "a\0")
    file.refresh_from_db()
    assert file.completed_at is None


@pytest.mark.parametrize("offset", [0, 6, 8, -1, 10**15])
def test_chunk_at_another_offset_is_refused_with_the_right_one(owner, offset):
    file = create(owner)
    receive_chunk(file, 0, RUN[:7])
    with pytest.raises(WrongOffset) as refusal:
        receive_chunk(file, offset, b"xxx")
    assert refusal.value.expected == 7
    assert stored_path(file).read_bytes() == RUN[:7]


def test_two_tabs_that_send_the_same_file_do_no_harm(owner):
    one, other = create(owner), create(owner)
    receive_chunk(one, 0, RUN[:7])
    with pytest.raises(WrongOffset):
        receive_chunk(other, 0, RUN[:7])
    receive_chunk(other, 7, RUN[7:])
    with pytest.raises(WrongOffset):
        receive_chunk(one, 7, RUN[7:])
    one.refresh_from_db()
    assert finish_upload(one, sha256(RUN)).kind == "runs"


@pytest.mark.django_db(transaction=True)
def test_chunk_that_arrives_twice_at_the_same_time_is_stored_once(owner):
    file = create(owner)

    def receive(_):
        try:
            return receive_chunk(file, 0, RUN[:20])
        except WrongOffset as refusal:
            return -refusal.expected
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(receive, range(4))) == [-20, -20, -20, 20]
    assert stored_path(file).read_bytes() == RUN[:20]


@pytest.mark.django_db(transaction=True)
def test_uploads_into_two_collections_at_the_same_time_share_the_limit_of_their_user(owner, settings):
    settings.MAX_UPLOADED_BYTES_OF_USER = 100
    other = create_collection("other", "Other", ["0=No", "1=Yes"])

    def begin(collection) -> bool:
        try:
            create_upload(collection, owner.user, "delta.run", 60)
        except Refused:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(begin, [owner.collection, other])) == [False, True]


def test_chunks_beyond_the_size_are_refused(owner, settings):
    file = create(owner)
    with pytest.raises(Refused, match="from 1 to"):
        receive_chunk(file, 0, RUN + b"x")
    with pytest.raises(Refused, match="from 1 to"):
        receive_chunk(file, 0, b"")
    settings.UPLOAD_CHUNK_BYTES = 5
    with pytest.raises(Refused, match="from 1 to 5 bytes"):
        receive_chunk(file, 0, RUN[:6])
    assert Upload.objects.get().received == 0


def test_wrong_checksum_deletes_the_upload(owner):
    file = create(owner)
    receive_chunk(file, 0, RUN)
    file.refresh_from_db()
    with pytest.raises(Refused, match=r"delta\.run changed or was damaged"):
        finish_upload(file, "0" * 64)
    assert not Upload.objects.exists()
    assert not stored_path(file).exists()


@pytest.mark.parametrize("text", ["", "x", "0" * 63, "G" * 64, "A" * 64])
def test_checksum_of_another_form_is_refused(owner, text):
    file = create(owner)
    with pytest.raises(Refused, match="is not a SHA-256"):
        finish_upload(file, text)


def test_incomplete_upload_is_not_finished(owner):
    file = create(owner)
    receive_chunk(file, 0, RUN[:3])
    file.refresh_from_db()
    with pytest.raises(WrongOffset):
        finish_upload(file, sha256(RUN))


def test_finished_upload_does_not_change(owner):
    file = upload(owner, "delta.run", RUN)
    with pytest.raises(WrongOffset):
        receive_chunk(file, 0, b"x")
    assert finish_upload(file, "whatever") is file
    assert stored_path(file).read_bytes() == RUN


def test_removed_upload_receives_nothing(owner):
    file = create(owner)
    remove_upload(file)
    with pytest.raises(Refused, match="was removed"):
        receive_chunk(file, 0, RUN)
    assert not stored_path(file).exists()


@pytest.mark.parametrize("size", [0, -1, 2_001])
def test_size_of_a_file_is_limited(owner, settings, size):
    settings.MAX_UPLOAD_BYTES = 2_000
    with pytest.raises(Refused, match="from 1 to 2,000 bytes"):
        create(owner, size=size)


def test_files_of_a_user_and_of_a_collection_are_limited(owner, join, settings):
    settings.MAX_UPLOADED_BYTES_OF_USER, settings.MAX_UPLOADED_BYTES_OF_COLLECTION = 100, 150
    create(owner, "a", 100)
    with pytest.raises(Refused, match="Your waiting files have 100 bytes"):
        create(owner, "b", 1)
    other = join(owner.collection, "rita", Role.RESEARCHER)
    create(other, "c", 50)
    with pytest.raises(Refused, match="The collection's waiting files have 150 bytes"):
        create(other, "d", 1)


def test_number_of_files_is_limited(owner, monkeypatch):
    monkeypatch.setattr("assess.transfer.uploads.receive.MAX_FILES", 1)
    create(owner, "a", 1)
    with pytest.raises(Refused, match="At most 1 files"):
        create(owner, "b", 1)


def test_full_disk_is_refused_before_the_first_chunk(owner, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=500_000_300))
    create(owner, "a", 200)
    with pytest.raises(Refused, match="no space for b"):
        create(owner, "b", 101)
    create(owner, "b", 100)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\runs\\a.run", "a.run"),
        ("/abs/b.run", "b.run"),
        ("a\x00b\n\u202ec.run", "a_b__c.run"),
        ("x" * 300 + ".run", ("x" * 300 + ".run")[-MAX_NAME:]),
        ("<script>", "<script>"),
    ],
)
def test_name_has_no_folder_and_no_control_characters(name, kept):
    assert checked_name(name) == kept


@pytest.mark.parametrize("name", ["", " ", "..", "/", "a/.."])
def test_missing_name_is_refused(name):
    if name in ("..", "a/.."):
        assert checked_name(name) == ".."  # a name only: it is never part of a path
        return
    with pytest.raises(Refused, match="is not the name of a file"):
        checked_name(name)


def test_stored_path_does_not_contain_the_name(owner, settings):
    file = upload(owner, "../../evil", RUN)
    assert stored_path(file).parent == settings.UPLOADS_DIR
    assert "evil" not in str(stored_path(file))


def test_empty_and_unknown_files_are_kept_with_an_error(owner):
    file = upload(owner, "nothing.txt", b"\n \n")
    assert (file.kind, file.first_rows) == ("", {})
    assert file.error.startswith("nothing.txt: the file is empty")
    assert upload(owner, "broken.gz", b"\x1f\x8b garbage").error


def test_content_with_nul_is_shown_without_it(owner):
    file = upload(owner, "delta.run", RUN + b"1 Q0 \x00 3 1 delta\n")
    file.refresh_from_db()
    assert file.first_rows["rows"][3][2] == "␀"


# ---- pasted text


def test_pasted_text_is_a_file(owner):
    file = paste(owner.collection, owner.user, "", TOPICS.decode().replace("\n", "\r\n"))
    assert (file.name, file.kind, stored_path(file).read_bytes()) == ("pasted text", "topics", TOPICS)
    assert file.first_rows["rows"][1][:2] == ["3", "third need"]


@pytest.mark.parametrize(("text", "problem"), [("", "from 1 to"), ("x" * 1_000_001, "at most 1,000,000")])
def test_empty_and_long_texts_are_not_pasted(owner, text, problem):
    with pytest.raises(Refused, match=problem):
        paste(owner.collection, owner.user, "a", text)


# ---- files of the server


@pytest.fixture
def site_owner(owner, settings, tmp_path):
    owner.user.is_superuser = True
    owner.user.save()
    (tmp_path / "shared").mkdir()
    settings.IMPORT_ROOTS = [str(tmp_path / "shared")]
    settings.DATA_DIR = tmp_path / "data"
    (tmp_path / "data").mkdir()
    return owner


def add(member, path) -> Upload:
    return add_server_path(member.collection, member.user, str(path))


def test_file_of_the_server_is_read_where_it_is(site_owner, tmp_path):
    path = tmp_path / "shared" / "ann.qrels"
    path.write_bytes(QRELS)
    file = add(site_owner, path)
    assert (file.kind, file.name, file.received) == ("judgements", "ann.qrels", len(QRELS))
    remove_upload(file)
    assert path.exists()


def test_paths_outside_of_the_roots_are_refused(site_owner, tmp_path, settings):
    secret = tmp_path / "secret"
    secret.write_bytes(QRELS)
    link = tmp_path / "shared" / "link"
    link.symlink_to(secret)
    loop = tmp_path / "shared" / "loop"
    loop.symlink_to(loop)
    for path in (
        secret,
        link,
        tmp_path / "shared" / ".." / "secret",
        "shared/ann.qrels",
        "",
        "a\0b",
        "/" + "x" * 5_000,
    ):
        with pytest.raises(Refused, match="is not within a directory"):
            add(site_owner, path)
    for path in (loop, tmp_path / "shared", tmp_path / "shared" / "missing"):
        with pytest.raises(Refused, match=r"is not (within|a file)"):
            add(site_owner, path)
    assert not Upload.objects.exists()


def test_data_directory_is_never_imported(site_owner, tmp_path, settings):
    settings.IMPORT_ROOTS = [str(tmp_path)]
    key = tmp_path / "data" / "secret_key"
    key.write_bytes(QRELS)
    with pytest.raises(Refused, match="is not within a directory"):
        add(site_owner, key)


def test_link_that_changes_later_is_refused(site_owner, tmp_path):
    path = tmp_path / "shared" / "ann.qrels"
    path.write_bytes(QRELS)
    file = add(site_owner, path)
    path.unlink()
    path.symlink_to(tmp_path / "data")
    from assess.transfer.uploads.storage import content_path

    with pytest.raises(Refused, match="is not within a directory"):
        content_path(file)


def test_a_path_is_refused_for_an_archived_collection(site_owner, tmp_path):
    path = tmp_path / "shared" / "ann.qrels"
    path.write_bytes(QRELS)
    archive_collection(site_owner.collection)
    with pytest.raises(Refused, match="is archived and cannot be changed"):
        add(site_owner, path)
    assert not Upload.objects.exists()


def test_a_path_that_cannot_be_read_leaves_no_upload(site_owner, tmp_path, monkeypatch):
    path = tmp_path / "shared" / "ann.qrels"
    path.write_bytes(QRELS)
    monkeypatch.setattr(receive, "recognise_upload", raise_os_error)
    with pytest.raises(OSError, match="gone"):
        add(site_owner, path)
    assert not Upload.objects.exists()
    assert path.exists()


def raise_os_error(upload):
    raise OSError("gone")


def test_only_site_owners_may_use_paths(site_owner, settings, join, tmp_path):
    path = tmp_path / "shared" / "ann.qrels"
    path.write_bytes(QRELS)
    other = join(site_owner.collection, "rita", Role.OWNER)
    with pytest.raises(Refused, match="by site owners only"):
        add(other, path)
    settings.IMPORT_ROOTS = []
    with pytest.raises(Refused, match="by site owners only"):
        add(site_owner, path)


# ---- purge


def test_abandoned_uploads_are_deleted_after_a_day(owner):
    old, new = upload(owner, "old.run", RUN), upload(owner, "new.run", RUN)
    stray = stored_path(new).with_name("stray")
    stray.write_bytes(b"x")
    past = timezone.now() - KEPT_FOR - timedelta(seconds=1)
    os.utime(stray, (past.timestamp(), past.timestamp()))
    Upload.objects.filter(pk=old.pk).update(touched_at=past)
    assert delete_abandoned() == 2
    assert list(Upload.objects.all()) == [new]
    assert [path.name for path in stored_path(new).parent.iterdir()] == [str(new.public_id)]


def test_nothing_is_deleted_without_a_folder(db):
    assert delete_abandoned() == 0
