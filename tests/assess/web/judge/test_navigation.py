"""The navigation of the assessors' pages: the same links on every page, and none that its reader may not follow."""

import re
import uuid

import pytest
from django.urls import get_resolver, reverse

from assess.calibration.known_grades import KnownGradeRow, add_known_grades
from assess.calibration.practice import next_document, prepare
from assess.models import Assignment, JudgementKind, Member, PracticeRule, Role
from assess.pools.assign import assign
from assess.search.find import search
from assess.search.permission import permit_search
from tests.assess.calibration.conftest import judge
from tests.assess.search.found import add_searcher, searchable_collection

# The other addresses answer with JSON or a file, or redirect.
DATA = {"next", "relevant", "judgements_csv", "document", "open_result", "practice_judge"}


@pytest.fixture
def ada(db) -> Member:
    """A searcher who has judged one practice document of two, which has been switched off since."""
    ada = add_searcher(searchable_collection())
    rows = [KnownGradeRow("1", doc_id, "1", "Because.") for doc_id in ("mill", "brook")]
    add_known_grades(ada.collection, rows, "practice")
    assign(ada.collection, judges=1)
    ada.collection.practice = PracticeRule.ADMIT
    ada.collection.save()
    prepare(ada)
    judge(ada, next_document(ada).public_id, 1)
    ada.collection.practice = PracticeRule.OFF
    ada.collection.save()
    return ada


def pages(client, member: Member) -> dict[str, str]:
    """Return the HTML of each of the assessors' pages by its name."""
    topic = member.collection.topics.get(query_id="1")
    refused = {"difficulty": "9"}, {"client_id": "x"}
    practised = member.assignments.filter(repeat=JudgementKind.PRACTICE).exclude(state="").first()
    assignment = member.assignments.filter(topic=topic).exclude(repeat=JudgementKind.PRACTICE).first()
    requests = {
        "topics": ((), None),
        "topic": ((topic.pk,), None),
        "topic_feedback": ((topic.pk,), refused[0]),
        "judgements": ((), None),
        "norming": ((), None),
        "recorded": ((), None),
        "record": ((assignment.public_id,), refused[1]),
    }
    if practised:
        made = search(member, topic, "mill")
        requests |= {
            "practice": ((), None),
            "practice_answer": ((practised.public_id,), None),
            "search_topics": ((), None),
            "search": ((topic.pk,), None),
            "search_results": ((made.public_id,), None),
        }
    answers = {}
    for name, (arguments, data) in requests.items():
        address = reverse(f"judge:{name}", args=[member.collection.slug, *arguments])
        answers[name] = client.get(address) if data is None else client.post(address, data)
        assert answers[name].status_code == (200 if data is None else 400)
    address = reverse("judge:judgements", args=[member.collection.slug])
    answers["refused filter"] = client.get(address, {"grade": "9"})
    return {name: answer.content.decode() for name, answer in answers.items()}


def links(html: str) -> list[str]:
    navigation = re.search(r'<nav aria-label="Judging">(.*?)</nav>', html, re.S)[1]
    return re.findall(r">\s*([^<>]+?)\s*</a>", navigation)


@pytest.mark.in_ci
def test_all_pages_have_the_same_links(signed_in, ada):
    client = signed_in(ada)
    shown = pages(client, ada)
    names = {each for each in get_resolver("assess.web.judge.urls").reverse_dict if isinstance(each, str)}
    assert shown.keys() - {"refused filter"} == names - DATA
    expected = ["My topics", "My judgements", "Search", "Settings"]
    assert {name: links(html) for name, html in shown.items()} == dict.fromkeys(shown, expected)
    permit_search(ada.collection, [])
    address = reverse("judge:judgements", args=[ada.collection.slug])
    assert links(client.get(address).content.decode()) == ["My topics", "My judgements", "Settings"]


def test_researcher_who_adjudicates_has_a_link_to_the_collection(signed_in, ada, join):
    rita = join(ada.collection, "rita", Role.RESEARCHER)
    task = ada.assignments.filter(repeat=JudgementKind.REGULAR, topic__query_id="1").first().task
    Assignment.objects.create(
        task=task, topic=task.topic, member=rita, repeat=JudgementKind.DECISION, position=0, public_id=uuid.uuid4()
    )
    shown = pages(signed_in(rita), rita)
    expected = ["Collection", "My topics", "My judgements", "Settings"]
    assert {name: links(html) for name, html in shown.items()} == dict.fromkeys(shown, expected)
