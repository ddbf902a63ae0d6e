"""CSV that commands write has no cell that a spreadsheet runs as a formula."""

import csv
import io

import pytest

from agreement.cli.main import main
from pooling.formula_cells import FORMULA_STARTS

SYSTEM = '=HYPERLINK("http://example.org")'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, system in enumerate((SYSTEM, "@bm25"), start=1):
        ranked = [f"Q0 d{(number + rank) % 3} {rank} {9 - rank} {system}" for rank in (1, 2, 3)]
        lines = [f"{topic} {line}" for topic in "12" for line in ranked]
        (tmp_path / f"{number}.run").write_text("\n".join(lines) + "\n")
    for judge in ("+ann", "ben"):
        lines = [f"{topic} 0 d{doc} {int(doc == len(judge) % 3)}" for topic in "12" for doc in range(3)]
        (tmp_path / f"{judge}.qrels").write_text("\n".join(lines) + "\n")
    return tmp_path


def cells_of(text):
    return [cell for row in csv.reader(io.StringIO(text)) for cell in row]


def formulas(text):
    return [cell for cell in cells_of(text) if cell.startswith(FORMULA_STARTS[:-1]) and not is_number(cell)]


def is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.mark.slow
def test_tables_of_a_shift(folder, capsys):
    arguments = [
        "shift",
        "--run",
        "1.run",
        "2.run",
        "--gold",
        "+ann=+ann.qrels",
        "--gold",
        "ben=ben.qrels",
        "--measure",
        "AP",
    ]
    main([*arguments, "--out", "out"])
    tables = [path.read_text() for path in sorted((folder / "out").rglob("*.csv"))]
    assert any(f"'{SYSTEM}" in cells_of(text) for text in tables)
    assert [formulas(text) for text in tables] == [[] for _ in tables]
    capsys.readouterr()
    main([*arguments, "--csv"])
    assert formulas(capsys.readouterr().out) == []


def test_table_of_kappas(folder, capsys):
    main(["kappa", "+ann=+ann.qrels", "ben.qrels", "--csv"])
    out = capsys.readouterr().out
    assert "'+ann" in cells_of(out)
    assert formulas(out) == []
