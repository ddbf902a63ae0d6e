"""The command line: its output, its folders, and a one-sentence error for invalid input."""

import argparse
import gzip
import hashlib
import io
import json
from pathlib import Path

import pandas as pd
import pytest

from agreement.cli.files import read_ranked
from agreement.cli.main import main
from tests.agreement.shift.test_shift import SYSTEMS


@pytest.fixture
def files(tmp_path):
    for system, docs in SYSTEMS.items():
        lines = "".join(f"1 Q0 {doc} {rank} {-rank} {system}\n" for rank, doc in enumerate(docs, 1))
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


def test_the_answer_and_the_ranks_are_printed(files, capsys):
    assert shift(files, "--min-topics", "1") == 0

    out, err = capsys.readouterr()
    assert out.startswith("Yes, substantially. Under z, compared with x, 2 of 3 system pairs swap")
    assert ["c", "3", "1", "(+2)"] in [line.split() for line in out.splitlines()]
    assert err == ""


def test_ranks_and_scores_as_csv(files, capsys):
    assert shift(files, "--csv") == 0

    table = pd.read_csv(io.StringIO(capsys.readouterr().out))
    assert table.loc[(table["gold"] == "z") & (table["system"] == "c"), ["score", "rank"]].values.tolist() == [[1.0, 1]]


@pytest.mark.slow
def test_reference_by_default_is_the_first_gold(files, capsys):
    note = "No reference was named, so it is the first, x; the option --reference names another."
    shift(files, "--out", str(files / "out"))
    assert note in capsys.readouterr().out.splitlines()
    assert note in (files / "out" / "report.md").read_text()
    assert "so it is the first, x; the option" in (files / "out" / "report.tex").read_text()
    shift(files, "--csv")
    out, err = capsys.readouterr()
    assert note in err
    assert note not in out
    shift(files, "--reference", "x")
    assert "No reference was named" not in capsys.readouterr().out
    shift(files, "--reference", "x", "--csv")
    assert capsys.readouterr().err == ""


@pytest.mark.in_ci
def test_runs_that_repeat_one_system_are_grouped(files, capsys):
    assert shift(files, "--group", "ab=[ab]") == 0
    tables = capsys.readouterr().out.partition("Mean and spread over the runs of each system\n")[2]
    rows = [line.split() for line in tables.splitlines()]
    assert rows[0][:3] == ["gold", "n", "topics"]
    assert {(row[0], row[2]) for row in rows if row[0] in "xz"} == {("x", "ab"), ("x", "c"), ("z", "ab"), ("z", "c")}
    for argument, problem in {
        "ab": "--group must be NAME=PATTERN, such as dense=dense-seed*, not 'ab'.",
        "ab=q*": "--group ab=q*: no run has a name like 'q*'.",
        "c=a": "the name of a run",
    }.items():
        assert shift(files, "--group", argument) == 2
        assert problem in capsys.readouterr().err
    assert shift(files, "--group", "x=a", "--group", "y=[ab]") == 2
    assert "the run 'a' is in the group 'x' already." in capsys.readouterr().err


def test_systems_can_be_named_after_their_files(files, capsys):
    (files / "other.run.gz").write_bytes((files / "a.run.gz").read_bytes())
    assert shift(files, runs=("a", "other")) == 2
    assert "is also the tag of" in capsys.readouterr().err

    assert shift(files, "--csv", "--name-by-file", runs=("a", "other")) == 0
    assert set(pd.read_csv(io.StringIO(capsys.readouterr().out))["system"]) == {"a", "other"}


def test_too_few_topics_are_preliminary(files, capsys):
    assert shift(files) == 0

    out = capsys.readouterr().out
    assert out.startswith(
        "Preliminary: 1 topic in common, 100% of the first 10 judged; answers need 10 topics, half of the top ten "
        "judged. Yes, substantially. Under z, compared with x, "
    )
    assert "(tau_b -0.816, 1 topic, 100% of the first 10 judged)" in out.splitlines()[0]
    assert "\nAnswers need 10 topics, half of the top ten judged.\n" in out
    assert "\nz: 1 topic in common with x, 100% of the first 10 judged, tau_b -0.816.\n" in out
    assert shift(files, "--min-topics", "1", "--min-judged", "0.25") == 0
    out = capsys.readouterr().out
    assert out.startswith("Yes, substantially. Under z, compared with x, ")
    assert "\nAnswers need 1 topic, 25% of the top ten judged.\n" in out


