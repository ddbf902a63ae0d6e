"""A shift from scores: the same figures as from runs, what is unknown, the files, and invalid tables."""

import gzip
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from agreement import evaluate, ranking_shift, shift_from_scores, shift_text
from agreement.cli.main import main
from agreement.shift.score_files import read_scores

from .test_shift import SYSTEMS, gold_of, runs_of

UNKNOWN = "from scores; how much is judged is unknown"


def table(values, golds=("A", "B"), measure="AP"):
    """Scores from an array of golds x systems x topics."""
    rows = [
        (gold, f"s{system:02}", f"{topic + 1}", measure, value)
        for gold, matrix in zip(golds, values, strict=True)
        for system, line in enumerate(matrix)
        for topic, value in enumerate(line)
    ]
    return pd.DataFrame(rows, columns=["gold", "system", "query_id", "measure", "value"])


def random_scores(seed=1, systems=6, topics=12):
    return table(np.random.default_rng(seed).random((2, systems, topics)).round(2))


def test_figures_by_hand():
    # means: A 0.5, 0.4, 0.1; B 0.2, 0.4, 0.1. One of three pairs swaps, so tau is (2 - 1) / 3.
    scores = table([[[0.4, 0.6], [0.4, 0.4], [0.0, 0.2]], [[0.1, 0.3], [0.5, 0.3], [0.1, 0.1]]])
    shift = shift_from_scores(scores, min_topics=2)
    pair = shift.pair("A", "B")
    assert (pair.swapped, pair.n_pairs, pair.n_topics) == (1, 3, 2)
    assert pair.tau_b.value == pytest.approx(1 / 3, abs=1e-15)
    assert shift.to_frame().to_dict("index") == {
        "s00": {"A": 1, "B": 2},
        "s01": {"A": 2, "B": 1},
        "s02": {"A": 3, "B": 3},
    }
    assert shift.headline() == (
        "Yes, substantially. Under B, compared with A, 1 of 3 system pairs swaps (tau_b 0.333, 2 topics, "
        f"{UNKNOWN}) and the best system changes from s00 to s01."
    )


@pytest.mark.slow
def test_figures_are_those_of_the_runs():
    topics = [str(number) for number in range(12)]
    runs, golds = runs_of(SYSTEMS, topics), {name: gold_of(name, topics) for name in "xyz"}
    scores = pd.concat([evaluate(runs, gold, ["AP", "P@1"]).assign(gold=name) for name, gold in golds.items()])
    for measure in ("AP", ["AP", "P@1"]):
        expected, shift = ranking_shift(runs, golds, measure), shift_from_scores(scores, measure)
        pd.testing.assert_frame_equal(shift.ranks, expected.ranks)
        pd.testing.assert_frame_equal(shift.pairs_frame(), expected.pairs_frame())
        pd.testing.assert_frame_equal(shift.swaps(), expected.swaps())
        assert shift.enough == expected.enough


@pytest.mark.parametrize("seed", range(5))
def test_tau_b_is_that_of_scipy(seed):
    scores = random_scores(seed)
    means = scores.groupby(["gold", "system"])["value"].mean().unstack()
    tau_b = shift_from_scores(scores).pair("A", "B").tau_b.value
    assert tau_b == pytest.approx(kendalltau(means.loc["A"].round(12), means.loc["B"].round(12)).statistic, abs=1e-9)


def test_how_much_is_judged_is_unknown():
    shift = shift_from_scores(random_scores())
    assert shift.from_scores
    assert shift.judged.empty
    assert "judged" not in shift.tables()
    assert shift.basis.to_dict("records")[0]["n_topics"] == 12
    assert shift.basis[["judged_share", "reference_judged_share"]].isna().all(axis=None)
    assert shift_text(shift).count(UNKNOWN) == 3  # the headline and each gold
    assert shift.only("B").golds == ("A", "B")
    assert shift.groups_frame({"s00": "g", "s01": "g"})["n_runs"].max() == 2


