"""Every shift page and file that names a first and a second gold, for both references and both orders of the golds.

Each name and number is compared with the scores of the systems under the gold that its heading names.
"""

import csv
import re
from html import unescape
from io import StringIO

import pandas as pd
import pytest
from django.core.management import call_command
from django.urls import reverse

import agreement
from assess.analysis.data import collection_judgements
from assess.collections import runfiles
from assess.collections.members import add_member
from assess.jobs import results
from assess.models import Role
from tests.assess.web.research.analysis.pages import judge
from tests.factories import small_collection
from tests.html import compact
from tests.shared_rows import shared_rows
from tests.slow_cases import slow_cases

GOLDS = ("judge:first", "judge:second")
MEASURE = "AP(rel=1)"
RUNS = {
    "alpha": {"1": ["a", "b", "c"], "2": ["x", "y", "z"]},
    "beta": {"1": ["b", "c", "a"], "2": ["y", "z", "x"]},
    "gamma": {"1": ["c", "a", "b"], "2": ["z", "x", "y"]},
    "delta": {"1": ["a", "c", "b"], "2": ["z", "y", "x"]},
}
DOCUMENTS = [("1", "a"), ("1", "b"), ("1", "c"), ("2", "x"), ("2", "y"), ("2", "z")]
GRADES = {"first": (2, 0, 0, 1, 0, 0), "second": (0, 1, 0, 1, 1, 0), "third": (0, 1, 1, 0, 0, 1)}

# The reference is the first and the second of the listed golds; with the golds listed in the other order, both again.
BOTH = pytest.mark.parametrize(
    ("reference", "other", "listed"),
    [
        *((*pair, GOLDS) for pair in (GOLDS, GOLDS[::-1])),
        *slow_cases((*pair, GOLDS[::-1]) for pair in (GOLDS, GOLDS[::-1])),
    ],
)


def build():
    collection = small_collection(RUNS, "two-orders", grades=["0=no", "1=some", "2=much"], depth=3)
    for name, grades in GRADES.items():
        judge(collection, name, dict(zip(DOCUMENTS, grades, strict=True)))
    return collection, add_member(collection, "rita", Role.RESEARCHER)[0]


@pytest.fixture(scope="module")
def shared_site(django_db_setup, django_db_blocker, tmp_path_factory):
    results.forget_all()
    with shared_rows(build, django_db_blocker, tmp_path_factory.mktemp("runs")) as shared:
        yield shared


@pytest.fixture(autouse=True)
def site(shared_site, settings, db):
    return shared_site.copy(settings)


@pytest.fixture
def http(site, signed_in):
    return signed_in(site[1])


@pytest.fixture
def scores(site):
    """The mean score of each system under each gold, straight from the library's evaluation."""
    collection = site[0]
    runs = [runfiles.load(run) for run in collection.runs.all()]
    judgements = collection_judgements(collection)
    return {
        f"judge:{name}": agreement.score_table(
            runs, judgements[judgements["assessor"] == name].drop(columns="assessor"), MEASURE
        ).mean(axis=1)
        for name in GRADES
    }


def read(http, name, *arguments, **query) -> str:
    response = http.get(reverse(f"research:{name}", args=["two-orders", *arguments]), {"measure": MEASURE} | query)
    assert response.status_code == 200, response.content.decode()[:2000]
    return response.content.decode()


def query_of(reference, other, listed):
    return {"golds": listed, "reference": reference, "against": other}


def rows_of(html, name):
    """Return the rows of a table of a page, by the labels of its columns."""
    table = re.search(rf'<table[^>]*data-table="{name}".*?</table>', compact(html), re.S)[0]
    head, body = table.split("<tbody>")
    labels = [unescape(re.sub("<[^>]*>", "", text)) for text in re.findall(r"<th[^>]*>(.*?)</th>", head)]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", body)]
    return [dict(zip(labels, [unescape(re.sub("<[^>]*>", "", cell)) for cell in row], strict=True)) for row in rows]


def csv_of(http, name, **query):
    return list(csv.DictReader(StringIO(read(http, "shift_table", name, "csv", **query))))


