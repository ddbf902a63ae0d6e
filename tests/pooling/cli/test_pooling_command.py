"""`python -m pooling`: its output, and that refused input leaves no files."""

import json
import os
import subprocess
import sys

import pytest

from pooling import pool, read_qrels, read_run, replay, write_run
from pooling.cli.main import main
from pooling.evaluation.coverage_report import coverage_text
from pooling.paths import matching_paths
from pooling.pools.files import pool_text, read_pool
from pooling.pools.pool import checksums
from pooling.strategies import STRATEGIES
from tests.pooling.runs import lists, run

OPTIONS = {
    "depth": {"depth": 2},
    "take": {"budget": 3},
    "fair_take": {"budget": 3},
    "rrf": {"size": 2, "k": 10},
    "rbp": {"size": 2, "p": 0.5},
    "random": {"size": 2, "seed": 9},
    "ntcir": {"depth": 2},
    "stat_ap": {"size": 2, "seed": 9},
    "ask_people": {"size": 2, "tau": 0.25, "seed": 9},
    "stratified": {"strata": [(1, 1.0), (3, 0.5)], "seed": 9},
}
QRELS = "1 0 a 1\n1 0 b 0\n1 0 d 2\n2 0 c 1\n2 0 x 1\n"


@pytest.fixture
def files(tmp_path):
    """The run files of two systems over two topics."""
    folder = tmp_path / "runs"
    folder.mkdir()
    for system, ranking in (("s", "abc"), ("t", "bd")):
        rows = [*lists("1", **{system: ranking}), *lists("2", **{system: ranking[::-1]})]
        write_run(run(rows), folder / f"{system}.run")
    return sorted(map(str, folder.iterdir()))


def runs():
    return run(lists("1", s="abc", t="bd") + lists("2", s="cba", t="db"))


def words(options):
    """The options of a strategy as they are typed."""
    typed = [f"--{name}={value}" for name, value in options.items() if name != "strata"]
    return typed + [f"--stratum={end}:{rate}" for end, rate in options.get("strata", ())]


def refusal(capsys, *arguments):
    assert main([str(argument) for argument in arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("python -m pooling: ")
    assert printed.err.count("\n") == 1
    return printed.err


@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_the_command_makes_the_same_pool_as_the_library(capsys, files, strategy):
    options = OPTIONS.get(strategy, {"size": 2})
    assert main(["--strategy", strategy, *words(options), *files]) == 0
    expected = pool(runs(), strategy, inputs=checksums(files), score_precision="float64", **options)
    printed = capsys.readouterr()
    assert printed.out == pool_text(expected)
    assert printed.err == f"python -m pooling: {expected.describe()}\n"


def test_a_pool_file_is_replaced_completely(capsys, files, tmp_path):
    out = tmp_path / "pool.json"
    for depth in (1, 2):  # the second takes the place of the first
        assert main(["--depth", str(depth), "--out", str(out), *files]) == 0
        assert read_pool(out).parameters == {"depth": depth}
    assert capsys.readouterr().out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pool.json", "runs"]
    assert list(read_pool(out).inputs) == ["s.run", "t.run"]


def test_the_same_files_in_any_order_give_the_same_bytes(capsys, files):
    assert main(["--depth", "2", *files]) == 0
    first = capsys.readouterr().out
    assert main(["--depth", "2", *reversed(files)]) == 0
    assert capsys.readouterr().out == first


@pytest.mark.slow
def test_the_program_shows_no_progress_bar_without_a_terminal(files):
    command = [sys.executable, "-m", "pooling", "--strategy", "rrf", "--size", "100", *files]
    ended = subprocess.run(command, capture_output=True, check=True, text=True)
    assert list(json.loads(ended.stdout)["topics"]) == ["1", "2"]
    assert ended.stderr == (
        "python -m pooling: rrf (size 100, k 60, seed 0) over 2 systems: 8 tasks in 2 topics, 4 each\n"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "--strategy depth needs --depth"),
        (["--depth", "0"], "--depth must be a whole number from 1, not 0"),
        (["--strategy", "best"], "--strategy best is unknown; choose from: "),
        (["--strategy", "rrf", "--budget", "9"], "--strategy rrf has no --budget; it has: --size, --k, --depth"),
        (["--strategy", "random", "--size", "9"], "--strategy random draws at random and needs --seed"),
        (["--depth", "2", "--seed", "1"], "--strategy depth does not draw at random"),
        (
            ["--strategy", "stratified", "--seed", "1", "--stratum", "5:2"],
            "the rate of a stratum must be above 0 and at most 1",
        ),
    ],
)
def test_invalid_parameters_are_refused_and_nothing_is_written(capsys, files, tmp_path, arguments, sentence):
    assert sentence in refusal(capsys, *arguments, "--out", tmp_path / "pool.json", *files)
    assert [path.name for path in tmp_path.iterdir()] == ["runs"]


