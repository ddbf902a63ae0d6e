"""The pages of adjudication and norming, and what an adjudicator sees on the judging page."""

import re
import uuid

import pytest
from django.urls import reverse

from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, GradesOpening, Job, JudgementKind
from assess.web.research import choice_fields
from tests.assess.adjudication.conftest import disputed, people, task_of  # noqa: F401
from tests.assess.claiming import fresh, judge, upcoming
from tests.html import compact


@pytest.fixture
def rita(people, signed_in):  # noqa: F811
    return signed_in(people["rita"])


def address(name: str, *arguments) -> str:
    return reverse(f"research:{name}", args=["small", *arguments])


def read(http, name: str) -> str:
    response = http.get(address(name))
    assert response.status_code == 200
    return compact(response.content.decode())


def create(http, status=302, **data):
    values = {"choice": "distance", "distance": "1", "adjudicators": ["cleo"]}
    response = http.post(address("create_adjudication"), values | data)
    assert response.status_code == status
    return compact(response.content.decode())


def test_empty_page_says_what_to_do(rita):
    assert "Nothing is adjudicated yet." in read(rita, "adjudication")
    assert "There is no" not in read(rita, "norming")


def test_documents_are_assigned_decided_and_compared(rita, disputed, people):  # noqa: F811
    create(rita)
    html = read(rita, "adjudication")
    assert "0 of 3 disputed documents decided." in html
    for query_id in ("1", "2"):
        for task in upcoming(people["cleo"], query_id=query_id):
            judge(people["cleo"], task)
    html = read(rita, "adjudication")
    assert "3 of 3 disputed documents decided." in html
    assert html.count("<td>yes</td>") == 3  # blind
    # ann said 1 on all three and bob 0, and cleo decided 1.
    rows = re.findall(r'<th scope="row">(ann|bob)</th> ?<td class="num">(\d)</td> ?<td class="num">(\d)</td>', html)
    assert rows == [("ann", "3", "3"), ("bob", "3", "0")]


def test_leverage_is_computed_by_a_job(rita, disputed):  # noqa: F811
    create(rita, choice="leverage", number="2", measure="P@1", gold="judge:ann")
    job = Job.objects.get(kind="adjudicate")
    assert (job.input["by"], job.input["number"], job.input["adjudicators"]) == ("leverage", 2, ["cleo"])


def test_selected_documents_are_shown_with_the_form_first(rita, disputed, people):  # noqa: F811
    task = task_of(disputed, "1", "b")
    GradesOpening.objects.create(member=people["rita"], task=task)
    response = rita.post(address("create_adjudication"), {"task": [task.pk]})
    html = compact(response.content.decode())
    assert "Adjudicate 1 selected document" in html
    assert "You have seen the grades of 1 of them." in html
    assert not Assignment.objects.filter(repeat=JudgementKind.DECISION).exists()
    create(rita, choice="documents", task=[task.pk])
    assert Assignment.objects.get(repeat=JudgementKind.DECISION).task == task


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"adjudicators": []}, "Adjudicators: This field is required."),
        ({"adjudicators": ["eve"]}, "Adjudicators: Select a valid choice."),
        ({"choice": "all"}, "Documents: Select a valid choice."),
        ({"choice": "topic", "topic": "9"}, "has no topic &#x27;9&#x27;"),
        ({"choice": "documents", "task": ["x"]}, "task must be the number of a document"),
        ({"choice": "documents", "task": ["9" * 30]}, "task must be the number of a document"),
    ],
)
def test_invalid_choice_is_refused(rita, disputed, data, sentence):  # noqa: F811
    assert sentence in create(rita, status=400, **data)
    assert not Assignment.objects.exists()


def test_undo_takes_documents_back(rita, disputed):  # noqa: F811
    create(rita)
    rita.post(address("undo_adjudication", 1))
    assert "Nothing is adjudicated yet." in read(rita, "adjudication")


