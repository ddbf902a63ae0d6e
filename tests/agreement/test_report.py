"""What the reports print: every figure with its n, every undefined one with its reason."""

import pandas as pd
import pytest

from agreement import Ratings, agreement_text, ranking_shift, shift_text
from agreement.report import agreement_frame
from agreement.tables import render
from tests.agreement.test_shift import SYSTEMS, gold_of, runs_of


def ratings():
    rows = [
        *[("ann", "1", "x", 0), ("bob", "1", "x", 0), ("ann", "1", "y", 2), ("bob", "1", "y", 2)],
        *[("ann", "2", "x", 2), ("bob", "2", "x", 3), ("eve", "3", "x", 1), ("tim", "3", "x", -1)],
    ]
    frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])
    return Ratings.from_judgements(frame, (0, 1, 2, 3))


def test_the_agreement_report():
    text = agreement_text(ratings(), rel=2)

    assert text.startswith("Agreement of 4 assessors, 7 judgements, 3 topics; relevant from grade 2.\n")
    assert "Without judgements: tim." in text
    assert "5 pairs of assessors have no item in common." in text
    pooled, topics = (line.split() for line in text.splitlines() if line.startswith("ann and bob"))
    assert pooled[3:] == ["3", "2", "1.000", "1.000", "good", "1.000", "good"]
    assert topics[3:] == ["3", "2", "1.000", "1.000", "good", "1.000", "good"]
    assert "pooled kappa 1.000, good, n = 3" in text


def test_per_topic_undefined_figures_say_why():
    text = agreement_text(ratings(), rel=2, per_topic=True)

    topic = text[text.index("Topic 2") :]
    line = next(line for line in topic.splitlines() if line.startswith("ann and bob"))
    assert line.split("  ")[0] == "ann and bob"
    assert line.count("undefined (one category)") == 2


def test_all_grades_are_named():
    assert "grades 0, 1, 2, 3." in agreement_text(ratings())


def test_a_report_of_nothing_says_so():
    text = agreement_text(Ratings.from_matrix([], (0, 1)))

    assert "There is no pair of assessors." in text
    assert "undefined (empty)" in text


def test_the_frame_has_every_pair_both_ways_and_in_every_topic():
    frame = agreement_frame(ratings().binary(2), per_topic=True)

    assert frame["across"].value_counts().to_dict() == {"pooled": 6, "topics": 6, "topic": 18}
    row = frame[(frame["across"] == "topic") & (frame["query_id"] == "2")].iloc[0]
    assert (row["n"], row["cohen_kappa_reason"]) == (1, "one_category")
    assert "0.333" not in frame.to_csv()


def test_the_shift_report():
    golds = {"x": gold_of("x"), "y": gold_of("y"), "z": gold_of("z")}

    text = shift_text(ranking_shift(runs_of(SYSTEMS), golds, "AP"))

    assert text.startswith("Much at the whole, and yes at the top: under z")
    assert "3 systems ranked by AP; the reference is x." in text
    assert "y: 1 topics with the reference; judged of the first 10: 9 of 9 documents (100.0%)." in text
    assert [line.split() for line in text.splitlines() if line[:1] in "abc" and line[1:2] == " "] == [
        ["a", "1", "2", "(-1)", "2", "(-1)"],
        ["b", "2", "1", "(+1)", "2"],
        ["c", "3", "2", "(+1)", "1", "(+2)"],
    ]
    assert "x and z       1        3  ties" in text
    assert "2 of 3" in text
    assert "y: b (2 to 1), c (3 to 2) rises most; a (1 to 2) falls most." in text


def test_one_gold_is_a_ranking_without_a_shift():
    text = shift_text(ranking_shift(runs_of(SYSTEMS), gold_of("x"), "AP"))

    assert "the only gold" in text
    assert "Between golds" not in text


def test_tables_are_plain_or_markdown():
    frame = pd.DataFrame({"name": ["a", "b|c"], "n": [1, 20], "kappa": ["0.5", pd.NA]})

    assert render(frame) == "name   n  kappa\n----  --  -----\na      1    0.5\nb|c   20"
    assert render(frame, "markdown").splitlines() == [
        "| name |  n | kappa |",
        "| ---- | -: | ----: |",
        "| a    |  1 |   0.5 |",
        r"| b\|c | 20 |       |",
    ]
    with pytest.raises(ValueError, match="style is one of plain, markdown; got 'html'"):
        render(frame, "html")