def test_invalid_files_are_refused_and_nothing_is_written(capsys, files, tmp_path):
    out = tmp_path / "pool.json"
    out.write_text("unchanged")
    broken = tmp_path / "broken.run"
    broken.write_text("1 Q0 a 1 nan s\n")
    common = ("--depth", 2, "--out", out)
    assert f"{broken}, line 1: score 'nan'" in refusal(capsys, *common, *files, broken)
    assert "absent.run: No such file or directory" in refusal(capsys, *common, tmp_path / "absent.run")
    same = f"{files[0]}: tag 's' of file 2 is also the tag of {files[0]}, file 1; each file"
    assert same in refusal(capsys, *common, files[0], *files)
    assert out.read_text() == "unchanged"


@pytest.mark.parametrize("options", [["--depth", "2"], ["--report"], ["--replay", "QRELS", "--size", "2"]])
def test_two_files_of_one_system_are_refused_with_both_names(capsys, files, tmp_path, options):
    (tmp_path / "QRELS").write_text(QRELS)
    again = tmp_path / "again.run"
    write_run(run(lists("1", s="cb")), again)
    options = [str(tmp_path / word) if word == "QRELS" else word for word in options]
    assert f"{again}: tag 's' is also the tag of {files[0]}; " in refusal(capsys, *options, *files, again)


def test_ranks_against_scores_are_reported_in_one_line(capsys, tmp_path):
    path = tmp_path / "r.run"
    path.write_text("1 Q0 a 1 1 r\n1 Q0 b 2 5 r\n")
    assert main([str(path), "--depth", "1"]) == 0
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "rank column" in line]
    assert line.startswith(f"{path}: the rank column contradicts the scores in 1 of 1 topic checked")


def test_an_invalid_output_file_is_refused_before_the_work(capsys, files, tmp_path):
    assert "this is a folder; choose a file" in refusal(capsys, "--depth", 2, "--out", tmp_path, *files)
    assert "does not exist" in refusal(capsys, "--depth", 2, "--out", tmp_path / "x" / "y", *files)
    assert "this is one of the inputs; choose another file" in refusal(capsys, "--depth", 2, "--out", files[0], *files)


@pytest.mark.parametrize("arguments", [["--size", "few"], ["--stratum", "10"], []])
def test_invalid_options_exit_with_code_2(capsys, arguments):
    runs = ["a.run"] if arguments else []
    with pytest.raises(SystemExit) as exit_:
        main([*arguments, *runs])
    assert exit_.value.code == 2
    assert capsys.readouterr().out == ""


@pytest.fixture
def qrels(tmp_path):
    path = tmp_path / "gold.qrels"
    path.write_text(QRELS)
    return path


def test_the_report_describes_the_coverage_of_the_pool(capsys, files, tmp_path):
    out = tmp_path / "pool.json"
    assert main(["--depth", "1", "--report", "--out", str(out), *files]) == 0
    printed = capsys.readouterr().out
    head, _, first, *_ = printed.splitlines()
    assert head == "The pool"
    assert "\n\nThe runs to depth 1, independently of the pool\n\n" in printed
    assert first == "depth (depth 1) over 2 systems: 4 tasks in 2 topics, 2 each."
    assert "different documents" in printed
    assert read_pool(out).parameters == {"depth": 1}


