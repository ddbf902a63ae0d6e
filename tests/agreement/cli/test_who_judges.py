"""`assay who_judges`: the list of pairs in each form, its length, and refusals."""

import csv
import io
import json

import pytest

from agreement.cli.main import main
from agreement.trust.who_judges import who_judges
from pooling.cli.draw import main as draw
from pooling.draws.files import read_draw
from tests.agreement.cli.test_trust import files  # noqa: F401
from tests.agreement.trust.judged_runs import judged_runs


@pytest.fixture
def options(files):  # noqa: F811
    runs = [str(path) for path in sorted(files.glob("*.run"))]
    return ["who_judges", "--run", *runs, "--judge", str(files / "good.qrels"), "--scale", "0,1,2,3"]


@pytest.fixture
def graded(files, tmp_path):  # noqa: F811
    """p0 has graded the first 30 pairs."""
    path = tmp_path / "graded.qrels"
    path.write_text("".join((files / "p0.qrels").read_text().splitlines(keepends=True)[:30]))
    return ["--human", str(path)]


def rows(capsys) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


@pytest.mark.in_ci
def test_list_is_that_of_the_library(options, graded, capsys):
    runs, people, models = judged_runs(n_systems=5, n_topics=10, people=2)
    expected = who_judges(runs, models["good"], "nDCG@10", people["p0"][:30], scale=(0, 1, 2, 3)).pairs
    assert main([*options, *graded, "--csv"]) == 0
    found = rows(capsys)
    assert [(row["query_id"], row["doc_id"]) for row in found] == list(
        zip(expected["query_id"], expected["doc_id"], strict=True)
    )
    assert [float(row["gain"]) for row in found] == pytest.approx(expected["gain"].tolist())
    assert {row["model_grade"] for row in found} == {"0", "1", "2", "3"}


def test_text_begins_with_the_headline(options, graded, capsys):
    assert main([*options, *graded]) == 0
    out = capsys.readouterr().out
    assert " pairs of 170 have half of the expected gain (nDCG@10, 5 systems, 10 topics). Document " in out
    assert "The first 20 of 170 pairs. Grades of the first pairs cannot correct scores" in out
    assert out.count("people's grades vary by") == 21, "in the headline, and in each row"


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_size_is_the_number_of_pairs(options, capsys, size):
    assert main([*options, "--csv", "--size", str(size)]) == 0
    assert len(rows(capsys)) == min(size, 200)
    assert main([*options, "--json", "--size", str(size)]) == 0
    content = json.loads(capsys.readouterr().out)
    assert (len(content["pairs"]), content["n_known"]) == (min(size, 200), 0)
    assert content["summary"].startswith(tuple("123456789"))
    assert " of 200 have half" in content["summary"], "of all pairs, not of those listed"


@pytest.mark.parametrize(("form", "begin"), [("--markdown", "| query id | doc id"), ("--latex", r"\begin{tabular}")])
def test_other_forms(options, capsys, form, begin):
    assert main([*options, form, "--size", "2"]) == 0
    assert begin in capsys.readouterr().out


def test_undeclared_scale_goes_to_the_highest_grade_of_anybody(options, files, capsys):  # noqa: F811
    low = files / "low.qrels"
    low.write_text("t00 0 d00 0.5\nt00 0 d01 1\n")
    arguments = [*options[: options.index("--judge")], "--judge", str(low), "--json"]
    assert main(arguments) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["scale"] == [0, 1]
    assert "No scale was declared. The grades 0, 1 are used" in printed.err
    assert main([*arguments, "--human", str(files / "p1.qrels")]) == 0
    assert json.loads(capsys.readouterr().out)["scale"] == [0, 1, 2, 3]


def test_everything_graded_is_one_sentence(options, files, capsys):  # noqa: F811
    assert main([*options, "--human", str(files / "p0.qrels")]) == 0
    out = capsys.readouterr().out
    assert out == (
        "No grade of people is expected to change a difference of systems (nDCG@10, 5 systems, 10 topics).\n"
    )


def test_adjacent_systems(options, capsys):
    assert main([*options, "--compare", "adjacent", "--json", "--size", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["systems"] == "adjacent"


def test_gains_are_what_a_draw_reads(options, capsys, tmp_path):
    gains, out = tmp_path / "gains.csv", tmp_path / "draw.json"
    assert main([*options, "--csv"]) == 0
    gains.write_text(capsys.readouterr().out)
    arguments = ["--pairs", str(gains), "--poisson", str(gains), "--size", "30", "--seed", "7", "--out", str(out)]
    assert draw(arguments) == 0
    drawn = read_draw(out)
    assert len(drawn.frame) == 200
    assert drawn.expected_size == pytest.approx(30)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--size", "0"], "--size must be a whole number of at least 1, not 0."),
        (["--measure", "XYZ"], "Unknown measure 'XYZ'"),
        (["--scale", "0,1"], "the model has the grade 3.0, but the scale is from 0 to 1."),
        (["--scale", "a"], "--scale must be whole numbers separated by commas"),
    ],
)
def test_refusals_name_the_option(options, capsys, more, message):
    assert main([*options, *more]) == 2
    assert message in capsys.readouterr().err


def test_one_model_and_one_gold_of_people(options, files, capsys):  # noqa: F811
    assert main([*options, "--judge", str(files / "shares.qrels")]) == 2
    assert "--judge must be the grades of one model, not of 2: good, shares." in capsys.readouterr().err
    assert main([*options, "--human", str(files / "p0.qrels"), str(files / "p1.qrels")]) == 2
    assert "--human must be one gold of people, not 2: p0, p1." in capsys.readouterr().err


def test_contradicting_duplicates_name_the_option(options, files, capsys):  # noqa: F811
    twice = files / "twice.qrels"
    twice.write_text("t00 0 d00 1\nt00 0 d00 2\n")
    arguments = [*options[: options.index("--judge")], "--judge", str(twice), "--scale", "0,1,2,3"]
    assert main(arguments) == 2
    assert "--duplicates last" in capsys.readouterr().err
    assert main([*arguments, "--duplicates", "last", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"][0]["model_grade"] == 2


def test_options_are_listed(capsys):
    with pytest.raises(SystemExit) as exit_:
        main(["who_judges", "--help"], prog="assay")
    assert exit_.value.code == 0
    out = capsys.readouterr().out
    assert out.startswith("usage: assay who_judges ")
    assert "--compare {all,adjacent}" in out
