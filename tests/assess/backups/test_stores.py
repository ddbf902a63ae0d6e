"""Archives in a bucket: a real server that speaks S3, on this machine."""

import os
import uuid
from pathlib import Path

import boto3
import pytest
from moto.server import ThreadedMotoServer

from assess import audit
from assess.backups import stores
from assess.backups.create import Kept, back_up
from assess.backups.rehearse import newest_archive, rehearse
from assess.backups.stores import Bucket, local_file, store_at
from assess.errors import Refused
from assess.models import AuditEvent, Judgement
from tests.assess.command_output import output_of, refusal

pytestmark = [pytest.mark.slow, pytest.mark.site]

SECRET = "a-secret-that-nobody-may-read"


@pytest.fixture(scope="module")
def server():
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def client(server, monkeypatch):
    """A client of the server that is not ours."""
    variables = {"ENDPOINT_URL_S3": server, "ACCESS_KEY_ID": "key", "SECRET_ACCESS_KEY": SECRET, "REGION": "us-east-1"}
    for name, value in variables.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    return boto3.client("s3", endpoint_url=server, region_name="us-east-1")


@pytest.fixture
def address(client) -> str:
    name = f"backups-{uuid.uuid4().hex[:8]}"
    client.create_bucket(Bucket=name)
    return f"s3://{name}/site"


@pytest.fixture
def draft(tmp_path) -> Path:
    path = tmp_path / "draft"
    path.write_bytes(os.urandom(6_000_000))
    return path


def keys(client, address: str) -> list[str]:
    bucket = address.removeprefix("s3://").partition("/")[0]
    names = [each["Key"] for each in client.list_objects_v2(Bucket=bucket).get("Contents", [])]
    return [name for name in names if not name.endswith("/")]  # Arrow keeps a marker of an empty folder


def test_site_is_backed_up_and_restored(site, client, address):
    backup = back_up(address)
    assert keys(client, address) == [backup.address.removeprefix(address.rpartition("/")[0] + "/")]
    event = AuditEvent.objects.get(action="backed_up")
    assert event.details == {"bytes": backup.size, "verified": True, "place": "bucket"}
    site.judge(site.ann)
    assert Judgement.objects.count() == 4
    lines = output_of("restore", backup.address, "--yes")
    assert lines[0].startswith(f"Restored {backup.address}, the backup of ")
    assert Judgement.objects.count() == 3
    assert [path.name for path in site.data.iterdir() if path.name.startswith(".assay")] == []


def test_ledger_is_compared_with_an_archive_in_a_bucket(site, address):
    backup = back_up(address)
    assert output_of("verify_ledger", "--archive", backup.address)[-1].endswith("no differences.")


def test_old_archives_are_deleted(site, client, address, settings):
    names = ["assay-20260101T030000Z.zip", "assay-20260102T030000Z.zip", "notes.txt"]
    bucket = address.removeprefix("s3://").partition("/")[0]
    for name in names:
        client.put_object(Bucket=bucket, Key=f"site/{name}", Body=b"x")
    assert back_up(address, Kept(number=2)).deleted == [names[0]]
    assert len(keys(client, address)) == 3
    settings.BACKUP_DIR = address
    assert newest_archive() > f"{address}/{names[1]}"
    assert rehearse().problems == []


def test_what_arrived_is_compared_with_what_was_sent(client, address, draft, monkeypatch, settings, tmp_path):
    digests = iter(["one", "another"])
    monkeypatch.setattr(stores, "_digest", lambda _: next(digests))
    with pytest.raises(Refused, match="differs from what was sent, and was deleted"):
        Bucket(address).upload(draft, "a.zip")
    assert keys(client, address) == []


def test_upload_that_is_not_recorded_is_withdrawn(site, client, address, monkeypatch):
    def fail(*_, **__):
        raise Refused("The audit log is not available.")

    monkeypatch.setattr(audit, "record", fail)
    with pytest.raises(Refused):
        back_up(address)
    assert keys(client, address) == []


def test_empty_prefix_has_no_names(address):
    assert store_at(address).names() == []


@pytest.mark.parametrize(
    ("bucket", "sentence"),
    [
        ("s3://no-such-bucket/x", "s3://no-such-bucket/x cannot be listed: there is no such bucket or object."),
        ("s3://", "s3:// names no bucket. An address is like s3://bucket/folder."),
    ],
)
def test_bucket_that_does_not_exist(client, bucket, sentence):
    with pytest.raises(Refused) as refused:
        store_at(bucket).names()
    assert str(refused.value) == sentence


def test_service_that_does_not_answer(site, client, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9")
    assert refusal("backup", "s3://backups/site") == "s3://backups/site cannot be listed: network connection."
    assert not AuditEvent.objects.filter(action="backed_up").exists()


def test_object_that_does_not_exist(client, address):
    with pytest.raises(Refused) as refused, local_file(f"{address}/a"):
        pass
    assert str(refused.value) == f"{address} cannot be read: there is no such bucket or object."


def test_full_disk_is_not_an_error_of_the_service(client, address, draft, tmp_path):
    Bucket(address).upload(draft, "a.zip")
    (tmp_path / "target").mkdir()
    with pytest.raises(IsADirectoryError):
        Bucket(address).download("a.zip", tmp_path / "target")


def test_secret_is_in_no_message(client, address, monkeypatch, capfd):
    monkeypatch.setattr(stores.shutil, "copyfileobj", lambda *_: (_ for _ in ()).throw(OSError(SECRET)))
    with pytest.raises(Refused) as refused:
        Bucket(address).download("a", Path(os.devnull))
    assert SECRET not in str(refused.value)
    assert SECRET not in "".join(capfd.readouterr())
