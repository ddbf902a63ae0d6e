"""The command line: what it prints and writes, and one sentence for what it refuses."""

import gzip
import hashlib
import json
from pathlib import Path

import pandas as pd
import pytest

from agreement.__main__ import main
from tests.agreement.shift.test_shift import SYSTEMS


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


def folder_of(path):
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def test_it_writes_a_folder_of_tables_and_figures(files):
    out = files / "out"

    assert shift(files, "--out", str(out), "--measure", "P@1", "--reference", "z") == 0

    rows = pd.read_csv(out / "tables" / "ranks.csv")
    assert rows.columns.tolist() == [
        *["gold", "system", "n_topics", "score", "rank", "reference_score", "reference_rank", "change"]
    ]
    assert rows[rows["gold"] == "x"]["score"].tolist() == [1, 0, 0]
    written = folder_of(out)
    assert {"report.md", "report.tex", "tables.json", "manifest.json"} <= set(written)
    starts = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}
    for kind, start in starts.items():
        assert written[f"figures/slope.{kind}"].startswith(start)
        assert written[f"figures/tau.{kind}"].startswith(start)
        assert written[f"figures/scores_1.{kind}"].startswith(start)
    assert json.loads(written["tables.json"])["pairs"][0]["swapped"] == 1  # a leads under x, c under z


def test_the_manifest_says_what_the_folder_was_made_from_and_how(files):
    out = files / "out"
    shift(files, "--out", str(out))

    manifest = json.loads((out / "manifest.json").read_text())

    assert manifest["command"][:4] == ["python", "-m", "agreement", "shift"]
    assert [Path(told["file"]).name for told in manifest["inputs"]] == [
        *["a.run.gz", "b.run.gz", "c.run.gz", "x.qrels", "z.qrels"]
    ]
    content = (files / "x.qrels").read_bytes()
    assert manifest["inputs"][3]["sha256"] == hashlib.sha256(content).hexdigest()
    assert manifest["inputs"][3]["bytes"] == len(content)
    assert manifest["seed"] is None
    assert {"python", "numpy", "pandas", "scipy"} <= set(manifest["versions"])
    for told in manifest["files"]:
        assert told["sha256"] == hashlib.sha256((out / told["name"]).read_bytes()).hexdigest()


def test_the_same_command_writes_the_same_bytes(files):
    for out in ("one", "two"):
        shift(files, "--out", str(files / out))

    one, two = folder_of(files / "one"), folder_of(files / "two")
    assert set(one) == set(two)
    assert [name for name in one if one[name] != two[name]] == ["manifest.json"]  # it repeats the name of the folder


def test_results_never_go_over_what_is_there(files, capsys):
    out = files / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")

    assert shift(files, "--out", str(out)) == 2

    assert "the folder is not empty" in capsys.readouterr().err
    assert folder_of(out) == {"mine.txt": b"mine"}


def test_thresholds_of_one_gold_are_compared_like_golds(files, capsys):
    assert shift(files, "--measure", "AP", "--measure", "P@1", golds=("x=x.qrels",)) == 0
    assert "3 systems ranked by AP, P@1; the reference is AP." in capsys.readouterr().out


def mix(files, *more, judges=("x", "z")):
    runs = [str(files / f"{run}.run.gz") for run in "abc"]
    named = (word for judge in judges for word in ("--judge", f"{judge}={files}/{judge}.qrels"))
    return main(["mix", "--run", *runs, *named, *more])


def test_mixing_writes_its_folder_too(files, capsys):
    out = files / "mixed"

    assert mix(files, "--out", str(out)) == 0

    written = folder_of(out)
    assert {"report.md", "report.tex", "tables.json", "manifest.json", "figures/ranges.svg"} <= set(written)
    assert {"tables/systems.csv", "tables/taus.csv", "tables/orders.csv"} <= set(written)
    assert capsys.readouterr().out.encode() != b""


def test_drawing_needs_a_seed(files, capsys):
    assert mix(files, "--draws", "1") == 2
    assert "seed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"golds": ("x.qrels",)}, "--gold is NAME=FILE, such as nist=a.qrels; got 'x.qrels'"),
        ({"golds": ("x=x.qrels", "x=z.qrels")}, "'x' twice"),
        ({"golds": ("x=none.qrels",)}, "none.qrels: No such file or directory"),
        ({"golds": ("x=bad.qrels",)}, "bad.qrels, line 1"),
        ({"golds": ("x=a.run.gz",)}, "a.run.gz, line 1"),
        ({"runs": ("a", "a")}, "system 'a' occurs twice"),
        ({"runs": ("none",)}, "none.run.gz: No such file or directory"),
    ],
)
def test_bad_input_ends_with_one_sentence(files, capsys, options, sentence):
    assert shift(files, "--out", str(files / "out"), **options) == 2

    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("agreement: ")
    assert sentence in err
    assert err.count("\n") == 1
    assert not (files / "out").exists()


@pytest.mark.parametrize("more", [("--measure", "best"), ("--reference", "w"), ("--scale", "a")])
def test_unknown_names_end_with_one_sentence(files, capsys, more):
    assert shift(files, *more) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_that_is_not_there(files, capsys):
    assert shift(files, "--out", str(files / "none" / "out")) == 2
    assert "none" in capsys.readouterr().err


def test_no_arguments_is_a_usage_error(capsys):
    with pytest.raises(SystemExit) as exit_:
        main([])
    assert exit_.value.code == 2
    assert "usage: python -m agreement" in capsys.readouterr().err
