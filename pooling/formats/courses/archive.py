"""A ZIP file that is written in pieces, so that its size does not matter."""

import io
import zipfile
from collections.abc import Iterable, Iterator

EARLIEST = (1980, 1, 1, 0, 0, 0)  # the same content makes the same bytes
PIECE = 1 << 16  # bytes


class _Pieces(io.RawIOBase):
    """Keeps what was written until it is taken. It cannot go back, so the archive never asks it to."""

    def __init__(self) -> None:
        super().__init__()
        self._written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        content = bytes(data)  # type: ignore[call-overload]
        self._written += content
        return len(content)

    def size(self) -> int:
        return len(self._written)

    def take(self) -> bytes:
        content = bytes(self._written)
        self._written.clear()
        return content


def zip_pieces(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """The bytes of a ZIP file with these files, in pieces.

    Examples
    --------
    >>> content = b"".join(zip_pieces([("a.txt", [b"green ", b"tea"])]))
    >>> zipfile.ZipFile(io.BytesIO(content)).read("a.txt")
    b'green tea'
    """
    pieces = _Pieces()
    with zipfile.ZipFile(pieces, "w") as archive:
        for name, content in files:
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as stream:
                for data in content:
                    stream.write(data)
                    if pieces.size() >= PIECE:
                        yield pieces.take()
    yield pieces.take()
