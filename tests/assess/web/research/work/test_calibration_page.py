"""The researchers' page of calibration, and the practice pages of assessors."""

import csv
import io
import re
import uuid

import pytest
from django.urls import reverse

from assess.calibration.practice import next_document, prepare
from assess.models import Admission, Assignment, JudgementKind, KnownGrade, Member, Role
from tests.assess.calibration.conftest import ada, checks, graded, practice  # noqa: F401 - fixtures
from tests.assess.web.research.work.pages import address, read, refused, send
from tests.slow_cases import slow_cases

CSV = "query_id,doc_id,relevance,explanation\n1,p1,2,Because.\n"
RULES = {"practice": "admit", "practice_measure": "hits", "practice_threshold": "1"}


@pytest.fixture
def http(graded, join, signed_in):  # noqa: F811
    return signed_in(join(graded, "rita", Role.RESEARCHER))


def test_empty_page_says_what_to_do(http, graded):  # noqa: F811
    html = read(http, graded, "calibration")
    assert "Add documents whose grade you know." in html
    assert "Nobody has judged a check yet." in html


@pytest.mark.in_ci
def test_known_grades_are_added_and_removed(http, graded):  # noqa: F811
    assert send(http, graded, "add_known_grades", use="practice", text=CSV) == "1 known grade added."
    file = io.BytesIO(CSV.replace("p1", "p2").encode())
    file.name = "known.csv"
    assert send(http, graded, "add_known_grades", use="check", file=file) == "1 known grade added."
    html = read(http, graded, "calibration")
    assert "The grades of 2 documents are known." in html
    known = KnownGrade.objects.get(task__document__doc_id="p1")
    assert send(http, graded, "remove_known_grade", known.pk) == "The known grade is removed."


@pytest.mark.parametrize(
    ("page", "fields", "message"),
    [
        ("add_known_grades", {"use": "check"}, "Lines: Paste lines, choose a file, or take the decided documents."),
        ("add_known_grades", {"use": "check", "text": "x"}, "The first line must name the columns"),
        ("add_known_grades", {"use": "check", "decided": "on"}, "There must be between 1 and 500 rows, not 0."),
        ("change_calibration", RULES, "There are no documents for practice yet. Add some first."),
        ("change_calibration", RULES | {"practice_threshold": "2"}, "Threshold: "),
        ("admit", {"name": "nobody"}, "has no assessor with the pseudonym"),
    ],
)
def test_invalid_input_changes_nothing(http, graded, page, fields, message):  # noqa: F811
    assert message in refused(http, graded, page, **fields)[0]


@pytest.mark.slow
def test_practice_from_the_first_document_to_the_admission(http, practice, ada, client):  # noqa: F811
    assert send(http, practice, "change_calibration", **RULES) == "The rules are saved."
    client.force_login(ada.user, backend="assess.people.backend.AccountBackend")
    assert "Practise</a>" in client.get(reverse("judge:topics", args=["small"])).content.decode()
    topic = practice.topics.get(query_id="1")
    assert client.get(reverse("judge:topic", args=["small", topic.pk])).url == reverse("judge:practice", args=["small"])
    for number, grade in enumerate((2, 0, 0), 1):
        html = client.get(reverse("judge:practice", args=["small"])).content.decode()
        assert re.search(rf"Practice document {number} of 3\.", html)
        assert "Because of" not in html
        action = re.search(r'class="practice" action="([^"]+)"', html)[1]
        answer = client.post(
            action, {"client_id": str(uuid.uuid4()), "member": ada.pk, "relevance": grade}, follow=True
        )
        assert f"Because of p{number}." in answer.content.decode()
    html = client.get(reverse("judge:practice", args=["small"])).content.decode()
    assert "You gave 2 of 3 documents the known grade. That is below" in html
    http.force_login(Member.objects.get(role=Role.RESEARCHER).user, backend="assess.people.backend.AccountBackend")
    assert "Below the threshold: assessor-1." in read(http, practice, "calibration")
    assert send(http, practice, "admit", name="assessor-1") == "assessor-1 may judge now."
    assert Admission.objects.get(member=ada).admitted_by
    assert "Below the threshold:" not in read(http, practice, "calibration")


def test_answer_is_shown_only_after_the_judgement(practice, ada, signed_in):  # noqa: F811
    practice.practice = "admit"
    practice.save()
    prepare(Member.objects.get(pk=ada.pk))
    own = signed_in(ada)
    waiting = next_document(ada)
    assert own.get(reverse("judge:practice_answer", args=["small", waiting.public_id])).status_code == 404
    later = {"client_id": str(uuid.uuid4()), "member": ada.pk, "state": "later"}
    response = own.post(reverse("judge:practice_judge", args=["small", waiting.public_id]), later)
    assert "It cannot be postponed." in response.content.decode()


@pytest.mark.in_ci
@pytest.mark.parametrize("table", ["practice", *slow_cases(["checks", "time"])])
def test_files_have_the_figures_of_the_page(http, checks, ada, table):  # noqa: F811
    for known in KnownGrade.objects.all():
        for kind in (JudgementKind.CHECK, JudgementKind.PRACTICE):
            Assignment.objects.create(task=known.task, topic=known.task.topic, member=ada, repeat=kind, position=0)
    from tests.assess.calibration.conftest import judge

    for assignment in Assignment.objects.filter(member=ada, repeat__gt=4):
        judge(ada, assignment.public_id, 1)
    html = read(http, checks, "calibration")
    rows = list(
        csv.DictReader(io.StringIO(http.get(address(checks, "calibration_file", table, "csv")).content.decode()))
    )
    assert rows
    shown = re.search(rf'data-table="{table}">(.*?)</table>', html, re.S)[1]
    for row in rows:
        assert row["judge"] in shown
        assert f'<td class="num">{row["hits"]}</td>' in shown
    assert http.get(address(checks, "calibration_file", table, "tex")).status_code == 200
