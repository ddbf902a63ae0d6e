"""Errors and notes of the commands name the option of the command, not the argument of the library."""

import json
import time

import pytest

from agreement.cli.main import main, parser
from pooling.cli.main import main as pool
from pooling.option_names import OptionNames

LINES = {
    "good": "1 0 d1 0\n1 0 d2 1\n1 0 d3 2\n",
    "high": "1 0 d1 0\n1 0 d2 7\n",
    "gap": "1 0 d1 0\n1 0 d2 1\n",
    "decimal": "1 0 d1 1.0\n",
    "fraction": "1 0 d1 0.5\n",
    "negative": "1 0 d1 -3\n",
    "twice": "1 0 d1 1\n1 0 d1 2\n",
    "run": "1 Q0 d1 1 1.0 s\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("options")
    for name, lines in LINES.items():
        (folder / f"{name}.qrels").write_text(lines)
    return folder


def error(capsys, command, *arguments):
    assert command([str(argument) for argument in arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize(
    ("judge", "options", "words"),
    [
        ("high", "", "it must be one of 0, 1, 2, or use --off-scale clip or drop"),
        ("gap", "--scale 0,2 --off-scale clip", "--off-scale clip changes only grades below the lowest"),
        ("decimal", "", "or use --decimals whole to read it as 1"),
        ("fraction", "", "or use --rounding half_up, up or down"),
        ("negative", "--negative error", "or use --negative not_judged or off_scale"),
        ("twice", "", "or use --duplicates last or another rule"),
        ("twice", "--duplicates median", "--duplicates median needs a rounding"),
        ("twice", "--duplicates median", "; use --rounding half_up, up or down."),
        ("gap", "--rel 9", "--rel must be a grade of the scale 0, 1, 2, not 9."),
        ("gap", "--map nobody:1=2", "--map names the judge 'nobody'"),
        ("gap", "--judge-scale 0,1 --map 5=1", "--map has the grade 5"),
        ("gap", "--map 1=2=x", "--map must be written as 1=2,2=3"),
        ("gap", "--judge-scale 1,0", "--judge-scale must have two or more different grades"),
        ("gap", "--judge-scale x", "--judge-scale must be whole numbers"),
        ("gap", "--name-pattern judge", "--name-pattern must contain {judge} once"),
        ("gap", "--columns assessor=coder", "--columns names columns, but no file is a table"),
        ("gap", "--reference nobody", "--reference must be one of the judges"),
        ("gap", "--top 0", "--top must be a whole number of at least 1"),
        ("gap", "--min-topics 0", "--min-topics must be a whole number"),
        ("gap", "--min-documents 0", "--min-documents must be a whole number"),
        ("gap", "--interval bootstrap", "--interval bootstrap draws at random and needs --seed N."),
    ],
)
def test_kappa(folder, capsys, judge, options, words):
    scale = () if "--scale" in options.split() else ("--scale", "0,1,2")
    printed = error(capsys, main, "kappa", folder / "good.qrels", folder / f"{judge}.qrels", *scale, *options.split())
    assert words in printed


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--off-scale clip", "--off-scale clip needs a scale"),
        ("--scale 0,-1", "--scale must"),
        ("--scale 1", "--scale must have two or more different grades"),
    ],
)
def test_kappa_without_a_valid_scale(folder, capsys, options, words):
    assert words in error(capsys, main, "kappa", folder / "good.qrels", folder / "gap.qrels", *options.split())


def test_notes_about_lines_that_are_left_out(folder, capsys):
    arguments = [
        "kappa",
        str(folder / "good.qrels"),
        str(folder / "high.qrels"),
        "--scale",
        "0,1,2",
        "--on-error",
        "report",
    ]
    assert main(arguments) == 0
    assert "or use --off-scale clip or drop." in capsys.readouterr().out
    assert main([*arguments, "--json"]) == 0
    assert any("--off-scale clip" in note for note in json.loads(capsys.readouterr().out)["notes"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("shift --gold a={good} --gold b={gap} --min-topics 0", "--min-topics must be"),
        ("shift --gold a={good} --gold b={gap} --min-judged 2", "--min-judged must be"),
        ("shift --gold a={good} --gold b={gap} --reference c", "--reference must be one of the golds a, b, not 'c'"),
        ("shift --gold a={good} --gold b={gap} --scale 1", "--scale must have two or more"),
        ("mix --judge a={good} --judge b={gap} --draws 0", "--draws must be a whole number"),
        ("mix --judge a={good} --judge b={gap} --draws 1", "--seed must be a whole number of at least 0, not None"),
        ("mix --judge a={good} --judge b={gap} --min-judged 2", "--min-judged must be"),
    ],
)
def test_shift_and_mix(folder, capsys, options, words):
    paths = {name: folder / f"{name}.qrels" for name in LINES}
    command, *others = options.format(**paths).split()
    assert words in error(capsys, main, command, "--run", folder / "run.qrels", *others)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("", "--strategy depth needs --depth"),
        ("--depth 0", "--depth must be a whole number from 1, not 0"),
        ("--strategy random --size 2", "--strategy random draws at random and needs --seed"),
        ("--strategy rrf --budget 9", "--strategy rrf has no --budget; it has: --size, --k, --depth"),
        ("--strategy rbp --size 2 --p 3", "--p must be a number between 0 and 1"),
    ],
)
def test_pool(folder, capsys, options, words):
    assert words in error(capsys, pool, *options.split(), folder / "run.qrels")


@pytest.mark.parametrize(
    "sentence",
    [
        "x.qrels, line 2: 'top' on document 'sort' of topic 'scale': label 'map' is not allowed; a label is a number.",
        "The file figure is missing.",
        "topics='common' is the way without an option of this name.",
        "",
    ],
)
def test_other_words_stay(sentence):
    names = parser("assay").parse_args(["kappa", "a", "b"]).names
    assert names.of(sentence) == sentence
    assert OptionNames({}).of("off_scale='clip' needs a scale") == "off_scale='clip' needs a scale"


@pytest.mark.in_ci
@pytest.mark.parametrize(
    "part", ["set 'off_scale' to 'a', ", "off_scale='", "the option '", "it has: map, ", "'", "needs "]
)
def test_foreign_text_takes_linear_time(part):
    names = parser("assay").parse_args(["kappa", "a", "b"]).names
    started = time.process_time()
    names.of(part * (1_000_000 // len(part)))
    assert time.process_time() - started < 5