def latex_of(http, name, **query):
    """Return heading and rows of a table in LaTeX."""
    text = read(http, "shift_table", name, "tex", **query).replace(r"\_", "_").replace("$-$", "-")
    lines = [line.removesuffix(r"\\").strip() for line in text.splitlines() if " & " in line]
    labels, *rows = [[cell.strip() for cell in line.split(" & ")] for line in lines]
    return [dict(zip(labels, row, strict=True)) for row in rows]


def shown_rank(rank, change, score):
    """Return a cell of the ranks as the page shows it."""
    moved = f"({change:+d})".replace("-", "−") if change else ""
    return f"{rank}{moved}{score:.3f}"


def best(scores):
    return " ".join(scores.index[scores == scores.max()])


def competition_ranks(scores):
    return scores.rank(ascending=False, method="min").astype(int)


@pytest.mark.in_ci
@BOTH
def test_swapped_pairs(http, scores, reference, other, listed):
    query = query_of(reference, other, listed)
    page = rows_of(read(http, "shift_swaps", **query), "swaps")
    assert page
    for row in (*page, *latex_of(http, "swaps", **query)):
        first, second = row[f"leads under {reference}"], row[f"leads under {other}"]
        assert float(row["first lead"]) == pytest.approx(scores[reference][first] - scores[reference][second], abs=5e-4)
        assert float(row["second lead"]) == pytest.approx(scores[other][second] - scores[other][first], abs=5e-4)
    for row in csv_of(http, "swaps", **query):
        assert (row["gold_a"], row["gold_b"]) == (reference, other)
        first, second = row["ahead_a"], row["ahead_b"]
        assert float(row["difference_a"]) == pytest.approx(scores[reference][first] - scores[reference][second])
        assert float(row["difference_b"]) == pytest.approx(scores[other][second] - scores[other][first])


@pytest.mark.slow
@BOTH
def test_why_swapped_follows_the_swapped_pairs(http, scores, reference, other, listed):
    html = read(http, "shift_swaps", **query_of(reference, other, listed))
    address = unescape(re.search(r'href="(/c/two-orders/shift/swap/[^"]*gold_1=[^"]*)"', html)[1])
    first, second = next((row[f"leads under {gold}"] for gold in (reference, other)) for row in rows_of(html, "swaps"))
    response = http.get(address).content.decode()
    assert f"Why do {first} and {second} differ" in response
    one, two = (scores[gold][first] - scores[gold][second] for gold in (reference, other))
    assert f"{first} leads by {one:.3f} under {reference} and trails by {-two:.3f} under {other}" in response
    topics = pd.DataFrame(rows_of(response, "swap-topics"))
    for gold, expected in ((reference, one), (other, two)):
        assert topics[f"difference under {gold}"].str.replace("−", "-").astype(float).mean() == pytest.approx(
            expected, abs=1e-3
        )
    grades = {gold: dict(zip(DOCUMENTS, GRADES[gold.removeprefix("judge:")], strict=True)) for gold in GOLDS}
    assert f"Grade 1 is that of {reference}, grade 2 that of {other}" in response
    for row in rows_of(response, "swap-documents"):
        document = row["topic"][0], row["document"]  # the id, without the title
        assert (int(row["grade 1"]), int(row["grade 2"])) == (grades[reference][document], grades[other][document])


@pytest.mark.in_ci
@BOTH
def test_rankings(http, scores, reference, other, listed):
    query = query_of(reference, other, listed)
    html = read(http, "shift", **query)
    before, after = best(scores[reference]), best(scores[other])
    ranks = {gold: competition_ranks(scores[gold]) for gold in GOLDS}
    for row in latex_of(http, "ranks", **query):
        gold, system = row["gold"], row["system"]
        assert int(row["rank"]) == ranks[gold][system]
        assert int(row["change"]) == ranks[reference][system] - ranks[gold][system]
        assert float(row["score"]) == pytest.approx(scores[gold][system], abs=5e-4)
    for row in rows_of(html, "rank-table"):
        for gold in GOLDS:
            rank = ranks[gold][row["system"]]
            change = ranks[reference][row["system"]] - rank
            assert row[gold].replace(" ", "") == shown_rank(rank, change, scores[gold][row["system"]])
    for row in rows_of(html, "ranges"):
        system = row["system"]
        assert int(row[f"rank under {reference}"]) == ranks[reference][system]
    for row in rows_of(html, "golds"):
        assert (row["gold"], row["and"]) == (reference, other)
        assert (row["best under the first"], row["best under the second"]) == (before, after)
    for row in csv_of(http, "golds", **query):
        assert (row["gold_a"], row["gold_b"], row["truth"]) == (reference, other, reference)
        assert (row["top_a"], row["top_b"]) == (before, after)


