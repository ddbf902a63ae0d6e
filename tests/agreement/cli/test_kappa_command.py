"""The command `kappa`: its output in each format, and a one-sentence error for invalid input."""

import csv
import io
import json
import subprocess
import sys
from itertools import product

import pytest

from agreement import Ratings, agreement_data, agreement_text, kappa_difference, pairwise
from agreement.choices import ADDED
from agreement.cli.main import main
from agreement.reports.agreement_report import added_table
from pooling.paths import name_of
from tests.cases import CASES
from tests.slow_cases import slow_cases

BY_DEFAULT = {"interval": "jackknife_topics", "weights": "linear", "sort": "value"}
GRADES = {"ann": [0, 1, 2, 2], "bob": [0, 2, 2, 1], "eve": [0, 2, None, 1]}


@pytest.fixture
def files(tmp_path):
    """Four documents of two topics, one file for each judge."""
    for judge, grades in GRADES.items():
        lines = [f"{1 + index // 2} 0 d{index} {grade}\n" for index, grade in enumerate(grades) if grade is not None]
        (tmp_path / f"{judge}.qrels").write_text("".join(lines))
    (tmp_path / "bad.qrels").write_text("1 0 x yes\n")
    (tmp_path / "high.qrels").write_text("1 0 x 500\n")
    (tmp_path / "spam.qrels").write_text("1 0 d0 7\n")
    return tmp_path


def kappa(files, *arguments, judges=("ann", "bob")):
    return main(["kappa", *(str(files / f"{judge}.qrels") for judge in judges), *arguments])


def ratings(*judges):
    matrix = Ratings.from_matrix([GRADES[judge] for judge in judges], (0, 1, 2), judges, axis="assessors")
    return Ratings(matrix.codes, matrix.scale, judges, ["1", "1", "2", "2"], ["d0", "d1", "d2", "d3"])


@pytest.mark.in_ci
def test_the_report_is_printed(files, capsys):
    assert kappa(files, "--scale", "0,1,2", "--rel", "1", "--per-topic") == 0

    out, err = capsys.readouterr()
    assert out == agreement_text(ratings("ann", "bob"), rel=1, per_topic=True, **BY_DEFAULT)
    assert err == ""


def test_a_conger_kappa_below_minus_one_has_a_warning(tmp_path, capsys):
    """Two judges differ on ten documents, and four others give 0 to one more."""
    grades = {"a": 10 * [0], "b": 10 * [1]} | {judge: 10 * [None] + [0] for judge in "cdef"}
    for judge, given in grades.items():
        lines = [f"1 0 d{index} {grade}\n" for index, grade in enumerate(given) if grade is not None]
        (tmp_path / f"{judge}.qrels").write_text("".join(lines))
    warning = "Conger's kappa is below -1, which is possible because the judges judged different documents"
    options = ("--scale", "0,1", "--interval", "none")

    assert kappa(tmp_path, *options, judges=grades) == 0
    assert f"\nWarnings for some coefficients: {warning}.\n" in capsys.readouterr().out
    assert kappa(tmp_path, *options, "--json", judges=grades) == 0
    estimates = json.loads(capsys.readouterr().out)["all_judges"]
    assert {each["coefficient"]: each["warnings"] for each in estimates if each["warnings"]} == {
        "conger_kappa": [warning]
    }


def test_topics_can_be_left_out(files, capsys):
    assert kappa(files, "--scale", "0,1,2", "--without-topic", "2", "--json") == 0
    pairs = json.loads(capsys.readouterr().out)["pairs"]
    assert {(pair["n"], pair["topics"]) for pair in pairs} == {(2, 1)}

    for words, message in [
        (["3"], "--without-topic must be a topic of the files; no judge judged topic '3'."),
        (["1", "--without-topic", "2"], "--without-topic leaves no topic; leave out fewer topics."),
    ]:
        assert kappa(files, "--without-topic", *words) == 2
        assert capsys.readouterr().err == f"python -m agreement: {message}\n"


@pytest.mark.in_ci
def test_the_output_states_that_no_scale_was_declared(files, capsys):
    note = "No scale was declared. The grades 0, 1, 2 are used, up to the highest in the files. Use --scale."

    assert kappa(files) == 0
    assert capsys.readouterr().out == f"{note}\n\n{agreement_text(ratings('ann', 'bob'), **BY_DEFAULT)}"
    assert kappa(files, "--csv") == 0
    assert capsys.readouterr().err == f"python -m agreement: {note}\n"
    assert kappa(files, "--json") == 0
    assert json.loads(capsys.readouterr().out)["scale_declared"] is False


