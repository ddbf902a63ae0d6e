"""The page of judging settings: every field is saved, or refused with the submitted values kept."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from assess.collections.guidelines import publish_guidelines
from assess.collections.guidelines_templates import TEMPLATES
from assess.collections.members import add_member
from assess.jobs.run import run
from assess.judging import rules
from assess.judging.judgement_input import JudgementInput
from assess.judging.record_imported import ImportedJudgement, record_imported
from assess.judging.rules import RULES, change_rules
from assess.models import ROLES_OF_PEOPLE, Assignment, Collection, Job, Role, Task, TopicFeedback
from assess.pools.building.build import build_pool
from assess.web.research.judging_forms import GROUPS
from tests.assess.command_output import tables
from tests.assess.pools.learning.whole import begin, doc_ids, judge_cards, whole_collection
from tests.html import compact

CHOSEN = {
    "order": "fixed",
    "judges_per_task": "",
    "claim_minutes": "45",
    "repeat_share": "0.125",
    "min_visible_ms": "300",
    "passages": "optional",
    "near_duplicates": "once",
    "ask_confidence": "on",
    "snippet_first": "on",
    "hide_doc_ids": "on",
    "continuous": "on",
    "ask_marginal": "on",
}
SAVED = {
    "order": "fixed",
    "judges_per_task": None,
    "claim_minutes": 45,
    "repeat_share": 0.125,
    "min_visible_ms": 300,
    "passages": "optional",
    "near_duplicates": "once",
    "ask_confidence": True,
    "snippet_first": True,
    "hide_doc_ids": True,
    "continuous": True,
    "ask_marginal": True,
    "ask_at_topic_end": False,  # browsers do not send an unticked box
}
POSTS = ("rules", "publish", "adapt")


@pytest.fixture
def owner(collection, join):
    return join(collection, "olga", Role.OWNER)


@pytest.fixture
def http(owner, signed_in):
    return signed_in(owner)


def address(collection, name="judging") -> str:
    return reverse(f"research:{name}", args=[collection.slug])


def read(http, collection, status=200, **query) -> str:
    response = http.get(address(collection), query)
    assert response.status_code == status
    return compact(response.content.decode())


def send(http, collection, name, **data) -> str:
    """Submit a form that is accepted, and return the message on the next page."""
    response = http.post(address(collection, name), data, follow=True)
    assert response.status_code == 200
    assert response.redirect_chain[0][0].startswith(address(collection) + "#")
    return re.search(r'<ul class="messages"><li>(.*?)</li>', response.content.decode())[1]


def refused(http, collection, name, **data) -> tuple[str, str]:
    """Submit a form that is refused. Returns the error message and the page. No table may change."""
    before = tables()
    response = http.post(address(collection, name), data)
    assert response.status_code == 400
    assert tables() == before
    html = compact(response.content.decode())
    return re.search(r'class="refusal" role="alert">(.*?)</p>', html, re.S)[1], html


@pytest.mark.slow
@pytest.mark.parametrize("name", ["judging", *POSTS])
def test_page_is_for_owner_and_researcher(collection, client, join, django_user_model, name):
    outsider = django_user_model.objects.create_user("outsider")
    expected = {Role.OWNER: {200, 400}, Role.RESEARCHER: {200, 400}, Role.INSTRUCTOR: {403}, Role.ASSESSOR: {403}}
    people = {role: join(collection, role.value, role).user for role in ROLES_OF_PEOPLE}
    before = tables()
    for role, user in [*people.items(), (None, outsider)]:
        client.force_login(user, backend="assess.people.backend.AccountBackend")
        request = client.get if name == "judging" else client.post
        assert request(address(collection, name)).status_code in expected.get(role, {404}), role
    after = tables()
    assert {name for name in after if before[name] != after[name]} <= {"User", "Session", "AuditEvent"}, "signing in"


@pytest.mark.parametrize("name", ["judging", *POSTS])
def test_wrong_method_is_refused(http, collection, name):
    request = http.post if name == "judging" else http.get
    assert request(address(collection, name)).status_code == 405


# ---- rules


def test_page_shows_the_current_rules(http, collection):
    change_rules(collection, claim_minutes=77, passages="required", hide_doc_ids=True)
    html = read(http, collection)
    assert re.search(r'name="claim_minutes" value="77"', html)
    assert re.search(r'value="required" selected', html)
    assert re.search(r'name="hide_doc_ids"[^>]* checked', html)
    assert not re.search(r'name="snippet_first"[^>]* checked', html)
    for rule in rules.RULES:
        assert rule.effect in html, "the effect of a change is explained"
    assert 'value="adaptive"' not in html, "another form on the page starts it"
    assert "Documents are assigned beforehand. They appear in a different random order for each assessor" in html


def test_every_rule_is_saved(http, collection):
    message = send(http, collection, "rules", **CHOSEN)
    saved = Collection.objects.get()
    assert {name: getattr(saved, name) for name in SAVED} == SAVED
    assert set(SAVED) == set(rules.NAMES)
    assert message.startswith("Saved: Order of the documents; Minutes until a claim expires;")
    assert send(http, collection, "rules", **CHOSEN) == "The rules are unchanged."


@pytest.mark.in_ci
def test_open_claiming_is_switched_on_and_off(http, collection):
    assert send(http, collection, "rules", **CHOSEN | {"judges_per_task": "2"}).startswith("Saved: ")
    assert set(Task.objects.values_list("wanted", flat=True)) == {2}
    html = read(http, collection)
    assert "Open to claims: any assessor can claim a document until it has 2 judges" in html
    assert send(http, collection, "rules", **CHOSEN) == "Saved: Open claiming: judges per task."
    assert set(Task.objects.values_list("wanted", flat=True)) == {0}


@pytest.mark.parametrize(
    ("name", "typed", "sentence"),
    [
        ("claim_minutes", "0", "Minutes until a claim expires: must be a whole number between 1 and 1,440, not 0."),
        ("claim_minutes", "soon", "Minutes until a claim expires: Enter a whole number."),
        (
            "repeat_share",
            "7",
            "Hidden repeats: share of documents judged twice: must be a number between",
        ),
        ("repeat_share", "nan", "Hidden repeats: share of documents judged twice: Enter a number."),
        (
            "min_visible_ms",
            "9999",
            "Milliseconds that a document must be visible before a key counts: must be a whole number between",
        ),
        (
            "judges_per_task",
            "0",
            "Open claiming: judges per task: must be a whole number between 1 and 100",
        ),
        (
            "judges_per_task",
            "9" * 30,
            "Open claiming: judges per task: must be a whole number between 1 and",
        ),
        ("passages", "x&lt;", "Passage that decided the judgement: Select a valid choice."),
        ("order", "adaptive", "Order of the documents: Select a valid choice."),
    ],
)
def test_invalid_rule_is_refused_and_the_form_keeps_the_values(http, collection, name, typed, sentence):
    message, html = refused(http, collection, "rules", **CHOSEN | {name: typed})
    assert message.startswith(sentence)
    assert 'name="claim_minutes" value="45"' in html or name == "claim_minutes"
    assert re.search(r'name="hide_doc_ids"[^>]* checked', html)
    if name not in ("passages", "order"):
        assert f'name="{name}" value="{typed}"' in html


# ---- guidelines


def test_guidelines_are_published_shown_and_listed(http, collection):
    assert "There are no guidelines yet." in read(http, collection)
    message = send(http, collection, "publish", text="# First\r\n\r\nRead **all**. <script>alert(1)</script>")
    assert message == "Version 1 of the guidelines is published."
    assert send(http, collection, "publish", text="Second text") == "Version 2 of the guidelines is published."
    assert send(http, collection, "publish", text="Second text\n") == (
        "Version 2 already has this text; nothing was published."
    )
    html = read(http, collection)
    assert "Version 2, as assessors see it" in html
    assert ">Second text</textarea>" in html
    first = read(http, collection, guidelines=1)
    assert "Version 1, as assessors see it" in first
    assert "<strong>all</strong>" in first
    assert "<script>alert" not in first
    assert ">Second text</textarea>" in first, "an earlier version is shown, but the latest is edited"


def test_versions_show_their_number_of_judgements(http, collection):
    publish_guidelines(collection, "one")
    publish_guidelines(collection, "two")
    ada = collection.members.create(name="ada", role=Role.ASSESSOR)
    versions = [1, 1, 2, None]
    record_imported(
        [
            ImportedJudgement(ada, task.pk, 0, JudgementInput("judged", 1, guidelines_version=version), timezone.now())
            for task, version in zip(Task.objects.all(), versions, strict=False)
        ]
    )
    html = read(http, collection)
    assert re.findall(r'>version (\d)</a></th><td[^>]*>[^<]+</td><td class="num">(\d)</td>', html) == [
        ("2", "1"),
        ("1", "2"),
    ]


@pytest.mark.parametrize("number", ["0", "2", "-1", "one", "٣", "9" * 40, ""])
def test_unknown_version_is_not_found(http, collection, number):
    publish_guidelines(collection, "one")
    read(http, collection, status=404, guidelines=number)


def test_invalid_guidelines_are_refused_and_kept_in_the_form(http, collection):
    publish_guidelines(collection, "one")
    assert refused(http, collection, "publish", text=" ")[0] == "The guidelines are empty."
    message, html = refused(http, collection, "publish", text="y" * 100_001)
    assert message == "The guidelines have 100,001 characters without embedded images; at most 20,000 are allowed."
    assert "y" * 100_001 in html
    assert "as assessors see it" in html


def test_guidelines_cannot_close_the_textarea(http, collection):
    send(http, collection, "publish", text="</textarea><script>alert(1)</script>")
    assert "<script>alert" not in read(http, collection)


# ---- open work


def row_of(html: str, name: str) -> list[str]:
    row = re.search(rf'<th scope="row"[^>]*>(?:<[^>]*>)*{name}\b(?:(?!</th>).)*</th>(.*?)</tr>', html, re.S)[1]
    return re.findall(r'class="num">([^<]*)</td>', row)


@pytest.fixture
def three(collection, join):
    """Three assessors. The first has all seven tasks and judged one of them."""
    ada, ben, cleo = (join(collection, name) for name in ("ada", "ben", "cleo"))
    for position, task in enumerate(Task.objects.order_by("pk")):
        Assignment.objects.create(task=task, topic_id=task.topic_id, member=ada, position=position)
    record_imported(
        [ImportedJudgement(ada, Task.objects.order_by("pk")[0].pk, 0, JudgementInput("judged", 1), timezone.now())]
    )
    return ada, ben, cleo


def test_open_work_is_listed_by_assessor(http, collection, three):
    html = read(http, collection)
    total = str(Task.objects.count())
    left = str(Task.objects.count() - 1)
    assert row_of(html, three[0].name) == [total, "1", "0", "0", left, "0", "0"]
    assert row_of(html, three[1].name) == ["0"] * 7


def test_page_without_assessors_shows_how_to_add_them(http, collection):
    assert "There are no assessors yet. Invite them first." in read(http, collection)


# ---- adaptive order


def test_adaptive_order_starts_and_ends(http, collection):
    choice = {"strategy": "move_to_front", "rule": "majority", "rel": "1"}
    assert send(http, collection, "adapt", **choice) == "move_to_front now orders the documents of 2 topics."
    assert Collection.objects.get().order == "adaptive"
    order = collection.topics.first().adaptive_order
    assert (order.strategy, order.rule, order.parameters["rel"]) == ("move_to_front", "majority", 1)
    html = read(http, collection)
    assert "The order adapts to the relevant documents found so far." in html
    assert '<option value="adaptive" selected>' in html
    send(http, collection, "rules", **CHOSEN | {"order": "adaptive"})
    assert Collection.objects.get().order == "adaptive", "saving other rules does not end it"
    send(http, collection, "rules", **CHOSEN)
    assert Collection.objects.get().order == "fixed"


def test_learner_starts_in_the_background(http, owner, db):
    whole = whole_collection()
    add_member(whole, owner.user.username, Role.OWNER)
    response = http.post(address(whole, "adapt"), {"strategy": "cal", "rule": "majority", "rel": "1"})
    job = Job.objects.get()
    assert response["Location"].endswith(f"/jobs/{job.public_id}/")
    run(job.pk, 1)
    page = http.get(response["Location"]).content.decode()
    assert "cal now orders the documents of 2 topics. It proposes from 90 documents." in page
    order = whole.topics.first().adaptive_order
    whole.refresh_from_db()
    assert (whole.order, order.strategy, order.rule) == ("adaptive", "cal", "majority")


def test_page_shows_the_models_of_the_learner(http, owner, db, join):
    whole = whole_collection()
    add_member(whole, owner.user.username, Role.OWNER)
    topic, ada = whole.topics.get(query_id="1"), join(whole, "ada")
    assert "Continuous active learning" not in read(http, whole)
    begin(whole)
    judge_cards(ada, topic, doc_ids(ada, topic)[:3])
    html = read(http, whole)
    assert "No worker is running" in html
    assert row_of(html, "1")[:5] == ["1", "0", "3", "1", "6"]
    assert row_of(html, "2")[:5] == ["1", "0", "0", "1", "1"]


def test_learner_without_all_texts_is_refused(http, collection):
    response = http.post(address(collection, "adapt"), {"strategy": "cal", "rule": "union", "rel": "1"})
    run(Job.objects.get().pk, 1)
    page = http.get(response["Location"]).content.decode()
    assert "but 1 document has no text in small, such as c, which alpha retrieved. Import all documents first." in page
    assert Collection.objects.get().order == "shuffled"


@pytest.mark.parametrize(
    ("name", "typed", "label"),
    [
        ("strategy", "active_sampling", "Strategy"),
        ("strategy", "", "Strategy"),
        ("rule", "x", "If several assessors judged a document"),
        ("rel", "0", "Relevant"),
        ("rel", "7", "Relevant"),
    ],
)
def test_invalid_adaptive_order_is_refused(http, collection, name, typed, label):
    choice = {"strategy": "hedge", "rule": "union", "rel": "1"} | {name: typed}
    assert refused(http, collection, "adapt", **choice)[0].startswith(f"{label}: ")


def test_adaptive_order_without_a_pool_is_refused(http, owner, db):
    from assess.collections.create import create_collection

    empty = create_collection("empty", "Empty")
    add_member(empty, owner.user.username, Role.OWNER)
    message, html = refused(http, empty, "adapt", strategy="hedge", rule="union", rel="1")
    assert message == "empty has no runs yet. An adaptive order needs runs and a pool."
    assert '<option value="hedge" selected>' in html


# ---- exit answers


def test_exit_answers_appear_by_topic_and_on_the_collection_page(http, collection, three):
    assert "There are no answers yet." in read(http, collection)
    topic = collection.topics.first()
    for member, number in zip(three, (5, 2, None), strict=True):
        TopicFeedback.objects.create(member=member, topic=topic, difficulty=number, comment="<b>Odd</b>\nvery")
    html = read(http, collection)
    assert '</th><td class="num">3.5</td><td class="num">2</td>' in html
    assert html.count("&lt;b&gt;Odd&lt;/b&gt;<br>very") == 3
    assert three[0].name in html
    overview_html = http.get(address(collection, "collection")).content.decode()
    assert "Mean difficulty of the topics: 3.5 from 1 (easy) to 5 (very difficult), 2 answers" in overview_html


def test_page_shows_that_the_question_is_off(http, collection):
    change_rules(collection, ask_at_topic_end=False)
    assert "Topic feedback is off." in read(http, collection)


# ---- what it costs


def test_number_of_queries_does_not_grow(http, collection, three, django_assert_num_queries):
    read(http, collection)
    with django_assert_num_queries(19):
        read(http, collection)
    build_pool(collection, depth=3)
    for number in range(20):
        publish_guidelines(collection, f"text {number}")
        member = collection.members.create(name=f"judge {number}", role=Role.ASSESSOR)
        TopicFeedback.objects.create(member=member, topic=collection.topics.first(), difficulty=1)
    with django_assert_num_queries(19):
        read(http, collection)


def test_groups_have_every_rule_once():
    fields = [name for _, names in GROUPS.values() for name in names]
    assert sorted(fields) == sorted(rule.name for rule in RULES)


def test_a_group_is_saved_alone(http, collection):
    Collection.objects.filter(pk=collection.pk).update(hide_doc_ids=True, ask_confidence=True)
    http.post(address(collection, "rules"), {"group": "checks", "repeat_share": "0.1"})
    collection.refresh_from_db()
    assert (collection.repeat_share, collection.hide_doc_ids, collection.ask_confidence) == (0.1, True, True)
    http.post(address(collection, "rules"), {"group": "display", "min_visible_ms": "200"})
    collection.refresh_from_db()
    assert (collection.min_visible_ms, collection.hide_doc_ids, collection.ask_confidence) == (200, False, True)


def test_a_refused_group_keeps_what_was_typed_and_changes_nothing(http, collection):
    Collection.objects.filter(pk=collection.pk).update(ask_confidence=True)
    response = http.post(address(collection, "rules"), {"group": "checks", "repeat_share": "7"})
    html = response.content.decode()
    assert response.status_code == 400
    assert re.search(r'name="repeat_share" value="7"', html)
    assert re.search(r'name="ask_confidence"[^>]* checked', html)
    collection.refresh_from_db()
    assert (collection.repeat_share, collection.ask_confidence) == (0, True)


# ---- drafts of guidelines


def test_templates_are_offered_until_guidelines_are_published(http, collection):
    page = read(http, collection)
    assert page.index("?template=binary") < page.index("?template=trec") < page.index("?template=deep-learning")
    assert page.count("fits the scale") == 1
    page = read(http, collection, template="trec")
    assert "| 2 | the topic is the main subject" in page
    assert "<td>the topic is the main subject" in page
    read(http, collection, template="unknown")
    publish_guidelines(collection, "one")
    page = read(http, collection, template="trec")
    assert "?template=" not in page
    assert "main subject" not in page


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=list(TEMPLATES))
def test_templates_have_an_example_for_each_grade_and_can_be_published(collection, template):
    example = template.text.partition("# An example")[2]
    assert [f"**{grade}**" in example for grade in range(template.grades)] == [True] * template.grades
    assert publish_guidelines(collection, template.text).version == 1


def test_draft_is_previewed_sanitised_and_saves_nothing(http, collection):
    address = reverse("research:preview_guidelines", args=["small"])
    draft = {"text": "**Useful** <script>alert(1)</script>\n\n[x](javascript:alert(1))"}
    part = http.post(address, draft, headers={"HX-Request": "true"}).content.decode()
    assert "<strong>Useful</strong>" in part
    assert "<html" not in part
    assert "<script" not in part
    assert "href" not in part
    page = http.post(address, draft).content.decode()
    assert "<strong>Useful</strong>" in page
    assert "**Useful** &lt;script&gt;" in page
    assert "The guidelines are empty." in http.post(address, headers={"HX-Request": "true"}).content.decode()
    assert not collection.guidelines.exists()