def test_too_few_topics_are_preliminary():
    shift = shift_from_scores(random_scores(), min_topics=13)
    assert shift.headline() == (
        "Preliminary: 12 topics in common; answers need 13 topics. "
        f"{shift_from_scores(random_scores(), min_topics=12).headline()}"
    )
    three = pd.concat([random_scores(), random_scores(2).query("gold == 'A' and query_id == '1'").assign(gold="C")])
    lines = shift_from_scores(three).left_out()
    assert lines[0].startswith("Preliminary for C: 1 topic in common with A, tau_b ")


def test_tables_of_every_kind():
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    frame = random_scores()
    expected = shift_from_scores(frame).ranks
    by_gold = {gold: part.drop(columns="gold") for gold, part in frame.groupby("gold")}
    numbers = frame.astype({"query_id": "int64"})
    shuffled = frame.sample(frac=1, random_state=1).sort_values("gold")
    for scores in (pl.from_pandas(frame), pa.Table.from_pandas(frame), by_gold, shuffled, numbers):
        pd.testing.assert_frame_equal(shift_from_scores(scores).ranks, expected)


def test_lower_is_better_for_declared_and_known_measures():
    scores = table([[[1.0], [2.0]], [[1.0], [2.0]]], measure="cost")
    assert shift_from_scores(scores).to_frame()["A"].to_dict() == {"s01": 1, "s00": 2}
    assert shift_from_scores(scores, lower_is_better=["cost"]).to_frame()["A"].to_dict() == {"s00": 1, "s01": 2}
    known = shift_from_scores(scores.assign(measure="E"))
    assert known.to_frame()["A"].to_dict() == {"s00": 1, "s01": 2}


def test_own_topics_and_one_gold_and_one_system():
    scores = pd.concat([random_scores(), table(np.ones((1, 6, 13)), golds=["A"]).query("query_id == '13'")])
    assert shift_from_scores(scores, topics="own").ranks_under("A")["n_topics"].unique() == [13]
    assert shift_from_scores(scores).pair("A", "B").n_topics == 12
    assert "is the only gold" in shift_from_scores(scores.query("gold == 'A'")).headline()
    assert "only one system" in shift_from_scores(scores.query("system == 's00'")).headline()


@pytest.mark.slow
@settings(deadline=None)
@given(st.randoms(use_true_random=False), st.floats(0.1, 10))
def test_order_of_rows_and_unit_of_scores_change_no_rank(random, factor):
    frame = random_scores()
    rows = list(range(len(frame)))
    random.shuffle(rows)
    changed = frame.iloc[rows].assign(value=lambda t: t["value"] * factor)
    expected, shift = shift_from_scores(frame, reference="A"), shift_from_scores(changed, reference="A")
    assert shift.pair("A", "B").tau_b == expected.pair("A", "B").tau_b
    assert shift.pair("A", "B").swapped == expected.pair("A", "B").swapped


FRAME = random_scores()


@pytest.mark.parametrize(
    ("scores", "options", "problem"),
    [
        (FRAME.drop(columns="value"), {}, "missing: value"),
        (FRAME[:0], {}, "have no rows"),
        (FRAME[1:], {}, "no score of the system 's00' on the topic '1' .1 scores are missing"),
        (pd.concat([FRAME, FRAME[:1]]), {}, "several of gold 'A', system 's00', topic '1', measure 'AP'"),
        (FRAME.assign(value=np.nan), {}, "must be a finite number, not nan"),
        (FRAME.assign(query_id="all"), {}, "is a mean over topics"),
        (FRAME.assign(gold=[None, *FRAME["gold"][1:]]), {}, "Every score needs a gold, but row 1"),
        (FRAME.query("gold == 'A' or system != 's03'"), {}, "B has none of s03"),
        (FRAME, {"measure": "P@5"}, "measure must be one of AP, not 'P@5'"),
        (FRAME, {"reference": "C"}, "The reference must be one of"),
        (FRAME, {"topics": "some"}, "topics must be one of"),
        (FRAME, {"lower_is_better": ["P@5"]}, "lower_is_better must be of the measures AP, not 'P@5'"),
        (FRAME, {"min_topics": 0}, "min_topics must be"),
        (FRAME, {"missing": float("nan")}, "missing must be a finite number"),
        ({}, {}, "at least one gold"),
        ({"A": FRAME}, {}, "have a column gold"),
    ],
)
def test_invalid_scores_are_refused(scores, options, problem):
    with pytest.raises(ValueError, match=problem):
        shift_from_scores(scores, **options)


