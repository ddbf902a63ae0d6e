"""The pages of the work: what they show, what they save, and what they refuse."""

import re
from html import unescape

import pytest
from django.core.management import call_command

from assess.judging.rules import change_rules
from assess.models import Assignment, Collection, Job, Pilot, Role, Task
from assess.pools.assign import assign
from assess.work import preview
from tests.assess.claiming import judge, upcoming
from tests.assess.command_output import tables
from tests.assess.web.research.work.pages import address, hidden_fields, read, refused, send
from tests.html import compact

PREVIEW = {"policy": "overlap", "judges": "2", "share": "", "shared": "", "repeats": "", "limit": "", "pace": "30"}


@pytest.mark.in_ci
def test_open_work_moves_to_the_selected_assessors(http, collection, three):
    ada, ben, cleo = three
    message = send(http, collection, "reassign", giver=ada.pk, takers=[ben.pk])
    assert message == f"Open tasks: {Task.objects.count() - 1} to {ben.name}."
    again = send(http, collection, "reassign", giver=ada.pk)
    assert again == "There were no open tasks; nothing was moved."
    assert Assignment.objects.filter(member=ada).count() == 1, "what is judged stays"
    assert Assignment.objects.filter(member=ben).count() == Task.objects.count() - 1
    assert not Assignment.objects.filter(member=cleo).exists()


@pytest.mark.in_ci
def test_open_work_moves_to_all_others_by_default(http, collection, three):
    ada, ben, cleo = three
    send(http, collection, "reassign", giver=ada.pk)
    left = Task.objects.count() - 1
    counts = [Assignment.objects.filter(member=member).count() for member in (ben, cleo)]
    assert sum(counts) == left
    assert max(counts) - min(counts) <= 1


@pytest.mark.in_ci
def test_work_that_nobody_else_can_take_stays(http, collection, three):
    ada, ben, _ = three
    send(http, collection, "reassign", giver=ada.pk, takers=[ben.pk])
    for assignment in Assignment.objects.filter(member=ben):
        Assignment.objects.create(
            task=assignment.task, topic_id=assignment.topic_id, member=ada, position=assignment.position
        )
    assert send(http, collection, "reassign", giver=ada.pk, takers=[ben.pk]) == (
        f"Open tasks: {Task.objects.count() - 1} not moved, because nobody else can take them."
    )


@pytest.mark.in_ci
def test_reassigning_releases_claims_in_an_open_collection(http, collection, three):
    change_rules(collection, judges_per_task=2)
    assert 'name="takers"' not in read(http, collection, "work_people")
    message = send(http, collection, "reassign", giver=three[0].pk)
    assert message == f"Open tasks: {Task.objects.count() - 1} available to claim."


@pytest.mark.slow
def test_reassigning_requires_assessors_of_the_collection(http, collection, three, owner):
    ada = three[0]
    assert refused(http, collection, "reassign")[0] == "From: This field is required."
    for stranger in (owner.pk, 10**9, 10**25, "9" * 5_000, "x"):
        assert refused(http, collection, "reassign", giver=stranger)[0].startswith("From: Select a valid choice.")
        message, html = refused(http, collection, "reassign", giver=ada.pk, takers=[stranger])
        assert message.startswith("To: ")
        assert f'<option value="{ada.pk}" selected>' in html


@pytest.mark.in_ci
def test_preview_of_reassigning_is_what_happens(http, collection, three):
    ada, ben, _ = three
    before = tables()
    html = read(http, collection, "work_people", giver=ada.pk, takers=[ben.pk])
    assert tables() == before
    assert f"<p>{send(http, collection, 'reassign', giver=ada.pk, takers=[ben.pk])}</p>" in html


@pytest.mark.in_ci
def test_without_open_work_there_is_nothing_to_reassign(http, collection, three):
    html = read(http, collection, "work_people", giver=three[1].pk)
    assert "<p>Nothing of assessor-2 can move.</p>" in html
    assert "Reassign the open work of" not in html


