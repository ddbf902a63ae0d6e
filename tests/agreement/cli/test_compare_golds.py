"""`assay compare_golds`: the report, the table as CSV, and refusals."""

import csv
import io

import pytest

from agreement.cli.main import main


@pytest.fixture
def judges(tmp_path):
    """Files of three judges on 8 documents of one topic."""
    for name, grades in {"a": "01100110", "b": "01000110", "c": "01110100"}.items():
        lines = (f"q1 0 d{number} {grade}\n" for number, grade in enumerate(grades))
        (tmp_path / f"{name}.qrels").write_text("".join(lines))
    return [str(tmp_path / f"{name}.qrels") for name in "abc"]


@pytest.mark.slow
def test_the_report_has_each_rule_and_the_seed(judges, capsys):
    assert main(["compare_golds", *judges, "--seed", "7", "--scale", "0,1"]) == 0

    out = capsys.readouterr().out
    assert out.startswith(
        "Preliminary: 1 topic; answers need 10 topics. 24 judgements of 1 topic set aside (5 folds, seed 7); "
    )
    assert [line.split()[0] for line in out.splitlines()[-4:]] == ["majority", "dawid_skene", "glad", "mace"]


@pytest.mark.slow
def test_the_answer_needs_the_topics_of_the_option(judges, capsys):
    options = ["compare_golds", *judges, "--seed", "7", "--scale", "0,1", "--min-topics"]

    assert main([*options, "1"]) == 0
    assert capsys.readouterr().out.startswith("24 judgements of 1 topic set aside (5 folds, seed 7); ")
    assert main([*options, "0"]) == 2
    assert "--min-topics must be a whole number of at least 1, not 0" in capsys.readouterr().err


def test_csv_has_unrounded_values_and_notes_on_stderr(judges, capsys):
    options = ["--seed", "7", "--held-out", "judge", "--rule", "union", "majority", "--csv"]
    assert main(["compare_golds", *judges, *options]) == 0

    printed = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(printed.out)))
    assert [(row["rule"], row["n"], row["log_loss"]) for row in rows] == [("union", "24", ""), ("majority", "24", "")]
    assert "No scale was declared" in printed.err


def test_an_unknown_rule_is_refused(judges, capsys):
    assert main(["compare_golds", *judges, "--seed", "7", "--rule", "vote"]) == 2
    assert "There is no rule 'vote'" in capsys.readouterr().err
