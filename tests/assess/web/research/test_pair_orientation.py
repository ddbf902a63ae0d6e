"""The pages of two judges, and of judges against a reference, in both orders: every figure follows the names."""

import csv
import re
from html import unescape
from io import StringIO
from itertools import permutations

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix, precision_score, recall_score

from agreement import mcnemar, stuart_maxwell
from assess.models import Role
from tests.assess.web.research.analysis.shown_tables import tables_of
from tests.assess.web.research.test_agreement_pages import GRADES, get, judge
from tests.factories import SMALL_RUNS, small_collection
from tests.slow_cases import slow_cases

JUDGED = {"ada": "3210013", "ben": "2200113", "cleo": "0100223"}
SCALE = range(len(GRADES))
PAIRS = pytest.mark.parametrize(
    ("first", "second"),
    [("ada", "ben"), ("ben", "ada"), *slow_cases(pair for pair in permutations(JUDGED, 2) if "cleo" in pair)],
)


@pytest.fixture
def judges(db):
    collection = small_collection(SMALL_RUNS, slug="graded", grades=GRADES)
    return {name: judge(collection, name, grades) for name, grades in JUDGED.items()}


@pytest.fixture
def http(judges, join, signed_in):
    return signed_in(join(judges["ada"].collection, "rita", Role.RESEARCHER))


def grades_of(name):
    return np.array([int(grade) for grade in JUDGED[name]])


@pytest.mark.in_ci
@PAIRS
def test_contingency_table(http, judges, first, second):
    keys = judges[first].pk, judges[second].pk
    expected = confusion_matrix(grades_of(first), grades_of(second), labels=SCALE)
    html = get(http, "pair", *keys, rel="all")
    assert f"Rows: {first}. Columns: {second}." in html
    shown = [[int(cell) for cell in row[1:-1]] for row in tables_of(html)["table"].texts()[: len(SCALE)]]
    assert shown == expected.tolist()
    rows = list(csv.reader(StringIO(get(http, "pair_table", *keys, "table", "csv", rel="all"))))
    assert [[int(cell) for cell in row[1:-1]] for row in rows[1:-1]] == expected.tolist()
    latex = get(http, "pair_table", *keys, "table", "tex", rel="all")
    assert f"Rows: {first}. Columns: {second}." in latex
    lines = [re.findall(r"\d+", line.split("&", 1)[1]) for line in latex.splitlines() if " & " in line][1:-1]
    assert [[int(cell) for cell in line[:-1]] for line in lines] == expected.tolist()


@pytest.mark.in_ci
@PAIRS
def test_test_of_the_totals(http, judges, first, second):
    keys = judges[first].pk, judges[second].pk
    table = confusion_matrix(grades_of(first), grades_of(second), labels=SCALE)
    for rel, name, test in (
        ("all", "stuart_maxwell", stuart_maxwell(table)),
        ("1", "mcnemar", mcnemar(confusion_matrix(grades_of(first) >= 1, grades_of(second) >= 1))),
    ):
        shown = " ".join(
            re.search(rf'data-figure="{name}">(.*?)</p>', get(http, "pair", *keys, rel=rel), re.S)[1].split()
        )
        words = {"mcnemar": "McNemar’s exact", "stuart_maxwell": "Stuart and Maxwell’s"}[name]
        assert f"{words} test of the totals: {test.shown()} ({test.n_disagreeing} of 7 documents differ)." in shown


@pytest.mark.in_ci
def test_an_undefined_test_of_the_totals_has_its_name_and_reason(http, judges):
    judge(judges["ada"].collection, "dora", JUDGED["ada"])
    dora = judges["ada"].collection.members.get(name="dora").pk
    html = " ".join(get(http, "pair", judges["ada"].pk, dora, rel="all").split())
    assert "Stuart and Maxwell’s test of the totals: undefined (no disagreement) (0 of 7 documents differ)." in html


@pytest.mark.in_ci
@PAIRS
def test_judge_against_a_reference(http, judges, first, second):
    truth, judged = (grades_of(name) >= 1 for name in (first, second))
    html = get(http, "agreement", reference=f"judge:{first}", rel="all")
    assert f"Reference: {first}." in unescape(html)
    table = tables_of(html)["reference"]
    at = table["judge"].index(second)
    expected = {
        "bias": judged.mean() - truth.mean(),
        "precision": precision_score(truth, judged),
        "recall": recall_score(truth, judged),
    }
    for name, value in expected.items():
        assert float(table[name][at].split()[0].replace("−", "-")) == pytest.approx(value, abs=5e-4)
    text = get(http, "agreement_table", "reference", "csv", reference=f"judge:{first}", rel="all")
    row = next(row for row in csv.DictReader(StringIO(text)) if row["judge"] == second)
    for name, value in expected.items():
        assert float(row[name]) == pytest.approx(value)
    latex = get(http, "agreement_table", "reference", "tex", reference=f"judge:{first}", rel="all")
    line = next(line for line in latex.splitlines() if line.startswith(f"{second} "))
    cells = [cell.split()[0].replace("$-$", "-") for cell in line.removesuffix(r"\\").split("&")]
    assert [float(cell) for cell in cells[-3:]] == pytest.approx(list(expected.values()), abs=5e-4)
