"""Sends emails by a background job that begins when the caller's transaction is committed.

`is_configured` says whether the site has a mail server (ASSAY_EMAIL_URL). A person may send a limited number of
emails in an hour (ASSAY_MAILS_PER_HOUR). An email that the server refuses for now is sent again later, up to four
times. Its text may contain a link that gives access to an account, so the job deletes it when it ends. No email
arrives twice: if a worker is killed while it sends one, the email is not sent again, because it may have arrived.

The texts are templates in `templates/mail/`: NAME.txt, and NAME_subject.txt for the subject.
"""

import logging
from datetime import timedelta
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.validators import validate_email
from django.db import transaction
from django.forms import ValidationError
from django.template.loader import render_to_string
from django.utils import timezone

from assess.errors import Refused
from assess.jobs import queue
from assess.lib.long_work import TryLater
from assess.models import Job, User
from pooling.words import count

KIND = "send_mail"
PERIOD = timedelta(hours=1)
MAX_SUBJECT, MAX_BODY = 200, 20_000  # characters
PERMANENT = 500  # replies of a mail server from this number on are final
FAILED = "The mail server refused the email. The log of the worker has the reason."
LATER = "The mail server could not be reached or refused the email for now. The log of the worker has the reason."
logger = logging.getLogger(__name__)


def is_configured() -> bool:
    """Whether this site can send email."""
    return bool(settings.MAIL_CONFIGURED)


def render(name: str, values: dict[str, Any]) -> tuple[str, str]:
    """Return subject and body of an email from its templates; the subject is one line, cut if it is too long.

    Both are plain strings, which a page escapes. Those that the template engine returns count as safe HTML.
    """
    subject = " ".join(render_to_string(f"mail/{name}_subject.txt", values).split())
    return subject[:MAX_SUBJECT], render_to_string(f"mail/{name}.txt", values).strip() + "\n"


@transaction.atomic
def send(recipient: str, subject: str, body: str, sender: User | None) -> Job:
    """Send an email when the present transaction is committed. `sender` is the person who causes it, or None.

    Callers without a sender limit the number of emails themselves.
    """
    if not is_configured():
        raise Refused("This site cannot send email, because it has no mail server. Its administrator can name one.")
    _check(recipient, subject, body)
    if sender:
        _check_rate(sender)
    return queue.start(KIND, None, sender, {"recipient": recipient, "subject": subject, "body": body})


def deliver(recipient: str, subject: str, body: str) -> dict[str, int]:
    """Hand the email to the mail server. This is the function of the job."""
    try:
        sent = EmailMessage(subject, body, to=[recipient]).send()
    except (OSError, SMTPException) as error:  # OSError: no connection, or none in time
        logger.warning("An email was not sent: %s", _reason(error))
        if _is_permanent(error):
            raise Refused(FAILED) from None
        raise TryLater(LATER) from None
    return {"sent": sent}


def _check(recipient: str, subject: str, body: str) -> None:
    try:
        validate_email(recipient)
    except ValidationError:
        raise Refused(f"{recipient[:80]!r} is not an email address.") from None
    if "\n" in subject or "\r" in subject or len(subject) > MAX_SUBJECT:
        raise Refused(f"The subject of an email must be one line of at most {MAX_SUBJECT} characters.")
    if len(body) > MAX_BODY:
        raise Refused(f"An email may have at most {MAX_BODY:,} characters, not {len(body):,}.")


def left_this_hour(sender: User) -> int:
    """Return how many emails the sender may still send. Call it in a transaction, which locks the sender."""
    User.objects.select_for_update(no_key=True).get(pk=sender.pk)  # of two emails at the same time, the second waits
    jobs = Job.objects.filter(kind=KIND, user=sender, created_at__gt=timezone.now() - PERIOD)
    return max(settings.MAILS_PER_HOUR - jobs.count(), 0)


def limit_sentence() -> str:
    """Return the limit of emails, for people."""
    return f"You may send at most {count(settings.MAILS_PER_HOUR, 'email')} in an hour."


def _check_rate(sender: User) -> None:
    """Refuse an email above the limit of its sender."""
    if not left_this_hour(sender):
        raise Refused(f"{limit_sentence()} Try again later.")


def _is_permanent(error: Exception) -> bool:
    return bool(codes := _codes(error)) and min(codes) >= PERMANENT


def _reason(error: Exception) -> str:
    """Return the kind of the error and the codes of the server. Its text may contain the address."""
    return " ".join([type(error).__name__, *map(str, _codes(error))])


def _codes(error: Exception) -> list[int]:
    if isinstance(error, SMTPRecipientsRefused):
        return [code for code, _ in error.recipients.values()]
    return [error.smtp_code] if isinstance(error, SMTPResponseException) else []
