"""Reports: each value with its n, each undefined value with its reason."""

import json
import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Ratings, agreement_data, agreement_frame, agreement_text, overall, ranking_shift, shift_text
from pooling.text_tables import heading, latex, prose, render
from tests.agreement.shift.test_shift import SYSTEMS, gold_of, runs_of


def ratings():
    rows = [
        *[("ann", "1", "x", 0), ("bob", "1", "x", 0), ("ann", "1", "y", 2), ("bob", "1", "y", 2)],
        *[("ann", "2", "x", 2), ("bob", "2", "x", 3), ("eve", "3", "x", 1), ("tim", "3", "x", -1)],
    ]
    frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])
    return Ratings.from_judgements(frame, (0, 1, 2, 3))


def test_the_agreement_report():
    text = agreement_text(ratings(), rel=2)

    assert text.startswith(
        "Preliminary: 2 topics and 3 documents in common; answers need 10 topics, 50 documents in common. "
        "The judges agree well: on average, a pair agrees on 100% of the documents that both judged. "
        "Pooled kappa, which corrects for chance, is 1.00 (good) over 1 pair with 2 topics and 3 documents in common.\n"
    )
    assert "\nAgreement of 4 judges, 7 judgements, 3 topics; relevant from grade 2.\n" in text
    assert "Without judgements: tim." in text
    assert "5 pairs of judges have no item in common." in text
    pooled, topics, sets = (line.split() for line in text.splitlines() if line.startswith("ann and bob"))
    assert pooled[3:] == ["3", "2", "1.000", "1.000", "1.000", "good"]
    # the judges gave only one grade in one of the topics: a mean is that of the other one
    assert topics[3:] == ["2", "1", "1", "(one", "category)", "1.000", "1.000", "1.000", "good"]
    assert sets[3:] == ["3", "2", "2", "2", "1.000", "1.000", "1.000"]
    assert "pooled kappa 1.000, good, n = 3" in text
    assert "All judges: overlap undefined (no overlap), n = 0, 4 dropped, relevant from grade 2" in text


def test_all_judges_at_once():
    text = agreement_text(ratings())

    rows = [line.split() for line in text[text.index("All judges at once") :].splitlines()[4:]]
    assert [" ".join(row[:2]) for row in rows] == [
        *["percent agreement", "fleiss kappa", "conger kappa", "gwet ac"],
        *["krippendorff alpha", "krippendorff alpha"],
    ]
    # ann and bob on three documents: 0 0, 2 2, 2 3
    assert rows[0][2:4] == ["0.667", "3"]
    assert rows[4][4:] == ["nominal", "level"]


def test_each_kappa_has_an_interval_and_its_method():
    rows = [
        (judge, str(n % 3), str(n), int(n % 4 > 1) ^ (judge == "b" and n % 5 == 0)) for judge in "ab" for n in range(30)
    ]
    frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])
    ratings = Ratings.from_judgements(frame, (0, 1))

    text = agreement_text(ratings, per_topic=True, interval="topics", seed=5)

    kappa = overall(ratings, "cohen_kappa", "topics").interval("topics", seed=5)
    assert text.count(f"{kappa.low:.3f} to {kappa.high:.3f}") == 1
    assert text.count(f"Intervals: 95%, {kappa.method}.") == 2
    assert re.search(r"Warnings for some coefficients: .*n < 100", text)
    assert "95%" not in text[text.index("Topic 0") :]
    result = agreement_data(ratings, interval="topics", seed=5)
    assert (result["interval"], result["seed"]) == ("topics", 5)
    assert result["pairs"][1]["cohen_kappa_low"] == kappa.low
    assert result["all_judges"][0]["low"] < result["all_judges"][0]["value"] < result["all_judges"][0]["high"]
    assert agreement_text(ratings, per_topic=True, interval="topics", seed=5) == text


def test_an_undefined_kappa_has_no_interval():
    text = agreement_text(Ratings.from_matrix([[1, 1], [1, 1]], (0, 1), axis="assessors"), interval="analytic")

    rows = [line for line in text.splitlines() if line.startswith(("pooled kappa", "cohen kappa"))]
    assert len(rows) == 2
    assert all("undefined (one category)" in row and " to " not in row for row in rows)
    with pytest.raises(ValueError, match="interval must be one of"):
        agreement_text(ratings(), interval="exact")


def test_undefined_values_of_a_topic_have_a_reason():
    text = agreement_text(ratings(), rel=2, per_topic=True)

    topic = text[text.index("Topic 2") :]
    line = next(line for line in topic.splitlines() if line.startswith("ann and bob"))
    assert line.split("  ")[0] == "ann and bob"
    assert line.count("undefined (one category)") == 2


def test_all_grades_are_named():
    assert "grades 0, 1, 2, 3." in agreement_text(ratings())


def test_a_report_without_pairs():
    text = agreement_text(Ratings.from_matrix([], (0, 1), axis="assessors"))

    assert "There is no pair of judges." in text
    assert "undefined (no judgements)" in text


def test_the_frame_has_each_pair_over_and_in_all_topics():
    frame = agreement_frame(ratings().binary(2), per_topic=True)

    assert frame["across"].value_counts().to_dict() == {"pooled": 6, "topics": 6, "topic": 18}
    row = frame[(frame["across"] == "topic") & (frame["query_id"] == "2")].iloc[0]
    assert (row["n"], row["cohen_kappa_reason"]) == (1, "one_category")
    assert "0.333" not in frame.to_csv()


