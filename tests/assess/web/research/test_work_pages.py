"""The pages of the work: what they show, what they save, and what they refuse."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from assess import mail
from assess.judging.rules import change_rules
from assess.models import Assignment, Collection, Job, Judgement, Pilot, Reminder, Role, Task
from assess.pools.assign import assign
from assess.web.research.work import monitor_views
from assess.work import preview
from tests.assess.claiming import judge, upcoming
from tests.assess.command_output import tables
from tests.html import compact

PREVIEW = {"policy": "overlap", "judges": "2", "share": "", "shared": "", "repeats": "", "limit": "", "pace": "30"}


@pytest.fixture
def owner(collection, join):
    return join(collection, "olga", Role.OWNER)


@pytest.fixture
def http(owner, signed_in):
    return signed_in(owner)


@pytest.fixture
def three(collection, add_assessors):
    """Three assessors. The first has all tasks and has judged one of them."""
    ada, *others = add_assessors(collection, "ada", "ben", "cleo")
    assign(collection, 1, exclude=[other.name for other in others])
    judge(ada, upcoming(ada)[0])
    return ada, *others


def address(collection, name="work", *arguments) -> str:
    return reverse(f"research:{name}", args=[collection.slug, *arguments])


def read(http, collection, name="work", status=200, **query) -> str:
    response = http.get(address(collection, name), query)
    assert response.status_code == status
    return compact(response.content.decode())


def send(http, collection, page, *arguments, **data) -> str:
    """Submit a form that is accepted, and return the message on the next page."""
    response = http.post(address(collection, page, *arguments), data, follow=True)
    assert response.status_code == 200
    return compact(re.search(r'<ul class="messages"><li>(.*?)</li>', response.content.decode())[1])


def refused(http, collection, page, *arguments, **data) -> tuple[str, str]:
    """Submit a form that is refused. Returns the error message and the page. No table may change."""
    before = tables()
    response = http.post(address(collection, page, *arguments), data)
    assert response.status_code == 400
    assert tables() == before
    html = compact(response.content.decode())
    return re.search(r'class="refusal" role="alert">(.*?)</p>', html, re.S)[1], html


def hidden_fields(html: str) -> dict[str, list[str]]:
    """Return the hidden fields of the preview."""
    fields: dict[str, list[str]] = {}
    form = html[html.index('id="preview"') :]
    for name, value in re.findall(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)">', form):
        fields.setdefault(name, []).append(value)
    return {name: values for name, values in fields.items() if name != "csrfmiddlewaretoken"}


# ---- reassign


def test_open_work_moves_to_the_selected_assessors(http, collection, three):
    ada, ben, cleo = three
    message = send(http, collection, "reassign", giver=ada.pk, takers=[ben.pk])
    assert message == f"Open tasks: {Task.objects.count() - 1} to {ben.name}."
    again = send(http, collection, "reassign", giver=ada.pk)
    assert again == "There were no open tasks; nothing was moved."
    assert Assignment.objects.filter(member=ada).count() == 1, "what is judged stays"
    assert Assignment.objects.filter(member=ben).count() == Task.objects.count() - 1
    assert not Assignment.objects.filter(member=cleo).exists()


def test_open_work_moves_to_all_others_by_default(http, collection, three):
    ada, ben, cleo = three
    send(http, collection, "reassign", giver=ada.pk)
    left = Task.objects.count() - 1
    counts = [Assignment.objects.filter(member=member).count() for member in (ben, cleo)]
    assert sum(counts) == left
    assert max(counts) - min(counts) <= 1


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


def test_reassigning_releases_claims_in_an_open_collection(http, collection, three):
    change_rules(collection, judges_per_task=2)
    assert 'name="takers"' not in read(http, collection, "work_people")
    message = send(http, collection, "reassign", giver=three[0].pk)
    assert message == f"Open tasks: {Task.objects.count() - 1} available to claim."


def test_reassigning_requires_assessors_of_the_collection(http, collection, three, owner):
    ada = three[0]
    assert refused(http, collection, "reassign")[0] == "From: This field is required."
    for stranger in (owner.pk, 10**9, 10**25, "9" * 5_000, "x"):
        assert refused(http, collection, "reassign", giver=stranger)[0].startswith("From: Select a valid choice.")
        message, html = refused(http, collection, "reassign", giver=ada.pk, takers=[stranger])
        assert message.startswith("To: ")
        assert f'<option value="{ada.pk}" selected>' in html


def test_preview_of_reassigning_is_what_happens(http, collection, three):
    ada, ben, _ = three
    before = tables()
    html = read(http, collection, "work_people", giver=ada.pk, takers=[ben.pk])
    assert tables() == before
    assert f"<p>{send(http, collection, 'reassign', giver=ada.pk, takers=[ben.pk])}</p>" in html


def test_without_open_work_there_is_nothing_to_reassign(http, collection, three):
    html = read(http, collection, "work_people", giver=three[1].pk)
    assert "<p>Nothing of assessor-2 can move.</p>" in html
    assert "Reassign the open work of" not in html


# ---- assign


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


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"policy": "sample", "share": "0.5", "repeats": "0.5"},
        {"policy": "everyone", "shared": "3", "exclude": ["assessor-1"]},
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


@pytest.mark.django_db(transaction=True)
def test_large_preview_is_computed_in_the_background(http, collection, add_assessors, monkeypatch):
    add_assessors(collection, "ada", "ben", "cleo")
    choice = PREVIEW | {"policy": "sample", "share": "0.5", "topics": "1 2", "by_topic": "on", "exclude": "assessor-1"}
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


@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        ({"judges": "0"}, "Assessors for each document: Ensure this value is greater than or equal to 1."),
        ({"policy": "random"}, "How to assign: Select a valid choice."),
        ({"pace": "nan"}, "Documents an hour: Enter a number."),
        ({"pace": "0"}, "Documents an hour: Ensure this value is greater than or equal to 0.01."),
        ({"topics": "9"}, "small has no topic &#x27;9&#x27;."),
        ({"exclude": ["eve"]}, "Nothing new for: Select a valid choice. eve is not one of the available choices."),
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


# ---- monitor


def test_monitor_shows_judges_topics_and_a_chart(http, collection, three):
    html = read(http, collection)
    assert "1 judgement is recorded and 6 are open (14 % done)." in html
    assert "The end cannot be forecast: 1 judge has open documents but too few recent judgements." in html
    assert 'aria-label="1 judgement in the last 48 hours, at most 1 in one hour."' in html
    assert html.count("<rect") == 48
    assert "1 of 10 judgements needed" in html


def test_topics_of_a_large_collection_are_counted_on_request(http, collection, three, monkeypatch):
    monkeypatch.setattr(monitor_views, "MOST_WITH_TOPICS", 6)
    html = read(http, collection)
    assert 'median seconds</th> <th scope="col">grades</th> </tr>' not in html.partition('id="topics"')[2]
    assert '<a href="?topics=1#topics">Count the work of each topic</a>' in html
    assert "<caption>Reload the page to update this table." in read(http, collection, topics="1")


def test_updates_leave_out_the_topics(http, collection, three):
    response = http.get(address(collection), headers={"hx-request": "true"})
    html = compact(response.content.decode())
    assert html.startswith('<div id="live"')
    assert 'id="topics"' not in html


def test_monitor_of_an_empty_collection(http, collection):
    html = read(http, collection)
    assert 'There are no assessors yet. <a href="/c/small/people/#invite">Invite them first.</a>' in html


def test_inactive_judge_is_named(http, collection, three):
    Judgement.objects.update(judged_at=timezone.now() - timedelta(days=4))
    assert "assessor-1 has open documents and has recorded nothing since" in read(http, collection)
    send(http, collection, "judging_state", state="paused")
    assert "has recorded nothing since" not in read(http, collection)


def test_number_of_queries_of_the_monitor_is_constant(http, collection, three, django_assert_max_num_queries):
    read(http, collection)
    with django_assert_max_num_queries(24) as few:
        read(http, collection)
    for member in three[1:]:
        Assignment.objects.bulk_create(
            Assignment(task=task, topic=task.topic, member=member, position=1)
            for task in Task.objects.select_related("topic")
        )
        for task in upcoming(member):
            judge(member, task)
    with django_assert_max_num_queries(len(few)):
        read(http, collection)


@pytest.mark.parametrize(("name", "queries"), [("assign", 12), ("work_people", 10), ("pilot", 9)])
def test_number_of_queries(http, collection, three, django_assert_max_num_queries, name, queries):
    read(http, collection, name)
    with django_assert_max_num_queries(queries):
        read(http, collection, name)


# ---- pause and close


def test_judging_is_paused_closed_and_opened(http, collection):
    assert send(http, collection, "judging_state", state="paused").startswith("Judging is paused.")
    assert "Judging is paused or has not started." in read(http, collection)
    assert send(http, collection, "judging_state", state="closed").startswith("Judging is closed.")
    assert "Judging was closed on" in read(http, collection)
    assert send(http, collection, "judging_state", state="open") == "Judging is open."
    assert Collection.objects.get().closed_because == ""


def test_unknown_state_is_refused(http, collection):
    message, _ = refused(http, collection, "judging_state", state="burnt")
    assert message == "Judging can be open, paused, closed, not &#x27;burnt&#x27;."


# ---- remind


@pytest.fixture
def mails(monkeypatch):
    """The mails that would be sent."""
    mails = []
    monkeypatch.setattr(mail, "is_configured", lambda: True)
    monkeypatch.setattr(mail, "send", lambda *arguments: mails.append(arguments))
    return mails


def test_reminder_is_sent_once_a_day(http, collection, three, owner, mails):
    ada = three[0]
    type(ada.user).objects.filter(pk=ada.user_id).update(email="ada@example.org")
    assert send(http, collection, "remind", name="assessor-1") == "Reminders are being sent to: assessor-1."
    ((recipient, subject, body, sender),) = mails
    assert (recipient, sender) == ("ada@example.org", owner.user)
    assert subject == "Documents to judge: Small"
    assert "6 of your documents" in body
    assert "http://testserver/c/small/judge/" in body
    assert refused(http, collection, "remind", name="assessor-1")[0] == "assessor-1 has been reminded today already."
    assert refused(http, collection, "remind")[0].startswith("Nobody with open documents and an email address is left")
    assert "sent today" in read(http, collection, "work_people")
    Reminder.objects.update(day=timezone.now().date() - timedelta(days=1))
    send(http, collection, "remind")
    assert len(mails) == 2


def test_without_mail_the_page_shows_the_text(http, collection, three):
    html = read(http, collection, "work_people")
    assert "This site has no mail server. Copy a text and send it yourself." in html
    assert "6 of your documents in &quot;Small&quot; are waiting" in html
    assert "no mail server" in refused(http, collection, "remind")[0]


def test_only_owners_see_addresses(http, collection, three, join, client):
    ada = three[0]
    type(ada.user).objects.filter(pk=ada.user_id).update(email="ada@example.org")
    assert "ada@example.org" in read(http, collection, "work_people")
    client.force_login(join(collection, "rita", Role.RESEARCHER).user, backend="assess.people.backend.AccountBackend")
    assert "ada@example.org" not in read(client, collection, "work_people")


# ---- pilot


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
    assert '<span class="tag">9 judgements</span>' in read(http, collection, "agreement")
    shown = read(http, collection, "agreement", round="pilot-1")
    assert '<span class="tag">4 judgements</span>' in shown
    assert "round=pilot-1" in shown
    pair = http.get(address(collection, "pair", ada.pk, ben.pk), {"round": "pilot-1"})
    assert re.search(r"Both judged <a [^>]*round=pilot-1[^>]*>2 documents</a>\.", compact(pair.content.decode()))
    assert "round must be one of all, pilot-1" in read(http, collection, "agreement", status=400, round="pilot-2")


def test_impossible_pilot_is_refused_and_keeps_the_values(http, collection, add_assessors):
    add_assessors(collection, "ada", "ben")
    message, html = refused(http, collection, "pilot", documents="8")
    assert message == "small has 7 documents that nobody has yet, not 8."
    assert 'name="documents" value="8"' in html
