"""What `assay kappa` lists: two, three and 34 judges, a reference, the order, the weights, and a terminal."""

import csv
import io
import json
import re
import sys
from itertools import product

import pandas as pd
import pytest

from agreement import Ratings, agreement_frame, krippendorff_alpha, overall, pairwise
from agreement.cli.main import main
from agreement.diagnostics.against_reference import against_reference
from agreement.reports.page_width import page_of
from tests.slow_cases import slow_cases

GRADES = {  # of four documents each in topics 1 to 3
    "ann": "012001200122",
    "bob": "022001210112",
    "eve": "002201100120",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("judges")
    many = {
        f"a-model-with-a-long-name-{number:02}": GRADES["ann"][number % 7 :] + "012"[: number % 3]
        for number in range(33)
    }
    for judge, grades in (GRADES | many).items():
        lines = [f"{1 + index // 4} 0 d{index} {grade}\n" for index, grade in enumerate(grades[:12])]
        (folder / f"{judge}.qrels").write_text("".join(lines))
    return folder


@pytest.fixture
def run(folder, capsys):
    def run(*arguments, judges=tuple(GRADES), code=0):
        scale = () if "--scale" in arguments else ("--scale", "0,1,2")
        assert main(["kappa", *(f"{folder}/{judge}.qrels" for judge in judges), *scale, *arguments]) == code
        out, err = capsys.readouterr()
        return err if code else out

    return run


def ratings(*judges):
    rows = [(name, str(1 + i // 4), f"d{i}", int(grade)) for name in judges for i, grade in enumerate(GRADES[name])]
    frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])
    return Ratings.from_judgements(frame, (0, 1, 2))


def limits(estimate):
    return f"{estimate.low:.3f} to {estimate.high:.3f}"


def rows_below(text, heading):
    """The cells of the first table below a heading, by its first column."""
    lines = iter(text.split(heading)[1].splitlines())
    head = next(line for line in lines if line.startswith(("judge", "coefficient")))
    assert set(next(lines)) == {"-", " "}
    rows = []
    for line in lines:
        if not line:
            break
        rows.append(re.split(r"  +", line))
    return re.split(r"  +", head), rows


def test_two_judges_have_a_row_for_each_coefficient_with_its_interval(run):
    text = run("--min-topics", "2", "--min-documents", "12", judges=("ann", "bob"))
    two = ratings("ann", "bob")
    kappa = overall(two, "pooled_kappa", "pooled").interval("jackknife_topics")
    assert text.splitlines()[0].startswith("The judges agree poorly: on average, a pair agrees on 75%")
    assert f"is {kappa.value:.2f} (95% interval {kappa.low:.2f} to {kappa.high:.2f}; dubious) over 1 pair" in text
    assert "Intervals: 95%, jackknife over topics: each topic left out once.\n" in text
    assert "12 documents judged by both, 0 documents judged by only one of them." in text
    head, rows = rows_below(text, "ann and bob, one table over all topics")
    assert head == ["coefficient", "value", "95%", "band", "n", "convention"]
    values = {row[0] + row[-1] * row[0].startswith("kripp"): row[1:3] for row in rows}
    expected = {
        "pooled kappa": kappa,
        "cohen kappa": overall(two, "cohen_kappa", "pooled").interval("jackknife_topics"),
        "weighted kappa": overall(two, "cohen_kappa", "pooled", weights="linear").interval("jackknife_topics"),
        "gwet ac": overall(two, "gwet_ac", "pooled").interval("jackknife_topics"),
        "krippendorff alphaordinal level": krippendorff_alpha(two, "ordinal").interval("jackknife_topics"),
    }
    assert {name: values[name] for name in expected} == {
        name: [one.shown(), limits(one)] for name, one in expected.items()
    }


def test_nothing_is_reported_twice_about_two_judges(run):
    text = run(judges=("ann", "bob"))
    assert "mean of 1 pair" not in text
    assert "fleiss" not in text
    assert "All judges at once" not in text
    statements = [line for line in text.splitlines() if line.endswith(".")]
    assert len(statements) == len(set(statements))
    assert text.count("each topic left out once") == 1


@pytest.mark.in_ci
def test_means_over_one_topic_are_not_repeated(run):
    assert "Mean of the values" in run()
    one = run("--without-topic", "2", "--without-topic", "3")
    assert "Mean of the values" not in one
    assert "Intervals: 95%, jackknife: each item left out once." in one
    assert "There is no interval: this kind leaves out topics" in run(
        "--interval", "jackknife_topics", "--without-topic", "2", "--without-topic", "3"
    )


@pytest.mark.slow
def test_the_intervals_are_an_option(run):
    text = run("--interval", "none")
    assert "95%" not in text
    assert "95%, analytic" not in text
    drawn = run("--interval", "bootstrap", "--seed", "1")
    assert "bootstrap" in drawn.split("Pairs of judges")[0]
    assert drawn == run("--interval", "bootstrap", "--seed", "1")


@pytest.mark.in_ci
def test_three_judges_are_listed_with_the_values_of_the_library(run):
    """n is the same for all pairs, so it is in a sentence."""
    text = run()
    head, rows = rows_below(text, "Pairs of judges, one table over all topics")
    assert head == ["judges", "P(A)", "pooled", "95%", "cohen", "linear", "alpha", "band"]
    assert "3 pairs, the highest pooled kappa first." in text
    assert "Each pair has 12 documents of 3 topics in common." in text
    together = ratings(*GRADES)
    kappas = pairwise(together, interval="jackknife_topics")
    linear = pairwise(together, "cohen_kappa", weights="linear")["cohen_kappa"]
    by_name = {row[0]: row[1:] for row in rows}
    for row, weighted in zip(kappas.itertuples(), linear, strict=True):
        pair = (row.assessor_a, row.assessor_b)
        alpha = krippendorff_alpha(ratings(*pair), "ordinal").value
        assert by_name[" and ".join(pair)] == [
            *(f"{row.observed:.3f}", f"{row.pooled_kappa:.3f}", limits_of(row)),
            *(f"{row.cohen_kappa:.3f}", f"{weighted:.3f}", f"{alpha:.3f}", row.pooled_kappa_band),
        ]
    shown = [float(row[2]) for row in rows]
    assert shown == sorted(shown, reverse=True)


def limits_of(row):
    return f"{row.pooled_kappa_low:.3f} to {row.pooled_kappa_high:.3f}"


@pytest.mark.slow
def test_many_pairs_list_the_first(run, folder):
    judges = sorted(path.stem for path in folder.glob("*.qrels") if path.stem not in ("bob", "eve"))
    assert len(judges) == 34
    text = run(judges=judges)
    assert "The tables list 30 pairs; --top all lists all, and --reference JUDGE those with one judge.\n" in text
    assert "30 of 561 pairs, the highest pooled kappa first." in text
    assert len(rows_below(text, "Pairs of judges")[1]) == 30
    assert len(rows_below(run("--top", "all", judges=judges), "Pairs of judges")[1]) == 561
    assert len(list(csv.DictReader(io.StringIO(run("--csv", judges=judges))))) == 2 * 561
    closest = rows_below(run("--reference", "ann", judges=judges), "Judges compared with ann")[1]
    assert len(closest) == 33


def test_judges_are_listed_by_closeness_to_the_reference(run):
    text = run("--reference", "eve", "--min-topics", "2", "--min-documents", "12")
    table = against_reference(ratings(*GRADES), "eve", relevant=1).sort_values("pooled_kappa", ascending=False)
    first, last = table.iloc[0], table.iloc[-1]
    assert text.splitlines()[0] == (
        f"Of 2 judges, the closest to eve is {first.assessor} (pooled kappa {first.pooled_kappa:.2f}, 95% interval "
        f"{first.pooled_kappa_low:.2f} to {first.pooled_kappa_high:.2f}), and the farthest is {last.assessor} (pooled "
        f"kappa {last.pooled_kappa:.2f}, 95% interval {last.pooled_kappa_low:.2f} to {last.pooled_kappa_high:.2f})."
    )
    head, rows = rows_below(text, "Judges compared with eve")
    assert head[0] == "judge"
    names = ("pooled_kappa", "cohen_kappa", "weighted_kappa", "krippendorff_alpha")
    assert [[row[0], row[2], *row[4:7]] for row in rows] == [
        [row["assessor"], *(f"{row[name]:.3f}" for name in names)] for row in table.to_dict("records")
    ]
    assert "mean over pairs" not in text


def test_with_too_few_documents_the_closest_judge_is_preliminary(run):
    text = run("--reference", "eve")
    assert text.startswith(
        "Preliminary: 3 topics and 12 documents in common; answers need 10 topics, 50 documents in common. "
        "Of 2 judges, the closest to eve is "
    )


def test_an_unknown_reference_is_refused_with_the_known_names(run):
    error = run("--reference", "nist", code=2)
    assert error == "python -m agreement: --reference must be one of the judges ann, bob, eve, not 'nist'.\n"


@pytest.mark.in_ci
def test_top_and_sort(run):
    assert run("--top", "0", code=2) == "python -m agreement: --top must be a whole number of at least 1, not 0.\n"
    assert len(rows_below(run("--top", "2"), "Pairs of judges")[1]) == 2
    by_name = [row[0] for row in rows_below(run("--sort", "name"), "Pairs of judges")[1]]
    assert by_name == ["ann and bob", "ann and eve", "bob and eve"]
    rows = list(csv.DictReader(io.StringIO(run("--csv", "--top", "1"))))
    table = pairwise(ratings(*GRADES)).sort_values("pooled_kappa", ascending=False)
    assert {(row["assessor_a"], row["assessor_b"]) for row in rows} == {tuple(table.iloc[0, :2])}
    with pytest.raises(SystemExit):
        run("--top", "many")


@pytest.mark.in_ci
def test_the_pair_with_most_documents_is_first_by_n(run, folder):
    (folder / "few.qrels").write_text("1 0 d0 0\n1 0 d1 1\n")
    rows = rows_below(run("--sort", "n", judges=("few", "ann", "bob")), "Pairs of judges")[1]
    assert [(row[0], row[1]) for row in rows] == [("ann and bob", "12"), ("ann and few", "2"), ("bob and few", "2")]


@pytest.mark.in_ci
def test_csv_and_json_have_weighted_kappa_and_alpha_and_all_former_columns(run):
    rows = list(csv.DictReader(io.StringIO(run("--csv"))))
    former = list(agreement_frame(ratings(*GRADES)))
    assert list(rows[0])[: len(former)] == former
    added = [
        f"{name}{part}" for name in ("weighted_kappa", "krippendorff_alpha") for part in ("", "_low", "_high", "_n")
    ]
    assert set(added) <= set(rows[0])
    data = json.loads(run("--json", "--weights", "quadratic", "--reference", "eve"))
    assert (data["reference"], data["weights"], data["sort"], data["top"], data["n_pairs"]) == (
        *("eve", "quadratic", "value", None, 2),
    )
    expected = pairwise(ratings(*GRADES), "cohen_kappa", weights="quadratic").set_index(["assessor_a", "assessor_b"])
    for row in data["pairs"]:
        if row["across"] == "pooled":
            pair = (row["assessor_a"], row["assessor_b"])
            assert row["weighted_kappa"] == expected.loc[pair, "cohen_kappa"]
            assert row["krippendorff_alpha"] == pytest.approx(krippendorff_alpha(ratings(*pair), "ordinal").value)
            assert row["krippendorff_alpha_low"] < row["krippendorff_alpha"]
    assert {"cohen_kappa", "pooled_kappa", "all_judges"} <= {*data, *data["pairs"][0]}


def test_two_grades_have_neither_weighted_kappa_nor_alpha(run):
    rows = list(csv.DictReader(io.StringIO(run("--csv", "--rel", "1"))))
    assert not {"weighted_kappa", "krippendorff_alpha"} & set(rows[0])
    assert "Cohen's unpooled (cohen). The band" in run("--rel", "1")


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    encoding = "utf-8"

    def isatty(self):
        return True


class AsciiTerminal(Terminal):
    encoding = "ascii"


@pytest.fixture
def on_terminal(folder, monkeypatch):
    def on_terminal(*arguments, kind=Terminal, judges=tuple(GRADES), columns="100", **environment):
        for name, value in ({"COLUMNS": columns, "NO_COLOR": "", "TERM": "xterm"} | environment).items():
            monkeypatch.setenv(name, value)
        stream = kind()
        monkeypatch.setattr(sys, "stdout", stream)
        assert main(["kappa", *(f"{folder}/{judge}.qrels" for judge in judges), "--scale", "0,1,2", *arguments]) == 0
        return stream.getvalue()

    return on_terminal


@pytest.mark.slow
def test_a_terminal_draws_intervals_and_a_pipe_does_not(on_terminal, run):
    plain = run()
    assert plain.isascii()
    assert plain == run()
    assert "●" in on_terminal()
    assert " ●" not in on_terminal(NO_COLOR="1")
    assert " ●" not in on_terminal(TERM="dumb")
    ascii_only = on_terminal(kind=AsciiTerminal)
    assert ascii_only.isascii()
    assert re.search(r"-o-", ascii_only)


STYLES = [(), ("--reference", "ann"), ("--rel", "1"), ("--interval", "none")]
COLUMNS = ["40", "80", "100", "160"]


@pytest.mark.in_ci
@pytest.mark.parametrize(
    ("columns", "style"),
    [
        *product(COLUMNS, STYLES[:1]),
        *product(COLUMNS[:1], STYLES[1:]),
        *slow_cases(product(COLUMNS[1:], STYLES[1:])),
    ],
)
def test_lines_fit_into_the_terminal(on_terminal, folder, columns, style):
    models = sorted(path.stem for path in folder.glob("a-*.qrels"))
    for judges in (["ann", *models[:6]], ["ann", models[1]]):
        lines = on_terminal(*style, judges=judges, columns=columns).splitlines()
        widest = max(lines, key=len)
        assert len(widest) <= max(int(columns), 80), widest


@pytest.mark.slow
def test_reports_for_papers_are_the_same_in_a_terminal(on_terminal, run):
    forms = ("--markdown", "--csv", "--json", "--latex")
    piped = [run(form) for form in forms]
    assert [on_terminal(form) for form in forms] == piped


def test_a_stream_without_an_encoding_is_ascii():
    class Nameless(Terminal):
        encoding = None

    assert page_of(Nameless(), {}).drawing == "ascii"
    assert page_of(io.StringIO(), {}).columns is None
