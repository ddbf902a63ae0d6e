"""`assay kappa` on two judges who agree completely in 3 of 12 topics: what enters a mean over topics is stated."""

import csv
import io
import json

import pytest

from agreement import Ratings, mean_pairwise, overall, pairwise, read_judgements
from agreement.cli.main import main
from tests.cases import CASES

FILES = [str(CASES / f"one_category_{judge}.qrels") for judge in "ab"]
LEFT_OUT = "3 topics left out: one category"


@pytest.fixture(scope="module")
def ratings():
    return Ratings.from_judgements(read_judgements(FILES, scale=(0, 1)).judgements, (0, 1))


def test_by_hand(ratings):
    """12 topics of 10 documents: 100 of 120 agree; the three topics of one category agree on all 30."""
    pooled, mean = (overall(ratings, "pooled_kappa", across) for across in ("pooled", "topics"))
    assert (pooled.n, pooled.observed, len(pooled.topics), pooled.left_out) == (120, 100 / 120, 12, "")
    assert (mean.n, mean.n_averaged, len(mean.topics), mean.left_out) == (90, 9, 9, LEFT_OUT)
    assert mean.observed == pytest.approx(70 / 90)
    for weights in ("identity", "linear"):
        frame = pairwise(ratings, ["pooled_kappa", "gwet_ac"], "topics", weights=weights)
        row = frame.iloc[0]
        assert (row["n"], row["topics"], row["observed"]) == (120, 12, pytest.approx(100 / 120))
        names = ("n", "n_topics", "left_out")
        assert [row[f"pooled_kappa_{name}"] for name in names] == [90, 9, 3]
        assert row["pooled_kappa_observed"] == pytest.approx(70 / 90)
        assert [row[f"gwet_ac_{name}"] for name in names] == [120, 12, 0]
        assert row["gwet_ac_observed"] == pytest.approx(100 / 120)


def test_means_over_pairs_state_the_topics_that_pairs_left_out(ratings):
    mean = mean_pairwise(ratings, "cohen_kappa", across="topics")
    assert (mean.n, mean.n_averaged, mean.left_out) == (90, 1, "")
    assert mean.warnings == (f"in the pairs: {LEFT_OUT}",)


def run(capsys, *options):
    main(["kappa", *FILES, "--scale", "0,1", *options])
    return capsys.readouterr().out


@pytest.mark.parametrize("style", [[], ["--markdown"], ["--latex"]])
def test_text(capsys, style):
    text = run(capsys, *style)
    section = text.split("Mean of the values of the topics")[1].split("Relevant documents")[0]
    assert f"n = 90, P(A) = 0.778, mean of 9 topics, {LEFT_OUT}. Intervals: 95" in " ".join(section.split())
    pooled = text.split("Mean of the values of the topics")[0]
    assert "0.833" in pooled


@pytest.mark.in_ci
def test_csv_and_json(capsys):
    rows = list(csv.DictReader(io.StringIO(run(capsys, "--csv"))))
    row = next(row for row in rows if row["across"] == "topics")
    names = ("n", "n_topics", "left_out")
    assert [row[f"cohen_kappa_{name}"] for name in names] == ["90", "9", "3"]
    assert float(row["cohen_kappa_observed"]) == pytest.approx(70 / 90)
    data = json.loads(run(capsys, "--json"))
    row = next(row for row in data["pairs"] if row["across"] == "topics")
    assert [row[f"cohen_kappa_{name}"] for name in names] == [90, 9, 3]
