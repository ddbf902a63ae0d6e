"""Figures with a row for each system or topic: score ranges, rank intervals, per-topic scores."""

import numpy as np
import pandas as pd
import pytest

from agreement.plots import rank_interval_chart, score_ranges, topic_scores
from agreement.plots.rank_interval_chart import _figure as ranks_figure
from agreement.plots.score_ranges import _figure as ranges_figure
from agreement.plots.topic_scores import _figure as topics_figure
from tests.agreement.plots.test_slope_chart import KINDS, texts

SYSTEMS = pd.DataFrame(
    {
        "system": ["low", "$x_1$", "<high>"],
        "mean": [0.1, 0.3, 0.5],
        "least": [0.0, 0.2, 0.4],
        "greatest": [0.2, 0.6, 0.7],
    }
)
RANKS = pd.DataFrame({"system": ["c", "a", "b"], "rank": [3, 1, 1], "low": [2, 1, 1], "high": [3, 2, 1]})
TABLE = pd.DataFrame(
    [[0.1, 0.9, 0.5], [0.2, 0.8, 0.5], [0.6, 1.0, 0.5]], ["s1", "s2", "s3"], pd.Index(["7", "8", "9"], name="query_id")
)


def names(figure):
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def bars(figure, number=0):
    """The horizontal bars, from above: (from, to)."""
    return [(segment[0][0], segment[1][0]) for segment in figure.axes[0].collections[number].get_segments()]


def dots(figure, number=0):
    line = figure.axes[0].get_lines()[number]
    return list(zip(line.get_xdata(), line.get_ydata(), strict=True))


def ranged(systems=SYSTEMS, title=None, measure="AP", draws=100, marks=None, note=""):
    return ranges_figure(systems, title, measure, draws, marks, note)


@pytest.mark.parametrize(("kind", "begin"), KINDS)
@pytest.mark.parametrize(
    ("draw", "data"),
    [(score_ranges, SYSTEMS), (rank_interval_chart, RANKS), (topic_scores, TABLE)],
    ids=["s", "r", "t"],
)
def test_the_same_input_gives_the_same_bytes(draw, data, kind, begin):
    chart = draw(data, kind=kind)

    assert chart == draw(data.copy(), kind=kind)
    assert chart.startswith(begin)


def test_score_ranges_are_drawn_best_first():
    figure = ranged()

    assert names(figure) == ["<high>", "$x_1$", "low"]
    assert bars(figure) == [(0.4, 0.7), (0.2, 0.6), (0.0, 0.2)]
    assert dots(figure) == [(0.5, 0), (0.3, 1), (0.1, 2)]
    assert figure.axes[0].get_ylim() == (2.5, -0.5)  # the first row above


def test_score_ranges_say_what_they_show():
    said = texts(score_ranges(SYSTEMS, measure="AP(rel=2)", draws=100, note="seed 1"))

    assert {"3 systems by AP(rel=2), over 100 mixed golds", "AP(rel=2)", "system", "mean", "least to greatest"} <= set(
        said
    )
    assert {"<high>", "$x_1$", "low", "seed 1"} <= set(said)


def test_marks_stand_in_the_rows_of_their_systems():
    figure = ranged(marks=pd.Series({"low": 0.15, "<high>": 0.45}, name="nist"))

    x, y = np.array(dots(figure, 1)).T
    assert y.tolist() == [0, 1, 2]
    assert x[0] == 0.45
    assert np.isnan(x[1])  # no mark, nothing drawn
    assert x[2] == 0.15
    assert "nist" in [text.get_text() for text in figure.legends[0].get_texts()]


def test_a_system_without_a_score_stands_below_and_is_undefined():
    figure = ranged(SYSTEMS.assign(mean=pd.array([0.1, None, 0.5], dtype="Float64")))

    assert names(figure) == ["<high>", "low", "$x_1$"]
    assert [(text.get_text(), text.get_position()[1]) for text in figure.axes[0].texts] == [("undefined", 2)]


def test_many_rows_have_numbers_above_too():
    many = pd.DataFrame({"system": [f"s{i:02}" for i in range(60)], "mean": 0.5, "least": 0.4, "greatest": 0.6})
    figure = ranged(many)

    assert names(figure) == list(many["system"])  # ties by name
    assert texts(score_ranges(many)).count("0.500") == 2