def test_the_report_by_hand(capsys, files):
    # Topic 1: s a b c, t b d; topic 2: s c b a, t d b. The pool of depth 1 is a, b and c, d.
    # s has 2 of 3 and 1 of 3 of its documents there, 1/2 in the mean; t 1 of 2 in both, 1/2. Over runs: 1/2.
    assert main(["--strategy", "depth", "--depth", "1", "--report", *files]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["5", "50.0%", "50.0%"] in lines
    assert ["100", "50.0%", "50.0%"] in lines


@pytest.mark.slow
def test_a_replay_compares_the_strategies(capsys, files, qrels, tmp_path):
    figure = tmp_path / "found.svg"
    assert main(["--replay", str(qrels), "--size", "2", "--figure", str(figure), *files]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("With 2 judgements per topic, ")
    assert "of 4 relevant documents are found by " in printed
    # Of best rank 1: b, a of topic 1; d, c of topic 2. Relevant are a and c; d is not in the qrels of topic 2.
    assert ["depth", "4", "2", "1", "0.0%", "0.0%", "0.0%", "50.0%"] in [line.split() for line in printed.splitlines()]
    assert "2 topics; relevant from grade 1; seed 1 for random choices and ties." in printed
    drawn = figure.read_text()
    assert drawn.startswith("<?xml")
    assert f">{len(STRATEGIES) - 1 + 12 - 6} more<" in drawn  # all but the six with their own legend entry
    assert ">ideal (4 relevant in all)<" in drawn


def test_one_strategy_is_replayed_with_its_parameters(capsys, files, qrels):
    options = ["--strategy", "stratified", "--stratum", "1:1.0", "--stratum", "9:0.5", "--seed", "4"]
    assert main(["--replay", str(qrels), "--budget", "3", "--rel", "2", *options, *files]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("With 3 judgements over all topics, ")
    assert "of 1 relevant documents are found by stratified." in printed
    assert "relevant from grade 2; seed 4" in printed


def test_the_budget_can_follow_the_best_topic(capsys, files, qrels):
    options = ["--replay", str(qrels), "--budget", "4", "--best-topic"]
    assert main([*options, "--strategy", "maxmean", "--seed", "1", *files]) == 0
    one = capsys.readouterr().out
    expected = replay("maxmean", runs(), read_qrels(qrels), 4, per="best_topic", seed=1)
    found = int(expected.found["found"].iloc[-1])
    assert one.startswith("With 4 judgements over all topics, each for the topic of which the strategy expects most, ")
    assert f"{found} of 4 relevant documents are found by maxmean." in one
    assert main([*options, *files]) == 0
    compared = capsys.readouterr().out
    assert {"maxmean", "move_to_front", "bandit_ucb"} <= {line.split()[0] for line in compared.splitlines() if line}
    assert "hedge" not in compared
    assert "Left out" not in compared


def test_judged_documents_are_left_out(capsys, files, qrels, tmp_path):
    out = tmp_path / "pool.json"
    assert main(["--depth", "2", "--judged", str(qrels), "--out", str(out), *files]) == 0
    made = read_pool(out)
    expected = pool(runs(), depth=2, judged=read_qrels(qrels))
    assert made.frame.equals(expected.frame)
    assert made.parameters == expected.parameters
    # Topic 1: a, b and d are judged. Topic 2: c is, b and d are not.
    assert "4 documents left out because they are judged" in capsys.readouterr().err
    copy = tmp_path / "judged.qrels"
    copy.write_text(QRELS)
    assert "this is one of the inputs" in refusal(capsys, "--depth", "2", "--judged", copy, "--out", copy, *files)


@pytest.mark.soak
def test_the_same_replay_prints_the_same(capsys, files, qrels, tmp_path):
    printed = []
    for name in ("a.svg", "b.svg"):
        assert main(["--replay", str(qrels), "--size", "2", "--figure", str(tmp_path / name), *files]) == 0
        printed.append((capsys.readouterr().out, (tmp_path / name).read_bytes()))
    assert printed[0] == printed[1]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "--replay needs either --size N (judgements per topic) or --budget N (judgements over all topics)"),
        (["--size", "2", "--budget", "2"], "--replay needs either --size N"),
        (["--size", "0"], "--size must be a whole number from 1, not 0"),
        (["--size", "2", "--k", "10"], "--k is a parameter of some strategies only; choose one with --strategy"),
        (["--size", "2", "--strategy", "best"], "--strategy best is unknown"),
        (["--size", "2", "--strategy", "cal"], "--strategy cal needs the parameter 'texts'"),
        (["--size", "2", "--report"], "--replay makes no pool and cannot be combined with --out or --report"),
        (["--size", "2", "--out", "pool.json"], "--replay makes no pool"),
        (["--size", "2", "--figure", "found.png"], "found.png: the figure is an SVG"),
        (["--size", "2", "--rel", "0"], "--rel must be a whole number from 1, not 0"),
        (
            ["--size", "2", "--strategy", "depth", "--seed", "3"],
            "--strategy depth does not draw at random and takes no",
        ),
        (["--size", "2", "--strategy", "best", "--seed", "3"], "--strategy best is unknown"),
        (["--size", "2", "--qrels", "x.qrels"], "--qrels needs --report and cannot be combined with --replay"),
        (["--size", "2", "--rel", "9"], "the qrels have no relevant document"),
    ],
)
def test_an_invalid_replay_is_refused(capsys, files, qrels, arguments, sentence):
    assert sentence in refusal(capsys, "--replay", qrels, *arguments, *files)