@pytest.mark.in_ci
def test_the_summary_needs_topics_and_documents(files, capsys):
    assert kappa(files, "--scale", "0,1,2") == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "Preliminary: 2 topics and 4 documents in common; answers need 10 topics, 50 documents in common. The judges "
        "agree poorly: on average, a pair agrees on 50% of the documents"
    )
    assert "over 1 pair with 2 topics and 4 documents in common.\n" in out
    assert "\nAnswers need 10 topics, 50 documents in common.\n" in out
    assert kappa(files, "--scale", "0,1,2", "--min-topics", "2", "--min-documents", "4") == 0
    # 2 of 4 equal; of 8 grades two are 0, two are 1 and four are 2: P(E) 3/8, kappa (1/2 - 3/8) / (5/8). With one topic
    # left out it is 1/5 and -1/3: their standard error is 4/15, and t with one degree of freedom is 12.706. So the
    # limits are outside -1 and 1.
    assert capsys.readouterr().out.splitlines()[0] == (
        "The judges agree poorly: on average, a pair agrees on 50% of the documents that both judged. Pooled kappa, "
        "which corrects for chance, is 0.20 (95% interval -1.00 to 1.00; dubious) over 1 pair with 2 topics and 4 "
        "documents in common."
    )
    assert kappa(files, "--min-documents", "0") == 2
    assert "--min-documents must be a whole number of at least 1, not 0." in capsys.readouterr().err


def test_three_judges_as_csv(files, capsys):
    assert kappa(files, "--csv", "--scale", "0,1,2", judges=GRADES) == 0

    out, err = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == 6
    expected = pairwise(ratings(*GRADES))["cohen_kappa"].tolist()
    assert [float(row["cohen_kappa"]) for row in rows if row["across"] == "pooled"] == expected
    assert err == ""


def test_json(files, capsys):
    assert kappa(files, "--json", "--scale=0,1,2,3", "--rel", "2", "--interval", "bootstrap", "--seed", "1") == 0

    data = json.loads(capsys.readouterr().out)
    assert (data["scale"], data["scale_declared"], data["rel"]) == ([0, 1, 2, 3], True, 2)
    assert (data["interval"], data["seed"]) == ("bootstrap", 1)
    # relevant to ann: d2, d3; to bob: d1, d2
    assert data["relevant_sets"][0]["overlap"] == 1 / 3
    assert data["pairs"][0]["cohen_kappa"] == 0


FORMS = ["--json", "--csv", "--latex", "--markdown", None]


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("name", "form"),
    [
        *product(ADDED[:1], FORMS),
        *product(ADDED[1:], FORMS[:1]),
        *slow_cases(product(ADDED[1:], FORMS[1:])),
    ],
)
def test_statistics_can_be_added_in_every_format(files, capsys, name, form):
    options = ("--scale", "0,1,2", "--add", name, "--add", name)
    assert kappa(files, *options, *([form] if form else []), judges=GRADES) == 0

    out, err = capsys.readouterr()
    assert err == ""
    interval = {"interval": BY_DEFAULT["interval"]}
    if form == "--json":
        rows = json.loads(out)["added"][name]
        assert rows == agreement_data(ratings(*GRADES), **interval, add=[name])["added"][name]
    elif form == "--csv":
        expected = added_table(ratings(*GRADES), name, **interval)
        assert out == expected.to_csv(index=False, lineterminator="\n")
    else:
        style = form.removeprefix("--") if form else "plain"
        assert out == agreement_text(ratings(*GRADES), style=style, **BY_DEFAULT, add=[name])


def test_added_tables_have_the_threshold_and_the_listed_pairs_of_the_report(files, capsys):
    options = ("--scale", "0,1,2", "--rel", "2", "--csv", "--add", "marginals", "--reference", "eve", "--top", "1")
    assert kappa(files, *options, judges=GRADES) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["test"] for row in rows] == ["mcnemar", "stuart_maxwell", "bhapkar"]
    assert {row["assessor_b"] for row in rows} == {"eve"}
    assert "relevant from grade 2" in rows[0]["convention"]


def test_csv_has_one_table(files, capsys):
    assert kappa(files, "--csv", "--add", "icc", "--add", "marginals") == 2
    message = "--csv prints one table; name one --add, not 2, or use --json."
    assert capsys.readouterr() == ("", f"python -m agreement: {message}\n")