@pytest.mark.parametrize("command", ["shift", "mix"])
def test_thresholds_are_checked(files, capsys, command):
    run = {"shift": shift, "mix": mix}[command]

    assert run(files, "--min-topics", "0") == 2
    assert capsys.readouterr().err == (
        "python -m agreement: --min-topics must be a whole number of at least 1, not 0.\n"
    )
    assert run(files, "--min-judged", "50") == 2
    assert "--min-judged must be a share from 0 to 1, not 50.0." in capsys.readouterr().err


def files_below(path):
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in path.rglob("*") if file.is_file()}


@pytest.mark.slow
def test_out_writes_a_folder_of_tables_and_figures(files):
    out = files / "out"

    assert shift(files, "--out", str(out), "--measure", "P@1", "--reference", "z") == 0

    rows = pd.read_csv(out / "tables" / "ranks.csv")
    assert rows.columns.tolist() == [
        *["gold", "system", "n_topics", "score", "rank", "reference_score", "reference_rank", "change"]
    ]
    assert rows[rows["gold"] == "x"]["score"].tolist() == [1, 0, 0]
    written = files_below(out)
    assert {"report.md", "report.tex", "tables.json", "manifest.json"} <= set(written)
    starts = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}
    for kind, start in starts.items():
        assert written[f"figures/slope.{kind}"].startswith(start)
        assert written[f"figures/tau.{kind}"].startswith(start)
        assert written[f"figures/scores_1.{kind}"].startswith(start)
    assert json.loads(written["tables.json"])["pairs"][0]["swapped"] == 1  # a leads under x, c under z


@pytest.mark.slow
def test_the_manifest_names_command_inputs_versions_and_files(files):
    out = files / "out"
    shift(files, "--out", str(out))

    manifest = json.loads((out / "manifest.json").read_text())

    assert manifest["command"][:4] == ["python", "-m", "agreement", "shift"]
    assert [Path(entry["file"]).name for entry in manifest["inputs"]] == [
        *["a.run.gz", "b.run.gz", "c.run.gz", "x.qrels", "z.qrels"]
    ]
    content = (files / "x.qrels").read_bytes()
    assert manifest["inputs"][3]["sha256"] == hashlib.sha256(content).hexdigest()
    assert manifest["inputs"][3]["bytes"] == len(content)
    assert manifest["seed"] is None
    assert {"python", "numpy", "pandas", "scipy"} <= set(manifest["versions"])
    for entry in manifest["files"]:
        assert entry["sha256"] == hashlib.sha256((out / entry["name"]).read_bytes()).hexdigest()


@pytest.mark.soak
def test_the_same_command_writes_the_same_bytes(files):
    for out in ("one", "two"):
        shift(files, "--out", str(files / out))

    one, two = files_below(files / "one"), files_below(files / "two")
    assert set(one) == set(two)
    assert [name for name in one if one[name] != two[name]] == ["manifest.json"]  # it repeats the name of the folder


def test_a_folder_that_is_not_empty_is_refused(files, capsys):
    out = files / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")

    assert shift(files, "--out", str(out)) == 2

    assert "the folder is not empty" in capsys.readouterr().err
    assert files_below(out) == {"mine.txt": b"mine"}


def test_measures_are_compared_under_one_gold(files, capsys):
    assert shift(files, "--measure", "AP", "--measure", "P@1", golds=("x=x.qrels",)) == 0
    assert "3 systems ranked by AP, P@1; the reference is AP." in capsys.readouterr().out


def mix(files, *more, judges=("x", "z")):
    runs = [str(files / f"{run}.run.gz") for run in "abc"]
    named = (word for judge in judges for word in ("--judge", f"{judge}={files}/{judge}.qrels"))
    return main(["mix", "--run", *runs, *named, *more])


@pytest.mark.in_ci
def test_mix_writes_a_folder(files, capsys):
    out = files / "mixed"

    assert mix(files, "--out", str(out)) == 0

    written = files_below(out)
    assert {"report.md", "report.tex", "tables.json", "manifest.json", "figures/ranges.svg"} <= set(written)
    assert {"tables/systems.csv", "tables/taus.csv", "tables/orders.csv"} <= set(written)
    assert capsys.readouterr().out.encode() != b""


