"""The pages that show the progress of the work, and reminders."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from assess import mail
from assess.models import Assignment, Judgement, Reminder, Role, Task
from assess.web.research.work import monitor_views
from tests.assess.claiming import judge, upcoming
from tests.assess.web.research.work.pages import address, read, refused, send
from tests.html import compact


@pytest.mark.in_ci
def test_monitor_shows_judges_topics_and_a_chart(http, collection, three):
    html = read(http, collection)
    assert "1 judgement by people is recorded and 6 are open (14% done)." in html
    assert "The end cannot be forecast: 1 judge has open documents but too few recent judgements." in html
    assert 'aria-label="1 judgement in the last 48 hours, at most 1 in one hour."' in html
    assert len(drawn_bars(html, "activity")) == 2 * 48  # also for a phone
    assert "1 of 10 judgements needed" in html


def drawn_bars(html: str, name: str) -> list[str]:
    """The bars of a figure: filled with the accent colour."""
    figure = re.search(rf'<figure class="chart chart-{name}">.*?</figure>', html, re.S)[0]
    return re.findall(r'style="fill: var\(--accent\)"', figure)


@pytest.mark.slow
def test_the_judgements_of_each_hour_download_as_a_table_and_a_figure(http, collection, three):
    html = http.get(address(collection)).content.decode()
    for kind, begin in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
        url = address(collection, "work_activity_figure", kind)
        assert f'href="{url}"' in html
        response = http.get(url)
        assert response.content.startswith(begin)
        assert response["Content-Disposition"] == f'attachment; filename="small-activity.{kind}"'
        assert response.content == http.get(url).content
    lines = list(csv.DictReader(io.StringIO(http.get(address(collection, "work_activity_csv")).content.decode())))
    assert (len(lines), sum(int(line["judgements"]) for line in lines)) == (48, 1)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d", lines[0]["hour"])


@pytest.mark.slow
def test_the_figure_is_drawn_again_only_after_another_judgement(http, collection, three, monkeypatch):
    drawn = []
    draw = monitor_views.draw_activity
    monkeypatch.setattr(
        monitor_views,
        "draw_activity",
        lambda shown, kind, **options: drawn.append(shown.total) or draw(shown, kind, **options),
    )
    for _ in range(2):
        read(http, collection)
    assert drawn == [1, 1]  # for a wide and for a narrow screen
    ada, *_ = three
    judge(ada, upcoming(ada)[0])
    read(http, collection)
    assert drawn == [1, 1, 2, 2]


def test_without_a_judgement_a_sentence_replaces_the_figure(http, collection, add_assessors):
    add_assessors(collection, "ada")
    html = read(http, collection)
    assert "<p>No judgement was recorded in the last 48 hours.</p>" in html
    assert "<figure" not in html
    assert f'href="{address(collection, "work_activity_csv")}"' in html


@pytest.mark.in_ci
def test_topics_of_a_large_collection_are_counted_on_request(http, collection, three, monkeypatch):
    monkeypatch.setattr(monitor_views, "MOST_AT_ONCE", 6)
    monkeypatch.setattr(monitor_views, "MOST_WITH_TOPICS", 6)
    html = read(http, collection)
    assert 'median seconds</th> <th scope="col">grades</th> </tr>' not in html.partition('id="topics"')[2]
    assert '<a href="?topics=1#topics">Count the work of each topic</a>' in html
    assert "<caption>Reload the page to update this table." in read(http, collection, topics="1")


@pytest.mark.in_ci
def test_topics_of_a_larger_collection_follow_the_page(http, collection, three, monkeypatch):
    monkeypatch.setattr(monitor_views, "MOST_AT_ONCE", 6)
    part = read(http, collection).partition('id="topics"')[2]
    assert 'hx-get="?topics=1" hx-trigger="load" hx-target="#topics"' in part
    assert '<a href="?topics=1#topics">' in part  # without a script


@pytest.mark.in_ci
def test_updates_leave_out_the_topics(http, collection, three):
    response = http.get(address(collection), headers={"hx-request": "true", "hx-target": "live"})
    html = compact(response.content.decode())
    assert html.startswith('<div id="live"')
    assert 'id="topics"' not in html


@pytest.mark.slow
def test_tables_download_as_csv(http, collection, three):
    def rows(name, **query):
        return list(csv.DictReader(io.StringIO(http.get(address(collection, name), query).content.decode())))

    first, second, third = rows("work_assessors_csv")
    work = {"assigned": "7", "judged": "1", "cannot_judge": "0", "later": "0", "open": "6"}
    assert {name: first[name] for name in work} == work
    assert (first["assessor"], first["forecast_reason"]) == (three[0].name, "1 of 10 judgements needed")
    assert sum(int(first[f"grade_{grade}"]) for grade in (0, 1)) == 1
    assert [row["assigned"] for row in (second, third)] == ["0", "0"]
    topics = rows("work_topics_csv")
    assert [row["query_id"] for row in topics] == ["1", "2"]
    assert sum(int(row["judged"]) for row in topics) == 1
    html = read(http, collection)
    for name in ("work_assessors_csv", "work_topics_csv"):
        assert address(collection, name) in html


def test_monitor_of_an_empty_collection(http, collection):
    html = read(http, collection)
    assert 'There are no assessors yet. <a href="/c/small/people/#invite">Invite them first.</a>' in html


@pytest.mark.in_ci
def test_inactive_judge_is_named(http, collection, three):
    Judgement.objects.update(judged_at=timezone.now() - timedelta(days=4))
    assert "assessor-1 has open documents and has recorded nothing since" in read(http, collection)
    send(http, collection, "judging_state", state="paused")
    assert "has recorded nothing since" not in read(http, collection)


@pytest.mark.slow
def test_number_of_queries_of_the_monitor_is_constant(http, collection, three, django_assert_max_num_queries):
    read(http, collection)
    with django_assert_max_num_queries(28) as few:
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


@pytest.fixture
def mails(monkeypatch):
    """The mails that would be sent."""
    mails = []
    monkeypatch.setattr(mail, "is_configured", lambda: True)
    monkeypatch.setattr(mail, "send", lambda *arguments: mails.append(arguments))
    return mails


@pytest.mark.in_ci
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


def test_reminders_above_the_limit_of_emails_are_left_for_later(http, collection, three, mails, settings):
    settings.MAILS_PER_HOUR = 1
    Assignment.objects.create(task=Task.objects.first(), topic=Task.objects.first().topic, member=three[1], position=99)
    for member in three[:2]:
        type(member.user).objects.filter(pk=member.user_id).update(email=f"{member.name}@example.org")
    assert send(http, collection, "remind") == (
        "Reminders are being sent to: assessor-1. You may send at most 1 email in an hour. 1 person is left to remind "
        "later."
    )
    assert [recipient for recipient, *_ in mails] == ["assessor-1@example.org"]
    assert send(http, collection, "remind") == "Reminders are being sent to: assessor-2."


@pytest.mark.in_ci
def test_several_people_are_chosen_and_reminded(http, collection, three, mails):
    Assignment.objects.create(task=Task.objects.first(), topic=Task.objects.first().topic, member=three[1], position=99)
    for member in three[:2]:
        type(member.user).objects.filter(pk=member.user_id).update(email=f"{member.name}@example.org")
    html = read(http, collection, "work_people")
    assert html.count('<input type="checkbox" form="remind-form" name="name"') == 2
    assert f'<a href="?giver={three[0].pk}#reassign" aria-label="Reassign the work of assessor-1">' in html
    assert refused(http, collection, "remind", which="chosen")[0] == "Nobody is chosen. Check the people to remind."
    assert mails == []
    sentence = send(http, collection, "remind", which="chosen", name=["assessor-2", "assessor-1"])
    assert sentence == "Reminders are being sent to: assessor-2, assessor-1."
    assert len(mails) == 2


def test_without_mail_the_page_shows_the_text(http, collection, three):
    html = read(http, collection, "work_people")
    assert "This site has no mail server. Copy a text and send it yourself." in html
    assert "6 of your documents in &quot;Small&quot; are waiting" in html
    assert "no mail server" in refused(http, collection, "remind")[0]


@pytest.mark.in_ci
def test_only_owners_see_addresses(http, collection, three, join, client):
    ada = three[0]
    type(ada.user).objects.filter(pk=ada.user_id).update(email="ada@example.org")
    assert "ada@example.org" in read(http, collection, "work_people")
    client.force_login(join(collection, "rita", Role.RESEARCHER).user, backend="assess.people.backend.AccountBackend")
    assert "ada@example.org" not in read(client, collection, "work_people")