@pytest.mark.parametrize(("form", "begin"), [("--latex", r"\begin{tabular}"), ("--markdown", "| coefficient")])
def test_formats_for_papers(files, capsys, form, begin):
    assert kappa(files, form) == 0

    out = capsys.readouterr().out
    assert begin in out
    assert out.startswith("No scale was declared. ")


def test_judges_are_named_by_arguments(files, capsys):
    first, second = files / "ann.qrels", files / "bob.qrels"

    assert main(["kappa", f"x={first}", f"y={second}", "--csv", "--scale", "0,1,2"]) == 0
    assert "pooled,,x,y,4," in capsys.readouterr().out


def test_judges_are_named_after_their_files_by_default():
    assert name_of("x/y/ann.qrels.gz") == "ann"
    assert name_of("trec8.adhoc") == "trec8.adhoc"
    assert name_of(".qrels") == ".qrels"


@pytest.mark.parametrize(
    ("arguments", "judges", "message"),
    [
        ((), ("ann",), "Agreement needs the judgements of two or more judges, not only of ann."),
        ((), ("ann", "ann"), "Two files have the name 'ann'. Write a judge as NAME=FILE with different names."),
        ((), ("ann", "none"), "none.qrels: No such file or directory"),
        ((), ("ann", "bad"), "bad.qrels, line 1"),
        ((), ("ann", "high"), "The highest grade in the files is 500; declare the grades with --scale."),
        (
            ("--scale", "0,1,2"),
            ("ann", "spam"),
            "spam.qrels, line 1: 'spam' on document 'd0' of topic '1': grade 7 is not on the scale; it must be",
        ),
        (
            ("--scale", "0,1"),
            ("ann", "bob"),
            "ann.qrels, line 3: 'ann' on document 'd2' of topic '2': grade 2 is not on the scale; it must be",
        ),
        (
            ("--scale", "0,x"),
            ("ann", "bob"),
            "such as 0,1,2, not '0,x'.",
        ),
        (("--scale", "2,1,0"), ("ann", "bob"), "--scale must list the lowest grade first, not '2,1,0'."),
        (("--scale", "0"), ("ann", "bob"), "--scale must have two or more different grades"),
        (("--rel", "7"), ("ann", "bob"), "--rel must be a grade of the scale 0, 1, 2, not 7."),
        (("--interval", "topics"), ("ann", "bob"), "--interval topics draws at random and needs --seed N."),
    ],
)
@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)])
def test_invalid_input_exits_with_a_one_sentence_error(files, capsys, arguments, judges, message, form):
    assert kappa(files, *arguments, *form, judges=judges) == 2

    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1].startswith("python -m agreement: ")
    assert message in err.splitlines()[-1]


def test_an_empty_name_is_refused(files, capsys):
    assert main(["kappa", f"={files / 'ann.qrels'}", str(files / "bob.qrels")]) == 2
    assert "a judge must be NAME=FILE, such as nist=a.qrels, not '=" in capsys.readouterr().err


@pytest.mark.slow
def test_the_command_runs_as_a_program(files):
    command = [sys.executable, "-m", "agreement", "kappa", str(files / "ann.qrels"), str(files / "bob.qrels")]

    finished = subprocess.run([*command, "--scale", "0,1,2"], capture_output=True, text=True, check=False)

    assert (finished.returncode, finished.stdout) == (0, agreement_text(ratings("ann", "bob"), **BY_DEFAULT))


@pytest.fixture
def odd_files(tmp_path):
    """A judge with four grades, a binary judge, and a judge whose file has every irregularity."""
    grades = {"graded": [0, 1, 2, 3, 2, 0], "binary": [0, 0, 1, 1, 1, 0]}
    for judge, values in grades.items():
        (tmp_path / f"{judge}.qrels").write_text("".join(f"1 0 d{i} {grade}\n" for i, grade in enumerate(values)))
    (tmp_path / "odd.qrels").write_text("1 0 d0 -1\n1 0 d1 1.0\n1 0 d2 7\n1 0 d2 3\n1 0 d3 2.5\n1 0 d4 x\n")
    return tmp_path


ODD = ("--decimals", "whole", "--off-scale", "clip", "--rounding", "half_up", "--on-error", "report")


