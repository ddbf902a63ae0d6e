"""How results show themselves: repr, HTML, LaTeX and figures."""

import re

import numpy as np
import pandas as pd
import pytest

from pooling import assign, leave_one_out, plan, plan_hours, plan_overlap, pool, prepare, replay, undiscovered
from pooling.result import MOST_LINES, Figure, Result

RUNS = pd.DataFrame(
    [("s", str(topic), f"d{rank}", -rank) for topic in range(30) for rank in range(4)]
    + [("t", str(topic), f"d{3 - rank}", -rank) for topic in range(30) for rank in range(4)],
    columns=["system", "query_id", "doc_id", "score"],
)
GOLD = pd.DataFrame(
    [(str(topic), f"d{number}", int(number == topic % 4)) for topic in range(30) for number in range(4)],
    columns=["query_id", "doc_id", "relevance"],
)


class Rows(Result):
    """A result with as many rows as requested."""

    def __init__(self, n_rows, sentence="a sentence"):
        self.n_rows, self.sentence = n_rows, sentence

    def to_frame(self):
        return pd.DataFrame({"topic": [f"<{n}>" for n in range(self.n_rows)], "a_b": np.arange(self.n_rows) / 3 - 1})

    def _sentence(self):
        return self.sentence


RESULTS = {
    "pool": lambda: pool(RUNS, depth=2),
    "replay": lambda: replay("rrf", RUNS, GOLD, budget=3),
    "leave_one_out": lambda: leave_one_out(RUNS, GOLD, lambda *_: np.arange(2.0), depth=2),
    "undiscovered": lambda: undiscovered(RUNS, GOLD, 2),
    "assign": lambda: assign([0, 0, 1, 1], 3, 2, seed=1),
    "plan": lambda: plan(1000, width=0.2, kappa=0.5, prevalence=0.5, seconds_per_judgement=30),
    "plan_overlap": lambda: plan_overlap(0.2, 0.5, 0.5),
    "undefined plan": lambda: plan_overlap(0.2, 0.5, 0.0),
    "plan_hours": lambda: plan_hours(100, 2, seconds_per_judgement=30),
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_shows_itself(name):
    result = RESULTS[name]()

    assert len(repr(result).splitlines()) <= MOST_LINES
    assert repr(result).startswith(f"{type(result).__name__}: ")
    assert "<p>" in result._repr_html_()
    assert isinstance(result.to_frame(), pd.DataFrame)
    assert result.to_latex().startswith(r"\begin{tabular}")


@pytest.mark.parametrize("n_rows", [0, 1, 6, 7, 8, 500])
def test_a_repr_has_ten_lines_at_most_and_counts_the_other_rows(n_rows):
    lines = repr(Rows(n_rows)).splitlines()

    assert len(lines) <= MOST_LINES
    shown = sum(line.startswith("<") for line in lines)
    others = re.fullmatch(r"\((\d+) more rows\)", lines[-1])
    assert shown + (int(others[1]) if others else 0) == n_rows


def test_a_long_sentence_is_cut_and_a_long_text_ends_after_four_lines():
    lines = repr(Rows(3, "word " * 1000 + "\nb\nc\nd\ne")).splitlines()

    assert lines[0].endswith("…")
    assert [len(lines), lines[3][0], lines[4].split()] == [9, "d", ["topic", "a", "b"]]


def test_html_is_escaped_and_rounded():
    html = Rows(2, "a < b")._repr_html_()

    assert "<p>a &lt; b</p>" in html
    assert "&lt;0&gt;" in html
    assert "<0>" not in html
    assert "-0.667" in html


def test_html_of_many_rows_ends():
    assert "(475 more rows)" in Rows(500)._repr_html_()


def test_latex_has_all_rows():
    assert Rows(500).to_latex().count("$-$") == 3  # -1, -2/3 and -1/3
    assert Rows(500).to_latex().count(r"\\") == 501


def test_a_table_is_not_rounded():
    assert Rows(2).to_frame()["a_b"].tolist() == [-1, 1 / 3 - 1]


def test_prepared_runs_have_a_short_repr():
    assert repr(prepare(RUNS)) == "RankedRuns: 2 systems, 30 topics, 4 documents, 4 ranks"
    assert repr(prepare({"1": {"a": 1.0}})) == "RankedRuns: 1 system, 1 topic, 1 document, 1 rank"
    assert repr(prepare(RUNS, depth=2)) == "RankedRuns: 2 systems, 30 topics, 4 documents, 2 ranks (depth 2)"


def test_a_figure_is_shown_and_saved(tmp_path):
    figure = replay("rrf", RUNS, GOLD, budget=3).plot()

    assert figure._repr_svg_().startswith("<?xml")
    for ending, start in ((".svg", b"<?xml"), (".PDF", b"%PDF"), (".png", b"\x89PNG")):
        figure.save(tmp_path / f"found{ending}")
        assert (tmp_path / f"found{ending}").read_bytes().startswith(start)


def test_a_figure_of_another_kind_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"must end with \.svg, \.pdf or \.png, not '.*found\.gif'"):
        Figure(lambda _: b"").save(tmp_path / "found.gif")
    assert not list(tmp_path.iterdir())
