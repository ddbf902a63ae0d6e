"""`assay draw`: its output, the files that it writes, and what it refuses."""

import json

import pandas as pd
import pytest

from assay.cli import main as assay
from pooling import pool, write_pool, write_run
from pooling.cli.draw import main
from pooling.draws import Draw, draw_by_stratum, draw_poisson, draw_two_stage, read_draw
from pooling.draws.files import draw_text
from tests.pooling.runs import lists, run

RUNS = run([*lists("1", s="abcd", t="bdef"), *lists("2", s="xyz", t="zuv")])
WHOLE = pool(RUNS, depth=4)
GRADES = "1 0 a 0\n1 0 b 1\n1 0 c 0\n1 0 d 1\n1 0 e 0\n2 0 x 1\n2 0 y 0\n2 0 z 1\n2 0 u -1\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_pool(WHOLE, "pool.json")
    write_pool(pool(RUNS, "random", size=2, seed=4), "sample.json")
    write_pool(pool(RUNS, "ask_people", size=2, seed=4), "asked.json")
    for system in "st":
        write_run(RUNS[RUNS["system"] == system], f"{system}.run")
    (tmp_path / "model.qrels").write_text(GRADES)
    (tmp_path / "probabilities.tsv").write_text("query_id\tdoc_id\tprobability\n1\ta\t0.9\n1\tb\t0.5\n2\tx\t0.75\n")
    (tmp_path / "gains.csv").write_text("query_id,doc_id,gain\n1,a,3\n1,b,1\n2,x,2\n")
    return tmp_path


def printed(capsys, *arguments):
    assert main(list(arguments), "assay draw") == 0
    out = capsys.readouterr()
    assert out.err == ""
    return out.out


def written(*arguments):
    assert main([*arguments, "--out", "draw.json"], "assay draw") == 0
    return read_draw("draw.json")


def same(first, second):
    assert draw_text(first) == draw_text(second)


def test_the_design_is_printed_and_nothing_is_written(folder, capsys):
    before = sorted(path.name for path in folder.iterdir())
    assert printed(capsys, "--pool", "pool.json", "--size", "2", "--seed", "1") == (
        "4 of 11 pairs drawn, a fixed number of each of 2 strata (seed 1). Design effect 1.01: where grades do not"
        " follow the probabilities, the draw is as precise as 4 grades drawn with equal probability.\n"
        "\n"
        "stratum  pairs  expected  drawn  pairs for each grade\n"
        "-------  -----  --------  -----  --------------------\n"
        "      1      6       2.0      2                  3.00\n"
        "      2      5       2.0      2                  2.50\n"
    )
    assert sorted(path.name for path in folder.iterdir()) == before


def test_the_draw_is_that_of_the_library(folder):
    same(written("--pool", "pool.json", "--size", "2", "--seed", "1"), draw_by_stratum(WHOLE.frame, 2, seed=1))
    same(
        written("--pool", "pool.json", "--size", "3", "--by", "all", "--seed", "1"),
        draw_by_stratum(WHOLE.frame.assign(all="all"), 3, seed=1, strata="all"),
    )
    two = draw_two_stage(WHOLE.frame, 1, 2, seed=5)
    same(written("--pool", "pool.json", "--size", "2", "--topics", "1", "--seed", "5"), two)
    same(written("--pool", "pool.json", "--size", "2", "--topics", "1", "--by", "all", "--seed", "5"), two)


def test_strata_by_rank_and_grade(folder, capsys):
    rank = written("--pool", "pool.json", "--size", "1", "--by", "rank", "--seed", "1")
    assert rank.to_frame().values.tolist() == [["ranks 1-3", 10, 1], ["ranks 4-10", 1, 1]]
    grade = written("--pool", "pool.json", "--size", "1", "--by", "grade", "--model", "model.qrels", "--seed", "1")
    assert grade.to_frame().values.tolist() == [["grade 0", 4, 1], ["grade 1", 4, 1], ["no grade", 3, 1]]
    both = written("--pairs", "model.qrels", "--size", "9", "--by", "topic", "grade", "--seed", "1")
    assert both.to_frame()["stratum"].tolist() == ["1 grade 0", "1 grade 1", "2 grade 0", "2 grade 1", "2 no grade"]


