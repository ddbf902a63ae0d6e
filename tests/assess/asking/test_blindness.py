"""People and models are blind to each other: on the judging page, in the API, in prompts, and what a release states."""

import json
import uuid

import pytest

from assess.adjudication.adjudicate import adjudicate
from assess.adjudication.choose import choose
from assess.asking.ask import WorkOptions, create_work
from assess.asking.judges import save_judge
from assess.asking.policy import PolicyRule, decide_policy, stated_about_models
from assess.asking.rules import change_rules
from assess.errors import Refused
from assess.judging.card_notes import card_notes
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.models import Assignment, JudgementKind, ModelWork, Role, Scope
from assess.people.tokens import create_token
from assess.pools.assign import assign
from assess.releases.choices import ReleaseChoices
from assess.releases.freeze import create_release
from assess.releases.stored import file_of
from tests.assess.api.conftest import ApiClient
from tests.assess.api.test_api_access import endpoints, send
from tests.assess.asking.conftest import asked_all, judge_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture
def people(collection, join):
    judges = [join(collection, name) for name in ("ada", "ben")]
    assign(collection, 2)
    return judges


def judge(member, grade: int, all_but: int = 0) -> None:
    own = list(Assignment.objects.filter(member=member, repeat=0).order_by("pk"))
    for assignment in own[: len(own) - all_but]:
        record_judgement(member, assignment.public_id, JudgementInput("judged", grade), uuid.uuid4())


def note_of_decision(collection, join) -> str:
    """What an adjudicator reads above the first disputed document of an open adjudication."""
    cyd = join(collection, "cyd")
    adjudicate(collection, "distance", [cyd.name], shows_grades=True, distance=1)
    decision = Assignment.objects.filter(member=cyd, repeat=JudgementKind.DECISION).order_by("pk").first()
    return card_notes([(decision.pk, decision.task_id, JudgementKind.DECISION)])[decision.pk]


def grades_in(note: str) -> list[int]:
    return [int(word) for word in note.rstrip(".").rpartition("They gave ")[2].split(", ")]


@pytest.mark.in_ci
def test_an_adjudicator_sees_no_grade_of_a_model_while_people_judge(collection, people, server, join):
    judge(people[0], 0)
    judge(people[1], 3, all_but=1)
    asked_all(judge_at(collection, server))
    assert grades_in(note_of_decision(collection, join)) == [0, 3]


@pytest.mark.in_ci
def test_an_adjudicator_sees_none_while_a_model_is_being_asked(collection, people, server, join):
    for member, grade in zip(people, (0, 3), strict=True):
        judge(member, grade)
    asked_all(judge_at(collection, server))
    ModelWork.objects.update(finished_at=None)
    assert grades_in(note_of_decision(collection, join)) == [0, 3]


@pytest.mark.in_ci
def test_an_adjudicator_sees_all_when_both_have_finished(collection, people, server, join):
    for member, grade in zip(people, (0, 3), strict=True):
        judge(member, grade)
    asked_all(judge_at(collection, server))
    assert len(grades_in(note_of_decision(collection, join))) == 3


@pytest.mark.in_ci
def test_an_adjudicator_sees_all_if_the_owner_decides_so(collection, people, server, join):
    judge(people[0], 0)
    judge(people[1], 3, all_but=1)
    asked_all(judge_at(collection, server))
    change_rules(collection, show_early=True)
    assert len(grades_in(note_of_decision(collection, join))) == 3


@pytest.mark.in_ci
def test_a_model_alone_makes_no_dispute_while_people_judge(collection, people, server):
    judge(people[0], 0, all_but=1)
    asked_all(judge_at(collection, server))
    with pytest.raises(Refused, match="There is no disputed document"):
        choose(collection, "distance", distance=1)
    change_rules(collection, show_early=True)
    assert choose(collection, "distance", distance=1)[0]


@pytest.mark.in_ci
def test_an_assessor_finds_nothing_of_a_model_on_any_page(collection, people, server, signed_in):
    """The name of the model and of its prompt are in no page and no answer that an assessor can open."""
    asked_all(judge_at(collection, server, name="zyx-model"))
    http = signed_in(people[0])
    judge(people[0], 1, all_but=3)
    topic = Assignment.objects.filter(member=people[0]).first().topic_id
    own = f"/c/{collection.slug}/judge/"
    for address in (own, f"{own}{topic}/", f"{own}history/", "/"):
        response = http.get(address, follow=True)
        content = b"".join(response) if response.streaming else response.content
        assert b"zyx-model" not in content, address
        assert b"judge-2026-11-01" not in content, address
    for page in ("models/ask/", "models/", "models/ask/prompts/", "documents/"):
        assert http.get(f"/c/{collection.slug}/{page}").status_code in (403, 404), page


@pytest.mark.in_ci
def test_an_assessor_finds_nothing_of_a_model_in_the_api(collection, people, server):
    """Neither in what the API allows, nor in what it refuses."""
    asked_all(judge_at(collection, server, name="zyx-model"))
    client = ApiClient(create_token(people[0].user, "all", Scope.MANAGE)[1])
    for endpoint in endpoints():
        response = send(client, endpoint.replace("{judge}", "zyx-model"), collection.slug)
        content = b"".join(response) if response.streaming else response.content
        assert b"zyx-model" not in content, endpoint
        assert b"judge-2026-11-01" not in content, endpoint


@pytest.mark.in_ci
def test_nothing_of_people_is_sent_to_a_model(collection, people, server):
    for member, grade in zip(people, (0, 3), strict=True):
        judge(member, grade)
    asked_all(judge_at(collection, server))
    sent = json.dumps([asked.body for asked in server.asked])
    assert not any(name in sent for name in ("ada", "ben", "olga"))
    system, user = (message["content"] for message in server.asked[0].body["messages"])
    assert "judged by people" not in system + user


def test_the_offline_judge_waits_for_people(collection, people):
    judge(people[0], 1)
    judge(people[1], 0, all_but=2)
    words = save_judge(collection, "words", "offline", {})
    with pytest.raises(Refused, match=r"People have 2 open assignments in food\. Their grades are not given"):
        create_work(words, WorkOptions())
    change_rules(collection, show_early=True)
    assert create_work(words, WorkOptions()).pairs


@pytest.mark.in_ci
def test_a_release_states_what_was_sent_decided_and_seen(collection, people, server, join):
    join(collection, "olga", Role.OWNER)
    for member, grade in zip(people, (0, 3), strict=True):
        judge(member, grade)
    asked_all(judge_at(collection, server))
    decide_policy(collection, PolicyRule("gpt", top=1))
    change_rules(collection, show_early=True)
    stated = stated_about_models(collection)
    assert stated[0] == f"Topics and documents were sent to {server.url} to be judged by models."
    assert stated[1].startswith("gpt judges first. People judge 6 documents")
    assert stated[2] == "Models and people could see grades of each other before both had finished."
    methods = file_of(create_release(collection, ReleaseChoices("main", "union")), "paper/methods.md").decode()
    assert all(sentence in methods for sentence in stated)
