"""The command line: what it prints and writes, and one sentence for what it refuses."""

import gzip

import pandas as pd
import pytest

from agreement.__main__ import main
from tests.agreement.test_shift import SYSTEMS


@pytest.fixture
def files(tmp_path):
    for system, docs in SYSTEMS.items():
        lines = "".join(f"1 Q0 {doc} {place} {-place} {system}\n" for place, doc in enumerate(docs, 1))
        (tmp_path / f"{system}.run.gz").write_bytes(gzip.compress(lines.encode()))
    for relevant in "xz":
        lines = "".join(f"1 0 {doc} {int(doc == relevant)}\n" for doc in "xyz")
        (tmp_path / f"{relevant}.qrels").write_text(lines)
    (tmp_path / "bad.qrels").write_text("1 0 x yes\n")
    return tmp_path


def shift(files, *more, golds=("x=x.qrels", "z=z.qrels"), runs=("a", "b", "c")):
    named = [part.replace("=", f"={files}/") if "=" in part else part for part in golds]
    arguments = ["shift", "--run", *(str(files / f"{run}.run.gz") for run in runs)]
    return main([*arguments, *(word for gold in named for word in ("--gold", gold)), *more])


def test_it_prints_the_answer_and_the_ranks(files, capsys):
    assert shift(files) == 0

    out, err = capsys.readouterr()
    assert out.startswith("Much at the whole, and yes at the top: under z, against x, the order of 2 of 3 pairs")
    assert ["c", "3", "1", "(+2)"] in [line.split() for line in out.splitlines()]
    assert err == ""


def test_it_writes_a_table_and_a_figure(files):
    table, figure = files / "ranks.csv", files / "ranks.svg"

    assert shift(files, "--csv", str(table), "--svg", str(figure), "--measure", "P@1", "--reference", "z") == 0

    rows = pd.read_csv(table)
    assert rows.columns.tolist() == [
        *["gold", "system", "n_topics", "score", "rank", "reference_score", "reference_rank", "change"]
    ]
    assert rows[rows["gold"] == "x"]["score"].tolist() == [1, 0, 0]
    assert figure.read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"golds": ("x.qrels",)}, "--gold is NAME=FILE, such as nist=a.qrels; got 'x.qrels'"),
        ({"golds": ("x=x.qrels", "x=z.qrels")}, "'x' twice"),
        ({"golds": ("x=none.qrels",)}, "none.qrels: No such file or directory"),
        ({"golds": ("x=bad.qrels",)}, "bad.qrels, line 1"),
        ({"golds": ("x=a.run.gz",)}, "a.run.gz, line 1"),
        ({"runs": ("a", "a")}, "system a, topic 1: a document came twice"),
        ({"runs": ("none",)}, "none.run.gz: No such file or directory"),
    ],
)
def test_bad_input_ends_with_one_sentence(files, capsys, options, sentence):
    assert shift(files, "--csv", str(files / "out.csv"), **options) == 2

    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("agreement: ")
    assert sentence in err
    assert err.count("\n") == 1
    assert not (files / "out.csv").exists()


@pytest.mark.parametrize("more", [("--measure", "best"), ("--reference", "w")])
def test_unknown_names_end_with_one_sentence(files, capsys, more):
    assert shift(files, *more) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_that_is_not_there(files, capsys):
    assert shift(files, "--csv", str(files / "none" / "out.csv")) == 2
    assert "none" in capsys.readouterr().err


def test_no_arguments_is_a_usage_error(capsys):
    with pytest.raises(SystemExit) as exit_:
        main([])
    assert exit_.value.code == 2
    assert "usage: python -m agreement" in capsys.readouterr().err