def test_rank_intervals_are_drawn_best_first_from_rank_one():
    figure = ranks_figure(RANKS, None, 0.95, "")

    assert names(figure) == ["b", "a", "c"]  # a and b share rank 1; b's interval ends earlier
    assert bars(figure) == [(1, 1), (1, 2), (2, 3)]
    assert dots(figure) == [(1, 0), (1, 1), (3, 2)]
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["1", "2", "3"]


def test_rank_intervals_say_what_they_show():
    said = texts(rank_interval_chart(RANKS, level=0.9, note="43 topics"))

    assert {"Ranks of 3 systems, with 90% interval", "90% interval", "rank (1 is the best)", "43 topics"} <= set(said)


def test_an_undefined_interval_is_said():
    figure = ranks_figure(RANKS.assign(low=pd.NA), None, None, "")

    assert [text.get_text() for text in figure.axes[0].texts] == ["undefined"] * 3


def test_topics_are_drawn_easiest_first():
    figure = topics_figure(TABLE, None, "AP", ["s3"], "")

    assert names(figure) == ["8", "9", "7"]
    assert bars(figure, 0) == [(0.8, 1.0), (0.5, 0.5), (0.1, 0.6)]
    assert np.allclose(bars(figure, 1), [(0.85, 0.95), (0.5, 0.5), (0.15, 0.4)])  # half-way between scores
    assert dots(figure, 0) == [(0.9, 0), (0.5, 1), (0.2, 2)]
    assert dots(figure, 1) == [(1.0, 0), (0.5, 1), (0.6, 2)]


def test_topics_say_what_they_show():
    said = texts(topic_scores(TABLE, measure="nDCG@10", highlight=["s1", "s2"]))

    assert {"nDCG@10 of 3 systems on 3 topics", "nDCG@10", "topic, by the median", "median of the systems"} <= set(said)
    assert {"s1", "s2", "7", "8", "9", "middle half", "range"} <= set(said)


def test_a_topic_without_a_score_stands_below_and_says_so():
    figure = topics_figure(TABLE.assign(**{"8": np.nan}), None, "AP", [], "")

    assert names(figure) == ["9", "7", "8"]
    assert [(text.get_text(), text.get_position()[1]) for text in figure.axes[0].texts] == [("no score", 2)]


def test_one_system_and_one_topic_make_figures():
    assert "1 system by score" in texts(score_ranges(SYSTEMS.iloc[:1]))
    assert "Ranks of 1 system, with interval" in texts(rank_interval_chart(RANKS.iloc[1:2]))
    assert "score of 1 system on 1 topic" in texts(topic_scores(TABLE.iloc[:1, :1]))


@pytest.mark.parametrize(
    ("draw", "sentence"),
    [
        (lambda: score_ranges(SYSTEMS.iloc[:0]), "a chart of score ranges needs a row; the table is empty"),
        (lambda: score_ranges(SYSTEMS[["system", "mean"]]), "greatest; least, greatest lacks"),
        (lambda: score_ranges(SYSTEMS.assign(system="a")), "each system is there once; 'a' is not"),
        (lambda: score_ranges(SYSTEMS.assign(mean="much")), "mean holds numbers; got 'much'"),
        (lambda: rank_interval_chart(RANKS.iloc[:0]), "a chart of rank intervals needs a row"),
        (lambda: score_ranges(SYSTEMS, marks=pd.Series([1, 2], ["a", "a"])), "each marked system is there once"),
        (lambda: topic_scores(pd.concat([TABLE, TABLE])), "each system is there once; 's1' is not"),
        (lambda: topic_scores(TABLE.iloc[:0]), "need a system and a topic; got 0 by 3"),
        (lambda: topic_scores(TABLE, highlight=["s9"]), "'s9' is none of the systems"),
        (lambda: topic_scores(TABLE, highlight=["s1"] * 5), "at most 4 systems are highlighted; got 5"),
    ],
    ids=range(10),
)
def test_what_cannot_be_drawn_is_refused(draw, sentence):
    with pytest.raises(ValueError, match=sentence):
        draw()
