"""doccano's export of several annotators: a ZIP file with one file for each user."""

import io
import zipfile
from pathlib import Path

import pytest

from agreement import read_judgements
from pooling import TrecFormatError, recognise

FILE = Path(__file__).parents[2] / "data" / "tables" / "doccano_one_file_a_user.zip"
MAPPING = {"Relevant": 1, "Not relevant": 0}
RECORD = b'{"id":1,"text":"t","query_id":"q1","doc_id":"d1","label":%s}\n'


def archive(tmp_path, files):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return path


def read(path, **options):
    return read_judgements(path, scale=(0, 1), mapping=MAPPING, **options)


def test_each_file_is_a_judge_and_an_empty_list_is_no_judgement():
    assert recognise(FILE).format == "doccano_zip"
    assert read(FILE).judgements.to_numpy().tolist() == [
        ["ada", "q1", "d1", 1],
        ["bob", "q1", "d1", 0],
        ["bob", "q1", "d2", 1],
    ]


def test_a_user_without_labels_is_a_judge_without_judgements(tmp_path):
    path = archive(tmp_path, {"ada.jsonl": RECORD % b"[]", "bob.jsonl": RECORD % b'["Relevant"]', "._x.jsonl": b"\x00"})
    assert read(path).counts.set_index("assessor")["judgements"].to_dict() == {"ada": 0, "bob": 1}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"ada.jsonl": RECORD % b"[]", "bob.jsonl": b"hello"},
            "bob.jsonl: the file is no export of doccano",
        ),
        ({"ada.jsonl": RECORD % b"[]", "x/ada.json": RECORD % b"[]"}, "two files are of the user 'ada'"),
        ({"ada.jsonl": RECORD % b'["a","b"]'}, r"ada.jsonl, line 1: 2 labels"),
    ],
)
def test_other_files_are_refused(tmp_path, files, message):
    path = archive(tmp_path, files)
    with pytest.raises(TrecFormatError if "labels" not in message else ValueError, match=message):
        read(path)
    if "labels" in message:
        assert len(read(path, on_error="report").problems) == 1


def test_large_and_broken_archives_are_refused(tmp_path):
    path = tmp_path / "large.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as opened:
        opened.writestr("ada.jsonl", RECORD % b"[]" + b" " * 9000)
    with pytest.raises(TrecFormatError, match="more than 5,000 bytes"):
        read(path, max_bytes=5000)
    path = tmp_path / "export.zip"
    path.write_bytes(FILE.read_bytes()[:-100])
    with pytest.raises(TrecFormatError, match="the ZIP file cannot be read"):
        read(path)


def test_a_name_cannot_be_given():
    with pytest.raises(ValueError, match="the file names its judges, so the name 'x' cannot be given"):
        read({"x": FILE})


def test_archives_of_documents_are_no_exports():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as opened:
        opened.writestr("a.json", "{}")
        opened.writestr("b.txt", "text")
    assert recognise(content.getvalue()).format == "zip"
