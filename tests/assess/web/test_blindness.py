"""Blindness: no response to an assessor may reveal systems, ranks or other assessors.

Systems, other assessors, their comments and their documents have canary names. The tests search for these names in
every response that an assessor can get: pages, fragments, files, refusals and headers.
"""

import re
import uuid

import pytest
from django.urls import reverse

from assess.adjudication.adjudicate import create_adjudication
from assess.collections.change import change_collection
from assess.collections.guidelines import publish_guidelines
from assess.collections.members import add_member
from assess.demo import loading as demo
from assess.judging import worklist
from assess.judging.feedback import save_feedback
from assess.judging.judgement_input import JudgementInput
from assess.judging.record import record_judgement
from assess.judging.worklist import topics_with_progress
from assess.models import Assignment, Document, Judgement, Role, Task, Topic, User
from assess.near_duplicates.find import find_pairs
from assess.near_duplicates.groups import accept_threshold
from assess.pools.adaptive_order import begin_adaptive_order
from assess.pools.claims import open_to_claims
from tests.assess.web.test_access import ADDRESSES, POST_ONLY
from tests.factories import set_content, small_collection

pytestmark = pytest.mark.site

SYSTEM, JUDGE, COMMENT, DOCUMENT, TITLE = (f"canary{what}" for what in ("system", "judge", "comment", "doc", "title"))
NEVER = (SYSTEM, JUDGE, COMMENT, DOCUMENT, TITLE, "best_rank", "provenance", "bandit")
RUNS = {
    f"{SYSTEM}{n}": {"1": ["a", "b", f"{DOCUMENT}{n}"], "2": [f"{DOCUMENT}x", "x"], "3": [f"{DOCUMENT}y"]}
    for n in range(3)
}


@pytest.fixture
def collection(db):
    collection = small_collection(RUNS, depth=3)
    set_content(Document.objects.filter(doc_id__startswith=DOCUMENT), title=TITLE, text=TITLE)
    publish_guidelines(collection, "Read, then judge.")
    change_collection(collection, description=f"Runs of {SYSTEM}.", assessor_description="Which drinks are hot?")
    return collection


def assign_documents(collection, member, doc_ids) -> list[Assignment]:
    tasks = [task for topic in collection.topics.all() for task in topic.tasks.filter(document__doc_id__in=doc_ids)]
    return [Assignment.objects.create(task=task, topic=task.topic, member=member, position=0) for task in tasks]


@pytest.fixture
def ada(collection, join):
    """An assessor with three documents, none of them with a canary name."""
    ada = join(collection, "ada")
    assign_documents(collection, ada, ["a", "b", "x"])
    return ada


@pytest.fixture
def eve(collection, join):
    """Another assessor, who judged all documents with comments and answered the question on each topic."""
    eve = add_member(collection, "eve", Role.ASSESSOR, JUDGE)[0]
    everything = list(collection.documents.values_list("doc_id", flat=True))
    for assignment in assign_documents(collection, eve, everything):
        record_judgement(
            eve, assignment.public_id, JudgementInput("judged", 1, comment=COMMENT), uuid.uuid4(), actor=eve.user
        )
    for topic in collection.topics.all():
        save_feedback(eve, topic, 5, COMMENT, earlier=True)
    return eve


def own_responses(http, member):
    """Yield the responses at the addresses for assessors. Those of researchers are refused whatever the rules are."""
    yield from all_responses(
        http, member, [name for name in ADDRESSES if not name[0].startswith(("research", "teach"))]
    )


def all_responses(http, member, addresses=ADDRESSES):
    """Yield the responses at every address, with ids of the assessor, of others, and unknown ids."""
    own = [str(address) for address in member.assignments.values_list("public_id", flat=True)]
    others = Assignment.objects.exclude(member=member).values_list("public_id", flat=True)[:2]
    values = {
        "slug": [member.collection.slug],
        "topic_id": [*Topic.objects.values_list("pk", flat=True), 10**9],
        "task": [*own, *map(str, others), str(uuid.uuid4())],
        "a": [member.pk],
        "b": list(member.collection.members.values_list("pk", flat=True)),
        "kind": ["svg"],
        "part": ["judgements"],
    }
    of_research = values | {"task": list(Task.objects.order_by("pk").values_list("pk", flat=True)[:2])}
    for name, parameters in addresses:
        if set(parameters) <= values.keys() and name not in ("account:sign_out", "account:sign_in"):
            options = of_research if name.startswith("research:") else values
            for arguments in combinations({key: options[key] for key in parameters}):
                yield from responses_at(http, member, name, reverse(name, kwargs=arguments))


def combinations(values: dict) -> list[dict]:
    result = [{}]
    for key, options in values.items():
        result = [chosen | {key: option} for chosen in result for option in options]
    return result


def responses_at(http, member, name: str, url: str):
    fields = {"client_id": str(uuid.uuid4()), "member": member.pk}
    if name not in POST_ONLY:
        yield http.get(url)
        yield http.get(url, {"q": "a", "state": "judged", "besides": str(uuid.uuid4())})
    for judgement in ({"relevance": "1"}, {"relevance": "7"}, {"state": "undone"}, {"state": "later"}):
        for accept in ("application/json", "text/html"):
            response = http.post(url, fields | {"client_id": str(uuid.uuid4())} | judgement, headers={"accept": accept})
            yield response
            if response.status_code == 405 or (response.status_code == 403 and not name.startswith("judge:")):
                return  # whatever the fields are: a wrong method, or a page for other roles


