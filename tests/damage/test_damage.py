"""No damage of a file changes a figure in silence: it is read as it was, refused, or named with its count.

A correct set of two judges and three runs is damaged in all rows and in a tenth of them, and `assay kappa` and
`assay shift` read it. If a figure differs from that of the correct set, the command must have failed with a sentence
that names the file, or its notes must name the judge with a number.
"""

import io
import json
import random
import re
import warnings
from contextlib import redirect_stderr, redirect_stdout

import pytest

from agreement import check_files
from agreement.cli.main import main
from tests.damage.damages import FILES, ROWS, RUN_LINES, TOPIC_LINES

TOPICS = [f"{number:03}" for number in range(90, 115)]
HEADER = ["assessor", "query_id", "doc_id", "relevance"]
DOCUMENTS = [f"D{number:04}" for number in range(30)]


def judgements() -> list[list[str]]:
    """The judgements of bob on ten documents of each topic."""
    draw = random.Random(7)
    return [["bob", topic, doc_id, str(draw.randrange(2))] for topic in TOPICS for doc_id in DOCUMENTS[:10]]


def csv_text(rows: list[list[str]]) -> str:
    return "".join(",".join(row) + "\n" for row in [HEADER, *rows])


@pytest.fixture(scope="module")
def ada(tmp_path_factory):
    """The file of a correct judge."""
    draw = random.Random(8)
    path = tmp_path_factory.mktemp("correct") / "ada.qrels"
    lines = (f"{topic} 0 {doc_id} {draw.randrange(2)}\n" for topic in TOPICS for doc_id in DOCUMENTS[:10])
    path.write_text("".join(lines))
    return path


def output(*words):
    """The exit code of a command, and what it prints and reports."""
    printed, reported = io.StringIO(), io.StringIO()
    with redirect_stdout(printed), redirect_stderr(reported):
        code = main(list(map(str, words)))
    return code, printed.getvalue(), reported.getvalue()


def figures(ada, bob):
    """The exit code, the kappa of the two judges and its counts, and everything that the command prints besides."""
    code, printed, reported = output("kappa", "--json", "--scale", "0,1", ada, bob)
    if code:
        return code, None, reported
    report = json.loads(printed)
    return code, kappas(report), " ".join(map(str, report["notes"])) + reported


def kappas(report):
    """The values of the report that are figures of the pair."""
    keys = ("across", "n", "n_dropped", "topics", "observed", "pooled_kappa", "cohen_kappa")
    return [[row[key] for key in keys] for row in report["pairs"]]


@pytest.fixture(scope="module")
def correct(ada, tmp_path_factory):
    """The figures of the correct set."""
    bob = tmp_path_factory.mktemp("correct") / "bob.csv"
    bob.write_text(csv_text(judgements()))
    return figures(ada, bob)


def check(correct, damaged, name):
    code, values, text = damaged
    if code:
        assert name in text, text
    elif values != correct[1]:
        new = text.replace(correct[2], "")
        assert re.search(r"[0-9]", new), f"the figures changed in silence: {values}"
        assert "bob" in new.lower() or name in new, new


@pytest.mark.in_ci
@pytest.mark.parametrize("share", ["all", "a tenth"])
@pytest.mark.parametrize("damage", ROWS)
def test_damaged_rows_never_change_a_figure_in_silence(correct, ada, tmp_path, damage, share):
    rows = judgements()
    damaged = [ROWS[damage](row) if share == "all" or number % 10 == 3 else row for number, row in enumerate(rows)]
    bob = tmp_path / "damaged.csv"
    bob.write_text(csv_text(damaged))
    check(correct, figures(ada, bob), "damaged.csv")


@pytest.mark.in_ci
@pytest.mark.parametrize("damage", FILES)
def test_damaged_files_never_change_a_figure_in_silence(correct, ada, tmp_path, damage):
    bob = tmp_path / "damaged.csv"
    bob.write_bytes(FILES[damage](csv_text(judgements())))
    check(correct, figures(ada, bob), "damaged.csv")


def run(system: str, seed: int) -> list[str]:
    """The lines of a run of thirty documents for each topic, without equal scores."""
    draw = random.Random(seed)
    return [
        f"{topic} Q0 {doc_id} {rank} {100 - rank + seed / 10:.1f} {system}"
        for topic in TOPICS
        for rank, doc_id in enumerate(draw.sample(DOCUMENTS, 30), start=1)
    ]


def shift(folder, ada, lines):
    """The exit code of the command, the scores of the systems, and everything that it prints besides."""
    other, damaged, bob = folder / "bm25.run", folder / "damaged.run", folder / "bob.qrels"
    other.write_text("\n".join([*run("bm25", 1), ""]))
    damaged.write_text("\n".join([*lines, ""]))
    bob.write_text("".join(f"{topic} 0 {doc_id} {grade}\n" for _, topic, doc_id, grade in judgements()))
    words = ["shift", "--run", other, damaged, "--name-by-file", "--gold", f"ada={ada}", "--gold", f"bob={bob}"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        code, printed, reported = output(*words)
        _, scores, _ = output(*words, "--csv")
    return code, scores, reported + printed + "\n".join(str(each.message) for each in caught)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """One folder for the correct and all damaged runs, so that messages with the same path are the same."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def correct_shift(folder, ada):
    """What the command says of the correct set."""
    return shift(folder, ada, run("lm", 2))


@pytest.mark.in_ci
@pytest.mark.parametrize("share", ["all", "a tenth"])
@pytest.mark.parametrize("damage", RUN_LINES)
def test_damaged_runs_never_change_a_figure_in_silence(correct_shift, folder, ada, damage, share):
    changed = [
        RUN_LINES[damage](line) if share == "all" or number % 10 == 3 else line
        for number, line in enumerate(run("lm", 2))
    ]
    _, correct, before = correct_shift
    code, scores, text = shift(folder, ada, changed)
    if code:
        assert "damaged.run" in text, text
    elif scores != correct:
        new = set(text.splitlines()) - set(before.splitlines())
        named = [line for line in new if re.search(r"damaged|the runs", line) and re.search(r"[0-9]", line)]
        assert [line for line in named if not line.startswith("damaged ")], text


@pytest.mark.parametrize("share", ["all", "a tenth"])
@pytest.mark.parametrize("damage", TOPIC_LINES)
def test_damaged_topics_are_named_by_the_check(ada, tmp_path, damage, share):
    lines = [f"{topic}\ttitle of {topic}" for topic in TOPICS]
    damaged = TOPIC_LINES[damage]
    changed = [damaged(line) if share == "all" or number % 10 == 3 else line for number, line in enumerate(lines)]
    correct, topics, run_file = tmp_path / "correct.tsv", tmp_path / "damaged.tsv", tmp_path / "lm.run"
    correct.write_text("\n".join([*lines, ""]))
    topics.write_text("\n".join([*changed, ""]))
    run_file.write_text("\n".join([*run("lm", 2), ""]))
    before = check_files([run_file, ada], topics=correct)
    after = check_files([run_file, ada], topics=topics)
    assert {finding.sentence for finding in after.findings} != {finding.sentence for finding in before.findings}
    assert after.count("error") + after.count("warning") > before.count("error") + before.count("warning")