def test_preview_shows_loads_and_saves_nothing(http, collection, add_assessors):
    add_assessors(collection, "ada", "ben", "cleo")
    before = tables()
    html = read(http, collection, "assign", **PREVIEW)
    assert tables() == before
    # 7 tasks for 2 of 3 people are 14 assignments: 5, 5 and 4. At 30 an hour these are 0.5 hours in all.
    assert "14 new assignments of 7 documents, 0.5 hours in all." in html
    rows = re.findall(r'<th scope="row">assessor-\d</th>(.*?)</tr>', html)[:3]
    cells = [[int(n) for n in re.findall(r'class="num">(\d+)</td>', row)[:5]] for row in rows]
    assert sorted(new for _, new, *_ in cells) == [4, 5, 5]
    assert f"Seed {collection.seed}" in html


@pytest.mark.in_ci
def test_page_suggests_an_assignment_to_everyone(http, collection, add_assessors):
    """Each of three people gets the 7 tasks of 2 judges: 5, 5 and 4. With one person, each task has one judge."""
    add_assessors(collection, "ada")
    assert "7 new assignments of 7 documents" in read(http, collection, "assign")
    add_assessors(collection, "ben", "cleo")
    html = read(http, collection, "assign")
    assert "14 new assignments of 7 documents" in html
    assert hidden_fields(html)["people"] == ["assessor-1", "assessor-2", "assessor-3"]
    assert 'hx-target="#preview"' in html


def test_load_of_each_person_is_a_bar(http, collection, three):
    """One person has all 7 tasks, and the others get them, 4 and 3."""
    response = http.get(address(collection, "assign"), PREVIEW)
    bars = {bar.name: bar for bar in response.context["bars"]}
    totals = {name: bar.total for name, bar in bars.items()}
    assert sum(totals.values()) == 14
    most = max(totals.values())
    for name, bar in bars.items():
        assert bar.existing + bar.new == pytest.approx(100 * totals[name] / most)
        assert f'style="width: {bar.new:.1f}%"' in response.content.decode()
    assert bars["assessor-1"].new == 0


def test_documents_go_to_the_chosen_people_only(http, collection, add_assessors):
    add_assessors(collection, "ada", "ben", "cleo")
    response = http.get(address(collection, "assign"), PREVIEW | {"people": ["assessor-1", "assessor-3"]})
    assert {bar.name: bar.total for bar in response.context["bars"]} == {
        "assessor-1": 7,
        "assessor-2": 0,
        "assessor-3": 7,
    }


def test_owner_sees_the_account_beside_the_pseudonym(collection, add_assessors, join, signed_in):
    add_assessors(collection, "ada", "ben")
    seen = {}
    for role in (Role.OWNER, Role.RESEARCHER):
        html = read(signed_in(join(collection, f"the-{role}", role)), collection, "assign")
        seen[role] = "assessor-1 (ada)" in html, "<small>ada</small>" in html, "ada" in html
    assert seen == {Role.OWNER: (True, True, True), Role.RESEARCHER: (False, False, False)}


def test_page_says_why_nothing_can_be_assigned(http, collection):
    assert "1 judge per task requires as many assessors who can sign in" in read(http, collection, "assign")


@pytest.mark.in_ci
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"policy": "sample", "share": "0.5", "repeats": "0.5"},
        {"policy": "everyone", "shared": "3", "people": ["assessor-2", "assessor-3"]},
        {"by_topic": "on", "judges": "1", "topics": "2"},
    ],
)
def test_what_was_previewed_is_assigned(http, collection, add_assessors, choice):
    add_assessors(collection, "ada", "ben", "cleo")
    html = read(http, collection, "assign", **PREVIEW | choice)
    people = html[html.index('id="preview"') :].partition("<details>")[0]
    rows = re.findall(r'<th scope="row">(assessor-\d)(?: <small>nothing new</small>)?</th>(.*?)</tr>', people)
    loads = {name: sum(map(int, re.findall(r'class="num">(\d+)</td>', row)[1:3])) for name, row in rows}
    response = http.post(address(collection, "assign"), hidden_fields(html))
    call_command("worker", once=True, verbosity=0)
    assert "<strong>Done.</strong> Created" in compact(http.get(response.url).content.decode())
    saved = {member.name: member.assignments.count() for member in collection.members.filter(role=Role.ASSESSOR)}
    assert {name: n for name, n in saved.items() if n} == {name: n for name, n in loads.items() if n}
    assert saved