def test_changes_of_irregular_files_are_printed(odd_files, capsys):
    assert kappa(odd_files, "--scale=0,1,2,3", *ODD, judges=("graded", "odd")) == 0

    notes = capsys.readouterr().out.split("\n\n")[:2]
    assert notes[0] == (
        "odd: 1 invalid line left out, 1 whole label written with decimals, 1 label rounded (half_up), 1 negative "
        "label read as not judged, 1 label off the scale clipped, 1 document repeated with the same grade."
    )
    assert notes[1].endswith(
        "odd.qrels, line 6: 'odd' on document 'd4' of topic '1': label 'x' is not allowed; a label is a decimal number "
        "of at most 32 bits, or map it to a grade, such as Relevant=1."
    )


def test_counts_and_options_are_in_the_json(odd_files, capsys):
    assert kappa(odd_files, "--scale=0,1,2,3", *ODD, "--json", judges=("graded", "odd")) == 0

    first, second = json.loads(capsys.readouterr().out)["judges"]
    assert (first["assessor"], first["judgements"], first["clipped"]) == ("graded", 6, 0)
    assert (second["lines"], second["judgements"], second["clipped"], second["not_judged"]) == (6, 3, 1, 1)
    assert second["options"]["off_scale"] == "clip"


def test_a_binary_judge_is_compared_at_the_threshold_of_its_mapping(odd_files, capsys):
    declared = ("--scale=0,1,2,3", "--map", "binary:1=2", "--judge-scale", "binary:0,1")
    assert kappa(odd_files, *declared, judges=("graded", "binary")) == 0

    out = capsys.readouterr().out
    assert (
        "binary has 2 grades (0, 2), the scale has 4. The judges are compared at the threshold 2: grade 2 and above is "
        "relevant."
    ) in out
    assert "binary: 3 labels mapped (1=2)." in out
    assert "relevant from grade 2" in out
    assert kappa(odd_files, *declared, "--csv", judges=("graded", "binary")) == 0
    assert float(next(csv.DictReader(io.StringIO(capsys.readouterr().out)))["cohen_kappa"]) == 1


def test_a_judge_that_looks_binary_is_mentioned(odd_files, capsys):
    assert kappa(odd_files, "--scale=0,1,2,3", judges=("graded", "binary")) == 0
    out = capsys.readouterr().out
    assert "binary gave only the grades 0, 1 of the scale 0, 1, 2, 3. Grades are compared one by one" in out
    assert "--map binary:1=2." in out

    assert kappa(odd_files, "--scale=0,1,2,3", "--rel=2", judges=("graded", "binary")) == 0
    out = capsys.readouterr().out
    assert "binary gave no grade from 2 on, so kappa with this judge is not meaningful." in out


def test_two_binary_judges_with_different_thresholds_need_rel(odd_files, capsys):
    content = (odd_files / "binary.qrels").read_text()
    (odd_files / "other.qrels").write_text(content)
    words = ("--scale=0,1,2,3", "--map", "binary:1=2", "--map", "other:1=3")
    assert kappa(odd_files, *words, judges=("graded", "binary", "other")) == 2
    assert "(binary from 2 on, other from 3 on); choose one with --rel N." in capsys.readouterr().err
    assert kappa(odd_files, *words, "--rel=2", judges=("graded", "binary", "other")) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--map", "1=2", "--map", "binary:1=2"), "--map must be given once for all judges, or once for each judge"),
        (("--map", "1-2"), "--map must be written as 1=2,2=3 or Relevant=1, each grade once, not '1-2'."),
        (("--map", "nobody:1=2"), "--map names the judge 'nobody'; the judges are graded, binary."),
        (("--judge-scale", "a,b"), "--judge-scale must be whole numbers separated by commas"),
        (("--name-pattern", "judge"), "--name-pattern must contain {judge} once"),
    ],
)
def test_invalid_options_for_irregular_files(odd_files, capsys, words, message):
    assert kappa(odd_files, "--scale=0,1,2,3", *words, judges=("graded", "binary")) == 2
    assert message in capsys.readouterr().err


def test_files_are_named_by_a_pattern(odd_files, capsys):
    assert main(["kappa", f"{odd_files}/*a*.qrels", "--name-pattern", "{judge}.qr*", "--csv", "--scale=0,1,2,3"]) == 0
    assert "pooled,,binary,graded,6," in capsys.readouterr().out


def test_judges_without_a_common_document_are_noted_with_an_example(tmp_path, capsys):
    (tmp_path / "ann.qrels").write_text("1 0 d1 1\n1 0 d2 0\n")
    (tmp_path / "bob.qrels").write_text("q1 0 d1 1\nq1 0 d2 0\n")

    assert main(["kappa", "--scale", "0,1", str(tmp_path / "ann.qrels"), str(tmp_path / "bob.qrels")]) == 0
    out = capsys.readouterr().out
    assert "ann judged document 'd1' of topic '1', and bob judged document 'd1' of topic 'q1'" in out


