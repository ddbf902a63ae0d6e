"""The bars of the documents whose grade swaps most systems."""

import pandas as pd
import pytest
from matplotlib.colors import to_hex

from agreement.plots import document_leverage
from agreement.plots.document_leverage import _figure
from pooling.palette import ACCENT, DEEP
from tests.agreement.plots.test_marks import marks
from tests.agreement.plots.test_rows import names
from tests.agreement.plots.test_slope_chart import KINDS, texts

ROWS = [("1", "$d$", 2, False), ("1", "<e>", 3, False), ("1", "$d$", 1, True), ("2", "f", 0, False)]
DOCUMENTS = pd.DataFrame(ROWS, columns=["query_id", "doc_id", "pairs_swapped", "top_changed"])


@pytest.mark.parametrize(("kind", "begin"), KINDS)
def test_same_input_gives_the_same_bytes(kind, begin):
    chart = document_leverage(DOCUMENTS, kind=kind)

    assert chart == document_leverage(DOCUMENTS, kind=kind)
    assert chart.startswith(begin)


def test_each_document_has_the_bar_of_its_largest_effect():
    figure = _figure(DOCUMENTS, None, 25, "")
    bars = [(bar.get_width(), to_hex(bar.get_facecolor())) for bar in figure.axes[0].patches if not bar.get_gid()]

    assert names(figure) == ["<e> · 1", "$d$ · 1"]
    assert bars == [(3, DEEP), (2, ACCENT)]


def test_bars_are_labelled():
    chart = document_leverage(DOCUMENTS, note="Gold nist.")

    assert {"2 documents of 2 that can swap systems", "the best system can change", "Gold nist."} <= set(texts(chart))
    assert marks(chart) == [
        ("<e> · 1: 3 pairs swapped", {"topic": "1"}),
        ("$d$ · 1: 2 pairs swapped, and the best system can change", {"topic": "1"}),
    ]


def test_only_the_first_documents_are_drawn():
    chart = document_leverage(DOCUMENTS, most=1)

    assert "1 document of 2 that can swap systems" in texts(chart)
    assert "the best system can change" not in texts(chart)


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        (DOCUMENTS.iloc[:0], "at least one row"),
        (DOCUMENTS.assign(pairs_swapped=0), "needs a document that can swap systems"),
        (DOCUMENTS.assign(pairs_swapped="x"), "must contain only numbers"),
        (DOCUMENTS.drop(columns="doc_id"), "doc_id is missing"),
    ],
    ids=["empty", "none", "text", "column"],
)
def test_invalid_input_is_refused(documents, message):
    with pytest.raises(ValueError, match=message):
        document_leverage(documents)