def test_canaries_exist(collection, ada, eve):
    assert collection.runs.filter(system__startswith=SYSTEM).count() == 3
    assert Judgement.objects.filter(member=eve, comment=COMMENT).count() == 7
    assert topics_with_progress(ada)


@pytest.mark.parametrize("hide", [True, pytest.param(False, marks=pytest.mark.soak)])
def test_no_response_reveals_systems_ranks_or_others(collection, ada, eve, signed_in, hide):
    collection.hide_doc_ids = hide
    collection.save()
    seen = check(all_responses(signed_in(ada), ada))
    assert seen["200"] > 30
    assert seen["403"] > 5
    assert seen["404"] > 5


def test_groups_of_near_duplicates_change_nothing_for_assessors(collection, ada, eve, signed_in):
    set_content(
        collection.documents.filter(doc_id__startswith=DOCUMENT), title=TITLE, text="one and the same text here"
    )
    set_content(collection.documents.filter(doc_id__in=["a", "b"]), title="", text="one and the same text here")
    address, http = reverse("judge:topic", args=["small", topics_with_progress(ada)[0][0].pk]), signed_in(ada)
    before = [card.to_dict() for card in worklist.upcoming(ada, topics_with_progress(ada)[0][0])]
    find_pairs(collection, whole=True)
    assert accept_threshold(collection, 0.5) > 0
    assert [card.to_dict() for card in worklist.upcoming(ada, topics_with_progress(ada)[0][0])] == before
    assert "duplicate" not in http.get(address).content.decode().lower()
    assert check(own_responses(http, ada))["200"] > 30


def test_adaptive_order_reveals_nothing_of_the_runs(collection, ada, eve, signed_in):
    begin_adaptive_order(collection, "bandit_thompson")
    assert check(own_responses(signed_in(ada), ada))["200"] > 30


def test_learner_reveals_nothing_of_the_runs(collection, ada, join, signed_in):
    """Ada may get every document here, so only people, comments, systems and the learner are canaries."""
    collection.documents.create(doc_id=f"{DOCUMENT}y")  # of a topic that the collection does not have
    set_content(Document.objects.all(), title="title", text="a text about hot drinks")
    eve = add_member(collection, "eve", Role.ASSESSOR, JUDGE)[0]
    open_to_claims(collection, 2)
    begin_adaptive_order(collection, "cal")
    for topic in collection.topics.all():
        for card in worklist.upcoming(eve, topic):
            record_judgement(eve, card.task, JudgementInput("judged", 1, comment=COMMENT), uuid.uuid4(), actor=eve.user)
    ada.collection.refresh_from_db()
    assert check(own_responses(signed_in(ada), ada), (*NEVER[:3], *NEVER[5:], "learner", "proposal"))["200"] > 30


@pytest.mark.parametrize("shows_grades", [True, pytest.param(False, marks=pytest.mark.soak)])
def test_adjudication_does_not_reveal_judges_or_systems(collection, eve, join, signed_in, shows_grades):
    """Fay decides documents that Eve judged. Even in an open adjudication, nobody is named."""
    fay = join(collection, "fay")
    tasks = Task.objects.filter(topic__collection=collection, document__doc_id__in=["a", "b", "x"])
    create_adjudication(collection, list(tasks), [fay.name], f"chosen after {JUDGE}", shows_grades)
    assert check(own_responses(signed_in(fay), fay))["200"] > 30


def test_claiming_does_not_reveal_other_assessors(collection, ada, join, signed_in):
    """Ada may claim every document here, so only people, comments and systems are canaries."""
    set_content(Document.objects.all(), title="title", text="text")
    eve = add_member(collection, "eve", Role.ASSESSOR, JUDGE)[0]
    open_to_claims(collection, 2)
    for topic in collection.topics.all():
        for card in worklist.upcoming(eve, topic):
            record_judgement(eve, card.task, JudgementInput("judged", 1, comment=COMMENT), uuid.uuid4(), actor=eve.user)
    assert check(own_responses(signed_in(ada), ada), NEVER[:3] + NEVER[5:])["200"] > 30


def check(responses, never=NEVER) -> dict[str, int]:
    """Check that no response contains a canary. Returns the number of responses with each status."""
    seen: dict[str, int] = {}
    for response in responses:
        content = b"".join(response.streaming_content) if response.streaming else response.content
        text = f"{response.headers} {response.cookies} {content.decode()}".lower()
        revealed = [canary for canary in never if re.search(canary, text)]
        assert not revealed, (response.request["REQUEST_METHOD"], response.request["PATH_INFO"], revealed)
        seen[str(response.status_code)] = seen.get(str(response.status_code), 0) + 1
    return seen


def test_assessors_read_only_their_own_description(client, ada, signed_in):
    http = signed_in(ada)
    for address in (reverse("home"), reverse("judge:topics", args=["small"])):
        html = http.get(address).content.decode()
        assert "Which drinks are hot?" in html
        assert "Runs of" not in html


def test_demo_tells_assessors_nothing_about_systems(db, client, isolated_storage):
    demo.load()
    assessor = User.objects.get(username="assessor").memberships.get()
    assert re.search("five|systems", assessor.collection.description)
    client.force_login(assessor.user, backend="assess.people.backend.AccountBackend")
    topic = assessor.assignments.first().topic_id
    for address in (
        reverse("home"),
        reverse("judge:topics", args=[demo.SLUG]),
        reverse("judge:topic", args=[demo.SLUG, topic]),
    ):
        html = client.get(address).content.decode()
        assert not re.search(r"\bfive\b|\bsystems\b|\bjudges\b", html, re.IGNORECASE), address