def test_mix_answers_with_enough_topics(files, capsys):
    assert mix(files) == 0
    headline, *rest = capsys.readouterr().out.splitlines()
    assert headline.startswith(
        "Preliminary: 1 of 1 topic with two judges, 100% of the first 10 judged; answers need 10 topics, half of the "
        "top ten judged. Yes, substantially. Over all 2 mixed golds (2 judges, 1 topic, AP)"
    )
    assert "Answers need 10 topics, half of the top ten judged." in rest
    assert mix(files, "--min-topics", "1") == 0
    assert capsys.readouterr().out.startswith("Yes, substantially. Over all 2 mixed golds (2 judges, 1 topic, AP)")


def test_mix_draws_only_with_a_seed(files, capsys):
    assert mix(files, "--draws", "1") == 2
    assert "seed" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"golds": ("=x.qrels",)}, "--gold must be NAME=FILE, such as nist=a.qrels, not '="),
        ({"golds": ("x=x.qrels", "x=z.qrels")}, "Two files have the name 'x'"),
        ({"golds": ("x=none.qrels",)}, "none.qrels: No such file or directory"),
        ({"golds": ("x=bad.qrels",)}, "bad.qrels, line 1"),
        ({"golds": ("x=a.run.gz",)}, "a.run.gz, line 1"),
        ({"runs": ("a", "b", "a")}, "a.run.gz: tag 'a' of file 3 is also the tag of "),
        ({"runs": ("none",)}, "none.run.gz: No such file or directory"),
    ],
)
def test_invalid_input_exits_with_a_one_sentence_error(files, capsys, options, message):
    assert shift(files, "--out", str(files / "out"), **options) == 2

    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("python -m agreement: ")
    assert message in err
    assert err.count("\n") == 1
    assert not (files / "out").exists()


@pytest.mark.parametrize("more", [("--measure", "best"), ("--reference", "w"), ("--scale", "a")])
def test_an_unknown_name_exits_with_a_one_sentence_error(files, capsys, more):
    assert shift(files, *more) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_out_needs_an_existing_parent_folder(files, capsys):
    assert shift(files, "--out", str(files / "none" / "out")) == 2
    assert "none" in capsys.readouterr().err


def test_a_missing_command_is_a_usage_error(capsys):
    with pytest.raises(SystemExit) as exit_:
        main([])
    assert exit_.value.code == 2
    assert "usage: python -m agreement" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["kappa", "shift", "mix", "who_judges", "drift", "compare_golds"])
def test_usage_and_errors_name_the_program(capsys, command):
    with pytest.raises(SystemExit):
        main([command], prog="assay")
    err = capsys.readouterr().err
    assert err.startswith(f"usage: assay {command} ")
    assert f"\nassay {command}: error: " in err


def test_a_refusal_names_the_program(files, capsys):
    assert main(["kappa", str(files / "x.qrels")], prog="assay") == 2
    assert capsys.readouterr().err.startswith("assay: Agreement needs the judgements of two or more judges")


@pytest.mark.slow
def test_the_manifest_names_the_program(files):
    runs, out = [str(files / f"{run}.run.gz") for run in "ab"], files / "out"
    main(["shift", "--run", *runs, "--gold", f"x={files}/x.qrels", "--out", str(out)], prog="assay")
    assert json.loads((out / "manifest.json").read_text())["command"][:2] == ["assay", "shift"]


def test_a_pattern_names_all_run_files(tmp_path):
    for name in ("bm25", "lsa"):
        (tmp_path / f"{name}.run").write_text(f"1 Q0 d1 1 1.0 {name}\n")
    options = argparse.Namespace(run=[str(tmp_path / "*.run")], score_precision="float64", name_by_file=False)

    assert read_ranked(options).systems.tolist() == ["bm25", "lsa"]
    with pytest.raises(ValueError, match=r"No file matches the pattern '.*\*\.gz'"):
        read_ranked(argparse.Namespace(run=[str(tmp_path / "*.gz")], score_precision="float64", name_by_file=False))
