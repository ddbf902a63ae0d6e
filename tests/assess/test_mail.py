"""Mail goes to a real server, after the commit, limited per sender, again if the server is busy, and is forgotten."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from django.utils.safestring import SafeString
from django_tasks_db.models import DBTaskResult

from assess import mail
from assess.errors import Refused
from assess.jobs import queue
from assess.jobs.recovery import recover
from assess.jobs.run import DELAYS
from assess.models import Collection, Job, JobState
from tests.assess.mail_server import mail_server

pytestmark = pytest.mark.django_db(transaction=True)

LINK = "Open https://assay.example/account/reset/secret/"
CLOSED_PORT = 1


@pytest.fixture
def mailbox(settings):
    with mail_server(settings) as mailbox:
        yield mailbox


@pytest.fixture
def ada(django_user_model):
    return django_user_model.objects.create_user("ada")


def work() -> None:
    call_command("worker", once=True, verbosity=0)


def wait_for_next_attempt() -> None:
    """Let the time pass until the next attempt is due."""
    DBTaskResult.objects.filter(status="READY").update(run_after=timezone.now())


def test_mail_arrives(mailbox, ada):
    job = mail.send("bob@example.org", "A link – für dich", LINK, ada)
    assert mailbox.mails == []
    work()
    (received,) = mailbox.mails
    assert (received["To"], received["From"]) == ("bob@example.org", "assay@example.org")
    assert received["Subject"] == "A link – für dich"
    assert received.get_content().strip() == LINK
    job.refresh_from_db()
    assert (job.state, job.error, job.result) == (JobState.DONE, "", {"sent": 1})


def test_mail_of_a_rolled_back_transaction_is_not_sent(mailbox, ada):
    with transaction.atomic():
        mail.send("bob@example.org", "A link", LINK, ada)
        transaction.set_rollback(True)
    work()
    assert mailbox.mails == []


def test_several_mails_wait_at_the_same_time(mailbox, ada):
    for name in ("bob", "carl"):
        mail.send(f"{name}@example.org", "A link", LINK, ada)
    work()
    assert {received["To"] for received in mailbox.mails} == {"bob@example.org", "carl@example.org"}


@pytest.mark.parametrize(("reply", "state"), [("250 OK", JobState.DONE), ("550 No such user", JobState.FAILED)])
def test_text_is_forgotten_when_the_job_ends(mailbox, ada, reply, state):
    mailbox.reply = reply
    job = mail.send("bob@example.org", "A link", LINK, ada)
    assert job.input["body"] == LINK
    work()
    job.refresh_from_db()
    assert (job.state, job.input) == (state, {})


def test_text_of_a_cancelled_mail_is_forgotten(mailbox, ada):
    job = mail.send("bob@example.org", "A link", LINK, ada)
    queue.cancel(job)
    job.refresh_from_db()
    assert job.input == {}


def test_refused_recipient_is_final_and_not_repeated_in_the_log(mailbox, ada, caplog):
    mailbox.reply = "550 No such user"
    job = mail.send("bob@example.org", "A link", LINK, ada)
    work()
    job.refresh_from_db()
    assert "The mail server refused the email." in job.error
    assert "SMTPRecipientsRefused 550" in caplog.text
    assert "bob" not in caplog.text + job.error


def test_mail_is_sent_again_when_the_server_is_busy(mailbox, ada):
    mailbox.reply = "451 Try later"
    job = mail.send("bob@example.org", "A link", LINK, ada)
    work()
    job.refresh_from_db()
    assert (job.state, job.attempt, job.input["body"]) == (JobState.WAITING, 1, LINK)
    work()
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=2))
    recover()
    assert mailbox.mails == []  # not before it is due
    mailbox.reply = "250 OK"
    wait_for_next_attempt()
    work()
    job.refresh_from_db()
    assert (job.state, job.attempt, job.error, len(mailbox.mails)) == (JobState.DONE, 2, "", 1)


def test_unreachable_server_is_tried_a_few_times(mailbox, settings, ada):
    settings.EMAIL_PORT = CLOSED_PORT
    job = mail.send("bob@example.org", "A link", LINK, ada)
    for _ in range(len(DELAYS) + 2):
        wait_for_next_attempt()
        work()
    job.refresh_from_db()
    assert (job.state, job.attempt, job.input) == (JobState.FAILED, len(DELAYS) + 1, {})
    assert "could not be reached" in job.error


def test_sender_has_a_limit(mailbox, settings, ada, django_user_model):
    settings.MAILS_PER_HOUR = 2
    for _ in range(2):
        job = mail.send("bob@example.org", "A link", LINK, ada)
    with pytest.raises(Refused, match="at most 2 emails in an hour"):
        mail.send("bob@example.org", "A link", LINK, ada)
    mail.send("bob@example.org", "A link", LINK, django_user_model.objects.create_user("zoe"))
    mail.send("bob@example.org", "A link", LINK, None)
    assert Job.objects.count() == 4
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(minutes=61))
    mail.send("bob@example.org", "A link", LINK, ada)


def test_site_without_a_mail_server_sends_nothing(settings, ada):
    settings.MAIL_CONFIGURED = False
    assert not mail.is_configured()
    with pytest.raises(Refused, match="has no mail server"):
        mail.send("bob@example.org", "A link", LINK, ada)
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("recipient", "subject", "body", "reason"),
    [
        ("bob", "A link", LINK, "not an email address"),
        ("bob@example.org\nBcc: eve@example.org", "A link", LINK, "not an email address"),
        ("bob@example.org", "A link\nBcc: eve@example.org", LINK, "one line"),
        ("bob@example.org", "x" * 201, LINK, "one line of at most 200"),
        ("bob@example.org", "A link", "x" * 20_001, "20,000 characters, not 20,001"),
    ],
)
def test_invalid_mail_is_refused(mailbox, ada, recipient, subject, body, reason):
    with pytest.raises(Refused, match=reason):
        mail.send(recipient, subject, body, ada)
    assert not Job.objects.exists()


def test_a_rendered_mail_is_plain_text():
    """A page that shows it escapes it."""
    subject, body = mail.render("reminder", {"collection": Collection(name="<b>\nx"), "number": 2, "address": "/"})

    assert subject == "Documents to judge: <b> x"
    assert '2 of your documents in "<b>' in body
    assert not any(isinstance(text, SafeString) for text in (subject, body))


def test_mail_of_a_killed_worker_is_not_sent_again(mailbox, ada, monkeypatch):
    job = mail.send("bob@example.org", "A link", LINK, ada)
    monkeypatch.setattr("assess.jobs.run._ending", lambda job: mail.deliver(**job.input) and None)  # killed thereafter
    work()
    monkeypatch.undo()
    assert len(mailbox.mails) == 1
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=2))
    assert recover() == 1
    work()
    job.refresh_from_db()
    assert (job.state, len(mailbox.mails), job.input) == (JobState.FAILED, 1, {})
    assert "The worker stopped before it knew whether this was done." in job.error
