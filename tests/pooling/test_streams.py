"""Input as a stream: told by its first bytes, bounded, and clear when it is broken."""

import gzip
import io

import pytest

from pooling import FormatError, open_input
from pooling.streams import display_name

TEXT = b"one line\n" * 10_000


def content(source, max_bytes=1 << 20, **options):
    with open_input(source, max_bytes=max_bytes, **options) as stream:
        return stream.read()


@pytest.mark.parametrize(
    "data", [TEXT, gzip.compress(TEXT, mtime=0), b"", b"x", gzip.compress(b"", mtime=0)]
)  # mtime: the same test names in every process
def test_plain_and_gzip_give_the_same_text(data):
    expected = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    assert content(data) == expected


def test_all_members_of_a_gzip_file_are_read():
    assert content(gzip.compress(b"one\n") + gzip.compress(b"two\n")) == b"one\ntwo\n"


def test_a_bomb_is_refused_as_soon_as_it_passes_the_limit():
    bomb = gzip.compress(b"0" * 50_000_000)
    taken = []
    with pytest.raises(FormatError, match=r"bomb\.gz: the file expands to more than 100,000 bytes"):
        content(bomb, max_bytes=100_000, name="bomb.gz", progress=taken.append)
    assert sum(taken) <= len(bomb)


def test_a_file_of_exactly_the_limit_is_read():
    assert content(TEXT, max_bytes=len(TEXT)) == TEXT
    with pytest.raises(FormatError):
        content(TEXT, max_bytes=len(TEXT) - 1)


@pytest.mark.parametrize("cut", [1, 5, 9, 15])
def test_a_truncated_gzip_file_is_refused(cut):
    with pytest.raises(FormatError, match="f: the gzip data ends too early; a complete gzip file"):
        content(gzip.compress(TEXT, mtime=0)[:-cut], name="f")


@pytest.mark.parametrize(
    "data",
    [
        b"\x1f\x8b this is not gzip at all",
        gzip.compress(TEXT, mtime=0)[:-8] + b"\0" * 8,  # checksum and length
        gzip.compress(TEXT, mtime=0)[:20] + b"\xff" * 40,
        gzip.compress(TEXT, mtime=0) + b"something else",
    ],
)
def test_a_corrupt_gzip_file_is_refused(data):
    with pytest.raises(FormatError, match="gzip data is corrupt"):
        content(data)


@pytest.mark.parametrize("data", [TEXT, gzip.compress(TEXT, mtime=0)])  # mtime: the same test names in every process
def test_progress_adds_up_to_the_size_on_the_disk(data, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(data)
    taken = []
    content(path, progress=taken.append)
    assert sum(taken) == len(data)


def test_a_file_that_the_caller_opened_stays_open_and_its_own_is_closed(tmp_path):
    stream = io.BytesIO(TEXT)
    assert content(stream) == TEXT
    assert not stream.closed


def test_a_missing_file_is_the_systems_own_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        content(tmp_path / "nowhere")


def test_errors_call_a_source_by_its_path_its_name_or_input(tmp_path):
    path = tmp_path / "a.run"
    path.write_bytes(TEXT)
    assert display_name(path) == str(path)
    with path.open("rb") as stream:
        assert display_name(stream) == str(path)
    assert display_name(TEXT) == "input"