@pytest.mark.in_ci
@BOTH
def test_all_golds(http, scores, reference, other, listed):
    golds = [*listed, "judge:third"]
    html = read(http, "shift_golds", golds=golds, reference=reference, against=other)
    rows = rows_of(html, "all-golds")
    assert len(rows) == 3
    for row in rows:
        assert row["best under the first"] == best(scores[row["gold"]])
        assert row["best under the second"] == best(scores[row["and"]])
    assert [row["gold"] for row in rows].count(reference) == 2


@pytest.mark.in_ci
@BOTH
def test_measures(http, scores, reference, other, listed):
    query = query_of(reference, other, listed) | {"measures": [MEASURE]}
    html = read(http, "shift_measures", **query)
    for row in (*rows_of(html, "measures"), *latex_of(http, "measures", **query)):
        assert row["gold"] == other
        assert row["best under the reference"] == best(scores[reference])
        assert row["best under the gold"] == best(scores[other])
    assert f"Each gold compared with {reference} by each measure." in html
    for row in csv_of(http, "measures", **query):
        assert (row["gold_a"], row["gold_b"]) == (reference, other)
        assert (row["top_a"], row["top_b"]) == (best(scores[reference]), best(scores[other]))


@pytest.mark.in_ci
@BOTH
def test_differences(http, scores, reference, other, listed):
    query = query_of(reference, other, listed)
    html = read(http, "shift_differences", **query)
    assert f"under {reference}, the largest first" in html
    for row in (*rows_of(html, "differences"), *latex_of(http, "differences", **query)):
        expected = scores[reference][row["system"]] - scores[reference][row["and"]]
        assert float(row["difference"].replace("−", "-")) == pytest.approx(expected, abs=5e-4)


@pytest.mark.in_ci
@BOTH
def test_rank_intervals(http, scores, reference, other, listed):
    html = read(http, "shift_intervals", **query_of(reference, other, listed))
    assert f"under {reference}, resampling topics" in html
    ranks = competition_ranks(scores[reference])
    for row in rows_of(html, "intervals"):
        assert int(row["rank"]) == ranks[row["system"]]
        assert float(row["mean score"]) == pytest.approx(scores[reference][row["system"]], abs=5e-4)


@pytest.mark.in_ci
@BOTH
def test_leverage(http, reference, other, listed):
    html = read(http, "leverage", gold=other, **query_of(reference, other, listed))
    assert f"does to the ranking under {other} by" in html
    grades = dict(zip(DOCUMENTS, GRADES[other.removeprefix("judge:")], strict=True))
    rows = rows_of(html, "leverage")
    assert rows
    for row in rows:
        assert int(row["gold grade"]) == grades[row["topic"][0], row["document"]]


@pytest.mark.in_ci
@BOTH
def test_slope_chart_begins_with_the_reference(http, scores, reference, other, listed):
    query = query_of(reference, other, listed)
    svg = read(http, "shift_chart", "slope", "svg", **query)
    words = [re.sub(r", \d+ topics", "", text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]
    assert [text for text in words if text in GOLDS] == [reference, other]
    assert f"rises against {reference}" in words


@BOTH
def test_command(site, scores, reference, other, listed, capsys):
    golds = [argument for gold in listed for argument in ("--gold", gold)]
    call_command(
        *["ranking_shift", "--collection", "two-orders", "--measure", MEASURE, "--reference", reference, *golds],
        *["--min-topics", "1"],
    )
    text = capsys.readouterr().out
    before, after = best(scores[reference]), best(scores[other])
    changes = f"changes from {before} to {after}" if before != after else f"stays {before}"
    assert f"Under {other}, compared with {reference}," in text
    assert f"the best system {changes}" in text
    assert f"{reference} and {other}" in text
