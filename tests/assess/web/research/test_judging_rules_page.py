"""The researchers' page on judging: every field is saved or refused in a sentence, with what was typed kept."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from assess.collections import guidelines
from assess.judging import rules as judging_rules
from assess.judging.judgement_input import Saying
from assess.judging.record import Said, record_elsewhere
from assess.models import Assignment, Collection, ExitAnswer, Role, Task
from assess.pools import build as pools
from tests.assess.command_output import tables
from tests.html import compact

CHOSEN = {
    "order": "fixed",
    "judges_per_task": "",
    "claim_minutes": "45",
    "repeat_share": "0.125",
    "painted_ms": "300",
    "passages": "optional",
    "ask_confidence": "on",
    "snippet_first": "on",
    "hide_doc_ids": "on",
}
SAVED = {
    "order": "fixed",
    "judges_per_task": None,
    "claim_minutes": 45,
    "repeat_share": 0.125,
    "painted_ms": 300,
    "passages": "optional",
    "ask_confidence": True,
    "snippet_first": True,
    "hide_doc_ids": True,
    "ask_at_topic_end": False,  # a box that is not ticked is not sent
}
POSTS = ("rules", "publish", "reassign", "adapt")


@pytest.fixture
def owner(collection, join):
    return join(collection, "olga", Role.OWNER)


@pytest.fixture
def desk(owner, signed_in):
    return signed_in(owner)


def address(collection, name="judging") -> str:
    return reverse(f"research:{name}", args=[collection.slug])


def read(desk, collection, status=200, **query) -> str:
    response = desk.get(address(collection), query)
    assert response.status_code == status
    return compact(response.content.decode())


def send(desk, collection, name, **data) -> str:
    """What the page says after a deed that is done: the message of the page it leads to."""
    response = desk.post(address(collection, name), data, follow=True)
    assert response.status_code == 200
    assert response.redirect_chain[0][0].startswith(address(collection) + "#")
    return re.search(r'<ul class="messages"><li>(.*?)</li>', response.content.decode())[1]


def refused(desk, collection, name, **data) -> tuple[str, str]:
    """The sentence with which the page refuses, and the page; nothing is changed."""
    before = tables()
    response = desk.post(address(collection, name), data)
    assert response.status_code == 400
    assert tables() == before
    html = compact(response.content.decode())
    return re.search(r'class="refusal" role="alert">(.*?)</p>', html, re.S)[1], html


@pytest.mark.parametrize("name", ["judging", *POSTS])
def test_the_page_is_for_owner_and_researcher(collection, client, join, django_user_model, name):
    outsider = django_user_model.objects.create_user("outsider")
    expected = {Role.OWNER: {200, 400}, Role.RESEARCHER: {200, 400}, Role.INSTRUCTOR: {403}, Role.ASSESSOR: {403}}
    people = {role: join(collection, role.value, role).user for role in Role}
    before = tables()
    for role, user in [*people.items(), (None, outsider)]:
        client.force_login(user, backend="assess.people.backend.AccountBackend")
        ask = client.get if name == "judging" else client.post
        assert ask(address(collection, name)).status_code in expected.get(role, {404}), role
    after = tables()
    assert {name for name in after if before[name] != after[name]} <= {"User"}, "last_login"


@pytest.mark.parametrize("name", ["judging", *POSTS])
def test_the_wrong_verb_is_refused(desk, collection, name):
    ask = desk.post if name == "judging" else desk.get
    assert ask(address(collection, name)).status_code == 405


# ---- rules


def test_the_page_shows_the_rules_as_they_are(desk, collection):
    judging_rules.change(collection, claim_minutes=77, passages="required", hide_doc_ids=True)
    html = read(desk, collection)
    assert re.search(r'name="claim_minutes" value="77"', html)
    assert re.search(r'value="required" selected', html)
    assert re.search(r'name="hide_doc_ids"[^>]* checked', html)
    assert not re.search(r'name="snippet_first"[^>]* checked', html)
    for rule in judging_rules.RULES:
        assert rule.means in html, "what a change means is said"
    assert 'value="adaptive"' not in html, "it is begun elsewhere on the page"
    assert "Documents are given out beforehand; they come in an order of each assessor" in html


def test_every_rule_is_saved(desk, collection):
    said = send(desk, collection, "rules", **CHOSEN)
    kept = Collection.objects.get()
    assert {name: getattr(kept, name) for name in SAVED} == SAVED
    assert set(SAVED) == set(judging_rules.NAMES)
    assert said.startswith("Saved: Order of the documents; Minutes until a claim lapses;")
    assert send(desk, collection, "rules", **CHOSEN) == "The rules were so already."


def test_open_claiming_is_switched_on_and_off(desk, collection):
    assert send(desk, collection, "rules", **CHOSEN | {"judges_per_task": "2"}).startswith("Saved: ")
    assert set(Task.objects.values_list("wanted", flat=True)) == {2}
    html = read(desk, collection)
    assert "Open to claims: any assessor takes the next document until it has 2 judges" in html
    assert send(desk, collection, "rules", **CHOSEN) == "Saved: Open claiming: judges a task."
    assert set(Task.objects.values_list("wanted", flat=True)) == {0}


@pytest.mark.parametrize(
    ("name", "typed", "sentence"),
    [
        ("claim_minutes", "0", "Minutes until a claim lapses: 0 came; it is a whole number from 1 to 1,440."),
        ("claim_minutes", "soon", "Minutes until a claim lapses: Enter a whole number."),
        ("repeat_share", "7", "Hidden repeats: share that comes a second time: 7.0 came; it is a number from 0 to 1."),
        ("repeat_share", "nan", "Hidden repeats: share that comes a second time: Enter a number."),
        ("painted_ms", "9999", "Milliseconds on the screen before a key counts: 9999 came; it is a whole number from"),
        ("judges_per_task", "0", "Open claiming: judges a task: 0 came; it is a whole number from 1 to 100, or empty."),
        ("judges_per_task", "9" * 30, "Open claiming: judges a task: 999"),
        ("passages", "x&lt;", "The passage that decided it: Select a valid choice."),
        ("order", "adaptive", "Order of the documents: Select a valid choice."),
    ],
)
def test_a_wrong_rule_is_told_and_what_was_typed_is_kept(desk, collection, name, typed, sentence):
    said, html = refused(desk, collection, "rules", **CHOSEN | {name: typed})
    assert said.startswith(sentence)
    assert 'name="claim_minutes" value="45"' in html or name == "claim_minutes"
    assert re.search(r'name="hide_doc_ids"[^>]* checked', html)
    if name not in ("passages", "order"):
        assert f'name="{name}" value="{typed}"' in html


# ---- guidelines


def test_guidelines_are_published_shown_and_listed(desk, collection):
    assert "There are no guidelines yet." in read(desk, collection)
    said = send(desk, collection, "publish", text="# First\r\n\r\nRead **all**. <script>alert(1)</script>")
    assert said == "Version 1 of the guidelines is published."
    assert send(desk, collection, "publish", text="Second text") == "Version 2 of the guidelines is published."
    assert send(desk, collection, "publish", text="Second text\n") == (
        "This is what version 2 says already; nothing was published."
    )
    html = read(desk, collection)
    assert "Version 2, as assessors see it" in html
    assert ">Second text</textarea>" in html
    first = read(desk, collection, guidelines=1)
    assert "Version 1, as assessors see it" in first
    assert "<strong>all</strong>" in first
    assert "<script>alert" not in first
    assert ">Second text</textarea>" in first, "a version is shown, the last one is edited"


def test_a_version_says_how_many_judgements_were_made_under_it(desk, collection):
    guidelines.publish(collection, "one")
    guidelines.publish(collection, "two")
    ada = collection.members.create(name="ada", role=Role.ASSESSOR)
    versions = [1, 1, 2, None]
    record_elsewhere(
        [
            Said(ada, task.pk, 0, Saying("judged", 1, guidelines_version=version), timezone.now())
            for task, version in zip(Task.objects.all(), versions, strict=False)
        ]
    )
    html = read(desk, collection)
    assert re.findall(r'>version (\d)</a></th><td>[^<]+</td><td class="num">(\d)</td>', html) == [
        ("2", "1"),
        ("1", "2"),
    ]


@pytest.mark.parametrize("asked", ["0", "2", "-1", "one", "٣", "9" * 40, ""])
def test_a_version_that_is_not_there_is_not_found(desk, collection, asked):
    guidelines.publish(collection, "one")
    read(desk, collection, status=404, guidelines=asked)


def test_guidelines_that_are_none_are_refused_and_kept_in_the_box(desk, collection):
    guidelines.publish(collection, "one")
    assert refused(desk, collection, "publish", text=" ")[0] == (
        "The guidelines are empty; a new version needs a text."
    )
    said, html = refused(desk, collection, "publish", text="y" * 100_001)
    assert said == "The guidelines have 100,001 characters; at most 100,000 are kept."
    assert "y" * 100_001 in html
    assert "as assessors see it" in html


def test_a_textarea_cannot_be_closed_from_within(desk, collection):
    send(desk, collection, "publish", text="</textarea><script>alert(1)</script>")
    assert "<script>alert" not in read(desk, collection)


# ---- open work


def row_of(html: str, name: str) -> list[str]:
    row = re.search(rf'<th scope="row">{name}(?: <small>imported</small>)?</th>(.*?)</tr>', html, re.S)[1]
    return re.findall(r'class="num">([^<]*)</td>', row)


@pytest.fixture
def three(collection, join):
    """Three assessors; the first has all seven tasks, of which she judged one."""
    ada, ben, cleo = (join(collection, name) for name in ("ada", "ben", "cleo"))
    for position, task in enumerate(Task.objects.order_by("pk")):
        Assignment.objects.create(task=task, topic_id=task.topic_id, member=ada, position=position)
    record_elsewhere([Said(ada, Task.objects.order_by("pk")[0].pk, 0, Saying("judged", 1), timezone.now())])
    return ada, ben, cleo


def test_open_work_is_told_by_assessor(desk, collection, three):
    html = read(desk, collection)
    total = str(Task.objects.count())
    left = str(Task.objects.count() - 1)
    assert row_of(html, three[0].name) == [total, "1", "0", "0", left, "0", "0"]
    assert row_of(html, three[1].name) == ["0"] * 7


def test_without_assessors_the_page_says_how_to_add_them(desk, collection):
    assert "add_member --collection small --role assessor" in read(desk, collection)


def test_open_work_goes_to_those_who_are_named(desk, collection, three):
    ada, ben, cleo = three
    said = send(desk, collection, "reassign", giver=ada.pk, takers=[ben.pk])
    assert said == f"Open tasks: {Task.objects.count() - 1} to {ben.name}."
    again = send(desk, collection, "reassign", giver=ada.pk)
    assert again == "There was no open work; nothing was moved."
    assert Assignment.objects.filter(member=ada).count() == 1, "what is judged stays"
    assert Assignment.objects.filter(member=ben).count() == Task.objects.count() - 1
    assert not Assignment.objects.filter(member=cleo).exists()


def test_open_work_goes_to_all_others_where_nobody_is_named(desk, collection, three):
    ada, ben, cleo = three
    send(desk, collection, "reassign", giver=ada.pk)
    left = Task.objects.count() - 1
    counts = [Assignment.objects.filter(member=member).count() for member in (ben, cleo)]
    assert sum(counts) == left
    assert max(counts) - min(counts) <= 1


def test_what_nobody_else_can_take_stays_and_is_told(desk, collection, three):
    ada, ben, _ = three
    send(desk, collection, "reassign", giver=ada.pk, takers=[ben.pk])
    for assignment in Assignment.objects.filter(member=ben):
        Assignment.objects.create(
            task=assignment.task, topic_id=assignment.topic_id, member=ada, position=assignment.position
        )
    assert send(desk, collection, "reassign", giver=ada.pk, takers=[ben.pk]) == (
        f"Open tasks: {Task.objects.count() - 1} stayed, since nobody else can take them."
    )


def test_in_an_open_collection_claims_go_back_to_everybody(desk, collection, three):
    judging_rules.change(collection, judges_per_task=2)
    assert 'class="takers"' not in read(desk, collection)
    said = send(desk, collection, "reassign", giver=three[0].pk)
    assert said == f"Open tasks: {Task.objects.count() - 1} back to whoever claims them next."


def test_reassigning_needs_somebody_of_this_collection(desk, collection, three, owner):
    ada = three[0]
    assert refused(desk, collection, "reassign")[0] == "From: This field is required."
    for stranger in (owner.pk, 10**9, 10**25, "9" * 5_000, "x"):
        assert refused(desk, collection, "reassign", giver=stranger)[0].startswith("From: Select a valid choice.")
        said, html = refused(desk, collection, "reassign", giver=ada.pk, takers=[stranger])
        assert said.startswith("To: ")
        assert f'<option value="{ada.pk}" selected>' in html


# ---- adaptive order


def test_an_adaptive_order_is_begun_and_ended(desk, collection):
    choice = {"strategy": "move_to_front", "rule": "majority", "rel": "1"}
    assert send(desk, collection, "adapt", **choice) == ("move_to_front orders the documents of 2 topics from now on.")
    assert Collection.objects.get().order == "adaptive"
    order = collection.topics.first().adaptive_order
    assert (order.strategy, order.rule, order.parameters["rel"]) == ("move_to_front", "majority", 1)
    html = read(desk, collection)
    assert "The order adapts to the relevant documents found so far." in html
    assert '<option value="adaptive" selected>' in html
    send(desk, collection, "rules", **CHOSEN | {"order": "adaptive"})
    assert Collection.objects.get().order == "adaptive", "saving other rules leaves it"
    send(desk, collection, "rules", **CHOSEN)
    assert Collection.objects.get().order == "fixed"


@pytest.mark.parametrize(
    ("name", "typed", "label"),
    [
        ("strategy", "cal", "Strategy"),
        ("strategy", "", "Strategy"),
        ("rule", "x", "Where several have judged a document"),
        ("rel", "0", "Relevant"),
        ("rel", "7", "Relevant"),
    ],
)
def test_an_adaptive_order_that_cannot_be_is_refused(desk, collection, name, typed, label):
    choice = {"strategy": "hedge", "rule": "union", "rel": "1"} | {name: typed}
    assert refused(desk, collection, "adapt", **choice)[0].startswith(f"{label}: ")


def test_an_adaptive_order_without_a_pool_is_refused_in_a_sentence(desk, owner, db):
    from assess import collections

    empty = collections.create("empty", "Empty")
    collections.add_member(empty, owner.user.username, Role.OWNER)
    said, html = refused(desk, empty, "adapt", strategy="hedge", rule="union", rel="1")
    assert said == "empty has no runs (import_runs) yet, and an adaptive order needs both."
    assert '<option value="hedge" selected>' in html


# ---- exit answers


def test_exit_answers_are_told_by_topic_and_on_the_collection_page(desk, collection, three):
    assert "There are no answers yet." in read(desk, collection)
    topic = collection.topics.first()
    for member, number in zip(three, (5, 2, None), strict=True):
        ExitAnswer.objects.create(member=member, topic=topic, difficulty=number, comment="<b>Odd</b>\nvery")
    html = read(desk, collection)
    assert '</th><td class="num">3.5</td><td class="num">2</td>' in html
    assert html.count("&lt;b&gt;Odd&lt;/b&gt;<br>very") == 3
    assert three[0].name in html
    whole = compact(desk.get(address(collection, "collection")).content.decode())
    assert "How difficult were the topics? 3.5 on average, from 1 (easy) to 5 (very difficult): 2 answers" in whole


def test_a_collection_that_does_not_ask_says_so(desk, collection):
    judging_rules.change(collection, ask_at_topic_end=False)
    assert "The question is off." in read(desk, collection)


# ---- what it costs


def test_the_number_of_queries_is_known_and_does_not_grow(desk, collection, three, django_assert_num_queries):
    read(desk, collection)
    with django_assert_num_queries(17):
        read(desk, collection)
    pools.build(collection, 3)
    for number in range(20):
        guidelines.publish(collection, f"text {number}")
        member = collection.members.create(name=f"judge {number}", role=Role.ASSESSOR)
        ExitAnswer.objects.create(member=member, topic=collection.topics.first(), difficulty=1)
    with django_assert_num_queries(17):
        read(desk, collection)
