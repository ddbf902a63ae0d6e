"""The command `shift --intervals`: over topics, over topics and judges, its files, and invalid options."""

import numpy as np
import pandas as pd
import pytest

from agreement import correlation_intervals, shift_from_scores
from agreement.cli.main import main

DOCUMENTS, TOPICS, SYSTEMS, JUDGES = 12, 12, 6, ("nist", "ada", "bob")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    rng = np.random.default_rng(1)
    truth = rng.random((TOPICS, DOCUMENTS)) < 0.4
    for system in range(SYSTEMS):
        scores = truth * (0.3 * system) + rng.normal(size=truth.shape)
        lines = [f"{t} Q0 d{d} 0 {scores[t, d]:.6f} s{system}\n" for t in range(TOPICS) for d in range(DOCUMENTS)]
        (folder / f"s{system}.run").write_text("".join(lines))
    for judge in JUDGES:
        grades = truth ^ (rng.random(truth.shape) < 0.15)
        lines = [f"{t} 0 d{d} {int(grades[t, d])}\n" for t in range(TOPICS) for d in range(DOCUMENTS)]
        (folder / f"{judge}.qrels").write_text("".join(lines))
    return folder


def shift(files, *arguments):
    runs = [str(path) for path in sorted(files.glob("*.run"))]
    golds = [text for judge in JUDGES for text in ("--gold", str(files / f"{judge}.qrels"))]
    return main(["shift", "--run", *runs, *golds, *arguments])


@pytest.mark.in_ci
def test_intervals_over_topics(files, capsys):
    assert shift(files, "--intervals", "--seed", "3", "--draws", "200") == 0
    out = capsys.readouterr().out
    assert "Intervals of the correlations, over topics\n" in out
    assert "200 draws, seed 3" in out
    assert "topics and judges" not in out
    assert shift(files) == 0
    assert "Intervals" not in capsys.readouterr().out


@pytest.mark.slow
def test_intervals_over_topics_and_judges_and_their_files(files, tmp_path, capsys):
    out = tmp_path / "out"
    assert (
        shift(files, "--intervals", "--seed", "3", "--draws", "200", "--judges", "people=ada,bob", "--out", str(out))
        == 0
    )
    text = capsys.readouterr().out
    assert "Intervals of the correlations, over topics and judges" in text
    assert "nist and people" in text
    assert "fewer than 5 judges" in text
    over_topics = pd.read_csv(out / "tables" / "intervals_topics.csv")
    assert len(over_topics) == 9
    assert len(pd.read_csv(out / "tables" / "intervals_topics_and_judges.csv")) == 3
    assert "Intervals of the correlations" in (out / "report.md").read_text()
    assert '"seed": 3' in (out / "manifest.json").read_text()


def test_intervals_of_scores(tmp_path, capsys):
    rng = np.random.default_rng(2)
    rows = [(g, f"s{s}", f"{q}", "AP", rng.random() + s / 5) for g in "AB" for s in range(6) for q in range(15)]
    scores = pd.DataFrame(rows, columns=["gold", "system", "query_id", "measure", "value"])
    scores.to_csv(tmp_path / "scores.csv", index=False)
    assert (
        main(["shift", "--scores", str(tmp_path / "scores.csv"), "--intervals", "--seed", "1", "--draws", "100"]) == 0
    )
    tau = correlation_intervals(shift_from_scores(scores), 100, 1).estimate("A", "B")
    assert f"{tau.low:.3f} to {tau.high:.3f}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--intervals",), "--intervals draws topics at random and needs --seed N."),
        (("--seed", "1"), "--seed is for --intervals."),
        (("--judges", "people=ada"), "--judges is for --intervals."),
        (("--intervals", "--seed", "1", "--judges", "people"), "--judges must be NAME=GOLD,GOLD"),
        (("--intervals", "--seed", "1", "--judges", "people=zed"), "'zed' must be one of the golds nist, ada, bob"),
        (("--intervals", "--seed", "1", "--topics", "own"), "Intervals compare golds on the same topics"),
        (
            ("--intervals", "--seed", "1", "--judges", "p=ada", "--measure", "AP", "--measure", "P@5"),
            "--judges needs one measure.",
        ),
        (("--intervals", "--seed", "1", "--draws", "1"), "at least 2, not 1"),
    ],
)
def test_invalid_options(files, capsys, arguments, message):
    assert shift(files, *arguments) == 2
    assert message in capsys.readouterr().err