@pytest.mark.parametrize("names", [("ann", "bob"), ("bob", "ann")])
def test_relevant_documents_are_those_of_the_judge_that_is_named(tmp_path, capsys, names):
    relevant = {"ann": 4, "bob": 1}  # of five documents
    for name, number in relevant.items():
        lines = [f"1 0 d{document} {int(document < number)}" for document in range(5)]
        (tmp_path / f"{name}.qrels").write_text("\n".join(lines))
    main(["kappa", *(str(tmp_path / f"{name}.qrels") for name in names), "--scale", "0,1"])
    row = next(line for line in capsys.readouterr().out.split("Relevant documents")[1].splitlines() if " and " in line)
    first, _, second, n, to_first, to_second = row.split()[:6]
    assert {first: to_first, second: to_second} == {"ann": "4", "bob": "1"}
    assert n == "5"


def test_a_judge_of_everything_does_not_change_the_coefficients_of_all(tmp_path, capsys):
    grades = {"ann": [1, 1, 0, 1], "model": [1, 1, 0, 0] + 3 * [1] + 93 * [0]}
    for name, given in grades.items():
        lines = [f"1 0 d{number:02} {grade}" for number, grade in enumerate(given)]
        (tmp_path / f"{name}.qrels").write_text("\n".join(lines))
    main(["kappa", *(str(tmp_path / f"{name}.qrels") for name in grades), "--scale", "0,1"])
    rows = {line[:18].strip(): line.split() for line in capsys.readouterr().out.splitlines()}
    # by hand in tests/agreement/coefficients/test_many_judges.py; of two judges, pooled kappa is Fleiss' kappa
    assert rows["pooled kappa"][2] == "0.467"
    assert rows["cohen kappa"][2] == "0.500"
    assert rows["gwet ac"][2] == "0.529"


def test_files_that_were_put_together_have_their_documents_in_common(capsys):
    """P(A) = 3/4, P(E) = (3/8)^2 + (5/8)^2, kappa = (0.75 - 0.53125) / 0.46875."""
    assert main(["kappa", str(CASES / "bom_a.qrels"), str(CASES / "bom_b.qrels"), "--scale", "0,1"]) == 0
    out = capsys.readouterr().out
    assert "4 documents judged by both, 0 documents judged by only one of them." in out
    assert next(line.split()[2] for line in out.splitlines() if line.startswith("pooled kappa")) == "0.467"


def test_the_field_of_labels_is_an_option(capsys):
    path = str(CASES / "ls_two_labels.csv")
    assert main(["kappa", path, "--scale", "0,1,2"]) != 0
    assert "2 fields have labels: relevance, rating" in capsys.readouterr().err
    assert main(["kappa", path, "--scale", "0,1,2", "--field", "relevance"]) == 0
    assert "annotator-1" in capsys.readouterr().out


def test_differences_between_kappas(files, capsys):
    arguments = ("--scale", "0,1,2", "--interval", "none", "--difference", "ann,bob", "ann,eve")
    assert kappa(files, *arguments, "--json", judges=GRADES) == 0
    first, second = json.loads(capsys.readouterr().out)["differences"]
    expected = kappa_difference(ratings(*GRADES), ("ann", "bob"), ("ann", "eve"), "cohen_kappa")
    assert (first["coefficient"], second["coefficient"]) == ("pooled_kappa_difference", "cohen_kappa_difference")
    assert (second["value"], second["low"], second["n"], second["n_dropped"]) == (expected.value, expected.low, 3, 1)
    assert (second["first"], second["second"]) == (["ann", "bob"], ["ann", "eve"])
    assert kappa(files, *arguments, judges=GRADES) == 0
    text = capsys.readouterr().out
    assert "Differences between kappas" in text
    assert expected.shown() in text
    assert expected.method in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--difference", "ann", "ann,eve"), "two pairs of judges, such as ann,bob ann,eve, not 'ann'"),
        (("--difference", "ann,zed", "ann,eve"), "There is no assessor 'zed'"),
        (("--difference", "ann,bob", "bob,ann"), "The pairs must differ, but both are ann and bob"),
        (("--difference", "ann,bob", "ann,eve", "--csv"), "--difference cannot be combined with --csv"),
    ],
)
def test_invalid_differences(files, capsys, arguments, message):
    assert kappa(files, "--scale", "0,1,2", *arguments, judges=GRADES) == 2
    assert message in capsys.readouterr().err
