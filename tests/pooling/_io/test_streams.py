"""Input streams: detection by the first bytes, size limits, and errors for corrupt data."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import pytest

from agreement import read_judgements
from pooling import FormatError, open_input, read_documents, read_qrels, read_run, read_runs, read_topics, recognise
from pooling._io.streams import display_name

TEXT = b"one line\n" * 10_000


def content(source, max_bytes=1 << 20, **options):
    with open_input(source, max_bytes=max_bytes, **options) as stream:
        return stream.read()


@pytest.fixture(params=["gzip", "bzip2", "xz"])
def kind(request):
    return request.param


def compressed(kind, data=TEXT):
    return {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress}[kind](data)


@pytest.mark.parametrize("text", [TEXT, b"", b"x"], ids=["long", "empty", "short"])
def test_compressed_and_plain_give_the_same_text(kind, text):
    assert content(text) == text
    assert content(compressed(kind, text)) == text


@pytest.mark.parametrize("level", range(1, 10))
def test_bzip2_is_detected_at_every_level(level):
    assert content(bz2.compress(TEXT, level)) == TEXT
    assert content(bz2.compress(b"", level)) == b""


@pytest.mark.parametrize("text", [b"B", b"BZh9", b"BZh91 Q0 a 1 1 r", b"BZh91AY&S", b"BZh01AY&SY", b"\xfd7zXZ"])
def test_a_plain_file_with_a_similar_beginning_stays_plain(text):
    assert content(text) == text


def test_all_members_are_read(kind):
    both = compressed(kind, b"one\n") + compressed(kind, b"") + compressed(kind, TEXT)
    assert content(both) == b"one\n" + TEXT


def test_zero_bytes_may_pad_a_compressed_file(kind):
    # more than what is taken from the file at once
    assert content(compressed(kind) + b"\0" * 200_000) == TEXT
    assert content(compressed(kind) + b"\0" * 512 + compressed(kind)) == TEXT * 2


@pytest.mark.slow
def test_a_decompression_bomb_is_refused_at_the_limit(kind):
    bomb = compressed(kind, b"0" * 50_000_000)
    taken = []
    with pytest.raises(FormatError, match=r"a\.bomb: the file expands to more than 100,000 bytes"):
        content(bomb, max_bytes=100_000, name="a.bomb", progress=taken.append)
    assert sum(taken) <= len(bomb)


def test_the_limit_applies_to_all_members_together(kind):
    both = compressed(kind) * 2
    assert content(both, max_bytes=2 * len(TEXT)) == TEXT * 2
    with pytest.raises(FormatError, match="expands to more than"):
        content(both, max_bytes=2 * len(TEXT) - 1)


def test_an_xz_file_that_needs_much_memory_is_refused():
    wasteful = lzma.compress(TEXT, filters=[{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 28}])
    usual = lzma.compress(TEXT, preset=9)

    assert content(usual) == TEXT
    with pytest.raises(FormatError, match="f: the xz data is corrupt, or needs more than 128 MiB of memory"):
        content(wasteful, name="f")


def test_a_file_of_exactly_the_limit_is_read():
    assert content(TEXT, max_bytes=len(TEXT)) == TEXT
    with pytest.raises(FormatError):
        content(TEXT, max_bytes=len(TEXT) - 1)


def test_a_truncated_file_is_refused(kind):
    whole = compressed(kind, b"forest fires")
    for size in range(10, len(whole)):
        with pytest.raises(FormatError, match=f"f: the {kind} data ends too early; a complete {kind} file or plain"):
            content(whole[:size], name="f")


def test_a_truncated_second_member_is_refused(kind):
    with pytest.raises(FormatError, match="ends too early"):
        content(compressed(kind) + compressed(kind)[:-3])


@pytest.mark.parametrize("place", [20, -20])
def test_a_corrupt_file_is_refused(kind, place):
    data = bytearray(compressed(kind))
    data[place] ^= 0xFF
    with pytest.raises(FormatError, match=f"the {kind} data (is corrupt|ends too early)"):
        content(bytes(data))


def test_a_wrong_checksum_is_corrupt():
    with pytest.raises(FormatError, match="gzip data is corrupt"):
        content(compressed("gzip")[:-8] + b"\0" * 8)


def test_data_after_the_last_member_is_refused(kind):
    others = [compressed(other) for other in sorted({"gzip", "bzip2", "xz"} - {kind})]
    for after in [b"something else, of some length", b"\0\0something else, of some length", *others]:
        with pytest.raises(FormatError, match=f"the {kind} data is corrupt"):
            content(compressed(kind) + after)


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])
def test_progress_adds_up_to_the_size_on_disk(kind, packed, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(compressed(kind) if packed else TEXT)
    taken = []
    content(path, progress=taken.append)
    assert sum(taken) == path.stat().st_size


class Trickle:
    """A pipe that returns one byte per read."""

    def __init__(self, data):
        self._stream = io.BytesIO(data)

    def read(self, size=-1):
        return self._stream.read(min(size, 1))


def test_short_reads_do_not_affect_the_detection(kind):
    assert content(Trickle(compressed(kind))) == TEXT
    assert content(Trickle(b"text")) == b"text"


def test_topics_and_documents_may_be_compressed(kind):
    topics = read_topics(compressed(kind, b"7\tforest fires\n"))
    documents = read_documents(compressed(kind, b'{"doc_id": "d", "text": "a fire"}\n'))

    assert topics[["query_id", "title"]].to_numpy().tolist() == [["7", "forest fires"]]
    assert [(document.doc_id, document.text) for document in documents] == [("d", "a fire")]


def test_only_files_opened_by_the_function_are_closed(tmp_path):
    stream = io.BytesIO(TEXT)
    assert content(stream) == TEXT
    assert not stream.closed


def test_a_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        content(tmp_path / "nowhere")


def test_errors_name_a_source_by_path_name_or_input(tmp_path):
    path = tmp_path / "a.run"
    path.write_bytes(TEXT)
    assert display_name(path) == str(path)
    with path.open("rb") as stream:
        assert display_name(stream) == str(path)
    assert display_name(TEXT) == "input"


@pytest.mark.parametrize("source", [None, 5, 1.5])
def test_what_is_no_file_is_refused(source):
    for read in (read_run, read_runs, read_qrels, recognise):
        with pytest.raises(TypeError, match=f"A file must be a path, bytes or an open binary file, not {source}"):
            read(source)


READ = [read_run, read_qrels, read_topics, recognise, lambda source: list(read_documents(source))]


@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize(
    ("begin", "name"),
    [
        (b"\x28\xb5\x2f\xfd", "Zstandard (.zst)"),
        (b"\x1f\x9d\x90", "compress (.Z)"),
        (b"\x04\x22\x4d\x18", "LZ4 (.lz4)"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip (.7z)"),
    ],
)
def test_a_compression_that_is_not_read_is_named(read, begin, name):
    with pytest.raises(FormatError, match="a file is plain text, or compressed with gzip, bzip2 or xz") as caught:
        read(begin + b"1 0 d 1\n")
    assert f"the file is compressed with {name}; " in str(caught.value)


def archives():
    zipped, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("a.qrels", "1 0 d 1\n")
    with tarfile.open(fileobj=tarred, mode="w:gz") as archive:
        archive.addfile(tarfile.TarInfo("a.qrels"))
    return {"ZIP": zipped.getvalue(), "TAR": tarred.getvalue()}


@pytest.mark.parametrize(
    "read", [read_run, read_qrels, read_topics, lambda content: read_judgements({"ann": content}, scale=(0, 1))]
)
@pytest.mark.parametrize("kind", ["ZIP", "TAR"])
def test_an_archive_is_named_where_one_file_is_expected(read, kind):
    with pytest.raises(FormatError, match=f"the file is a {kind} archive; unpack it first"):
        read(archives()[kind])