def test_own_probabilities(folder):
    pairs = WHOLE.frame[["query_id", "doc_id"]]
    pairs = pairs.assign(
        probability=[{"a": 0.9, "b": 0.5, "x": 0.75}.get(doc_id, 0) for doc_id in pairs["doc_id"]],
        gain=[{"a": 3, "b": 1, "x": 2}.get(doc_id, 0) for doc_id in pairs["doc_id"]],
    )
    same(
        written("--pool", "pool.json", "--poisson", "probabilities.tsv", "--tau", "0.2", "--seed", "3"),
        draw_poisson(pairs, seed=3, tau=0.2),
    )
    same(
        written("--pool", "pool.json", "--poisson", "gains.csv", "--size", "4", "--seed", "3"),
        draw_poisson(pairs, "gain", size=4, seed=3),
    )


def test_a_sample_that_exists_is_recorded(folder):
    sample = pool(RUNS, "random", size=2, seed=4)
    same(written("--pool", "pool.json", "--sample", "sample.json"), Draw.from_pools(WHOLE, sample))
    asked = Draw.from_pools(WHOLE, pool(RUNS, "ask_people", size=2, seed=4), RUNS)
    same(written("--pool", "pool.json", "--sample", "asked.json", "--run", "s.run", "t.run"), asked)


def test_the_pairs_to_judge_reveal_nothing_but_the_pair(folder):
    draw = written("--pool", "pool.json", "--size", "3", "--seed", "1", "--tsv", "to-judge.tsv")
    table = pd.read_csv("to-judge.tsv", sep="\t", dtype=str)
    assert list(table) == ["query_id", "doc_id"]
    assert sorted(table.itertuples(index=False, name=None)) == sorted(
        zip(draw.drawn["query_id"], draw.drawn["doc_id"], strict=True)
    )
    assert table["query_id"].is_monotonic_increasing


def test_the_same_draw_has_the_same_bytes(folder):
    written("--pool", "pool.json", "--size", "2", "--seed", "1")
    first = (folder / "draw.json").read_bytes()
    written("--pool", "pool.json", "--size", "2", "--seed", "1")
    assert (folder / "draw.json").read_bytes() == first


def test_styles(folder, capsys):
    assert "| stratum |" in printed(capsys, "--pool", "pool.json", "--size", "2", "--seed", "1", "--style", "markdown")
    assert r"\begin{tabular}" in printed(
        capsys, "--pool", "pool.json", "--size", "2", "--seed", "1", "--style", "latex"
    )


def test_many_strata_are_cut(folder, capsys):
    rows = "".join(f"{number} 0 a 0\n" for number in range(33))
    (folder / "many.qrels").write_text(rows)
    text = printed(capsys, "--pairs", "many.qrels", "--size", "1", "--seed", "1")
    assert text.endswith("\n\n3 more strata.\n")


def test_it_is_a_command_of_assay(folder, capsys):
    assert assay(["draw", "--pool", "pool.json", "--size", "2", "--seed", "1"]) == 0
    assert capsys.readouterr().out.startswith("4 of 11 pairs drawn")
    assert assay(["draw", "--pool", "absent.json", "--size", "2", "--seed", "1"]) == 2
    assert capsys.readouterr().err == "assay draw: absent.json: No such file or directory\n"