def test_the_shift_report():
    golds = {"x": gold_of("x"), "y": gold_of("y"), "z": gold_of("z")}

    text = shift_text(ranking_shift(runs_of(SYSTEMS), golds, "AP", min_topics=1))

    assert text.startswith("Yes, substantially. Under z")
    assert "3 systems ranked by AP; the reference is x." in text
    assert "y: 1 topic in common with the reference; judged among the first 10: 9 of 9 documents (100.0%)." in text
    assert [line.split() for line in text.splitlines() if line[:1] in "abc" and line[1:2] == " "] == [
        ["a", "1", "2", "(-1)", "2", "(-1)"],
        ["b", "2", "1", "(+1)", "2"],
        ["c", "3", "2", "(+1)", "1", "(+2)"],
    ]
    assert "x and z       1        3  ties" in text
    assert "2 of 3" in text
    assert "y: b (2 to 1), c (3 to 2) rise most; a (1 to 2) falls most." in text


def test_the_shift_report_states_the_power_of_few_topics():
    topics = [str(number) for number in range(50)]
    one, enough = (
        shift_text(ranking_shift(runs_of(SYSTEMS, chosen), {doc: gold_of(doc, chosen) for doc in "xy"}, "AP"))
        for chosen in (topics[:1], topics)
    )
    assert "With 1 topic, fewer than 50, systems cannot be compared reliably" in " ".join(one.split())
    assert "fewer than 50" not in enough


def test_one_gold_is_a_ranking_without_a_shift():
    text = shift_text(ranking_shift(runs_of(SYSTEMS), gold_of("x"), "AP"))

    assert "the only gold" in text
    assert "Comparison of golds" not in text


def test_tables_are_plain_or_markdown():
    frame = pd.DataFrame({"name": ["a", "b|c"], "n": [1, 20], "kappa": ["0.5", pd.NA]})

    assert render(frame) == "name   n  kappa\n----  --  -----\na      1    0.5\nb|c   20"
    assert render(frame, "markdown").splitlines() == [
        "| name |  n | kappa |",
        "| ---- | -: | ----: |",
        "| a    |  1 |   0.5 |",
        r"| b\|c | 20 |       |",
    ]
    with pytest.raises(ValueError, match="style must be one of plain, markdown, latex, not 'html'"):
        render(frame, "html")


def test_latex_escapes_special_characters():
    frame = pd.DataFrame({"run_id": ["a_b&c", "[50%] #1 {~^\\}"], "change": ["-0.5", "2"]})

    assert render(frame, "latex").splitlines() == [
        r"\begin{tabular}{lr}",
        r"\hline",
        r"run\_id & change \\",
        r"\hline",
        r"a\_b\&c & $-$0.5 \\",
        r"{[}50\%] \#1 \{\textasciitilde{}\textasciicircum{}\textbackslash{}\} & 2 \\",
        r"\hline",
        r"\end{tabular}",
    ]
    assert heading("P_1", "latex") == r"\paragraph{P\_1}"
    assert prose("tau_b\n100%", "latex") == "tau\\_b\n100\\%"
    assert prose("tau_b", "plain") == prose("tau_b", "markdown") == "tau_b"


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_escaped_latex_can_be_unescaped(text):
    escaped = latex(text)

    plain = escaped
    for command, character in (("backslash", "\\"), ("asciitilde", "~"), ("asciicircum", "^")):
        plain = plain.replace(rf"\text{command}{{}}", f"\0{ord(character)};")
    for command, character in (("less", "<"), ("greater", ">"), ("bar", "|")):
        plain = plain.replace(rf"\text{command}{{}}", character)
    plain = re.sub(r"\\([&%$#_{}])", r"\1", plain.replace("{[}", "["))
    assert re.sub(r"\0(\d+);", lambda result: chr(int(result[1])), plain) == text
    assert not re.search(r"(?<!\\)[&%$#_]", escaped)


@pytest.mark.parametrize("style", ["markdown", "latex"])
def test_reports_in_each_style(style):
    golds = {"x_1": gold_of("x"), "z": gold_of("z")}

    shift = shift_text(ranking_shift(runs_of(SYSTEMS), golds, "AP", min_topics=1), style)
    agreement = agreement_text(ratings(), rel=2, per_topic=True, style=style)

    for text, tables in ((shift, 4), (agreement, 6)):
        begin = r"\begin{tabular}" if style == "latex" else "| --"
        assert sum(line.startswith(begin) for line in text.splitlines()) == tables
        assert ("x_1" in text) == (style == "markdown" and text is shift)


def test_agreement_data_are_json_and_not_rounded():
    result = agreement_data(ratings(), rel=2, per_topic=True)

    again = json.loads(json.dumps(result, allow_nan=False))
    assert again == result
    assert (result["assessors"], result["idle"]) == (["ann", "bob", "eve", "tim"], ["tim"])
    assert (result["scale"], result["rel"], result["topics"]) == ([0, 1, 2, 3], 2, ["1", "2", "3"])
    assert len(result["pairs"]) == 30
    row = next(row for row in result["pairs"] if row["across"] == "topic" and row["query_id"] == "2")
    assert (row["cohen_kappa"], row["cohen_kappa_reason"]) == (None, "one_category")
    assert result["relevant_sets"][0]["overlap"] == 1
    assert result["overlap"]["reason"] == "no_overlap"
    assert {mean["coefficient"] for mean in result["means"]} == {"pooled_kappa", "cohen_kappa"}
    assert "relevant_sets" not in agreement_data(ratings())
