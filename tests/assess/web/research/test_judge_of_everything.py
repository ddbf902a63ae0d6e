"""A model judges everything, people a sample: agreement is that of the documents that two judged, everywhere."""

import csv
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from assess.judging.judgement_input import JudgementInput
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.models import ImportedJudge, Role, Task
from tests.assess.web.research.analysis.shown_tables import tables_of
from tests.factories import small_collection

RUNS = {"only": {"1": [f"d{number:02}" for number in range(50)], "2": [f"e{number:02}" for number in range(50)]}}
# by hand in tests/agreement/coefficients/test_many_judges.py; alpha = 1 - Do/De with Do = 2/8, De = 2 * 5 * 3 / (8 * 7)
EXPECTED = {
    "P(A)": 3 / 4,
    "Fleiss' kappa": 14 / 30,
    "Conger's kappa": 1 / 2,
    "Gwet's AC1": 18 / 34,
    "Krippendorff's alpha, nominal": 1 - (2 / 8) / (30 / 56),
}
CONVENTION = {
    "Fleiss' kappa": "pooled, grade shares of items with two or more judgements",
    "Conger's kappa": "unpooled, each judge's grades of items with two or more judgements",
    "Gwet's AC1": "Gwet's chance, grade shares of items with two or more judgements",
}
WARNING = "Conger's kappa is below -1, which is possible because the judges judged different documents"


@pytest.fixture
def collection(db):
    collection = small_collection(RUNS, "everything", depth=50)
    model, ann = (collection.members.create(name=name, role=Role.ASSESSOR) for name in ("model", "ann"))
    ImportedJudge.objects.create(member=model, kind="model")
    tasks = list(Task.objects.filter(topic__collection=collection).order_by("topic__query_id", "document__doc_id"))
    order = [tasks[0], tasks[1], tasks[50], tasks[51], *tasks[2:50], *tasks[52:]]  # two topics have shared documents
    grades = {model: [1, 1, 0, 0] + 3 * [1] + 93 * [0], ann: [1, 1, 0, 1]}
    record(grades, order)
    return collection


def record(grades, tasks):
    """Record the grades of each member for the first tasks; None is no judgement."""
    record_imported(
        [
            ImportedJudgement(member, task.pk, 0, JudgementInput("judged", grade), timezone.now())
            for member, given in grades.items()
            for task, grade in zip(tasks, given, strict=False)
            if grade is not None
        ]
    )


@pytest.fixture
def read(collection, join, signed_in):
    http = signed_in(join(collection, "rita", Role.RESEARCHER))

    def read(name, *arguments):
        response = http.get(reverse(f"research:{name}", args=["everything", *arguments]))
        assert response.status_code == 200
        return response.content.decode()

    return read


@pytest.mark.in_ci
def test_page_and_files(read):
    html = read("agreement")
    table = tables_of(html)["together"]
    shown = dict(zip(table["coefficient"], table["value"], strict=True))
    lines = {line["coefficient"]: line for line in csv.DictReader(StringIO(read("agreement_table", "together", "csv")))}
    latex = read("agreement_table", "together", "tex")
    for name, value in EXPECTED.items():
        assert shown[name].startswith(f"{value:.3f}")
        assert float(lines[name]["value"]) == pytest.approx(value)
        assert lines[name]["n"] == "4"
        assert any(line.startswith(name) and f" {value:.3f}" in line for line in latex.splitlines())
    for name, convention in CONVENTION.items():
        assert lines[name]["convention"] == convention
    for text in (html, latex):
        assert "Chance is computed from the same documents" in " ".join(text.split())


def test_report_of_the_command(collection, capsys):
    call_command("agreement_report", "--collection", "everything")
    text = capsys.readouterr().out
    rows = {line[:18].strip(): line for line in text.splitlines()}
    # of two judges, Fleiss' and Conger's kappa are the pooled and the unpooled kappa
    for name, row in (("pooled kappa", "Fleiss' kappa"), ("cohen kappa", "Conger's kappa"), ("gwet ac", "Gwet's AC1")):
        assert f" {EXPECTED[row]:.3f} " in rows[name]
    assert CONVENTION["Gwet's AC1"] in rows["gwet ac"]
    assert "4 documents judged by both" in text


@pytest.mark.slow
def test_the_page_and_the_report_warn_of_a_conger_kappa_below_minus_one(db, join, signed_in, capsys):
    """Two judges differ on ten documents, and four others give 0 to one more.

    P(A) = 1/11. Of 15 pairs of judges, the five with the second never agree by chance, the others always: P(E) = 2/3,
    and kappa = (1/11 - 2/3) / (1/3) = -19/11.
    """
    collection = small_collection(RUNS, "apart", depth=50)
    members = [collection.members.create(name=f"judge{number}", role=Role.ASSESSOR) for number in range(6)]
    tasks = list(Task.objects.filter(topic__collection=collection).order_by("topic__query_id", "document__doc_id"))
    given = [10 * [0], 10 * [1], *[10 * [None] + [0]] * 4]
    record(dict(zip(members, given, strict=True)), tasks)
    http = signed_in(join(collection, "rita", Role.RESEARCHER))

    page = http.get(reverse("research:agreement", args=["apart"])).content.decode()
    table = tables_of(page)["together"]
    shown = dict(zip(table["coefficient"], table["value"], strict=True))
    file = http.get(reverse("research:agreement_table", args=["apart", "together", "csv"])).content.decode()
    warnings = {line["coefficient"]: line["warnings"] for line in csv.DictReader(StringIO(file))}
    call_command("agreement_report", "--collection", "apart")

    assert shown["Conger's kappa"].startswith("-1.727")
    assert warnings["Conger's kappa"].startswith(WARNING)
    assert WARNING not in warnings["Fleiss' kappa"]
    for text in (page.replace("&#x27;", "'"), capsys.readouterr().out):
        assert f"{WARNING}." in " ".join(text.split())


@pytest.mark.in_ci
def test_the_page_has_no_warning_of_a_conger_kappa_from_minus_one(read):
    assert WARNING not in read("agreement").replace("&#x27;", "'")