POOL = ("--pool", "pool.json", "--seed", "1")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--pool", "pool.json", "--size", "2"), "a new draw needs --seed N"),
        (POOL, "a draw needs --size N, the pairs of each stratum, or --poisson FILE"),
        ((*POOL, "--size", "0"), "the size of the stratum '1' must be a whole number from 1, not 0"),
        (("--pool", "pool.json", "--size", "2", "--seed", "-1"), "--seed must be a whole number from 0, not -1"),
        ((*POOL, "--size", "2", "--tau", "0.5"), "--tau needs --poisson"),
        ((*POOL, "--topics", "2", "--poisson", "gains.csv"), "cannot be combined with --poisson"),
        ((*POOL, "--size", "2", "--topics", "3"), "must be at most 2, the number of topics, not 3"),
        ((*POOL, "--size", "2", "--by", "all", "rank"), "--by all is one stratum and cannot be combined with others"),
        ((*POOL, "--size", "2", "--by", "grade"), "--by grade needs --model FILE, the grades of a model"),
        ((*POOL, "--size", "2", "--model", "model.qrels"), "--model needs --by grade"),
        ((*POOL, "--size", "2", "--run", "s.run"), "--run needs --sample"),
        (("--pool", "pool.json", "--sample", "sample.json", "--size", "2"), "--size cannot be combined with --sample"),
        (("--pairs", "model.qrels", "--sample", "sample.json"), "--sample needs --pool, the pool of all documents"),
        (("--pool", "pool.json", "--sample", "asked.json"), "a sample of strategy 'ask_people' needs --run"),
        (("--pool", "sample.json", "--sample", "sample.json"), "the whole pool is a sample itself"),
        (("--pairs", "pool.json", "--size", "2", "--seed", "1"), "pool.json: this is JSON; pairs are qrels or a table"),
        (
            ("--pairs", "model.qrels", "--size", "2", "--seed", "1", "--by", "rank"),
            "the strata by rank need a pool, or pairs with the column best_rank",
        ),
        ((*POOL, "--poisson", "gains.csv"), "gains.csv: the table needs the column probability"),
        ((*POOL, "--poisson", "other.tsv"), "other.tsv: it has none of the pairs to draw from"),
        ((*POOL, "--poisson", "twice.tsv"), "twice.tsv: document 'a' of topic '1' occurs twice"),
        ((*POOL, "--poisson", "bad.tsv"), "bad.tsv, line 2: 2 columns; the header has 3"),
        ((*POOL, "--poisson", "empty.tsv"), "empty.tsv: the table has no row"),
        ((*POOL, "--size", "2", "--out", "pool.json"), "pool.json: this is one of the inputs or the other output"),
        ((*POOL, "--size", "2", "--out", "x", "--tsv", "x"), "x: this is one of the inputs or the other output"),
        ((*POOL, "--size", "2", "--out", "no/x"), "no/x: the folder no does not exist"),
        ((*POOL, "--size", "2", "--tsv", "."), ".: this is a folder; choose a file"),
    ],
)
def test_invalid_options_write_nothing(folder, capsys, arguments, sentence):
    header = "query_id\tdoc_id\tprobability\n"
    for name, rows in {
        "other": "9\tq\t0.5\n",
        "twice": "1\ta\t0.5\n1\ta\t0.5\n",
        "bad": "1\ta\n",
        "empty": "",
    }.items():
        (folder / f"{name}.tsv").write_text(header + rows)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert main(list(arguments), "assay draw") == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert out.err.startswith("assay draw: ")
    assert sentence in out.err
    assert out.err.count("\n") == 1
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_pool_takes_gains(folder, capsys):
    options = ["--strategy", "ask_people", "--size", "1", "--seed", "4", "--gain", "gains.csv", "s.run", "t.run"]
    assert assay(["pool", *options]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["parameters"]["gain"] == {"1": {"a": 3, "b": 1}, "2": {"x": 2}}
    expected = pool(RUNS, "ask_people", size=1, seed=4, gain=content["parameters"]["gain"])
    assert content["topics"]["1"][0][0] == expected.frame["doc_id"].iloc[0]


def test_pool_refuses_other_tables_of_gains(folder, capsys):
    with pytest.raises(SystemExit):
        assay(["pool", "--strategy", "ask_people", "--size", "1", "--seed", "4", "--gain", "model.qrels", "s.run"])
    assert "there is no column gain" in capsys.readouterr().err