def test_the_report_without_a_strategy_describes_the_runs(capsys, files):
    for arguments, depth in (([], 100), (["--depth", "1"], 1)):
        assert main(["--report", *arguments, *files]) == 0
        printed = capsys.readouterr()
        assert (printed.out, printed.err) == (coverage_text(runs(), depth=depth), "")


def test_the_report_has_judged_and_unique_documents(capsys, files, qrels):
    assert main(["--report", "--qrels", str(qrels), "--rel", "2", *files]) == 0
    printed = capsys.readouterr().out
    assert printed == coverage_text(runs(), read_qrels(qrels), rel=2)
    # Of grade 2 there is d of topic 1, which t alone has.
    assert "In total, 1 relevant document comes from a single run." in printed
    assert "judged@100" in printed
    assert main(["--strategy", "rrf", "--size", "1", "--report", "--qrels", str(qrels), *files]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("The pool\n\nrrf (size 1, k 60, seed 0) over 2 systems: 2 tasks")
    assert printed.endswith(
        f"\n\nThe runs to depth 100, independently of the pool\n\n{coverage_text(runs(), read_qrels(qrels))}"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--depth", "2", "--rel", "1"], "--rel needs judgements: --replay QRELS or --report"),
        (["--report", "--rel", "1"], "--rel needs judgements"),
        (["--depth", "2", "--figure", "found.svg"], "--figure needs --replay QRELS"),
        (["--depth", "2", "--qrels", "a.qrels"], "--qrels needs --report"),
        (["--report", "--qrels", "a.qrels", "--rel", "0"], "--rel must be a whole number from 1, not 0"),
        (["--report", "--size", "9"], "--strategy depth has no --size; it has: --depth"),
        (["--report", "--seed", "9"], "--strategy depth does not draw at random"),
        (["--report", "--depth", "0"], "--depth must be a whole number from 1, not 0"),
        (["--report", "--qrels", "absent.qrels"], "absent.qrels: No such file or directory"),
        (["--depth", "2", "--best-topic"], "--best-topic needs --replay QRELS and --budget N"),
        (["--replay", "a.qrels", "--size", "2", "--best-topic"], "--best-topic needs --replay QRELS and --budget N"),
        (
            ["--report", "--judged", "a.qrels"],
            "--judged needs a pool: it cannot be combined with --replay, or --report",
        ),
        (["--replay", "a.qrels", "--size", "2", "--judged", "a.qrels"], "--judged needs a pool"),
        (["--depth", "2", "--judged", "absent.qrels"], "absent.qrels: No such file or directory"),
    ],
)
def test_an_option_without_effect_is_refused(capsys, files, arguments, sentence):
    assert sentence in refusal(capsys, *arguments, *files)


