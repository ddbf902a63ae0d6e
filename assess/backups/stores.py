"""Where archives are kept: a folder, or a bucket of an S3-compatible service.

Files in buckets are read and written with Arrow, which is a dependency already. An object appears when its upload is
complete. Keys and endpoint are in the usual variables: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION,
AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from django.conf import settings

from assess.backups.archive import chunks_of
from assess.backups.drafts import draft_folder, publish, sync
from assess.errors import Refused
from assess.lib.private_files import PRIVATE_DIR, create_private_file

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

S3 = "s3://"
# What Arrow reports of a service. Only the code is shown, since a message of the service may name a key.
ERROR_CODE = re.compile(r"AWS Error ([A-Z_]{3,60})")
CONNECT_SECONDS, REQUEST_SECONDS = 5, 60


class Store(Protocol):
    """A place for archives. `drafts` is the local folder in which they are written first."""

    kind: str
    drafts: Path

    def names(self) -> list[str]:
        """Return the names of all files."""

    def address(self, name: str) -> str:
        """Return what to call a file in commands."""

    def upload(self, draft: Path, name: str) -> None:
        """Bring a complete draft to the place, or refuse. This may take long."""

    def publish(self, draft: Path, name: str) -> None:
        """Give an uploaded draft its name, at once."""

    def withdraw(self, name: str) -> None:
        """Take back an upload that was not published."""

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""


class Folder:
    kind = "folder"

    def __init__(self, path: Path) -> None:
        self.drafts = path

    def names(self) -> list[str]:
        return [path.name for path in self.drafts.iterdir()]

    def address(self, name: str) -> str:
        return str(self.drafts / name)

    def upload(self, draft: Path, name: str) -> None:  # noqa: ARG002 - it is on the same disk
        sync(draft)

    def publish(self, draft: Path, name: str) -> None:
        publish(draft, self.drafts / name)

    def withdraw(self, name: str) -> None:
        """The draft goes with its folder."""

    def delete(self, name: str) -> None:
        (self.drafts / name).unlink(missing_ok=True)


class Bucket:
    """A bucket, and what the names of its objects begin with. An object has its name as soon as it is uploaded."""

    kind = "bucket"

    def __init__(self, address: str) -> None:
        self._path = address.removeprefix(S3).strip("/")
        self._address = S3 + self._path
        if not self._path:
            raise Refused(f"{address} names no bucket. An address is like s3://bucket/folder.")
        self.drafts = Path(settings.DATA_DIR)

    @cached_property
    def _files(self) -> "FileSystem":
        from pyarrow.fs import AwsStandardS3RetryStrategy, S3FileSystem

        options: dict[str, Any] = {
            "connect_timeout": CONNECT_SECONDS,
            "request_timeout": REQUEST_SECONDS,
            "retry_strategy": AwsStandardS3RetryStrategy(max_attempts=2),
            "region": os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1",
        }
        endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
        if endpoint:
            options["endpoint_override"] = endpoint
        return S3FileSystem(**options)

    def names(self) -> list[str]:
        from pyarrow.fs import FileSelector, FileType

        with self._refused("be listed"):
            if self._files.get_file_info(self._path.partition("/")[0]).type == FileType.NotFound:
                raise FileNotFoundError
            found = self._files.get_file_info(FileSelector(self._path, allow_not_found=True))
        return [each.base_name for each in found if each.type == FileType.File]

    def address(self, name: str) -> str:
        return f"{self._address}/{name}"

    def upload(self, draft: Path, name: str) -> None:
        """Write the object, and read it again: what arrived is compared with what was sent."""
        with self._refused("be written to"):
            with draft.open("rb") as source, self._files.open_output_stream(f"{self._path}/{name}") as target:
                shutil.copyfileobj(source, target, 1 << 20)
            with self._files.open_input_stream(f"{self._path}/{name}") as written:
                is_same = _digest(written) == _digest(draft.open("rb"))
        if not is_same:
            self.delete(name)
            raise Refused(f"{self.address(name)} differs from what was sent, and was deleted. No backup was made.")

    def publish(self, draft: Path, name: str) -> None:
        """The upload has done it."""

    def withdraw(self, name: str) -> None:
        self.delete(name)

    def delete(self, name: str) -> None:
        with self._refused("be changed"), suppress(FileNotFoundError):
            self._files.delete_file(f"{self._path}/{name}")

    def download(self, name: str, target: Path) -> None:
        create_private_file(target)
        path = f"{self._path}/{name}"
        with self._refused("be read"), self._files.open_input_stream(path) as source, target.open("wb") as file:
            shutil.copyfileobj(source, file, 1 << 20)

    @contextmanager
    def _refused(self, verb: str) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise Refused(f"{self._address} cannot {verb}: there is no such bucket or object.") from None
        except OSError as error:
            found = ERROR_CODE.search(str(error))
            if not found and error.errno:  # of the local disk
                raise
            reason = found[1].replace("_", " ").lower() if found else "the service does not answer"
            raise Refused(f"{self._address} cannot {verb}: {reason}.") from None


def _digest(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    with file:
        for chunk in chunks_of(file):
            digest.update(chunk)
    return digest.hexdigest()


def store_at(address: str) -> Store:
    """Return the bucket or the folder with this address. A folder is created, but not its parents."""
    if address.startswith(S3):
        return Bucket(address)
    path = Path(address)
    with suppress(FileExistsError):
        path.mkdir(mode=PRIVATE_DIR)
    return Folder(path)


@contextmanager
def local_file(address: str | Path) -> Iterator[Path]:
    """Yield the path of an archive. One in a bucket is downloaded to a folder that only its owner can read."""
    if isinstance(address, Path) or not address.startswith(S3):
        yield Path(address)
        return
    folder_address, _, name = address.rpartition("/")
    bucket = Bucket(folder_address)
    with draft_folder(Path(settings.DATA_DIR)) as folder:
        bucket.download(name, folder / name)
        yield folder / name