@pytest.mark.django_db(transaction=True)
def test_outdated_preview_is_not_assigned(http, collection, add_assessors):
    add_assessors(collection, "ada", "ben")
    fields = hidden_fields(read(http, collection, "assign", **PREVIEW))
    add_assessors(collection, "cleo")
    http.post(address(collection, "assign"), fields)
    call_command("worker", once=True, verbosity=0)
    assert "has changed since this preview" in Job.objects.get().error
    assert not Assignment.objects.exists()


@pytest.mark.in_ci
@pytest.mark.django_db(transaction=True)
def test_large_preview_is_computed_in_the_background(http, collection, add_assessors, monkeypatch):
    add_assessors(collection, "ada", "ben", "cleo")
    choice = PREVIEW | {
        "policy": "sample",
        "share": "0.5",
        "topics": "1 2",
        "by_topic": "on",
        "people": ["assessor-2", "assessor-3"],
    }
    at_once = read(http, collection, "assign", **choice)
    monkeypatch.setattr(preview, "MOST_AT_ONCE", 0)
    html = read(http, collection, "assign", **choice)
    assert "This pool is large" in html
    job_page = http.post(address(collection, "preview_assign"), hidden_fields(html)).url
    call_command("worker", once=True, verbosity=0)
    done = compact(http.get(job_page).content.decode())
    link = unescape(re.search(r'href="([^"]*#preview)"', done)[1])
    later = compact(http.get(link).content.decode())
    tables = [text[text.index("<table") : text.index("</table>")] for text in (at_once, later)]
    assert tables[0] == tables[1]
    assert not Assignment.objects.exists()
    add_assessors(collection, "dora")
    assert "This pool is large" in read(http, collection, "assign", **choice), "the result is outdated"


@pytest.mark.in_ci
def test_preview_of_many_assignments_waits_for_the_button(http, collection, add_assessors, monkeypatch):
    add_assessors(collection, "ada", "ben")
    at_once = read(http, collection, "assign")
    assert "<table" in at_once[at_once.index('id="preview"') :]
    assert "Press <b>Preview</b>" not in at_once
    monkeypatch.setattr(preview, "MOST_LIVE", 0)
    for choice in ({}, PREVIEW):
        html = read(http, collection, "assign", **choice)
        assert "Press <b>Preview</b>" in html
        assert "<table" not in html[html.index('id="preview"') :]
    html = read(http, collection, "assign", **PREVIEW, preview="1")
    assert "Press <b>Preview</b>" not in html
    assert "<table" in html[html.index('id="preview"') :]


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        ({"judges": "0"}, "Assessors for each document: Ensure this value is greater than or equal to 1."),
        ({"policy": "random"}, "How to assign: Select a valid choice."),
        ({"pace": "nan"}, "Documents an hour: Enter a number."),
        ({"pace": "0"}, "Documents an hour: Ensure this value is greater than or equal to 0.01."),
        ({"topics": "9"}, "small has no topic &#x27;9&#x27;."),
        ({"people": ["eve"]}, "To: Select a valid choice. eve is not one of the available choices."),
        ({"judges": "3"}, "3 judges per task require as many assessors who can sign in; small has 2."),
    ],
)
def test_invalid_parameters_are_refused(http, collection, add_assessors, choice, problem):
    add_assessors(collection, "ada", "ben")
    assert problem in read(http, collection, "assign", status=400, **PREVIEW | choice)


def test_pool_is_opened_to_claims_and_closed(http, collection, add_assessors):
    add_assessors(collection, "ada")
    rules = {"judges_per_task": "3", "claim_minutes": "20", "repeat_share": "0.25"}
    assert "Open to claims" in send(http, collection, "claims", **rules)
    saved = Collection.objects.get()
    assert (saved.judges_per_task, saved.claim_minutes, saved.repeat_share) == (3, 20, 0.25)
    assert 'name="policy"' not in read(http, collection, "assign")
    assert "assigned beforehand" in send(http, collection, "claims", close="1")
    assert Collection.objects.get().judges_per_task is None