def test_a_pool_does_not_overwrite_the_judgements(capsys, files, qrels):
    common = ("--depth", 2, "--report", "--qrels", qrels, "--out", qrels)
    assert "this is one of the inputs" in refusal(capsys, *common, *files)
    assert qrels.read_text() == QRELS


def test_the_recorded_provenance_reproduces_the_pool(capsys, files, tmp_path):
    # As float32 the two scores are one, and b, the larger doc_id, goes first.
    close = tmp_path / "close.run"
    close.write_text("1 Q0 a 1 1.00000001 u\n1 Q0 b 2 1.0 u\n")
    out = tmp_path / "pool.json"
    for precision, first in (("float32", "b"), ("float64", "a")):
        assert main(["--depth", "1", "--score-precision", precision, "--out", str(out), str(close)]) == 0
        made = read_pool(out)
        assert (made.score_precision, made.frame["doc_id"].tolist()) == (precision, [first])
        runs_again = read_run(close, score_precision=made.score_precision)
        provenance = {"inputs": made.inputs, "score_precision": made.score_precision}
        again = pool(runs_again, made.strategy, seed=made.seed, **provenance, **made.parameters)
        assert pool_text(again).encode() == out.read_bytes()


@pytest.mark.parametrize(
    "arguments", [["--depth", "1"], ["--report"], ["--strategy", "rrf", "--size", "1", "--report"]]
)
def test_a_pipe_is_refused_immediately(capsys, files, tmp_path, arguments):
    pipe = tmp_path / "pipe.run"
    os.mkfifo(pipe)
    assert f"{pipe}: this is not a regular file; write the run to a file first" in refusal(
        capsys, *arguments, *files, pipe
    )


def test_usage_messages_and_errors_use_the_given_program_name(capsys, files):
    assert main(["--depth", "1", *files], prog="assay pool") == 0
    assert capsys.readouterr().err.startswith("assay pool: depth (depth 1) over 2 systems")
    assert main(["--depth", "0", *files], prog="assay pool") == 2
    assert capsys.readouterr().err.startswith("assay pool: --depth must be a whole number from 1")
    with pytest.raises(SystemExit) as exit_:
        main(["--help"], prog="assay pool")
    assert exit_.value.code == 0
    assert capsys.readouterr().out.startswith("usage: assay pool ")


def test_patterns_in_quotes_are_expanded_in_ascending_order(capsys, files, tmp_path):
    assert main(["--depth", "2", *files]) == 0
    expected = capsys.readouterr()
    assert main(["--depth", "2", str(tmp_path / "runs" / "*.run")]) == 0
    assert capsys.readouterr() == expected
    assert matching_paths([str(tmp_path / "runs" / "?.run"), "other"]) == [*files, "other"]
    with_brackets = tmp_path / "[s].run"
    with_brackets.touch()
    assert matching_paths([str(with_brackets)]) == [str(with_brackets)]


def test_a_pattern_without_a_file_is_refused(capsys, tmp_path):
    pattern = str(tmp_path / "*.gz")
    assert refusal(capsys, "--depth", 2, pattern) == f"python -m pooling: No file matches the pattern {pattern!r}.\n"


def test_a_report_of_a_pool_without_documents(capsys, files, tmp_path):
    judged = tmp_path / "all.qrels"
    judged.write_text("".join(f"{topic} 0 {doc_id} 0\n" for topic in "12" for doc_id in "abcd"))
    assert main(["--strategy", "depth", "--depth", "2", "--judged", str(judged), "--report", *files]) == 0
    text = capsys.readouterr().out
    assert "depth (depth 2) over 2 systems: no document is left to judge; 6 documents left out" in text