def test_other_things_are_no_scores():
    with pytest.raises(TypeError, match="must be a table"):
        shift_from_scores([1, 2])


def test_missing_scores_are_replaced_if_the_caller_says_by_what():
    shift = shift_from_scores(FRAME[1:], missing=0)
    assert shift.scores["A"].loc["s00", "1"] == 0


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_tables_in_files(tmp_path, separator):
    file = tmp_path / "scores.csv"
    FRAME.to_csv(file, index=False, sep=separator)
    pd.testing.assert_frame_equal(read_scores(file), FRAME)


def test_output_of_trec_eval(tmp_path):
    file = tmp_path / "dense.eval.gz"
    lines = "map                   \t301\t0.25\nnum_ret\t301\t10\n\nrunid\tall\tdense2\nmap\tall\t0.25\n"
    file.write_bytes(gzip.compress(lines.encode()))
    assert read_scores(file, "nist").to_dict("records") == [
        {"gold": "nist", "system": "dense2", "query_id": "301", "measure": "map", "value": 0.25},
        {"gold": "nist", "system": "dense2", "query_id": "301", "measure": "num_ret", "value": 10.0},
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "The file is empty"),
        ("map 301\n", "line 1"),
        ("map 301 x\n", "'x' is no number"),
        ("map all 0.5\n", "no scores of topics"),
        ("query_id,value\n1,2\n", "no column system"),
        ("gold,system,query_id,measure,value\nA,s,1,AP\n", "The row has 4 cells"),
        ("system,query_id,measure,value\ns,1,AP,0.5\n", "does not name its gold"),
    ],
)
def test_invalid_files_are_refused(tmp_path, text, problem):
    file = tmp_path / "scores.txt"
    file.write_text(text)
    with pytest.raises(ValueError, match=problem):
        read_scores(file)


@pytest.mark.slow
def test_command(tmp_path, capsys):
    file = tmp_path / "scores.csv"
    FRAME.to_csv(file, index=False)
    assert main(["shift", "--scores", str(file), "--out", str(tmp_path / "out")]) == 0
    assert UNKNOWN in capsys.readouterr().out
    tables = json.loads((tmp_path / "out" / "tables.json").read_text())
    assert "judged" not in json.dumps(list(tables.get("tables", tables)))
    assert main(["shift", "--scores", str(file), "--csv"]) == 0
    ranks = shift_from_scores(FRAME).ranks
    assert capsys.readouterr().out == ranks.to_csv(index=False, lineterminator="\n")


def test_command_with_files_of_trec_eval(tmp_path, capsys):
    for (gold, system), part in FRAME.groupby(["gold", "system"]):
        lines = [f"map\t{row.query_id}\t{row.value}\n" for row in part.itertuples()]
        (tmp_path / f"{gold}.{system}.eval").write_text("".join([*lines, f"runid\tall\t{system}\n"]))
    arguments = ["shift", "--scores", f"A={tmp_path}/A.*.eval", "--scores", f"B={tmp_path}/B.*.eval", "--csv"]
    assert main(arguments) == 0
    ranks = shift_from_scores(FRAME).ranks
    assert capsys.readouterr().out == ranks.to_csv(index=False, lineterminator="\n")


@pytest.mark.parametrize("arguments", [[], ["--run", "a.run"], ["--gold", "a.qrels"]])
def test_command_needs_runs_and_golds_or_scores(arguments, capsys):
    with pytest.raises(SystemExit):
        main(["shift", *arguments])
    assert "error: name runs with --run and golds with --gold, or scores with --scores" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--run", "a.run", "--gold", "a.qrels", "--missing", "0"], "are for --scores"),
        (["--scores", "a.csv", "--gold", "a.qrels"], "cannot be combined with --gold"),
        (["--scores", "a.csv", "--min-judged", "0.2"], "cannot be combined with --min-judged"),
        (["--scores", "=a.csv"], "must be FILE or GOLD=FILE"),
    ],
)
def test_command_refuses_what_does_not_fit(arguments, problem, capsys):
    assert main(["shift", *arguments]) == 2
    assert problem in capsys.readouterr().err
