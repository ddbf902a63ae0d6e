"""`assay gate`: an exit code for each decision, the files that it writes, hostile names, and refusals."""

import json
from xml.etree import ElementTree

import pytest

import agreement.cli.gate
from agreement.cli.main import main
from assay import cli
from tests.agreement.gate.small import at_ranks, gold_of, write_gold, write_run
from tests.realdata import real_data

LOSS = at_ranks(2, 2, 3)
REFUSED_E = "The gate needs a measure of which more is better, but less of E is. Use F, which is 1 - E."
HOSTILE = 'a&<b>"]]>|*_`[x](y)::error::\x1b[31m\u202e'  # a name of a file may have all of it


@pytest.fixture
def files(tmp_path):
    write_gold(tmp_path / "nist.qrels", gold_of(3))
    moved = {topic: {doc: int(doc == "a") for doc in grades} for topic, grades in gold_of(3).items()}
    write_gold(tmp_path / "ada.qrels", moved)
    less = {topic: {doc: grade for doc, grade in grades.items() if doc != "a"} for topic, grades in gold_of(3).items()}
    write_gold(tmp_path / "less.qrels", less)
    runs = {"old": at_ranks(1, 1, 1), "same": at_ranks(1, 1, 1), "worse": LOSS, "mixed": at_ranks(1, 1, 3)}
    for name, run in runs.items():
        write_run(tmp_path / f"{name}.run", run)
    return tmp_path


def gate(files, candidate, *more, golds=("nist",), run=main):
    paths = [str(files / f"{name}.qrels") for name in golds]
    runs = ["--baseline", str(files / "old.run"), "--candidate", str(files / f"{candidate}.run")]
    return run(["gate", "--gold", *paths, *runs, "--measure", "RR", *more])


@pytest.mark.parametrize("run", [main, cli.main])
@pytest.mark.parametrize(
    ("candidate", "golds", "code", "word"),
    [
        ("same", ["nist"], 0, "Win or tie"),
        ("worse", ["nist"], 1, "Loss"),
        ("mixed", ["nist"], 2, "Inconclusive"),
        ("worse", ["less"], 3, "Too many unjudged"),
        ("worse", ["nist", "ada"], 4, "Depends on the judge"),
    ],
)
def test_the_exit_code_is_the_decision(files, capsys, candidate, golds, code, word, run):
    assert gate(files, candidate, golds=golds, run=run) == code

    out, err = capsys.readouterr()
    assert out.startswith(f"{word}: ")
    assert f"Exit code {code}." in out.splitlines()[0]
    assert err == ""


def test_the_report_has_interval_power_unjudged_and_shift(files, capsys):
    gate(files, "mixed", golds=("nist", "ada"))

    out = capsys.readouterr().out
    # differences 0, 0, -2/3: mean -0.222, s = 0.3849, -0.222 -+ 4.302653 * 0.2222
    assert "Under nist, 3 topics: mixed 0.778, old 1.000, difference -0.222, 95% interval [-1.178, 0.734]" in out
    assert "Power: if both runs are equally good, the gate says so with a probability of 3%. For 80%, " in out
    assert "Unjudged among the first 10: 0% of old, 0% of mixed; at most 20% are allowed." in out
    assert "Bounds: judgements of these documents cannot change the difference." in out
    # under ada, the differences are 0, 0 and 1 - 1/2
    assert "Judge shift: the difference under ada is 0.389 away from that under nist, 95% interval [" in out
    assert "Largest losses under nist\n\ntopic  baseline  candidate  difference\n" in out
    assert "    3     1.000      0.333      -0.667\n" in out


def test_json_has_all_figures(files, capsys):
    assert gate(files, "worse", "--json") == 1

    data = json.loads(capsys.readouterr().out)
    assert (data["decision"], data["code"], data["candidate"], data["k"]) == ("loss", 1, "worse", 10)
    assert data["golds"][0]["difference"] == pytest.approx(-5 / 9, abs=1e-15)
    assert [topic["difference"] for topic in data["topics"]] == pytest.approx([-1 / 2, -1 / 2, -2 / 3])
    assert data["shifts"] == data["notes"] == []


def test_junit_has_a_test_for_each_gold(files, capsys):
    path = files / "gate.xml"
    assert gate(files, "worse", "--junit", str(path), golds=("nist", "ada")) == 4

    suites = ElementTree.parse(path).getroot()
    assert (suites.tag, suites.get("tests"), suites.get("failures")) == ("testsuites", "3", "3")
    cases = suites.findall("./testsuite/testcase")
    assert [case.get("name") for case in cases] == ["under nist", "under ada", "all golds"]
    failures = [case.find("failure") for case in cases]
    assert [failure.get("type") for failure in failures] == ["loss", "inconclusive", "depends_on_the_judge"]
    assert "95% interval [-0.795, -0.317]" in failures[0].text
    assert suites.find("./testsuite/system-out").text == capsys.readouterr().out


