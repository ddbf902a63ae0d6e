"""`assay trust`: the report in each form, its folder, and refusals."""

import csv
import io
import json

import pytest

from agreement.cli.main import main
from pooling import read_qrels
from pooling.draws import draw_by_stratum
from pooling.draws.files import write_draw
from tests.agreement.trust.judged_runs import judged_runs


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Runs, two people and two models; "shares" has fractions."""
    folder = tmp_path_factory.mktemp("trust")
    runs, people, models = judged_runs(n_systems=5, n_topics=10, people=2)
    for system, rows in runs.groupby("system"):
        ranked = rows.assign(rank=rows.groupby("query_id")["score"].rank(ascending=False).astype(int))
        lines = (f"{r.query_id} Q0 {r.doc_id} {r.rank} {r.score} {system}\n" for r in ranked.itertuples())
        (folder / f"{system}.run").write_text("".join(lines))
    golds = {
        **people,
        "good": models["good"],
        "shares": models["good"].assign(relevance=models["good"]["relevance"] / 3),
    }
    for name, gold in golds.items():
        lines = (f"{r.query_id} 0 {r.doc_id} {r.relevance:g}\n" for r in gold.itertuples())
        (folder / f"{name}.qrels").write_text("".join(lines))
    (folder / "docs.tsv").write_text("".join(f"d{number:02}\ttext {'word ' * number}\n" for number in range(20)))
    (folder / "topics.tsv").write_text("".join(f"t{number:02}\tword {number}\n" for number in range(10)))
    return folder


@pytest.fixture
def options(files):
    runs = [str(path) for path in sorted(files.glob("*.run"))]
    people = [str(files / f"p{number}.qrels") for number in (0, 1)]
    models = [str(files / "good.qrels"), str(files / "shares.qrels")]
    return ["trust", "--run", *runs, "--human", *people, "--judge", *models, "--draws", "20", "--seed", "1"]


@pytest.mark.slow
def test_the_report_has_the_verdicts_and_what_was_assumed(options, capsys):
    assert main(options) == 0
    out = capsys.readouterr().out
    assert out.startswith("2 models for ranking 5 systems by nDCG@10, compared with p0: ")
    assert "No scale was declared; it is 0, 1, 2, 3." in out
    assert (
        "A verdict needs: tau_b at most 0.05 below that of another person, on 10 topics and 5 systems or more." in out
    )


@pytest.mark.slow
def test_csv_is_the_table_of_verdicts_and_notes_are_on_stderr(options, capsys):
    assert main([*options, "--csv"]) == 0
    printed = capsys.readouterr()
    assert [row["model"] for row in csv.DictReader(io.StringIO(printed.out))] == ["good", "shares"]
    assert "No lowest relevant grade was given; it is 2." in printed.err


@pytest.mark.slow
def test_json_has_all_tables(options, capsys):
    assert main([*options, "--json", "--judge-rel", "shares:0.6"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert {row["compared"] for row in content["annotator_test"]} == {"grades", "relevance"}


@pytest.mark.slow
@pytest.mark.parametrize(("form", "begin"), [("--markdown", "## Verdicts"), ("--latex", r"\begin{tabular}")])
def test_other_forms(options, capsys, form, begin):
    assert main([*options, form]) == 0
    assert begin in capsys.readouterr().out


@pytest.mark.slow
def test_texts_add_the_tests_of_over_rating(options, files, capsys):
    texts = ["--documents", str(files / "docs.tsv"), "--topics", str(files / "topics.tsv")]
    assert main([*options, *texts, "--json", "--group", "even=s0[024]"]) == 0
    tests = {(row["model"], row["test"]): row for row in json.loads(capsys.readouterr().out)["gaming_tests"]}
    assert tests["good", "over-rating by length"]["effect"] is not None
    assert tests["good", "group preference: even"]["p"] is not None


@pytest.mark.slow
def test_the_folder_has_report_tables_figures_and_manifest(options, tmp_path, capsys):
    out = tmp_path / "out"
    assert main([*options, "--out", str(out)]) == 0
    capsys.readouterr()
    names = {path.name for path in (out / "figures").iterdir()}
    assert {"ranking.svg", "bought_ranks_1.pdf", "grades_1.png", "calibration_2.svg"} <= names
    assert (out / "tables" / "verdicts.csv").exists()
    assert json.loads((out / "manifest.json").read_text())["seed"] == 1


@pytest.mark.slow
def test_grades_of_a_draw_rank_by_corrected_scores(options, files, capsys, tmp_path):
    """The folder has no figure of a ranking under people, who graded only the draw."""
    graded, draw, out = (str(tmp_path / name) for name in ("graded.qrels", "draw.json", "out"))
    gold = read_qrels(str(files / "p0.qrels"))
    drawn = draw_by_stratum(gold[["query_id", "doc_id"]], 5, seed=7)
    write_draw(drawn, draw)
    pairs = drawn.drawn[["query_id", "doc_id"]].merge(gold)
    (tmp_path / "graded.qrels").write_text(
        "".join(f"{row.query_id} 0 {row.doc_id} {row.relevance:g}\n" for row in pairs.itertuples())
    )
    options[options.index(str(files / "p0.qrels"))] = graded
    assert main([*options, "--draw", draw, "--out", out]) == 0
    printed = capsys.readouterr().out
    assert "The ranking by corrected scores" in printed
    assert "The ranking under each judge" not in printed
    names = {path.name for path in (tmp_path / "out" / "figures").iterdir()}
    assert "scores_1.svg" in names
    assert not names & {"ranking.svg", "bought_ranks_1.svg"}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--judge-rel", "much"], "--judge-rel must be N or MODEL:N, such as nuggets:0.5, not 'much'"),
        (["--judge-rel", "x:1"], "--judge-rel names 'x', which is not one of the models good, shares"),
        (["--margin", "-1"], "--margin must be a number of at least 0"),
        (["--measure", "E@10"], "for which higher is better"),
        (["--scale", "0,1"], "is not on the scale 0, 1"),
    ],
)
def test_refusals_name_the_option(options, capsys, more, message):
    assert main([*options, *more]) == 2
    assert message in capsys.readouterr().err


def test_contradicting_duplicates_name_the_option(options, files, capsys):
    (files / "twice.qrels").write_text("t00 0 d00 1\nt00 0 d00 2\n")
    assert main([*options, "--judge", str(files / "twice.qrels")]) == 2
    assert "--duplicates last" in capsys.readouterr().err
