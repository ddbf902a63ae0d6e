"""Uploads for tests."""

import hashlib
from pathlib import Path

from assess.models import Member, Role, Upload
from assess.transfer.uploads.receive import create_upload, finish_upload, receive_chunk

RUN = b"1 Q0 a 1 9 delta\n1 Q0 b 2 8 delta\n2 Q0 x 1 9 delta\n"
TOPICS = b"1\tfirst need\n3\tthird need\n"
DOCUMENTS = b'{"doc_id": "a", "title": "A", "text": "Text."}\n'
QRELS = b"1 0 a 1\n1 0 b 0\n"


def send(upload: Upload, content: bytes, size: int = 10) -> Upload:
    """Send a file in chunks and finish it."""
    for offset in range(0, len(content), size):
        receive_chunk(upload, offset, content[offset : offset + size])
    upload.refresh_from_db()
    return finish_upload(upload, hashlib.sha256(content).hexdigest())


def upload(owner: Member, name: str, content: bytes) -> Upload:
    """A finished upload."""
    return send(create_upload(owner.collection, owner.user, name, len(content)), content, 8_000_000)


def upload_files(owner: Member, *paths: Path) -> list[int]:
    """The primary keys of finished uploads of files."""
    return [upload(owner, path.name, path.read_bytes()).pk for path in paths]


def empty_collection(join) -> Member:
    """The owner of a collection without topics."""
    from assess.collections.create import create_collection

    return join(create_collection("empty", "Empty", ["0=no", "1=some", "2=more", "3=most"]), "olga", Role.OWNER)
