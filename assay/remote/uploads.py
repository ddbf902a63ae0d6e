"""Sends files in chunks. An upload that was interrupted goes on where it stopped."""

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path

from assay.remote.connection import Connection
from assay.remote.errors import SiteError
from assay.remote.frames import Content
from assay.remote.lists import Row

UNRECOGNISED = "{name}: the site does not recognise it. Name its kind: topics, runs, documents or judgements."
CHUNK = 8_000_000  # bytes; the most that the site accepts


def upload(
    connection: Connection, slug: str, source: Path | Content, kind: str | None = None, *, progress: bool = True
) -> str:
    """Send a file, and return the id of the upload.

    If the site has the beginning of another file with this name and size, the checksum differs. The site then deletes
    its part, and the file is sent from the start.
    """
    with _opened(source) as (file, name):
        size, checksum = _measure(file)
        choices = {"sha256": checksum, **({"kind": kind} if kind else {})}
        if isinstance(source, Content) and source.given_name:
            choices["given_name"] = source.given_name
        begun, resumed = _send(connection, slug, file, name, size, progress)
        try:
            return _finish(connection, begun, choices)
        except SiteError as error:
            if not resumed or error.status != 400:
                raise
        begun, _ = _send(connection, slug, file, name, size, progress)
        return _finish(connection, begun, choices)


def _send(
    connection: Connection, slug: str, file: BufferedIOBase, name: str, size: int, progress: bool
) -> tuple[str, bool]:
    """Send what the site does not have. Return the path of the upload, and whether it had a part."""
    from tqdm import tqdm

    uploads = f"/collections/{slug}/uploads"
    begun: Row = connection.post(uploads, {"name": name, "size": size}, is_repeatable=True)
    path, start = f"{uploads}/{begun['id']}", int(begun["offset"])
    hidden = not progress or size <= CHUNK
    with tqdm(total=size, initial=start, unit="B", unit_scale=True, desc=name, disable=hidden, leave=False) as bar:
        offset = start
        while offset < size:
            offset = _send_chunk(connection, path, file, offset)
            bar.update(offset - bar.n)
    return path, start > 0


def _send_chunk(connection: Connection, path: str, file: BufferedIOBase, offset: int) -> int:
    """Send the bytes from `offset` on, and return where the next chunk begins."""
    file.seek(offset)
    try:
        sent = connection.send("PUT", f"{path}/chunk", query={"offset": offset}, content=file.read(CHUNK))
    except SiteError as error:
        expected = error.problem.get("offset")
        if error.status != 409 or not isinstance(expected, int) or expected == offset:
            raise
        return expected  # the answer to an earlier attempt was lost, or another process sends the same file
    return int(sent.json()["offset"])


def _finish(connection: Connection, path: str, choices: dict[str, str]) -> str:
    done: Row = connection.post(f"{path}/finish", choices, is_repeatable=True)
    if not done["kind"]:
        connection.send("DELETE", path)
        raise SiteError(UNRECOGNISED.format(name=done["name"]))
    return str(done["id"])


@contextmanager
def _opened(source: Path | Content) -> Iterator[tuple[BufferedIOBase, str]]:
    if isinstance(source, Content):
        yield io.BytesIO(source.data), source.name
        return
    with source.open("rb") as file:
        yield file, source.name


def _measure(file: BufferedIOBase) -> tuple[int, str]:
    """The size and the checksum of a file."""
    digest = hashlib.file_digest(file, "sha256").hexdigest()
    return file.seek(0, io.SEEK_END), digest