def test_researcher_decides_on_the_judging_page(rita, disputed, people):  # noqa: F811
    topics = reverse("judge:topics", args=["small"])
    assert rita.get(topics).status_code == 403
    create(rita, adjudicators=["rita"])
    assert "Decide your 3 documents" in read(rita, "adjudication")
    assert rita.get(topics).status_code == 200
    topic = disputed.topics.get(query_id="1")
    html = compact(rita.get(reverse("judge:topic", args=["small", topic.pk])).content.decode())
    assert "You decide this document. Its judges gave different grades." in html
    assert "They gave" not in html


@pytest.mark.parametrize(("shows", "expected"), [("", False), ("on", True)])
def test_grades_are_shown_without_names_only_in_an_open_adjudication(
    rita,
    disputed,  # noqa: F811
    people,  # noqa: F811
    signed_in,
    shows,
    expected,
):
    create(rita, shows_grades=shows)
    topic = disputed.topics.get(query_id="1")
    html = signed_in(people["cleo"]).get(reverse("judge:topic", args=["small", topic.pk])).content.decode()
    assert ("They gave 0, 1." in html) is expected
    assert not {"ann", "bob", "alpha", "beta", "gamma"} & set(re.findall(r"\w+", html))


def test_norming_round_from_page_to_result(rita, disputed, people, signed_in):  # noqa: F811
    group = {"people": ["cleo", "dan"]}
    rita.post(address("norming"), {"documents": "2", "topic": "1"} | group)
    cleo, dan = people["cleo"], people["dan"]
    for member, grade in ((cleo, 1), (dan, 0)):
        for task in upcoming(member):
            judge_with(member, task, grade)
    html = read(rita, "norming")
    assert "4 of 4 votes of this phase are in." in html
    assert 'id="progress-1" hx-get="" hx-trigger="every 5s"' in html  # the page follows the votes
    votes = reverse("judge:norming", args=["small"])
    browser = signed_in(cleo)
    assert "<table>" not in browser.get(votes).content.decode()  # nobody sees votes before the discussion
    rita = signed_in(people["rita"])
    rita.post(address("move_norming", 1), {"phase": "before"})
    html = signed_in(cleo).get(votes).content.decode()
    assert html.count('<td class="num">') == 4
    rita = signed_in(people["rita"])
    rita.post(address("move_norming", 1), {"phase": "discussion"})
    for task in upcoming(dan):
        judge_with(dan, task, 1)
    html = read(signed_in(people["rita"]), "norming")
    assert "dan changed 2 grades: 2 towards cleo." in html


def judge_with(member, task: str, grade: int) -> None:
    record_judgement(fresh(member), uuid.UUID(task), JudgementInput("judged", relevance=grade), uuid.uuid4())


def test_outsider_of_a_round_sees_no_votes(disputed, people, signed_in):  # noqa: F811
    html = signed_in(people["cleo"]).get(reverse("judge:norming", args=["small"])).content.decode()
    assert "You are not in a norming round." in html


def test_queries_do_not_grow_with_the_documents(rita, disputed, django_assert_max_num_queries):  # noqa: F811
    create(rita)
    with django_assert_max_num_queries(26):
        read(rita, "adjudication")


def test_form_lists_topics_golds_and_measures_and_begins_with_the_ranking(rita, disputed):  # noqa: F811
    html = read(rita, "adjudication")
    assert re.search(r'value="leverage"[^>]*checked', html)
    assert '<option value="2">2 second need</option>' in html
    assert '<option value="judge:ann"' in html
    assert '<option value="median"' not in html
    assert re.search(r'<option value="AP\(rel=1\)" selected>', html)
    disputed.runs.all().delete()
    assert re.search(r'value="distance"[^>]*checked', read(rita, "adjudication"))


def test_many_topics_are_typed(rita, disputed, monkeypatch):  # noqa: F811
    monkeypatch.setattr(choice_fields, "MOST_LISTED", 1)
    assert re.search(r'<input type="text" name="topic"', read(rita, "adjudication"))
