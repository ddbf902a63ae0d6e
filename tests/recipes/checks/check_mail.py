"""A worker sends the email after the transaction; without an address nothing is sent."""

import pytest
from assess.work.thank import thank
from django.core.management import call_command

from assess.errors import Refused
from assess.models import Role


@pytest.mark.django_db(transaction=True)
def test_email_is_in_the_outbox(isolated_storage, collection, join, settings, mailoutbox):
    settings.MAIL_CONFIGURED = True
    ada, owner = join(collection, "ada"), join(collection, "olga", Role.OWNER)
    with pytest.raises(Refused, match="has no email address"):
        thank(ada, owner.user)
    ada.user.email = "ada@example.org"
    ada.user.save()
    assert thank(ada, owner.user) == f"Thanks are being sent to {ada.name}."
    assert mailoutbox == []
    call_command("worker", once=True, verbosity=0)
    (sent,) = mailoutbox
    assert sent.to == ["ada@example.org"]
    assert sent.subject.startswith("Thank you for judging")
