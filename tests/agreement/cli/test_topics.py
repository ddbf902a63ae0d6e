"""`assay topics`: the variance of the scores, the topics, and those that decide a comparison."""

import io

import pandas as pd
import pytest

from agreement.cli.main import main
from agreement.meta_evaluation import decisive_topics, topic_difficulty, variance_components
from pooling.text_tables import render

RANKINGS = {  # the ranking of the documents x, y and z on topics 1, 2 and 3
    "a": {"1": "xyz", "2": "xyz", "3": "yzx"},
    "b": {"1": "yxz", "2": "xyz", "3": "xyz"},
    "c": {"1": "zyx", "2": "yxz", "3": "yxz"},
}
SCORES = pd.DataFrame({"a": [1, 1, 1 / 3], "b": [1 / 2, 1, 1], "c": [1 / 3, 1 / 2, 1 / 2]}, index=list("123")).T


@pytest.fixture
def files(tmp_path):
    for system, topics in RANKINGS.items():
        lines = [
            f"{topic} Q0 {doc} {rank} {-rank} {system}\n"
            for topic, docs in topics.items()
            for rank, doc in enumerate(docs, 1)
        ]
        (tmp_path / f"{system}.run").write_text("".join(lines))
    for relevant in "xy":
        lines = [f"{topic} 0 {doc} {int(doc == relevant)}\n" for topic in "123" for doc in "xyz"]
        (tmp_path / f"{relevant}.qrels").write_text("".join(lines))
    return tmp_path


def topics(files, *more, golds="x"):
    named = (word for gold in golds for word in ("--gold", f"{gold}={files}/{gold}.qrels"))
    return main(["topics", "--run", str(files / "*.run"), *named, "--measure", "RR", *more])


def test_the_sentences_and_tables_are_those_of_the_functions(files, capsys):
    assert topics(files, "--pair", "a", "b") == 0

    out, err = capsys.readouterr()
    assert err == ""
    assert out.startswith("Topics under x by RR\n\n")
    results = variance_components(SCORES), topic_difficulty(SCORES), decisive_topics(SCORES, "a", "b")
    at = [out.index(result.summary()) for result in results]
    assert at == sorted(at)
    for result in results:
        assert render(result._paper_table()) in out


def test_without_a_pair_there_is_no_comparison(files, capsys):
    assert topics(files) == 0
    assert "leads" not in capsys.readouterr().out


def test_csv_has_the_topics_of_every_gold(files, capsys):
    assert topics(files, "--csv", "--pair", "a", "b", golds="xy") == 0

    frame = pd.read_csv(io.StringIO(capsys.readouterr().out), dtype={"query_id": "str"})
    assert frame["gold"].tolist() == ["x"] * 3 + ["y"] * 3
    of_x = frame[frame["gold"] == "x"].set_index("query_id")
    difficulty = topic_difficulty(SCORES).topics.set_index("query_id")
    assert list(of_x.index) == list(difficulty.index)
    assert of_x["mean"].tolist() == pytest.approx(difficulty["mean"].tolist())
    pair = decisive_topics(SCORES, "a", "b").topics.set_index("query_id").loc[of_x.index]
    assert of_x["contribution"].tolist() == pytest.approx(pair["contribution"].tolist())
    assert of_x["order_changes"].tolist() == pair["order_changes"].tolist()


def test_scores_need_no_runs(files, capsys):
    assert topics(files) == 0
    expected = capsys.readouterr().out
    rows = SCORES.stack().rename("value").reset_index().set_axis(["system", "query_id", "value"], axis=1)
    rows.assign(gold="x", measure="RR").to_csv(files / "scores.csv", index=False)
    assert main(["topics", "--scores", str(files / "scores.csv")]) == 0
    assert capsys.readouterr().out == expected


def test_lower_may_be_better(files, capsys):
    rows = SCORES.stack().rename("value").reset_index().set_axis(["system", "query_id", "value"], axis=1)
    rows.assign(gold="x", measure="cost").to_csv(files / "scores.csv", index=False)
    arguments = ["topics", "--scores", str(files / "scores.csv"), "--lower-is-better", "cost", "--pair", "a", "c"]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "Topic 2 is the hardest" in out
    assert "c leads a by" in out


@pytest.mark.parametrize(("style", "part"), [("markdown", "## Topics under x by RR"), ("latex", r"\begin{tabular}")])
def test_styles(files, capsys, style, part):
    assert topics(files, "--style", style, "--pair", "a", "b") == 0
    assert part in capsys.readouterr().out


def test_several_measures_are_named(files, capsys):
    assert topics(files, "--measure", "P@1") == 0
    out = capsys.readouterr().out
    assert "Topics under RR" in out
    assert "Topics under P@1" in out


def test_one_topic_has_a_reason(files, capsys):
    (files / "x.qrels").write_text("1 0 x 1\n1 0 y 0\n")
    assert topics(files, "--pair", "a", "b") == 0
    out = capsys.readouterr().out
    assert "The variance components are undefined (only one topic; 3 systems, 1 topic)." in out
    assert "p undefined, only one topic" in out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--pair", "a", "d"), "There are no scores of system 'd'. There are scores of a, b, c."),
        (("--pair", "a", "a"), "Name two different systems, not 'a' twice."),
        (("--pair", "a", "b", "--alpha", "5"), "--alpha must be between 0 and 1, such as 0.05, not 5.0."),
        (("--missing", "0"), "--missing and --lower-is-better are for --scores."),
    ],
)
def test_invalid_input_exits_with_a_one_sentence_error(files, capsys, more, message):
    assert topics(files, *more) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"python -m agreement: {message}\n")


def test_no_files_are_a_usage_error(capsys):
    with pytest.raises(SystemExit) as exit_:
        main(["topics"])
    assert exit_.value.code == 2
    assert "name runs with --run and golds with --gold, or scores with --scores" in capsys.readouterr().err
