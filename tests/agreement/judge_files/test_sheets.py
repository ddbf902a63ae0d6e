"""Judgements in sheets: texts keep their zeros, numbers become whole numbers, and unreadable cells are refused."""

import datetime
import io
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook

from agreement import read_judgements
from agreement.judge_files.sheets import cell_name
from pooling import TrecFormatError, recognise

TABLES = Path(__file__).parents[2] / "data" / "tables"
HEADER = ("judge", "topic", "document", "grade")


def xlsx(tmp_path, *sheets):
    book = Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets):
        sheet = book.create_sheet(f"S{number}")
        for row in rows:
            sheet.append(row)
            for cell in sheet[sheet.max_row]:
                if cell.value == "#DIV/0!":
                    cell.data_type = "e"
    path = tmp_path / "panel.xlsx"
    book.save(path)
    return path


def ods(tmp_path, rows):
    """A file as LibreOffice writes it, reduced to what is read; a cell is its attributes and text."""
    cells = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell {kind}><text:p>{text}</text:p></table:table-cell>" for kind, text in row)
        + "</table:table-row>"
        for row in rows
    )
    spaces = {
        "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
        "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
        "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
        "calcext": "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0",
    }
    names = " ".join(f'xmlns:{name}="{space}"' for name, space in spaces.items())
    path = tmp_path / "panel.ods"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        manifest = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
        archive.writestr("META-INF/manifest.xml", manifest)
        archive.writestr(
            "content.xml",
            f"<office:document-content {names}><office:body><office:spreadsheet><table:table table:name='S'>{cells}"
            "</table:table></office:spreadsheet></office:body></office:document-content>",
        )
    return path


TEXT, NUMBER = 'office:value-type="string"', 'office:value-type="float" office:value="{}"'
ODS_HEADER = [(TEXT, name) for name in HEADER]


def rows(path, **options):
    read = read_judgements(path, scale=(0, 1), **options)
    return [tuple(row) for row in read.judgements[["assessor", "query_id", "doc_id", "relevance"]].to_numpy().tolist()]


def test_texts_keep_their_zeros():
    path = TABLES / "leading_zeros.xlsx"
    assert recognise(path).format == "judgement_sheet"
    assert rows(path) == [
        ("ada", "01", "007", 1),
        ("ada", "01", "8", 1),
        ("bob", "01", "007", 0),
        ("bob", "01", "8", 1),
    ]
    assert read_judgements(path, scale=(0, 1)).notes() == []


def test_ids_that_are_numbers_are_whole_numbers_and_counted(tmp_path):
    path = xlsx(tmp_path, [HEADER, ("ada", 301, "d1", 1), ("ada", "301", 7, 0)])
    assert rows(path) == [("ada", "301", "d1", 1), ("ada", "301", "7", 0)]
    note = "ada: 2 rows with ids that are numbers, read as whole numbers."
    assert read_judgements(path, scale=(0, 1)).notes() == [note]


def test_a_column_for_each_judge_may_have_empty_cells_and_columns(tmp_path):
    wide = [(), (None, "topic", "document", "ada", "bob"), (None, "1", "a", 1, None), (None, "1", "b", 0, 1)]
    read = read_judgements(xlsx(tmp_path, wide), scale=(0, 1))
    assert read.counts.set_index("assessor")[["judgements", "empty"]].T.to_dict("list") == {
        "ada": [2, 0],
        "bob": [1, 1],
    }


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            ("ada", "1", "a", datetime.date(2024, 3, 1)),
            "line 3: cell D3 is a date or a time; relevance is a text or a num",
        ),
        (("ada", "1", "a", "#DIV/0!"), "cell D3 is a formula without a value"),
        (("ada", "1", "a", "=1/0"), "cell D3 is a formula without a value"),
        (("ada", 1.5, "a", 1), "cell B3 is 1.5; an id is a text or a whole number"),
        (("ada", "1", datetime.datetime(2024, 3, 1, 1), 1), "cell C3 is a date or a time"),  # noqa: DTZ001
    ],
)
def test_unreadable_cells_are_refused_by_name(tmp_path, row, message):
    path = xlsx(tmp_path, [HEADER, ("ada", "1", "b", 1), row])
    with pytest.raises(TrecFormatError, match=message):
        read_judgements(path, scale=(0, 1))
    read = read_judgements(path, scale=(0, 1), on_error="report")
    assert (len(read.judgements), len(read.problems)) == (1, 1)


def test_cells_of_other_columns_are_ignored(tmp_path):
    path = xlsx(
        tmp_path, [(*HEADER, "when"), ("ada", "1", "b", 1, datetime.date(2024, 3, 1)), ("ada", "1", "c", 1, "=1")]
    )
    assert len(rows(path)) == 2


def test_open_document_sheets_are_read(tmp_path):
    path = ods(tmp_path, [ODS_HEADER, [(TEXT, "ada"), (TEXT, "01"), (NUMBER.format(7), "7"), (NUMBER.format(1), "1")]])
    assert recognise(path).format == "judgement_sheet"
    assert rows(path) == [("ada", "01", "7", 1)]
    error = (
        'table:formula="of:=1/0" office:value-type="string" office:string-value="" calcext:value-type="error"',
        "#",
    )
    path = ods(tmp_path, [ODS_HEADER, [(TEXT, "ada"), (TEXT, "01"), (TEXT, "a"), error]])
    with pytest.raises(TrecFormatError, match="cell D2 is a formula without a value"):
        rows(path)


def test_one_sheet_must_be_the_table(tmp_path):
    table = [HEADER, ("ada", "1", "b", 1)]
    assert rows(xlsx(tmp_path, [("notes",)], table)) == [("ada", "1", "b", 1)]
    with pytest.raises(TrecFormatError, match="S0 and S1 are tables of judgements; one sheet"):
        rows(xlsx(tmp_path, table, table))
    with pytest.raises(TrecFormatError, match="missing: relevance"):
        rows(xlsx(tmp_path, [("judge", "topic", "document")]))
    with pytest.raises(TrecFormatError, match="the spreadsheet is empty"):
        rows(xlsx(tmp_path, []))


def test_columns_of_a_sheet_can_be_named(tmp_path):
    path = xlsx(tmp_path, [("who", "topic", "document", "mark"), ("ada", "1", "b", 1)])
    assert rows(path, columns={"assessor": "who", "relevance": "mark"}) == [("ada", "1", "b", 1)]


def test_broken_and_large_files_are_refused(tmp_path):
    content = xlsx(tmp_path, [HEADER, ("ada", "1", "b", 1)]).read_bytes()
    with pytest.raises(TrecFormatError, match="the spreadsheet cannot be read"):
        read_judgements({"x": content[:-200]}, scale=(0, 1))
    (tmp_path / "panel.xlsx").write_bytes(content)
    with pytest.raises(TrecFormatError, match="more than 6,000 bytes"):
        read_judgements(tmp_path / "panel.xlsx", scale=(0, 1), max_bytes=6000)


@pytest.mark.parametrize(("row", "column", "name"), [(7, 1, "B7"), (1, 25, "Z1"), (2, 26, "AA2"), (3, 702, "AAA3")])
def test_names_of_cells(row, column, name):
    assert cell_name(row, column) == name


def test_other_archives_are_no_sheets():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("a.txt", "text")
    assert recognise(content.getvalue()).format == "zip"
