"""Folders, ZIP and TAR archives of pages, and what is refused in them."""

import gzip
import io
import os
import stat
import struct
import tarfile
import zipfile

import pytest

from pooling import FormatError, read_documents

FILES = {
    "a/tea.txt": b"Green tea.",
    "a/my notes.md": b"# Notes\n",
    "b.html": b"<html><head><TITLE>Tea &amp;\n co</TITLE></head><body><p>x</p></body></html>",
    "__MACOSX/._b.html": b"junk",
    "a/.DS_Store": b"junk",
}
EXPECTED = [
    ("a/my_notes", "", "markdown"),
    ("a/tea", "", "text"),
    ("b", "Tea & co", "html"),
]


def zipped(files, method=zipfile.ZIP_DEFLATED):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return content.getvalue()


def tarred(files, **changes):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for path, data in files.items():
            info = tarfile.TarInfo(path)
            info.size = len(data)
            for name, value in changes.items():
                setattr(info, name, value)
            archive.addfile(info, io.BytesIO(data))
    return content.getvalue()


def refusal(data, **options):
    with pytest.raises(FormatError) as caught:
        list(read_documents(data, name="f.zip", **options))
    return str(caught.value)


def shape(documents):
    return sorted((document.doc_id, document.title, document.format) for document in documents)


@pytest.mark.parametrize(
    "data", [zipped(FILES), tarred(FILES), gzip.compress(tarred(FILES))], ids=["zip", "tar", "tar.gz"]
)
def test_each_file_of_an_archive_is_a_document(data):
    assert shape(read_documents(data)) == EXPECTED


def test_each_file_of_a_folder_is_a_document(tmp_path):
    for path, data in FILES.items():
        target = tmp_path / path
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(data)
    os.symlink("/etc/passwd", tmp_path / "link.txt")
    read = []
    assert shape(read_documents(tmp_path, progress=read.append)) == EXPECTED
    assert sum(read) == sum(len(FILES[path]) for path in ("a/tea.txt", "a/my notes.md", "b.html"))


def test_a_single_page_is_named_after_its_file():
    (document,) = read_documents(b"<!DOCTYPE html><p>x", name="pages/tea.htm")
    assert (document.doc_id, document.format) == ("tea", "html")
    (document,) = read_documents(b"Tea\n===\n", name="pages/tea.md")
    assert (document.doc_id, document.text, document.format) == ("tea", "Tea\n===\n", "markdown")


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (b'<html><meta charset="windows-1251">\xe4\xe0', "да"),
        (b"<html>\xef\xbb\xbf\xff\0", "\ufeff\ufffd\ufffd"),
        (b'<html><meta charset="punycode">\xc3\xa9', "é"),
        (b'<html><meta charset="iso-8859-1">\x80', "€"),
    ],
)
def test_html_may_declare_an_encoding_of_the_web(page, text):
    (document,) = read_documents(page, name="a.html")
    assert document.text.endswith(text)


LINK = {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"}


@pytest.mark.parametrize("path", ["../a.txt", "/a.txt", "a/../../b.txt", "a\\..\\b.txt", "C:/a.txt"])
@pytest.mark.parametrize("archive", [zipped, tarred])
def test_a_path_out_of_the_archive_is_refused(archive, path):
    assert "leads out of the archive" in refusal(archive({path: b"x"}))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (zipped({"a.zip": zipped({"b.txt": b"x"})}), "is an archive"),
        (zipped({"a.txt": zipped({"b.txt": b"x"})}), "is an archive"),
        (tarred({"a.txt": tarred({"b.txt": b"x"})}), "is an archive"),
        (zipped({"a.txt": gzip.compress(b"x")}), "is compressed"),
        (zipped({"a.pdf": b"x"}), "ends with .pdf"),
        (zipped({"a.txt": b"\xff"}), "f.zip, a.txt, line 1: byte 0xFF"),
        (zipped({"a.txt": b"x", "a.md": b"x"}), "document 'a' is already"),
        (zipped({"a.txt": b"x"}, zipfile.ZIP_LZMA), "an unusual method"),
        (zipped({}), "no documents"),
        (zipped({"a.txt": b"x"})[:-10], "corrupt"),
        (tarred({"a.txt": b"x"}, **LINK), "a link or a device"),
        (tarred({"a.txt": b"x" * 2000})[:900], "corrupt"),
    ],
    ids=lambda value: value if isinstance(value, str) else "archive",  # the bytes contain the time
)
def test_an_invalid_archive_is_refused(data, words):
    assert words in refusal(data)


def test_a_link_in_a_zip_archive_is_refused():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        info = zipfile.ZipInfo("a.txt")
        info.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(info, "/etc/passwd")
    assert "a link" in refusal(content.getvalue())


@pytest.mark.parametrize("archive", [zipped, tarred])
def test_sizes_are_limited(archive):
    data = archive({f"{number}.txt": b"x" * 1000 for number in range(30)})
    assert "more than 500 bytes" in refusal(data, max_document_bytes=500)
    assert "more than" in refusal(data, max_bytes=20_000)


def test_a_zip_bomb_is_refused():
    assert "more than 1,000,000 bytes" in refusal(zipped({"a.txt": bytes(50_000_000)}), max_document_bytes=1_000_000)


def test_a_list_of_files_that_is_too_long_is_refused_before_it_is_read():
    data = bytearray(zipped({"a.txt": b"x"}))
    struct.pack_into("<L", data, data.rfind(b"PK\x05\x06") + 12, 1 << 30)
    assert "the list of files has 1,073,741,824 bytes" in refusal(bytes(data))


def test_a_header_of_tar_that_is_too_long_is_refused():
    info = tarfile.TarInfo("a.txt")
    info.pax_headers = {"comment": "x" * 100_000}
    assert "corrupt" in refusal(info.tobuf(tarfile.PAX_FORMAT) + bytes(1024))


def test_too_many_files_are_refused_before_any_is_read(monkeypatch):
    monkeypatch.setattr("pooling.formats.pages.archives.MAX_MEMBERS", 2)
    read = []
    monkeypatch.setattr("pooling.formats.pages.archives.page", lambda *page: read.append(page))
    data = zipped({f"{number}.txt": b"x" for number in range(3)})
    assert refusal(data) == "f.zip: there are more than 2 files; this is the limit"
    assert read == []


def test_a_negative_size_in_a_tar_archive():
    data = bytearray(tarred({"a.txt": b"Green tea."}))
    data[124:136] = tarfile.itn(-1, 12, tarfile.GNU_FORMAT)
    data[148:156] = b"%06o\0 " % tarfile.calc_chksums(bytes(data[:512]))[0]
    assert "the TAR archive is corrupt" in refusal(bytes(data))


@pytest.mark.parametrize("path", ["..\\..\\x.txt", "a\\..\\x.txt", "\\x.txt", "C:\\x.txt"])
def test_paths_with_backslashes_lead_out_of_the_archive(path):
    assert "leads out of the archive" in refusal(zipped({path: b"x"}))
    assert "leads out of the archive" in refusal(tarred({path: b"x"}))