@pytest.mark.parametrize(("name", "queries"), [("assign", 34), ("work_people", 11), ("pilot", 10)])
def test_number_of_queries(http, collection, three, django_assert_max_num_queries, name, queries):
    read(http, collection, name)
    with django_assert_max_num_queries(queries):
        read(http, collection, name)


@pytest.mark.in_ci
def test_judging_is_paused_closed_and_opened(http, collection):
    assert send(http, collection, "judging_state", state="paused").startswith("Judging is paused.")
    assert "Judging is not open." in read(http, collection)
    assert send(http, collection, "judging_state", state="closed").startswith("Judging is closed.")
    assert "Judging was closed on" in read(http, collection)
    assert send(http, collection, "judging_state", state="open") == "Judging is open."
    assert Collection.objects.get().closed_because == ""


def test_unknown_state_is_refused(http, collection):
    message, _ = refused(http, collection, "judging_state", state="burnt")
    assert message == "Judging can be open, paused, closed, not &#x27;burnt&#x27;."


@pytest.mark.slow
def test_pilot_is_assigned_compared_and_undone(http, collection, add_assessors):
    ada, ben = add_assessors(collection, "ada", "ben")
    assert send(http, collection, "pilot", documents="2", topics="1") == "Pilot 1 is assigned."
    html = read(http, collection, "pilot")
    assert "2 documents of 1 topic for 2 assessors" in html
    assert send(http, collection, "undo_pilot", 1).startswith("Pilot 1 is removed.")
    assert not Pilot.objects.exists()
    send(http, collection, "pilot", documents="2", topics="1")
    query_id = Task.objects.filter(pilots__number=1).first().topic.query_id
    for member in (ada, ben):
        for task in upcoming(member, query_id=query_id):
            judge(member, task)
    assert "it is complete" in read(http, collection, "pilot")
    assert refused(http, collection, "undo_pilot", 1)[0] == (
        "Pilot 1 cannot be undone: some of its documents are judged."
    )
    assign(collection, 1)
    for member in (ada, ben):
        for query_id in ("1", "2"):
            for task in upcoming(member, query_id=query_id):
                judge(member, task)
    assert re.search(r">9 graded judgements, 0 cannot judge", read(http, collection, "agreement"))
    shown = read(http, collection, "agreement", round="pilot-1")
    assert ">4 graded judgements, 0 cannot judge" in shown
    assert "round=pilot-1" in shown
    pair = http.get(address(collection, "pair", ada.pk, ben.pk), {"round": "pilot-1"})
    both = r'Both judged <span data-count="n"><a [^>]*round=pilot-1[^>]*>2</a>'
    assert re.search(both, compact(pair.content.decode()))
    assert "round must be one of all, pilot-1" in read(http, collection, "agreement", status=400, round="pilot-2")


def test_impossible_pilot_is_refused_and_keeps_the_values(http, collection, add_assessors):
    add_assessors(collection, "ada", "ben")
    message, html = refused(http, collection, "pilot", documents="8")
    assert message == "small has 7 documents that nobody has yet, not 8."
    assert 'name="documents" value="8"' in html


@pytest.mark.parametrize("name", ["assign", "pilot"])
def test_pages_that_assign_name_an_empty_pool_and_missing_texts(http, collection, name):
    def notice() -> str:
        html = read(http, collection, name)
        return html[html.index('class="notice"') :][:400] if 'class="notice"' in html else ""

    assert notice() == ""
    collection.documents.filter(doc_id__in=["a", "b"]).update(content=None)
    assert (
        "Pooled documents without text: 2. For these, assessors can only answer “cannot judge” or “later”." in notice()
    )
    collection.topics.first().tasks.all().delete()
    collection.topics.last().tasks.all().delete()
    assert "The pool is empty, so there is nothing to assign yet." in notice()
