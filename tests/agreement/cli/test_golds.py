"""`assay shift` takes tables, sheets and exports as golds: one for each judge."""

import csv
import io

import pytest

from agreement.cli.main import main
from tests.cases import CASES

TABLES = CASES.parent / "tables"
RUN = "q1 Q0 d1 1 3 a\nq1 Q0 d2 2 2 a\n01 Q0 007 1 3 a\n01 Q0 8 2 2 a\n"


@pytest.fixture
def shift(tmp_path, capsys):
    """A function that runs the command with golds; it returns the exit code, the rows of the scores and stderr."""

    def shift(*golds: str):
        for system, order in (("a", RUN), ("b", RUN.replace(" 3 a", " 1 b").replace(" 2 a", " 2 b"))):
            (tmp_path / f"{system}.run").write_text(order)
        runs = [str(tmp_path / "a.run"), str(tmp_path / "b.run")]
        code = main(["shift", "--csv", "--run", *runs, *golds])
        captured = capsys.readouterr()
        return code, list(csv.DictReader(io.StringIO(captured.out))), captured.err

    return shift


@pytest.mark.parametrize("name", ["other_header_names.csv", "one_column_a_judge.csv", "leading_zeros.xlsx"])
def test_a_table_gives_a_gold_for_each_judge(shift, name):
    code, rows, _ = shift("--gold", str(TABLES / name))
    assert code == 0
    assert {row["gold"] for row in rows} == {"ada", "bob"}


def test_scores_equal_those_of_the_same_grades_as_qrels(shift, tmp_path):
    qrels = tmp_path / "ada.qrels"
    qrels.write_text("q1 0 d1 1\nq1 0 d2 0\n")
    _, of_qrels, _ = shift("--gold", str(qrels))
    _, of_table, _ = shift("--gold", str(TABLES / "other_header_names.csv"))
    assert [row["score"] for row in of_table if row["gold"] == "ada"] == [row["score"] for row in of_qrels]


def test_labels_of_an_export_are_mapped(shift):
    path = str(TABLES / "doccano_one_file_a_user.zip")
    code, _, error = shift("--gold", path)
    assert (code, "label 'Relevant' is not allowed" in error) == (2, True)
    code, rows, error = shift("--gold", path, "--map", "Relevant=1,Not relevant=0")
    assert (code, {row["gold"] for row in rows}) == (0, {"ada", "bob"})
    assert "ada: 1 row without a judgement left out, 1 label mapped (Not relevant=0,Relevant=1)." in error


def test_columns_are_named(shift, tmp_path):
    path = tmp_path / "panel.csv"
    path.write_text("who,need,paper,mark\neve,q1,d1,1\neve,q1,d2,0\n")
    code, _, error = shift("--gold", str(path))
    assert code == 2
    assert "panel.csv" in error
    code, rows, _ = shift("--gold", str(path), "--columns", "assessor=who,query_id=need,doc_id=paper,relevance=mark")
    assert (code, {row["gold"] for row in rows}) == (0, {"eve"})


def test_two_files_of_one_judge_are_refused(shift):
    path = str(TABLES / "other_header_names.csv")
    code, _, error = shift("--gold", path, "--gold", str(TABLES / "one_column_a_judge.csv"))
    assert code == 2
    assert "Two files have the gold 'ada'. Leave one out." in error


def test_words_of_qrels_cannot_be_mapped(shift, tmp_path):
    qrels = tmp_path / "ada.qrels"
    qrels.write_text("q1 0 d1 1\n")
    code, _, error = shift("--gold", str(qrels), "--map", "Relevant=1")
    assert (code, "The grades of qrels are whole numbers" in error) == (2, True)