def test_junit_passes_with_a_tie(files):
    path = files / "gate.xml"
    assert gate(files, "same", "--junit", str(path)) == 0

    suites = ElementTree.parse(path).getroot()
    assert (suites.get("tests"), suites.get("failures"), suites.find(".//failure")) == ("1", "0", None)


def test_markdown_is_written(files):
    path = files / "gate.md"
    assert gate(files, "worse", "--markdown", str(path)) == 1

    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "## Gate: loss"
    assert "| topic | baseline | candidate | difference |" in lines


def test_names_from_files_stay_names(files, capsys):
    candidate = write_run(files / "hostile.run", LOSS)
    xml, markdown = files / "gate.xml", files / "gate.md"
    gold = str((files / "nist.qrels").rename(files / f"{HOSTILE.replace('/', '')}.qrels"))

    runs = ["--baseline", str(files / "old.run"), "--candidate", str(candidate), "--measure", "RR"]
    code = main(["gate", "--gold", gold, *runs, "--junit", str(xml), "--markdown", str(markdown)])

    assert code == 1
    shown = HOSTILE.replace("\x1b", "\ufffd").replace("\u202e", "\ufffd")
    assert f"Under {shown}, 3 topics" in capsys.readouterr().out
    case = ElementTree.parse(xml).find(".//testcase")
    assert case.get("name") == f"under {HOSTILE}".replace("\x1b", "\ufffd")
    text = markdown.read_text(encoding="utf-8")
    assert r"Under a\&\<b\>" in text
    assert r"\[x\]\(y\)::error::" in text
    assert "\x1b" not in text


def test_files_with_the_same_name_are_called_by_their_paths(files, capsys):
    (files / "new").mkdir()
    (files / "worse.run").rename(files / "new" / "old.run")

    assert gate(files, "new/old") == 1
    assert f"{files}/new/old.run is worse than {files}/old.run by more than 0.01 of RR" in capsys.readouterr().out
    assert gate(files, "old") == 0
    assert capsys.readouterr().out.startswith("Win or tie: candidate is not worse than baseline")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--margin", "-1"), "--margin must be a number of at least 0, not -1.0."),
        (("--max-unjudged", "2"), "--max-unjudged must be a share from 0 to 1, not 2.0."),
        (("--alpha", "0"), "--alpha must be between 0 and 1, such as 0.05, not 0.0."),
        (
            ("--measure", "E"),
            REFUSED_E,
        ),
        (("--measure", "ERR"), "ERR needs the declared scale: pass scale, the grades with the lowest first."),
        (("--candidate", "none.run"), "none.run: No such file or directory"),
        (("--junit", "none/x.xml"), "none/x.xml: No such file or directory"),
    ],
)
def test_refused_input_has_a_code_that_is_no_decision(files, capsys, monkeypatch, more, message):
    monkeypatch.chdir(files)
    assert gate(files, "worse", *more) == 64

    out, err = capsys.readouterr()
    assert (out, err) == ("", f"python -m agreement: {message}\n")


@pytest.mark.parametrize("arguments", [[], ["--margin", "x"], ["--bounds", "x"], ["--unknown"], ["--marg", "1"]])
def test_a_usage_error_has_a_code_that_is_no_decision(files, capsys, arguments):
    needed = ["--gold", "x", "--baseline", "x", "--candidate", "x"] if arguments else []
    for run in (main, cli.main):
        with pytest.raises(SystemExit) as stopped:
            run(["gate", *needed, *arguments])
        assert stopped.value.code == 64
    assert "usage: " in capsys.readouterr().err


def test_a_data_directory_is_refused_with_the_same_code(capsys):
    assert cli.main(["--data", "x", "gate"]) == 64
    assert "reads files and uses no data directory" in capsys.readouterr().err


def test_help_lists_the_exit_codes(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["gate", "--help"])
    assert stopped.value.code == 0
    assert "4 depends on the judge; 64 if the input is refused" in " ".join(capsys.readouterr().out.split())


def test_an_error_of_the_program_is_no_decision(files, capsys, monkeypatch):
    def fail(*arguments, **options):
        raise RuntimeError("a mistake in the program")

    monkeypatch.setattr(agreement.cli.gate, "gate_candidate", fail)
    assert gate(files, "worse") == 70
    assert "RuntimeError: a mistake in the program" in capsys.readouterr().err


@pytest.mark.slow
def test_two_runs_of_dl19(capsys):
    runs = real_data("dl19", "runs")
    qrels = real_data("dl19", "judges", "nist.qrels")
    first, *_, last = sorted(runs.glob("*.run.gz"))
    arguments = ["gate", "--gold", f"nist={qrels}", "--baseline", str(first), "--json"]

    assert main([*arguments, "--candidate", str(first)]) in (0, 3)
    same = json.loads(capsys.readouterr().out)
    assert (same["golds"][0]["low"], same["golds"][0]["lowest"]) == (0, 0)
    code = main([*arguments, "--candidate", str(last), "--bounds", "report", "--max-unjudged", "1"])
    other = json.loads(capsys.readouterr().out)
    assert code == other["code"] < 3
    assert other["golds"][0]["lowest"] <= other["golds"][0]["difference"] <= other["golds"][0]["highest"]
