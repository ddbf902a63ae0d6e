"""`assay drift`: the report in each form, the ranking, and refusals."""

import csv
import io
import json

import pytest

from agreement.cli.main import main
from agreement.trust import drift
from tests.agreement.cli.test_trust import files  # noqa: F401
from tests.agreement.trust.judged_runs import judged_runs

SCALE = ["--scale", "0,1,2,3"]
RUNS, PEOPLE, MODELS = judged_runs(n_systems=5, n_topics=10, people=2)


@pytest.fixture
def options(files):  # noqa: F811
    return ["drift", "--before", str(files / "p0.qrels"), "--after", str(files / "p1.qrels")]


@pytest.fixture
def runs(files):  # noqa: F811
    return ["--run", *(str(path) for path in sorted(files.glob("*.run")))]


def test_csv_is_that_of_the_library(options, capsys):
    expected = drift(PEOPLE["p0"], PEOPLE["p1"], (0, 1, 2, 3)).frame
    assert main([*options, *SCALE, "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["figure"] for row in rows] == ["changed", "difference"]
    assert [float(row["value"]) for row in rows] == pytest.approx(expected["value"].tolist())
    assert [float(row["low"]) for row in rows] == pytest.approx(expected["low"].tolist())


def test_json_has_summary_tables_and_ranking(options, runs, files, capsys):  # noqa: F811
    repeats = ["--repeat", str(files / "p0.qrels"), str(files / "good.qrels")]
    assert main([*options, *SCALE, *repeats, *runs, "--measure", "AP(rel=2)", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content) == ["summary", "drift", "confusion", "changes", "ranking", "ranks", "swaps"]
    assert [row["figure"] for row in content["drift"]] == ["changed", "difference", "repeats", "beyond repeats"]
    assert content["ranking"][0]["n_systems"] == 5
    assert "Ranking: " in content["summary"]


@pytest.mark.parametrize("form", [[], ["--markdown"], ["--latex"]])
def test_text_begins_with_the_answer(options, runs, files, capsys, form):  # noqa: F811
    assert main([*options, *runs, "--gold", str(files / "p0.qrels"), *form]) == 0
    note, answer = capsys.readouterr().out.split("\n\n")[:2]
    assert note.startswith("No scale was declared. The grades 0, 1, 2, 3 are used")
    assert " grades changed (" in answer


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--repeat", "FILES/p0.qrels"], "--repeat needs two or more files"),
        (["--gold", "FILES/p0.qrels"], "--gold is for the ranking of systems and needs --run"),
        (["--scale", "0,1"], "A grade is not on the scale 0, 1"),
        (["--scale", "x"], "--scale must be whole numbers"),
        (["--after", "FILES/none.qrels"], "No such file"),
    ],
)
def test_refusals(options, files, capsys, more, message):  # noqa: F811
    assert main([*options, *(text.replace("FILES", str(files)) for text in more)], prog="assay") == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.startswith("assay: ")
