"""Imported judges on the agreement page and in the report: kind, description, options, counts and thresholds."""

import io
import re

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from assess.judging.judgement_input import JudgementInput
from assess.judging.record import ImportedJudgement, record_imported
from assess.models import Role, Task
from assess.transfer.import_options import ImportOptions
from assess.transfer.judgement_import import import_files
from tests.factories import SMALL_RUNS, small_collection
from tests.html import compact

GRADED = b"1 0 a 3\n1 0 b 2\n1 0 d 1\n1 0 e 0\n2 0 x 7\n"
BINARY = b"1 0 a 1\n1 0 b 1\n1 0 d 0\n1 0 e 0\n2 0 x 1\n"


@pytest.fixture
def graded(db):
    return small_collection(SMALL_RUNS, slug="graded", grades=("0=No", "1=Some", "2=Good", "3=Best"))


@pytest.fixture
def judges(graded):
    """A model whose file was clipped, and a binary judge with a declared mapping."""
    clip = ImportOptions(labels={"off_scale": "clip"}, kind="model", descriptions={"": "<b>GPT</b>, prompt 3"})
    import_files(graded, [("gpt", GRADED)], clip)
    import_files(graded, [("clicks", BINARY)], ImportOptions(own_scale=(0, 1), mapping={1: 2}, kind="derived"))
    return graded


def judge_on_the_site(member, grades):
    tasks = Task.objects.filter(topic__collection=member.collection)
    record_imported(
        [
            ImportedJudgement(member, task.pk, 0, JudgementInput("judged", grade), timezone.now())
            for grade, task in zip(grades, tasks, strict=False)
        ]
    )


def page(http, collection, status=200, **query) -> str:
    response = http.get(reverse("research:agreement", args=[collection.slug]), query)
    assert response.status_code == status
    return compact(response.content.decode())


def report(*words) -> list[str]:
    out = io.StringIO()
    call_command("agreement_report", "--collection", "graded", *words, stdout=out)
    return out.getvalue().splitlines()


def test_page_lists_imported_judges_with_counts_and_options(judges, join, signed_in):
    html = page(signed_in(join(judges, "olga", Role.OWNER)), judges)
    row = re.search(r'<th scope="row">gpt</th>(.*?)</tr>', html)[1]
    assert re.findall(r"<td[^>]*>([^<]*)</td>", row) == [
        "model",
        "&lt;b&gt;GPT&lt;/b&gt;, prompt 3",
        "input",
        "5",
        "5",
        "1 label off the scale clipped",
        "off scale clip",
    ]
    row = re.search(r'<th scope="row">clicks</th>(.*?)</tr>', html)[1]
    assert re.findall(r"<td[^>]*>([^<]*)</td>", row)[5:] == ["3 labels mapped (1=2)", "mapping 1=2, own scale 0 1"]


@pytest.mark.parametrize(
    ("rel", "sentence"),
    [
        ("2", "The judges are compared at the threshold 2: grade 2 and above is relevant."),
        ("3", "clicks gave no grade from 3 on, so kappa with this judge is not meaningful."),
    ],
)
def test_page_states_the_threshold_for_judges_with_fewer_grades(judges, join, signed_in, rel, sentence):
    html = page(signed_in(join(judges, "rita", Role.RESEARCHER)), judges, rel=rel)
    assert "clicks has 2 grades (0, 2), the scale has 4." in html
    assert sentence in html


def test_page_mentions_a_judge_who_looks_binary(graded, join, signed_in):
    import_files(graded, [("gpt", GRADED[:-8]), ("yesno", BINARY)])
    html = page(signed_in(join(graded, "olga", Role.OWNER)), graded)
    assert "yesno gave only the grades 0, 1 of the scale 0, 1, 2, 3." in html
    assert "--map" not in html


def test_people_who_used_two_grades_on_the_site_are_not_mentioned(graded, join, signed_in):
    import_files(graded, [("gpt", GRADED[:-8])])
    judge_on_the_site(join(graded, "ada"), range(2))
    assert "gave only the grades" not in page(signed_in(join(graded, "olga", Role.OWNER)), graded)
    assert not any("gave only the grades" in line for line in report())
    assert "assessor-1 gave no grade from 2 on, so kappa with this judge is not meaningful." in report("--rel", "2")


def test_imported_judge_who_looks_binary_is_compared_with_people(graded, join):
    import_files(graded, [("yesno", BINARY)])
    judge_on_the_site(join(graded, "ada"), range(3))
    assert any(line.startswith("yesno gave only the grades 0, 1 of the scale 0, 1, 2, 3.") for line in report())


def test_page_without_imports_has_no_table(graded, join, signed_in):
    assert "Imported judges" not in page(signed_in(join(graded, "olga", Role.OWNER)), graded)


def test_person_whose_judgements_were_imported_is_human(graded, join, signed_in):
    ada = join(graded, "ada")
    import_files(graded, [(ada.name, b"1 0 a 1\n")], ImportOptions(as_members=[ada.name]))
    assert "assessor-1 (human), input: 1 lines, 1 added; as it is." in "\n".join(report())


def test_page_is_not_for_assessors(judges, join, signed_in):
    page(signed_in(join(judges, "ada", Role.ASSESSOR)), judges, status=403)


def test_page_does_not_exist_for_outsiders(judges, collection, join, signed_in):
    page(signed_in(join(collection, "eve", Role.OWNER)), judges, status=404)


def test_report_lists_imported_judges(judges):
    lines = report("--rel", "2")
    start = lines.index("Imported judges:")
    assert lines[start - 1] == (
        "clicks has 2 grades (0, 2), the scale has 4. The judges are compared at the threshold 2: grade 2 and above is "
        "relevant."
    )
    assert lines[start + 1 : start + 3] == [
        "  clicks (derived), input: 5 lines, 5 added; 3 labels mapped (1=2); options: mapping 1=2, own scale 0 1.",
        "  gpt (model: <b>GPT</b>, prompt 3), input: 5 lines, 5 added; 1 label off the scale clipped; options: off "
        "scale clip.",
    ]


def test_report_without_a_threshold_says_so(judges):
    assert any("Grades are compared one by one, without a threshold" in line for line in report())
