"""Judgements with ids that a spreadsheet has probably changed are refused, whatever the format of their file."""

from pathlib import Path

import pytest

from agreement import read_judgements
from pooling import TrecFormatError
from tests.agreement.judge_files.test_sheets import rows, xlsx
from tests.agreement.judge_files.test_user_archive import archive

CASES = Path(__file__).parents[2] / "data" / "cases"


def test_a_file_that_a_spreadsheet_has_changed_is_refused():
    with pytest.raises(TrecFormatError) as error:
        read_judgements(CASES / "spreadsheet_ids.csv", scale=(0, 1))
    assert str(error.value) == (
        f"{CASES}/spreadsheet_ids.csv, line 2: query_id '301.0' looks changed by a spreadsheet; take the ids from the "
        "original data, and export the column as text"
    )


def test_two_changed_ids_never_become_one_document(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text((CASES / "spreadsheet_ids.csv").read_text().replace("301.0", "301"))
    read = read_judgements(path, scale=(0, 1), on_error="report")
    assert read.judgements.empty
    assert read.problems["line"].tolist() == [2, 3, 4]
    assert read.problems["value"].tolist() == ["1.23457E+11", "1.23457E+11", "1-May"]


def test_a_sheet_with_changed_ids_is_refused(tmp_path):
    sheet = xlsx(tmp_path, [["query_id", "doc_id", "relevance"], ["301", "1-May", 1]])
    with pytest.raises(TrecFormatError, match=r"line 2: doc_id '1-May' looks changed by a spreadsheet"):
        read_judgements({"ada": sheet}, scale=(0, 1))


def test_a_sheet_with_an_id_that_is_too_large_for_a_number_is_refused(tmp_path):
    header = ["query_id", "doc_id", "relevance"]
    assert len(rows(xlsx(tmp_path, [header, [301, 123456789012345, 1]]))) == 1
    sheet = xlsx(tmp_path, [header, [301, 1234567890123451, 1]])
    with pytest.raises(TrecFormatError, match=r"line 2: cell B2 is a number of 16 digits, of which .* keeps 15;"):
        read_judgements({"ada": sheet}, scale=(0, 1))


def test_qrels_of_a_judge_with_changed_ids_are_refused():
    with pytest.raises(TrecFormatError, match=r"line 1: doc_id 'May-01' looks changed"):
        read_judgements({"ada": b"301 0 May-01 0.5\n"}, scale=(0, 1), rounding="up")


def test_an_export_with_changed_ids_is_refused():
    export = b"query,docid,rating\ntea,1-May,1\n"
    with pytest.raises(TrecFormatError, match=r"doc_id '1-May' looks changed"):
        read_judgements({"ada": export}, scale=(0, 1))


def test_an_archive_of_users_with_changed_ids_is_refused(tmp_path):
    record = b'{"id": 1, "text": "t", "query_id": "301", "doc_id": "1-May", "label": ["1"]}\n'
    path = archive(tmp_path, {"ada.jsonl": record})
    with pytest.raises(TrecFormatError, match=r"ada.jsonl, line 1: doc_id '1-May' looks changed"):
        read_judgements(path, scale=(0, 1))
