"""The commands say which ids match nothing between their files, and repair them on request."""

import json

import pandas as pd
import pytest

from agreement.cli.main import main
from tests.realdata import PROJECT

CASES = PROJECT / "tests" / "data" / "cases"
RUNS = [str(CASES / f"zeros_{name}.run") for name in ("alpha", "beta", "gamma")]
ADA, BOB = (f"{name}={CASES / f'zeros_{file}.qrels'}" for name, file in (("ada", "ada"), ("bob", "bob_spreadsheet")))
REPAIR = ["--repair-ids", "leading-zeros"]


def output(capsys, *words: str) -> tuple[str, str]:
    assert main(list(words)) == 0
    printed = capsys.readouterr()
    return " ".join(printed.out.split()), printed.err


@pytest.mark.in_ci
def test_kappa_says_what_matches_nothing(capsys):
    text, _ = output(capsys, "kappa", ADA, BOB, "--scale", "0,1")
    assert "10 of 25 topics of bob match nothing in ada: '90' may be '090' (leading zeros);" in text
    assert "--repair-ids leading-zeros reads 10 so. They have 300 of 750 judgements." in text
    assert "15 topics and 450 documents in common" in text


@pytest.mark.in_ci
def test_kappa_repairs_ids_by_those_of_the_judge_before(capsys):
    text, _ = output(capsys, "kappa", ADA, BOB, "--scale", "0,1", *REPAIR)
    assert text.startswith("10 topics of bob are repaired (leading zeros): '90' is read as '090'.")
    assert "25 topics and 750 documents in common" in text
    assert "match nothing" not in text


@pytest.mark.in_ci
def test_shift_says_what_matches_nothing_in_the_runs(capsys):
    text, _ = output(capsys, "shift", "--run", *RUNS, "--gold", BOB, "--gold", ADA)
    assert (
        "10 of 25 topics of bob match nothing in the runs: '90' may be '090' (leading zeros); "
        "--repair-ids leading-zeros reads 10 so. They have 300 of 750 judgements. The headline does not count them."
    ) in text
    repaired, _ = output(capsys, "shift", "--run", *RUNS, "--gold", BOB, "--gold", ADA, *REPAIR)
    assert repaired.startswith("10 topics of bob are repaired (leading zeros): '90' is read as '090'.")
    assert "tau_b -1.000, 25 topics" in repaired


@pytest.mark.in_ci
def test_the_notes_of_csv_are_on_stderr(capsys):
    for words in (["kappa", ADA, BOB, "--scale", "0,1", "--csv"], ["shift", "--run", *RUNS, "--gold", BOB, "--csv"]):
        text, errors = output(capsys, *words)
        assert "match nothing" not in text
        assert "10 of 25 topics of bob match nothing" in errors


def test_the_headline_does_not_count_topics_that_both_golds_and_no_run_have(capsys):
    text, _ = output(capsys, "shift", "--run", *RUNS, "--gold", BOB, "--gold", BOB.replace("bob=", "carl="))
    assert "tau_b 1.000, 15 topics" in text.partition("10 of 25 topics of bob match nothing")[0]


@pytest.mark.slow
def test_the_repair_is_in_the_json_of_kappa(capsys):
    text, _ = output(capsys, "kappa", ADA, BOB, "--scale", "0,1", "--json", *REPAIR)
    options = {row["assessor"]: row["options"] for row in json.loads(text)["judges"]}
    assert options["bob"]["repair_ids"] == "leading-zeros"
    assert options["bob"]["repaired_topics"] == 10
    unrepaired, _ = output(capsys, "kappa", ADA, BOB, "--scale", "0,1", "--json")
    assert [row["options"]["unmatched_topics"] for row in json.loads(unrepaired)["judges"]] == [10, 10]


@pytest.mark.slow
def test_the_repair_is_in_the_tables_of_shift(capsys, tmp_path):
    folder = tmp_path / "shift"
    output(capsys, "shift", "--run", *RUNS, "--gold", BOB, "--gold", ADA, "--out", str(folder), *REPAIR)
    row = pd.read_csv(next(folder.rglob("ids.csv")), dtype=str).iloc[0]
    assert row[["gold", "ids", "n", "unmatched", "repair", "applied", "repaired"]].tolist() == (
        ["bob", "topic", "25", "0", "leading-zeros", "True", "10"]
    )


def test_an_unknown_repair_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["kappa", ADA, BOB, "--repair-ids", "zeros"])
    assert "invalid choice: 'zeros'" in capsys.readouterr().err
